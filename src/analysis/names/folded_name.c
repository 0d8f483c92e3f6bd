/*
 * Takes the numbers out of names.
 */
#include "analysis/names/folded_name.h"

#include "core/die.h"
#include "core/strpool.h"

#include <stdlib.h>

void nsc_name_fold(struct nsc_buf *out, const struct nsc_trace *trace, nsc_name name)
{
    const struct nsc_names *names = nsc_trace_names(trace);
    struct nsc_text text = nsc_trace_string(trace, names->full[name]);
    bool in_number = false;

    for (uint32_t i = 0; i < text.n; i++) {
        char c = text.bytes[i];
        bool is_number =
            (c >= '0' && c <= '9') || (names->counters[name] > 0 && c == NSC_COUNTER_BYTE);

        if (!is_number)
            nsc_buf_putc(out, c);
        else if (!in_number)
            nsc_buf_putc(out, '#');
        in_number = is_number;
    }
}

nsc_name *nsc_names_by_fold(const struct nsc_trace *trace)
{
    uint32_t n = nsc_trace_names(trace)->n;
    nsc_name *first = nsc_xcalloc((size_t)n + 1, sizeof *first);
    nsc_name *of_text = nsc_xcalloc((size_t)n + 1, sizeof *of_text); /* + 1; 0: none yet */
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
