/*
 * Edits the text of a filter: removes terms, finds values, quotes.
 */
#include "analysis/select/filter_data.h"

#include <string.h>

const char *nsc_filter_key(uint32_t i)
{
    return i < NSC_N_FILTER_FIELDS ? nsc_filter_forms[i].key : NULL;
}

const char *nsc_filter_key_help(uint32_t i)
{
    return i < NSC_N_FILTER_FIELDS ? nsc_filter_forms[i].help : NULL;
}

/* Whether the key is one of keys, which are separated by spaces. */
static bool is_one_of(const char *key, const char *keys)
{
    size_t n = strlen(key);

    for (const char *at = keys; (at = strstr(at, key)); at += n)
        if ((at == keys || at[-1] == ' ') && (at[n] == ' ' || at[n] == '\0'))
            return true;
    return false;
}

static bool is_plain(const struct nsc_filter_term *term, const char *keys)
{
    return !term->negated && is_one_of(nsc_filter_forms[term->field].key, keys);
}

void nsc_filter_strip(struct nsc_buf *out, struct nsc_text text, const char *keys)
{
    struct nsc_filter *filter = NULL;
    bool first = true;

    if (nsc_filter_parse(&filter, text, NULL) != NSC_OK)
        return;
    for (uint32_t i = 0; i < filter->n; i++) {
        const struct nsc_filter_term *term = &filter->terms[i];

        if (is_plain(term, keys))
            continue;
        nsc_buf_puts(out, first ? "" : " ");
        nsc_buf_add(out, text.bytes + term->begin, term->end - term->begin);
        first = false;
    }
    nsc_filter_free(filter);
}

struct nsc_text nsc_filter_find(struct nsc_text text, const char *key)
{
    struct nsc_text found = {"", 0};
    struct nsc_filter *filter = NULL;
    uint32_t skip = (uint32_t)strlen(key);

    if (nsc_filter_parse(&filter, text, NULL) != NSC_OK)
        return found;
    for (uint32_t i = 0; i < filter->n && found.n == 0; i++)
        if (is_plain(&filter->terms[i], key))
            found = (struct nsc_text){text.bytes + filter->terms[i].begin + skip,
                                      filter->terms[i].end - filter->terms[i].begin - skip};
    nsc_filter_free(filter);
    return found;
}

void nsc_filter_quote(struct nsc_buf *out, struct nsc_text text)
{
    nsc_buf_putc(out, '"');
    for (uint32_t i = 0; i < text.n; i++) {
        if (text.bytes[i] == '"' || text.bytes[i] == '\\')
            nsc_buf_putc(out, '\\');
        nsc_buf_putc(out, text.bytes[i]);
    }
    nsc_buf_putc(out, '"');
}
