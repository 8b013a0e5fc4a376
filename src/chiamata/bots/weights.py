"""Weights of a caller's hand, and their spread.  Written by ``tools/fit_bots.py``; do not edit by hand."""

WITH_PARTNER: tuple[float, ...] = (
    36.04,  # one
    0.39,  # own trump 0
    -0.01,  # own trump 1
    -0.19,  # own trump 2
    0.58,  # own trump 3
    1.28,  # own trump 4
    2.50,  # own trump 5
    3.91,  # own trump 6
    5.73,  # own trump 7
    11.61,  # own trump 8
    21.54,  # own trump 9
    -2.92,  # called 0
    -4.45,  # called 1
    -4.39,  # called 2
    -3.81,  # called 3
    -3.47,  # called 4
    -3.01,  # called 5
    -2.39,  # called 6
    -0.15,  # called 7
    7.11,  # called 8
    17.50,  # called 9
    0.44,  # trumps squared
    -0.14,  # stronger trumps out
    1.87,  # side masters
    1.82,  # side seconds
    -0.75,  # side pairs
    -0.01,  # other side points
    1.02,  # side suits
)
SOLO: tuple[float, ...] = (
    2.42,  # one
    -0.21,  # own trump 0
    0.08,  # own trump 1
    0.40,  # own trump 2
    1.81,  # own trump 3
    0.72,  # own trump 4
    1.86,  # own trump 5
    2.73,  # own trump 6
    5.87,  # own trump 7
    12.02,  # own trump 8
    24.35,  # own trump 9
    -3.51,  # called 0
    -0.90,  # called 1
    -1.02,  # called 2
    -2.97,  # called 3
    -0.00,  # called 4
    1.78,  # called 5
    0.15,  # called 6
    2.86,  # called 7
    4.64,  # called 8
    -1.03,  # called 9
    0.36,  # trumps squared
    -0.01,  # stronger trumps out
    2.13,  # side masters
    0.79,  # side seconds
    0.60,  # side pairs
    0.18,  # other side points
    -0.14,  # side suits
)
SPREAD = (18.1, 10.4)
"""Standard deviation of the points made around the estimate: with a partner, and alone."""
