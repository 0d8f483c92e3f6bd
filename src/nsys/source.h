/*
 * One export file, opened by the recipe and checked: its descriptor, its connections, what its
 * header says.
 *
 * Nothing above this file opens the export. The descriptor stays open to the end (closing any
 * descriptor of the file would drop SQLite's locks). Connections are read-only, defensive, and one
 * a worker.
 */
#ifndef NSC_NSYS_SOURCE_H
#define NSC_NSYS_SOURCE_H

#include "nsyscope/open.h"

#include <sqlite3.h>
#include <stdatomic.h>
#include <sys/stat.h>

#define NSC_SOURCE_WORKERS 64

struct nsc_source {
    char *path; /* as given */
    char *uri;  /* absolute, percent-encoded, with mode=ro or immutable=1 */
    int fd;
    struct stat stat;     /* when it was opened */
    uint32_t page_size;   /* bytes */
    uint32_t usable_size; /* page_size less the reserved bytes */
    uint64_t pages;       /* in the file */
    uint32_t change_counter;
    bool utf8;     /* text encoding of the database */
    bool pages_ok; /* nothing in the header or beside the file stands against reading pages directly
                    */
    bool unlocked; /* the file system keeps no locks: read without them */
    _Atomic bool is_busy;                /* another program kept its lock for as long as we wait */
    sqlite3 *db;                         /* the main thread's connection */
    sqlite3 *worker[NSC_SOURCE_WORKERS]; /* opened on demand by nsc_source_connection */
};

NSC_NODISCARD enum nsc_status nsc_source_open(struct nsc_source **out, const char *path,
                                              const struct nsc_open_options *options,
                                              struct nsc_error *error);
void nsc_source_close(struct nsc_source *source);
/* The connection of a worker; the first call of each opens it. NULL, with error set, when it
 * cannot. */
sqlite3 *nsc_source_connection(struct nsc_source *source, unsigned worker, struct nsc_error *error);
/* Begins to read with a connection: until *held is finalized, all it reads is of one state of the
 * file, and nothing but rows has to be read. SQLITE_OK, or why not; *held is NULL then. */
int nsc_source_hold(sqlite3_stmt **held, sqlite3 *db);
/* True when size, times, identity or change counter are not those of nsc_source_open. */
bool nsc_source_changed(const struct nsc_source *source);

/* ---- source_error.c: from an SQLite result code to one line for people ---- */

/* what: "cannot open", "cannot read StringIds of". Sets error and returns the status that fits. */
enum nsc_status nsc_source_fail(const struct nsc_source *source, int rc, const char *what,
                                struct nsc_error *error);

/* Whether it may help to try again: a read that failed, which SQLite may have taken for damage. */
bool nsc_source_may_pass(int rc);
/* To be called before a table is read again after an error: SQLite checks the cells of a page when
 * it is first read, and lets a damaged one pass the second time. No statement may be at a row. */
void nsc_source_forget_pages(sqlite3 *db);

#endif
