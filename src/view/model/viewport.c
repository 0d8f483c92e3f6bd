/*
 * The window of time on the screen: zooming, panning, columns.
 */
#include "view/model/viewport.h"

#define FINE_BITS   62
#define SHORTEST_NS 4 /* limits halving of 64-bit times to FINE_BITS times */

__extension__ typedef unsigned __int128 wide;

static nsc_fine_time fine(nsc_time t)
{
    return (nsc_fine_time)t * ((nsc_fine_time)1 << FINE_BITS);
}

/* Rounds down: a right shift of a negative number is arithmetic with every compiler we build
 * with. */
static nsc_time coarse(nsc_fine_time t)
{
    return (nsc_time)(t >> FINE_BITS);
}

static struct nsc_span span_of(struct nsc_window w)
{
    struct nsc_span span = {fine(w.t0), fine(w.t1)};

    return span;
}

static nsc_fine_time span_length(struct nsc_span span)
{
    return span.t1 - span.t0;
}

/* One nanosecond per column, or the whole extent if that is shorter. */
static nsc_fine_time shortest_length(const struct nsc_viewport *viewport)
{
    nsc_fine_time whole = span_length(span_of(viewport->extent));
    nsc_fine_time least =
        fine(viewport->cols > SHORTEST_NS ? (nsc_time)viewport->cols : SHORTEST_NS);

    return least < whole ? least : whole;
}

/* Moves span into the extent, which is at least as long. */
static struct nsc_span span_moved_inside(const struct nsc_viewport *viewport, struct nsc_span span)
{
    struct nsc_span extent = span_of(viewport->extent);
    nsc_fine_time length = span_length(span);

    if (span.t0 < extent.t0) {
        span.t0 = extent.t0;
        span.t1 = extent.t0 + length;
    } else if (span.t1 > extent.t1) {
        span.t1 = extent.t1;
        span.t0 = extent.t1 - length;
    }
    return span;
}

/*
 * Drops the bits that later halving would lose: as many as halvings remain until the shortest
 * length. A span that was zoomed has none of them, so only panning and fitting round.
 */
static struct nsc_span span_rounded(struct nsc_span span)
{
    nsc_fine_time length = span_length(span);
    unsigned bits = 0;

    while (length >> FINE_BITS >> bits >= SHORTEST_NS)
        bits++;
    span.t0 = (span.t0 >> bits) * ((nsc_fine_time)1 << bits);
    span.t1 = (span.t1 >> bits) * ((nsc_fine_time)1 << bits);
    return span;
}

/* The nearest valid span: clamps the length, and keeps the relative place of at. */
static struct nsc_span span_clamped(const struct nsc_viewport *viewport, struct nsc_span span)
{
    nsc_fine_time whole = span_length(span_of(viewport->extent));
    nsc_fine_time least = shortest_length(viewport);
    nsc_fine_time length = span_length(span);

    if (length >= whole)
        return span_of(viewport->extent);
    if (length < least) {
        span.t0 -= (least - length) / 2;
        span.t1 = span.t0 + least;
    }
    return span_moved_inside(viewport, span_rounded(span));
}

static bool span_change(struct nsc_viewport *viewport, struct nsc_span span)
{
    struct nsc_span old = viewport->span;

    viewport->span = span_clamped(viewport, span);
    return viewport->span.t0 != old.t0 || viewport->span.t1 != old.t1;
}

void nsc_viewport_init(struct nsc_viewport *viewport, struct nsc_window extent, uint32_t cols)
{
    viewport->extent = extent;
    viewport->cols = cols ? cols : 1;
    viewport->span = span_of(extent);
}

void nsc_viewport_resize(struct nsc_viewport *viewport, uint32_t cols)
{
    viewport->cols = cols ? cols : 1;
    viewport->span = span_clamped(viewport, viewport->span);
}

struct nsc_window nsc_viewport_window(const struct nsc_viewport *viewport)
{
    struct nsc_window w = {coarse(viewport->span.t0), coarse(viewport->span.t1)};

    if (w.t1 <= w.t0) {
        if (w.t0 < viewport->extent.t1)
            w.t1 = w.t0 + 1;
        else
            w.t0 = w.t1 - 1;
    }
    return w;
}

bool nsc_viewport_is_whole(const struct nsc_viewport *viewport)
{
    struct nsc_window w = nsc_viewport_window(viewport);

    return w.t0 == viewport->extent.t0 && w.t1 == viewport->extent.t1;
}

void nsc_viewport_set(struct nsc_viewport *viewport, struct nsc_window w)
{
    (void)span_change(viewport, span_of(w));
}

void nsc_viewport_restore(struct nsc_viewport *viewport, struct nsc_span span)
{
    (void)span_change(viewport, span);
}

bool nsc_viewport_zoom(struct nsc_viewport *viewport, nsc_time at, bool in)
{
    struct nsc_span span = viewport->span;
    nsc_fine_time point = fine(at);
    nsc_fine_time length = span_length(span);
    nsc_fine_time least = shortest_length(viewport);

    point = point < span.t0 ? span.t0 : point > span.t1 ? span.t1 : point;
    if (in && length <= least)
        return false;
    if (in && length / 2 < least) {
        /* The last step zooms by less than half: `at` keeps its place in the window. */
        long double share = (long double)(point - span.t0) / (long double)length;

        span.t0 = point - (nsc_fine_time)(share * (long double)least);
        span.t1 = span.t0 + least;
        return span_change(viewport, span);
    }
    if (!in && length >= span_length(span_of(viewport->extent)) / 2)
        return span_change(viewport, span_of(viewport->extent));
    span.t0 = in ? point - (point - span.t0) / 2 : point - (point - span.t0) * 2;
    span.t1 = in ? point + (span.t1 - point) / 2 : point + (span.t1 - point) * 2;
    return span_change(viewport, span);
}

bool nsc_viewport_pan(struct nsc_viewport *viewport, int64_t cols)
{
    nsc_fine_time length = span_length(viewport->span);
    nsc_fine_time by = length / (nsc_fine_time)viewport->cols * (nsc_fine_time)cols;
    struct nsc_span extent = span_of(viewport->extent);
    struct nsc_span span = viewport->span;

    if (by > extent.t1 - span.t1)
        by = extent.t1 - span.t1;
    if (by < extent.t0 - span.t0)
        by = extent.t0 - span.t0;
    span.t0 += by;
    span.t1 += by;
    return span_change(viewport, span);
}

bool nsc_viewport_show(struct nsc_viewport *viewport, nsc_time t)
{
    struct nsc_window w = nsc_viewport_window(viewport);
    struct nsc_span span = viewport->span;
    nsc_fine_time half = span_length(span) / 2;

    if (t >= w.t0 && t < w.t1)
        return false;
    span.t0 = fine(t) - half;
    span.t1 = span.t0 + span_length(viewport->span);
    return span_change(viewport, span);
}

void nsc_viewport_move(struct nsc_viewport *viewport, nsc_time by)
{
    viewport->extent.t0 += by;
    viewport->extent.t1 += by;
    viewport->span.t0 += fine(by);
    viewport->span.t1 += fine(by);
}

nsc_time nsc_viewport_time(const struct nsc_viewport *viewport, uint32_t col)
{
    return nsc_window_cut(nsc_viewport_window(viewport), col, viewport->cols);
}

int nsc_window_col(struct nsc_window w, uint32_t n, nsc_time t)
{
    uint64_t d = (uint64_t)w.t1 - (uint64_t)w.t0;
    uint32_t col = 0;

    if (t < w.t0)
        return -1;
    if (t >= w.t1)
        return (int)n;
    col = (uint32_t)((wide)((uint64_t)t - (uint64_t)w.t0) * n / d);
    /* The cuts round down, so the quotient is the column or the one before. */
    while (col + 1 < n && nsc_window_cut(w, col + 1, n) <= t)
        col++;
    return (int)col;
}

int nsc_viewport_col(const struct nsc_viewport *viewport, nsc_time t)
{
    return nsc_window_col(nsc_viewport_window(viewport), viewport->cols, t);
}
