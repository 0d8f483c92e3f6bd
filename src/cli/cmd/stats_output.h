/* The output of a stats report: standard output, or a separate file. */
#ifndef NSC_CLI_STATS_OUTPUT_H
#define NSC_CLI_STATS_OUTPUT_H

#include "cli/options.h"
#include "core/outfile.h"
#include "share/stats_write.h"

struct nsc_stats_output {
    char *path; /* NULL: standard output */
    struct nsc_outfile
        file; /* opened at the first text, so that a report without rows creates no file */
    bool is_open;
    bool force;             /* overwrite existing files */
    bool gone;              /* the reader of standard output closed the pipe */
    struct nsc_error error; /* the first failure */
};

/* The export of a report. */
struct nsc_stats_source {
    const char *file;
    uint32_t number; /* number among several; NSC_NONE: the only one */
};

/* Checks --output. NSC_EINVAL for a pipe into a command, and if "." would give two exports the same
 * file. */
NSC_NODISCARD enum nsc_status nsc_stats_output_check(const struct nsc_options *options,
                                                     struct nsc_error *error);
/*
 * --output BASE: the file BASE_NAME.SUFFIX, where NAME is the report as given, with "_" for ":";
 * for several exports BASE_NUMBER_EXPORT_NAME.SUFFIX. "-" or nothing: standard output. ".": the
 * export's path without its suffix.
 */
void nsc_stats_output_init(struct nsc_stats_output *output, const struct nsc_options *options,
                           struct nsc_stats_source source, const char *name, const char *suffix);
/* Writes and empties the text. False if the reader has closed the pipe. */
bool nsc_stats_output_take(void *output, struct nsc_buf *text);
/* Ends the report: adds an empty line after a table on standard output, renames a file. NSC_EWRITE;
 * NSC_EINVAL: the file exists. */
NSC_NODISCARD enum nsc_status nsc_stats_output_end(struct nsc_stats_output *output,
                                                   struct nsc_error *error);
void nsc_stats_output_fini(struct nsc_stats_output *output);

#endif
