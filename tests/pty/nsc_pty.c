/*
 * Runs a program on a terminal of its own, does to it what the arguments say, and tells how it
 * ended.
 *
 *     nsc_pty [STEP ...] -- PROGRAM [ARGUMENT ...]
 *
 *     size=ROWSxCOLS   before the start, or while it runs
 *     capture=FILE     keeps what the program sent, up to the next capture or the end
 *     keys=TEXT        types it; \e \r \n \t \xNN are understood
 *     random=N:SEED    types so many random bytes
 *     see=TEXT         waits until a row of the screen holds TEXT
 *     like=FILE        waits until the text of the screen is that of FILE; a full block is a blank on its colour
 *     gone=TEXT        waits until no row holds it
 *     idle             waits until the program has taken its input, sent its output and sleeps
 *     rest=MS:N        waits until it is idle; gives up if its threads wake more than N times in MS
 *     shot=FILE        keeps the text of the screen
 *     ink=FILE         keeps its characters with their colours and attributes
 *     touch=FILE       makes an empty file
 *     signal=N         sends it
 *     wait=MS          goes on reading meanwhile
 *     slow=N           reads N bytes a second from now on; 0: all
 *     stall            stops reading
 *     read             reads again
 *     hangup           closes the terminal
 *
 * Steps that wait give up after PATIENCE_MS, say so and end the program. After the last step it has
 * as long to end. One line then says: exit status (128 + N for a signal that was not caught),
 * whether it ended, whether the terminal's modes are as before, whether the screen, the mouse, the
 * cursor and the paste mode are back, whether it took longer than 250 ms or 1 s from the last step,
 * and how many bytes it sent since the last idle step.
 */
#define _GNU_SOURCE
#include "support/vt.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
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

/* REST_MS is longer than a frame and than the delay of the Escape key. */
enum { PATIENCE_MS = 30000, REST_MS = 40, CAPTURE = 64 << 20, MAX_CELLS = 4 << 20 };

struct pty {
    int master, slave;
    pid_t child;
    uint64_t rate, slow_since, slow_n; /* bytes a second; ms; bytes read since */
    bool stalled, ended;
    int status;
    char *bytes;
    size_t n, idle_at;
    const char *capture;
    const char *modes; /* of the terminal after the end, in a word; NULL before */
    struct termios before;
    struct vt vt;
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
    if (n <= 0)
        return;
    vt_feed(&pty->vt, pty->bytes + pty->n, (size_t)n);
    pty->n += (size_t)n;
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

/* ---- conditions ---- */

static bool shows(const struct pty *pty, const char *text)
{
    bool found = false;

    for (int r = 0; r < pty->vt.rows && !found; r++) {
        char *row = vt_row_text(&pty->vt, r);

        found = strstr(row, text) != NULL;
        free(row);
    }
    return found;
}

struct turns {
    bool asleep;
    uint64_t n;     /* how often it was given a processor */
    uint64_t wakes; /* and had waited for something before */
};

static struct turns thread_turns(pid_t child, const char *thread)
{
    struct turns turns = {.n = 1};
    char path[300];
    char line[256];
    FILE *file;

    snprintf(path, sizeof path, "/proc/%d/task/%s/status", (int)child, thread);
    file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file)) {
        if (!strncmp(line, "State:\t", 7))
            turns.asleep = strchr("STZ", line[7]) != NULL;
        else if (strstr(line, "ctxt_switches:"))
            turns.n += strtoull(strchr(line, ':') + 1, NULL, 10);
        if (!strncmp(line, "voluntary", 9))
            turns.wakes = strtoull(strchr(line, ':') + 1, NULL, 10);
    }
    if (file)
        fclose(file);
    return turns;
}

/* A number that is constant while every thread of the program sleeps; 0 if one does not. It is the
 * sum of the threads' wakes. Without /proc it is always the same, and idle waits for silence. */
static uint64_t program_rest(pid_t child, uint64_t *wakes)
{
    char path[64];
    struct dirent *entry;
    uint64_t sum = 1;
    DIR *folder;

    *wakes = 0;
    snprintf(path, sizeof path, "/proc/%d/task", (int)child);
    folder = opendir(path);
    while (folder && (entry = readdir(folder)) != NULL) {
        struct turns turns = {true, 1, 0};

        if (isdigit(entry->d_name[0]))
            turns = thread_turns(child, entry->d_name);
        sum = turns.asleep && sum ? sum + turns.n * strtoull(entry->d_name, NULL, 10) : 0;
        *wakes += turns.wakes;
    }
    if (folder)
        closedir(folder);
    return sum;
}

/* Typed bytes that the program has not read, and sent bytes that the test has not read. */
static bool is_pending(const struct pty *pty)
{
    struct pollfd poller = {pty->master, POLLIN, 0};
    int typed = 0;

    return (ioctl(pty->slave, FIONREAD, &typed) == 0 && typed > 0) ||
           (!pty->stalled && poll(&poller, 1, 0) > 0);
}

/* A sleeping program may wake at once, so it must sleep for REST_MS. */
static bool is_idle(struct pty *pty)
{
    uint64_t wakes;
    uint64_t rest = program_rest(pty->child, &wakes);
    uint64_t since = now_ms();
    size_t n = pty->n;

    while (rest && now_ms() - since < REST_MS && !has_ended(pty))
        take_output(pty, 5);
    if (!rest || is_pending(pty) || pty->n != n || program_rest(pty->child, &wakes) != rest)
        return has_ended(pty);
    pty->idle_at = pty->n;
    return true;
}

/* Replaces full blocks by blanks, and removes trailing blanks. Returns the length. */
static size_t without_blocks(char *text, size_t n)
{
    static const char block[] = "\xe2\x96\x88";
    size_t length = 0;

    for (size_t i = 0; i < n;) {
        if (n - i >= 3 && !memcmp(text + i, block, 3)) {
            text[length++] = ' ';
            i += 3;
            continue;
        }
        while (text[i] == '\n' && length && text[length - 1] == ' ')
            length--;
        text[length++] = text[i++];
    }
    return length;
}

static bool is_like(const struct pty *pty, const char *path)
{
    char *wanted = NULL;
    char *shown = NULL;
    size_t n_wanted = 0;
    size_t n_shown = 0;
    ssize_t n_read = 0;
    FILE *file = fopen(path, "r");
    FILE *memory = open_memstream(&shown, &n_shown);
    bool like;

    if (!file || !memory)
        fail(path);
    vt_print(&pty->vt, memory);
    fclose(memory);
    n_read = getdelim(&wanted, &n_wanted, '\0', file);
    n_shown = without_blocks(shown, n_shown);
    like = n_read > 0 && without_blocks(wanted, (size_t)n_read) == n_shown &&
           !memcmp(wanted, shown, n_shown);
    fclose(file);
    free(wanted);
    free(shown);
    return like;
}

enum condition { SEE, LIKE, GONE, IDLE };

static bool holds(struct pty *pty, enum condition condition, const char *text)
{
    switch (condition) {
    case SEE:
        return shows(pty, text);
    case LIKE:
        return is_like(pty, text);
    case GONE:
        return !shows(pty, text);
    default:
        return is_idle(pty);
    }
}

static void keep_capture(const struct pty *pty)
{
    FILE *file = pty->capture ? fopen(pty->capture, "wb") : NULL;

    if (pty->capture && (!file || fwrite(pty->bytes, 1, pty->n, file) != pty->n || fclose(file)))
        fail(pty->capture);
}

static void start_capture(struct pty *pty, const char *path)
{
    keep_capture(pty);
    pty->capture = path;
}

/* Ends a run in which an expected event did not come. */
static void give_up(struct pty *pty, const char *condition, const char *text)
{
    printf("nsc_pty: %s '%s': %s in vain; on the screen:\n", condition, text,
           pty->ended ? "ended" : "waited");
    vt_print(&pty->vt, stdout);
    kill(-pty->child, SIGKILL);
    keep_capture(pty);
    exit(97);
}

static void wait_until(struct pty *pty, enum condition condition, const char *text)
{
    static const char *const names[] = {"see", "like", "gone", "idle"};
    uint64_t end = now_ms() + PATIENCE_MS;

    while (!holds(pty, condition, text)) {
        if (now_ms() > end || has_ended(pty))
            give_up(pty, names[condition], text);
        take_output(pty, 5);
    }
}

static void rest(struct pty *pty, const char *value)
{
    const char *most = strchr(value, ':');
    uint64_t before, after, end;

    wait_until(pty, IDLE, "");
    (void)program_rest(pty->child, &before);
    end = now_ms() + strtoul(value, NULL, 10);
    while (now_ms() < end)
        take_output(pty, 50);
    (void)program_rest(pty->child, &after);
    if (!most || after - before > strtoul(most + 1, NULL, 10))
        give_up(pty, "rest", value);
}

/* ---- the end ---- */

static bool is_same(const struct pty *pty)
{
    const struct termios *before = &pty->before;
    struct termios after;

    memset(&after, 0, sizeof after);
    return !tcgetattr(pty->slave, &after) && after.c_iflag == before->c_iflag &&
           after.c_oflag == before->c_oflag && after.c_lflag == before->c_lflag &&
           after.c_cflag == before->c_cflag && !memcmp(after.c_cc, before->c_cc, sizeof after.c_cc);
}

/* No other process may hold the terminal now, so the output ends where reading fails. */
static void read_rest(struct pty *pty)
{
    uint64_t end = now_ms() + PATIENCE_MS;
    struct pollfd poller = {pty->master, POLLIN, 0};
    size_t n = pty->n + 1;

    close(pty->slave);
    pty->slave = -1;
    pty->stalled = false;
    pty->rate = 0;
    while (pty->master >= 0 && now_ms() < end && (pty->n != n || !(poller.revents & POLLHUP))) {
        n = pty->n;
        take_output(pty, 5);
        (void)poll(&poller, 1, 0);
    }
}

/* Waits for the end of the program and its last byte of output; returns the ms. Ends its whole
 * session. */
static uint64_t see_end(struct pty *pty)
{
    uint64_t start = now_ms();
    uint64_t ms;

    while (!has_ended(pty) && now_ms() - start < PATIENCE_MS)
        take_output(pty, 2);
    ms = now_ms() - start;
    pty->modes = pty->slave < 0 ? "gone" : is_same(pty) ? "back" : "CHANGED";
    kill(-pty->child, SIGKILL);
    read_rest(pty);
    return ms;
}

/* ---- what is done to the program ---- */

/* The terminal may be full: bytes that it does not take while the test reads are lost, like
 * keys. */
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

/* Skips signal keys: they must end or stop the program. */
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
    /* A terminal without a size has the usual one; there is no model of a huge one. */
    if ((size_t)size.ws_row * size.ws_col <= MAX_CELLS)
        vt_resize(&pty->vt, size.ws_row ? size.ws_row : 24, size.ws_col ? size.ws_col : 80);
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

static void shoot(const struct pty *pty, const char *path, void (*print)(const struct vt *, FILE *))
{
    FILE *file = fopen(path, "w");

    if (!file)
        fail(path);
    print(&pty->vt, file);
    fclose(file);
}

static void touch(const char *path)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

    if (fd < 0)
        fail(path);
    close(fd);
}

static void hang_up(struct pty *pty)
{
    close(pty->slave);
    close(pty->master);
    pty->slave = pty->master = -1;
}

static void do_step(struct pty *pty, const char *step)
{
    const char *value = strchr(step, '=') ? strchr(step, '=') + 1 : "";

    if (!strncmp(step, "size=", 5))
        set_size(pty, value);
    else if (!strncmp(step, "capture=", 8))
        start_capture(pty, value);
    else if (!strncmp(step, "keys=", 5))
        send_keys(pty, value);
    else if (!strncmp(step, "random=", 7))
        send_random(pty, value);
    else if (!strncmp(step, "see=", 4))
        wait_until(pty, SEE, value);
    else if (!strncmp(step, "like=", 5))
        wait_until(pty, LIKE, value);
    else if (!strncmp(step, "gone=", 5))
        wait_until(pty, GONE, value);
    else if (!strcmp(step, "idle"))
        wait_until(pty, IDLE, value);
    else if (!strncmp(step, "rest=", 5))
        rest(pty, value);
    else if (!strcmp(step, "end"))
        (void)see_end(pty);
    else if (!strncmp(step, "shot=", 5))
        shoot(pty, value, vt_print);
    else if (!strncmp(step, "ink=", 4))
        shoot(pty, value, vt_print_ink);
    else if (!strncmp(step, "touch=", 6))
        touch(value);
    else if (!strncmp(step, "signal=", 7))
        kill(pty->child, (int)strtoul(value, NULL, 10));
    else if (!strncmp(step, "wait=", 5))
        wait_for(pty, strtoul(value, NULL, 10));
    else if (!strncmp(step, "slow=", 5))
        set_rate(pty, strtoul(value, NULL, 10));
    else if (!strcmp(step, "stall"))
        pty->stalled = true;
    else if (!strcmp(step, "read"))
        pty->stalled = false;
    else if (!strcmp(step, "hangup"))
        hang_up(pty);
    else {
        errno = EINVAL;
        fail(step);
    }
}

/* ---- how it ended ---- */

/* Whether the second of two strings was sent last; true if neither was sent. */
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

static void report(const struct pty *pty, uint64_t ms)
{
    bool back =
        last_is(pty, "\x1b[?1049h", "\x1b[?1049l") && last_is(pty, "\x1b[?1002h", "\x1b[?1002l") &&
        last_is(pty, "\x1b[?1006h", "\x1b[?1006l") && last_is(pty, "\x1b[?2004h", "\x1b[?2004l") &&
        last_is(pty, "\x1b[?2026h", "\x1b[?2026l") && last_is(pty, "\x1b[?25l", "\x1b[?25h");

    printf("exit=%d %s modes=%s screen=%s late=%s bytes=%zu\n", pty->status,
           pty->ended ? "ended" : "HANGS", pty->modes, back ? "back" : "LEFT",
           ms <= 250    ? "no"
           : ms <= 1000 ? "some"
                        : "YES",
           pty->n - pty->idle_at);
}

static void finish(struct pty *pty)
{
    report(pty, pty->modes ? 0 : see_end(pty));
    keep_capture(pty);
    vt_fini(&pty->vt);
    free(pty->bytes);
}

static bool open_terminal(struct pty *pty)
{
    pty->master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (pty->master < 0 || grantpt(pty->master) || unlockpt(pty->master))
        return false;
    pty->slave = open(ptsname(pty->master), O_RDWR | O_NOCTTY);
    return pty->slave >= 0;
}

int main(int argc, char **argv)
{
    struct pty pty = {.master = -1, .slave = -1, .bytes = malloc(CAPTURE)};
    int split = 1;
    int first = 1;

    while (split < argc && strcmp(argv[split], "--") != 0)
        split++;
    if (split + 1 >= argc) {
        fprintf(stderr, "usage: nsc_pty [STEP ...] -- PROGRAM [ARGUMENT ...]\n");
        return 2;
    }
    setlocale(LC_ALL, "C.UTF-8"); /* for the widths of characters */
    if (!pty.bytes || !open_terminal(&pty) || tcgetattr(pty.slave, &pty.before))
        fail("no pseudo terminal");
    vt_init(&pty.vt, 1, 1);
    set_size(&pty, "24x80");
    while (first < split &&
           (!strncmp(argv[first], "size=", 5) || !strncmp(argv[first], "capture=", 8)))
        do_step(&pty, argv[first++]);
    start(&pty, argv + split + 1);
    while (first < split)
        do_step(&pty, argv[first++]);
    finish(&pty);
    return 0;
}
