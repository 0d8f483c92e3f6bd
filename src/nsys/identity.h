/*
 * The identity of an export by its content: equal for a moved or copied file, different for any
 * other export, whatever its name.
 */
#ifndef NSC_NSYS_IDENTITY_H
#define NSC_NSYS_IDENTITY_H

#include "nsyscope/open.h"

#define NSC_IDENTITY_TEXT 33 /* 32 hexadecimal digits and a NUL */

/* Hashes the size, the change counter, the start of the recording (UTC) and at most 64 pages spread
 * over the file, including the first and the last. NSC_EIO on failure. */
NSC_NODISCARD enum nsc_status nsc_capture_identity(char out[NSC_IDENTITY_TEXT],
                                                   struct nsc_capture *capture,
                                                   struct nsc_error *error);

/* The identity of several exports, computed from theirs in order. A single export keeps its own. */
struct nsc_job;
NSC_NODISCARD enum nsc_status nsc_job_identity(char out[NSC_IDENTITY_TEXT], struct nsc_job *job,
                                               struct nsc_error *error);

#endif
