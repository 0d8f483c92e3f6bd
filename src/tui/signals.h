/*
 * Signals: fatal ones restore the terminal first, others are recorded for the loop.
 *
 * The main thread installs the handlers once; nsc_thread_start() keeps signals from all
 * other threads.
 */
#ifndef NSC_TUI_SIGNALS_H
#define NSC_TUI_SIGNALS_H

#include <stdbool.h>
#include <termios.h>

#define NSC_SIGNALS_LEAVE 512

enum { NSC_SIGNAL_RESIZE = 1, NSC_SIGNAL_STOP = 2, NSC_SIGNAL_CONTINUE = 4 };

/* How to restore the terminal; copied. */
struct nsc_restore {
    int fd;               /* the terminal */
    int flags;            /* flags of fd, from F_GETFL */
    struct termios saved; /* modes from before */
    const char *leave;    /* bytes to send */
    int wake_fd;          /* receives a byte when the loop must handle a signal */
};

void nsc_signals_install(const struct nsc_restore *restore);
/* The caller has restored the terminal: an ending signal leaves it 150 ms to save small files. */
void nsc_signals_remove(void);
/* Call it before entering the terminal: from now on we own it. */
void nsc_signals_enter(void);
/* Restores the terminal, also if a signal did so before, and gives it up. */
void nsc_signals_leave(void);
/* Whether we own the terminal, and no signal restored it. */
bool nsc_signals_can_write(void);
/* The signal that ends the program, or 0. The terminal is given back; the process ends by itself
 * after 150 ms, so that the loop can save small files. */
int nsc_signals_ended(void);
/* The signals since the last call, NSC_SIGNAL_* or-ed. */
unsigned nsc_signals_take(void);
/* Restores the terminal if we own it, whatever the state of the link. Async-signal-safe. */
void nsc_signals_restore(void);
/* Stops the process as the suspend key does; returns when it continues. */
void nsc_signals_suspend(void);

#endif
