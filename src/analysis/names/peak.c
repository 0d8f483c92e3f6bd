/*
 * Finds a device in the table of peaks.
 */
#include "analysis/names/peak.h"

#include "core/text.h"

#include <string.h>

static const struct nsc_peak peaks[] = {
#define NSC_PEAK(words, bf16, fp8, fp32, bytes) {words, bf16, fp8, fp32, bytes},
#include "analysis/names/peak.def"
#undef NSC_PEAK
};

static bool is_word_byte(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Whether word stands in text as a word of its own ("L4" is not in "L40S"), in any case. */
static bool has_word(struct nsc_text text, struct nsc_text word)
{
    for (uint32_t i = 0; i + word.n <= text.n; i++) {
        struct nsc_text part = {text.bytes + i, word.n};
        bool begins = i == 0 || !is_word_byte(text.bytes[i - 1]);
        bool ends = i + word.n == text.n || !is_word_byte(text.bytes[i + word.n]);

        if (begins && ends && nsc_text_contains_folded(part, word))
            return true;
    }
    return false;
}

static bool fits(struct nsc_text device, const char *words)
{
    while (*words) {
        size_t n = strcspn(words, " ");

        if (!has_word(device, (struct nsc_text){words, (uint32_t)n}))
            return false;
        words += n + (words[n] == ' ');
    }
    return true;
}

const struct nsc_peak *nsc_peak_find(struct nsc_text device)
{
    for (size_t i = 0; i < sizeof peaks / sizeof *peaks; i++)
        if (fits(device, peaks[i].words))
            return &peaks[i];
    return NULL;
}
