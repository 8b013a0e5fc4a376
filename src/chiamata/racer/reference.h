/* Play by the letter of the rules, one card at a time: slow, plain, and the measure of the rest. */
#ifndef RACER_REFERENCE_H
#define RACER_REFERENCE_H

#include <stdbool.h>

#include "core.h"

/* A deal in progress. */
typedef struct {
    const RacerVariant *variant;
    uint64_t hands[5];
    int32_t table[5];
    int32_t on_table, leader, side, taken, trump;
    int32_t called;  /* while a change of trump is still to come: the called card, else -1 */
    int32_t naming;  /* the seat that has to name the trump now, -1 none */
} Game;

int32_t game_start(Game *game, const RacerVariant *variant, const RacerPosition *position);
/* Seat s gets cards s, 5 + s, 10 + s ... of the pack. */
void game_deal(RacerPosition *position, const uint8_t *pack);
uint64_t game_legal(const Game *game);
void game_play(Game *game, int card);
void game_name(Game *game, int suit);

static inline int game_turn(const Game *game) { return (game->leader + game->on_table) % 5; }
static inline bool game_naming(const Game *game) { return game->naming >= 0; }
static inline bool game_running(const Game *game) { return game->hands[game_turn(game)] != 0; }

#endif
