/* One seat to play: what it may play, and which of its cards need not be tried.

   Everything here is inlined into search.c, once for each place in the trick. */
#ifndef RACER_NODE_H
#define RACER_NODE_H

#include "search.h"

typedef struct {
    int leader, tricks, target, left; /* as in Start */
    Cards after[2][SEATS];            /* cards of the seats still to come, [1] caller's side, by place */
    const Cards *beats;
    Cards follow;                     /* all cards of the led suit where it must be followed, else 0 */
} Trick;

typedef struct {
    int value, card; /* the card that gave the value */
} Found;

/* A seat to play. */
typedef struct {
    int seat, place;
    bool callers, lazy, ours; /* ours: this side holds the table */
    bool safe, lost;          /* the trick is this side's, or the other's, whatever comes */
    Cards hand, cards;        /* what it may hold; what it may play */
    Cards certain;            /* what it holds for sure */
    Cards beat, blockers;     /* cards that take the table; cards that separate own cards */
    Cards enemies_after, allies_after;
    int discards;             /* bit i: may throw away a card of pool i, unsaid which */
} Node;

typedef struct {
    int16_t card, worth;
    int score;
} Move;

/* --- lazy hands ------------------------------------------------------------------------------------ */

RACER_INLINE int pooled_count(const Search *s, int seat, int i) { return (int)(s->held[seat] >> 4 * i & 15); }

/* What a pooled discard counts: the most or the least its cards can be worth, as the generous side likes. */
RACER_INLINE int pooled_worth(const Search *s, int seat, int i) {
    if (i == 0) return 0;
    const Rules *r = &s->rules;
    Cards cards = s->hand[seat] & s->pool[i];
    if (s->generous == CALLERS) {
        for (int j = r->honours - 1; j > 0; j--) if (cards & r->honour[j]) return r->value[j];
        return r->value[0];
    }
    int j = 0;
    while (!(cards & r->honour[j])) j++;
    return r->value[j];
}

typedef struct {
    Cards hand;
    uint32_t held;
} Undo;

/* Take a card out of a hand. A lazy seat keeps a pooled card until none of its kind is left. */
RACER_INLINE Undo take_out(Search *s, const Node *node, int card) {
    Undo undo = {s->hand[node->seat], s->held[node->seat]};
    int i = card - FIRST_POOLED;
    if (!node->lazy || (i < 0 && !(s->pooled & BIT(card)))) {
        s->hand[node->seat] ^= BIT(card);
        s->all ^= BIT(card);
        return undo;
    }
    if (i < 0) i = s->pool[0] & BIT(card) ? 0 : s->pool[1] & BIT(card) ? 1 : 2;
    s->held[node->seat] -= 1u << 4 * i;
    if (pooled_count(s, node->seat, i) == 0) {
        Cards gone = s->hand[node->seat] & s->pool[i];
        s->hand[node->seat] ^= gone;
        s->all ^= gone;
    }
    return undo;
}

RACER_INLINE void put_back(Search *s, int seat, Undo undo) {
    s->all |= undo.hand;
    s->hand[seat] = undo.hand;
    s->held[seat] = undo.held;
}

/* --- the cards to try -------------------------------------------------------------------------------- */

RACER_INLINE int seat_at(const Trick *t, int place) {
    int seat = t->leader + place;
    return seat >= SEATS ? seat - SEATS : seat;
}

/* Cards to choose from: worthless neighbours stand for each other, pooled discards are one each. */
RACER_INLINE void choose_from(const Search *s, const Trick *t, Node *node) {
    Cards legal = node->hand;
    if (node->place && t->follow & legal) legal &= t->follow;
    Cards twins = legal & s->rules.worthless & ~s->called;
    node->cards = (legal & ~twins) | lowest_of_runs(twins, node->blockers);
    node->certain = node->hand;
    node->discards = 0;
    if (!node->lazy) return;
    for (int i = 0; i < (s->level == 2 ? 3 : 1); i++) {
        Cards mine = node->hand & s->pool[i];
        if (!mine) continue;
        if (s->level == 2 || pooled_count(s, node->seat, i) != count(mine)) node->certain &= ~mine;
        if (!node->place) continue;
        if (mine & ~node->beat) node->discards |= 1 << i;
        node->cards &= ~(mine & ~node->beat);
    }
}

/* One card of those suits that nobody else holds: all of them only carry their points. */
RACER_INLINE Cards one_of_lonely(const Search *s, const Node *node, Cards keep) {
    Cards lonely = 0, others = s->all & ~node->hand;
    for (int lane = 1; lane < 4; lane++) if (!(others & LANE(lane))) lonely |= keep & LANE(lane) & node->certain;
    if (!(lonely & (lonely - 1))) return keep;
    int pick = lowest(lonely);
    for (Cards rest = lonely & (lonely - 1); rest; rest &= rest - 1) {
        int card = lowest(rest), more = s->rules.points[card] - s->rules.points[pick];
        if (node->safe ? more > 0 : more < 0) pick = card;
    }
    return (keep & ~lonely) | BIT(pick);
}

/* Cards with a better neighbour in their run: dearer where `dear`, else cheaper. */
RACER_INLINE Cards outdone(const Search *s, Cards cards, Cards blockers, bool dear) {
    if (s->rules.rising) return dear ? covered_in_runs(cards, blockers) : cards & ~lowest_of_runs(cards, blockers);
    Cards worse = 0;
    for (Cards rest = cards; rest; rest &= rest - 1) {
        int card = lowest(rest);
        for (Cards others = cards & LANE(lane_of(card)) & ~BIT(card); others; others &= others - 1) {
            int other = lowest(others), low = other < card ? other : card, high = other < card ? card : other;
            if (blockers & above(low) & (BIT(high) - 1)) continue;
            int more = s->rules.points[other] - s->rules.points[card];
            if (more == 0) more = other - card;
            if (dear ? more > 0 : more < 0) worse |= BIT(card);
        }
    }
    return worse;
}

/* Exact cuts: of cards that differ in nothing but points only the best is tried. */
RACER_INLINE void drop_dominated(const Search *s, const Trick *t, Node *node) {
    Cards certain = node->certain & ~s->called;
    if (node->safe || node->lost) {
        Cards under = node->cards & ~node->beat;
        Cards keep = under & ~outdone(s, under & certain, node->blockers, node->safe);
        if (!s->called) keep = one_of_lonely(s, node, keep);
        node->cards = (node->cards & node->beat) | keep;
    }
    Cards takers = node->cards & node->beat & certain;
    if (takers & (takers - 1)) {
        for (Cards worse = outdone(s, takers, node->blockers, true); worse; worse &= worse - 1) {
            int card = lowest(worse);
            if (!(node->enemies_after & t->beats[card])) node->cards ^= BIT(card);
        }
    }
}

/* A strict seat in a generous search may be held to one fixed discard of each pool. */
RACER_INLINE void fix_discards(const Search *s, Node *node) {
    for (int i = 0; i < (s->level == 2 ? 3 : 1); i++) {
        Cards under = node->cards & ~node->beat & s->pool[i];
        if (!(under & (under - 1))) continue;
        int pick = -1, best = 0;
        for (Cards rest = under; rest; rest &= rest - 1) {
            int card = lowest(rest);
            int rank = i == 0 ? -((card & 15) * 4 + lane_of(card)) : s->rules.points[card] * (node->ours ? 1 : -1);
            if (pick < 0 || rank > best) {
                pick = card;
                best = rank;
            }
        }
        node->cards = (node->cards & ~under) | BIT(pick);
    }
}

/* Was a neighbour of this card tried that shows it cannot help?  Two own cards with no foreign card
   between differ by their points at most. */
RACER_INLINE bool settled_by_neighbour(const Search *s, const Trick *t, const Node *node, const Move *tried,
                                       const int *values, int number, int card, int *value) {
    if (card >= FIRST_POOLED || !(node->certain & ~s->called & BIT(card))) return false;
    for (int i = 0; i < number; i++) {
        int other = tried[i].card;
        if (other >= FIRST_POOLED || lane_of(other) != lane_of(card)) continue;
        if (!(node->certain & ~s->called & BIT(other))) continue;
        int low = other < card ? other : card, high = other < card ? card : other;
        if (node->blockers & above(low) & (BIT(high) - 1)) continue;
        int gap = s->rules.points[high] - s->rules.points[low];
        if (gap < 0) gap = -gap;
        int reach = node->callers ? values[i] + gap : values[i] - gap;
        if (node->callers ? reach < t->target : reach >= t->target) {
            *value = reach;
            return true;
        }
    }
    return false;
}

#endif
