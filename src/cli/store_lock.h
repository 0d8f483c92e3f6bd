/*
 * The lock beside a kept file, and what dead programs left there.
 */
#ifndef NSC_CLI_STORE_LOCK_H
#define NSC_CLI_STORE_LOCK_H

/* The descriptor that holds the lock of path, or -1 when none is to be had within 2 s. */
int nsc_store_lock(const char *path);
void nsc_store_unlock(int lock);
/* Removes temporary files of path that ended programs of ours left. Only under the lock. */
void nsc_store_clean(const char *path);

#endif
