/*
 * nsyscope ncu-plan: prints the ncu commands that profile the most important kernels of an export.
 */
#include "analysis/ncu/ncu_plan.h"

#include "analysis/base/limit.h"
#include "analysis/names/kernel_name.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/scope_window.h"
#include "core/argv.h"
#include "core/sum.h"
#include "core/text.h"
#include "core/units.h"
#include "nsys/tables/fields.h"

#include <inttypes.h>
#include <string.h>

struct plan {
    const struct nsc_options *options;
    struct nsc_loaded_scope loaded;
    struct nsc_named_ranges include, exclude; /* of --range and --nvtx-exclude */
    struct nsc_range_name include_name, exclude_name;
    struct nsc_ncu_shapes shapes;
    bool has_shapes;
    struct nsc_ncu_picks picks;
};

/* ---- the range, as ncu wants it ---- */

/* Escapes @ , [ ] / * + with a backslash for ncu. */
static void add_escaped(struct nsc_buf *out, struct nsc_text name)
{
    for (uint32_t i = 0; i < name.n; i++) {
        if (name.bytes[i] != '\0' && strchr("@,[]/*+\\", name.bytes[i]))
            nsc_buf_putc(out, '\\');
        nsc_buf_putc(out, name.bytes[i]);
    }
}

/* "#" stands for any number, so it needs a regular expression. */
static void add_range_name(struct nsc_buf *out, struct nsc_text name)
{
    const char *from = name.bytes;
    const char *end = name.bytes + name.n;

    if (!memchr(name.bytes, '#', name.n)) {
        add_escaped(out, name);
        return;
    }
    nsc_buf_puts(out, "regex:^");
    while (from < end) {
        const char *mark = memchr(from, '#', (size_t)(end - from));
        const char *stop = mark ? mark : end;

        nsc_kernel_regex(out, (struct nsc_text){from, (uint32_t)(stop - from)});
        if (mark)
            nsc_buf_puts(out, "[0-9]+");
        from = mark ? mark + 1 : end;
    }
    nsc_buf_putc(out, '$');
}

/* Adds DOMAIN@RANGE/. A start/end range has no slash, the default domain has no name. */
static void add_filter(struct nsc_argv *argv, const char *option, const struct nsc_trace *trace,
                       const struct nsc_range_name *name, nsc_event range)
{
    struct nsc_buf text = NSC_BUF_INIT(SIZE_MAX);

    if (name->domain.n) {
        add_escaped(&text, name->domain);
        nsc_buf_putc(&text, '@');
    }
    add_range_name(&text, name->name);
    if (nsc_trace_events(trace)->kind[range] == NSC_KIND_NVTX_RANGE)
        nsc_buf_putc(&text, '/');
    nsc_argv_add(argv, option);
    nsc_argv_printf(argv, "%s", text.bytes);
    nsc_buf_fini(&text);
}

static void add_filters(struct nsc_argv *argv, const struct plan *plan)
{
    const struct nsc_trace *trace = plan->loaded.trace;

    if (plan->include.n || plan->exclude.n)
        nsc_argv_add(argv, "--nvtx");
    if (plan->include.n)
        add_filter(argv, "--nvtx-include", trace, &plan->include_name,
                   plan->include.event[plan->include_name.index]);
    if (plan->exclude.n)
        add_filter(argv, "--nvtx-exclude", trace, &plan->exclude_name, plan->exclude.event[0]);
}

/* ---- the command of one kernel ---- */

static void add_sections(struct nsc_argv *argv, const struct nsc_options *options)
{
    static const char *const sections[] = {"SpeedOfLight", "MemoryWorkloadAnalysis", "Occupancy",
                                           "SchedulerStats"};
    struct nsc_text given = nsc_text_from(nsc_option_word(options, NSC_OPTION_SECTIONS, ""));
    static const char tensor[] = "gpu__time_duration.sum,dram__bytes_read.sum,"
                                 "dram__bytes_write.sum,"
                                 "sm__throughput.avg.pct_of_peak_sustained_elapsed,"
                                 "dram__throughput.avg.pct_of_peak_sustained_elapsed,"
                                 "sm__ops_path_tensor_src_bf16_dst_fp32.sum,"
                                 "sm__ops_path_tensor_src_fp16_dst_fp32.sum,"
                                 "sm__ops_path_tensor_src_fp8_dst_fp32.sum";
    const char *metrics = options->arg[NSC_OPTION_METRICS][0];

    if (options->set[NSC_OPTION_SET])
        NSC_ARGV_WORDS(argv, "--set", options->arg[NSC_OPTION_SET][0]);
    while (given.n) {
        struct nsc_text section = nsc_text_split(&given, ',');

        nsc_argv_add(argv, "--section");
        nsc_argv_printf(argv, "%.*s", (int)section.n, section.bytes);
    }
    for (size_t i = 0; !options->set[NSC_OPTION_SET] && !options->set[NSC_OPTION_SECTIONS] &&
                       i < sizeof sections / sizeof *sections;
         i++)
        NSC_ARGV_WORDS(argv, "--section", sections[i]);
    if (options->set[NSC_OPTION_METRICS])
        NSC_ARGV_WORDS(argv, "--metrics", strcmp(metrics, "tensor") == 0 ? tensor : metrics);
}

/* Matches the short name, because ncu simplifies full names: see analysis/names/kernel_name.h. */
static void build_command(struct nsc_argv *argv, const struct plan *plan, uint32_t i)
{
    const struct nsc_options *options = plan->options;
    const struct nsc_ncu_pick *pick = &plan->picks.list.at[i];
    const struct nsc_trace *trace = plan->loaded.trace;
    struct nsc_buf regex = NSC_BUF_INIT(SIZE_MAX);

    nsc_kernel_regex(&regex, nsc_trace_string(trace, nsc_trace_names(trace)->brief[pick->name]));
    NSC_ARGV_WORDS(argv, nsc_option_word(options, NSC_OPTION_NCU, "ncu"), "--target-processes",
                   nsc_option_word(options, NSC_OPTION_TARGET_PROCESSES, "all"),
                   "--kernel-name-base", "function", "--kernel-name");
    nsc_argv_printf(argv, "regex:^(%s)$", regex.n ? regex.bytes : "");
    nsc_buf_fini(&regex);
    add_filters(argv, plan);
    nsc_argv_add(argv, "--launch-skip");
    nsc_argv_printf(argv, "%" PRIu32, pick->skip);
    nsc_argv_add(argv, "--launch-count");
    nsc_argv_printf(argv, "%" PRIu32, options->launch_count);
    NSC_ARGV_WORDS(argv, "--clock-control",
                   nsc_option_word(options, NSC_OPTION_CLOCK_CONTROL, "base"), "--cache-control",
                   nsc_option_word(options, NSC_OPTION_CACHE_CONTROL, "all"));
    add_sections(argv, options);
    NSC_ARGV_WORDS(argv, "--force-overwrite", "-o");
    nsc_argv_printf(argv, "kernel_%02" PRIu32, i + 1);
    for (int w = 0; w < options->n_rest; w++)
        nsc_argv_add(argv, options->rest[w]);
    if (options->n_rest == 0)
        nsc_argv_add(argv, "CMD");
}

/* ---- what is printed ---- */

static nsc_str brief_of(const struct plan *plan, size_t pick)
{
    return nsc_trace_names(plan->loaded.trace)->brief[plan->picks.list.at[pick].name];
}

/* " <<<grid 8x1x1, block 256x1x1>>>" */
static void add_shape(struct nsc_buf *out, const struct nsc_ncu_shape *shape)
{
    const int64_t *size = shape->size;

    nsc_buf_printf(
        out, " grid %" PRId64 "x%" PRId64 "x%" PRId64 " block %" PRId64 "x%" PRId64 "x%" PRId64,
        size[0], size[1], size[2], size[3], size[4], size[5]);
}

static void add_comment(struct nsc_buf *out, const struct plan *plan, uint32_t i)
{
    const struct nsc_ncu_pick *pick = &plan->picks.list.at[i];
    const struct nsc_trace *trace = plan->loaded.trace;
    char total[NSC_UNITS_BYTES];
    char share[NSC_UNITS_BYTES];
    char like[NSC_UNITS_BYTES];

    nsc_units_duration(total, pick->total, true);
    nsc_units_percent(share, pick->total, plan->picks.all);
    nsc_units_duration(like, nsc_event_duration(nsc_trace_events(trace), pick->like), true);
    nsc_buf_printf(out, "# %" PRIu32 ". ", i + 1);
    nsc_text_clean(out, nsc_trace_string(trace, nsc_trace_names(trace)->brief[pick->name]), true);
    if (pick->shape != NSC_NONE)
        add_shape(out, &plan->shapes.list.at[pick->shape]);
    nsc_buf_printf(out,
                   ": %s (%s of the kernel time) in %" PRIu32 " launches; launch %" PRIu32
                   " of process %" PRIu64 ", the median one, took %s\n",
                   total, share, pick->calls, pick->skip + 1, pick->process & 0xffffff, like);
}

/* Sums the time of the picks of one kernel, starting at first. Returns the next kernel's first
 * pick. */
static size_t sum_kernel(const struct plan *plan, size_t first, nsc_time *covered)
{
    const struct nsc_ncu_picks *picks = &plan->picks;
    size_t i = first;

    for (*covered = 0; i < picks->list.n && brief_of(plan, i) == brief_of(plan, first); i++)
        *covered = nsc_sum(*covered, picks->list.at[i].total);
    return i;
}

/* Names a kernel with more shapes than a plan can contain. */
static void add_uncovered(struct nsc_buf *out, const struct plan *plan, size_t pick, size_t n,
                          nsc_time covered)
{
    nsc_time kernel = plan->picks.list.at[pick].kernel;
    char share[NSC_UNITS_BYTES];

    if ((double)covered >= NSC_SHARE(NEARLY_ALL) * (double)kernel)
        return;
    nsc_units_percent(share, covered, kernel);
    nsc_buf_puts(out, "# Of ");
    nsc_text_clean(out, nsc_trace_string(plan->loaded.trace, brief_of(plan, pick)), true);
    nsc_buf_printf(out, " the %zu longest shapes stand for %s of its time only.\n", n, share);
}

/* Adds the part of the time that the picks represent. */
static void add_coverage(struct nsc_buf *out, const struct plan *plan)
{
    const struct nsc_ncu_picks *picks = &plan->picks;
    char share[NSC_UNITS_BYTES];
    nsc_time all = 0, covered;
    uint32_t n_kernels = 0;

    for (size_t i = 0; i < picks->list.n; n_kernels++) {
        i = sum_kernel(plan, i, &covered);
        all = nsc_sum(all, covered);
    }
    nsc_units_percent(share, all, picks->all);
    nsc_buf_printf(out, "# %zu launches of %" PRIu32 " kernels stand for %s of the kernel time",
                   picks->list.n, n_kernels, share);
    if (plan->has_shapes)
        nsc_buf_printf(out, "; the shapes of a kernel for %d %% of its time, or %d of them",
                       NSC_LIMIT_NEARLY_ALL, NSC_LIMIT_NCU_SHAPES);
    nsc_buf_puts(out, ".\n");
    for (size_t i = 0, next; i < picks->list.n; i = next) {
        next = sum_kernel(plan, i, &covered);
        add_uncovered(out, plan, i, next - i, covered);
    }
}

/* Prints a shell script: comments and commands. */
static enum nsc_status print_script(const struct plan *plan, struct nsc_error *error)
{
    struct nsc_buf out = NSC_BUF_INIT(SIZE_MAX);

    nsc_buf_puts(&out, "# Launches are counted in each process, from the beginning of the run: the "
                       "recording must have begun with it too.\n");
    add_coverage(&out, plan);
    for (uint32_t i = 0; i < plan->picks.list.n; i++) {
        struct nsc_argv argv = {0};

        add_comment(&out, plan, i);
        build_command(&argv, plan, i);
        nsc_argv_print(&out, &argv);
        nsc_buf_putc(&out, '\n');
        nsc_argv_fini(&argv);
    }
    if (plan->options->n_rest == 0)
        nsc_buf_puts(&out, "# CMD stands for the program: nsyscope ncu-plan FILE -- PROGRAM ...\n");
    nsc_buf_puts(&out, "# Then: ncu --import kernel_01.ncu-rep --csv --page raw >kernel_01.csv; "
                       "nsyscope ncu-import kernel_01.csv FILE\n");
    return nsc_print(&out, error);
}

struct pick_row {
    struct nsc_text kernel;
    struct nsc_ncu_pick of;
    nsc_time all;
    int64_t pid;
    const char *shape, *command;
};

static enum nsc_status print_sheet(struct plan *plan, struct nsc_error *error)
{
    static const struct nsc_sheet_column columns[] = {
        NSC_COL_TEXT(pick_row, kernel, "kernel", "Kernel"),
        NSC_COL_NS(pick_row, of.total, "total_ns", "Total"),
        NSC_COL_SHARE(pick_row, of.total, all, "share_pct", "Share", "summed kernel time"),
        NSC_COL_TEXT(pick_row, shape, "shape", "Launch shape"),
        NSC_COL_COUNT(pick_row, of.calls, "launches", "Launches"),
        NSC_COL_ID(pick_row, pid, "pid", "Process"),
        NSC_COL_COUNT(pick_row, of.skip, "launch_skip", "Skip"),
        NSC_COL_TEXT(pick_row, command, "command", "Command"),
    };
    const struct nsc_trace *trace = plan->loaded.trace;
    struct nsc_sheets sheets = {0};
    struct nsc_sheet *sheet = nsc_sheets_add(&sheets, "ncu_plan", "Kernels to profile", columns, 8);

    for (uint32_t i = 0; i < plan->picks.list.n; i++) {
        const struct nsc_ncu_pick *pick = &plan->picks.list.at[i];
        struct nsc_buf line = NSC_BUF_INIT(SIZE_MAX);
        struct nsc_buf shape = NSC_BUF_INIT(SIZE_MAX);
        struct nsc_argv argv = {0};

        if (pick->shape != NSC_NONE)
            add_shape(&shape, &plan->shapes.list.at[pick->shape]);
        build_command(&argv, plan, i);
        nsc_argv_print(&line, &argv);
        NSC_ADD_ROW(sheet, pick_row,
                    .kernel = nsc_trace_string(trace, nsc_trace_names(trace)->brief[pick->name]),
                    .of = *pick, .all = plan->picks.all, .pid = (int64_t)(pick->process & 0xffffff),
                    .shape = shape.n ? shape.bytes + 1 : NULL, .command = line.bytes);
        nsc_buf_fini(&shape);
        nsc_argv_fini(&argv);
        nsc_buf_fini(&line);
    }
    return nsc_loaded_scope_print(&plan->loaded, &sheets, "nsyscope.ncu-plan", error);
}

/* Reads the six columns of every kernel: shapes are not in the index. */
static enum nsc_status read_shapes(struct plan *plan, struct nsc_error *error)
{
    const struct nsc_fields_query query = {
        .kind = NSC_KIND_KERNEL, .asks = nsc_ncu_shape_asks, .n_asks = NSC_NCU_SHAPE_COLUMNS};
    struct nsc_fields *fields = NULL;
    enum nsc_status status =
        nsc_fields_read(&fields, plan->loaded.capture, plan->loaded.trace, &query, error);

    if (status == NSC_OK)
        plan->has_shapes = nsc_ncu_shapes_build(&plan->shapes, plan->loaded.trace, fields);
    nsc_fields_free(fields);
    return status;
}

static enum nsc_status read_filters(struct plan *plan, struct nsc_error *error)
{
    const struct nsc_options *options = plan->options;
    enum nsc_status status = NSC_OK;

    if (options->set[NSC_OPTION_RANGE_NAME])
        status = nsc_loaded_scope_ranges(&plan->include, &plan->include_name, &plan->loaded,
                                         NSC_OPTION_RANGE_NAME, error);
    if (status == NSC_OK && options->set[NSC_OPTION_NVTX_EXCLUDE])
        status = nsc_loaded_scope_ranges(&plan->exclude, &plan->exclude_name, &plan->loaded,
                                         NSC_OPTION_NVTX_EXCLUDE, error);
    if (status == NSC_OK && plan->exclude_name.has_index)
        status = nsc_fail(error, NSC_EINVAL,
                          "--nvtx-exclude %.60s: ncu excludes all ranges of a name; leave out /%u",
                          options->arg[NSC_OPTION_NVTX_EXCLUDE][0], plan->exclude_name.index);
    return status;
}

static enum nsc_status print_picks(struct plan *plan, struct nsc_error *error)
{
    const struct nsc_ncu_ask ask = {.top = plan->options->top,
                                    .shapes = plan->has_shapes ? &plan->shapes : NULL,
                                    .include = plan->include.n ? &plan->include : NULL,
                                    .index = plan->include_name.index,
                                    .exclude = plan->exclude.n ? &plan->exclude : NULL};
    const struct nsc_options *options = plan->options;
    enum nsc_status status;

    nsc_ncu_picks_build(&plan->picks, &plan->loaded.scope, &ask);
    if (plan->picks.list.n == 0)
        status = nsc_fail(error, NSC_ENODATA,
                          "%s: no kernels there; widen the window or the filter", options->file);
    else if (options->set[NSC_OPTION_SHEET_FORMAT])
        status = print_sheet(plan, error);
    else
        status = print_script(plan, error);
    nsc_ncu_picks_fini(&plan->picks);
    return status;
}

static enum nsc_status answer(struct plan *plan, struct nsc_error *error)
{
    enum nsc_status status = read_filters(plan, error);

    if (status == NSC_OK)
        status = read_shapes(plan, error);
    if (status == NSC_OK)
        status = print_picks(plan, error);
    nsc_ncu_shapes_fini(&plan->shapes);
    nsc_named_ranges_fini(&plan->include);
    nsc_named_ranges_fini(&plan->exclude);
    return status;
}

enum nsc_status nsc_cmd_ncu_plan(const struct nsc_options *options, struct nsc_error *error)
{
    struct plan plan = {.options = options};
    enum nsc_status status = nsc_loaded_scope_open(&plan.loaded, options, error);

    if (status == NSC_OK)
        status = answer(&plan, error);
    nsc_loaded_scope_close(&plan.loaded);
    return status;
}
