/* Finds the row that a question means, and fills cells into its sentence. */

#include "analysis/skill/route.h"
#include "core/die.h"
#include "core/text.h"
#include "core/units.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORD_BYTES = 48, GROUP_BYTES = 256, NONE_BYTES = 256 };

static const struct nsc_people_question rows[] = {
#define NSC_QUESTION(words, skill, params, sheet, sentence, none, advice) \
    {words, #skill, params, sheet, sentence, none, advice},
#include "analysis/skill/question.def"
#undef NSC_QUESTION
};
enum { N_ROWS = sizeof rows / sizeof *rows };

/* The words of a question, for the groups of a row. */
struct said {
    const char *text;
    bool has_number, has_name; /* names an iteration; a kernel or range */
};

/* Whether the question has a word of a group; "N" matches an iteration's number, "NAME" a name. */
static bool has_word_of(const struct said *said, const char *group)
{
    struct nsc_route_entry entry = {"", "", group};
    struct nsc_route route;

    if (strcmp(group, "N") == 0)
        return said->has_number;
    if (strcmp(group, "NAME") == 0)
        return said->has_name;
    return nsc_route_find(&route, 1, &entry, 1, said->text) > 0;
}

/* The number of matching groups; a number counts as three, a name as five. 0 if one does not
 * match. */
static uint32_t count_groups(const struct nsc_people_question *row, const struct said *said)
{
    const char *at = row->words;
    uint32_t n = 0;

    while (*at) {
        char group[GROUP_BYTES];
        size_t length = strcspn(at, ",");

        if (length >= sizeof group)
            length = sizeof group - 1;
        memcpy(group, at, length);
        group[length] = '\0';
        if (!has_word_of(said, group))
            return 0;
        n += strcmp(group, "NAME") == 0 ? 5 : strcmp(group, "N") == 0 ? 3 : 1;
        at += length;
        at += strspn(at, ", ");
    }
    return n;
}

static const struct nsc_people_question *find_best(const struct said *said)
{
    const struct nsc_people_question *best = NULL;
    uint32_t most = 0;

    for (uint32_t i = 0; i < N_ROWS; i++) {
        uint32_t n = count_groups(&rows[i], said);

        if (n > most) {
            most = n;
            best = &rows[i];
        }
    }
    return best;
}

const struct nsc_people_question *nsc_people_question_of(const char *skill)
{
    for (uint32_t i = 0; i < N_ROWS; i++)
        if (strcmp(rows[i].skill, skill) == 0)
            return &rows[i];
    return NULL;
}

const struct nsc_people_question *nsc_people_question_overview(void)
{
    return &rows[N_ROWS - 1];
}

bool nsc_people_question_is_about_ranks(const char *question)
{
    struct nsc_route_entry ranks = {"", "", "rank* straggler* laggard*"};
    struct nsc_route_entry late = {"", "", "late later latest"};
    struct nsc_route_entry cpu = {"", "", "launch* kernel* cpu host gpu*"};
    struct nsc_route route;

    return nsc_route_find(&route, 1, &ranks, 1, question) > 0 ||
           (nsc_route_find(&route, 1, &late, 1, question) > 0 &&
            nsc_route_find(&route, 1, &cpu, 1, question) == 0);
}

const struct nsc_people_question *nsc_people_question_elsewhere(const char *question)
{
    static const struct nsc_people_question told[] = {
        {.words = "sm sms multiprocessor*, many number count",
         .sentence = "nsyscope info FILE lists the hardware of each GPU, with its SMs.",
         .advice = "nsyscope info FILE"},
        {.words = "version hostname driver",
         .sentence = "nsyscope info FILE lists the versions and the machine of the recording.",
         .advice = "nsyscope info FILE"},
        {.words = "register*",
         .sentence = "No question is about registers. The Details of a kernel show its registers.",
         .advice = "nsyscope FILE"},
        {.words = "different distinct unique, kernel*",
         .sentence = "No question counts names. nsyscope skill run top_kernels FILE has a row for "
                     "each.",
         .advice = "nsyscope skill run top_kernels FILE"},
        {.words = "per, sync* synchroni* cop* memcpy* call* wait*, step* iteration*",
         .sentence = "Only kernels are counted in each iteration: nsyscope iters FILE. Ask about "
                     "one iteration by its number.",
         .advice = "nsyscope iters FILE"},
        {.words = "larger bigger smaller than, mb mib gb gib kb kib bytes",
         .sentence = "No question counts copies by size. nsyscope skill run copies FILE has their "
                     "sizes in all.",
         .advice = "nsyscope skill run copies FILE"},
    };
    const struct said said = {question, false, false};

    for (size_t i = 0; i < sizeof told / sizeof *told; i++)
        if (count_groups(&told[i], &said) > 0)
            return &told[i];
    return NULL;
}

/* Whether a row is about kernels, ranges, iterations or everything in general, so that a number or
 * name may narrow it. */
static bool is_general(const struct nsc_people_question *row)
{
    static const char *const skills[] = {
        "findings",  "gpu_summary",      "top_kernels", "iteration_stats", "layers",
        "nvtx_tree", "iteration_timing", "name_totals", "breakdown",       "thread_utilization"};

    for (size_t i = 0; row && i < sizeof skills / sizeof *skills; i++)
        if (strcmp(row->skill, skills[i]) == 0)
            return true;
    return !row;
}

const struct nsc_people_question *nsc_people_question_find(const struct nsc_narrowing *narrowing,
                                                           const char *question)
{
    bool is_one = narrowing->has_steps && narrowing->step == narrowing->last_step;
    const struct said rest = {narrowing->rest, false, false};
    const struct said whole = {question, is_one, narrowing->name[0] != '\0'};
    const struct nsc_people_question *best = find_best(&rest);

    if (is_general(best) && (whole.has_number || whole.has_name))
        best = find_best(&whole);
    if (!best && nsc_narrowing_is_any(narrowing))
        best = nsc_people_question_overview();
    return best;
}

/* ---- a name without quotes ---- */

/* Whether the name of a kernel, range or API call contains the word, in any case. */
static bool is_in_names(const struct nsc_trace *trace, const char *word, bool of_calls)
{
    const struct nsc_names *names = nsc_trace_names(trace);
    const struct nsc_events *events = nsc_trace_events(trace);
    uint8_t *seen = nsc_xcalloc((size_t)names->n + 1, 1);
    bool found = false;

    for (nsc_event i = 0; i < events->n && !found; i++) {
        nsc_name name = events->name[i];
        uint8_t kind = events->kind[i];
        bool counts = of_calls ? kind == NSC_KIND_API_RUNTIME || kind == NSC_KIND_API_DRIVER
                               : kind == NSC_KIND_KERNEL || kind == NSC_KIND_NVTX_RANGE;

        if (!counts || name >= names->n || seen[name])
            continue;
        seen[name] = 1;
        found = nsc_text_contains_folded(nsc_trace_string(trace, names->full[name]),
                                         nsc_text_from(word));
    }
    free(seen);
    return found;
}

static bool is_plain(const char *word)
{
    static const char plain[] =
        "take* took spend* spent time* run* ran running cost* duration total average mean median "
        "min max maximum minimum about happen* all any total sum call* called name* number* count* "
        "use* using most least size second seconds than more less big* gpu* cpu host device* "
        "stream* kernel* range* "
        "layer* train training inference "
        "data model code job program process* thread* work* would could should if but as per void "
        "share* fraction percent* part* portion ratio comput* busy go goes went over slower cuda "
        "driver compare* balanc* imbalance against versus batch* python runtime "
        "function* float int const char long fast hour day step* iteration* token* epoch*";
    const struct said said = {word, false, false};

    if (strlen(word) < 4 || nsc_route_is_little(word) || has_word_of(&said, plain))
        return true;
    return find_best(&said) && !is_general(find_best(&said));
}

/* The next word of text that may be a name; false at the end. */
static bool next_name(const char **text, char word[WORD_BYTES])
{
    while (**text) {
        size_t n;

        *text += strspn(*text, " \t,;:?!.()");
        n = strcspn(*text, " \t,;:?!()");
        *text += n;
        if (n == 0 || n >= WORD_BYTES)
            continue;
        memcpy(word, *text - n, n);
        word[n - (word[n - 1] == '.')] = '\0';
        if (!is_plain(word))
            return true;
    }
    return false;
}

/* Cuts "gemms" to "gemm" if only the latter occurs in a name. */
static void cut_plural(char word[WORD_BYTES], const struct nsc_trace *trace)
{
    size_t n = strlen(word);

    if (n < 5 || word[n - 1] != 's' || is_in_names(trace, word, false))
        return;
    word[n - 1] = '\0';
    if (!is_in_names(trace, word, false))
        word[n - 1] = 's';
}

void nsc_people_question_name(struct nsc_narrowing *narrowing, const struct nsc_trace *trace,
                              const char *question)
{
    const struct said rest = {narrowing->rest, false, false};
    const char *at = narrowing->rest;
    const struct nsc_people_question *row;
    char word[WORD_BYTES];
    char first[WORD_BYTES] = "";

    if (narrowing->name[0])
        narrowing->is_call = !is_in_names(trace, narrowing->name, false) &&
                             is_in_names(trace, narrowing->name, true);
    row = narrowing->name[0] ? NULL : nsc_people_question_find(narrowing, question);
    if (narrowing->name[0] || !is_general(row))
        return;
    while (next_name(&at, word)) {
        cut_plural(word, trace);
        narrowing->is_call = !is_in_names(trace, word, false);
        if (!narrowing->is_call ||
            (strncmp(word, "cu", 2) == 0 && is_in_names(trace, word, true))) {
            memcpy(narrowing->name, word, sizeof word);
            return;
        }
        if (!first[0])
            memcpy(first, word, sizeof first);
    }
    narrowing->is_call = false;
    if (has_word_of(&rest,
                    row ? "spent spend* goes cost*" : "take* took pass cost* spent spend* time"))
        memcpy(narrowing->name, first, sizeof first);
}

uint32_t nsc_people_questions_near(const struct nsc_people_question *out[], uint32_t max,
                                   const char *question)
{
    struct nsc_route_entry entries[N_ROWS];
    struct nsc_route routes[N_ROWS];
    static const char *const common[] = {"findings", "idle", "top_kernels"};
    uint32_t n = 0;

    for (uint32_t i = 0; i < N_ROWS; i++)
        entries[i] = (struct nsc_route_entry){rows[i].skill, rows[i].sentence, rows[i].words};
    n = nsc_route_find(routes, max < N_ROWS ? max : N_ROWS, entries, N_ROWS, question);
    for (uint32_t i = 0; i < n; i++)
        out[i] = &rows[routes[i].entry];
    for (uint32_t c = 0; n == 0 && c < 3 && c < max; c++)
        for (uint32_t i = 0; i < N_ROWS; i++)
            if (strcmp(rows[i].skill, common[c]) == 0) {
                out[c] = &rows[i];
                break;
            }
    return n ? n : max < 3 ? max : 3;
}

/* ---- sentences ---- */

static uint32_t column_of(const struct nsc_sheet *sheet, const char *key, size_t n)
{
    for (uint32_t c = 0; c < sheet->n_columns; c++)
        if (strlen(sheet->columns[c].key) == n && memcmp(sheet->columns[c].key, key, n) == 0)
            return c;
    return NSC_NONE;
}

/* Whether a row of a sheet is about a GPU; below 0: any. */
static bool is_of_gpu(const struct nsc_sheet *sheet, uint32_t row, int64_t gpu)
{
    uint32_t c = column_of(sheet, "gpu", 3);
    const struct nsc_sheet_cell *cell = c == NSC_NONE ? NULL : nsc_sheet_at(sheet, row, c);

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

/* Appends the cell of "column", or of "sheet.column": that sheet's first row for the same GPU.
 * False if it is unknown. */
static bool put_cell(struct nsc_buf *out, const struct cells *cells, const char *key, size_t n)
{
    const char *dot = memchr(key, '.', n);
    const struct nsc_sheet *sheet = cells->sheet;
    uint32_t row = cells->row;
    uint32_t c;

    if (dot && sheet) {
        char name[WORD_BYTES];
        uint32_t gpu = column_of(sheet, "gpu", 3);

        (void)snprintf(name, sizeof name, "%.*s", (int)(dot - key), key);
        n -= (size_t)(dot + 1 - key);
        key = dot + 1;
        sheet = nsc_sheets_find(cells->sheets, name);
        for (row = 0; sheet && row < nsc_sheet_rows(sheet) && gpu != NSC_NONE; row++)
            if (is_of_gpu(sheet, row, nsc_sheet_at(cells->sheet, cells->row, gpu)->integer))
                break;
    }
    c = sheet && row < nsc_sheet_rows(sheet) ? column_of(sheet, key, n) : NSC_NONE;
    if (c == NSC_NONE || !nsc_sheet_at(sheet, row, c)->is_set)
        return false;
    if (sheet->columns[c].kind == NSC_SHEET_TEXT && is_nothing(sheet, row, c))
        return false;
    nsc_sheet_show(out, sheet, row, c, cells->ascii);
    return true;
}

/* "1.200 s to 1.400 s (200 ms)" */
static void put_window(struct nsc_buf *out, const struct nsc_sheet *sheet)
{
    char from[NSC_UNITS_BYTES];
    char to[NSC_UNITS_BYTES];
    char length[NSC_UNITS_BYTES];

    if (!sheet)
        return;
    nsc_units_instant(from, sheet->window.t0);
    nsc_units_instant(to, sheet->window.t1);
    nsc_units_duration(length, sheet->window.t1 - sheet->window.t0, true);
    nsc_buf_printf(out, "%s to %s (%s)", from, to, length);
}

/* Appends text up to end, replacing {N}, {NAME}, {WINDOW} and cells. Returns false if a cell is
 * unknown; it reads "unknown". */
static bool put_part(struct nsc_buf *out, const char *text, const char *end,
                     const struct cells *cells)
{
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
            put_window(out, cells->sheet);
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
        struct nsc_buf part = NSC_BUF_INIT(4096);

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
    uint32_t c = column_of(sheet, "path", 4);

    if (c == NSC_NONE && column_of(sheet, "depth", 5) != NSC_NONE)
        c = column_of(sheet, "range", 5);
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

const struct nsc_sheet *nsc_people_question_sheet(uint32_t *at,
                                                  const struct nsc_people_question *row,
                                                  const struct nsc_narrowing *narrowing,
                                                  const struct nsc_sheets *sheets)
{
    size_t n = strcspn(row->sheet, "<>");
    const char *by_key = row->sheet[n] ? row->sheet + n + 1 : NULL;
    double sign = row->sheet[n] == '<' ? -1 : 1;
    char key[WORD_BYTES];
    const struct nsc_sheet *sheet;
    uint32_t by;

    (void)snprintf(key, sizeof key, "%.*s", (int)n, row->sheet);
    sheet = nsc_sheets_find(sheets, key[0] ? key : row->skill);
    *at = NSC_NONE;
    if (!sheet)
        return NULL;
    by = by_key ? column_of(sheet, by_key, strlen(by_key)) : NSC_NONE;
    for (uint32_t r = 0; r < nsc_sheet_rows(sheet); r++)
        if (is_of_gpu(sheet, r, narrowing->gpu) && !is_none(sheet, r) &&
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
    uint32_t by = by_key ? column_of(sheet, by_key + 1, strlen(by_key + 1)) : NSC_NONE;

    if (by == NSC_NONE || strcmp(row->skill, "gpu_summary") != 0 || narrowing->gpu >= 0)
        return false;
    for (uint32_t r = 0; r < nsc_sheet_rows(sheet); r++)
        if (r != at &&
            fabs(value_of(sheet, r, by) - value_of(sheet, at, by)) < value_of(sheet, at, by) / 100)
            return true;
    return false;
}

const struct nsc_people_question *nsc_people_question_next(const struct nsc_people_question *row)
{
    const struct nsc_people_question *next = row + 1;

    return next < rows + N_ROWS && strcmp(next->words, row->words) == 0 &&
                   strcmp(next->skill, row->skill) == 0
               ? next
               : NULL;
}

void nsc_people_question_answer(struct nsc_buf *out, const struct nsc_people_question *row,
                                const struct nsc_narrowing *narrowing,
                                const struct nsc_sheets *sheets, bool ascii)
{
    struct cells cells = {.narrowing = narrowing, .sheets = sheets, .ascii = ascii};
    const struct nsc_sheet *sheet = nsc_people_question_sheet(&cells.row, row, narrowing, sheets);

    if (cells.row != NSC_NONE) {
        cells.sheet = sheet;
        if (is_tie(row, narrowing, sheet, cells.row))
            nsc_buf_puts(out, "The GPUs differ by less than 1 % in this. ");
        put_sentence(out, row->sentence, &cells);
    } else {
        char none[NONE_BYTES];

        (void)snprintf(none, sizeof none, "%.*s", (int)strcspn(row->none, "|"), row->none);
        put_sentence(out, none, &cells);
    }
}

const char *nsc_people_question_advice(const struct nsc_people_question *row, bool has_answer)
{
    const char *without = strchr(row->none, '|');

    if (has_answer)
        return row->advice;
    return without ? without + 1 : "See what is recorded: nsyscope info FILE.";
}
