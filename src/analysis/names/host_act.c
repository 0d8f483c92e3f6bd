/* Classifies what the host does, by tables of names. */
#include "analysis/names/host_act.h"

#include "core/text.h"

#include <string.h>

/* word must be in lower case. */
static bool starts_at(struct nsc_text name, size_t at, const char *word, size_t n)
{
    size_t i = 0;

    while (i < n && nsc_ascii_lower(name.bytes[at + i]) == word[i])
        i++;
    return i == n;
}

static bool holds(struct nsc_text name, const char *word)
{
    size_t n = strlen(word);

    for (size_t at = 0; at + n <= name.n; at++)
        if (starts_at(name, at, word, n))
            return true;
    return false;
}

static bool holds_any(struct nsc_text name, const char *const words[], size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (holds(name, words[i]))
            return true;
    return false;
}

#define COUNT(list) (sizeof(list) / sizeof *(list))

enum nsc_host_act nsc_host_act_api(struct nsc_text name)
{
    static const char *const memory[] = {
        "malloc",       "hostalloc",    "memalloc",       "memfree",    "cudafree",
        "memcreate",    "memmap",       "memunmap",       "memrelease", "memaddress",
        "memsetaccess", "hostregister", "hostunregister", "mempool"};
    static const char *const launches[] = {"launchkernel", "culaunch", "cudalaunch", "graphlaunch",
                                           "cudamemset",   "cumemset", "memprefetch"};

    if (holds(name, "synchronize"))
        return NSC_HOST_SYNC;
    if (holds(name, "cudamemcpy") || holds(name, "cumemcpy"))
        return holds(name, "async") ? NSC_HOST_LAUNCH : NSC_HOST_COPY;
    if (holds_any(name, memory, COUNT(memory)))
        return NSC_HOST_MEMORY;
    return holds_any(name, launches, COUNT(launches)) ? NSC_HOST_LAUNCH : NSC_HOST_CUDA;
}

static const struct os_name {
    const char *name;
    uint8_t act;
    bool parks;
} os_names[] = {
    {"pthread_cond_wait", NSC_HOST_LOCK, true},
    {"pthread_cond_timedwait", NSC_HOST_LOCK, true},
    {"pthread_cond_clockwait", NSC_HOST_LOCK, true},
    {"sem_wait", NSC_HOST_LOCK, true},
    {"sem_timedwait", NSC_HOST_LOCK, true},
    {"sem_clockwait", NSC_HOST_LOCK, true},
    {"futex", NSC_HOST_LOCK, true},
    {"pthread_join", NSC_HOST_LOCK, true},
    {"pthread_timedjoin_np", NSC_HOST_LOCK, true},
    {"pthread_tryjoin_np", NSC_HOST_LOCK, false},
    {"pthread_clockjoin_np", NSC_HOST_LOCK, true},
    {"wait", NSC_HOST_LOCK, false},
    {"wait3", NSC_HOST_LOCK, false},
    {"wait4", NSC_HOST_LOCK, false},
    {"waitid", NSC_HOST_LOCK, false},
    {"waitpid", NSC_HOST_LOCK, false},
    {"sleep", NSC_HOST_SLEEP, false},
    {"usleep", NSC_HOST_SLEEP, false},
    {"nanosleep", NSC_HOST_SLEEP, false},
    {"clock_nanosleep", NSC_HOST_SLEEP, false},
    {"pause", NSC_HOST_SLEEP, false},
    {"poll", NSC_HOST_EVENTS, false},
    {"ppoll", NSC_HOST_EVENTS, false},
    {"select", NSC_HOST_EVENTS, false},
    {"pselect", NSC_HOST_EVENTS, false},
    {"epoll_wait", NSC_HOST_EVENTS, false},
    {"epoll_pwait", NSC_HOST_EVENTS, false},
    {"epoll_pwait2", NSC_HOST_EVENTS, false},
    {"sigwait", NSC_HOST_EVENTS, false},
    {"sigwaitinfo", NSC_HOST_EVENTS, false},
    {"sigtimedwait", NSC_HOST_EVENTS, false},
    {"recv", NSC_HOST_NETWORK, false},
    {"recvfrom", NSC_HOST_NETWORK, false},
    {"recvmsg", NSC_HOST_NETWORK, false},
    {"recvmmsg", NSC_HOST_NETWORK, false},
    {"send", NSC_HOST_NETWORK, false},
    {"sendto", NSC_HOST_NETWORK, false},
    {"sendmsg", NSC_HOST_NETWORK, false},
    {"sendmmsg", NSC_HOST_NETWORK, false},
    {"connect", NSC_HOST_NETWORK, false},
    {"accept", NSC_HOST_NETWORK, false},
    {"accept4", NSC_HOST_NETWORK, false},
    {"getaddrinfo", NSC_HOST_NETWORK, false},
};

/* families: prefixes of names */
static const struct os_name os_families[] = {
    {"pthread_mutex_", NSC_HOST_LOCK, true},
    {"pthread_rwlock_", NSC_HOST_LOCK, true},
    {"pthread_spin_", NSC_HOST_LOCK, false},
    {"pthread_barrier_", NSC_HOST_LOCK, true},
    {"pread", NSC_HOST_FILE, false},
    {"read", NSC_HOST_FILE, false},
    {"pwrite", NSC_HOST_FILE, false},
    {"write", NSC_HOST_FILE, false},
    {"open", NSC_HOST_FILE, false},
    {"fopen", NSC_HOST_FILE, false},
    {"fdopen", NSC_HOST_FILE, false},
    {"freopen", NSC_HOST_FILE, false},
    {"creat", NSC_HOST_FILE, false},
    {"close", NSC_HOST_FILE, false},
    {"fclose", NSC_HOST_FILE, false},
    {"fcloseall", NSC_HOST_FILE, false},
    {"fread", NSC_HOST_FILE, false},
    {"fwrite", NSC_HOST_FILE, false},
    {"getc", NSC_HOST_FILE, false},
    {"fgetc", NSC_HOST_FILE, false},
    {"getw", NSC_HOST_FILE, false},
    {"fgetw", NSC_HOST_FILE, false},
    {"putc", NSC_HOST_FILE, false},
    {"fputc", NSC_HOST_FILE, false},
    {"puts", NSC_HOST_FILE, false},
    {"fputs", NSC_HOST_FILE, false},
    {"fputw", NSC_HOST_FILE, false},
    {"getdelim", NSC_HOST_FILE, false},
    {"getline", NSC_HOST_FILE, false},
    {"fflush", NSC_HOST_FILE, false},
    {"fsync", NSC_HOST_FILE, false},
    {"fdatasync", NSC_HOST_FILE, false},
    {"msync", NSC_HOST_FILE, false},
    {"sync", NSC_HOST_FILE, false},
    {"fscanf", NSC_HOST_FILE, false},
    {"scanf", NSC_HOST_FILE, false},
    {"fprintf", NSC_HOST_FILE, false},
    {"printf", NSC_HOST_FILE, false},
    {"sendfile", NSC_HOST_FILE, false},
    {"splice", NSC_HOST_FILE, false},
    {"lseek", NSC_HOST_FILE, false},
    {"fseek", NSC_HOST_FILE, false},
    {"stat", NSC_HOST_FILE, false},
    {"fstat", NSC_HOST_FILE, false},
    {"lstat", NSC_HOST_FILE, false},
    {"ftruncate", NSC_HOST_FILE, false},
    {"fallocate", NSC_HOST_FILE, false},
    {"posix_fallocate", NSC_HOST_FILE, false},
    {"copy_file_range", NSC_HOST_FILE, false},
    {"unlink", NSC_HOST_FILE, false},
    {"rename", NSC_HOST_FILE, false},
    {"mkdir", NSC_HOST_FILE, false},
    {"aio_", NSC_HOST_FILE, false},
    {"io_", NSC_HOST_FILE, false},
};

static const struct os_name *find_os(struct nsc_text name)
{
    for (size_t i = 0; i < COUNT(os_names); i++)
        if (nsc_text_is(name, os_names[i].name))
            return &os_names[i];
    for (size_t i = 0; i < COUNT(os_families); i++) {
        size_t n = strlen(os_families[i].name);

        if (n <= name.n && starts_at(name, 0, os_families[i].name, n))
            return &os_families[i];
    }
    return NULL;
}

enum nsc_host_act nsc_host_act_os(struct nsc_text name)
{
    const struct os_name *found = find_os(name);

    return found ? (enum nsc_host_act)found->act : NSC_HOST_OS;
}

bool nsc_host_act_parks(struct nsc_text name)
{
    const struct os_name *found = find_os(name);

    return found && found->parks;
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
    static const char *const now[] = {"collect", "gen", "pause", "sweep", "full", "python"};

    if (holds(name, "garbage"))
        return holds_any(name, now, COUNT(now));
    for (size_t at = 0; at + 2 <= name.n; at++) {
        if (!starts_at(name, at, "gc", 2) || (at > 0 && is_letter_at(name, at - 1)) ||
            is_letter_at(name, at + 2))
            continue;
        return name.n <= 4 || holds_any(name, now, COUNT(now));
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
                                       "command buffer full"};

    return holds_any(name, cuda, COUNT(cuda)) ? NSC_HOST_CUDA : NSC_HOST_OVERHEAD;
}
