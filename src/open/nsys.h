/*
 * The nsys programs of this system.
 */
#ifndef NSC_OPEN_NSYS_H
#define NSC_OPEN_NSYS_H

#include "core/argv.h"

/*
 * Adds the programs that may export a report, the newest first: given (--nsys), or $NSYSCOPE_NSYS, of
 * which an empty one stands for none; otherwise those in PATH and in the usual install folders. Starts
 * each of several to get its version.
 */
void nsc_nsys_find(struct nsc_argv *out, const char *given);
/* Appends the version that the program prints, "2023.4.4"; nothing if it prints none. */
void nsc_nsys_version(struct nsc_buf *out, char *program);

#endif
