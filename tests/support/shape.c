/*
 * Simulates processes that launch kernels on streams in turn, by a row of shape.def.
 *
 * All processes begin a step at the same time, and no event lasts into the next step. So each table
 * is written in order by sorting the rows of one step.
 */
#include "support/shape.h"

#include "core/die.h"
#include "core/vec.h"
#include "nsys/generate/generate_tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STEP_KERNELS 1000 /* of one process */
#define STRIDE       10   /* kernels of a module, the range around operations */
#define DEVICES      2

struct job_shape {
    const char *name;
    uint32_t processes, streams, ranges, distinct;
    bool by_end;
    uint32_t nodes;
};

static const struct job_shape job_shapes[] = {
#define SHAPE(...) {__VA_ARGS__},
#include "support/shape.def"
#undef SHAPE
};

struct shaped_event { /* a row to be */
    int64_t start, end, correlation;
    uint32_t process, stream, name, number; /* number: of the text or graph node; 0: none */
};

struct shape_process {
    int64_t cpu, correlation;
    int64_t *free_at; /* when each stream has run all its work */
    uint64_t kernels_left;
};

struct shape_job {
    const struct job_shape *shape;
    uint64_t kernels;
    struct nsc_writer *writer;
    enum nsc_writer_table table; /* being written */
    uint64_t random;
    uint32_t n_processes, n_ranges;
    int64_t end;
    int64_t brief[NSC_N_COMPUTE_NAMES], full[NSC_N_COMPUTE_NAMES], ops[NSC_N_COMPUTE_NAMES];
    int64_t launch, graph, main;
    struct shape_process *processes;
    NSC_VEC(struct shaped_event) events; /* of one step and table */
};

static uint64_t next_random(struct shape_job *job)
{
    uint64_t z = (job->random += 0x9e3779b97f4a7c15u);

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    return z ^ z >> 31;
}

static int64_t vary(struct shape_job *job, int64_t typical)
{
    return typical - typical / 4 + (int64_t)(next_random(job) % (uint64_t)(typical / 2 + 1));
}

/* Process ids: a process number in the upper part, so threads of two processes never collide. */
static int64_t pid_of(uint32_t process)
{
    return 4000 + 10 * (int64_t)process;
}

static int64_t global_id(uint32_t process, bool thread)
{
    return (int64_t)1 << 48 | pid_of(process) << 24 | (thread ? pid_of(process) : 0);
}

static void push(struct shape_job *job, enum nsc_writer_table table, struct shaped_event event)
{
    if (event.end > job->end)
        job->end = event.end;
    if (table == job->table)
        *NSC_VEC_ADD(&job->events) = event;
}

/* An NVTX range of the process that ends now; one in `distinct` gets a number of its own. */
static void push_range(struct shape_job *job, uint32_t process, int64_t start, uint32_t name)
{
    uint32_t each = job->shape->distinct;
    uint32_t number = job->n_ranges++;

    push(job, NSC_WRITE_NVTX,
         (struct shaped_event){.start = start,
                               .end = job->processes[process].cpu,
                               .process = process,
                               .name = name,
                               .number = each && number % each == 0 ? number + 1 : 0});
}

static int64_t push_call(struct shape_job *job, uint32_t process, bool graph, int64_t duration)
{
    struct shape_process *p = &job->processes[process];

    push(job, NSC_WRITE_RUNTIME,
         (struct shaped_event){.start = p->cpu,
                               .end = p->cpu + duration,
                               .process = process,
                               .name = graph,
                               .correlation = ++p->correlation});
    p->cpu += duration;
    return p->correlation;
}

static void push_kernel(struct shape_job *job, uint32_t process, int64_t id, uint32_t node)
{
    struct shape_process *p = &job->processes[process];
    uint32_t name = (uint32_t)(next_random(job) % NSC_N_COMPUTE_NAMES);
    uint32_t stream = (uint32_t)(p->kernels_left % job->shape->streams);
    int64_t start = p->cpu + 1500;

    if (p->free_at[stream] + 400 > start)
        start = p->free_at[stream] + 400;
    p->free_at[stream] = start + vary(job, nsc_compute_names[name].duration);
    push(job, NSC_WRITE_KERNEL,
         (struct shaped_event){.start = start,
                               .end = p->free_at[stream],
                               .correlation = id,
                               .process = process,
                               .stream = stream,
                               .name = name,
                               .number = node});
    p->kernels_left--;
}

static void run_graph(struct shape_job *job, uint32_t process)
{
    int64_t id = push_call(job, process, true, vary(job, 20000));

    for (uint32_t node = 1; node <= job->shape->nodes && job->processes[process].kernels_left;
         node++)
        push_kernel(job, process, id, node);
}

/* A kernel with its launch and, as often as the shape says, an operation, and one inside it. */
static void run_kernel(struct shape_job *job, uint32_t process, uint32_t k)
{
    struct shape_process *p = &job->processes[process];
    uint32_t ranges = job->shape->ranges;
    uint32_t name = (uint32_t)(next_random(job) % NSC_N_COMPUTE_NAMES);
    int64_t outer = p->cpu;
    int64_t inner = p->cpu += 400;

    p->cpu += 300;
    push_kernel(job, process, push_call(job, process, false, vary(job, 4000)), 0);
    p->cpu += 200;
    if (ranges >= 110 && k % 100 < ranges - 110)
        push_range(job, process, inner, (name + 3) % NSC_N_COMPUTE_NAMES);
    p->cpu += 200;
    if (ranges >= 110 || k % 100 < ranges)
        push_range(job, process, outer, name);
}

static void run_step(struct shape_job *job, uint32_t process, int64_t begin)
{
    struct shape_process *p = &job->processes[process];
    int64_t module = begin;

    p->cpu = begin;
    for (uint32_t k = 0; k < STEP_KERNELS && p->kernels_left;
         k += job->shape->nodes ? job->shape->nodes : 1) {
        p->cpu += vary(job, 2000);
        if (k % STRIDE == 0)
            module = p->cpu;
        if (job->shape->nodes)
            run_graph(job, process);
        else
            run_kernel(job, process, k);
        p->cpu += 100;
        if (k % STRIDE == STRIDE - 1 && job->shape->ranges >= 110)
            push_range(job, process, module, k / STRIDE % NSC_N_COMPUTE_NAMES);
    }
    push_range(job, process, begin, 0);
}

/* ---- rows ---- */

static void write_range(const struct shape_job *job, const struct shaped_event *e)
{
    bool registered = job->shape->distinct == 0 && job->shape->ranges < 100;
    char text[96];
    const int64_t row[] = {e->start,
                           e->end,
                           59,
                           NSC_WRITE_NULL,
                           NSC_WRITE_NULL,
                           global_id(e->process, true),
                           NSC_WRITE_NULL,
                           registered ? job->ops[e->name] : NSC_WRITE_NULL,
                           0};

    if (e->number)
        snprintf(text, sizeof text, "%s, seq = %u", nsc_op_names[e->name], e->number);
    else
        snprintf(text, sizeof text, "%s", nsc_op_names[e->name]);
    nsc_writer_add(job->writer, NSC_WRITE_NVTX, row, registered ? NULL : text);
}

static void write_kernel(const struct shape_job *job, const struct shaped_event *e)
{
    const int64_t row[] = {e->start,
                           e->end,
                           e->process / job->shape->processes,
                           1,
                           7 + e->stream,
                           e->correlation,
                           global_id(e->process, false),
                           job->full[e->name],
                           job->brief[e->name],
                           job->full[e->name],
                           64,
                           1 + e->correlation % 512,
                           1,
                           1,
                           128,
                           1,
                           1,
                           1024,
                           0,
                           0,
                           0,
                           e->correlation,
                           65536,
                           e->number ? (int64_t)e->number : NSC_WRITE_NULL,
                           e->number ? 1 : NSC_WRITE_NULL};

    nsc_writer_add(job->writer, NSC_WRITE_KERNEL, row, NULL);
}

static void write_event(const struct shape_job *job, const struct shaped_event *e)
{
    const int64_t call[] = {e->start,
                            e->end,
                            0,
                            global_id(e->process, true),
                            e->correlation,
                            e->name ? job->graph : job->launch,
                            0};

    if (job->table == NSC_WRITE_NVTX)
        write_range(job, e);
    else if (job->table == NSC_WRITE_KERNEL)
        write_kernel(job, e);
    else
        nsc_writer_add(job->writer, NSC_WRITE_RUNTIME, call, NULL);
}

static int by_start(const void *a, const void *b)
{
    const struct shaped_event *x = a;
    const struct shaped_event *y = b;

    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return x->end > y->end ? -1 : x->end < y->end;
}

static int by_end(const void *a, const void *b)
{
    const struct shaped_event *x = a;
    const struct shaped_event *y = b;

    if (x->end != y->end)
        return x->end < y->end ? -1 : 1;
    return x->start > y->start ? -1 : x->start < y->start;
}

static void write_step(struct shape_job *job)
{
    bool ends = job->table == NSC_WRITE_NVTX && job->shape->by_end;

    qsort(job->events.at, job->events.n, sizeof *job->events.at, ends ? by_end : by_start);
    for (size_t i = 0; i < job->events.n; i++)
        write_event(job, &job->events.at[i]);
    NSC_VEC_CLEAR(&job->events);
}

static void write_texts(struct shape_job *job)
{
    job->launch = nsc_writer_string(job->writer, "cudaLaunchKernel_v7000");
    job->graph = nsc_writer_string(job->writer, "cudaGraphLaunch_v10000");
    job->main = nsc_writer_string(job->writer, "main");
    for (unsigned i = 0; i < NSC_N_COMPUTE_NAMES; i++) {
        job->brief[i] = nsc_writer_string(job->writer, nsc_compute_names[i].brief);
        job->full[i] = nsc_writer_string(job->writer, nsc_compute_names[i].full);
        job->ops[i] = nsc_writer_string(job->writer, nsc_op_names[i]);
    }
}

static void write_process(const struct shape_job *job, uint32_t process)
{
    uint32_t device = process / job->shape->processes;
    int64_t pid = pid_of(process);
    char text[64];

    NSC_WRITE(job->writer, NSC_WRITE_PROCESS, "/usr/bin/program", global_id(process, false), pid);
    NSC_WRITE(job->writer, NSC_WRITE_THREAD, NULL, job->main, 0, global_id(process, true));
    NSC_WRITE(job->writer, NSC_WRITE_CONTEXT, NULL, 7, 0, 1, pid, device, 1);
    snprintf(text, sizeof text, "GPU-%08x-0000-0000-0000-000000000000", device);
    NSC_WRITE(job->writer, NSC_WRITE_DEVICE, text, device, device, pid);
    if (process % job->shape->processes == 0)
        NSC_WRITE(job->writer, NSC_WRITE_GPU, "NVIDIA H100 80GB HBM3", 0, device, 1,
                  (int64_t)80 << 30, 132);
}

/* The whole run, of which only the rows of the table are kept. */
static void write_table(struct shape_job *job, enum nsc_writer_table table)
{
    uint64_t each = job->kernels / job->n_processes;
    int64_t begin = 1000000;
    bool going = true;

    job->table = table;
    job->random = 1;
    job->n_ranges = 0;
    for (uint32_t p = 0; p < job->n_processes; p++) {
        job->processes[p].correlation = 0;
        job->processes[p].kernels_left = each + (p == 0 ? job->kernels % job->n_processes : 0);
    }
    while (going && !nsc_writer_has_failed(job->writer)) {
        going = false;
        for (uint32_t p = 0; p < job->n_processes; p++) {
            run_step(job, p, begin + (int64_t)p * 7);
            going = going || job->processes[p].kernels_left;
        }
        write_step(job);
        begin = job->end + 50000;
    }
}

static void write_tables(struct shape_job *job)
{
    static const enum nsc_writer_table tables[] = {NSC_WRITE_KERNEL, NSC_WRITE_RUNTIME,
                                                   NSC_WRITE_NVTX};
    size_t n_streams = (size_t)job->n_processes * job->shape->streams;
    int64_t *free_at = nsc_xcalloc(n_streams, sizeof *free_at);

    job->processes = nsc_xcalloc(job->n_processes, sizeof *job->processes);
    write_texts(job);
    for (uint32_t p = 0; p < job->n_processes; p++) {
        job->processes[p].free_at = free_at + (size_t)p * job->shape->streams;
        write_process(job, p);
    }
    for (unsigned t = 0; t < sizeof tables / sizeof tables[0]; t++) {
        memset(free_at, 0, n_streams * sizeof *free_at);
        job->end = 0;
        write_table(job, tables[t]);
    }
    nsc_writer_end(job->writer, job->end);
    free(free_at);
    free(job->processes);
    NSC_VEC_FINI(&job->events);
}

static const struct job_shape *find_shape(const char *name)
{
    for (size_t i = 0; i < sizeof job_shapes / sizeof *job_shapes; i++)
        if (strcmp(job_shapes[i].name, name) == 0)
            return &job_shapes[i];
    return NULL;
}

static bool write_shape(const char *path, const char *name, uint64_t kernels)
{
    struct nsc_error error = {0};
    struct shape_job job = {.shape = find_shape(name), .kernels = kernels};
    enum nsc_status status = NSC_OK;

    if (!job.shape) {
        fprintf(stderr, "make_export: there is no shape %s\n", name);
        return false;
    }
    job.n_processes = DEVICES * job.shape->processes;
    status = nsc_writer_open(&job.writer, path, true, &error);
    if (status == NSC_OK) {
        write_tables(&job);
        status = nsc_writer_close(job.writer, true, &error);
    }
    if (status != NSC_OK)
        fprintf(stderr, "make_export: %s\n", error.text);
    return status == NSC_OK;
}

bool shape_export(const char *path, const char *shape, uint64_t kernels, bool shuffle)
{
    char ordered[4096];
    bool done;

    if (!shuffle)
        return write_shape(path, shape, kernels);
    snprintf(ordered, sizeof ordered, "%s.ordered", path);
    done = write_shape(ordered, shape, kernels) && tile_export(path, ordered, 1, true);
    (void)remove(ordered);
    return done;
}
