/*
 * The words, tables and labels of the kinds of events.
 */
#include "nsyscope/kind.h"

#include <assert.h>

static const struct kind_entry {
    const char *word, *table, *label;
} kinds[] = {
#define NSC_KIND(id, word, table, label) {word, table, label},
#include "nsyscope/kind.def"
#undef NSC_KIND
};

const char *nsc_kind_word(enum nsc_kind kind)
{
    assert(kind < NSC_N_KINDS);
    return kinds[kind].word;
}

const char *nsc_kind_table(enum nsc_kind kind)
{
    assert(kind < NSC_N_KINDS);
    return kinds[kind].table;
}

const char *nsc_kind_label(enum nsc_kind kind)
{
    assert(kind < NSC_N_KINDS);
    return kinds[kind].label;
}
