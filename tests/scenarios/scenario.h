/*
 * Small exports whose truth is known by construction, and what the program answers about them.
 *
 * A scenario writes an export as programs leave it: threads with calls and NVTX ranges, the work
 * they launch, waits. Then it asks the program by command lines and reads the sheets of the answers.
 * Times are ns on the recording's clock; intervals are half-open. Everything fails the test (cmocka)
 * that does not work.
 */
#ifndef NSC_TESTS_SCENARIO_H
#define NSC_TESTS_SCENARIO_H

#include "support/cm.h"

#include <stdbool.h>
#include <stdint.h>

#define US(n) ((int64_t)((n)*1000.0))
#define MS(n) ((int64_t)((n)*1000000.0))

struct scenario;

/* An empty export of nsys 2026 in a folder of its own. Free it with scenario_free. */
struct scenario *scenario_new(void);
void scenario_free(struct scenario *s);
/* The same for cmocka's set-up and tear-down: *state is the scenario. */
int scenario_setup(void **state);
int scenario_teardown(void **state);
/* SCENARIO(name) { ... }: a test with a scenario of its own. */
#define SCENARIO(name) TEST_WITH(name, scenario_setup, scenario_teardown)

/* ---- what happened ---- */

/* Runs any SQL, formatted like printf; the caller quotes values. */
void scenario_sql(struct scenario *s, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* The id of a text in StringIds. */
int64_t scenario_string(struct scenario *s, const char *text);
/* A GPU: its model as nsys names it, e.g. "NVIDIA H100 80GB HBM3". */
void scenario_gpu(struct scenario *s, int device, const char *model);
/* A thread of a process. Returns its global thread id, which names it below. */
int64_t scenario_thread(struct scenario *s, int pid, int tid, const char *name);
/* A push/pop NVTX range in the default domain, or in a domain with a name. */
void scenario_range(struct scenario *s, int64_t thread, const char *text, int64_t start,
                    int64_t end);
void scenario_range_in(struct scenario *s, int64_t thread, const char *domain, const char *text,
                       int64_t start, int64_t end);
/* A call of the CUDA API; gives its correlation id. */
int64_t scenario_call(struct scenario *s, int64_t thread, const char *name, int64_t start,
                      int64_t end);
/* A call of the operating system's runtime. */
void scenario_os(struct scenario *s, int64_t thread, const char *name, int64_t start, int64_t end);
/* A CPU sample of a thread whose innermost function this is. */
void scenario_sample(struct scenario *s, int64_t thread, int64_t t, const char *function);
/* The scheduler runs the thread in [start, end). */
void scenario_on_cpu(struct scenario *s, int64_t thread, int64_t start, int64_t end);
/* Work on a GPU, launched by the call with this correlation id; 0: its launch was not recorded. The
 * process is that of the call, or the first. */
void scenario_kernel(struct scenario *s, int64_t call, int device, int stream, const char *name,
                     int64_t start, int64_t end);
enum scenario_copy { HOST_TO_DEVICE = 1, DEVICE_TO_HOST = 2, DEVICE_TO_DEVICE = 8, PEER = 10 };
void scenario_copy(struct scenario *s, int64_t call, int device, int stream,
                   enum scenario_copy kind, bool pageable, int64_t bytes, int64_t start,
                   int64_t end);
void scenario_memset(struct scenario *s, int64_t call, int device, int stream, int64_t bytes,
                     int64_t start, int64_t end);
/* A whole graph as one event, as nsys records graphs by default. */
void scenario_graph(struct scenario *s, int64_t call, int device, int stream, int graph,
                    int64_t start, int64_t end);
/* cudaEventRecord on a stream. Returns the id of this record, for waits. */
int64_t scenario_record(struct scenario *s, int64_t call, int device, int stream, int event);
/* A wait of the host or of a stream. type as in CUPTI: 1 event, 2 stream waits for event, 3 stream,
 * 4 context. record: from scenario_record; 0: none. */
void scenario_wait(struct scenario *s, int64_t call, int type, int device, int stream, int event,
                   int64_t record, int64_t start, int64_t end);

/* The usual case: a launch call of 5 us that begins at launch, and its kernel. Returns the
 * correlation id. */
int64_t scenario_launch(struct scenario *s, int64_t thread, int64_t launch, int device, int stream,
                        const char *name, int64_t start, int64_t end);

/* ---- what the program says ---- */

/* The export's path. Closes the export for writing until the next event. */
const char *scenario_path(struct scenario *s);
/* Another export for the command lines of s: '@2' is the first one added, '@3' the next. */
void scenario_add(struct scenario *s, struct scenario *other);
/* Runs the program: "analyze @" with the path for @. Returns its exit status and keeps its
 * output. */
int scenario_run(struct scenario *s, const char *arguments);
/* Runs it with --format json (unless the line has --json); it must exit 0. The functions below read
 * the sheets of its answer. */
void scenario_ask(struct scenario *s, const char *arguments);
/* What the last run printed. Borrowed until the next one. */
const char *scenario_output(struct scenario *s);

/* Asks "analyze" and fails unless the report and the Findings pane have the same titles in the same
 * order. Keeps the sheets of analyze. */
void scenario_findings(struct scenario *s);

/* The rows of a sheet, given by its key, for which `where` holds: SQL over the sheet's columns, as
 * in "iteration = 3". NULL: all rows. A column may be any SQL expression. */
int scenario_count(struct scenario *s, const char *sheet, const char *where);
/* A cell of the first such row, which must exist. Texts are borrowed until the next call. */
int64_t scenario_int(struct scenario *s, const char *sheet, const char *where, const char *column);
double scenario_real(struct scenario *s, const char *sheet, const char *where, const char *column);
const char *scenario_text(struct scenario *s, const char *sheet, const char *where,
                          const char *column);
/* The sum of a column over such rows. */
int64_t scenario_sum(struct scenario *s, const char *sheet, const char *where, const char *column);
/* Fails unless a is within percent of b. */
void scenario_near(int64_t a, int64_t b, double percent);

#endif
