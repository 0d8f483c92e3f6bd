/*
 * Temporary files beside the files that the program writes: removed when the process ends, whatever
 * ends it but SIGKILL, and else by the next writer of the same file.
 */
#ifndef NSC_CORE_TEMPORARY_H
#define NSC_CORE_TEMPORARY_H

#include <stdint.h>

/* Notes a file that this process has made. Returns its slot, for drop; -1 if there is none left: the
 * file is then only removed by its owner. Any thread. */
int nsc_temporary_add(const char *name);
void nsc_temporary_drop(int slot);
/* Removes the noted files from the disk. Async-signal-safe. */
void nsc_temporary_remove_all(void);
/* Removes "<path>.<pid>-<n>.tmp" of this user whose process is gone and which nobody wrote to for age
 * s: processes of another machine may share the folder. age 0: the caller holds a lock of path; then
 * also those of this process. */
void nsc_temporary_clean(const char *path, int64_t age);

#endif
