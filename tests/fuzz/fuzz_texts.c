/* Any bytes as one of the texts from outside. FUZZ names the text: one program each. */
#include "analysis/hotspots/phases.h"
#include "analysis/job/merge.h"
#include "analysis/ncu/ncu.h"
#include "core/units.h"
#include "nsys/jobs/query.h"
#include "query/answer_file.h"
#include "serve/protocol.h"
#include "support/filter_print.h"
#include "tui/keys.h"

#include <assert.h>
#include <dirent.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
void fuzz_filter(struct nsc_text text);
void fuzz_sql(struct nsc_text text);
void fuzz_skill(struct nsc_text text);
void fuzz_ncu(struct nsc_text text);
void fuzz_report(struct nsc_text text);
void fuzz_phases(struct nsc_text text);
void fuzz_units(struct nsc_text text);
void fuzz_terminal(struct nsc_text text);
void fuzz_protocol(struct nsc_text text);

/* The text with a NUL, for functions that take one; free it. */
static char *copy_of(struct nsc_text text)
{
    return nsc_xcopy(text.bytes, text.n);
}

/* A filter, printed in its plainest form, is read as an equal one. Quotes and backslashes make it
 * longer than it was: beyond the limit it is refused. */
void fuzz_filter(struct nsc_text text)
{
    struct nsc_filter *filter = NULL;
    struct nsc_filter *again = NULL;
    struct nsc_buf line = NSC_BUF_INIT(1u << 26);
    struct nsc_error error = {0};

    if (text.n > NSC_FILTER_BYTES || nsc_filter_parse(&filter, text, &error) != NSC_OK)
        return;
    filter_print(&line, filter);
    if (nsc_filter_parse(&again, nsc_text_of_buf(&line), &error) == NSC_OK) {
        if (!filter_equal(filter, again))
            abort();
    } else if (line.n <= NSC_FILTER_BYTES) {
        abort();
    }
    nsc_filter_free(again);
    nsc_filter_free(filter);
    nsc_buf_fini(&line);
}

/* A folder of this process, removed when it ends. */
static char folder[64] = "";

static void remove_folder(void)
{
    char command[128];

    (void)snprintf(command, sizeof command, "rm -rf %s", folder);
    if (system(command) != 0)
        perror(folder);
}

static void make_folder(void)
{
    if (folder[0])
        return;
    strcpy(folder, "/tmp/nsyscope-fuzz-XXXXXX");
    if (!mkdtemp(folder) || atexit(remove_folder) != 0)
        abort();
}

/* An export of two tables; no query may change it or put a file beside it. */
static const char *make_export(struct stat *before)
{
    static char path[96] = "";
    static struct stat made;

    make_folder();
    if (!path[0]) {
        sqlite3 *db = NULL;

        (void)snprintf(path, sizeof path, "%s/e.sqlite", folder);
        if (sqlite3_open(path, &db) != SQLITE_OK ||
            sqlite3_exec(
                db,
                "CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT NOT NULL);"
                "INSERT INTO StringIds VALUES (1, 'a'), (2, 'b');"
                "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, "
                "deviceId INTEGER, contextId INTEGER, streamId INTEGER, shortName INTEGER, "
                "demangledName INTEGER);"
                "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (1, 2, 0, 1, 7, 1, 2)",
                NULL, NULL, NULL) != SQLITE_OK)
            abort();
        sqlite3_close(db);
        if (stat(path, &made) != 0)
            abort();
    }
    *before = made;
    return path;
}

static int count_entries(const char *path)
{
    DIR *list = opendir(path);
    int n = 0;

    assert(list);
    while (readdir(list))
        n++;
    closedir(list);
    return n;
}

void fuzz_sql(struct nsc_text text)
{
    /* promises of fuzz/sql: A46 */
    struct nsc_open_options options = NSC_OPEN_OPTIONS_INIT;
    struct nsc_relation *rows = NULL;
    struct nsc_error error = {0};
    struct stat before;
    struct stat after;
    const char *path = make_export(&before);
    char *sql = copy_of(text);
    const struct nsc_query_ask ask = {
        .path = path, .options = &options, .sql = sql, .limits = {100, 1 << 20, 50}};
    int column = -1;

    if (nsc_query_run(&rows, &ask, &column, &error) == NSC_OK)
        nsc_relation_free(rows);
    else if (!error.text[0])
        abort();
    if (stat(path, &after) != 0 || after.st_size != before.st_size ||
        after.st_mtim.tv_nsec != before.st_mtim.tv_nsec)
        abort();
    assert(count_entries(folder) == 3); /* ".", ".." and the export */
    free(sql);
}

void fuzz_skill(struct nsc_text text)
{
    struct nsc_answers answers = {0};
    struct nsc_error error = {0};

    if (nsc_answers_add(&answers, "folder/it.sql", text, &error) != NSC_OK)
        assert(answers.list.n == 0 && error.text[0]);
    for (size_t i = 0; i < answers.list.n; i++) {
        const struct nsc_skill *skill = &answers.list.at[i]->skill;

        assert(skill->name[0] && skill->question[0] && answers.list.at[i]->sheets.at[0].sql[0]);
    }
    nsc_answers_fini(&answers);
}

void fuzz_ncu(struct nsc_text text)
{
    struct nsc_ncu ncu = {0};
    struct nsc_error error = {0};

    if (nsc_ncu_read(&ncu, text, &error) != NSC_OK)
        assert(ncu.launches.n == 0 && error.text[0]);
    nsc_ncu_fini(&ncu);
}

void fuzz_report(struct nsc_text text)
{
    struct nsc_merge *merge = calloc(1, sizeof *merge);
    struct nsc_json_tree tree = {0};
    struct nsc_sheets sheets = {0};
    struct nsc_error error = {0};

    assert(merge);
    if (nsc_json_parse(&tree, text, &error) == NSC_OK) {
        nsc_merge_init(merge);
        for (int rank = 0; rank < 2; rank++) /* its own figures twice: a job of two ranks */
            if (nsc_merge_add(merge, &tree, rank ? "b" : "a", &error) == NSC_OK)
                nsc_merge_sheets(&sheets, merge, 10);
        nsc_sheets_fini(&sheets);
        nsc_merge_fini(merge);
    }
    nsc_json_fini(&tree);
    free(merge);
}

void fuzz_phases(struct nsc_text text)
{
    struct nsc_phase_map *map = NULL;
    struct nsc_error error = {0};

    if (nsc_phase_map_parse(&map, text, &error) == NSC_OK)
        nsc_phase_map_free(map);
    else if (!error.text[0])
        abort();
}

/* Times and sizes; a valid time is shown without harm. */
void fuzz_units(struct nsc_text text)
{
    char shown[NSC_UNITS_BYTES];
    struct nsc_error error = {0};
    char *word = copy_of(text);
    nsc_time t = 0;
    uint64_t bytes = 0;

    for (int unit = 0; unit < 2; unit++)
        if (nsc_units_parse_time(&t, word, (enum nsc_units_default)unit, &error) == NSC_OK) {
            nsc_units_duration(shown, t, unit == 0);
            assert(strlen(shown) < NSC_UNITS_BYTES);
            nsc_units_instant(shown, t);
            assert(strlen(shown) < NSC_UNITS_BYTES);
        }
    if (nsc_units_parse_bytes(&bytes, word, &error) == NSC_OK) {
        nsc_units_bytes(shown, bytes);
        assert(strlen(shown) < NSC_UNITS_BYTES);
    }
    free(word);
}

/* Checks an input decoded from a terminal's bytes. */
static void check_terminal_input(const struct nsc_input *input)
{
    assert(input->type == NSC_INPUT_KEY || input->type == NSC_INPUT_MOUSE ||
           (input->type == NSC_INPUT_BACKDROP && input->color <= 0xffffff));
}

/* After any bytes, the decoder is at rest when time has passed. */
void fuzz_terminal(struct nsc_text text)
{
    /* promises of fuzz/terminal: B14 */
    static const struct nsc_key_string strings[] = {{"\x1b[A", NSC_KEY_UP}, {"\x1bOP", NSC_KEY_F1}};
    struct nsc_keys keys;
    struct nsc_input input;
    uint64_t now = 1000;

    nsc_keys_init(&keys, strings, 2, text.n % 2 == 0);
    for (uint32_t i = 0; i < text.n; i++) {
        now += (unsigned char)text.bytes[i] % 7 == 0 ? 300 : 1;
        while (nsc_keys_flush(&keys, now, &input))
            check_terminal_input(&input);
        if (nsc_keys_feed(&keys, (unsigned char)text.bytes[i], now, &input))
            check_terminal_input(&input);
    }
    for (int i = 0; i < 8; i++) {
        now += 2000;
        while (nsc_keys_flush(&keys, now, &input))
            check_terminal_input(&input);
    }
    assert(nsc_keys_wait(&keys, now) < 0);
}

/* What the server writes is JSON-RPC, a message a line. */
static void check_messages(const struct nsc_buf *out)
{
    struct nsc_json_tree tree = {0};
    struct nsc_error error = {0};
    struct nsc_text version;

    for (size_t at = 0; at < out->n;) {
        const char *end = memchr(out->bytes + at, '\n', out->n - at);
        size_t n = end ? (size_t)(end - out->bytes) - at : 0;

        assert(end);
        assert(nsc_json_parse(&tree, (struct nsc_text){out->bytes + at, (uint32_t)n}, &error) ==
               NSC_OK);
        assert(nsc_json_get_text(&version, &tree, nsc_json_find(&tree, 0, "jsonrpc")));
        at += n + 1;
    }
    nsc_json_fini(&tree);
}

/* The options of a call are those of its tool: none starts a program or writes a file. */
static void check_call(const struct nsc_tool_call *call)
{
    for (size_t i = 0; i < call->words.words.n && strcmp(call->words.words.at[i], "--") != 0; i++)
        assert(strncmp(call->words.words.at[i], "--llm", 5) != 0 &&
               strncmp(call->words.words.at[i], "--o", 3) != 0 &&
               strncmp(call->words.words.at[i], "-o", 2) != 0);
}

/* Any bytes of a client, after a handshake or without. */
void fuzz_protocol(struct nsc_text text)
{
    static const char hello[] =
        "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{}}\n";
    static const struct nsc_serve_host host = {.version = "1"};
    struct nsc_argv files = {0};
    struct nsc_protocol protocol = {.files = &files};
    struct nsc_buf in = NSC_BUF_INIT(1u << 22);
    struct nsc_buf out = NSC_BUF_INIT(1u << 26);

    nsc_argv_add(&files, "a.sqlite");
    nsc_buf_puts(&in, text.n % 2 ? hello : "");
    nsc_buf_add(&in, text.bytes, text.n);
    for (size_t at = 0; at < in.n;) {
        const char *end = memchr(in.bytes + at, '\n', in.n - at);
        size_t n = end ? (size_t)(end - in.bytes) - at : in.n - at;
        struct nsc_request request;

        nsc_protocol_read(&request, &out, &protocol, (struct nsc_text){in.bytes + at, (uint32_t)n},
                          &host);
        if (request.type == NSC_REQUEST_CALL) {
            check_call(&request.call);
            nsc_protocol_refuse(&out, &request, "not now");
            nsc_tool_call_fini(&request.call);
        }
        at += n + 1;
    }
    check_messages(&out);
    nsc_message_fini(&protocol.message);
    nsc_argv_fini(&files);
    nsc_buf_fini(&in);
    nsc_buf_fini(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size <= 1u << 20)
        FUZZ((struct nsc_text){(const char *)data, (uint32_t)size});
    return 0;
}
