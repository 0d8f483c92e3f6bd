/*
 * The pane of the selected event: what the trace knows of it, and its row of the export.
 */
#ifndef NSC_VIEW_PANE_DETAILS_H
#define NSC_VIEW_PANE_DETAILS_H

#include "nsyscope/open.h"

#include "analysis/device/gaps.h"
#include "analysis/select/standing.h"
#include "view/kit/grid.h"
#include "view/kit/keymap.h"
#include "view/kit/page.h"
#include "view/scene/look.h"

/* What surrounds a cursor without an event on its line. */
struct nsc_gap_facts {
    bool is_known; /* the line is one of events, or a device's idle row */
    uint32_t lane; /* with line and cursor: what was looked up */
    size_t line;
    nsc_time cursor;
    uint32_t summary_no;     /* of the filter */
    nsc_event before, after; /* on the line; NSC_NONE: none */
    bool is_idle;            /* the device of the line runs nothing at the cursor: idle */
    struct nsc_gap idle;
};

/* What the trace itself knows of the selected event, looked up once when it is selected. */
struct nsc_facts {
    nsc_event event;  /* NSC_NONE: no selection */
    nsc_event launch; /* the API call that launched it; NSC_NONE */
    bool has_queue;
    nsc_time queue;                 /* from the end of the call to the start of the work */
    bool has_rank;                  /* looked up after the row: it takes passes over all events */
    struct nsc_spread_pass *spread; /* while it is; NULL */
    struct nsc_standing rank;
    struct nsc_histogram histogram; /* with the rank */
    struct nsc_gap_facts gap;       /* without an event */
    uint32_t n_path; /* NVTX ranges around it (GPU work: around its launch), outermost first */
    nsc_event path[NSC_SCENE_PATH];
};

struct nsc_pane_details {
    struct nsc_facts facts;
    nsc_event before;       /* wanted before this input */
    nsc_event wanted;       /* its row was asked for last; NSC_NONE: none was */
    nsc_event row_of;       /* NSC_NONE: nothing was fetched */
    nsc_event waited;       /* the GPU work that row_of waited for; NSC_NONE: none is known */
    struct nsc_details row; /* owned */
    uint32_t bin;           /* chosen in the histogram; NSC_NONE: none */
    nsc_event bin_of;
    nsc_event held; /* shown besides, to compare with; NSC_NONE: none */
};

/* Over the timeline: what the event is linked to, and lines to it. */
void nsc_pane_links_draw(const struct nsc_scene *scene, const struct nsc_pane_details *details,
                         struct nsc_grid *grid);
/* The GPU work that the selected event waited for; NSC_NONE: none is known. */
nsc_event nsc_pane_details_waited(const struct nsc_scene *scene,
                                  const struct nsc_pane_details *details);
bool nsc_pane_details_can_choose(const struct nsc_pane_details *details);
bool nsc_pane_details_can_show(const struct nsc_pane_details *details);
int nsc_pane_details_draw(const struct nsc_scene *scene, const struct nsc_pane_details *details,
                          const struct nsc_keymap *keymap, int top, struct nsc_grid *grid,
                          struct nsc_rect rect);
void nsc_pane_row_put(const struct nsc_scene *scene, const struct nsc_gap_facts *gap,
                      const struct nsc_keymap *keymap, struct nsc_page *page);

/* The bins of the histogram that hold the event and that were chosen; NSC_NONE: none. */
uint32_t nsc_pane_details_own_bin(const struct nsc_scene *scene,
                                  const struct nsc_pane_details *details);
uint32_t nsc_pane_details_chosen_bin(const struct nsc_pane_details *details);

#endif
