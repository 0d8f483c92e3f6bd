/*
 * The events of a row or group, in the range or window.
 */
#ifndef NSC_VIEW_PANE_EVENTS_H
#define NSC_VIEW_PANE_EVENTS_H

#include "analysis/select/listing.h"
#include "view/kit/list.h"
#include "view/model/pick.h"
#include "view/scene/subject.h"

#define NSC_PANE_EVENTS_HEAD 2 /* lines above the list */

struct nsc_pane_events {
    struct nsc_subject question;
    bool is_made;
    struct nsc_listing listing;
    enum nsc_listing_order order; /* requested order */
    bool is_late;                 /* not sorted in this order yet */
    struct nsc_list list;
    nsc_event cursor_of; /* selected event that the list's cursor is on */
    /* Limits the list to events like this one, with such durations; NSC_NONE: no limit. */
    nsc_event like;
    struct nsc_window durations;
    bool is_group;            /* instead, events with that name in the rows and window of group */
    struct nsc_subject group; /* subject of the statistics */
    struct nsc_pick alike;    /* these events; empty without like */
};

int nsc_pane_events_draw(const struct nsc_scene *scene, const struct nsc_pane_events *listed,
                         bool focus, struct nsc_grid *grid, struct nsc_rect rect);
/* The order for a click on a heading; col counts from the left edge of the pane. */
enum nsc_listing_order nsc_pane_events_order_at(int col);

#endif
