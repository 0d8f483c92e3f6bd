/*
 * Scores a text by dynamic programming over the places of the pattern's bytes.
 */
#include "core/text.h"
#include "view/kit/words.h"

enum {
    TEXT_BYTES = 256,
    PATTERN_BYTES = 64,
    JOINED = 1000,
    AT_WORD = 800,
    AT_CAPITAL = 700,
    OUTER_GAP = 5,
    INNER_GAP = 10,
    NEVER = INT32_MIN / 2
};

static bool is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

static bool is_lower_or_digit(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

static bool is_of_word(char c)
{
    return is_upper(c) || is_lower_or_digit(c) || (unsigned char)c >= 0x80;
}

/* The bonus of a matched byte whose predecessor is not matched. */
static int32_t worth_of(struct nsc_text text, uint32_t at)
{
    char c = text.bytes[at];
    char before = at ? text.bytes[at - 1] : ' ';

    if (is_of_word(c) && !is_of_word(before))
        return AT_WORD;
    return is_upper(c) && is_lower_or_digit(before) ? AT_CAPITAL : 0;
}

/* Folds the pattern to lower case without blanks; returns PATTERN_BYTES + 1 if it is too long. */
static uint32_t pattern_fold(char out[PATTERN_BYTES], struct nsc_text pattern)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < pattern.n; i++) {
        if (pattern.bytes[i] == ' ')
            continue;
        if (n == PATTERN_BYTES)
            return PATTERN_BYTES + 1;
        out[n++] = nsc_ascii_lower(pattern.bytes[i]);
    }
    return n;
}

static bool has_in_order(struct nsc_text text, const char *pattern, uint32_t n)
{
    uint32_t p = 0;

    for (uint32_t i = 0; i < text.n && p < n; i++)
        p += nsc_ascii_lower(text.bytes[i]) == pattern[p];
    return p == n;
}

static int32_t greater(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

/*
 * Adds one byte of the pattern. ends[i] is the best score with the previous byte at i, and is
 * replaced by the best with this byte at i. first: there is no previous byte.
 */
static void row_step(int32_t ends[TEXT_BYTES], struct nsc_text text, char c, bool first)
{
    int32_t best = NEVER;   /* best with the previous byte left of i - 1, minus gaps */
    int32_t before = NEVER; /* with the previous byte at i - 1 */

    for (uint32_t i = 0; i < text.n; i++) {
        int32_t here = ends[i];

        ends[i] = NEVER;
        if (nsc_ascii_lower(text.bytes[i]) == c)
            ends[i] = first ? worth_of(text, i) - OUTER_GAP * (int32_t)i
                            : greater(before + JOINED, best + worth_of(text, i));
        best = greater(best, before) - INNER_GAP;
        before = here;
    }
}

int32_t nsc_fuzzy_score(struct nsc_text text, struct nsc_text pattern)
{
    int32_t ends[TEXT_BYTES] = {0};
    char folded[PATTERN_BYTES];
    uint32_t n = pattern_fold(folded, pattern);
    int32_t best = NEVER;

    text.n = text.n < TEXT_BYTES ? text.n : TEXT_BYTES;
    if (n == 0)
        return 0;
    if (n > PATTERN_BYTES || !has_in_order(text, folded, n))
        return NSC_FUZZY_NONE;
    for (uint32_t p = 0; p < n; p++)
        row_step(ends, text, folded[p], p == 0);
    for (uint32_t i = 0; i < text.n; i++)
        best = greater(best, ends[i] - OUTER_GAP * (int32_t)(text.n - 1 - i));
    return best;
}
