/*
 * Lists the tests of a program and runs them.
 */
#include "support/cm.h"

#include <stdlib.h>

enum { MOST_TESTS = 200 };

static struct CMUnitTest tests[MOST_TESTS];
static size_t n_tests;

void nsc_test_add(const struct CMUnitTest *test)
{
    if (n_tests == MOST_TESTS)
        abort();
    tests[n_tests++] = *test;
}

int nsc_test_run(CMFixtureFunction set_up, CMFixtureFunction tear_down)
{
    return _cmocka_run_group_tests("tests", tests, n_tests, set_up, tear_down);
}

__attribute__((weak)) int main(void)
{
    return nsc_test_run(NULL, NULL);
}
