/* The pane of the selected event: facts from the trace, and its row of the export. */
#ifndef NSC_VIEW_PANE_DETAILS_H
#define NSC_VIEW_PANE_DETAILS_H

#include "nsyscope/open.h"

#include "analysis/device/gaps.h"
#include "analysis/select/standing.h"
#include "view/kit/grid.h"
#include "view/kit/keymap.h"
#include "view/kit/page.h"
#include "view/scene/look.h"

/* The surroundings of a cursor without an event on its line. */
struct nsc_gap_facts {
    bool is_known; /* the line has events, or is a device's idle row */
    uint32_t lane; /* lane, line and cursor of the lookup */
    size_t line;
    nsc_time cursor;
    uint32_t summary_no;     /* number of the filter */
    nsc_event before, after; /* neighbours on the line; NSC_NONE: none */
    bool is_idle;            /* the line's device runs nothing at the cursor */
    struct nsc_gap idle;
};

/* Facts about the selected event from the trace, looked up once when it is selected. */
struct nsc_facts {
    nsc_event event;  /* NSC_NONE: no selection */
    nsc_event launch; /* launching API call; NSC_NONE */
    bool has_queue;
    nsc_time queue;                 /* from the end of the call to the start of the work */
    bool has_rank;                  /* known after the row: needs passes over all events */
    struct nsc_spread_pass *spread; /* while it is measured; NULL */
    struct nsc_standing rank;
    struct nsc_histogram histogram; /* known with the rank */
    struct nsc_gap_facts gap;       /* used without an event */
    uint32_t n_path; /* NVTX ranges around it (GPU work: around its launch), outermost first */
    nsc_event path[NSC_SCENE_PATH];
};

struct nsc_pane_details {
    struct nsc_facts facts;
    nsc_event before;       /* value of wanted before this input */
    nsc_event wanted;       /* event of the last request for a row; NSC_NONE: none */
    nsc_event row_of;       /* event of row; NSC_NONE: none fetched */
    nsc_event waited;       /* GPU work that row_of waited for; NSC_NONE: not known */
    struct nsc_details row; /* owned */
    uint32_t bin;           /* chosen bin of the histogram; NSC_NONE: none */
    nsc_event bin_of;
    nsc_event held; /* event shown for comparison; NSC_NONE: none */
};

/* Draws the events linked to the selected one, and lines to them, over the timeline. */
void nsc_pane_links_draw(const struct nsc_scene *scene, const struct nsc_pane_details *details,
                         struct nsc_grid *grid);
/* The GPU work that the selected event waited for; NSC_NONE: not known. */
nsc_event nsc_pane_details_waited(const struct nsc_scene *scene,
                                  const struct nsc_pane_details *details);
bool nsc_pane_details_can_choose(const struct nsc_pane_details *details);
bool nsc_pane_details_can_show(const struct nsc_pane_details *details);
int nsc_pane_details_draw(const struct nsc_scene *scene, const struct nsc_pane_details *details,
                          const struct nsc_keymap *keymap, int top, struct nsc_grid *grid,
                          struct nsc_rect rect);
void nsc_pane_row_put(const struct nsc_scene *scene, const struct nsc_gap_facts *gap,
                      const struct nsc_keymap *keymap, struct nsc_page *page);

/* The bins of the histogram with the event, and chosen by the user; NSC_NONE: none. */
uint32_t nsc_pane_details_own_bin(const struct nsc_scene *scene,
                                  const struct nsc_pane_details *details);
uint32_t nsc_pane_details_chosen_bin(const struct nsc_pane_details *details);

#endif
