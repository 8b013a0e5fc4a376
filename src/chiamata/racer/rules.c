#include "rules.h"

#include <string.h>

/* Ranks with points, cheapest first; false if two cards of a rank differ. */
static bool read_ranks(Rules *rules, const RacerVariant *variant) {
    int points[10];
    for (int rank = 0; rank < 10; rank++) points[rank] = -1;
    for (int card = 0; card < 40; card++) {
        int rank = variant->strength[card], worth = variant->points[card];
        if (rank < 0 || rank > 9 || worth < 0 || worth > 31) return false;
        if (points[rank] >= 0 && points[rank] != worth) return false;
        points[rank] = worth;
    }
    rules->worthless = 0;
    rules->honours = 0;
    for (int worth = 0; worth <= 31; worth++) {
        for (int rank = 0; rank < 10; rank++) {
            if (points[rank] != worth) continue;
            if (worth == 0) {
                rules->worthless |= LANE_FEET << rank;
            } else {
                rules->honour[rules->honours] = LANE_FEET << rank;
                rules->value[rules->honours++] = worth;
            }
        }
    }
    rules->countable = rules->honours <= HONOURS;
    rules->rising = true;
    for (int rank = 1; rank < 10; rank++) if (points[rank] < points[rank - 1]) rules->rising = false;
    return true;
}

/* Figures are the honours worth at most half of the dearest, carichi the rest. */
static void make_pools(Rules *rules) {
    memset(rules->pool, 0, sizeof rules->pool);
    rules->pool[0] = rules->worthless & SIDE_LANES;
    for (int i = 0; i < rules->honours; i++) {
        bool figure = rules->value[i] * 2 <= rules->value[rules->honours - 1];
        rules->pool[figure ? 1 : 2] |= rules->honour[i] & SIDE_LANES;
    }
}

static void make_sums(Rules *rules) {
    for (int code = 0; code < CODES; code++) {
        int list[4 * HONOURS], length = 0, rest = code;
        for (int i = 0; i < HONOURS; i++, rest /= 5) {
            for (int j = 0; j < rest % 5 && i < rules->honours; j++) list[length++] = rules->value[i];
        }
        int cheap = 0, dear = 0;
        for (int k = 0; k <= HAND; k++) {
            rules->cheap[code][k] = (uint8_t)cheap;
            rules->dear[code][k] = (uint8_t)dear;
            if (k < length) {
                cheap += list[k];
                dear += list[length - 1 - k];
            }
        }
    }
}

/* Trump goes to lane 0 and the suit that was 0 takes its place. */
static int lane_of_suit(int suit, int trump) { return suit == trump ? 0 : suit == 0 ? trump : suit; }

/* The sums are dear to make and hang on the points alone. */
static void renew_sums(Rules *rules) {
    uint64_t mark = 1;
    for (int i = 0; i < rules->honours; i++) mark = mark * 32 + (uint64_t)rules->value[i];
    if (rules->countable && mark != rules->sums_of) make_sums(rules);
    if (rules->countable) rules->sums_of = mark;
}

bool rules_make(Rules *rules, const RacerVariant *variant) {
    rules->made = false;
    if (variant->trump < 0 || variant->trump > 3 || variant->follow_last < 0 || variant->follow_last > 8) return false;
    if (variant->called < -1 || variant->called > 39 || variant->per_trick < 0 || variant->per_trick > 8) return false;
    rules->variant = *variant;
    if (!read_ranks(rules, variant)) return false;
    Cards seen = 0;
    int total = 8 * variant->per_trick;
    for (int card = 0; card < 40; card++) {
        int bit = lane_of_suit(card / 10, variant->trump) * 16 + variant->strength[card];
        rules->bit_of[card] = (uint8_t)bit;
        rules->card_of[bit] = (uint8_t)card;
        rules->points[bit] = (uint8_t)variant->points[card];
        rules->beats[1][bit] = LANE(bit >> 4) & above(bit);
        rules->beats[0][bit] = rules->beats[1][bit] | (bit < 16 ? 0 : TRUMPS);
        seen |= BIT(bit);
        total += variant->points[card];
    }
    if (seen != EVERY_LANE || total > MOST_POINTS) return false;
    make_pools(rules);
    renew_sums(rules);
    rules->made = true;
    return true;
}

Cards rules_cards(const Rules *rules, uint64_t mask) {
    Cards cards = 0;
    for (; mask; mask &= mask - 1) cards |= BIT(rules->bit_of[__builtin_ctzll(mask)]);
    return cards;
}
