/*
 * Facts about each GPU for nsyscope info: its hardware, streams and kernels.
 *
 * One line per GPU in text, one row of the sheet "devices" for programs.
 */
#ifndef NSC_CLI_INFO_DEVICES_H
#define NSC_CLI_INFO_DEVICES_H

#include "nsyscope/open.h"

#include "core/sheet.h"

struct nsc_sheet *nsc_info_devices_sheet(struct nsc_sheets *sheets);
/* Adds the GPUs of one export to the sheet, or appends their lines if it is NULL. *trouble: set if
 * their hardware cannot be read (NSC_EIO, NSC_EDAMAGED); the rest is told. */
void nsc_info_devices(struct nsc_buf *out, struct nsc_sheet *sheet, const struct nsc_trace *trace,
                      struct nsc_capture *capture, const struct nsc_trace_info *info,
                      struct nsc_error *trouble);

/* Whether a table is missing and no other has the same data; if several could, only the first
 * counts. */
bool nsc_info_lacks(const struct nsc_table_status tables[], uint32_t n, uint32_t i);

#endif
