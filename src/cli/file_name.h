/*
 * What files that are made of an export are called by.
 */
#ifndef NSC_CLI_FILE_NAME_H
#define NSC_CLI_FILE_NAME_H

#include "core/buf.h"

#include <stdint.h>

/* Bytes of the path without ".sqlite". */
size_t nsc_file_stem(const char *path);
/* Appends "2_trace": the number among several exports, so that no two are called alike, and the
 * last part of the path's stem. */
void nsc_file_number_name(struct nsc_buf *out, const char *path, uint32_t number);

#endif
