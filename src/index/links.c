/*
 * Links API calls with the ops and synchronizations they caused, by (process, correlation id).
 *
 * Before, the link column of those rows holds correlation ids; afterwards rows or NSC_NONE.
 */
#include "core/sort.h"
#include "core/threads.h"
#include "index/builder_data.h"

#ifdef NSC_SMALL
#define TASK_ROWS 16u
#else
#define TASK_ROWS 65536u
#endif

/* The calls of one process by correlation id: slots of event + 1, 0: none. */
struct calls {
    uint32_t *slots;
    uint64_t n_slots; /* dense: the number of ids; else a power of two */
    uint32_t least;   /* dense: the first id */
    bool dense;
};

struct task {
    uint32_t first, end; /* rows of one track */
    uint64_t kinds;      /* one bit per kind of its rows */
};

_Static_assert(NSC_N_KINDS <= 64, "kinds are bits of a word");
#define BIT(kind) ((uint64_t)1 << (kind))
#define APIS      (BIT(NSC_KIND_API_RUNTIME) | BIT(NSC_KIND_API_DRIVER))
#define WORK      (BIT(NSC_KIND_MEMSET + 1) - BIT(NSC_KIND_KERNEL))
#define CAUSED    (WORK | BIT(NSC_KIND_SYNC))

struct id_range {
    uint32_t least, most;
    uint64_t n;
};

/* The tracks of one process. */
struct process {
    const struct nsc_sort_pair *tracks;
    size_t n_tracks;
};

struct linking {
    struct nsc_builder *builder;
    uint32_t *link, *name;
    const uint8_t *kind;
    const nsc_time *start;
    const struct process *process;
    struct calls calls;
    NSC_VEC(struct task) tasks;
    struct id_range *ranges; /* one per thread */
};

/* Calls visit for the rows of a task with these kinds. Inlined, so that each pass gets its own
 * loop. */
static inline void visit_task(struct linking *linking, uint32_t i, uint64_t kinds,
                              void (*visit)(struct linking *linking, uint32_t row))
{
    const struct task *task = &linking->tasks.at[i];

    if (!(task->kinds & kinds))
        return;
    for (uint32_t row = task->first; row < task->end; row++)
        if (kinds >> linking->kind[row] & 1)
            visit(linking, row);
}

/* Runs a pass over the rows of a process; its tasks are independent. */
static void run_pass(struct linking *linking,
                     void (*pass)(void *context, unsigned worker, uint32_t i))
{
    nsc_pool_run(linking->builder->pool, (uint32_t)linking->tasks.n, pass, linking);
}

static void cut_tasks(struct linking *linking)
{
    const struct process *process = linking->process;

    for (size_t t = 0; t < process->n_tracks; t++) {
        const struct nsc_build_track *track =
            &linking->builder->tracks.at[process->tracks[t].value];
        uint32_t first = nsc_builder_first_row(linking->builder, track);
        uint32_t n = track->n_lanes ? track->n : 0;

        for (uint64_t at = 0; at < n; at += TASK_ROWS)
            *NSC_VEC_ADD(&linking->tasks) =
                (struct task){first + (uint32_t)at,
                              first + (n - at < TASK_ROWS ? n : (uint32_t)at + TASK_ROWS), 0};
    }
}

/* ---- calls by id ---- */

/* The slot of a correlation id, or the empty slot for it. */
static uint32_t *find_slot(const struct linking *linking, uint32_t id)
{
    const struct calls *calls = &linking->calls;
    uint64_t at = nsc_hash_mix(0, id) & (calls->n_slots - 1);
    uint32_t held = 0;

    if (calls->dense)
        return &calls->slots[id - calls->least];
    while ((held = __atomic_load_n(&calls->slots[at], __ATOMIC_RELAXED)) != 0 &&
           linking->link[held - 1] != id)
        at = (at + 1) & (calls->n_slots - 1);
    return &calls->slots[at];
}

/*
 * Of several rows for one slot, the earliest stays; of rows that start together, the lower number. A
 * slot holds row + bias, or none. Threads may write one slot at once; the result does not depend on
 * their order.
 */
static void put_earliest(const struct linking *linking, uint32_t *at, uint32_t row, uint32_t bias,
                         uint32_t none)
{
    uint32_t held = __atomic_load_n(at, __ATOMIC_RELAXED);

    while (held != row + bias) {
        uint32_t other = held - bias;

        if (held != none && (linking->start[other] < linking->start[row] ||
                             (linking->start[other] == linking->start[row] && other < row)))
            return;
        if (__atomic_compare_exchange_n(at, &held, row + bias, true, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED))
            return;
    }
}

/* Threads may add at once, because a slot that is taken keeps its id. */
static void add_call(struct linking *linking, uint32_t row)
{
    uint32_t id = linking->link[row];

    while (id) {
        uint32_t *slot = find_slot(linking, id);
        uint32_t held = 0;

        if (__atomic_compare_exchange_n(slot, &held, row + 1, false, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED))
            return;
        if (linking->link[held - 1] != id)
            continue; /* another thread took the slot */
        put_earliest(linking, slot, row, 1, 0);
        return;
    }
}

static void add_calls(void *context, unsigned worker, uint32_t i)
{
    (void)worker;
    visit_task(context, i, APIS, add_call);
}

/* The kinds of a task, and the range of its calls' ids. */
static void measure_task(void *context, unsigned worker, uint32_t i)
{
    struct linking *linking = context;
    struct task *task = &linking->tasks.at[i];
    struct id_range range = linking->ranges[worker];

    for (uint32_t row = task->first; row < task->end; row++)
        task->kinds |= BIT(linking->kind[row]);
    for (uint32_t row = task->first; (task->kinds & APIS) && row < task->end; row++) {
        uint32_t id = linking->link[row];

        if (!nsc_kind_is_api(linking->kind[row]) || !id)
            continue;
        range.n++;
        range.least = id < range.least ? id : range.least;
        range.most = id > range.most ? id : range.most;
    }
    linking->ranges[worker] = range;
}

static struct id_range measure_ids(struct linking *linking)
{
    static const struct id_range none = {UINT32_MAX, 0, 0};
    unsigned threads = nsc_pool_threads(linking->builder->pool);
    struct id_range range = none;

    linking->ranges = nsc_xmalloc(threads * sizeof *linking->ranges);
    for (unsigned i = 0; i < threads; i++)
        linking->ranges[i] = none;
    run_pass(linking, measure_task);
    for (unsigned i = 0; i < threads; i++) {
        const struct id_range *part = &linking->ranges[i];

        range.n += part->n;
        range.least = part->least < range.least ? part->least : range.least;
        range.most = part->most > range.most ? part->most : range.most;
    }
    free(linking->ranges);
    return range;
}

static bool collect_calls(struct linking *linking)
{
    struct id_range range = measure_ids(linking);
    uint64_t width = range.n ? (uint64_t)range.most - range.least + 1 : 0;
    uint64_t n_slots = 16;

    linking->calls = (struct calls){NULL, 0, range.least, width <= range.n * 4};
    if (!range.n)
        return true;
    while (n_slots < range.n * 2)
        n_slots *= 2;
    linking->calls.n_slots = linking->calls.dense ? width : n_slots;
    linking->calls.slots = calloc(linking->calls.n_slots, sizeof(uint32_t));
    if (!linking->calls.slots)
        return false;
    run_pass(linking, add_calls);
    return true;
}

/* ---- both ways ---- */

/* Links an op or a synchronization to the call that caused it. */
static void link_caused(struct linking *linking, uint32_t row)
{
    const struct calls *calls = &linking->calls;
    uint32_t id = linking->link[row];
    bool outside = calls->dense && (id < calls->least || id - calls->least >= calls->n_slots);
    uint32_t found = id && calls->slots && !outside ? *find_slot(linking, id) : 0;

    linking->link[row] = found ? found - 1 : NSC_NONE;
    if (found && linking->kind[row] == NSC_KIND_SYNC && linking->name[found - 1])
        linking->name[row] = linking->name[found - 1];
}

static void clear_call(struct linking *linking, uint32_t row)
{
    linking->link[row] = NSC_NONE;
}

/* Links a call to the first op it launched. */
static void link_back(struct linking *linking, uint32_t row)
{
    uint32_t call = linking->link[row];

    if (call != NSC_NONE)
        put_earliest(linking, &linking->link[call], row, 0, NSC_NONE);
}

static void link_all_caused(void *context, unsigned worker, uint32_t i)
{
    (void)worker;
    visit_task(context, i, CAUSED, link_caused);
}

static void clear_calls(void *context, unsigned worker, uint32_t i)
{
    (void)worker;
    visit_task(context, i, APIS, clear_call);
}

static void link_all_back(void *context, unsigned worker, uint32_t i)
{
    (void)worker;
    visit_task(context, i, WORK, link_back);
}

/* False if out of memory. */
static bool link_process(struct nsc_builder *builder, const struct process *process)
{
    struct linking linking = {.builder = builder,
                              .link = builder->columns[NSC_COLUMN_LINK].at,
                              .name = builder->columns[NSC_COLUMN_NAME].at,
                              .kind = builder->columns[NSC_COLUMN_KIND].at,
                              .start = builder->columns[NSC_COLUMN_START].at,
                              .process = process};
    bool ok = false;

    cut_tasks(&linking);
    ok = collect_calls(&linking);
    if (ok) {
        run_pass(&linking, link_all_caused);
        run_pass(&linking, clear_calls);
        run_pass(&linking, link_all_back);
    }
    free(linking.calls.slots);
    NSC_VEC_FINI(&linking.tasks);
    return ok;
}

bool nsc_builder_link(struct nsc_builder *builder)
{
    size_t n = builder->tracks.n;
    struct nsc_sort_pair *pairs = nsc_xmalloc((2 * n + 1) * sizeof *pairs);
    bool ok = true;

    for (uint32_t t = 0; t < n; t++)
        pairs[t] = (struct nsc_sort_pair){builder->tracks.at[t].key.process, t};
    nsc_sort_pairs(pairs, pairs + n, n);
    for (size_t i = 0; ok && i < n;) {
        struct process process = {&pairs[i], 0};

        while (i < n && pairs[i].key == process.tracks->key) {
            process.n_tracks++;
            i++;
        }
        ok = link_process(builder, &process);
    }
    free(pairs);
    return ok;
}
