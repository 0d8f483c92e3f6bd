/* Computes, draws and writes the data for each bookmark. */
#include "cli/bookmark_session.h"

#include "analysis/finding/finding.h"
#include "analysis/skill/skill.h"
#include "cli/field_reader.h"
#include "cli/file_name.h"
#include "core/argv.h"
#include "core/die.h"
#include "core/outfolder.h"
#include "core/paths.h"
#include "core/sum.h"
#include "core/text.h"
#include "share/dump.h"
#include "share/session_page.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { AROUND = 200 }; /* the window of a bookmark without a range is this fraction of the whole */

#ifdef NSC_SMALL
#define FILE_BYTES ((size_t)4 << 20)
#else
#define FILE_BYTES ((size_t)UINT32_MAX) /* of one file */
#endif

struct session {
    const struct nsc_session_request *request;
    struct nsc_field_reader fields;
    struct nsc_call_details calls; /* for the pictures */
    struct nsc_findings findings;
    struct nsc_session_part *parts; /* owned, like their sheets, texts and commands */
    size_t n;
};

/* ---- a bookmark ---- */

static struct nsc_window window_of(const struct nsc_bookmark *bookmark, struct nsc_window whole)
{
    nsc_time half = nsc_window_length(whole) / AROUND / 2 + 1;
    struct nsc_window w = {bookmark->time - half, bookmark->time + half};

    if (bookmark->has_range)
        return bookmark->range;
    if (bookmark->has_zoom)
        return bookmark->zoom;
    w = nsc_window_meet(w, whole);
    return w.t0 < w.t1 ? w : (struct nsc_window){bookmark->time, bookmark->time + 1};
}

/* A name that every file system takes: "02-slow-step". */
static void name_file(struct nsc_session_part *part, size_t i)
{
    const char *name = nsc_bookmark_text(part->bookmark, NSC_BOOKMARK_NAME);
    size_t n = (size_t)snprintf(part->file, sizeof part->file, "%02zu-", i + 1);

    for (; *name && n + 1 < sizeof part->file / 2; name++) {
        bool plain = (*name >= '0' && *name <= '9') ||
                     (nsc_ascii_lower(*name) >= 'a' && nsc_ascii_lower(*name) <= 'z');

        if (plain)
            part->file[n++] = nsc_ascii_lower(*name);
        else if (part->file[n - 1] != '-')
            part->file[n++] = '-';
    }
    while (part->file[n - 1] == '-')
        n--;
    part->file[n] = '\0';
}

static void ask(struct session *session, struct nsc_session_part *part)
{
    static const char *const skills[] = {"breakdown", "top_kernels", "nccl_breakdown", "copies"};
    struct nsc_scope scope = *session->request->scope;

    scope.window = part->window;
    scope.has_window = true;
    for (size_t i = 0; i < sizeof skills / sizeof *skills; i++)
        nsc_skill_run_named(&part->sheets, skills[i], &scope, &session->fields.sets);
}

static bool add_bytes(void *context, const struct nsc_buf *bytes, struct nsc_error *error)
{
    struct nsc_buf *events = context;

    nsc_buf_join(events, bytes);
    if (!events->overflow)
        return true;
    (void)nsc_fail(error, NSC_EWRITE,
                   "session: the events of a bookmark have more than %zu bytes: give it a shorter "
                   "range",
                   events->limit);
    return false;
}

/* An empty window has no events; that is not a failure. */
static enum nsc_status list_events(struct session *session, struct nsc_session_part *part,
                                   struct nsc_error *error)
{
    struct nsc_dump_query query = {.trace = session->request->trace,
                                   .mask = session->request->scope->mask,
                                   .window = part->window,
                                   .filter = {"", 0},
                                   .format = NSC_DUMP_CSV,
                                   .short_paths = true};
    struct nsc_dump_sink sink = {add_bytes, &part->events};
    enum nsc_status status = nsc_dump(&query, &sink, NULL, error);

    if (status != NSC_ENODATA)
        return status;
    *error = (struct nsc_error){0};
    return NSC_OK;
}

/* "nsyscope VERB FILE... OPTION T0ns T1ns", quoted for a shell. */
static char *command_of(const struct session *session, const char *verb, const char *option,
                        struct nsc_window w)
{
    struct nsc_buf out = NSC_BUF_INIT(SIZE_MAX);

    nsc_buf_printf(&out, "nsyscope%s", verb);
    for (uint32_t i = 0; i < session->request->n_files; i++) {
        nsc_buf_putc(&out, ' ');
        nsc_argv_quote(&out, nsc_file_leaf(session->request->files[i]));
    }
    nsc_buf_printf(&out, " %s %" PRId64 "ns %" PRId64 "ns", option, w.t0, w.t1);
    return out.bytes;
}

static enum nsc_status make_part(struct session *session, size_t i, struct nsc_error *error)
{
    struct nsc_session_part *part = &session->parts[i];
    const struct nsc_trace *trace = session->request->trace;
    nsc_time margin;
    struct nsc_window zoom;

    *part = (struct nsc_session_part){.bookmark = &session->request->bookmarks->at[i],
                                      .picture = NSC_BUF_INIT(FILE_BYTES),
                                      .events = NSC_BUF_INIT(FILE_BYTES)};
    part->window = window_of(part->bookmark, nsc_trace_extent(trace));
    margin = nsc_window_length(part->window) / 10 + 1;
    zoom = (struct nsc_window){part->window.t0 - margin, part->window.t1 + margin};
    name_file(part, i);
    ask(session, part);
    nsc_bookmark_picture(&part->picture, &session->calls, part->bookmark, zoom,
                         nsc_file_leaf(session->request->files[0]));
    part->command = command_of(session, "", "--trim", part->window);
    if (session->request->n_files == 1) /* export takes one file */
        part->command_csv = command_of(session, " export --to csv", "--window", part->window);
    return list_events(session, part, error);
}

/* ---- the whole ---- */

static void write_page(struct nsc_buf *out, const struct session *session,
                       const struct nsc_buf *bookmarks, bool is_alone)
{
    struct nsc_buf names = NSC_BUF_INIT(SIZE_MAX);
    struct nsc_session_page page = {.trace = session->request->trace,
                                    .identity = session->request->identity,
                                    .findings = &session->findings,
                                    .parts = session->parts,
                                    .n = session->n,
                                    .bookmarks = nsc_text_of_buf(bookmarks),
                                    .is_alone = is_alone};

    for (uint32_t i = 0; i < session->request->n_files; i++)
        nsc_buf_printf(&names, "%s%s", i ? ", " : "", nsc_file_leaf(session->request->files[i]));
    page.name = names.bytes;
    nsc_session_page_write(out, &page);
    nsc_buf_fini(&names);
}

static void add_file(struct nsc_folder *folder, const char *stem, const char *ending,
                     const struct nsc_buf *text)
{
    char name[80];

    (void)snprintf(name, sizeof name, "%s%s", stem, ending);
    if (text->n)
        nsc_buf_join(nsc_folder_add(folder, name), text);
}

static enum nsc_status save(const struct session *session, struct nsc_error *error)
{
    const char *path = session->request->path;
    unsigned flags = session->request->flags;
    struct nsc_folder folder = {.path = path};
    struct nsc_buf bookmarks = NSC_BUF_INIT(SIZE_MAX);
    struct nsc_buf page = NSC_BUF_INIT(FILE_BYTES);
    size_t n = strlen(path);
    bool is_alone = n > 5 && strcasecmp(path + n - 5, ".html") == 0;
    enum nsc_status status;

    nsc_bookmarks_format(&bookmarks, session->request->bookmarks, NULL, session->request->identity,
                         false);
    write_page(&page, session, &bookmarks, is_alone);
    if (is_alone) {
        status = nsc_file_write(path, flags, &page, error);
    } else {
        add_file(&folder, "index", ".html", &page);
        add_file(&folder, "bookmarks", ".json", &bookmarks);
        for (size_t i = 0; i < session->n; i++) {
            add_file(&folder, session->parts[i].file, ".svg", &session->parts[i].picture);
            add_file(&folder, session->parts[i].file, ".csv", &session->parts[i].events);
        }
        status = nsc_folder_write(&folder, flags, error);
    }
    nsc_folder_fini(&folder);
    nsc_buf_fini(&page);
    nsc_buf_fini(&bookmarks);
    return status;
}

static enum nsc_status make(struct session *session, struct nsc_error *error)
{
    enum nsc_status status = NSC_OK;

    session->n = nsc_bookmarks_live(session->request->bookmarks);
    if (session->n == 0)
        return nsc_fail(
            error, NSC_ENODATA,
            "session: no bookmarks there; B saves one on the screen, nsyscope bookmarks "
            "FILE add does from a shell");
    session->parts = nsc_xcalloc(session->n, sizeof *session->parts);
    (void)nsc_findings_run(&session->findings, session->request->scope, &session->fields.sets,
                           NULL);
    for (size_t i = 0; i < session->n && status == NSC_OK; i++)
        status = make_part(session, i, error);
    return status;
}

static void fini(struct session *session)
{
    for (size_t i = 0; session->parts && i < session->n; i++) {
        struct nsc_session_part *part = &session->parts[i];

        nsc_sheets_fini(&part->sheets);
        nsc_buf_fini(&part->picture);
        nsc_buf_fini(&part->events);
        free(part->command);
        free(part->command_csv);
    }
    free(session->parts);
    nsc_findings_fini(&session->findings);
    nsc_field_reader_fini(&session->fields);
    nsc_call_details_fini(&session->calls);
}

enum nsc_status nsc_bookmark_session_write(const struct nsc_session_request *request,
                                           struct nsc_error *error)
{
    struct session session = {.request = request,
                              .calls = {.job = request->job, .trace = request->trace}};
    struct nsc_capture *capture =
        nsc_job_count(request->job) == 1 ? nsc_job_capture(request->job, 0) : NULL;
    enum nsc_status status;

    nsc_field_reader_init(&session.fields, capture, request->trace);
    status = make(&session, error);
    if (status == NSC_OK)
        status = nsc_job_check(request->job, NSC_OK, error);
    if (status == NSC_OK)
        status = save(&session, error);
    fini(&session);
    return status;
}
