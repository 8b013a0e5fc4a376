/* Which move: imperfect-information Monte Carlo (Furtak and Buro 2013) over worlds that fit what is known.

   In each world each move is tried and everybody, the mover's later self included, plays on by the policy,
   which looks at one hand only.  The same dice serve all moves, so differences are small in noise.  Moves that
   fall behind are given up by halves (sequential halving, Karnin, Koren and Somekh 2013). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "endgame.h"
#include "greedy.h"
#include "worlds.h"

enum { MOVES = 8 };

typedef struct {
    const Past *past;
    const World *worlds;
    const double (*payoff)[PAYOFFS];
    float *values; /* [move][playout] */
    int32_t room, count, playouts;
    int32_t move[MOVES], alive[MOVES], done[MOVES];
    double sum[MOVES];
    uint64_t seed;
} Search;

static double end_exactly(const Search *search, const Scene *scene, const uint64_t *hands) {
    int partner = scene->partner, seat = search->past->view->seat;
    for (int one = 0; one < 5; one++) {
        if (hands[one] >> scene->called & 1) partner = one;
    }
    int callers = 1 << scene->caller | 1 << partner;
    Ends ends = {search->payoff[partner == scene->caller], partner, callers >> seat & 1 ? callers : ~callers};
    return play_exactly(scene, hands, &ends, -INFINITY, INFINITY);
}

static double play_once(const Search *search, int move, int number) {
    const Past *past = search->past;
    Scene scene = past->now;
    uint64_t hands[5];
    memcpy(hands, search->worlds[number % past->thought->worlds].hands, sizeof hands);
    Random random = random_from(search->seed + (uint64_t)number * 0xd1342543de82ef95ull);
    int seat = past->view->seat;
    if (scene.naming >= 0) {
        scene_name(&scene, search->move[move]);
    } else {
        hands[seat] ^= (uint64_t)1 << search->move[move];
        scene_play(&scene, seat, search->move[move]);
    }
    if (past->thought->open) play_greedily(&scene, hands);
    else play_out(&scene, hands, 8 - past->thought->exact, &random);
    if (scene.trick < 8) return end_exactly(search, &scene, hands);
    return search->payoff[scene.partner == scene.caller][outcome_of(&scene, scene.partner)];
}

static void play_more(Search *search, int move, int playouts) {
    int until = search->done[move] + playouts;
    until = until < search->room ? until : search->room;
    for (int i = search->done[move]; i < until; i++) {
        double value = play_once(search, move, i);
        search->values[(size_t)move * (size_t)search->room + (size_t)i] = (float)value;
        search->sum[move] += value;
    }
    search->done[move] = until;
}

static int best_of(const Search *search) {
    int best = -1;
    for (int i = 0; i < search->count; i++) {
        if (!search->alive[i]) continue;
        if (best < 0 || search->sum[i] * search->done[best] > search->sum[best] * search->done[i]) best = i;
    }
    return best;
}

/* Mean and standard error of the difference between two moves over the playouts that both have. */
static void compare(const Search *search, int one, int other, double *mean, double *error) {
    int both = search->done[one] < search->done[other] ? search->done[one] : search->done[other];
    const float *a = search->values + (size_t)one * (size_t)search->room;
    const float *b = search->values + (size_t)other * (size_t)search->room;
    double sum = 0, squares = 0;
    for (int i = 0; i < both; i++) {
        double difference = (double)a[i] - b[i];
        sum += difference;
        squares += difference * difference;
    }
    *mean = both ? sum / both : 0;
    *error = both > 1 ? sqrt(fmax(0, squares / both - *mean * *mean) / (both - 1)) : INFINITY;
}

/* Gives up the worse half, and whatever is clearly behind.  Returns how many are left. */
static int give_up(Search *search, int keep) {
    int best = best_of(search), alive = 0;
    double behind[MOVES];
    for (int i = 0; i < search->count; i++) {
        double error;
        if (!search->alive[i]) continue;
        compare(search, best, i, &behind[i], &error);
        if (i != best && behind[i] > search->past->thought->sure * error) search->alive[i] = 0;
        alive += search->alive[i];
    }
    while (alive > keep) {
        int worst = -1;
        for (int i = 0; i < search->count; i++) {
            if (search->alive[i] && i != best && (worst < 0 || behind[i] > behind[worst])) worst = i;
        }
        search->alive[worst] = 0;
        alive--;
    }
    return alive;
}

static void run(Search *search) {
    int alive = search->count, rounds = 1;
    while (1 << rounds < search->count) rounds++;
    int each_round = search->playouts / rounds;
    if (search->past->thought->sure <= 0 || alive == 1) { /* no halving: all moves alike */
        for (int i = 0; i < search->count; i++) play_more(search, i, search->playouts / search->count);
        return;
    }
    for (int round = 0; round < rounds && alive > 1; round++) {
        int more = each_round / alive + 1;
        for (int i = 0; i < search->count; i++) {
            if (search->alive[i]) play_more(search, i, more);
        }
        alive = give_up(search, round + 1 < rounds ? (alive + 1) / 2 : alive);
    }
}

static void tell(const Search *search, RacerThinking *thinking) {
    int best = best_of(search);
    thinking->count = search->count;
    for (int i = 0; i < search->count; i++) {
        RacerMove *move = &thinking->moves[i];
        double difference;
        move->move = search->move[i];
        move->playouts = search->done[i];
        compare(search, best, i, &difference, &move->error);
        move->mean = search->sum[best] / search->done[best] - difference;
    }
}

static void believe(const Past *past, const World *worlds, RacerThinking *thinking) {
    int number = past->thought->worlds, called = past->view->called;
    for (int i = 0; i < number; i++) {
        for (int seat = 0; seat < 5; seat++) {
            if (past->now.partner < 0 && called >= 0 && worlds[i].hands[seat] >> called & 1) {
                thinking->partner[seat] += 1.0 / number;
            }
            uint64_t cards = seat == past->view->seat ? 0 : worlds[i].hands[seat];
            for (; cards; cards &= cards - 1) thinking->where[__builtin_ctzll(cards)][seat] += 1.0f / (float)number;
        }
    }
    if (past->now.partner >= 0) thinking->partner[past->now.partner] = 1;
    for (int i = 0; i < past->view->plays; i++) {
        int kind = past->kinds[i];
        thinking->told[i] = kind < 0 ? 0 : (double)past->now.policy->evidence[kind / KINDS][kind % KINDS] / UNIT;
    }
}

static int list_moves(const Past *past, int32_t *moves) {
    uint64_t legal = past->now.naming >= 0 ? 15 : scene_legal(&past->now, past->hand);
    int count = 0;
    for (; legal; legal &= legal - 1) moves[count++] = __builtin_ctzll(legal);
    return count;
}

static int32_t search(Search *search, RacerThinking *thinking) {
    const RacerThought *thought = search->past->thought;
    search->count = list_moves(search->past, search->move);
    search->playouts = thought->playouts;
    /* Where the end is exact nothing is drawn: each world needs each move once. */
    bool drawn = 8 - search->past->now.trick > thought->exact || thought->open;
    int each = thought->worlds * search->count;
    if (!drawn) search->playouts = search->playouts < each ? search->playouts : each;
    search->room = drawn ? search->playouts + search->count : thought->worlds;
    search->values = malloc((size_t)search->count * (size_t)search->room * sizeof *search->values);
    if (!search->values) return RACER_NO_MEMORY;
    for (int i = 0; i < search->count; i++) search->alive[i] = 1;
    run(search);
    tell(search, thinking);
    free(search->values);
    return 0;
}

static bool sensible(const RacerThought *thought) {
    return thought->worlds > 0 && thought->worlds <= 1 << 20 && thought->draws > 0 && thought->draws <= 64 &&
           thought->playouts >= 0 && thought->playouts <= 1 << 24 && thought->exact >= 0 && thought->exact <= 8;
}

static World *room_for(const RacerThought *thought) {
    return malloc((size_t)thought->worlds * (size_t)thought->draws * sizeof(World));
}

int32_t racer_think(const RacerMinds *minds, const RacerVariant *variant, const RacerView *view,
                    const RacerThought *thought, RacerThinking *thinking) {
    Past past;
    memset(thinking, 0, sizeof *thinking);
    int32_t code = sensible(thought) ? past_make(&past, minds->habits, variant, view, thought) : RACER_BAD_POSITION;
    if (code) return code;
    bool turn = past.now.trick < 8 && view->seat == (past.now.naming >= 0 ? past.now.naming : scene_turn(&past.now));
    World *worlds = room_for(thought);
    if (!worlds) return RACER_NO_MEMORY;
    Random random = random_from(thought->seed);
    code = worlds_draw(&past, worlds, &random);
    if (!code) {
        believe(&past, worlds, thinking);
        Search job = {.past = &past, .worlds = worlds, .payoff = minds->payoff, .seed = random_next(&random)};
        past.now.policy = minds->policy;
        if (turn && thought->playouts > 0 && view->called >= 0) code = search(&job, thinking);
    }
    free(worlds);
    return code;
}

int32_t racer_worlds(const RacerPolicy *policy, const RacerVariant *variant, const RacerView *view,
                     const RacerThought *thought, uint64_t *hands) {
    Past past;
    int32_t code = sensible(thought) ? past_make(&past, policy, variant, view, thought) : RACER_BAD_POSITION;
    if (code) return code;
    World *worlds = room_for(thought);
    if (!worlds) return RACER_NO_MEMORY;
    Random random = random_from(thought->seed);
    code = worlds_draw(&past, worlds, &random);
    for (int i = 0; i < thought->worlds && !code; i++) memcpy(hands + 5 * i, worlds[i].hands, sizeof worlds[i].hands);
    free(worlds);
    return code ? code : thought->worlds;
}

/* --- contracts ------------------------------------------------------------------------------------ */

/* Names the call in this world and plays on; counts what came of it for the viewer. */
static void play_contract(const Past *past, const World *world, int strength, uint64_t seed,
                          int32_t bins[3][2][PAYOFFS]) {
    Scene scene = past->now;
    Random random = random_from(seed);
    int caller = scene.caller, seat = past->view->seat;
    uint64_t hands[5], dealt = world->hands[caller] | past->fell[caller];
    double points;
    memcpy(hands, world->hands, sizeof hands);
    if (scene.called < 0) {
        scene.called = best_call(past, dealt, strength, &points);
        if (scene.called < 0) return;
        scene.trump = scene.called / 10;
    }
    for (int one = 0; one < 5; one++) {
        if (past->fell[one] >> scene.called & 1) scene.partner = one;
    }
    bool held = hands[seat] >> scene.called & 1 || scene.partner == seat;
    play_out(&scene, hands, 8, &random);
    int role = seat == caller ? 0 : held ? 1 : 2;
    bins[role][scene.partner == caller][outcome_of(&scene, scene.partner)]++;
}

int32_t racer_contract(const RacerPolicy *policy, const RacerVariant *variant, const RacerView *view,
                       const RacerThought *thought, int32_t call, int32_t bins[3][2][PAYOFFS]) {
    Past past;
    memset(bins, 0, 3 * sizeof *bins);
    int32_t code = sensible(thought) ? past_make(&past, policy, variant, view, thought) : RACER_BAD_POSITION;
    if (code) return code;
    World *worlds = room_for(thought);
    if (!worlds) return RACER_NO_MEMORY;
    Random random = random_from(thought->seed);
    code = worlds_draw(&past, worlds, &random);
    for (int i = 0; i < thought->playouts && !code; i++) {
        play_contract(&past, &worlds[i % thought->worlds], call, random_next(&random), bins);
    }
    free(worlds);
    return code;
}

/* --- for training --------------------------------------------------------------------------------- */

static const RacerThought NOTHING = {.worlds = 1, .draws = 1};

int32_t racer_features(const RacerPolicy *policy, const RacerVariant *variant, const RacerView *view, int32_t *out) {
    Past past;
    int32_t moves[MOVES], code = past_make(&past, policy, variant, view, &NOTHING);
    if (code) return code;
    Turn turn = turn_of(&past.now, view->seat, past.hand);
    int count = list_moves(&past, moves);
    for (int i = 0; i < count; i++) {
        *out++ = moves[i];
        fill_features(&turn, moves[i], out);
        fill_inputs(&turn, moves[i], out + GROUPS);
        out += GROUPS + INPUTS;
    }
    return count;
}

int32_t racer_kinds(const RacerPolicy *policy, const RacerVariant *variant, const RacerView *view, int32_t *out) {
    Past past;
    int32_t code = past_make(&past, policy, variant, view, &NOTHING);
    if (code) return code;
    memcpy(out, past.kinds, (size_t)view->plays * sizeof *out);
    return view->plays;
}
