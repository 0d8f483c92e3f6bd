/*
 * Recognizes PyTorch by the names of kernels, ranges and threads.
 */
#include "analysis/names/framework.h"

#include "core/text.h"

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Whether a word of PyTorch begins at the start of a name or after "::", "(" and the like;
 * "intnat::NativeInteger" has none. */
static bool has_word(struct nsc_text text)
{
    static const char *const words[] = {"at::native::", "aten::", "autograd::Engine",
                                        "autograd::engine", "pt_autograd"};

    for (uint32_t at = 0; at < text.n; at++) {
        if (text.bytes[at] != 'a' && text.bytes[at] != 'p') /* a fast test: every word begins with
                                                             * one of these */
            continue;
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            if ((at == 0 || !is_letter(text.bytes[at - 1])) &&
                nsc_text_begins((struct nsc_text){text.bytes + at, text.n - at}, words[i]))
                return true;
    }
    return false;
}

bool nsc_trace_is_pytorch(const struct nsc_trace *trace)
{
    const struct nsc_names *names = nsc_trace_names(trace);
    uint32_t n_tracks = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(trace, &n_tracks);

    for (uint32_t t = 0; t < n_tracks; t++)
        if (has_word(nsc_trace_string(trace, tracks[t].label)))
            return true;
    for (nsc_name i = 0; i < names->n; i++)
        if (has_word(nsc_trace_string(trace, names->full[i])))
            return true;
    return false;
}
