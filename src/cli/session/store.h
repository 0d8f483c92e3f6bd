/*
 * The file with an export's bookmarks and view: found by content, locked, merged with data saved by
 * other running programs, and never left half written.
 */
#ifndef NSC_CLI_STORE_H
#define NSC_CLI_STORE_H

#include "nsyscope/status.h"

#include "view/model/bookmark.h"

#define NSC_STORE_LIMIT ((size_t)64 << 20) /* most bytes of the file */

struct nsc_store;

/*
 * The store of the export with that identity: $XDG_STATE_HOME/nsyscope/<identity>.json, or file if
 * it is not NULL. *out is always set. NSC_EIO: there is nowhere to save; report it once and
 * continue. Loading then gives nothing, and saving reports it again.
 */
NSC_NODISCARD enum nsc_status nsc_store_open(struct nsc_store **out, const char *identity,
                                             const char *file, struct nsc_error *error);
void nsc_store_close(struct nsc_store *store);
/* NULL if there is nowhere to save. */
const char *nsc_store_path(const struct nsc_store *store);

/*
 * Adds the file's content to list and session (NULL: skip it). A missing file is not a failure. On
 * failure (NSC_EIO; NSC_EFORMAT: not a bookmarks file, or too large; NSC_EINVAL: of another export)
 * adds nothing.
 */
NSC_NODISCARD enum nsc_status nsc_store_load(struct nsc_store *store, struct nsc_bookmarks *list,
                                             struct nsc_session_state *session,
                                             struct nsc_error *error);
/*
 * Stamps changes, merges with the file's present content, and writes. Afterwards list is the merged
 * one, even if writing fails. session NULL keeps the file's. Waits at most 2 s for other programs,
 * and for the disk: interactive programs call it in a thread. NSC_EINVAL: the file has a newer
 * format or is of another export, and stays as it is.
 */
NSC_NODISCARD enum nsc_status nsc_store_save(struct nsc_store *store, struct nsc_bookmarks *list,
                                             struct nsc_session_state *session,
                                             struct nsc_error *error);
/* The time and a random number, for nsc_app_bookmarks_copy and nsc_bookmarks_set_stamp. */
void nsc_store_stamp(int64_t *utc, uint64_t *random);
/* A one-line notice about the last load or save, clean text; "": none. */
const char *nsc_store_notice(const struct nsc_store *store);

/* Reads a bookmarks file of any export, or a session's page with bookmarks. The result has the
 * identity. */
NSC_NODISCARD enum nsc_status nsc_store_read(struct nsc_bookmarks *list,
                                             struct nsc_bookmarks_report *report, const char *file,
                                             struct nsc_error *error);

/* Locks path. Returns the descriptor; -1 if one holder keeps the lock for 2 s, or if `path.lock` is
 * not a lock: then it is not opened. */
int nsc_store_lock(const char *path);
void nsc_store_unlock(int lock);

#endif
