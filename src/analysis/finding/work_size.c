/* Compares the sizes in the texts, and the grids of the kernels, of two iterations. */
#include "analysis/finding/work_size.h"

#include "core/chars.h"
#include "core/text.h"

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

/* Whether growth explains at least half of the longer period. */
static bool explains(double before, double after, const struct nsc_iterations *all)
{
    double longer = (double)all->level_after / (double)all->level_before - 1;

    return before > 0 && longer > 0 && after / before - 1 >= longer / 2;
}

/* Whether the k-th of n sizes counts iterations: it grows by the same at both. "batch 17" is a
 * number. */
static bool is_counter(const struct nsc_trace *trace, const struct nsc_iterations *all,
                       uint32_t early, uint32_t late, uint32_t k, uint32_t n)
{
    const uint32_t at[] = {early > 0 ? early - 1 : early, early > 0 ? early : early + 1, late - 1,
                           late};
    double value[4];

    for (int i = 0; i < 4; i++) {
        struct size sizes[SIZES];

        if (sizes_of(sizes, trace, all, at[i]) != n)
            return true;
        value[i] = sizes[k].value;
    }
    return value[1] > value[0] && value[3] - value[2] >= value[1] - value[0] &&
           value[3] - value[2] <= value[1] - value[0];
}

static bool texts_grow(struct nsc_buf *out, const struct nsc_trace *trace,
                       const struct nsc_iterations *all, uint32_t early, uint32_t late)
{
    struct size before[SIZES], after[SIZES];
    uint32_t n = sizes_of(before, trace, all, early);

    if (sizes_of(after, trace, all, late) != n)
        return false;
    for (uint32_t i = 0; i < n; i++)
        if (strcmp(before[i].word, after[i].word) == 0 &&
            explains(before[i].value * before[i].value, after[i].value * after[i].value, all) &&
            !is_counter(trace, all, early, late, i, n)) {
            nsc_buf_printf(out, "%s grows from %.0f to %.0f", before[i].word, before[i].value,
                           after[i].value);
            return true;
        }
    return false;
}

double nsc_kernel_blocks(const struct nsc_fields *kernels, nsc_event kernel)
{
    uint32_t row = nsc_fields_find(kernels, kernel);
    double blocks = 1;

    for (uint32_t k = 0; k < 3; k++) {
        int64_t n = 0;

        blocks *= nsc_fields_int(&n, kernels, NSC_KERNEL_GRID + k, row) ? (double)n : 0;
    }
    return blocks;
}

/* The blocks of the grids of all kernels that begin in an iteration's window. */
static double count_blocks(const struct nsc_trace *trace, const struct nsc_fields *kernels,
                           struct nsc_window window)
{
    const struct nsc_events *events = nsc_trace_events(trace);
    struct nsc_scope scope = nsc_scope_all(trace);
    double blocks = 0;

    scope.window = window;
    for (struct nsc_scope_cursor at = nsc_scope_open(&scope, NSC_TRACK_BIT(NSC_TRACK_STREAM));
         nsc_scope_next(&at);)
        if (events->kind[at.row] == NSC_KIND_KERNEL && events->start[at.row] >= window.t0)
            blocks += nsc_kernel_blocks(kernels, at.row);
    return blocks;
}

static bool grids_grow(struct nsc_buf *out, const struct nsc_trace *trace,
                       const struct nsc_field_sets *fields, const struct nsc_iterations *all,
                       uint32_t early, uint32_t late)
{
    const struct nsc_fields *kernels;
    double before, after;

    if (nsc_trace_events(trace)->n > NSC_GRIDS_MOST)
        return false;
    kernels = nsc_field_set(fields, NSC_FIELDS_KERNELS);
    if (!kernels)
        return false;
    before = count_blocks(trace, kernels, all->at[early].window);
    after = count_blocks(trace, kernels, all->at[late].window);
    if (!explains(before, after, all))
        return false;
    nsc_buf_printf(out, "the grids of the kernels grow by %.0f %%", 100 * (after / before - 1));
    return true;
}

/* The iteration of the most frequent kind at or next to i, towards the side. */
static uint32_t usual_near(const struct nsc_iterations *all, uint32_t i, int side)
{
    while (all->at[i].kind != 0 && i > 0 && i + 1 < all->n)
        i = (uint32_t)((int64_t)i + side);
    return i;
}

bool nsc_work_grows(struct nsc_buf *out, const struct nsc_scope *scope,
                    const struct nsc_field_sets *fields, const struct nsc_iterations *all,
                    uint32_t early, uint32_t late)
{
    early = usual_near(all, early, 1);
    late = usual_near(all, late, -1);
    if (late <= early)
        return false;
    return texts_grow(out, scope->trace, all, early, late) ||
           grids_grow(out, scope->trace, fields, all, early, late);
}
