/* Which card to try first: a linear model over one-hot features, learned by
   tools/train_ordering.py and handed in as a plain row of numbers.

   A feature group is a block of that row; a card switches on one number of each
   block.  The blocks' sizes are the whole agreement with the trainer, which
   sees samples as index lists: label (1 this card decides the node, 0 it does
   not), then one index a block. */
#ifndef RACER_ORDER_H
#define RACER_ORDER_H

#include "node.h"

enum {
    KINDS = 20,               /* rank, trump or not */
    STATES = 5,               /* see card_state */
    SK = STATES * KINDS,
    BY_PLACE = 0,
    BY_POT = BY_PLACE + SK * 5,
    BY_TRICKS = BY_POT + SK * 4,
    BY_ROLE = BY_TRICKS + SK * 5,
    BY_NEED = BY_ROLE + SK * 3,
    BY_MODE = BY_NEED + SK * 10,
    BY_RIVALS = BY_MODE + SK * 3,
    BY_LENGTH = BY_RIVALS + 3 * 3 * 2 * STATES * 2,
    BY_TO_COME = BY_LENGTH + 4 * 2 * STATES,
    BY_DECIDING = BY_TO_COME + 5 * 5 * 2 * 4,
    BY_RIVAL_OWN = BY_DECIDING + 2 * STATES * 4,
    BY_POT_WORTH = BY_RIVAL_OWN + 6 * 4 * STATES,
    WEIGHTS = BY_POT_WORTH + 4 * 4 * STATES * 5,
    BLOCKS = 12
};

/* What is the same for all cards of one node. */
typedef struct {
    int base[6];              /* first index of the blocks that are rows of SK */
    Cards enemies, allies;    /* cards of all other seats, by side */
    int enemies_to_come, allies_to_come;
    int pot_class;
} Ordering;

RACER_INLINE int pot_class(int pot) { return pot == 0 ? 0 : pot < 5 ? 1 : pot < 11 ? 2 : 3; }

RACER_INLINE int need_class(int target, int left) {
    int eighths = left > 0 ? target * 8 / left : 0;
    return eighths < 1 ? 0 : eighths < 2 ? 1 : eighths < 4 ? 2 : eighths < 6 ? 3 : 4;
}

RACER_INLINE int at_most(int n, int most) { return n < most ? n : most; }

RACER_INLINE Ordering ordering_of(const Search *s, const Trick *t, const Node *node, Table table) {
    Ordering o = {.pot_class = pot_class(table.pot)};
    int tricks = at_most(t->tricks - 2, 4);
    int role = node->callers ? s->side_size > 1 : 2;
    int mode = s->level == 0 ? 0 : node->lazy ? 2 : 1;
    o.base[0] = BY_PLACE + SK * node->place;
    o.base[1] = BY_POT + SK * o.pot_class;
    o.base[2] = BY_TRICKS + SK * (tricks < 0 ? 0 : tricks);
    o.base[3] = BY_ROLE + SK * role;
    o.base[4] = BY_NEED + SK * (need_class(t->target, t->left) * 2 + node->callers);
    o.base[5] = BY_MODE + SK * mode;
    for (int seat = 0; seat < SEATS; seat++) {
        if (seat != node->seat) *(s->callers[seat] == node->callers ? &o.allies : &o.enemies) |= s->hand[seat];
    }
    for (int place = node->place + 1; place < SEATS; place++) {
        *(s->callers[seat_at(t, place)] == node->callers ? &o.allies_to_come : &o.enemies_to_come) += 1;
    }
    return o;
}

/* 0 a lead that may be beaten, 1 surely ours, 2 ours but beatable, 3 theirs but ours to win back, 4 lost. */
RACER_INLINE int card_state(const Trick *t, const Node *node, int card, bool takes) {
    if (node->place == 0) return !(node->enemies_after & t->beats[card]);
    Cards over = takes ? t->beats[card] : node->beat;
    if (takes || node->ours) return node->enemies_after & over ? 2 : 1;
    return node->allies_after & over ? 3 : 4;
}

/* Where a taking card stands among the hand's taking cards of its suit: 1 alone .. 4 in the middle, 0 takes nothing. */
RACER_INLINE int rank_among_takers(const Node *node, int card, bool takes) {
    if (!takes || node->place == 0) return 0;
    Cards takers = node->hand & node->beat & LANE(lane_of(card));
    return 1 + ((takers & (BIT(card) - 1)) != 0) + 2 * ((takers & above(card)) != 0);
}

RACER_INLINE void features(const Trick *t, const Node *node, Table table, const Ordering *o,
                           Move move, int *index) {
    int card = move.card, worth = move.worth;
    bool named = card < FIRST_POOLED, trump = named && card < 16;
    bool takes = node->place == 0 || (named && node->beat >> card & 1);
    int rank = named ? card & 15 : card == FIRST_POOLED ? 0 : at_most(3 + worth, 9);
    int state = card_state(t, node, card, takes), sk = state * KINDS + trump * 10 + rank;
    for (int i = 0; i < 6; i++) index[i] = o->base[i] + sk;
    Cards higher = named ? LANE(lane_of(card)) & above(card) : 0;
    int rivals = named ? at_most(count(o->enemies & higher), 2) : 2, friends = at_most(count(o->allies & higher), 2);
    int length = named ? at_most(count(node->hand & LANE(lane_of(card))) - 1, 3) : 0;
    int class = worth == 0 ? (trump ? 3 : 0) : worth < 5 ? 1 : 2;
    int pot = table.pot + worth;
    bool decides = node->callers ? pot >= t->target : t->left - pot < t->target;
    index[6] = BY_RIVALS + (((rivals * 3 + friends) * 2 + trump) * STATES + state) * 2 + (node->place == 0);
    index[7] = BY_LENGTH + (length * 2 + trump) * STATES + state;
    index[8] = BY_TO_COME + ((o->enemies_to_come * 5 + o->allies_to_come) * 2 + takes) * 4 + class;
    index[9] = BY_DECIDING + (decides * STATES + state) * 4 + class;
    index[10] = BY_RIVAL_OWN + (rank_among_takers(node, card, takes) * 4 + class) * STATES + state;
    index[11] = BY_POT_WORTH + ((o->pot_class * 4 + class) * STATES + state) * 5 + node->place;
}

RACER_INLINE void score_moves(const Search *s, const Trick *t, const Node *node, Table table, Move *moves, int number) {
    Ordering o = ordering_of(s, t, node, table);
    for (int i = 0; i < number; i++) {
        int index[BLOCKS], sum = 0;
        features(t, node, table, &o, moves[i], index);
        for (int block = 0; block < BLOCKS; block++) sum += s->weights[index[block]];
        moves[i].score = moves[i].card == table.hint ? sum + (1 << 20) : sum;
    }
}

/* --- samples for the trainer ----------------------------------------------------------------------- */

static inline bool sampler_has_room(const Sampler *sampler, int cards) {
    return sampler->used + cards * (BLOCKS + 1) + 3 <= sampler->room;
}

static inline bool sampler_picks(Sampler *sampler) {
    sampler->dice = mixed(sampler->dice + 0x9e3779b97f4a7c15ull);
    return sampler->dice % (uint64_t)sampler->one_in == 0 && sampler_has_room(sampler, HAND);
}

/* One node that some card decides: tricks left, place, number of cards tried, then a row for each of them. */
static inline void sample_node(Search *s, const Trick *t, const Node *node, Table table, const Move *moves,
                               const int *values, int number) {
    int deciding = 0;
    for (int i = 0; i < number; i++) deciding += node->callers ? values[i] >= t->target : values[i] < t->target;
    if (deciding == 0 || deciding == number) return;
    if (!sampler_has_room(s->sampler, number)) return; /* the nodes below came first */
    Ordering o = ordering_of(s, t, node, table);
    int32_t *out = s->sampler->out + s->sampler->used;
    *out++ = t->tricks;
    *out++ = node->place;
    *out++ = number;
    for (int i = 0; i < number; i++) {
        int index[BLOCKS];
        features(t, node, table, &o, moves[i], index);
        *out++ = node->callers ? values[i] >= t->target : values[i] < t->target;
        for (int block = 0; block < BLOCKS; block++) *out++ = index[block];
    }
    s->sampler->used = (int32_t)(out - s->sampler->out);
}

#endif
