/*
 * Names of files made from an export.
 */
#ifndef NSC_CLI_FILE_NAME_H
#define NSC_CLI_FILE_NAME_H

#include "core/buf.h"

#include <stdint.h>

/* The last part of a path; all of it if that is empty. */
const char *nsc_file_leaf(const char *path);
/* Appends "2_trace": the export's number, for uniqueness, and the last part of its path without
 * suffix. */
void nsc_file_number_name(struct nsc_buf *out, const char *path, uint32_t number);

#endif
