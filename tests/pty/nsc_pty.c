/*
 * Runs a program on a terminal of its own, does to it what the arguments say, and tells how it
 * ended.
 *
 *     nsc_pty [STEP ...] -- PROGRAM [ARGUMENT ...]
 *
 *     size=ROWSxCOLS   before the start, or while it runs     capture=FILE  keeps what the program
 * sent keys=TEXT        \e \r \n \t \xNN are understood        wait=MS       goes on reading
 * meanwhile random=N:SEED    so many random bytes as input          until=TEXT    waits for it, at
 * most 5 s signal=N         sends it                               quiet=MS      waits for so long
 * a silence slow=N  reads N bytes a second, 0: all
 * stall            stops reading                          hangup        closes the
 * terminal read             reads again
 *
 * Then it waits at most 5 s for the end and prints one line: exit status (128 + N for a signal that
 * was not caught), ms from the last step to the end, whether the terminal's modes are as before,
 * whether the screen, the mouse, the cursor and the paste mode are back, and bytes sent after the
 * last quiet step.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

enum { PATIENCE_MS = 5000, CAPTURE = 64 << 20 };

struct pty {
    int master, slave;
    pid_t child;
    uint64_t rate, slow_since, slow_n; /* bytes a second; ms; bytes read since */
    bool stalled, ended;
    int status;
    char *bytes;
    size_t n, quiet_at;
    const char *capture;
};

static uint64_t now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static void fail(const char *what)
{
    fprintf(stderr, "nsc_pty: %s: %s\n", what, strerror(errno));
    exit(99);
}

static void take_output(struct pty *pty, int ms)
{
    struct pollfd poller = {pty->master, POLLIN, 0};
    uint64_t room = 65536;
    ssize_t n;

    if (pty->rate)
        room = (now_ms() - pty->slow_since) * pty->rate / 1000 - pty->slow_n;
    if (pty->stalled || pty->master < 0 || !room) {
        poll(NULL, 0, ms);
        return;
    }
    if (poll(&poller, 1, ms) <= 0 || pty->n + 65536 > CAPTURE)
        return;
    n = read(pty->master, pty->bytes + pty->n, room < 65536 ? room : 65536);
    if (n > 0)
        pty->n += (size_t)n;
    if (n > 0)
        pty->slow_n += (uint64_t)n;
}

static bool has_ended(struct pty *pty)
{
    int status;

    if (!pty->ended && waitpid(pty->child, &status, WNOHANG) == pty->child) {
        pty->ended = true;
        pty->status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    }
    return pty->ended;
}

static void wait_for(struct pty *pty, uint64_t ms)
{
    uint64_t end = now_ms() + ms;

    while (now_ms() < end && !has_ended(pty))
        take_output(pty, 5);
}

static void until(struct pty *pty, const char *text)
{
    uint64_t end = now_ms() + PATIENCE_MS;

    while (!memmem(pty->bytes, pty->n, text, strlen(text)) && !has_ended(pty)) {
        if (now_ms() > end) {
            fprintf(stderr, "nsc_pty: never saw \"%s\"\n", text);
            return;
        }
        take_output(pty, 5);
    }
}

static void quiet(struct pty *pty, uint64_t ms)
{
    uint64_t end = now_ms() + PATIENCE_MS;
    uint64_t since = now_ms();
    size_t n = pty->n;

    while (now_ms() < end && now_ms() - since < ms && !has_ended(pty)) {
        take_output(pty, 5);
        if (pty->n != n)
            since = now_ms();
        n = pty->n;
    }
    pty->quiet_at = pty->n;
}

/* The terminal may be full: what it does not take while we read is lost, as keys are. */
static void send_byte(struct pty *pty, char byte)
{
    for (int tries = 0; tries < 200; tries++) {
        struct pollfd poller = {pty->master, POLLOUT, 0};

        take_output(pty, 0);
        if (poll(&poller, 1, 5) > 0 && write(pty->master, &byte, 1) == 1)
            return;
        if (has_ended(pty))
            return;
    }
}

static void send_keys(struct pty *pty, const char *text)
{
    for (size_t i = 0; text[i]; i++) {
        char byte = text[i];

        if (byte == '\\' && text[i + 1]) {
            char kind = text[++i];

            byte = kind == 'e' ? 27 : kind == 'r' ? 13 : kind == 'n' ? 10 : kind == 't' ? 9 : kind;
            if (kind == 'x' && text[i + 1] && text[i + 2]) {
                char digits[3] = {text[i + 1], text[i + 2], 0};

                byte = (char)strtol(digits, NULL, 16);
                i += 2;
            }
        }
        send_byte(pty, byte);
    }
}

/* Signal keys are left out: they end or stop the program, as they must. */
static void send_random(struct pty *pty, const char *spec)
{
    char *rest;
    unsigned long n = strtoul(spec, &rest, 10);
    uint32_t seed = (uint32_t)strtoul(*rest ? rest + 1 : rest, NULL, 10);

    while (n-- && !has_ended(pty)) {
        seed = seed * 1664525u + 1013904223u;
        unsigned char byte = (unsigned char)(seed >> 16);

        if (byte != 3 && byte != 26 && byte != 28 && byte != 'q')
            send_byte(pty, (char)byte);
    }
}

static void set_size(struct pty *pty, const char *spec)
{
    struct winsize size = {0};
    char *rest;

    size.ws_row = (unsigned short)strtoul(spec, &rest, 10);
    size.ws_col = (unsigned short)strtoul(*rest ? rest + 1 : rest, NULL, 10);
    ioctl(pty->slave, TIOCSWINSZ, &size);
}

static void start(struct pty *pty, char **command)
{
    pty->child = fork();
    if (pty->child < 0)
        fail("fork");
    if (pty->child)
        return;
    setsid();
    ioctl(pty->slave, TIOCSCTTY, 0);
    for (int i = 0; i < 3; i++)
        dup2(pty->slave, i);
    for (int i = 3; i < 64; i++)
        close(i);
    for (int i = 1; i < 32; i++)
        signal(i, SIG_DFL);
    execvp(command[0], command);
    _exit(98);
}

static void set_rate(struct pty *pty, uint64_t rate)
{
    pty->rate = rate;
    pty->slow_since = now_ms();
    pty->slow_n = 0;
}

static void do_step(struct pty *pty, const char *step)
{
    const char *value = strchr(step, '=') ? strchr(step, '=') + 1 : "";

    if (!strncmp(step, "size=", 5))
        set_size(pty, value);
    else if (!strncmp(step, "capture=", 8))
        pty->capture = value;
    else if (!strncmp(step, "keys=", 5))
        send_keys(pty, value);
    else if (!strncmp(step, "random=", 7))
        send_random(pty, value);
    else if (!strncmp(step, "wait=", 5))
        wait_for(pty, strtoul(value, NULL, 10));
    else if (!strncmp(step, "until=", 6))
        until(pty, value);
    else if (!strncmp(step, "quiet=", 6))
        quiet(pty, strtoul(value, NULL, 10));
    else if (!strncmp(step, "signal=", 7))
        kill(pty->child, (int)strtoul(value, NULL, 10));
    else if (!strncmp(step, "slow=", 5))
        set_rate(pty, strtoul(value, NULL, 10));
    else if (!strcmp(step, "stall"))
        pty->stalled = true;
    else if (!strcmp(step, "read"))
        pty->stalled = false;
    else if (!strcmp(step, "hangup")) {
        close(pty->slave);
        close(pty->master);
        pty->slave = pty->master = -1;
    } else {
        errno = EINVAL;
        fail(step);
    }
}

/* Whether the last of two strings that was sent is the second; true when neither was. */
static bool last_is(const struct pty *pty, const char *on, const char *off)
{
    const char *last_on = NULL;
    const char *last_off = NULL;

    for (size_t i = 0; i < pty->n; i++) {
        if (pty->n - i >= strlen(on) && !memcmp(pty->bytes + i, on, strlen(on)))
            last_on = pty->bytes + i;
        if (pty->n - i >= strlen(off) && !memcmp(pty->bytes + i, off, strlen(off)))
            last_off = pty->bytes + i;
    }
    return !last_on || (last_off && last_off > last_on);
}

static void report(struct pty *pty, const struct termios *before, uint64_t ms)
{
    struct termios after;
    bool same = false;
    bool back =
        last_is(pty, "\x1b[?1049h", "\x1b[?1049l") && last_is(pty, "\x1b[?1002h", "\x1b[?1002l") &&
        last_is(pty, "\x1b[?1006h", "\x1b[?1006l") && last_is(pty, "\x1b[?2004h", "\x1b[?2004l") &&
        last_is(pty, "\x1b[?2026h", "\x1b[?2026l") && last_is(pty, "\x1b[?25l", "\x1b[?25h");

    memset(&after, 0, sizeof after);
    if (pty->slave >= 0 && !tcgetattr(pty->slave, &after))
        same = after.c_iflag == before->c_iflag && after.c_oflag == before->c_oflag &&
               after.c_lflag == before->c_lflag && after.c_cflag == before->c_cflag &&
               !memcmp(after.c_cc, before->c_cc, sizeof after.c_cc);
    printf("exit=%d %s modes=%s screen=%s late=%s bytes=%zu\n", pty->status,
           pty->ended ? "ended" : "HANGS",
           pty->slave < 0 ? "gone"
           : same         ? "back"
                          : "CHANGED",
           back ? "back" : "LEFT",
           ms <= 250    ? "no"
           : ms <= 1000 ? "some"
                        : "YES",
           pty->n - pty->quiet_at);
}

static void finish(struct pty *pty, const struct termios *before)
{
    uint64_t start_ms = now_ms();
    uint64_t ms;

    while (!has_ended(pty) && now_ms() - start_ms < PATIENCE_MS)
        take_output(pty, 2);
    ms = now_ms() - start_ms;
    pty->stalled = false;
    for (int i = 0; i < 20; i++)
        take_output(pty, 5);
    report(pty, before, ms);
    if (!pty->ended)
        kill(pty->child, SIGKILL);
}

int main(int argc, char **argv)
{
    struct pty pty = {.master = -1, .slave = -1};
    struct termios before;
    int split = 1;
    int first = 1;

    while (split < argc && strcmp(argv[split], "--") != 0)
        split++;
    if (split + 1 >= argc) {
        fprintf(stderr, "usage: nsc_pty [STEP ...] -- PROGRAM [ARGUMENT ...]\n");
        return 2;
    }
    pty.bytes = malloc(CAPTURE);
    pty.master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (!pty.bytes || pty.master < 0 || grantpt(pty.master) || unlockpt(pty.master))
        fail("no pseudo terminal");
    pty.slave = open(ptsname(pty.master), O_RDWR | O_NOCTTY);
    if (pty.slave < 0 || tcgetattr(pty.slave, &before))
        fail("no pseudo terminal");
    set_size(&pty, "24x80");
    while (first < split &&
           (!strncmp(argv[first], "size=", 5) || !strncmp(argv[first], "capture=", 8)))
        do_step(&pty, argv[first++]);
    start(&pty, argv + split + 1);
    while (first < split)
        do_step(&pty, argv[first++]);
    finish(&pty, &before);
    if (pty.capture) {
        FILE *file = fopen(pty.capture, "wb");

        if (!file || fwrite(pty.bytes, 1, pty.n, file) != pty.n || fclose(file))
            fail(pty.capture);
    }
    free(pty.bytes);
    return 0;
}
