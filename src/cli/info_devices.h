/*
 * What nsyscope info says of each GPU: its hardware as the export tells it, its streams and
 * kernels.
 *
 * One line a GPU in text, an object of the array "devices" in JSON (docs/json/info.schema.json).
 */
#ifndef NSC_CLI_INFO_DEVICES_H
#define NSC_CLI_INFO_DEVICES_H

#include "nsyscope/open.h"

#include "core/json_write.h"

/* The GPUs among the tracks [first, first + n) of an export of the trace. */
void nsc_info_print_devices(struct nsc_buf *out, const struct nsc_trace *trace,
                            struct nsc_capture *capture, uint32_t first, uint32_t n, bool ascii);
void nsc_info_write_devices(struct nsc_json *json, const struct nsc_trace *trace,
                            struct nsc_capture *capture, uint32_t first, uint32_t n);

#endif
