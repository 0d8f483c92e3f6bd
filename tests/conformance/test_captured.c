/*
 * Where the ops of CUDA graphs were captured, in every export that has nodes, equals plain SQL that
 * follows the clones by recursion.
 */
#include "support/cm.h"
#include "support/reference.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Both: node, start and thread of what made it (-1: not known), ops. */
static const char *const by_program =
    "SELECT graph_node, coalesce(captured_start, -1) AS made, coalesce(captured_tid, -1) AS tid, "
    "count(*) AS n FROM kernel WHERE graph_node IS NOT NULL GROUP BY 1, 2, 3 ORDER BY 1, 2, 3";

/* A node leads on to its original, if its rows name one. What is left is known if it was made once. */
static const char *const by_sql =
    "WITH RECURSIVE clone AS (SELECT graphNodeId AS node, originalGraphNodeId AS original, "
    "globalTid"
    " >> 24 AS process FROM %s WHERE originalGraphNodeId > 0), "
    "root(node, process, at) AS (SELECT DISTINCT k.graphNodeId, k.globalPid >> 24, k.graphNodeId "
    "FROM CUPTI_ACTIVITY_KIND_KERNEL k WHERE k.graphNodeId > 0 UNION SELECT r.node, r.process, "
    "c.original FROM root r JOIN clone c ON c.node = r.at AND c.process = r.process), "
    "made AS (SELECT graphNodeId AS node, globalTid >> 24 AS process, min(start) AS start, "
    "min(globalTid) & 0xffffff AS tid FROM %s GROUP BY 1, 2 HAVING count(*) = 1), "
    "known AS (SELECT r.node, r.process, m.start, m.tid FROM root r JOIN made m ON m.node = r.at "
    "AND "
    "m.process = r.process WHERE NOT EXISTS (SELECT 1 FROM clone c WHERE c.node = r.at AND "
    "c.process = r.process)) "
    "SELECT k.graphNodeId, coalesce(m.start, -1) AS made, coalesce(m.tid, -1) AS tid, count(*) "
    "FROM "
    "CUPTI_ACTIVITY_KIND_KERNEL k LEFT JOIN known m ON m.node = k.graphNodeId AND m.process = "
    "k.globalPid >> 24 WHERE k.graphNodeId > 0 GROUP BY 1, 2, 3 ORDER BY 1, 2, 3";

static unsigned compared;

static sqlite3_stmt *prepare(sqlite3 *db, const char *sql)
{
    sqlite3_stmt *rows = NULL;

    if (sqlite3_prepare_v2(db, sql, -1, &rows, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(db));
    return rows;
}

/* The table of nodes in the export's schema; NULL: none, or no kernel ran as a node. */
static const char *nodes_of(sqlite3 *db)
{
    static char name[64];
    sqlite3_stmt *row = prepare(
        db,
        "SELECT m.name FROM sqlite_master m, pragma_table_info(m.name) c WHERE m.name IN "
        "('CUDA_GRAPH_EVENTS', 'CUDA_GRAPH_NODE_EVENTS') AND c.name = 'originalGraphNodeId' AND "
        "EXISTS (SELECT 1 FROM sqlite_master k, pragma_table_info(k.name) g WHERE k.name = "
        "'CUPTI_ACTIVITY_KIND_KERNEL' AND g.name = 'graphNodeId')");
    const char *out = NULL;

    if (sqlite3_step(row) == SQLITE_ROW) {
        snprintf(name, sizeof name, "%s", (const char *)sqlite3_column_text(row, 0));
        out = name;
    }
    sqlite3_finalize(row);
    return out;
}

static void check(const char *path)
{
    char command[8192], line[256], wanted[256];
    sqlite3 *db = NULL;
    sqlite3_stmt *rows;
    const char *nodes;
    char *sql;
    FILE *out;

    assert_int_equal(sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
    nodes = nodes_of(db);
    if (!nodes) {
        sqlite3_close(db);
        return;
    }
    sql = sqlite3_mprintf(by_sql, nodes, nodes);
    rows = prepare(db, sql);
    snprintf(command, sizeof command, "%s sql '%s' \"%s\" --format csv", NSC_PROGRAM, path,
             by_program);
    out = popen(command, "r");
    assert_non_null(out);
    assert_non_null(fgets(line, sizeof line, out)); /* the names of the columns */
    while (sqlite3_step(rows) == SQLITE_ROW) {
        snprintf(wanted, sizeof wanted, "%lld,%lld,%lld,%lld",
                 (long long)sqlite3_column_int64(rows, 0), (long long)sqlite3_column_int64(rows, 1),
                 (long long)sqlite3_column_int64(rows, 2),
                 (long long)sqlite3_column_int64(rows, 3));
        assert_non_null(fgets(line, sizeof line, out));
        line[strcspn(line, "\r\n")] = '\0';
        if (strcmp(line, wanted) != 0)
            fail_msg("%s: %s, not %s", path, line, wanted);
        compared++;
    }
    assert_null(fgets(line, sizeof line, out));
    assert_int_equal(pclose(out), 0);
    sqlite3_finalize(rows);
    sqlite3_free(sql);
    sqlite3_close(db);
}

TEST(test_every_export)
{
    assert_true(nsc_test_each_export(check) > 0);
    printf("%u nodes compared\n", compared);
}

TEST_MAIN
{
    return nsc_test_exports() ? nsc_test_run(NULL, NULL) : NSC_TEST_SKIPPED;
}
