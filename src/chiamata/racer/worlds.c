#include "worlds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ALL_CARDS (((uint64_t)1 << 40) - 1)
#define SUIT_MASK(suit) ((uint64_t)0x3ff << 10 * (suit))

enum { TRIES = 400 };
static const double SELDOM = 0.02; /* nothing that a bidder did is less likely than that */

static int popcount(uint64_t cards) { return __builtin_popcountll(cards); }
static int nth(uint64_t cards, uint32_t n) {
    for (; n > 0; n--) cards &= cards - 1;
    return __builtin_ctzll(cards);
}

/* --- the past ------------------------------------------------------------------------------------- */

static bool play_past(Past *past) {
    const RacerView *view = past->view;
    Scene *scene = &past->now;
    for (int i = 0; i < view->plays; i++) {
        int card = view->cards[i];
        if (card < 0 || card > 39 || scene->seen >> card & 1) return false;
        if (scene->naming >= 0) scene_name(scene, view->named);
        int seat = scene_turn(scene);
        bool tells = i >= view->blind && scene->partner < 0 && seat != view->caller && view->called >= 0;
        int stage = scene->trick == 0 ? 0 : scene->trick < 3 ? 1 : 2;
        past->before[i] = *scene;
        past->seats[i] = seat;
        past->kinds[i] = tells ? stage * KINDS + play_kind(scene, seat, card) : -1;
        past->fell[seat] |= (uint64_t)1 << card;
        scene_play(scene, seat, card);
        if (i < view->blind) memset(scene->suspicion, 0, sizeof scene->suspicion);
    }
    if (scene->naming >= 0 && view->named >= 0) scene_name(scene, view->named);
    return true;
}

int32_t past_make(Past *past, const RacerPolicy *policy, const RacerVariant *variant, const RacerView *view,
                  const RacerThought *thought) {
    memset(past, 0, sizeof *past);
    bool known = view->seat >= 0 && view->seat < 5 && view->caller >= 0 && view->caller < 5 && view->called < 40;
    if (!known || view->plays < 0 || view->plays > 40 || view->leader < 0 || view->leader > 4 || view->called < -1 ||
        view->trump < -1 || view->trump > 3 || view->named < -1 || view->named > 3) {
        return RACER_BAD_POSITION;
    }
    past->view = view;
    past->thought = thought;
    pack_make(&past->pack, variant);
    past->now = (Scene){.policy = policy, .pack = &past->pack, .caller = view->caller, .called = view->called,
                        .partner = -1, .target = view->target, .leader = view->leader, .best = -1, .holder = -1,
                        .trump = view->trump, .naming = -1};
    if (!play_past(past)) return RACER_BAD_POSITION;
    past->hand = view->dealt & ~past->now.seen;
    past->unseen = ALL_CARDS & ~past->now.seen & ~view->dealt;
    int others = 0;
    for (int seat = 0; seat < 5; seat++) {
        past->left[seat] = 8 - popcount(past->fell[seat]);
        others += seat == view->seat ? 0 : past->left[seat];
    }
    past->hidden = view->called >= 0 && past->unseen >> view->called & 1;
    bool sound = popcount(view->dealt) == 8 && view->dealt <= ALL_CARDS && others == popcount(past->unseen);
    return sound && (past->fell[view->seat] & ~view->dealt) == 0 ? 0 : RACER_BAD_POSITION;
}

/* --- how well a hand fits what its seat did ------------------------------------------------------- */

/* Points that a caller's side should make with this card called: bots.hand in C. */
static double promise(const Past *past, uint64_t hand, int called) {
    const double *weight = past->view->estimate;
    const Pack *pack = &past->pack;
    int trump = called / 10, trumps = popcount(hand & SUIT_MASK(trump));
    double sum = weight[0] + weight[11 + pack->strength[called]] + weight[21] * trumps * trumps +
                 weight[22] * popcount(pack->above[called] & ~hand);
    for (uint64_t own = hand & SUIT_MASK(trump); own; own &= own - 1) {
        sum += weight[1 + pack->strength[__builtin_ctzll(own)]];
    }
    for (int suit = 0; suit < 4; suit++) {
        uint64_t side = suit == trump ? 0 : hand & SUIT_MASK(suit);
        bool master = false, second = false;
        int points = 0;
        for (uint64_t own = side; own; own &= own - 1) {
            int card = __builtin_ctzll(own);
            master = master || pack->strength[card] == 9;
            second = second || pack->strength[card] == 8;
            points += pack->strength[card] < 8 ? pack->points[card] : 0;
        }
        sum += weight[23] * master + weight[24] * second + weight[25] * (master && second) + weight[26] * points +
               weight[27] * (side != 0);
    }
    return sum * pack->total / 120.0;
}

static int call_in(const Past *past, uint64_t hand, int suit, int strength) {
    int best = NO_CARD;
    for (uint64_t missing = SUIT_MASK(suit) & ~hand; missing; missing &= missing - 1) {
        int card = __builtin_ctzll(missing);
        if (strength >= 0 ? past->pack.strength[card] == strength
                          : best < 0 || past->pack.strength[card] > past->pack.strength[best]) {
            best = card;
        }
    }
    return best;
}

int best_call(const Past *past, uint64_t hand, int strength, double *points) {
    int best = NO_CARD;
    *points = -1000;
    for (int suit = 0; suit < 4; suit++) {
        int card = call_in(past, hand, suit, strength);
        double one = card < 0 ? -1000 : promise(past, hand, card);
        if (card >= 0 && one > *points) best = card, *points = one;
    }
    return best;
}

static double likely(double above, double width) { return SELDOM + (1 - 2 * SELDOM) / (1 + exp(-above / width)); }

static int best_suit(const Past *past, uint64_t hand) {
    int most = 0;
    for (int suit = 0; suit < 4; suit++) {
        int sum = 0;
        for (uint64_t own = hand & SUIT_MASK(suit); own; own &= own - 1) {
            int points = past->pack.points[__builtin_ctzll(own)];
            sum += points ? points : 1;
        }
        most = sum > most ? sum : most;
    }
    return most;
}

/* How likely a player chooses this suit of the four for the card that is called. */
static double chosen(const Past *past, uint64_t dealt) {
    int called = past->view->called, strength = past->pack.strength[called];
    double mine = promise(past, dealt, called), whole = 0;
    for (int suit = 0; suit < 4; suit++) {
        int card = call_in(past, dealt, suit, strength);
        if (suit == called / 10) whole += 1;
        else if (card >= 0) whole += exp(fmin(40, (promise(past, dealt, card) - mine) / past->view->width));
    }
    return SELDOM + (1 - SELDOM) / whole;
}

static double spoken(const Past *past, int seat, uint64_t dealt) {
    const RacerClue *clue = &past->view->clues[seat];
    double chance = 1, points;
    if (clue->low_call > -2) {
        best_call(past, dealt, clue->low_call, &points);
        chance *= likely(points - clue->low, past->view->width);
    }
    if (clue->high_call > -2) {
        best_call(past, dealt, clue->high_call, &points);
        chance *= likely(clue->high - points, past->view->width);
    }
    if (clue->strong && best_suit(past, dealt) < clue->strong) chance *= 1e-9;
    if (seat == past->view->caller && past->view->called >= 0) chance *= chosen(past, dealt);
    return log(chance);
}

/* How likely, by the policy, this seat played its cards as it did. */
static double played(const Past *past, int seat, uint64_t dealt) {
    double chance = 1, floor = past->thought->floor;
    uint64_t hand = dealt;
    for (int i = 0; i < past->view->plays; i++) {
        if (past->seats[i] != seat) continue;
        int card = past->view->cards[i];
        uint64_t legal = scene_legal(&past->before[i], hand);
        if (i >= past->view->blind && (legal & (legal - 1))) {
            uint8_t cards[8];
            int32_t scores[8], most = -(1 << 30), mine = 0;
            int64_t whole = 0;
            int number = policy_scores(&past->before[i], seat, hand, cards, scores);
            for (int c = 0; c < number; c++) most = scores[c] > most ? scores[c] : most;
            for (int c = 0; c < number; c++) {
                int weight = weight_of(past->now.policy, most - scores[c]);
                whole += weight;
                if (cards[c] == card) mine = weight;
            }
            chance *= (1 - floor) * mine / (double)whole + floor / number;
        }
        hand ^= (uint64_t)1 << card;
    }
    return log(chance) * past->thought->temper;
}

static double fits(const Past *past, int seat, uint64_t hand) {
    uint64_t dealt = hand | past->fell[seat];
    return spoken(past, seat, dealt) + played(past, seat, dealt);
}

/* --- drawing -------------------------------------------------------------------------------------- */

/* Weight of the called card lying with this seat, each card of a hand as likely. */
static double holds(const Past *past, int seat) {
    if (seat == past->view->seat || !(past->view->may[seat] >> past->view->called & 1)) return 0;
    return seat == past->view->caller ? past->view->solo : 1;
}

static bool place_called(const Past *past, World *world, int32_t *room, Random *random) {
    double weights[5], whole = 0;
    for (int seat = 0; seat < 5; seat++) whole += weights[seat] = room[seat] * holds(past, seat);
    double draw = (double)random_next(random) / 18446744073709551616.0 * whole;
    for (int seat = 0; seat < 5; seat++) {
        if (weights[seat] > 0 && draw < weights[seat]) {
            world->hands[seat] |= (uint64_t)1 << past->view->called;
            room[seat]--;
            return true;
        }
        draw -= weights[seat];
    }
    return false;
}

/* How many seats could take the card; *seat is one of them, drawn by the room they have. */
static int takers(const Past *past, const int32_t *room, int card, Random *random, int *seat) {
    int number = 0, whole = 0;
    for (int one = 0; one < 5; one++) {
        if (room[one] > 0 && past->view->may[one] >> card & 1) number++, whole += room[one];
    }
    if (!whole) return 0;
    int draw = (int)random_below(random, (uint32_t)whole);
    for (int one = 0; one < 5; one++) {
        if (room[one] <= 0 || !(past->view->may[one] >> card & 1)) continue;
        if (draw < room[one]) {
            *seat = one;
            return number;
        }
        draw -= room[one];
    }
    return 0;
}

/* The card that fewest seats can take goes first; among those, any. */
static bool place_rest(const Past *past, World *world, int32_t *room, uint64_t cards, Random *random) {
    while (cards) {
        int fewest = 6, best = -1, to = -1, ties = 0;
        for (uint64_t rest = cards; rest; rest &= rest - 1) {
            int card = __builtin_ctzll(rest), seat = -1, number = takers(past, room, card, random, &seat);
            if (number == 0) return false;
            ties = number < fewest ? 1 : number == fewest ? ties + 1 : ties;
            if (number < fewest || (number == fewest && random_below(random, (uint32_t)ties) == 0)) {
                fewest = number, best = card, to = seat;
            }
        }
        world->hands[to] |= (uint64_t)1 << best;
        room[to]--;
        cards &= ~((uint64_t)1 << best);
    }
    return true;
}

/* No seat is barred from any card: a shuffle does it. */
static void place_freely(World *world, const int32_t *room, uint64_t cards, Random *random) {
    for (int seat = 0; seat < 5; seat++) {
        for (int i = 0; i < room[seat]; i++) {
            uint64_t card = (uint64_t)1 << nth(cards, random_below(random, (uint32_t)popcount(cards)));
            world->hands[seat] |= card;
            cards ^= card;
        }
    }
}

static bool draw(const Past *past, bool barred, World *world, Random *random) {
    int32_t room[5];
    uint64_t cards = past->unseen;
    for (int seat = 0; seat < 5; seat++) {
        bool own = seat == past->view->seat;
        world->hands[seat] = own ? past->hand : past->view->must[seat] & past->unseen;
        room[seat] = own ? 0 : past->left[seat] - popcount(world->hands[seat]);
        if (room[seat] < 0) return false;
        cards &= ~world->hands[seat];
    }
    if (past->hidden && cards >> past->view->called & 1) {
        if (!place_called(past, world, room, random)) return false;
        cards &= ~((uint64_t)1 << past->view->called);
    }
    if (!barred) {
        place_freely(world, room, cards, random);
        return true;
    }
    return place_rest(past, world, room, cards, random);
}

static bool is_barred(const Past *past) {
    for (int seat = 0; seat < 5; seat++) {
        if (seat != past->view->seat && past->left[seat] && past->unseen & ~past->view->may[seat]) return true;
    }
    return false;
}

static double sum_of(const World *world) {
    return world->fits[0] + world->fits[1] + world->fits[2] + world->fits[3] + world->fits[4];
}

/* Keeps the first `keep` of `number`, drawn by their weights at even steps. */
static bool resample(World *worlds, int number, int keep, Random *random) {
    double *weights = malloc((size_t)number * sizeof *weights), most = -1e300, whole = 0;
    World *kept = malloc((size_t)keep * sizeof *kept);
    bool made = weights && kept;
    if (made) {
        for (int i = 0; i < number; i++) most = fmax(most, weights[i] = sum_of(&worlds[i]));
        for (int i = 0; i < number; i++) whole += weights[i] = exp(weights[i] - most);
        double step = whole / keep, at = (double)random_next(random) / 18446744073709551616.0 * step, sum = weights[0];
        for (int i = 0, from = 0; i < keep; i++, at += step) {
            while (sum < at && from < number - 1) sum += weights[++from];
            kept[i] = worlds[from];
        }
        memcpy(worlds, kept, (size_t)keep * sizeof *kept);
    }
    free(weights);
    free(kept);
    return made;
}

/* One step of Metropolis and Hastings: two seats exchange a card, if what they did fits about as well. */
static void exchange(const Past *past, World *world, Random *random) {
    int called = past->view->called;
    int a = (past->view->seat + 1 + (int)random_below(random, 4)) % 5;
    int b = (past->view->seat + 1 + (int)random_below(random, 4)) % 5;
    if (a == b || !world->hands[a] || !world->hands[b]) return;
    bool move_called = past->hidden && random_below(random, 3) == 0;
    if (move_called && !(world->hands[a] >> called & 1)) {
        for (a = 0; !(world->hands[a] >> called & 1); a++) {}
        if (a == b) return;
    }
    int x = move_called ? called : nth(world->hands[a], random_below(random, (uint32_t)popcount(world->hands[a])));
    int y = nth(world->hands[b], random_below(random, (uint32_t)popcount(world->hands[b])));
    const RacerView *view = past->view;
    if (!(view->may[b] >> x & 1 && view->may[a] >> y & 1) || view->must[a] >> x & 1 || view->must[b] >> y & 1) return;
    double gain = move_called ? log((double)past->left[b] / past->left[a]) : 0;
    if (x == called || y == called) {
        double from = holds(past, x == called ? a : b), to = holds(past, x == called ? b : a);
        if (to <= 0) return;
        gain += log(to / from);
    }
    uint64_t both = (uint64_t)1 << x | (uint64_t)1 << y;
    double fits_a = fits(past, a, world->hands[a] ^ both), fits_b = fits(past, b, world->hands[b] ^ both);
    gain += fits_a + fits_b - world->fits[a] - world->fits[b];
    double dice = ((double)random_next(random) + 1) / 18446744073709551616.0;
    if (log(dice) >= gain) return;
    world->hands[a] ^= both;
    world->hands[b] ^= both;
    world->fits[a] = fits_a;
    world->fits[b] = fits_b;
}

int32_t worlds_draw(const Past *past, World *worlds, Random *random) {
    int keep = past->thought->worlds, number = keep * past->thought->draws, made = 0;
    bool barred = is_barred(past);
    for (int tries = 0; made < number && tries < number + TRIES; tries++) {
        World *world = &worlds[made];
        if (!draw(past, barred, world, random)) continue;
        for (int seat = 0; seat < 5; seat++) {
            world->fits[seat] = seat == past->view->seat ? 0 : fits(past, seat, world->hands[seat]);
        }
        made++;
    }
    if (!made) return RACER_NO_WORLD;
    if (!resample(worlds, made, keep, random)) return RACER_NO_MEMORY;
    for (int i = 0; i < keep; i++) {
        for (int s = 0; s < past->thought->swaps; s++) exchange(past, &worlds[i], random);
    }
    return 0;
}
