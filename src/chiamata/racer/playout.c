/* Random play: what a deal is worth when everybody plays any legal card. */
#include <stdbool.h>
#include <string.h>

#include "core.h"
#include "random.h"
#include "reference.h"

enum { HAND_CARDS = 8, PACK = 40 };

/* value[led][card]: larger wins; the low three bits stay free for the place in the trick. */
typedef struct {
    int16_t value[4][PACK];
    uint8_t points[PACK];
} Winning;

static void winning_make(Winning *table, const RacerVariant *variant, int led, bool trumps) {
    for (int card = 0; card < PACK; card++) {
        int suit = card / 10, class = trumps && suit == variant->trump ? 2 : suit == led;
        table->value[led][card] = (int16_t)((class * 16 + (class ? variant->strength[card] : 0)) << 3);
    }
}

/* The place 0..4 of the card that takes this trick; cards stand five to a trick. */
static inline int taker(const int16_t *value, const uint8_t *card) {
    int best = value[card[0]];
    for (int i = 1; i < 5; i++) {
        int other = value[card[i]] | i;
        best = other > best ? other : best;
    }
    return best & 7;
}

/* One deal of forty shuffled cards: seat s holds, and plays in this order, cards s, 5 + s, 10 + s ... */
static int shuffled_deal(const Winning tables[2], const RacerPosition *seats, const RacerVariant *variant,
                         const uint8_t *pack) {
    int leader = seats->leader, sum = 0;
    for (int trick = 0; trick < HAND_CARDS; trick++) {
        const Winning *table = &tables[trick == 0 && variant->first_plain];
        const uint8_t *dealt = pack + 5 * trick;
        uint8_t card[5];
        int points = variant->per_trick;
        for (int i = 0; i < 5; i++) {
            int seat = leader + i;
            seat -= seat >= 5 ? 5 : 0;
            card[i] = dealt[seat];
            points += table->points[card[i]];
        }
        leader += taker(table->value[card[0] / 10], card);
        leader -= leader >= 5 ? 5 : 0;
        sum += points & -(seats->side >> leader & 1);
    }
    return sum;
}

static void shuffle_form(const RacerVariant *variant, const RacerPosition *seats, int64_t games, Random *random,
                         int64_t *bins) {
    Winning tables[2];
    for (int plain = 0; plain < 2; plain++) {
        for (int led = 0; led < 4; led++) winning_make(&tables[plain], variant, led, !plain);
        for (int card = 0; card < PACK; card++) tables[plain].points[card] = (uint8_t)variant->points[card];
    }
    uint8_t pack[PACK];
    for (int card = 0; card < PACK; card++) pack[card] = (uint8_t)card;
    for (int64_t game = 0; game < games; game++) {
        random_shuffle(random, pack);
        bins[shuffled_deal(tables, seats, variant, pack)]++;
    }
}

/* The n-th card of a set, lowest first. */
static int nth_card(uint64_t cards, int n) {
    for (; n > 0; n--) cards &= cards - 1;
    return __builtin_ctzll(cards);
}

static int stepped_game(Game *game, Random *random) {
    while (game_running(game)) {
        if (game_naming(game)) {
            game_name(game, (int)random_below(random, 4));
            continue;
        }
        uint64_t legal = game_legal(game);
        game_play(game, nth_card(legal, (int)random_below(random, (uint32_t)__builtin_popcountll(legal))));
    }
    return game->taken;
}

int32_t racer_playouts(const RacerVariant *variant, const RacerPosition *position, int64_t games, uint64_t seed,
                       int32_t form, int64_t *bins) {
    RacerPosition start = *position;
    bool deal = !(start.hands[0] | start.hands[1] | start.hands[2] | start.hands[3] | start.hands[4]);
    uint8_t pack[PACK];
    for (int card = 0; card < PACK; card++) pack[card] = (uint8_t)card;
    if (deal) game_deal(&start, pack);
    Game game;
    int32_t code = game_start(&game, variant, &start);
    if (code) return code;
    Random random = random_from(seed);
    memset(bins, 0, RACER_BINS * sizeof *bins);
    if (form == 0) {
        if (!deal || variant->follow_last || variant->trump_change) return RACER_BAD_VARIANT;
        shuffle_form(variant, &start, games, &random, bins);
        return 0;
    }
    for (int64_t i = 0; i < games; i++) {
        if (deal) {
            random_shuffle(&random, pack);
            game_deal(&start, pack);
            game_start(&game, variant, &start);
        }
        Game copy = game;
        bins[stepped_game(&copy, &random)]++;
    }
    return 0;
}
