/*
 * Unit tests of big columns: zeroed, trimmed in place, harmless failure, and the system's report of
 * its memory.
 */
#include "core/pages.h"
#include "support/cm.h"

#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

TEST(pages_are_zeroed_and_trimmed)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    unsigned char *p = nsc_pages_new(10 * page + 1);

    assert_non_null(p);
    for (size_t i = 0; i <= 10 * page; i++)
        assert_int_equal(p[i], 0);
    memset(p, 7, 10 * page + 1);
    p = nsc_pages_trim(p, 10 * page + 1, 2 * page + 5);
    for (size_t i = 0; i < 2 * page + 5; i++)
        assert_int_equal(p[i], 7);
    p = nsc_pages_trim(p, 2 * page + 5, 2 * page + 4);
    assert_null(nsc_pages_trim(p, 2 * page + 4, 0));
    nsc_pages_free(NULL, 0);
}

/* Only pages completely inside the range are affected. */
TEST(dropped_pages_are_zero_again)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    unsigned char *p = nsc_pages_new(6 * page);

    assert_non_null(p);
    memset(p, 7, 6 * page);
    nsc_pages_drop(p + 10, page - 10);
    nsc_pages_drop(p + page + 1, 3 * page);
    for (size_t i = 0; i < 6 * page; i++)
        assert_int_equal(p[i], i / page == 2 || i / page == 3 ? 0 : 7);
    p[2 * page] = 1;
    nsc_pages_free(p, 6 * page);
}

/* The first and the last page hold bytes beside the range. */
TEST(touched_pages_keep_their_bytes)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    unsigned char *p = nsc_pages_new(12 * page);

    assert_non_null(p);
    memset(p, 7, 2 * page);
    nsc_pages_touch(p + page - 1, 10 * page);
    nsc_pages_touch(p + 10, 0);
    for (size_t i = 0; i < 12 * page; i++)
        assert_int_equal(p[i], i / page < 2 ? 7 : 0);
    nsc_pages_free(p, 12 * page);
}

TEST(nothing_and_too_much_give_null)
{
    assert_null(nsc_pages_new(0));
    assert_null(nsc_pages_new(SIZE_MAX));
    assert_null(nsc_pages_new(SIZE_MAX / 2));
}

TEST(a_sparse_reservation_costs_nothing)
{
    size_t size = (size_t)1 << 33;
    uint64_t peak = nsc_memory_peak();
    char *p = nsc_pages_new(size);

    assert_true(peak > 0);
    if (!p) /* an address-space limit or a sanitizer */
        return;
    for (size_t i = 0; i < 64; i++)
        p[i * (size / 64)] = 1;
    assert_true(nsc_memory_peak() - peak < (uint64_t)64 << 20);
    nsc_pages_free(p, size);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST(an_address_space_limit_counts)
{
    int status = 0;
    pid_t child = fork();

    if (child == 0) {
        struct rlimit limit = {(rlim_t)256 << 20, (rlim_t)256 << 20};

        _exit(setrlimit(RLIMIT_AS, &limit) == 0 && nsc_memory_available() <= (uint64_t)256 << 20 &&
                      !nsc_pages_new((size_t)512 << 20)
                  ? 0
                  : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    assert_true(nsc_memory_available() > 0);
}
#endif
