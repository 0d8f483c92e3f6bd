/*
 * Measures whole processes: opening, compared with reading every byte and with SQLite; and answers,
 * compared with opening.
 */
#include "bench_costs.h"

#include "nsyscope/open.h"

#include "core/buf.h"
#include "nsys/tables/capture_data.h"
#include "support/programs.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

/* ---- opening ---- */

/* Drops the kernel's cache; only root may. */
static void drop_caches(void)
{
    int fd = open("/proc/sys/vm/drop_caches", O_WRONLY);

    sync();
    if (fd < 0 || write(fd, "3", 1) != 1)
        programs_fail("/proc/sys/vm/drop_caches");
    close(fd);
}

/* The reference for opening: sums every column that opening reads, of every table with rows, one
 * statement per table. The former reference computed max() of each column, which calls a function
 * per value and takes two to three times as long. */
static void put_scans(struct nsc_buf *sums, struct nsc_buf *out, const char *path)
{
    struct nsc_error error = {NSC_OK, ""};
    struct nsc_capture *capture = NULL;

    if (nsc_capture_open(&capture, path, &(struct nsc_open_options){0}, &error) != NSC_OK)
        programs_fail(path);
    for (int id = 0; id < NSC_N_TABLES; id++) {
        const struct nsc_schema_table *table = &capture->schema.tables[id];

        if (!table->usable || nsc_table_defs[id].family == NSC_FAMILY_META)
            continue;
        nsc_buf_puts(out, "SELECT max(rowid)");
        nsc_buf_puts(sums, "SELECT total(0");
        for (uint32_t c = 0; c < table->n_columns; c++) {
            nsc_buf_printf(out, ",max(\"%s\")", table->columns[c].name);
            nsc_buf_printf(sums, "+\"%s\"", table->columns[c].name);
        }
        nsc_buf_printf(out, " FROM \"%s\";", table->name);
        nsc_buf_printf(sums, ") FROM \"%s\";", table->name);
    }
    nsc_capture_close(capture);
}

/* The best of some runs, all from a cold cache or all from a warm one: a shared disk may take twice
 * as long from one run to the next. */
static struct cost run_best(char *const argv[], bool cold)
{
    struct cost best = {0};

    for (int i = 0; i < BENCH_ROUNDS; i++) {
        struct cost cost;

        if (cold)
            drop_caches();
        cost = programs_run(argv);
        if (i == 0 || cost.wall < best.wall)
            best = cost;
    }
    return best;
}

double bench_measure_open(struct figures *figures, char *program, char *path, bool cold)
{
    static char cat_name[] = "cat";
    static char shell_name[] = "sqlite3";
    static char info_word[] = "info";
    char *cat[] = {cat_name, path, NULL};
    char *shell[] = {shell_name, path, NULL, NULL};
    char *sums[] = {shell_name, path, NULL, NULL};
    char *info[] = {program, info_word, path, NULL};
    struct nsc_buf sql = NSC_BUF_INIT(1u << 16);
    struct nsc_buf sum = NSC_BUF_INIT(1u << 16);
    struct cost bytes;
    struct cost scan;
    struct cost old;
    struct cost open;

    put_scans(&sum, &sql, path);
    shell[2] = sql.bytes;
    sums[2] = sum.bytes;
    if (!cold)
        (void)programs_run(cat); /* now it is warm */
    bytes = run_best(cat, cold);
    scan = run_best(sums, cold);
    old = run_best(shell, cold);
    open = run_best(info, cold);
    nsc_buf_fini(&sql);
    nsc_buf_fini(&sum);
    figures_put(figures, cold ? "cat, cold, s" : "cat, s", 0, bytes.wall);
    figures_put(figures, cold ? "sqlite3 scan, cold, s" : "sqlite3 scan, s", 0, scan.wall);
    figures_put(figures, cold ? "info, cold, s" : "info, s", 0, open.wall);
    figures_put(figures, cold ? "info of the scan, cold" : "info of the scan", 0.30,
                open.wall / scan.wall);
    figures_put(figures, cold ? "info of the old scan, cold" : "info of the old scan, max()", 0,
                open.wall / old.wall);
    if (cold)
        return open.wall;
    figures_put(figures, "info of 2 cat + 1.5 s", 1, open.wall / (2 * bytes.wall + 1.5));
    figures_put(figures, "info, s CPU", 0, open.cpu);
    figures_put(figures, "info, CPU of the scan's", 0, open.cpu / scan.cpu);
    return open.wall;
}

/* ---- answers ---- */

static const struct answer {
    const char *name, *wall, *cpu, *peak;
    const char *words[4]; /* before the file */
    double goal_wall, goal_peak;
} answers[] = {
    {"analyze",
     "analyze of info",
     "analyze of info, CPU",
     "analyze, peak bytes an event",
     {"analyze"},
     2,
     0},
    {"report",
     "report of info",
     "report of info, CPU",
     "report, peak bytes an event",
     {"report", "--json"},
     2.5,
     40},
    {"projection",
     "nvtx_gpu_proj_sum of info",
     "nvtx_gpu_proj_sum of info, CPU",
     "nvtx_gpu_proj_sum, peak bytes an event",
     {"stats", "-r", "nvtx_gpu_proj_sum"},
     3,
     40},
    {"idle",
     "skill idle of info",
     "skill idle of info, CPU",
     "skill idle, peak bytes an event",
     {"skill", "run", "idle"},
     1.3,
     0},
};

/* A subcommand as a whole process, against opening, just before it. of: wall s of opening, events. */
static void measure_answer(struct figures *figures, const struct answer *answer, char *program,
                           char *path, const double of[2])
{
    char words[4][32];
    char info_word[] = "info";
    char *info[] = {program, info_word, path, NULL};
    char *argv[7] = {program};
    size_t n = 1;

    for (size_t i = 0; i < 4 && answer->words[i]; i++) {
        snprintf(words[i], sizeof words[i], "%s", answer->words[i]);
        argv[n++] = words[i];
    }
    argv[n] = path;
    for (int round = 0; round < BENCH_ROUNDS; round++) {
        struct cost open = programs_run(info);
        struct cost cost = programs_run(argv);
        double least = open.wall < of[0] ? open.wall : of[0];

        figures_least(figures, answer->wall, answer->goal_wall, cost.wall / least);
        figures_least(figures, answer->cpu, 0, cost.cpu / open.cpu);
        figures_least(figures, answer->peak, answer->goal_peak, cost.rss / of[1]);
    }
}

void bench_measure_answers(struct figures *figures, char *program, char *path, const double of[2])
{
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++)
        measure_answer(figures, &answers[i], program, path, of);
}
