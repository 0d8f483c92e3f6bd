/*
 * Statistics of the range or the window, group by group.
 */
#ifndef NSC_VIEW_PANE_SELECTION_H
#define NSC_VIEW_PANE_SELECTION_H

#include "analysis/select/selection.h"
#include "core/buf.h"
#include "view/kit/list.h"
#include "view/scene/subject.h"

#define NSC_PANE_SELECTION_HEAD 3 /* lines above the list */

struct nsc_pane_selection {
    struct nsc_subject question;
    bool is_asked;
    struct nsc_selection *made; /* NULL: not measured yet; owned */
    enum nsc_pivot pivot, made_pivot;
    bool every;
    struct nsc_list list; /* list of groups */
};

/* The group at the list's cursor; NULL if there is none. */
const struct nsc_pivot_group *nsc_pane_selection_group(const struct nsc_pane_selection *selection);
int nsc_pane_selection_draw(const struct nsc_scene *scene,
                            const struct nsc_pane_selection *selection, bool focus,
                            struct nsc_grid *grid, struct nsc_rect rect);
bool nsc_pane_selection_copy(const struct nsc_scene *scene,
                             const struct nsc_pane_selection *selection, struct nsc_buf *out,
                             bool row);
/* The names of groups by name; "" if a name is partly invented. */
void nsc_pane_group_names(const struct nsc_scene *scene, const struct nsc_pivot_group groups[],
                          uint32_t n, struct nsc_text out[]);
bool nsc_pane_selection_can_show(const struct nsc_pane_selection *selection);

#endif
