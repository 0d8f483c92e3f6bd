/* Compares the words of a question with the words of skills. */
#include "analysis/skill/route.h"

#include "core/chars.h"
#include "core/text.h"

#include <stdio.h>
#include <string.h>

enum { WORD_BYTES = 48 };

static const char little[] =
    " a an and are at be by can do does each for from has have how i in is it its me"
    " much my no not of on one or so that the them there they this to was were what"
    " when where which with you your show tell give ";

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           (unsigned char)c >= 0x80;
}

/* The next word of text in lower case; false at the end. Longer words are cut. */
static bool next_word(const char **text, char out[WORD_BYTES], const char *joins)
{
    size_t n = 0;

    while (**text && !is_letter(**text) && !strchr(joins, **text))
        ++*text;
    for (; **text && (is_letter(**text) || strchr(joins, **text)); ++*text)
        if (n < WORD_BYTES - 1)
            out[n++] = nsc_ascii_lower(**text);
    out[n] = '\0';
    return n > 0;
}

static bool is_little(const char *word)
{
    char between[WORD_BYTES + 2];

    (void)snprintf(between, sizeof between, " %s ", word);
    return strstr(little, between) != NULL;
}

/* "gap*" matches any word that begins with "gap"; a plural equals its singular. */
static bool is_match(const char *word, const char *wanted)
{
    size_t n = strlen(wanted);
    size_t length = strlen(word);

    if (n > 0 && wanted[n - 1] == '*')
        return strncmp(word, wanted, n - 1) == 0;
    return strncmp(word, wanted, n) == 0 && (length == n || (length == n + 1 && word[n] == 's'));
}

static bool has_word(const char *list, const char *word)
{
    char wanted[WORD_BYTES];

    while (next_word(&list, wanted, "*"))
        if (!is_little(wanted) && is_match(word, wanted))
            return true;
    return false;
}

static uint32_t rate_word(const struct nsc_route_entry *entry, const char *word)
{
    if (has_word(entry->words, word))
        return 3;
    if (has_word(entry->name, word))
        return 2;
    return has_word(entry->question, word) ? 1 : 0;
}

/* Words of questions that no answer repeats. */
static const char plain[] =
    "time* long longest take* took last* spend* spent program* process* job model network code our "
    "train* training inference run* running recording trace export gpu* cpu host cuda happen* go "
    "goes went come comes get* got make* made use* used using want need* will would could should "
    "if any all total overall everything anything most more many often really please find "
    "see look due thing* now then than but just only between during while number* count* kind* "
    "exactly work* did being been am as up down out into over about per across us whole there's "
    "what's it's know explain list name* help* think good best big bigger biggest lot too very "
    "well doing pass behind h2d d2h d2d p2p host-waits gpu-waits second* call* cost* expensive "
    "share "
    "percent* dominat* gain* output worth main currently who whom torch pytorch optimize optimise "
    "optimizing optimised optimized tune tuned tuning";

bool nsc_route_is_plain(const char *text)
{
    char word[WORD_BYTES];

    return !next_word(&text, word, "") || is_little(word) || has_word(plain, word);
}

/* The length of a word without an ending of English. */
static size_t stem_of(const char *word)
{
    static const char *const endings[] = {"ing", "ed", "es", "s", "ly", "e"};
    size_t n = strlen(word);

    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        size_t m = strlen(endings[i]);

        if (n > m + 2 && strcmp(word + n - m, endings[i]) == 0)
            return n - m;
    }
    return n;
}

static bool has_stem(struct nsc_text text, const char *word)
{
    return nsc_text_contains_folded(text, (struct nsc_text){word, (uint32_t)stem_of(word)});
}

uint32_t nsc_route_unheard(struct nsc_buf *out, const char *question, const char *const heard[],
                           uint32_t n)
{
    char word[WORD_BYTES];
    uint32_t n_unheard = 0;

    while (next_word(&question, word, "")) {
        bool is_heard = nsc_route_is_plain(word) || (stem_of(word) < 3 && !nsc_is_digit(word[0]));

        for (uint32_t i = 0; i < n && !is_heard; i++)
            is_heard = has_word(heard[i], word) ||
                       (!nsc_is_digit(word[0]) && has_stem(nsc_text_from(heard[i]), word));
        n_unheard += !is_heard;
        if (!is_heard)
            nsc_buf_printf(out, "%s\"%s\"", out->n ? ", " : "", word);
    }
    return n_unheard;
}

bool nsc_route_names(struct nsc_text text, const char *words)
{
    char word[WORD_BYTES];

    while (next_word(&words, word, ""))
        if (!nsc_route_is_plain(word) && stem_of(word) >= 5 && has_stem(text, word))
            return true;
    return false;
}

static uint32_t rate(const struct nsc_route_entry *entry, const char *question)
{
    char word[WORD_BYTES];
    char other[WORD_BYTES];
    uint32_t score = 0;

    for (const char *at = question, *first = question; next_word(&at, word, ""); first = question) {
        while (next_word(&first, other, "") && strcmp(other, word) != 0)
            continue;
        if (first == at && !is_little(word))
            score += rate_word(entry, word);
    }
    return score;
}

uint32_t nsc_route_find(struct nsc_route out[], uint32_t max,
                        const struct nsc_route_entry entries[], uint32_t n, const char *question)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < n; i++) {
        struct nsc_route route = {i, rate(&entries[i], question)};
        uint32_t at = kept;

        while (at > 0 && out[at - 1].score < route.score)
            at--;
        if (route.score == 0 || at >= max)
            continue;
        if (kept < max)
            kept++;
        memmove(out + at + 1, out + at, (kept - 1 - at) * sizeof *out);
        out[at] = route;
    }
    while (kept > 0 && out[kept - 1].score * 2 < out[0].score)
        kept--;
    return kept;
}
