/*
 * Opens, enters, leaves and closes the terminal, and moves bytes to and from it.
 */
#include "tui/term.h"

#include "core/die.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { MAX_SIZE = 4096, LEAVE_MS = 300, QUEUE = 64 << 20 };

/* ---- the descriptor ---- */

/*
 * Opens a descriptor of our own: flags set on an inherited one would stay with the shell. Tries the
 * controlling terminal first, because standard input may be a pipe. A container without /dev has only
 * the inherited one.
 */
static int open_tty(void)
{
    int fd = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC);

    for (int i = STDOUT_FILENO; fd < 0 && i >= STDIN_FILENO; i--) {
        char name[256];

        if (isatty(i) && !ttyname_r(i, name, sizeof name))
            fd = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC);
    }
    for (int i = STDOUT_FILENO; fd < 0 && i >= STDIN_FILENO; i--)
        fd = isatty(i) ? fcntl(i, F_DUPFD_CLOEXEC, STDERR_FILENO + 1) : -1;
    return fd;
}

static enum nsc_status take_tty(struct nsc_term *term, struct nsc_error *error)
{
    struct winsize size = {0};

    term->fd = open_tty();
    if (term->fd < 0)
        return nsc_fail(error, NSC_EINVAL, "no terminal to draw on; nsyscope info FILE needs none");
    term->flags = fcntl(term->fd, F_GETFL);
    if (tcgetattr(term->fd, &term->saved) || fcntl(term->fd, F_SETFL, term->flags | O_NONBLOCK))
        return nsc_fail(error, NSC_EINVAL, "cannot use the terminal: %s", strerror(errno));
    if (!ioctl(term->fd, TIOCGWINSZ, &size) && (size.ws_row > MAX_SIZE || size.ws_col > MAX_SIZE))
        return nsc_fail(error, NSC_EINVAL,
                        "the terminal says it has %u rows and %u columns, more than the %d that "
                        "can be; set its size with stty rows N cols N",
                        size.ws_row, size.ws_col, MAX_SIZE);
    return NSC_OK;
}

static uint32_t clamp_size(unsigned n, uint32_t unknown)
{
    if (!n)
        return unknown;
    return n > NSC_TERM_MAX ? NSC_TERM_MAX : n;
}

void nsc_term_size(const struct nsc_term *term, uint32_t *rows, uint32_t *cols)
{
    struct winsize size = {0};

    if (ioctl(term->fd, TIOCGWINSZ, &size))
        memset(&size, 0, sizeof size);
    *rows = clamp_size(size.ws_row, 24);
    *cols = clamp_size(size.ws_col, 80);
}

/* ---- enter and leave ---- */

/* Keeps signal keys, so that they work while the program is busy. Turns flow control off, so
 * that Ctrl-S cannot freeze it. */
static void set_modes(const struct nsc_term *term)
{
    struct termios raw = term->saved;

    raw.c_iflag &= ~(tcflag_t)(IXON | IXOFF | ICRNL | INLCR | IGNCR | ISTRIP | BRKINT | PARMRK);
    raw.c_oflag &= ~(tcflag_t)OPOST;
    raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO | ECHONL | IEXTEN);
    raw.c_lflag |= ISIG;
    raw.c_cflag &= ~(tcflag_t)(CSIZE | PARENB);
    raw.c_cflag |= CS8;
    raw.c_cc[VMIN] = 1;
    raw.c_cc[VTIME] = 0;
    tcsetattr(term->fd, TCSANOW, &raw); /* not TCSADRAIN: the link may be stalled */
}

static void queue(struct nsc_term *term, const char *bytes)
{
    term->bytes += strlen(bytes);
    nsc_buf_puts(&term->out, bytes);
}

/* Asks for button events with drags, in the form without a column limit. */
static void queue_mouse(struct nsc_term *term)
{
    if (term->info.modern)
        queue(term, term->mouse ? "\x1b[?1002h\x1b[?1006h" : "\x1b[?1006l\x1b[?1002l");
}

/* Whether the terminal prints requests that it does not know, as the Linux console does, although
 * it follows xterm for drawing. */
static bool prints_requests(const char *type)
{
    static const char *const consoles[] = {"linux", "cons25", "vt"};

    for (size_t i = 0; i < sizeof consoles / sizeof *consoles; i++)
        if (!strncmp(type, consoles[i], strlen(consoles[i])))
            return true;
    return false;
}

static void enter(struct nsc_term *term)
{
    nsc_signals_enter();
    set_modes(term);
    queue(term, term->info.enter);
    if (term->mouse)
        queue_mouse(term);
    if (term->info.modern && !prints_requests(term->info.type)) {
        queue(term, NSC_BACKDROP_QUESTION);
        term->asked = true;
    }
    nsc_blit_clear(term->blit);
}

/* Sends everything queued; true if done in time. */
static bool drain(struct nsc_term *term, int ms)
{
    for (int waited = 0; !nsc_term_flush(term); waited += 20) {
        struct pollfd poller = {term->fd, POLLOUT, 0};

        if (waited >= ms || term->gone)
            return false;
        (void)poll(&poller, 1, 20);
    }
    return true;
}

/* Leaves our screen and drops queued frames for it, so that a stalled link does not delay
 * leaving. */
static void leave(struct nsc_term *term)
{
    nsc_buf_clear(&term->out);
    term->sent = 0;
    nsc_signals_leave();
}

enum nsc_status nsc_term_open(struct nsc_term *term, const struct nsc_term_options *options,
                              struct nsc_error *error)
{
    struct nsc_blit_options blit = {NULL, options->theme, NSC_COLOR_MONO, false};
    struct nsc_restore restore;
    enum nsc_status status = NSC_OK;

    memset(term, 0, sizeof *term);
    term->out = (struct nsc_buf)NSC_BUF_INIT(QUEUE);
    status = take_tty(term, error);
    if (!status)
        status = nsc_terminfo_init(&term->info, getenv("TERM"), options->color, error);
    term->mouse = options->mouse;
    term->backdrop = nsc_backdrop_of(getenv("COLORFGBG"));
    blit.type = term->info.type;
    blit.color = term->info.color;
    blit.modern = term->info.modern;
    if (!status)
        status = nsc_blit_new(&term->blit, &blit, error);
    if (status) {
        nsc_term_close(term);
        return status;
    }
    term->utf8 = options->utf8;
    restore = (struct nsc_restore){term->fd, term->flags, term->saved, term->info.leave,
                                   options->wake_fd};
    nsc_signals_install(&restore);
    nsc_die_hook(nsc_signals_restore);
    enter(term);
    return NSC_OK;
}

void nsc_term_close(struct nsc_term *term)
{
    if (term->blit) {
        leave(term);
        nsc_die_hook(NULL);
        nsc_signals_remove();
    }
    nsc_blit_free(term->blit);
    term->blit = NULL;
    nsc_buf_fini(&term->out);
    if (term->fd >= 0)
        close(term->fd);
    term->fd = -1;
}

/* ---- bytes out ---- */

enum nsc_status nsc_term_draw(struct nsc_term *term, const struct nsc_grid *grid,
                              struct nsc_error *error)
{
    size_t before = term->out.n;
    enum nsc_status status = nsc_blit_draw(&term->out, term->blit, grid, error);

    term->bytes += term->out.n - before;
    return status;
}

bool nsc_term_flush(struct nsc_term *term)
{
    while (term->sent < term->out.n && nsc_signals_can_write()) {
        ssize_t n = write(term->fd, term->out.bytes + term->sent, term->out.n - term->sent);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && errno != EAGAIN)
            term->gone = true;
        if (n <= 0)
            return false;
        term->sent += (size_t)n;
    }
    nsc_buf_clear(&term->out);
    term->sent = 0;
    return true;
}

void nsc_term_bell(struct nsc_term *term)
{
    queue(term, "\a");
}

void nsc_term_change(struct nsc_term *term, bool mouse, enum nsc_color_mode color)
{
    if (mouse != term->mouse) {
        term->mouse = mouse;
        queue_mouse(term);
    }
    nsc_blit_color(term->blit, color);
}

/* Uses the plain form of OSC 52: a multiplexer keeps it for its own clipboard and passes it on. */
bool nsc_term_copy(struct nsc_term *term, struct nsc_text text)
{
    if (!term->info.modern || prints_requests(term->info.type) ||
        text.n > NSC_TERM_COPY_BYTES / 4 * 3)
        return false;
    queue(term, "\033]52;c;");
    nsc_buf_base64(&term->out, text.bytes, text.n);
    term->bytes += ((size_t)text.n + 2) / 3 * 4;
    queue(term, "\a");
    return true;
}

/* ---- suspend and resume ---- */

void nsc_term_resume(struct nsc_term *term)
{
    nsc_buf_clear(&term->out);
    term->sent = 0;
    enter(term);
}

void nsc_term_suspend(struct nsc_term *term)
{
    (void)drain(term, LEAVE_MS);
    leave(term);
    nsc_signals_suspend();
    if (nsc_signals_ended())
        return; /* the shell may own the terminal now */
    fcntl(term->fd, F_SETFL, term->flags | O_NONBLOCK);
    nsc_term_resume(term);
}

/* ---- bytes in ---- */

size_t nsc_term_read(struct nsc_term *term, unsigned char *out, size_t n)
{
    ssize_t got = read(term->fd, out, n);

    if (got > 0)
        return (size_t)got;
    if (got == 0 || (errno != EAGAIN && errno != EINTR))
        term->gone = true;
    return 0;
}

void nsc_term_settle(struct nsc_term *term, int ms)
{
    struct pollfd poller = {term->fd, POLLIN, 0};
    unsigned char bytes[64];

    if (term->asked && !term->gone && ms > 0 && poll(&poller, 1, ms) > 0)
        (void)nsc_term_read(term, bytes, sizeof bytes);
    term->asked = false;
}
