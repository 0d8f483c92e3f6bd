/* Compares the launch calls with the work that they launch. */
#include "analysis/base/loss.h"

#include "analysis/base/limit.h"
#include "analysis/names/host_act.h"
#include "core/sum.h"
#include "core/text.h"
#include "index/names.h"

#include <stdlib.h>

enum { HOLE = 64 /* launch calls in a row; fewer may have failed */ };
enum call { UNREAD, OTHER, CAPTURE, LAUNCH, KERNEL /* a launch of one */ };

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

static enum call call_of(struct nsc_text name)
{
    if (nsc_text_contains_folded(name, nsc_text_from("begincapture")))
        return CAPTURE;
    if (nsc_host_act_api(name) != NSC_HOST_LAUNCH)
        return OTHER;
    return nsc_text_contains_folded(name, nsc_text_from("kernel")) ? KERNEL : LAUNCH;
}

/* Passes a launch of a kernel. Returns the number of kernels in a row without work that it ends; 0: none. Work follows
 * a hole, a tenth as much at least; none follows the end of a recording that was cut. */
static nsc_time end_hole(nsc_time *missing, nsc_time *resumed, bool has_work)
{
    nsc_time hole = *missing;

    *resumed = has_work ? *resumed + 1 : 0;
    *missing = has_work && 10 * *resumed >= hole ? 0 : hole + !has_work;
    return *missing > 0 || hole < HOLE ? 0 : hole;
}

bool nsc_loss_find(struct nsc_loss *out, const struct nsc_scope *scope,
                   const struct nsc_field_sets *fields)
{
    const struct nsc_events *events = nsc_trace_events(scope->trace);
    uint8_t *calls = nsc_xcalloc((size_t)nsc_trace_names(scope->trace)->n + 1, sizeof *calls);
    nsc_time n[2] = {0}; /* launch calls without and with their work */
    nsc_time holes = 0, missing = 0, resumed = 0;
    uint32_t lane = NSC_NONE;
    bool captures = false; /* graphs: a launch call that one captures has no work */

    out->said = find_message(nsc_field_set(fields, NSC_FIELDS_DIAGNOSTICS));
    for (struct nsc_scope_cursor at = nsc_scope_open(scope, NSC_TRACK_BIT(NSC_TRACK_API));
         nsc_scope_next(&at); lane = at.lane) {
        uint8_t *call = &calls[events->name[at.row]];
        bool has_work = events->link[at.row] != NSC_NONE;

        *call = *call ? *call : (uint8_t)call_of(nsc_name_text(scope->trace, events->name[at.row]));
        n[has_work] += *call >= LAUNCH;
        captures |= *call == CAPTURE;
        missing = at.lane == lane ? missing : 0;
        holes += *call == KERNEL ? end_hole(&missing, &resumed, has_work) : 0;
    }
    free(calls);
    out->share = nsc_percent(out->said.n > 0 ? n[0] : captures ? 0 : holes, n[0] + n[1]);
    if (out->said.n == 0)
        out->said = nsc_text_from("nothing, but many kernels in a row are launched and not "
                                  "recorded; those before and after them are");
    return out->share >= NSC_LIMIT_LOST;
}
