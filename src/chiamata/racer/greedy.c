#include "greedy.h"

/* How much the seat to play likes a card: the last takes fat tricks, friends feed, else the cheapest goes. */
static int liking(const Scene *scene, bool ours, int card) {
    const Pack *pack = scene->pack;
    int points = pack->points[card], place = scene->on_table;
    int trump = scene->trick == 0 && pack->first_plain ? -1 : scene->trump;
    int dear = card / 10 == trump ? 8 + pack->strength[card] : 0;
    if (place == 0) return -3 * points - dear;
    bool takes = card_beats(pack, card, scene->best, trump);
    if (place == 4 && ours && !takes) return 3 * points - (dear ? 10 : 0);
    if (place == 4 && takes) return 2 * (scene->pot + points) - (dear ? dear + 2 : 0);
    bool safe = scene->best / 10 == trump && pack->strength[scene->best] >= 7;
    if (place >= 2 && ours && !takes && safe) return 2 * points - (dear ? 10 : 0);
    return takes ? scene->pot - points - dear : -3 * points - dear;
}

static int likes_best(const Scene *scene, int side, int seat, uint64_t hand) {
    bool ours = scene->on_table && (side >> seat & 1) == (side >> scene->holder & 1);
    int best = -1, most = 0;
    for (uint64_t legal = scene_legal(scene, hand); legal; legal &= legal - 1) {
        int card = __builtin_ctzll(legal), like = liking(scene, ours, card);
        if (best < 0 || like > most) best = card, most = like;
    }
    return best;
}

void play_greedily(Scene *scene, uint64_t *hands) {
    int partner = scene->partner;
    for (int seat = 0; seat < 5; seat++) {
        if (hands[seat] >> scene->called & 1) partner = seat;
    }
    int side = 1 << scene->caller | 1 << partner;
    while (scene->trick < 8) {
        if (scene->naming >= 0) scene_name(scene, name_trump(scene, hands[scene->naming]));
        int seat = scene_turn(scene), card = likes_best(scene, side, seat, hands[seat]);
        hands[seat] ^= (uint64_t)1 << card;
        scene_play(scene, seat, card);
    }
}
