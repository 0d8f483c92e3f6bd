/*
 * The user's arrangement of the rows: order, hidden and pinned rows, heights.
 *
 * The zero value is the natural arrangement of any trace; init makes room for changes. The owner
 * calls fini. Tracks stay in their group: a group moves as a whole.
 */
#ifndef NSC_VIEW_MODEL_ARRANGEMENT_H
#define NSC_VIEW_MODEL_ARRANGEMENT_H

#include "nsyscope/trace.h"

#define NSC_ARRANGEMENT_PINS   32 /* most pinned rows */
#define NSC_ARRANGEMENT_HEIGHT 6  /* most lines of a row */

/* A row: one part of a track. */
struct nsc_pin {
    uint32_t track, index; /* index: a lane of the track */
    uint8_t kind;          /* enum nsc_line_kind */
};

static inline bool nsc_pin_is_same(struct nsc_pin a, struct nsc_pin b)
{
    return a.track == b.track && a.index == b.index && a.kind == b.kind;
}

struct nsc_arrangement {
    uint32_t n;       /* number of tracks; 0: everything is natural */
    uint32_t *order;  /* permutation of the tracks; groups are contiguous, with the header first */
    uint64_t *hidden; /* one bit per track */
    uint64_t *rest;   /* one bit per track: folded into the row of the rest, see rows.h */
    uint8_t *height;  /* by track: 1..NSC_ARRANGEMENT_HEIGHT; 0: see
                                                * below */
    struct nsc_pin pins[NSC_ARRANGEMENT_PINS]; /* in display order */
    uint32_t n_pins;
    uint32_t stream;                      /* stream with the cursor; NSC_NONE: none */
    uint32_t stream_height, other_height; /* of that stream, and of the others; 0: see below */
    uint32_t spare_height; /* height of streams if the screen has spare lines; 0: 1 */
};

/* Resets to the natural arrangement of this trace; keeps the heights of streams. */
void nsc_arrangement_init(struct nsc_arrangement *arrangement, const struct nsc_trace *trace);
/* A copy that has its own arrays. */
void nsc_arrangement_copy(struct nsc_arrangement *out, const struct nsc_arrangement *arrangement);
void nsc_arrangement_fini(struct nsc_arrangement *arrangement);

/* The track at a place of the order; whether it is shown, and its height. */
uint32_t nsc_arrangement_track(const struct nsc_arrangement *arrangement, uint32_t place);
bool nsc_arrangement_hides(const struct nsc_arrangement *arrangement, uint32_t track);
uint8_t nsc_arrangement_height(const struct nsc_arrangement *arrangement,
                               const struct nsc_trace *trace, uint32_t track);

/* Swaps a row or group with its visible neighbour in the same group. False if there is none. */
bool nsc_arrangement_move(struct nsc_arrangement *arrangement, const struct nsc_trace *trace,
                          uint32_t track, bool down);
/*
 * The members of each group that is not in natural order, in their present order: with them,
 * nsc_arrangement_sort restores it. out has room for every track. Returns their number.
 */
uint32_t nsc_arrangement_moved(const struct nsc_arrangement *arrangement,
                               const struct nsc_trace *trace, uint32_t *out);
/* Sorts the members of each group that are wanted in the order of wanted, among their own places;
 * the others stay. */
void nsc_arrangement_sort(struct nsc_arrangement *arrangement, const struct nsc_trace *trace,
                          const uint32_t wanted[], uint32_t n);
/* Hides a track; a group with all its rows. */
void nsc_arrangement_hide(struct nsc_arrangement *arrangement, const struct nsc_trace *trace,
                          uint32_t track);
/* Shows a track and the groups around it, also out of the row of the rest. False if it was
 * visible. */
bool nsc_arrangement_reveal(struct nsc_arrangement *arrangement, const struct nsc_trace *trace,
                            uint32_t track);
/* Empties the rows of the rest. False if there were none. */
bool nsc_arrangement_open_rest(struct nsc_arrangement *arrangement);
/* Shows every row. False if none was hidden. */
bool nsc_arrangement_reveal_all(struct nsc_arrangement *arrangement);
/*
 * Shows only the rows whose label matches an extended regular expression, the groups around them,
 * and all rows of matching groups. Returns the number of matches; 0 changes nothing. *wrong: the
 * error in the expression.
 */
uint32_t nsc_arrangement_match(struct nsc_arrangement *arrangement, const struct nsc_trace *trace,
                               struct nsc_text pattern, const char **wrong);

/* The index of a row's pin; n_pins if it is not pinned. */
uint32_t nsc_arrangement_pin_find(const struct nsc_arrangement *arrangement, struct nsc_pin row);
/* Pins a row after the others, or unpins it. False if there are too many pins. */
bool nsc_arrangement_pin_toggle(struct nsc_arrangement *arrangement, struct nsc_pin row);

#endif
