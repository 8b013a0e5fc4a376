/* A rule variant in the racer's own layout, and sets of cards in that layout.

   A card is the bit lane * 16 + rank, rank 0 the weakest in its suit and 9 the
   strongest; lane 0 is the trump suit.  The six spare bits above each lane stop
   carries, so one addition works on all four suits at once. */
#ifndef RACER_RULES_H
#define RACER_RULES_H

#include <stdbool.h>
#include <stdint.h>

#include "core.h"

#define RACER_INLINE static inline __attribute__((always_inline))

typedef uint64_t Cards;

#define BIT(card) ((Cards)1 << (card))
#define LANE(lane) ((Cards)0x3ff << (16 * (lane)))
#define TRUMPS LANE(0)
#define EVERY_LANE 0x03ff03ff03ff03ffull
#define SIDE_LANES (EVERY_LANE & ~TRUMPS)
#define LANE_FEET 0x0001000100010001ull

enum { HONOURS = 5, RANKS = 10, CODES = 3125, HAND = 8, SEATS = 5, MOST_POINTS = 240 };

typedef struct {
    RacerVariant variant;      /* what this was made from */
    bool made;                 /* it was made, and the variant makes sense */
    uint8_t points[64];
    Cards beats[2][64];        /* the cards that beat a card winning the table; [1]: without trumps */
    Cards worthless;           /* cards of no points: they differ in rank only */
    Cards honour[RANKS];       /* the four cards of each rank that has points, cheapest rank first */
    int value[RANKS];
    int honours;
    Cards pool[3];             /* side-suit cards a relaxation may pool: lisci, figures, carichi */
    uint8_t cheap[CODES][HAND + 1]; /* least points of k cards among honours so coded */
    uint8_t dear[CODES][HAND + 1];  /* most points of k cards among them */
    uint64_t sums_of;          /* the points that cheap and dear were made from, as a key */
    uint8_t card_of[64];       /* back to 0..39 */
    uint8_t bit_of[40];
    bool countable;            /* at most five ranks have points: static bounds can be read off */
    bool rising;               /* a stronger card is never worth less */
} Rules;

/* false: the variant makes no sense. */
bool rules_make(Rules *rules, const RacerVariant *variant);
Cards rules_cards(const Rules *rules, uint64_t mask);

RACER_INLINE int count(Cards cards) { return __builtin_popcountll(cards); }
RACER_INLINE int lowest(Cards cards) { return __builtin_ctzll(cards); }
RACER_INLINE int highest(Cards cards) { return 63 - __builtin_clzll(cards); }
RACER_INLINE Cards above(int card) { return ~((BIT(card) << 1) - 1); }
RACER_INLINE int lane_of(int card) { return card >> 4; }
RACER_INLINE int next_seat(int seat) { return seat == 4 ? 0 : seat + 1; }

RACER_INLINE uint64_t mixed(uint64_t x) {
    x ^= x >> 30;
    x *= 0xbf58476d1ce4e5b9ull;
    x ^= x >> 27;
    x *= 0x94d049bb133111ebull;
    return x ^ x >> 31;
}

/* The lowest card of `cards` in each run that no blocker cuts: one carry ripples up every run. */
RACER_INLINE Cards lowest_of_runs(Cards cards, Cards blockers) {
    Cards empty = EVERY_LANE & ~blockers & ~cards;
    Cards feet = (blockers << 1 | LANE_FEET) & EVERY_LANE;
    return (empty + feet) & ~empty & cards;
}

/* Those of `cards` that have another of them above in the same run: a fill downwards. */
RACER_INLINE Cards covered_in_runs(Cards cards, Cards blockers) {
    Cards open = EVERY_LANE & ~blockers;
    Cards fill = open & cards >> 1;
    Cards pass = open;
    fill |= pass & fill >> 1;
    pass &= pass >> 1;
    fill |= pass & fill >> 2;
    pass &= pass >> 2;
    fill |= pass & fill >> 4;
    pass &= pass >> 4;
    fill |= pass & fill >> 8;
    return cards & fill;
}

RACER_INLINE int points_of(const Rules *rules, Cards cards) {
    int sum = 0;
    for (int i = 0; i < rules->honours; i++) sum += rules->value[i] * count(cards & rules->honour[i]);
    return sum;
}

/* How many cards of each honour rank: an index into cheap and dear. */
RACER_INLINE int honours_code(const Rules *rules, Cards cards) {
    int code = 0;
    for (int i = rules->honours - 1; i >= 0; i--) code = code * 5 + count(cards & rules->honour[i]);
    return code;
}

#endif
