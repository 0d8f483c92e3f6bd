/* Lists events in the order of their tables, names them, and writes the rows of a summary. */
#include "analysis/stats/rows.h"

#include "core/die.h"
#include "core/text.h"

#include <stdlib.h>
#include <string.h>

struct nsc_stats_cell nsc_cell_of_field(const struct nsc_fields *fields, uint32_t column,
                                        uint32_t row)
{
    int64_t value;

    return nsc_fields_int(&value, fields, column, row) ? nsc_cell_of_int(value) : nsc_cell_empty();
}

/* ---- events ---- */

/* The rank of each kind's table, NSC_NONE for kinds that are not wanted. */
static void rank_kinds(uint32_t rank[NSC_N_KINDS], const uint8_t kinds[], uint32_t n_kinds)
{
    for (int k = 0; k < NSC_N_KINDS; k++)
        rank[k] = NSC_NONE;
    for (uint32_t i = 0; i < n_kinds; i++) {
        bool same = i > 0 && strcmp(nsc_kind_table((enum nsc_kind)kinds[i]),
                                    nsc_kind_table((enum nsc_kind)kinds[i - 1])) == 0;

        rank[kinds[i]] = same ? rank[kinds[i - 1]] : i;
    }
}

struct nsc_stats_list nsc_stats_list(const struct nsc_stats_input *input, const uint8_t kinds[],
                                     uint32_t n_kinds)
{
    const struct nsc_events *events = nsc_trace_events(input->trace);
    struct nsc_stats_list list = {NULL, 0};
    struct nsc_sort_pair *pairs, *scratch;
    uint32_t rank[NSC_N_KINDS];

    rank_kinds(rank, kinds, n_kinds);
    for (nsc_event e = 0; e < events->n; e++)
        list.n += rank[events->kind[e]] != NSC_NONE && nsc_stats_has(input, events, e);
    pairs = nsc_xmalloc(((size_t)list.n + 1) * sizeof *pairs);
    scratch = nsc_xmalloc(((size_t)list.n + 1) * sizeof *scratch);
    list.n = 0;
    for (nsc_event e = 0; e < events->n; e++)
        if (rank[events->kind[e]] != NSC_NONE && nsc_stats_has(input, events, e))
            pairs[list.n++] = (struct nsc_sort_pair){
                (uint64_t)rank[events->kind[e]] << 32 | events->source[e], e};
    nsc_sort_pairs(pairs, scratch, list.n);
    free(scratch);
    list.event = nsc_xmalloc(((size_t)list.n + 1) * sizeof *list.event);
    for (uint32_t i = 0; i < list.n; i++)
        list.event[i] = pairs[i].value;
    free(pairs);
    return list;
}

void nsc_stats_by_start(struct nsc_stats_list *list, const struct nsc_events *events)
{
    nsc_sort_by_time(list->event, list->n, nsc_sort_time_at, events->start);
}

const struct nsc_track *nsc_stats_track(const struct nsc_trace *trace, nsc_event event)
{
    const struct nsc_lane *lanes = nsc_trace_lanes(trace, NULL);
    const struct nsc_track *tracks = nsc_trace_tracks(trace, NULL);

    return &tracks[lanes[nsc_trace_lane_of(trace, event)].track];
}

/* ---- names ---- */

void nsc_stats_names_init(struct nsc_stats_names *names, const struct nsc_stats_input *input)
{
    size_t n = nsc_trace_names(input->trace)->n;

    names->input = input;
    names->kernel = nsc_xcalloc(n + 1, sizeof *names->kernel);
    names->other = nsc_xcalloc(n + 1, sizeof *names->other);
    nsc_strpool_init(&names->ranges);
    names->both = (struct nsc_buf)NSC_BUF_INIT(SIZE_MAX);
    names->range = input->arguments.in_ranges ? nsc_stats_innermost(&names->ranges, input) : NULL;
}

void nsc_stats_names_fini(struct nsc_stats_names *names)
{
    free(names->kernel);
    free(names->other);
    free(names->range);
    nsc_strpool_fini(&names->ranges);
    nsc_buf_fini(&names->both);
}

static struct nsc_text plain_name(struct nsc_stats_names *names, nsc_event event)
{
    const struct nsc_stats_input *input = names->input;
    const struct nsc_events *events = nsc_trace_events(input->trace);
    const struct nsc_names *all = nsc_trace_names(input->trace);
    const struct nsc_fields *mangled = input->fields[NSC_STATS_FIELDS_MANGLED];
    nsc_name name = events->name[event];
    bool is_kernel = events->kind[event] == NSC_KIND_KERNEL;
    struct nsc_text *text = is_kernel ? &names->kernel[name] : &names->other[name];
    uint32_t row;
    int64_t id;

    if (is_kernel && input->arguments.mangled && mangled) {
        row = nsc_fields_find(mangled, event);
        if (nsc_fields_int(&id, mangled, 0, row))
            return nsc_fields_text(mangled, 0, row);
    }
    if (!text->bytes)
        *text =
            nsc_stats_whole(input, nsc_trace_string(input->trace, is_kernel && input->arguments.base
                                                                      ? all->brief[name]
                                                                      : all->full[name]));
    return *text;
}

struct nsc_text nsc_stats_name(struct nsc_stats_names *names, nsc_event event)
{
    struct nsc_text name = plain_name(names, event);
    struct nsc_text range;

    if (!names->range || names->range[event] == NSC_NONE)
        return name;
    range = nsc_strpool_text(&names->ranges, names->range[event]);
    nsc_buf_clear(&names->both);
    nsc_buf_add(&names->both, range.bytes, range.n);
    nsc_buf_putc(&names->both, '/');
    nsc_buf_add(&names->both, name.bytes, name.n);
    return nsc_text_of_buf(&names->both);
}

/* Parses the end of a cut text, "... [cut: 4879 bytes]": its original length, and how many bytes
 * are left. */
static bool is_cut(struct nsc_text text, uint32_t *kept, uint32_t *length)
{
    static const char mark[] = "... [cut: ", end[] = " bytes]";
    uint32_t at, n = (uint32_t)sizeof end - 1;

    if (text.n < NSC_NAME_BYTES - 16 || text.n < n + sizeof mark ||
        memcmp(text.bytes + text.n - n, end, n) != 0)
        return false;
    *length = 0;
    for (at = text.n - n; at > 0 && text.bytes[at - 1] >= '0' && text.bytes[at - 1] <= '9'; at--)
        ;
    for (uint32_t i = at; i < text.n - n && *length < 100000000; i++)
        *length = *length * 10 + (uint32_t)(text.bytes[i] - '0');
    if (at < sizeof mark - 1 ||
        memcmp(text.bytes + at - (sizeof mark - 1), mark, sizeof mark - 1) != 0)
        return false;
    *kept = at - ((uint32_t)sizeof mark - 1);
    return true;
}

struct nsc_text nsc_stats_whole(const struct nsc_stats_input *input, struct nsc_text text)
{
    const struct nsc_fields *strings = input->fields[NSC_STATS_FIELDS_STRINGS];
    uint32_t kept, length;

    if (!strings || !is_cut(text, &kept, &length))
        return text;
    for (uint32_t row = 0; row < strings->n; row++) {
        struct nsc_text whole = nsc_fields_text(strings, 1, row);

        if (whole.n == length && memcmp(whole.bytes, text.bytes, kept) == 0)
            return whole;
    }
    return text;
}

struct nsc_text nsc_stats_call(struct nsc_text name)
{
    if (name.n > 6 && memcmp(name.bytes + name.n - 6, "_v", 2) == 0)
        name.n -= 6;
    return name;
}

struct nsc_text nsc_stats_known(struct nsc_text name)
{
    static const char before[] = "[string ", after[] = " missing]";
    size_t n = sizeof before - 1, m = sizeof after - 1;

    if (name.n > n + m && memcmp(name.bytes, before, n) == 0 &&
        memcmp(name.bytes + name.n - m, after, m) == 0)
        name.n = 0;
    return name;
}

void nsc_stats_order_init(struct nsc_stats_order *order, const struct nsc_stats_input *input)
{
    const struct nsc_fields *strings = input->fields[NSC_STATS_FIELDS_STRINGS];
    uint32_t n = strings ? strings->n : 0;

    nsc_strpool_init(&order->texts);
    order->id = nsc_xmalloc(((size_t)n + 1) * sizeof *order->id);
    order->id[0] = INT64_MAX;
    for (uint32_t row = 0; row < n; row++) {
        struct nsc_text text = nsc_fields_text(strings, 1, row);
        uint32_t before = order->texts.n;
        nsc_str at = nsc_strpool_add(&order->texts, text.bytes, text.n);
        int64_t id;

        if (nsc_fields_int(&id, strings, 0, row) && (at == 0 || at == before))
            order->id[at] = id;
    }
}

void nsc_stats_order_fini(struct nsc_stats_order *order)
{
    nsc_strpool_fini(&order->texts);
    free(order->id);
}

int64_t nsc_stats_order_of(const struct nsc_stats_order *order, struct nsc_text text)
{
    nsc_str at = nsc_strpool_find(&order->texts, text.bytes, text.n);

    return at == NSC_NONE ? INT64_MAX : order->id[at];
}

/* ---- groups ---- */

static bool put_row(const struct nsc_stats_sink *sink, uint32_t row,
                    void (*fill)(void *context, uint32_t row, struct nsc_stats_cell cells[]),
                    void *context)
{
    struct nsc_stats_cell cells[NSC_STATS_COLUMNS] = {{0}};

    fill(context, row, cells);
    return sink->row(sink->context, cells);
}

void nsc_stats_put_list(const struct nsc_stats_sink *sink, const uint32_t list[], uint32_t n,
                        void (*fill)(void *context, uint32_t row, struct nsc_stats_cell cells[]),
                        void *context)
{
    do {
        bool goes_on = true;

        for (uint32_t i = 0; i < n && goes_on; i++)
            goes_on = put_row(sink, list ? list[i] : i, fill, context);
    } while (nsc_stats_again(sink));
}

void nsc_stats_put_sorted(const struct nsc_stats_sink *sink, uint32_t n, uint32_t most,
                          int (*compare)(const void *context, uint32_t a, uint32_t b),
                          void (*fill)(void *context, uint32_t row, struct nsc_stats_cell cells[]),
                          void *context)
{
    uint32_t *index = nsc_sort_numbers(n);

    nsc_sort_by(index, n, compare, context);
    nsc_stats_put_list(sink, index, most && most < n ? most : n, fill, context);
    free(index);
}

struct ranked {
    const struct nsc_stats_groups *groups;
    double whole; /* all totals */
};

static nsc_time by_total(const void *spread, uint32_t group)
{
    return ~((const struct nsc_spread *)spread)[group].total; /* descends as the total ascends */
}

void nsc_stats_rank(uint32_t *groups, uint32_t n, const struct nsc_spread *spread,
                    int (*compare)(const void *context, uint32_t a, uint32_t b),
                    const void *context)
{
    nsc_sort_by_time(groups, n, by_total, spread);
    for (uint32_t first = 0, end = 0; first < n; first = end) {
        while (end < n && spread[groups[end]].total == spread[groups[first]].total)
            end++;
        nsc_sort_by(groups + first, end - first, compare, context);
    }
}

void nsc_stats_put_spread(struct nsc_stats_cell cells[4], const struct nsc_spread *spread)
{
    if (spread->n == 0)
        return;
    cells[0] = nsc_cell_of_real(spread->mean);
    cells[1] = nsc_cell_of_real(spread->median);
    cells[2] = nsc_cell_of_int(spread->min);
    cells[3] = nsc_cell_of_int(spread->max);
}

static void put_group(void *context, uint32_t group, struct nsc_stats_cell cells[])
{
    const struct ranked *ranked = context;
    const struct nsc_stats_groups *groups = ranked->groups;
    const struct nsc_spread *spread = &groups->spread[group];
    double whole = ranked->whole;
    uint32_t n = 0;

    if (!groups->is_size)
        cells[n++] =
            whole > 0 ? nsc_cell_of_real((double)spread->total * 100.0 / whole) : nsc_cell_empty();
    cells[n++] = nsc_cell_of_int(spread->total);
    cells[n++] = nsc_cell_of_int((int64_t)spread->n);
    nsc_stats_put_spread(cells + n, spread);
    n += 4;
    cells[n++] = nsc_cell_of_real(spread->deviation);
    for (uint32_t c = 0; groups->is_unknown && c < n; c++)
        if (c != 2)
            cells[c] = c + 1 < n ? nsc_cell_empty() : nsc_cell_of_real(0);
    groups->label(groups->context, group, cells + n);
}

enum nsc_status nsc_stats_put_groups(const struct nsc_stats_groups *groups,
                                     const struct nsc_stats_sink *sink)
{
    struct ranked ranked = {.groups = groups};
    uint32_t *shown, n = 0;

    if (!groups->spread)
        return NSC_ENOMEM;
    shown = nsc_xmalloc(((size_t)groups->n + 1) * sizeof *shown);
    for (uint32_t g = 0; g < groups->n; g++) {
        ranked.whole += (double)groups->spread[g].total;
        if (groups->spread[g].n)
            shown[n++] = g;
    }
    nsc_stats_rank(shown, n, groups->spread, groups->compare, groups->context);
    if (n > 0)
        nsc_stats_put_list(sink, shown, n, put_group, &ranked);
    free(shown);
    return n > 0 ? NSC_OK : NSC_ENODATA;
}
