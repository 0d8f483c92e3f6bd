/*
 * Unit tests of running out of memory: the terminal's hook runs once, one line is written, the
 * status is 5.
 */
#include "core/arena.h"
#include "core/die.h"
#include "support/cm.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void restore(void)
{
    if (write(STDERR_FILENO, "<restored>", 10) != 10)
        _exit(1);
}

static void ask_too_much(int way)
{
    struct nsc_arena arena = NSC_ARENA_INIT;

    if (way == 0)
        nsc_xrealloc(NULL, SIZE_MAX / 2, 4);
    else if (way == 1)
        nsc_arena_array(&arena, SIZE_MAX / 2, 4);
    else
        nsc_arena_add(&arena, SIZE_MAX - 1);
    _exit(0);
}

TEST(refusal_ends_in_order)
{
    for (int way = 0; way < 3; way++) {
        char text[256] = {0};
        size_t n = 0;
        int status = 0;
        int ends[2];
        pid_t child = 0;

        assert_int_equal(pipe(ends), 0);
        child = fork();
        if (child == 0) {
            dup2(ends[1], STDERR_FILENO);
            nsc_die_hook(restore);
            ask_too_much(way);
        }
        close(ends[1]);
        for (ssize_t got = 1; got > 0 && n < sizeof text - 1; n += (size_t)got) {
            got = read(ends[0], text + n, sizeof text - 1 - n);
            if (got < 0)
                break;
        }
        close(ends[0]);
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), 5);
        assert_memory_equal(text, "<restored>nsyscope: out of memory", 33);
        assert_ptr_equal(strchr(text, '\n'), text + strlen(text) - 1);
    }
}

TEST(small_requests_succeed)
{
    char *p = nsc_xcalloc(0, 8);
    char *q = nsc_xmalloc(0);

    assert_non_null(p);
    assert_non_null(q);
    q = nsc_xrealloc(q, 0, 4);
    assert_non_null(q);
    free(p);
    free(q);
}
