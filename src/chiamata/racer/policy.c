#include "policy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SUIT_MASK(suit) ((uint64_t)0x3ff << 10 * (suit))
static int popcount(uint64_t cards) { return __builtin_popcountll(cards); }
static int least(int a, int b) { return a < b ? a : b; }

RacerPolicy *racer_policy_new(const int16_t *numbers, int32_t count) {
    if (count != POLICY_NUMBERS && count != POLICY_NUMBERS + HIDDEN_NUMBERS) return NULL;
    RacerPolicy *policy = calloc(1, sizeof *policy);
    if (!policy) return NULL;
    policy->deep = count > POLICY_NUMBERS;
    if (policy->deep) {
        for (int i = POLICY_NUMBERS; i < count; i++) {
            if (numbers[i] > MOST_DEEP || numbers[i] < -MOST_DEEP) {
                free(policy);
                return NULL;
            }
        }
        memcpy(policy->row, numbers + POLICY_NUMBERS, sizeof policy->row);
        memcpy(policy->counts, numbers + POLICY_NUMBERS + INPUT_ROWS * HIDDEN, sizeof policy->counts);
    }
    for (int i = 0; i < FEATURE_WEIGHTS; i++) policy->weight[i] = numbers[i];
    for (int i = 0; i < KINDS * STAGES; i++) policy->evidence[i / KINDS][i % KINDS] = numbers[FEATURE_WEIGHTS + i];
    for (int i = 0; i < EXPS; i++) policy->exps[i] = (uint32_t)floor(1048576.0 * exp(-(double)i / UNIT) + 0.5);
    return policy;
}

void racer_policy_free(RacerPolicy *policy) { free(policy); }
int32_t racer_policy_numbers(void) { return POLICY_NUMBERS; }
int32_t racer_hidden_numbers(void) { return HIDDEN_NUMBERS; }

void pack_make(Pack *pack, const RacerVariant *variant) {
    int most = 0;
    pack->total = 8 * variant->per_trick;
    pack->dear = 0;
    for (int card = 0; card < 40; card++) {
        most = variant->points[card] > most ? variant->points[card] : most;
        pack->total += variant->points[card];
    }
    for (int card = 0; card < 40; card++) {
        int points = variant->points[card];
        pack->points[card] = (uint8_t)points;
        pack->strength[card] = (uint8_t)variant->strength[card];
        pack->value[card] = (uint8_t)(points == 0 ? 0 : points * 2 <= most ? 1 : 2);
        pack->dear |= (uint64_t)(pack->value[card] == 2) << card;
        pack->above[card] = 0;
        for (int other = card / 10 * 10; other < card / 10 * 10 + 10; other++) {
            if (variant->strength[other] > variant->strength[card]) pack->above[card] |= (uint64_t)1 << other;
        }
    }
    for (int points = 0; points < 256; points++) pack->twelfths[points] = (uint8_t)least(points * 12 / pack->total, 12);
    pack->follow_last = variant->follow_last;
    pack->trump_change = variant->trump_change;
    pack->first_plain = variant->first_plain;
}

/* --- the course of play --------------------------------------------------------------------------- */

/* The trump of the running trick, -1 where it is played without. */
static int trump_now(const Scene *scene) {
    return scene->trick == 0 && scene->pack->first_plain ? -1 : scene->trump;
}

uint64_t scene_legal(const Scene *scene, uint64_t hand) {
    if (scene->on_table == 0 || popcount(hand) > scene->pack->follow_last) return hand;
    uint64_t suit = hand & SUIT_MASK(scene->table[0] / 10);
    return suit ? suit : hand;
}

/* What a card of somebody else than the caller looks like to the table: one of KINDS. */
int play_kind(const Scene *scene, int seat, int card) {
    const Pack *pack = scene->pack;
    int trump = trump_now(scene), is_trump = card / 10 == trump, place = scene->on_table;
    if (place == 0) return is_trump * 3 + pack->value[card];
    int callers_place = (scene->caller - scene->leader + 5) % 5;
    int when = scene->holder == scene->caller ? 0 : callers_place > (seat - scene->leader + 5) % 5 ? 1 : 2;
    bool takes = card_beats(pack, card, scene->best, trump);
    int what = takes ? 3 + 2 * (scene->pot * 15 >= pack->total) + is_trump : pack->value[card];
    return 6 + when * 14 + (place == 4) * 7 + what;
}

static void end_trick(Scene *scene) {
    scene->points[scene->holder] += scene->pot;
    scene->taken[scene->holder]++;
    bool revealed = false;
    for (int i = 0; i < 5; i++) revealed = revealed || scene->table[i] == scene->called;
    scene->leader = scene->holder;
    scene->on_table = scene->pot = 0;
    scene->best = scene->holder = -1;
    scene->trick++;
    scene->naming = revealed && scene->pack->trump_change && scene->trick < 8 ? scene->partner : -1;
}

void scene_play(Scene *scene, int seat, int card) {
    if (scene->partner < 0 && seat != scene->caller && scene->called >= 0) {
        int stage = scene->trick == 0 ? 0 : scene->trick < 3 ? 1 : 2;
        scene->suspicion[seat] += scene->policy->evidence[stage][play_kind(scene, seat, card)];
    }
    if (card == scene->called) scene->partner = seat;
    if (scene->on_table == 0 || card_beats(scene->pack, card, scene->best, trump_now(scene))) {
        scene->best = card;
        scene->holder = seat;
    }
    scene->table[scene->on_table++] = card;
    scene->pot += scene->pack->points[card];
    scene->seen |= (uint64_t)1 << card;
    if (scene->on_table == 5) end_trick(scene);
}

void scene_name(Scene *scene, int suit) {
    scene->trump = suit;
    scene->naming = -1;
}

/* The suit in which a hand is longest and strongest; the present trump where it is as good. */
int name_trump(const Scene *scene, uint64_t hand) {
    int best = scene->trump, most = -1;
    for (int suit = 0; suit < 4; suit++) {
        int sum = suit == scene->trump ? 8 : 0;
        for (uint64_t own = hand & SUIT_MASK(suit); own; own &= own - 1) {
            sum += 2 * (4 + scene->pack->strength[__builtin_ctzll(own)]);
        }
        if (sum > most) best = suit, most = sum;
    }
    return best;
}

/* --- what a player makes of it -------------------------------------------------------------------- */

void partner_odds(const Scene *scene, int viewer, int32_t *odds) {
    int32_t most = -(1 << 30), weights[5], whole = 0;
    memset(odds, 0, 5 * sizeof *odds);
    if (scene->partner >= 0) {
        if (scene->partner != scene->caller) odds[scene->partner] = CERTAIN;
        return;
    }
    for (int seat = 0; seat < 5; seat++) {
        if (seat == viewer || seat == scene->caller) continue;
        most = scene->suspicion[seat] > most ? scene->suspicion[seat] : most;
    }
    for (int seat = 0; seat < 5; seat++) {
        bool out = seat == viewer || seat == scene->caller;
        weights[seat] = out ? 0 : weight_of(scene->policy, most - scene->suspicion[seat]);
        whole += weights[seat];
    }
    for (int seat = 0; seat < 5; seat++) odds[seat] = (int32_t)((uint32_t)weights[seat] * CERTAIN / (uint32_t)whole);
}

static int role_of(const Scene *scene, int seat, bool holds) {
    if (seat == scene->caller) return holds || scene->partner == seat ? CALLER_ALONE : scene->partner >= 0;
    if (scene->partner >= 0) return scene->partner == seat ? PARTNER_SHOWN : DEFENDER_KNOWN;
    return holds ? PARTNER : DEFENDER;
}

/* How likely, in 256ths, each other seat is on this one's side. */
static void friends_of(const Scene *scene, int seat, int role, const int32_t *odds, int32_t *friend) {
    for (int other = 0; other < 5; other++) {
        bool caller = other == scene->caller;
        if (role <= CALLER_KNOWN) friend[other] = odds[other];
        else if (role == CALLER_ALONE) friend[other] = 0;
        else if (role <= PARTNER_SHOWN) friend[other] = caller ? CERTAIN : 0;
        else friend[other] = caller ? 0 : CERTAIN - odds[other];
    }
    friend[seat] = CERTAIN;
}

static int held_class(int friend) { return friend < 16 ? 1 : friend < 96 ? 2 : friend < 160 ? 3 : friend < 240 ? 4 : 5; }
static int pot_class(int pot) { return pot == 0 ? 0 : pot <= 5 ? 1 : pot <= 10 ? 2 : pot <= 15 ? 3 : pot <= 21 ? 4 : 5; }
static int crowd_class(int sum) { return sum < 40 ? 0 : sum <= 205 ? 1 : sum <= 461 ? 2 : 3; }

/* How far the caller's side is from its target, as far as this seat can tell. */
static int need_class(const Scene *scene, const int32_t *odds) {
    int done = scene->points[scene->caller] * CERTAIN, left = scene->pack->total;
    for (int seat = 0; seat < 5; seat++) {
        done += scene->points[seat] * odds[seat];
        left -= scene->points[seat];
    }
    int need = scene->target - done / CERTAIN;
    if (need <= 0) return 0;
    if (need > left) return 5;
    return need * 20 < left * 7 ? 1 : need * 2 < left ? 2 : need * 20 < left * 13 ? 3 : 4;
}

Turn turn_of(const Scene *scene, int seat, uint64_t hand) {
    int32_t odds[5], friend[5], enemies = 0, friends = 0;
    bool holds = scene->called >= 0 && hand >> scene->called & 1;
    Turn turn = {.scene = scene, .seat = seat, .hand = hand, .unseen = ~scene->seen & ~hand & (((uint64_t)1 << 40) - 1)};
    turn.role = role_of(scene, seat, holds);
    partner_odds(scene, turn.role == PARTNER ? -1 : seat, odds);
    turn.exposed = turn.role == PARTNER ? odds[seat] : 0;
    if (turn.role == PARTNER) {
        memset(odds, 0, sizeof odds);
        odds[seat] = CERTAIN;
    }
    friends_of(scene, seat, turn.role, odds, friend);
    for (int later = scene->on_table + 1; later < 5; later++) {
        int other = (scene->leader + later) % 5;
        friends += friend[other];
        enemies += CERTAIN - friend[other];
        turn.caller_to_come |= other == scene->caller;
    }
    turn.trump = trump_now(scene);
    turn.stage = scene->on_table == 0 ? 0 : scene->on_table < 4 ? 1 : 2;
    turn.left = 7 - scene->trick;
    turn.held = scene->on_table ? held_class(friend[scene->holder]) : 0;
    turn.pot = pot_class(scene->pot);
    turn.enemies = crowd_class(enemies);
    turn.friends = least(crowd_class(friends), 2);
    turn.need = need_class(scene, odds);
    turn.trumps = turn.trump < 0 ? 0 : least(popcount(hand & SUIT_MASK(turn.trump)), 4) - 1;
    turn.trumps = turn.trumps < 0 ? 0 : turn.trumps;
    turn.who = scene->on_table == 0 ? 0 : scene->holder == scene->caller ? 1 : odds[scene->holder] > 128 ? 2 : 3;
    turn.exposed = turn.exposed < 48 ? 0 : turn.exposed < 96 ? 1 : turn.exposed < 160 ? 2 : 3;
    return turn;
}

/* Where six of the tables begin for this turn: each has twelve numbers, one for what a card does to the trick. */
static void find_rows(const Turn *turn, int32_t *rows) {
    const Scene *scene = turn->scene;
    int role = turn->role, half = turn->left / 2, shown = turn->exposed * 2 + (turn->who == 1);
    rows[0] = TRICK_AT + ((role * 6 + turn->held) * 6 + turn->pot) * WHATS;
    rows[1] = COMING_AT + (((role * 6 + turn->held) * 4 + turn->enemies) * 3 + turn->friends) * WHATS;
    rows[2] = PLACE_AT + ((role * 5 + scene->on_table) * 2 + turn->caller_to_come) * WHATS;
    rows[3] = NEED_AT + ((role * 6 + turn->need) * 4 + half) * WHATS;
    rows[4] = WHO_AT + (((role * 4 + turn->who) * 2 + turn->caller_to_come) * 5 + scene->on_table) * WHATS;
    rows[5] = role == PARTNER ? HIDE_AT + 1 + (shown * 3 + turn->stage) * WHATS : HIDE_AT;
}

/* What a card is and does in this turn. */
typedef struct {
    int card, trump, kind, takes, what, higher, beaten, suit;
} Look;

static Look look_at(const Turn *turn, int card) {
    const Scene *scene = turn->scene;
    const Pack *pack = scene->pack;
    uint64_t above = pack->above[card] & turn->unseen;
    Look look = {.card = card, .trump = card / 10 == turn->trump, .higher = least(popcount(above), 3)};
    look.kind = pack->value[card] * 2 + look.trump;
    look.takes = scene->on_table == 0 || card_beats(pack, card, scene->best, turn->trump);
    look.what = look.kind * 2 + look.takes;
    if (look.takes && turn->stage < 2) {
        int beaten = popcount(above | (look.trump || turn->trump < 0 ? 0 : turn->unseen & SUIT_MASK(turn->trump)));
        look.beaten = beaten == 0 ? 0 : beaten < 3 ? 1 : beaten < 6 ? 2 : beaten < 10 ? 3 : 4;
    }
    look.suit = least(popcount(turn->hand & SUIT_MASK(card / 10)), 4) - 1;
    return look;
}

/* The numbers of the other five tables for this card. */
static void find_own(const Turn *turn, const Look *look, int32_t *at) {
    const Scene *scene = turn->scene;
    int role = turn->role, half = turn->left / 2, strength = scene->pack->strength[look->card];
    at[0] = RANK_AT + ((role * 3 + turn->stage) * 4 + half) * 20 + look->trump * 10 + strength;
    at[1] = BEATEN_AT + ((role * 4 + turn->enemies) * 6 + turn->pot) * 10 + look->takes * 5 + look->beaten;
    at[2] = TRUMPS_AT + ((role * 8 + turn->left) * 4 + turn->trumps) * 8 + look->trump * 4 + look->higher;
    at[3] = look->card == scene->called ? CALLED_AT + (role * 8 + turn->left) * 6 + turn->held + 1 : CALLED_AT;
    at[4] = LEAD_AT;
    if (turn->stage == 0) at[4] += 1 + (((role * 4 + half) * 4 + look->higher) * 4 + look->suit) * 6 + look->kind;
}

/* One number of each table for this card: the features, in the order in which they are learned. */
void fill_features(const Turn *turn, int card, int32_t *at) {
    int32_t rows[ROWS], own[GROUPS - ROWS];
    Look look = look_at(turn, card);
    int what = look.what;
    find_own(turn, &look, own);
    find_rows(turn, rows);
    int hiding = turn->role == PARTNER ? what : 0;
    const int32_t order[GROUPS] = {own[0],         rows[0] + what, own[1],         rows[1] + what, own[2],          own[3],
                                   rows[2] + what, rows[3] + what, own[4],         rows[4] + what, rows[5] + hiding};
    memcpy(at, order, sizeof order);
}

/* --- hidden units --------------------------------------------------------------------------------- */

static int card_class(const Turn *turn, int card) {
    return (card / 10 == turn->trump) * 10 + turn->scene->pack->strength[card];
}

static void find_shared(const Turn *turn, int32_t *in) {
    const Scene *scene = turn->scene;
    const uint8_t *twelfths = scene->pack->twelfths;
    int role = turn->role, held = 0, out = scene->pack->total;
    uint64_t trumps = turn->trump < 0 ? 0 : SUIT_MASK(turn->trump);
    in[0] = IN_PLACE + role * 5 + scene->on_table;
    in[1] = IN_WHO + role * 8 + turn->who * 2 + turn->caller_to_come;
    in[2] = IN_POT + role * 6 + turn->pot;
    in[3] = IN_LEFT + role * 8 + turn->left;
    in[4] = IN_NEED + role * 6 + turn->need;
    in[5] = IN_BEST + (scene->on_table ? 1 + card_class(turn, scene->best) : 0);
    in[6] = IN_TRUMPS + popcount(turn->unseen & trumps);
    in[7] = IN_DEAR + least(popcount(turn->unseen & ~trumps & scene->pack->dear), 8);
    in[8] = IN_CALLED;
    if (scene->called >= 0) in[8] += 1 + scene->pack->strength[scene->called] * 2 + (scene->partner >= 0);
    in[9] = IN_CALLERS + role * 13 + twelfths[least(scene->points[scene->caller], 255)];
    in[10] = IN_MINE + role * 13 + twelfths[least(scene->points[turn->seat], 255)];
    for (int seat = 0; seat < 5; seat++) out -= scene->points[seat];
    in[11] = IN_OUT + twelfths[least(out, 255)];
    in[12] = IN_HOLDER + role * 5 + (scene->on_table ? (turn->seat - scene->holder + 5) % 5 : 0);
    in[13] = IN_SEAT + scene->on_table * 5 + (scene->caller - turn->seat + 5) % 5;
    for (int i = 0; i < 4; i++) {
        in[14 + i] = IN_TABLE + i * 41;
        if (i >= scene->on_table) continue;
        in[14 + i] += 1 + card_class(turn, scene->table[i]) * 2 + ((scene->leader + i) % 5 == scene->caller);
    }
    for (uint64_t own = turn->hand; own; own &= own - 1) {
        int card = __builtin_ctzll(own), led = scene->on_table && scene->table[0] / 10 == card / 10;
        int suit = card / 10 == turn->trump ? 2 : led;
        in[18 + held++] = IN_HAND + 1 + suit * 10 + scene->pack->strength[card];
    }
    while (held < 8) in[18 + held++] = IN_HAND;
}

static void find_inputs(const Turn *turn, const Look *look, int32_t *in) {
    const Scene *scene = turn->scene;
    int role = turn->role, card = look->card;
    int led = scene->on_table == 0 ? 0 : scene->table[0] / 10 == card / 10 ? 1 : 2;
    in[0] = IN_CARD + (role * 3 + turn->stage) * 20 + card_class(turn, card);
    in[1] = IN_TRICK + (role * 6 + turn->held) * WHATS + look->what;
    in[2] = IN_AT + scene->on_table * WHATS + look->what;
    in[3] = IN_BEATEN + role * 10 + look->takes * 5 + look->beaten;
    in[4] = IN_SUIT + look->trump * 16 + look->suit * 4 + look->higher;
    in[5] = IN_LED + led * 6 + look->kind;
    in[6] = IN_SHOWS + role * 2 + (card == scene->called);
    in[7] = IN_RICH + turn->pot * WHATS + look->what;
}

void fill_inputs(const Turn *turn, int card, int32_t *in) {
    Look look = look_at(turn, card);
    find_shared(turn, in);
    find_inputs(turn, &look, in + SHARED);
}

static void add_rows(const RacerPolicy *policy, const int32_t *in, int number, Units *units) {
    Units sum = *units;
    for (int i = 0; i < number; i++) sum += policy->row[in[i]];
    *units = sum;
}

/* What the hidden units add to a card's score; `shared` is what all cards have alike. */
static int32_t deep_score(const RacerPolicy *policy, const Turn *turn, const Look *look, const Units *shared) {
    int32_t in[OWN], score = 0;
    Units units = *shared;
    find_inputs(turn, look, in);
    add_rows(policy, in, OWN, &units);
    units &= units > 0;
    for (int unit = 0; unit < HIDDEN; unit++) score += units[unit] * policy->counts[unit];
    return score / UNIT;
}

int policy_scores(const Scene *scene, int seat, uint64_t hand, uint8_t *cards, int32_t *scores) {
    Turn turn = turn_of(scene, seat, hand);
    const int16_t *weight = scene->policy->weight;
    int32_t rows[ROWS], sums[WHATS] = {0};
    int number = 0, shared = turn.role == PARTNER ? ROWS : ROWS - 1;
    find_rows(&turn, rows);
    for (int row = 0; row < shared; row++) { /* what cards of one kind share is summed once */
        for (int what = 0; what < WHATS; what++) sums[what] += weight[rows[row] + what];
    }
    int hiding = shared < ROWS ? weight[HIDE_AT] : 0;
    int32_t in[SHARED];
    Units units = {0};
    if (scene->policy->deep) {
        find_shared(&turn, in);
        add_rows(scene->policy, in, SHARED, &units);
    }
    for (uint64_t legal = scene_legal(scene, hand); legal; legal &= legal - 1) {
        int32_t own[GROUPS - ROWS];
        Look look = look_at(&turn, __builtin_ctzll(legal));
        find_own(&turn, &look, own);
        cards[number] = (uint8_t)look.card;
        scores[number] = sums[look.what] + hiding + weight[own[0]] + weight[own[1]] + weight[own[2]] + weight[own[3]] +
                         weight[own[4]];
        if (scene->policy->deep) scores[number] += deep_score(scene->policy, &turn, &look, &units);
        number++;
    }
    return number;
}

int policy_card(const Scene *scene, int seat, uint64_t hand, Random *random) {
    uint8_t cards[8];
    int32_t scores[8], most = -(1 << 30);
    uint64_t legal = scene_legal(scene, hand);
    if ((legal & (legal - 1)) == 0) return __builtin_ctzll(legal);
    int number = policy_scores(scene, seat, hand, cards, scores);
    for (int i = 0; i < number; i++) most = scores[i] > most ? scores[i] : most;
    int32_t whole = 0;
    for (int i = 0; i < number; i++) whole += scores[i] = weight_of(scene->policy, most - scores[i]);
    int32_t draw = (int32_t)random_below(random, (uint32_t)whole);
    int at = 0;
    while (draw >= scores[at]) draw -= scores[at++];
    return cards[at];
}

void play_out(Scene *scene, uint64_t *hands, int tricks, Random *random) {
    while (scene->trick < tricks) {
        if (scene->naming >= 0) scene_name(scene, name_trump(scene, hands[scene->naming]));
        int seat = scene_turn(scene);
        int card = policy_card(scene, seat, hands[seat], random);
        hands[seat] ^= (uint64_t)1 << card;
        scene_play(scene, seat, card);
    }
}
