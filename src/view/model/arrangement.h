/*
 * The user's arrangement of the rows: order, hidden and pinned rows, heights.
 *
 * The zero value is the natural arrangement of any trace; init makes room for changes. The owner
 * calls fini. Tracks stay in their group: a group moves as a whole.
 */
#ifndef NSC_VIEW_MODEL_ARRANGEMENT_H
#define NSC_VIEW_MODEL_ARRANGEMENT_H

#include "nsyscope/trace.h"

#define NSC_ARRANGEMENT_PINS   32 /* rows, at most */
#define NSC_ARRANGEMENT_HEIGHT 6  /* lines of a row, at most */

/* A row: what is drawn of a track. */
struct nsc_pin {
    uint32_t track, index; /* index: which lane of it */
    uint8_t kind;          /* enum nsc_line_kind */
};

struct nsc_arrangement {
    uint32_t n; /* tracks; 0: not made, everything is natural */
    uint32_t *
        order; /* a permutation of the tracks in which each group is contiguous, its header first */
    uint64_t *hidden;                          /* a bit a track */
    uint8_t *height;                           /* a track: 1..NSC_ARRANGEMENT_HEIGHT, 0: as below */
    struct nsc_pin pins[NSC_ARRANGEMENT_PINS]; /* in the order in which they are shown */
    uint32_t n_pins;
    uint32_t stream;                     /* the stream with the cursor; NSC_NONE: none */
    uint8_t stream_height, other_height; /* of that stream, of the other ones; 0: as below */
    uint8_t spare_height;                /* of streams, where the screen has lines to spare; 0: 1 */
};

/* Resets to the natural arrangement of this trace; keeps the heights of streams. */
void nsc_arrangement_init(struct nsc_arrangement *arrangement, const struct nsc_trace *trace);
void nsc_arrangement_fini(struct nsc_arrangement *arrangement);

/* The track at a place of the order, and whether and how it is shown. */
uint32_t nsc_arrangement_track(const struct nsc_arrangement *arrangement, uint32_t place);
bool nsc_arrangement_hides(const struct nsc_arrangement *arrangement, uint32_t track);
uint8_t nsc_arrangement_height(const struct nsc_arrangement *arrangement,
                               const struct nsc_trace *trace, uint32_t track);

/* Swaps a row or group with its visible neighbour in the same group. False if there is none. */
bool nsc_arrangement_move(struct nsc_arrangement *arrangement, const struct nsc_trace *trace,
                          uint32_t track, bool down);
/*
 * The members of each group that is not in its natural order, as they stand now: out has room for
 * every track; returns how many. With their places in it as ranks, sort makes this order of the
 * natural one.
 */
uint32_t nsc_arrangement_moved(const struct nsc_arrangement *arrangement,
                               const struct nsc_trace *trace, uint32_t *out);
/* Members of a group that have a rank change places among themselves until their ranks ascend, the
 * others stay. rank: of each track, below their count and no two alike, or NSC_NONE. */
void nsc_arrangement_sort(struct nsc_arrangement *arrangement, const struct nsc_trace *trace,
                          const uint32_t rank[]);
/* Hides a track; a group with all its rows. */
void nsc_arrangement_hide(struct nsc_arrangement *arrangement, const struct nsc_trace *trace,
                          uint32_t track);
/* Shows a track and the groups around it. False: it was shown. */
bool nsc_arrangement_reveal(struct nsc_arrangement *arrangement, const struct nsc_trace *trace,
                            uint32_t track);
/* Shows every row. False: none was hidden. */
bool nsc_arrangement_reveal_all(struct nsc_arrangement *arrangement);
/*
 * Shows exactly the rows whose label an extended regular expression matches, the groups around them
 * and the rows of a group that it matches; returns how many it matched (with 0 nothing changes), or
 * what is wrong with the expression in *wrong.
 */
uint32_t nsc_arrangement_match(struct nsc_arrangement *arrangement, const struct nsc_trace *trace,
                               struct nsc_text pattern, const char **wrong);

/* The index of a row's pin; n_pins if it is not pinned. */
uint32_t nsc_arrangement_pin_find(const struct nsc_arrangement *arrangement, struct nsc_pin row);
/* Pins a row after the others, or unpins it. False if there are too many pins. */
bool nsc_arrangement_pin_toggle(struct nsc_arrangement *arrangement, struct nsc_pin row);

#endif
