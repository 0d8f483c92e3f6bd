/* Compares the profiler's warning of lost events with the launch calls. */
#include "analysis/finding/loss.h"

#include "analysis/base/limit.h"
#include "analysis/names/host_act.h"
#include "core/sum.h"
#include "core/text.h"

static struct nsc_text find_message(const struct nsc_fields *messages)
{
    static const char *const words[] = {"not all cuda events", "events were lost", NULL};
    int64_t name;

    for (uint32_t i = 0; nsc_fields_has(messages, NSC_DIAGNOSTIC_TEXT) && i < messages->n; i++)
        if (nsc_fields_int(&name, messages, NSC_DIAGNOSTIC_TEXT, i) &&
            nsc_text_contains_any(nsc_strpool_text(&messages->texts, (nsc_str)name), words))
            return nsc_strpool_text(&messages->texts, (nsc_str)name);
    return nsc_text_from("");
}

bool nsc_loss_find(struct nsc_loss *out, const struct nsc_scope *scope,
                   const struct nsc_field_sets *fields)
{
    const struct nsc_events *events = nsc_trace_events(scope->trace);
    const struct nsc_names *names = nsc_trace_names(scope->trace);
    nsc_time n[2] = {0}; /* launch calls without and with their work */

    out->said = find_message(nsc_field_set(fields, NSC_FIELDS_DIAGNOSTICS));
    for (struct nsc_scope_cursor at = nsc_scope_open(scope, UINT32_MAX);
         out->said.n > 0 && nsc_scope_next(&at);)
        if (nsc_kind_is_api(events->kind[at.row]) &&
            nsc_host_act_api(nsc_trace_string(scope->trace, names->full[events->name[at.row]])) ==
                NSC_HOST_LAUNCH)
            n[events->link[at.row] != NSC_NONE]++;
    out->share = nsc_percent(n[0], n[0] + n[1]);
    return out->share >= NSC_LIMIT_LOST;
}
