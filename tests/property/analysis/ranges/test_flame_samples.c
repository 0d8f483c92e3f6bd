/* Property tests of flame graphs of CPU samples: frames equal a fold of all call stacks by hand. */
#include "analysis/base/stacks.h"
#include "analysis/ranges/flame.h"
#include "core/bits.h"
#include "core/text.h"
#include "support/build_trace.h"
#include "support/cm.h"
#include "support/dice.h"

#include <string.h>

enum {
    ROUNDS = 300,
    SAMPLES = 40,
    DEPTH = 6,
    ROWS = SAMPLES * DEPTH,
    PATH_BYTES = 256,
    SPAN = 100
};

struct function {
    const char *symbol, *module;
    bool is_unresolved;
    const char *shown;
};

static const struct function functions[] = {
    {"main", "/usr/bin/python3", false, "main"},
    {"step", "/usr/bin/python3", false, "step"},
    {"read", "/lib/libc.so.6", false, "read"},
    {"0x7f10", "/lib/libcuda.so.1", true, "[libcuda.so.1]"},
    {"0x7f20", "/lib/libcuda.so.1", false, "[libcuda.so.1]"}, /* an old export: no mark */
    {"stub", "/lib/libcudart.so", true, "[libcudart.so]"},
    {"0xffff", "[kernel.kallsyms]", true, "[kernel.kallsyms]"},
};
enum { FUNCTIONS = sizeof functions / sizeof functions[0] };

struct world {
    struct dice dice;
    struct nsc_trace *trace;
    uint32_t n;                     /* samples, by index of their row */
    uint32_t stack[SAMPLES][DEPTH]; /* functions, the innermost first */
    uint32_t depth[SAMPLES];
    struct nsc_fields samples, chains;
    nsc_event event[SAMPLES];
    int64_t id[SAMPLES];
    int64_t cell[5][ROWS];
    uint64_t set[5][(ROWS + 63) / 64];
    uint64_t mask[1];
};

static const struct nsc_fields *get_set(void *context, enum nsc_field_set set)
{
    struct world *world = context;

    return set == NSC_FIELDS_SAMPLES      ? &world->samples
           : set == NSC_FIELDS_CALLCHAINS ? &world->chains
                                          : NULL;
}

static struct nsc_field column(int64_t *value, uint64_t *set)
{
    return (struct nsc_field){.is_there = true, .value = value, .set = set};
}

/* The id of a sample; ids do not ascend with time. */
static int64_t id_of(uint32_t sample)
{
    return (int64_t)(sample * 7 % SAMPLES) - 5;
}

static void roll_samples(struct world *world)
{
    struct nsc_test_row rows[SAMPLES] = {0};
    const struct nsc_events *events;

    world->n = 1 + (uint32_t)dice_below(&world->dice, SAMPLES);
    for (uint32_t i = 0; i < world->n; i++) {
        rows[i] = (struct nsc_test_row){.kind = NSC_KIND_SAMPLE,
                                        .process = 111,
                                        .tid = 111 + (uint32_t)dice_below(&world->dice, 2),
                                        .start = (nsc_time)dice_below(&world->dice, SPAN)};
        rows[i].end = rows[i].start;
        world->depth[i] = (uint32_t)dice_below(&world->dice, DEPTH + 1);
        for (uint32_t k = 0; k < world->depth[i]; k++)
            world->stack[i][k] = (uint32_t)dice_below(&world->dice, FUNCTIONS);
        world->mask[0] |= (uint64_t)(dice_below(&world->dice, 4) > 0) << i;
    }
    world->trace = nsc_test_trace_build(rows, world->n);
    events = nsc_trace_events(world->trace);
    for (nsc_event e = 0; e < events->n; e++) {
        world->event[e] = e;
        world->id[e] = id_of(events->source[e]);
        nsc_bits_set(world->set[0], e);
    }
    world->samples = (struct nsc_fields){.n = events->n, .event = world->event, .n_columns = 2};
    world->samples.columns[NSC_SAMPLE_ID] = column(world->id, world->set[0]);
}

static void put_row(struct world *world, uint32_t sample, uint32_t depth)
{
    struct nsc_strpool *texts = &world->chains.texts;
    const struct function *function = &functions[world->stack[sample][depth]];
    uint32_t row = world->chains.n++;

    world->cell[NSC_CHAIN_ID][row] = id_of(sample);
    world->cell[NSC_CHAIN_DEPTH][row] = depth;
    world->cell[NSC_CHAIN_SYMBOL][row] =
        nsc_strpool_add(texts, function->symbol, strlen(function->symbol));
    world->cell[NSC_CHAIN_MODULE][row] =
        nsc_strpool_add(texts, function->module, strlen(function->module));
    world->cell[NSC_CHAIN_UNRESOLVED][row] = function->is_unresolved;
}

/* Swaps rows at random, as an export without an order may have them. */
static void shuffle(struct world *world)
{
    for (uint32_t i = world->chains.n; i-- > 1;) {
        uint32_t k = (uint32_t)dice_below(&world->dice, i + 1);

        for (int c = 0; c < 5; c++) {
            int64_t kept = world->cell[c][i];

            world->cell[c][i] = world->cell[c][k];
            world->cell[c][k] = kept;
        }
    }
}

static void roll_chains(struct world *world)
{
    nsc_strpool_init(&world->chains.texts);
    for (uint32_t i = 0; i < world->n; i++)
        for (uint32_t k = 0; k < world->depth[i]; k++)
            put_row(world, i, k);
    if (dice_below(&world->dice, 2))
        shuffle(world);
    world->chains.n_columns = 5;
    memset(world->set, 0xff, sizeof world->set);
    for (int c = 0; c < 5; c++)
        world->chains.columns[c] = column(world->cell[c], world->set[c]);
    nsc_strpool_end(&world->chains.texts);
}

/* The functions of a sample, the outermost first, each followed by a line feed. */
static void path_of(char path[PATH_BYTES], const struct world *world, uint32_t sample)
{
    const char *before = "";

    path[0] = '\0';
    for (uint32_t k = world->depth[sample]; k-- > 0;) {
        const char *shown = functions[world->stack[sample][k]].shown;

        if (shown[0] != '[' || strcmp(shown, before) != 0)
            (void)snprintf(path + strlen(path), PATH_BYTES - strlen(path), "%s\n", shown);
        before = shown;
    }
    if (!path[0])
        (void)snprintf(path, PATH_BYTES, "[no call stack]\n");
}

static void path_of_frame(char path[PATH_BYTES], const struct nsc_flame *flame,
                          const struct nsc_stacks *stacks, uint32_t frame)
{
    path[0] = '\0';
    for (uint32_t depth = 0; depth <= flame->frames[frame].depth; depth++) {
        uint32_t i = frame;
        struct nsc_text text;

        while (flame->frames[i].depth > depth)
            i = flame->frames[i].parent;
        text = nsc_strpool_text(&stacks->texts, flame->frames[i].name);
        (void)snprintf(path + strlen(path), PATH_BYTES - strlen(path), "%.*s\n", (int)text.n,
                       text.bytes);
    }
}

static bool counts(const struct world *world, const struct nsc_flame_query *query, nsc_event e)
{
    nsc_time t = nsc_trace_events(world->trace)->start[e];

    return t >= query->window.t0 && t < query->window.t1 &&
           (!query->mask || nsc_bits_get(query->mask, e));
}

static void check_frame(const struct world *world, const struct nsc_flame_query *query,
                        const struct nsc_flame *flame, uint32_t at)
{
    const struct nsc_events *events = nsc_trace_events(world->trace);
    const struct nsc_flame_frame *frame = &flame->frames[at];
    char outer[PATH_BYTES];
    char inner[PATH_BYTES];
    uint64_t n = 0;
    uint64_t self = 0;
    nsc_time first = INT64_MAX;

    path_of_frame(outer, flame, query->stacks, at);
    for (nsc_event e = 0; e < events->n; e++) {
        path_of(inner, world, events->source[e]);
        if (!counts(world, query, e) || strncmp(outer, inner, strlen(outer)) != 0)
            continue;
        n++;
        self += strcmp(outer, inner) == 0;
        first = events->start[e] < first ? events->start[e] : first;
    }
    assert_int_equal(frame->total, n);
    assert_int_equal(frame->count, n);
    assert_int_equal(frame->self, self);
    assert_true(n > 0);
    assert_true(counts(world, query, frame->slowest));
    assert_int_equal(events->start[frame->slowest], first);
}

static void check_query(const struct world *world, const struct nsc_flame_query *query)
{
    struct nsc_flame *flame = nsc_flame_build(world->trace, query);
    uint64_t n = 0;

    for (nsc_event e = 0; e < nsc_trace_events(world->trace)->n; e++)
        n += counts(world, query, e);
    assert_false(flame->is_cut);
    assert_int_equal(flame->whole, n);
    for (uint32_t i = 0; i < flame->n; i++) {
        check_frame(world, query, flame, i);
        for (uint32_t k = i + 1; k < flame->frames[i].skip; k = flame->frames[k].skip)
            assert_int_equal(flame->frames[k].parent, i); /* no two of them with one name */
    }
    nsc_flame_free(flame);
}

/* With too few frames the samples stay in the frames around. */
static void check_cut(const struct world *world, struct nsc_flame_query query)
{
    struct nsc_flame *flame = NULL;
    nsc_time whole = 0;

    query.most = 1;
    flame = nsc_flame_build(world->trace, &query);
    for (uint32_t i = 0; i < flame->n; i++)
        whole += flame->frames[i].self;
    assert_int_equal(whole, flame->whole);
    nsc_flame_free(flame);
}

TEST(test_samples_equal_a_fold_of_all_stacks)
{
    struct dice dice = dice_new(0x57ac);

    for (int round = 0; round < ROUNDS; round++) {
        struct world world = {.dice = dice};
        struct nsc_field_sets sets = {get_set, &world};
        nsc_time t0 = 0;
        struct nsc_stacks *stacks = nsc_stacks_new();
        bool any = false;

        roll_samples(&world);
        roll_chains(&world);
        t0 = (nsc_time)dice_below(&world.dice, SPAN);
        any = nsc_stacks_add_export(stacks, &sets, (struct nsc_text){"", 0});
        nsc_stacks_end(stacks);
        assert_int_equal(any, world.chains.n > 0);
        for (int i = 0; i < 4 && any; i++) {
            struct nsc_flame_query query = {.by = NSC_FLAME_SAMPLES,
                                            .mask = i & 1 ? world.mask : NULL,
                                            .window = {i & 2 ? t0 : 0, i & 2 ? t0 + 20 : SPAN},
                                            .stacks = stacks};

            check_query(&world, &query);
            check_cut(&world, query);
        }
        nsc_stacks_free(stacks);
        nsc_strpool_fini(&world.chains.texts);
        nsc_trace_free(world.trace);
        dice = world.dice;
    }
}

/* With a root, the graph has one frame around the same frames. */
TEST(test_a_root_is_around_the_stacks_of_an_export)
{
    struct dice dice = dice_new(0x57ad);

    for (int round = 0; round < ROUNDS; round++) {
        struct world world = {.dice = dice};
        struct nsc_field_sets sets = {get_set, &world};
        struct nsc_stacks *stacks[2] = {nsc_stacks_new(), nsc_stacks_new()};
        struct nsc_flame *flames[2] = {NULL, NULL};

        roll_samples(&world);
        roll_chains(&world);
        for (int i = 0; i < 2; i++) {
            struct nsc_flame_query query = {
                .by = NSC_FLAME_SAMPLES, .window = {0, SPAN}, .stacks = stacks[i]};

            (void)nsc_stacks_add_export(stacks[i], &sets, nsc_text_from(i ? "1: rank1" : ""));
            nsc_stacks_end(stacks[i]);
            flames[i] = nsc_flame_build(world.trace, &query);
        }
        assert_int_equal(flames[1]->whole, flames[0]->whole);
        assert_int_equal(flames[1]->n, flames[0]->n + (flames[0]->n > 0));
        for (uint32_t i = 1; i < flames[1]->n; i++) {
            const struct nsc_flame_frame *frame = &flames[0]->frames[i - 1];
            const struct nsc_flame_frame *inside = &flames[1]->frames[i];
            struct nsc_text name = nsc_strpool_text(&stacks[0]->texts, frame->name);
            struct nsc_text same = nsc_strpool_text(&stacks[1]->texts, inside->name);

            assert_int_equal(inside->depth, frame->depth + 1);
            assert_int_equal(inside->count, frame->count);
            assert_int_equal(same.n, name.n);
            assert_memory_equal(same.bytes, name.bytes, name.n);
        }
        for (int i = 0; i < 2; i++) {
            nsc_flame_free(flames[i]);
            nsc_stacks_free(stacks[i]);
        }
        nsc_strpool_fini(&world.chains.texts);
        nsc_trace_free(world.trace);
        dice = world.dice;
    }
}

/* ---- calls by own function ---- */

struct own_calls {
    struct nsc_trace *trace;
    struct nsc_stacks *stacks;
    struct nsc_sparse idle;
    struct nsc_window window;
    nsc_time want[2][2]; /* by function: of calls, idle */
};

/* A call of the function f or g, or without a stack. */
static void roll_stack(struct own_calls *own, struct dice *dice, nsc_event call)
{
    uint32_t of = (uint32_t)dice_below(dice, 3);
    nsc_time start = nsc_trace_events(own->trace)->start[call];
    nsc_time end = nsc_event_end(nsc_trace_events(own->trace), call);
    nsc_str function = nsc_stacks_add_name(own->stacks, nsc_text_from(of ? "g" : "f"));
    nsc_str name = nsc_stacks_add_name(own->stacks, nsc_text_from("call"));
    nsc_str idle = nsc_stacks_add_name(own->stacks, nsc_text_from("idle"));

    if (of == 2)
        return;
    *NSC_VEC_ADD(&own->stacks->calls) =
        (struct nsc_call_stack){call, nsc_stacks_find(own->stacks, (nsc_str[]){function, name}, 2),
                                nsc_stacks_find(own->stacks, (nsc_str[]){function, idle}, 2)};
    start = start > own->window.t0 ? start : own->window.t0;
    end = end < own->window.t1 ? end : own->window.t1;
    own->want[of][0] += end > start ? end - start : 0;
    if (!dice_below(dice, 2))
        return;
    *(nsc_time *)nsc_sparse_at(&own->idle, call) = 1 + (nsc_time)of;
    own->want[of][1] += 1 + (nsc_time)of;
}

static void roll_calls(struct own_calls *own, struct dice *dice)
{
    uint32_t n = 1 + (uint32_t)dice_below(dice, SAMPLES);
    struct nsc_test_row rows[SAMPLES] = {0};
    nsc_time t0 = (nsc_time)dice_below(dice, SPAN);

    *own = (struct own_calls){.stacks = nsc_stacks_new(), .window = {t0, SPAN}};
    for (uint32_t i = 0; i < n; i++) {
        rows[i] = (struct nsc_test_row){.kind = NSC_KIND_API_RUNTIME, .process = 111, .tid = 111};
        rows[i].start = (nsc_time)dice_below(dice, SPAN);
        rows[i].end = rows[i].start + (nsc_time)dice_below(dice, SPAN);
    }
    own->trace = nsc_test_trace_build(rows, n);
    nsc_sparse_init(&own->idle, n, sizeof(nsc_time));
    for (nsc_event call = 0; call < n; call++)
        roll_stack(own, dice, call);
    nsc_stacks_end(own->stacks);
}

static void check_function(const struct own_calls *own, const struct nsc_flame *flame, uint32_t at)
{
    const struct nsc_strpool *texts = &own->stacks->texts;
    const struct nsc_flame_frame *frame = &flame->frames[at];
    uint32_t root = frame->depth ? frame->parent : at;
    int of = nsc_text_is(nsc_strpool_text(texts, flame->frames[root].name), "g");
    int is_idle = nsc_text_is(nsc_strpool_text(texts, frame->name), "idle");

    assert_int_equal(frame->self, frame->depth ? frame->total : 0);
    assert_int_equal(frame->total,
                     frame->depth ? own->want[of][is_idle] : own->want[of][0] + own->want[of][1]);
}

/* The time of calls inside the window, and what their work waited for on GPUs. */
TEST(test_calls_add_up_by_own_function)
{
    struct dice dice = dice_new(0x57ae);

    for (int round = 0; round < ROUNDS; round++) {
        struct own_calls own;
        struct nsc_flame *flame;

        roll_calls(&own, &dice);
        flame = nsc_flame_build(own.trace, &(struct nsc_flame_query){.by = NSC_FLAME_OWN,
                                                                     .window = own.window,
                                                                     .stacks = own.stacks,
                                                                     .idle = &own.idle});
        assert_int_equal(flame->whole,
                         own.want[0][0] + own.want[0][1] + own.want[1][0] + own.want[1][1]);
        for (uint32_t i = 0; i < flame->n; i++)
            check_function(&own, flame, i);
        nsc_flame_free(flame);
        nsc_sparse_fini(&own.idle);
        nsc_stacks_free(own.stacks);
        nsc_trace_free(own.trace);
    }
}

/* A stack deeper than the limit counts in its outermost frames. */
TEST(test_a_deep_stack_is_cut)
{
    struct nsc_stacks *stacks = nsc_stacks_new();
    nsc_str names[NSC_STACKS_DEPTH + 2];

    for (uint32_t i = 0; i < NSC_STACKS_DEPTH + 2; i++)
        names[i] = nsc_stacks_add_name(stacks, (struct nsc_text){"f", 1});
    nsc_stacks_add(stacks, 0, names, NSC_STACKS_DEPTH);
    assert_false(stacks->is_cut);
    nsc_stacks_add(stacks, 1, names, NSC_STACKS_DEPTH + 2);
    assert_true(stacks->is_cut);
    assert_int_equal(stacks->frames.n, NSC_STACKS_DEPTH);
    assert_int_equal(stacks->samples.at[1].frame, NSC_STACKS_DEPTH - 1);
    nsc_stacks_free(stacks);
}
