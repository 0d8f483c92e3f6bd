/*
 * The file with an export's bookmarks and view: found by content, locked, merged with what other
 * running programs saved, and never left half written.
 */
#ifndef NSC_CLI_STORE_H
#define NSC_CLI_STORE_H

#include "nsyscope/status.h"

#include "view/model/bookmark.h"

#define NSC_STORE_LIMIT ((size_t)64 << 20) /* bytes of the file */

struct nsc_store;

/*
 * The store of the export with that identity: $XDG_STATE_HOME/nsyscope/<identity>.json, or file
 * when it is not NULL. *out is always set; NSC_EIO says that there is nowhere to save: show it once
 * and go on, loading gives nothing and saving says it again.
 */
NSC_NODISCARD enum nsc_status nsc_store_open(struct nsc_store **out, const char *identity,
                                             const char *file, struct nsc_error *error);
void nsc_store_close(struct nsc_store *store);
/* NULL when there is no place to save. */
const char *nsc_store_path(const struct nsc_store *store);

/*
 * Adds what the file holds to list and session (NULL: not wanted); no file is no failure. On
 * failure (NSC_EIO, NSC_EFORMAT: no file of ours, too large; NSC_EINVAL: of another export) nothing
 * is added.
 */
NSC_NODISCARD enum nsc_status nsc_store_load(struct nsc_store *store, struct nsc_bookmarks *list,
                                             struct nsc_session_state *session,
                                             struct nsc_error *error);
/*
 * Stamps what changed, merges with what the file holds by now, and writes: the list is the merged
 * one afterwards, also when the writing fails. session NULL keeps the one in the file. Waits at
 * most 2 s for other programs, and for the disk: an interactive program calls it in a thread.
 * NSC_EINVAL: the file is of a newer format or another export, and stays as it is.
 */
NSC_NODISCARD enum nsc_status nsc_store_save(struct nsc_store *store, struct nsc_bookmarks *list,
                                             struct nsc_session_state *session,
                                             struct nsc_error *error);
/* The time and a random number, for nsc_app_bookmarks_copy and nsc_bookmarks_set_stamp. */
void nsc_store_stamp(int64_t *utc, uint64_t *random);
/* A one-line notice about the last load or save, safe to show; "" for none. */
const char *nsc_store_notice(const struct nsc_store *store);

/* Reads a bookmarks file of any export, or a session's page with bookmarks in it; the result names the
 * identity. */
NSC_NODISCARD enum nsc_status nsc_store_read(struct nsc_bookmarks *list,
                                             struct nsc_bookmarks_report *report, const char *file,
                                             struct nsc_error *error);

/* The descriptor that holds the lock of path; -1 when one holder keeps it for 2 s. */
int nsc_store_lock(const char *path);
void nsc_store_unlock(int lock);

#endif
