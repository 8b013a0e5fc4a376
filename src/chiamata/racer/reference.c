#include "reference.h"

#include <stdlib.h>
#include <string.h>

static int cards_in(uint64_t hand) { return __builtin_popcountll(hand); }

/* Five disjoint hands, as many cards each as the trick asks for. */
static bool sound(const RacerPosition *position) {
    uint64_t seen = 0;
    if (position->leader < 0 || position->leader > 4 || position->on_table < 0 || position->on_table > 4) return false;
    if (position->side <= 0 || position->side > 31 || position->taken < 0 || position->taken > 240) return false;
    int turn = (position->leader + position->on_table) % 5, full = cards_in(position->hands[turn]);
    if (full < 1 || full > 8) return false;
    for (int i = 0; i < 5; i++) {
        int seat = (position->leader + i) % 5;
        if (position->hands[seat] >> 40 || position->hands[seat] & seen) return false;
        if (cards_in(position->hands[seat]) != full - (i < position->on_table)) return false;
        seen |= position->hands[seat];
    }
    for (int i = 0; i < position->on_table; i++) {
        int card = position->table[i];
        if (card < 0 || card > 39 || seen >> card & 1) return false;
        seen |= (uint64_t)1 << card;
    }
    return true;
}

int32_t game_start(Game *game, const RacerVariant *variant, const RacerPosition *position) {
    if (!sound(position)) return RACER_BAD_POSITION;
    if (variant->trump < 0 || variant->trump > 3 || variant->called > 39) return RACER_BAD_VARIANT;
    game->variant = variant;
    game->leader = position->leader;
    game->on_table = position->on_table;
    game->side = position->side;
    game->taken = position->taken;
    game->trump = variant->trump;
    game->naming = -1;
    uint64_t coming = 0;
    for (int seat = 0; seat < 5; seat++) coming |= game->hands[seat] = position->hands[seat];
    for (int i = 0; i < position->on_table; i++) {
        game->table[i] = position->table[i];
        coming |= (uint64_t)1 << position->table[i];
    }
    bool pending = variant->trump_change && variant->called >= 0 && coming >> variant->called & 1;
    game->called = pending ? variant->called : -1;
    return 0;
}

void game_deal(RacerPosition *position, const uint8_t *pack) {
    memset(position->hands, 0, sizeof position->hands);
    for (int i = 0; i < 40; i++) position->hands[i % 5] |= (uint64_t)1 << pack[i];
    position->on_table = 0;
}

uint64_t game_legal(const Game *game) {
    uint64_t hand = game->hands[game_turn(game)];
    if (game->on_table == 0 || cards_in(hand) > game->variant->follow_last) return hand;
    uint64_t suit = hand & (uint64_t)0x3ff << 10 * (game->table[0] / 10);
    return suit ? suit : hand;
}

/* Does a later card take the table from the one that holds it? */
static bool takes(const Game *game, int later, int holder, bool trumps) {
    if (later / 10 == holder / 10) return game->variant->strength[later] > game->variant->strength[holder];
    return trumps && later / 10 == game->trump;
}

static void end_trick(Game *game, bool first) {
    bool trumps = !(first && game->variant->first_plain);
    int best = 0, points = game->variant->per_trick, opener = game->leader;
    for (int i = 0; i < 5; i++) {
        if (takes(game, game->table[i], game->table[best], trumps)) best = i;
        points += game->variant->points[game->table[i]];
    }
    game->leader = (opener + best) % 5;
    game->on_table = 0;
    if (game->side >> game->leader & 1) game->taken += points;
    for (int i = 0; i < 5 && game->called >= 0; i++) {
        if (game->table[i] != game->called) continue;
        game->called = -1;
        if (game->hands[0]) game->naming = (opener + i) % 5;
    }
}

void game_play(Game *game, int card) {
    int seat = game_turn(game);
    bool first = cards_in(game->hands[seat]) == 8;
    game->hands[seat] ^= (uint64_t)1 << card;
    game->table[game->on_table++] = card;
    if (game->on_table == 5) end_trick(game, first);
}

void game_name(Game *game, int suit) {
    game->trump = suit;
    game->naming = -1;
}

/* --- minimax without any cut, values remembered between tricks ------------------------------------ */

enum { MEMO_BITS = 20 };

typedef struct {
    uint64_t hands; /* 0: empty */
    int32_t state, value;
} Memo;

static int32_t best_of(const Game *game, Memo *memo);

static int32_t minimax(const Game *game, Memo *memo) {
    bool naming = game_naming(game), caller = game->side >> (naming ? game->naming : game_turn(game)) & 1;
    int32_t best = caller ? -1 : 1 << 20;
    uint64_t moves = naming ? 15 : game_legal(game);
    for (; moves; moves &= moves - 1) {
        Game after = *game;
        if (naming) game_name(&after, __builtin_ctzll(moves));
        else game_play(&after, __builtin_ctzll(moves));
        int32_t value = best_of(&after, memo);
        if (caller ? value > best : value < best) best = value;
    }
    return best;
}

static int32_t best_of(const Game *game, Memo *memo) {
    if (!game_running(game)) return game->taken;
    if (game->on_table || game_naming(game)) return minimax(game, memo);
    uint64_t all = game->hands[0] | game->hands[1] | game->hands[2] | game->hands[3] | game->hands[4];
    int32_t state = game->leader + 5 * game->trump + 32 * (game->called >= 0) + 1;
    uint64_t at = (all ^ (uint64_t)state << 40) * 0x9e3779b97f4a7c15ull >> (64 - MEMO_BITS);
    while (memo[at].hands && !(memo[at].hands == all && memo[at].state == state)) {
        at = (at + 1) & (((uint64_t)1 << MEMO_BITS) - 1);
    }
    if (!memo[at].hands) {
        Game zero = *game;
        zero.taken = 0;
        int32_t value = minimax(&zero, memo);
        uint64_t slot = at;
        while (memo[slot].hands) slot = (slot + 1) & (((uint64_t)1 << MEMO_BITS) - 1);
        memo[slot] = (Memo){all, state, value};
        return game->taken + value;
    }
    return game->taken + memo[at].value;
}

/* Four tricks at most: the memory is not made for more. */
int32_t racer_plain(const RacerVariant *variant, const RacerPosition *position, int32_t *value) {
    Game game;
    int32_t code = game_start(&game, variant, position);
    if (code) return code;
    if (cards_in(game.hands[game_turn(&game)]) > 4) return RACER_BAD_POSITION;
    Memo *memo = calloc((size_t)1 << MEMO_BITS, sizeof *memo);
    if (!memo) return RACER_NO_MEMORY;
    *value = best_of(&game, memo);
    free(memo);
    return 0;
}

static void every_order(const Game *game, int64_t *bins) {
    if (game->on_table == 0 && !game_naming(game) && cards_in(game->hands[game->leader]) <= 1) {
        Game forced = *game;
        while (game_running(&forced)) game_play(&forced, __builtin_ctzll(forced.hands[game_turn(&forced)]));
        bins[forced.taken]++;
        return;
    }
    bool naming = game_naming(game);
    for (uint64_t moves = naming ? 15 : game_legal(game); moves; moves &= moves - 1) {
        Game after = *game;
        if (naming) game_name(&after, __builtin_ctzll(moves));
        else game_play(&after, __builtin_ctzll(moves));
        every_order(&after, bins);
    }
}

int32_t racer_census(const RacerVariant *variant, const RacerPosition *position, int64_t *bins) {
    Game game;
    int32_t code = game_start(&game, variant, position);
    if (code) return code;
    if (cards_in(game.hands[game_turn(&game)]) > 4) return RACER_BAD_POSITION;
    memset(bins, 0, RACER_BINS * sizeof *bins);
    every_order(&game, bins);
    return 0;
}
