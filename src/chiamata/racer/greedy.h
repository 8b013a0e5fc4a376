/* A rule of thumb with all cards open: the playout of plain determinized players. */
#ifndef RACER_GREEDY_H
#define RACER_GREEDY_H

#include "policy.h"

/* Everybody knows who is on which side and plays the card it likes best, to the end. */
void play_greedily(Scene *scene, uint64_t *hands);

#endif
