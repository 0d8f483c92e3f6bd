/*
 * Finds NVTX ranges by name: judges each distinct name once, then reads the rows of NVTX.
 */
#include "analysis/ranges/named_range.h"

#include "core/bits.h"
#include "core/chars.h"
#include "core/vec.h"
#include "index/lane_merge.h"
#include "index/names.h"

#include <string.h>

/* ---- what was asked ---- */

/* Splits off the "12" of "name/12"; false if no number follows the last "/". */
static bool split_index(struct nsc_range_name *out)
{
    uint32_t at = out->name.n;
    uint64_t index = 0;

    while (at > 0 && nsc_is_digit(out->name.bytes[at - 1]))
        at--;
    if (at == out->name.n || at < 2 || out->name.bytes[at - 1] != '/')
        return false;
    for (uint32_t i = at; i < out->name.n && index < NSC_NONE; i++)
        index = index * 10 + (uint64_t)(out->name.bytes[i] - '0');
    out->index = index < NSC_NONE ? (uint32_t)index : NSC_NONE - 1;
    out->name.n = at - 1;
    return true;
}

/* Whether domain names the domain of the track: "NCCL", or its number. */
static bool is_domain(const struct nsc_trace *trace, const struct nsc_track *track,
                      struct nsc_text domain)
{
    struct nsc_text label = nsc_trace_string(trace, track->label);
    uint64_t number = 0;
    uint32_t digits = 0;
    uint32_t lead = (uint32_t)strlen("NVTX ");

    if (track->kind != NSC_TRACK_NVTX && track->kind != NSC_TRACK_SPANS)
        return false;
    if (domain.n > 0 && label.n >= lead + domain.n && /* "NVTX NCCL", "NVTX NCCL spans" */
        memcmp(label.bytes + lead, domain.bytes, domain.n) == 0 &&
        (label.n == lead + domain.n || label.bytes[lead + domain.n] == ' '))
        return true;
    while (digits < domain.n && nsc_is_digit(domain.bytes[digits]) && number < UINT32_MAX)
        number = number * 10 + (uint64_t)(domain.bytes[digits++] - '0');
    return digits > 0 && digits == domain.n && (int64_t)number == track->domain;
}

static bool has_domain(const struct nsc_trace *trace, struct nsc_text domain)
{
    uint32_t n = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(trace, &n);

    for (uint32_t i = 0; i < n; i++)
        if (is_domain(trace, &tracks[i], domain))
            return true;
    return false;
}

static void split_domain(struct nsc_range_name *out, const struct nsc_trace *trace)
{
    uint32_t at = out->name.n;
    struct nsc_text domain;

    while (at > 0 && out->name.bytes[at - 1] != '@')
        at--;
    if (at < 2)
        return;
    domain = (struct nsc_text){out->name.bytes + at, out->name.n - at};
    if (!has_domain(trace, domain))
        return;
    out->domain = domain;
    out->name.n = at - 1;
}

struct nsc_range_name nsc_range_name_parse(const struct nsc_trace *trace, struct nsc_text text)
{
    struct nsc_range_name out = {.name = text, .domain = {"", 0}};

    out.has_index = split_index(&out);
    split_domain(&out, trace);
    return out;
}

/* The length of the beginning of text that matches the whole name; NSC_NONE: no match. */
static uint32_t match_beginning(struct nsc_text name, struct nsc_text text)
{
    uint32_t at = 0;

    for (uint32_t i = 0; i < name.n; i++) {
        if (at == text.n)
            return NSC_NONE;
        if (name.bytes[i] == '#' && nsc_is_digit(text.bytes[at]))
            while (at < text.n && nsc_is_digit(text.bytes[at]))
                at++;
        else if (name.bytes[i] != text.bytes[at++])
            return NSC_NONE;
    }
    return at;
}

/* ---- the rows ---- */

enum verdict { NO, YES, ASK };

static bool is_range(uint8_t kind)
{
    return kind == NSC_KIND_NVTX_RANGE || kind == NSC_KIND_NVTX_SPAN;
}

struct search {
    const struct nsc_trace *trace;
    const struct nsc_range_name *name;
    bool is_beginning; /* names that begin with it match too */
    uint8_t *verdicts;
    NSC_VEC(nsc_event) found;
};

static bool matches(const struct search *search, struct nsc_text text)
{
    uint32_t n = match_beginning(search->name->name, text);

    return n == text.n || (search->is_beginning && n < text.n && text.bytes[n] == ' ');
}

/* Judges a distinct name. For a name with counters the text of each event decides, unless it
 * differs before the first counter. */
static enum verdict judge_name(const struct search *search, nsc_name id)
{
    const struct nsc_names *names = nsc_trace_names(search->trace);
    struct nsc_text full = nsc_name_text(search->trace, id);
    struct nsc_text name = search->name->name;

    if (names->counters[id] == 0)
        return matches(search, full) ? YES : NO;
    for (uint32_t i = 0; i < name.n && i < full.n; i++) {
        if (name.bytes[i] == '#' || full.bytes[i] == NSC_COUNTER_BYTE ||
            nsc_is_digit(name.bytes[i]))
            return ASK;
        if (name.bytes[i] != full.bytes[i])
            return NO;
    }
    return ASK;
}

static void search_lane(struct search *search, const struct nsc_lane *lane)
{
    const struct nsc_events *events = nsc_trace_events(search->trace);
    char scratch[NSC_NAME_BYTES];

    for (nsc_event row = lane->first; row < lane->first + lane->n; row++) {
        enum verdict verdict = (enum verdict)search->verdicts[events->name[row]];

        if (verdict == NO || !is_range(events->kind[row]))
            continue;
        if (verdict == YES ||
            matches(search, nsc_trace_event_text(search->trace, row, false, scratch)))
            *NSC_VEC_ADD(&search->found) = row;
    }
}

static void search_all(struct search *search)
{
    uint32_t n_names = nsc_trace_names(search->trace)->n;

    search->verdicts = nsc_xcalloc((size_t)n_names + 1, sizeof *search->verdicts);
    for (nsc_name id = 0; id < n_names; id++)
        search->verdicts[id] = (uint8_t)judge_name(search, id);
    for (struct nsc_lane_walk at = nsc_trace_all_lanes(search->trace, NSC_RANGE_TRACKS);
         nsc_lane_walk_next(&at);)
        if (search->name->domain.n == 0 ||
            is_domain(search->trace, &at.tracks[at.track], search->name->domain))
            search_lane(search, at.rows);
    free(search->verdicts);
}

void nsc_named_ranges_find(struct nsc_named_ranges *out, const struct nsc_trace *trace,
                           const struct nsc_range_name *name)
{
    struct search search = {.trace = trace, .name = name};

    search_all(&search);
    if (search.found.n == 0 && name->name.n > 0 && name->name.bytes[name->name.n - 1] == '#') {
        search.is_beginning = true;
        search_all(&search);
    }
    nsc_sort_outermost(trace, search.found.at, search.found.n);
    *out = (struct nsc_named_ranges){(uint32_t)search.found.n, search.found.at};
}

void nsc_named_ranges_fini(struct nsc_named_ranges *ranges)
{
    free(ranges->event);
    *ranges = (struct nsc_named_ranges){0};
}

/* The name with "#" for each counter. */
static struct nsc_text write_name(const struct nsc_trace *trace, nsc_name id,
                                  struct nsc_arena *arena)
{
    struct nsc_text full = nsc_name_text(trace, id);
    char *copy = NULL;

    if (nsc_trace_names(trace)->counters[id] == 0)
        return full;
    copy = nsc_arena_copy(arena, full.bytes, full.n);
    for (uint32_t i = 0; i < full.n; i++)
        if (copy[i] == NSC_COUNTER_BYTE)
            copy[i] = '#';
    return (struct nsc_text){copy, full.n};
}

const char *nsc_named_ranges_nearest(char out[NSC_NEAREST_WORDS], const struct nsc_trace *trace,
                                     struct nsc_text text)
{
    struct nsc_arena arena = NSC_ARENA_INIT;
    struct nsc_nearest nearest;
    const struct nsc_events *events = nsc_trace_events(trace);
    uint32_t n = nsc_trace_names(trace)->n;
    uint64_t *is_nvtx = nsc_xcalloc(nsc_bits_words(n) + 1, sizeof *is_nvtx);

    nsc_nearest_init(&nearest, text);
    for (nsc_event row = 0; row < events->n; row++)
        if (is_range(events->kind[row]))
            nsc_bits_set(is_nvtx, events->name[row]);
    for (nsc_name id = 0; id < n; id++)
        if (nsc_bits_get(is_nvtx, id))
            nsc_nearest_add(&nearest, write_name(trace, id, &arena));
    free(is_nvtx);
    (void)nsc_nearest_words(out, &nearest);
    nsc_arena_fini(&arena);
    return out;
}
