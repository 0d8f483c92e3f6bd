/*
 * Collectives by words in names.
 */
#include "analysis/names/collective.h"

#include "core/text.h"

static const struct {
    const char *word; /* as people write it */
    const char *text; /* what a name holds, lower case, without underscores */
} collectives[NSC_N_COLLECTIVES] = {
    [NSC_COLLECTIVE_ALLGATHER] = {"AllGather", "allgather"},
    [NSC_COLLECTIVE_REDUCESCATTER] = {"ReduceScatter", "reducescatter"},
    [NSC_COLLECTIVE_ALLREDUCE] = {"AllReduce", "allreduce"},
    [NSC_COLLECTIVE_BROADCAST] = {"Broadcast", "broadcast"},
    [NSC_COLLECTIVE_SENDRECV] = {"SendRecv", "sendrecv"},
    [NSC_COLLECTIVE_ALLTOALL] = {"AllToAll", "alltoall"},
    [NSC_COLLECTIVE_REDUCE] = {"Reduce", "reduce"},
    [NSC_COLLECTIVE_OTHER] = {"other", ""},
};

/* Whether the name from here on goes on with the text. */
static bool stands_at(struct nsc_text name, uint32_t at, const char *text)
{
    for (; *text; at++) {
        char c;

        if (at >= name.n)
            return false;
        c = nsc_ascii_lower(name.bytes[at]);
        if (c == '_')
            continue;
        if (c != *text++)
            return false;
    }
    return true;
}

enum nsc_collective nsc_collective_of(struct nsc_text name)
{
    for (unsigned i = 0; i < NSC_COLLECTIVE_OTHER; i++)
        for (uint32_t at = 0; at < name.n; at++)
            if (stands_at(name, at, collectives[i].text))
                return (enum nsc_collective)i;
    return NSC_COLLECTIVE_OTHER;
}

const char *nsc_collective_word(enum nsc_collective collective)
{
    return collectives[collective].word;
}
