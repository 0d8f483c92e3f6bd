/*
 * Finds the nsys programs in PATH and where Nsight Systems, CUDA, the HPC SDK and modules put them.
 */
#define _GNU_SOURCE /* strverscmp */
#include "open/nsys.h"

#include "open/subprocess.h"

#include <glob.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Folders below which an nsys may lie, and variables that hold such a folder. */
static const char *const roots[] = {
    "/opt/*/nsight-systems*", "/opt/nsight-systems*", "/usr/local/nsight-systems*",
    "/usr/local/cuda*",       "/opt/cuda*",           "/opt/nvidia/hpc_sdk/*/*"};
static const char *const variables[] = {
    "CUDA_HOME",          "CUDA_PATH", "CUDA_ROOT", "NVHPC_ROOT", "EBROOTNSIGHTMINSYSTEMS",
    "NSIGHT_SYSTEMS_ROOT"};
static const char *const below[] = {"bin", "*/bin", "nsight-systems*/bin",
                                    "profilers/Nsight_Systems/bin", "target-linux-*"};

static bool is_same(const char *a, const char *b)
{
    struct stat x, y;

    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

static void add_program(struct nsc_argv *out, const char *path)
{
    struct stat info;

    if (stat(path, &info) != 0 || !S_ISREG(info.st_mode) || access(path, X_OK) != 0)
        return;
    for (size_t i = 0; i < out->words.n; i++)
        if (is_same(out->words.at[i], path))
            return;
    nsc_argv_add(out, path);
}

static void add_root(struct nsc_argv *out, const char *root)
{
    for (size_t i = 0; root && root[0] == '/' && i < sizeof below / sizeof *below; i++) {
        struct nsc_buf pattern = NSC_BUF_INIT(SIZE_MAX);
        glob_t found;

        nsc_buf_printf(&pattern, "%s/%s/nsys", root, below[i]);
        if (glob(pattern.bytes, 0, NULL, &found) == 0) {
            for (size_t k = 0; k < found.gl_pathc; k++)
                add_program(out, found.gl_pathv[k]);
            globfree(&found);
        }
        nsc_buf_fini(&pattern);
    }
}

static void add_text(void *context, struct nsc_text text)
{
    nsc_buf_add(context, text.bytes, text.n);
}

void nsc_nsys_version(struct nsc_buf *out, char *program)
{
    struct nsc_buf text = NSC_BUF_INIT(4096);
    struct nsc_subprocess_watch watch = {add_text, &text, -1};
    struct nsc_error ignored = {NSC_OK, ""};
    char option[] = "--version";
    char *argv[] = {program, option, NULL};
    const char *at = NULL;
    int exit_status = 0;

    if (nsc_subprocess_read(&exit_status, argv, &watch, &ignored) == NSC_OK && text.n)
        at = strpbrk(text.bytes, "0123456789");
    if (at)
        nsc_buf_add(out, at, strspn(at, "0123456789."));
    nsc_buf_fini(&text);
}

static int compare_versions(const void *a, const void *b)
{
    return strverscmp(*(char *const *)b, *(char *const *)a);
}

/* Sorts by version, which is in front of each path for a moment. */
static void sort_programs(struct nsc_argv *programs)
{
    size_t n = programs->words.n;

    for (size_t i = 0; n > 1 && i < n; i++) {
        struct nsc_buf word = NSC_BUF_INIT(SIZE_MAX);

        nsc_nsys_version(&word, programs->words.at[i]);
        nsc_buf_printf(&word, " %s", programs->words.at[i]);
        free(programs->words.at[i]);
        programs->words.at[i] = word.bytes;
    }
    if (n > 1)
        qsort(programs->words.at, n, sizeof *programs->words.at, compare_versions);
    for (size_t i = 0; n > 1 && i < n; i++) {
        const char *path = strchr(programs->words.at[i], ' ') + 1;

        memmove(programs->words.at[i], path, strlen(path) + 1);
    }
}

void nsc_nsys_find(struct nsc_argv *out, const char *given)
{
    const char *named = given ? given : getenv("NSYSCOPE_NSYS");
    struct nsc_buf first = NSC_BUF_INIT(SIZE_MAX);

    if (named) {
        if (named[0])
            nsc_argv_add(out, named);
        return;
    }
    if (nsc_subprocess_finds(&first, "nsys"))
        add_program(out, first.bytes);
    nsc_buf_fini(&first);
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
        add_root(out, getenv(variables[i]));
    for (size_t i = 0; i < sizeof roots / sizeof *roots; i++)
        add_root(out, roots[i]);
    sort_programs(out);
}
