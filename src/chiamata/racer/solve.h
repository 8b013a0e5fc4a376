/* Whole questions about a position, put together from zero-window searches. */
#ifndef RACER_SOLVE_H
#define RACER_SOLVE_H

#include "search.h"

typedef struct {
    int low, high;
} Range;

/* Is target reached? range.low >= target: yes; range.high < target: no; neither: a limit came first. */
Range solve_test(Search *s, const Start *start, int target);
/* The value; low < high only where a limit came first. */
Range solve_value(Search *s, const Start *start);
/* The position after a card of the seat to play; what the caller's side gained if that ended the trick. */
int solve_play(Search *s, const Start *start, int card, Start *next);
int solve_turn(const Start *start);

#endif
