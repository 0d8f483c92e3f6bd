/*
 * An application with the sample trace, and keys pressed in it: for unit tests of what is typed.
 */
#ifndef NSC_TEST_APP_WORLD_H
#define NSC_TEST_APP_WORLD_H

#include "view/app/state.h"

struct nsc_test_world {
    struct nsc_app *app;
    struct nsc_trace *trace;
    struct nsc_effects effects; /* of the last input */
    struct nsc_grid grid;
    char row[4096]; /* the last one read */
};

/* 24 rows, 120 columns; the trace is nsc_test_trace_sample. options may be NULL. */
void nsc_test_world_init(struct nsc_test_world *world, const struct nsc_app_options *options);
void nsc_test_world_fini(struct nsc_test_world *world);
/* The same for cmocka: a world on the heap, without options. */
int nsc_test_world_setup(void **state);
int nsc_test_world_teardown(void **state);
/* An input, and all work that is left after it. */
void nsc_test_give(struct nsc_test_world *world, const struct nsc_input *input);
/* Keys separated by spaces: "/ g e Enter". */
void nsc_test_press(struct nsc_test_world *world, const char *keys);
/* Types text as it is. */
void nsc_test_type(struct nsc_test_world *world, const char *text);
/* A row of the screen as it is drawn now, from the bottom when negative. Borrowed. */
const char *nsc_test_row(struct nsc_test_world *world, int row);

#endif
