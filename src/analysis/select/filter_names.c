/*
 * Matches names: judges each distinct name once, and the text of an event only if its name does not
 * decide.
 */
#include "analysis/select/filter_data.h"
#include "core/text.h"

#include <string.h>

static bool match_regex(const struct nsc_filter_term *term, struct nsc_text text)
{
    char shown[NSC_FILTER_MATCH_BYTES + 1];
    uint32_t n = text.n < NSC_FILTER_MATCH_BYTES ? text.n : NSC_FILTER_MATCH_BYTES;

    for (uint32_t i = 0; i < n; i++)
        shown[i] = text.bytes[i];
    for (char *nul = shown; (nul = memchr(nul, '\0', (size_t)(shown + n - nul)));)
        *nul = ' '; /* regexec stops at a NUL */
    shown[n] = '\0';
    return regexec(term->regex, shown, 0, NULL, 0) == 0;
}

bool nsc_filter_match_text(const struct nsc_filter_term *term, struct nsc_text text)
{
    if (term->regex)
        return match_regex(term, text);
    for (uint32_t k = 0; k < term->n; k++)
        if (term->field == NSC_FILTER_EXACT ? nsc_text_equal(text, term->values[k].text)
                                            : nsc_text_contains_folded(text, term->values[k].text))
            return true;
    return false;
}

/*
 * Whether a text of the template may contain the needle. A counter is digits, so the needle's parts
 * between digits must be in the template.
 */
static bool may_match(struct nsc_text template, struct nsc_text needle)
{
    bool has_digit = false;

    for (uint32_t i = 0; i < needle.n;) {
        uint32_t begin = i;

        while (i < needle.n && !nsc_is_digit(needle.bytes[i]))
            i++;
        if (!nsc_text_contains_folded(template, (struct nsc_text){needle.bytes + begin, i - begin}))
            return false;
        for (; i < needle.n && nsc_is_digit(needle.bytes[i]); i++)
            has_digit = true;
    }
    return has_digit;
}

enum { NUMBER_BYTES = 20 }; /* most digits of a counter */

/* Matches a pattern against the template, with a digit for each counter, if none of its texts is
 * cut before matching. */
static enum nsc_filter_verdict match_pattern(const struct nsc_filter_term *term,
                                             struct nsc_text template, uint32_t counters)
{
    char text[NSC_FILTER_MATCH_BYTES];

    if (!term->skips_digits ||
        template.n + (uint64_t)counters * NUMBER_BYTES > NSC_FILTER_MATCH_BYTES)
        return NSC_FILTER_ASK;
    for (uint32_t i = 0; i < template.n; i++)
        text[i] = template.bytes[i];
    for (char *at = text; (at = memchr(at, NSC_COUNTER_BYTE, (size_t)(text + template.n - at)));)
        *at = '0';
    return match_regex(term, (struct nsc_text){text, template.n}) ? NSC_FILTER_YES : NSC_FILTER_NO;
}

/* The verdict on a template, which represents many texts: each NSC_COUNTER_BYTE is some number. */
static enum nsc_filter_verdict match_template(const struct nsc_filter_term *term,
                                              struct nsc_text template, uint32_t counters)
{
    enum nsc_filter_verdict verdict = NSC_FILTER_NO;

    if (term->regex)
        return match_pattern(term, template, counters);
    for (uint32_t k = 0; k < term->n; k++) {
        struct nsc_text needle = term->values[k].text;
        bool is_plain =
            term->field != NSC_FILTER_EXACT && !memchr(needle.bytes, NSC_COUNTER_BYTE, needle.n);

        if (is_plain && nsc_text_contains_folded(template, needle))
            return NSC_FILTER_YES;
        /* an exact name may match a text of the template if it has digits in place of counters */
        if ((!is_plain && term->field != NSC_FILTER_EXACT) || may_match(template, needle))
            verdict = NSC_FILTER_ASK;
    }
    return verdict;
}

enum nsc_filter_verdict nsc_filter_match_name(const struct nsc_filter_term *term,
                                              const struct nsc_trace *trace, nsc_name name)
{
    const struct nsc_names *names = nsc_trace_names(trace);
    struct nsc_text full = nsc_trace_string(trace, names->full[name]);
    bool matches = false;

    if (names->counters[name] > 0)
        return match_template(term, full, names->counters[name]);
    matches = nsc_filter_match_text(term, full);
    if (!matches && names->brief[name] != names->full[name])
        matches = nsc_filter_match_text(term, nsc_trace_string(trace, names->brief[name]));
    return matches ? NSC_FILTER_YES : NSC_FILTER_NO;
}

bool nsc_filter_match_event(const struct nsc_filter_term *term, const struct nsc_trace *trace,
                            nsc_event event)
{
    nsc_name name = nsc_trace_events(trace)->name[event];
    char scratch[NSC_NAME_BYTES];

    if (nsc_trace_names(trace)->counters[name] == 0)
        return nsc_filter_match_name(term, trace, name) == NSC_FILTER_YES;
    return nsc_filter_match_text(term, nsc_trace_event_text(trace, event, false, scratch));
}
