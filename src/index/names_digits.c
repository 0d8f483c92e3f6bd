/*
 * Finds names that differ only in their digits.
 */
#include "core/die.h"
#include "core/strpool.h"
#include "index/names.h"
#include "index/trace_data.h"

#include <stdlib.h>

enum { FOLDED = 256, END = -1 }; /* beside the values of bytes */

/* Reads a text byte by byte, with each group of digits and each counter as one sign. */
struct reader {
    struct nsc_text text;
    uint32_t at;
    bool counters; /* NSC_COUNTER_BYTE is a counter */
};

static bool is_folded(const struct reader *reader, uint32_t i)
{
    char c = reader->text.bytes[i];

    return (c >= '0' && c <= '9') || (reader->counters && c == NSC_COUNTER_BYTE);
}

static int read_next(struct reader *reader)
{
    if (reader->at == reader->text.n)
        return END;
    if (!is_folded(reader, reader->at))
        return (uint8_t)reader->text.bytes[reader->at++];
    while (reader->at < reader->text.n && is_folded(reader, reader->at))
        reader->at++;
    return FOLDED;
}

struct table {
    const struct nsc_names *names;
    const struct nsc_strpool *strings;
    uint32_t *slots; /* open addressing: name + 1 */
    uint32_t n_slots;
};

static struct reader read_name(const struct table *table, nsc_name name)
{
    struct reader reader = {nsc_strpool_text(table->strings, table->names->full[name]), 0,
                            table->names->counters[name] > 0};

    return reader;
}

static uint32_t hash_name(const struct table *table, nsc_name name)
{
    struct reader reader = read_name(table, name);
    uint32_t hash = 0x811C9DC5u;

    for (int c = read_next(&reader); c != END; c = read_next(&reader))
        hash = (hash ^ (uint32_t)c) * 0x01000193u;
    return hash ^ hash >> 15;
}

static bool is_alike(const struct table *table, nsc_name a, nsc_name b)
{
    struct reader x = read_name(table, a);
    struct reader y = read_name(table, b);

    for (;;) {
        int c = read_next(&x);

        if (c != read_next(&y))
            return false;
        if (c == END)
            return true;
    }
}

static nsc_name find_alike(struct table *table, nsc_name name)
{
    uint32_t at = hash_name(table, name) & (table->n_slots - 1);

    for (; table->slots[at]; at = (at + 1) & (table->n_slots - 1))
        if (is_alike(table, table->slots[at] - 1, name))
            return table->slots[at] - 1;
    table->slots[at] = name + 1;
    return name;
}

nsc_name *nsc_names_fold_digits(const struct nsc_trace *trace)
{
    const struct nsc_names *names = &trace->names;
    struct table table = {names, &trace->strings, NULL, 64};
    nsc_name *alias = nsc_xcalloc((size_t)names->n + 1, sizeof *alias);

    while (table.n_slots / 2 < names->n && table.n_slots < (uint32_t)1 << 31)
        table.n_slots *= 2;
    table.slots = nsc_xcalloc(table.n_slots, sizeof *table.slots);
    for (nsc_name name = 0; name < names->n; name++)
        alias[name] = find_alike(&table, name);
    free(table.slots);
    return alias;
}
