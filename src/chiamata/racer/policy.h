/* How a player of flesh and blood might choose a card: a softmax over a sum of small tables.

   It looks at the player's own cards and at what everybody has seen, the public odds of who the
   partner is included, and at nothing else.  So a game played out by this policy is one in which
   nobody uses what he cannot know.  Weights are whole numbers, 64 to a nat: the same on every machine. */
#ifndef RACER_POLICY_H
#define RACER_POLICY_H

#include <stdbool.h>
#include <stdint.h>

#include "mind.h"
#include "random.h"

enum { UNIT = 64, EXPS = 1024, PEOPLE = 5, CERTAIN = 256 };
enum { CALLER, CALLER_KNOWN, CALLER_ALONE, PARTNER, PARTNER_SHOWN, DEFENDER, DEFENDER_KNOWN, ROLES };

/* The tables, and how many numbers each has: see fill_features. */
enum {
    RANK_AT = 0,
    TRICK_AT = RANK_AT + ROLES * 3 * 4 * 20,
    BEATEN_AT = TRICK_AT + ROLES * 6 * 6 * 12,
    COMING_AT = BEATEN_AT + ROLES * 4 * 6 * 10,
    TRUMPS_AT = COMING_AT + ROLES * 6 * 4 * 3 * 12,
    CALLED_AT = TRUMPS_AT + ROLES * 8 * 4 * 8,
    PLACE_AT = CALLED_AT + ROLES * 8 * 6 + 1,
    NEED_AT = PLACE_AT + ROLES * 5 * 2 * 12,
    LEAD_AT = NEED_AT + ROLES * 6 * 4 * 12,
    WHO_AT = LEAD_AT + ROLES * 4 * 4 * 4 * 6 + 1,
    HIDE_AT = WHO_AT + ROLES * 4 * 2 * 5 * 12,
    FEATURE_WEIGHTS = HIDE_AT + 4 * 2 * 3 * 12 + 1
};
enum { GROUPS = 11, ROWS = 6, WHATS = 12, KINDS = 48, STAGES = 3, POLICY_NUMBERS = FEATURE_WEIGHTS + KINDS * STAGES };

/* Beside the tables a policy may have hidden units, which see what goes together: each input is a row of HIDDEN
   numbers, a unit is the sum of its column, nothing if that is negative, and counts by its own weight.  SHARED inputs
   are the same for all cards of a turn, OWN ones are of the card: see fill_inputs. */
enum { HIDDEN = 32, SHARED = 26, OWN = 8, INPUTS = SHARED + OWN };
enum { MOST_DEEP = 500 }; /* of a number there: INPUTS of them stay inside 16 bits */
enum {
    IN_PLACE = 0,
    IN_WHO = IN_PLACE + ROLES * 5,
    IN_POT = IN_WHO + ROLES * 8,
    IN_LEFT = IN_POT + ROLES * 6,
    IN_NEED = IN_LEFT + ROLES * 8,
    IN_BEST = IN_NEED + ROLES * 6,
    IN_TRUMPS = IN_BEST + 21,
    IN_DEAR = IN_TRUMPS + 11,
    IN_CALLED = IN_DEAR + 9,
    IN_CALLERS = IN_CALLED + 21,
    IN_MINE = IN_CALLERS + ROLES * 13,
    IN_OUT = IN_MINE + ROLES * 13,
    IN_HOLDER = IN_OUT + 13,
    IN_SEAT = IN_HOLDER + ROLES * 5,
    IN_TABLE = IN_SEAT + 25,
    IN_HAND = IN_TABLE + 4 * 41,
    IN_CARD = IN_HAND + 31,
    IN_TRICK = IN_CARD + ROLES * 3 * 20,
    IN_AT = IN_TRICK + ROLES * 6 * WHATS,
    IN_BEATEN = IN_AT + 5 * WHATS,
    IN_SUIT = IN_BEATEN + ROLES * 10,
    IN_LED = IN_SUIT + 32,
    IN_SHOWS = IN_LED + 18,
    IN_RICH = IN_SHOWS + ROLES * 2,
    INPUT_ROWS = IN_RICH + 6 * WHATS,
    HIDDEN_NUMBERS = (INPUT_ROWS + 1) * HIDDEN
};

/* A number for each hidden unit; as one vector, since loops over them are not seen to be free of aliases. */
typedef int16_t Units __attribute__((vector_size(2 * HIDDEN), aligned(2)));

struct RacerPolicy {
    int16_t weight[FEATURE_WEIGHTS];
    int32_t evidence[STAGES][KINDS];
    bool deep; /* whether it has hidden units */
    Units row[INPUT_ROWS];
    int16_t counts[HIDDEN];
    uint32_t exps[EXPS]; /* 2^20 exp(-i / UNIT) */
};

/* A variant made ready for quick play. */
typedef struct {
    uint64_t above[40]; /* the stronger cards of the suit */
    uint64_t dear;      /* the carichi */
    uint8_t twelfths[256]; /* of all points, rounded down, for so many */
    uint8_t points[40], strength[40], value[40]; /* value 0 liscio, 1 figure, 2 carico */
    int32_t total, follow_last, trump_change, first_plain;
} Pack;

/* What everybody knows of a deal in play. */
typedef struct {
    const RacerPolicy *policy;
    const Pack *pack;
    uint64_t seen; /* all cards played */
    int32_t suspicion[5], points[5], taken[5];
    int32_t table[5];
    int32_t caller, called, partner, target; /* partner: -1 while hidden */
    int32_t leader, on_table, best, holder, pot, trick, trump;
    int32_t naming; /* the seat that names the trump now, else -1 */
} Scene;

/* One seat's turn. */
typedef struct {
    const Scene *scene;
    uint64_t hand, unseen;
    int32_t seat, role, stage, left, held, pot, enemies, friends, caller_to_come, need, trumps, who, exposed, trump;
} Turn;

void pack_make(Pack *pack, const RacerVariant *variant);
void scene_play(Scene *scene, int seat, int card);
void scene_name(Scene *scene, int suit);
int name_trump(const Scene *scene, uint64_t hand);
uint64_t scene_legal(const Scene *scene, uint64_t hand);
Turn turn_of(const Scene *scene, int seat, uint64_t hand);
void fill_features(const Turn *turn, int card, int32_t *at);
/* The INPUTS of a card. */
void fill_inputs(const Turn *turn, int card, int32_t *in);
/* Scores of the legal cards, lowest card first; returns how many. */
int policy_scores(const Scene *scene, int seat, uint64_t hand, uint8_t *cards, int32_t *scores);
/* A card drawn from the policy. */
int policy_card(const Scene *scene, int seat, uint64_t hand, Random *random);
/* Odds, in 256ths, that each seat is the partner as `viewer` (no partner himself; -1: anybody) must think. */
void partner_odds(const Scene *scene, int viewer, int32_t *odds);
int play_kind(const Scene *scene, int seat, int card);
/* Everybody plays by the policy until so many tricks are done. */
void play_out(Scene *scene, uint64_t *hands, int tricks, Random *random);

static inline int scene_turn(const Scene *scene) { return (scene->leader + scene->on_table) % 5; }
static inline bool card_beats(const Pack *pack, int card, int best, int trump) {
    return card / 10 == best / 10 ? pack->strength[card] > pack->strength[best] : card / 10 == trump;
}
static inline int weight_of(const RacerPolicy *policy, int32_t below) {
    return (int)policy->exps[below < EXPS ? below : EXPS - 1];
}

#endif
