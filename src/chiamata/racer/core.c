/* The border: checks what comes in, sets a search up, hands bounds back. */
#include "core.h"

#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "memory.h"
#include "order.h"
#include "solve.h"

enum { LEAST_TABLE_BITS = 12, MOST_TABLE_BITS = 28 };

struct Racer {
    Search search;
    int16_t weights[WEIGHTS];
    int table_bits, ends_bits, most_bits; /* log2 of entries: what is there, what either may take */
};

static size_t table_bytes(int bits) { return sizeof(Entry) << bits; }

int32_t racer_weights(void) { return WEIGHTS; }

Racer *racer_new(const int16_t *weights, int32_t count, int32_t table_bits) {
    if (count != WEIGHTS || table_bits < LEAST_TABLE_BITS || table_bits > MOST_TABLE_BITS) return NULL;
    Racer *racer = calloc(1, sizeof *racer);
    if (!racer) return NULL;
    racer->most_bits = table_bits;
    memcpy(racer->weights, weights, sizeof racer->weights);
    racer->search.weights = racer->weights;
    return racer;
}

void racer_free(Racer *racer) {
    if (!racer) return;
    memory_free(racer->search.table, table_bytes(racer->table_bits));
    memory_free(racer->search.ends, table_bytes(racer->ends_bits));
    free(racer);
}

/* At least so many entries, the old ones forgotten where it grows. */
static bool grow(Entry **table, int *bits, int wanted) {
    if (wanted > *bits) {
        memory_free(*table, table_bytes(*bits));
        *table = memory_new(table_bytes(wanted));
        *bits = *table ? wanted : 0;
    }
    return *table != NULL;
}

/* Memory by what is left to play: small enough for the cache where the question is small. */
static bool size_memory(Racer *racer, int tricks) {
    static const int all_bits[] = {12, 12, 12, 12, 14, 18, 21, 23, MOST_TABLE_BITS};
    static const int last_bits[] = {4, 4, 4, 8, 10, 13, 15, 18, 20};
    int most = racer->most_bits;
    int wanted = at_most(all_bits[tricks], most), ends = at_most(last_bits[tricks], most);
    racer->search.table_mask = ((uint64_t)1 << wanted) - 4;
    racer->search.ends_mask = ((uint64_t)1 << ends) - 1;
    return grow(&racer->search.table, &racer->table_bits, wanted) && grow(&racer->search.ends, &racer->ends_bits, ends);
}

/* Sums, seats and the table as the search wants them; the position has been checked. */
static void read_position(Search *s, const RacerPosition *position, Start *start) {
    const Rules *r = &s->rules;
    const RacerVariant *v = &r->variant;
    s->all = 0;
    s->side_size = 0;
    for (int seat = 0; seat < SEATS; seat++) {
        s->hand[seat] = rules_cards(r, position->hands[seat]);
        s->all |= s->hand[seat];
        s->callers[seat] = position->side >> seat & 1;
        s->side_size += s->callers[seat];
    }
    *start = (Start){.leader = position->leader, .place = position->on_table,
                     .table = {0, (int16_t)position->leader, (int16_t)v->per_trick, NO_CARD}};
    start->tricks = count(s->hand[solve_turn(start)]);
    const Cards *beats = r->beats[start->tricks == HAND && v->first_plain];
    s->called = v->trump_change && v->called >= 0 ? BIT(r->bit_of[v->called]) : 0;
    Cards coming = s->all;
    for (int i = 0; i < position->on_table; i++) {
        int card = r->bit_of[position->table[i]], seat = (position->leader + i) % SEATS;
        if (i == 0) start->led = card;
        if (i == 0 || beats[start->table.best] >> card & 1) {
            start->table.best = (int16_t)card;
            start->table.winner = (int16_t)seat;
        }
        start->table.pot = (int16_t)(start->table.pot + r->points[card]);
        if (s->called == BIT(card)) s->called_seat = seat;
        coming |= BIT(card);
    }
    if (!(coming & s->called)) s->called = 0;
    for (int seat = 0; seat < SEATS; seat++) if (s->hand[seat] & s->called) s->called_seat = seat;
    start->left = points_of(r, coming) + start->tricks * v->per_trick;
}

static bool disjoint_hands(const RacerPosition *p) {
    uint64_t seen = 0;
    int turn = (p->leader + p->on_table) % SEATS, full = __builtin_popcountll(p->hands[turn]);
    if (full < 1 || full > HAND) return false;
    for (int i = 0; i < SEATS; i++) {
        uint64_t hand = p->hands[(p->leader + i) % SEATS];
        if (hand >> 40 || hand & seen || __builtin_popcountll(hand) != full - (i < p->on_table)) return false;
        seen |= hand;
    }
    for (int i = 0; i < p->on_table; i++) {
        if (p->table[i] < 0 || p->table[i] > 39 || seen >> p->table[i] & 1) return false;
        seen |= (uint64_t)1 << p->table[i];
    }
    return true;
}

static int32_t set_up(Racer *racer, const RacerVariant *variant, const RacerPosition *position,
                      const RacerLimits *limits, Start *start) {
    Search *s = &racer->search;
    bool same = s->rules.made && memcmp(&s->rules.variant, variant, sizeof *variant) == 0;
    if (!same && !rules_make(&s->rules, variant)) return RACER_BAD_VARIANT;
    const RacerPosition *p = position;
    bool ok = p->leader >= 0 && p->leader < SEATS && p->on_table >= 0 && p->on_table < SEATS && p->side > 0 &&
              p->side < 32 && p->taken >= 0 && p->taken <= MOST_POINTS && disjoint_hands(p);
    if (!ok) return RACER_BAD_POSITION;
    read_position(s, position, start);
    if (!size_memory(racer, start->tricks)) return RACER_NO_MEMORY;
    s->job++;
    s->nodes = 0;
    s->stopped = false;
    s->node_limit = limits && limits->nodes ? limits->nodes : UINT64_MAX;
    s->deadline = limits && limits->seconds > 0 ? clock_seconds() + limits->seconds : 0;
    return 0;
}

static RacerAnswer answer_of(const Search *s, Range range, int gained, int card) {
    return (RacerAnswer){range.low + gained, range.high + gained, card, 0, s->nodes};
}

int32_t racer_solve(Racer *racer, const RacerVariant *variant, const RacerPosition *position,
                    const RacerLimits *limits, RacerAnswer *answer) {
    Start start;
    int32_t code = set_up(racer, variant, position, limits, &start);
    if (code) return code;
    *answer = answer_of(&racer->search, solve_value(&racer->search, &start), position->taken, -1);
    return 0;
}

int32_t racer_test(Racer *racer, const RacerVariant *variant, const RacerPosition *position, int32_t target,
                   const RacerLimits *limits, RacerAnswer *answer) {
    Start start;
    int32_t code = set_up(racer, variant, position, limits, &start);
    if (code) return code;
    Range range = solve_test(&racer->search, &start, target - position->taken);
    *answer = answer_of(&racer->search, range, position->taken, -1);
    return 0;
}

int32_t racer_cards(Racer *racer, const RacerVariant *variant, const RacerPosition *position, int32_t target,
                    const RacerLimits *limits, RacerAnswer *answers) {
    Search *s = &racer->search;
    Start start;
    int32_t code = set_up(racer, variant, position, limits, &start), number = 0;
    if (code) return code;
    int seat = solve_turn(&start);
    Cards hand = s->hand[seat], all = s->all, legal = hand;
    if (start.place && start.tricks <= variant->follow_last && hand & LANE(lane_of(start.led))) {
        legal &= LANE(lane_of(start.led));
    }
    for (Cards cards = legal; cards; cards &= cards - 1) {
        Start next;
        int card = lowest(cards), gain = solve_play(s, &start, card, &next);
        Range range = {0, next.tricks ? next.left : 0};
        if (!s->stopped) {
            range = target > 0 ? solve_test(s, &next, target - position->taken - gain) : solve_value(s, &next);
        }
        s->hand[seat] = hand;
        s->all = all;
        answers[number++] = answer_of(s, range, position->taken + gain, s->rules.card_of[card]);
    }
    return number;
}

int32_t racer_samples(Racer *racer, const RacerVariant *variant, const RacerPosition *position,
                      const RacerLimits *limits, const RacerSamples *wanted) {
    Start start;
    if (wanted->one_in < 1) return RACER_BAD_VARIANT;
    int32_t code = set_up(racer, variant, position, limits, &start);
    if (code) return code;
    uint64_t dice = position->hands[0] ^ position->hands[1] << 7 ^ position->hands[2] << 13;
    Sampler sampler = {wanted->out, wanted->room, 0, wanted->one_in, mixed(dice)};
    racer->search.sampler = &sampler;
    if (wanted->target) solve_test(&racer->search, &start, wanted->target - position->taken);
    else solve_value(&racer->search, &start);
    racer->search.sampler = NULL;
    return sampler.used;
}
