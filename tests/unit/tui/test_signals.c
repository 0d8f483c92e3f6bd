/*
 * Unit tests of signals after the terminal was given back, while small files are saved.
 * promises: E5
 */
#include "support/cm.h"
#include "tui/signals.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SAVED = 7 };

/* The exit status of a process that gets so many signals while it saves. */
static int save_with(int n_signals, int save_ms)
{
    const struct timespec save = {0, save_ms * 1000000L};
    int status = 0;
    pid_t child = fork();

    if (child == 0) {
        struct nsc_restore restore;

        memset(&restore, 0, sizeof restore);
        restore.fd = restore.wake_fd = -1;
        restore.leave = "";
        nsc_signals_install(&restore);
        nsc_signals_remove();
        for (int i = 0; i < n_signals; i++)
            raise(SIGTERM);
        for (struct timespec left = save; nanosleep(&left, &left) != 0;)
            continue;
        _exit(nsc_signals_ended() == (n_signals ? SIGTERM : 0) ? SAVED : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

TEST(one_signal_lets_the_view_be_saved)
{
    assert_int_equal(save_with(0, 1), SAVED);
    assert_int_equal(save_with(1, 1), SAVED);
}

TEST(a_second_signal_or_the_time_ends_the_process)
{
    assert_int_equal(save_with(2, 1), 128 + SIGTERM);
    assert_int_equal(save_with(1, 900), 128 + SIGTERM);
}
