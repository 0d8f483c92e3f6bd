/*
 * Unit tests of repeating an export in time with too little memory: complete or not at all, with
 * the right status.
 */
#include "nsys/generate/generate.h"
#include "support/cm.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static sqlite3_mem_methods usual;
static unsigned long calls, fails_at;
static bool for_ever;

static bool refuses(void)
{
    calls++;
    return fails_at && (calls == fails_at || (for_ever && calls > fails_at));
}

static void *take(int n)
{
    return refuses() ? NULL : usual.xMalloc(n);
}

static void *resize(void *at, int n)
{
    return refuses() ? NULL : usual.xRealloc(at, n);
}

/* SQLite's allocator must be set before the first use of SQLite. */
static int begin(void **state)
{
    sqlite3_mem_methods ours;

    (void)state;
    if (sqlite3_config(SQLITE_CONFIG_GETMALLOC, &usual) != SQLITE_OK)
        return -1;
    ours = usual;
    ours.xMalloc = take;
    ours.xRealloc = resize;
    return sqlite3_config(SQLITE_CONFIG_MALLOC, &ours) == SQLITE_OK ? 0 : -1;
}

TEST(every_refused_allocation_is_told)
{
    struct nsc_generate_options generate = NSC_GENERATE_OPTIONS_INIT;
    char from[] = "/tmp/nsc_tile_XXXXXX";
    struct nsc_tile_options options = {"from", 2, true, false};
    unsigned long all;

    assert_true(mkdtemp(from) != NULL);
    assert_int_equal(chdir(from), 0);
    generate.kernels = 60;
    assert_int_equal(nsc_generate("from", &generate, NULL, NULL), NSC_OK);
    calls = 0;
    assert_int_equal(nsc_tile("to", &options, NULL), NSC_OK);
    all = calls;
    assert_true(all > 100);
    for (fails_at = 1; fails_at <= all; fails_at += 1 + fails_at / 100)
        for (int ever = 0; ever < 2; ever++) {
            struct nsc_error error = {NSC_OK, ""};
            enum nsc_status status;

            (void)unlink("to");
            calls = 0;
            for_ever = ever;
            status = nsc_tile("to", &options, &error);
            if (status != NSC_OK && status != NSC_ENOMEM)
                fail_msg("allocation %lu: status %d, %s", fails_at, (int)status, error.text);
            assert_int_equal(error.status, status);
            assert_int_equal(access("to", F_OK) == 0, status == NSC_OK);
        }
    fails_at = 0;
    (void)unlink("to");
    (void)unlink("from");
    (void)rmdir(from);
}

TEST_MAIN
{
    return nsc_test_run(begin, NULL);
}
