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

/* TEST(name) { ... }: a test of its program. main runs the tests in the order of the file. */
#define TEST(name) TEST_WITH(name, NULL, NULL)
/* A test between a set-up and a tear-down; the set-up sets *state. */
#define TEST_WITH(name, set_up, tear_down)                                              \
    static void name(void **state);                                                     \
    __attribute__((constructor)) static void name##_is_a_test(void)                     \
    {                                                                                   \
        nsc_test_add(&(const struct CMUnitTest){#name, name, set_up, tear_down, NULL}); \
    }                                                                                   \
    static void name(__attribute__((unused)) void **state)

/* Copies the test. */
void nsc_test_add(const struct CMUnitTest *test);
/* Runs the tests between a set-up and a tear-down for all, which may be NULL; returns the exit
 * status. A program without a main of its own runs this without either. */
int nsc_test_run(CMFixtureFunction set_up, CMFixtureFunction tear_down);

#endif
