/*
 * A new export while it is written: a database that replaces nothing before it is complete.
 *
 * It keeps the first error; close returns it.
 */
#ifndef NSC_NSYS_NEW_EXPORT_H
#define NSC_NSYS_NEW_EXPORT_H

#include "core/outfile.h"

#include <sqlite3.h>

struct nsc_new_export {
    sqlite3 *db;
    struct nsc_outfile file;
    int rc; /* the first failure; else SQLITE_OK */
};

/* Opens it in a transaction. NSC_EWRITE if the file cannot be made; NSC_EINVAL if it exists and force
 * is not set. A failure of SQLite is kept. */
NSC_NODISCARD enum nsc_status nsc_new_export_open(struct nsc_new_export *out, const char *path,
                                                  bool force, struct nsc_error *error);
/* Keeps the first failure. */
void nsc_new_export_note(struct nsc_new_export *out, int rc);
void nsc_new_export_run(struct nsc_new_export *out, const char *sql);
/* Puts the file in its place if keep is set and all went well, else removes it. All statements must be
 * finalized. */
NSC_NODISCARD enum nsc_status nsc_new_export_close(struct nsc_new_export *out, bool keep,
                                                   struct nsc_error *error);

#endif
