/*
 * Every report and rule of the reference results equals the program's output to the byte, except
 * for the differences listed in docs/analyses/stats.md. An unlisted difference fails, and so does a
 * listed one between equal files.
 */
#include "core/paths.h"
#include "core/vec.h"
#include "support/cm.h"
#include "support/reference.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct allowed {
    char line[512]; /* "| EXPORT | REPORT | why |" */
    bool met;
};

static char golden[2048], exports[2048];
static NSC_VEC(struct allowed) allowed;
static unsigned n_equal, n_different, n_bad, n_left_out;

/* ---- the list ---- */

static void read_list(void)
{
    FILE *file = fopen(NSC_TEST_SOURCE_DIR "/docs/analyses/stats.md", "r");
    bool inside = false;
    struct allowed entry = {"", false};

    assert_non_null(file);
    while (fgets(entry.line, sizeof entry.line, file)) {
        if (strncmp(entry.line, "| export | report |", 19) == 0)
            inside = true;
        else if (inside && entry.line[0] != '|')
            inside = false;
        else if (inside && strncmp(entry.line, "| ---", 5) != 0)
            *NSC_VEC_ADD(&allowed) = entry;
    }
    fclose(file);
    assert_true(allowed.n > 0);
}

static bool is_allowed(const char *export_name, const char *report)
{
    char start[512];

    snprintf(start, sizeof start, "| %s | %s |", export_name, report);
    for (size_t i = 0; i < allowed.n; i++)
        if (strncmp(allowed.at[i].line, start, strlen(start)) == 0) {
            allowed.at[i].met = true;
            return true;
        }
    return false;
}

/* ---- one report ---- */

/* "cuda_gpu_kern_sum_base" is a report with an argument, "analyze_..." a rule. */
static void make_command(char out[8192], const char *export_name, const char *report)
{
    bool is_rule = strncmp(report, "analyze_", 8) == 0;
    char name[256];

    snprintf(name, sizeof name, "%s", is_rule ? report + 8 : report);
    if (strcmp(name, "gpu_gaps_gap_1") == 0)
        strcpy(name, "gpu_gaps:gap=1");
    if (strcmp(name, "cuda_gpu_kern_sum_base") == 0)
        strcpy(name, "cuda_gpu_kern_sum:base");
    snprintf(out, 8192, "'%s' %s -r %s -f csv %s '%s/%s.sqlite'", NSC_PROGRAM,
             is_rule ? "analyze" : "stats", name, is_rule ? "" : "--nvtx-compat 2023", exports,
             export_name);
}

static void read_output(struct nsc_buf *out, const char *command)
{
    FILE *pipe = popen(command, "r");
    char bytes[65536];
    size_t n;

    assert_non_null(pipe);
    while ((n = fread(bytes, 1, sizeof bytes, pipe)) > 0)
        nsc_buf_add(out, bytes, n);
    assert_int_equal(pclose(pipe), 0);
}

static void show_first(const struct nsc_buf *ours, const struct nsc_buf *theirs)
{
    size_t i = 0, line = 0;

    while (i < ours->n && i < theirs->n && ours->bytes[i] == theirs->bytes[i])
        if (ours->bytes[i++] == '\n')
            line = i;
    printf("    ours:   %.120s\n    theirs: %.120s\n", line < ours->n ? ours->bytes + line : "",
           line < theirs->n ? theirs->bytes + line : "");
}

static void check_report(const char *export_name, const char *report)
{
    struct nsc_buf ours = NSC_BUF_INIT(1u << 28), theirs = NSC_BUF_INIT(1u << 28);
    char command[8192], path[4096];
    bool equal;

    snprintf(path, sizeof path, "%s/%s/%s.csv", golden, export_name, report);
    assert_int_equal(nsc_file_read(&theirs, path, 1u << 28, NULL), NSC_OK);
    make_command(command, export_name, report);
    read_output(&ours, command);
    equal = ours.n == theirs.n && memcmp(ours.bytes, theirs.bytes, ours.n) == 0;
    n_equal += equal;
    n_different += !equal;
    if (!equal && !is_allowed(export_name, report)) {
        printf("%s %s differs\n", export_name, report);
        show_first(&ours, &theirs);
        n_bad++;
    }
    nsc_buf_fini(&ours);
    nsc_buf_fini(&theirs);
}

static void check_export(const char *name)
{
    char path[4096];
    struct dirent *entry;
    DIR *dir;

    snprintf(path, sizeof path, "%s/%s.sqlite", exports, name);
    if (nsc_test_leaves_out(path)) {
        n_left_out++;
        return;
    }
    snprintf(path, sizeof path, "%s/%s", golden, name);
    dir = opendir(path);
    assert_non_null(dir);
    while ((entry = readdir(dir))) {
        const char *dot = strrchr(entry->d_name, '.');
        char report[256];

        if (!dot || strcmp(dot, ".csv") != 0)
            continue;
        snprintf(report, sizeof report, "%.*s", (int)(dot - entry->d_name), entry->d_name);
        check_report(name, report);
    }
    closedir(dir);
}

TEST(test_all)
{
    DIR *dir = opendir(golden);
    struct dirent *entry;

    assert_non_null(dir);
    read_list();
    while ((entry = readdir(dir)))
        if (entry->d_name[0] != '.')
            check_export(entry->d_name);
    closedir(dir);
    printf("%u equal, %u different\n", n_equal, n_different);
    for (size_t i = 0; i < allowed.n && !n_left_out; i++)
        if (!allowed.at[i].met) {
            printf("listed, but equal: %s", allowed.at[i].line);
            n_bad++;
        }
    NSC_VEC_FINI(&allowed);
    assert_int_equal(n_bad, 0);
    assert_true(n_equal > 0);
}

TEST_MAIN
{
    const char *results = nsc_test_golden();
    const char *folder = nsc_test_exports();

    if (!results || !folder)
        return NSC_TEST_SKIPPED;
    snprintf(golden, sizeof golden, "%s/nsys-stats", results);
    snprintf(exports, sizeof exports, "%s", folder);
    return nsc_test_run(NULL, NULL);
}
