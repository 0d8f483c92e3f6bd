/*
 * Calls of NCCL with payloads, as its NVTX ranges carry them.
 */
#ifndef NSC_TESTS_NCCL_H
#define NSC_TESTS_NCCL_H

#include "scenarios/scenario.h"

enum { NCCL_INIT = 1 << 24, NCCL_REDUCE, NCCL_GATHER, NCCL_SEND, NCCL_REDOP }; /* schemas */

/* The tables that nsys writes for NCCL's domain, number 1. */
void nccl_schemas(struct scenario *s);
/* An NCCL range with a payload of 24 bytes: an id, then two numbers of 8 bytes or halves of
 * them. */
void nccl_call(struct scenario *s, int64_t thread, const char *name, int schema, uint64_t id,
               uint64_t second, uint64_t third, int64_t start, int64_t end);

#endif
