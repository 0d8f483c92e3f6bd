/*
 * Which export a file is, by its content: the same for a moved or copied file, another for any
 * other export, whatever its name.
 */
#ifndef NSC_NSYS_IDENTITY_H
#define NSC_NSYS_IDENTITY_H

#include "nsyscope/open.h"

#define NSC_IDENTITY_TEXT 33 /* 32 hexadecimal digits and a NUL */

/*
 * From the size, the change counter, the start of the recording (UTC) and a sample of pages spread
 * over the file, the first and the last among them. Reads at most 64 pages. NSC_EIO when it cannot.
 */
NSC_NODISCARD enum nsc_status nsc_capture_identity(char out[NSC_IDENTITY_TEXT],
                                                   struct nsc_capture *capture,
                                                   struct nsc_error *error);

/* Of several exports: from the identities of all, in order. Of one its own. */
struct nsc_job;
NSC_NODISCARD enum nsc_status nsc_job_identity(char out[NSC_IDENTITY_TEXT], struct nsc_job *job,
                                               struct nsc_error *error);

#endif
