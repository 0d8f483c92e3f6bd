/*
 * The benchmark: bench [--cold] [--tile EXPORT TIMES] NSYSCOPE FOLDER [EXPORT | [SHAPE:]KERNELS...]
 * makes synthetic exports in FOLDER (every shape with 1 M kernels unless told; "+" after a shape
 * shuffles its rows), and a real one that follows itself so many times, and prints one table of what
 * opening, answers, drawing and the panes cost, side by side with the sqlite3 shell's scan of the
 * same columns. --cold: also from the disk, as root.
 */
#include "nsyscope/open.h"
#include "nsyscope/summary.h"

#include "analysis/select/filter.h"
#include "analysis/select/listing.h"
#include "bench_costs.h"
#include "core/die.h"
#include "core/pages.h"
#include "core/threads.h"
#include "core/vec.h"
#include "index/builds.h"
#include "support/count_malloc.h"
#include "support/figures.h"
#include "support/programs.h"
#include "support/shape.h"
#include "tui/blit.h"
#include "tui/economy.h"
#include "view/app/prompt.h"
#include "view/app/state.h"
#include "view/model/tree.h"

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

/* ---- a session without a terminal ---- */

enum { ROUNDS = BENCH_ROUNDS, PANS = 41 };

struct session {
    struct nsc_app *app;
    struct nsc_pool *pool;
    struct nsc_grid grid;
    struct nsc_theme theme;
    struct nsc_blit *blit;
    bool economy;
    struct nsc_buf bytes;
    unsigned long most_allocations; /* in drawing one frame */
    struct series took;             /* s of CPU a key and its frame; NSC_VEC_CLEAR for a new tour */
};

static void session_init(struct session *session, const struct nsc_trace *trace, uint32_t rows,
                         uint32_t cols)
{
    struct nsc_app_options options = {.file = "bench.sqlite"};
    struct nsc_input size = {.type = NSC_INPUT_RESIZE, .rows = rows, .cols = cols};
    struct nsc_input loaded = {.type = NSC_INPUT_LOADED, .trace = trace};

    memset(session, 0, sizeof *session);
    session->bytes = (struct nsc_buf)NSC_BUF_INIT(64u << 20);
    nsc_theme_parse(&session->theme, nsc_text_from(nsc_theme_default), NULL, NULL);
    nsc_grid_init(&session->grid, false);
    session->pool = options.pool = nsc_pool_new(0);
    session->app = nsc_app_new(&options);
    nsc_app_input(session->app, &size);
    nsc_app_input(session->app, &loaded);
    nsc_app_draw(session->app, &session->grid);
}

static void session_fini(struct session *session)
{
    nsc_blit_free(session->blit);
    nsc_app_free(session->app);
    nsc_pool_free(session->pool);
    nsc_grid_fini(&session->grid);
    nsc_buf_fini(&session->bytes);
    NSC_VEC_FINI(&session->took.values);
}

static void draw(struct session *session)
{
    unsigned long made = nsc_test_allocations();

    nsc_app_draw(session->app, &session->grid);
    made = nsc_test_allocations() - made;
    if (made > session->most_allocations)
        session->most_allocations = made;
}

/* What the terminal gets for the grid. */
static void send(struct session *session)
{
    if (session->economy)
        nsc_economy_apply(&session->grid);
    nsc_buf_clear(&session->bytes);
    if (session->blit && nsc_blit_draw(&session->bytes, session->blit, &session->grid, NULL))
        abort();
}

static void press_one(struct session *session, struct nsc_text word)
{
    struct nsc_input input = {.type = NSC_INPUT_KEY};
    double start = 0;

    if (!nsc_key_parse(&input.key, word))
        abort();
    start = programs_now(CLOCK_THREAD_CPUTIME_ID);
    nsc_app_input(session->app, &input);
    draw(session);
    *NSC_VEC_ADD(&session->took.values) = programs_now(CLOCK_THREAD_CPUTIME_ID) - start;
    send(session);
}

/* Keys separated by blanks. */
static void press(struct session *session, const char *keys)
{
    while (*keys) {
        const char *end = strchr(keys, ' ');
        struct nsc_text word = {keys, end ? (uint32_t)(end - keys) : (uint32_t)strlen(keys)};

        press_one(session, word);
        keys += word.n + (end ? 1 : 0);
    }
}

/* ---- the tour: pan and zoom from the whole trace to single kernels, down the rows and back ---- */

static void drive(struct session *session)
{
    static const char *const legs[] = {"Right Right Left Right", "Shift+Right Shift+Left",
                                       "Down Down Tab Tab", "Right Right Right",
                                       "Up Shift+Tab Right Left"};

    press(session, "0 Right Left");
    for (int depth = 0; depth < 24; depth++) {
        press(session, "+");
        press(session, legs[depth % 5]);
    }
    press(session, "f Right Right Tab Tab Tab Right");
    for (int depth = 0; depth < 24; depth++) {
        press(session, "-");
        press(session, legs[(depth + 2) % 5]);
    }
    press(session, "0 End Home 0");
}

/* The best of some rounds for each frame, to exclude other load on the machine. */
static void measure_frames(struct figures *figures, const struct nsc_trace *trace,
                           const uint32_t size[2], double goal_ms)
{
    char name[64];
    struct series best = {0};
    unsigned long most = 0;

    for (int round = 0; round < ROUNDS; round++) {
        struct session session;

        session_init(&session, trace, size[0], size[1]);
        drive(&session);
        for (size_t i = 0; i < session.took.values.n; i++)
            if (i >= best.values.n)
                *NSC_VEC_ADD(&best.values) = session.took.values.at[i];
            else if (session.took.values.at[i] < best.values.at[i])
                best.values.at[i] = session.took.values.at[i];
        most = session.most_allocations > most ? session.most_allocations : most;
        session_fini(&session);
    }
    snprintf(name, sizeof name, "frame %ux%u, median, ms CPU", size[1], size[0]);
    figures_put(figures, name, 0, at(&best, 0.5) * 1e3);
    snprintf(name, sizeof name, "frame %ux%u, p99 of %zu, ms CPU", size[1], size[0], best.values.n);
    figures_put(figures, name, goal_ms, at(&best, 0.99) * 1e3);
    snprintf(name, sizeof name, "frame %ux%u, most, ms CPU", size[1], size[0]);
    figures_put(figures, name, 0, at(&best, 1) * 1e3);
    snprintf(name, sizeof name, "allocations in a frame %ux%u, most", size[1], size[0]);
    figures_put(figures, name, 0, (double)most);
    NSC_VEC_FINI(&best.values);
}

/* ---- bytes ---- */

static const struct walk {
    const char *name;
    const char *before; /* keys to get there */
    const char *keys[2];
    double goal;
    bool economy;
} walks[] = {
    {"bytes, pan, a quarter of the trace", "0 + + Right", {"Alt-Right", "Alt-Right"}, 2000, false},
    {"bytes, pan, 2^-6 of the trace",
     "0 + + + + + + Right",
     {"Alt-Right", "Alt-Right"},
     2000,
     false},
    {"bytes, pan, 2^-10 of the trace",
     "0 + + + + + + + + + + Right",
     {"Alt-Right", "Alt-Right"},
     2000,
     false},
    {"bytes, pan, zoomed in",
     "0 + + + + + + + + + + Tab Tab f - -",
     {"Alt-Right", "Alt-Right"},
     1500,
     false},
    {"bytes, pan, 2^-6, low bandwidth",
     "0 + + + + + + Right",
     {"Alt-Right", "Alt-Right"},
     2000,
     true},
    {"bytes, zoom, 2^-6 of the trace", "0 + + + + + +", {"+", "-"}, 8000, false},
    {"bytes, zoom, 2^-6, low bandwidth", "0 + + + + + +", {"+", "-"}, 4000, true},
    {"bytes, row up and down", "0 + + + + + +", {"Down", "Up"}, 0, false},
    {"bytes, nothing changes", "0 + + + + + +", {"", ""}, 0, false},
};

static void measure_walk(struct figures *figures, const struct nsc_trace *trace,
                         const struct walk *walk)
{
    struct series sent = {0};
    struct session session;
    struct nsc_blit_options screen = {"xterm-256color", &session.theme, NSC_COLOR_256, true};

    session_init(&session, trace, 50, 200);
    session.economy = walk->economy;
    press(&session, walk->before);
    if (nsc_blit_new(&session.blit, &screen, NULL) == NSC_OK) {
        if (nsc_blit_draw(&session.bytes, session.blit, &session.grid, NULL))
            abort();
        for (int i = 0; i < PANS; i++) {
            draw(&session);
            send(&session);
            press(&session, walk->keys[i % 2]);
            *NSC_VEC_ADD(&sent.values) = (double)session.bytes.n;
        }
        figures_put(figures, walk->name, walk->goal, at(&sent, 0.5));
    }
    NSC_VEC_FINI(&sent.values);
    session_fini(&session);
}

/* ---- the panes ---- */

static void measure_filter(struct figures *figures, const struct nsc_trace *trace)
{
    struct nsc_pool *pool = nsc_pool_new(0);
    struct nsc_filter *filter = NULL;
    double start = 0;

    if (nsc_filter_parse(&filter, nsc_text_from("name:gemm"), NULL) != NSC_OK)
        abort();
    for (int round = 0; round < ROUNDS; round++) {
        struct nsc_summary *summary = NULL;
        uint64_t *mask = NULL;

        start = programs_now(CLOCK_MONOTONIC);
        mask = nsc_filter_apply(filter, trace, pool, NULL);
        summary = nsc_summary_build_on(pool, trace, mask);
        figures_least(figures, "mask by name, with sums, ms", 50,
                      (programs_now(CLOCK_MONOTONIC) - start) * 1e3);
        nsc_summary_free(summary);
        free(mask);
    }
    nsc_filter_free(filter);
    nsc_pool_free(pool);
}

/* From the key that completes a filter, or finds a name, to the next complete frame. */
static void measure_typing(struct figures *figures, const struct nsc_trace *trace, const char *name,
                           const char *keys)
{
    struct nsc_input enter = {.type = NSC_INPUT_KEY, .key = NSC_KEY_ENTER};

    for (int round = 0; round < ROUNDS; round++) {
        struct session session;
        double start = 0;

        session_init(&session, trace, 50, 200);
        press(&session, keys);
        start = programs_now(CLOCK_MONOTONIC);
        (void)nsc_app_input(session.app, &enter);
        draw(&session);
        figures_least(figures, name, 50, (programs_now(CLOCK_MONOTONIC) - start) * 1e3);
        session_fini(&session);
    }
}

/* From the key that asks in the pane for the GPUs' events by NVTX range until they are counted. */
static void measure_statistics(struct figures *figures, const struct nsc_trace *trace)
{
    struct nsc_input tick = {.type = NSC_INPUT_TICK};
    struct session session;
    double start = 0;

    session_init(&session, trace, 50, 200);
    press(&session, "s a o");
    start = programs_now(CLOCK_THREAD_CPUTIME_ID);
    press(&session, "o");
    while (nsc_app_input(session.app, &tick).set & NSC_EFFECT_WORK)
        draw(&session);
    figures_put(figures, "statistics by range, s CPU", 1.5,
                programs_now(CLOCK_THREAD_CPUTIME_ID) - start);
    session_fini(&session);
}

/* All streams, by duration. */
static void measure_sort(struct figures *figures, const struct nsc_trace *trace)
{
    uint32_t n = 0;
    uint32_t n_streams = 0;
    const struct nsc_lane *lanes = nsc_trace_lanes(trace, &n);
    const struct nsc_track *tracks = nsc_trace_tracks(trace, NULL);
    uint32_t *streams = nsc_xmalloc(((size_t)n + 1) * sizeof *streams);
    struct nsc_window w = {INT64_MIN, INT64_MAX};
    struct nsc_pool *pool = nsc_pool_new(0);

    for (uint32_t i = 0; i < n; i++)
        if (tracks[lanes[i].track].kind == NSC_TRACK_STREAM)
            streams[n_streams++] = i;
    for (int round = 0; round < ROUNDS; round++) {
        struct nsc_listing listing;
        double start = 0;

        nsc_listing_init(&listing, trace, nsc_trace_summary(trace), w, streams, n_streams);
        start = programs_now(CLOCK_MONOTONIC);
        if (nsc_listing_sort(&listing, pool, NSC_LISTING_DURATION, true))
            figures_least(figures, "sort of all GPU work, ms", 100,
                          (programs_now(CLOCK_MONOTONIC) - start) * 1e3);
        nsc_listing_fini(&listing);
    }
    nsc_pool_free(pool);
    free(streams);
}

static void measure_tree(struct figures *figures, const struct nsc_trace *trace)
{
    double start = programs_now(CLOCK_PROCESS_CPUTIME_ID);
    struct nsc_tree *tree = nsc_tree_new(trace, NULL);

    if (!tree)
        programs_fail("the tree");
    figures_put(figures, "tree opened, s CPU", 0, programs_now(CLOCK_PROCESS_CPUTIME_ID) - start);
    start = programs_now(CLOCK_PROCESS_CPUTIME_ID);
    (void)nsc_tree_merge(tree);
    figures_put(figures, "merged tree, s CPU", 1, programs_now(CLOCK_PROCESS_CPUTIME_ID) - start);
    nsc_tree_free(tree);
}

/* ---- one export ---- */

/* In a process of its own: its memory is the trace's. */
static void measure_inside(struct figures *figures, char *program, char *path, double opening)
{
    struct nsc_open_options options = NSC_OPEN_OPTIONS_INIT;
    struct nsc_capture *capture = NULL;
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
            programs_fail(path);
        return;
    }
    if (nsc_capture_open(&capture, path, &options, &error) != NSC_OK ||
        nsc_capture_load(&trace, capture, NULL, &error) != NSC_OK) {
        (void)fprintf(stderr, "%s\n", error.text);
        _exit(1);
    }
    n = nsc_trace_events(trace)->n;
    stat(path, &st);
    figures_put(figures, "events, M", 0, n / 1e6);
    figures_put(figures, "trace, bytes an event", 0, (double)nsc_trace_bytes(trace) / n);
    figures_put(figures, "peak, bytes an event", 32, (double)nsc_memory_peak() / n);
    figures_put(figures, "peak, share of the file", 0.5,
                (double)nsc_memory_peak() / (double)st.st_size);
    bench_measure_answers(figures, program, path, (double[]){opening, n});
    measure_frames(figures, trace, (const uint32_t[]){50, 200}, 2);
    measure_frames(figures, trace, (const uint32_t[]){200, 500}, 10);
    for (size_t i = 0; i < sizeof walks / sizeof *walks; i++)
        measure_walk(figures, trace, &walks[i]);
    measure_filter(figures, trace);
    measure_typing(figures, trace, "filter typed, next frame, ms", "/ g e m m");
    measure_typing(figures, trace, "search typed, next frame, ms", "\\ g e m m");
    measure_statistics(figures, trace);
    measure_sort(figures, trace);
    measure_tree(figures, trace);
    fflush(stdout);
    _exit(0);
}

static void measure(struct figures *figures, char *program, char *path, bool cold)
{
    struct stat st;
    double opening = 0;

    if (stat(path, &st) != 0)
        programs_fail(path);
    figures_put(figures, "file, MB", 0, (double)st.st_size / 1e6);
    opening = bench_measure_open(figures, program, path, false);
    if (cold)
        (void)bench_measure_open(figures, program, path, true);
    measure_inside(figures, program, path, opening);
}

struct plan {
    char *program;
    const char *folder;
    bool cold;
    char *tile, *times; /* NULL: no real export */
};

static bool is_missing(const char *path)
{
    struct stat st;

    return stat(path, &st) != 0;
}

/* Makes the export of "KERNELS", "SHAPE:KERNELS" or "SHAPE+:KERNELS". */
static void make(const struct plan *plan, char *path, const char *what)
{
    char generate_word[] = "generate", kernels_word[] = "--kernels", name[64];
    char *colon = NULL;

    snprintf(name, sizeof name, "%s", what);
    colon = strchr(name, ':');
    if (!colon) {
        (void)programs_run(
            (char *[]){plan->program, generate_word, path, kernels_word, name, NULL});
        return;
    }
    *colon = '\0';
    name[strcspn(name, "+")] = '\0';
    if (!shape_export(path, name, strtoull(colon + 1, NULL, 10), strchr(what, '+') != NULL))
        programs_fail(path);
}

/* An export by its path, or one that is made. */
static void measure_export(struct figures *figures, const struct plan *plan, const char *what)
{
    char path[4096];

    figures_begin(figures, strrchr(what, '/') ? strrchr(what, '/') + 1 : what);
    snprintf(path, sizeof path, "%s", what);
    if (strspn(what, "0123456789") == strlen(what) || strchr(what, ':')) {
        snprintf(path, sizeof path, "%s/bench-%s.sqlite", plan->folder, what);
        if (is_missing(path))
            make(plan, path, what);
    }
    measure(figures, plan->program, path, plan->cold);
}

static void measure_tile(struct figures *figures, const struct plan *plan)
{
    char path[4096];

    snprintf(path, sizeof path, "%s/bench-tile-%s.sqlite", plan->folder, plan->times);
    if (is_missing(path) && !tile_export(path, plan->tile, strtoull(plan->times, NULL, 10), false))
        programs_fail(path);
    figures_begin(figures, "tiled");
    measure(figures, plan->program, path, plan->cold);
}

static int usage(void)
{
    fputs("bench [--cold] [--tile EXPORT TIMES] NSYSCOPE FOLDER [EXPORT | [SHAPE[+]:]KERNELS...]\n",
          stderr);
    return 2;
}

int main(int argc, char **argv)
{
    static const char *const shapes[] = {
        "1000000",          "pytorch:1000000",       "pytorch-ends:1000000",
        "pytorch+:1000000", "pytorch-texts:1000000", "hpc:1000000",
        "graphs:1000000"};
    struct figures *figures = figures_new();
    struct plan plan = {0};
    int i = 1;

    if (i < argc && strcmp(argv[i], "--cold") == 0)
        plan.cold = ++i;
    if (i + 2 < argc && strcmp(argv[i], "--tile") == 0) {
        plan.tile = argv[i + 1];
        plan.times = argv[i + 2];
        i += 3;
    }
    if (argc - i < 2 || argc - i > 2 + FIGURES_COLUMNS - 1)
        return usage();
    plan.program = argv[i];
    plan.folder = argv[i + 1];
    if (!setlocale(LC_CTYPE, "C.UTF-8"))
        fputs("bench: no locale C.UTF-8: the bytes a frame are those of plain ASCII\n", stderr);
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes && argc - i == 2; k++)
        measure_export(figures, &plan, shapes[k]);
    for (i += 2; i < argc; i++)
        measure_export(figures, &plan, argv[i]);
    if (plan.tile)
        measure_tile(figures, &plan);
    figures_print(figures);
    figures_free(figures);
    return 0;
}
