/*
 * The application with a trace, and keys pressed in it: the one harness of all tests that drive it.
 */
#ifndef NSC_TEST_APP_WORLD_H
#define NSC_TEST_APP_WORLD_H

#include "view/app/state.h"

struct nsc_test_world {
    struct nsc_app *app;
    struct nsc_trace *trace;
    struct nsc_effects effects; /* of the last input, and of the work after it */
    unsigned slices;            /* of work after the last input that was given */
    struct nsc_grid grid;
    char row[4096]; /* the last one read */
};

/* An application of that size with a trace in the language of support/screen_trace.h; text NULL: it waits
 * for one. rows 0: it is told no size. options may be NULL. No work is done. */
void nsc_test_world_open(struct nsc_test_world *world, const struct nsc_app_options *options,
                         const char *text, uint32_t rows, uint32_t cols);
/* 24 rows, 120 columns; the trace is nsc_test_trace_sample. options may be NULL. All work is done. */
void nsc_test_world_init(struct nsc_test_world *world, const struct nsc_app_options *options);
void nsc_test_world_fini(struct nsc_test_world *world);
/* The same for cmocka: a world on the heap, without options. */
int nsc_test_world_setup(void **state);
int nsc_test_world_teardown(void **state);
#define TEST_OF_WORLD(name) TEST_WITH(name, nsc_test_world_setup, nsc_test_world_teardown)
/* Replaces the trace. */
void nsc_test_world_load(struct nsc_test_world *world, const char *text);
/* One input and one key, without the work that is left after it. */
void nsc_test_send(struct nsc_test_world *world, struct nsc_input input);
void nsc_test_step(struct nsc_test_world *world, const char *key);
/* All work that is left. */
void nsc_test_work(struct nsc_test_world *world);
/* An input, and all work that is left after it. */
void nsc_test_give(struct nsc_test_world *world, const struct nsc_input *input);
/* Keys separated by spaces: "/ g e Enter". */
void nsc_test_press(struct nsc_test_world *world, const char *keys);
/* Types text as it is. */
void nsc_test_type(struct nsc_test_world *world, const char *text);
/* A line of the command line, with Enter. */
void nsc_test_command(struct nsc_test_world *world, const char *line);
/* A row of the screen as it is drawn now, from the bottom when negative. Borrowed. */
const char *nsc_test_row(struct nsc_test_world *world, int row);

#endif
