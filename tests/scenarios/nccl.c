/*
 * Writes the tables of NCCL's payloads.
 */
#include "scenarios/nccl.h"

#include <stdio.h>

/* The tables that nsys writes for NCCL's domain, number 1. */
void nccl_schemas(struct scenario *s)
{
    static const struct {
        int schema, idx, type;
        const char *name, *offset;
    } entries[] = {
        {NCCL_INIT, 0, 18, "NCCL communicator ID", "NULL"},
        {NCCL_INIT, 1, 5, "No. of ranks", "8"},
        {NCCL_INIT, 2, 5, "Rank", "12"},
        {NCCL_INIT, 3, 5, "CUDA device", "16"},
        {NCCL_REDUCE, 0, 18, "NCCL communicator ID", "NULL"},
        {NCCL_REDUCE, 1, 22, "Message size [bytes]", "8"},
        {NCCL_REDUCE, 2, NCCL_REDOP, "Reduction operation", "16"},
        {NCCL_GATHER, 0, 18, "NCCL communicator ID", "NULL"},
        {NCCL_GATHER, 1, 22, "Message size [bytes]", "8"},
        {NCCL_SEND, 0, 18, "NCCL communicator ID", "NULL"},
        {NCCL_SEND, 1, 22, "Message size [bytes]", "8"},
        {NCCL_SEND, 2, 5, "Peer rank", "16"},
    };

    scenario_sql(s, "CREATE TABLE NVTX_PAYLOAD_SCHEMA_ENTRIES (domainId INTEGER NOT NULL, schemaId "
                    "INTEGER NOT NULL, idx INTEGER NOT NULL, flags INTEGER, type INTEGER, name "
                    "TEXT, description TEXT, arrayOrUnionDetail INTEGER, offset INTEGER)");
    scenario_sql(s, "CREATE TABLE NVTX_PAYLOAD_ENUM_ENTRIES (domainId INTEGER NOT NULL, schemaId "
                    "INTEGER NOT NULL, idx INTEGER NOT NULL, name TEXT, value INTEGER, isFlag "
                    "INTEGER)");
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++)
        scenario_sql(s,
                     "INSERT INTO NVTX_PAYLOAD_SCHEMA_ENTRIES VALUES (1, %d, %d, NULL, %d, '%s', "
                     "NULL, NULL, %s)",
                     entries[i].schema, entries[i].idx, entries[i].type, entries[i].name,
                     entries[i].offset);
    scenario_sql(s, "INSERT INTO NVTX_PAYLOAD_ENUM_ENTRIES VALUES (1, %d, 0, 'Sum', 0, NULL)",
                 NCCL_REDOP);
}

static void put(char *hex, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++)
        snprintf(hex + 2 * i, 3, "%02x", (unsigned)(value >> (8 * i)) & 0xff);
}

/* An NCCL range with a payload of 24 bytes: an id, then two numbers of 8 bytes or halves of
 * them. */
void nccl_call(struct scenario *s, int64_t thread, const char *name, int schema, uint64_t id,
               uint64_t second, uint64_t third, int64_t start, int64_t end)
{
    char hex[2 * 56 + 1];

    put(hex, 1, 8);
    put(hex + 16, (uint64_t)schema, 8);
    put(hex + 32, 24, 8);
    put(hex + 48, 32, 8);
    put(hex + 64, id, 8);
    put(hex + 80, second, 8);
    put(hex + 96, third, 8);
    scenario_range_in(s, thread, "NCCL", name, start, end);
    scenario_sql(s,
                 "UPDATE NVTX_EVENTS SET binaryData = x'%s' WHERE rowid = (SELECT max(rowid) FROM "
                 "NVTX_EVENTS)",
                 hex);
}
