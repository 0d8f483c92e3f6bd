/*
 * Recognizes programs by the names of kernels, ranges and threads.
 */
#include "analysis/names/framework.h"

#include "core/text.h"
#include "index/names.h"

#include <string.h>

/* Whether the name of a thread or an event contains one of the words, in any case. */
static bool says(const struct nsc_trace *trace, const char *const words[])
{
    uint32_t n_tracks = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(trace, &n_tracks);

    for (uint32_t t = 0; t < n_tracks; t++)
        if (nsc_text_contains_any(nsc_trace_string(trace, tracks[t].label), words))
            return true;
    for (nsc_name i = 0; i < nsc_trace_names(trace)->n; i++)
        if (nsc_text_contains_any(nsc_name_text(trace, i), words))
            return true;
    return false;
}

/* Whether a name is "step", "Step 7" or the like. */
static bool has_steps(const struct nsc_trace *trace)
{
    static const char *const words[] = {"step", "iteration", "epoch"};
    for (nsc_name i = 0; i < nsc_trace_names(trace)->n; i++) {
        struct nsc_text name = nsc_name_text(trace, i);

        while (name.n > 0 && strchr("0123456789 _#", name.bytes[name.n - 1]))
            name.n--;
        for (int w = 0; w < 3; w++)
            if (name.n == strlen(words[w]) &&
                nsc_text_contains_folded(name, nsc_text_from(words[w])))
                return true;
    }
    return false;
}

bool nsc_trace_is_pytorch(const struct nsc_trace *trace)
{
    return says(trace, (const char *const[]){"at::native::", "aten::", "autograd::engine",
                                             "pt_autograd", NULL});
}

enum nsc_purpose nsc_trace_purpose(const struct nsc_trace *trace)
{
    static const char *const training[] = {
        "optimizer",    "backward",           "_bwd",        "fusedadam",
        "adamw",        "multi_tensor_apply", "pt_autograd", "autograd::engine",
        "profilerstep", "train_step",         "training",    NULL};
    static const char *const serving[] = {
        "vllm",         "sglang",  "tensorrt_llm", "trtllm",  "tritonserver",    "enginecore",
        "llama-server", "uvicorn", "gunicorn",     "prefill", "paged_attention", NULL};

    if (says(trace, training))
        return NSC_PURPOSE_TRAINING;
    if (says(trace, serving))
        return NSC_PURPOSE_SERVING;
    return has_steps(trace) ? NSC_PURPOSE_TRAINING : NSC_PURPOSE_UNKNOWN;
}
