/* Fills cells of an answer's sheets into the sentence of a question's row. */
#include "analysis/base/quantile.h"
#include "analysis/skill/route.h"
#include "core/sum.h"
#include "core/text.h"
#include "core/units.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORD_BYTES = 48 };

/* Whether a row of a sheet is about a GPU; below 0: any. */
static bool is_of_gpu(const struct nsc_sheet *sheet, uint32_t row, int64_t gpu)
{
    const struct nsc_sheet_cell *cell = nsc_sheet_find(sheet, row, "gpu");

    return gpu < 0 || !cell || (cell->is_set && cell->integer == gpu);
}

/* The source of a sentence's cells; sheet NULL: none. */
struct cells {
    const struct nsc_narrowing *narrowing;
    const struct nsc_sheets *sheets;
    const struct nsc_sheet *sheet;
    uint32_t row;
    bool ascii;
};

/* Whether a text cell is empty. */
static bool is_nothing(const struct nsc_sheet *sheet, uint32_t row, uint32_t c)
{
    struct nsc_text text = nsc_sheet_text(sheet, nsc_sheet_at(sheet, row, c));

    return text.n == 0 || nsc_text_is(text, "(none)") || nsc_text_is(text, "(under no range)");
}

/* The row of findings whose number a cell has; NSC_NONE. */
static uint32_t find_finding(const struct nsc_sheet *findings, const struct nsc_sheet *sheet,
                             uint32_t row, const char *key)
{
    uint32_t c = nsc_sheet_column(sheet, nsc_text_from(key));
    uint32_t number = nsc_sheet_column(findings, nsc_text_from("number"));

    for (uint32_t r = 0; c != NSC_NONE && r < nsc_sheet_rows(findings); r++)
        if (nsc_sheet_at(sheet, row, c)->is_set &&
            nsc_sheet_at(findings, r, number)->integer == nsc_sheet_at(sheet, row, c)->integer)
            return r;
    return NSC_NONE;
}

/* Moves from a line of evidence to its finding, or to the one that leads that: "finding", "leader". */
static void find_cause(const struct nsc_sheet **sheet, uint32_t *row, const struct cells *cells,
                       bool is_leader)
{
    const struct nsc_sheet *findings = nsc_sheets_find(cells->sheets, "findings");

    *row = find_finding(findings, *sheet, *row, "number");
    *sheet = findings;
    if (is_leader && *row != NSC_NONE)
        *row = find_finding(findings, findings, *row, "under");
}

/* Whether a row is for an iteration of the warm-up. */
static bool is_warm_up(const struct nsc_sheet *sheet, uint32_t row)
{
    return nsc_text_is(nsc_sheet_find_text(sheet, row, "mark"), "warm-up");
}

static void put_figure(struct nsc_buf *out, const struct nsc_sheet *sheet, uint32_t column,
                       int64_t value)
{
    char text[NSC_UNITS_BYTES];

    (sheet->columns[column].kind == NSC_SHEET_BYTES ? nsc_units_bytes
                                                    : nsc_units_count)(text, (uint64_t)value);
    nsc_buf_puts(out, text);
}

/* Appends the sum of a column over the GPUs. False if there is one, the question names one, or the value is unknown. */
static bool put_all(struct nsc_buf *out, const struct cells *cells, uint32_t column)
{
    const struct nsc_sheet *sheet = cells->sheet;
    int64_t sum = 0;
    uint32_t n = 0;

    for (uint32_t r = 0; r < nsc_sheet_rows(sheet); r++)
        if (nsc_sheet_at(sheet, r, column)->is_set &&
            nsc_text_equal(nsc_sheet_find_text(sheet, r, "direction"),
                           nsc_sheet_find_text(sheet, cells->row, "direction"))) {
            n++;
            sum = nsc_sum(sum, nsc_sheet_at(sheet, r, column)->integer);
        }
    if (n > 1 && cells->narrowing->gpu < 0)
        put_figure(out, sheet, column, sum);
    return n > 1 && cells->narrowing->gpu < 0;
}

/* "median" in per mille; NSC_NONE: no quantile. */
static uint32_t quantile_of(const char *name)
{
    return strcmp(name, "least") == 0    ? 0
           : strcmp(name, "median") == 0 ? 500
           : strcmp(name, "most") == 0   ? 1000
                                         : NSC_NONE;
}

/* Appends a quantile of a column over the iterations without the warm-up. */
static bool put_quantile(struct nsc_buf *out, const struct cells *cells, uint32_t column,
                         uint32_t per_mille)
{
    const struct nsc_sheet *sheet = cells->sheet;
    nsc_time *list = nsc_xcalloc((size_t)nsc_sheet_rows(sheet) + 1, sizeof *list);
    uint32_t n = 0;

    for (uint32_t r = 0; r < nsc_sheet_rows(sheet); r++)
        if (!is_warm_up(sheet, r))
            list[n++] = nsc_sheet_at(sheet, r, column)->integer;
    if (n > 0)
        put_figure(out, sheet, column, nsc_quantile(list, n, per_mille));
    free(list);
    return n > 0;
}

/* Appends the cell of "column", or of "sheet.column": that sheet's first row for the same GPU.
 * False if it is unknown. */
static bool put_cell(struct nsc_buf *out, const struct cells *cells, const char *key, size_t n)
{
    const char *dot = memchr(key, '.', n);
    const struct nsc_sheet *sheet = cells->sheet;
    uint32_t row = cells->row;
    bool is_leader = n == 6 && memcmp(key, "leader", n) == 0;
    uint32_t c;

    if (sheet && strcmp(sheet->key, "evidence") == 0 &&
        (is_leader || (n == 7 && memcmp(key, "finding", n) == 0))) {
        find_cause(&sheet, &row, cells, is_leader);
        key = "finding";
        n = 7;
    }
    if (dot && sheet) {
        char name[WORD_BYTES];
        uint32_t gpu = nsc_sheet_column(sheet, nsc_text_from("gpu"));

        (void)snprintf(name, sizeof name, "%.*s", (int)(dot - key), key);
        n -= (size_t)(dot + 1 - key);
        key = dot + 1;
        c = nsc_sheet_column(sheet, (struct nsc_text){key, (uint32_t)n});
        if (strcmp(name, "all") == 0)
            return put_all(out, cells, c);
        if (quantile_of(name) != NSC_NONE)
            return put_quantile(out, cells, c, quantile_of(name));
        sheet = nsc_sheets_find(cells->sheets, name);
        for (row = 0; sheet && row < nsc_sheet_rows(sheet) && gpu != NSC_NONE; row++)
            if (is_of_gpu(sheet, row, nsc_sheet_at(cells->sheet, cells->row, gpu)->integer))
                break;
    }
    c = sheet && row < nsc_sheet_rows(sheet)
            ? nsc_sheet_column(sheet, (struct nsc_text){key, (uint32_t)n})
            : NSC_NONE;
    if (c == NSC_NONE || !nsc_sheet_at(sheet, row, c)->is_set)
        return false;
    if (sheet->columns[c].kind == NSC_SHEET_TEXT && is_nothing(sheet, row, c))
        return false;
    nsc_sheet_show(out, sheet, row, c, cells->ascii);
    return true;
}

/* Appends text up to end, replacing {N}, {NAME}, {WINDOW} and cells. Returns false if a cell is
 * unknown; it reads "unknown". */
static bool put_part(struct nsc_buf *out, const char *text, const char *end,
                     const struct cells *cells)
{
    char span[NSC_UNITS_SPAN_BYTES];
    bool is_known = true;

    while (text < end) {
        const char *open = memchr(text, '{', (size_t)(end - text));
        const char *close = open ? memchr(open, '}', (size_t)(end - open)) : NULL;
        size_t n = close ? (size_t)(close - open - 1) : 0;

        nsc_buf_add(out, text, (size_t)((close ? open : end) - text));
        if (!close)
            break;
        if (n == 1 && open[1] == 'N') {
            nsc_buf_printf(out, "%" PRId64, cells->narrowing->step);
        } else if (n == 4 && memcmp(open + 1, "NAME", 4) == 0) {
            nsc_buf_puts(out, cells->narrowing->name);
        } else if (n == 6 && memcmp(open + 1, "WINDOW", 6) == 0) {
            nsc_buf_puts(out, nsc_units_window(span, cells->sheet->window, true));
        } else if (!put_cell(out, cells, open + 1, n)) {
            nsc_buf_puts(out, "unknown");
            is_known = false;
        }
        text = close + 1;
    }
    return is_known;
}

/* The same for a whole sentence, without brackets that contain an unknown cell. */
static void put_sentence(struct nsc_buf *out, const char *text, const struct cells *cells)
{
    while (*text) {
        size_t n = strcspn(text, "[");
        const char *end = text[n] ? strchr(text + n, ']') : NULL;
        struct nsc_buf part = NSC_BUF_INIT(SIZE_MAX);

        (void)put_part(out, text, text + n, cells);
        if (!end)
            break;
        if (put_part(&part, text + n + 1, end, cells) && part.n > 0)
            nsc_buf_add(out, part.bytes, part.n);
        nsc_buf_fini(&part);
        text = end + 1;
    }
}

void nsc_people_question_params(struct nsc_buf *out, const struct nsc_people_question *row,
                                const struct nsc_narrowing *narrowing)
{
    put_sentence(out, row->params, &(struct cells){.narrowing = narrowing});
}

/* Whether a row of paths or of a tree is for work outside of ranges. */
static bool is_none(const struct nsc_sheet *sheet, uint32_t row)
{
    uint32_t c = nsc_sheet_column(sheet, nsc_text_from("path"));

    if (c == NSC_NONE && nsc_sheet_column(sheet, nsc_text_from("depth")) != NSC_NONE)
        c = nsc_sheet_column(sheet, nsc_text_from("range"));
    return c != NSC_NONE && is_nothing(sheet, row, c);
}

/* The value of a cell that counts or measures. */
static double value_of(const struct nsc_sheet *sheet, uint32_t row, uint32_t c)
{
    const struct nsc_sheet_cell *cell = nsc_sheet_at(sheet, row, c);

    if (!cell->is_set)
        return 0;
    return sheet->columns[c].kind == NSC_SHEET_PERCENT || sheet->columns[c].kind == NSC_SHEET_NUMBER
               ? cell->number
               : (double)cell->integer;
}

/* Whether a cell of a row contains a text. */
static bool has_text(const struct nsc_sheet *sheet, uint32_t row, const char *text)
{
    for (uint32_t c = 0; c < sheet->n_columns; c++)
        if (sheet->columns[c].kind == NSC_SHEET_TEXT &&
            nsc_text_contains_folded(nsc_sheet_text(sheet, nsc_sheet_at(sheet, row, c)),
                                     nsc_text_from(text)))
            return true;
    return false;
}

/* Whether the title of a finding names a GPU: "GPU 1", "GPUs 0, 2 to 5". */
static bool names_gpu(struct nsc_text title, int64_t gpu)
{
    char text[512];

    (void)snprintf(text, sizeof text, "%.*s", (int)title.n, title.bytes);
    for (char *at = text; (at = strstr(at, "GPU")) != NULL;) {
        at += strspn(at, "GPUs");
        for (char *end = at; *at; at = end + strspn(end, ",")) {
            int64_t first = strtoll(at, &end, 10);
            int64_t last = strncmp(end, " to ", 4) == 0 ? strtoll(end + 4, &end, 10) : first;

            if (end == at)
                break;
            if (first <= gpu && gpu <= last)
                return true;
        }
    }
    return false;
}

/* Whether the finding in a row is assessed, has one of the rules, "": costs time, and is about the GPU in the question. */
static bool has_rule(const struct nsc_sheet *sheet, uint32_t row, const char *rules,
                     const struct nsc_narrowing *narrowing)
{
    struct nsc_text title = nsc_sheet_find_text(sheet, row, "finding");
    struct nsc_text rule = nsc_sheet_find_text(sheet, row, "rule");

    if (nsc_text_is(nsc_sheet_find_text(sheet, row, "severity"), "not assessable") ||
        (narrowing->gpu >= 0 && nsc_text_contains_folded(title, nsc_text_from("GPU ")) &&
         !names_gpu(title, narrowing->gpu)))
        return false;
    return *rules ? nsc_text_contains_folded(nsc_text_from(rules), rule)
                  : nsc_sheet_find(sheet, row, "stands_for_ns")->is_set;
}

/* The column of the direction that the question names; NSC_NONE: it names none, or rows have none. */
static uint32_t direction_column(const struct nsc_sheet *sheet,
                                 const struct nsc_narrowing *narrowing)
{
    return narrowing->direction ? nsc_sheet_column(sheet, nsc_text_from("direction")) : NSC_NONE;
}

/* Whether a row of phases is for the phase in the question, a row of copies for their direction, or
 * a row of names for forward or backward. */
static bool is_asked_for(const struct nsc_sheet *sheet, uint32_t row,
                         const struct nsc_narrowing *narrowing)
{
    const char *rest = narrowing->rest;
    static const char *const directions[][3] = {{"fwd", "forward"}, {"bwd", "backward"}};
    uint32_t c = nsc_sheet_column(sheet, nsc_text_from("phase"));
    struct nsc_text text;

    if (c != NSC_NONE)
        return nsc_text_contains_folded(nsc_text_from(rest),
                                        nsc_sheet_text(sheet, nsc_sheet_at(sheet, row, c)));
    c = direction_column(sheet, narrowing);
    if (c != NSC_NONE)
        return nsc_text_contains_folded(nsc_sheet_text(sheet, nsc_sheet_at(sheet, row, c)),
                                        nsc_text_from(narrowing->direction));
    c = strcmp(sheet->key, "name_totals") == 0 ? nsc_sheet_column(sheet, nsc_text_from("name"))
                                               : NSC_NONE;
    if (c == NSC_NONE)
        return false;
    text = nsc_sheet_text(sheet, nsc_sheet_at(sheet, row, c));
    for (size_t i = 0; i < 2; i++)
        if (nsc_text_contains_any(nsc_text_from(rest), directions[i]) &&
            nsc_text_contains_any(text, directions[i]))
            return true;
    return false;
}

const struct nsc_sheet *nsc_people_question_sheet(uint32_t *at,
                                                  const struct nsc_people_question *row,
                                                  const struct nsc_narrowing *narrowing,
                                                  const struct nsc_sheets *sheets)
{
    size_t n = strcspn(row->sheet, "<>~=");
    const char *text = row->sheet[n] == '~' ? row->sheet + n + 1 : NULL;
    const char *rules = row->sheet[n] == '=' ? row->sheet + n + 1 : NULL;
    const char *by_key = row->sheet[n] && !text && !rules ? row->sheet + n + 1 : NULL;
    double sign = row->sheet[n] == '<' ? -1 : 1;
    char key[WORD_BYTES];
    const struct nsc_sheet *sheet;
    bool is_narrow;
    uint32_t by;

    (void)snprintf(key, sizeof key, "%.*s", (int)n, row->sheet);
    sheet = nsc_sheets_find(sheets, key[0] ? key : row->skill);
    *at = NSC_NONE;
    if (!sheet)
        return NULL;
    by = by_key ? nsc_sheet_column(sheet, nsc_text_from(by_key)) : NSC_NONE;
    for (uint32_t r = 0; r < nsc_sheet_rows(sheet) && *at == NSC_NONE; r++)
        if (is_of_gpu(sheet, r, narrowing->gpu) && is_asked_for(sheet, r, narrowing))
            *at = r;
    is_narrow = direction_column(sheet, narrowing) != NSC_NONE;
    for (uint32_t r = 0; r < nsc_sheet_rows(sheet) && (*at == NSC_NONE || by != NSC_NONE); r++)
        if (is_of_gpu(sheet, r, narrowing->gpu) && !is_none(sheet, r) &&
            (!by_key || !is_warm_up(sheet, r)) &&
            (!is_narrow || is_asked_for(sheet, r, narrowing)) &&
            (!text || has_text(sheet, r, text)) &&
            (!rules || has_rule(sheet, r, rules, narrowing)) &&
            (*at == NSC_NONE ||
             (by != NSC_NONE && sign * value_of(sheet, r, by) > sign * value_of(sheet, *at, by))))
            *at = r;
    return sheet;
}

/* Whether the row of the greatest or least value for any GPU differs from another GPU's by less
 * than 1 %. */
static bool is_tie(const struct nsc_people_question *row, const struct nsc_narrowing *narrowing,
                   const struct nsc_sheet *sheet, uint32_t at)
{
    const char *by_key = strpbrk(row->sheet, "<>");
    uint32_t by = by_key ? nsc_sheet_column(sheet, nsc_text_from(by_key + 1)) : NSC_NONE;

    if (by == NSC_NONE || strncmp(row->sheet, "gpu_summary", 11) != 0 || narrowing->gpu >= 0)
        return false;
    for (uint32_t r = 0; r < nsc_sheet_rows(sheet); r++)
        if (r != at &&
            fabs(value_of(sheet, r, by) - value_of(sheet, at, by)) < value_of(sheet, at, by) / 100)
            return true;
    return false;
}

/* Appends the sum over all names of kernels with the asked text, if there are several and none is left out. */
static void put_sum(struct nsc_buf *out, const struct cells *cells)
{
    const struct nsc_sheet *sheet = cells->sheet;
    char time[NSC_UNITS_BYTES];
    double percent = 0;
    nsc_time sum = 0;
    uint32_t n = 0;

    if (strcmp(sheet->key, "name_totals") != 0 || sheet->n_left_out > 0)
        return;
    for (uint32_t r = 0; r < nsc_sheet_rows(sheet); r++)
        if (nsc_text_is(nsc_sheet_find_text(sheet, r, "kind"), "kernel")) {
            n++;
            sum = nsc_sum(sum, nsc_sheet_find(sheet, r, "gpu_work_ns")->integer);
            percent += nsc_sheet_find(sheet, r, "gpu_work_share")->number;
        }
    if (n < 2)
        return;
    nsc_units_duration(time, sum, cells->ascii);
    nsc_buf_printf(out, " The %u names of kernels below take %s together, %.1f %% of all GPU work.",
                   n, time, percent);
}

void nsc_people_question_answer(struct nsc_buf *out, const struct nsc_people_question *row,
                                const struct nsc_narrowing *narrowing,
                                const struct nsc_sheets *sheets, uint32_t at, bool ascii)
{
    struct cells cells = {.narrowing = narrowing, .sheets = sheets, .row = at, .ascii = ascii};
    uint32_t first;
    const struct nsc_sheet *sheet = nsc_people_question_sheet(&first, row, narrowing, sheets);

    if (at != NSC_NONE) {
        cells.sheet = sheet;
        if (is_tie(row, narrowing, sheet, at))
            nsc_buf_puts(out, "The GPUs differ by less than 1 % in this. ");
        put_sentence(out, row->sentence, &cells);
        put_sum(out, &cells);
    } else if (sheet && nsc_sheet_rows(sheet) > 0 &&
               direction_column(sheet, narrowing) != NSC_NONE) {
        nsc_buf_printf(out, "No copies go %s.", narrowing->direction);
    } else {
        (void)put_part(out, row->none, row->none + strcspn(row->none, "|"), &cells);
    }
}

uint32_t nsc_people_question_named_finding(const struct nsc_sheets *sheets, const char *words)
{
    const struct nsc_sheet *sheet = nsc_sheets_find(sheets, "findings");

    for (uint32_t r = 0; r < nsc_sheet_rows(sheet); r++)
        if (nsc_sheet_find(sheet, r, "stands_for_ns")->is_set &&
            nsc_route_names(nsc_sheet_find_text(sheet, r, "finding"), words))
            return r;
    return NSC_NONE;
}

void nsc_people_question_advice(struct nsc_buf *out, const struct nsc_people_question *row,
                                const struct nsc_sheets *sheets, uint32_t at)
{
    const struct nsc_sheet *steps = nsc_sheets_find(sheets, "evidence");
    const struct nsc_sheet *findings = nsc_sheets_find(sheets, "findings");
    const char *without = strchr(row->none, '|');

    if (at != NSC_NONE)
        nsc_buf_puts(out, row->advice);
    else
        nsc_buf_puts(out, without ? without + 1 : "See what is recorded: nsyscope info FILE.");
    for (uint32_t r = 0; out->n == 0 && r < nsc_sheet_rows(steps); r++)
        if (nsc_text_is(nsc_sheet_find_text(steps, r, "what"), "next step") &&
            find_finding(findings, steps, r, "number") == at)
            nsc_sheet_show(out, steps, r, nsc_sheet_column(steps, nsc_text_from("line")), true);
}
