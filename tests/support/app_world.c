/*
 * Drives the application as a person would.
 */
#include "support/app_world.h"

#include "support/cm.h"
#include "support/screen_trace.h"

#include <stdlib.h>
#include <string.h>

enum { ROWS = 24, COLS = 120 };

/* The functions of a sample are the parts of its name: "main;step;read". */
static void add_stack(struct nsc_stacks *stacks, nsc_event event, const char *name)
{
    nsc_str names[16];
    uint32_t n = 0;

    for (; *name && n < 16; name += name[0] == ';') {
        struct nsc_text text = {name, (uint32_t)strcspn(name, ";")};

        names[n++] = nsc_stacks_add_name(stacks, text);
        name += text.n;
    }
    nsc_stacks_add(stacks, event, names, n);
}

/* Answers NSC_EFFECT_STACKS. */
static void give_stacks(struct nsc_test_world *world)
{
    const struct nsc_events *events = nsc_trace_events(world->trace);
    struct nsc_input input = {.type = NSC_INPUT_STACKS, .stacks = nsc_stacks_new()};
    char scratch[NSC_NAME_BYTES];

    for (nsc_event e = 0; e < events->n; e++) {
        struct nsc_buf name = NSC_BUF_INIT(NSC_NAME_BYTES);
        struct nsc_text text = nsc_trace_event_text(world->trace, e, false, scratch);

        if (events->kind[e] != NSC_KIND_SAMPLE)
            continue;
        nsc_buf_add(&name, text.bytes, text.n);
        nsc_buf_puts(&name, "");
        add_stack(input.stacks, e, name.bytes);
        nsc_buf_fini(&name);
    }
    nsc_strpool_end(&input.stacks->texts);
    world->effects = nsc_app_input(world->app, &input);
}

void nsc_test_send(struct nsc_test_world *world, struct nsc_input input)
{
    world->effects = nsc_app_input(world->app, &input);
    if (world->effects.set & NSC_EFFECT_STACKS)
        give_stacks(world);
}

void nsc_test_work(struct nsc_test_world *world)
{
    struct nsc_input tick = {.type = NSC_INPUT_TICK};

    for (world->slices = 0; world->effects.set & NSC_EFFECT_WORK; world->slices++) {
        struct nsc_effects before = world->effects;

        before.set &= ~(unsigned)NSC_EFFECT_WORK;
        world->effects = nsc_app_input(world->app, &tick);
        if (!(world->effects.set & ~(unsigned)NSC_EFFECT_WORK)) {
            before.set |= world->effects.set;
            world->effects = before;
        }
        world->effects.set |= before.set;
    }
}

void nsc_test_give(struct nsc_test_world *world, const struct nsc_input *input)
{
    nsc_test_send(world, *input);
    nsc_test_work(world);
}

void nsc_test_world_load(struct nsc_test_world *world, const char *text)
{
    nsc_trace_free(world->trace);
    world->trace = nsc_test_trace_parse(text);
    nsc_test_send(world, (struct nsc_input){.type = NSC_INPUT_LOADED, .trace = world->trace});
}

void nsc_test_world_open(struct nsc_test_world *world, const struct nsc_app_options *options,
                         const char *text, uint32_t rows, uint32_t cols)
{
    struct nsc_app_options plain = {.file = "test.sqlite"};

    memset(world, 0, sizeof *world);
    world->app = nsc_app_new(options ? options : &plain);
    nsc_grid_init(&world->grid, options && options->ascii);
    nsc_test_send(world, (struct nsc_input){.type = NSC_INPUT_RESIZE, .rows = rows, .cols = cols});
    if (text)
        nsc_test_world_load(world, text);
}

void nsc_test_world_init(struct nsc_test_world *world, const struct nsc_app_options *options)
{
    nsc_test_world_open(world, options, nsc_test_trace_sample, ROWS, COLS);
    nsc_test_work(world);
}

void nsc_test_world_fini(struct nsc_test_world *world)
{
    nsc_app_free(world->app);
    nsc_trace_free(world->trace);
    nsc_grid_fini(&world->grid);
}

void nsc_test_step(struct nsc_test_world *world, const char *key)
{
    struct nsc_input input = {.type = NSC_INPUT_KEY};

    assert_true(nsc_key_parse(&input.key, nsc_text_from(key)));
    nsc_test_send(world, input);
}

void nsc_test_press(struct nsc_test_world *world, const char *keys)
{
    struct nsc_input input = {.type = NSC_INPUT_KEY};

    while (*keys) {
        struct nsc_text word = {keys, (uint32_t)strcspn(keys, " ")};

        assert_true(nsc_key_parse(&input.key, word));
        nsc_test_give(world, &input);
        keys += word.n + (keys[word.n] == ' ');
    }
}

void nsc_test_type(struct nsc_test_world *world, const char *text)
{
    struct nsc_input input = {.type = NSC_INPUT_KEY};

    for (; *text; text++) {
        input.key = (nsc_key)(unsigned char)*text;
        nsc_test_give(world, &input);
    }
}

void nsc_test_command(struct nsc_test_world *world, const char *line)
{
    nsc_test_press(world, ":");
    nsc_test_type(world, line);
    nsc_test_press(world, "Enter");
}

const char *nsc_test_row(struct nsc_test_world *world, int row)
{
    struct nsc_buf text = NSC_BUF_INIT(sizeof world->row - 1);

    nsc_app_draw(world->app, &world->grid);
    row = row < 0 ? (int)world->grid.rows + row : row;
    for (uint32_t col = 0; col < world->grid.cols; col++) {
        const struct nsc_cell *cell = nsc_grid_at(&world->grid, (uint32_t)row, col);

        nsc_buf_add(&text, cell->text, cell->n);
    }
    memcpy(world->row, text.bytes, text.n + 1);
    nsc_buf_fini(&text);
    return world->row;
}

int nsc_test_world_setup(void **state)
{
    struct nsc_test_world *world = calloc(1, sizeof *world);

    nsc_test_world_init(world, NULL);
    *state = world;
    return 0;
}

int nsc_test_world_teardown(void **state)
{
    nsc_test_world_fini(*state);
    free(*state);
    return 0;
}
