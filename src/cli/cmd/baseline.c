/* nsyscope baseline: keeps accepted recordings by name, for diff --baseline. */
#include "cli/baseline_file.h"
#include "cli/commands.h"
#include "cli/file_name.h"
#include "cli/scope_options.h"
#include "core/paths.h"
#include "core/text.h"
#include "core/units.h"
#include "nsys/jobs/job_load.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- list ---- */

struct baseline_row {
    const char *name;
    struct nsc_text facts[NSC_N_BASELINE_FACTS];
    uint64_t bytes;
};

static void add_listed(struct nsc_sheet *sheet, const struct nsc_options *options, char *name)
{
    struct nsc_baseline baseline = {0};
    struct nsc_error error = {0};
    struct baseline_row row = {.name = name};

    name[strlen(name) - strlen(NSC_BASELINE_END)] = '\0';
    if (nsc_baseline_open(&baseline, options, name, &error) != NSC_OK) {
        nsc_sheet_note(sheet, "%s", error.text);
        return;
    }
    memcpy(row.facts, baseline.facts, sizeof row.facts);
    row.bytes = baseline.tree.room;
    nsc_sheet_add_bound(sheet, &row, sizeof row);
    nsc_baseline_fini(&baseline);
}

static int is_baseline(const struct dirent *entry)
{
    return entry->d_name[0] != '.' && nsc_text_ends(nsc_text_from(entry->d_name), NSC_BASELINE_END);
}

static enum nsc_status run_list(const struct nsc_options *options, struct nsc_error *error)
{
    static const struct nsc_sheet_column columns[] = {
        NSC_COL_TEXT(baseline_row, name, "name", "Name"),
        NSC_COL_TEXT(baseline_row, facts[NSC_BASELINE_FILE], "file", "Of"),
        NSC_COL_TEXT(baseline_row, facts[NSC_BASELINE_WHEN], "when", "Accepted"),
        NSC_COL_TEXT(baseline_row, facts[NSC_BASELINE_WHO], "who", "By"),
        NSC_COL_TEXT(baseline_row, facts[NSC_BASELINE_WHY], "why", "Why"),
        NSC_COL_TEXT(baseline_row, facts[NSC_BASELINE_OPTIONS], "options", "Options"),
        NSC_COL_BYTES(baseline_row, bytes, "bytes", "Size"),
    };
    struct nsc_buf folder = NSC_BUF_INIT(SIZE_MAX);
    struct nsc_sheets sheets = {0};
    struct nsc_sheet *sheet;
    struct dirent **entries = NULL;
    int n = 0;

    if (nsc_baseline_path(&folder, options, NULL, error) != NSC_OK)
        return error->status;
    sheet = NSC_SHEETS_ADD(&sheets, "baselines", "Baselines, for diff --baseline", columns);
    n = scandir(folder.bytes, &entries, is_baseline, alphasort);
    if (n < 0)
        nsc_sheet_note(sheet, "%s: %s", folder.bytes, strerror(errno));
    for (int i = 0; i < n; i++) {
        add_listed(sheet, options, entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
    nsc_buf_fini(&folder);
    return nsc_sheets_print(&sheets, options, "nsyscope.baselines", error);
}

/* ---- add, remove ---- */

static enum nsc_status measure(struct nsc_baseline *baseline, char identity[NSC_IDENTITY_TEXT],
                               const struct nsc_options *options, struct nsc_error *error)
{
    const char *named = nsc_option_word(options, NSC_OPTION_ITERATIONS, "");
    struct nsc_loaded_scope loaded;
    enum nsc_status status =
        nsc_loaded_scope_open_file(&loaded, options->operands[2], options, error);

    if (status == NSC_OK)
        status = nsc_job_identity(identity, loaded.job, error);
    if (status == NSC_OK)
        status = nsc_recording_measure(&baseline->run, &loaded.scope, &loaded.fields.sets,
                                       nsc_text_from(named), error);
    nsc_loaded_scope_close(&loaded);
    return status;
}

static enum nsc_status save(const char *path, struct nsc_baseline *baseline, unsigned flags,
                            struct nsc_error *error)
{
    struct nsc_buf text = NSC_BUF_INIT(SIZE_MAX);
    enum nsc_status status = nsc_baseline_write(&text, baseline, NSC_BASELINE_BYTES, error);

    if (status == NSC_OK)
        status = nsc_file_folders(path, error);
    if (status == NSC_OK)
        status = nsc_file_write(path, flags, &text, error);
    nsc_buf_fini(&text);
    return status;
}

static enum nsc_status run_add(const struct nsc_options *options, const char *path,
                               struct nsc_error *error)
{
    unsigned flags = options->set[NSC_OPTION_FORCE] ? NSC_OUTFILE_REPLACE : 0;
    char identity[NSC_IDENTITY_TEXT];
    char when[40];
    const char *user = getenv("USER");
    char id[24];
    struct nsc_buf narrow = NSC_BUF_INIT(SIZE_MAX);
    struct nsc_baseline baseline = {0};
    enum nsc_status status;

    if (access(path, F_OK) == 0 && !flags)
        return nsc_outfile_exists(path, flags, error);
    nsc_units_now(when);
    (void)snprintf(id, sizeof id, "uid %u", (unsigned)getuid());
    nsc_baseline_options(&narrow, options);
    status = measure(&baseline, identity, options, error);
    if (status == NSC_OK) {
        baseline.facts[NSC_BASELINE_FILE] = nsc_text_from(nsc_file_leaf(options->named[2]));
        baseline.facts[NSC_BASELINE_IDENTITY] = nsc_text_from(identity);
        baseline.facts[NSC_BASELINE_WHEN] = nsc_text_from(when);
        baseline.facts[NSC_BASELINE_WHO] = nsc_text_from(user ? user : id);
        baseline.facts[NSC_BASELINE_WHY] =
            nsc_text_from(nsc_option_word(options, NSC_OPTION_ACCEPT, ""));
        baseline.facts[NSC_BASELINE_OPTIONS] = nsc_text_of_buf(&narrow);
        status = save(path, &baseline, flags, error);
        nsc_baseline_fini(&baseline);
    }
    nsc_buf_fini(&narrow);
    return status;
}

/* Removes only what is a baseline. */
static enum nsc_status run_remove(const struct nsc_options *options, const char *path,
                                  struct nsc_error *error)
{
    struct nsc_baseline baseline = {0};

    if (nsc_baseline_open(&baseline, options, options->operands[1], error) != NSC_OK)
        return error->status;
    nsc_baseline_fini(&baseline);
    if (unlink(path) == 0)
        return NSC_OK;
    return nsc_fail(error, NSC_EWRITE, "%s: %s", path, strerror(errno));
}

enum nsc_status nsc_cmd_baseline(const struct nsc_options *options, struct nsc_error *error)
{
    const char *word = options->file;
    bool adds = strcmp(word, "add") == 0;
    struct nsc_buf path = NSC_BUF_INIT(SIZE_MAX);
    enum nsc_status status;

    if (strcmp(word, "list") == 0 && options->n_operands == 1)
        return run_list(options, error);
    if (options->n_operands != (adds ? 3 : 2) || (!adds && strcmp(word, "remove") != 0))
        return nsc_fail(error, NSC_EINVAL, "baseline: give list, add NAME FILE, or remove NAME");
    status = nsc_baseline_path(&path, options, options->operands[1], error);
    if (status == NSC_OK)
        status = (adds ? run_add : run_remove)(options, path.bytes, error);
    nsc_buf_fini(&path);
    return status;
}
