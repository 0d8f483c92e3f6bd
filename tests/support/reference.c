/*
 * Finds the reference material of conformance tests.
 */
#include "support/reference.h"

#include "nsyscope/open.h"

#include "support/cm.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *folder_of(const char *variable, const char *usual)
{
    const char *given = getenv(variable);
    const char *path = given && *given ? given : usual;

    if (access(path, R_OK | X_OK) == 0)
        return path;
    printf("SKIPPED: no folder %s (set %s)\n", path, variable);
    return NULL;
}

const char *nsc_test_exports(void)
{
    return folder_of("NSC_EXPORTS", NSC_TEST_SOURCE_DIR "/../shared/exports");
}

const char *nsc_test_golden(void)
{
    return folder_of("NSC_GOLDEN", NSC_TEST_SOURCE_DIR "/../shared/golden");
}

static bool is_empty(const char *path)
{
    struct stat info;

    assert_int_equal(stat(path, &info), 0);
    return info.st_size == 0;
}

/* Checks that an empty file, such as a failed download leaves, is refused with the right line. */
static void check_refusal(const char *path)
{
    struct nsc_error error = {NSC_OK, ""};
    struct nsc_capture *capture = NULL;
    size_t n = strlen(path);

    assert_int_equal(nsc_capture_open(&capture, path, NULL, &error), NSC_EFORMAT);
    assert_true(strlen(error.text) > n && memcmp(error.text, path, n) == 0);
    assert_string_equal(error.text + n, " is empty");
    printf("empty: refused, nothing to compare\n");
}

bool nsc_test_leaves_out(const char *path)
{
    struct stat info;

    return !getenv("NSC_LONG") && stat(path, &info) == 0 && info.st_size > 1 << 20;
}

unsigned nsc_test_each_export(void (*check)(const char *path))
{
    const char *folder = nsc_test_exports();
    struct dirent *entry;
    unsigned n = 0;
    DIR *dir = NULL;

    assert_non_null(folder);
    dir = opendir(folder);
    assert_non_null(dir);
    while ((entry = readdir(dir))) {
        const char *dot = strrchr(entry->d_name, '.');
        char path[4096];

        if (!dot || strcmp(dot, ".sqlite") != 0)
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        printf("%s\n", entry->d_name);
        if (is_empty(path)) {
            check_refusal(path);
            continue;
        }
        check(path);
        n++;
    }
    closedir(dir);
    printf("%u exports\n", n);
    return n;
}
