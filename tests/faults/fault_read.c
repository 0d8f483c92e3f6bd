/*
 * Preloaded into the program: makes reads and locks of one file fail.
 *
 *     NSC_FAULT_FILE=FILE NSC_FAULT=CALL:WHAT:N:once|ever
 *
 * CALL is pread or fcntl (locks only), N counts the calls about the file from 1, WHAT is the name
 * of an errno, "short" (half of it is read), "swap" (the content of $NSC_FAULT_OTHER is written
 * over the file first) or "hold" (the call waits until the file $NSC_FAULT_GATE is there).
 * NSC_FAULT_LOG=FILE: how many such calls there were, written at the end.
 */
#undef _FORTIFY_SOURCE /* the calls themselves are defined here */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static struct {
    struct stat file;
    bool is_set, is_ever;
    char call[16], what[16], often[8];
    unsigned long at;
    atomic_ulong n;
} fault;

__attribute__((constructor)) static void start(void)
{
    const char *file = getenv("NSC_FAULT_FILE");
    const char *words = getenv("NSC_FAULT");

    fault.is_set = file && words && stat(file, &fault.file) == 0 &&
                   sscanf(words, "%15[^:]:%15[^:]:%lu:%7s", fault.call, fault.what, &fault.at,
                          fault.often) == 4;
    fault.is_ever = strcmp(fault.often, "ever") == 0;
}

__attribute__((destructor)) static void end(void)
{
    const char *path = getenv("NSC_FAULT_LOG");
    FILE *log = fault.n > 0 && path ? fopen(path, "w") : NULL; /* not of timeout's own */

    if (!log)
        return;
    fprintf(log, "%lu\n", (unsigned long)fault.n);
    fclose(log);
}

/* Whether the fault applies to this call about fd. */
static bool meets(const char *call, int fd)
{
    struct stat info;
    unsigned long n;

    if (!fault.is_set || strcmp(fault.call, call) != 0 || fstat(fd, &info) != 0 ||
        info.st_dev != fault.file.st_dev || info.st_ino != fault.file.st_ino)
        return false;
    n = ++fault.n;
    return n == fault.at || (fault.is_ever && n > fault.at);
}

static int errno_of(const char *name)
{
    static const struct {
        const char *name;
        int number;
    } names[] = {{"EIO", EIO}, {"EINTR", EINTR}, {"ENOLCK", ENOLCK}, {"EACCES", EACCES}};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i].name) == 0)
            return names[i].number;
    abort();
}

/* Checks rarely, so that the program counts as sleeping if all other threads wait. */
static void hold(void)
{
    const char *gate = getenv("NSC_FAULT_GATE");

    while (gate && access(gate, F_OK) != 0)
        usleep(200000);
}

/* As cp writes: in place, without a lock. */
static void swap(void)
{
    const char *other = getenv("NSC_FAULT_OTHER");
    int from = open(other ? other : "", O_RDONLY);
    int to = open(getenv("NSC_FAULT_FILE"), O_WRONLY | O_TRUNC);
    char bytes[65536];
    ssize_t n;

    while (from >= 0 && to >= 0 && (n = read(from, bytes, sizeof bytes)) > 0)
        if (write(to, bytes, (size_t)n) != n)
            abort();
    syscall(SYS_close, from); /* close drops the locks of the file, so it does here too */
    syscall(SYS_close, to);
}

static ssize_t read_at(int fd, void *out, size_t n, off64_t at)
{
    if (meets("pread", fd)) {
        if (strcmp(fault.what, "short") == 0)
            n = n > 1 ? n / 2 : n;
        else if (strcmp(fault.what, "swap") == 0)
            swap();
        else if (strcmp(fault.what, "hold") == 0)
            hold();
        else {
            errno = errno_of(fault.what);
            return -1;
        }
    }
    return syscall(SYS_pread64, fd, out, n, at);
}

ssize_t pread(int fd, void *out, size_t n, off_t at)
{
    return read_at(fd, out, n, at);
}

ssize_t pread64(int fd, void *out, size_t n, off64_t at)
{
    return read_at(fd, out, n, at);
}

/* What hardened builds call. */
ssize_t checked_pread(int fd, void *out, size_t n, off_t at, size_t size) __asm__("__pread_chk");
ssize_t checked_pread(int fd, void *out, size_t n, off_t at, size_t size)
{
    (void)size;
    return read_at(fd, out, n, at);
}

ssize_t checked_pread64(int fd, void *out, size_t n, off64_t at,
                        size_t size) __asm__("__pread64_chk");
ssize_t checked_pread64(int fd, void *out, size_t n, off64_t at, size_t size)
{
    (void)size;
    return read_at(fd, out, n, at);
}

static bool is_lock(int command)
{
    return command == F_SETLK || command == F_SETLKW || command == F_GETLK ||
           command == F_OFD_SETLK || command == F_OFD_SETLKW || command == F_OFD_GETLK;
}

static int control(int fd, int command, void *argument)
{
    if (is_lock(command) && meets("fcntl", fd)) {
        errno = errno_of(fault.what);
        return -1;
    }
    return (int)syscall(SYS_fcntl, fd, command, argument);
}

int fcntl(int fd, int command, ...)
{
    va_list rest;
    void *argument;

    va_start(rest, command);
    argument = va_arg(rest, void *);
    va_end(rest);
    return control(fd, command, argument);
}

int fcntl64(int fd, int command, ...)
{
    va_list rest;
    void *argument;

    va_start(rest, command);
    argument = va_arg(rest, void *);
    va_end(rest);
    return control(fd, command, argument);
}
