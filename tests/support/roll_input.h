/*
 * Inputs for the application out of bytes, and what must hold after each: for property tests and
 * fuzzing.
 */
#ifndef NSC_TEST_ROLL_INPUT_H
#define NSC_TEST_ROLL_INPUT_H

#include "view/app/app.h"

/* Three bytes make an input; sizes stay below 80 rows and 256 columns. */
struct nsc_input nsc_test_input_of(const uint8_t bytes[3]);

/* Aborts when the state or the grid drawn from it is not valid; returns why. */
void nsc_test_app_check(const struct nsc_app *app, struct nsc_grid *grid);

#endif
