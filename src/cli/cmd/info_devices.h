/*
 * Facts about each GPU for nsyscope info: its hardware, streams and kernels.
 *
 * One line per GPU in text, one object of the array "devices" in JSON (docs/json/info.schema.json).
 */
#ifndef NSC_CLI_INFO_DEVICES_H
#define NSC_CLI_INFO_DEVICES_H

#include "nsyscope/open.h"

#include "core/json_write.h"

/* Prints the GPUs of one export. *trouble: set if their hardware cannot be read (NSC_EIO,
 * NSC_EDAMAGED); the rest is printed. */
void nsc_info_print_devices(struct nsc_buf *out, const struct nsc_trace *trace,
                            struct nsc_capture *capture, const struct nsc_trace_info *info,
                            bool ascii, struct nsc_error *trouble);
void nsc_info_write_devices(struct nsc_json *json, const struct nsc_trace *trace,
                            struct nsc_capture *capture, const struct nsc_trace_info *info,
                            struct nsc_error *trouble);

/* Whether a table is missing and no other has the same data; if several could, only the first
 * counts. */
bool nsc_info_lacks(const struct nsc_table_status tables[], uint32_t n, uint32_t i);

#endif
