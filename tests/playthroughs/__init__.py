"""One whole game of every rule set, played at random from a fixed seed and kept as text."""
