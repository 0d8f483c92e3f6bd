/*
 * The subcommands: each a function from the parsed command line to an exit status, and the statuses
 * themselves.
 */
#ifndef NSC_CLI_COMMANDS_H
#define NSC_CLI_COMMANDS_H

#include "cli/options.h"
#include "core/buf.h"

/* What the process tells its caller; see docs/man. 128 + N: ended by signal N. */
enum nsc_exit {
    NSC_EXIT_DONE = 0,
    NSC_EXIT_GATE = 1,    /* a gate failed */
    NSC_EXIT_USAGE = 2,   /* the command line, or the terminal */
    NSC_EXIT_OPEN = 3,    /* cannot open, or no export */
    NSC_EXIT_DAMAGED = 4, /* damaged beyond use */
    NSC_EXIT_MEMORY = 5,  /* over the memory budget */
    NSC_EXIT_WRITE = 6,   /* could not write */
    NSC_EXIT_NODATA = 7   /* not enough data for the question */
};

int nsc_exit_of(enum nsc_status status);

#define NSC_COMMAND(id, letter, operands, name, arguments, help, function) \
    int function(const struct nsc_options *options);
#include "cli/command.def"
#undef NSC_COMMAND

/* Whether the environment names a locale that is not UTF-8. Where it names none, output is
 * UTF-8. */
bool nsc_output_is_ascii(void);
/* "nsyscope: text" on stderr, made safe; returns the exit status. */
int nsc_complain(const struct nsc_error *error);
/* Writes all of it to stdout; NSC_EXIT_DONE, also when the reader has gone (a closed pipe), else
 * NSC_EXIT_WRITE. */
int nsc_print(const struct nsc_buf *text);

/* The exports that the operands name, opened and loaded as one trace; on failure *trace and *job
 * are NULL. */
NSC_NODISCARD enum nsc_status nsc_table_load(struct nsc_trace **trace, struct nsc_job **job,
                                             const struct nsc_options *options,
                                             struct nsc_error *error);
/* The same of other files. */
NSC_NODISCARD enum nsc_status nsc_open_and_load(struct nsc_trace **trace, struct nsc_job **job,
                                                struct nsc_files files,
                                                const struct nsc_options *options,
                                                struct nsc_error *error);
/* Opens them without loading. */
NSC_NODISCARD enum nsc_status nsc_open_files(struct nsc_job **job, struct nsc_files files,
                                             const struct nsc_options *options,
                                             struct nsc_error *error);
/* Of several exports that are asked one after the other: what cannot be opened is said before
 * anything is done. */
NSC_NODISCARD enum nsc_status
nsc_check_files(struct nsc_files files, const struct nsc_options *options, struct nsc_error *error);

/* Appends the general help, or that of one command. */
void nsc_help(struct nsc_buf *out);
void nsc_help_command(struct nsc_buf *out, enum nsc_command command);

#endif
