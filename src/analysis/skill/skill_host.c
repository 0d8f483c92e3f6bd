/*
 * Skills about the host: module loading, allocation and garbage collection, waits by NVTX range.
 */
#include "analysis/base/correlate.h"
#include "analysis/device/sync_calls.h"
#include "analysis/names/label.h"
#include "analysis/skill/skill.h"
#include "core/die.h"
#include "core/sum.h"
#include "core/text.h"
#include "core/vec.h"

#include <stdlib.h>

/* ---- calls of some names, by thread and name ---- */

struct calls {
    uint32_t track;
    nsc_name name;
    uint32_t count;
    nsc_time total, max;
    nsc_event longest;
};

struct call_list {
    NSC_VEC(struct calls) list;
    uint32_t *slot; /* by name: index + 1, for the current track */
};

static void add_call(struct call_list *calls, const struct nsc_trace *trace, uint32_t track,
                     nsc_event event)
{
    const struct nsc_events *events = nsc_trace_events(trace);
    nsc_time duration = nsc_event_duration(events, event);
    uint32_t *slot = &calls->slot[events->name[event]];
    struct calls *to;

    if (*slot == 0 || calls->list.at[*slot - 1].track != track) {
        *NSC_VEC_ADD(&calls->list) =
            (struct calls){.track = track, .name = events->name[event], .longest = event};
        *slot = (uint32_t)calls->list.n;
    }
    to = &calls->list.at[*slot - 1];
    to->count++;
    to->total = nsc_sum(to->total, duration);
    if (duration > to->max) {
        to->max = duration;
        to->longest = event;
    }
}

static int compare_calls(const void *a, const void *b)
{
    const struct calls *x = a;
    const struct calls *y = b;

    if (x->total != y->total)
        return x->total > y->total ? -1 : 1;
    return x->longest < y->longest ? -1 : x->longest > y->longest;
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

/* Whether the text contains the word; whole: as a word of its own. */
static bool holds(struct nsc_text text, const char *word, bool whole)
{
    for (uint32_t at = 0; at < text.n; at++) {
        uint32_t i = 0;

        while (word[i] && at + i < text.n && nsc_ascii_lower(text.bytes[at + i]) == word[i])
            i++;
        if (!word[i] &&
            (!whole || ((at == 0 || !is_letter(nsc_ascii_lower(text.bytes[at - 1]))) &&
                        (at + i == text.n || !is_letter(nsc_ascii_lower(text.bytes[at + i]))))))
            return true;
    }
    return false;
}

/* The names that a skill searches for: parts of CUDA calls, whole words of NVTX ranges. */
struct wanted {
    const char *const *api;
    const char *const *nvtx;
};

static bool is_wanted(struct nsc_text name, const char *const *words, bool whole)
{
    if (!nsc_text_contains_any(name, words)) /* few names do */
        return false;
    for (size_t i = 0; words[i]; i++)
        if (holds(name, words[i], whole))
            return true;
    return false;
}

enum { WANTED_CALL = 1, WANTED_RANGE = 2 };

/* By name: a set of the above. *any: those of all names. The caller frees it. */
static uint8_t *judge_names(uint8_t *any, const struct nsc_trace *trace,
                            const struct wanted *wanted)
{
    const struct nsc_names *names = nsc_trace_names(trace);
    uint8_t *verdicts = nsc_xcalloc((size_t)names->n + 1, sizeof *verdicts);

    *any = 0;
    for (nsc_name i = 0; i < names->n; i++) {
        struct nsc_text name = nsc_trace_string(trace, names->full[i]);

        verdicts[i] = (uint8_t)((is_wanted(name, wanted->api, false) ? WANTED_CALL : 0) |
                                (is_wanted(name, wanted->nvtx, true) ? WANTED_RANGE : 0));
        *any |= verdicts[i];
    }
    return verdicts;
}

static uint8_t wanted_by(uint8_t kind)
{
    return nsc_kind_is_api(kind) ? WANTED_CALL : kind == NSC_KIND_NVTX_RANGE ? WANTED_RANGE : 0;
}

static void gather_calls(struct call_list *calls, const struct nsc_scope *scope,
                         const struct wanted *wanted)
{
    const struct nsc_events *events = nsc_trace_events(scope->trace);
    uint8_t any;
    uint8_t *verdicts = judge_names(&any, scope->trace, wanted);

    calls->slot = nsc_xcalloc((size_t)nsc_trace_names(scope->trace)->n + 1, sizeof *calls->slot);
    for (struct nsc_scope_cursor at =
             nsc_scope_open(scope, (any & WANTED_CALL ? NSC_TRACK_BIT(NSC_TRACK_API) : 0) |
                                       (any & WANTED_RANGE ? NSC_TRACK_BIT(NSC_TRACK_NVTX) : 0));
         nsc_scope_next(&at);)
        if (verdicts[events->name[at.row]] & wanted_by(events->kind[at.row]))
            add_call(calls, scope->trace, at.track, at.row);
    free(verdicts);
    if (calls->list.n > 1)
        qsort(calls->list.at, calls->list.n, sizeof *calls->list.at, compare_calls);
}

struct calls_row {
    uint32_t pid, tid;
    struct calls of;
    nsc_time window, at;
    struct nsc_text name;
};

#define CALL_COLUMNS                                                                           \
    NSC_COL_ID(calls_row, pid, "pid", "Process"), NSC_COL_ID(calls_row, tid, "tid", "Thread"), \
        NSC_COL_COUNT(calls_row, of.count, "count", "Calls"),                                  \
        NSC_COL_NS(calls_row, of.total, "total_ns", "Total"),                                  \
        NSC_COL_SHARE(calls_row, of.total, window, "share", "Share", "window"),                \
        NSC_COL_NS(calls_row, of.max, "max_ns", "Longest"),                                    \
        NSC_COL_INSTANT(calls_row, at, "longest_at_ns", "At"),                                 \
        NSC_COL_TEXT(calls_row, name, "name", "Call or range"),                                \
    {                                                                                          \
        0                                                                                      \
    }

static void list_calls(struct nsc_sheet *sheet, const struct nsc_question *question,
                       const struct wanted *wanted, const char *none)
{
    const struct nsc_trace *trace = question->scope->trace;
    const struct nsc_track *tracks = nsc_trace_tracks(trace, NULL);
    nsc_time window = nsc_window_length(question->scope->window);
    struct call_list calls = {0};
    size_t n;

    gather_calls(&calls, question->scope, wanted);
    n = nsc_question_limit(question, sheet, calls.list.n);
    for (size_t i = 0; i < n; i++) {
        const struct calls *of = &calls.list.at[i];
        struct nsc_buf name = NSC_BUF_INIT(NSC_NAME_BYTES);

        nsc_name_fold(&name, trace, of->name);
        NSC_ADD_ROW(sheet, calls_row, .pid = tracks[of->track].pid, .tid = tracks[of->track].tid,
                    .of = *of, .window = window, .at = nsc_trace_events(trace)->start[of->longest],
                    .name = nsc_text_of_buf(&name));
        nsc_buf_fini(&name);
    }
    nsc_sheet_note(sheet, "%s",
                   calls.list.n ? "Durations are not clipped to the window. Nested calls all "
                                  "count, and so do threads that run at the same time."
                                : none);
    free(calls.slot);
    NSC_VEC_FINI(&calls.list);
}

const struct nsc_sheet_column nsc_skill_module_loading_columns[] = {CALL_COLUMNS};

void nsc_skill_module_loading(struct nsc_sheets *out, const struct nsc_question *question)
{
    static const char *const api[] = {
        "moduleload",   "modulegetfunction", "libraryload", "linkcreate", "linkadd",
        "linkcomplete", "compileptx",        "libraryget",  "funcload",   NULL};
    static const char *const nvtx[] = {"torch.compile", "torchinductor", "triton_compile", NULL};
    static const struct wanted wanted = {api, nvtx};

    list_calls(NSC_SKILL_SHEET(out, question, module_loading), question, &wanted,
               "No call loads, links or compiles a module in the window.");
}

const struct nsc_sheet_column nsc_skill_gc_impact_columns[] = {CALL_COLUMNS};

void nsc_skill_gc_impact(struct nsc_sheets *out, const struct nsc_question *question)
{
    static const char *const api[] = {"malloc",    "memalloc",  "cudafree", "cumemfree",
                                      "hostalloc", "hostreg",   "mempool",  "memunmap",
                                      "memmap",    "hostunreg", NULL};
    static const char *const nvtx[] = {"gc", "garbage", "empty_cache", NULL};
    static const struct wanted wanted = {api, nvtx};

    list_calls(NSC_SKILL_SHEET(out, question, gc_impact), question, &wanted,
               "No allocation call and no range of a garbage collector in the window.");
}

/* ---- host_sync_parent_ranges ---- */

enum { PATH_DEPTH = 64 };

struct parents {
    struct parent {
        nsc_name name; /* the first name that folds to it */
        uint32_t depth, calls;
        nsc_time total, longest;
        nsc_event call;
    } * at;
    size_t n;
    nsc_time all;
    uint64_t outside; /* waits outside of ranges */
};

struct parent_row {
    struct parent of;
    nsc_time all;
    struct nsc_text call, range;
};

const struct nsc_sheet_column nsc_skill_host_sync_parent_ranges_columns[] = {
    NSC_COL_COUNT(parent_row, of.depth, "depth", "Depth"),
    NSC_COL_COUNT(parent_row, of.calls, "calls", "Waits"),
    NSC_COL_NS(parent_row, of.total, "sync_ns", "Waited"),
    NSC_COL_SHARE(parent_row, of.total, all, "share", "Share", "all waits of the window"),
    NSC_COL_NS(parent_row, of.longest, "longest_ns", "Longest"),
    NSC_COL_TEXT(parent_row, call, "longest_call", "Longest wait"),
    NSC_COL_TEXT(parent_row, range, "range", "NVTX range"),
    {0},
};

/* Attributes a wait to the ranges around it, once per folded name. */
static void credit(struct parents *parents, const struct nsc_trace *trace, const nsc_name *fold,
                   nsc_event call)
{
    const struct nsc_events *events = nsc_trace_events(trace);
    nsc_time duration = nsc_event_duration(events, call);
    nsc_event path[PATH_DEPTH];
    uint32_t n = nsc_event_path(trace, call, path, PATH_DEPTH);

    n = n < PATH_DEPTH ? n : PATH_DEPTH;
    parents->all = nsc_sum(parents->all, duration);
    parents->outside += n == 0;
    for (uint32_t i = 0; i < n; i++) {
        nsc_name name = fold[events->name[path[i]]];
        struct parent *to = &parents->at[name];
        bool again = false;

        for (uint32_t k = 0; k < i; k++)
            again |= fold[events->name[path[k]]] == name;
        if (again)
            continue;
        to->depth = to->calls == 0 || i < to->depth ? i : to->depth;
        to->calls++;
        to->total = nsc_sum(to->total, duration);
        if (to->calls == 1 || duration > to->longest) {
            to->longest = duration;
            to->call = call;
        }
    }
}

/* Keeps the parents with waits. */
static void drop_unused(struct parents *parents)
{
    size_t n = 0;

    for (size_t i = 0; i < parents->n; i++)
        if (parents->at[i].calls > 0)
            parents->at[n++] = parents->at[i];
    parents->n = n;
}

static void gather_parents(struct parents *parents, const struct nsc_scope *scope)
{
    struct nsc_sync_calls calls;
    nsc_name *fold;

    nsc_sync_calls_build(&calls, scope);
    if (calls.list.n > 0) {
        fold = nsc_names_by_fold(scope->trace);
        parents->n = nsc_trace_names(scope->trace)->n;
        parents->at = nsc_xcalloc(parents->n + 1, sizeof *parents->at);
        for (size_t i = 0; i < parents->n; i++)
            parents->at[i].name = (nsc_name)i;
        for (size_t i = 0; i < calls.list.n; i++)
            if (nsc_scope_has(scope, calls.list.at[i]))
                credit(parents, scope->trace, fold, calls.list.at[i]);
        drop_unused(parents);
        free(fold);
    }
    nsc_sync_calls_fini(&calls);
}

static int compare_parents(const void *a, const void *b)
{
    const struct parent *x = a;
    const struct parent *y = b;

    if (x->total != y->total)
        return x->total > y->total ? -1 : 1;
    if (x->depth != y->depth)
        return x->depth < y->depth ? -1 : 1;
    return x->name < y->name ? -1 : x->name > y->name;
}

static void add_parent(struct nsc_sheet *sheet, const struct nsc_trace *trace,
                       const struct parents *parents, const struct parent *of)
{
    char scratch[NSC_NAME_BYTES];
    struct nsc_buf name = NSC_BUF_INIT(NSC_NAME_BYTES);

    nsc_name_fold(&name, trace, of->name);
    NSC_ADD_ROW(sheet, parent_row, .of = *of, .all = parents->all,
                .call = nsc_trace_event_text(trace, of->call, true, scratch),
                .range = nsc_text_of_buf(&name));
    nsc_buf_fini(&name);
}

void nsc_skill_host_sync_parent_ranges(struct nsc_sheets *out, const struct nsc_question *question)
{
    struct nsc_sheet *sheet = NSC_SKILL_SHEET(out, question, host_sync_parent_ranges);
    struct parents parents = {0};
    size_t shown;

    gather_parents(&parents, question->scope);
    if (parents.n > 0)
        qsort(parents.at, parents.n, sizeof *parents.at, compare_parents);
    shown = nsc_question_limit(question, sheet, parents.n);
    for (size_t i = 0; i < shown; i++)
        add_parent(sheet, question->scope->trace, &parents, &parents.at[i]);
    if (parents.n == 0)
        nsc_sheet_note(sheet, "No synchronizing call of the window lies in an NVTX range.");
    else
        nsc_sheet_note(
            sheet,
            "Each synchronizing CUDA call is attributed to every range around it on its thread "
            "(\"#\": any number), so nested ranges count the same wait. %llu waits are outside of "
            "all ranges. A wait costs nothing while the GPU is busy: see skill sync.",
            (unsigned long long)parents.outside);
    free(parents.at);
}
