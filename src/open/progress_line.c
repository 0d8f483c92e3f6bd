/*
 * Draws the progress of a command.
 */
#include "open/progress_line.h"

#include "core/die.h"
#include "core/threads.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define EACH_MS 200

struct nsc_progress_line {
    int fd;
    unsigned after_ms;
    const char *what;
    struct nsc_progress *progress;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t ended;
    bool has_ended; /* protected by the lock */
};

void nsc_progress_line_text(char out[NSC_PROGRESS_LINE_BYTES], const struct nsc_progress_view *view,
                            const char *what)
{
    uint64_t rows = view->rows < view->rows_total ? view->rows : view->rows_total;

    if (what && view->rows_total)
        snprintf(out, NSC_PROGRESS_LINE_BYTES, "nsyscope: %.40s, %" PRIu64 " of %" PRIu64, what,
                 rows, view->rows_total);
    else if (what)
        snprintf(out, NSC_PROGRESS_LINE_BYTES, "nsyscope: %.40s", what);
    else if (view->phase >= NSC_PHASE_INDEX)
        snprintf(out, NSC_PROGRESS_LINE_BYTES, "nsyscope: putting in order");
    else if (view->phase == NSC_PHASE_ROWS && view->rows_total)
        snprintf(out, NSC_PROGRESS_LINE_BYTES, "nsyscope: reading, %.0f %%",
                 100.0 * (double)rows / (double)view->rows_total);
    else
        snprintf(out, NSC_PROGRESS_LINE_BYTES, "nsyscope: reading");
}

/* Drops bytes that the terminal does not accept; the next line clears the rest. */
static void write_text(int fd, const char *before, const char *text)
{
    char line[NSC_PROGRESS_LINE_BYTES + 16];
    int n = snprintf(line, sizeof line, "%s%s", before, text);
    ssize_t written = write(fd, line, (size_t)n);

    (void)written;
}

/* Waits; false if the line has ended. Call with the lock held. */
static bool wait_ms(struct nsc_progress_line *line, unsigned ms)
{
    struct timespec until;

    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += ms / 1000;
    until.tv_nsec += (long)(ms % 1000) * 1000000;
    if (until.tv_nsec >= 1000000000) {
        until.tv_nsec -= 1000000000;
        until.tv_sec++;
    }
    while (!line->has_ended)
        if (pthread_cond_timedwait(&line->ended, &line->lock, &until) != 0)
            break;
    return !line->has_ended;
}

#define CLEAR "\r\033[K"

static void *draw(void *context)
{
    struct nsc_progress_line *line = context;
    char text[NSC_PROGRESS_LINE_BYTES], shown[NSC_PROGRESS_LINE_BYTES] = "";

    pthread_mutex_lock(&line->lock);
    for (unsigned ms = line->after_ms; wait_ms(line, ms); ms = EACH_MS) {
        struct nsc_progress_view view = nsc_progress_view(line->progress);

        nsc_progress_line_text(text, &view, line->what);
        if (strcmp(text, shown) != 0)
            write_text(line->fd, CLEAR, text);
        strcpy(shown, text);
    }
    pthread_mutex_unlock(&line->lock);
    if (shown[0])
        write_text(line->fd, CLEAR, "");
    return NULL;
}

static bool can_clear(int fd)
{
    const char *term = getenv("TERM");

    return isatty(fd) == 1 && term && term[0] && strcmp(term, "dumb") != 0;
}

static void fini_line(struct nsc_progress_line *line)
{
    pthread_cond_destroy(&line->ended);
    pthread_mutex_destroy(&line->lock);
    nsc_progress_free(line->progress);
    free(line);
}

struct nsc_progress_line *nsc_progress_line_open(int fd, unsigned after_ms, const char *what)
{
    struct nsc_progress_line *line;
    pthread_condattr_t attributes;

    if (!can_clear(fd))
        return NULL;
    line = nsc_xcalloc(1, sizeof *line);
    line->fd = fd;
    line->after_ms = after_ms;
    line->what = what;
    line->progress = nsc_progress_new();
    pthread_mutex_init(&line->lock, NULL);
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&line->ended, &attributes);
    pthread_condattr_destroy(&attributes);
    if (!nsc_thread_start(&line->thread, draw, line)) {
        fini_line(line);
        return NULL;
    }
    return line;
}

struct nsc_progress *nsc_progress_line_counters(struct nsc_progress_line *line)
{
    return line ? line->progress : NULL;
}

void nsc_progress_line_close(struct nsc_progress_line *line)
{
    if (!line)
        return;
    pthread_mutex_lock(&line->lock);
    line->has_ended = true;
    pthread_cond_signal(&line->ended);
    pthread_mutex_unlock(&line->lock);
    pthread_join(line->thread, NULL);
    fini_line(line);
}
