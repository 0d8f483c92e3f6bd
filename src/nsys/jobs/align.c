/*
 * The offset of each export on the axis of the first.
 */
#include "nsys/jobs/align.h"

#include "core/die.h"
#include "core/sort.h"
#include "core/units.h"

#include <stdio.h>
#include <stdlib.h>

#define SECOND        ((nsc_time)1000 * 1000 * 1000)
#define PLAUSIBLE_GAP (60 * SECOND)

/* ---- which alignment ---- */

NSC_COMPARE(compare_utc, struct nsc_anchor *const, NSC_BY(NSC_ORDER((*x)->utc, (*y)->utc)))

static const struct nsc_anchor *find_without_utc(const struct nsc_anchor anchors[], uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (anchors[i].utc <= 0)
            return &anchors[i];
    return NULL;
}

/* The longest gap between two recordings, in ns; INT64_MAX if it exceeds 64 bits. */
static nsc_time measure_gap(const struct nsc_anchor anchors[], uint32_t n)
{
    const struct nsc_anchor **sorted = nsc_xmalloc(n * sizeof *sorted);
    nsc_time gap = 0;
    nsc_time end = 0;

    for (uint32_t i = 0; i < n; i++)
        sorted[i] = &anchors[i];
    qsort(sorted, n, sizeof *sorted, compare_utc);
    for (uint32_t i = 0; i < n; i++) {
        nsc_time duration = sorted[i]->duration > 0 ? sorted[i]->duration : 0;
        nsc_time own = 0;

        if (i && sorted[i]->utc - end > gap) /* both are positive */
            gap = sorted[i]->utc - end;
        if (__builtin_add_overflow(sorted[i]->utc, duration, &own))
            own = INT64_MAX;
        end = own > end ? own : end;
    }
    free(sorted);
    return gap;
}

static nsc_time longest_session(const struct nsc_anchor anchors[], uint32_t n)
{
    nsc_time longest = 0;

    for (uint32_t i = 0; i < n; i++)
        longest = anchors[i].duration > longest ? anchors[i].duration : longest;
    return longest;
}

/* Formats the gap in a unit that people would use. */
static void write_gap(char out[NSC_UNITS_BYTES], nsc_time gap)
{
    static const struct {
        nsc_time seconds;
        const char *word;
    } units[] = {{86400, "days"}, {3600, "hours"}, {60, "minutes"}};
    nsc_time seconds = gap / SECOND;

    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (seconds >= 2 * units[i].seconds) {
            (void)snprintf(out, NSC_UNITS_BYTES, "%lld %s", (long long)(seconds / units[i].seconds),
                           units[i].word);
            return;
        }
    nsc_units_duration(out, gap, true);
}

void nsc_align_choose(struct nsc_aligned *out, enum nsc_align asked,
                      const struct nsc_anchor anchors[], uint32_t n)
{
    const struct nsc_anchor *without = find_without_utc(anchors, n);
    nsc_time gap = without ? 0 : measure_gap(anchors, n);
    char text[NSC_UNITS_BYTES];

    *out = (struct nsc_aligned){.by = asked, .residual = -1};
    if (asked != NSC_ALIGN_AUTO || n < 2)
        return;
    out->by = NSC_ALIGN_START;
    if (without) {
        (void)snprintf(out->why, sizeof out->why, "%.160s lacks the time of day of its recording",
                       without->path);
    } else if (gap > PLAUSIBLE_GAP && gap > longest_session(anchors, n)) {
        write_gap(text, gap);
        (void)snprintf(out->why, sizeof out->why, "the recordings are %s apart", text);
    } else {
        out->by = NSC_ALIGN_UTC;
    }
}

/* ---- offsets ---- */

static enum nsc_status subtract(nsc_time *out, nsc_time a, nsc_time b, const char *path,
                                struct nsc_error *error)
{
    if (!__builtin_sub_overflow(a, b, out))
        return NSC_OK;
    return nsc_fail(error, NSC_EDAMAGED, "%s: its times are too far from those of the first export",
                    path);
}

static enum nsc_status align_utc(nsc_time offsets[], const struct nsc_anchor anchors[], uint32_t n,
                                 struct nsc_error *error)
{
    const struct nsc_anchor *without = find_without_utc(anchors, n);
    enum nsc_status status = NSC_OK;

    if (without)
        return nsc_fail(error, NSC_ENODATA,
                        "%.120s lacks the time of day of its recording; try --align start",
                        without->path);
    for (uint32_t i = 0; i < n && status == NSC_OK; i++)
        status = subtract(&offsets[i], anchors[i].utc, anchors[0].utc, anchors[i].path, error);
    return status;
}

static enum nsc_status align_start(nsc_time offsets[], const struct nsc_anchor anchors[],
                                   uint32_t n, struct nsc_error *error)
{
    enum nsc_status status = NSC_OK;
    bool by_work = true;

    for (uint32_t i = 0; i < n; i++)
        by_work = by_work && anchors[i].has_work;
    for (uint32_t i = 0; i < n && status == NSC_OK; i++) {
        offsets[i] = 0;
        if (by_work)
            status =
                subtract(&offsets[i], anchors[0].work, anchors[i].work, anchors[i].path, error);
        else if (anchors[0].has_event && anchors[i].has_event)
            status =
                subtract(&offsets[i], anchors[0].event, anchors[i].event, anchors[i].path, error);
    }
    return status;
}

/* The median distance of instances [0, m); the lower of two middle ones. */
static enum nsc_status median_apart(nsc_time *out, const struct nsc_anchor *first,
                                    const struct nsc_anchor *other, size_t m,
                                    struct nsc_error *error)
{
    nsc_time *apart = nsc_xmalloc(m * sizeof *apart);
    enum nsc_status status = NSC_OK;

    for (size_t i = 0; i < m && status == NSC_OK; i++)
        status =
            subtract(&apart[i], first->instances.at[i], other->instances.at[i], other->path, error);
    if (status == NSC_OK) {
        qsort(apart, m, sizeof *apart, nsc_time_compare);
        *out = apart[(m - 1) / 2];
    }
    free(apart);
    return status;
}

/*
 * The largest distance between the starts of one instance on the common axis; -1 if it exceeds 64
 * bits.
 */
static nsc_time spread_of(const nsc_time offsets[], const struct nsc_anchor anchors[], uint32_t n,
                          size_t instance)
{
    nsc_time least = INT64_MAX;
    nsc_time most = INT64_MIN;
    nsc_time spread = 0;

    for (uint32_t i = 0; i < n; i++) {
        nsc_time at = 0;

        if (__builtin_add_overflow(anchors[i].instances.at[instance], offsets[i], &at))
            return -1;
        least = at < least ? at : least;
        most = at > most ? at : most;
    }
    return __builtin_sub_overflow(most, least, &spread) ? -1 : spread;
}

static void measure_residual(struct nsc_aligned *out, const nsc_time offsets[],
                             const struct nsc_anchor anchors[], uint32_t n)
{
    out->residual = -1;
    for (uint32_t k = 0; out->instances > 1 && k < out->instances; k++) {
        nsc_time spread = spread_of(offsets, anchors, n, k);

        out->residual = spread > out->residual ? spread : out->residual;
    }
}

static enum nsc_status align_nvtx(nsc_time offsets[], struct nsc_aligned *out,
                                  const struct nsc_anchor anchors[], uint32_t n, const char *range,
                                  struct nsc_error *error)
{
    size_t m = anchors[0].instances.n;
    enum nsc_status status = NSC_OK;

    for (uint32_t i = 0; i < n; i++) {
        if (!anchors[i].instances.n)
            return nsc_fail(error, NSC_ENODATA, "%.100s has no NVTX range or mark called %.80s",
                            anchors[i].path, range);
        if (anchors[i].instances.n != m || m > UINT32_MAX)
            m = 1;
    }
    for (uint32_t i = 0; i < n && status == NSC_OK; i++)
        status = median_apart(&offsets[i], &anchors[0], &anchors[i], m, error);
    out->instances = (uint32_t)m;
    if (status == NSC_OK)
        measure_residual(out, offsets, anchors, n);
    return status;
}

enum nsc_status nsc_align_offsets(nsc_time offsets[], struct nsc_aligned *out,
                                  const struct nsc_anchor anchors[], uint32_t n, const char *range,
                                  struct nsc_error *error)
{
    switch (out->by) {
    case NSC_ALIGN_UTC:
        return align_utc(offsets, anchors, n, error);
    case NSC_ALIGN_START:
        return align_start(offsets, anchors, n, error);
    case NSC_ALIGN_NVTX:
        return align_nvtx(offsets, out, anchors, n, range, error);
    default:
        for (uint32_t i = 0; i < n; i++)
            offsets[i] = 0;
        return NSC_OK;
    }
}
