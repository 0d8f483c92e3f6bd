/*
 * nsyscope report: writes the hotspot report of each export into a folder or, as JSON, to standard
 * output.
 */
#include "analysis/hotspots/hotspots.h"
#include "cli/cmd/ncu_report.h"
#include "cli/commands.h"
#include "cli/file_name.h"
#include "cli/scope_options.h"
#include "core/outfile.h"
#include "core/outfolder.h"
#include "core/paths.h"
#include "core/text.h"
#include "core/units.h"
#include "open/progress_line.h"
#include "query/answer_file.h"
#include "share/hotspots_write.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#define PHASE_MAP_BYTES (1u << 20)

struct wishes {
    struct nsc_hotspots_query query;
    struct nsc_phase_map *phases; /* owned */
    const char *ncu;              /* a report of Nsight Compute; NULL: none */
    const char *out;              /* a folder; NULL: none */
    const bool *set;              /* the options that are given */
};

/* ---- options ---- */

static enum nsc_status read_phases(struct nsc_phase_map **out, const char *path,
                                   struct nsc_error *error)
{
    struct nsc_buf text = NSC_BUF_INIT(PHASE_MAP_BYTES);
    struct nsc_error why = {0};
    enum nsc_status status;

    if (!path[0])
        return nsc_fail(error, NSC_EINVAL, "--phase-map: give the name of a file");
    status = nsc_file_read(&text, path, PHASE_MAP_BYTES, error);
    if (status == NSC_OK && nsc_phase_map_parse(out, nsc_text_of_buf(&text), &why) != NSC_OK)
        status = nsc_fail(error, NSC_EINVAL, "%s: %s", path, why.text);
    nsc_buf_fini(&text);
    return status == NSC_EIO || status == NSC_EFORMAT ? (error->status = NSC_EINVAL) : status;
}

/* Refuses both names of an option at once. */
static enum nsc_status check_names(const struct nsc_options *options, enum nsc_option one,
                                   enum nsc_option other, struct nsc_error *error)
{
    if (!options->set[one] || !options->set[other])
        return NSC_OK;
    return nsc_fail(error, NSC_EINVAL, "--%s and --%s: two names of one option; give one of them",
                    nsc_option_rows[one].name, nsc_option_rows[other].name);
}

static enum nsc_status parse_wishes(struct wishes *out, const struct nsc_options *options,
                                    struct nsc_error *error)
{
    const char *phases = options->set[NSC_OPTION_PHASE_MAP]
                             ? options->arg[NSC_OPTION_PHASE_MAP][0]
                             : options->arg[NSC_OPTION_PHASES_JSON][0];
    const char *coverage = options->arg[NSC_OPTION_COVERAGE_WARN][0];
    bool json = options->set[NSC_OPTION_JSON];

    *out = (struct wishes){.query = {.kernel_limit = options->kernel_limit, .warn_below = 0.70},
                           .out = options->arg[NSC_OPTION_REPORT_OUT][0],
                           .ncu = options->arg[NSC_OPTION_REPORT_NCU][0],
                           .set = options->set};
    out->query.percentiles = !options->set[NSC_OPTION_NO_KERNEL_PERCENTILES];
    out->query.ask = nsc_answer_tables;
    out->query.map_nvtx = !options->set[NSC_OPTION_NO_NVTX_MAP];
    if (check_names(options, NSC_OPTION_KERNEL_LIMIT, NSC_OPTION_TOP_KERNELS, error) != NSC_OK ||
        check_names(options, NSC_OPTION_PHASE_MAP, NSC_OPTION_PHASES_JSON, error) != NSC_OK)
        return error->status;
    if (!out->out && !json && !options->set[NSC_OPTION_PRINT_SCHEMA])
        return nsc_fail(error, NSC_EINVAL, "report: give --out DIR, --json or --print-schema");
    if (options->n_operands > 1 && (json || options->set[NSC_OPTION_PRINT_SCHEMA]))
        return nsc_fail(error, NSC_EINVAL,
                        "--%s: of one export at a time; --out DIR writes a folder for each",
                        json ? "json" : "print-schema");
    if (out->out && !out->out[0])
        return nsc_fail(error, NSC_EINVAL, "--out: give the name of a folder");
    if (coverage && (!nsc_parse_number(&out->query.warn_below, coverage, "") ||
                     out->query.warn_below < 0 || out->query.warn_below > 1))
        return nsc_fail(error, NSC_EINVAL, "--nvtx-coverage-warn-threshold %s: give 0 to 1",
                        coverage);
    if (phases && read_phases(&out->phases, phases, error) != NSC_OK)
        return error->status;
    out->query.phases = out->phases;
    return NSC_OK;
}

/* ---- output ---- */

static void add_files(struct nsc_folder *folder, const struct nsc_hotspots *report,
                      const struct nsc_hotspots_about *about, const struct wishes *wishes)
{
    struct nsc_buf table = NSC_BUF_INIT(UINT32_MAX);
    const char *name = NULL;
    bool raw_csv = wishes->set[NSC_OPTION_RAW_CSV];
    bool wanted = false;

    nsc_hotspots_write_md(nsc_folder_add(folder, "report.md"), report, about);
    nsc_hotspots_write_json(nsc_folder_add(folder, "report.json"), report, about);
    if (wishes->set[NSC_OPTION_HTML])
        nsc_hotspots_write_html(nsc_folder_add(folder, "report.html"), report, about);
    for (uint32_t i = 0; nsc_hotspots_write_csv(&table, &name, &wanted, report, i, raw_csv); i++) {
        char path[64];

        snprintf(path, sizeof path, "tables/%s", name);
        if (wanted && table.n)
            nsc_buf_join(nsc_folder_add(folder, path), &table);
        else if (wanted)
            (void)nsc_folder_add(folder, path);
        nsc_buf_clear(&table);
    }
    for (size_t i = 0; about->counters && i < about->counters->list.n; i++) {
        const struct nsc_sheet *sheet = &about->counters->list.at[i];
        const struct nsc_sheet_style csv = {.format =
                                                raw_csv ? NSC_SHEET_AS_RAW_CSV : NSC_SHEET_AS_CSV};
        char path[80];

        snprintf(path, sizeof path, "tables/ncu_%s.csv", sheet->key);
        nsc_sheet_write(nsc_folder_add(folder, path), sheet, &csv);
    }
    nsc_buf_fini(&table);
}

static double number_of(const struct nsc_hotspots *report, const char *sheet, uint32_t row,
                        const char *column)
{
    return nsc_hotspots_find(report, sheet, row, column)->number;
}

/* Prints the main results in a few lines. */
static enum nsc_status print_summary(const struct nsc_hotspots *report, const char *folder,
                                     struct nsc_error *error)
{
    struct nsc_buf out = NSC_BUF_INIT(SIZE_MAX);
    int64_t calls = nsc_hotspots_find(report, "kernels", 0, "call_count")->integer;
    uint32_t gpu = nsc_hotspots_greatest(report, "gpu_idle", "idle_pct_of_window");
    bool ascii = nsc_output_is_ascii();

    nsc_buf_puts(&out, "Wrote report to: ");
    nsc_text_clean(&out, nsc_text_from(folder), ascii);
    nsc_buf_puts(&out, "/report.md\n");
    if (calls > 0) {
        nsc_buf_puts(&out, "Top kernel: ");
        nsc_text_clip(
            &out,
            nsc_sheet_find_text(nsc_sheets_find(&report->sheets, "kernels"), 0, "kernel_name"), 100,
            ascii);
        nsc_buf_printf(&out, " (%.1f%% of kernel time, %.1f ms, %" PRId64 " calls)\n",
                       number_of(report, "kernels", 0, "pct_total_kernel_time"),
                       number_of(report, "kernels", 0, "total_time_ms"), calls);
        nsc_buf_printf(&out,
                       "Launches: %" PRId64 " in %.3f s = %.1f launches/s; median kernel %.2f us\n",
                       nsc_hotspots_find(report, "launch_storm", 0, "total_launches")->integer,
                       number_of(report, "launch_storm", 0, "window_s"),
                       number_of(report, "launch_storm", 0, "launches_per_s"),
                       number_of(report, "launch_storm", 0, "p50_kernel_us"));
        nsc_buf_printf(
            &out, "GPU %" PRId64 ": %.1f%% without a kernel, %.1f%% without any work (%.1f ms)\n",
            nsc_hotspots_find(report, "gpu_idle", gpu, "device_id")->integer,
            number_of(report, "gpu_idle", gpu, "idle_pct_of_window"),
            number_of(report, "gpu_idle", gpu, "all_work_idle_pct_of_window"),
            number_of(report, "gpu_idle", gpu, "window_ms"));
    } else {
        nsc_buf_puts(&out, "No kernels in it.\n");
    }
    return nsc_print(&out, error);
}

static enum nsc_status write_folder(const struct nsc_hotspots *report,
                                    const struct nsc_hotspots_about *about,
                                    const struct wishes *wishes, struct nsc_error *error)
{
    static const char *const others[] = {"report.html", "tables/ncu_*.csv", NULL};
    struct nsc_folder folder = {.path = wishes->out, .others = others};
    enum nsc_status status;

    add_files(&folder, report, about, wishes);
    status =
        nsc_folder_write(&folder, wishes->set[NSC_OPTION_FORCE] ? NSC_OUTFILE_REPLACE : 0, error);
    nsc_folder_fini(&folder);
    return status == NSC_OK && !wishes->set[NSC_OPTION_JSON]
               ? print_summary(report, wishes->out, error)
               : status;
}

static enum nsc_status answer(struct nsc_loaded_scope *loaded, struct wishes *wishes,
                              const char *file, const struct nsc_options *options,
                              struct nsc_error *error)
{
    char now[40];
    struct nsc_sheets counters = {0};
    const struct nsc_hotspots_about about = {now, NSC_VERSION, nsc_text_from(nsc_file_leaf(file)),
                                             options->arg[NSC_OPTION_FILTER][0],
                                             wishes->ncu ? &counters : NULL};
    struct nsc_progress_line *line;
    struct nsc_answers tables;
    struct nsc_hotspots report;
    enum nsc_status status = NSC_OK;

    if (wishes->ncu &&
        nsc_ncu_report_read(&counters, wishes->ncu, &loaded->scope, 0, error) != NSC_OK)
        return error->status;
    nsc_units_now(now);
    nsc_answers_init_tables(&tables);
    wishes->query.tables = &tables;
    wishes->query.scope = loaded->scope;
    wishes->query.fields = &loaded->fields.sets;
    line = nsc_progress_line_open(STDERR_FILENO, NSC_PROGRESS_LINE_MS, "questions");
    wishes->query.progress = nsc_progress_line_counters(line);
    nsc_hotspots_build(&report, &wishes->query);
    nsc_progress_line_close(line);
    if (loaded->fields.error.status != NSC_OK) /* a report has no place for missing columns */
        status = nsc_fail(error, loaded->fields.error.status, "%s", loaded->fields.error.text);
    if (wishes->out && status == NSC_OK)
        status = write_folder(&report, &about, wishes, error);
    if (wishes->set[NSC_OPTION_JSON] && status == NSC_OK) {
        struct nsc_buf out = NSC_BUF_INIT(SIZE_MAX);

        nsc_hotspots_write_json(&out, &report, &about);
        status = nsc_print(&out, error);
    }
    nsc_hotspots_fini(&report);
    nsc_answers_fini(&tables);
    nsc_sheets_fini(&counters);
    return status;
}

static enum nsc_status print_schema(const struct nsc_options *options, struct nsc_error *error)
{
    struct nsc_buf out = NSC_BUF_INIT(SIZE_MAX);
    enum nsc_status status = nsc_hotspots_schema(&out, options->file, &options->open, error);

    if (status == NSC_OK)
        status = nsc_print(&out, error);
    nsc_buf_fini(&out);
    return status;
}

static enum nsc_status report_file(struct wishes *wishes, const char *file,
                                   const struct nsc_options *options, struct nsc_error *error)
{
    struct nsc_loaded_scope loaded;
    enum nsc_status status = nsc_loaded_scope_open_file(&loaded, file, options, error);

    if (status == NSC_OK)
        status = answer(&loaded, wishes, file, options, error);
    nsc_loaded_scope_close(&loaded);
    return status;
}

/* Writes each export's report into its own folder below --out, as for that export alone. */
static enum nsc_status report_each(struct wishes *wishes, const struct nsc_options *options,
                                   struct nsc_error *error)
{
    const struct nsc_files files = nsc_options_files(options);
    const char *parent = wishes->out;
    bool is_new = false;
    enum nsc_status status = nsc_check_files(files, options, error);

    if (status == NSC_OK)
        status = nsc_file_folder(&is_new, parent, 0700, error);
    for (unsigned i = 0; i < files.n && status == NSC_OK; i++) {
        struct nsc_buf folder = NSC_BUF_INIT(SIZE_MAX);

        nsc_buf_printf(&folder, "%s/", parent);
        nsc_file_number_name(&folder, files.at[i], i);
        wishes->out = folder.bytes;
        status = report_file(wishes, files.at[i], options, error);
        nsc_buf_fini(&folder);
    }
    if (is_new)
        (void)rmdir(parent); /* if nothing was written */
    return status;
}

enum nsc_status nsc_cmd_report(const struct nsc_options *options, struct nsc_error *error)
{
    struct wishes wishes;
    enum nsc_status status = parse_wishes(&wishes, options, error);

    if (status == NSC_OK && options->set[NSC_OPTION_PRINT_SCHEMA])
        status = print_schema(options, error);
    if (status == NSC_OK && options->n_operands > 1)
        status = report_each(&wishes, options, error);
    else if (status == NSC_OK && (wishes.out || options->set[NSC_OPTION_JSON]))
        status = report_file(&wishes, options->file, options, error);
    nsc_phase_map_free(wishes.phases);
    return status;
}
