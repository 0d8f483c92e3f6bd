/*
 * Adds sheets of a recording's quality: coverage and overhead, the kinds of rows recorded, the
 * profiler's messages.
 */
#include "analysis/base/tally.h"
#include "analysis/device/quality.h"
#include "analysis/skill/skill.h"

#include <string.h>

struct quality_row {
    const char *check;
    int64_t count, of;
    nsc_time time;
    int64_t part, whole; /* of the share, in ns */
    const char *meaning;
};

const struct nsc_sheet_column nsc_skill_quality_columns[] = {
    NSC_COL_TEXT(quality_row, check, "check", "Check"),
    NSC_COL_COUNT(quality_row, count, "count", "Count"),
    NSC_COL_COUNT(quality_row, of, "of", "Of"),
    NSC_COL_NS(quality_row, time, "time_ns", "Time"),
    NSC_COL_SHARE(quality_row, part, whole, "share", "Share", "the row's own whole"),
    NSC_COL_TEXT(quality_row, meaning, "meaning", "What it means"),
    {0},
};

struct recorded_row {
    uint64_t rows;
    const char *family, *without;
};

static const struct nsc_sheet_column kind_columns[] = {
    NSC_COL_COUNT(recorded_row, rows, "rows", "Rows"),
    NSC_COL_TEXT(recorded_row, family, "recorded", "Recorded"),
    NSC_COL_TEXT(recorded_row, without, "without", "Without it"),
    {0},
};

#define MESSAGES_SHOWN 50u

struct message_row {
    int64_t count;
    const char *severity;
    struct nsc_text message;
};

static const struct nsc_sheet_column message_columns[] = {
    NSC_COL_COUNT(message_row, count, "count", "Times"),
    NSC_COL_TEXT(message_row, severity, "severity", "Severity"),
    NSC_COL_TEXT(message_row, message, "message", "Message"),
    {0},
};

/* of: NSC_UNKNOWN if the count is no part of another. */
static void add_count(struct nsc_sheet *sheet, const char *check, uint64_t count, int64_t of,
                      const char *meaning)
{
    NSC_ADD_ROW(sheet, quality_row, .check = check, .count = (int64_t)count, .of = of,
                .time = NSC_UNKNOWN, .part = nsc_known(of != NSC_UNKNOWN, (int64_t)count),
                .whole = of, .meaning = meaning);
}

static void add_time(struct nsc_sheet *sheet, const char *check, nsc_time time, nsc_time whole,
                     const char *meaning)
{
    NSC_ADD_ROW(sheet, quality_row, .check = check, .count = NSC_UNKNOWN, .of = NSC_UNKNOWN,
                .time = time, .part = time, .whole = whole, .meaning = meaning);
}

static void add_checks(struct nsc_sheet *sheet, const struct nsc_scope *scope,
                       const struct nsc_quality *of)
{
    static const char reported[] = "reported by the profiler over the whole recording";

    add_count(sheet, "kernels whose launch is known", of->known_kernels, (int64_t)of->kernels,
              "the others have no launch or queue time, and gaps before them have no cause");
    add_count(sheet, "GPU ops whose launch is known", of->known_ops, (int64_t)of->ops,
              "others belong to no NVTX range");
    if (of->has_ranges)
        add_time(sheet, "summed GPU work under an NVTX range", of->range_work, of->work,
                 "the rest cannot be attributed to a range");
    add_time(sheet, "profiler overhead", of->overhead, nsc_window_length(scope->window),
             "on any thread; no end-to-end slowdown");
    if (of->has_messages) {
        add_count(sheet, "errors of the profiler", of->errors, NSC_UNKNOWN, reported);
        add_count(sheet, "warnings of the profiler", of->warnings, NSC_UNKNOWN, reported);
    }
}

static void add_kinds(struct nsc_sheet *sheet, const struct nsc_quality *of)
{
    static const struct {
        const char *word, *without;
    } families[] = {
        {"kernel", "no figure of GPU work"},
        {"copy", "transfers are unknown"},
        {"memset", "memsets count as idle time"},
        {"graph", "only of use with --cuda-graph-trace=graph"},
        {"api", "no launch times, no cause of gaps, no NVTX projection"},
        {"sync", "waits are recognized by the names of calls only"},
        {"nvtx", "no iterations, no layers, no place in the program"},
        {"os", "waits of the CPU look like work"},
        {"sched", "whether threads run on a CPU is unknown"},
        {"sample", "what the CPU works on is unknown"},
        {"overhead", "the cost of profiling is unknown"},
    };

    for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
        uint64_t rows = 0;

        for (int k = 0; k < NSC_N_KINDS; k++)
            if (strcmp(nsc_kind_word((enum nsc_kind)k), families[i].word) == 0)
                rows += of->kinds[k];
        NSC_ADD_ROW(sheet, recorded_row, .rows = rows, .family = families[i].word,
                    .without = rows > 0 ? "" : families[i].without);
    }
}

/* Adds errors and warnings, each text once; other messages do not affect the figures. */
static void add_messages(struct nsc_sheet *sheet, const struct nsc_fields *messages)
{
    struct nsc_tally kept = {0}; /* (severity, text) */
    int64_t severity, text;

    for (uint32_t i = 0; messages && i < messages->n; i++)
        if (nsc_fields_int(&severity, messages, NSC_DIAGNOSTIC_SEVERITY, i) &&
            nsc_fields_int(&text, messages, NSC_DIAGNOSTIC_TEXT, i) &&
            (severity == NSC_DIAGNOSTIC_WARNING || severity == NSC_DIAGNOSTIC_ERROR))
            (void)nsc_tally_add(&kept, (uint64_t)severity, (uint64_t)text, 0);
    for (size_t k = 0; k < kept.rows.n; k++) {
        const struct nsc_tally_row *row = &kept.rows.at[k];

        if (k >= MESSAGES_SHOWN)
            sheet->n_left_out += row->count;
        else
            NSC_ADD_ROW(sheet, message_row, .count = (int64_t)row->count,
                        .severity = row->key[0] == NSC_DIAGNOSTIC_ERROR ? "error" : "warning",
                        .message = nsc_strpool_text(&messages->texts, (nsc_str)row->key[1]));
    }
    nsc_tally_fini(&kept);
}

void nsc_skill_quality(struct nsc_sheets *out, const struct nsc_question *question)
{
    size_t first = out->list.n;
    struct nsc_range_work ranges;
    struct nsc_quality of;
    struct nsc_sheet *sheets;
    bool has_ranges = nsc_range_work_build(&ranges, question->scope, NSC_PATHS_BY_DIGITS);

    nsc_quality_build(&of, question->scope, question->fields, has_ranges ? &ranges : NULL);
    if (has_ranges)
        nsc_range_work_fini(&ranges);
    (void)NSC_SKILL_SHEET(out, question, quality);
    (void)nsc_question_more(out, question, "recorded", "What is recorded", kind_columns);
    (void)nsc_question_more(out, question, "messages", "Errors and warnings of the profiler",
                            message_columns);
    sheets = &out->list.at[first];
    add_checks(&sheets[0], question->scope, &of);
    add_kinds(&sheets[1], &of);
    add_messages(&sheets[2], nsc_field_set(question->fields, NSC_FIELDS_DIAGNOSTICS));
    if (!of.has_ranges)
        nsc_sheet_note(&sheets[0], "NVTX coverage is unknown: the window has no push/pop ranges.");
    if (!of.has_messages)
        nsc_sheet_note(&sheets[2],
                       "Messages are unknown: the export has no readable DIAGNOSTIC_EVENT table.");
}
