/*
 * Signals: what ends the program restores the terminal first, what changes it is remembered for the
 * loop.
 *
 * Installed once, by the main thread; every other thread must block the signals of
 * nsc_signals_block().
 */
#ifndef NSC_TUI_SIGNALS_H
#define NSC_TUI_SIGNALS_H

#include <stdbool.h>
#include <stddef.h>
#include <termios.h>

#define NSC_SIGNALS_LEAVE 512

enum { NSC_SIGNAL_RESIZE = 1, NSC_SIGNAL_STOP = 2, NSC_SIGNAL_CONTINUE = 4 };

/* How the terminal is put back; copied. */
struct nsc_restore {
    int fd;               /* the terminal */
    int flags;            /* of fd, from F_GETFL */
    struct termios saved; /* modes from before */
    const char *leave;    /* bytes to send */
    int wake_fd;          /* gets a byte when a signal is to be taken */
};

void nsc_signals_install(const struct nsc_restore *restore);
/* Back to the default actions. The terminal has been restored in another way. */
void nsc_signals_remove(void);
/* Whether the terminal is ours now: armed from entering to leaving it. */
void nsc_signals_arm(bool armed);
bool nsc_signals_armed(void);
/* The signals that came since the last call, NSC_SIGNAL_* or-ed. */
unsigned nsc_signals_take(void);
/* Puts the terminal back if it is ours, whatever state the link is in. Async-signal-safe, at most
 * once. */
void nsc_signals_restore(void);
/* Stops the process as the terminal's suspend character does; returns when it is continued. */
void nsc_signals_suspend(void);
/* For threads that work: leaves every signal that can be left to the main thread. */
void nsc_signals_block(void);

#endif
