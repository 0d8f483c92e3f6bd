/*
 * One lane as a line of bars: which glyph, role and hue each column of a window gets.
 *
 * A column that an event touches is never drawn empty; one that is not busy from end to end is
 * never drawn full.
 */
#ifndef NSC_VIEW_MODEL_BARS_H
#define NSC_VIEW_MODEL_BARS_H

#include "nsyscope/summary.h"

#include "analysis/names/kernel_name.h"
#include "view/kit/grid.h"

/* The same for every lane of a frame. */
struct nsc_bars {
    const struct nsc_trace *trace;
    const struct nsc_summary *summary;
    struct nsc_window window;
    nsc_event selected;   /* NSC_NONE: none */
    bool demangled;       /* full names instead of brief ones */
    struct nsc_bin *bins; /* scratch, one a column of the widest line */
    bool export_colors;   /* NVTX ranges take their hue from the export */
};

/* In a rect of several rows how busy a column is shows in as many more steps, and a bar has its
 * duration below its name. */
void nsc_bars_draw(const struct nsc_bars *bars, struct nsc_grid *grid, struct nsc_rect rect,
                   uint32_t lane);
/* Events one after the other from first on, each slot columns wide, whatever their times. */
void nsc_bars_draw_logical(const struct nsc_bars *bars, struct nsc_grid *grid, struct nsc_rect rect,
                           uint32_t lane, nsc_event first);

/* Hues [first, first + n) of the gradient of kernels. */
struct nsc_bars_hues {
    uint8_t first, n;
};
extern const struct nsc_bars_hues nsc_bars_hues[NSC_N_FAMILIES];

/* A name without what PyTorch puts behind it: a number that counts calls. */
struct nsc_text nsc_bars_text(struct nsc_text text);

#define NSC_BARS_SLOT 12 /* columns of an event in logical order */

/* Role and shade of an event, the same at every zoom and in every export. */
enum nsc_role nsc_bars_role(const struct nsc_trace *trace, nsc_event event);
/* Kernels: the hues of the family of their name. */
uint8_t nsc_bars_shade(const struct nsc_trace *trace, nsc_event event);
/* The hue of the NVTX gradient, which goes round the colours from red, that is nearest to a colour;
 * false for greys. */
bool nsc_bars_export_shade(uint8_t *out, uint32_t argb);

/* A lower block of so many eighths of a column, for the part that is busy: 1..7 when in between, 0
 * for none. */
uint32_t nsc_bars_eighths(nsc_time part, nsc_time whole);
extern const char *const nsc_bars_lower[9];

#endif
