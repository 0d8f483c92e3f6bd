/*
 * From an SQLite result code to one line for people.
 */
#ifndef NSC_NSYS_SOURCE_ERROR_H
#define NSC_NSYS_SOURCE_ERROR_H

#include "nsys/source.h"

/* what: "cannot open", "cannot read StringIds of". Sets error and returns the status that fits. */
enum nsc_status nsc_source_fail(const struct nsc_source *source, int rc, const char *what,
                                struct nsc_error *error);

/* Whether it may help to try again: a read that failed, which SQLite may have taken for damage. */
bool nsc_source_may_pass(int rc);

#endif
