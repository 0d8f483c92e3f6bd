/*
 * Lists the tests of a program and runs those of one file.
 */
#include "support/cm.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TESTS = 2000, MOST_MAINS = 50 };

static const char *chosen; /* the end of a file's name; NULL: all */
static const char *files[MOST_TESTS];
static struct CMUnitTest tests[MOST_TESTS];
static size_t n_tests;
static const char *main_files[MOST_MAINS];
static int (*mains[MOST_MAINS])(void);
static size_t n_mains;

void nsc_test_add(const char *file, const struct CMUnitTest *test)
{
    if (n_tests == MOST_TESTS)
        abort();
    files[n_tests] = file;
    tests[n_tests++] = *test;
}

void nsc_test_add_main(const char *file, int (*run)(void))
{
    if (n_mains == MOST_MAINS)
        abort();
    main_files[n_mains] = file;
    mains[n_mains++] = run;
}

static bool is_chosen(const char *file)
{
    size_t n = strlen(file), end = chosen ? strlen(chosen) : 0;

    return n >= end && (end == 0 || strcmp(file + n - end, chosen) == 0);
}

int nsc_test_run(CMFixtureFunction set_up, CMFixtureFunction tear_down)
{
    static struct CMUnitTest ours[MOST_TESTS];
    size_t n = 0;

    for (size_t i = 0; i < n_tests; i++)
        if (is_chosen(files[i]))
            ours[n++] = tests[i];
    if (n == 0)
        return 2; /* a name that no file has */
    return _cmocka_run_group_tests("tests", ours, n, set_up, tear_down);
}

__attribute__((weak)) int main(int argc, char **argv)
{
    chosen = argc > 1 ? argv[1] : NULL;
    for (size_t i = 0; chosen && i < n_mains; i++)
        if (is_chosen(main_files[i]))
            return mains[i]();
    return nsc_test_run(NULL, NULL);
}
