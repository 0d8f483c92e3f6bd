/* Writes a database as a whole file. */
#include "nsys/generate/new_export.h"

void nsc_new_export_note(struct nsc_new_export *out, int rc)
{
    if (out->rc == SQLITE_OK && rc != SQLITE_OK && rc != SQLITE_DONE && rc != SQLITE_ROW)
        out->rc = rc;
}

void nsc_new_export_run(struct nsc_new_export *out, const char *sql)
{
    if (out->rc == SQLITE_OK)
        nsc_new_export_note(out, sqlite3_exec(out->db, sql, NULL, NULL, NULL));
}

enum nsc_status nsc_new_export_open(struct nsc_new_export *out, const char *path, bool force,
                                    struct nsc_error *error)
{
    enum nsc_status status = nsc_outfile_open(
        &out->file, path, NSC_OUTFILE_DATABASE | (force ? NSC_OUTFILE_REPLACE : 0u), error);

    out->db = NULL;
    out->rc = SQLITE_OK;
    if (status != NSC_OK)
        return status;
    nsc_new_export_note(
        out,
        sqlite3_open_v2(out->file.name, &out->db,
                        SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, NULL));
    nsc_new_export_run(out, "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;"
                            "PRAGMA locking_mode=EXCLUSIVE; PRAGMA cache_size=-65536;"
                            "PRAGMA temp_store=MEMORY; PRAGMA trusted_schema=OFF; BEGIN;");
    return NSC_OK;
}

enum nsc_status nsc_new_export_close(struct nsc_new_export *out, bool keep, struct nsc_error *error)
{
    enum nsc_status status = NSC_OK;

    if (keep)
        nsc_new_export_run(out, "COMMIT");
    nsc_new_export_note(out, sqlite3_close(out->db));
    if (out->rc != SQLITE_OK)
        status = nsc_fail(error, NSC_EWRITE, "%s: %s", out->file.target, sqlite3_errstr(out->rc));
    if (keep && status == NSC_OK)
        status = nsc_outfile_commit(&out->file, error);
    nsc_outfile_drop(&out->file);
    return status;
}
