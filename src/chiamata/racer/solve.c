/* How a question is answered.

   The generous searches come first: what a strict caller's side reaches against
   generous defenders is a lower bound, what a generous one reaches is an upper
   bound, and nearly always the two meet.  Where they do not, one trick is laid
   out card by card and the same is asked at its end, so the answer is exact. */
#include "solve.h"

#include "clock.h"

enum { FINE = 1, COARSE = 2 };
/* Cards played in a first round: under a second. A test sets less, so that short questions take many rounds. */
#ifndef RACER_FIRST_BUDGET
#define RACER_FIRST_BUDGET (1 << 22)
#endif
enum { FIRST_BUDGET = RACER_FIRST_BUDGET, ROUND_GROWTH = 4, EVEN_BUDGET = FIRST_BUDGET * ROUND_GROWTH };
enum { COARSE_FROM = 6, CLOSE_IN_FROM = 7 }; /* tricks left from which values are looked for in more steps */

int solve_turn(const Start *start) { return (start->leader + start->place) % SEATS; }

/* Relaxations are proved for play without any duty and with one trump to the end. */
static bool may_relax(const Search *s) { return !s->rules.variant.follow_last && !s->called; }

static int ask(Search *s, const Start *start, int target, enum Generous generous, int level, int width) {
    Start question = *start;
    question.target = target;
    search_set(s, generous, level, width);
    return search_within(s, &question);
}

int solve_play(Search *s, const Start *start, int card, Start *next) {
    const Rules *r = &s->rules;
    int seat = solve_turn(start);
    const Cards *beats = r->beats[start->tricks == HAND && r->variant.first_plain];
    s->hand[seat] ^= BIT(card);
    s->all ^= BIT(card);
    *next = *start;
    if (start->place == 0) next->led = card;
    if (start->place == 0 || beats[start->table.best] >> card & 1) {
        next->table.best = (int16_t)card;
        next->table.winner = (int16_t)seat;
    }
    next->table.pot = (int16_t)(start->table.pot + r->points[card]);
    next->place++;
    if (next->place < SEATS) return 0;
    int pot = next->table.pot, gain = s->callers[next->table.winner] ? pot : 0;
    next->leader = next->table.winner;
    next->place = 0;
    next->tricks--;
    next->left -= pot;
    next->table.pot = (int16_t)r->variant.per_trick;
    return gain;
}

static int exact(Search *s, const Start *start, int target);

/* Lay out the rest of the trick by the rules. */
static int lay_out(Search *s, const Start *start, int target) {
    int seat = solve_turn(start);
    bool callers = s->callers[seat];
    int best = callers ? -1 : NO_VALUE;
    Cards hand = s->hand[seat], all = s->all;
    Cards twins = hand & s->rules.worthless, blockers = all & ~hand;
    if (start->place) blockers |= BIT(start->table.best);
    for (Cards cards = (hand & ~twins) | lowest_of_runs(twins, blockers); cards; cards &= cards - 1) {
        Start next;
        int gain = solve_play(s, start, lowest(cards), &next);
        int value = gain + (next.place ? lay_out(s, &next, target) : exact(s, &next, target - gain));
        s->hand[seat] = hand;
        s->all = all;
        if (s->stopped) return 0;
        if (callers ? value > best : value < best) best = value;
        if (callers ? best >= target : best < target) break;
    }
    return best;
}

/* Fail-soft answer to "target from here?", exact by the rules. */
static int exact(Search *s, const Start *start, int target) {
    if (target <= 0 || start->tricks == 0) return 0;
    if (target > start->left) return start->left;
    if (!may_relax(s)) return ask(s, start, target, NOBODY, 0, FULL_WIDTH);
    int value = ask(s, start, target, DEFENDERS, FINE, FULL_WIDTH);
    if (s->stopped || value >= target) return value;
    value = ask(s, start, target, CALLERS, FINE, FULL_WIDTH);
    if (s->stopped || value < target) return value;
    return lay_out(s, start, target);
}

static void learn(Range *range, int target, int value) {
    if (value >= target && value > range->low) range->low = value;
    if (value < target && value < range->high) range->high = value;
}

/* Ways to an answer, in the order of a round. */
enum { YES, NO_FINE, NO, WAYS };
static const struct {
    enum Generous generous;
    int level;
} way_of[WAYS] = {[YES] = {DEFENDERS, COARSE}, [NO_FINE] = {CALLERS, FINE}, [NO] = {CALLERS, COARSE}};

/* Cards that a way may play in a round. Long questions are answered with yes more often, so after some even rounds
   that way gets most. A fine no is many times shorter where the coarse one just misses, and longer where it does
   not, so it comes late. */
static uint64_t share_of(int way, uint64_t budget, bool yes_failed) {
    bool even = budget <= EVEN_BUDGET;
    if (way == NO_FINE && even) return 0;
    if (way == YES || even || yes_failed) return budget;
    return way == NO ? budget / 4 : budget / 8;
}

/* The ways take turns with growing budgets: which of them arrives soon is not known beforehand, and memory keeps
   what each found. The strict side of the coarse ones is held to its two best cards first, to more when that fails. */
static void take_turns(Search *s, const Start *start, int target, Range *range) {
    static const int widths[] = {2, 3, FULL_WIDTH};
    const int steps = (int)(sizeof widths / sizeof *widths);
    uint64_t limit = s->node_limit;
    int step[WAYS] = {[NO_FINE] = steps - 1};
    for (uint64_t budget = FIRST_BUDGET; step[YES] < steps || step[NO] < steps; budget *= ROUND_GROWTH) {
        for (int way = 0; way < WAYS; way++) {
            uint64_t share = share_of(way, budget, step[YES] == steps);
            uint64_t end = s->nodes < limit && limit - s->nodes > share ? s->nodes + share : limit;
            while (share && step[way] < steps) {
                s->node_limit = end;
                int value = ask(s, start, target, way_of[way].generous, way_of[way].level, widths[step[way]]);
                s->node_limit = limit;
                if (s->stopped) {
                    s->stopped = s->nodes > limit || (s->deadline > 0 && clock_seconds() > s->deadline);
                    if (s->stopped) return;
                    break;
                }
                if ((way == YES) == (value >= target)) {
                    learn(range, target, value);
                    return;
                }
                step[way]++;
            }
        }
    }
}

Range solve_test(Search *s, const Start *start, int target) {
    Range range = {0, start->left};
    if (start->tricks > 2 && may_relax(s) && target > 0 && target <= start->left) take_turns(s, start, target, &range);
    if (s->stopped || range.low >= target || range.high < target) return range;
    int value = exact(s, start, target);
    if (!s->stopped) learn(&range, target, value);
    return range;
}

/* Steps of 1, 2, 4, 8 away from the first guess, until the zero windows meet. */
typedef struct {
    int low, high, target, step;
} Walk;

static Walk walk_from(int low, int high, int guess) {
    int target = guess > high ? high : guess <= low ? low + 1 : guess;
    return (Walk){low, high, target, 1};
}

static void walk_on(Walk *walk, int value) {
    if (value >= walk->target) {
        if (value > walk->low) walk->low = value;
        walk->target = walk->low + walk->step;
    } else {
        if (value < walk->high) walk->high = value;
        walk->target = walk->high - walk->step + 1;
    }
    if (walk->step < 16) walk->step *= 2;
    if (walk->target > walk->high) walk->target = walk->high;
    if (walk->target <= walk->low) walk->target = walk->low + 1;
}

static Range value_by_rules(Search *s, const Start *start) {
    Walk walk = walk_from(0, start->left, start->left / 2);
    while (walk.low < walk.high) {
        int value = ask(s, start, walk.target, NOBODY, 0, FULL_WIDTH);
        if (s->stopped) break;
        walk_on(&walk, value);
    }
    return (Range){walk.low, walk.high};
}

/* Long questions: close in from both sides in strides, the strict side held to its two best cards, so
   that bounds stand early. Proofs far from the value are cheap. */
static void close_in(Search *s, const Start *start, Range *range) {
    for (int stride = 16; stride >= 4; stride /= 2) {
        bool proved[2] = {true, true};
        for (int side = 0; proved[0] || proved[1]; side ^= 1) {
            if (!proved[side]) continue;
            if (range->high - range->low <= stride) break;
            int target = side ? range->high - stride + 1 : range->low + stride;
            int value = ask(s, start, target, side ? CALLERS : DEFENDERS, COARSE, 2);
            if (s->stopped) return;
            proved[side] = side ? value < target : value >= target;
            if (proved[side]) learn(range, target, value);
        }
    }
}

Range solve_value(Search *s, const Start *start) {
    Range range = {0, start->tricks ? start->left : 0};
    if (start->tricks == 0) return range;
    if (!may_relax(s)) return value_by_rules(s, start);
    bool coarse = start->tricks >= COARSE_FROM;
    if (start->tricks >= CLOSE_IN_FROM) close_in(s, start, &range);
    Walk walk = walk_from(range.low, range.high, (range.low + range.high) / 2);
    while (walk.low < walk.high) { /* what fails against generous defenders is a hint only */
        int value = ask(s, start, walk.target, DEFENDERS, coarse ? COARSE : FINE, FULL_WIDTH);
        if (s->stopped) break;
        walk_on(&walk, value);
    }
    range.low = walk.low;
    while (range.low < range.high && !s->stopped) {
        int target = range.low + 1, value = target;
        if (coarse) value = ask(s, start, target, CALLERS, COARSE, FULL_WIDTH);
        if (value >= target && !s->stopped) value = exact(s, start, target);
        if (!s->stopped) learn(&range, target, value);
    }
    return range;
}
