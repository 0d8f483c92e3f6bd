/*
 * Finds GPUs that are idle, and why.
 *
 * One finding says that a GPU is idle. Findings that explain it follow: the CPU is late, and each
 * cause that takes enough time (idle_cause.def). Time in which a server waits for requests, and the
 * profiler's own time, cannot be saved; they do not raise the severity. Thresholds: threshold.def.
 */
#include "analysis/device/breakdown.h"
#include "analysis/device/idle.h"
#include "analysis/finding/finding_sources.h"
#include "analysis/finding/threshold.h"
#include "analysis/names/framework.h"
#include "analysis/names/label.h"
#include "core/sum.h"
#include "core/text.h"

#include <stdio.h>
#include <string.h>

#define RANGES_TOLD 3

static int64_t gpu_of(const struct nsc_scope *scope, uint32_t device)
{
    return nsc_trace_track(scope->trace, device)->gpu;
}

/* Shows the longest gap. */
static void place(struct nsc_finding *finding, const struct nsc_idle *idle, nsc_time ns)
{
    const struct nsc_gap *gap = &idle->longest[0].of;

    nsc_finding_place(finding, idle->device, ns, (struct nsc_window){gap->start, gap->end});
    finding->event = gap->next;
}

static struct nsc_text name_of(const struct nsc_scope *scope, nsc_event event)
{
    const struct nsc_trace *trace = scope->trace;

    if (event == NSC_NONE)
        return nsc_text_from("");
    return nsc_trace_string(trace,
                            nsc_trace_names(trace)->brief[nsc_trace_events(trace)->name[event]]);
}

/* Whether the text contains one of the words, which blanks separate. */
static bool has_word(struct nsc_text text, const char *words)
{
    for (; *words; words += strspn(words, " ")) {
        struct nsc_text word = {words, (uint32_t)strcspn(words, " ")};

        if (nsc_text_contains_folded(text, word))
            return true;
        words += word.n;
    }
    return false;
}

/* Idle time that cannot be saved: no requests, or the profiler at work. */
static nsc_time lost_anyway(const struct nsc_idle *idle)
{
    return nsc_sum(idle->requests, idle->part[NSC_GAP_OVERHEAD]);
}

/* The share of the recorded time that can be saved. */
static double won_share(const struct nsc_idle *idle)
{
    nsc_time unrecorded = idle->part[NSC_GAP_UNRECORDED];

    return nsc_percent(idle->idle - lost_anyway(idle) - unrecorded,
                       nsc_window_length(idle->window) - unrecorded);
}

/* Names the larger part of the time that cannot be saved; NULL if most idle time can be. */
static const char *lost_words(const struct nsc_idle *idle)
{
    if (idle->requests > idle->idle / 2)
        return ", most of it waiting for requests";
    return idle->part[NSC_GAP_OVERHEAD] > idle->idle / 2     ? ", most of it by the profiler itself"
           : idle->part[NSC_GAP_UNRECORDED] > idle->idle / 2 ? ", most of it not recorded"
                                                             : "";
}

/* The next step if a part takes more than half of the idle time. */
static const struct {
    enum nsc_gap_part part;
    const char *next;
} idle_nexts[] = {
    {NSC_GAP_OVERHEAD, "Most of it is the time of the profiler itself; without it the program does "
                       "not wait there. Record less, or a shorter time."},
    {NSC_GAP_UNRECORDED, "Another recording goes on: select the time of this one (--trim)."},
    {NSC_GAP_UNKNOWN, "No launch is known for the work after the gaps: record the CUDA API for the "
                      "whole time (--trace=cuda). With more than 128 GPUs none is looked for."},
    {NSC_GAP_STREAM, "The work was launched already: it is the time between the kernels and copies "
                     "of a stream or graph. Fewer and longer ones shorten it."},
    {NSC_GAP_BEHIND_GPU, "The work was launched already and waits for another GPU: split the batch "
                         "into more parts, so that the GPUs work at the same time (nsyscope skill "
                         "run idle FILE)."},
};

static const char *next_of_idle(const struct nsc_idle *idle)
{
    if (idle->requests > idle->idle / 2)
        return "Nothing to do: most of the time no request was there.";
    for (size_t i = 0; i < sizeof idle_nexts / sizeof *idle_nexts; i++)
        if (idle->part[idle_nexts[i].part] > idle->idle / 2)
            return idle_nexts[i].next;
    return nsc_idle_late(idle) >= idle->idle - idle->idle / 2
               ? "The CPU comes late: see what it does before the launches (nsyscope skill run "
                 "idle FILE)."
               : "The work was launched already: look at dependencies between streams, at waits "
                 "and at other ranks (nsyscope skill run idle FILE).";
}

static void report_idle(struct nsc_findings *out, const struct nsc_scope *scope,
                        const struct nsc_idle *idle)
{
    nsc_time whole = nsc_window_length(idle->window);
    double share = nsc_percent(idle->idle, whole);
    double shown = share > 99.9 && idle->idle < whole ? 99.9 : share; /* 100.0 % is all */
    struct nsc_finding *finding = nsc_findings_add_share(
        out, NSC_THRESHOLD_GPU_TIME, "gpu-idle", won_share(idle),
        "GPU %lld is idle for %.1f %% of %s%s", (long long)gpu_of(scope, idle->device), shown,
        nsc_finding_window_words(out, scope), lost_words(idle));

    place(finding, idle, idle->idle);
    nsc_finding_evidence(
        finding, "%s of %s in %u %s, the longest %s, %u of 1 ms or more",
        nsc_show_ns(finding, idle->idle).text, nsc_show_ns(finding, whole).text, idle->n_gaps,
        idle->n_gaps == 1 ? "gap" : "gaps",
        nsc_show_ns(finding, nsc_span(idle->longest[0].of.start, idle->longest[0].of.end)).text,
        idle->sizes[NSC_IDLE_SIZES - 1]);
    nsc_finding_evidence(
        finding,
        "of the idle time: %.1f %% CPU late, %.1f %% queued, %.1f %% while only "
        "another GPU works, %.1f %% unknown",
        nsc_percent(nsc_idle_late(idle), idle->idle),
        nsc_percent(nsc_gap_sum(idle->part, NSC_GAP_LATE, NSC_GAP_OTHER_GPU), idle->idle),
        nsc_percent(idle->part[NSC_GAP_OTHER_GPU] + idle->part[NSC_GAP_ENDED], idle->idle),
        nsc_percent(idle->part[NSC_GAP_UNKNOWN] + idle->part[NSC_GAP_UNRECORDED], idle->idle));
    nsc_finding_next(finding, "%s", next_of_idle(idle));
}

/* ---- the causes ---- */

/* Causes of late time. The first row of idle_cause.def that fits decides. */
enum cause_kind {
#define NSC_IDLE_CAUSE(name, rule, parts, words, title, next) CAUSE_##name,
#include "analysis/finding/idle_cause.def"
    N_CAUSES
};

#define PART(name) (1u << NSC_GAP_##name)

static const struct {
    const char *rule;
    uint32_t parts;
    const char *words; /* words in the name of the call or of the call inside it; "": any name */
    const char *title, *next;
} causes[N_CAUSES] = {
#define NSC_IDLE_CAUSE(name, rule, parts, words, title, next) {rule, parts, words, title, next},
#include "analysis/finding/idle_cause.def"
};

static struct nsc_text range_of(char out[NSC_NAME_BYTES], const struct nsc_scope *scope,
                                const struct nsc_idle_cause *cause)
{
    if (cause->range == NSC_NONE)
        return nsc_text_from("");
    return (struct nsc_text){out,
                             nsc_label_pattern(out, scope->trace, cause->range, cause->is_mixed)};
}

/* Whether the range or the thread is named like code that fetches data. */
static bool is_loading(const struct nsc_scope *scope, const struct nsc_idle_cause *cause)
{
    char name[NSC_NAME_BYTES];
    struct nsc_text range = range_of(name, scope, cause);

    if (has_word(range, "weight model param module checkpoint"))
        return false;
    return has_word(range, "dataload loader load_batch load_data fetch_batch fetch_data "
                           "fetch_next next_batch get_batch __next__ next( collate") ||
           (has_word(range, "input") && has_word(range, "pipeline")) ||
           (cause->thread != NSC_NONE &&
            has_word(
                nsc_trace_string(scope->trace, nsc_trace_track(scope->trace, cause->thread)->label),
                "loader pt_data pin_memory prefetch"));
}

static bool is_compiler(struct nsc_text name)
{
    return has_word(name, "compil nvrtc ptxas cicc llvm::") && !has_word(name, "compiled");
}

/* Whether the range, the function or the call is named like a compiler. */
static bool is_compiling(const struct nsc_scope *scope, const struct nsc_idle_cause *cause)
{
    char name[NSC_NAME_BYTES];

    return is_compiler(range_of(name, scope, cause)) ||
           (cause->in_function > 0 && is_compiler(name_of(scope, cause->function)));
}

/* Whether one function, and not Python's interpreter, has half of the CPU samples. */
static bool is_one_function(const struct nsc_scope *scope, const struct nsc_idle_cause *cause)
{
    return cause->in_function > 0 && cause->in_function >= cause->samples - cause->in_function &&
           !has_word(name_of(scope, cause->function), "pyeval");
}

/* Whether more than the part and the name of the call speaks for a cause. */
static bool fits(const struct nsc_scope *scope, const struct nsc_idle_cause *cause, unsigned kind,
                 enum nsc_purpose purpose)
{
    return kind == CAUSE_GC ? cause->part == NSC_GAP_GC || (cause->samples >= NSC_LIMIT_FEW &&
                                                            cause->collecting > cause->samples / 2)
           : kind == CAUSE_COMPILE  ? is_compiling(scope, cause)
           : kind == CAUSE_LOADER   ? is_loading(scope, cause)
           : kind == CAUSE_WORK     ? is_one_function(scope, cause)
           : kind == CAUSE_REQUESTS ? nsc_awaits_requests(scope->trace, cause->call, purpose)
                                    : true;
}

static enum cause_kind kind_of(const struct nsc_scope *scope, const struct nsc_idle_cause *cause,
                               enum nsc_purpose purpose)
{
    unsigned i = 0;

    for (; i < N_CAUSES; i++)
        if (causes[i].parts & (1u << cause->part) &&
            (!causes[i].words[0] || has_word(name_of(scope, cause->call), causes[i].words) ||
             has_word(name_of(scope, cause->inside), causes[i].words)) &&
            fits(scope, cause, i, purpose))
            break;
    return (enum cause_kind)i;
}

struct cause_sum {
    nsc_time ns;
    uint32_t gaps;
    const struct nsc_idle_cause *top; /* takes most of the time */
};

static void add_causes(struct cause_sum sums[N_CAUSES], const struct nsc_scope *scope,
                       const struct nsc_idle *idle)
{
    for (uint32_t i = 0; i < idle->n_causes; i++) {
        enum cause_kind kind = kind_of(scope, &idle->causes[i], idle->purpose);

        if (kind == N_CAUSES) /* the profiler's own time, queued, unknown */
            continue;
        if (!sums[kind].top) /* causes come in descending order of time */
            sums[kind].top = &idle->causes[i];
        sums[kind].ns = nsc_sum(sums[kind].ns, idle->causes[i].ns);
        sums[kind].gaps += idle->causes[i].gaps;
    }
}

/* Adds the function that the CPU samples hit. */
static void tell_function(struct nsc_finding *finding, const struct nsc_scope *scope,
                          const struct nsc_idle_cause *cause)
{
    const char *doubt = nsc_gap_doubt(scope->trace);

    if (doubt && cause->part == NSC_GAP_CPU)
        nsc_finding_evidence(finding, "%s", doubt);
    if (cause->collecting > 0)
        nsc_finding_evidence(finding,
                             "%u of %u CPU samples in that work are in Python's garbage collection",
                             cause->collecting, cause->samples);
    if (cause->in_function > 0)
        nsc_finding_evidence(finding, "%u of %u CPU samples in that work are in %s, %.1f %%",
                             cause->in_function, cause->samples,
                             nsc_show(name_of(scope, cause->function)).text,
                             nsc_percent(cause->in_function, cause->samples));
}

/* Formats the place of a cause, such as "in cudaMalloc in the range step". */
static void tell_place(struct nsc_finding *finding, const struct nsc_scope *scope,
                       const struct nsc_idle_cause *cause)
{
    struct nsc_text call = name_of(scope, cause->call);
    struct nsc_text inside = name_of(scope, cause->inside);
    struct nsc_shown name = nsc_show_range(scope->trace, cause->range, cause->is_mixed);

    if (call.n > 0)
        nsc_finding_evidence(finding, "most in %s%s%s", nsc_show(call).text,
                             inside.n == 0                    ? ""
                             : cause->part == NSC_GAP_DRAINED ? ", after it in "
                                                              : ", inside it ",
                             nsc_show(inside).text);
    if (name.text[0])
        nsc_finding_evidence(finding, "most in the NVTX range %s", name.text);
    tell_function(finding, scope, cause);
    if (cause->thread != NSC_NONE)
        nsc_finding_evidence(
            finding, "thread %s%s%s", nsc_show_track(scope->trace, cause->thread).text,
            cause->sleep == NSC_NONE ? "" : ", for which the launching thread waits in ",
            nsc_show(name_of(scope, cause->sleep)).text);
}

/* The title of a cause: if the launching thread waits for another one, that one does it. */
static struct nsc_shown title_of(const struct nsc_scope *scope, enum cause_kind kind,
                                 const struct nsc_idle_cause *cause)
{
    static const char own[] = "the launching thread ";
    const char *title = causes[kind].title;
    struct nsc_shown words = {""};

    if (cause->sleep == NSC_NONE || strncmp(title, own, sizeof own - 1) != 0)
        (void)snprintf(words.text, sizeof words.text, "%s", title);
    else
        (void)snprintf(words.text, sizeof words.text, "%swaits in %.80s for a thread that %s", own,
                       nsc_show(name_of(scope, cause->sleep)).text, title + sizeof own - 1);
    return words;
}

/* The advice for a cause: a lock is held too long, whatever is done under it. */
static const char *next_of_cause(const struct nsc_scope *scope, enum cause_kind kind,
                                 const struct nsc_idle_cause *cause)
{
    return has_word(name_of(scope, cause->sleep), "mutex rwlock spin")
               ? "Shorten what that thread does under the lock, or hand it the work without a lock "
                 "that it holds meanwhile."
               : causes[kind].next;
}

static void report_cause(struct nsc_findings *out, const struct nsc_scope *scope,
                         const struct nsc_idle *idle, enum cause_kind kind,
                         const struct cause_sum *sum)
{
    double share = nsc_percent(sum->ns, nsc_window_length(idle->window));
    bool is_work = causes[kind].parts & PART(CPU) &&
                   sum->top->part != NSC_GAP_GC; /* which the wait before it does not name */
    struct nsc_text call = name_of(scope, !is_work                    ? sum->top->call
                                          : sum->top->in_function > 0 ? sum->top->function
                                                                      : NSC_NONE);
    struct nsc_finding *finding;

    if (!causes[kind].title[0] ||
        nsc_threshold_severity(NSC_THRESHOLD_GPU_TIME, share) >= NSC_SEVERITY_INFO)
        return;
    finding = nsc_findings_add_share(
        out, NSC_THRESHOLD_GPU_TIME, causes[kind].rule, share,
        "%s%s%sGPU %lld %sfor %.1f %% of the time%s%s",
        sum->top->part == NSC_GAP_DRAINED && !is_work ? "Work after " : "", nsc_show(call).text,
        call.n > 0 ? " holds " : "", (long long)gpu_of(scope, idle->device),
        call.n > 0 ? "" : "is idle ", share, call.n > 0 ? ": " : " while ",
        title_of(scope, kind, sum->top).text);
    finding->is_cause = true;
    finding->ns = sum->ns;
    finding->event = sum->top->call != NSC_NONE ? sum->top->call : sum->top->range;
    nsc_finding_under(finding, "gpu-idle", idle->device);
    finding->track = idle->device;
    nsc_finding_evidence(finding, "%s in %u %s, %.1f %% of the idle time, %.1f %% of %s",
                         nsc_show_ns(finding, sum->ns).text, sum->gaps,
                         sum->gaps == 1 ? "gap" : "gaps", nsc_percent(sum->ns, idle->idle), share,
                         nsc_finding_window_words(out, scope));
    tell_place(finding, scope, sum->top);
    nsc_finding_next(finding, "%s%s Check with: nsyscope skill run idle FILE.",
                     next_of_cause(scope, kind, sum->top),
                     kind == CAUSE_SYNC && nsc_trace_is_pytorch(scope->trace)
                         ? " PyTorch waits in .item(), .cpu(), prints and torch.cuda.synchronize()."
                         : "");
}

/* ---- the CPU ---- */

/* The cause of more than half of the late time; CPU work counts if nothing else takes more. N_CAUSES: none. */
static enum cause_kind main_cause(const struct cause_sum sums[N_CAUSES], nsc_time late)
{
    unsigned top = CAUSE_CPU;

    for (unsigned i = 0; i < N_CAUSES; i++)
        if (i != CAUSE_OTHER_GPU && i != CAUSE_REQUESTS && sums[i].ns > sums[top].ns)
            top = i;
    return top == CAUSE_CPU || sums[top].ns > late / 2 ? (enum cause_kind)top : N_CAUSES;
}

/* Advice for launches. The launching calls may be copies. */
static const char *next_of_launches(const struct nsc_scope *scope, const struct nsc_idle *idle)
{
    nsc_time copies = 0;

    for (uint32_t i = 0; i < idle->n_causes; i++)
        if (idle->causes[i].part == NSC_GAP_LAUNCH &&
            has_word(name_of(scope, idle->causes[i].call), "memcpy memset"))
            copies = nsc_sum(copies, idle->causes[i].ns);
    if (copies > idle->part[NSC_GAP_LAUNCH] / 2)
        return "The calls that copy take the time: batch small copies into few large ones";
    return nsc_finding_launch_advice(scope, idle->device);
}

/* Returns false if no range has a name. */
static bool tell_ranges(struct nsc_finding *finding, const struct nsc_scope *scope,
                        const struct nsc_idle *idle)
{
    bool is_any = false;

    for (uint32_t i = 0; i < idle->n_ranges && i < RANGES_TOLD; i++) {
        const struct nsc_idle_range *range = &idle->ranges[i];

        if (range->like == NSC_NONE)
            continue;
        nsc_finding_evidence(finding, "%s pass in the range %s",
                             nsc_show_ns(finding, range->late).text,
                             nsc_show_range(scope->trace, range->like, range->is_mixed).text);
        is_any = true;
    }
    return is_any;
}

/* Adds the ranges and the function of the late time, and the next step. kind: the cause of most of it; N_CAUSES: several. */
static void advise(struct nsc_finding *finding, const struct nsc_scope *scope,
                   const struct nsc_idle *idle, enum cause_kind kind)
{
    bool has_ranges = tell_ranges(finding, scope, idle);

    tell_function(finding, scope, &idle->causes[0]);
    if (kind == N_CAUSES)
        nsc_finding_next(finding, "None of the causes takes half of that time: see what each takes "
                                  "(nsyscope skill run idle FILE).");
    else if (kind == CAUSE_LAUNCH)
        nsc_finding_next(finding, "%s. Check with: nsyscope skill run launch FILE.",
                         next_of_launches(scope, idle));
    else
        nsc_finding_next(finding, "Shorten the work between launches%s",
                         has_ranges ? ", in the ranges named here first."
                         : idle->causes[0].in_function > 0
                             ? ", in the function named here first."
                             : ". To see what it is, record NVTX ranges around it, or CPU samples "
                               "(nsys profile --sample=process-tree).");
}

/* ---- the end ---- */

static void report_tail(struct nsc_findings *out, const struct nsc_scope *scope,
                        const struct nsc_idle *idle)
{
    nsc_time ns = idle->part[NSC_GAP_ENDED];
    double share = nsc_percent(ns, nsc_window_length(idle->window));
    struct nsc_finding *finding = nsc_findings_add_share(
        out, NSC_THRESHOLD_GPU_TIME, "gpu-idle", share,
        "GPU %lld has no more work for the last %.1f %% of %s, while another one works on",
        (long long)gpu_of(scope, idle->device), share, nsc_finding_window_words(out, scope));

    place(finding, idle, ns);
    nsc_finding_evidence(finding, "%s after its last work, of %s in which it is idle",
                         nsc_show_ns(finding, ns).text, nsc_show_ns(finding, idle->idle).text);
    nsc_finding_next(finding,
                     "Divide the work evenly between the GPUs, or let each take the next part "
                     "when it is done.");
}

/* Names late time that cannot be saved, so that the parts add up to what the finding of idle time says. */
static void tell_lost(struct nsc_finding *finding, const struct nsc_idle *idle, nsc_time ns,
                      const char *words)
{
    if (ns > 0)
        nsc_finding_evidence(finding, "not counted there: %s, %.1f %% of the idle time, %s",
                             nsc_show_ns(finding, ns).text, nsc_percent(ns, idle->idle), words);
}

static void report_late(struct nsc_findings *out, const struct nsc_scope *scope,
                        const struct nsc_idle *idle)
{
    nsc_time whole = nsc_window_length(idle->window);
    nsc_time late = nsc_idle_late(idle) - lost_anyway(idle);
    struct cause_sum sums[N_CAUSES] = {{0}};
    enum cause_kind kind;
    struct nsc_finding *finding;

    if (nsc_threshold_severity(NSC_THRESHOLD_GPU_TIME, won_share(idle)) >= NSC_SEVERITY_INFO)
        return;
    if (nsc_percent(idle->part[NSC_GAP_UNKNOWN], idle->idle) > NSC_LIMIT_MOST) {
        nsc_findings_add_unassessed(
            out, "cpu-bottleneck", "Whether the CPU is late",
            "the launch of what follows is not known for %.1f %% of the idle time of GPU %lld",
            nsc_percent(idle->part[NSC_GAP_UNKNOWN], idle->idle),
            (long long)gpu_of(scope, idle->device))
            ->track = idle->device;
        return;
    }
    add_causes(sums, scope, idle);
    kind = main_cause(sums, nsc_idle_late(idle));
    for (unsigned i = 0; i < N_CAUSES; i++)
        if (sums[i].top)
            report_cause(out, scope, idle, (enum cause_kind)i, &sums[i]);
    if ((kind < N_CAUSES && causes[kind].title[0]) ||
        nsc_percent(late, idle->idle) < NSC_LIMIT_MOST)
        return;
    finding = nsc_findings_add_share(out, NSC_THRESHOLD_GPU_TIME, "cpu-bottleneck",
                                     nsc_percent(late, whole), "The CPU keeps GPU %lld waiting: %s",
                                     (long long)gpu_of(scope, idle->device),
                                     kind == N_CAUSES       ? "several causes"
                                     : kind == CAUSE_LAUNCH ? "launch overhead"
                                                            : "CPU work between launches");
    place(finding, idle, late);
    nsc_finding_under(finding, "gpu-idle", idle->device);
    nsc_finding_evidence(finding, "CPU late for %.1f %% of the idle time, %.1f %% of the window",
                         nsc_percent(late, idle->idle), nsc_percent(late, whole));
    tell_lost(finding, idle, idle->part[NSC_GAP_OVERHEAD], "by the profiler itself");
    tell_lost(finding, idle, idle->requests, "in waits for requests");
    advise(finding, scope, idle, kind);
}

void nsc_find_idle(struct nsc_findings *out, const struct nsc_scope *scope,
                   const struct nsc_field_sets *fields)
{
    struct nsc_breakdown time;
    struct nsc_idle idle;

    (void)fields;
    for (uint32_t d = NSC_NONE; nsc_breakdown_next(&time, scope, &d);) {
        if (nsc_percent(time.idle, time.whole) < nsc_thresholds[NSC_THRESHOLD_GPU_TIME].low ||
            !nsc_idle_build(&idle, scope, d))
            continue;
        if (idle.part[NSC_GAP_ENDED] > idle.idle / 2) {
            report_tail(out, scope, &idle);
        } else {
            report_idle(out, scope, &idle);
            report_late(out, scope, &idle);
        }
        nsc_idle_fini(&idle);
    }
}
