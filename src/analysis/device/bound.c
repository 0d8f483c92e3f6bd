/* Finds what bounds a device, from its breakdown and the causes of its idle time. */
#include "analysis/device/bound.h"

#include "analysis/device/breakdown.h"
#include "analysis/device/compute_absent.h"
#include "analysis/device/idle.h"
#include "core/sum.h"

const char *nsc_bound_part_word(enum nsc_bound_part part)
{
    static const char *const words[NSC_N_BOUND_PARTS] = {
        "compute",
        "communication alone",
        "copies alone",
        "starved: idle before the next launch",
        "idle while the profiler works",
        "idle while a server waits for requests",
        "idle while another GPU works on",
        "waiting: idle after the next launch",
        "idle for unknown reasons",
    };

    return words[part];
}

bool nsc_bound_build(struct nsc_bound *out, const struct nsc_scope *scope, uint32_t device)
{
    struct nsc_breakdown time;
    struct nsc_idle idle;

    *out = (struct nsc_bound){0};
    if (!nsc_breakdown_build(&time, scope, device) || !nsc_idle_build(&idle, scope, device))
        return false;
    out->window = time.window;
    out->whole = time.whole;
    out->part[NSC_BOUND_COMPUTE] = time.compute;
    out->part[NSC_BOUND_COMM] = time.comm_alone;
    out->part[NSC_BOUND_COPIES] = time.memory_alone;
    out->within = time.within_alone;
    out->beside = time.comm_alone - time.exposed;
    out->part[NSC_BOUND_PROFILER] = idle.part[NSC_GAP_OVERHEAD];
    out->part[NSC_BOUND_REQUESTS] = idle.requests;
    out->part[NSC_BOUND_STARVED] =
        nsc_idle_late(&idle) - idle.part[NSC_GAP_OVERHEAD] - out->part[NSC_BOUND_REQUESTS];
    out->part[NSC_BOUND_UNKNOWN] =
        nsc_sum(idle.part[NSC_GAP_UNKNOWN], idle.part[NSC_GAP_UNRECORDED]);
    out->part[NSC_BOUND_OTHER_GPU] =
        nsc_sum(idle.part[NSC_GAP_OTHER_GPU], idle.part[NSC_GAP_ENDED]);
    out->part[NSC_BOUND_WAITING] = time.idle - nsc_idle_late(&idle) - out->part[NSC_BOUND_UNKNOWN] -
                                   out->part[NSC_BOUND_OTHER_GPU];
    nsc_idle_fini(&idle);
    return true;
}

/* Whether a loss is the bottleneck. */
static bool is_most(const struct nsc_bound *bound, nsc_time loss)
{
    nsc_time absent = bound->whole - bound->part[NSC_BOUND_COMPUTE] - bound->within;

    return nsc_percent(loss, absent) >= NSC_LIMIT_MOST &&
           nsc_percent(loss, bound->whole) >= NSC_LIMIT_MATTERS;
}

/* The time that speaks for the verdict of a part. */
static nsc_time loss_of(const struct nsc_bound *bound, enum nsc_bound_part part)
{
    nsc_time time = bound->part[part];

    switch (part) {
    case NSC_BOUND_COMM:
        return time - bound->beside - bound->behind_comm;
    case NSC_BOUND_COPIES:
        return time - bound->within - bound->behind_copies;
    case NSC_BOUND_STARVED:
        return nsc_sum(time, nsc_sum(bound->behind_comm, bound->behind_copies));
    default:
        return time;
    }
}

void nsc_bound_look_behind(struct nsc_bound *bound, const struct nsc_scope *scope, uint32_t device,
                           struct nsc_depends **depends, const struct nsc_field_sets *fields)
{
    struct nsc_absent absent;
    nsc_time comm = loss_of(bound, NSC_BOUND_COMM);
    nsc_time copies = loss_of(bound, NSC_BOUND_COPIES);
    nsc_time idle_late = bound->part[NSC_BOUND_STARVED] + bound->part[NSC_BOUND_PROFILER] +
                         bound->part[NSC_BOUND_REQUESTS] + bound->part[NSC_BOUND_OTHER_GPU];

    if (!is_most(bound, comm) && !is_most(bound, copies))
        return;
    if (!*depends)
        *depends = nsc_depends_ask(scope, fields);
    if (!nsc_absent_build(&absent, scope, *depends, device))
        return;
    bound->behind_comm = nsc_earlier(absent.part[NSC_ABSENT_BEHIND], comm);
    bound->behind_copies =
        nsc_earlier(nsc_later(0, absent.part[NSC_ABSENT_LATE] - idle_late), copies);
}

const char *nsc_bound_verdict(const struct nsc_bound *bound)
{
    static const char *const verdicts[NSC_N_BOUND_PARTS] = {
        "GPU-bound",
        "waits for communication",
        "waits for copies",
        "CPU-bound",
        "held up by the profiler",
        "waits for requests",
        "waits for another GPU",
        "waits on the GPU's side",
        "not known",
    };

    if (nsc_percent(bound->part[NSC_BOUND_COMPUTE] + bound->within, bound->whole) >=
        100 - NSC_LIMIT_MATTERS)
        return verdicts[NSC_BOUND_COMPUTE];
    for (int i = NSC_BOUND_COMM; i < NSC_N_BOUND_PARTS; i++)
        if (is_most(bound, loss_of(bound, (enum nsc_bound_part)i)))
            return verdicts[i];
    if (bound->beside > 0 && is_most(bound, loss_of(bound, NSC_BOUND_COMM) + bound->beside +
                                                loss_of(bound, NSC_BOUND_COPIES)))
        return "waits for communication or copies";
    return "mixed";
}
