/* Measures the process's own memory, and compares it with the budget. */
#include "cli/sandbox.h"
#include "core/die.h"
#include "core/threads.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { STEP_MS = 5, OWN_BYTES = 64 << 20 };

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HAS_SHADOW 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
    __has_feature(memory_sanitizer)
#define HAS_SHADOW 1
#endif
#endif

#ifndef HAS_SHADOW
/* Bytes in memory that are not backed by a file; 0 if the system does not report them. */
static uint64_t measure(int statm)
{
    unsigned long long all = 0, resident = 0, shared = 0;
    char text[128];
    ssize_t n = pread(statm, text, sizeof text - 1, 0);

    if (n <= 0)
        return 0;
    text[n] = '\0';
    if (sscanf(text, "%llu %llu %llu", &all, &resident, &shared) != 3 || resident < shared)
        return 0;
    return (resident - shared) * (uint64_t)sysconf(_SC_PAGESIZE);
}

static void *watch(void *context)
{
    const struct timespec step = {0, STEP_MS * 1000000};
    uint64_t limit = (uint64_t)(uintptr_t)context;
    int statm = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);

    while (statm >= 0) {
        if (measure(statm) > limit)
            nsc_die_oom();
        (void)nanosleep(&step, NULL);
    }
    return NULL;
}
#endif

void nsc_memory_watch(uint64_t bytes)
{
#ifdef HAS_SHADOW
    (void)bytes; /* most of the memory is the sanitizer's */
#else
    uint64_t limit = bytes + bytes / 4 + OWN_BYTES;
    pthread_t thread;

    if (limit > bytes && nsc_thread_start(&thread, watch, (void *)(uintptr_t)limit))
        pthread_detach(thread);
#endif
}
