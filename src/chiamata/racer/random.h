/* The racer's dice: a small generator that mirror.py repeats bit by bit. */
#ifndef RACER_RANDOM_H
#define RACER_RANDOM_H

#include <stdint.h>

__extension__ typedef unsigned __int128 Wide;

typedef struct {
    uint64_t state;
} Random;

static inline Random random_from(uint64_t seed) { return (Random){seed}; }

/* SplitMix64 (Steele, Lea, Flood 2014). */
static inline uint64_t random_next(Random *random) {
    uint64_t x = random->state += 0x9e3779b97f4a7c15ull;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 27) * 0x94d049bb133111ebull;
    return x ^ x >> 31;
}

/* 0 .. below - 1; the bias is under 2^-32. */
static inline uint32_t random_below(Random *random, uint32_t below) {
    return (uint32_t)((random_next(random) >> 32) * below >> 32);
}

/* Fisher and Yates on forty cards.  One 64-bit word feeds six draws: the low half of a product is
   the rest of the word; six bounds multiply to less than 2^32, so the bias is under 2^-32. */
static inline void random_shuffle(Random *random, uint8_t *pack) {
    for (int last = 39; last > 0;) {
        uint64_t word = random_next(random);
        for (int draw = 0; draw < 6 && last > 0; draw++, last--) {
            Wide product = (Wide)word * (uint32_t)(last + 1);
            int at = (int)(uint64_t)(product >> 64);
            uint8_t card = pack[at];
            word = (uint64_t)product;
            pack[at] = pack[last];
            pack[last] = card;
        }
    }
}

#endif
