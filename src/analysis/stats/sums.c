/*
 * Summaries by name: kernels, memory operations, CUDA calls, OS runtime calls, OpenMP.
 */
#include "analysis/stats/functions.h"
#include "analysis/stats/rows.h"
#include "core/die.h"
#include "core/text.h"

#include <stdlib.h>
#include <string.h>

/* In the order of groups. */
enum category { KERNEL, MEMORY, CALL, OS, OPENMP, N_CATEGORIES, NONE = N_CATEGORIES };

static const struct {
    enum nsc_kind first, last;
} kinds_of[N_CATEGORIES] = {[KERNEL] = {NSC_KIND_KERNEL, NSC_KIND_KERNEL},
                            [MEMORY] = {NSC_KIND_COPY_HTOD, NSC_KIND_MEMSET},
                            [CALL] = {NSC_KIND_API_RUNTIME, NSC_KIND_API_DRIVER},
                            [OS] = {NSC_KIND_OSRT, NSC_KIND_OSRT},
                            [OPENMP] = {NSC_KIND_OMP_PARALLEL, NSC_KIND_OMP_FLUSH}};

/* The order of groups with equal totals: by counts and names, by names, by ids of names. */
enum order { BY_COUNT, BY_TEXT, BY_ID };

/* What each report sums. */
static const struct summed {
    uint8_t categories; /* bits */
    enum order order;
    bool has_categories, is_size;
} summed[NSC_N_STATS] = {
    [NSC_STATS_CUDA_GPU_KERN_SUM] = {1 << KERNEL, BY_COUNT, false, false},
    [NSC_STATS_CUDA_GPU_MEM_TIME_SUM] = {1 << MEMORY, BY_COUNT, false, false},
    [NSC_STATS_CUDA_GPU_MEM_SIZE_SUM] = {1 << MEMORY, BY_COUNT, false, true},
    [NSC_STATS_CUDA_GPU_SUM] = {1 << KERNEL | 1 << MEMORY, BY_COUNT, true, false},
    [NSC_STATS_CUDA_API_GPU_SUM] = {1 << KERNEL | 1 << MEMORY | 1 << CALL, BY_COUNT, true, false},
    [NSC_STATS_CUDA_API_SUM] = {1 << CALL, BY_ID, false, false},
    [NSC_STATS_OSRT_SUM] = {1 << OS, BY_ID, false, false},
    [NSC_STATS_OPENMP_SUM] = {1 << OPENMP, BY_TEXT, false, false},
};

/* Keys of a group, in the order of groups that are equal otherwise. */
enum { NAME, CATEGORY, N_KEYS };

struct naming {
    const struct nsc_stats_input *input;
    const struct nsc_events *events;
    const struct summed *summed;
    uint8_t category[NSC_N_KINDS];
    uint32_t *group[N_CATEGORIES]; /* by name of the trace; NSC_NONE: not used */
    uint32_t *of_kernel;           /* by event, if kernels of a name have several; else NULL */
    struct nsc_totals totals;
    struct nsc_stats_order order;
    struct nsc_spread *spread;
};

static void init_naming(struct naming *naming, const struct nsc_stats_input *input)
{
    *naming = (struct naming){.input = input,
                              .events = nsc_trace_events(input->trace),
                              .summed = &summed[input->id],
                              .totals = nsc_totals_new(N_KEYS, NSC_TOTALS_TEXT(NAME))};
    memset(naming->category, NONE, sizeof naming->category);
    for (int c = 0; c < N_CATEGORIES; c++)
        if (naming->summed->categories >> c & 1)
            memset(naming->category + kinds_of[c].first, c,
                   kinds_of[c].last - kinds_of[c].first + 1u);
    if (naming->summed->order == BY_ID)
        nsc_stats_order_init(&naming->order, input);
}

static void fini_naming(struct naming *naming)
{
    for (int c = 0; c < N_CATEGORIES; c++)
        free(naming->group[c]);
    free(naming->of_kernel);
    free(naming->spread);
    nsc_totals_fini(&naming->totals);
    nsc_stats_order_fini(&naming->order);
}

static uint32_t group_of(struct naming *naming, uint8_t category, struct nsc_text text)
{
    return nsc_totals_find(&naming->totals,
                           (int64_t[]){nsc_totals_text(&naming->totals, text), category});
}

static struct nsc_text name_of(struct nsc_stats_names *names, uint8_t category, nsc_event event)
{
    struct nsc_text name = nsc_stats_name(names, event);

    if (category == CALL)
        return nsc_stats_call(name);
    return category == MEMORY ? nsc_stats_memory_name(name) : nsc_stats_known(name);
}

/* Finds the group of each name that occurs, or of each kernel. */
static void find_groups(struct naming *naming)
{
    uint32_t n = nsc_trace_names(naming->input->trace)->n;
    const struct nsc_events *events = naming->events;
    const struct nsc_stats_arguments *arguments = &naming->input->arguments;
    struct nsc_stats_names names;

    nsc_stats_names_init(&names, naming->input);
    for (int c = 0; c < N_CATEGORIES; c++) {
        naming->group[c] = nsc_xmalloc(((size_t)n + 1) * sizeof *naming->group[c]);
        memset(naming->group[c], 0xff, ((size_t)n + 1) * sizeof *naming->group[c]);
    }
    if (arguments->in_ranges || arguments->mangled)
        naming->of_kernel = nsc_xcalloc((size_t)events->n + 1, sizeof *naming->of_kernel);
    for (nsc_event e = 0; e < events->n; e++) {
        uint8_t category = naming->category[events->kind[e]];
        bool is_own = category == KERNEL && naming->of_kernel;
        uint32_t *group;

        if (category == NONE || (is_own && !nsc_stats_has(naming->input, events, e)))
            continue;
        group = is_own ? &naming->of_kernel[e] : &naming->group[category][events->name[e]];
        if (is_own || *group == NSC_NONE)
            *group = group_of(naming, category, name_of(&names, category, e));
    }
    nsc_stats_names_fini(&names);
}

/* Returns false if the event does not count. */
static bool event_group(const struct naming *naming, nsc_event event, uint32_t *group)
{
    uint8_t category = naming->category[naming->events->kind[event]];

    if (category == NONE || !nsc_stats_has(naming->input, naming->events, event))
        return false;
    *group = category == KERNEL && naming->of_kernel
                 ? naming->of_kernel[event]
                 : naming->group[category][naming->events->name[event]];
    return true;
}

static bool duration_row(const void *context, uint32_t event, uint32_t *group, int64_t *value)
{
    const struct naming *naming = context;

    *value = nsc_event_duration(naming->events, event);
    return event_group(naming, event, group);
}

static bool bytes_row(const void *context, uint32_t event, uint32_t *group, int64_t *value)
{
    const struct naming *naming = context;
    bool is_set = naming->events->kind[event] == NSC_KIND_MEMSET;
    const struct nsc_fields *fields =
        naming->input->fields[is_set ? NSC_STATS_FIELDS_MEMSET : NSC_STATS_FIELDS_COPY];

    return event_group(naming, event, group) &&
           nsc_fields_int(value, fields, 2, nsc_fields_find(fields, event));
}

static void label_name(const void *context, uint32_t group, struct nsc_stats_cell cells[])
{
    static const char *const words[] = {"CUDA_KERNEL", "MEMORY_OPER", "CUDA_API"};
    const struct naming *naming = context;
    uint32_t n = 0;

    if (naming->summed->has_categories)
        cells[n++] = nsc_cell_of_text(
            nsc_text_from(words[nsc_totals_keys(&naming->totals, group)[CATEGORY]]));
    cells[n] = nsc_cell_of_text(nsc_totals_text_of(&naming->totals, group, NAME));
}

static int64_t id_of(const struct naming *naming, uint32_t group)
{
    return nsc_stats_order_of(&naming->order, nsc_totals_text_of(&naming->totals, group, NAME));
}

static int compare_names(const void *context, uint32_t a, uint32_t b)
{
    const struct naming *naming = context;
    int order = 0;

    if (naming->summed->order == BY_COUNT)
        order = NSC_ORDER(naming->spread[a].n, naming->spread[b].n);
    else if (naming->summed->order == BY_ID)
        order = NSC_ORDER(id_of(naming, a), id_of(naming, b));
    return order ? order : nsc_totals_compare(&naming->totals, a, b, NAME, N_KEYS);
}

enum nsc_status nsc_stats_sum(const struct nsc_stats_input *input,
                              const struct nsc_stats_sink *sink)
{
    struct naming naming;
    struct nsc_stats_groups groups = {
        .label = label_name, .compare = compare_names, .context = &naming};
    enum nsc_status status;

    init_naming(&naming, input);
    find_groups(&naming);
    naming.spread =
        nsc_spreads_measure(naming.totals.n, naming.events->n,
                            naming.summed->is_size ? bytes_row : duration_row, &naming, false);
    groups.n = naming.totals.n;
    groups.spread = naming.spread;
    groups.is_size = naming.summed->is_size;
    status = nsc_stats_put_groups(&groups, sink);
    fini_naming(&naming);
    return status;
}
