/* Compares the sizes in the texts of two iterations. */
#include "analysis/finding/work_size.h"

#include "core/chars.h"
#include "core/text.h"

#include <math.h>
#include <string.h>

enum { SIZES = 8, WORD_BYTES = 24 };

/* A number of a text and the word before it. */
struct size {
    char word[WORD_BYTES];
    double value;
};

/* Memory that grows is a leak, no work. */
static bool is_size(const char *word)
{
    static const char *const words[] = {"len",   "batch",  "bs",   "size", "ctx",  "context", "res",
                                        "width", "height", "atom", "node", "cell", "elem"};

    static const char *const memory[] = {"mem", "alloc", "cache", "heap", "rss", "used"};

    for (size_t i = 0; i < sizeof memory / sizeof *memory; i++)
        if (strstr(word, memory[i]))
            return false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strstr(word, words[i]))
            return true;
    return false;
}

static bool is_letter(char c)
{
    c = nsc_ascii_lower(c);
    return (c >= 'a' && c <= 'z') || c == '_';
}

/* The numbers behind a word for a size. */
static uint32_t read_sizes(struct size out[SIZES], struct nsc_text text)
{
    uint32_t n = 0, letters = 0, at = 0;
    char word[WORD_BYTES] = "";

    while (at < text.n && n < SIZES) {
        char c = text.bytes[at];

        if (nsc_is_digit(c)) {
            double value = 0;

            for (; at < text.n && nsc_is_digit(text.bytes[at]); at++)
                value = 10 * value + (text.bytes[at] - '0');
            if (word[0] && is_size(word)) {
                memcpy(out[n].word, word, sizeof word);
                out[n++].value = value;
            }
            word[0] = '\0';
            letters = 0;
            continue;
        }
        if (is_letter(c)) {
            letters = at > 0 && is_letter(text.bytes[at - 1]) ? letters : 0;
            if (letters < WORD_BYTES - 1) {
                word[letters++] = nsc_ascii_lower(c);
                word[letters] = '\0';
            }
        }
        at++;
    }
    return n;
}

/* Reads the sizes in the text of an iteration's range; 0 without a range. */
static uint32_t sizes_of(struct size out[SIZES], const struct nsc_trace *trace,
                         const struct nsc_iterations *all, uint32_t i)
{
    char scratch[NSC_NAME_BYTES];
    nsc_event event = all->at[i].event;

    if (event == NSC_NONE || nsc_trace_events(trace)->kind[event] != NSC_KIND_NVTX_RANGE)
        return 0;
    return read_sizes(out, nsc_trace_event_text(trace, event, false, scratch));
}

bool nsc_texts_grow(struct nsc_buf *out, const struct nsc_trace *trace,
                    const struct nsc_iterations *all, uint32_t early, uint32_t late, double least)
{
    struct size before[SIZES], after[SIZES];
    uint32_t n = sizes_of(before, trace, all, early);

    if (sizes_of(after, trace, all, late) != n)
        return false;
    for (uint32_t i = 0; i < n; i++) {
        double ratio = before[i].value > 0 ? after[i].value / before[i].value : 0;
        bool is_counter = fmod(after[i].value - before[i].value, late - early) < 0.5;

        if (strcmp(before[i].word, after[i].word) == 0 && ratio * ratio >= least && !is_counter) {
            nsc_buf_printf(out, "%s grows from %.0f to %.0f", before[i].word, before[i].value,
                           after[i].value);
            return true;
        }
    }
    return false;
}
