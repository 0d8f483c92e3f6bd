/*
 * Classes of calls, by words in their names.
 */
#include "analysis/call_class.h"

#include "core/die.h"

#include <stdlib.h>
#include <string.h>

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* word in lower case. */
static bool holds(struct nsc_text name, const char *word)
{
    size_t n = strlen(word);

    for (size_t at = 0; at + n <= name.n; at++) {
        size_t i = 0;

        while (i < n && lower(name.bytes[at + i]) == word[i])
            i++;
        if (i == n)
            return true;
    }
    return false;
}

enum nsc_call_class nsc_call_class_api(struct nsc_text name)
{
    if (holds(name, "wait") || holds(name, "synchronize") || holds(name, "cudaeventquery"))
        return NSC_CALL_SYNC;
    if (holds(name, "cudamemcpy") || holds(name, "cumemcpy"))
        return holds(name, "async") ? NSC_CALL_ASYNC_COPY : NSC_CALL_BLOCKING_COPY;
    if (holds(name, "graphlaunch"))
        return NSC_CALL_GRAPH;
    if (holds(name, "launchkernel") || holds(name, "culaunch") || holds(name, "cudalaunch"))
        return NSC_CALL_LAUNCH;
    return NSC_CALL_OTHER;
}

enum nsc_call_class nsc_call_class_os(struct nsc_text name)
{
    static const char *const waits[] = {
        "poll",     "ppoll",         "epoll_wait",        "select",
        "pselect",  "futex",         "pthread_cond_wait", "pthread_cond_timedwait",
        "sem_wait", "sem_timedwait", "nanosleep",         "clock_nanosleep"};

    for (size_t i = 0; i < sizeof waits / sizeof *waits; i++)
        if (name.n == strlen(waits[i]) && memcmp(name.bytes, waits[i], name.n) == 0)
            return NSC_CALL_OS_WAIT;
    return NSC_CALL_OTHER;
}

void nsc_call_classes_build(struct nsc_call_classes *out, const struct nsc_trace *trace)
{
    const struct nsc_names *names = nsc_trace_names(trace);

    out->events = nsc_trace_events(trace);
    out->api = nsc_xcalloc((size_t)names->n + 1, 1);
    out->os = nsc_xcalloc((size_t)names->n + 1, 1);
    for (nsc_name i = 0; i < names->n; i++) {
        struct nsc_text name = nsc_trace_string(trace, names->full[i]);

        out->api[i] = (uint8_t)nsc_call_class_api(name);
        out->os[i] = (uint8_t)nsc_call_class_os(name);
    }
}

void nsc_call_classes_fini(struct nsc_call_classes *classes)
{
    free(classes->api);
    free(classes->os);
    *classes = (struct nsc_call_classes){0};
}

enum nsc_call_class nsc_call_class_of(const struct nsc_call_classes *classes, nsc_event event)
{
    uint8_t kind = classes->events->kind[event];

    if (nsc_kind_is_api(kind))
        return (enum nsc_call_class)classes->api[classes->events->name[event]];
    if (kind == NSC_KIND_OSRT)
        return (enum nsc_call_class)classes->os[classes->events->name[event]];
    return NSC_CALL_OTHER;
}
