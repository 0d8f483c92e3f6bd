/* Runs the statements of stats reports, with functions of their own (analysis/stats/file.c). */
#include "query/stats_answer.h"

#include "query/query_data.h"

#include <string.h>

struct bridge {
    const struct nsc_stats_function *function;
    struct nsc_stats_asking *asking;
};

/* Calls the function with the values as cells. */
static void call(sqlite3_context *out, int n, sqlite3_value **values)
{
    const struct bridge *bridge = sqlite3_user_data(out);
    struct nsc_stats_cell cells[NSC_STATS_ARGS] = {{0}};

    for (int i = 0; i < n && i < NSC_STATS_ARGS; i++) {
        if (sqlite3_value_type(values[i]) == SQLITE_TEXT) {
            cells[i].form = NSC_STATS_STRING;
            cells[i].text.bytes = (const char *)sqlite3_value_text(values[i]);
            cells[i].text.n = (uint32_t)sqlite3_value_bytes(values[i]);
        } else if (sqlite3_value_type(values[i]) != SQLITE_NULL) {
            cells[i].form = NSC_STATS_INT;
            cells[i].integer = sqlite3_value_int64(values[i]);
        }
    }
    cells[0] = bridge->function->call(bridge->asking, cells);
    if (cells[0].form == NSC_STATS_STRING)
        sqlite3_result_text(out, cells[0].text.bytes, (int)cells[0].text.n, SQLITE_TRANSIENT);
    else if (cells[0].form == NSC_STATS_INT)
        sqlite3_result_int64(out, cells[0].integer);
}

enum nsc_status nsc_stats_answer(struct nsc_relation **rows, const struct nsc_stats_input *input,
                                 struct nsc_stats_asking *asking)
{
    const struct nsc_scope scope = {.trace = input->trace,
                                    .mask = input->mask,
                                    .window = input->window,
                                    .has_window = input->has_window};
    const int64_t most = input->arguments.rows;
    const struct nsc_query_bound bound = {
        .name = "rows", .type = NSC_QUERY_BOUND_INT, .integer = most ? most : -1};
    const struct nsc_answer_file *file = nsc_stats_files;
    struct bridge bridges[NSC_STATS_FUNCTIONS];
    struct nsc_trace_query *query;
    struct nsc_error error = {0};
    int column;
    enum nsc_status status = nsc_trace_query_open(&query, true, &error);

    if (status != NSC_OK)
        return status;
    for (size_t i = 0; i < NSC_STATS_FUNCTIONS; i++) {
        bridges[i] = (struct bridge){&nsc_stats_functions[i], asking};
        (void)sqlite3_create_function_v2(query->db, nsc_stats_functions[i].name, -1,
                                         SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS,
                                         &bridges[i], call, NULL, NULL, NULL);
    }
    while (strcmp(file->name, nsc_stats_all[input->id].name) != 0)
        file++;
    nsc_trace_query_show(query, &(struct nsc_trace_query_ground){.scope = &scope});
    nsc_trace_query_bind(query, &bound, 1);
    status = nsc_trace_query_run(rows, query, file->text, NSC_QUERY_FILE, &column, &error);
    nsc_trace_query_close(query);
    return status;
}
