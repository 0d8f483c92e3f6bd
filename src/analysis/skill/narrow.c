/*
 * Reads times, GPUs, streams, iterations and names from a question: splits it into tokens, and
 * tries the patterns that may begin at each.
 */
#include "analysis/skill/narrow.h"

#include "core/text.h"
#include "core/units.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TOKENS = 96, WORD = 48 };

enum token_kind { WORDS, NUMBER, DASH, QUOTED, OTHER };

struct token {
    uint8_t kind;
    bool is_used;
    uint16_t at, n;  /* position in the question; without quotes for QUOTED */
    char word[WORD]; /* lower case, cut */
};

struct reader {
    char question[NSC_NARROW_BYTES]; /* cut, so that each token fits into the answer */
    struct token tokens[TOKENS + 1]; /* the last is a sentinel: OTHER, "" */
    uint32_t n;
    struct nsc_narrowing *out;
};

/* ---- tokens ---- */

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || nsc_is_digit(c) || c == '_' ||
           (unsigned char)c >= 0x80;
}

/* Length of "1.2", without the dots of "1..2". */
static size_t number_length(const char *text)
{
    size_t n = strspn(text, "0123456789");

    if (text[n] == '.' && nsc_is_digit(text[n + 1]))
        n += 1 + strspn(text + n + 1, "0123456789");
    return n;
}

/* Length of a word. "::" and "-" join words: a name from code, "cpu-bound". */
static size_t word_length(const char *text)
{
    size_t n = 0;

    while (is_word(text[n]) || (text[n] == ':' && text[n + 1] == ':') ||
           (n > 0 && text[n] == ':' && text[n - 1] == ':') ||
           (n > 0 && text[n] == '-' && is_word(text[n + 1]) && !nsc_is_digit(text[n + 1])))
        n++;
    return n;
}

/* An apostrophe inside a word ("what's") is no quote. */
static size_t quoted_length(const char *question, size_t at)
{
    char quote = question[at];
    const char *end;

    if (!strchr("'\"`", quote) || (at > 0 && is_word(question[at - 1])))
        return 0;
    end = strchr(question + at + 1, quote);
    return end && end > question + at + 1 ? (size_t)(end - question) - at + 1 : 0;
}

static void add_token(struct reader *reader, uint8_t kind, size_t at, size_t n)
{
    struct token *token = &reader->tokens[reader->n];

    if (reader->n >= TOKENS)
        return;
    *token = (struct token){.kind = kind, .at = (uint16_t)at, .n = (uint16_t)n};
    for (size_t i = 0; i < n && i < WORD - 1; i++)
        token->word[i] = nsc_ascii_lower(reader->question[at + i]);
    reader->n++;
}

static void split(struct reader *reader)
{
    const char *text = reader->question;

    for (size_t i = 0; text[i];) {
        size_t quoted = quoted_length(text, i);
        size_t n;

        if (quoted) {
            add_token(reader, QUOTED, i + 1, quoted - 2);
            n = quoted;
        } else if (nsc_is_digit(text[i])) {
            add_token(reader, NUMBER, i, n = number_length(text + i));
        } else if ((n = word_length(text + i)) > 0) {
            add_token(reader, WORDS, i, n);
        } else {
            n = strncmp(text + i, "..", 2) == 0 ? 2 : 1;
            if (text[i] != ' ' && text[i] != '\t')
                add_token(reader, n == 2 || text[i] == '-' ? DASH : OTHER, i, n);
        }
        i += n;
    }
    reader->tokens[reader->n] = (struct token){.kind = OTHER};
}

/* The sentinel if i is past the end. */
static const struct token *token_at(const struct reader *reader, uint32_t i)
{
    return &reader->tokens[i < reader->n ? i : reader->n];
}

/* words: separated by spaces. */
static bool is_one_of(const struct token *token, const char *words)
{
    size_t n = strlen(token->word);

    if (token->kind != WORDS || n == 0)
        return false;
    for (const char *at = words; *at; at += strspn(at, " ")) {
        size_t length = strcspn(at, " ");

        if (length == n && memcmp(at, token->word, n) == 0)
            return true;
        at += length;
    }
    return false;
}

static void use(struct reader *reader, uint32_t first, uint32_t end)
{
    for (uint32_t i = first; i < end && i < reader->n; i++)
        reader->tokens[i].is_used = true;
}

/* ---- times ---- */

/* "s", "seconds" as units.h knows them; NULL: no unit of time. */
static const char *unit_of(const struct token *token)
{
    static const char *const units[][2] = {
        {"s sec secs second seconds", "s"},
        {"ms msec millisecond milliseconds", "ms"},
        {"us usec \xc2\xb5s \xce\xbcs microsecond microseconds", "us"},
        {"ns nsec nanosecond nanoseconds", "ns"},
        {"m min minute minutes", "m"}};

    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (is_one_of(token, units[i][0]))
            return units[i][1];
    return NULL;
}

static bool time_of(nsc_time *out, const struct token *number, const char *unit)
{
    char text[2 * WORD];
    size_t n = strlen(number->word);
    struct nsc_error error = {0};

    memcpy(text, number->word, n);
    strcpy(text + n, unit);
    return nsc_units_parse_time(out, text, NSC_UNITS_S, &error) == NSC_OK;
}

static bool set_time(struct reader *reader, enum nsc_narrow_time time, nsc_time t0, nsc_time t1)
{
    if (reader->out->time != NSC_NARROW_ALL || t0 >= t1)
        return false;
    reader->out->time = (uint8_t)time;
    reader->out->t0 = t0;
    reader->out->t1 = t1;
    return true;
}

/* Reads "[between] 1.2 [s] and 1.4 s" from its first number; "and" counts only after "between".
 * Returns the token after it; 0: no match. */
static uint32_t read_span(struct reader *reader, uint32_t i, bool is_between)
{
    const struct token *first = token_at(reader, i);
    const char *unit = unit_of(token_at(reader, i + 1));
    uint32_t join = i + (unit ? 2 : 1);
    const struct token *second = token_at(reader, join + 1);
    const char *last = unit_of(token_at(reader, join + 2));
    uint32_t end = join + (last ? 3 : 2);
    nsc_time t0;
    nsc_time t1;

    if (first->kind != NUMBER || second->kind != NUMBER ||
        !(token_at(reader, join)->kind == DASH ||
          is_one_of(token_at(reader, join), is_between ? "and to until till" : "to until till")))
        return 0;
    if (!last && !unit && is_between && strchr(first->word, '.') && strchr(second->word, '.'))
        last = "s";
    last = last ? last : unit;
    return last && time_of(&t0, first, unit ? unit : last) && time_of(&t1, second, last) &&
                   set_time(reader, NSC_NARROW_SPAN, t0, t1)
               ? end
               : 0;
}

/* "first 10 ms", "last second" */
static uint32_t read_end(struct reader *reader, uint32_t i)
{
    bool has_number = token_at(reader, i + 1)->kind == NUMBER;
    const char *unit = unit_of(token_at(reader, i + (has_number ? 2 : 1)));
    const struct token one = {.word = "1"};
    nsc_time length;

    if (!unit || strcmp(unit, "m") == 0 ||
        !time_of(&length, has_number ? token_at(reader, i + 1) : &one, unit) || length == 0)
        return 0;
    return set_time(reader,
                    is_one_of(token_at(reader, i), "first") ? NSC_NARROW_FIRST : NSC_NARROW_LAST,
                    length, INT64_MAX)
               ? i + (has_number ? 3 : 2)
               : 0;
}

/* "at 3.5 s", "after 2 s", "before 300 us" */
static uint32_t read_moment(struct reader *reader, uint32_t i)
{
    const struct token *word = token_at(reader, i);
    const struct token *number = token_at(reader, i + 1);
    const char *unit = unit_of(token_at(reader, i + 2));
    nsc_time t;
    bool is_set;

    if (number->kind != NUMBER || !unit || !time_of(&t, number, unit))
        return 0;
    is_set = is_one_of(word, "at around near") ? set_time(reader, NSC_NARROW_AT, t, INT64_MAX)
             : is_one_of(word, "after since from")
                 ? set_time(reader, NSC_NARROW_SPAN, t, INT64_MAX)
                 : set_time(reader, NSC_NARROW_SPAN, INT64_MIN, t);
    return is_set ? i + 3 : 0;
}

static uint32_t read_time(struct reader *reader, uint32_t i)
{
    const struct token *token = token_at(reader, i);
    uint32_t end = 0;

    if (token->kind == NUMBER)
        return read_span(reader, i, false);
    if (is_one_of(token, "between from in during"))
        end = read_span(reader, i + 1, is_one_of(token, "between from"));
    if (end == 0 && is_one_of(token, "first last final"))
        end = read_end(reader, i);
    if (end == 0 && is_one_of(token, "at around near after since from before until till"))
        end = read_moment(reader, i);
    return end;
}

/* "below 5 us", "longer than 1 ms" */
static uint32_t read_length(struct reader *reader, uint32_t i)
{
    bool than = is_one_of(token_at(reader, i + 1), "than");
    uint32_t at = i + (than ? 2 : 1);
    const char *unit = unit_of(token_at(reader, at + 1));
    bool is_longer = is_one_of(token_at(reader, i),
                               than ? "longer more slower greater larger" : "above over least");

    if (reader->out->has_length ||
        (!is_longer && !is_one_of(token_at(reader, i),
                                  than ? "shorter less faster smaller" : "below under most")) ||
        token_at(reader, at)->kind != NUMBER || !unit ||
        !time_of(&reader->out->length, token_at(reader, at), unit))
        return 0;
    reader->out->has_length = true;
    reader->out->is_longer = is_longer;
    return at + 2;
}

/* ---- GPUs, streams, iterations ---- */

/* Reads the whole number at i, after "#", "number", "no" or ":". *end: the token after it. */
static bool read_number(const struct reader *reader, uint32_t i, int64_t *out, uint32_t *end)
{
    const struct token *token = token_at(reader, i);

    if ((token->kind == OTHER && token->n == 1 && strchr("#:", reader->question[token->at])) ||
        is_one_of(token, "number no nr"))
        token = token_at(reader, ++i);
    *end = i + 1;
    *out = strtoll(token->word, NULL, 10);
    return token->kind == NUMBER && !strchr(token->word, '.') && strlen(token->word) < 10;
}

/* "gpu1" */
static bool read_joined(const struct token *token, const char *prefix, int64_t *out)
{
    size_t n = strlen(prefix);

    if (token->kind != WORDS || strncmp(token->word, prefix, n) != 0 ||
        !nsc_is_digit(token->word[n]) ||
        strspn(token->word + n, "0123456789") != strlen(token->word + n) ||
        strlen(token->word) > n + 9)
        return false;
    *out = strtoll(token->word + n, NULL, 10);
    return true;
}

/* The number of a GPU or stream. */
static uint32_t read_place(struct reader *reader, uint32_t i, const char *nouns, const char *joined,
                           int64_t *out)
{
    int64_t number;
    uint32_t end = i + 1;

    if (*out >= 0 ||
        (!read_joined(token_at(reader, i), joined, &number) &&
         !(is_one_of(token_at(reader, i), nouns) && read_number(reader, i + 1, &number, &end))))
        return 0;
    *out = number;
    return end;
}

#define STEPS "step steps iteration iterations token tokens request requests"

/* "steps 3 to 5" */
static uint32_t read_steps(struct reader *reader, uint32_t i)
{
    struct nsc_narrowing *out = reader->out;
    bool is_between = i > 0 && is_one_of(token_at(reader, i - 1), "between");
    const struct token *join;
    int64_t first;
    int64_t last;
    uint32_t end;
    uint32_t beyond;

    if (out->has_steps || !is_one_of(token_at(reader, i), STEPS) ||
        !read_number(reader, i + 1, &first, &end))
        return 0;
    last = first;
    join = token_at(reader, end);
    if ((join->kind == DASH ||
         is_one_of(join, is_between ? "to until till through and" : "to until till through")) &&
        read_number(reader, end + 1, &last, &beyond))
        end = beyond;
    else
        last = first;
    out->has_steps = true;
    out->step = first < last ? first : last;
    out->last_step = first < last ? last : first;
    return end;
}

/* "first 3 steps", "the last step" */
static uint32_t read_step_end(struct reader *reader, uint32_t i)
{
    bool is_first = is_one_of(token_at(reader, i), "first");
    int64_t n = 1;
    uint32_t end = i + 1;

    if (reader->out->has_steps || !is_one_of(token_at(reader, i), "first last final"))
        return 0;
    if (!read_number(reader, i + 1, &n, &end)) {
        n = 1;
        end = i + 1;
    }
    if (n == 0 || !is_one_of(token_at(reader, end), STEPS))
        return 0;
    reader->out->has_steps = true;
    reader->out->step = is_first ? 0 : -n;
    reader->out->last_step = is_first ? n - 1 : -1;
    return end + 1;
}

/* ---- names ---- */

/* "cudaGraphLaunch". A launch of a kernel is no name: its delay is asked for, too. */
static bool is_function(const char *text, size_t n)
{
    return strncmp(text, "cuda", 4) == 0 && n > 4 && text[4] >= 'A' && text[4] <= 'Z' &&
           strncmp(text, "cudaLaunch", 10) != 0;
}

static uint32_t read_name(struct reader *reader, uint32_t i)
{
    const struct token *token = token_at(reader, i);
    struct nsc_narrowing *out = reader->out;

    if (out->name[0] ||
        (token->kind != QUOTED && !(token->kind == WORDS && token->n > 3 &&
                                    (strchr(token->word, '_') || strstr(token->word, "::") ||
                                     is_function(reader->question + token->at, token->n)))))
        return 0;
    memcpy(out->name, reader->question + token->at, token->n);
    out->name[token->n] = '\0';
    return i + 1;
}

/* ---- the direction of copies ---- */

static const char *const directions[][8] = {
    /* the direction, the word that stands for it in rest, and what names it */
    {"device to device", "d2d", "device to device", "gpu to gpu", "dtod"},
    {"peer to peer", "p2p", "peer", "ptop"},
    {"host to device", "h2d", " to device", " to the device", " to gpu", " to the gpu", "htod"},
    {"device to host", "d2h", " to host", " to the host", " to cpu", " to the cpu", "dtoh"},
};

/* The row of the direction that the question names, and no other; NULL: none. Work is launched to a GPU,
 * too: a place alone is a direction only of copies. */
static const char *const *find_direction(const char *question)
{
    static const char *const moves[] = {"cop",       "transfer", "byte",           "data",
                                        "bandwidth", "move",     "host to device", "device to host",
                                        NULL};
    const char *const *found = NULL;
    bool is_about_copies = nsc_text_contains_any(nsc_text_from(question), moves);

    for (size_t i = 0; i < sizeof directions / sizeof *directions; i++)
        for (size_t k = 1; k < 8 && directions[i][k]; k++) {
            if (!nsc_text_contains_folded(nsc_text_from(question),
                                          nsc_text_from(directions[i][k])) ||
                (directions[i][k][0] == ' ' && !is_about_copies))
                continue;
            if (i == 0) /* it is "to device", too */
                return directions[i];
            if (found && found != directions[i])
                return NULL;
            found = directions[i];
        }
    return found;
}

/* Uses the words of the direction: "from the host", "to the GPU", "host to". */
static const char *read_direction(struct reader *reader)
{
    const char *const *direction = find_direction(reader->question);

    for (uint32_t i = 0; direction && i < reader->n; i++)
        if (is_one_of(token_at(reader, i), "host device gpu cpu") &&
            ((i > 0 && is_one_of(token_at(reader, i - 1), "to from the")) ||
             is_one_of(token_at(reader, i + 1), "to")))
            use(reader, i, i + 1);
    reader->out->direction = direction ? direction[0] : NULL;
    return direction ? direction[1] : "";
}

/* ---- who waits ---- */

/* The first token from i on that is one of the words; the sentinel's if there is none. */
static uint32_t find_word(const struct reader *reader, uint32_t i, const char *words)
{
    while (i < reader->n && !is_one_of(token_at(reader, i), words))
        i++;
    return i;
}

/* "does the CPU wait for the GPU", not "does the GPU wait for the CPU"; "does a GPU wait for another". */
static const char *read_waiter(const struct reader *reader)
{
    uint32_t host = find_word(reader, 0, "cpu host python thread threads gpu gpus device devices");
    uint32_t wait =
        find_word(reader, host,
                  "wait waits waiting waited block blocks blocked blocking stall stalls stalled");
    bool is_host = is_one_of(token_at(reader, host), "cpu host python thread threads");
    uint32_t other = find_word(
        reader, wait, is_host ? "gpu gpus device devices" : "gpu gpus which whom other another");

    if (other == reader->n ||
        (is_host && find_word(reader, host, "gpu gpus device devices") != other))
        return "";
    return is_host ? "host-waits" : "gpu-waits";
}

static void add_rest(struct nsc_narrowing *out, const char *word)
{
    size_t n = strlen(out->rest);

    if (word[0] && n + strlen(word) + 2 <= NSC_NARROW_BYTES)
        (void)snprintf(out->rest + n, NSC_NARROW_BYTES - n, " %s", word);
}

static void write_rest(struct reader *reader)
{
    size_t n = 0;

    for (uint32_t i = 0; i < reader->n; i++) {
        const struct token *token = &reader->tokens[i];

        if (token->is_used || n + token->n + 2u > NSC_NARROW_BYTES)
            continue;
        if (n > 0)
            reader->out->rest[n++] = ' ';
        memcpy(reader->out->rest + n, reader->question + token->at, token->n);
        n += token->n;
    }
    reader->out->rest[n] = '\0';
}

void nsc_narrowing_read(struct nsc_narrowing *out, const char *question)
{
    struct reader reader = {.out = out};
    const char *direction;

    *out = (struct nsc_narrowing){.gpu = -1, .stream = -1};
    memcpy(reader.question, question, strnlen(question, sizeof reader.question - 1));
    split(&reader);
    for (uint32_t i = 0; i < reader.n;) {
        int64_t other = -1; /* a second GPU narrows nothing */
        uint32_t end = read_place(&reader, i, "gpu gpus device cuda", "gpu",
                                  out->gpu >= 0 ? &other : &out->gpu);

        use(&reader, end ? i + 1 : i, end); /* the noun stays in rest */
        if (end == 0) {
            end = read_place(&reader, i, "stream streams", "stream", &out->stream);
            end = end ? end : read_steps(&reader, i);
            end = end ? end : read_step_end(&reader, i);
            end = end ? end : read_length(&reader, i);
            end = end ? end : read_time(&reader, i);
            end = end ? end : read_name(&reader, i);
            use(&reader, i, end);
        }
        i = end ? end : i + 1;
    }
    direction = read_direction(&reader);
    write_rest(&reader);
    add_rest(out, direction);
    add_rest(out, read_waiter(&reader));
}

bool nsc_narrowing_is_any(const struct nsc_narrowing *of)
{
    return of->time != NSC_NARROW_ALL || of->has_length || of->gpu >= 0 || of->stream >= 0 ||
           of->has_steps;
}
