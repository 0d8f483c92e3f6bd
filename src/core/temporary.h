/*
 * Temporary files and folders beside those that the program writes. They are removed when the process
 * ends. After SIGKILL the next writer of the same file removes them.
 */
#ifndef NSC_CORE_TEMPORARY_H
#define NSC_CORE_TEMPORARY_H

#include <stdint.h>

#define NSC_TEMPORARY_STALE 60 /* s: a writer that goes on writes more often */

/* Notes a file or a folder that this process has made, a folder before what it holds. Returns its slot, for drop; -1 if there is none left: the
 * file is then only removed by its owner. Any thread. */
int nsc_temporary_add(const char *name);
void nsc_temporary_drop(int slot);
/* Removes the noted files from the disk. Async-signal-safe. */
void nsc_temporary_remove_all(void);
/* Removes the folder, and the files in it and in its folders. Nothing if it is not there. */
void nsc_temporary_remove_folder(const char *path);
/* Removes the file "<path>.<pid>-<n>.tmp" of this user whose process is gone and which nobody wrote to for age
 * s: processes of another machine may share the folder. age 0: the caller holds a lock of path; then
 * also those of this process. */
void nsc_temporary_clean(const char *path, int64_t age);
/* The same for folders, with what is in them. */
void nsc_temporary_clean_folders(const char *path, int64_t age);

#endif
