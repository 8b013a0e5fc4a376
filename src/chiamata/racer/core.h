/* The racer's border: what Python hands in and gets back.

   Cards come as 0..39 = suit * 10 + rank and sets of cards as 40-bit masks.
   Nothing here is global: every job works on its arguments and, where it
   searches, on a context that one thread owns.  Every function returns 0 or a
   negative RACER_* code, so a wrong position is an answer, not a crash. */
#ifndef RACER_CORE_H
#define RACER_CORE_H

#include <stdint.h>

#if defined(_WIN32)
#define RACER_API __declspec(dllexport)
#else
#define RACER_API __attribute__((visibility("default")))
#endif

enum { RACER_BAD_VARIANT = -1, RACER_BAD_POSITION = -2, RACER_NO_MEMORY = -3, RACER_STOPPED = -4 };
enum { RACER_BINS = 256 }; /* points of one deal, all cards together: 0..255 */

/* One rule variant, as plain numbers. */
typedef struct {
    int32_t points[40];   /* of each card; equal for the four cards of a rank */
    int32_t strength[40]; /* inside its suit, 0 weakest .. 9 strongest */
    int32_t trump;        /* suit 0..3 */
    int32_t follow_last;  /* the last so many tricks must follow suit: 0 never .. 8 always */
    int32_t first_plain;  /* 1: trick 1 is played without trumps */
    int32_t trump_change; /* 1: who plays the called card names the trump of the tricks after it */
    int32_t called;       /* the called card, -1 if it does not matter */
    int32_t per_trick;    /* points for taking a trick at all (1 and no card points: tricks are counted) */
} RacerVariant;

/* Open cards, anywhere in a deal, a trick begun or not. */
typedef struct {
    uint64_t hands[5];
    int32_t side;     /* bit mask of the seats of the caller's side */
    int32_t leader;   /* who led, or will lead, this trick */
    int32_t on_table; /* cards already played to it, 0..4 */
    int32_t table[4]; /* those cards in the order of play */
    int32_t taken;    /* points the caller's side has already */
} RacerPosition;

/* When to stop; 0 means without limit. */
typedef struct {
    uint64_t nodes;
    double seconds;
} RacerLimits;

/* The caller's side gets at least low and at most high points in all. */
typedef struct {
    int32_t low, high;
    int32_t card;   /* racer_cards: the card played; else -1 */
    int32_t spare;
    uint64_t nodes; /* cards played in the search */
} RacerAnswer;

typedef struct Racer Racer;

RACER_API Racer *racer_new(const int16_t *weights, int32_t count, int32_t table_bits);
RACER_API void racer_free(Racer *racer);
RACER_API int32_t racer_weights(void);

RACER_API int32_t racer_solve(Racer *racer, const RacerVariant *variant, const RacerPosition *position,
                              const RacerLimits *limits, RacerAnswer *answer);
RACER_API int32_t racer_test(Racer *racer, const RacerVariant *variant, const RacerPosition *position,
                             int32_t target, const RacerLimits *limits, RacerAnswer *answer);
/* At most 8 answers, one a card in hand; target 0 asks for values. Returns how many. */
RACER_API int32_t racer_cards(Racer *racer, const RacerVariant *variant, const RacerPosition *position,
                              int32_t target, const RacerLimits *limits, RacerAnswer *answers);
/* Move ordering samples of one solve (target 0) or test, for training: see order.h. Returns how many numbers. */
typedef struct {
    int32_t target, one_in; /* one node in so many, drawn */
    int32_t room;           /* how many numbers out can take */
    int32_t *out;
} RacerSamples;
RACER_API int32_t racer_samples(Racer *racer, const RacerVariant *variant, const RacerPosition *position,
                                const RacerLimits *limits, const RacerSamples *wanted);

/* The reference: plain minimax, and every order of play counted. */
RACER_API int32_t racer_plain(const RacerVariant *variant, const RacerPosition *position, int32_t *value);
RACER_API int32_t racer_census(const RacerVariant *variant, const RacerPosition *position, int64_t *bins);

/* How often the caller's side got how many points in count random games: five empty hands deal
   all forty cards anew each time, else the position is played out.  form 0: one shuffle fixes the
   whole play (only where any card may be played any time); form 1: a random legal card at each turn. */
RACER_API int32_t racer_playouts(const RacerVariant *variant, const RacerPosition *position, int64_t count,
                                 uint64_t seed, int32_t form, int64_t *bins);

#endif
