/*
 * Finds the NVTX range in which each kernel was launched, for nvtx-name, which puts it before the
 * kernel's name.
 */
#include "analysis/stats/ranges.h"
#include "core/die.h"

#include <stdlib.h>

struct finding {
    const struct nsc_stats_input *input;
    struct nsc_stats_tags tags;
    struct nsc_strpool *texts;
    nsc_str *of; /* by event */
    char *scratch;
};

/* Skips a range without a name: the one around it counts. */
static void visit_kernel(void *context, const struct nsc_stats_launch *launch,
                         struct nsc_stats_open open[], uint32_t n)
{
    struct finding *finding = context;
    const struct nsc_stats_input *input = finding->input;

    while (n > 0) {
        nsc_event range = open[--n].range.event;
        struct nsc_text name;

        if (open[n].range.end < launch->end || !nsc_stats_has_tag(&finding->tags, range))
            continue;
        name = nsc_stats_whole(input,
                               nsc_trace_event_text(input->trace, range, false, finding->scratch));
        finding->of[launch->op] = nsc_strpool_add(finding->texts, name.bytes, name.n);
        return;
    }
}

nsc_str *nsc_stats_innermost(struct nsc_strpool *texts, const struct nsc_stats_input *input)
{
    uint32_t n = nsc_trace_events(input->trace)->n;
    struct finding finding = {.input = input, .texts = texts};

    finding.of = nsc_xmalloc(((size_t)n + 1) * sizeof *finding.of);
    for (uint32_t e = 0; e < n; e++)
        finding.of[e] = NSC_NONE;
    finding.scratch = nsc_xmalloc(NSC_NAME_BYTES);
    nsc_stats_tags_init(&finding.tags, input);
    nsc_stats_ranges_walk(input, NSC_N_KINDS, 1u << NSC_KIND_KERNEL,
                          &(struct nsc_stats_walk){.launch = visit_kernel, .context = &finding});
    nsc_stats_tags_fini(&finding.tags);
    free(finding.scratch);
    return finding.of;
}
