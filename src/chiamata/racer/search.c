#include "search.h"

#include <string.h>

#include "clock.h"
#include "node.h"
#include "order.h"

/* --- modes and lazy hands -------------------------------------------------------------------------- */

void search_set(Search *s, enum Generous generous, int level, int width) {
    s->generous = generous;
    s->level = generous == NOBODY ? 0 : level;
    s->width = width;
    s->pooled = 0;
    for (int i = 0; i < 3; i++) {
        s->pool[i] = s->level == 2 || (s->level == 1 && i == 0) ? s->rules.pool[i] : 0;
        s->pooled |= s->pool[i];
    }
    for (int seat = 0; seat < SEATS; seat++) {
        s->lazy[seat] = s->level && s->callers[seat] == (generous == CALLERS);
        s->held[seat] = 0;
        for (int i = 0; i < 3; i++) s->held[seat] |= (uint32_t)count(s->hand[seat] & s->pool[i]) << 4 * i;
    }
    s->salt = mixed((uint64_t)s->level << 4 | (uint64_t)generous);
}

int points_left(const Search *s, int tricks) {
    const Rules *r = &s->rules;
    int sum = tricks * r->variant.per_trick;
    Cards certain = s->all;
    for (int seat = 0; s->level == 2 && seat < SEATS; seat++) {
        if (!s->lazy[seat]) continue;
        certain &= ~(s->hand[seat] & s->pooled);
        for (int i = 1; i < 3; i++) {
            Cards cards = s->hand[seat] & s->pool[i];
            if (!cards) continue;
            int dearest = r->honours - 1;
            while (!(cards & r->honour[dearest])) dearest--;
            sum += pooled_count(s, seat, i) * r->value[dearest];
        }
    }
    return sum + points_of(r, certain);
}

/* --- memory ---------------------------------------------------------------------------------------- */

RACER_INLINE uint64_t key_of(const Search *s, int leader) {
    uint64_t x = (uint64_t)leader + 1;
    for (int seat = 0; seat < SEATS && s->level; seat++) if (s->lazy[seat]) x = x << 12 | s->held[seat];
    return mixed(s->all ^ x * 0x9e3779b97f4a7c15ull ^ s->salt ^ (s->called ? 0x55ull << 10 : 0));
}

/* Have the line of memory on its way while the bounds are being read off. */
RACER_INLINE void fetch(const Search *s, uint64_t key, int tricks) {
    const Entry *table = tricks == 2 ? s->ends : s->table;
    __builtin_prefetch(&table[key >> 20 & (tricks == 2 ? s->ends_mask : s->table_mask)]);
}

RACER_INLINE Entry *recall(const Search *s, uint64_t key) {
    Entry *line = &s->table[key >> 20 & s->table_mask];
    for (int i = 0; i < 4; i++) if (line[i].key == key && line[i].job == s->job) return line + i;
    return NULL;
}

/* Two tricks left: one place for each key, small enough for the cache, where two of three are met again. */
RACER_INLINE Entry *recall_end(const Search *s, uint64_t key) {
    Entry *entry = &s->ends[key >> 20 & s->ends_mask];
    return entry->key == key && entry->job == s->job ? entry : NULL;
}

/* What an entry says to this search. A proof stands however few cards the strict side tried for it; that
   it failed says something only to searches that try no more. */
RACER_INLINE void learn_from(const Search *s, const Entry *entry, int *low, int *high) {
    bool wide = entry->width >= s->width;
    if ((wide || s->generous == DEFENDERS) && entry->low > *low) *low = entry->low;
    if ((wide || s->generous == CALLERS) && entry->high < *high) *high = entry->high;
}

/* Replace the entry of this key, else the first of an old job, else the one with the fewest tricks below
   it: what earlier jobs left behind changes nothing, so a job costs the same nodes every time. */
static void remember(Search *s, Entry entry) {
    Entry *line = &s->table[entry.key >> 20 & s->table_mask], *slot = line;
    for (int i = 0; i < 4; i++) {
        if (line[i].job != s->job || line[i].key == entry.key) {
            slot = line + i;
            break;
        }
        if (line[i].tricks < slot->tricks) slot = line + i;
    }
    *slot = entry;
}

static bool out_of_budget(Search *s) {
    if (s->nodes > s->node_limit) s->stopped = true;
    else if (s->deadline > 0 && (s->nodes & 16383) == 0 && clock_seconds() > s->deadline) s->stopped = true;
    return s->stopped;
}

/* --- the end of a trick ---------------------------------------------------------------------------- */

static void swap_lanes(Search *s, int lane) {
    Cards all = 0;
    for (int seat = 0; seat < SEATS; seat++) {
        Cards hand = s->hand[seat];
        Cards trumps = hand & TRUMPS, others = hand >> 16 * lane & TRUMPS;
        s->hand[seat] = (hand & ~TRUMPS & ~LANE(lane)) | trumps << 16 * lane | others;
        all |= s->hand[seat];
    }
    s->all = all;
}

/* The called card fell: its player names the trump of the remaining tricks. */
static int after_naming(Search *s, int winner, const Start *next) {
    bool callers = s->callers[s->called_seat];
    Cards called = s->called;
    int best = callers ? -1 : NO_VALUE;
    s->called = 0;
    for (int lane = 0; lane < 4; lane++) {
        if (lane) swap_lanes(s, lane);
        int value = search_between(s, winner, next->tricks, next->target, next->left);
        if (lane) swap_lanes(s, lane);
        if (s->stopped) break;
        if (callers ? value > best : value < best) best = value;
        if (callers ? best >= next->target : best < next->target) break;
    }
    s->called = called;
    return best;
}

RACER_INLINE int finish_trick(Search *s, const Trick *t, int winner, int pot) {
    int gain = s->callers[winner] ? pot : 0;
    if (t->tricks == 1) return gain;
    if (s->called && !(s->all & s->called)) {
        Start next = {.tricks = t->tricks - 1, .target = t->target - gain, .left = t->left - pot};
        return gain + after_naming(s, winner, &next);
    }
    return gain + search_between(s, winner, t->tricks - 1, t->target - gain, t->left - pot);
}

static int last_trick(const Search *s, int leader) {
    const Rules *r = &s->rules;
    int best = lowest(s->hand[leader]), winner = leader, pot = r->points[best] + r->variant.per_trick;
    for (int i = 1, seat = next_seat(leader); i < SEATS; i++, seat = next_seat(seat)) {
        int card = lowest(s->hand[seat]);
        pot += r->points[card];
        if (r->beats[0][best] >> card & 1) {
            best = card;
            winner = seat;
        }
    }
    return s->callers[winner] ? pot : 0;
}

static void begin_trick(const Search *s, Trick *t, const Start *start) {
    const Rules *r = &s->rules;
    *t = (Trick){start->leader, start->tricks, start->target, start->left, {{0}}, NULL, 0};
    Cards sum[2] = {0, 0};
    for (int place = 4; place >= 0; place--) {
        int seat = start->leader + place - (start->leader + place >= SEATS ? SEATS : 0);
        t->after[0][place] = sum[0];
        t->after[1][place] = sum[1];
        sum[s->callers[seat]] |= s->hand[seat];
    }
    t->beats = r->beats[start->tricks == HAND && r->variant.first_plain];
    bool follow = start->place && start->tricks <= r->variant.follow_last;
    t->follow = follow ? LANE(lane_of(start->led)) : 0;
}

/* Before searching the last seat's cards: does memory settle one of the positions they lead to? */
RACER_INLINE bool known_reply(Search *s, const Trick *t, const Node *node, Table table, const Move *moves, int number,
                              Found *found) {
    int winners[16];
    uint64_t keys[16];
    for (int i = 0; i < number; i++) {
        int card = moves[i].card;
        winners[i] = card < FIRST_POOLED && node->beat >> card & 1 ? node->seat : table.winner;
        Undo undo = take_out(s, node, card);
        keys[i] = key_of(s, winners[i]);
        put_back(s, node->seat, undo);
        fetch(s, keys[i], t->tricks - 1);
    }
    for (int i = 0; i < number; i++) {
        int pot = table.pot + moves[i].worth;
        int gain = s->callers[winners[i]] ? pot : 0, target = t->target - gain, value = 0;
        bool known = target <= 0;
        if (!known && s->level < 2 && target > t->left - pot) {
            known = true;
            value = t->left - pot;
        }
        if (!known) {
            const Entry *entry = recall(s, keys[i]);
            if (entry) {
                int low = 0, high = NO_VALUE;
                learn_from(s, entry, &low, &high);
                known = low >= target || high < target;
                value = low >= target ? low : high;
            }
        }
        value += gain;
        if (known && (node->callers ? value >= t->target : value < t->target)) {
            *found = (Found){value, moves[i].card};
            return true;
        }
    }
    return false;
}

/* --- a seat plays ---------------------------------------------------------------------------------- */

RACER_INLINE Node look(const Search *s, const Trick *t, Table table, int place) {
    Node node;
    node.seat = seat_at(t, place);
    node.place = place;
    node.callers = s->callers[node.seat];
    node.lazy = s->lazy[node.seat];
    node.hand = s->hand[node.seat];
    node.beat = place ? t->beats[table.best] : 0;
    node.blockers = (s->all & ~node.hand) | (place ? BIT(table.best) : 0);
    node.enemies_after = t->after[!node.callers][place];
    node.allies_after = t->after[node.callers][place];
    node.ours = place && s->callers[table.winner] == node.callers;
    node.safe = node.ours && !(node.enemies_after & node.beat);
    node.lost = place && !node.ours && !(node.allies_after & node.beat);
    return node;
}

RACER_INLINE int list_moves(const Search *s, const Node *node, Move *moves) {
    int number = 0;
    for (Cards rest = node->cards; rest; rest &= rest - 1) {
        int card = lowest(rest);
        moves[number++] = (Move){(int16_t)card, s->rules.points[card], 0};
    }
    for (int i = 0; i < 3 && node->discards; i++) {
        if (!(node->discards >> i & 1)) continue;
        moves[number++] = (Move){(int16_t)(FIRST_POOLED + i), (int16_t)pooled_worth(s, node->seat, i), 0};
    }
    return number;
}

/* The move with the highest score from `at` on goes to `at`. */
RACER_INLINE void bring_best(Move *moves, int at, int number) {
    int best = at;
    for (int i = at + 1; i < number; i++) if (moves[i].score > moves[best].score) best = i;
    Move move = moves[best];
    moves[best] = moves[at];
    moves[at] = move;
}

RACER_INLINE Table after_card(const Node *node, Table table, Move move) {
    bool takes = node->place == 0 || (move.card < FIRST_POOLED && node->beat >> move.card & 1);
    Table next = table;
    if (takes) next.best = move.card;
    if (takes) next.winner = (int16_t)node->seat;
    next.pot = (int16_t)(table.pot + move.worth);
    next.hint = NO_CARD;
    return next;
}

RACER_INLINE void lead_with(const Search *s, Trick *t, int place, int card) {
    if (place == 0) t->follow = t->tricks <= s->rules.variant.follow_last ? LANE(lane_of(card)) : 0;
}

typedef Found Play(Search *s, Trick *t, Table table);

RACER_INLINE Found play(Search *s, Trick *t, Table table, const int place, Play *next_place) {
    s->nodes++;
    if (out_of_budget(s)) return (Found){0, NO_CARD};
    Node node = look(s, t, table, place);
    if (node.safe) {
        if (node.callers && table.pot >= t->target) return (Found){table.pot, NO_CARD};
        if (!node.callers && t->left - table.pot < t->target) return (Found){t->left - table.pot, NO_CARD};
    }
    choose_from(s, t, &node);
    if (place) {
        drop_dominated(s, t, &node);
        if (s->level && !node.lazy) fix_discards(s, &node);
    }
    Move moves[16];
    int number = list_moves(s, &node, moves);
    Found found;
    if (place == 4 && number > 1 && t->tricks > 3 && !s->called) {
        if (known_reply(s, t, &node, table, moves, number, &found)) return found;
    }
    if (number > 1) score_moves(s, t, &node, table, moves, number);
    bool labelling = s->sampler && number > 1 && sampler_picks(s->sampler);
    int tried = 0, values[16], most = node.lazy || !s->level ? FULL_WIDTH : s->width;
    found = (Found){node.callers ? -1 : NO_VALUE, moves[0].card};
    for (int i = 0; i < number && tried < most; i++) {
        if (i < number - 1) bring_best(moves, i, number);
        int card = moves[i].card, value;
        if (tried && !labelling && settled_by_neighbour(s, t, &node, moves, values, i, card, &value)) {
            if (node.callers ? value > found.value : value < found.value) found.value = value;
            values[i] = node.callers ? NO_VALUE : -NO_VALUE; /* proves nothing about others */
            continue;
        }
        lead_with(s, t, place, card);
        Undo undo = take_out(s, &node, card);
        Table next = after_card(&node, table, moves[i]);
        value = place == 4 ? finish_trick(s, t, next.winner, next.pot) : next_place(s, t, next).value;
        put_back(s, node.seat, undo);
        if (s->stopped) return (Found){0, NO_CARD};
        values[i] = value;
        tried++;
        if (node.callers ? value > found.value : value < found.value) found = (Found){value, card};
        if (!labelling && (node.callers ? found.value >= t->target : found.value < t->target)) break;
    }
    if (labelling) sample_node(s, t, &node, table, moves, values, tried);
    return found;
}

/* The last two tricks: no memory inside them, no ordering worth its price. */
RACER_INLINE int small(Search *s, Trick *t, Table table, const int place, int (*next_place)(Search *, Trick *, Table)) {
    s->nodes++;
    Node node = look(s, t, table, place);
    if (node.lazy) {
        choose_from(s, t, &node);
    } else {
        node.cards = node.hand;
        node.discards = 0;
        if (place && t->follow & node.hand) node.cards &= t->follow;
    }
    bool throwing = node.ours || !place;
    Cards first = throwing ? node.cards & ~node.beat : node.cards & node.beat;
    Cards second = node.cards & ~first;
    int best = node.callers ? -1 : NO_VALUE, discard = 0;
    for (;;) {
        Move move;
        if (first) {
            int card = throwing ? highest(first) : lowest(first);
            first ^= BIT(card);
            move = (Move){(int16_t)card, s->rules.points[card], 0};
        } else if (node.discards) {
            discard = throwing ? highest((Cards)node.discards) : lowest((Cards)node.discards);
            node.discards ^= 1 << discard;
            move = (Move){(int16_t)(FIRST_POOLED + discard), (int16_t)pooled_worth(s, node.seat, discard), 0};
        } else if (second) {
            first = second;
            second = 0;
            throwing = false;
            continue;
        } else {
            return best;
        }
        lead_with(s, t, place, move.card);
        Undo undo = take_out(s, &node, move.card);
        Table next = after_card(&node, table, move);
        int value = place == 4 ? finish_trick(s, t, next.winner, next.pot) : next_place(s, t, next);
        put_back(s, node.seat, undo);
        if (node.callers ? value > best : value < best) best = value;
        if (node.callers ? best >= t->target : best < t->target) return best;
    }
}

static Found play4(Search *s, Trick *t, Table table) { return play(s, t, table, 4, NULL); }
static Found play3(Search *s, Trick *t, Table table) { return play(s, t, table, 3, play4); }
static Found play2(Search *s, Trick *t, Table table) { return play(s, t, table, 2, play3); }
static Found play1(Search *s, Trick *t, Table table) { return play(s, t, table, 1, play2); }
static Found play0(Search *s, Trick *t, Table table) { return play(s, t, table, 0, play1); }

static int small4(Search *s, Trick *t, Table table) { return small(s, t, table, 4, NULL); }
static int small3(Search *s, Trick *t, Table table) { return small(s, t, table, 3, small4); }
static int small2(Search *s, Trick *t, Table table) { return small(s, t, table, 2, small3); }
static int small1(Search *s, Trick *t, Table table) { return small(s, t, table, 1, small2); }
static int small0(Search *s, Trick *t, Table table) { return small(s, t, table, 0, small1); }

int search_between(Search *s, int leader, int tricks, int target, int left) {
    if (target <= 0) return 0;
    if (s->level == 2) left = points_left(s, tricks);
    if (target > left) return left;
    if (tricks == 1 && count(s->all) == SEATS) return last_trick(s, leader);
    int low = 0, high = left;
    const RacerVariant *v = &s->rules.variant;
    const uint64_t key = key_of(s, leader);
    fetch(s, key, tricks);
    if (s->rules.countable && !v->follow_last && !s->called && !(v->first_plain && tricks == HAND)) {
        low = surely_taken(s, 1, leader, tricks, left);
        if (low >= target) return low;
        high = left - surely_taken(s, 0, leader, tricks, left);
        if (high < target) return high;
    }
    Start start = {.leader = leader, .tricks = tricks, .target = target, .left = left,
                   .table = {0, (int16_t)leader, (int16_t)v->per_trick, NO_CARD}};
    Trick t;
    if (tricks == 1) {
        begin_trick(s, &t, &start);
        int value = small0(s, &t, start.table);
        return value < low ? low : value > high ? high : value;
    }
    Entry *entry = tricks == 2 ? recall_end(s, key) : recall(s, key);
    if (entry) {
        learn_from(s, entry, &low, &high);
        if (low >= target) return low;
        if (high < target) return high;
        start.table.hint = entry->card;
    }
    begin_trick(s, &t, &start);
    Found found = {0, NO_CARD};
    if (tricks == 2) found.value = small0(s, &t, start.table);
    else found = play0(s, &t, start.table);
    if (s->stopped) return found.value;
    int value = found.value < low ? low : found.value > high ? high : found.value;
    if (value >= target) low = value;
    else high = value;
    Entry known = {.key = key, .low = (uint8_t)low, .high = (uint8_t)high, .card = (uint8_t)found.card,
                   .tricks = tricks & 15, .width = s->width & 15, .job = s->job};
    if (tricks == 2) s->ends[known.key >> 20 & s->ends_mask] = known;
    else remember(s, known);
    return value;
}

int search_within(Search *s, const Start *start) {
    if (start->place == 0 && s->called && !(s->all & s->called)) return after_naming(s, start->leader, start);
    if (start->place == 0) return search_between(s, start->leader, start->tricks, start->target, start->left);
    Start within = *start;
    if (s->level == 2) within.left = points_left(s, start->tricks) + start->table.pot - s->rules.variant.per_trick;
    Trick t;
    begin_trick(s, &t, &within);
    switch (start->place) {
        case 1: return play1(s, &t, within.table).value;
        case 2: return play2(s, &t, within.table).value;
        case 3: return play3(s, &t, within.table).value;
        default: return play4(s, &t, within.table).value;
    }
}
