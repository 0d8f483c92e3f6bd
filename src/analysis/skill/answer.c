/*
 * Finds the question that people mean, and puts cells into its sentence.
 */

#include "analysis/skill/route.h"
#include "core/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { WORD_BYTES = 48, GROUP_BYTES = 256 };

static const struct nsc_people_question rows[] = {
#define NSC_QUESTION(words, skill, params, sheet, sentence, none, advice) \
    {words, #skill, params, sheet, sentence, none, advice},
#include "analysis/skill/question.def"
#undef NSC_QUESTION
};
enum { N_ROWS = sizeof rows / sizeof *rows };

/* Whether a word of the question is among those of a group; "N" is any number. */
static bool has_word_of(const char *question, const char *group)
{
    struct nsc_route_entry entry = {"", "", group};
    struct nsc_route route;

    if (strcmp(group, "N") == 0)
        return strpbrk(question, "0123456789") != NULL;
    return nsc_route_find(&route, 1, &entry, 1, question) > 0;
}

/* How many groups match; 0 if one does not. */
static uint32_t count_groups(const struct nsc_people_question *row, const char *question)
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
        if (!has_word_of(question, group))
            return 0;
        n++;
        at += length;
        at += strspn(at, ", ");
    }
    return n;
}

const struct nsc_people_question *nsc_people_question_find(int64_t *number, const char *question)
{
    const char *digits = strpbrk(question, "0123456789");
    const struct nsc_people_question *best = NULL;
    uint32_t most = 0;

    *number = digits ? strtoll(digits, NULL, 10) : -1;
    for (uint32_t i = 0; i < N_ROWS; i++) {
        uint32_t n = count_groups(&rows[i], question);

        if (n > most) {
            most = n;
            best = &rows[i];
        }
    }
    return best;
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

static void put_cell(struct nsc_buf *out, const struct nsc_sheet *sheet, const char *key, size_t n,
                     bool ascii)
{
    for (uint32_t c = 0; c < sheet->n_columns; c++)
        if (strlen(sheet->columns[c].key) == n && memcmp(sheet->columns[c].key, key, n) == 0) {
            if (nsc_sheet_at(sheet, 0, c)->is_set)
                nsc_sheet_show(out, sheet, 0, c, ascii);
            else
                nsc_buf_puts(out, "unknown");
            return;
        }
    nsc_buf_puts(out, "unknown");
}

/* A text with {N} and the cells of the first row; sheet NULL: only {N}. */
static void put_sentence(struct nsc_buf *out, const char *text, int64_t number,
                         const struct nsc_sheet *sheet, bool ascii)
{
    while (*text) {
        size_t n = strcspn(text, "{");
        const char *end = strchr(text, '}');

        nsc_buf_add(out, text, n);
        text += n;
        if (!*text || !end)
            break;
        if (end == text + 2 && text[1] == 'N')
            nsc_buf_printf(out, "%" PRId64, number);
        else if (sheet)
            put_cell(out, sheet, text + 1, (size_t)(end - text - 1), ascii);
        text = end + 1;
    }
}

void nsc_people_question_params(struct nsc_buf *out, const struct nsc_people_question *row,
                                int64_t number)
{
    put_sentence(out, row->params, number, NULL, false);
}

void nsc_people_question_answer(struct nsc_buf *out, const struct nsc_people_question *row,
                                int64_t number, const struct nsc_sheets *sheets, bool ascii)
{
    const struct nsc_sheet *sheet =
        nsc_sheets_find(sheets, row->sheet[0] ? row->sheet : row->skill);

    if (sheet && nsc_sheet_rows(sheet) > 0)
        put_sentence(out, row->sentence, number, sheet, ascii);
    else
        put_sentence(out, row->none, number, NULL, ascii);
}
