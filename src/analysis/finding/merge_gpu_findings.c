/* Joins findings that say the same about several GPUs. */
#include "analysis/finding/finding.h"
#include "core/buf.h"
#include "core/die.h"
#include "core/vec.h"

#include <stdlib.h>
#include <string.h>

enum { GPUS_TOLD = 16 }; /* lines of evidence */

static const struct nsc_track *device_of(const struct nsc_trace *trace,
                                         const struct nsc_finding *finding)
{
    const struct nsc_track *track =
        finding->track == NSC_NONE ? NULL : nsc_trace_track(trace, finding->track);

    return track && track->kind == NSC_TRACK_DEVICE ? track : NULL;
}

static const char *after_number(const char *at)
{
    return at + strspn(at, "0123456789.");
}

/* Whether two texts are equal but for their numbers; NULL equals NULL. */
static bool are_alike(const char *a, const char *b)
{
    while (a && b && (*a || *b)) {
        const char *x = after_number(a);
        const char *y = after_number(b);

        if ((x > a) != (y > b) || *x != *y)
            return false;
        a = *x ? x + 1 : x;
        b = *y ? y + 1 : y;
    }
    return !a == !b;
}

/* Whether b says of another GPU of the same export what a says, with the same cause
 * and advice. */
static bool is_same(const struct nsc_trace *trace, const struct nsc_finding *a,
                    const struct nsc_finding *b)
{
    const struct nsc_track *x = device_of(trace, a);
    const struct nsc_track *y = device_of(trace, b);
    bool is_fault = a->severity < NSC_SEVERITY_INFO && b->severity < NSC_SEVERITY_INFO &&
                    2 * b->share >= a->share; /* a much smaller one may be the cause of the other */

    return x && y && x->gpu != y->gpu && x->capture_no == y->capture_no &&
           (is_fault || (a->severity == NSC_SEVERITY_NOT_ASSESSABLE &&
                         b->severity == NSC_SEVERITY_NOT_ASSESSABLE)) &&
           strcmp(a->key, b->key) == 0 && are_alike(a->title, b->title) &&
           are_alike(a->next, b->next);
}

/* Moves findings that say the same of other GPUs into finding i, which stands for more time. */
static void join_all(struct nsc_findings *findings, size_t i, bool explains,
                     const struct nsc_trace *trace)
{
    struct nsc_finding *at = findings->list.at;
    size_t n = i + 1;

    for (size_t k = findings->list.n; !at[i].head == !explains && k-- > i + 1;)
        if (!at[k].head == !explains && is_same(trace, &at[i], &at[k]) &&
            (!explains || at[i].leader == at[k].leader)) {
            *NSC_VEC_ADD(&at[i].likewise) = (struct nsc_likewise){
                at[k].track, nsc_trace_track(trace, at[k].track)->gpu, at[k].share, at[k].ns};
            if (at[k].severity < at[i].severity)
                at[i].severity = at[k].severity;
            nsc_finding_fini(&at[k]);
            at[k].key = NULL;
        }
    for (size_t k = n; k < findings->list.n; k++)
        if (at[k].key)
            at[n++] = at[k];
    findings->list.n = n;
}

NSC_COMPARE(compare_gpus, struct nsc_likewise, NSC_LEAST(gpu))

/* Appends the numbers: "1, 2", "0 to 3, 5". */
static void list_gpus(struct nsc_buf *out, const struct nsc_likewise *at, size_t n)
{
    for (size_t i = 0; i < n;) {
        size_t end = i + 1;

        while (end < n && at[end].gpu == at[end - 1].gpu + 1)
            end++;
        end = end - i > 2 ? end : i + 1;
        nsc_buf_printf(out, "%s %lld", i > 0 ? "," : "", (long long)at[i].gpu);
        if (end - i > 2)
            nsc_buf_printf(out, " to %lld", (long long)at[end - 1].gpu);
        i = end;
    }
}

/* Appends "; likewise GPUs 0 to 3, 5" to the title, and a line for each GPU to the evidence. */
static void name_gpus(struct nsc_finding *finding)
{
    const struct nsc_likewise *at = finding->likewise.at;
    size_t n = finding->likewise.n;
    struct nsc_buf title = NSC_BUF_INIT(SIZE_MAX);

    nsc_buf_printf(&title, "%s; likewise GPU%s", finding->title, n > 1 ? "s" : "");
    list_gpus(&title, at, n);
    for (size_t i = 0; i < n && i < GPUS_TOLD; i++)
        if (at[i].share > 0)
            nsc_finding_evidence(finding, "GPU %lld: %s, %.1f %%", (long long)at[i].gpu,
                                 nsc_show_ns(finding, at[i].ns).text, at[i].share);
    free(finding->title);
    finding->title = nsc_xcopy(title.bytes, title.n);
    nsc_buf_fini(&title);
}

void nsc_findings_join_gpus(struct nsc_findings *findings, const struct nsc_trace *trace)
{
    for (int explains = 0; explains < 2; explains++) { /* those that stand alone first */
        nsc_findings_rank(findings);
        for (size_t i = 0; i < findings->list.n; i++)
            join_all(findings, i, explains, trace);
    }
    for (size_t i = 0; i < findings->list.n; i++) {
        struct nsc_finding *finding = &findings->list.at[i];

        if (finding->likewise.n == 0)
            continue;
        NSC_VEC_SORT(&finding->likewise, compare_gpus);
        name_gpus(finding);
    }
}
