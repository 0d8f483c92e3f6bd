/*
 * Property test of CPU samples: each is named after the innermost frame of its call chain, in
 * whatever order samples and frames come.
 */
#include "nsyscope/trace.h"

#include "support/cm.h"
#include "support/dice.h"
#include "support/make_db.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 300, SYMBOLS = 9, ROUNDS = 30, STATEMENT = 120 };

struct frame {
    uint32_t id, symbol, depth;
};

struct world {
    struct dice dice;
    char folder[NSC_TEST_PATH], path[NSC_TEST_PATH];
    struct frame frames[MOST];
    uint32_t samples[MOST]; /* their ids */
    uint32_t n_frames, n_samples;
    char sql[2 * (MOST + 10) * STATEMENT];
    size_t n_sql;
};

static void add_sql(struct world *world, const char *text)
{
    size_t n = strlen(text);

    assert_true(world->n_sql + n < sizeof world->sql);
    memcpy(world->sql + world->n_sql, text, n + 1);
    world->n_sql += n;
}

static void roll_ids(struct world *world)
{
    struct dice *dice = &world->dice;
    bool shuffles = dice_below(dice, 2) != 0;
    uint32_t id = (uint32_t)dice_below(dice, 5);

    world->n_samples = (uint32_t)dice_below(dice, MOST + 1);
    for (uint32_t i = 0; i < world->n_samples; i++, id += 1 + (uint32_t)dice_below(dice, 3) / 2)
        world->samples[i] = id;
    for (uint32_t i = 1; i < world->n_samples && shuffles; i++) {
        uint32_t k = (uint32_t)dice_below(dice, i + 1);
        uint32_t kept = world->samples[i];

        world->samples[i] = world->samples[k];
        world->samples[k] = kept;
    }
}

/* Chains by id or shuffled; some ids have none, some two innermost frames. */
static void roll_frames(struct world *world)
{
    struct dice *dice = &world->dice;
    bool shuffles = dice_below(dice, 2) != 0;
    uint32_t id = 0;

    world->n_frames = (uint32_t)dice_below(dice, MOST + 1);
    for (uint32_t i = 0; i < world->n_frames; i++) {
        world->frames[i] = (struct frame){id, 1 + (uint32_t)dice_below(dice, SYMBOLS),
                                          (uint32_t)dice_below(dice, 3)};
        id = shuffles ? (uint32_t)dice_below(dice, MOST)
                      : id + (uint32_t)dice_below(dice, 2) * (uint32_t)dice_below(dice, 3);
    }
}

static void write_rows(struct world *world)
{
    char text[STATEMENT];

    world->n_sql = 0;
    add_sql(world, "PRAGMA page_size=512;"
                   "CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT);"
                   "CREATE TABLE COMPOSITE_EVENTS (id INTEGER, start INTEGER, globalTid INTEGER, "
                   "cpuCycles INTEGER);"
                   "CREATE TABLE SAMPLING_CALLCHAINS (id INTEGER, symbol INTEGER, stackDepth "
                   "INTEGER); BEGIN;");
    for (uint32_t s = 1; s <= SYMBOLS; s++) {
        (void)snprintf(text, sizeof text, "INSERT INTO StringIds VALUES(%u, 'f%u');", s, s);
        add_sql(world, text);
    }
    for (uint32_t i = 0; i < world->n_samples; i++) {
        (void)snprintf(text, sizeof text, "INSERT INTO COMPOSITE_EVENTS VALUES(%u, %u, 1, 1);",
                       world->samples[i], 1000 * i);
        add_sql(world, text);
    }
    for (uint32_t i = 0; i < world->n_frames; i++) {
        const struct frame *frame = &world->frames[i];

        (void)snprintf(text, sizeof text, "INSERT INTO SAMPLING_CALLCHAINS VALUES(%u, %u, %u);",
                       frame->id, frame->symbol, frame->depth);
        add_sql(world, text);
    }
    add_sql(world, "COMMIT;");
    nsc_test_db(world->path, world->sql);
}

/* The least symbol of the sample's innermost frames; 0: it has none. */
static uint32_t find_symbol(const struct world *world, uint32_t id)
{
    uint32_t symbol = 0;

    for (uint32_t i = 0; i < world->n_frames; i++) {
        const struct frame *frame = &world->frames[i];

        if (frame->id == id && frame->depth == 0 && (!symbol || frame->symbol < symbol))
            symbol = frame->symbol;
    }
    return symbol;
}

static void check_names(struct world *world)
{
    struct nsc_trace *trace = nsc_test_load(world->path, &world->dice);
    const struct nsc_events *events = nsc_trace_events(trace);

    assert_int_equal(events->n, world->n_samples);
    for (nsc_event i = 0; i < events->n; i++) {
        char scratch[NSC_NAME_BYTES];
        struct nsc_text name = nsc_trace_event_text(trace, i, false, scratch);
        uint32_t symbol = find_symbol(world, world->samples[events->start[i] / 1000]);

        if (symbol)
            assert_true(name.n == 2 && name.bytes[0] == 'f' && name.bytes[1] == '0' + (int)symbol);
        else
            assert_int_equal(events->name[i], 0);
    }
    nsc_trace_free(trace);
}

TEST(samples_have_the_names_of_their_innermost_frames)
{
    static struct world world;

    world.dice = dice_new(20251128);
    for (int round = 0; round < ROUNDS; round++) {
        nsc_test_folder_new(world.folder);
        nsc_test_path(world.path, world.folder, "x.sqlite");
        roll_ids(&world);
        roll_frames(&world);
        write_rows(&world);
        check_names(&world);
        nsc_test_folder_free(world.folder);
    }
}
