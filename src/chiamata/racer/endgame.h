/* The last tricks with all cards open, each side at its best. */
#ifndef RACER_ENDGAME_H
#define RACER_ENDGAME_H

#include "policy.h"

/* Place in a row of PAYOFFS for what the caller's side took. */
int outcome_of(const Scene *scene, int partner);

typedef struct {
    const double *payoff; /* a row of PAYOFFS: what the viewer gets */
    int partner;          /* who holds, or held, the called card */
    int side;             /* bit mask of the seats that play for the viewer's payoff; the others play against it */
} Ends;

/* The viewer's payoff, fail-soft between low and high. */
double play_exactly(const Scene *scene, const uint64_t *hands, const Ends *ends, double low, double high);

#endif
