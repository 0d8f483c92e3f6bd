/* Databases for tests, made from SQL text in a separate folder. */
#ifndef NSC_TESTS_MAKE_DB_H
#define NSC_TESTS_MAKE_DB_H

#include <stddef.h>

struct dice;
struct nsc_trace;

#define NSC_TEST_PATH 512

/* A new empty folder; the path is written to out. */
void nsc_test_folder_new(char out[NSC_TEST_PATH]);
/* Removes the folder and the plain files in it. */
void nsc_test_folder_free(const char *folder);
/* "folder/name" in out. */
void nsc_test_path(char out[NSC_TEST_PATH], const char *folder, const char *name);
/* Runs the SQL in a new database file; fails the test if the SQL fails. */
void nsc_test_db(const char *path, const char *sql);
/* Loads an export on 1 to 3 threads, mostly by pages. Fails the test if that fails. Free the trace. */
struct nsc_trace *nsc_test_load(const char *path, struct dice *dice);
void nsc_test_file(const char *path, const void *bytes, size_t n);
/* Names, sizes and change times of all files in the folder, as text to compare. Free it. */
char *nsc_test_listing(const char *folder);

/* SQL of the tables a small export needs: two string tables, a kernel table, a runtime table, NVTX.
 * No rows. */
extern const char *const nsc_test_schema;

#endif
