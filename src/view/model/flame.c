/*
 * The cursor of a flame graph, and the columns of its frames.
 */
#include "view/model/flame.h"

#include "analysis/base/scope.h"
#include "core/sum.h"
#include "core/text.h"

#include <stdio.h>
#include <string.h>

enum { EIGHTHS = 8 };

const struct nsc_flame_kind nsc_flame_kinds[NSC_N_FLAME_BYS] = {
    {NSC_TRACK_STREAM, "GPU time by NVTX path", ": GPU time", "op", "GPU work",
     "No GPU work in this export: record with  nsys profile -t cuda,nvtx"},
    {NSC_TRACK_STREAM, "Captured work by NVTX path", ": captured work", "op", "captured work",
     "No work of CUDA graphs with a known capture in this export: record the capture, with  nsys "
     "profile --cuda-graph-trace=node"},
    {NSC_TRACK_NVTX, "CPU time of NVTX ranges", ": CPU time", "range", "NVTX ranges",
     "No NVTX ranges in this export: annotate the program, and record with  nsys profile -t "
     "cuda,nvtx"},
    {NSC_TRACK_SAMPLES, "CPU samples by call stack", ": samples", "",
     "CPU samples with call stacks",
     "No CPU samples with call stacks in this export: record with  nsys profile "
     "--sample=process-tree --backtrace=dwarf  (lbr or fp cost less)"},
    {NSC_TRACK_API, "Calls, GPU idle by own code", ": own code", "call", "CUDA calls of own code",
     "No call stacks of CUDA calls with own code in this export: record with  nsys profile "
     "--cudabacktrace=all, for Python with  --python-backtrace=cuda"},
};

void nsc_flame_view_fini(struct nsc_flame_view *view)
{
    nsc_flame_free(view->made);
    nsc_stacks_free(view->stacks);
    *view = (struct nsc_flame_view){.by = view->by, .zoom = NSC_NONE};
}

static const struct nsc_flame_frame *frame_of(const struct nsc_flame_view *view, uint32_t frame)
{
    return &view->made->frames[frame];
}

/* ---- the same frame in another graph ---- */

/* The first child of a frame, or the first root; end: past the last one. */
static uint32_t first_below(const struct nsc_flame *flame, uint32_t frame, uint32_t *end)
{
    *end = frame == NSC_NONE ? flame->n : flame->frames[frame].skip;
    return frame == NSC_NONE ? 0 : frame + 1;
}

static uint32_t find_child(const struct nsc_flame *flame, uint32_t parent,
                           const struct nsc_flame_frame *like)
{
    uint32_t end = 0;

    for (uint32_t i = first_below(flame, parent, &end); i < end; i = flame->frames[i].skip)
        if (flame->frames[i].name == like->name && flame->frames[i].is_work == like->is_work)
            return i;
    return NSC_NONE;
}

/* The frame with the same path as `frame` of old, or the deepest remaining one above it;
 * NSC_NONE. */
static uint32_t find_path(const struct nsc_flame *flame, const struct nsc_flame *old,
                          uint32_t frame)
{
    uint32_t at = NSC_NONE;

    for (uint32_t depth = 0; frame != NSC_NONE && depth <= old->frames[frame].depth; depth++) {
        uint32_t above = frame;
        uint32_t next = NSC_NONE;

        while (old->frames[above].depth > depth)
            above = old->frames[above].parent;
        next = find_child(flame, at, &old->frames[above]);
        if (next == NSC_NONE)
            break;
        at = next;
    }
    return at;
}

bool nsc_flame_view_has(const struct nsc_trace *trace, enum nsc_flame_by by)
{
    if (by == NSC_FLAME_CAPTURED)
        return nsc_trace_captured(trace) != NULL;
    return nsc_trace_has_tracks(trace, nsc_flame_kinds[by].track, nsc_flame_kinds[by].track);
}

const char *nsc_flame_lack(const struct nsc_trace *trace, const struct nsc_stacks *stacks,
                           enum nsc_flame_by by)
{
    bool is_there = nsc_flame_view_has(trace, by);

    if (nsc_flame_is_code(by))
        is_there =
            is_there && stacks && (by == NSC_FLAME_OWN ? stacks->calls.n : stacks->samples.n) > 0;
    return is_there ? NULL : nsc_flame_kinds[by].lack;
}

enum nsc_flame_by nsc_flame_view_first(const struct nsc_trace *trace)
{
    for (int by = 0; by < NSC_N_FLAME_BYS; by++)
        if (nsc_flame_view_has(trace, (enum nsc_flame_by)by))
            return (enum nsc_flame_by)by;
    return NSC_FLAME_GPU;
}

enum nsc_flame_by nsc_flame_view_next(const struct nsc_trace *trace, enum nsc_flame_by by)
{
    by = (enum nsc_flame_by)((by + 1) % NSC_N_FLAME_BYS);
    return by == NSC_FLAME_CAPTURED && !nsc_flame_view_has(trace, by) ? NSC_FLAME_CPU : by;
}

void nsc_flame_view_amount(char text[NSC_UNITS_BYTES], const struct nsc_flame_view *view,
                           nsc_time amount, bool ascii)
{
    if (view->made_by != NSC_FLAME_SAMPLES) {
        nsc_units_duration(text, amount, ascii);
        return;
    }
    nsc_units_count(text, (uint64_t)amount);
    (void)snprintf(text + strlen(text), NSC_UNITS_BYTES - strlen(text), " sample%s",
                   amount == 1 ? "" : "s");
}

void nsc_flame_view_take(struct nsc_flame_view *view, struct nsc_flame *flame, enum nsc_flame_by by)
{
    struct nsc_flame *old = view->made;
    uint32_t cursor = NSC_NONE;
    bool is_alike = nsc_flame_is_code(view->made_by) == nsc_flame_is_code(by);

    view->made_by = by;
    if (old && old->n && is_alike) {
        cursor = find_path(flame, old, view->cursor);
        view->zoom = find_path(flame, old, view->zoom);
    } else {
        view->zoom = NSC_NONE;
    }
    nsc_flame_free(old);
    view->made = flame;
    view->cursor = cursor == NSC_NONE ? 0 : cursor;
    if (view->zoom != NSC_NONE &&
        (view->cursor < view->zoom || view->cursor >= frame_of(view, view->zoom)->skip))
        view->cursor = view->zoom;
}

/* ---- moving ---- */

/* The next or previous frame on the cursor's level, inside the zoomed frame. */
static uint32_t neighbour(const struct nsc_flame_view *view, bool forward)
{
    uint32_t depth = frame_of(view, view->cursor)->depth;
    uint32_t first = view->zoom == NSC_NONE ? 0 : view->zoom;
    uint32_t end = view->zoom == NSC_NONE ? view->made->n : frame_of(view, view->zoom)->skip;

    if (forward) {
        for (uint32_t i = frame_of(view, view->cursor)->skip; i < end; i++)
            if (frame_of(view, i)->depth == depth)
                return i;
        return NSC_NONE;
    }
    for (uint32_t i = view->cursor; i-- > first;)
        if (frame_of(view, i)->depth == depth)
            return i;
    return NSC_NONE;
}

bool nsc_flame_view_set(struct nsc_flame_view *view, uint32_t frame)
{
    if (frame == NSC_NONE || !view->made || frame >= view->made->n || frame == view->cursor)
        return false;
    view->cursor = frame;
    return true;
}

struct nsc_text nsc_flame_view_function(const struct nsc_flame_view *view, uint32_t frame)
{
    return nsc_strpool_text(&view->stacks->texts, frame_of(view, frame)->name);
}

struct nsc_flame_found nsc_flame_view_find(struct nsc_flame_view *view, struct nsc_text text)
{
    struct nsc_flame_found found = {.largest = NSC_NONE};
    uint32_t counted = 0; /* frames before it are in found.total */

    for (uint32_t i = 0; view->made && i < view->made->n; i++) {
        const struct nsc_flame_frame *frame = frame_of(view, i);

        if (!nsc_text_contains_folded(nsc_flame_view_function(view, i), text))
            continue;
        found.n++;
        if (found.largest == NSC_NONE || frame->total > frame_of(view, found.largest)->total)
            found.largest = i;
        if (i < counted) /* inside a frame that was found */
            continue;
        found.total = nsc_sum(found.total, frame->total);
        counted = frame->skip;
    }
    if (found.largest == NSC_NONE)
        return found;
    if (view->zoom != NSC_NONE &&
        (found.largest < view->zoom || found.largest >= frame_of(view, view->zoom)->skip))
        view->zoom = NSC_NONE;
    (void)nsc_flame_view_set(view, found.largest);
    return found;
}

bool nsc_flame_view_step(struct nsc_flame_view *view, enum nsc_flame_step step)
{
    uint32_t to = NSC_NONE;

    if (!view->made || !view->made->n)
        return false;
    if (step == NSC_FLAME_PARENT)
        to = frame_of(view, view->cursor)->parent;
    else if (step == NSC_FLAME_CHILD)
        to = frame_of(view, view->cursor)->skip > view->cursor + 1 ? view->cursor + 1 : NSC_NONE;
    else
        to = neighbour(view, step == NSC_FLAME_NEXT);
    if (to != NSC_NONE && view->zoom != NSC_NONE && to < view->zoom)
        view->zoom = to; /* leaves the zoomed frame, so its parent fills the width */
    return nsc_flame_view_set(view, to);
}

bool nsc_flame_view_zoom(struct nsc_flame_view *view)
{
    if (!view->made || !view->made->n || view->zoom == view->cursor)
        return false;
    view->zoom = view->cursor;
    return true;
}

bool nsc_flame_view_back(struct nsc_flame_view *view)
{
    if (!view->made || view->zoom == NSC_NONE)
        return false;
    view->cursor = view->zoom;
    view->zoom = frame_of(view, view->zoom)->parent;
    return true;
}

/* ---- columns ---- */

/* part / whole of cols, in eighths, rounded down. */
static uint32_t eighths_of(nsc_time part, nsc_time whole, uint32_t cols)
{
    return (uint32_t)((long double)part * (cols * EIGHTHS) / (long double)whole);
}

bool nsc_flame_view_span(const struct nsc_flame_view *view, uint32_t frame, uint32_t cols,
                         uint32_t *from, uint32_t *to)
{
    const struct nsc_flame_frame *at = frame_of(view, frame);
    const struct nsc_flame_frame *zoom = view->zoom == NSC_NONE ? NULL : frame_of(view, view->zoom);
    nsc_time begin = zoom ? zoom->at : 0;
    nsc_time whole = zoom ? zoom->total : view->made->whole;
    nsc_time start = 0, end = 0;

    if (zoom && frame <= view->zoom) {
        *from = 0;
        *to = cols * EIGHTHS;
        return at->skip >= zoom->skip;
    }
    if (whole <= 0 || (zoom && frame >= zoom->skip))
        return false;
    /* A range that ends after the range around it would extend beyond it. */
    start = nsc_earlier(at->at - begin, whole);
    end = nsc_earlier(nsc_sum(start, at->total), whole);
    *from = eighths_of(start, whole, cols);
    *to = eighths_of(end, whole, cols);
    *to = *to > *from ? *to : *from + 1;
    return true;
}

uint32_t nsc_flame_view_at(const struct nsc_flame_view *view, uint32_t level, uint32_t col,
                           uint32_t cols)
{
    uint32_t best = NSC_NONE;
    uint32_t from = 0, to = 0;

    if (!view->made)
        return NSC_NONE;
    for (uint32_t i = 0; i < view->made->n;) {
        const struct nsc_flame_frame *frame = frame_of(view, i);
        bool hit = nsc_flame_view_span(view, i, cols, &from, &to) && from < (col + 1) * EIGHTHS &&
                   to > col * EIGHTHS;

        if (hit && frame->depth == level &&
            (best == NSC_NONE || frame->total > frame_of(view, best)->total))
            best = i;
        i = hit && frame->depth < level ? i + 1 : frame->skip;
    }
    return best;
}
