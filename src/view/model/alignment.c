/*
 * The words for alignments.
 */
#include "view/model/alignment.h"

#include "core/text.h"
#include "core/units.h"

enum { RANGE_COLS = 60 };

static void put_instances(struct nsc_buf *out, const struct nsc_alignment *alignment, bool ascii)
{
    char text[NSC_UNITS_BYTES];

    if (alignment->instances == 1) {
        nsc_buf_puts(out, ", the first one of each");
        return;
    }
    nsc_buf_printf(out, ", %s instances", nsc_units_count(text, alignment->instances));
    if (alignment->residual >= 0)
        nsc_buf_printf(out, " at most %s apart",
                       nsc_units_duration(text, alignment->residual, ascii));
}

void nsc_alignment_put(struct nsc_buf *out, const struct nsc_trace *trace, bool ascii)
{
    const struct nsc_alignment *alignment = nsc_trace_alignment(trace);

    switch (alignment->by) {
    case NSC_ALIGN_AUTO:
        return;
    case NSC_ALIGN_UTC:
        nsc_buf_puts(out, "time of day (UTC)");
        break;
    case NSC_ALIGN_START:
        nsc_buf_puts(out, "start of each");
        break;
    case NSC_ALIGN_NVTX:
        nsc_buf_puts(out, "NVTX ");
        nsc_text_clip(out, nsc_trace_string(trace, alignment->range), RANGE_COLS, ascii);
        put_instances(out, alignment, ascii);
        break;
    }
    if (!alignment->why)
        return;
    nsc_buf_puts(out, ": ");
    nsc_text_clean(out, nsc_trace_string(trace, alignment->why), ascii);
}

void nsc_alignment_put_word(struct nsc_buf *out, const struct nsc_trace *trace, bool ascii)
{
    const struct nsc_alignment *alignment = nsc_trace_alignment(trace);

    if (alignment->by == NSC_ALIGN_UTC)
        nsc_buf_puts(out, "utc");
    if (alignment->by == NSC_ALIGN_START)
        nsc_buf_puts(out, "start");
    if (alignment->by != NSC_ALIGN_NVTX)
        return;
    nsc_buf_puts(out, "nvtx:");
    nsc_text_clip(out, nsc_trace_string(trace, alignment->range), RANGE_COLS / 3, ascii);
}
