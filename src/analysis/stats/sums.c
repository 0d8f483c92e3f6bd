/*
 * Summaries by name: kernels, memory operations, CUDA calls, OS runtime calls, OpenMP.
 */
#include "analysis/stats/functions.h"
#include "analysis/stats/rows.h"
#include "core/buf.h"
#include "core/die.h"
#include "core/text.h"

#include <stdlib.h>
#include <string.h>

enum category { KERNEL, MEMORY, CALL, OTHER, N_CATEGORIES, NONE = N_CATEGORIES };

/* The possible names of an event, by category. Groups are numbers of texts that begin with the
 * letter of their category. */
struct naming {
    const struct nsc_stats_input *input;
    const struct nsc_events *events;
    uint8_t category[NSC_N_KINDS];
    bool *used[N_CATEGORIES];      /* by name of the trace */
    uint32_t *group[N_CATEGORIES]; /* the same; of used ones */
    uint32_t *mangled;             /* by text of the fields */
    uint32_t *in_range;            /* nvtx-name: by event; of kernels */
    struct nsc_strpool pool;
    struct nsc_stats_order order;
    /* Equal totals are ordered by counts and texts (by_text), by texts alone (plain), else by ids
     * of their texts. */
    bool by_text, plain; /* plain: of their texts alone */
    const struct nsc_spread *spread;
};

static void set_kinds(struct naming *naming, enum nsc_kind first, enum nsc_kind last,
                      enum category category)
{
    for (int k = (int)first; k <= (int)last; k++)
        naming->category[k] = (uint8_t)category;
}

static void init_naming(struct naming *naming, const struct nsc_stats_input *input)
{
    *naming = (struct naming){.input = input, .events = nsc_trace_events(input->trace)};
    for (int k = 0; k < NSC_N_KINDS; k++)
        naming->category[k] = NONE;
    nsc_strpool_init(&naming->pool);
    nsc_stats_order_init(&naming->order, input);
}

static void fini_naming(struct naming *naming)
{
    for (int c = 0; c < N_CATEGORIES; c++) {
        free(naming->used[c]);
        free(naming->group[c]);
    }
    free(naming->mangled);
    free(naming->in_range);
    nsc_strpool_fini(&naming->pool);
    nsc_stats_order_fini(&naming->order);
}

static uint32_t group_of(struct naming *naming, enum category category, struct nsc_text text)
{
    struct nsc_buf key = NSC_BUF_INIT(SIZE_MAX);
    uint32_t group;

    nsc_buf_putc(&key, "kmco"[category]);
    nsc_buf_add(&key, text.bytes, text.n);
    group = nsc_strpool_add(&naming->pool, key.bytes, key.n);
    nsc_buf_fini(&key);
    return group;
}

static struct nsc_text name_text(const struct naming *naming, enum category category, nsc_name name)
{
    const struct nsc_stats_input *input = naming->input;
    const struct nsc_names *names = nsc_trace_names(input->trace);
    bool brief = category == KERNEL && input->arguments.base;
    struct nsc_text text =
        nsc_trace_string(input->trace, brief ? names->brief[name] : names->full[name]);

    if (category == CALL)
        return nsc_stats_call(text);
    return category == MEMORY ? nsc_stats_memory_name(text)
                              : nsc_stats_whole(input, nsc_stats_known(text));
}

/* Groups kernels by name and range, because kernels of one name may run in several ranges. */
static void find_range_groups(struct naming *naming)
{
    struct nsc_stats_names names;

    nsc_stats_names_init(&names, naming->input);
    naming->in_range = nsc_xcalloc((size_t)naming->events->n + 1, sizeof *naming->in_range);
    for (nsc_event e = 0; e < naming->events->n; e++)
        if (naming->events->kind[e] == NSC_KIND_KERNEL &&
            nsc_stats_has(naming->input, naming->events, e))
            naming->in_range[e] = group_of(naming, KERNEL, nsc_stats_name(&names, e));
    nsc_stats_names_fini(&names);
}

/* Finds the names that occur, and the group of each. */
static void find_groups(struct naming *naming)
{
    uint32_t n = nsc_trace_names(naming->input->trace)->n;
    const struct nsc_fields *mangled = naming->input->fields[NSC_STATS_FIELDS_MANGLED];

    for (int c = 0; c < N_CATEGORIES; c++) {
        naming->used[c] = nsc_xcalloc((size_t)n + 1, sizeof *naming->used[c]);
        naming->group[c] = nsc_xcalloc((size_t)n + 1, sizeof *naming->group[c]);
    }
    for (nsc_event e = 0; e < naming->events->n; e++)
        if (naming->category[naming->events->kind[e]] != NONE)
            naming->used[naming->category[naming->events->kind[e]]][naming->events->name[e]] = true;
    for (int c = 0; c < N_CATEGORIES; c++)
        for (nsc_name name = 0; name < n; name++)
            if (naming->used[c][name])
                naming->group[c][name] =
                    group_of(naming, (enum category)c, name_text(naming, (enum category)c, name));
    if (naming->input->arguments.in_ranges)
        find_range_groups(naming);
    if (!naming->input->arguments.mangled || !nsc_fields_has(mangled, 0))
        return;
    naming->mangled = nsc_xcalloc((size_t)mangled->texts.n + 1, sizeof *naming->mangled);
    for (nsc_str id = 0; id < mangled->texts.n; id++)
        naming->mangled[id] = group_of(naming, KERNEL, nsc_strpool_text(&mangled->texts, id));
}

static uint32_t event_group(const struct naming *naming, nsc_event event, uint8_t category)
{
    const struct nsc_fields *mangled = naming->input->fields[NSC_STATS_FIELDS_MANGLED];
    int64_t id;

    if (category == KERNEL && naming->in_range)
        return naming->in_range[event];
    if (category == KERNEL && naming->mangled &&
        nsc_fields_int(&id, mangled, 0, nsc_fields_find(mangled, event)))
        return naming->mangled[id];
    return naming->group[category][naming->events->name[event]];
}

static bool duration_row(const void *context, uint32_t event, uint32_t *group, int64_t *value)
{
    const struct naming *naming = context;
    uint8_t category = naming->category[naming->events->kind[event]];

    if (category == NONE || !nsc_stats_has(naming->input, naming->events, event))
        return false;
    *group = event_group(naming, event, category);
    *value = nsc_event_duration(naming->events, event);
    return true;
}

static struct nsc_text group_text(const struct naming *naming, uint32_t group)
{
    struct nsc_text text = nsc_strpool_text(&naming->pool, group);

    return text.n ? (struct nsc_text){text.bytes + 1, text.n - 1} : text;
}

static void label_name(const void *context, uint32_t group, struct nsc_stats_cell cells[])
{
    cells[0] = nsc_cell_of_text(group_text(context, group));
}

static void label_category(const void *context, uint32_t group, struct nsc_stats_cell cells[])
{
    const struct naming *naming = context;
    const char *word;

    switch (nsc_strpool_text(&naming->pool, group).bytes[0]) {
    case 'k':
        word = "CUDA_KERNEL";
        break;
    case 'm':
        word = "MEMORY_OPER";
        break;
    default:
        word = "CUDA_API";
    }
    cells[0] = nsc_cell_of_text((struct nsc_text){word, (uint32_t)strlen(word)});
    cells[1] = nsc_cell_of_text(group_text(naming, group));
}

static int compare_names(const void *context, uint32_t a, uint32_t b)
{
    const struct naming *naming = context;
    struct nsc_text x = group_text(naming, a), y = group_text(naming, b);
    int64_t i = naming->by_text ? 0 : nsc_stats_order_of(&naming->order, x);
    int64_t j = naming->by_text ? 0 : nsc_stats_order_of(&naming->order, y);

    if (!naming->by_text)
        return i != j ? (i < j ? -1 : 1) : nsc_text_compare(x, y);
    if (!naming->plain && naming->spread[a].n != naming->spread[b].n)
        return naming->spread[a].n < naming->spread[b].n ? -1 : 1;
    return nsc_text_compare(x, y);
}

static bool has_any(const struct nsc_spread spread[], uint32_t n)
{
    for (uint32_t g = 0; g < n; g++)
        if (spread[g].n)
            return true;
    return false;
}

/* Set the kinds first. */
static enum nsc_status put_durations(struct naming *naming, const struct nsc_stats_sink *sink,
                                     bool categories, const char *needs, struct nsc_error *error)
{
    struct nsc_spread *spread;
    enum nsc_status status = NSC_OK;

    find_groups(naming);
    spread = nsc_spreads_measure(naming->pool.n, naming->events->n, duration_row, naming);
    naming->spread = spread;
    if (!spread) {
        status = nsc_fail(error, NSC_ENOMEM, "the system refuses the memory for the durations");
    } else if (!has_any(spread, naming->pool.n)) {
        status = nsc_stats_nothing(error, needs);
    } else {
        struct nsc_stats_groups groups = {.n = naming->pool.n,
                                          .spread = spread,
                                          .label = categories ? label_category : label_name,
                                          .compare = compare_names,
                                          .context = naming};

        nsc_stats_put_groups(&groups, sink);
    }
    free(spread);
    fini_naming(naming);
    return status;
}

enum nsc_status nsc_stats_kern_sum(const struct nsc_stats_input *input,
                                   const struct nsc_stats_sink *sink, struct nsc_error *error)
{
    struct naming naming;

    init_naming(&naming, input);
    naming.by_text = true;
    set_kinds(&naming, NSC_KIND_KERNEL, NSC_KIND_KERNEL, KERNEL);
    return put_durations(&naming, sink, false, "CUDA kernel data", error);
}

enum nsc_status nsc_stats_mem_time_sum(const struct nsc_stats_input *input,
                                       const struct nsc_stats_sink *sink, struct nsc_error *error)
{
    struct naming naming;

    init_naming(&naming, input);
    naming.by_text = true;
    set_kinds(&naming, NSC_KIND_COPY_HTOD, NSC_KIND_MEMSET, MEMORY);
    return put_durations(&naming, sink, false, "GPU memory data", error);
}

enum nsc_status nsc_stats_gpu_sum(const struct nsc_stats_input *input,
                                  const struct nsc_stats_sink *sink, struct nsc_error *error)
{
    struct naming naming;

    init_naming(&naming, input);
    naming.by_text = true;
    set_kinds(&naming, NSC_KIND_KERNEL, NSC_KIND_KERNEL, KERNEL);
    set_kinds(&naming, NSC_KIND_COPY_HTOD, NSC_KIND_MEMSET, MEMORY);
    return put_durations(&naming, sink, true, "CUDA kernel or memory data", error);
}

enum nsc_status nsc_stats_api_gpu_sum(const struct nsc_stats_input *input,
                                      const struct nsc_stats_sink *sink, struct nsc_error *error)
{
    struct naming naming;

    init_naming(&naming, input);
    naming.by_text = true;
    set_kinds(&naming, NSC_KIND_KERNEL, NSC_KIND_KERNEL, KERNEL);
    set_kinds(&naming, NSC_KIND_COPY_HTOD, NSC_KIND_MEMSET, MEMORY);
    set_kinds(&naming, NSC_KIND_API_RUNTIME, NSC_KIND_API_DRIVER, CALL);
    return put_durations(&naming, sink, true, "CUDA calls, kernels or memory data", error);
}

enum nsc_status nsc_stats_api_sum(const struct nsc_stats_input *input,
                                  const struct nsc_stats_sink *sink, struct nsc_error *error)
{
    struct naming naming;

    init_naming(&naming, input);
    set_kinds(&naming, NSC_KIND_API_RUNTIME, NSC_KIND_API_DRIVER, CALL);
    return put_durations(&naming, sink, false, "CUDA trace data", error);
}

enum nsc_status nsc_stats_osrt_sum(const struct nsc_stats_input *input,
                                   const struct nsc_stats_sink *sink, struct nsc_error *error)
{
    struct naming naming;

    init_naming(&naming, input);
    set_kinds(&naming, NSC_KIND_OSRT, NSC_KIND_OSRT, OTHER);
    return put_durations(&naming, sink, false, "OS runtime trace data", error);
}

enum nsc_status nsc_stats_openmp_sum(const struct nsc_stats_input *input,
                                     const struct nsc_stats_sink *sink, struct nsc_error *error)
{
    struct naming naming;

    init_naming(&naming, input);
    naming.by_text = naming.plain = true;
    set_kinds(&naming, NSC_KIND_OMP_PARALLEL, NSC_KIND_OMP_FLUSH, OTHER);
    return put_durations(&naming, sink, false, "OpenMP event data", error);
}

/* ---- bytes ---- */

static bool bytes_row(const void *context, uint32_t event, uint32_t *group, int64_t *value)
{
    const struct naming *naming = context;
    uint8_t kind = naming->events->kind[event];
    const struct nsc_fields *fields =
        naming->input
            ->fields[kind == NSC_KIND_MEMSET ? NSC_STATS_FIELDS_MEMSET : NSC_STATS_FIELDS_COPY];

    if (naming->category[kind] == NONE || !nsc_stats_has(naming->input, naming->events, event) ||
        !fields || !nsc_fields_int(value, fields, 2, nsc_fields_find(fields, event)))
        return false;
    *group = naming->group[MEMORY][naming->events->name[event]];
    return true;
}

enum nsc_status nsc_stats_mem_size_sum(const struct nsc_stats_input *input,
                                       const struct nsc_stats_sink *sink, struct nsc_error *error)
{
    struct naming naming;
    struct nsc_spread *spread;
    struct nsc_stats_groups groups = {
        .label = label_name, .compare = compare_names, .context = &naming, .is_size = true};
    enum nsc_status status = NSC_OK;

    init_naming(&naming, input);
    naming.by_text = true;
    set_kinds(&naming, NSC_KIND_COPY_HTOD, NSC_KIND_MEMSET, MEMORY);
    find_groups(&naming);
    spread = nsc_spreads_measure(naming.pool.n, naming.events->n, bytes_row, &naming);
    groups.n = naming.pool.n;
    groups.spread = naming.spread = spread;
    if (!spread)
        status = nsc_fail(error, NSC_ENOMEM, "the system refuses the memory for the sizes");
    else if (!has_any(spread, naming.pool.n))
        status = nsc_stats_nothing(error, "GPU memory data");
    else
        nsc_stats_put_groups(&groups, sink);
    free(spread);
    fini_naming(&naming);
    return status;
}
