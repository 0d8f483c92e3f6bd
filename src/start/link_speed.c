/*
 * Measures the link to the terminal by the time of its answers.
 */
#include "start/link_speed.h"

#include "core/buf.h"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

enum { WAIT_MS = 300, STEADY_MS = 10, FIRST_BYTES = 300, MOST_BYTES = 30000, GROWTH = 10 };

#define FILLER "\x1b[m" /* plain text from here on, as it is already */

static double now_ms(void)
{
    struct timespec now = {0, 0};

    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

/* Whether the descriptor is ready in time. */
static bool waits(int fd, short events, double until)
{
    struct pollfd poller = {fd, events, 0};
    double left = until - now_ms();

    return left > 0 && poll(&poller, 1, (int)left + 1) > 0 && (poller.revents & events);
}

/* Ms until the terminal has taken so many bytes and said where its cursor is; -1: it did not. */
static double ask(int fd, size_t bytes)
{
    struct nsc_buf out = NSC_BUF_INIT(2 * MOST_BYTES);
    double began = now_ms();
    double until = began + WAIT_MS;
    size_t sent = 0;
    char answer = '\0';

    while (out.n < bytes)
        nsc_buf_puts(&out, FILLER);
    nsc_buf_puts(&out, "\x1b[6n");
    while (sent < out.n && waits(fd, POLLOUT, until)) {
        ssize_t n = write(fd, out.bytes + sent, out.n - sent);

        sent += n > 0 ? (size_t)n : 0;
    }
    while (answer != 'R' && waits(fd, POLLIN, until) && read(fd, &answer, 1) == 1)
        ;
    nsc_buf_fini(&out);
    return answer == 'R' ? now_ms() - began : -1;
}

static bool measure(char out[NSC_LINK_BYTES], int fd)
{
    double alone = ask(fd, 0);
    double took = 0;
    double bytes = 0;

    for (size_t n = FIRST_BYTES; alone >= 0 && n <= MOST_BYTES && took < STEADY_MS; n *= GROWTH) {
        double all = ask(fd, n);

        if (all < 0)
            return false;
        took = all - alone;
        bytes = (double)n;
    }
    (void)snprintf(out, NSC_LINK_BYTES, "answers in %.1f ms, takes %s %.0f KiB a second", alone,
                   took < STEADY_MS ? "at least" : "about", bytes / 1.024 / (took > 1 ? took : 1));
    return alone >= 0;
}

bool nsc_link_measure(char out[NSC_LINK_BYTES])
{
    int fd = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
    struct termios before = {0};
    struct termios now;
    bool done = fd >= 0 && tcgetpgrp(fd) == getpgrp() && tcgetattr(fd, &before) == 0;

    now = before;
    now.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    now.c_cc[VMIN] = 0;
    now.c_cc[VTIME] = 0;
    if (done && tcsetattr(fd, TCSANOW, &now) == 0) {
        done = measure(out, fd);
        (void)tcsetattr(fd, TCSAFLUSH, &before); /* a late answer is no typing */
    }
    if (fd >= 0)
        (void)close(fd);
    return done;
}
