/*
 * Draws one lane as a line of bars: chooses the glyph, role and hue of each column of a window.
 *
 * A column that an event touches is never drawn empty. A column that is partly idle is never drawn
 * full.
 */
#ifndef NSC_VIEW_MODEL_BARS_H
#define NSC_VIEW_MODEL_BARS_H

#include "nsyscope/summary.h"

#include "view/kit/grid.h"

struct nsc_bars_look {
    enum nsc_role role;
    uint8_t shade;
};

/*
 * The looks of names, found once a frame: reading the words of a name takes longer than drawing its
 * bars. All zero at first. Serves several traces, each with one setting of export_colors.
 */
struct nsc_bars_looks {
    struct nsc_bars_known {
        const struct nsc_trace *trace;
        nsc_name name; /* 0: none; the unknown name is looked up every time */
        uint8_t kind;
        struct nsc_bars_look look;
    } known[256];
};

/* Common to all lanes of a frame. */
struct nsc_bars {
    const struct nsc_trace *trace;
    const struct nsc_summary *summary;
    struct nsc_window window;
    nsc_event selected;           /* NSC_NONE: none */
    bool demangled;               /* full names instead of brief ones */
    struct nsc_bin *bins;         /* scratch, one per column of the widest line */
    struct nsc_bars_looks *looks; /* scratch of a frame */
    bool export_colors;           /* NVTX ranges use the export's colours */
};

/* In a rect with several rows, the busy part has more steps, and a bar shows its duration below its
 * name. */
void nsc_bars_draw(const struct nsc_bars *bars, struct nsc_grid *grid, struct nsc_rect rect,
                   uint32_t lane);
/* Draws consecutive events, starting at first, each slot columns wide, whatever their times. */
void nsc_bars_draw_logical(const struct nsc_bars *bars, struct nsc_grid *grid, struct nsc_rect rect,
                           uint32_t lane, nsc_event first);

/* The name without the number that PyTorch appends to count calls. */
struct nsc_text nsc_bars_text(struct nsc_text text);

#define NSC_BARS_SLOT 12 /* columns of an event in logical order */

/* Role and shade of an event; equal at every zoom and in every export. */
enum nsc_role nsc_bars_role(const struct nsc_trace *trace, nsc_event event);
/* Kernels: the hues of the family of their name. */
uint8_t nsc_bars_shade(const struct nsc_trace *trace, nsc_event event);
/* The hue of the NVTX gradient that is nearest to a colour; false for greys. */
bool nsc_bars_export_shade(uint8_t *out, uint32_t argb);

/* A lower block for the busy part, in eighths: 0 for an idle column, else 1..7 unless all of it is
 * busy. */
uint32_t nsc_bars_eighths(nsc_time part, nsc_time whole);
extern const char *const nsc_bars_lower[9];
/* Draws such a block for the time of each column of a window that is busy. */
void nsc_bars_times_draw(struct nsc_grid *grid, struct nsc_rect rect, struct nsc_window w,
                         const nsc_time times[], enum nsc_role role, uint8_t shade);

#endif
