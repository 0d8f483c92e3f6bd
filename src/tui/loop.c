/*
 * Runs an application on a terminal.
 */
#include "tui/loop.h"

#include "tui/economy.h"

#include <poll.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { READ_BYTES = 4096, ANSWER_MS = 300 };

/* Effects that the loop carries out itself; it passes the others to its owner. */
enum {
    OWN_EFFECTS = NSC_EFFECT_WORK | NSC_EFFECT_SOON | NSC_EFFECT_REDRAW | NSC_EFFECT_REPAINT |
                  NSC_EFFECT_BELL | NSC_EFFECT_COPY | NSC_EFFECT_SUSPEND | NSC_EFFECT_QUIT |
                  NSC_EFFECT_REFUSED
};

struct loop {
    struct nsc_term *term;
    struct nsc_screen screen;
    const struct nsc_loop_hooks *hooks;
    struct nsc_keys keys;
    struct nsc_grid grid;
    struct nsc_economy economy;
    uint64_t now, drawn; /* ms: start of this turn, last frame drawn */
    uint64_t held;       /* ms: the frame waits until then for the details of the event */
    bool dirty, done;
    bool work; /* the application has another slice of work to do */
    enum nsc_loop_result result;
};

/* Ms of a monotonic clock. */
static uint64_t read_clock(void)
{
    struct timespec now = {0, 0};

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static void finish(struct loop *loop, enum nsc_loop_result result)
{
    if (!loop->done)
        loop->result = result;
    loop->done = true;
}

/* ---- inputs ---- */

static void copy(struct loop *loop, struct nsc_text text)
{
    struct nsc_input input = {.type = NSC_INPUT_MESSAGE, .now = loop->now};

    if (nsc_term_copy(loop->term, text))
        return;
    input.text = "Not copied: this terminal has no clipboard, or the text is too long for it.";
    (void)loop->screen.input(loop->screen.context, &input); /* a message never returns effects */
}

static void give(struct loop *loop, const struct nsc_input *input)
{
    struct nsc_effects effects = loop->screen.input(loop->screen.context, input);

    loop->work = effects.set & NSC_EFFECT_WORK;
    if (!(effects.set & NSC_EFFECT_SOON))
        loop->held = 0;
    else if (effects.set & NSC_EFFECT_DETAILS && !loop->dirty) /* keys in a row do not put it off */
        loop->held = loop->now + NSC_LOOP_HOLD_MS;
    if (effects.set & NSC_EFFECT_REDRAW)
        loop->dirty = true;
    if (effects.set & NSC_EFFECT_REPAINT) {
        nsc_blit_clear(loop->term->blit);
        loop->dirty = true;
    }
    if (effects.set & NSC_EFFECT_BELL)
        nsc_term_bell(loop->term);
    if (effects.set & ~(unsigned)OWN_EFFECTS && loop->hooks->effect)
        loop->hooks->effect(loop->hooks->context, &effects);
    if (effects.set & NSC_EFFECT_COPY)
        copy(loop, effects.text);
    /* Stops the whole job, as the terminal's suspend key does; the signal handler then wakes us as
     * usual. */
    if (effects.set & NSC_EFFECT_SUSPEND)
        kill(0, SIGTSTP);
    if (effects.set & NSC_EFFECT_QUIT)
        finish(loop, NSC_LOOP_QUIT);
}

static void give_size(struct loop *loop)
{
    struct nsc_input input = {.type = NSC_INPUT_RESIZE, .now = loop->now};

    nsc_term_size(loop->term, &input.rows, &input.cols);
    nsc_grid_resize(&loop->grid, input.rows, input.cols);
    give(loop, &input);
    loop->dirty = true;
}

static void give_link(struct loop *loop)
{
    const struct nsc_input input = {
        .type = NSC_INPUT_LINK, .now = loop->now, .slow = nsc_economy_is_on(&loop->economy)};

    give(loop, &input);
}

static void take_signals(struct loop *loop)
{
    unsigned set = nsc_signals_take();

    if (!nsc_signals_ended() && set & NSC_SIGNAL_STOP)
        nsc_term_suspend(loop->term);
    else if (!nsc_signals_ended() && set & NSC_SIGNAL_CONTINUE)
        nsc_term_resume(loop->term);
    if (nsc_signals_ended()) /* perhaps while it was stopped */
        finish(loop, NSC_LOOP_SIGNAL);
    else if (set)
        give_size(loop);
}

static void take_input(struct loop *loop, const struct nsc_input *input)
{
    if (input->type == NSC_INPUT_BACKDROP) {
        loop->term->asked = false;
        loop->term->backdrop = (struct nsc_backdrop){true, input->color};
    }
    give(loop, input);
}

/* Reads all keys that have arrived, up to a limit, so that a flood cannot stop drawing. */
static void take_keys(struct loop *loop)
{
    unsigned char bytes[READ_BYTES];
    size_t n = nsc_term_read(loop->term, bytes, sizeof bytes);
    struct nsc_input input;

    for (size_t i = 0; i < n && !loop->done; i++)
        if (nsc_keys_feed(&loop->keys, bytes[i], loop->now, &input))
            take_input(loop, &input);
    if (!n && !loop->done && nsc_keys_flush(&loop->keys, loop->now, &input))
        give(loop, &input);
    if (loop->term->gone)
        finish(loop, NSC_LOOP_GONE);
}

static void take_others(struct loop *loop)
{
    enum nsc_loop_next next = NSC_LOOP_INPUT;

    while (!loop->done && next == NSC_LOOP_INPUT) {
        struct nsc_input input = {.now = loop->now};

        next = loop->hooks->next ? loop->hooks->next(loop->hooks->context, &input) : NSC_LOOP_NONE;
        if (next == NSC_LOOP_INPUT)
            give(loop, &input);
    }
    if (next == NSC_LOOP_END)
        finish(loop, NSC_LOOP_ENDED);
}

/* Runs one slice of the application's work, so that keys are read between slices. */
static void do_work(struct loop *loop)
{
    struct nsc_input input = {.type = NSC_INPUT_TICK, .now = loop->now};

    if (loop->work)
        give(loop, &input);
}

/* ---- frames ---- */

static int until_frame(const struct loop *loop)
{
    uint64_t due = loop->drawn +
                   (nsc_economy_is_on(&loop->economy) ? NSC_ECONOMY_FRAME_MS : NSC_LOOP_FRAME_MS);

    due = due > loop->held ? due : loop->held;
    return due > loop->now ? (int)(due - loop->now) : 0;
}

/* Sends as much as the link takes now and measures it; true once nothing is left. */
static bool flush(struct loop *loop)
{
    bool drained = nsc_term_flush(loop->term);

    if (nsc_economy_measure(&loop->economy, loop->now, drained))
        give_link(loop);
    return drained;
}

static void draw(struct loop *loop)
{
    struct nsc_error error = {0};

    if (!flush(loop) || !loop->dirty || until_frame(loop) > 0)
        return;
    loop->screen.draw(loop->screen.context, &loop->grid);
    if (nsc_economy_is_on(&loop->economy))
        nsc_economy_apply(&loop->grid);
    loop->dirty = false;
    loop->drawn = loop->now;
    /* Without memory the frame is dropped; the next one sends everything. */
    if (nsc_term_draw(loop->term, &loop->grid, &error) != NSC_OK)
        nsc_blit_clear(loop->term->blit);
    if (loop->term->out.n)
        nsc_economy_queue(&loop->economy, loop->now);
    (void)flush(loop);
}

/* ---- waiting ---- */

static int sooner(int a, int b)
{
    if (a < 0 || b < 0)
        return a < 0 ? b : a;
    return a < b ? a : b;
}

static void sleep_until_something(struct loop *loop)
{
    bool busy = loop->term->out.n > 0;
    struct pollfd fds[] = {{loop->term->fd, (short)(POLLIN | (busy ? POLLOUT : 0)), 0},
                           {loop->hooks->wake_fd, POLLIN, 0}};
    int ms = sooner(nsc_keys_wait(&loop->keys, loop->now),
                    loop->hooks->wait ? loop->hooks->wait(loop->hooks->context, loop->now) : -1);
    char bytes[64];

    if (loop->dirty && !busy)
        ms = sooner(ms, until_frame(loop));
    if (loop->work)
        ms = 0;
    if (nsc_signals_ended() || poll(fds, 2, ms) <= 0)
        return;
    if (fds[0].revents & (POLLHUP | POLLERR | POLLNVAL))
        finish(loop, NSC_LOOP_GONE);
    while (fds[1].revents & POLLIN && read(loop->hooks->wake_fd, bytes, sizeof bytes) > 0)
        ;
}

enum nsc_loop_result nsc_loop_run(struct nsc_term *term, struct nsc_screen screen,
                                  const struct nsc_loop_options *options,
                                  const struct nsc_loop_hooks *hooks)
{
    struct loop loop;
    uint64_t began = read_clock();

    memset(&loop, 0, sizeof loop);
    loop.term = term;
    loop.screen = screen;
    loop.hooks = hooks;
    nsc_keys_init(&loop.keys, term->info.keys, term->info.n_keys, term->utf8);
    nsc_grid_init(&loop.grid, options->ascii);
    loop.economy.always = options->economy;
    loop.now = read_clock();
    give_size(&loop);
    if (options->economy)
        give_link(&loop);
    draw(&loop);
    while (!loop.done) {
        sleep_until_something(&loop);
        loop.now = read_clock();
        if (!loop.done)
            take_signals(&loop);
        if (!loop.done)
            take_keys(&loop);
        if (!loop.done)
            take_others(&loop);
        if (!loop.done)
            do_work(&loop);
        if (!loop.done)
            draw(&loop);
    }
    if (read_clock() < began + ANSWER_MS)
        nsc_term_settle(term, (int)(began + ANSWER_MS - read_clock()));
    nsc_grid_fini(&loop.grid);
    return loop.result;
}
