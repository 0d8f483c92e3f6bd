/*
 * The harness of all tests that drive the application: an application with a trace, and functions
 * that press keys.
 */
#ifndef NSC_TEST_APP_WORLD_H
#define NSC_TEST_APP_WORLD_H

#include "view/app/state.h"

struct nsc_test_world {
    struct nsc_app *app;
    struct nsc_trace *trace;
    struct nsc_effects effects; /* effects of the last input and of the work after it */
    unsigned slices;            /* slices of work after the last input */
    struct nsc_grid grid;
    char row[4096]; /* the last one read */
};

/* An application of that size with a trace in the language of support/screen_trace.h. text NULL: no
 * trace yet. rows 0: no size yet. options may be NULL. Does no work. */
void nsc_test_world_open(struct nsc_test_world *world, const struct nsc_app_options *options,
                         const char *text, uint32_t rows, uint32_t cols);
/* 24 rows, 120 columns, with the trace nsc_test_trace_sample. options may be NULL. Does all
 * work. */
void nsc_test_world_init(struct nsc_test_world *world, const struct nsc_app_options *options);
void nsc_test_world_fini(struct nsc_test_world *world);
/* As nsc_test_world_init, for cmocka: a world on the heap, without options. */
int nsc_test_world_setup(void **state);
int nsc_test_world_teardown(void **state);
#define TEST_OF_WORLD(name) TEST_WITH(name, nsc_test_world_setup, nsc_test_world_teardown)
/* Replaces the trace. */
void nsc_test_world_load(struct nsc_test_world *world, const char *text);
/* Send one input or one key, and leave the work after it undone; answer NSC_EFFECT_STACKS. */
void nsc_test_send(struct nsc_test_world *world, struct nsc_input input);
void nsc_test_step(struct nsc_test_world *world, const char *key);
/* Does all remaining work. */
void nsc_test_work(struct nsc_test_world *world);
/* Sends an input and does all work after it. */
void nsc_test_give(struct nsc_test_world *world, const struct nsc_input *input);
/* Keys separated by spaces: "/ g e Enter". */
void nsc_test_press(struct nsc_test_world *world, const char *keys);
/* Types text as it is. */
void nsc_test_type(struct nsc_test_world *world, const char *text);
/* A line of the command line, with Enter. */
void nsc_test_command(struct nsc_test_world *world, const char *line);
/* A row of the screen as drawn now, from the bottom if negative. Borrowed. */
const char *nsc_test_row(struct nsc_test_world *world, int row);

#endif
