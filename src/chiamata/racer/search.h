/* One zero-window search: does the caller's side still take `target` points?

   Three strictnesses.  Level 0 plays by the rules.  Levels 1 and 2 are generous
   to one side: cards it throws away are not decided ("one of my lisci is
   gone"), so the side keeps a set of cards it may hold and a count of how many
   it does hold.  What a generous caller's side cannot reach it cannot reach;
   what it reaches against generous defenders it does reach.  Level 1 pools the
   side-suit lisci, level 2 the side-suit figures and carichi too. */
#ifndef RACER_SEARCH_H
#define RACER_SEARCH_H

#include "rules.h"

enum Generous { NOBODY, CALLERS, DEFENDERS };

enum {
    FIRST_POOLED = 60, /* card codes 60 + i are discards from pool i, card unsaid */
    NO_CARD = 255,
    FULL_WIDTH = 15,   /* more than any number of cards to choose from */
    NO_VALUE = 999     /* more than any number of points */
};

/* What is known of a position between two tricks; four to a 64-byte line. */
typedef struct {
    uint64_t key;
    uint8_t low, high; /* the caller's side takes at least low, at most high from here */
    uint8_t card;      /* the lead that decided last time */
    uint8_t tricks : 4, width : 4; /* what the strict side failed at, it failed with so many cards to try */
    uint32_t job;      /* entries of earlier jobs count as empty */
} Entry;

/* Labelled moves on their way to the trainer of the ordering. */
typedef struct {
    int32_t *out;
    int32_t room, used, one_in;
    uint64_t dice;
} Sampler;

typedef struct {
    Rules rules;
    const int16_t *weights;

    /* the position */
    Cards hand[SEATS], all;
    uint32_t held[SEATS];  /* generous seats: how many lisci, figures, carichi are left, four bits each */
    uint8_t callers[SEATS]; /* 1: of the caller's side */
    int side_size;
    Cards called;          /* the called card while a change of trump may still come, else 0 */
    int called_seat;

    /* how strict */
    uint8_t lazy[SEATS];   /* 1: the generous side's seats */
    int generous, level;
    int width;             /* how many cards a strict seat may try in the generous searches */
    Cards pool[3], pooled; /* what lazy seats pool */
    uint64_t salt;

    /* memory */
    Entry *table;
    uint64_t table_mask;
    Entry *ends;           /* the same for two tricks left: smaller, the newest stays */
    uint64_t ends_mask;
    uint32_t job;

    /* limits */
    uint64_t nodes, node_limit;
    double deadline;       /* seconds on the clock, 0 none */
    bool stopped;

    Sampler *sampler;
} Search;

/* The table in the middle of a trick; one register wide. */
typedef struct {
    int16_t best, winner; /* the card that wins so far and who played it */
    int16_t pot;          /* points on the table */
    int16_t hint;         /* a card to try first, NO_CARD none */
} Table;

/* A trick begun: who led, what lies there, and how it is searched on. */
typedef struct {
    int leader, tricks, place; /* tricks left, this one included; place 0 leader .. 4 last */
    int target, left;          /* points asked for and still in play, both from the start of the trick */
    int led;                   /* the card led, if place > 0 */
    Table table;
} Start;

void search_set(Search *s, enum Generous generous, int level, int width);
/* Value, fail-soft: at least target if it is reached, less if it is not. Void once s->stopped. */
int search_between(Search *s, int leader, int tricks, int target, int left);
int search_within(Search *s, const Start *start);
int points_left(const Search *s, int tricks);

/* Points that one side surely takes from here on, whatever the other side does (bounds.c). */
int surely_taken(const Search *s, int callers, int leader, int tricks, int left);

#endif
