/* Gathers what the envelope says, and writes it. */
#include "serve/envelope.h"

#include "core/text.h"
#include "nsys/jobs/job_load.h"
#include "serve/bound.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    LINES = 5,         /* depth of members with a line of their own */
    FILE_BYTES = 1000, /* of an answer that is bounded, for each file that it names */
    RESERVE = 1 << 10  /* bytes that the status and its reason may take */
};

/* ---- what was opened ---- */

static bool has_file(const struct nsc_envelope *envelope, struct nsc_text path)
{
    for (size_t i = 0; i < envelope->files.n; i++)
        if (nsc_text_is(path, envelope->files.at[i].path))
            return true;
    return false;
}

static void add_tables(struct nsc_envelope *envelope, struct nsc_capture *capture)
{
    uint32_t n = 0;
    const struct nsc_table_status *tables = nsc_capture_tables(capture, &n);

    if (!envelope->tables)
        envelope->tables = nsc_xcalloc(n, sizeof *tables);
    envelope->n_tables = n;
    for (uint32_t i = 0; i < n; i++) {
        uint64_t rows = envelope->tables[i].rows + tables[i].rows;

        envelope->tables[i] = tables[i];
        envelope->tables[i].rows = rows;
    }
}

void nsc_envelope_add_file(struct nsc_envelope *envelope, const struct nsc_trace_info *info,
                           struct nsc_capture *capture)
{
    struct nsc_text path = nsc_text_from(nsc_capture_path(capture));
    struct nsc_envelope_file file = {NULL, info->file_bytes, ""};
    struct nsc_error error = {0};

    if (!envelope->is_json)
        return;
    add_tables(envelope, capture);
    if (has_file(envelope, path))
        return;
    file.path = nsc_xcopy(path.bytes, path.n);
    if (nsc_capture_identity(file.identity, capture, &error) != NSC_OK) {
        file.identity[0] = '\0';
        nsc_argv_add(&envelope->warnings, error.text);
    }
    *NSC_VEC_ADD(&envelope->files) = file;
}

/* ---- the document ---- */

static void begin(struct nsc_json *json, struct nsc_buf *out, unsigned depth)
{
    nsc_json_init(json, out, true);
    json->lines = LINES;
    json->depth = depth;
    json->comma = out->n > 0;
}

/* most: bytes of the answer; 0: no bound. */
static void write_files(struct nsc_json *json, const struct nsc_envelope *envelope, size_t most)
{
    size_t n = most > 0 ? most / FILE_BYTES + 1 : envelope->files.n;

    nsc_json_open(json, "file", '[');
    for (size_t i = 0; i < envelope->files.n && i < n; i++) {
        const struct nsc_envelope_file *file = &envelope->files.at[i];

        nsc_json_open(json, NULL, '{');
        nsc_json_puts(json, "path", file->path);
        nsc_json_uint(json, "bytes", file->bytes);
        nsc_json_puts(json, "identity", file->identity);
        nsc_json_close(json, '}');
    }
    nsc_json_close(json, ']');
}

static void write_window(struct nsc_json *json, const struct nsc_envelope *envelope)
{
    if (!envelope->words[0]) {
        nsc_json_null(json, "window");
        return;
    }
    nsc_json_open(json, "window", '{');
    nsc_json_puts(json, "words", envelope->words);
    nsc_json_int(json, "start_ns", envelope->window.t0);
    nsc_json_int(json, "end_ns", envelope->window.t1);
    nsc_json_close(json, '}');
}

/* The members that are known when the sheets are. */
static void write_head(struct nsc_envelope *envelope, const char *kind, size_t most)
{
    struct nsc_json json;

    if (envelope->head.n > 0)
        return;
    envelope->head.limit = SIZE_MAX;
    begin(&json, &envelope->head, 1);
    nsc_json_open(&json, "schema", '{');
    nsc_json_puts(&json, "name", NSC_ANSWER_SCHEMA);
    nsc_json_int(&json, "version", NSC_ANSWER_VERSION);
    nsc_json_close(&json, '}');
    nsc_json_puts(&json, "kind", kind);
    write_files(&json, envelope, most);
    write_window(&json, envelope);
    nsc_json_list(&json, "warnings", envelope->warnings.words.at, envelope->warnings.words.n);
}

enum nsc_status nsc_envelope_take(struct nsc_envelope *envelope, const struct nsc_sheets *sheets,
                                  const char *kind, size_t most, struct nsc_error *error)
{
    const struct nsc_sheet_style style = {.format = NSC_SHEET_AS_JSON};
    uint64_t left = 0;
    enum nsc_status status = NSC_OK;

    envelope->kind = kind;
    envelope->sheets.limit = SIZE_MAX;
    write_head(envelope, kind, most);
    if (most > 0)
        status = nsc_sheets_write_within(
            &envelope->sheets, &left, sheets, &style,
            most > envelope->head.n + RESERVE ? most - envelope->head.n - RESERVE : 1, error);
    else
        nsc_sheets_write(&envelope->sheets, sheets, &style);
    envelope->left_out += left;
    for (size_t i = 0; i < sheets->list.n; i++)
        envelope->left_out += sheets->list.at[i].n_left_out;
    envelope->rows += nsc_sheets_rows(sheets);
    return status;
}

/* ---- the end ---- */

static const char *status_word(const struct nsc_envelope *envelope, enum nsc_status status)
{
    if (status == NSC_OK)
        return envelope->rows > 0 && !envelope->is_empty ? "ok" : "empty";
    if (status != NSC_ENODATA || envelope->rows == 0)
        return envelope->is_empty ? "empty" : "cannot_answer";
    return "not_assessable";
}

static void write_missing(struct nsc_json *json, const struct nsc_argv *missing)
{
    nsc_json_open(json, "missing", '[');
    for (size_t i = 0; i < missing->words.n; i += 2) {
        nsc_json_open(json, NULL, '{');
        nsc_json_puts(json, "table", missing->words.at[i]);
        nsc_json_puts(json, "record_with", missing->words.at[i + 1]);
        nsc_json_close(json, '}');
    }
    nsc_json_close(json, ']');
}

void nsc_envelope_write(struct nsc_buf *out, struct nsc_envelope *envelope, const char *command,
                        enum nsc_status status, const struct nsc_error *error)
{
    struct nsc_json json;
    char kind[40];

    if (!envelope->is_json || status == NSC_EINVAL || status == NSC_EWRITE ||
        status == NSC_ECANCELLED || (status == NSC_OK && !envelope->kind))
        return;
    (void)snprintf(kind, sizeof kind, "nsyscope.%s", command);
    if (!envelope->kind)
        envelope->words[0] = '\0';
    write_head(envelope, envelope->kind ? envelope->kind : kind, 0);
    nsc_json_init(&json, out, true);
    json.lines = LINES;
    nsc_json_open(&json, NULL, '{');
    nsc_buf_add(out, envelope->head.bytes, envelope->head.n);
    json.comma = true;
    nsc_json_puts(&json, "status", status_word(envelope, status));
    if (status != NSC_OK) {
        nsc_json_puts(&json, "reason", error->text);
        write_missing(&json, &envelope->missing);
    }
    nsc_json_uint(&json, "left_out", envelope->left_out);
    nsc_json_open(&json, "sheets", '[');
    if (envelope->sheets.n > 0)
        nsc_buf_add(out, envelope->sheets.bytes, envelope->sheets.n);
    json.comma = envelope->sheets.n > 0;
    nsc_json_close(&json, ']');
    nsc_json_close(&json, '}');
}

void nsc_envelope_fini(struct nsc_envelope *envelope)
{
    for (size_t i = 0; i < envelope->files.n; i++)
        free(envelope->files.at[i].path);
    NSC_VEC_FINI(&envelope->files);
    nsc_argv_fini(&envelope->warnings);
    nsc_argv_fini(&envelope->missing);
    free(envelope->tables);
    nsc_buf_fini(&envelope->head);
    nsc_buf_fini(&envelope->sheets);
}
