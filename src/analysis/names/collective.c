/*
 * Finds collectives and ranks in names.
 */
#include "analysis/names/collective.h"

#include "core/text.h"

#include <string.h>

static const struct {
    const char *word; /* for people */
    const char *text; /* searched in names; lower case, without underscores */
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

/* Whether the text is at this place of the name. */
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

#define SHOWN 512 /* bytes of a name that are searched */

/* The name in lower case, without the characters that join words. */
static void squeeze(char out[SHOWN + 1], struct nsc_text name)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < name.n && n < SHOWN; i++) {
        char c = name.bytes[i];

        if (c == '-' || c == '_' || c == ' ' || c == '\0')
            continue;
        out[n++] = nsc_ascii_lower(c);
    }
    out[n] = '\0';
}

const char *nsc_nccl_word(struct nsc_text name)
{
    static const struct {
        const char *word;
        bool only_nccl;
    } words[] = {{"allreduce", false}, {"allgather", false}, {"reducescatter", false},
                 {"alltoall", false},  {"broadcast", true},  {"sendrecv", true}};
    char text[SHOWN + 1];

    squeeze(text, name);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strstr(text, words[i].word) && (!words[i].only_nccl || strstr(text, "nccl")))
            return words[i].word;
    return NULL;
}

bool nsc_nccl_named(struct nsc_text name)
{
    char text[SHOWN + 1];

    squeeze(text, name);
    return strstr(text, "nccl") != NULL;
}

bool nsc_nccl_rank(uint64_t *out, struct nsc_text name)
{
    char text[SHOWN + 1];
    const char *at;

    squeeze(text, name);
    at = strstr(text, "rank");
    if (!at)
        return false;
    at += 4;
    at += *at == '"';
    if (*at != '=' && *at != ':')
        return false;
    at++;
    at += *at == '"';
    if (*at < '0' || *at > '9')
        return false;
    for (*out = 0; *at >= '0' && *at <= '9' && *out < 100000000; at++)
        *out = *out * 10 + (uint64_t)(*at - '0');
    return true;
}

bool nsc_mpi_is_meeting(struct nsc_text name)
{
    static const char *const words[] = {"mpi_barrier",  "mpi_allreduce",      "mpi_allgather",
                                        "mpi_alltoall", "mpi_reduce_scatter", NULL};

    return nsc_text_contains_any(name, words);
}
