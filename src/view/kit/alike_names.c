/* Finds the common beginning of names, and draws names without most of it. */
#include "core/text.h"
#include "view/kit/label.h"

#include <string.h>

enum { HEAD_COLS = 8, CELLS_LEAST = 20, WORD_MOST = 16 };

static uint32_t common(struct nsc_text a, struct nsc_text b)
{
    uint32_t n = 0;

    while (n < a.n && n < b.n && a.bytes[n] == b.bytes[n])
        n++;
    return n;
}

/* The first byte of the word at `at`, unless the word is long. */
static uint32_t word_start(struct nsc_text text, uint32_t at)
{
    uint32_t from = at;

    while (from > 0 && at - from < WORD_MOST && !strchr("_:<>,() ", text.bytes[from - 1]))
        from--;
    return at - from < WORD_MOST ? from : at;
}

uint32_t nsc_name_shared(const struct nsc_text names[], uint32_t n, uint32_t i, uint32_t cells)
{
    uint32_t shared = names[i].n;

    if (cells < CELLS_LEAST || names[i].n <= cells || nsc_text_plain(names[i]) != names[i].n)
        return 0;
    for (uint32_t k = 0; k < n; k++) {
        uint32_t same = k == i ? shared : common(names[i], names[k]);

        /* The last cell may be an ellipsis. Equal names look the same anyway. */
        if (same + 1 >= cells && same < shared)
            shared = same;
    }
    if (shared == names[i].n)
        return 0;
    shared = word_start(names[i], shared);
    if (names[i].n - shared < cells - HEAD_COLS - 1) /* fills the line */
        shared = names[i].n - (cells - HEAD_COLS - 1);
    return shared > HEAD_COLS ? shared : 0;
}

void nsc_name_put(struct nsc_page *page, enum nsc_role role, struct nsc_text name, uint32_t shared)
{
    if (shared) {
        nsc_page_text(page, role, (struct nsc_text){name.bytes, HEAD_COLS});
        nsc_page_puts(page, role, "…");
        name.bytes += shared;
        name.n -= shared;
    }
    nsc_page_text(page, role, name);
}
