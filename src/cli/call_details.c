/* Adds data from NCCL's payload to the details of a kernel. */
#include "cli/call_details.h"

#include "analysis/base/correlate.h"
#include "cli/field_reader.h"
#include "core/buf.h"
#include "core/die.h"
#include "core/units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_communication(const struct nsc_trace *trace, nsc_event event)
{
    const struct nsc_events *events = nsc_trace_events(trace);

    return events->kind[event] == NSC_KIND_KERNEL &&
           nsc_trace_names(trace)->flags[events->name[event]] & NSC_NAME_COMM;
}

/* Columns that cannot be read leave the calls empty. */
static void find_calls(struct nsc_call_details *of)
{
    struct nsc_scope all = nsc_scope_all(of->trace);
    struct nsc_field_reader fields;

    nsc_field_reader_init(&fields, nsc_job_capture(of->job, 0), of->trace);
    nsc_nccl_calls_build(&of->calls, &all, &fields.sets);
    nsc_field_reader_fini(&fields);
    of->is_built = true;
}

/* Stream waits of a larger trace take too long to read for one event. */
#ifdef NSC_SMALL
#define DEPENDS_EVENTS 100000u
#else
#define DEPENDS_EVENTS 5000000u
#endif

static void find_waited(struct nsc_call_details *of, nsc_event event)
{
    const struct nsc_events *events = nsc_trace_events(of->trace);
    struct nsc_field_reader fields;

    of->waited = NSC_NONE;
    if (!nsc_kind_is_gpu(events->kind[event]) || events->n > DEPENDS_EVENTS ||
        nsc_job_count(of->job) != 1)
        return;
    if (!of->depends.trace) {
        nsc_field_reader_init(&fields, nsc_job_capture(of->job, 0), of->trace);
        nsc_depends_build(&of->depends, of->trace, &fields.sets);
        nsc_field_reader_fini(&fields);
    }
    of->waited = nsc_depends_last(&of->depends, event, 0);
}

/* Takes the text of value. */
static void add(struct nsc_details *details, const char *name, struct nsc_buf *value)
{
    details->at = nsc_xrealloc(details->at, (size_t)details->n + 1, sizeof *details->at);
    details->at[details->n++] = (struct nsc_detail){name, value->bytes};
    *value = (struct nsc_buf)NSC_BUF_INIT(256);
}

static void add_call(struct nsc_details *details, const struct nsc_nccl_calls *calls,
                     const struct nsc_nccl_kernel *call, nsc_time length)
{
    const struct nsc_nccl_comm *comm = &calls->comms.at[call->comm];
    enum nsc_nccl_op op = (enum nsc_nccl_op)call->op;
    struct nsc_nccl_rates rates = nsc_nccl_rates(op, call->bytes, comm->ranks, (double)length);
    struct nsc_buf value = NSC_BUF_INIT(256);
    char text[NSC_UNITS_BYTES];

    nsc_buf_puts(&value, nsc_nccl_op_word(op));
    if (comm->ranks > 0)
        nsc_buf_printf(&value, " of %u ranks", comm->ranks);
    add(details, "collective", &value);
    if (isfinite(rates.size) && rates.size < 9e18) {
        nsc_buf_puts(&value, nsc_units_bytes(text, (uint64_t)rates.size));
        add(details, "message", &value);
    }
    if (isfinite(rates.bus)) {
        nsc_buf_printf(&value, "%.2f GB/s", rates.bus);
        add(details, "bus bandwidth", &value);
    }
    nsc_buf_fini(&value);
}

/* Adds from the row of another event the user's own function, or of a capture its call stack. */
static void add_frames(struct nsc_call_details *of, struct nsc_details *details, nsc_event call,
                       bool is_capture)
{
    struct nsc_details other = {0, NULL};

    if (call == NSC_NONE || nsc_job_details(&other, of->job, of->trace, call, NULL) != NSC_OK)
        return;
    for (uint32_t i = 0; i < other.n; i++) {
        struct nsc_buf value = NSC_BUF_INIT(4096);

        if (is_capture ? other.at[i].name[0] != '#' : strcmp(other.at[i].name, "own code") != 0)
            continue;
        nsc_buf_puts(&value, other.at[i].value);
        add(details, is_capture ? "#captured" : "own code", &value);
        nsc_buf_fini(&value);
    }
    nsc_details_fini(&other);
}

static void add_capture(struct nsc_call_details *of, struct nsc_details *details, nsc_event event)
{
    struct nsc_buf value = NSC_BUF_INIT(256);
    char time[NSC_UNITS_BYTES];
    const struct nsc_trace *captured = nsc_trace_captured(of->trace);
    int64_t node = 0;
    nsc_event made;

    for (uint32_t i = 0; i < details->n; i++)
        if (strcmp(details->at[i].name, "graphNodeId") == 0)
            node = strtoll(details->at[i].value, NULL, 10);
    if (node == 0 || !nsc_kind_is_gpu(nsc_trace_events(of->trace)->kind[event]))
        return;
    made = captured ? nsc_event_launch(captured, event) : NSC_NONE;
    if (made == NSC_NONE)
        nsc_buf_puts(&value, "unknown: the recording begins after it (begin before the warm-up), "
                             "or the id of the node was used again");
    else
        nsc_buf_puts(&value, nsc_units_instant(time, nsc_trace_events(of->trace)->start[made]));
    add(details, "captured", &value);
    nsc_buf_fini(&value);
    add_frames(of, details, made, true);
}

enum nsc_status nsc_call_details_read(struct nsc_call_details *of, struct nsc_details *details,
                                      nsc_event event, struct nsc_error *error)
{
    const struct nsc_nccl_kernel *call;
    enum nsc_status status = nsc_job_details(details, of->job, of->trace, event, error);

    of->waited = NSC_NONE;
    if (status == NSC_OK) {
        find_waited(of, event);
        if (nsc_kind_is_gpu(nsc_trace_events(of->trace)->kind[event]))
            add_frames(of, details, nsc_event_launch(of->trace, event), false);
        add_capture(of, details, event);
    }
    if (status != NSC_OK || nsc_job_count(of->job) != 1 || !is_communication(of->trace, event))
        return status;
    if (!of->is_built)
        find_calls(of);
    call = nsc_nccl_find(&of->calls, event);
    if (call)
        add_call(details, &of->calls, call, nsc_event_duration(nsc_trace_events(of->trace), event));
    return NSC_OK;
}

void nsc_call_details_fini(struct nsc_call_details *of)
{
    nsc_nccl_calls_fini(&of->calls);
    nsc_depends_fini(&of->depends);
    *of = (struct nsc_call_details){0};
}
