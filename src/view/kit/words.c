/* Splits and quotes the words of settings files. */
#include "view/kit/words.h"

#include "core/text.h"

enum { WARNING_BYTES = 512, QUOTED_CELLS = 60 };

struct nsc_text nsc_word_next(struct nsc_text *text)
{
    struct nsc_text word = {NULL, 0};

    while (text->n && nsc_is_blank(*text->bytes)) {
        text->bytes++;
        text->n--;
    }
    word.bytes = text->bytes;
    while (text->n && !nsc_is_blank(*text->bytes)) {
        text->bytes++;
        text->n--;
        word.n++;
    }
    return word;
}

void nsc_word_warn(const struct nsc_word_warner *warner, unsigned line, const char *before,
                   struct nsc_text text, const char *after)
{
    struct nsc_buf buf = NSC_BUF_INIT(WARNING_BYTES);

    if (!warner->warning)
        return;
    nsc_buf_puts(&buf, before);
    nsc_buf_puts(&buf, " '");
    nsc_text_clip(&buf, text, QUOTED_CELLS, false);
    nsc_buf_puts(&buf, "'");
    nsc_buf_puts(&buf, after);
    warner->warning(warner->context, line, buf.bytes);
    nsc_buf_fini(&buf);
}
