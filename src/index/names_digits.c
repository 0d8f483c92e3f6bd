/*
 * Finds names that differ only in their digits.
 */
#include "core/die.h"
#include "core/strpool.h"
#include "index/idtable.h"
#include "index/names.h"
#include "index/trace_data.h"

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
    struct nsc_idtable ids; /* of names */
};

static struct reader read_name(const struct table *table, nsc_name name)
{
    struct reader reader = {nsc_strpool_text(table->strings, table->names->full[name]), 0,
                            table->names->counters[name] > 0};

    return reader;
}

static uint64_t hash_name(const struct table *table, nsc_name name)
{
    struct reader reader = read_name(table, name);
    uint32_t hash = 0x811C9DC5u;

    for (int c = read_next(&reader); c != END; c = read_next(&reader))
        hash = (hash ^ (uint32_t)c) * 0x01000193u;
    return nsc_hash_mix(0, hash);
}

static bool is_alike(const void *table, uint32_t id, const void *key)
{
    struct reader x = read_name(table, id);
    struct reader y = read_name(table, *(const nsc_name *)key);

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
    uint64_t hash = hash_name(table, name);
    nsc_name found = nsc_idtable_find(&table->ids, hash, is_alike, table, &name);

    if (found != NSC_NONE)
        return found;
    nsc_idtable_add(&table->ids, hash, name);
    return name;
}

nsc_name *nsc_names_fold_digits(const struct nsc_trace *trace)
{
    const struct nsc_names *names = &trace->names;
    struct table table = {.names = names, .strings = &trace->strings};
    nsc_name *alias = nsc_xcalloc((size_t)names->n + 1, sizeof *alias);

    for (nsc_name name = 0; name < names->n; name++)
        alias[name] = find_alike(&table, name);
    nsc_idtable_fini(&table.ids);
    return alias;
}
