/*
 * Makes inputs for the application from bytes, and checks the invariants after each: for property
 * tests and fuzzing.
 */
#ifndef NSC_TEST_ROLL_INPUT_H
#define NSC_TEST_ROLL_INPUT_H

#include "view/app/app.h"

/* Makes an input from three bytes; sizes stay below 80 rows and 256 columns. */
struct nsc_input nsc_test_input_of(const uint8_t bytes[3]);

/* Aborts with the reason if the state or the grid drawn from it is not valid. */
void nsc_test_app_check(const struct nsc_app *app, struct nsc_grid *grid);

#endif
