/* nsyscope export: writes the events of an export in another program's format. */
#include "analysis/base/device_ops.h"
#include "analysis/base/stacks.h"
#include "analysis/skill/skill.h"
#include "cli/commands.h"
#include "cli/scope_window.h"
#include "cli/skill_list.h"
#include "cli/stack_reader.h"
#include "core/bits.h"
#include "core/die.h"
#include "core/paths.h"
#include "core/sum.h"
#include "share/dump.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static enum nsc_status find_format(enum nsc_dump_format *out, const struct nsc_options *options,
                                   struct nsc_error *error)
{
    const char *word = options->arg[NSC_OPTION_TO][0];

    *out = word ? nsc_dump_format_find(nsc_text_from(word)) : NSC_N_DUMP_FORMATS;
    if (word || options->set[NSC_OPTION_OUTPUT])
        return NSC_OK;
    return nsc_fail(error, NSC_EINVAL, "export --to FORMAT: give %s",
                    nsc_option_rows[NSC_OPTION_TO].arguments);
}

/* Writes the figures of each GPU instead of events. */
static enum nsc_status write_summary(struct nsc_loaded_scope *loaded, struct nsc_error *error)
{
    const struct nsc_question questions[] = {
        nsc_question_of(nsc_skill_find("gpu_summary"), NULL, NULL),
        nsc_question_of(nsc_skill_find("stream_concurrency"), NULL, NULL)};
    struct nsc_sheets sheets = {0};
    enum nsc_status status = nsc_skills_ask(&sheets, loaded, questions, 2, error);

    if (status == NSC_OK)
        status = nsc_loaded_scope_print(loaded, &sheets, "nsyscope.summary", error);
    nsc_sheets_fini(&sheets);
    return status;
}

/* Refuses to write a binary format, or megabytes of text, to a terminal. */
static enum nsc_status check_output(const struct nsc_options *options, enum nsc_dump_format format,
                                    struct nsc_error *error)
{
    if (!options->set[NSC_OPTION_OUTPUT] && format == NSC_DUMP_PERFETTO && isatty(STDOUT_FILENO))
        return nsc_fail(error, NSC_EINVAL,
                        "export: perfetto is binary; give --output FILE or redirect the output");
    return NSC_OK;
}

/* Narrows the query to --window. */
static enum nsc_status narrow(struct nsc_dump_query *query, const struct nsc_options *options,
                              struct nsc_error *error)
{
    if (!options->has_window)
        return NSC_OK;
    query->window = nsc_window_meet(query->window, options->window);
    if (query->window.t0 < query->window.t1)
        return NSC_OK;
    return nsc_fail(error, NSC_ENODATA, "export: the window holds nothing of what was asked for");
}

/* Stops when the reader closed the pipe, which is not a failure. */
static bool write_out(void *context, const struct nsc_buf *bytes, struct nsc_error *error)
{
    bool *gone = context;

    return nsc_print_part(bytes, gone, error) == NSC_OK && !*gone;
}

static enum nsc_status dump_out(const struct nsc_dump_query *query, struct nsc_error *error)
{
    bool gone = false;
    struct nsc_dump_sink sink = {write_out, &gone};
    enum nsc_status status = nsc_dump(query, &sink, NULL, error);

    return gone ? NSC_OK : status;
}

/* ---- a folder with one Perfetto file a GPU ---- */

/* Adds the lane's rows that the query keeps. */
static void add_lane(uint64_t *mask, const struct nsc_dump_query *query, uint32_t lane)
{
    struct nsc_row_range rows = nsc_lane_rows(query->trace, lane, query->window);

    for (nsc_event row = rows.first; row < rows.end; row++)
        if (!query->mask || nsc_bits_get(query->mask, row))
            nsc_bits_set(mask, row);
}

/* Selects the GPU's own work, and everything that processes with work on it did on the host. The
 * caller frees the mask. */
static uint64_t *mask_gpu(const struct nsc_dump_query *query, uint32_t gpu)
{
    uint32_t n = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(query->trace, &n), *device = &tracks[gpu];
    uint64_t *mask =
        nsc_xcalloc(nsc_bits_words(nsc_trace_events(query->trace)->n) + 1, sizeof *mask);

    for (uint32_t i = 0; i < n; i++) {
        const struct nsc_track *track = &tracks[i];

        if (track->n_lanes == 0 || track->capture_no != device->capture_no ||
            (track->gpu >= 0 ? track->gpu != device->gpu
                             : !nsc_process_works_on(query->trace, gpu, track->process)))
            continue;
        for (uint32_t k = 0; k < track->n_lanes; k++)
            add_lane(mask, query, track->first_lane + k);
    }
    return mask;
}

/* Writes "traces/trace_gpu0.json"; for several exports "traces/1_trace_gpu0.json". */
static enum nsc_status write_gpu(const struct nsc_dump_query *query, uint32_t gpu, bool is_job,
                                 const char *folder, bool force, struct nsc_error *error)
{
    const struct nsc_track *device = nsc_trace_track(query->trace, gpu);
    struct nsc_dump_query one = *query;
    struct nsc_buf path = NSC_BUF_INIT(SIZE_MAX);
    uint64_t *mask = mask_gpu(query, gpu);
    enum nsc_status status;

    one.mask = mask;
    one.device = device;
    one.format = NSC_DUMP_CHROME;
    nsc_buf_printf(&path, "%s/", folder);
    if (is_job)
        nsc_buf_printf(&path, "%" PRIu32 "_", device->capture_no);
    nsc_buf_printf(&path, "trace_gpu%" PRId64 ".json", device->device);
    status = nsc_dump_file(&one, path.bytes, force, NULL, error);
    nsc_buf_fini(&path);
    free(mask);
    return status;
}

/*
 * Writes trace_gpuN.json for each GPU of the query's trace into the folder: the work of that GPU,
 * and the threads of the processes that use it. Creates the folder if it is missing, but not its
 * parents. Uses the query's mask and window, not its format. NSC_ENODATA: no GPU work; NSC_EINVAL:
 * a file exists and force is not set.
 */
static enum nsc_status write_folder(const struct nsc_dump_query *query, const char *folder,
                                    bool force, struct nsc_error *error)
{
    uint32_t n_captures = 0;
    bool is_new = false;
    enum nsc_status status = NSC_OK;
    uint32_t n = 0;

    (void)nsc_trace_captures(query->trace, &n_captures);
    for (uint32_t d = NSC_NONE;
         (d = nsc_device_next(query->trace, d)) != NSC_NONE && status == NSC_OK;) {
        if (n == 0 && !is_new)
            status = nsc_file_folder(&is_new, folder, 0777, error);
        if (status == NSC_OK)
            status = write_gpu(query, d, n_captures > 1, folder, force, error);
        n += status == NSC_OK;
        if (status == NSC_ENODATA) { /* the window may contain work of other GPUs */
            *error = (struct nsc_error){0};
            status = NSC_OK;
        }
    }
    if (status == NSC_OK && n == 0)
        status =
            nsc_fail(error, NSC_ENODATA, "export: no GPU work is left by the window and filter");
    if (is_new && n == 0)
        (void)rmdir(folder); /* nothing was written */
    return status;
}

/* ---- the command ---- */

static enum nsc_status write_dump(const struct nsc_options *options,
                                  const struct nsc_dump_query *query, struct nsc_error *error)
{
    const char *path = options->arg[NSC_OPTION_OUTPUT][0];

    if (query->format == NSC_N_DUMP_FORMATS)
        return write_folder(query, path, options->set[NSC_OPTION_FORCE], error);
    return path ? nsc_dump_file(query, path, options->set[NSC_OPTION_FORCE], NULL, error)
                : dump_out(query, error);
}

static enum nsc_status dump(const struct nsc_options *options, struct nsc_loaded_scope *loaded,
                            enum nsc_dump_format format, struct nsc_error *error)
{
    const char *filter = options->arg[NSC_OPTION_FILTER][0];
    struct nsc_bookmarks bookmarks = {0};
    struct nsc_stacks *stacks = NULL;
    struct nsc_error ignored = {0};
    char identity[NSC_IDENTITY_BYTES];
    struct nsc_dump_query query = {.trace = loaded->trace,
                                   .mask = loaded->mask,
                                   .window = loaded->scope.window,
                                   .filter = nsc_text_from(filter ? filter : ""),
                                   .format = format,
                                   .fields = &loaded->fields.sets,
                                   .bookmarks = &bookmarks,
                                   .has_gpu_views = true,
                                   .raw_csv = options->set[NSC_OPTION_RAW_CSV],
                                   .threads = options->open.threads,
                                   .check = nsc_stack_reader_check,
                                   .check_context = loaded->job};
    enum nsc_status status = NSC_OK;

    if (!loaded->scope.has_window) /* includes events outside of the extent */
        query.window = (struct nsc_window){INT64_MIN, INT64_MAX};
    status = narrow(&query, options, error);
    if (status != NSC_OK)
        return status;
    if (nsc_dump_has_stacks(format))
        status = nsc_stacks_read_job(&stacks, loaded->trace, loaded->job, error);
    if (status != NSC_OK)
        return status;
    query.stacks = stacks;
    if (nsc_loaded_scope_bookmarks(&bookmarks, identity, loaded, &ignored) != NSC_OK)
        nsc_bookmarks_fini(&bookmarks); /* a trace without bookmarks is better than none */
    status = write_dump(options, &query, error);
    if (status == NSC_OK)
        status = nsc_loaded_scope_check(loaded, error);
    if (status == NSC_OK && stacks && stacks->is_cut)
        fprintf(stderr, "nsyscope: export: some stacks are too many or too deep: their inner "
                        "functions count as part of the frame around them\n");
    nsc_bookmarks_fini(&bookmarks);
    nsc_stacks_free(stacks);
    return status;
}

enum nsc_status nsc_cmd_export(const struct nsc_options *options, struct nsc_error *error)
{
    struct nsc_loaded_scope loaded;
    enum nsc_dump_format format;
    enum nsc_status status = find_format(&format, options, error);

    if (status == NSC_OK)
        status = check_output(options, format, error);
    if (status == NSC_OK)
        status = nsc_loaded_scope_open(&loaded, options, error);
    if (status != NSC_OK)
        return status;
    status = options->set[NSC_OPTION_SUMMARY] ? write_summary(&loaded, error)
                                              : dump(options, &loaded, format, error);
    nsc_loaded_scope_close(&loaded);
    return status;
}
