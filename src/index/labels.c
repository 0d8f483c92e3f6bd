/*
 * The texts that label tracks and their groups.
 */
#include "core/text.h"
#include "index/builder_data.h"

#include <inttypes.h>

static nsc_str end_label(struct nsc_builder *builder, struct nsc_buf *buf)
{
    nsc_str label = nsc_builder_string(builder, nsc_text_of_buf(buf));

    nsc_buf_fini(buf);
    return label;
}

/* Appends the text of a fact; false if there is none. */
static bool add_fact_text(struct nsc_buf *buf, const struct nsc_builder *builder,
                          const struct nsc_fact *key, const char *before)
{
    nsc_str id = (nsc_str)nsc_builder_fact(builder, key, 0);
    struct nsc_text text = nsc_strpool_text(&builder->strings, id);

    if (!text.n)
        return false;
    nsc_buf_puts(buf, before);
    nsc_buf_add(buf, text.bytes, text.n);
    return true;
}

nsc_str nsc_label_device(struct nsc_builder *builder, uint32_t capture_no, int64_t gpu)
{
    struct nsc_buf buf = NSC_BUF_INIT(NSC_NAME_BYTES);
    struct nsc_fact key = {NSC_FACT_DEVICE, (uint64_t)capture_no << NSC_PROCESS_BITS, gpu, 0, 0};

    nsc_buf_printf(&buf, "GPU %" PRId64, gpu);
    (void)add_fact_text(&buf, builder, &key, " ");
    return end_label(builder, &buf);
}

/* The last part of a program's path. */
static struct nsc_text base_name(struct nsc_text path)
{
    uint32_t first = 0;

    for (uint32_t i = 0; i + 1 < path.n; i++)
        if (path.bytes[i] == '/' || path.bytes[i] == '\\')
            first = i + 1;
    return (struct nsc_text){path.n ? path.bytes + first : path.bytes, path.n - first};
}

nsc_str nsc_label_thread(struct nsc_builder *builder, uint64_t process, uint32_t tid)
{
    struct nsc_buf buf = NSC_BUF_INIT(NSC_NAME_BYTES);
    struct nsc_fact process_key = {NSC_FACT_PROCESS, process, 0, 0, 0};
    struct nsc_fact thread_key = {NSC_FACT_THREAD, process, tid, 0, 0};
    nsc_str id = (nsc_str)nsc_builder_fact(builder, &process_key, 0);
    struct nsc_text name = base_name(nsc_strpool_text(&builder->strings, id));

    if (name.n)
        nsc_buf_add(&buf, name.bytes, name.n);
    else
        nsc_buf_puts(&buf, process & 0xFFFFFF ? "process" : "no process");
    if (process & 0xFFFFFF)
        nsc_buf_printf(&buf, " %u", (unsigned)(process & 0xFFFFFF));
    if (tid) { /* 0: the track belongs to the process, not to one of its threads */
        nsc_buf_printf(&buf, " \xc2\xb7 thread %" PRIu32, tid);
        (void)add_fact_text(&buf, builder, &thread_key, " ");
    }
    return end_label(builder, &buf);
}

/* ---- streams: named by their work ---- */

enum { LEAST_SHARE = 100 }; /* work below a hundredth of the stream's is left out */

struct work {
    const char *word;
    uint64_t busy;
};

static const char *comm_word(const struct nsc_build_track *track)
{
    return track->nccl >= track->busy[NSC_OP_COMM] - track->nccl ? "NCCL" : "communication";
}

/* The word for copies: the direction if all copies have one, else "copies". */
static const char *copies_word(const struct nsc_build_track *track, uint64_t copies)
{
    if (track->busy[NSC_OP_HTOD] == copies)
        return "HtoD copies";
    if (track->busy[NSC_OP_DTOH] == copies)
        return "DtoH copies";
    if (track->peer == copies)
        return "peer copies";
    return track->busy[NSC_OP_PEER] == copies ? "DtoD copies" : "copies";
}

/* Sorts the largest first. */
static void work_sort(struct work *work, unsigned n)
{
    for (unsigned i = 1; i < n; i++)
        for (unsigned k = i; k && work[k].busy > work[k - 1].busy; k--) {
            struct work swapped = work[k];

            work[k] = work[k - 1];
            work[k - 1] = swapped;
        }
}

/* "compute", "copies + compute". */
static void add_work(struct nsc_buf *buf, const struct nsc_build_track *track)
{
    uint64_t copies =
        track->busy[NSC_OP_HTOD] + track->busy[NSC_OP_DTOH] + track->busy[NSC_OP_PEER];
    struct work work[] = {{"compute", track->busy[NSC_OP_COMPUTE]},
                          {comm_word(track), track->busy[NSC_OP_COMM]},
                          {copies_word(track, copies), copies},
                          {"memset", track->busy[NSC_OP_MEMSET]}};
    unsigned n = sizeof work / sizeof *work;

    work_sort(work, n);
    nsc_buf_puts(buf, work[0].word);
    for (unsigned i = 1; i < n && work[i].busy > work[0].busy / LEAST_SHARE; i++)
        nsc_buf_printf(buf, " + %s", work[i].word);
}

static void add_stream(struct nsc_buf *buf, const struct nsc_builder *builder,
                       const struct nsc_build_track *track, bool say_context)
{
    struct nsc_fact key = {NSC_FACT_STREAM, track->key.process, track->key.context,
                           track->key.stream, 0};

    nsc_buf_printf(buf, "S%" PRId64 " ", track->key.stream);
    add_work(buf, track);
    if (say_context)
        nsc_buf_printf(buf, " ctx %" PRId64, track->key.context);
    (void)add_fact_text(buf, builder, &key, " ");
}

/* "NVTX", "NVTX NCCL", "NVTX domain 3". */
static void add_nvtx(struct nsc_buf *buf, const struct nsc_builder *builder,
                     const struct nsc_build_track *track, const char *what)
{
    struct nsc_fact key = {NSC_FACT_DOMAIN, track->key.process, track->key.domain, 0, 0};

    nsc_buf_puts(buf, "NVTX");
    if (track->key.domain && !add_fact_text(buf, builder, &key, " "))
        nsc_buf_printf(buf, " domain %" PRId64, track->key.domain);
    nsc_buf_puts(buf, what);
}

static void add_counter(struct nsc_buf *buf, const struct nsc_builder *builder,
                        const struct nsc_build_track *track)
{
    struct nsc_text text = nsc_strpool_text(&builder->strings, track->label);

    if (text.n)
        nsc_buf_add(buf, text.bytes, text.n);
    else
        nsc_buf_printf(buf, "counter %" PRId64, track->key.domain);
}

static const char *fixed_label(uint8_t kind)
{
    static const char *const labels[NSC_N_TRACK_KINDS] = {
        [NSC_TRACK_GPU_FAULT] = "GPU page faults",
        [NSC_TRACK_API] = "CUDA API",
        [NSC_TRACK_SYNC] = "CUDA sync",
        [NSC_TRACK_LIBRARY] = "cuDNN, cuBLAS",
        [NSC_TRACK_MPI] = "MPI",
        [NSC_TRACK_OPENMP] = "OpenMP",
        [NSC_TRACK_OPENACC] = "OpenACC",
        [NSC_TRACK_GRAPH_EVENTS] = "CUDA graphs",
        [NSC_TRACK_CPU_FAULT] = "CPU page faults",
        [NSC_TRACK_OSRT] = "OS runtime",
        [NSC_TRACK_SCHED] = "on CPU",
        [NSC_TRACK_SAMPLES] = "CPU samples",
        [NSC_TRACK_GENERIC] = "generic events",
        [NSC_TRACK_OVERHEAD] = "profiler overhead",
    };

    return labels[kind] ? labels[kind] : "";
}

nsc_str nsc_label_track(struct nsc_builder *builder, const struct nsc_build_track *track,
                        bool say_context, bool say_process)
{
    struct nsc_buf buf = NSC_BUF_INIT(NSC_NAME_BYTES);

    switch (track->key.kind) {
    case NSC_TRACK_STREAM:
        add_stream(&buf, builder, track, say_context);
        break;
    case NSC_TRACK_NVTX:
        add_nvtx(&buf, builder, track, "");
        break;
    case NSC_TRACK_SPANS:
        add_nvtx(&buf, builder, track, " spans");
        break;
    case NSC_TRACK_MARKS:
        add_nvtx(&buf, builder, track, " marks");
        break;
    case NSC_TRACK_COUNTER:
        add_counter(&buf, builder, track);
        break;
    default:
        nsc_buf_puts(&buf, fixed_label(track->key.kind));
        break;
    }
    if (say_process && track->key.process)
        nsc_buf_printf(&buf, " pid %u", (unsigned)(track->key.process & 0xFFFFFF));
    return end_label(builder, &buf);
}
