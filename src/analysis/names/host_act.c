/* Classifies what the host does, by tables of names. */
#include "analysis/names/host_act.h"

#include "core/text.h"
#include "index/names.h"

#include <string.h>

static bool holds(struct nsc_text name, const char *word)
{
    return nsc_text_contains_folded(name, nsc_text_from(word));
}

enum nsc_host_act nsc_host_act_api(struct nsc_text name)
{
    static const char *const memory[] = {
        "malloc",       "hostalloc",    "memalloc",       "memfree",    "cudafree",
        "memcreate",    "memmap",       "memunmap",       "memrelease", "memaddress",
        "memsetaccess", "hostregister", "hostunregister", "mempool",    NULL};
    static const char *const launches[] = {"launchkernel", "culaunch", "cudalaunch",  "graphlaunch",
                                           "cudamemset",   "cumemset", "memprefetch", NULL};

    if (holds(name, "synchronize"))
        return NSC_HOST_SYNC;
    if (holds(name, "cudamemcpy") || holds(name, "cumemcpy"))
        return holds(name, "async") ? NSC_HOST_LAUNCH : NSC_HOST_COPY;
    if (nsc_text_contains_any(name, memory))
        return NSC_HOST_MEMORY;
    return nsc_text_contains_any(name, launches) ? NSC_HOST_LAUNCH : NSC_HOST_CUDA;
}

/* Calls of the OS by name, and (with are_beginnings) by how names begin. */

static const char *const parking[] = {"sem_wait", "sem_timedwait", "sem_clockwait", "futex", NULL};
static const char *const thread_parking[] = {"pthread_cond_wait",
                                             "pthread_cond_timedwait",
                                             "pthread_cond_clockwait",
                                             "pthread_join",
                                             "pthread_timedjoin_np",
                                             "pthread_clockjoin_np",
                                             NULL};
static const char *const locks[] = {
    "pthread_tryjoin_np", "wait", "wait3", "wait4", "waitid", "waitpid", NULL};
static const char *const sleeps[] = {"sleep",           "usleep", "nanosleep",
                                     "clock_nanosleep", "pause",  NULL};
static const char *const events[] = {
    "poll",         "ppoll",   "select",      "pselect",      "epoll_wait", "epoll_pwait",
    "epoll_pwait2", "sigwait", "sigwaitinfo", "sigtimedwait", NULL};
static const char *const network[] = {"recv",    "recvfrom",    "recvmsg",  "recvmmsg", "send",
                                      "sendto",  "sendmsg",     "sendmmsg", "connect",  "accept",
                                      "accept4", "getaddrinfo", NULL};
static const char *const parking_families[] = {"pthread_mutex_", "pthread_rwlock_",
                                               "pthread_barrier_", NULL};
static const char *const lock_families[] = {"pthread_spin_", NULL};
static const char *const descriptors[] = {
    "pread", "read", "pwrite",   "write",  "open",  "creat", "close", "fsync", "fdatasync",
    "msync", "sync", "sendfile", "splice", "lseek", "aio_",  "io_",   NULL};
static const char *const streams[] = {
    "fopen",   "fdopen", "freopen", "fclose", "fread",   "fwrite", "getc",  "fgetc",
    "getw",    "fgetw",  "putc",    "fputc",  "puts",    "fputs",  "fputw", "getdelim",
    "getline", "fflush", "fscanf",  "scanf",  "fprintf", "printf", "fseek", NULL};
static const char *const file_families[] = {
    "stat",   "fstat",  "lstat", "ftruncate", "fallocate", "posix_fallocate", "copy_file_range",
    "unlink", "rename", "mkdir", NULL};

/* The first row with a name decides. */
static const struct os_names {
    uint8_t act;
    bool parks, are_beginnings;
    const char *const *names;
} os_names[] = {
    {NSC_HOST_LOCK, true, false, parking},         {NSC_HOST_LOCK, true, false, thread_parking},
    {NSC_HOST_LOCK, false, false, locks},          {NSC_HOST_SLEEP, false, false, sleeps},
    {NSC_HOST_EVENTS, false, false, events},       {NSC_HOST_NETWORK, false, false, network},
    {NSC_HOST_LOCK, true, true, parking_families}, {NSC_HOST_LOCK, false, true, lock_families},
    {NSC_HOST_FILE, false, true, descriptors},     {NSC_HOST_FILE, false, true, streams},
    {NSC_HOST_FILE, false, true, file_families},
};

static bool starts_at(struct nsc_text name, size_t at, const char *word)
{
    size_t n = strlen(word);
    size_t i = 0;

    while (i < n && at + i < name.n && nsc_ascii_lower(name.bytes[at + i]) == word[i])
        i++;
    return i == n;
}

static const struct os_names *find_os(struct nsc_text name)
{
    for (size_t i = 0; i < sizeof os_names / sizeof *os_names; i++)
        for (const char *const *known = os_names[i].names; *known; known++)
            if (os_names[i].are_beginnings ? starts_at(name, 0, *known) : nsc_text_is(name, *known))
                return &os_names[i];
    return NULL;
}

enum nsc_host_act nsc_host_act_os(struct nsc_text name)
{
    const struct os_names *found = find_os(name);

    return found ? (enum nsc_host_act)found->act : NSC_HOST_OS;
}

bool nsc_host_act_parks(struct nsc_text name)
{
    const struct os_names *found = find_os(name);

    return found && found->parks;
}

bool nsc_parked_is(const struct nsc_trace *trace, nsc_event call)
{
    return nsc_trace_events(trace)->kind[call] == NSC_KIND_OSRT &&
           nsc_host_act_parks(nsc_event_name(trace, call));
}

static bool is_letter_at(struct nsc_text name, size_t at)
{
    char c = at < name.n ? nsc_ascii_lower(name.bytes[at]) : ' ';

    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

/* Whether a name means garbage collection: "gc" or "garbage" as a word, with a word for collecting:
 * "GC", "[GC] gen 2", "gc_collect", "Python GC" (TensorRT-LLM). */
static bool is_collection(struct nsc_text name)
{
    static const char *const now[] = {"collect", "gen", "pause", "sweep", "full", "python", NULL};

    if (holds(name, "garbage"))
        return nsc_text_contains_any(name, now);
    for (size_t at = 0; at + 2 <= name.n; at++) {
        if (!starts_at(name, at, "gc") || (at > 0 && is_letter_at(name, at - 1)) ||
            is_letter_at(name, at + 2))
            continue;
        return name.n <= 4 || nsc_text_contains_any(name, now);
    }
    return false;
}

enum nsc_host_act nsc_host_act_range(struct nsc_text name)
{
    if (nsc_text_is(name, "Waiting for GIL"))
        return NSC_HOST_GIL;
    if (nsc_text_is(name, "Holding GIL"))
        return NSC_N_HOST_ACTS;
    if (nsc_text_begins(name, "MPI_")) /* nsys of 2022 records MPI calls as ranges */
        return NSC_HOST_MPI;
    return is_collection(name) ? NSC_HOST_GC : NSC_HOST_CPU;
}

enum nsc_host_act nsc_host_act_overhead(struct nsc_text name)
{
    static const char *const cuda[] = {"module loading", "function loading", "compil",
                                       "command buffer full", NULL};

    return nsc_text_contains_any(name, cuda) ? NSC_HOST_CUDA : NSC_HOST_OVERHEAD;
}
