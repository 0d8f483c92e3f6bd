/*
 * Allocates large columns in whole pages, and measures the available memory.
 */
#include "core/pages.h"

#include "core/die.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

enum { TOUCH_BYTES = 1 << 14 }; /* fewer do not pay for a system call */

/* Rounded up to whole pages; 0 on overflow. */
static size_t round_up(size_t bytes)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);

    return bytes > SIZE_MAX - page ? 0 : (bytes + page - 1) / page * page;
}

/* Without MADV_HUGEPAGE: a reservation with few touched pages would become resident as a whole, and
 * in a virtual machine fresh huge pages cost more than used small ones. */
void *nsc_pages_new(size_t bytes)
{
    size_t rounded = round_up(bytes);
    void *p = NULL;

    if (rounded == 0)
        return NULL;
    p = mmap(NULL, rounded, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1,
             0);
    return p == MAP_FAILED ? NULL : p;
}

void *nsc_pages_need(size_t bytes)
{
    void *pages = nsc_pages_new(bytes);

    if (!pages && bytes)
        nsc_die_oom_unless_screen();
    return pages;
}

void nsc_pages_free(void *pages, size_t bytes)
{
    int failed = 0;

    if (!pages)
        return;
    failed = munmap(pages, round_up(bytes));
    assert(!failed);
    (void)failed;
}

void nsc_pages_drop(void *range, size_t bytes)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t before = (page - (uintptr_t)range % page) % page;

    if (bytes >= before + page) /* best effort */
        (void)madvise((char *)range + before, (bytes - before) / page * page, MADV_DONTNEED);
}

void nsc_pages_touch(void *range, size_t bytes)
{
#ifdef MADV_POPULATE_WRITE
    size_t before = (uintptr_t)range % (size_t)sysconf(_SC_PAGESIZE);

    if (bytes >= TOUCH_BYTES) /* best effort */
        (void)madvise((char *)range - before, before + bytes, MADV_POPULATE_WRITE);
#else
    (void)range;
    (void)bytes;
#endif
}

void nsc_pages_collapse(void)
{
    enum { COLLAPSE = 25, HUGE_BYTES = 2 << 20 }; /* the number is newer than some headers */
    FILE *file = fopen("/proc/self/maps", "re");
    char line[512];

    while (file && fgets(line, sizeof line, file)) {
        char *end = line;
        uint64_t from = (strtoull(line, &end, 16) + HUGE_BYTES - 1) / HUGE_BYTES * HUGE_BYTES;
        uint64_t to = strtoull(end + 1, &end, 16) / HUGE_BYTES * HUGE_BYTES;

        if (from < to && strncmp(end, " rw-p", 5) == 0) /* best effort */
            (void)madvise((void *)(uintptr_t)from, to - from, COLLAPSE);
    }
    if (file)
        (void)fclose(file);
}

void *nsc_pages_trim(void *pages, size_t old_bytes, size_t new_bytes)
{
    size_t was = round_up(old_bytes);
    size_t is = round_up(new_bytes);

    assert(new_bytes <= old_bytes);
    if (!pages || is == was)
        return pages;
    nsc_pages_free((char *)pages + is, was - is);
    return is ? pages : NULL;
}

/* The number after "name" in a file of /proc, in the file's unit; UINT64_MAX if it is missing. */
static uint64_t read_field(const char *path, const char *name)
{
    FILE *file = fopen(path, "re");
    size_t n = strlen(name);
    uint64_t value = UINT64_MAX;
    char line[256];

    if (!file)
        return value;
    while (fgets(line, sizeof line, file)) {
        char *end = line;
        uint64_t number = 0;

        if (strncmp(line, name, n) != 0)
            continue;
        number = strtoull(line + n, &end, 10);
        if (end != line + n)
            value = number;
        break;
    }
    (void)fclose(file); /* only read */
    return value;
}

static uint64_t kib_field(const char *path, const char *name)
{
    uint64_t kib = read_field(path, name);

    return kib > UINT64_MAX / 1024 ? UINT64_MAX : kib * 1024;
}

uint64_t nsc_memory_peak(void)
{
    uint64_t peak = kib_field("/proc/self/status", "VmHWM:");

    return peak == UINT64_MAX ? 0 : peak;
}

/* Bytes left under RLIMIT_AS; UINT64_MAX without a limit. */
static uint64_t address_space_left(void)
{
    struct rlimit limit;
    uint64_t used = 0;

    if (getrlimit(RLIMIT_AS, &limit) || limit.rlim_cur == RLIM_INFINITY)
        return UINT64_MAX;
    used = kib_field("/proc/self/status", "VmSize:");
    if (used == UINT64_MAX)
        return limit.rlim_cur;
    return used < limit.rlim_cur ? limit.rlim_cur - used : 0;
}

/* Bytes left in one cgroup folder; page cache that can be dropped counts as free. */
static uint64_t cgroup_left(const char *folder, const char *max, const char *current,
                            const char *cache)
{
    char path[4096 + 64];
    uint64_t limit = 0;
    uint64_t used = 0;
    uint64_t reclaimable = 0;

    (void)snprintf(path, sizeof path, "%s/%s", folder, max);
    limit = read_field(path, "");
    (void)snprintf(path, sizeof path, "%s/%s", folder, current);
    used = read_field(path, "");
    if (limit == UINT64_MAX || used == UINT64_MAX)
        return UINT64_MAX;
    (void)snprintf(path, sizeof path, "%s/memory.stat", folder);
    reclaimable = read_field(path, cache);
    if (reclaimable != UINT64_MAX)
        used -= reclaimable < used ? reclaimable : used;
    return used < limit ? limit - used : 0;
}

/* The path of this process in the unified hierarchy; "/" in a container of its own. */
static void cgroup_path(char *out, size_t n)
{
    FILE *file = fopen("/proc/self/cgroup", "re");
    char line[4096];

    (void)snprintf(out, n, "/sys/fs/cgroup");
    if (!file)
        return;
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        if (strncmp(line, "0::/", 4) == 0 && !strstr(line, ".."))
            (void)snprintf(out, n, "/sys/fs/cgroup%s", line + 3);
    }
    (void)fclose(file); /* only read */
}

/* The least that this cgroup and its parents leave: each may have a limit. */
static uint64_t cgroups_left(void)
{
    uint64_t left = cgroup_left("/sys/fs/cgroup/memory", "memory.limit_in_bytes",
                                "memory.usage_in_bytes", "total_inactive_file");
    char folder[4096 + 16];
    size_t root = strlen("/sys/fs/cgroup");

    cgroup_path(folder, sizeof folder);
    while (strlen(folder) >= root) {
        uint64_t here = cgroup_left(folder, "memory.max", "memory.current", "inactive_file");
        char *slash = strrchr(folder, '/');

        left = here < left ? here : left;
        *slash = '\0';
    }
    return left;
}

uint64_t nsc_memory_available(void)
{
    uint64_t least = kib_field("/proc/meminfo", "MemAvailable:");
    uint64_t space = address_space_left();
    uint64_t cgroup = cgroups_left();

    least = space < least ? space : least;
    least = cgroup < least ? cgroup : least;
    return least == UINT64_MAX ? 0 : least;
}
