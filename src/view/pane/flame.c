/* Draws the flame graph: its subject, the frame with the cursor, and the levels. */
#include "analysis/base/own_code.h"
#include "core/text.h"
#include "core/units.h"
#include "view/kit/page.h"
#include "view/model/bars.h"
#include "view/pane/panes.h"
#include "view/scene/look.h"
#include "view/scene/subject.h"

#include <stdio.h>
#include <string.h>

enum { EIGHTHS = 8, THIN = 4, LABEL_LEAST = 3, LABEL_PADDED = 6 };

static const struct nsc_flame_view *of(const struct nsc_pane_view *pane)
{
    return pane->pane;
}

/* ---- the lines above the graph ---- */

static void key_put(const struct nsc_pane_view *pane, struct nsc_page *page, enum nsc_action action,
                    const char *does)
{
    char key[32];

    nsc_page_puts(page, NSC_ROLE_KEY, nsc_keymap_key(key, pane->keymap, action));
    nsc_page_puts(page, NSC_ROLE_DIM, does);
}

/* The state of what is shown, and the key to the next kind of graph. */
static void state_put(const struct nsc_pane_view *pane, struct nsc_page *page)
{
    const struct nsc_flame *flame = of(pane)->made;
    enum nsc_flame_by by = flame ? of(pane)->made_by : of(pane)->by;

    if (of(pane)->stacks_asked && !of(pane)->stacks_read)
        nsc_page_puts(page, NSC_ROLE_WARNING, "  reading the call stacks ...");
    else if (pane->is_building)
        nsc_page_puts(page, NSC_ROLE_WARNING, "  being made ...");
    else if (flame && flame->is_cut)
        nsc_page_puts(page, NSC_ROLE_WARNING, "  too many frames: inner ones are left out");
    nsc_page_puts(page, NSC_ROLE_DIM, "  ");
    key_put(pane, page, NSC_ACTION_FLAME_BY,
            nsc_flame_kinds[nsc_flame_view_next(pane->scene->trace, by)].word);
}

static const char *lack_of(const struct nsc_pane_view *pane)
{
    const struct nsc_flame_view *view = of(pane);
    const char *lack = nsc_flame_lack(pane->scene->trace, view->stacks, view->made_by);

    return lack && nsc_flame_is_code(view->made_by) && view->stacks_why[0] ? view->stacks_why
                                                                           : lack;
}

/* "GPU time by NVTX path  summed 30.2 ms, in the window of 61.2 ms". */
static void about_put(const struct nsc_pane_view *pane, struct nsc_page *page)
{
    const struct nsc_flame *flame = of(pane)->made;
    enum nsc_flame_by by = flame ? of(pane)->made_by : of(pane)->by;
    char text[NSC_UNITS_BYTES];

    nsc_page_puts(page, NSC_ROLE_TEXT, nsc_flame_kinds[by].title);
    if (flame && !lack_of(pane)) {
        nsc_page_puts(page, NSC_ROLE_DIM, by == NSC_FLAME_SAMPLES ? "  " : "  summed ");
        nsc_flame_view_amount(text, of(pane), flame->whole, pane->scene->ascii);
        nsc_page_puts(page, NSC_ROLE_TEXT, text);
        nsc_page_puts(page, NSC_ROLE_DIM,
                      nsc_scene_is_filtered(pane->scene)
                          ? ", of what the filter keeps in the window of "
                          : ", in the window of ");
        nsc_page_duration(page, NSC_ROLE_TEXT, nsc_window_length(of(pane)->window));
    }
    state_put(pane, page);
    nsc_page_end(page);
}

static void share_put(struct nsc_page *page, nsc_time part, nsc_time whole, const char *of)
{
    char text[NSC_UNITS_BYTES];

    nsc_page_puts(page, NSC_ROLE_DIM, "  ");
    nsc_page_puts(page, NSC_ROLE_SHARE, nsc_units_percent(text, part, whole));
    nsc_page_puts(page, NSC_ROLE_DIM, of);
}

/* The text of a frame; '#' stands for numbers that differ. brief: of a kernel the short name. */
static struct nsc_text frame_text(const struct nsc_pane_view *pane, uint32_t at, bool brief,
                                  char scratch[])
{
    const struct nsc_flame_frame *frame = &of(pane)->made->frames[at];
    struct nsc_text text;

    if (nsc_flame_is_code(of(pane)->made_by))
        return frame->depth ? nsc_flame_view_function(of(pane), at)
                            : nsc_scene_side_label(pane->scene,
                                                   nsc_flame_view_function(of(pane), at), scratch);
    text = nsc_bars_text(nsc_trace_event_text(pane->scene->trace, frame->slowest, brief, scratch));
    return frame->is_mixed ? nsc_digits_fold(text, scratch) : text;
}

/* "forward  9.21 ms  12.3 % of iteration  4.1 % of all  248 kernels and copies". */
static void cursor_put(const struct nsc_pane_view *pane, struct nsc_page *page)
{
    const struct nsc_flame *flame = of(pane)->made;
    const struct nsc_flame_frame *frame = &flame->frames[of(pane)->cursor];
    const struct nsc_flame_kind *kind = &nsc_flame_kinds[of(pane)->made_by];
    char scratch[NSC_NAME_BYTES];
    char text[NSC_UNITS_BYTES];

    nsc_flame_view_amount(text, of(pane), frame->total, pane->scene->ascii);
    nsc_page_puts(page, NSC_ROLE_TEXT, text);
    if (frame->parent != NSC_NONE)
        share_put(page, frame->total, flame->frames[frame->parent].total, " of the frame around");
    share_put(page, frame->total, flame->whole,
              of(pane)->made_by == NSC_FLAME_SAMPLES ? " of all samples" : " of all");
    if (frame->self < frame->total && frame->self > 0) {
        nsc_flame_view_amount(text, of(pane), frame->self, pane->scene->ascii);
        nsc_page_puts(page, NSC_ROLE_DIM, "  own ");
        nsc_page_puts(page, NSC_ROLE_TEXT, text);
    }
    if (kind->one[0] && frame->count)
        nsc_page_printf(page, NSC_ROLE_DIM, "  %s %s%s", nsc_units_count(text, frame->count),
                        kind->one, frame->count == 1 ? "" : "s");
    nsc_page_puts(page, NSC_ROLE_DIM, "  ");
    nsc_page_text(page, NSC_ROLE_TEXT, frame_text(pane, of(pane)->cursor, false, scratch));
    nsc_page_end(page);
}

static void empty_put(const struct nsc_pane_view *pane, struct nsc_page *page)
{
    const char *lack = lack_of(pane);

    if (lack) {
        nsc_page_wrap(page, NSC_ROLE_WARNING, lack, 0);
        return;
    }
    if (nsc_scene_is_filtered(pane->scene)) {
        nsc_page_puts(page, NSC_ROLE_DIM, "Nothing of what the filter keeps is in the window.  ");
        key_put(pane, page, NSC_ACTION_FLAME_BACK, ": clear the filter  ");
    } else {
        nsc_page_printf(page, NSC_ROLE_DIM, "No %s in the window.  ",
                        nsc_flame_kinds[of(pane)->made_by].what);
    }
    if (!nsc_viewport_is_whole(&pane->scene->viewport))
        key_put(pane, page, NSC_ACTION_ZOOM_ALL, ": the whole trace");
    nsc_page_end(page);
}

/* ---- the graph ---- */

struct look {
    enum nsc_role role;
    uint8_t shade;
};

/* Whether the search is for a word of the function's name. */
static bool is_found(const struct nsc_pane_view *pane, uint32_t frame)
{
    return pane->search[0] && nsc_text_contains_folded(nsc_flame_view_function(of(pane), frame),
                                                       nsc_text_from(pane->search));
}

/* Not a CUDA call. */
static bool is_function(const struct nsc_pane_view *pane, uint32_t frame)
{
    return of(pane)->made_by == NSC_FLAME_SAMPLES ||
           (of(pane)->made_by == NSC_FLAME_OWN &&
            (of(pane)->made->frames[frame].depth == 0 ||
             nsc_text_is(nsc_flame_view_function(of(pane), frame), NSC_OWN_IDLE)));
}

static struct look look_of(const struct nsc_pane_view *pane, uint32_t frame)
{
    const struct nsc_trace *trace = pane->scene->trace;
    nsc_event event = of(pane)->made->frames[frame].slowest;

    if (frame == of(pane)->cursor)
        return (struct look){NSC_ROLE_SELECTION, 0};
    if (nsc_flame_is_code(of(pane)->made_by) && is_found(pane, frame))
        return (struct look){NSC_ROLE_MATCH, 0};
    if (is_function(pane, frame))
        return (struct look){NSC_ROLE_SCHED, 0};
    if (pane->hits && nsc_summary_has(pane->hits, event))
        return (struct look){NSC_ROLE_MATCH, 0};
    return (struct look){nsc_bars_role(trace, event), nsc_bars_shade(trace, event)};
}

/* Draws [from, to), in eighths. A frame ends with part of a cell, so that neighbours of one hue
 * stay distinct. A cell shared by two frames shows the end of the first. */
static void bar_draw(const struct nsc_pane_view *pane, struct nsc_grid *grid, struct nsc_rect line,
                     uint32_t frame, uint32_t from, uint32_t to)
{
    struct look look = look_of(pane, frame);
    char scratch[NSC_NAME_BYTES];
    uint32_t first = (from + EIGHTHS - 1) / EIGHTHS;
    uint32_t end = to / EIGHTHS;
    uint32_t rest = to % EIGHTHS;
    uint32_t last = grid->ascii ? 0 : EIGHTHS - 1; /* ASCII has no glyph of 7 eighths */
    int label = (int)end - (int)first;

    for (uint32_t col = first; col < end; col++)
        nsc_grid_put(grid, line.row, line.col + (int)col, look.role, look.shade,
                     nsc_left_eighths[col + 1 == end && !rest && end > first + 1 ? last : EIGHTHS]);
    if (rest && end >= first)
        nsc_grid_put(grid, line.row, line.col + (int)end, look.role, look.shade,
                     nsc_left_eighths[end > first && grid->ascii ? 0 : rest]);
    if (frame == of(pane)->cursor && pane->focus) {
        if (end <= first) /* too thin for its own cell */
            nsc_grid_put(grid, line.row, line.col + (int)(from / EIGHTHS), look.role, look.shade,
                         nsc_left_eighths[EIGHTHS]);
        grid->cursor_row = line.row;
        grid->cursor_col = line.col + (int)(end > first ? first : from / EIGHTHS);
    }
    label -= !rest;
    if (label < LABEL_LEAST)
        return;
    if (label >= LABEL_PADDED) {
        first++;
        label--;
    }
    nsc_grid_label(grid, line.row, line.col + (int)first, label,
                   frame_text(pane, frame, !pane->scene->demangled, scratch));
}

/* Draws a frame too thin for its own cell, unless the frame before it ends in the same one. */
static void thin_draw(const struct nsc_pane_view *pane, struct nsc_grid *grid, struct nsc_rect line,
                      uint32_t frame, uint32_t from)
{
    struct look look = look_of(pane, frame);
    int col = (int)((from + EIGHTHS - 1) / EIGHTHS);

    if (col < line.cols)
        nsc_grid_put(grid, line.row, line.col + col, look.role, look.shade, nsc_bars_lower[3]);
}

static void frames_draw(const struct nsc_pane_view *pane, struct nsc_grid *grid,
                        struct nsc_rect rect)
{
    const struct nsc_flame_view *view = of(pane);
    uint32_t top = (uint32_t)pane->top;
    uint32_t i = 0;

    while (i < view->made->n) {
        const struct nsc_flame_frame *frame = &view->made->frames[i];
        struct nsc_rect line = {rect.row + (int)(frame->depth - top), rect.col, 1, rect.cols};
        bool is_shown = frame->depth >= top && frame->depth - top < (uint32_t)rect.rows;
        uint32_t from = 0, to = 0;
        bool is_wide =
            nsc_flame_view_span(view, i, (uint32_t)rect.cols, &from, &to) && to - from >= THIN;

        if (is_shown && is_wide)
            bar_draw(pane, grid, line, i, from, to);
        else if (is_shown && to > (from + EIGHTHS - 1) / EIGHTHS * EIGHTHS)
            thin_draw(pane, grid, line, i, from);
        i = is_wide && frame->depth < top + (uint32_t)rect.rows ? i + 1 : frame->skip;
    }
}

/* Draws the frame with the cursor over others in its cells. */
static void cursor_draw(const struct nsc_pane_view *pane, struct nsc_grid *grid,
                        struct nsc_rect rect)
{
    uint32_t cursor = of(pane)->cursor;
    int row = (int)of(pane)->made->frames[cursor].depth - pane->top;
    uint32_t from = 0, to = 0;

    if (row >= 0 && row < rect.rows &&
        nsc_flame_view_span(of(pane), cursor, (uint32_t)rect.cols, &from, &to))
        bar_draw(pane, grid, (struct nsc_rect){rect.row + row, rect.col, 1, rect.cols}, cursor,
                 from, to);
}

int nsc_pane_flame_draw(const struct nsc_pane_view *pane, struct nsc_grid *grid,
                        struct nsc_rect rect)
{
    const struct nsc_flame *flame = of(pane)->made;
    struct nsc_page page = nsc_page(grid, rect, 0, pane->scene->ascii);

    if (!grid)
        return NSC_PANE_FLAME_HEAD + (flame ? (int)flame->levels : 0);
    about_put(pane, &page);
    if (!flame)
        return NSC_PANE_FLAME_HEAD;
    if (!flame->n) {
        empty_put(pane, &page);
        return NSC_PANE_FLAME_HEAD;
    }
    cursor_put(pane, &page);
    rect.row += NSC_PANE_FLAME_HEAD;
    rect.rows -= NSC_PANE_FLAME_HEAD;
    if (rect.rows > 0) {
        frames_draw(pane, grid, rect);
        cursor_draw(pane, grid, rect);
    }
    return NSC_PANE_FLAME_HEAD + (int)flame->levels;
}
