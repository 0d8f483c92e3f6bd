/* Formats texts of events and names for sheets. */
#include "analysis/names/label.h"

#include "core/chars.h"
#include "core/die.h"
#include "core/sort.h"
#include "core/strpool.h"
#include "core/text.h"

#include <stdlib.h>

struct nsc_kept_text nsc_label_event(struct nsc_sheet *sheet, const struct nsc_trace *trace,
                                     nsc_event event)
{
    char scratch[NSC_NAME_BYTES];
    struct nsc_text text;

    if (event == NSC_NONE)
        return (struct nsc_kept_text){0};
    text = nsc_trace_event_text(trace, event, true, scratch);
    if (text.n == 0)
        text = nsc_text_from(nsc_kind_label((enum nsc_kind)nsc_trace_events(trace)->kind[event]));
    return nsc_sheet_keep(sheet, text);
}

uint32_t nsc_label_pattern(char out[NSC_NAME_BYTES], const struct nsc_trace *trace, nsc_event range,
                           bool is_mixed)
{
    const struct nsc_names *names = nsc_trace_names(trace);
    nsc_name name = nsc_trace_events(trace)->name[range];
    struct nsc_text text = nsc_trace_string(trace, names->full[name]);
    uint32_t n = text.n < NSC_NAME_BYTES ? text.n : NSC_NAME_BYTES;

    if (is_mixed)
        return nsc_label_fold(out, text);
    for (uint32_t i = 0; i < n; i++)
        out[i] =
            names->counters[name] > 0 && text.bytes[i] == NSC_COUNTER_BYTE ? '#' : text.bytes[i];
    return n;
}

struct nsc_kept_text nsc_label_range(struct nsc_sheet *sheet, const struct nsc_trace *trace,
                                     nsc_event range, bool is_mixed)
{
    char text[NSC_NAME_BYTES];

    if (range == NSC_NONE)
        return nsc_sheet_keep(sheet, nsc_text_from("(none)"));
    return nsc_sheet_keep(sheet,
                          (struct nsc_text){text, nsc_label_pattern(text, trace, range, is_mixed)});
}

static bool is_number(char c, bool has_counters)
{
    return nsc_is_digit(c) || (has_counters && c == NSC_COUNTER_BYTE);
}

uint32_t nsc_label_fold(char out[NSC_NAME_BYTES], struct nsc_text text)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < text.n && n < NSC_NAME_BYTES; i++)
        if (!is_number(text.bytes[i], true) || i == 0 || !is_number(text.bytes[i - 1], true))
            out[n++] = is_number(text.bytes[i], true) ? '#' : text.bytes[i];
    return n;
}

nsc_name *nsc_names_by_brief(const struct nsc_trace *trace)
{
    const struct nsc_names *names = nsc_trace_names(trace);
    size_t n = names->n;
    struct nsc_sort_pair *pairs = nsc_xmalloc((2 * n + 1) * sizeof *pairs);
    nsc_name *first = nsc_xcalloc(n + 1, sizeof *first);

    for (nsc_name i = 0; i < n; i++)
        pairs[i] =
            (struct nsc_sort_pair){names->brief[i], i}; /* interned: equal ids, equal texts */
    nsc_sort_pairs(pairs, pairs + n, n);
    for (size_t i = 0; i < n; i++)
        first[pairs[i].value] =
            i > 0 && pairs[i - 1].key == pairs[i].key ? first[pairs[i - 1].value] : pairs[i].value;
    free(pairs);
    return first;
}

void nsc_name_fold(struct nsc_buf *out, const struct nsc_trace *trace, nsc_name name)
{
    const struct nsc_names *names = nsc_trace_names(trace);
    struct nsc_text text = nsc_trace_string(trace, names->full[name]);
    bool has_counters = names->counters[name] > 0;

    for (uint32_t i = 0; i < text.n; i++)
        if (!is_number(text.bytes[i], has_counters))
            nsc_buf_putc(out, text.bytes[i]);
        else if (i == 0 || !is_number(text.bytes[i - 1], has_counters))
            nsc_buf_putc(out, '#');
}

nsc_name *nsc_names_by_fold(const struct nsc_trace *trace)
{
    uint32_t n = nsc_trace_names(trace)->n;
    nsc_name *first = nsc_xcalloc((size_t)n + 1, sizeof *first);
    nsc_name *of_text = nsc_xcalloc((size_t)n + 1, sizeof *of_text); /* the name + 1; 0: none yet */
    struct nsc_buf text = NSC_BUF_INIT(NSC_NAME_BYTES + 1);
    struct nsc_strpool texts;

    nsc_strpool_init(&texts);
    for (nsc_name name = 0; name < n; name++) {
        nsc_str id = 0;

        nsc_buf_clear(&text);
        nsc_name_fold(&text, trace, name);
        id = nsc_strpool_add(&texts, text.n ? text.bytes : "", text.n);
        if (!of_text[id])
            of_text[id] = name + 1;
        first[name] = of_text[id] - 1;
    }
    nsc_strpool_fini(&texts);
    nsc_buf_fini(&text);
    free(of_text);
    return first;
}
