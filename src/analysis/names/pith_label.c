/*
 * Parses the label that names the rank of a process in a PithTrain run.
 */
#include "analysis/names/pith_label.h"

#include "core/chars.h"

#include <string.h>

enum key { KEY_RANK, KEY_PP, KEY_DP, KEY_CP, KEY_EP, KEY_MBS, KEY_SEQ, N_KEYS };

static const char *const key_words[N_KEYS] = {"rank", "pp", "dp", "cp", "ep", "mbs", "seq"};

/* Reads a number from [*at, end) and moves *at after it. */
static bool take_number(int64_t *out, const char **at, const char *end)
{
    bool negative = *at < end && **at == '-';
    const char *digit = *at + (*at < end && (**at == '-' || **at == '+'));
    int64_t value = 0;

    if (digit == end || *digit < '0' || *digit > '9')
        return false;
    for (; digit < end && *digit >= '0' && *digit <= '9'; digit++)
        if (__builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, *digit - '0', &value))
            return false;
    *out = negative ? -value : value;
    *at = digit;
    return true;
}

static bool parse_number(int64_t *out, struct nsc_text text)
{
    const char *at = text.bytes;

    return take_number(out, &at, text.bytes + text.n) && at == text.bytes + text.n;
}

static bool parse_mesh(struct nsc_pith_mesh *out, struct nsc_text text)
{
    const char *at = text.bytes;
    const char *end = text.bytes + text.n;

    if (!take_number(&out->rank, &at, end) || at == end || *at != '/')
        return false;
    at++;
    return take_number(&out->size, &at, end) && at == end;
}

/* The next word between blanks; false if there is none. */
static bool next_word(struct nsc_text *out, const char **at, const char *end)
{
    while (*at < end && nsc_is_blank(**at))
        ++*at;
    out->bytes = *at;
    while (*at < end && !nsc_is_blank(**at))
        ++*at;
    out->n = (uint32_t)(*at - out->bytes);
    return out->n > 0;
}

static void strip_semicolons(struct nsc_text *word)
{
    while (word->n && word->bytes[0] == ';') {
        word->bytes++;
        word->n--;
    }
    while (word->n && word->bytes[word->n - 1] == ';')
        word->n--;
}

bool nsc_pith_label_parse(struct nsc_pith_label *out, struct nsc_text text)
{
    struct nsc_text values[N_KEYS] = {{0}};
    struct nsc_text word;
    const char *at = text.bytes;

    while (next_word(&word, &at, text.bytes + text.n)) {
        const char *sign;

        strip_semicolons(&word);
        sign = word.n ? memchr(word.bytes, '=', word.n) : NULL;
        for (unsigned k = 0; sign && k < N_KEYS; k++) {
            size_t n = (size_t)(sign - word.bytes);

            if (strlen(key_words[k]) == n && memcmp(key_words[k], word.bytes, n) == 0)
                values[k] = (struct nsc_text){sign + 1, word.n - (uint32_t)n - 1};
        }
    }
    for (unsigned k = 0; k < N_KEYS; k++)
        if (!values[k].bytes)
            return false;
    return parse_number(&out->rank, values[KEY_RANK]) && parse_mesh(&out->pp, values[KEY_PP]) &&
           parse_mesh(&out->dp, values[KEY_DP]) && parse_mesh(&out->cp, values[KEY_CP]) &&
           parse_mesh(&out->ep, values[KEY_EP]) && parse_number(&out->mbs, values[KEY_MBS]) &&
           parse_number(&out->seq, values[KEY_SEQ]);
}

/* In the form "#" stands for one or more digits. */
bool nsc_pith_label_is_strict(struct nsc_text text)
{
    static const char form[] = "rank=#; pp=#/# dp=#/# cp=#/# ep=#/#; mbs=# seq=#";
    uint32_t at = 0;

    for (const char *f = form; *f; f++) {
        uint32_t first = at;

        if (*f != '#') {
            if (at == text.n || text.bytes[at++] != *f)
                return false;
            continue;
        }
        while (at < text.n && text.bytes[at] >= '0' && text.bytes[at] <= '9')
            at++;
        if (at == first)
            return false;
    }
    return at == text.n || (at + 1 == text.n && text.bytes[at] == '\n');
}
