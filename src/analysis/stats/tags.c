/*
 * The names of NVTX ranges with their domains.
 */
#include "analysis/base/scope.h"
#include "analysis/stats/ranges.h"
#include "core/buf.h"
#include "core/die.h"
#include "core/strpool.h"
#include "core/text.h"

#include <stdlib.h>

#define TYPE_DOMAIN 75

struct domain {
    int64_t number, process;
};

/* The first row that names each domain of a process, by the number of its key. The caller frees
 * them. */
static uint32_t *list_domains(struct nsc_strpool *keys, const struct nsc_fields *names)
{
    uint32_t n = names ? names->n : 0;
    uint32_t *rows = nsc_xmalloc(((size_t)n + 1) * sizeof *rows);
    struct domain key;
    int64_t type;

    for (uint32_t row = n; row-- > 0;)
        if (nsc_fields_int(&type, names, 0, row) && type == TYPE_DOMAIN &&
            nsc_fields_int(&key.number, names, 2, row) &&
            nsc_fields_int(&key.process, names, 5, row))
            rows[nsc_strpool_add(keys, (const char *)&key, sizeof key)] = row;
    return rows;
}

void nsc_stats_tags_init(struct nsc_stats_tags *tags, const struct nsc_stats_input *input)
{
    const struct nsc_fields *names = input->fields[NSC_STATS_FIELDS_DOMAINS];
    uint32_t n = 0, *rows;
    const struct nsc_track *tracks = nsc_trace_tracks(input->trace, &n);
    struct nsc_strpool keys;

    *tags = (struct nsc_stats_tags){.input = input, .text = NSC_BUF_INIT(SIZE_MAX)};
    tags->domain = nsc_xcalloc((size_t)n + 1, sizeof *tags->domain);
    tags->scratch = nsc_xmalloc(NSC_NAME_BYTES);
    nsc_strpool_init(&keys);
    rows = list_domains(&keys, names);
    for (uint32_t i = 0; i < n; i++) {
        struct domain key = {tracks[i].domain, (int64_t)tracks[i].process};
        nsc_str id = nsc_strpool_find(&keys, (const char *)&key, sizeof key);

        if (id != NSC_NONE && (NSC_TRACK_BIT(tracks[i].kind) & NSC_RANGE_TRACKS))
            tags->domain[i] = nsc_fields_text(names, 3, rows[id]);
    }
    free(rows);
    nsc_strpool_fini(&keys);
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

bool nsc_stats_tag(struct nsc_text *out, struct nsc_stats_tags *tags, nsc_event event)
{
    const struct nsc_trace *trace = tags->input->trace;
    struct nsc_text domain, name;

    *out = (struct nsc_text){"", 0};
    if (!nsc_stats_has_tag(tags, event))
        return false;
    domain = tags->domain[nsc_trace_lanes(trace, NULL)[nsc_trace_lane_of(trace, event)].track];
    name = nsc_stats_whole(tags->input, nsc_trace_event_text(trace, event, false, tags->scratch));
    nsc_buf_clear(&tags->text);
    nsc_buf_add(&tags->text, domain.bytes, domain.n);
    if (domain.bytes || !tags->input->compat_2023)
        nsc_buf_putc(&tags->text, ':');
    nsc_buf_add(&tags->text, name.bytes, name.n);
    *out = nsc_text_of_buf(&tags->text);
    return true;
}

struct nsc_text nsc_stats_style(uint8_t kind)
{
    return kind == NSC_KIND_NVTX_RANGE ? (struct nsc_text){"PushPop", 7}
                                       : (struct nsc_text){"StartEnd", 8};
}
