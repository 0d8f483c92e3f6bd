/* Prevents two programs from saving the same file at once, if the file system supports locks. */
#include "cli/session/store.h"
#include "core/buf.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* A lock held by the same holder for WAIT_MS is regarded as stuck. */
enum { WAIT_MS = 2000, MOST_MS = 60000, STEP_MS = 4 };

static int64_t now_ms(void)
{
    struct timespec now = {0};

    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* A lock has no content: a file with some is another's, such as a hard link to an export, whose
 * times a lock would change and whose locks of SQLite its closing would drop. */
static bool is_lock(const char *name)
{
    struct stat info;

    return lstat(name, &info) != 0 || (S_ISREG(info.st_mode) && info.st_size == 0);
}

static int open_lock(const char *path)
{
    struct nsc_buf name = NSC_BUF_INIT(1 << 16);
    int fd = -1;

    nsc_buf_printf(&name, "%s.lock", path);
    if (is_lock(name.bytes))
        fd = open(name.bytes, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY,
                  0600);
    nsc_buf_fini(&name);
    return fd;
}

/* Each holder touches the lock file, so that those who wait see progress. */
static bool has_moved_on(int fd, struct timespec *touched)
{
    struct timespec before = *touched;
    struct stat info;

    if (fstat(fd, &info) == 0)
        *touched = info.st_mtim;
    return touched->tv_sec != before.tv_sec || touched->tv_nsec != before.tv_nsec;
}

/* Polls instead of blocking: with a lost file server it would block for ever. */
int nsc_store_lock(const char *path)
{
    static const struct timespec step = {0, STEP_MS * 1000000};
    int64_t most = now_ms() + MOST_MS;
    int64_t until = now_ms() + WAIT_MS;
    struct timespec touched = {0};
    int fd = open_lock(path);

    while (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB)) {
        int failure = errno;

        if (has_moved_on(fd, &touched) && now_ms() + WAIT_MS < most)
            until = now_ms() + WAIT_MS;
        if ((failure != EWOULDBLOCK && failure != EINTR) || now_ms() >= until) {
            (void)close(fd);
            return -1;
        }
        (void)nanosleep(&step, NULL);
    }
    if (fd >= 0)
        (void)futimens(fd, NULL);
    return fd;
}

void nsc_store_unlock(int lock)
{
    if (lock >= 0)
        (void)close(lock); /* releases the lock; the file stays */
}
