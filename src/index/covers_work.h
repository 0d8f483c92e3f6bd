/*
 * Building the covers of a device in steps: of all its rows when a trace is made, of those that a
 * filter keeps while somebody looks.
 */
#ifndef NSC_INDEX_COVERS_WORK_H
#define NSC_INDEX_COVERS_WORK_H

#include "nsyscope/cover.h"

struct nsc_covers_pass;

/* group: an NSC_TRACK_DEVICE track. mask: one bit a row, borrowed until free; NULL: all. */
struct nsc_covers_pass *nsc_covers_work_new(const struct nsc_trace *trace, uint32_t group,
                                            const uint64_t *mask);
void nsc_covers_work_free(struct nsc_covers_pass *work); /* NULL is fine */
/* Looks at about so many rows more; true when all is done. Each row is looked at twice. */
bool nsc_covers_work_step(struct nsc_covers_pass *work, uint64_t rows);
/* Of work that is done: the covers, owned by the caller (nsc_device_covers_fini). False, and all of
 * them NULL, when the memory was refused. */
bool nsc_covers_work_take(struct nsc_covers_pass *work, struct nsc_device_covers *out);

void nsc_device_covers_fini(struct nsc_device_covers *covers);

#endif
