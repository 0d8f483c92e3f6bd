/*
 * The parsed command line: one value, of which each subcommand reads its part.
 *
 * Strings point into argv; lists are owned (fini). Errors are NSC_EINVAL with one line.
 */
#ifndef NSC_CLI_OPTIONS_H
#define NSC_CLI_OPTIONS_H

#include "core/argv.h"
#include "nsys/generate/generate.h"
#include "serve/envelope.h"
#include "serve/warm.h"
#include "share/sheet_write.h"

enum nsc_command {
#define NSC_COMMAND(id, operands, name, arguments, help, function) NSC_COMMAND_##id,
#include "cli/command.def"
    NSC_N_COMMANDS
};

enum nsc_option {
#define NSC_OPTION(id, name, n, arguments, commands, help) NSC_OPTION_##id,
#include "cli/option.def"
#undef NSC_OPTION
    NSC_N_OPTIONS
};

struct nsc_command_row {
    const char *name, *arguments, *help;
    unsigned operands; /* most operands */
};
struct nsc_option_row {
    const char *name, *arguments, *help;
    uint64_t commands; /* a bit for each */
    int n;
};
extern const struct nsc_command_row nsc_commands[NSC_N_COMMANDS];
extern const struct nsc_option_row nsc_option_rows[NSC_N_OPTIONS];
/* Whether the option belongs to the command. */
bool nsc_option_applies(enum nsc_option option, enum nsc_command command);

/* Exports that are loaded as one trace. */
struct nsc_files {
    const char *const *at;
    unsigned n;
};

struct nsc_options {
    enum nsc_command command;
    bool has_command;                      /* the user named the command */
    const struct nsc_command_alias *alias; /* other name that the user typed; NULL: its own */
    struct nsc_argv words;                 /* with an alias: the equivalent command line; owned */
    bool set[NSC_N_OPTIONS];
    const char *arg[NSC_N_OPTIONS][2]; /* as given */
    const char **operands;             /* owned */
    unsigned n_operands;
    const char *
        *named; /* the operands as the user knows them: reports as reports; within operands */
    struct nsc_buf config;    /* config.ini of the user, or empty; owned */
    struct nsc_argv found[3]; /* words of both, and of the picker, that are not of argv; owned */
    int picks;                /* the descriptor that the picker writes them to; 0: none */
    const char *file;         /* the first operand; NULL: none */
    char *const *rest;        /* words after "--", for commands that run a program; NULL: none */
    int n_rest;
    struct nsc_open_options open;
    enum nsc_align align;    /* --align */
    const char *align_range; /* for NSC_ALIGN_NVTX */
    struct nsc_generate_options generate;
    uint32_t rows, cols; /* --size */
    bool has_window;
    struct nsc_window window; /* --window */
    const char **commands;    /* every --command; owned */
    uint32_t n_commands;
    const char **params; /* every --param; owned */
    uint32_t n_params;
    enum nsc_sheet_format format; /* --format of sheets, with --raw-csv, --json and --csv */
    uint32_t limit;               /* --limit */
    uint64_t max_bytes;           /* --max-bytes; 0: all */
    uint32_t top, launch_count, kernel_limit;
    int64_t rank;
    uint8_t word[NSC_N_OPTIONS];   /* of options with a fixed set of words: the place of the word */
    uint32_t columns;              /* --columns */
    uint32_t lane;                 /* --lane */
    int64_t device, stream;        /* --device, --stream */
    struct nsc_warms *warm;        /* of a server, else NULL */
    int listening;                 /* of serve: its socket */
    struct nsc_envelope *envelope; /* what the JSON of the command says; owned */
    int *exit_status; /* what the program ends with after NSC_OK; a command may set it */
};

/* How many rows a question shall list: all if they are put into another order and cut then. */
static inline uint32_t nsc_rows_wanted(const struct nsc_options *options)
{
    return options->set[NSC_OPTION_SORT] ? 0 : options->limit;
}

/* The word given with an option, else another one. */
static inline const char *nsc_option_word(const struct nsc_options *options, enum nsc_option option,
                                          const char *otherwise)
{
    return options->set[option] ? options->arg[option][0] : otherwise;
}

/* All operands as exports. */
static inline struct nsc_files nsc_options_files(const struct nsc_options *options)
{
    return (struct nsc_files){options->operands, options->n_operands};
}

NSC_NODISCARD enum nsc_status nsc_options_parse(struct nsc_options *options, int argc,
                                                char *const *argv, struct nsc_error *error);
void nsc_options_fini(struct nsc_options *options);

/*
 * Puts exports in the place of each operand that names a report or a folder: a folder stands for the
 * exports and reports in it. May start nsys, so it comes before rights are given up. See open/report.h for
 * the errors; NSC_ENODATA: an empty folder; NSC_EINVAL: more exports than the command takes.
 */
NSC_NODISCARD enum nsc_status nsc_options_resolve(struct nsc_options *options,
                                                  struct nsc_error *error);

/* Whether the operand stands where the command takes a file to read. */
bool nsc_options_is_input(const struct nsc_options *options, unsigned i);

/* Reads a finite number, which the unit may follow. */
bool nsc_parse_number(double *out, const char *text, const char *unit);
/* Sets *out to the option's bytes ("64M"); leaves it unchanged if the option is not set.
 * NSC_EINVAL. */
NSC_NODISCARD enum nsc_status nsc_option_bytes(uint64_t *out, const struct nsc_options *options,
                                               enum nsc_option option, struct nsc_error *error);

/* Another spelling of a subcommand: "tui" for "open --command tree". */
struct nsc_command_alias {
    const char *name;  /* words separated by single spaces: "agent ask" */
    const char *words; /* replacement */
    const char *arguments, *help;
};
extern const struct nsc_command_alias nsc_command_aliases[];
extern const unsigned nsc_n_command_aliases;

/* Moves a subcommand that follows options to the front. Returns the index of the first word that is
 * not an option. */
int nsc_options_lead(int argc, char **argv);

/* The alias at the beginning of a command line; NULL: none. *n: number of words in its name. */
const struct nsc_command_alias *nsc_command_alias_find(int argc, char *const *argv, int *n);
/* Appends the command line, with the n words of the alias's name replaced by its words. */
void nsc_command_alias_expand(struct nsc_argv *out, const struct nsc_command_alias *alias, int argc,
                              char *const *argv, int n);

#endif
