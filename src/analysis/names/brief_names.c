/*
 * Names with one short text: short texts are interned, so equal ids are equal texts.
 */
#include "analysis/names/brief_names.h"

#include "core/die.h"

#include <stdlib.h>

struct named {
    nsc_str brief;
    nsc_name name;
};

static int compare(const void *a, const void *b)
{
    const struct named *x = a;
    const struct named *y = b;

    if (x->brief != y->brief)
        return x->brief < y->brief ? -1 : 1;
    return x->name < y->name ? -1 : x->name > y->name;
}

nsc_name *nsc_names_by_brief(const struct nsc_trace *trace)
{
    const struct nsc_names *names = nsc_trace_names(trace);
    struct named *list = nsc_xcalloc((size_t)names->n + 1, sizeof *list);
    nsc_name *first = nsc_xcalloc((size_t)names->n + 1, sizeof *first);

    for (nsc_name i = 0; i < names->n; i++)
        list[i] = (struct named){names->brief[i], i};
    qsort(list, names->n, sizeof *list, compare);
    for (uint32_t i = 0; i < names->n; i++)
        first[list[i].name] =
            i > 0 && list[i - 1].brief == list[i].brief ? first[list[i - 1].name] : list[i].name;
    free(list);
    return first;
}
