/* Finds what the filter keeps of the projected ranges. */
#include "core/bits.h"
#include "core/die.h"
#include "view/scene/look.h"
#include "view/scene/projected.h"

#include <stdlib.h>

#ifdef NSC_SMALL
enum { SLICE_ROWS = 4 };
#else
enum { SLICE_ROWS = 500 * 1000 }; /* takes 1 to 3 ms */
#endif

static void shown_drop(struct nsc_projected *shown)
{
    nsc_summary_pass_free(shown->pass);
    nsc_summary_free(shown->summary);
    free(shown->mask);
    *shown = (struct nsc_projected){0};
}

void nsc_projected_drop(struct nsc_scene_edit *edit)
{
    edit->scene.lines.projected = NULL;
    shown_drop(&edit->projected);
    shown_drop(&edit->next_projected);
}

/* Filters a slice of rows. True after the last one. */
static bool mask_step(struct nsc_projected *next, const struct nsc_scene *scene)
{
    const struct nsc_events *rows = nsc_trace_events(scene->lines.projection->derived);
    uint32_t end = rows->n - next->n > SLICE_ROWS ? next->n + SLICE_ROWS : rows->n;

    for (uint32_t i = next->n; i < end; i++)
        if (nsc_summary_has(scene->summary, rows->source[i]))
            nsc_bits_set(next->mask, i);
    next->n = end;
    return end == rows->n;
}

static void take(struct nsc_scene_edit *edit)
{
    edit->scene.lines.projected = NULL;
    shown_drop(&edit->projected);
    edit->projected = edit->next_projected;
    edit->next_projected = (struct nsc_projected){0};
    edit->projected.summary = nsc_summary_pass_take(edit->projected.pass);
    nsc_summary_pass_free(edit->projected.pass);
    edit->projected.pass = NULL;
    edit->scene.lines.projected = edit->projected.summary;
    nsc_scene_rebuild(edit);
}

void nsc_scene_step_projected(struct nsc_scene_edit *edit, struct nsc_pool *pool)
{
    struct nsc_projected *next = &edit->next_projected;

    if (!nsc_scene_has_projected_left(edit))
        return;
    if (!next->pass) {
        if (!mask_step(next, &edit->scene))
            return;
        next->pass = nsc_summary_pass_new(edit->scene.lines.projection->derived, next->mask);
        if (!next->pass)
            nsc_die_oom();
    } else if (nsc_summary_pass_step(next->pass, pool, SLICE_ROWS)) {
        take(edit);
    }
}

bool nsc_scene_has_projected_left(const struct nsc_scene_edit *edit)
{
    return edit->next_projected.mask != NULL;
}

void nsc_projected_begin(struct nsc_scene_edit *edit)
{
    const struct nsc_projection *projection = edit->scene.lines.projection;
    uint32_t n = projection ? nsc_trace_events(projection->derived)->n : 0;

    shown_drop(&edit->next_projected);
    if (!projection || !nsc_scene_is_filtered(&edit->scene)) {
        nsc_projected_drop(edit);
        return;
    }
    edit->next_projected.mask =
        nsc_xcalloc(nsc_bits_words(n) + 1, sizeof *edit->next_projected.mask);
    while (n <= SLICE_ROWS && nsc_scene_has_projected_left(edit))
        nsc_scene_step_projected(edit, NULL);
}
