/* Softmax regression on sparse features, with hidden units or without, one pass at a time (Adagrad: Duchi, Hazan,
   Singer 2011). */
#include <math.h>
#include <string.h>

#include "policy.h"

enum { MOST_CARDS = 8 };

typedef struct {
    const RacerSet *set;
    float *weights, *slopes;
    float units[MOST_CARDS][HIDDEN]; /* of the sample at hand */
} Fit;

static int32_t counts_at(const RacerSet *set) { return set->weights + set->rows * HIDDEN; }

static float score(Fit *fit, int card, const int32_t *features) {
    const RacerSet *set = fit->set;
    const int32_t *in = features + set->groups;
    float sum = 0, *units = fit->units[card];
    for (int i = 0; i < set->groups; i++) sum += fit->weights[features[i]];
    if (!set->rows) return sum;
    memset(units, 0, sizeof fit->units[card]);
    for (int i = 0; i < set->inputs; i++) {
        const float *row = fit->weights + set->weights + in[i] * HIDDEN;
        for (int unit = 0; unit < HIDDEN; unit++) units[unit] += row[unit];
    }
    for (int unit = 0; unit < HIDDEN; unit++) {
        if (units[unit] > 0) sum += units[unit] * fit->weights[counts_at(set) + unit];
    }
    return sum;
}

static void move(Fit *fit, int32_t at, float gradient) {
    float slope = gradient + fit->set->decay * fit->weights[at];
    fit->slopes[at] += slope * slope;
    fit->weights[at] -= fit->set->rate * slope / (sqrtf(fit->slopes[at]) + 1e-6f);
}

static void step(Fit *fit, int card, const int32_t *features, float gradient) {
    const RacerSet *set = fit->set;
    const int32_t *in = features + set->groups;
    float back[HIDDEN];
    for (int i = 0; i < set->groups; i++) move(fit, features[i], gradient);
    if (!set->rows) return;
    for (int unit = 0; unit < HIDDEN; unit++) {
        float alive = fit->units[card][unit];
        back[unit] = alive > 0 ? gradient * fit->weights[counts_at(set) + unit] : 0;
        if (alive > 0) move(fit, counts_at(set) + unit, gradient * alive);
    }
    for (int i = 0; i < set->inputs; i++) {
        for (int unit = 0; unit < HIDDEN; unit++) {
            if (back[unit] != 0) move(fit, set->weights + in[i] * HIDDEN + unit, back[unit]);
        }
    }
}

double racer_fit(const RacerSet *set, float *weights, float *slopes) {
    Fit fit = {.set = set, .weights = weights, .slopes = slopes};
    const int32_t *features = set->features;
    const float *targets = set->targets;
    int wide = set->groups + set->inputs;
    double loss = 0;
    for (int64_t i = 0; i < set->samples; i++) {
        float chance[MOST_CARDS], most = -1e30f, whole = 0;
        int cards = set->cards[i];
        if (cards > MOST_CARDS) return -1;
        for (int c = 0; c < cards; c++) {
            chance[c] = score(&fit, c, features + c * wide);
            most = chance[c] > most ? chance[c] : most;
        }
        for (int c = 0; c < cards; c++) whole += chance[c] = expf(chance[c] - most);
        for (int c = 0; c < cards; c++) {
            chance[c] /= whole;
            loss -= targets[c] * log(chance[c] + 1e-12);
            if (set->rate > 0) step(&fit, c, features + c * wide, chance[c] - targets[c]);
        }
        features += cards * wide;
        targets += cards;
    }
    return loss / (double)(set->samples ? set->samples : 1);
}
