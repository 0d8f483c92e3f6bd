/*
 * Which framework a program uses, as far as the names of its kernels and ranges tell.
 */
#ifndef NSC_ANALYSIS_FRAMEWORK_H
#define NSC_ANALYSIS_FRAMEWORK_H

#include "nsyscope/trace.h"

/* Whether PyTorch runs in the program: one of its kernels ("at::native"), operators ("aten::") or
 * autograd threads ("pt_autograd_0") is in the trace. O(names + tracks). */
bool nsc_trace_is_pytorch(const struct nsc_trace *trace);

#endif
