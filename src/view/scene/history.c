/* Stores views and rows for undo. */

#include "core/bits.h"
#include "core/die.h"
#include "view/scene/edit.h"
#include "view/scene/move.h"

#include <stdlib.h>
#include <string.h>

static void drop(struct nsc_place *place)
{
    if (place->rows) {
        nsc_arrangement_fini(&place->rows->arrangement);
        free(place->rows->folds);
        free(place->rows);
    }
    place->rows = NULL;
}

void nsc_history_drop_rows(struct nsc_history *history)
{
    for (uint32_t i = 0; i < history->n + history->ahead; i++)
        drop(&history->at[i]);
}

void nsc_history_clear(struct nsc_history *history)
{
    nsc_history_drop_rows(history);
    *history = (struct nsc_history){0};
}

struct nsc_place nsc_history_place(const struct nsc_scene_edit *edit)
{
    const struct nsc_scene *scene = &edit->scene;
    const struct nsc_line *line = nsc_scene_cursor_line(scene);

    return (struct nsc_place){.span = scene->viewport.span,
                              .cursor = scene->cursor,
                              .track = line ? line->track : NSC_NONE,
                              .lane = line ? line->lane : NSC_NONE,
                              .filter = edit->moves.filter,
                              .option = NSC_N_SCENE_OPTIONS,
                              .range = scene->has_range ? scene->range : (struct nsc_window){0, 0}};
}

struct nsc_place nsc_history_rows(const struct nsc_scene_edit *edit)
{
    struct nsc_place place = nsc_history_place(edit);

    place.rows = nsc_xmalloc(sizeof *place.rows);
    nsc_arrangement_copy(&place.rows->arrangement, &edit->scene.arrangement);
    place.rows->folds = nsc_bits_copy(edit->scene.folds, edit->scene.arrangement.n);
    place.rows->top = edit->scene.top;
    return place;
}

void nsc_history_swap_rows(struct nsc_scene_edit *edit, struct nsc_row_state *rows)
{
    struct nsc_arrangement *arrangement = &edit->scene.arrangement;
    struct nsc_row_state left = {*arrangement, edit->scene.folds, edit->scene.top};

    *arrangement = rows->arrangement;
    arrangement->stream = left.arrangement.stream; /* heights of streams are settings */
    arrangement->stream_height = left.arrangement.stream_height;
    arrangement->other_height = left.arrangement.other_height;
    arrangement->spare_height = left.arrangement.spare_height;
    edit->scene.folds = rows->folds;
    *rows = left;
}

bool nsc_history_keep(struct nsc_scene_edit *edit, struct nsc_place before, bool changed)
{
    struct nsc_history *history = &edit->moves.history;

    if (!changed) {
        drop(&before);
        return false;
    }
    while (history->ahead)
        drop(&history->at[history->n + --history->ahead]);
    if (history->n == NSC_HISTORY) {
        drop(&history->at[0]);
        memmove(history->at, history->at + 1, (NSC_HISTORY - 1) * sizeof *history->at);
        history->n--;
    }
    history->at[history->n++] = before;
    history->back = before;
    history->back.rows = NULL;
    history->back.option = NSC_N_SCENE_OPTIONS;
    history->has_back = true;
    edit->moves.panned = false;
    return true;
}

void nsc_scene_save_view(struct nsc_scene_edit *edit)
{
    (void)nsc_history_keep(edit, nsc_history_place(edit), true);
}

void nsc_scene_change(struct nsc_scene_edit *edit, enum nsc_scene_option option, uint32_t value)
{
    struct nsc_place before = nsc_history_place(edit);

    before.option = option;
    before.value = nsc_scene_get(edit, option);
    (void)nsc_history_keep(edit, before, before.value != value);
    nsc_scene_set(edit, option, value);
}
