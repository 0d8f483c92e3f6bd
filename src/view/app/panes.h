/*
 * The selected range, the panes that count and list what is in it, and what is copied: their state
 * and what the files of the application call of each other. Private to app*.c and pane_*.c.
 */
#ifndef NSC_VIEW_APP_PANES_H
#define NSC_VIEW_APP_PANES_H

#include "analysis/select/listing.h"
#include "analysis/select/selection.h"
#include "core/buf.h"
#include "view/app/app.h"
#include "view/app/filter.h"
#include "view/kit/action.h"
#include "view/kit/list.h"

/* ---- a pane's subject: the rows of one line or of all devices, in the range or the window ---- */

struct nsc_subject {
    const struct nsc_summary *summary; /* never looked into: another may stand there by now */
    uint64_t count;                    /* of its events, and their ns: tell it from that other */
    nsc_time busy;
    struct nsc_window window;
    bool is_range;
    bool every;           /* all rows of all devices */
    uint32_t track, lane; /* of the line; lane NSC_NONE: of the whole group */
    bool brief;
};

/* What a pane shows now is about. */
struct nsc_subject nsc_app_subject(const struct nsc_app *app, bool every);
bool nsc_subject_equal(const struct nsc_subject *a, const struct nsc_subject *b);
/* The lanes it is about: the caller frees them. */
uint32_t *nsc_app_subject_lanes(const struct nsc_app *app, const struct nsc_subject *question,
                                uint32_t *n);
/* "range 6.80 ms  S21 nccl · GPU 0". */
struct nsc_page;
void nsc_app_subject_put(const struct nsc_app *app, const struct nsc_subject *question,
                         struct nsc_page *page);
/* A track's label, and its group's behind it. */
void nsc_app_place_put(const struct nsc_app *app, struct nsc_page *page, uint32_t track);
/* The label of a track's export. */
struct nsc_text nsc_app_capture_label(const struct nsc_app *app, uint32_t track);
/* A name with # for each counter. */
struct nsc_text nsc_app_name_text(const struct nsc_app *app, nsc_name name, char scratch[]);

/* ---- the panes ---- */

struct nsc_app_selection {
    struct nsc_subject question;
    struct nsc_selection *made; /* NULL: not asked yet */
    enum nsc_pivot pivot, made_pivot;
    bool every;
    struct nsc_list list; /* of groups */
};

struct nsc_app_events {
    struct nsc_subject question;
    bool is_made;
    struct nsc_listing listing;
    enum nsc_listing_order order; /* wanted */
    bool is_late;                 /* it is not in that order yet */
    struct nsc_list list;
    nsc_event cursor_of; /* the selected event that the list's cursor is for */
    /* Only events like this one, of such a duration; NSC_NONE: all. */
    nsc_event like;
    struct nsc_window durations;
    bool is_group;            /* of that name in the rows and window of group instead */
    struct nsc_subject group; /* what the statistics were about */
    struct nsc_pick alike;    /* they are; empty without like */
};

struct nsc_app_panes {
    bool focus; /* keys go to the bottom pane */
    struct nsc_app_selection selection;
    struct nsc_app_events events;
    bool marking; /* the range follows the cursor */
    nsc_time mark;
    uint32_t copies; /* how often in a row something was copied */
    struct nsc_buf copied;
};

void nsc_app_panes_init(struct nsc_app *app);
void nsc_app_panes_fini(struct nsc_app *app);
/* After each input: brings what is shown up to date. tick: there is time for a slice of work. True
 * when work is left. */
bool nsc_app_panes_update(struct nsc_app *app, bool tick);
/* What a key does in the pane that has the focus: false when it is not the pane's. */
bool nsc_app_pane_action(struct nsc_app *app, enum nsc_action action, struct nsc_effects *effects);
bool nsc_app_pane_has_focus(const struct nsc_app *app);
/* By so many lines, as far as there are any. */
void nsc_app_scroll_pane(struct nsc_app *app, int64_t by);
/* A click on a line of the pane. */
void nsc_app_pane_press(struct nsc_app *app, int row, int col);
bool nsc_app_switch_focus(struct nsc_app *app);
void nsc_app_pane_show(struct nsc_app *app, uint32_t pane, bool full);
void nsc_app_pane_close(struct nsc_app *app);
bool nsc_app_pane_zoom(struct nsc_app *app);
bool nsc_app_info_open(struct nsc_app *app);
bool nsc_app_statistics(struct nsc_app *app);
bool nsc_app_events_open(struct nsc_app *app);
/* Lists those that are counted under the name of one. */
void nsc_app_events_group(struct nsc_app *app, nsc_event like, const struct nsc_subject *group);
/* Lists the events like one, of a duration. */
void nsc_app_events_only(struct nsc_app *app, nsc_event like, struct nsc_window durations);
void nsc_app_events_fini(struct nsc_app *app);

/* ---- the range ---- */

/* Each says with false that there was nothing to do. */
bool nsc_app_range_mark(struct nsc_app *app);
bool nsc_app_range_start(struct nsc_app *app);
bool nsc_app_range_end(struct nsc_app *app);
bool nsc_app_range_event(struct nsc_app *app);
void nsc_app_range_follow(struct nsc_app *app);
void nsc_app_range_drop(struct nsc_app *app);

/* ---- the clipboard ---- */

/* Copies the value, at once again the row, then the command that reproduces it. */
void nsc_app_copy(struct nsc_app *app, struct nsc_effects *effects);

/* ---- what stands in nsc_panes ---- */

bool nsc_pane_selection_update(struct nsc_app *app, bool tick);
int nsc_pane_selection_draw(const struct nsc_app *app, struct nsc_grid *grid, struct nsc_rect rect);
bool nsc_pane_selection_act(struct nsc_app *app, enum nsc_action action);
bool nsc_pane_selection_can_show(const struct nsc_app *app);
struct nsc_list *nsc_pane_selection_list(struct nsc_app *app);
bool nsc_pane_selection_copy(const struct nsc_app *app, struct nsc_buf *out, bool row);
bool nsc_pane_events_update(struct nsc_app *app, bool tick);
int nsc_pane_events_draw(const struct nsc_app *app, struct nsc_grid *grid, struct nsc_rect rect);
bool nsc_pane_events_act(struct nsc_app *app, enum nsc_action action);
struct nsc_list *nsc_pane_events_list(struct nsc_app *app);
void nsc_pane_events_moved(struct nsc_app *app);
bool nsc_pane_events_can_show(const struct nsc_app *app);
bool nsc_pane_details_act(struct nsc_app *app, enum nsc_action action);
bool nsc_pane_details_can_choose(const struct nsc_app *app);
bool nsc_pane_details_can_show(const struct nsc_app *app);

#endif
