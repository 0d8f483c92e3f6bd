/* Recognizes the framework of a program by the names of its kernels and ranges. */
#ifndef NSC_ANALYSIS_FRAMEWORK_H
#define NSC_ANALYSIS_FRAMEWORK_H

#include "nsyscope/trace.h"

/* Whether the program runs PyTorch: the trace has one of its kernels ("at::native"), operators
 * ("aten::") or autograd threads ("pt_autograd_0"). O(names + tracks). */
bool nsc_trace_is_pytorch(const struct nsc_trace *trace);

#endif
