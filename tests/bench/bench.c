/*
 * The benchmark: bench NSYSCOPE FOLDER [KERNELS...] makes synthetic exports (1 M and 10 M kernels
 * unless told) in FOLDER and prints one table of what opening, drawing and filtering cost, side by
 * side with the sqlite3 shell's scan of the same columns. --cold: also from the disk, as root.
 */
#include "nsyscope/open.h"
#include "nsyscope/summary.h"

#include "analysis/filter.h"
#include "core/die.h"
#include "core/pages.h"
#include "core/threads.h"
#include "core/vec.h"
#include "index/summary_build.h"
#include "tui/blit.h"
#include "view/app.h"

#include <fcntl.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char scan_sql[] =
    "SELECT "
    "max(rowid),max(start),max(end),max(deviceId),max(contextId),max(streamId),max(correlationId),"
    "max(globalPid),"
    "max(demangledName),max(shortName) FROM CUPTI_ACTIVITY_KIND_KERNEL;"
    "SELECT "
    "max(rowid),max(start),max(end),max(eventClass),max(globalTid),max(correlationId),max(nameId)"
    " FROM CUPTI_ACTIVITY_KIND_RUNTIME;"
    "SELECT "
    "max(rowid),max(start),max(end),max(eventType),max(color),max(text),max(globalTid),max("
    "endGlobalTid),"
    "max(textId),max(domainId) FROM NVTX_EVENTS;"
    "SELECT "
    "max(rowid),max(start),max(end),max(deviceId),max(streamId),max(copyKind),max(correlationId),"
    "max(globalPid)"
    " FROM CUPTI_ACTIVITY_KIND_MEMCPY;";

struct cost {
    double wall, cpu; /* s */
    double rss;       /* bytes */
    int status;
};

static double now(clockid_t clock)
{
    struct timespec t;

    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* One line of the table. No goal: 0. */
static void print_figure(const char *figure, const char *unit, double goal, double measured)
{
    printf("| %-34s |", figure);
    if (goal > 0)
        printf(" %9.2f %-2s | %9.2f %-2s | %5.2f |\n", goal, unit, measured, unit, measured / goal);
    else
        printf(" %12s | %9.2f %-2s | %5s |\n", "", measured, unit, "");
}

static void fail(const char *what)
{
    fflush(stdout);
    (void)fprintf(stderr, "bench: %s: failed\n", what);
    exit(1);
}

/* Runs a program with its output thrown away; one that fails ends the benchmark. */
static struct cost run(char *const argv[])
{
    struct cost cost = {0};
    struct rusage usage;
    double start = 0;
    pid_t pid = 0;

    fflush(stdout);
    start = now(CLOCK_MONOTONIC);
    pid = fork();
    if (pid == 0) {
        int null = open("/dev/null", O_RDWR);

        dup2(null, STDOUT_FILENO);
        execvp(argv[0], argv);
        _exit(127);
    }
    if (pid < 0 || wait4(pid, &cost.status, 0, &usage) != pid || cost.status != 0)
        fail(argv[0]);
    cost.wall = now(CLOCK_MONOTONIC) - start;
    cost.cpu = (double)usage.ru_utime.tv_sec + (double)usage.ru_utime.tv_usec * 1e-6 +
               (double)usage.ru_stime.tv_sec + (double)usage.ru_stime.tv_usec * 1e-6;
    cost.rss = (double)usage.ru_maxrss * 1024;
    return cost;
}

static struct cost best_of(char *const argv[], int times)
{
    struct cost best = run(argv);

    for (int i = 1; i < times; i++) {
        struct cost cost = run(argv);

        if (cost.wall < best.wall)
            best = cost;
    }
    return best;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;

    return x < y ? -1 : x > y;
}

struct series {
    NSC_VEC(double) values;
};

static double at(struct series *series, double share)
{
    size_t i = (size_t)((double)(series->values.n - 1) * share);

    qsort(series->values.at, series->values.n, sizeof *series->values.at, by_value);
    return series->values.n ? series->values.at[i] : 0;
}

/* ---- the tour: pans and zooms from the whole trace to single kernels, down the rows and back ----
 */

struct tour {
    struct nsc_app *app;
    struct nsc_grid grid;
    struct nsc_blit *blit;
    struct nsc_buf bytes;
    struct series cpu, sent;
};

static void frame(struct tour *tour, const struct nsc_input *input)
{
    double start = now(CLOCK_THREAD_CPUTIME_ID);

    nsc_app_input(tour->app, input);
    nsc_app_draw(tour->app, &tour->grid);
    *NSC_VEC_ADD(&tour->cpu.values) = now(CLOCK_THREAD_CPUTIME_ID) - start;
    nsc_buf_clear(&tour->bytes);
    if (tour->blit && nsc_blit_draw(&tour->bytes, tour->blit, &tour->grid, NULL) == NSC_OK)
        *NSC_VEC_ADD(&tour->sent.values) = (double)tour->bytes.n;
}

static void press(struct tour *tour, const char *keys)
{
    struct nsc_input input = {.type = NSC_INPUT_KEY};

    while (*keys) {
        const char *end = strchr(keys, ' ');
        struct nsc_text word = {keys, end ? (uint32_t)(end - keys) : (uint32_t)strlen(keys)};

        if (!nsc_key_parse(&input.key, word))
            abort();
        frame(tour, &input);
        keys += word.n + (end ? 1 : 0);
    }
}

static void drive(struct tour *tour)
{
    static const char *const legs[] = {"Right Right Left Right", "Shift+Right Shift+Left",
                                       "Down Down Tab Tab", "Right Right Right",
                                       "Up Shift+Tab Right Left"};

    press(tour, "0 Right Left");
    for (int depth = 0; depth < 24; depth++) {
        press(tour, "+");
        press(tour, legs[depth % 5]);
    }
    press(tour, "f Right Right Tab Tab Tab Right");
    for (int depth = 0; depth < 24; depth++) {
        press(tour, "-");
        press(tour, legs[(depth + 2) % 5]);
    }
    press(tour, "0 End Home 0");
}

static void measure_frames(const struct nsc_trace *trace, uint32_t rows, uint32_t cols,
                           double goal_ms)
{
    char figure[64];
    struct nsc_app_options options = {.file = "bench.sqlite"};
    struct nsc_theme theme;
    struct nsc_blit_options screen = {"xterm-256color", &theme, NSC_COLOR_256, true};
    struct tour tour = {.bytes = NSC_BUF_INIT(64u << 20)};
    struct nsc_input size = {.type = NSC_INPUT_RESIZE, .rows = rows, .cols = cols};
    struct nsc_input loaded = {.type = NSC_INPUT_LOADED, .trace = trace};

    nsc_theme_parse(&theme, nsc_text_from(nsc_theme_default), NULL, NULL);
    nsc_grid_init(&tour.grid, false);
    setenv("LINES", "200", 1); /* the size curses starts with; the grid's own size decides */
    setenv("COLUMNS", "500", 1);
    if (nsc_blit_new(&tour.blit, &screen, NULL) != NSC_OK)
        tour.blit = NULL;
    tour.app = nsc_app_new(&options);
    nsc_app_input(tour.app, &size);
    nsc_app_input(tour.app, &loaded);
    nsc_app_draw(tour.app, &tour.grid);
    drive(&tour);
    snprintf(figure, sizeof figure, "frame %ux%u, median", cols, rows);
    print_figure(figure, "ms", 0, at(&tour.cpu, 0.5) * 1e3);
    snprintf(figure, sizeof figure, "frame %ux%u, p99 of %zu", cols, rows, tour.cpu.values.n);
    print_figure(figure, "ms", goal_ms, at(&tour.cpu, 0.99) * 1e3);
    snprintf(figure, sizeof figure, "bytes a frame %ux%u, median", cols, rows);
    print_figure(figure, "B", 0, at(&tour.sent, 0.5));
    snprintf(figure, sizeof figure, "bytes a frame %ux%u, p99", cols, rows);
    print_figure(figure, "B", 0, at(&tour.sent, 0.99));
    nsc_blit_free(tour.blit);
    nsc_app_free(tour.app);
    nsc_grid_fini(&tour.grid);
    nsc_buf_fini(&tour.bytes);
    NSC_VEC_FINI(&tour.cpu.values);
    NSC_VEC_FINI(&tour.sent.values);
}

static void measure_filter(const struct nsc_trace *trace)
{
    struct nsc_pool *pool = nsc_pool_new(0);
    struct nsc_filter *filter = NULL;
    struct nsc_summary *summary;
    uint64_t *mask;
    double start;

    if (nsc_filter_parse(&filter, nsc_text_from("name:gemm"), NULL) != NSC_OK)
        abort();
    start = now(CLOCK_MONOTONIC);
    mask = nsc_filter_apply(filter, trace, pool);
    summary = nsc_summary_build_on(pool, trace, mask);
    print_figure("mask name:gemm and its summary", "ms", 50, (now(CLOCK_MONOTONIC) - start) * 1e3);
    nsc_summary_free(summary);
    free(mask);
    nsc_filter_free(filter);
    nsc_pool_free(pool);
}

/* From the key that ends a filter, or finds a name, to the next complete frame. */
static void measure_typing(const struct nsc_trace *trace, const char *keys, const char *last)
{
    struct nsc_app_options options = {.file = "bench.sqlite", .pool = nsc_pool_new(0)};
    struct tour tour = {.app = nsc_app_new(&options)};
    struct nsc_input size = {.type = NSC_INPUT_RESIZE, .rows = 50, .cols = 200};
    struct nsc_input loaded = {.type = NSC_INPUT_LOADED, .trace = trace};
    struct nsc_input key = {.type = NSC_INPUT_KEY};
    struct nsc_input tick = {.type = NSC_INPUT_TICK};
    double start;

    nsc_grid_init(&tour.grid, false);
    nsc_app_input(tour.app, &size);
    nsc_app_input(tour.app, &loaded);
    press(&tour, keys);
    if (!nsc_key_parse(&key.key, nsc_text_from(last)))
        abort();
    start = now(CLOCK_MONOTONIC);
    if (nsc_app_input(tour.app, &key).set & NSC_EFFECT_WORK)
        nsc_app_input(tour.app, &tick);
    nsc_app_draw(tour.app, &tour.grid);
    printf("typed '%s %s' %*s%7.1f ms to the next frame\n", keys, last, (int)(14 - strlen(keys)),
           "", (now(CLOCK_MONOTONIC) - start) * 1e3);
    nsc_app_free(tour.app);
    nsc_pool_free(options.pool);
    nsc_grid_fini(&tour.grid);
    NSC_VEC_FINI(&tour.cpu.values);
}

/* In a process of its own: its memory is the trace's. */
static void measure_inside(const char *path)
{
    struct nsc_open_options options = NSC_OPEN_OPTIONS_INIT;
    struct nsc_export *xport = NULL;
    struct nsc_trace *trace = NULL;
    struct nsc_error error = {0};
    struct stat st;
    uint32_t n;
    pid_t pid;

    fflush(stdout);
    pid = fork();
    if (pid != 0) {
        int status = 0;

        if (pid < 0 || waitpid(pid, &status, 0) != pid || status != 0)
            fail(path);
        return;
    }
    if (nsc_export_open(&xport, path, &options, &error) != NSC_OK ||
        nsc_export_load(&trace, xport, NULL, &error) != NSC_OK) {
        (void)fprintf(stderr, "%s\n", error.text);
        _exit(1);
    }
    n = nsc_trace_events(trace)->n;
    stat(path, &st);
    print_figure("events", "M", 0, n / 1e6);
    print_figure("trace, bytes an event", "B", 0, (double)nsc_trace_bytes(trace) / n);
    print_figure("peak, bytes an event", "B", 32, (double)nsc_memory_peak() / n);
    print_figure("peak, share of the file", "", 0.5,
                 (double)nsc_memory_peak() / (double)st.st_size);
    measure_filter(trace);
    measure_typing(trace, "/ g e m", "m");
    measure_typing(trace, "/ g e m m", "Enter");
    measure_typing(trace, "\\ g e m m", "Enter");
    measure_frames(trace, 50, 200, 2);
    measure_frames(trace, 200, 500, 10);
    fflush(stdout);
    _exit(0);
}

/* Tells the kernel to forget what it has read; only root may. */
static void drop_caches(void)
{
    int fd = open("/proc/sys/vm/drop_caches", O_WRONLY);

    sync();
    if (fd < 0 || write(fd, "3", 1) != 1)
        fail("/proc/sys/vm/drop_caches");
    close(fd);
}

/* Opening, against reading every byte and against SQLite; times: as often as takes the best. */
static void measure_open(char *program, char *path, bool cold)
{
    static char cat_name[] = "cat";
    static char shell_name[] = "sqlite3";
    static char info_word[] = "info";
    char *cat[] = {cat_name, path, NULL};
    char *shell[] = {shell_name, path, NULL, NULL};
    char *info[] = {program, info_word, path, NULL};
    int times = cold ? 1 : 3;
    struct cost bytes;
    struct cost scan;
    struct cost open;

    shell[2] = nsc_xmalloc(sizeof scan_sql);
    memcpy(shell[2], scan_sql, sizeof scan_sql);
    cold ? drop_caches() : (void)run(cat);
    bytes = best_of(cat, times);
    cold ? drop_caches() : (void)0;
    scan = best_of(shell, times);
    cold ? drop_caches() : (void)0;
    open = best_of(info, times);
    free(shell[2]);
    print_figure(cold ? "cat, cold" : "cat, warm", "s", 0, bytes.wall);
    print_figure(cold ? "sqlite3 scan, cold" : "sqlite3 scan, warm", "s", 0, scan.wall);
    print_figure(cold ? "open, cold, of the scan" : "open, warm, of the scan", "s",
                 0.35 * scan.wall, open.wall);
    print_figure(cold ? "open, cold, of cat" : "open, warm, of cat", "s", 2 * bytes.wall + 1.5,
                 open.wall);
    print_figure("open, CPU", "s", 0, open.cpu);
}

static void measure(char *program, const char *folder, char *kernels, bool cold)
{
    char path[4096];
    struct stat st;

    snprintf(path, sizeof path, "%s/bench-%s.sqlite", folder, kernels);
    if (stat(path, &st) != 0) {
        static char generate_word[] = "generate";
        static char kernels_word[] = "--kernels";
        char *generate[] = {program, generate_word, kernels_word, kernels, path, NULL};

        (void)run(generate);
        if (stat(path, &st) != 0)
            fail(path);
    }
    printf("\n%s kernels, %.0f MB\n\n", kernels, (double)st.st_size / 1e6);
    printf("| %-34s | %12s | %12s | %5s |\n|---|--:|--:|--:|\n", "figure", "goal", "measured",
           "ratio");
    measure_open(program, path, false);
    if (cold)
        measure_open(program, path, true);
    measure_inside(path);
}

int main(int argc, char **argv)
{
    static char million[] = "1000000";
    static char ten_million[] = "10000000";
    bool cold = argc > 1 && strcmp(argv[1], "--cold") == 0;

    argc -= cold;
    argv += cold;
    if (argc < 3) {
        fputs("bench [--cold] NSYSCOPE FOLDER [KERNELS...]\n", stderr);
        return 2;
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (!setlocale(LC_CTYPE, "C.UTF-8"))
        fputs("bench: no locale C.UTF-8: the bytes a frame are those of plain ASCII\n", stderr);
    if (argc == 3) {
        measure(argv[1], argv[2], million, cold);
        measure(argv[1], argv[2], ten_million, cold);
    }
    for (int i = 3; i < argc; i++)
        measure(argv[1], argv[2], argv[i], cold);
    return 0;
}
