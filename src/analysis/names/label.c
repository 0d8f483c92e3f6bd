/*
 * Texts of events for sheets.
 */
#include "analysis/names/label.h"

#include "core/text.h"

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

uint32_t nsc_label_pattern(char out[NSC_NAME_BYTES], const struct nsc_trace *trace, nsc_event range)
{
    const struct nsc_names *names = nsc_trace_names(trace);
    nsc_name name = nsc_trace_events(trace)->name[range];
    struct nsc_text text = nsc_trace_string(trace, names->full[name]);
    uint32_t n = text.n < NSC_NAME_BYTES ? text.n : NSC_NAME_BYTES;

    for (uint32_t i = 0; i < n; i++)
        out[i] =
            names->counters[name] > 0 && text.bytes[i] == NSC_COUNTER_BYTE ? '#' : text.bytes[i];
    return n;
}

struct nsc_kept_text nsc_label_range(struct nsc_sheet *sheet, const struct nsc_trace *trace,
                                     nsc_event range)
{
    char text[NSC_NAME_BYTES];

    if (range == NSC_NONE)
        return nsc_sheet_keep(sheet, nsc_text_from("(none)"));
    return nsc_sheet_keep(sheet, (struct nsc_text){text, nsc_label_pattern(text, trace, range)});
}

static bool is_number(char c)
{
    return (c >= '0' && c <= '9') || c == NSC_COUNTER_BYTE;
}

uint32_t nsc_label_fold(char out[NSC_NAME_BYTES], struct nsc_text text)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < text.n && n < NSC_NAME_BYTES; i++)
        if (!is_number(text.bytes[i]) || i == 0 || !is_number(text.bytes[i - 1]))
            out[n++] = is_number(text.bytes[i]) ? '#' : text.bytes[i];
    return n;
}
