/*
 * Reads the output of share/dump as strictly as another program would: JSON with its parser,
 * protobuf byte by byte. Fails the test if events do not nest, ascend or balance.
 */
#ifndef NSC_TEST_DUMP_CHECK_H
#define NSC_TEST_DUMP_CHECK_H

#include "core/buf.h"
#include "core/json.h"
#include "share/dump.h"

struct dump_seen {
    uint64_t events;   /* slices and instants */
    nsc_time duration; /* of all of them, ns */
    uint64_t arrows;   /* ends of flows */
    uint64_t counters; /* samples */
    uint64_t rows;     /* that hold events */
};

/* The whole dump in memory; fails the test unless its status is wanted. The caller calls fini. */
struct nsc_buf dump_write(const struct nsc_dump_query *query, enum nsc_status wanted);
struct dump_seen dump_check_chrome(struct nsc_text text);
struct dump_seen dump_check_perfetto(struct nsc_text bytes);
struct dump_seen dump_check_speedscope(struct nsc_text text);
/* Lines and the sum of their numbers. */
struct dump_seen dump_check_folded(struct nsc_text text);
struct dump_seen dump_check_csv(struct nsc_text text);
struct dump_seen dump_check_json(struct nsc_text text);
struct dump_seen dump_check_ndjson(struct nsc_text text);
/* Runs the check for the format. */
struct dump_seen dump_check(enum nsc_dump_format format, struct nsc_text text);

#endif
