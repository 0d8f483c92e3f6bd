/*
 * The subcommands, each a function from the parsed command line to an exit status, and the exit
 * statuses.
 */
#ifndef NSC_CLI_COMMANDS_H
#define NSC_CLI_COMMANDS_H

#include "nsyscope/open.h"

#include "cli/options.h"
#include "core/buf.h"

/* The exit statuses; see docs/man. 128 + N: ended by signal N. */
enum nsc_exit {
    NSC_EXIT_DONE = 0,
    NSC_EXIT_GATE = 1,    /* a gate failed */
    NSC_EXIT_USAGE = 2,   /* wrong command line, or no usable terminal */
    NSC_EXIT_OPEN = 3,    /* cannot open, or not an export */
    NSC_EXIT_DAMAGED = 4, /* damaged beyond use */
    NSC_EXIT_MEMORY = 5,  /* over the memory budget */
    NSC_EXIT_WRITE = 6,   /* could not write */
    NSC_EXIT_NODATA = 7   /* not enough data for the question */
};

/* main prints the error and derives the exit status from it. */
#define NSC_COMMAND(id, operands, name, arguments, help, function) \
    enum nsc_status function(const struct nsc_options *options, struct nsc_error *error);

#include "cli/command.def"

/* Checks what all subcommands have in common and calls the one of the options. */
enum nsc_status nsc_command_run(struct nsc_options *options, struct nsc_error *error);

/* Lets the session answer a command line with --session. False, and nothing printed: it does not. */
bool nsc_session_answers(int *status, const struct nsc_options *options, char *const words[]);

/* Whether the environment names a locale that is not UTF-8. Without a locale, output is UTF-8. */
bool nsc_output_is_ascii(void);
/* Prints "nsyscope: text" on stderr, cleaned. Returns the exit status. */
int nsc_complain(const struct nsc_error *error);
/* Writes the text to stdout and frees it. NSC_OK, also if the reader closed the pipe; else NSC_EWRITE. */
enum nsc_status nsc_print(struct nsc_buf *text, struct nsc_error *error);
/* A part of the output; *gone: the reader closed the pipe, and nothing is written any more. */
enum nsc_status nsc_print_part(const struct nsc_buf *text, bool *gone, struct nsc_error *error);
/* Writes the text to the file of --output, else to stdout, and frees it. Text for people ends within
 * --max-bytes. */
enum nsc_status nsc_put(const struct nsc_options *options, struct nsc_buf *text,
                        struct nsc_error *error);

/* Opens exports and loads them as one trace, or takes both from a warm one. On failure *trace and *job
 * are NULL. */
NSC_NODISCARD enum nsc_status nsc_open_and_load(struct nsc_trace **trace, struct nsc_job **job,
                                                struct nsc_files files,
                                                const struct nsc_options *options,
                                                struct nsc_error *error);
/* Whether the options load all of the files, on the usual axis. */
bool nsc_options_load_all(const struct nsc_options *options);
/* How all operands are loaded as a job. */
struct nsc_job_options nsc_options_job(const struct nsc_options *options);
/* Opens the files without loading them. */
NSC_NODISCARD enum nsc_status nsc_open_files(struct nsc_job **job, struct nsc_files files,
                                             const struct nsc_options *options,
                                             struct nsc_error *error);
/* NSC_ENODATA: --trim leaves no event of those that are there; says what time they cover. */
NSC_NODISCARD enum nsc_status nsc_check_trim(const struct nsc_open_options *open,
                                             const struct nsc_trace *trace, struct nsc_job *job,
                                             struct nsc_error *error);
#define NSC_LACK_TEXT 160 /* bytes */
/* Whether a GPU of --gpu or a process of --pid has no rows; likely a mistyped number. text names the first. */
bool nsc_options_lack_work(char text[NSC_LACK_TEXT], const struct nsc_trace *trace,
                           const struct nsc_open_options *open);
/* Checks that each of several exports can be opened, before the first of them is queried. */
NSC_NODISCARD enum nsc_status
nsc_check_files(struct nsc_files files, const struct nsc_options *options, struct nsc_error *error);

/* Whether the first operand of open or render is a sketch, or a folder with one. */
bool nsc_names_job(const struct nsc_options *options);

/* Whether open has no recording to open, but a folder of them. */
bool nsc_opens_folder(const struct nsc_options *options);
/*
 * If the command would open a folder on a terminal, lets the user pick recordings there in a process of
 * its own, which has given its rights up. They become the operands; without one options->picks stays set.
 */
NSC_NODISCARD enum nsc_status nsc_pick(struct nsc_options *options, struct nsc_error *error);
/* Prints the exports and reports of the folder that the first operand names, or of the current one. */
enum nsc_status nsc_recordings_print(const struct nsc_options *options, struct nsc_error *error);

/* Append the general help, and the help of one command. */
void nsc_help(struct nsc_buf *out);
void nsc_help_command(struct nsc_buf *out, const struct nsc_options *options);

/* Prints the tree as Markdown (tree --headings). */
enum nsc_status nsc_tree_headings(const struct nsc_options *options, struct nsc_error *error);

/* Appends the tables of an export that the hotspot report reads, with their roles; then for each
 * table its rows, first and last time, and columns with types. */
NSC_NODISCARD enum nsc_status nsc_hotspots_schema(struct nsc_buf *out, const char *path,
                                                  const struct nsc_open_options *options,
                                                  struct nsc_error *error);

#endif
