/*
 * The lock beside a saved file.
 */
#ifndef NSC_CLI_STORE_LOCK_H
#define NSC_CLI_STORE_LOCK_H

/* The descriptor that holds the lock of path; -1 when one holder keeps it for 2 s. */
int nsc_store_lock(const char *path);
void nsc_store_unlock(int lock);

#endif
