/* Recognizes what a program is by the names of its threads, kernels, calls and ranges. Each question is O(names + tracks). */
#ifndef NSC_ANALYSIS_FRAMEWORK_H
#define NSC_ANALYSIS_FRAMEWORK_H

#include "nsyscope/trace.h"

/* Whether the program runs PyTorch: the trace has one of its kernels ("at::native"), operators
 * ("aten::") or autograd threads ("pt_autograd_0"). */
bool nsc_trace_is_pytorch(const struct nsc_trace *trace);

enum nsc_purpose {
    NSC_PURPOSE_UNKNOWN,
    NSC_PURPOSE_TRAINING, /* an optimizer, a backward pass, autograd threads; or ranges named step in
                           * a program that is not like a server */
    NSC_PURPOSE_SERVING   /* a server of language models, or its passes and kernels */
};

enum nsc_purpose nsc_trace_purpose(const struct nsc_trace *trace);

#endif
