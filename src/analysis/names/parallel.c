/*
 * Reads names word by word.
 */
#include "analysis/names/parallel.h"

#include "core/text.h"

#include <string.h>

const char *nsc_parallel_word(enum nsc_parallel of)
{
    static const char *const words[NSC_N_PARALLELS] = {NULL, "TP", "DP", "PP", "EP", "CP"};

    return words[of];
}

static bool is_letter(char c)
{
    return nsc_ascii_lower(c) >= 'a' && nsc_ascii_lower(c) <= 'z';
}

/* Whether the text contains the word without adjacent letters, in any case. */
static bool has_word(struct nsc_text text, const char *word)
{
    uint32_t n = (uint32_t)strlen(word);

    for (uint32_t i = 0; i + n <= text.n; i++) {
        uint32_t k = 0;

        while (k < n && nsc_ascii_lower(text.bytes[i + k]) == word[k])
            k++;
        if (k == n && (i == 0 || !is_letter(text.bytes[i - 1])) &&
            (i + n == text.n || !is_letter(text.bytes[i + n])))
            return true;
    }
    return false;
}

static bool contains(struct nsc_text text, const char *word)
{
    return nsc_text_contains_folded(text, nsc_text_from(word));
}

static bool is_communication(struct nsc_text text)
{
    static const char *const parts[] = {"reduce",    "gather", "scatter", "all_to_all",
                                        "alltoall",  "a2a",    "nccl",    "dispatch",
                                        "broadcast", "p2p",    NULL};
    static const char *const words[] = {"send",    "recv", "comm",     "group", "sync",
                                        "combine", "ring", "exchange", "bcast", "sendrecv"};

    if (nsc_text_contains_any(text, parts))
        return true;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (has_word(text, words[i]))
            return true;
    return false;
}

enum nsc_parallel nsc_parallel_of(struct nsc_text name)
{
    static const struct {
        const char *word, *whole;
    } of[NSC_N_PARALLELS] = {[NSC_PARALLEL_TP] = {"tp", "tensor"},
                             [NSC_PARALLEL_DP] = {"dp", "data"},
                             [NSC_PARALLEL_PP] = {"pp", "pipeline"},
                             [NSC_PARALLEL_EP] = {"ep", "expert"},
                             [NSC_PARALLEL_CP] = {"cp", "context"}};
    bool is_whole = contains(name, "parallel");
    enum nsc_parallel found = NSC_PARALLEL_UNKNOWN;

    for (unsigned i = 1; i < NSC_N_PARALLELS; i++) {
        if (!has_word(name, of[i].word) && !(is_whole && has_word(name, of[i].whole)))
            continue;
        if (found != NSC_PARALLEL_UNKNOWN)
            return NSC_PARALLEL_UNKNOWN;
        found = (enum nsc_parallel)i;
    }
    return is_communication(name) ? found : NSC_PARALLEL_UNKNOWN;
}
