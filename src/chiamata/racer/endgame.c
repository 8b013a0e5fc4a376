#include "endgame.h"

#include <math.h>
#include <string.h>

int outcome_of(const Scene *scene, int partner) {
    int points = scene->points[scene->caller], tricks = scene->taken[scene->caller];
    if (partner != scene->caller) {
        points += scene->points[partner];
        tricks += scene->taken[partner];
    }
    return tricks == 8 ? RACER_BINS : tricks == 0 ? RACER_BINS + 1 : points;
}

/* Nobody has a choice in the last trick. */
static double play_last(Scene *scene, const uint64_t *hands, const Ends *ends) {
    while (scene->trick < 8) {
        int seat = scene_turn(scene);
        scene_play(scene, seat, __builtin_ctzll(hands[seat]));
    }
    return ends->payoff[outcome_of(scene, ends->partner)];
}

double play_exactly(const Scene *scene, const uint64_t *hands, const Ends *ends, double low, double high) {
    bool naming = scene->naming >= 0;
    if (scene->trick == 8) return ends->payoff[outcome_of(scene, ends->partner)];
    int seat = naming ? scene->naming : scene_turn(scene);
    bool ours = ends->side >> seat & 1;
    double best = ours ? -INFINITY : INFINITY;
    Scene next = *scene;
    if (scene->trick == 7 && !naming) return play_last(&next, hands, ends);
    for (uint64_t moves = naming ? 15 : scene_legal(scene, hands[seat]); moves; moves &= moves - 1) {
        int move = __builtin_ctzll(moves);
        uint64_t after[5];
        memcpy(after, hands, sizeof after);
        next = *scene;
        if (naming) {
            scene_name(&next, move);
        } else {
            after[seat] ^= (uint64_t)1 << move;
            scene_play(&next, seat, move);
        }
        double value = play_exactly(&next, after, ends, low, high);
        if (ours ? value > best : value < best) best = value;
        if (ours) low = fmax(low, best);
        else high = fmin(high, best);
        if (low >= high) break;
    }
    return best;
}
