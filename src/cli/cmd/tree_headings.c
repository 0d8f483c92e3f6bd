/*
 * nsyscope tree --headings: NVTX ranges as Markdown headings, each followed by a table of the GPU
 * work that it launched itself. Written range by range: memory does not grow with the output.
 */

#include "analysis/base/correlate.h"
#include "analysis/ranges/instances.h"
#include "cli/commands.h"
#include "cli/scope_options.h"
#include "core/units.h"
#include "share/sheet_write.h"

#include <inttypes.h>
#include <stdlib.h>

enum { FLUSH_BYTES = 1 << 16, DEEPEST_HEADING = 6 };

struct writing {
    const struct nsc_scope *scope;
    struct nsc_instances all;
    struct nsc_buf out;
    bool ascii, gone; /* gone: the reader closed the pipe */
    enum nsc_status status;
    struct nsc_error *error;
};

/* Threads are always shown; ranges outside the window where they launched work inside it. */
static bool is_shown(const struct writing *w, struct nsc_instance at)
{
    nsc_event event = nsc_instance_event(&w->all, at);

    return event == NSC_NONE || nsc_instance_figures(&w->all, at).ops > 0 ||
           nsc_scope_has(w->scope, event);
}

static void put_name(struct writing *w, nsc_event event)
{
    char scratch[NSC_NAME_BYTES];

    nsc_md_text(&w->out, nsc_trace_event_text(w->scope->trace, event, true, scratch));
}

static void put_op(struct writing *w, nsc_event event)
{
    const struct nsc_trace *trace = w->scope->trace;
    const struct nsc_track *track = nsc_trace_track(trace, nsc_event_track(trace, event));
    char duration[NSC_UNITS_BYTES];

    nsc_units_duration(duration, nsc_event_duration(nsc_trace_events(trace), event), w->ascii);
    nsc_buf_puts(&w->out, "| ");
    put_name(w, event);
    nsc_buf_printf(&w->out, " | %" PRId64 " | %" PRId64 " | %s |\n", track->device, track->stream,
                   duration);
}

/* The work that a range or root launched itself, not inside a range of its own. */
static void put_ops(struct writing *w, struct nsc_instance at)
{
    bool is_first = true;

    for (struct nsc_instance i = nsc_instance_first_child(&w->all, at); !nsc_instance_is_none(i);
         i = nsc_instance_next(&w->all, i)) {
        if (i.op == NSC_NONE)
            continue;
        if (is_first)
            nsc_buf_puts(&w->out, "| Kernel or copy | GPU | Stream | Duration |\n"
                                  "| --- | ---: | ---: | ---: |\n");
        is_first = false;
        put_op(w, nsc_instance_event(&w->all, i));
    }
    if (!is_first)
        nsc_buf_putc(&w->out, '\n');
}

/* "### forward (12.3 ms, GPU work 11.0 ms)" */
static void put_range(struct writing *w, struct nsc_instance at)
{
    const struct nsc_trace *trace = w->scope->trace;
    nsc_event event = nsc_instance_event(&w->all, at);
    struct nsc_gpu_figures figures = nsc_instance_figures(&w->all, at);
    char time[NSC_UNITS_BYTES];

    for (uint32_t i = 0; i <= nsc_instance_depth(&w->all, at) && i < DEEPEST_HEADING; i++)
        nsc_buf_putc(&w->out, '#');
    nsc_buf_putc(&w->out, ' ');
    if (event == NSC_NONE) {
        uint32_t group = nsc_trace_group_of(trace, w->all.roots[at.root].track);

        nsc_md_text(&w->out, nsc_trace_string(trace, nsc_trace_track(trace, group)->label));
    } else {
        put_name(w, event);
        nsc_buf_printf(
            &w->out, " (%s",
            nsc_units_duration(time, nsc_event_duration(nsc_trace_events(trace), event), w->ascii));
        if (figures.ops > 0)
            nsc_buf_printf(&w->out, ", GPU work %s",
                           nsc_units_duration(time, figures.work, w->ascii));
        nsc_buf_putc(&w->out, ')');
    }
    nsc_buf_puts(&w->out, "\n\n");
    put_ops(w, at);
}

static void flush(struct writing *w, size_t least)
{
    if (w->out.n < least || w->status != NSC_OK)
        return;
    w->status = nsc_print_part(&w->out, &w->gone, w->error);
    nsc_buf_clear(&w->out);
}

/* The next range or root in preorder; go_in: the children of at too. */
static struct nsc_instance step_on(const struct nsc_instances *all, struct nsc_instance at,
                                   bool go_in)
{
    struct nsc_instance next = go_in ? nsc_instance_first_child(all, at) : NSC_NO_INSTANCE;

    for (;;) {
        while (!nsc_instance_is_none(next) && next.op != NSC_NONE)
            next = nsc_instance_next(all, next);
        if (!nsc_instance_is_none(next) || nsc_instance_is_none(at))
            return next;
        next = nsc_instance_next(all, at);
        at = nsc_instance_parent(all, at);
    }
}

static void put_all(struct writing *w)
{
    struct nsc_instance at = {0, NSC_NONE, NSC_NONE};

    while (w->all.n_roots > 0 && !nsc_instance_is_none(at) && w->status == NSC_OK && !w->gone) {
        bool shown = is_shown(w, at);

        if (shown)
            put_range(w, at);
        flush(w, FLUSH_BYTES);
        at = step_on(&w->all, at, shown);
    }
    flush(w, 1);
}

static enum nsc_status write_tree(const struct nsc_scope *scope, struct nsc_error *error)
{
    struct writing w = {.scope = scope,
                        .out = NSC_BUF_INIT(1u << 30),
                        .ascii = nsc_output_is_ascii(),
                        .error = error};
    uint64_t *ops = nsc_scope_mask(scope, nsc_kind_is_gpu);
    struct nsc_launches *launches = nsc_launches_build(scope->trace, ops, scope->stop);
    struct nsc_helper_figures lent = {0};

    free(ops);
    if (!launches || !nsc_launches_sum(launches) || !nsc_launches_compare(launches) ||
        !nsc_helper_figures_find(&lent, scope->trace, launches)) {
        nsc_launches_free(launches);
        return nsc_fail(error, NSC_ENOMEM, "no memory for the tree");
    }
    nsc_instances_init(&w.all, scope->trace, launches);
    w.all.lent = &lent;
    put_all(&w);
    nsc_instances_fini(&w.all);
    nsc_helper_figures_fini(&lent);
    nsc_launches_free(launches);
    nsc_buf_fini(&w.out);
    return w.status;
}

enum nsc_status nsc_tree_headings(const struct nsc_options *options, struct nsc_error *error)
{
    struct nsc_loaded_scope loaded;
    enum nsc_status status;

    if (!nsc_output_is_for_people(options) || options->set[NSC_OPTION_FIELDS] ||
        options->set[NSC_OPTION_SORT] || options->set[NSC_OPTION_LIMIT] ||
        options->set[NSC_OPTION_MAX_BYTES])
        return nsc_fail(error, NSC_EINVAL,
                        "--headings prints all as Markdown: no other --format, no --fields, "
                        "--sort, --limit, --max-bytes");
    status = nsc_loaded_scope_open(&loaded, options, error);
    if (status == NSC_OK &&
        nsc_scope_has_kinds(&loaded.scope, NSC_KIND_NVTX_RANGE, NSC_KIND_NVTX_RANGE))
        status = write_tree(&loaded.scope, error);
    else if (status == NSC_OK)
        status = nsc_loaded_scope_nothing(options, "push/pop NVTX ranges", NSC_KIND_NVTX_RANGE,
                                          NSC_KIND_NVTX_RANGE, error);
    nsc_loaded_scope_close(&loaded);
    return status;
}
