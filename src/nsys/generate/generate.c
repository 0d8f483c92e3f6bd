/*
 * Simulates a data-parallel training job and writes an export of it.
 *
 * Each rank has a host clock that launches work and streams that run it later: a kernel starts when
 * its launch has returned and its stream is free. Ranks take turns iteration by iteration, so rows
 * are nearly, but not exactly, ordered by start, as in real exports.
 */
#include "nsys/generate/generate.h"

#include "core/vec.h"
#include "nsys/generate/generate_tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COMM_STREAM 100 /* after the compute streams */
#define HTOD_STREAM 101
#define DTOH_STREAM 102
#define N_STREAMS   512
#define N_NAMES     12
#define CONTEXT     1

/* Texts in StringIds. */
enum string {
    STR_LAUNCH,
    STR_MEMCPY,
    STR_MEMSET,
    STR_SYNC,
    STR_GRAPH,
    STR_MALLOC,
    STR_POLL,
    STR_ALLREDUCE,
    STR_MAIN,
    STR_AUTOGRAD,
    STR_LOADER,
    N_STRINGS
};
static const char *const string_texts[N_STRINGS] = {"cudaLaunchKernel_v7000",
                                                    "cudaMemcpyAsync_v3020",
                                                    "cudaMemsetAsync_v3020",
                                                    "cudaStreamSynchronize_v3020",
                                                    "cudaGraphLaunch_v10000",
                                                    "cudaMalloc_v3020",
                                                    "poll",
                                                    "ncclAllReduce",
                                                    "python",
                                                    "pt_autograd_0",
                                                    "pt_data_worker"};

struct range { /* an NVTX range of the current iteration; written in order of start at its end */
    int64_t start, end, gtid, end_gtid, text_id, domain, id;
    int type; /* 59, 60 or 34 */
    char text[96];
};

struct rank {
    uint32_t device;
    int64_t gpid, main_tid, grad_tid, load_tid;
    int64_t cpu;                /* host clock, ns */
    int64_t free_at[N_STREAMS]; /* when each stream has run all its work */
    int64_t correlation, op_id, range_id, grid_id, memory;
    uint64_t kernels_left;
    bool done;
};

struct job {
    const struct nsc_generate_options *options;
    struct nsc_writer *writer;
    uint64_t random;
    int64_t strings[N_STRINGS];
    int64_t brief[N_NAMES + NSC_N_COMM_NAMES], full[N_NAMES + NSC_N_COMM_NAMES];
    int64_t end; /* end of the last event */
    struct rank *ranks;
    NSC_VEC(struct range) ranges;
};

/* splitmix64: the same numbers on every machine. */
static uint64_t next_random(struct job *job)
{
    uint64_t z = (job->random += 0x9e3779b97f4a7c15u);

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* A duration within 15 % of typical. */
static int64_t vary(struct job *job, int64_t typical)
{
    return typical - typical * 15 / 100 +
           (int64_t)(next_random(job) % (uint64_t)(typical * 30 / 100 + 1));
}

static void push_range(struct job *job, const struct rank *rank, int64_t gtid, const char *format,
                       const char *name, int64_t number)
{
    struct range *range = NSC_VEC_ADD(&job->ranges);

    memset(range, 0, sizeof *range);
    range->start = rank->cpu;
    range->type = 59;
    range->gtid = gtid;
    range->end_gtid = range->text_id = range->id = NSC_WRITE_NULL;
    if (!nsc_writer_takes(job->writer, NSC_WRITE_NVTX))
        return; /* nobody reads its text */
    if (format[0] == '%')
        snprintf(range->text, sizeof range->text, "%s, op_id = %lld", name, (long long)number);
    else if (number >= 0)
        snprintf(range->text, sizeof range->text, "%s %lld", name, (long long)number);
    else
        snprintf(range->text, sizeof range->text, "%s", name);
}

#define OP "%" /* push_range: an operation id follows */

/* Ends the range pushed at index; the host takes 300 ns for it. */
static void pop_range(struct job *job, struct rank *rank, size_t index)
{
    rank->cpu += 300;
    job->ranges.at[index].end = rank->cpu;
}

NSC_COMPARE(by_start, struct range, NSC_LEAST(start) || NSC_MOST(end))

static void write_ranges(struct job *job)
{
    NSC_VEC_SORT(&job->ranges, by_start);
    for (size_t i = 0; i < job->ranges.n; i++) {
        const struct range *r = &job->ranges.at[i];

        NSC_WRITE(job->writer, NSC_WRITE_NVTX, r->text_id == NSC_WRITE_NULL ? r->text : NULL,
                  r->start, r->type == 34 ? NSC_WRITE_NULL : r->end, r->type, r->id, NSC_WRITE_NULL,
                  r->gtid, r->end_gtid, r->text_id, r->domain);
    }
    NSC_VEC_CLEAR(&job->ranges);
}

/* The host calls the runtime for duration ns. Returns the correlation id. */
static int64_t call(struct job *job, struct rank *rank, int64_t gtid, enum string name,
                    int64_t duration)
{
    int64_t id = ++rank->correlation;

    NSC_WRITE(job->writer, NSC_WRITE_RUNTIME, NULL, rank->cpu, rank->cpu + duration, 0, gtid, id,
              job->strings[name], 0);
    rank->cpu += duration;
    return id;
}

/* The start of newly launched work on the stream; keeps the stream busy for its duration. */
static int64_t occupy(struct job *job, struct rank *rank, uint32_t stream, int64_t duration)
{
    int64_t start = rank->cpu + 1500;

    if (rank->free_at[stream] + 400 > start)
        start = rank->free_at[stream] + 400;
    rank->free_at[stream] = start + duration;
    if (start + duration > job->end)
        job->end = start + duration;
    return start;
}

static int64_t stream_id(uint32_t stream)
{
    return stream < COMM_STREAM ? 7 + (int64_t)stream : 200 + (int64_t)stream;
}

static void launch(struct job *job, struct rank *rank, int64_t gtid, uint32_t stream, unsigned name)
{
    const struct nsc_kernel_name *kernel =
        name < N_NAMES ? &nsc_compute_names[name] : &nsc_comm_names[name - N_NAMES];
    int64_t duration = vary(job, kernel->duration);
    int64_t id = call(job, rank, gtid, STR_LAUNCH, vary(job, 4200));
    int64_t start = occupy(job, rank, stream, duration);
    int64_t grid = 1 + (int64_t)(next_random(job) % 512);

    NSC_WRITE(job->writer, NSC_WRITE_KERNEL, NULL, start, start + duration, rank->device, CONTEXT,
              stream_id(stream), id, rank->gpid, job->full[name], job->brief[name], job->full[name],
              32 + (int64_t)name * 16, grid, 1, 1, name < N_NAMES ? 128 : 512, 1, 1, 1024,
              (int64_t)(name % 3) * 32768, 0, 0, ++rank->grid_id, 65536, NSC_WRITE_NULL,
              NSC_WRITE_NULL);
    rank->kernels_left--;
    rank->cpu += vary(job, 900);
}

/* An operation of the framework that launches a kernel: a range with a number of its own, sometimes
 * with an inner range. */
static void run_operation(struct job *job, struct rank *rank, int64_t gtid, uint32_t stream,
                          unsigned name)
{
    size_t outer = job->ranges.n;
    size_t inner = 0;
    bool nested = (rank->op_id & 1) != 0;

    if (rank->kernels_left == 0)
        return;
    push_range(job, rank, gtid, OP, nsc_op_names[name], ++rank->op_id);
    rank->cpu += 700;
    for (uint32_t d = 0; d < job->options->depth; d++) {
        push_range(job, rank, gtid, "", "inner", (int64_t)d);
        rank->cpu += 40;
    }
    if (nested) {
        inner = job->ranges.n;
        push_range(job, rank, gtid, OP, "aten::empty", rank->op_id);
        rank->cpu += 200;
    }
    launch(job, rank, gtid, stream, name);
    if (nested)
        pop_range(job, rank, inner);
    for (uint32_t d = job->options->depth; d-- > 0;)
        pop_range(job, rank, outer + 1 + d);
    pop_range(job, rank, outer);
}

static void run_collective(struct job *job, struct rank *rank, unsigned which)
{
    size_t range = job->ranges.n;

    if (rank->kernels_left == 0)
        return;
    push_range(job, rank, rank->grad_tid, "", "ncclAllReduce", -1);
    job->ranges.at[range].domain = 1;
    job->ranges.at[range].text_id = job->strings[STR_ALLREDUCE];
    rank->cpu += 500;
    /* The collective waits for the gradients: for all work of the first compute stream. */
    if (rank->free_at[COMM_STREAM] < rank->free_at[0])
        rank->free_at[COMM_STREAM] = rank->free_at[0];
    launch(job, rank, rank->grad_tid, COMM_STREAM, N_NAMES + which);
    pop_range(job, rank, range);
}

static void run_copy(struct job *job, struct rank *rank, uint32_t stream, int64_t kind,
                     int64_t bytes)
{
    int64_t duration = vary(job, bytes / 20 + 1200);
    int64_t id = call(job, rank, rank->main_tid, STR_MEMCPY, vary(job, 5200));
    int64_t start = occupy(job, rank, stream, duration);
    int64_t peer =
        kind == 10 ? (int64_t)((rank->device + 1) % job->options->devices) : (int64_t)rank->device;

    NSC_WRITE(job->writer, NSC_WRITE_MEMCPY, NULL, start, start + duration, rank->device, CONTEXT,
              stream_id(stream), id, rank->gpid, bytes, kind, kind == 1 ? 1 : 2, kind == 2 ? 1 : 2,
              peer, rank->device, 1);
    rank->cpu += 800;
}

static void run_memset(struct job *job, struct rank *rank)
{
    int64_t id = call(job, rank, rank->main_tid, STR_MEMSET, vary(job, 3100));
    int64_t start = occupy(job, rank, 0, 2100);

    NSC_WRITE(job->writer, NSC_WRITE_MEMSET, NULL, start, start + 2100, rank->device, CONTEXT,
              stream_id(0), id, rank->gpid, 0, 1 << 20, 2);
}

static void run_graph(struct job *job, struct rank *rank)
{
    int64_t id = call(job, rank, rank->main_tid, STR_GRAPH, vary(job, 22000));
    int64_t duration = vary(job, 640000);
    int64_t start = occupy(job, rank, 0, duration);

    NSC_WRITE(job->writer, NSC_WRITE_GRAPH, NULL, start, start + duration, rank->device, 5, 6,
              CONTEXT, stream_id(0), id, rank->gpid);
}

/* The host waits until the stream is idle. */
static void synchronize(struct job *job, struct rank *rank, uint32_t stream)
{
    int64_t start = rank->cpu;
    int64_t wait = rank->free_at[stream] > start ? rank->free_at[stream] - start : 0;
    int64_t id = call(job, rank, rank->main_tid, STR_SYNC, wait + 1900);

    NSC_WRITE(job->writer, NSC_WRITE_SYNC, NULL, start + 600, start + wait + 1400, rank->device,
              CONTEXT, stream_id(stream), id, rank->gpid, 3, 0);
    if (wait > 2000)
        NSC_WRITE(job->writer, NSC_WRITE_OSRT, NULL, start + 800, start + wait, 27, rank->main_tid,
                  job->strings[STR_POLL], 0, 0, 0);
    if (rank->cpu > job->end)
        job->end = rank->cpu;
}

static void load_batch(struct job *job, struct rank *rank)
{
    size_t range = job->ranges.n;

    push_range(job, rank, rank->main_tid, "", "data", -1);
    rank->cpu += vary(job, 60000);
    run_copy(job, rank, HTOD_STREAM, 1, 4 << 20);
    run_memset(job, rank);
    if (job->options->devices > 1)
        run_copy(job, rank, DTOH_STREAM, 10, 1 << 20);
    pop_range(job, rank, range);
}

static void run_pass(struct job *job, struct rank *rank, bool backward)
{
    int64_t gtid = backward ? rank->grad_tid : rank->main_tid;
    size_t pass = job->ranges.n;

    push_range(job, rank, gtid, "", backward ? "backward" : "forward", -1);
    for (uint32_t i = 0; i < job->options->layers; i++) {
        uint32_t layer = backward ? job->options->layers - 1 - i : i;
        size_t range = job->ranges.n;

        push_range(job, rank, gtid, "", "layer", (int64_t)layer);
        for (unsigned k = 0; k < 8; k++) {
            uint32_t stream = k == 5 ? layer % job->options->streams : 0;

            run_operation(job, rank, gtid, stream, (k + (backward ? 6 : 0)) % N_NAMES);
        }
        if (backward && job->options->devices > 1)
            run_collective(job, rank, layer % 3);
        pop_range(job, rank, range);
    }
    pop_range(job, rank, pass);
}

static void run_optimizer(struct job *job, struct rank *rank, uint32_t iteration)
{
    size_t range = job->ranges.n;

    push_range(job, rank, rank->main_tid, "", "optimizer", -1);
    if (iteration % 4 == 3)
        run_graph(job, rank);
    else
        for (unsigned k = 0; k < 4; k++)
            run_operation(job, rank, rank->main_tid, 0, 8);
    run_copy(job, rank, DTOH_STREAM, 2, 4096);
    synchronize(job, rank, 0);
    pop_range(job, rank, range);
}

/* Events that do not nest: a start/end range that another thread ends, a mark, memory samples, a
 * metric. */
static void note_iteration(struct job *job, struct rank *rank, int64_t start, uint32_t iteration)
{
    struct range *range = NULL;
    int64_t change = (iteration & 1) ? -(96 << 20) : 96 << 20;

    push_range(job, rank, rank->main_tid, "", "batch", (int64_t)iteration);
    range = &job->ranges.at[job->ranges.n - 1];
    range->type = 60;
    range->start = start + 1000;
    range->end = rank->cpu + 20000;
    range->id = ++rank->range_id;
    range->end_gtid = rank->load_tid;
    push_range(job, rank, rank->main_tid, "", "loss logged", -1);
    job->ranges.at[job->ranges.n - 1].type = 34;
    NSC_WRITE(job->writer, NSC_WRITE_MEMORY, NULL, start + 5000, rank->gpid, rank->device, CONTEXT,
              0x7f0000000000 + iteration, 0, llabs(change), 2, change < 0, rank->correlation);
    NSC_WRITE(job->writer, NSC_WRITE_METRIC, NULL, start, rank->device, 1,
              40 + (int64_t)(next_random(job) % 60));
}

static void run_iteration(struct job *job, struct rank *rank, uint32_t iteration)
{
    int64_t start = rank->cpu;

    push_range(job, rank, rank->main_tid, "", "iteration", (int64_t)iteration);
    load_batch(job, rank);
    run_pass(job, rank, false);
    run_pass(job, rank, true);
    run_optimizer(job, rank, iteration);
    pop_range(job, rank, 0);
    note_iteration(job, rank, start, iteration);
    write_ranges(job);
    rank->cpu += vary(job, 30000);
    if (rank->cpu > job->end)
        job->end = rank->cpu;
    rank->done = rank->kernels_left == 0;
}

static int64_t global_id(uint32_t pid, uint32_t tid)
{
    return (int64_t)1 << 48 | (int64_t)pid << 24 | tid;
}

static void begin_rank(struct job *job, struct rank *rank, uint32_t device)
{
    uint32_t pid = 4000 + device * 10;
    uint64_t each = job->options->kernels / job->options->devices;
    char text[64];

    rank->device = device;
    rank->gpid = global_id(pid, 0);
    rank->main_tid = global_id(pid, pid);
    rank->grad_tid = global_id(pid, pid + 1);
    rank->load_tid = global_id(pid, pid + 2);
    rank->cpu = 1000000 + (int64_t)device * 40000;
    rank->kernels_left = each + (device == 0 ? job->options->kernels % job->options->devices : 0);
    rank->done = rank->kernels_left == 0;
    NSC_WRITE(job->writer, NSC_WRITE_NVTX, "NCCL", 1000, NSC_WRITE_NULL, 75, NSC_WRITE_NULL,
              NSC_WRITE_NULL, global_id(pid, pid), NSC_WRITE_NULL, NSC_WRITE_NULL, 1);
    NSC_WRITE(job->writer, NSC_WRITE_PROCESS, "/usr/bin/python3", rank->gpid, pid);
    NSC_WRITE(job->writer, NSC_WRITE_THREAD, NULL, job->strings[STR_MAIN], 0, rank->main_tid);
    NSC_WRITE(job->writer, NSC_WRITE_THREAD, NULL, job->strings[STR_AUTOGRAD], 0, rank->grad_tid);
    NSC_WRITE(job->writer, NSC_WRITE_THREAD, NULL, job->strings[STR_LOADER], 0, rank->load_tid);
    NSC_WRITE(job->writer, NSC_WRITE_GPU, "NVIDIA H100 80GB HBM3", 0, device, 1, (int64_t)80 << 30,
              132);
    snprintf(text, sizeof text, "GPU-%08x-0000-0000-0000-000000000000", device);
    NSC_WRITE(job->writer, NSC_WRITE_DEVICE, text, device, device, pid);
    NSC_WRITE(job->writer, NSC_WRITE_CONTEXT, NULL, 7, 0, 1, pid, device, CONTEXT);
}

static void begin(struct job *job)
{
    for (unsigned i = 0; i < N_STRINGS; i++)
        job->strings[i] = nsc_writer_string(job->writer, string_texts[i]);
    for (unsigned i = 0; i < N_NAMES + NSC_N_COMM_NAMES; i++) {
        const struct nsc_kernel_name *name =
            i < N_NAMES ? &nsc_compute_names[i] : &nsc_comm_names[i - N_NAMES];

        job->brief[i] = nsc_writer_string(job->writer, name->brief);
        job->full[i] = nsc_writer_string(job->writer, name->full);
    }
    job->random = job->options->seed;
    job->ranks = nsc_xcalloc(job->options->devices, sizeof *job->ranks);
    for (uint32_t d = 0; d < job->options->devices; d++)
        begin_rank(job, &job->ranks[d], d);
}

/* False if the disk is full. */
static bool run_job(struct job *job)
{
    bool going = true;

    for (uint32_t iteration = 0; going; iteration++) {
        going = false;
        for (uint32_t d = 0; d < job->options->devices; d++) {
            if (job->ranks[d].done)
                continue;
            run_iteration(job, &job->ranks[d], iteration);
            going = true;
            if (nsc_writer_has_failed(job->writer))
                return false;
        }
    }
    return true;
}

/* Repeats the job for each table of events: see nsc_writer_take. */
static bool write_tables(struct job *job)
{
    const uint32_t events = NSC_WRITE_BIT(NSC_WRITE_MEMORY + 1) - NSC_WRITE_BIT(NSC_WRITE_KERNEL);
    bool whole = true;

    for (unsigned table = NSC_WRITE_KERNEL; whole && table <= NSC_WRITE_MEMORY; table++) {
        uint32_t small = table == NSC_WRITE_KERNEL ? NSC_WRITE_ALL & ~events : 0;

        nsc_writer_take(job->writer, NSC_WRITE_BIT(table) | small);
        begin(job);
        whole = run_job(job);
        free(job->ranks);
        NSC_VEC_FINI(&job->ranges);
    }
    return whole;
}

static enum nsc_status check_options(const struct nsc_generate_options *o, struct nsc_error *error)
{
    if (o->devices < 1 || o->devices > 64)
        return nsc_fail(error, NSC_EINVAL, "--devices %u: give 1 to 64", o->devices);
    if (o->streams < 1 || o->streams > 90)
        return nsc_fail(error, NSC_EINVAL, "--streams %u: give 1 to 90", o->streams);
    if (o->layers < 1 || o->layers > 256)
        return nsc_fail(error, NSC_EINVAL, "--layers %u: give 1 to 256", o->layers);
    if (o->depth > 4096)
        return nsc_fail(error, NSC_EINVAL, "--depth %u: give 0 to 4096", o->depth);
    if (o->kernels > 1000000000)
        return nsc_fail(error, NSC_EINVAL, "--kernels: give at most 1000000000");
    return NSC_OK;
}

enum nsc_status nsc_generate(const char *path, const struct nsc_generate_options *options,
                             struct nsc_error *error)
{
    struct job job = {.options = options};
    enum nsc_status status = check_options(options, error);
    bool whole = false;

    if (status == NSC_OK)
        status = nsc_writer_open(&job.writer, path, options->force, error);
    if (status != NSC_OK)
        return status;
    whole = write_tables(&job);
    nsc_writer_end(job.writer, job.end);
    return nsc_writer_close(job.writer, whole, error);
}
