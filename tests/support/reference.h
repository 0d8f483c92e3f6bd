/*
 * Finds real exports and other tools' results for conformance tests, and walks over them.
 *
 * They are in "shared" beside the project, or in the folders named by $NSC_EXPORTS and $NSC_GOLDEN.
 * Without them the tests are skipped, with a note.
 */
#ifndef NSC_TEST_REFERENCE_H
#define NSC_TEST_REFERENCE_H

#include <stdbool.h>

#define NSC_TEST_SKIPPED 77 /* the exit status that means "skipped" to ctest */

/* The folder; without one NULL, after printing a line with SKIPPED. Never freed. */
const char *nsc_test_exports(void);
const char *nsc_test_golden(void);

/* Checks every *.sqlite of the exports. Returns their number. An empty file must be refused
 * (NSC_EFORMAT, "... is empty"), and is not counted. */
unsigned nsc_test_each_export(void (*check)(const char *path));

/* Whether the short form of a test may skip an export: larger than 1 MiB, without NSC_LONG. */
bool nsc_test_leaves_out(const char *path);

#endif
