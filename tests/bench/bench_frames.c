/*
 * The benchmark of frames: bench_frames FILE... measures, for each export, the cost of drawing on a
 * tour through it, and the bytes sent to the terminal; bench_frames -t ROWSxCOLS ROUNDS FILE tours
 * only, for a profiler.
 */
#include "nsyscope/open.h"

#include "core/vec.h"
#include "tui/blit.h"
#include "tui/economy.h"
#include "view/app/app.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PANS = 41, BEST_OF = 3 };

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* ---- series of figures ---- */

struct series {
    NSC_VEC(double) values;
};

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;

    return x < y ? -1 : x > y;
}

static double at(struct series *series, double share)
{
    size_t i = (size_t)((double)(series->values.n - 1) * share);

    if (!series->values.n)
        return 0;
    qsort(series->values.at, series->values.n, sizeof *series->values.at, by_value);
    return series->values.at[i];
}

/* ---- a session without a terminal ---- */

struct viewer {
    struct nsc_app *app;
    struct nsc_grid grid;
    struct nsc_theme theme;
    struct nsc_blit *blit; /* NULL: only draw */
    bool economy;
    struct nsc_buf bytes;
};

static void viewer_init(struct viewer *viewer, const struct nsc_trace *trace, uint32_t rows,
                        uint32_t cols)
{
    struct nsc_app_options options = {.file = "bench.sqlite"};
    struct nsc_input size = {.type = NSC_INPUT_RESIZE, .rows = rows, .cols = cols};
    struct nsc_input loaded = {.type = NSC_INPUT_LOADED, .trace = trace};

    memset(viewer, 0, sizeof *viewer);
    viewer->bytes = (struct nsc_buf)NSC_BUF_INIT(64u << 20);
    nsc_theme_parse(&viewer->theme, nsc_text_from(nsc_theme_default), NULL, NULL);
    nsc_grid_init(&viewer->grid, false);
    viewer->app = nsc_app_new(&options);
    nsc_app_input(viewer->app, &size);
    nsc_app_input(viewer->app, &loaded);
    nsc_app_draw(viewer->app, &viewer->grid);
}

static void viewer_fini(struct viewer *viewer)
{
    nsc_blit_free(viewer->blit);
    nsc_app_free(viewer->app);
    nsc_grid_fini(&viewer->grid);
    nsc_buf_fini(&viewer->bytes);
}

/* Seconds of one key and its frame; bytes are in viewer->bytes. */
static double press_one(struct viewer *viewer, struct nsc_text word)
{
    struct nsc_input input = {.type = NSC_INPUT_KEY};
    double start = 0;
    double took = 0;

    if (!nsc_key_parse(&input.key, word))
        abort();
    start = now();
    nsc_app_input(viewer->app, &input);
    nsc_app_draw(viewer->app, &viewer->grid);
    took = now() - start;
    if (viewer->economy)
        nsc_economy_apply(&viewer->grid);
    nsc_buf_clear(&viewer->bytes);
    if (viewer->blit && nsc_blit_draw(&viewer->bytes, viewer->blit, &viewer->grid, NULL))
        abort();
    return took;
}

/* Keys separated by blanks; times, unless NULL, gets a value for each. */
static void press(struct viewer *viewer, const char *keys, struct series *times)
{
    while (*keys) {
        const char *end = strchr(keys, ' ');
        struct nsc_text word = {keys, end ? (uint32_t)(end - keys) : (uint32_t)strlen(keys)};
        double took = press_one(viewer, word);

        if (times)
            *NSC_VEC_ADD(&times->values) = took;
        keys += word.n + (end ? 1 : 0);
    }
}

/* ---- the tour: pan and zoom from the whole trace to single kernels, down the rows and back ---- */

static void drive(struct viewer *viewer, struct series *times)
{
    static const char *const legs[] = {"Right Right Left Right", "Shift+Right Shift+Left",
                                       "Down Down Tab Tab", "Right Right Right",
                                       "Up Shift+Tab Right Left"};

    press(viewer, "0 Right Left", times);
    for (int depth = 0; depth < 24; depth++) {
        press(viewer, "+", times);
        press(viewer, legs[depth % 5], times);
    }
    press(viewer, "f Right Right Tab Tab Tab Right", times);
    for (int depth = 0; depth < 24; depth++) {
        press(viewer, "-", times);
        press(viewer, legs[(depth + 2) % 5], times);
    }
    press(viewer, "0 End Home 0", times);
}

/* The best of some rounds for each frame, to exclude other load on the machine. */
static void measure_tour(const struct nsc_trace *trace, uint32_t rows, uint32_t cols)
{
    struct series best = {0};
    size_t worst = 0;

    for (int round = 0; round < BEST_OF; round++) {
        struct series times = {0};
        struct viewer viewer;

        viewer_init(&viewer, trace, rows, cols);
        drive(&viewer, &times);
        viewer_fini(&viewer);
        for (size_t i = 0; i < times.values.n; i++) {
            if (i >= best.values.n)
                *NSC_VEC_ADD(&best.values) = times.values.at[i];
            else if (times.values.at[i] < best.values.at[i])
                best.values.at[i] = times.values.at[i];
        }
        NSC_VEC_FINI(&times.values);
    }
    for (size_t i = 0; i < best.values.n; i++)
        if (best.values.at[i] > best.values.at[worst])
            worst = i;
    printf("  frame %3ux%-3u  median %6.0f us  p99 %6.0f us  most %6.0f us (%zu of %zu)\n", cols,
           rows, at(&best, 0.5) * 1e6, at(&best, 0.99) * 1e6, at(&best, 1) * 1e6, worst,
           best.values.n);
    NSC_VEC_FINI(&best.values);
}

/* ---- bytes ---- */

static const struct {
    const char *name;
    const char *before; /* keys to get there */
    const char *keys[2];
} walks[] = {
    {"pan, whole trace / 4", "0 + + Right", {"Alt-Right", "Alt-Right"}},
    {"pan, 2^-6 of the trace", "0 + + + + + + Right", {"Alt-Right", "Alt-Right"}},
    {"pan, 2^-10 of the trace", "0 + + + + + + + + + + Right", {"Alt-Right", "Alt-Right"}},
    {"pan, zoomed in", "0 + + + + + + + + + + Tab Tab f - -", {"Alt-Right", "Alt-Right"}},
    {"pan a quarter, 2^-6", "0 + + + + + + Right", {"Shift+Right", "Shift+Right"}},
    {"cursor, from the Summary", "0 + + + + + +", {"Right", "Right"}},
    {"next event, zoomed in", "0 + + + + + + + + + + Tab Tab f - -", {"Tab", "Tab"}},
    {"row up and down", "0 + + + + + + Right", {"Down", "Up"}},
    {"zoom, 2^-6, Summary", "0 + + + + + +", {"+", "-"}},
    {"zoom, 2^-6, Details", "0 + + + + + + Right", {"+", "-"}},
    {"zoom, 2^-10, Details", "0 + + + + + + + + + + Right", {"+", "-"}},
};

static void measure_walk(const struct nsc_trace *trace, const char *type, size_t walk, bool economy)
{
    struct series sent = {0};
    struct viewer viewer;
    struct nsc_blit_options screen = {type, &viewer.theme, NSC_COLOR_256, true};

    viewer_init(&viewer, trace, 50, 200);
    viewer.economy = economy;
    press(&viewer, walks[walk].before, NULL);
    if (nsc_blit_new(&viewer.blit, &screen, NULL)) {
        printf("  %s: no such terminal\n", type);
        viewer_fini(&viewer);
        return;
    }
    if (nsc_blit_draw(&viewer.bytes, viewer.blit, &viewer.grid, NULL))
        abort();
    for (int i = 0; i < PANS; i++) {
        press(&viewer, walks[walk].keys[i % 2], NULL);
        *NSC_VEC_ADD(&sent.values) = (double)viewer.bytes.n;
    }
    printf("  %-24s %-16s median %6.0f B   most %6.0f B%s\n", walks[walk].name, type,
           at(&sent, 0.5), at(&sent, 1), economy ? "   low bandwidth" : "");
    NSC_VEC_FINI(&sent.values);
    viewer_fini(&viewer);
}

static void measure_bytes(const struct nsc_trace *trace)
{
    static const char *const types[] = {"xterm-256color", "tmux-256color", "screen-256color"};

    for (size_t walk = 0; walk < sizeof walks / sizeof *walks; walk++)
        for (size_t type = 0; type < sizeof types / sizeof *types; type++)
            measure_walk(trace, types[type], walk, false);
    for (size_t walk = 0; walk < sizeof walks / sizeof *walks; walk++)
        measure_walk(trace, types[0], walk, true);
}

/* ---- one export ---- */

static struct nsc_trace *load(const char *path, struct nsc_capture **capture)
{
    struct nsc_open_options options = NSC_OPEN_OPTIONS_INIT;
    struct nsc_trace *trace = NULL;
    struct nsc_error error = {0};

    if (nsc_capture_open(capture, path, &options, &error) ||
        nsc_capture_load(&trace, *capture, NULL, &error)) {
        fprintf(stderr, "%s\n", error.text);
        exit(1);
    }
    return trace;
}

static void measure(const char *path)
{
    struct nsc_capture *capture = NULL;
    struct nsc_trace *trace = load(path, &capture);

    printf("%s, %u events\n", path, nsc_trace_events(trace)->n);
    measure_tour(trace, 50, 200);
    measure_tour(trace, 200, 500);
    measure_bytes(trace);
    nsc_trace_free(trace);
    nsc_capture_close(capture);
}

static void tour_only(const char *size, const char *rounds, const char *path)
{
    struct nsc_capture *capture = NULL;
    struct nsc_trace *trace = load(path, &capture);
    struct viewer viewer;
    char *cols = NULL;
    uint32_t rows = (uint32_t)strtoul(size, &cols, 10);

    viewer_init(&viewer, trace, rows, (uint32_t)strtoul(cols + 1, NULL, 10));
    for (long i = strtol(rounds, NULL, 10); i > 0; i--)
        drive(&viewer, NULL);
    viewer_fini(&viewer);
    nsc_trace_free(trace);
    nsc_capture_close(capture);
}

int main(int argc, char **argv)
{
    setlocale(LC_ALL, "C.UTF-8");
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (argc == 5 && !strcmp(argv[1], "-t") && strchr(argv[2], 'x')) {
        tour_only(argv[2], argv[3], argv[4]);
        return 0;
    }
    if (argc < 2) {
        fputs("bench_frames FILE... | bench_frames -t ROWSxCOLS ROUNDS FILE\n", stderr);
        return 2;
    }
    for (int i = 1; i < argc; i++)
        measure(argv[i]);
    return 0;
}
