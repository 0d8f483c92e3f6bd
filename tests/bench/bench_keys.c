/*
 * What keys cost in a large export: the press with its frame, the longest slice of what is done
 * between keys after it, what a thread of its own does, and all until the screen is complete.
 *
 *     bench_keys FILE [WALK|actions]
 *
 * WALK is a part of the names of the walks to take. "actions" does every action that has a key once,
 * where its keys work, and prints the slowest five.
 */
#include "nsyscope/open.h"

#include "core/threads.h"
#include "view/app/app.h"
#include "view/kit/action.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BEST_OF = 3, KEYS_MAX = 32 };

/* ms of the CPU time of the screen's thread: the pool's threads work while it does. */
struct cost {
    double press, slice, apart, all;
};

struct viewer {
    struct nsc_app *app;
    struct nsc_grid grid;
};

static double now_ms(void)
{
    struct timespec t;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

/* ---- a session without a terminal ---- */

static struct nsc_effects give(struct viewer *viewer, const struct nsc_input *input, double *took)
{
    double start = now_ms();
    struct nsc_effects effects = nsc_app_input(viewer->app, input);

    nsc_app_draw(viewer->app, &viewer->grid);
    *took = now_ms() - start;
    return effects;
}

/* Acts like the session; the export's rows are empty here. */
static struct nsc_effects answer(struct viewer *viewer, struct nsc_effects effects,
                                 struct cost *cost)
{
    struct nsc_details none = {0};
    struct nsc_input input = {.type = NSC_INPUT_TICK, .event = effects.event, .details = &none};
    unsigned builds = effects.set & NSC_EFFECT_BUILD ? effects.builds : 0;
    double took = 0;

    if (builds) {
        double start = now_ms();

        input.slot = (enum nsc_build_slot)__builtin_ctz(builds);
        builds &= builds - 1;
        nsc_app_build_run(viewer->app, input.slot);
        cost->apart += now_ms() - start;
        input.type = NSC_INPUT_BUILT;
    } else if (effects.set & NSC_EFFECT_DETAILS) {
        input.type = NSC_INPUT_DETAILS;
    }
    effects = give(viewer, &input, &took);
    cost->slice = larger(cost->slice, took);
    effects.set |= builds ? (unsigned)NSC_EFFECT_BUILD : 0u;
    effects.builds |= builds;
    return effects;
}

static bool waits(struct nsc_effects effects)
{
    return effects.set & (NSC_EFFECT_WORK | NSC_EFFECT_BUILD | NSC_EFFECT_DETAILS);
}

static struct cost press(struct viewer *viewer, nsc_key key)
{
    struct nsc_input input = {.type = NSC_INPUT_KEY, .key = key};
    struct cost cost = {0};
    double start = now_ms();
    struct nsc_effects effects = give(viewer, &input, &cost.press);

    while (waits(effects))
        effects = answer(viewer, effects, &cost);
    cost.all = now_ms() - start;
    return cost;
}

/* Presses keys separated by blanks; costs, unless NULL, gets one entry each. Returns their
 * number. */
static int press_all(struct viewer *viewer, const char *keys, struct cost *costs)
{
    int n = 0;

    while (*keys) {
        const char *end = strchr(keys, ' ');
        struct nsc_text word = {keys, end ? (uint32_t)(end - keys) : (uint32_t)strlen(keys)};
        struct cost cost;
        nsc_key key = 0;

        if (n == KEYS_MAX || !nsc_key_parse(&key, word))
            abort();
        cost = press(viewer, key);
        if (costs)
            costs[n] = cost;
        n++;
        keys += word.n + (end ? 1 : 0);
    }
    return n;
}

/* settles: does the work that follows a load, such as ranges on the rows of the devices, to which
 * filters apply too. */
static void viewer_init(struct viewer *viewer, const struct nsc_trace *trace, struct nsc_pool *pool,
                        bool settles)
{
    struct nsc_app_options options = {.file = "bench.sqlite", .pool = pool, .builds_apart = true};
    struct nsc_input size = {.type = NSC_INPUT_RESIZE, .rows = 50, .cols = 200};
    struct nsc_input loaded = {.type = NSC_INPUT_LOADED, .trace = trace};
    struct nsc_effects effects;
    struct cost ignored = {0};

    nsc_grid_init(&viewer->grid, false);
    viewer->app = nsc_app_new(&options);
    nsc_app_input(viewer->app, &size);
    effects = nsc_app_input(viewer->app, &loaded);
    nsc_app_draw(viewer->app, &viewer->grid);
    while (settles && waits(effects))
        effects = answer(viewer, effects, &ignored);
}

static void viewer_fini(struct viewer *viewer)
{
    nsc_app_free(viewer->app);
    nsc_grid_fini(&viewer->grid);
}

/* ---- walks ---- */

static const struct {
    const char *what;
    const char *before; /* keys to get there */
    const char *keys;   /* that are measured */
} walks[] = {
    {"an event", "Down Down", "Tab Tab Home End Enter < > g G l f * n"},
    {"statistics", "", "s o o o a o o o Esc"},
    {"events", "Down Down Down", "V o o o End Up PgUp Home Enter"},
    {"events of all rows", "", "V o o o End Up PgUp Home Enter"},
    {"like events", "Down Down Tab F7", "Right Right Right Enter o o o Esc"},
    {"overlap", "", "O + + - - O"},
    {"projection", "", "P Down Down + P P"},
    {"tree", "", "t PgDn End Home 0 End b PgUp"},
    {"tree, merged", "t", "g o o o o o E End a o o o o o a g"},
    {"tree, filtered", "t", "+ + - - n v v"},
    {"tree here", "Down Down Tab", "w w"},
    {"filter by name", "", "/ g e m m Enter Esc n"},
    {"filter by range", "", "/ n v t x : a t e n Enter O s n"},
    {"filter by range, a rare one", "", "/ n v t x : s t e p Space 1 Enter n"},
    {"filter by duration", "", "m 1 0 0 u s Enter n"},
    {"filter by time", "", "/ t i m e : 1 s . . 2 s Enter n"},
    {"search", "", "\\ g e m m Enter n N n Esc"},
    {"iterations", "", "} } {"},
    {"rows", "", "( ) p p K J R H"},
    {"axis", "", "a a T L L d d C Esc"},
    {"panes", "", "Ctrl-N Ctrl-N Ctrl-N Ctrl-N Ctrl-N Ctrl-N Ctrl-N Ctrl-N Ctrl-N"},
    {"range", "Down Down Tab", "r s V [ ] Esc"},
};

static void print_walk(const char *what, const char *keys, const struct cost *costs)
{
    printf("%s\n", what);
    for (int i = 0; *keys; i++) {
        const char *end = strchr(keys, ' ');
        int n = end ? (int)(end - keys) : (int)strlen(keys);

        printf("  %-10.*s press %8.2f   slice %8.2f   apart %8.1f   all %8.1f%s\n", n, keys,
               costs[i].press, costs[i].slice, costs[i].apart, costs[i].all,
               costs[i].press > 50 || costs[i].slice > 50 ? "   *" : "");
        keys += n + (end ? 1 : 0);
    }
}

/* The best of some rounds of each figure. */
static void measure_walk(const struct nsc_trace *trace, struct nsc_pool *pool, size_t walk)
{
    struct cost best[KEYS_MAX];

    for (int round = 0; round < BEST_OF; round++) {
        struct cost costs[KEYS_MAX];
        struct viewer viewer;
        int n = 0;

        viewer_init(&viewer, trace, pool, true);
        if (*walks[walk].before)
            (void)press_all(&viewer, walks[walk].before, NULL);
        n = press_all(&viewer, walks[walk].keys, costs);
        viewer_fini(&viewer);
        for (int i = 0; i < n; i++) {
            best[i].press = -larger(round ? -best[i].press : -costs[i].press, -costs[i].press);
            best[i].slice = -larger(round ? -best[i].slice : -costs[i].slice, -costs[i].slice);
            best[i].apart = -larger(round ? -best[i].apart : -costs[i].apart, -costs[i].apart);
            best[i].all = -larger(round ? -best[i].all : -costs[i].all, -costs[i].all);
        }
    }
    print_walk(walks[walk].what, walks[walk].keys, best);
}

/* ---- every action ---- */

/* Where the keys of a scope work. */
static const struct {
    enum nsc_key_scope scope;
    const char *before;
} places[] = {
    {NSC_KEY_SCOPE_TIMELINE, "Down Down Tab"},
    {NSC_KEY_SCOPE_DETAILS, "Down Down Tab V"},
    {NSC_KEY_SCOPE_BOOKMARKS, "B Enter '"},
    {NSC_KEY_SCOPE_ANSWERS, "A"},
    {NSC_KEY_SCOPE_TREE, "t"},
    {NSC_KEY_SCOPE_CONFIG, "C"},
    {NSC_KEY_SCOPE_MENU, "Down Down Tab F10"},
    {NSC_KEY_SCOPE_PROMPT, "/"},
    {NSC_KEY_SCOPE_GLOBAL, "Down Down Tab"},
};

struct slowest {
    const char *name;
    struct cost cost;
};

static double worst(const struct cost *cost)
{
    return larger(cost->press, cost->slice);
}

static int compare_slowest(const void *a, const void *b)
{
    double x = worst(&((const struct slowest *)a)->cost);
    double y = worst(&((const struct slowest *)b)->cost);

    return x < y ? 1 : x > y ? -1 : 0;
}

/* The first default key of an action. */
static nsc_key key_of(enum nsc_action action)
{
    const char *keys = nsc_actions[action].keys;
    const char *end = strchr(keys, ' ');
    struct nsc_text word = {keys, end ? (uint32_t)(end - keys) : (uint32_t)strlen(keys)};
    nsc_key key = 0;

    return nsc_key_parse(&key, word) ? key : 0;
}

static struct cost measure_action(const struct nsc_trace *trace, struct nsc_pool *pool,
                                  enum nsc_action action, const char *before)
{
    struct viewer viewer;
    struct cost cost;

    viewer_init(&viewer, trace, pool, false);
    (void)press_all(&viewer, before, NULL);
    cost = press(&viewer, key_of(action));
    viewer_fini(&viewer);
    return cost;
}

static void measure_actions(const struct nsc_trace *trace, struct nsc_pool *pool)
{
    static struct slowest all[NSC_N_ACTIONS];
    size_t n = 0;

    for (unsigned i = NSC_ACTION_NONE + 1; i < NSC_N_ACTIONS; i++) {
        enum nsc_action action = (enum nsc_action)i;

        for (size_t k = 0; k < sizeof places / sizeof *places; k++)
            if (places[k].scope == nsc_actions[action].scope && key_of(action))
                all[n++] = (struct slowest){nsc_actions[action].name,
                                            measure_action(trace, pool, action, places[k].before)};
    }
    qsort(all, n, sizeof *all, compare_slowest);
    printf("%zu actions, the slowest:\n", n);
    for (size_t i = 0; i < n && i < 5; i++)
        printf("  %-16s press %8.2f   slice %8.2f   all %8.1f ms%s\n", all[i].name,
               all[i].cost.press, all[i].cost.slice, all[i].cost.all,
               worst(&all[i].cost) > 50 ? "   *" : "");
}

int main(int argc, char **argv)
{
    struct nsc_open_options options = NSC_OPEN_OPTIONS_INIT;
    struct nsc_capture *capture = NULL;
    struct nsc_trace *trace = NULL;
    struct nsc_error error = {0};
    struct nsc_pool *pool = NULL;

    setlocale(LC_ALL, "C.UTF-8");
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (argc != 2 && argc != 3) {
        (void)fprintf(stderr, "usage: bench_keys FILE [WALK|actions]\n");
        return 2;
    }
    if (nsc_capture_open(&capture, argv[1], &options, &error) != NSC_OK ||
        nsc_capture_load(&trace, capture, NULL, &error) != NSC_OK) {
        (void)fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    pool = nsc_pool_new(0);
    if (argc == 3 && strcmp(argv[2], "actions") == 0)
        measure_actions(trace, pool);
    for (size_t i = 0; i < sizeof walks / sizeof *walks; i++)
        if (argc == 2 || strstr(walks[i].what, argv[2]))
            measure_walk(trace, pool, i);
    nsc_pool_free(pool);
    nsc_trace_free(trace);
    nsc_capture_close(capture);
    return 0;
}
