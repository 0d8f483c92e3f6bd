/* Prints a filter as a line of words and compares two filters, for tests of the parser. */
#include "support/filter_print.h"

#include "analysis/select/filter_data.h"

#include <inttypes.h>
#include <string.h>

static bool needs_quotes(struct nsc_text text)
{
    if (text.bytes[0] == ':') /* "name::x" would be a word */
        return true;
    for (uint32_t i = 0; i < text.n; i++)
        if (text.bytes[i] == '\0' || strchr(" \t\n\r,\"", text.bytes[i]))
            return true;
    return false;
}

static void print_text(struct nsc_buf *out, struct nsc_text text)
{
    if (needs_quotes(text))
        nsc_filter_quote(out, text);
    else
        nsc_buf_add(out, text.bytes, text.n);
}

static void print_value(struct nsc_buf *out, const struct nsc_filter_value *value,
                        enum nsc_filter_type type)
{
    switch (type) {
    case NSC_FILTER_TEXT:
    case NSC_FILTER_PATTERN:
    case NSC_FILTER_WORD:
        print_text(out, value->text);
        break;
    case NSC_FILTER_NUMBER:
        nsc_buf_printf(out, "%" PRId64, value->number);
        break;
    case NSC_FILTER_DURATION:
        nsc_buf_printf(out, "%" PRId64 "ns", value->number);
        break;
    case NSC_FILTER_WINDOW:
        if (value->window.t0 != INT64_MIN)
            nsc_buf_printf(out, "%" PRId64 "ns", value->window.t0);
        nsc_buf_puts(out, "..");
        if (value->window.t1 != INT64_MAX || value->window.t0 == INT64_MIN)
            nsc_buf_printf(out, "%" PRId64 "ns", value->window.t1);
        break;
    }
}

void filter_print(struct nsc_buf *out, const struct nsc_filter *filter)
{
    for (uint32_t i = 0; i < filter->n; i++) {
        const struct nsc_filter_term *term = &filter->terms[i];

        nsc_buf_puts(out, i > 0 ? " " : "");
        nsc_buf_puts(out, term->negated ? "!" : "");
        nsc_buf_puts(out, nsc_filter_forms[term->field].key);
        for (uint32_t k = 0; k < term->n; k++) {
            nsc_buf_puts(out, k > 0 ? "," : "");
            print_value(out, &term->values[k], nsc_filter_forms[term->field].type);
        }
    }
}

static bool values_equal(const struct nsc_filter_value *a, const struct nsc_filter_value *b,
                         enum nsc_filter_type type)
{
    switch (type) {
    case NSC_FILTER_TEXT:
    case NSC_FILTER_PATTERN:
    case NSC_FILTER_WORD:
        return a->text.n == b->text.n && memcmp(a->text.bytes, b->text.bytes, a->text.n) == 0;
    case NSC_FILTER_NUMBER:
    case NSC_FILTER_DURATION:
        return a->number == b->number;
    case NSC_FILTER_WINDOW:
        return a->window.t0 == b->window.t0 && a->window.t1 == b->window.t1;
    }
    return false;
}

bool filter_equal(const struct nsc_filter *a, const struct nsc_filter *b)
{
    if (a->n != b->n)
        return false;
    for (uint32_t i = 0; i < a->n; i++) {
        const struct nsc_filter_term *x = &a->terms[i];
        const struct nsc_filter_term *y = &b->terms[i];

        if (x->field != y->field || x->negated != y->negated || x->n != y->n)
            return false;
        for (uint32_t k = 0; k < x->n; k++)
            if (!values_equal(&x->values[k], &y->values[k], nsc_filter_forms[x->field].type))
                return false;
    }
    return true;
}
