/* Sums time by phase: of NVTX ranges, and of the kernels launched in them. */
#include "analysis/hotspots/parts.h"
#include "core/sum.h"
#include "core/text.h"

#define RAW_NAMES 10

/* The time of each phase; the last entry is "unmapped". */
struct split {
    const struct nsc_phase_map *map;
    uint32_t n;   /* phases */
    nsc_time *ns; /* n + 1 entries: the last one is unmapped */
    nsc_time all;
};

static uint32_t match_phase(const struct nsc_phase_finder *finder, nsc_str text)
{
    uint32_t phase = nsc_phase_map_find(finder->map, nsc_texts_at(finder->texts, text));

    return phase == NSC_PHASE_NONE ? nsc_phase_map_count(finder->map) : phase;
}

uint32_t nsc_phase_finder_find(struct nsc_phase_finder *finder, nsc_str text)
{
    uint32_t key = finder->sees_digits ? text : nsc_texts_template(finder->texts, text);

    if (key == NSC_NONE)
        return match_phase(finder, text);
    while (finder->known.n <= key)
        *NSC_VEC_ADD(&finder->known) = 0;
    if (finder->known.at[key] == 0)
        finder->known.at[key] = 1 + match_phase(finder, text);
    return finder->known.at[key] - 1;
}

void nsc_phase_finder_init(struct nsc_phase_finder *finder, const struct nsc_phase_map *map,
                           struct nsc_texts *texts)
{
    *finder = (struct nsc_phase_finder){
        .map = map, .texts = texts, .sees_digits = nsc_phase_map_sees_digits(map)};
}

static struct split split_new(const struct nsc_phase_map *map)
{
    uint32_t n = nsc_phase_map_count(map);

    return (struct split){map, n, nsc_xcalloc((size_t)n + 1, sizeof(nsc_time)), 0};
}

static void add_time(struct split *split, uint32_t phase, nsc_time ns)
{
    split->ns[phase] = nsc_sum(split->ns[phase], ns);
    split->all = nsc_sum(split->all, ns);
}

static struct split split_names(struct nsc_hotspots *report, const struct nsc_phase_map *map,
                                const struct nsc_text_totals *names)
{
    struct split split = split_new(map);
    struct nsc_phase_finder finder;

    nsc_phase_finder_init(&finder, map, &report->texts);
    for (size_t i = 0; i < names->n; i++)
        if (names->at[i] >= 0)
            add_time(&split, nsc_phase_finder_find(&finder, (nsc_str)i), names->at[i]);
    NSC_VEC_FINI(&finder.known);
    return split;
}

/* phases: by (pid, phase). pid: UINT64_MAX for all. */
static struct split split_phases(const struct nsc_phase_map *map, const struct nsc_tally *phases,
                                 uint64_t pid)
{
    struct split split = split_new(map);

    for (size_t i = 0; i < phases->rows.n; i++)
        if (pid == UINT64_MAX || phases->rows.at[i].key[0] == pid)
            add_time(&split, (uint32_t)phases->rows.at[i].key[1], phases->rows.at[i].total);
    return split;
}

struct phase_row {
    uint64_t pid;
    struct nsc_text name;
    nsc_time ns;
    double share;
};

/* Adds a row for each phase with any time, the most first, "unmapped" last. */
static void add_split(struct nsc_sheet *sheet, const struct split *split, uint64_t pid)
{
    for (;;) {
        struct phase_row row = {.pid = pid, .name = nsc_text_from("unmapped")};
        uint32_t next = split->n;

        for (uint32_t i = 0; i < split->n; i++)
            if (split->ns[i] > 0 && (next == split->n || split->ns[i] > split->ns[next]))
                next = i;
        if (split->ns[next] <= 0)
            return;
        if (next < split->n)
            row.name = nsc_phase_map_name(split->map, next);
        row.ns = split->ns[next];
        row.share = nsc_percent(row.ns, split->all);
        NSC_SHEET_ADD_ROW(sheet, &row);
        split->ns[next] = 0;
    }
}

void nsc_hotspots_wall_phases(struct nsc_hotspots *report, const struct nsc_text_totals *names)
{
    static const struct nsc_sheet_column columns[] = {
        NSC_COLUMN_TEXT(phase_row, name, "phase"),
        NSC_COLUMN_MS(phase_row, ns, "total_time_ms"),
        NSC_COLUMN_PCT(phase_row, share, "pct_of_nvtx_total", "summed duration of all NVTX ranges"),
        NSC_COLUMN_NS(phase_row, ns, "total_time_ns"),
    };
    struct nsc_sheet *sheet =
        NSC_HOTSPOTS_SHEET(report, "nvtx_phases", "Phases by NVTX time", columns);
    struct split split = split_names(report, report->query->phases, names);

    add_split(sheet, &split, 0);
    nsc_sheet_note(sheet, "nested ranges are added too");
    free(split.ns);
}

#define OF_MAPPED "kernel time attributed to NVTX ranges"

void nsc_hotspots_kernel_phases(struct nsc_hotspots *report, const struct nsc_tally *phases)
{
    static const struct nsc_sheet_column columns[] = {
        NSC_COLUMN_TEXT(phase_row, name, "phase"),
        NSC_COLUMN_MS(phase_row, ns, "total_kernel_time_ms"),
        NSC_COLUMN_PCT(phase_row, share, "pct_of_attributed_kernel_time", OF_MAPPED),
        NSC_COLUMN_NS(phase_row, ns, "total_kernel_time_ns"),
    };
    static const struct nsc_sheet_column pid_columns[] = {
        NSC_COLUMN_ID(phase_row, pid, "pid"),
        NSC_COLUMN_TEXT(phase_row, name, "phase"),
        NSC_COLUMN_MS(phase_row, ns, "total_kernel_time_ms"),
        NSC_COLUMN_PCT(phase_row, share, "pct_of_attributed_kernel_time",
                       OF_MAPPED " of the process"),
        NSC_COLUMN_NS(phase_row, ns, "total_kernel_time_ns"),
    };
    struct nsc_sheet *sheet =
        NSC_HOTSPOTS_SHEET(report, "nvtx_kernel_phases", "Phases by kernel time", columns);
    struct split split = split_phases(report->query->phases, phases, UINT64_MAX);
    struct nsc_tally pids = nsc_hotspots_pid_tally(report);
    uint32_t *order = nsc_tally_sort(&pids, NSC_TALLY_TOTAL, 1, NULL);

    add_split(sheet, &split, 0);
    free(split.ns);
    sheet = NSC_HOTSPOTS_SHEET(report, "nvtx_kernel_phases_by_pid",
                               "Phases by kernel time and process", pid_columns);
    for (size_t i = 0; i < pids.rows.n; i++) {
        uint64_t pid = pids.rows.at[order[i]].key[0];

        split = split_phases(report->query->phases, phases, pid);
        add_split(sheet, &split, pid);
        free(split.ns);
    }
    free(order);
    nsc_tally_fini(&pids);
}

/* ---- without a map: the built-in words ---- */

/* Whether the text is like "iter_12", which is not a phase. */
static bool is_iteration(struct nsc_text text)
{
    return text.n >= 6 && nsc_text_begins(text, "iter_") && text.bytes[5] >= '0' &&
           text.bytes[5] <= '9';
}

/* Adds the names with the greatest totals. names loses those of iterations. */
static void add_raw(struct nsc_hotspots *report, struct nsc_sheet *sheet,
                    struct nsc_text_totals *names)
{
    struct nsc_tally top;
    uint32_t *order;
    nsc_time all = 0;
    size_t n = 0;

    sheet->n_left_out += names->n_texts;
    for (size_t i = 0; i < names->n; i++) {
        all = nsc_sum(all, nsc_later(names->at[i], 0));
        if (names->at[i] >= 0 && is_iteration(nsc_texts_at(&report->texts, (nsc_str)i))) {
            names->at[i] = -1;
            names->n_texts--;
        }
    }
    top = nsc_text_totals_top(names, RAW_NAMES);
    order = nsc_tally_sort(&top, NSC_TALLY_TOTAL, 0, &report->texts);
    for (; n < top.rows.n && n < RAW_NAMES; n++) {
        const struct nsc_tally_row *row = &top.rows.at[order[n]];

        NSC_ADD_ROW(sheet, phase_row, .name = nsc_texts_at(&report->texts, (nsc_str)row->key[0]),
                    .ns = row->total, .share = nsc_percent(row->total, all));
    }
    sheet->n_left_out -= n;
    free(order);
    nsc_tally_fini(&top);
}

void nsc_hotspots_phase_split(struct nsc_hotspots *report, const struct nsc_phase_map *map,
                              const struct nsc_tally *phases, struct nsc_text_totals *names)
{
    static const struct nsc_sheet_column columns[] = {
        NSC_COLUMN_TEXT(phase_row, name, "phase"),
        NSC_COLUMN_MS(phase_row, ns, "total_time_ms"),
        NSC_COLUMN_PCT(phase_row, share, "pct_of_total", "the time that is split"),
        NSC_COLUMN_NS(phase_row, ns, "total_time_ns"),
    };
    struct nsc_sheet *sheet =
        NSC_HOTSPOTS_SHEET(report, "phase_split", "Prefill, decode, sampling", columns);
    struct split split =
        phases ? split_phases(map, phases, UINT64_MAX) : split_names(report, map, names);
    bool has_names = names->n_texts > 0;
    bool any = split.ns[0] > 0 || split.ns[1] > 0 || split.ns[2] > 0;

    if (any)
        add_split(sheet, &split, 0);
    else
        add_raw(report, sheet, names);
    if (has_names)
        nsc_sheet_note(sheet, "of %s%s",
                       phases ? "kernel time attributed to NVTX ranges"
                              : "the time of NVTX ranges, nested ranges added too",
                       any ? "" : "; no range is named like a phase: the longest names");
    free(split.ns);
}
