/* Includes cmocka with the headers that it needs, and lets tests list themselves. */
#ifndef NSC_TESTS_CM_H
#define NSC_TESTS_CM_H

/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

/* TEST(name) { ... }: a test of its file. A program contains the files of a folder and runs the
 * tests of the file given as argument ("unit/core/test_buf.c"), in order; without an argument,
 * all. */
#define TEST(name) TEST_WITH(name, NULL, NULL)
/* A test between a set-up and a tear-down; the set-up sets *state. */
#define TEST_WITH(name, set_up, tear_down)                                                        \
    static void name(void **state);                                                               \
    __attribute__((constructor)) static void name##_is_a_test(void)                               \
    {                                                                                             \
        nsc_test_add(__FILE__, &(const struct CMUnitTest){#name, name, set_up, tear_down, NULL}); \
    }                                                                                             \
    static void name(__attribute__((unused)) void **state)

/* TEST_MAIN { ... }: runs instead of the tests of its file, and returns the exit status. */
#define TEST_MAIN                                                 \
    static int run_this_file(void);                               \
    __attribute__((constructor)) static void this_file_runs(void) \
    {                                                             \
        nsc_test_add_main(__FILE__, run_this_file);               \
    }                                                             \
    static int run_this_file(void)

/* Copies the test. */
void nsc_test_add(const char *file, const struct CMUnitTest *test);
void nsc_test_add_main(const char *file, int (*run)(void));
/* Runs the tests of the file between a set-up and a tear-down for all, which may be NULL. Returns
 * the exit status. */
int nsc_test_run(CMFixtureFunction set_up, CMFixtureFunction tear_down);

#endif
