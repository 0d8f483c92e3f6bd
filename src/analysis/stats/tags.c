/*
 * The names of NVTX ranges with their domains.
 */
#include "analysis/stats/ranges.h"
#include "core/buf.h"
#include "core/die.h"
#include "core/text.h"

#include <stdlib.h>

#define TYPE_DOMAIN 75

struct domain {
    int64_t number;
    uint64_t process;
    uint32_t row; /* that names it */
};

static int compare_domains(const void *a, const void *b)
{
    const struct domain *x = a, *y = b;

    if (x->number != y->number)
        return x->number < y->number ? -1 : 1;
    return x->process != y->process ? (x->process < y->process ? -1 : 1) : 0;
}

static int compare_rows(const void *a, const void *b)
{
    const struct domain *x = a, *y = b;
    int order = compare_domains(a, b);

    return order ? order : (x->row > y->row) - (x->row < y->row);
}

/* The first row that names each domain of a process, in their order; the caller frees them. */
static struct domain *list_domains(uint32_t *n, const struct nsc_fields *names)
{
    struct domain *all = nsc_xmalloc(((size_t)(names ? names->n : 0) + 1) * sizeof *all);
    uint32_t kept = 0, found = 0;
    int64_t type, number, process;

    for (uint32_t row = 0; names && row < names->n; row++)
        if (nsc_fields_int(&type, names, 0, row) && type == TYPE_DOMAIN &&
            nsc_fields_int(&number, names, 2, row) && nsc_fields_int(&process, names, 5, row))
            all[found++] = (struct domain){number, (uint64_t)process, row};
    qsort(all, found, sizeof *all, compare_rows);
    for (uint32_t i = 0; i < found; i++)
        if (kept == 0 || compare_domains(&all[kept - 1], &all[i]) != 0)
            all[kept++] = all[i];
    *n = kept;
    return all;
}

void nsc_stats_tags_init(struct nsc_stats_tags *tags, const struct nsc_stats_input *input)
{
    const struct nsc_fields *names = input->fields[NSC_STATS_FIELDS_DOMAINS];
    uint32_t n = 0, n_domains;
    const struct nsc_track *tracks = nsc_trace_tracks(input->trace, &n);
    struct domain *domains = list_domains(&n_domains, names);

    *tags = (struct nsc_stats_tags){.input = input, .text = NSC_BUF_INIT(SIZE_MAX)};
    tags->domain = nsc_xcalloc((size_t)n + 1, sizeof *tags->domain);
    tags->scratch = nsc_xmalloc(NSC_NAME_BYTES);
    for (uint32_t i = 0; i < n; i++) {
        struct domain key = {tracks[i].domain, tracks[i].process, 0}, *found;

        if (tracks[i].kind != NSC_TRACK_NVTX && tracks[i].kind != NSC_TRACK_SPANS)
            continue;
        found = bsearch(&key, domains, n_domains, sizeof *domains, compare_domains);
        if (found)
            tags->domain[i] = nsc_fields_text(names, 3, found->row);
    }
    free(domains);
}

void nsc_stats_tags_fini(struct nsc_stats_tags *tags)
{
    free(tags->domain);
    free(tags->scratch);
    nsc_buf_fini(&tags->text);
}

/* Whether the text is registered, which makes it a name even if it is empty. */
static bool is_registered(const struct nsc_stats_input *input, nsc_event event)
{
    const struct nsc_fields *nvtx = input->fields[NSC_STATS_FIELDS_NVTX];
    int64_t id;

    return nvtx && nsc_fields_int(&id, nvtx, 2, nsc_fields_find(nvtx, event));
}

bool nsc_stats_has_tag(const struct nsc_stats_tags *tags, nsc_event event)
{
    return nsc_trace_events(tags->input->trace)->name[event] != 0 ||
           is_registered(tags->input, event);
}

void nsc_stats_put_tag(struct nsc_buf *out, const struct nsc_stats_tags *tags, nsc_event event,
                       uint32_t track, char scratch[NSC_NAME_BYTES])
{
    struct nsc_text domain = tags->domain[track];
    struct nsc_text name = nsc_stats_whole(
        tags->input, nsc_trace_event_text(tags->input->trace, event, false, scratch));

    if (domain.bytes)
        nsc_buf_add(out, domain.bytes, domain.n);
    if (domain.bytes || !tags->input->compat_2023)
        nsc_buf_putc(out, ':');
    nsc_buf_add(out, name.bytes, name.n);
}

bool nsc_stats_tag(struct nsc_text *out, struct nsc_stats_tags *tags, nsc_event event)
{
    const struct nsc_trace *trace = tags->input->trace;
    uint32_t lane = nsc_trace_lane_of(trace, event);

    *out = (struct nsc_text){"", 0};
    if (!nsc_stats_has_tag(tags, event))
        return false;
    nsc_buf_clear(&tags->text);
    nsc_stats_put_tag(&tags->text, tags, event, nsc_trace_lanes(trace, NULL)[lane].track,
                      tags->scratch);
    *out = nsc_text_of_buf(&tags->text);
    return true;
}

struct nsc_text nsc_stats_style(uint8_t kind)
{
    return kind == NSC_KIND_NVTX_RANGE ? (struct nsc_text){"PushPop", 7}
                                       : (struct nsc_text){"StartEnd", 8};
}
