/*
 * Turns what a person names into exports: reports by nsys, folders by their content.
 */
#include "cli/commands.h"
#include "cli/options.h"
#include "open/report.h"

#include <sys/stat.h>

enum { PATHS, NAMES };

bool nsc_options_is_input(const struct nsc_options *options, unsigned i)
{
    switch (options->command) {
    case NSC_COMMAND_MERGE: /* reads folders itself */
        return false;
    case NSC_COMMAND_OPEN: /* a folder alone is listed */
        return options->n_operands > 1;
    case NSC_COMMAND_SKILL:
    case NSC_COMMAND_BASELINE:
        return i >= 2;
    case NSC_COMMAND_NCU_IMPORT:
        return i == 1;
    case NSC_COMMAND_BOOKMARKS: /* an action follows the files */
    case NSC_COMMAND_ASK:
        return i == 0;
    case NSC_COMMAND_SQL:
        return i + 1 < options->n_operands;
    case NSC_COMMAND_SEARCH:
        return i == 0 || i + 1 < options->n_operands || options->set[NSC_OPTION_QUERY];
    default:
        return true;
    }
}

static bool add_name(void *context, struct nsc_recorded recorded)
{
    nsc_argv_add(context, recorded.file);
    nsc_recorded_fini(&recorded);
    return true;
}

static enum nsc_status add_folder(struct nsc_argv *names, const char *folder,
                                  struct nsc_error *error)
{
    size_t n = names->words.n;

    nsc_recordings_walk(folder, false, add_name, names);
    return names->words.n > n
               ? NSC_OK
               : nsc_fail(error, NSC_ENODATA, "%s: no export and no report in this folder", folder);
}

/* Replaces folders. Counts the reports. */
static enum nsc_status list_names(struct nsc_options *options, struct nsc_reports *reports,
                                  struct nsc_error *error)
{
    struct nsc_argv *names = &options->found[NAMES];
    enum nsc_status status = NSC_OK;

    for (unsigned i = 0; i < options->n_operands && status == NSC_OK; i++) {
        const char *operand = options->operands[i];
        struct stat info;

        if (nsc_options_is_input(options, i) && stat(operand, &info) == 0 && S_ISDIR(info.st_mode))
            status = add_folder(names, operand, error);
        else
            nsc_argv_add(names, operand);
    }
    for (size_t i = 0; i < names->words.n; i++)
        reports->n += nsc_report_is(names->words.at[i]);
    if (status == NSC_OK && names->words.n > nsc_commands[options->command].operands)
        status = nsc_fail(
            error, NSC_EINVAL, "%s: %zu exports and reports, and nsyscope %s takes %s, at most %u",
            options->file, names->words.n, nsc_commands[options->command].name,
            nsc_commands[options->command].arguments, nsc_commands[options->command].operands);
    return status;
}

static enum nsc_status add_path(struct nsc_argv *paths, const char *name,
                                struct nsc_reports *reports, struct nsc_error *error)
{
    char *path = NULL;
    struct stat info;
    enum nsc_status status = NSC_OK;

    if (nsc_report_is(name) && stat(name, &info) == 0 && S_ISREG(info.st_mode) && info.st_size)
        status = nsc_report_export(&path, name, reports, error);
    nsc_argv_add(paths, path ? path : name);
    free(path);
    return status;
}

enum nsc_status nsc_options_resolve(struct nsc_options *options, struct nsc_error *error)
{
    struct nsc_reports reports = {.nsys = options->arg[NSC_OPTION_NSYS][0], .began = time(NULL)};
    struct nsc_argv *names = &options->found[NAMES];
    struct nsc_argv *paths = &options->found[PATHS];
    enum nsc_status status = NSC_OK;

    if (!options->n_operands || !nsc_option_applies(NSC_OPTION_NSYS, options->command) ||
        nsc_names_job(options))
        return NSC_OK;
    status = list_names(options, &reports, error);
    for (size_t i = 0; i < names->words.n && status == NSC_OK; i++)
        status = add_path(paths, names->words.at[i], &reports, error);
    if (status != NSC_OK)
        return status;
    free(options->operands);
    options->n_operands = (unsigned)paths->words.n;
    options->operands = nsc_xcalloc(2 * paths->words.n + 2, sizeof *options->operands);
    options->named = options->operands + (reports.n ? paths->words.n + 1 : 0);
    for (size_t i = 0; i < paths->words.n; i++) {
        options->named[i] = names->words.at[i];
        options->operands[i] = paths->words.at[i];
    }
    options->file = options->operands[0];
    return NSC_OK;
}
