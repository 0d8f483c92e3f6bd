/*
 * openacc_sum: OpenACC events by kind and line: "Compute Construct@file.c:84".
 */
#include "analysis/stats/functions.h"
#include "analysis/stats/rows.h"
#include "core/buf.h"
#include "core/die.h"
#include "core/text.h"

#include <inttypes.h>
#include <stdlib.h>

struct constructs {
    const struct nsc_events *events;
    struct nsc_stats_list list;
    struct nsc_totals totals; /* by text */
};

static void put_text(struct nsc_buf *out, struct nsc_text text)
{
    nsc_buf_add(out, text.bytes, text.n);
}

static void find_groups(struct constructs *constructs, const struct nsc_stats_input *input)
{
    struct nsc_buf name = NSC_BUF_INIT(SIZE_MAX);
    struct nsc_stats_names names;

    nsc_stats_names_init(&names, input);
    for (uint32_t i = 0; i < constructs->list.n; i++) {
        nsc_event e = constructs->list.event[i];
        uint8_t kind = constructs->events->kind[e];
        const struct nsc_fields *fields =
            input->fields[kind == NSC_KIND_ACC_DATA     ? NSC_STATS_FIELDS_ACC_DATA
                          : kind == NSC_KIND_ACC_LAUNCH ? NSC_STATS_FIELDS_ACC_LAUNCH
                                                        : NSC_STATS_FIELDS_ACC_OTHER];
        uint32_t row = nsc_fields_find(fields, e);
        struct nsc_text file = nsc_fields_text(fields, 1, row);
        int64_t line;

        nsc_buf_clear(&name);
        put_text(&name, nsc_stats_known(nsc_stats_name(&names, e)));
        if (file.n)
            nsc_buf_putc(&name, '@');
        put_text(&name, file);
        if (file.n && nsc_fields_int(&line, fields, 0, row))
            nsc_buf_printf(&name, ":%" PRId64, line);
        nsc_totals_add(&constructs->totals,
                       &(int64_t){nsc_totals_text(&constructs->totals, nsc_text_of_buf(&name))});
    }
    nsc_stats_names_fini(&names);
    nsc_buf_fini(&name);
}

static bool duration_of(const void *context, uint32_t i, int64_t *value)
{
    const struct constructs *constructs = context;

    *value = nsc_event_duration(constructs->events, constructs->list.event[i]);
    return true;
}

static void label_construct(const void *context, uint32_t group, struct nsc_stats_cell cells[])
{
    const struct constructs *constructs = context;

    cells[0] = nsc_cell_of_text(nsc_totals_text_of(&constructs->totals, group, 0));
}

static int compare_constructs(const void *context, uint32_t a, uint32_t b)
{
    const struct constructs *constructs = context;

    return nsc_totals_compare(&constructs->totals, a, b, 0, 1);
}

enum nsc_status nsc_stats_openacc_sum(const struct nsc_stats_input *input,
                                      const struct nsc_stats_sink *sink)
{
    static const uint8_t kinds[] = {NSC_KIND_ACC_DATA, NSC_KIND_ACC_LAUNCH, NSC_KIND_ACC_OTHER};
    struct constructs constructs = {.events = nsc_trace_events(input->trace),
                                    .list = nsc_stats_list(input, kinds, sizeof kinds),
                                    .totals = nsc_totals_new(1, NSC_TOTALS_TEXT(0))};
    struct nsc_stats_groups groups = {
        .label = label_construct, .compare = compare_constructs, .context = &constructs};
    struct nsc_spread *spread;
    enum nsc_status status;

    find_groups(&constructs, input);
    spread = nsc_totals_measure(&constructs.totals, duration_of, &constructs);
    groups.n = constructs.totals.n;
    groups.spread = spread;
    status = nsc_stats_put_groups(&groups, sink);
    free(spread);
    free(constructs.list.event);
    nsc_totals_fini(&constructs.totals);
    return status;
}
