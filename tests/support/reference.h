/*
 * Real exports and other tools' results, for conformance tests: where they are, and a walk of them.
 *
 * They lie in "shared" beside the project, or where $NSC_EXPORTS and $NSC_GOLDEN say. A machine
 * without them skips the tests, and says so.
 */
#ifndef NSC_TEST_REFERENCE_H
#define NSC_TEST_REFERENCE_H

#define NSC_TEST_SKIPPED 77 /* the exit status that ctest takes for it */

/* The folder; NULL, and a line that says SKIPPED, where there is none. Borrowed, for good. */
const char *nsc_test_exports(void);
const char *nsc_test_golden(void);

/* Checks every *.sqlite of the exports; returns how many there are. A file of no bytes must be
 * refused (NSC_EFORMAT, "... is empty"), and is not counted. */
unsigned nsc_test_each_export(void (*check)(const char *path));

#endif
