/*
 * Where a report goes: standard output, or a file of its own beside the others.
 */
#ifndef NSC_CLI_STATS_OUTPUT_H
#define NSC_CLI_STATS_OUTPUT_H

#include "cli/options.h"
#include "core/outfile.h"
#include "share/stats_write.h"

struct nsc_stats_output {
    char *path;              /* NULL: standard output */
    struct nsc_outfile file; /* opened for the first text: a report without rows makes none */
    bool is_open;
    bool force;             /* overwrite what is there */
    bool gone;              /* the reader of standard output has seen enough */
    struct nsc_error error; /* the first failure */
};

/* The export that a report is of. */
struct nsc_stats_source {
    const char *file;
    uint32_t number; /* among several; NSC_NONE: there is one only */
};

/* Whether --output can be obeyed: NSC_EINVAL for a command, and where "." would name the same files
 * for two exports. */
NSC_NODISCARD enum nsc_status nsc_stats_output_check(const struct nsc_options *options,
                                                     struct nsc_error *error);
/* --output BASE: the file BASE_NAME.SUFFIX, where name is the report as given, ":" as "_"; of
 * several exports BASE_NUMBER_EXPORT_NAME.SUFFIX. "-" and nothing: standard output. "." is the
 * export's own name without its suffix. */
void nsc_stats_output_init(struct nsc_stats_output *output, const struct nsc_options *options,
                           struct nsc_stats_source source, const char *name, const char *suffix);
/* Writes and empties the text; false when no more is wanted. */
bool nsc_stats_output_take(void *output, struct nsc_buf *text);
/* The last byte: behind a table on standard output stands an empty line. A file is put in its
 * place. NSC_EIO; NSC_EINVAL: it exists. */
NSC_NODISCARD enum nsc_status nsc_stats_output_end(struct nsc_stats_output *output,
                                                   struct nsc_error *error);
void nsc_stats_output_fini(struct nsc_stats_output *output);

#endif
