/*
 * Recognizes communication kernels by name.
 */
#include "core/text.h"
#include "index/names.h"

#include <string.h>

enum match { IN_BRIEF, IN_EITHER, IS_BRIEF };

/* Lower-case patterns; IN_EITHER: only the full name has the telling namespace. */
static const struct pattern {
    const char *text;
    enum match match;
} patterns[] = {
    {"nccl", IN_BRIEF}, /* NCCL, and the ncclDevKernel names of RCCL */
    {"rccl", IN_BRIEF},
    {"msccl", IN_BRIEF}, /* MSCCL, MSCCL++ */
    {"nvshmem", IN_EITHER},
    {"deep_ep", IN_EITHER}, /* DeepEP: namespace deep_ep */
    {"deepep", IN_EITHER},
    {"hybrid_ep", IN_EITHER},
    {"hybridep", IN_EITHER},
    {"userbuffers", IN_EITHER}, /* collectives of Transformer Engine */
    {"all_reduce", IN_BRIEF},
    {"allreduce", IN_BRIEF},
    {"all_gather", IN_BRIEF},
    {"allgather", IN_BRIEF},
    {"reduce_scatter", IN_BRIEF},
    {"reducescatter", IN_BRIEF},
    {"alltoall", IN_BRIEF},
    {"all_to_all", IN_BRIEF},
    {"cross_device_reduce", IN_BRIEF}, /* custom all-reduce of vLLM */
    {"multimem_", IN_BRIEF},           /* symmetric memory */
    {"sendrecv", IN_BRIEF},
    {"dispatch",
     IS_BRIEF}, /* expert parallelism: compares the whole brief name, because many other kernels */
    {"combine", IS_BRIEF}, /* contain these words (flash_fwd_splitkv_combine_kernel) */
    {"notify_dispatch", IS_BRIEF},
    {"cached_notify_dispatch", IS_BRIEF},
    {"cached_notify_combine", IS_BRIEF},
    {"get_dispatch_layout", IS_BRIEF},
    {"dispatch_kernel", IS_BRIEF},
    {"combine_kernel", IS_BRIEF},
};

/* Whether the pattern is at this place of the text. */
static bool stands_at(struct nsc_text text, uint32_t at, const char *pattern)
{
    for (uint32_t i = 0; pattern[i]; i++)
        if (at + i >= text.n || nsc_ascii_lower(text.bytes[at + i]) != pattern[i])
            return false;
    return true;
}

static bool contains(struct nsc_text text, const char *pattern)
{
    for (uint32_t at = 0; at < text.n; at++)
        if (stands_at(text, at, pattern))
            return true;
    return false;
}

bool nsc_comm_is_kernel(struct nsc_text full, struct nsc_text brief)
{
    for (size_t i = 0; i < sizeof patterns / sizeof patterns[0]; i++) {
        const char *text = patterns[i].text;
        bool whole = brief.n == strlen(text) && stands_at(brief, 0, text);

        if (patterns[i].match == IS_BRIEF ? whole : contains(brief, text))
            return true;
        if (patterns[i].match == IN_EITHER && contains(full, text))
            return true;
    }
    return false;
}

bool nsc_comm_is_nccl(struct nsc_text brief)
{
    return contains(brief, "nccl");
}
