/*
 * Registers temporary files of this process, so that a signal handler can remove them, and removes
 * those that ended processes left behind.
 */
#include "core/temporary.h"

#include "core/buf.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { SLOTS = 48, NAME_BYTES = 4096, FREE = 0, TAKEN, FILLED };

/* A signal handler must reach the names, so they are global and never allocated. */
/* NOLINTBEGIN(cppcoreguidelines-avoid-non-const-global-variables) */
static struct {
    atomic_int state;
    char name[NAME_BYTES];
} slots[SLOTS];
static atomic_bool is_ending; /* the files were removed, and the process ends */
/* NOLINTEND(cppcoreguidelines-avoid-non-const-global-variables) */

void nsc_temporary_begin(sigset_t *before)
{
    sigset_t all;

    sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, before);
}

void nsc_temporary_end(const sigset_t *before)
{
    (void)pthread_sigmask(SIG_SETMASK, before, NULL);
}

int nsc_temporary_add(const char *name)
{
    size_t n = strlen(name) + 1;

    for (int i = 0; i < SLOTS && n <= NAME_BYTES; i++) {
        int expected = FREE;

        if (!atomic_compare_exchange_strong(&slots[i].state, &expected, TAKEN))
            continue;
        memcpy(slots[i].name, name, n);
        atomic_store(&slots[i].state, FILLED);
        if (atomic_load(&is_ending) && unlink(name) != 0)
            (void)rmdir(name);
        return i;
    }
    return -1;
}

void nsc_temporary_drop(int slot)
{
    if (slot >= 0)
        atomic_store(&slots[slot].state, FREE);
}

void nsc_temporary_remove_all(void)
{
    int failure = errno;

    atomic_store(&is_ending, true);
    for (int i = SLOTS; i-- > 0;) /* in reverse, because a folder is added before its files */
        if (atomic_load(&slots[i].state) == FILLED && unlink(slots[i].name) != 0)
            (void)rmdir(slots[i].name);
    errno = failure;
}

/* ---- left behind ---- */

/* The process id in "<leaf>.<pid>-<n>.tmp"; 0 for any other name. */
static pid_t writer_of(const char *name, const char *leaf)
{
    size_t n = strlen(leaf);
    const char *end = strrchr(name, '.');
    const char *at = end;
    char *stop = NULL;
    long pid;

    if (strncmp(name, leaf, n) != 0 || name[n] != '.' || !end || strcmp(end, ".tmp") != 0)
        return 0;
    while (at > name + n && at[-1] != '.')
        at--;
    if (at == name + n || *at < '1' || *at > '9')
        return 0;
    pid = strtol(at, &stop, 10);
    if (*stop != '-' || stop + 1 + strspn(stop + 1, "0123456789") != end || pid > INT32_MAX)
        return 0;
    return (pid_t)pid;
}

static bool is_gone(pid_t pid, int64_t age)
{
    if (pid == getpid())
        return age == 0;
    return pid > 0 && kill(pid, 0) && errno == ESRCH;
}

static bool is_left(int folder, const char *name, mode_t kind, pid_t pid, int64_t age)
{
    struct stat info;

    return is_gone(pid, age) && fstatat(folder, name, &info, AT_SYMLINK_NOFOLLOW) == 0 &&
           (info.st_mode & S_IFMT) == kind && info.st_uid == geteuid() &&
           (age == 0 || time(NULL) - info.st_mtim.tv_sec > age);
}

static bool is_self(const char *name)
{
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

/* Removes the files of a folder, and its subfolders if they are empty. */
static void remove_files(int folder)
{
    DIR *list = folder < 0 ? NULL : fdopendir(folder);
    struct dirent *entry = NULL;

    while (list && (entry = readdir(list)))
        if (!is_self(entry->d_name) && unlinkat(dirfd(list), entry->d_name, 0) != 0)
            (void)unlinkat(dirfd(list), entry->d_name, AT_REMOVEDIR);
    if (list)
        (void)closedir(list);
    else if (folder >= 0)
        (void)close(folder);
}

static int open_folder(int at, const char *name)
{
    return openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

static void remove_folder_at(int at, const char *name)
{
    int folder = open_folder(at, name);
    DIR *list = folder < 0 ? NULL : fdopendir(folder);
    struct dirent *entry = NULL;

    while (list && (entry = readdir(list)))
        if (!is_self(entry->d_name))
            remove_files(open_folder(dirfd(list), entry->d_name));
    if (list)
        (void)closedir(list);
    remove_files(open_folder(at, name));
    (void)unlinkat(at, name, AT_REMOVEDIR);
}

void nsc_temporary_remove_folder(const char *path)
{
    remove_folder_at(AT_FDCWD, path);
}

static void clean(const char *path, mode_t kind, int64_t age)
{
    const char *slash = strrchr(path, '/');
    const char *leaf = slash ? slash + 1 : path;
    struct nsc_buf name = NSC_BUF_INIT(1 << 16);
    struct dirent *entry;
    DIR *folder;

    nsc_buf_add(&name, path, (size_t)(leaf - path));
    nsc_buf_putc(&name, '.');
    folder = opendir(name.bytes);
    nsc_buf_fini(&name);
    while (folder && (entry = readdir(folder))) {
        if (!is_left(dirfd(folder), entry->d_name, kind, writer_of(entry->d_name, leaf), age))
            continue;
        if (kind == S_IFDIR)
            remove_folder_at(dirfd(folder), entry->d_name);
        else
            (void)unlinkat(dirfd(folder), entry->d_name, 0);
    }
    if (folder)
        (void)closedir(folder);
}

void nsc_temporary_clean(const char *path, int64_t age)
{
    clean(path, S_IFREG, age);
}

void nsc_temporary_clean_folders(const char *path, int64_t age)
{
    clean(path, S_IFDIR, age);
}
