/*
 * Temporary files and folders beside those that the program writes. They are removed when the
 * process ends. After SIGKILL the next writer of the same file removes them.
 */
#ifndef NSC_CORE_TEMPORARY_H
#define NSC_CORE_TEMPORARY_H

#include <signal.h>
#include <stdint.h>

#define NSC_TEMPORARY_STALE 60 /* s without a write after which a file counts as abandoned */

/* Around making a file and registering it: no signal ends this thread in between. */
void nsc_temporary_begin(sigset_t *before);
void nsc_temporary_end(const sigset_t *before);
/* Registers a file or a folder that this process has made; add a folder before its contents.
 * Returns its slot, for drop; -1 if all slots are taken: then only its owner removes the file. Any
 * thread. */
int nsc_temporary_add(const char *name);
void nsc_temporary_drop(int slot);
/* Removes the noted files from the disk, and from then on each file that is registered: the process
 * ends. Async-signal-safe. */
void nsc_temporary_remove_all(void);
/* Removes the folder with its files and subfolders. Does nothing if it is missing. */
void nsc_temporary_remove_folder(const char *path);
/* Removes files "<path>.<pid>-<n>.tmp" of this user whose process is gone and that nobody wrote to
 * for `age` s: processes of another machine may share the folder. age 0: the caller holds a lock of
 * path; files of this process are then removed too. */
void nsc_temporary_clean(const char *path, int64_t age);
/* As nsc_temporary_clean, for folders and their contents. */
void nsc_temporary_clean_folders(const char *path, int64_t age);

#endif
