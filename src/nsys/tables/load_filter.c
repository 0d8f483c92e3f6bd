/* Parses --tables, copies the other limits of a load, and decides which rows are wanted. */
#include "nsys/tables/load_filter.h"

#include "nsyscope/kind.h"

#include "core/die.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool same_word(const char *word, size_t n, const char *name)
{
    return strlen(name) == n && strncasecmp(word, name, n) == 0;
}

/* Whether a word names the table: its own name, the word of any kind of its rows, or "counter" or
 * "metric" for counters. */
static bool table_is_called(int id, const char *word, size_t n)
{
    const struct nsc_table_def *def = &nsc_table_defs[id];
    int kind;

    if (same_word(word, n, def->name))
        return true;
    if (def->family == NSC_FAMILY_COUNTERS &&
        (same_word(word, n, "counter") || same_word(word, n, "metric")))
        return true;
    for (kind = 1; kind < NSC_N_KINDS; kind++)
        if (same_word(word, n, nsc_kind_word((enum nsc_kind)kind)) &&
            strcmp(nsc_kind_table((enum nsc_kind)kind), def->name) == 0)
            return true;
    return false;
}

static enum nsc_status include_word(struct nsc_load_filter *filter, const char *word, size_t n,
                                    struct nsc_error *error)
{
    bool found = false;
    int id;

    for (id = 0; id < NSC_N_TABLES; id++) {
        if (nsc_table_defs[id].family == NSC_FAMILY_META || !table_is_called(id, word, n))
            continue;
        filter->excluded[id] = false;
        found = true;
    }
    if (found)
        return NSC_OK;
    return nsc_fail(error, NSC_EINVAL,
                    "no table or family is called '%.*s'; try kernel, copy, memset, graph, api, "
                    "sync, nvtx, os, mpi, "
                    "openmp, openacc, sched, sample, counter or a table's name",
                    (int)(n < 64 ? n : 64), word);
}

static enum nsc_status include_tables(struct nsc_load_filter *filter, const char *list,
                                      struct nsc_error *error)
{
    enum nsc_status status = NSC_OK;
    int id;

    for (id = 0; id < NSC_N_TABLES; id++)
        filter->excluded[id] = nsc_table_defs[id].family != NSC_FAMILY_META;
    while (status == NSC_OK && *list) {
        size_t n = strcspn(list, ",");

        if (n)
            status = include_word(filter, list, n, error);
        list += n + (list[n] == ',');
    }
    return status;
}

enum nsc_status nsc_load_filter_init(struct nsc_load_filter *filter,
                                     const struct nsc_open_options *options,
                                     struct nsc_error *error)
{
    memset(filter, 0, sizeof *filter);
    filter->has_trim = options->has_trim;
    filter->trim = options->trim;
    if (options->has_trim && options->trim.t0 >= options->trim.t1)
        return nsc_fail(error, NSC_EINVAL, "the window to keep ends before it begins");
    if (options->gpus && options->n_gpus) {
        filter->n_gpus = options->n_gpus;
        filter->gpus = nsc_xmalloc(options->n_gpus * sizeof *filter->gpus);
        memcpy(filter->gpus, options->gpus, options->n_gpus * sizeof *filter->gpus);
    }
    if (options->pids && options->n_pids) {
        filter->n_pids = options->n_pids;
        filter->pids = nsc_xmalloc(options->n_pids * sizeof *filter->pids);
        memcpy(filter->pids, options->pids, options->n_pids * sizeof *filter->pids);
    }
    return options->tables ? include_tables(filter, options->tables, error) : NSC_OK;
}

void nsc_load_filter_fini(struct nsc_load_filter *filter)
{
    free(filter->gpus);
    free(filter->pids);
    memset(filter, 0, sizeof *filter);
}

bool nsc_load_filter_has_gpu(const struct nsc_load_filter *filter, int64_t device)
{
    for (uint32_t i = 0; i < filter->n_gpus; i++)
        if (filter->gpus[i] == device)
            return true;
    return false;
}

bool nsc_load_filter_has_process(const struct nsc_load_filter *filter, uint64_t process)
{
    for (uint32_t i = 0; i < filter->n_pids; i++)
        if (filter->pids[i] == (process & 0xffffff))
            return true;
    return false;
}
