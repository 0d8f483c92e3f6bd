/* Compiles only harmless regular expressions. */
#include "analysis/names/pattern.h"

#include "core/die.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_REPEATS = 500 }; /* limit for the product of all bounds of an expression */

/* Multiplies product by the bounds after a brace at i: "{2,20" gives 40. Stops counting past
 * MAX_REPEATS. */
static uint32_t multiply_bounds(struct nsc_text pattern, uint32_t i, uint32_t product)
{
    uint32_t bound = 0;

    for (i++; i < pattern.n; i++) {
        char c = pattern.bytes[i];

        if (c >= '0' && c <= '9') {
            bound = bound > MAX_REPEATS ? bound : bound * 10 + (uint32_t)(c - '0');
            continue;
        }
        product *= bound > 1 && product <= MAX_REPEATS ? bound : 1;
        bound = 0;
        if (c != ',')
            break;
    }
    return product * (bound > 1 && product <= MAX_REPEATS ? bound : 1);
}

/* The last byte of a literal at i: an escape, or a set such as "[+*]"; i itself for anything
 * else. */
static uint32_t skip_literal(struct nsc_text pattern, uint32_t i)
{
    uint32_t end = i + 1;

    if (pattern.bytes[i] == '\\')
        return end < pattern.n ? end : i;
    if (pattern.bytes[i] != '[')
        return i;
    if (end < pattern.n && pattern.bytes[end] == '^')
        end++;
    if (end < pattern.n && pattern.bytes[end] == ']')
        end++;
    while (end < pattern.n && pattern.bytes[end] != ']')
        end++;
    return end < pattern.n ? end : i;
}

static bool is_back_reference(struct nsc_text pattern, uint32_t i)
{
    return pattern.bytes[i] == '\\' && i + 1 < pattern.n && pattern.bytes[i + 1] >= '1' &&
           pattern.bytes[i + 1] <= '9';
}

/*
 * Finds what makes an expression costly. regcomp unrolls bounds such as {30000}, and nested ones
 * multiply; x+ is two copies of x, so that it doubles a group; \1 makes matching exponential.
 * Repeated repetitions ("a**") copy too and add no meaning; only ".*?" and the like, from other
 * dialects, pass.
 */
static const char *find_danger(struct nsc_text pattern)
{
    uint32_t product = 1;
    char before = '\0'; /* the operator just before; 0: none */

    if (pattern.n > NSC_PATTERN_BYTES)
        return "this regular expression is too long";
    if (memchr(pattern.bytes, '\0', pattern.n))
        return "this is no regular expression";
    for (uint32_t i = 0; i < pattern.n; i++) {
        char c = pattern.bytes[i];
        bool repeats = strchr("+*?{", c) != NULL;

        if (is_back_reference(pattern, i))
            return "back-references are not understood";
        if (c == '{')
            product = multiply_bounds(pattern, i, product);
        if (c == '+' && before == ')')
            product *= 2;
        if (product > MAX_REPEATS ||
            (repeats && before && (c == '?' ? !strchr("+*})", before) : before != ')')))
            return "this regular expression repeats too much";
        before = (char)(repeats && before && before != ')' ? '2' : strchr("+*?})", c) ? c : '\0');
        i = skip_literal(pattern, i);
    }
    return NULL;
}

const char *nsc_pattern_compile(regex_t **out, struct nsc_text pattern, bool ignores_case)
{
    const char *danger = find_danger(pattern);
    char text[NSC_PATTERN_BYTES + 1];

    *out = NULL;
    if (danger)
        return danger;
    memcpy(text, pattern.bytes, pattern.n);
    text[pattern.n] = '\0';
    *out = nsc_xcalloc(1, sizeof **out);
    if (regcomp(*out, text, REG_EXTENDED | REG_NOSUB | (ignores_case ? REG_ICASE : 0)) == 0)
        return NULL;
    free(*out);
    *out = NULL;
    return "this is no regular expression";
}
