/*
 * Classifies a call of the CUDA API or the OS by its name: waits, copies, launches.
 *
 * A word matches inside the name, in any case; so versioned names such as cudaLaunchKernel_v7000
 * match too (docs/analyses/report.md).
 */
#ifndef NSC_ANALYSIS_CALL_CLASS_H
#define NSC_ANALYSIS_CALL_CLASS_H

#include "nsyscope/trace.h"

enum nsc_call_class {
    NSC_CALL_OTHER,
    NSC_CALL_SYNC,          /* contains "wait" or "synchronize" */
    NSC_CALL_QUERY,         /* contains StreamWaitEvent or cudaEventQuery: does not hold the host */
    NSC_CALL_BLOCKING_COPY, /* contains cudaMemcpy or cuMemcpy and not "async" */
    NSC_CALL_ASYNC_COPY,    /* the same with "async" */
    NSC_CALL_LAUNCH,        /* contains LaunchKernel, cuLaunch or cudaLaunch */
    NSC_CALL_GRAPH,         /* holds GraphLaunch */
    NSC_CALL_OS_WAIT        /* the whole name is poll, ppoll, epoll_wait, select, pselect, futex,
                             * pthread_cond_wait, pthread_cond_timedwait, sem_wait, sem_timedwait,
                             * nanosleep or clock_nanosleep */
};

/* For calls of the CUDA API: never NSC_CALL_OS_WAIT. */
enum nsc_call_class nsc_call_class_api(struct nsc_text name);
/* For calls of the OS: NSC_CALL_OS_WAIT or NSC_CALL_OTHER. */
enum nsc_call_class nsc_call_class_os(struct nsc_text name);

/*
 * The classes of the calls of a trace. Classifies a name when it first occurs, because a trace may
 * have a million names of which a dozen are calls. For one thread; the owner calls fini.
 */
struct nsc_call_classes {
    const struct nsc_trace *trace;
    const struct nsc_events *events;
    uint8_t *api; /* by name: enum nsc_call_class + 1; 0: not seen yet */
    uint8_t *os;
};

void nsc_call_classes_build(struct nsc_call_classes *out, const struct nsc_trace *trace);
void nsc_call_classes_fini(struct nsc_call_classes *classes);
/* Classifies the name of a call. For nsc_call_class_of. */
enum nsc_call_class nsc_call_class_read(const struct nsc_call_classes *classes, nsc_event event);

/* NSC_CALL_OTHER for other events. */
static inline enum nsc_call_class nsc_call_class_of(const struct nsc_call_classes *classes,
                                                    nsc_event event)
{
    uint8_t kind = classes->events->kind[event];
    const uint8_t *by_name = nsc_kind_is_api(kind)   ? classes->api
                             : kind == NSC_KIND_OSRT ? classes->os
                                                     : NULL;
    uint8_t known = by_name ? by_name[classes->events->name[event]] : NSC_CALL_OTHER + 1;

    return known ? (enum nsc_call_class)(known - 1) : nsc_call_class_read(classes, event);
}

#endif
