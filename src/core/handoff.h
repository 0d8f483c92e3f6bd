/*
 * Passes records from one task of a run (core/threads.h) to another, in blocks and in order, so that
 * the second works while the first goes on.
 *
 * Holds a few blocks; the writer waits while all are full, the reader while all are empty. Both
 * tasks must run at once: use it only in a pool of two or more threads.
 */
#ifndef NSC_CORE_HANDOFF_H
#define NSC_CORE_HANDOFF_H

#include <stdbool.h>
#include <stddef.h>

struct nsc_handoff;

struct nsc_handoff *nsc_handoff_new(size_t record_bytes);
void nsc_handoff_free(struct nsc_handoff *handoff);

/* The writer: room for the next record, to be filled before the next call. */
void *nsc_handoff_add(struct nsc_handoff *handoff);
/* No record follows. */
void nsc_handoff_end(struct nsc_handoff *handoff);

/* The reader: the next n records, valid until the next call; NULL after the last. */
const void *nsc_handoff_take(struct nsc_handoff *handoff, size_t *n);

#endif
