/*
 * The tables of a synthetic export: declarations, and a function that writes a row of each.
 *
 * A writer owns the database connection and one prepared statement per table. It keeps the first
 * error; close returns it.
 */
#ifndef NSC_NSYS_GENERATE_TABLES_H
#define NSC_NSYS_GENERATE_TABLES_H

#include "nsys/generate/generate.h"

#include <stdbool.h>
#include <stdint.h>

struct nsc_writer;

/* NSC_EWRITE if the file cannot be made; NSC_EINVAL if it exists and force is not set. */
NSC_NODISCARD enum nsc_status nsc_writer_open(struct nsc_writer **out, const char *path, bool force,
                                              struct nsc_error *error);
/* Commits if keep is set, else removes the file. */
NSC_NODISCARD enum nsc_status nsc_writer_close(struct nsc_writer *writer, bool keep,
                                               struct nsc_error *error);
bool nsc_writer_has_failed(const struct nsc_writer *writer);

/* The id of a text in StringIds; equal texts have equal ids. O(texts), of which there are few. */
int64_t nsc_writer_string(struct nsc_writer *writer, const char *text);

enum nsc_writer_table {
#define NSC_WRITTEN(id, name, columns) NSC_WRITE_##id,
#include "nsys/generate/generate_table.def"
    NSC_N_WRITES
};

/* Sets of tables. */
#define NSC_WRITE_BIT(table) (1u << (table))
#define NSC_WRITE_ALL        ((1u << NSC_N_WRITES) - 1)

#define NSC_WRITE_NULL INT64_MIN /* writes NULL */

/*
 * Chooses the tables that are written from now on; rows of others are skipped. All at first. An
 * exporter writes one table after the other, so each lies in one part of the file; to imitate that,
 * the caller produces the same rows once per table.
 */
void nsc_writer_take(struct nsc_writer *writer, uint32_t tables);
bool nsc_writer_takes(const struct nsc_writer *writer, enum nsc_writer_table table);

/* Inserts a row, with values in the order of the written columns (generate_table.def). text: its text
 * column, or NULL. */
void nsc_writer_add(struct nsc_writer *writer, enum nsc_writer_table table, const int64_t *values,
                    const char *text);
#define NSC_WRITE(writer, table, text, ...) \
    nsc_writer_add((writer), (table), (const int64_t[]){__VA_ARGS__}, (text))
/* Writes the small tables about the recording, whose last event ends at `end`. */
void nsc_writer_end(struct nsc_writer *writer, int64_t end);

/* ---- generate_names.c ---- */

#define NSC_N_COMPUTE_NAMES 12
#define NSC_N_COMM_NAMES    3

struct nsc_kernel_name {
    const char *brief, *full;
    int64_t duration; /* typical, ns */
};

extern const struct nsc_kernel_name nsc_compute_names[NSC_N_COMPUTE_NAMES];
extern const struct nsc_kernel_name nsc_comm_names[NSC_N_COMM_NAMES];
extern const char *const nsc_op_names[NSC_N_COMPUTE_NAMES]; /* the operation that launches each
                                                               compute kernel */

#endif
