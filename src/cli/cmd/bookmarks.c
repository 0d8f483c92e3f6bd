/*
 * nsyscope bookmarks: lists, adds, removes, exports and imports bookmarks.
 */
#include "cli/cmd/job.h"
#include "cli/commands.h"
#include "cli/file_name.h"
#include "cli/scope_options.h"
#include "cli/session/store.h"
#include "core/text.h"
#include "core/units.h"
#include "fleet/job.h"
#include "nsys/jobs/job_load.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct subject {
    const struct nsc_options *options;
    unsigned n_files; /* operands before the action's word */
    struct nsc_store *store;
    struct nsc_bookmarks list; /* content of the store; empty for add */
    char identity[NSC_IDENTITY_BYTES];
};

/* Prints a notice that is not a failure. */
static void note(const char *line)
{
    if (line[0])
        fprintf(stderr, "nsyscope: %s\n", line);
}

static enum nsc_status save(struct subject *subject, struct nsc_error *error)
{
    enum nsc_status status = nsc_store_save(subject->store, &subject->list, NULL, error);

    if (status == NSC_EIO) /* the file to merge with cannot be read */
        error->status = NSC_EWRITE;
    return status;
}

static enum nsc_status load(struct subject *subject, struct nsc_error *error)
{
    enum nsc_status status = nsc_store_load(subject->store, &subject->list, NULL, error);

    if (status == NSC_OK)
        note(nsc_store_notice(subject->store));
    return status;
}

/* ---- list ---- */

struct bookmark_row {
    const char *id, *name, *tags, *note;
    nsc_time time, length;
};

static enum nsc_status run_list(struct subject *subject, struct nsc_error *error)
{
    static const struct nsc_sheet_column columns[] = {
        NSC_COL_TEXT(bookmark_row, id, "id", "Id"),
        NSC_COL_INSTANT(bookmark_row, time, "time_ns", "At"),
        NSC_COL_NS(bookmark_row, length, "length_ns", "Length"),
        NSC_COL_TEXT(bookmark_row, name, "name", "Name"),
        NSC_COL_TEXT(bookmark_row, tags, "tags", "Tags"),
        NSC_COL_TEXT(bookmark_row, note, "note", "Note"),
    };
    struct nsc_sheets sheets = {0};
    struct nsc_sheet *sheet = NSC_SHEETS_ADD(&sheets, "bookmarks", "Bookmarks", columns);
    enum nsc_status status = load(subject, error);

    for (size_t i = 0; i < nsc_bookmarks_live(&subject->list); i++) {
        const struct nsc_bookmark *b = &subject->list.at[i];
        char id[24];

        (void)snprintf(id, sizeof id, "%016" PRIx64, b->id);
        NSC_ADD_ROW(sheet, bookmark_row, .id = id, .time = b->time,
                    .length = nsc_known(b->has_range, nsc_window_length(b->range)),
                    .name = nsc_bookmark_text(b, NSC_BOOKMARK_NAME),
                    .tags = b->texts[NSC_BOOKMARK_TAGS], .note = b->texts[NSC_BOOKMARK_NOTE]);
    }
    if (status == NSC_OK)
        status = nsc_sheets_print(&sheets, subject->options, "nsyscope.bookmarks", error);
    nsc_sheets_fini(&sheets);
    return status;
}

/* ---- add, remove ---- */

static enum nsc_status make_bookmark(struct nsc_bookmark *b, const struct nsc_options *options,
                                     struct nsc_error *error)
{
    static const struct {
        enum nsc_option option;
        enum nsc_bookmark_text which;
    } texts[] = {{NSC_OPTION_NAME, NSC_BOOKMARK_NAME},
                 {NSC_OPTION_NOTE, NSC_BOOKMARK_NOTE},
                 {NSC_OPTION_TAGS, NSC_BOOKMARK_TAGS}};
    enum nsc_status status = NSC_OK;

    *b = nsc_bookmark_new(0);
    b->range = options->window;
    b->has_range = options->set[NSC_OPTION_RANGE];
    if (b->has_range == options->set[NSC_OPTION_AT])
        return nsc_fail(error, NSC_EINVAL, "bookmarks add: give --at TIME or --range T0 T1");
    if (!b->has_range)
        status = nsc_units_parse_time(&b->time, options->arg[NSC_OPTION_AT][0], NSC_UNITS_S, error);
    for (unsigned i = 0; status == NSC_OK && i < sizeof texts / sizeof *texts; i++)
        if (options->set[texts[i].option])
            nsc_bookmark_set_text(b, texts[i].which,
                                  nsc_text_from(options->arg[texts[i].option][0]));
    return status;
}

static enum nsc_status run_add(struct subject *subject, struct nsc_error *error)
{
    struct nsc_bookmark b;

    if (make_bookmark(&b, subject->options, error) != NSC_OK)
        return error->status;
    (void)nsc_bookmarks_add(&subject->list, &b);
    return save(subject, error);
}

static enum nsc_status run_remove(struct subject *subject, struct nsc_error *error)
{
    const char *word = subject->options->arg[NSC_OPTION_ID][0];
    uint64_t id = 0;
    size_t i;

    if (!word || !nsc_bookmark_parse_id(&id, nsc_text_from(word)))
        return nsc_fail(error, NSC_EINVAL,
                        "bookmarks remove: give --id ID, 16 digits as nsyscope bookmarks FILE list "
                        "shows them");
    if (load(subject, error) != NSC_OK)
        return error->status;
    i = nsc_bookmarks_find(&subject->list, id);
    if (i >= nsc_bookmarks_live(&subject->list))
        return nsc_fail(error, NSC_EINVAL, "--id %s: no such bookmark", word);
    nsc_bookmarks_remove(&subject->list, i);
    return save(subject, error);
}

/* ---- export, import ---- */

static enum nsc_status run_export(struct subject *subject, struct nsc_error *error)
{
    struct nsc_buf out = NSC_BUF_INIT(1u << 30);
    enum nsc_status status = load(subject, error);

    nsc_bookmarks_format(&out, &subject->list, NULL, subject->identity, false);
    if (status == NSC_OK)
        status = nsc_put(subject->options, &out, error);
    nsc_buf_fini(&out);
    return status;
}

static bool has_same(const struct nsc_bookmarks *list, const struct nsc_bookmark *b)
{
    size_t n = nsc_bookmarks_live(list);

    for (size_t i = 0; i < n && list->at[i].time <= b->time; i++)
        if (nsc_bookmark_compare(&list->at[i], b) == 0)
            return true;
    return false;
}

/* Gives a bookmark that was removed here a new id when it is imported again. */
static void renew_removed(struct nsc_bookmarks *incoming, const struct nsc_bookmarks *list)
{
    for (size_t i = 0; i < incoming->n; i++) {
        struct nsc_bookmark *b = &incoming->at[i];
        size_t mine = nsc_bookmarks_find(list, b->id);

        if (mine >= list->n || !list->at[mine].deleted || has_same(list, b))
            continue;
        b->id = 0;
        b->created = b->modified = 0;
        b->changed = true;
    }
}

static enum nsc_status read_input(struct nsc_bookmarks *incoming, const struct subject *subject,
                                  const char *path, struct nsc_error *error)
{
    struct nsc_bookmarks_report report;
    struct nsc_buf inside = NSC_BUF_INIT(SIZE_MAX);
    struct stat info;
    enum nsc_status status;
    const char *given = path;
    char line[96];

    if (stat(path, &info) == 0 && S_ISDIR(info.st_mode)) { /* a session's folder */
        nsc_buf_printf(&inside, "%s/bookmarks.json", path);
        path = inside.bytes;
    }
    status = nsc_store_read(incoming, &report, path, error);
    /* a page may have its bookmarks beside it */
    if (status == NSC_EFORMAT && strcmp(nsc_file_leaf(given), "index.html") == 0) {
        *error = (struct nsc_error){0};
        nsc_buf_printf(&inside, "%.*sbookmarks.json", (int)(nsc_file_leaf(given) - given), given);
        status = nsc_store_read(incoming, &report, inside.bytes, error);
    }
    nsc_buf_fini(&inside);
    if (status != NSC_OK)
        return status;
    if (report.identity[0] && strcmp(report.identity, subject->identity) != 0 &&
        !subject->options->set[NSC_OPTION_FORCE])
        return nsc_fail(error, NSC_EINVAL,
                        "%s holds bookmarks of another export; --force imports them even so",
                        given);
    if (report.damaged) {
        (void)snprintf(line, sizeof line, "the file is damaged: %" PRIu32 " bookmarks are lost",
                       report.lost);
        note(line);
    }
    return NSC_OK;
}

static enum nsc_status run_import(struct subject *subject, struct nsc_error *error)
{
    const char *path = subject->options->operands[subject->n_files + 1];
    struct nsc_bookmarks incoming = {0};
    enum nsc_status status;

    if (!path)
        return nsc_fail(error, NSC_EINVAL, "bookmarks import: give the file to import");
    status = load(subject, error);
    if (status == NSC_OK)
        status = read_input(&incoming, subject, path, error);
    if (status == NSC_OK) {
        renew_removed(&incoming, &subject->list);
        while (nsc_bookmarks_live(&incoming) <
               incoming.n) /* skip bookmarks that the other file has removed */
            incoming.n--;
        nsc_bookmarks_merge(&subject->list, &incoming);
        status = save(subject, error);
    }
    nsc_bookmarks_fini(&incoming);
    return status;
}

/* ---- the command ---- */

struct action {
    const char *word;
    enum nsc_status (*run)(struct subject *subject, struct nsc_error *error);
};

static const struct action actions[] = {{"list", run_list},
                                        {"add", run_add},
                                        {"remove", run_remove},
                                        {"export", run_export},
                                        {"import", run_import}};

static const struct action *find_action(const char *word)
{
    for (unsigned i = 0; i < sizeof actions / sizeof *actions; i++)
        if (strcmp(word, actions[i].word) == 0)
            return &actions[i];
    return NULL;
}

/* The number of operands before the first action; one if there is no action. */
static unsigned count_files(const struct nsc_options *options)
{
    for (unsigned i = 1; i < options->n_operands; i++)
        if (find_action(options->operands[i]))
            return i;
    return 1;
}

/* The action must follow the exports; a file may have the name of an action. */
static enum nsc_status check_order(const struct nsc_options *options, struct nsc_error *error)
{
    const char *word = options->n_operands ? options->operands[0] : "";

    if (!find_action(word) || access(word, F_OK) == 0)
        return NSC_OK;
    return nsc_fail(error, NSC_EINVAL,
                    "bookmarks %s: the export comes first: nsyscope bookmarks %.120s %s", word,
                    options->n_operands > 1 ? options->operands[1] : "FILE", word);
}

static enum nsc_status run_action(struct subject *subject, struct nsc_error *error)
{
    const struct nsc_options *options = subject->options;
    const char *word =
        subject->n_files < options->n_operands ? options->operands[subject->n_files] : NULL;
    const struct action *action = word ? find_action(word) : NULL;
    bool imports = word && strcmp(word, "import") == 0;
    unsigned words = options->n_operands - subject->n_files;

    if (action && words > (imports ? 2 : 1))
        return nsc_fail(
            error, NSC_EINVAL,
            "%s: bookmarks %s takes no such word; nsyscope bookmarks --help lists its options",
            options->operands[options->n_operands - 1], word);
    if (action)
        return action->run(subject, error);
    return nsc_fail(error, NSC_EINVAL,
                    "bookmarks%s%s: give FILE and one of list, add, remove, export, import",
                    word ? " " : "", word ? word : "");
}

static enum nsc_status identify(char out[NSC_IDENTITY_BYTES], const struct nsc_options *options,
                                struct nsc_error *error)
{
    struct nsc_job *job = NULL;
    struct nsc_documents documents = {0};
    struct nsc_files files = {options->operands, count_files(options)};
    enum nsc_status status;

    if (nsc_names_job(options)) {
        status = nsc_job_documents(&documents, options, files.n, error);
        nsc_fleet_job_identity(out, &documents);
        nsc_documents_fini(&documents);
        return status;
    }
    status = nsc_open_files(&job, files, options, error);
    if (status == NSC_OK)
        status = nsc_job_identity(out, job, error);
    nsc_job_close(job);
    return status;
}

enum nsc_status nsc_cmd_bookmarks(const struct nsc_options *options, struct nsc_error *error)
{
    const char *file = options->arg[NSC_OPTION_BOOKMARKS][0];
    struct subject subject = {.options = options, .n_files = count_files(options)};
    enum nsc_status status;

    if (check_order(options, error) != NSC_OK ||
        identify(subject.identity, options, error) != NSC_OK)
        return error->status;
    status = nsc_store_open(&subject.store, subject.identity, file, error);
    if (status == NSC_OK)
        status = run_action(&subject, error);
    else
        error->status = NSC_EWRITE;
    nsc_bookmarks_fini(&subject.list);
    nsc_store_close(subject.store);
    return status;
}
