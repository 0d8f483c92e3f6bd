/*
 * A report of Nsight Compute as sheets.
 */
#ifndef NSC_CLI_CMD_NCU_REPORT_H
#define NSC_CLI_CMD_NCU_REPORT_H

#include "analysis/base/scope.h"
#include "cli/options.h"
#include "core/sheet.h"

/*
 * Reads a CSV report and adds its sheets; with a scope (else NULL) also the counters beside its
 * kernels. peak: FLOP/s for MFU; 0: that of the scope's devices, if known. NSC_EIO; NSC_EINVAL or
 * NSC_EFORMAT: not such a report.
 */
NSC_NODISCARD enum nsc_status nsc_ncu_report_read(struct nsc_sheets *out, const char *path,
                                                  const struct nsc_scope *scope, double peak,
                                                  struct nsc_error *error);

#endif
