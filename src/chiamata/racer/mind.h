/* The racer's border for players who see one hand: worlds that fit it, what they make of the past, what to play.

   Cards and sets as in core.h.  Every job works on its arguments alone; a policy is never changed once made,
   so all threads may share one. */
#ifndef RACER_MIND_H
#define RACER_MIND_H

#include "core.h"

enum { ESTIMATES = 28, PAYOFFS = RACER_BINS + 2, NO_CARD = -1, RACER_NO_WORLD = -5 };

typedef struct RacerPolicy RacerPolicy;

RACER_API RacerPolicy *racer_policy_new(const int16_t *numbers, int32_t count);
RACER_API void racer_policy_free(RacerPolicy *policy);
RACER_API int32_t racer_policy_numbers(void);
/* As many more numbers, or none: hidden units (policy.h). */
RACER_API int32_t racer_hidden_numbers(void);

/* What the auction told of one seat, in the points that it must have expected of its best contract. */
typedef struct {
    double low, high;          /* it bid where that takes `low`, and passed where going on takes `high` */
    int32_t low_call, high_call; /* strength of the card called there; -1: any, -2: it did not bid, or not pass */
    int32_t strong, spare;     /* the suit strength that its bid asks of a hand (bid_requirements), 0 none */
} RacerClue;

/* A deal in play as one seat sees it. */
typedef struct {
    uint64_t dealt;            /* the seat's own eight cards */
    uint64_t must[5], may[5];  /* cards that each other seat was surely, was possibly dealt */
    RacerClue clues[5];
    double solo;               /* weight of a world in which the caller holds the called card, another has 1 */
    double width;              /* of a clue, in points */
    double estimate[ESTIMATES]; /* weights of a caller's hand (bots.hand) */
    int32_t seat, caller, called, target;
    int32_t leader;            /* of the first trick */
    int32_t trump;             /* of the tricks before the called card fell */
    int32_t named;             /* the trump named after it fell, -1 none (yet) */
    int32_t spare;
    int32_t blind;             /* so many first cards were played before the call: they tell nothing */
    int32_t plays;
    int32_t cards[40];         /* all cards played, in order */
} RacerView;

/* How to think. */
typedef struct {
    uint64_t seed;
    int32_t worlds, draws;     /* worlds kept, and drawn for each kept one */
    int32_t swaps;             /* pairs of cards that each world tries to exchange */
    int32_t playouts;          /* in all, over all moves */
    int32_t open;              /* 1: all cards lie open in the playouts and a greedy rule plays them (greedy.c) */
    int32_t exact;             /* so many last tricks of a playout are played with open cards, exactly (endgame.c) */
    double temper, floor;      /* of the likelihood of cards played */
    double sure;               /* a move so many standard errors behind is given up; 0: all get as many playouts */
} RacerThought;

typedef struct {
    int32_t move, playouts;    /* a card, or the suit to name */
    double mean, error;        /* of its payoff; the error is that of the difference to the best move */
} RacerMove;

typedef struct {
    RacerMove moves[8];
    int32_t count, spare;
    double partner[5];         /* how likely each seat holds (or held) the called card */
    double told[40];           /* for each card played: how much oftener a partner than a defender plays so (log) */
    float where[40][5];        /* how likely each unseen card lies with each seat */
} RacerThinking;

/* `habits` is a policy that tells how people are seen to play: what they did is judged by it; the playouts follow
   `policy`.  payoff[solo][points], then with all tricks, then with none: for the seat's own role. */
typedef struct {
    const RacerPolicy *policy, *habits;
    const double (*payoff)[PAYOFFS];
} RacerMinds;
RACER_API int32_t racer_think(const RacerMinds *minds, const RacerVariant *variant, const RacerView *view,
                              const RacerThought *thought, RacerThinking *thinking);

/* Worlds alone: hands as they are now, five masks a world.  Returns how many. */
RACER_API int32_t racer_worlds(const RacerPolicy *policy, const RacerVariant *variant, const RacerView *view,
                               const RacerThought *thought, uint64_t *hands);

/* Whole deals from the call on.  With view->called < 0 the caller names, of all cards of strength `call` it lacks
   (-1: any strength), the one that its hand promises most with.  bins[role of the seat: 0 caller, 1 partner,
   2 defender][solo][points, all tricks, no trick]. */
RACER_API int32_t racer_contract(const RacerPolicy *policy, const RacerVariant *variant, const RacerView *view,
                                 const RacerThought *thought, int32_t call, int32_t bins[3][2][PAYOFFS]);

/* For training: the features of each legal card of the seat, GROUPS numbers a card after the card's own, then the
   inputs of the hidden units, INPUTS numbers.  Returns how many cards. */
RACER_API int32_t racer_features(const RacerPolicy *policy, const RacerVariant *variant, const RacerView *view,
                                 int32_t *out);
/* Kind and stage of each card played, -1 where it tells nothing. */
RACER_API int32_t racer_kinds(const RacerPolicy *policy, const RacerVariant *variant, const RacerView *view,
                              int32_t *out);

/* Samples: numbers of cards, then for each card a target (a share of one) and its features. */
typedef struct {
    const int32_t *cards;      /* cards of each sample */
    const int32_t *features;   /* `groups` of each card, then `inputs` of the hidden units */
    const float *targets;      /* of each card */
    int64_t samples;
    int32_t groups, weights;   /* features, and weights of features */
    int32_t inputs, rows;      /* rows: of the hidden units, 0 where there are none */
    float rate, decay;
} RacerSet;
/* One pass of softmax regression; weights (those of features, then rows of the hidden units, then what these count)
   and slopes (sums of squares) are changed.  Returns the mean loss. */
RACER_API double racer_fit(const RacerSet *set, float *weights, float *slopes);

#endif
