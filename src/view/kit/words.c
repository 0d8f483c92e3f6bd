/* Splits and quotes words, and finds commands. */
#include "view/kit/words.h"

#include "core/text.h"

#include <string.h>

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

void nsc_text_keep(char out[], struct nsc_text text)
{
    if (text.n)
        memmove(out, text.bytes, text.n);
    out[text.n] = '\0';
}

void nsc_word_warn_line(void *context, unsigned line, const char *what)
{
    const struct nsc_word_warner *warner = context;

    if (warner->warning)
        warner->warning(warner->context, line, what);
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

/* ---- commands ---- */

const struct nsc_command_line_row nsc_command_lines[NSC_N_COMMAND_LINES] = {
#define NSC_COMMAND_LINE(id, name, arguments, help, run) {name, arguments, help},
#include "view/kit/command.def"
};

enum nsc_command_line nsc_command_line_find(struct nsc_text name)
{
    return (enum nsc_command_line)NSC_TEXT_AMONG(name, nsc_command_lines);
}

struct nsc_text nsc_command_line_split(struct nsc_text line, struct nsc_text *arguments)
{
    struct nsc_text name = nsc_word_next(&line);

    *arguments = nsc_text_trim(line);
    return name;
}

uint32_t nsc_words_count(const char *words)
{
    return nsc_words_find(words, nsc_text_from(""));
}

struct nsc_text nsc_words_at(const char *words, uint32_t i)
{
    struct nsc_text rest = nsc_text_from(words);
    struct nsc_text word = nsc_word_next(&rest);

    while (i--)
        word = nsc_word_next(&rest);
    return word;
}

uint32_t nsc_words_find(const char *words, struct nsc_text wanted)
{
    struct nsc_text rest = nsc_text_from(words), word = nsc_word_next(&rest);
    uint32_t i = 0;

    for (; word.n && !nsc_text_equal(word, wanted); i++)
        word = nsc_word_next(&rest);
    return i;
}
