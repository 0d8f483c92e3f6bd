/*
 * Reads the language of screen_trace.h.
 */
#include "support/screen_trace.h"

#include "core/units.h"
#include "core/vec.h"
#include "support/build_trace.h"
#include "support/cm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_BYTES = 512, WORD_BYTES = 64 };

struct rows {
    struct nsc_test_row *at;
    size_t n, capacity;
    uint32_t capture_no; /* of the rows that follow */
};

struct words {
    char kind[WORD_BYTES], where[WORD_BYTES], start[WORD_BYTES], end[WORD_BYTES];
    char name[LINE_BYTES];
    uint32_t correlation;
};

const char nsc_test_trace_sample[] =
    "*40 250us kernel 0:7 20us 140us flash_fwd_kernel #1\n"
    "*40 250us kernel 0:7 145us 240us gemm_bf16 #101\n"
    "*10 1ms kernel 0:21 100us 400us ncclDevKernel_AllReduce #201\n"
    "*5 2ms htod 0:13 0 60us copy #301\n"
    "*40 250us api 111 0 8us cudaLaunchKernel #1\n"
    "*40 250us api 111 10us 18us cudaLaunchKernel #101\n"
    "*10 1ms api 111 20us 30us cudaLaunchKernel #201\n"
    "*5 2ms api 111 40us 50us cudaMemcpyAsync #301\n"
    "*5 2ms nvtx 111 0 1990us iteration\n"
    "*5 2ms nvtx 111 10us 990us forward\n"
    "*5 2ms nvtx 111 1ms 1980us backward\n"
    "mark 111 5ms 5ms checkpoint\n"
    "*20 500us os 112 0 450us poll\n";

static const struct {
    const char *word;
    uint8_t kind;
} kinds[] = {
    {"kernel", NSC_KIND_KERNEL},   {"htod", NSC_KIND_COPY_HTOD}, {"dtoh", NSC_KIND_COPY_DTOH},
    {"dtod", NSC_KIND_COPY_DTOD},  {"memset", NSC_KIND_MEMSET},  {"graph", NSC_KIND_GRAPH},
    {"api", NSC_KIND_API_RUNTIME}, {"sync", NSC_KIND_SYNC},      {"nvtx", NSC_KIND_NVTX_RANGE},
    {"span", NSC_KIND_NVTX_SPAN},  {"mark", NSC_KIND_NVTX_MARK}, {"os", NSC_KIND_OSRT},
    {"sample", NSC_KIND_SAMPLE},
};

static uint8_t kind_of(const char *word)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(word, kinds[i].word) == 0)
            return kinds[i].kind;
    fail_msg("no kind of event: %s", word);
    return NSC_KIND_UNKNOWN;
}

static nsc_time time_of(const char *text)
{
    nsc_time t = 0;

    assert_int_equal(nsc_units_parse_time(&t, text, NSC_UNITS_NS, NULL), NSC_OK);
    return t;
}

static char *copy_of(const char *text)
{
    size_t n = strlen(text) + 1;

    return memcpy(nsc_xmalloc(n), text, n);
}

/* "step %d" with the number in place; names without it are copied. */
static char *name_of(const char *name, unsigned i)
{
    char text[LINE_BYTES + 16];
    const char *hole = strstr(name, "%d");

    if (!hole)
        return copy_of(name);
    (void)snprintf(text, sizeof text, "%.*s%u%s", (int)(hole - name), name, i, hole + 2);
    return copy_of(text);
}

static void place_parse(struct nsc_test_row *row, const char *where)
{
    char *end = NULL;

    row->process = 111;
    row->device = strtol(where, &end, 10);
    if (*end == ':')
        row->stream = strtol(end + 1, &end, 10);
    else
        row->tid = (uint32_t)row->device;
    row->context = 1;
    assert_int_equal(*end, '\0');
}

static void words_parse(struct words *words, const char *line)
{
    char *hash = NULL;
    int used = 0;

    words->correlation = 0;
    if (sscanf(line, "%63s %63s %63s %63s %n", words->kind, words->where, words->start, words->end,
               &used) != 4 ||
        !used)
        fail_msg("not a row of a trace: %s", line);
    (void)snprintf(words->name, sizeof words->name, "%s", line + used);
    hash = strstr(words->name, " #");
    if (hash) {
        words->correlation = (uint32_t)strtoul(hash + 2, NULL, 10);
        *hash = '\0';
    }
}

static void line_parse(struct rows *rows, const char *line)
{
    struct words words = {0};
    unsigned times = 1;
    char period[WORD_BYTES] = "0";
    int used = 0;

    if (strcmp(line, "export") == 0) {
        rows->capture_no++;
        return;
    }
    if (*line == '*' && (sscanf(line, "*%u %63s %n", &times, period, &used) != 2 || !used))
        fail_msg("not a series of rows: %s", line);
    words_parse(&words, line + used);
    for (unsigned i = 0; i < times; i++) {
        struct nsc_test_row row = {.kind = kind_of(words.kind), .capture_no = rows->capture_no};

        place_parse(&row, words.where);
        row.start = time_of(words.start) + (nsc_time)i * time_of(period);
        row.end = time_of(words.end) + (nsc_time)i * time_of(period);
        row.name = name_of(words.name, i);
        row.correlation = words.correlation ? words.correlation + i : 0;
        *NSC_VEC_ADD(rows) = row;
    }
}

struct nsc_trace *nsc_test_trace_parse(const char *text)
{
    struct rows rows = {0};
    struct nsc_trace *trace = NULL;

    while (*text) {
        size_t n = strcspn(text, "\n");
        char line[LINE_BYTES];

        (void)snprintf(line, sizeof line, "%.*s", (int)n, text);
        if (n && line[0] != '#')
            line_parse(&rows, line);
        text += text[n] ? n + 1 : n;
    }
    trace = nsc_test_trace_build(rows.at, (uint32_t)rows.n);
    for (size_t i = 0; i < rows.n; i++)
        free((void *)(uintptr_t)rows.at[i].name);
    NSC_VEC_FINI(&rows);
    return trace;
}
