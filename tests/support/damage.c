/* Damages an export page by page, and compares the program's answers with plain SQL. */
#include "support/damage.h"

#include "nsys/generate/generate.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CHECK(what, ...)              \
    do {                              \
        if (!(what)) {                \
            printf(__VA_ARGS__);      \
            printf(" (" #what ")\n"); \
            abort();                  \
        }                             \
    } while (0)

const char *const damage_tables[DAMAGE_TABLES] = {"CUPTI_ACTIVITY_KIND_KERNEL",
                                                  "CUPTI_ACTIVITY_KIND_RUNTIME",
                                                  "CUPTI_ACTIVITY_KIND_MEMCPY",
                                                  "NVTX_EVENTS",
                                                  "StringIds",
                                                  "PROCESSES"};

uint32_t damage_be(const unsigned char *at, int n)
{
    uint32_t value = 0;

    for (int i = 0; i < n; i++)
        value = value << 8 | at[i];
    return value;
}

static void find_leaves(struct damage_file *f, size_t table, uint32_t page)
{
    const unsigned char *at = f->whole.at + (size_t)(page - 1) * f->whole.page;

    if (at[0] == 13) {
        f->leaves[table][f->n_leaves[table]++] = page;
        return;
    }
    for (uint32_t i = 0; i < damage_be(at + 3, 2); i++)
        find_leaves(f, table, damage_be(at + damage_be(at + 12 + 2 * (size_t)i, 2), 4));
    find_leaves(f, table, damage_be(at + 8, 4));
}

static void load_file(struct damage_file *f)
{
    FILE *file = fopen(f->path, "rb");

    CHECK(file, "no memory or file");
    fseek(file, 0, SEEK_END);
    f->whole.n = (size_t)ftell(file);
    rewind(file);
    f->whole.at = malloc(f->whole.n);
    CHECK(f->whole.at, "no memory or file");
    CHECK(fread(f->whole.at, 1, f->whole.n, file) == f->whole.n, "cannot read");
    fclose(file);
    f->whole.page = damage_be(f->whole.at + 16, 2);
    f->whole.page = f->whole.page == 1 ? 65536 : f->whole.page;
}

void damage_save(const struct damage_file *f)
{
    FILE *file = fopen(f->path, "wb");

    CHECK(file, "cannot write %s", f->path);
    CHECK(fwrite(f->copy.at, 1, f->copy.n, file) == f->copy.n, "cannot write %s", f->path);
    CHECK(fclose(file) == 0, "cannot write %s", f->path);
}

static void find_roots(struct damage_file *f)
{
    sqlite3 *db = NULL;

    CHECK(sqlite3_open(f->path, &db) == SQLITE_OK, "no database");
    for (size_t i = 0; i < DAMAGE_TABLES; i++) {
        char *sql =
            sqlite3_mprintf("SELECT rootpage FROM sqlite_master WHERE name = %Q", damage_tables[i]);
        sqlite3_stmt *row = NULL;

        CHECK(sqlite3_prepare_v2(db, sql, -1, &row, NULL) == SQLITE_OK, "no table");
        CHECK(sqlite3_step(row) == SQLITE_ROW, "no table");
        f->root[i] = (uint32_t)sqlite3_column_int(row, 0);
        find_leaves(f, i, f->root[i]);
        sqlite3_finalize(row);
        sqlite3_free(sql);
    }
    sqlite3_close(db);
}

/* Runs the statements on the file; NULL: none. */
static void change_file(const struct damage_file *f, const char *sql)
{
    sqlite3 *db = NULL;

    if (!sql)
        return;
    CHECK(sqlite3_open(f->path, &db) == SQLITE_OK, "no database");
    CHECK(sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK, "%s", sqlite3_errmsg(db));
    CHECK(sqlite3_close(db) == SQLITE_OK, "%s", sql);
}

void damage_open(struct damage_file *f, uint64_t kernels, const char *sql)
{
    struct nsc_generate_options options = NSC_GENERATE_OPTIONS_INIT;

    *f = (struct damage_file){.path = "/tmp/nsc_damage_XXXXXX"};
    close(mkstemp(f->path));
    options.kernels = kernels;
    options.force = true;
    CHECK(nsc_generate(f->path, &options, NULL) == NSC_OK, "no export");
    change_file(f, sql);
    load_file(f);
    find_roots(f);
    f->copy = f->whole;
    f->copy.at = malloc(f->copy.n);
    CHECK(f->copy.at, "no memory");
    damage_mend(f);
}

void damage_close(struct damage_file *f)
{
    free(f->whole.at);
    free(f->copy.at);
    if (!getenv("NSC_KEEP"))
        (void)unlink(f->path);
}

void damage_mend(struct damage_file *f)
{
    memcpy(f->copy.at, f->whole.at, f->copy.n);
}

unsigned char *damage_page(struct damage_file *f, uint32_t page)
{
    return f->copy.at + (size_t)(page - 1) * f->copy.page;
}

/* ---- damage ---- */

static void change(unsigned char *at, size_t page, const uint8_t op[DAMAGE_OP])
{
    size_t where = damage_be(op + 1, 2) % page;
    uint32_t cells = damage_be(at + 3, 2) ? damage_be(at + 3, 2) : 1;
    size_t a = 8 + 2 * (size_t)(damage_be(op + 3, 2) % cells) % (page - 10);
    size_t b = 8 + 2 * (size_t)(damage_be(op + 5, 2) % cells) % (page - 10);
    unsigned char kept[2] = {at[a], at[a + 1]};

    switch (op[0] % 6) {
    case 0:
        at[op[1] % 8] ^= (unsigned char)(1u << op[2] % 8);
        break;
    case 1:
        at[a + op[1] % 2] = op[7];
        break;
    case 2:
        memmove(at + a, at + b, 2);
        memcpy(at + b, kept, 2);
        break;
    case 3: /* the row id, after a size of one or two bytes */
        at[damage_be(at + a, 2) % (page - 4) + 1 + op[1] % 3] = op[7];
        break;
    case 4:
        memset(at + where, 0, op[7] % 64u < page - where ? op[7] % 64u : page - where);
        break;
    default:
        at[where] = op[7];
    }
}

void damage_apply(struct damage_file *f, const uint8_t *ops, size_t n)
{
    size_t table;
    uint32_t page;

    if (n < 4)
        return;
    table = ops[0] % DAMAGE_TABLES;
    page = f->leaves[table][damage_be(ops + 1, 3) % f->n_leaves[table]];
    for (size_t at = 4; at + DAMAGE_OP <= n; at += DAMAGE_OP)
        change(damage_page(f, page), f->copy.page, ops + at);
}

/* ---- answers of the program ---- */

struct subject {
    struct nsc_capture *capture;
    struct nsc_trace *trace;
};

static struct damage_answer load(struct subject *out, const char *path, unsigned threads,
                                 bool no_pages)
{
    struct nsc_open_options options = NSC_OPEN_OPTIONS_INIT;
    struct nsc_error error = {NSC_OK, ""};
    struct damage_answer answer = {.mix = 1};

    *out = (struct subject){NULL, NULL};
    options.threads = threads;
    options.no_pages = no_pages;
    answer.status = nsc_capture_open(&out->capture, path, &options, &error);
    if (answer.status == NSC_OK)
        answer.status = nsc_capture_load(&out->trace, out->capture, NULL, &error);
    memcpy(answer.text, error.text, sizeof answer.text);
    if (answer.status == NSC_OK) {
        const struct nsc_events *events = nsc_trace_events(out->trace);

        answer.n_events = events->n;
        (void)nsc_capture_damage(out->capture, &answer.n_damage);
        for (uint32_t i = 0; i < events->n; i++)
            answer.mix = answer.mix * 0x100000001b3u ^ (uint64_t)events->start[i] ^
                         (uint64_t)nsc_event_end(events, i) << 7 ^ events->name[i] ^
                         (uint64_t)events->source[i] << 32;
    }
    return answer;
}

static void forget(struct subject *subject)
{
    nsc_trace_free(subject->trace);
    nsc_capture_close(subject->capture);
}

/* ---- answers of plain SQL ---- */

struct row {
    int64_t start, end;
    bool is_there, is_whole; /* both are integers */
};

struct truth {
    struct row row[1 << 16]; /* by row id */
    uint64_t n;
    bool is_ordered;
    int rc; /* of the last step */
};

static void read_truth(struct truth *out, sqlite3 *db, const char *table)
{
    bool is_meta = strcmp(table, "StringIds") == 0 || strcmp(table, "PROCESSES") == 0;
    char *sql = sqlite3_mprintf("SELECT rowid, %s FROM %s NOT INDEXED",
                                is_meta ? "*" : "start, end", table);
    sqlite3_stmt *row = NULL;
    int64_t last = INT64_MIN;
    int rc;

    memset(out, 0, sizeof *out);
    out->is_ordered = true;
    rc = sqlite3_prepare_v2(db, sql, -1, &row, NULL);
    sqlite3_free(sql);
    while (rc == SQLITE_OK || rc == SQLITE_ROW) {
        int64_t id;

        rc = sqlite3_step(row);
        if (rc != SQLITE_ROW)
            break;
        id = sqlite3_column_int64(row, 0);
        out->is_ordered &= out->n == 0 || id > last;
        last = id;
        out->n++;
        if (id < 0 || id >= 1 << 16)
            continue;
        out->row[id] =
            (struct row){sqlite3_column_int64(row, 1), sqlite3_column_int64(row, 2), true,
                         sqlite3_column_type(row, 1) == SQLITE_INTEGER &&
                             sqlite3_column_type(row, 2) == SQLITE_INTEGER};
    }
    out->rc = rc;
    sqlite3_finalize(row);
}

static void check_table(const struct subject *subject, sqlite3 *db, const char *table,
                        struct truth *truth)
{
    const struct nsc_events *events = nsc_trace_events(subject->trace);
    uint32_t n;
    const struct nsc_table_status *reports = nsc_capture_tables(subject->capture, &n);
    uint32_t r = 0;
    uint64_t counted;

    while (r < n && strcmp(reports[r].name, table) != 0)
        r++;
    CHECK(r < n, "wrong");
    read_truth(truth, db, table);
    if (truth->rc != SQLITE_DONE || !truth->is_ordered)
        CHECK(false, "%s is answered from; SQL ends with %d after %llu rows, %s", table, truth->rc,
              (unsigned long long)truth->n, truth->is_ordered ? "in order" : "out of order");
    if (strcmp(table, "StringIds") == 0 || strcmp(table, "PROCESSES") == 0)
        return;
    if (reports[r].rows != truth->n)
        CHECK(false, "%s: %llu rows, SQL says %llu", table, (unsigned long long)reports[r].rows,
              (unsigned long long)truth->n);
    counted = reports[r].events;
    for (int skip = 0; skip < NSC_N_SKIPS; skip++)
        counted += reports[r].skipped[skip];
    if (strcmp(table, "NVTX_EVENTS") != 0)
        CHECK(counted == truth->n, "%s: %llu rows counted", table, (unsigned long long)counted);
    for (uint32_t i = 0; i < events->n; i++) {
        const struct row *row = &truth->row[events->source[i] & 0xffff];

        if (strcmp(nsc_kind_table((enum nsc_kind)events->kind[i]), table) != 0 ||
            strcmp(table, "NVTX_EVENTS") == 0 || events->source[i] > 0xffff)
            continue;
        if (!row->is_there || !row->is_whole || row->start != events->start[i] ||
            row->end != nsc_event_end(events, i))
            CHECK(false, "%s: row %u is another one to SQL", table, events->source[i]);
    }
}

static void check_answer(const struct damage_file *f, const struct subject *subject)
{
    static struct truth truth;
    char uri[128];
    sqlite3 *db = NULL;

    snprintf(uri, sizeof uri, "file:%s?immutable=1", f->path);
    CHECK(sqlite3_open_v2(uri, &db, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, NULL) == SQLITE_OK,
          "SQL cannot open it");
    CHECK(sqlite3_exec(db, "PRAGMA cell_size_check=ON", NULL, NULL, NULL) == SQLITE_OK,
          "SQL cannot open it");
    for (size_t i = 0; i < DAMAGE_TABLES; i++)
        check_table(subject, db, damage_tables[i], &truth);
    sqlite3_close(db);
}

struct damage_answer damage_ask(const struct damage_file *f, unsigned threads, bool no_pages)
{
    struct subject subject;
    struct damage_answer answer = load(&subject, f->path, threads, no_pages);

    if (answer.status == NSC_OK)
        check_answer(f, &subject);
    else
        CHECK(answer.status == NSC_EDAMAGED, "status %d: %s", (int)answer.status, answer.text);
    forget(&subject);
    return answer;
}
