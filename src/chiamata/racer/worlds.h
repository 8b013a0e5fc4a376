/* What is known of a deal to one seat, and full deals that fit it. */
#ifndef RACER_WORLDS_H
#define RACER_WORLDS_H

#include "policy.h"

/* The deal so far, made from a RacerView. */
typedef struct {
    const RacerView *view;
    const RacerThought *thought;
    Pack pack;
    Scene before[40]; /* the table before each card */
    int32_t seats[40];
    int32_t kinds[40]; /* kind and stage of a card that tells of its player, else -1 */
    Scene now;
    uint64_t hand;    /* the viewer's cards */
    uint64_t fell[5];
    uint64_t unseen;  /* lies in the other hands */
    int32_t left[5];
    bool hidden;      /* the called card lies in one of them */
} Past;

typedef struct {
    uint64_t hands[5]; /* now */
    double fits[5];    /* log of how well what each seat did fits what it was dealt */
} World;

int32_t past_make(Past *past, const RacerPolicy *policy, const RacerVariant *variant, const RacerView *view,
                  const RacerThought *thought);
/* thought->worlds equally likely worlds; worlds must have room for worlds * draws.  0 or RACER_NO_WORLD. */
int32_t worlds_draw(const Past *past, World *worlds, Random *random);
/* The card of this strength (-1: any) that a hand would best call, NO_CARD if it has all; *points: its promise. */
int best_call(const Past *past, uint64_t hand, int strength, double *points);

#endif
