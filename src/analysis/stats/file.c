/*
 * Reports that are files, NAME.sql beside this: the functions of their statements, and their rows.
 *
 * stats_name(id) is the name of an event, "" of none; stats_known(text) the text without the
 * placeholder of a missing one; stats_place(text) its id in StringIds; stats_memory(kind) a label; stats_rank(process) of MPI;
 * stats_field(id, set, column) of a set of fields.def, with a fourth argument the number of a text;
 * stats_has(set, column) whether the export has that column.
 */
#include "analysis/stats/functions.h"
#include "analysis/stats/rows.h"
#include "core/relation.h"
#include "core/text.h"

#include <string.h>

struct nsc_stats_asking {
    const struct nsc_stats_input *input;
    struct nsc_stats_names names;
    struct nsc_stats_order order;
};

/* ---- functions ---- */

static struct nsc_stats_cell name(struct nsc_stats_asking *asking,
                                  const struct nsc_stats_cell args[NSC_STATS_ARGS])
{
    if (args[0].form == NSC_STATS_EMPTY)
        return nsc_cell_of_text(nsc_text_from(""));
    return nsc_cell_of_text(nsc_stats_name(&asking->names, (nsc_event)args[0].integer));
}

static struct nsc_stats_cell known(struct nsc_stats_asking *asking,
                                   const struct nsc_stats_cell args[NSC_STATS_ARGS])
{
    (void)asking;
    return nsc_cell_of_text(nsc_stats_known(args[0].text));
}

static struct nsc_stats_cell place(struct nsc_stats_asking *asking,
                                   const struct nsc_stats_cell args[NSC_STATS_ARGS])
{
    return nsc_cell_of_int(nsc_stats_order_of(&asking->order, args[0].text));
}

static struct nsc_stats_cell memory(struct nsc_stats_asking *asking,
                                    const struct nsc_stats_cell args[NSC_STATS_ARGS])
{
    if (args[0].form == NSC_STATS_EMPTY || args[0].integer < 0)
        return nsc_cell_empty();
    return nsc_cell_of_text(nsc_stats_memory_kind(asking->input, args[0].integer));
}

/* The rank of a process. */
static struct nsc_stats_cell rank(struct nsc_stats_asking *asking,
                                  const struct nsc_stats_cell args[NSC_STATS_ARGS])
{
    const struct nsc_fields *ranks = asking->input->fields[NSC_STATS_FIELDS_MPI_RANKS];
    int64_t id;

    for (uint32_t row = 0; ranks && row < ranks->n; row++)
        if (nsc_fields_int(&id, ranks, 0, row) &&
            (uint64_t)id >> 24 == ((uint64_t)args[0].integer & 0xffffffffff))
            return nsc_cell_of_field(ranks, 1, row);
    return nsc_cell_empty();
}

/* The set of fields.def with this name. */
static enum nsc_stats_fields_id set_of(struct nsc_text name)
{
    static const char *const sets[] = {
#define NSC_STATS_FIELDS(id, ...) #id,
#include "analysis/stats/fields.def"
    };
    int i = 0;

    while (i + 1 < NSC_N_STATS_FIELDS && !nsc_text_is(name, sets[i]))
        i++;
    return (enum nsc_stats_fields_id)i;
}

static struct nsc_stats_cell field(struct nsc_stats_asking *asking,
                                   const struct nsc_stats_cell args[NSC_STATS_ARGS])
{
    enum nsc_stats_fields_id set = set_of(args[1].text);
    const struct nsc_fields *fields = asking->input->fields[set];
    uint32_t column = (uint32_t)args[2].integer;
    uint32_t row = nsc_fields_find(fields, (nsc_event)args[0].integer);
    struct nsc_stats_cell cell = nsc_cell_of_field(fields, column, row);

    if (cell.form == NSC_STATS_EMPTY || args[3].form != NSC_STATS_EMPTY ||
        nsc_stats_fields_defs[set].asks[column].type == NSC_FIELD_INT)
        return cell;
    return nsc_cell_of_text(nsc_fields_text(fields, column, row));
}

static struct nsc_stats_cell has(struct nsc_stats_asking *asking,
                                 const struct nsc_stats_cell args[NSC_STATS_ARGS])
{
    return nsc_cell_of_int(
        nsc_fields_has(asking->input->fields[set_of(args[0].text)], (uint32_t)args[1].integer));
}

const struct nsc_stats_function nsc_stats_functions[NSC_STATS_FUNCTIONS] = {
    {"stats_name", name}, {"stats_known", known}, {"stats_place", place}, {"stats_memory", memory},
    {"stats_rank", rank}, {"stats_field", field}, {"stats_has", has}};

/* ---- rows ---- */

static void fill_row(void *context, uint32_t row, struct nsc_stats_cell cells[])
{
    const struct nsc_relation *rows = context;

    for (uint32_t c = 0; c < rows->sheet.n_columns; c++) {
        const struct nsc_sheet_cell *cell = nsc_sheet_at(&rows->sheet, row, c);

        if (!cell->is_set)
            cells[c] = nsc_cell_empty();
        else if (rows->columns[c].kind == NSC_SHEET_TEXT)
            cells[c] = nsc_cell_of_text(nsc_sheet_text(&rows->sheet, cell));
        else if (rows->columns[c].kind == NSC_SHEET_NUMBER)
            cells[c] = nsc_cell_of_real(cell->number);
        else
            cells[c] = nsc_cell_of_int(cell->integer);
    }
}

/* Whether there are events that a rule looks at: without rows it has then found nothing. */
static bool has_events(const struct nsc_stats_input *input)
{
    const char *tables = nsc_stats_all[input->id].tables;
    const struct nsc_events *events = nsc_trace_events(input->trace);
    const struct nsc_text word = {tables, (uint32_t)strcspn(tables, ",")};

    for (nsc_event e = 0; nsc_stats_all[input->id].is_rule && e < events->n; e++)
        if (nsc_text_is(word, nsc_kind_word((enum nsc_kind)events->kind[e])) &&
            nsc_stats_has(input, events, e))
            return true;
    return false;
}

enum nsc_status nsc_stats_of_file(const struct nsc_stats_input *input,
                                  const struct nsc_stats_sink *sink)
{
    struct nsc_stats_asking asking = {.input = input};
    struct nsc_relation *rows = NULL;
    enum nsc_status status;
    uint32_t n;

    nsc_stats_names_init(&asking.names, input);
    nsc_stats_order_init(&asking.order, input);
    status = input->ask(&rows, input, &asking);
    n = rows ? nsc_sheet_rows(&rows->sheet) : 0;
    if (n > 0)
        nsc_stats_put_list(sink, NULL, n, fill_row, rows);
    else if (status == NSC_OK && !has_events(input))
        status = NSC_ENODATA;
    nsc_relation_free(rows);
    nsc_stats_order_fini(&asking.order);
    nsc_stats_names_fini(&asking.names);
    return status;
}
