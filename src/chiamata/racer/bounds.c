/* What a side takes for sure, read off between two tricks without any search.

   Nobody need follow suit, so a trump above every enemy trump wins a trick of
   its owner's choice.  Once the enemy has no trump all trumps do, and with the
   lead (or a trump to get it) side-suit cards above the enemy's too.  Enemy
   trumps kill at most one lower trump each.  Into these tricks fall the
   partner's best cards and, once the enemy's lisci are gone, honours of his. */
#include "search.h"

/* At least so many points in any k cards that a seat may choose of its `tricks` cards. */
static int forced_points(const Search *s, int seat, int k, int tricks) {
    const Rules *r = &s->rules;
    Cards hand = s->hand[seat];
    if (s->lazy[seat] && s->level == 2) {
        int figures = (int)(s->held[seat] >> 4 & 15), carichi = (int)(s->held[seat] >> 8 & 15), first = 0;
        for (int i = 0; i < r->honours; i++) {
            int trumps = count(hand & r->honour[i] & TRUMPS);
            bool figure = r->value[i] * 2 <= r->value[r->honours - 1];
            *(figure ? &figures : &carichi) += trumps;
            if (!figure && !first) first = r->value[i];
        }
        k -= tricks - figures - carichi;
        if (k <= 0) return 0;
        bool any_figure = r->honours && r->value[0] * 2 <= r->value[r->honours - 1];
        int low = any_figure ? r->value[0] : first;
        return k <= figures ? low * k : low * figures + first * (k - figures);
    }
    k -= tricks - count(hand & ~r->worthless);
    return k > 0 ? r->cheap[honours_code(r, hand)][k] : 0;
}

/* Cards of the side that win a trick each against everything the enemy holds. */
static Cards masters(const Search *s, int callers, int leader, Cards own, Cards enemy) {
    Cards trumps = own & TRUMPS;
    if (enemy & TRUMPS) return trumps & above(highest(enemy & TRUMPS));
    Cards playable = 0;
    for (int seat = 0; seat < SEATS; seat++) {
        if (s->callers[seat] != callers || !(seat == leader || s->hand[seat] & TRUMPS)) continue;
        Cards hand = s->hand[seat];
        if (s->lazy[seat]) {
            bool certain = s->level == 1 && (int)(s->held[seat] & 15) == count(hand & s->pool[0]);
            if (!certain) hand &= ~s->pooled;
        }
        playable |= hand;
    }
    Cards cards = trumps;
    for (int lane = 1; lane < 4 && playable; lane++) {
        Cards top = playable & LANE(lane), theirs = enemy & LANE(lane);
        cards |= theirs ? top & above(highest(theirs)) : top;
    }
    return cards;
}

/* Own trumps that no enemy trump can be spent on: each enemy trump kills one below it. */
static int unkilled(Cards own, Cards enemy) {
    int killers = 0, alive = 0;
    for (Cards trumps = own | enemy; trumps;) {
        int top = highest(trumps);
        trumps ^= BIT(top);
        if (enemy >> top & 1) killers++;
        else if (killers) killers--;
        else alive++;
    }
    return alive;
}

/* The dearest cards that partners of the masters' owners can throw into their tricks. */
static int thrown_in(const Search *s, int seat, Cards winning, Cards barred) {
    if (s->lazy[seat] && s->level == 2) return 0;
    int tricks = count(winning) - count(s->hand[seat] & winning);
    if (tricks <= 0) return 0;
    return s->rules.dear[honours_code(&s->rules, s->hand[seat] & ~winning & ~barred)][tricks];
}

/* Least total of what is still in play, where a lazy seat may have thrown away dear or cheap cards. */
static int least_left(const Search *s, int tricks, int left) {
    if (s->level < 2) return left;
    int sum = tricks * s->rules.variant.per_trick;
    for (int seat = 0; seat < SEATS; seat++) {
        Cards hand = s->hand[seat];
        sum += points_of(&s->rules, s->lazy[seat] ? hand & TRUMPS : hand);
        for (int i = 1; s->lazy[seat] && i < 3; i++) {
            int n = (int)(s->held[seat] >> 4 * i & 15);
            for (int j = 0; n && j < s->rules.honours; j++) {
                if (!(hand & s->pool[i] & s->rules.honour[j])) continue;
                sum += n * s->rules.value[j];
                break;
            }
        }
    }
    return sum;
}

int surely_taken(const Search *s, int callers, int leader, int tricks, int left) {
    Cards own = 0;
    for (int seat = 0; seat < SEATS; seat++) own |= s->hand[seat] & -(Cards)(s->callers[seat] == callers);
    const Cards enemy = s->all & ~own;
    Cards winning = masters(s, callers, leader, own, enemy);
    int sure = count(winning), extra = 0;
    if (sure >= tricks) return callers ? least_left(s, tricks, left) : left;
    if (enemy & TRUMPS) {
        int trumps = count(own & TRUMPS);
        if (trumps > sure && trumps <= tricks) extra = unkilled(own & TRUMPS, enemy & TRUMPS) - sure;
    }
    if (sure + extra == 0) return 0;
    int sum = points_of(&s->rules, winning) + (sure + extra) * s->rules.variant.per_trick;
    for (int seat = 0; seat < SEATS; seat++) {
        if (s->callers[seat] == callers) sum += thrown_in(s, seat, winning, extra ? TRUMPS : 0);
        else sum += forced_points(s, seat, sure + extra, tricks);
    }
    return sum;
}
