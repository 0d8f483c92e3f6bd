/*
 * One export file, opened and checked: its descriptor, its connections, its header.
 *
 * Only this file opens the export. The descriptor stays open until close, because closing any
 * descriptor of the file would drop SQLite's locks. Connections are read-only and defensive, one
 * per worker.
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
    struct stat stat;     /* at opening */
    uint32_t page_size;   /* bytes */
    uint32_t usable_size; /* page_size minus the reserved bytes */
    uint64_t pages;       /* number in the file */
    uint32_t change_counter;
    bool utf8;            /* the database stores texts as UTF-8 */
    bool pages_ok;        /* header and neighbouring files allow decoding pages directly */
    bool unlocked;        /* the file system has no locks: read without them */
    bool wal;             /* the caller allows a write-ahead log */
    _Atomic bool is_busy; /* another program kept its lock for all of BUSY_MS */
    sqlite3 *db;          /* the main thread's */
    sqlite3_stmt *held;   /* the read transaction of a load; NULL: none */
    sqlite3 *second;      /* opened on demand by nsc_source_second */
};

NSC_NODISCARD enum nsc_status nsc_source_open(struct nsc_source **out, const char *path,
                                              const struct nsc_open_options *options,
                                              struct nsc_error *error);
void nsc_source_close(struct nsc_source *source);
/* A connection beside db; the first call opens it. NULL on failure. */
sqlite3 *nsc_source_second(struct nsc_source *source);
/* Lets a connection only read: no attached file, no views or triggers, an authorizer that allows
 * SELECT alone. */
void nsc_source_set_gate(sqlite3 *db);
/* Prepares the statement that sqlite3_mprintf makes of the format. SQLITE_OK, or the error with *out
 * NULL. */
int nsc_source_prepare(sqlite3_stmt **out, sqlite3 *db, const char *format, ...);
/* Begins a read transaction: until *held is finalized, the connection reads one state of the file
 * and needs no schema again. SQLITE_OK, or the error with *held NULL. */
int nsc_source_begin_read(sqlite3_stmt **held, sqlite3 *db);
/* For a load: begins a read transaction on the main connection, so that no other program starts to
 * write (if the file system has locks). Ignores failure. */
void nsc_source_hold(struct nsc_source *source);
void nsc_source_release(struct nsc_source *source);

/* Size, times, inode and change counter, compared with those at opening. UNREADABLE: errno says
 * why; the file may be the same. */
enum nsc_source_state { NSC_SOURCE_SAME, NSC_SOURCE_CHANGED, NSC_SOURCE_UNREADABLE };
enum nsc_source_state nsc_source_compare(const struct nsc_source *source);
/* Call after every read, with its status. Returns NSC_EIO if the file is no longer the opened one:
 * the data may then be a mixture, and an error only its consequence. */
NSC_NODISCARD enum nsc_status nsc_source_check(const struct nsc_source *source,
                                               enum nsc_status status, struct nsc_error *error);

/* ---- source_fail.c: from an SQLite result code to one line for people ---- */

/* what: "cannot open", "cannot read StringIds of". Sets error; returns its status. */
enum nsc_status nsc_source_fail(const struct nsc_source *source, int rc, const char *what,
                                struct nsc_error *error);

/* Whether a second try may help: after a failed read, which SQLite may report as damage. */
bool nsc_source_can_retry(int rc);
/* Call instead of sqlite3_step. SQLite checks the cells of a page only when it first reads the
 * page, so a damaged one passes the second time. After SQLITE_CORRUPT, this drops all pages that no
 * other statement uses. */
int nsc_source_step(sqlite3_stmt *statement);
/* Call before a table is read again while a second statement is at its rows. */
void nsc_source_forget_pages(sqlite3 *db);

/* ---- pages_check.c: pages that belong to no table, or to two ---- */

/*
 * Both mean that rows are lost: where another page was written over the root of a table, its rows
 * are still in the file, but SQLite reads those of the other page and reports no error.
 *
 * NSC_EDAMAGED if there is such a page. NSC_OK if there is none, if a tree cannot be followed (its
 * reader reports that) or the file changes. Reads interior pages, a leaf of each, and the first bytes
 * of at most 1,024 pages that no tree names.
 */
NSC_NODISCARD enum nsc_status nsc_pages_check(struct nsc_source *source, struct nsc_error *error);

#endif
