/*
 * Finds a device in the table of peaks.
 */
#include "analysis/names/peak.h"

#include "core/text.h"

#include <string.h>

static const struct nsc_peak peaks[] = {
#define NSC_PEAK(words, type, half, fp8, fp32, bytes, sms) \
    {words, NSC_HALF_##type, half, fp8, fp32, bytes, sms},
#include "analysis/names/peak.def"
#undef NSC_PEAK
};

static bool is_word_byte(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Whether text contains word as a word of its own ("L4" is not in "L40S"), in any case. */
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

/* words of variants with other rates than the base part */
static const char *const variants[] = {"Ti",   "SUPER", "D",    "Laptop", "Max-Q",  "Mobile",
                                       "MIG",  "PCIe",  "NVL",  "FHHL",   "Server", "vGPU",
                                       "GRID", "SE",    "DGXS", "SXM3",   "64GB"};
/* suffixes of a part that keep the rates of its row */
static const char *const harmless[] = {"A100", "A800", "H800", "A30", "A40", "L4", "A10", "T4"};

static bool is_harmless(const char *words, const char *variant)
{
    for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++)
        if (strcmp(words, harmless[i]) == 0)
            return strcmp(variant, "PCIe") == 0;
    return false;
}

static bool is_variant(struct nsc_text device, const char *words)
{
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++)
        if (has_word(device, nsc_text_from(variants[i])) &&
            !has_word(nsc_text_from(words), nsc_text_from(variants[i])) &&
            !is_harmless(words, variants[i]))
            return true;
    return false;
}

static bool has_words(struct nsc_text device, const char *words)
{
    while (*words) {
        size_t n = strcspn(words, " ");

        if (!has_word(device, (struct nsc_text){words, (uint32_t)n}))
            return false;
        words += n + (words[n] == ' ');
    }
    return true;
}

static bool fits(struct nsc_text device, const char *words)
{
    return !is_variant(device, words) && has_words(device, words);
}

const struct nsc_peak *nsc_peak_find(struct nsc_text device)
{
    for (size_t i = 0; i < sizeof peaks / sizeof *peaks; i++)
        if (fits(device, peaks[i].words))
            return &peaks[i];
    return NULL;
}

const struct nsc_peak *nsc_peak_find_part(struct nsc_text device, int64_t sms)
{
    const struct nsc_peak *peak = nsc_peak_find(device);

    return peak && (sms == 0 || peak->sms == 0 || peak->sms == sms) ? peak : NULL;
}

double nsc_link_peak_find(struct nsc_text device)
{
    /* NVIDIA's data sheets give the sum of both directions; boards without NVSwitch have bridges or
     * none */
    static const char *const without[] = {"PCIe", "NVL", "MIG", "FHHL", NULL};
    static const struct {
        const char *words;
        double link;
    } links[] = {{"GB300", 900},     {"B300", 900},      {"GB200", 900},     {"B200", 900},
                 {"GH200", 450},     {"H200", 450},      {"H100 HBM3", 450}, {"H100 SXM5", 450},
                 {"H20", 450},       {"H800", 200},      {"A100 SXM4", 300}, {"A100 SXM", 300},
                 {"A800 SXM4", 200}, {"V100 SXM2", 150}, {"V100 SXM3", 150}};

    for (size_t i = 0; without[i]; i++)
        if (has_word(device, nsc_text_from(without[i])))
            return 0;
    for (size_t i = 0; i < sizeof links / sizeof *links; i++)
        if (has_words(device, links[i].words))
            return links[i].link;
    return 0;
}
