/*
 * A dump as a page: the events of the window and the answers about it (share/viewer.h).
 */
#include "core/argv.h"
#include "core/sum.h"
#include "share/dump_data.h"
#include "share/page_answers.h"

#include <string.h>

/* "nsyscope viewer FILE...", without folders. */
static void add_command(struct nsc_buf *out, const struct nsc_trace *trace)
{
    uint32_t n = 0;
    const struct nsc_trace_info *files = nsc_trace_captures(trace, &n);

    nsc_buf_puts(out, "nsyscope viewer");
    for (uint32_t i = 0; i < n; i++) {
        struct nsc_text path = nsc_trace_string(trace, files[i].path);
        struct nsc_buf name = NSC_BUF_INIT(1u << 16);
        const char *slash;

        nsc_buf_add(&name, path.bytes, path.n);
        slash = name.n ? strrchr(name.bytes, '/') : NULL;
        nsc_buf_putc(out, ' ');
        nsc_argv_quote(out, slash ? slash + 1 : name.n ? name.bytes : "FILE");
        nsc_buf_fini(&name);
    }
}

static struct nsc_scope scope_of(const struct nsc_dump_query *query, struct nsc_summary *summary)
{
    struct nsc_scope scope = nsc_scope_all(query->trace);
    struct nsc_window all = scope.window;

    scope.mask = query->mask;
    scope.summary = summary ? summary : scope.summary;
    scope.has_window = query->window.t0 > all.t0 || query->window.t1 < all.t1;
    scope.window = nsc_window_meet(query->window, all);
    return scope;
}

void nsc_dump_page(struct nsc_dump *dump)
{
    const struct nsc_dump_query *query = dump->query;
    struct nsc_summary *summary = query->mask ? nsc_summary_build(query->trace, query->mask) : NULL;
    struct nsc_scope scope = scope_of(query, summary);
    struct nsc_buf page = NSC_BUF_INIT(SIZE_MAX);
    struct nsc_buf command = NSC_BUF_INIT(SIZE_MAX);
    struct nsc_buf note = NSC_BUF_INIT(SIZE_MAX);
    const char *notes[1];
    struct nsc_page_request request = {.scope = &scope,
                                       .fields = query->fields,
                                       .bookmarks = query->bookmarks,
                                       .detail = scope.window,
                                       .window = scope.window,
                                       .notes = notes};

    add_command(&command, query->trace);
    request.command = command.bytes;
    if (query->filter.n) {
        nsc_buf_puts(&note, "only events of the filter: ");
        nsc_buf_add(&note, query->filter.bytes, query->filter.n);
        notes[0] = note.bytes;
        request.n_notes = 1;
    }
    if (query->mask && !summary)
        dump->status = nsc_fail(dump->error, NSC_ENOMEM, "no memory for the filter");
    else
        dump->status = nsc_page_write(&page, &request, dump->progress, dump->error);
    if (dump->status == NSC_OK)
        nsc_dump_send(dump, &page);
    nsc_buf_fini(&page);
    nsc_buf_fini(&note);
    nsc_buf_fini(&command);
    nsc_summary_free(summary);
}
