/* Classifies calls by words in their names. */
#include "analysis/names/call_class.h"

#include "core/die.h"
#include "core/text.h"
#include "index/names.h"

#include <stdlib.h>

enum nsc_call_class nsc_call_class_api(struct nsc_text name)
{
    static const char *const queries[] = {"streamwaitevent", "cudaeventquery", NULL};
    static const char *const waits[] = {"wait", "synchronize", NULL};
    static const char *const copies[] = {"cudamemcpy", "cumemcpy", NULL};
    static const char *const launches[] = {"launchkernel", "culaunch", "cudalaunch", NULL};

    if (nsc_text_contains_any(name, queries))
        return NSC_CALL_QUERY;
    if (nsc_text_contains_any(name, waits))
        return NSC_CALL_SYNC;
    if (nsc_text_contains_any(name, copies))
        return nsc_text_contains_folded(name, nsc_text_from("async")) ? NSC_CALL_ASYNC_COPY
                                                                      : NSC_CALL_BLOCKING_COPY;
    if (nsc_text_contains_folded(name, nsc_text_from("graphlaunch")))
        return NSC_CALL_GRAPH;
    return nsc_text_contains_any(name, launches) ? NSC_CALL_LAUNCH : NSC_CALL_OTHER;
}

enum nsc_call_class nsc_call_class_os(struct nsc_text name)
{
    static const char *const waits[] = {
        "poll",     "ppoll",         "epoll_wait",        "select",
        "pselect",  "futex",         "pthread_cond_wait", "pthread_cond_timedwait",
        "sem_wait", "sem_timedwait", "nanosleep",         "clock_nanosleep"};

    for (size_t i = 0; i < sizeof waits / sizeof *waits; i++)
        if (nsc_text_is(name, waits[i]))
            return NSC_CALL_OS_WAIT;
    return NSC_CALL_OTHER;
}

void nsc_call_classes_build(struct nsc_call_classes *out, const struct nsc_trace *trace)
{
    size_t n = (size_t)nsc_trace_names(trace)->n + 1;

    *out = (struct nsc_call_classes){.trace = trace,
                                     .events = nsc_trace_events(trace),
                                     .api = nsc_xcalloc(n, 1),
                                     .os = nsc_xcalloc(n, 1)};
}

void nsc_call_classes_fini(struct nsc_call_classes *classes)
{
    free(classes->api);
    free(classes->os);
    *classes = (struct nsc_call_classes){0};
}

enum nsc_call_class nsc_call_class_read(const struct nsc_call_classes *classes, nsc_event event)
{
    nsc_name name = classes->events->name[event];
    struct nsc_text text = nsc_name_text(classes->trace, name);
    bool is_api = nsc_kind_is_api(classes->events->kind[event]);
    enum nsc_call_class class = is_api ? nsc_call_class_api(text) : nsc_call_class_os(text);

    (is_api ? classes->api : classes->os)[name] = (uint8_t)(class + 1);
    return class;
}
