/*
 * Builds and quotes argument vectors.
 */
#include "core/argv.h"

#include "core/text.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void nsc_argv_add(struct nsc_argv *argv, const char *word)
{
    *NSC_VEC_ADD(&argv->words) = nsc_xcopy(word, strlen(word));
}

void nsc_argv_add_words(struct nsc_argv *argv, const char *const words[])
{
    for (; *words; words++)
        nsc_argv_add(argv, *words);
}

void nsc_argv_add_all(struct nsc_argv *argv, const struct nsc_argv *from)
{
    for (size_t i = 0; i < from->words.n; i++)
        nsc_argv_add(argv, from->words.at[i]);
}

bool nsc_argv_is(const struct nsc_argv *argv, const char *const words[], size_t n)
{
    size_t same = 0;

    while (same < n && same < argv->words.n && strcmp(words[same], argv->words.at[same]) == 0)
        same++;
    return same == n && same == argv->words.n;
}

void nsc_argv_printf(struct nsc_argv *argv, const char *format, ...)
{
    va_list args;
    char *word = NULL;
    int n = 0;

    va_start(args, format);
    n = vsnprintf(NULL, 0, format, args);
    va_end(args);
    assert(n >= 0);
    word = nsc_xmalloc((size_t)n + 1);
    va_start(args, format);
    (void)vsnprintf(word, (size_t)n + 1, format, args);
    va_end(args);
    *NSC_VEC_ADD(&argv->words) = word;
}

char *const *nsc_argv_vector(struct nsc_argv *argv)
{
    *NSC_VEC_ADD(&argv->words) = NULL;
    argv->words.n--;
    return argv->words.at;
}

void nsc_argv_fini(struct nsc_argv *argv)
{
    NSC_VEC_FINI_EACH(&argv->words, nsc_vec_free_text);
}

static bool is_plain(const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-./=:,@%+";

    return word[0] != '\0' && word[strspn(word, plain)] == '\0';
}

/* Whether the bytes of a cluster are safe to show as they are; line ends and tabs are. */
static bool is_safe(const char *bytes, size_t n, const struct nsc_cluster *cluster)
{
    return (n == cluster->n && memcmp(bytes, cluster->bytes, n) == 0) ||
           (n == 1 && (*bytes == '\n' || *bytes == '\t'));
}

/* Puts unsafe bytes as codes of printf, because older shells lack $'...'. The shell drops line ends
 * from the end of what it prints, and those are never among them. */
void nsc_argv_quote(struct nsc_buf *out, const char *word)
{
    static const char *const begin[] = {"'", "\"$(printf '"};
    static const char *const end[] = {"'", "')\""};
    struct nsc_text_cursor cursor = nsc_text_cursor(nsc_text_from(word), false);
    struct nsc_cluster cluster;
    bool coded = false;
    size_t at = 0;

    if (is_plain(word)) {
        nsc_buf_puts(out, word);
        return;
    }
    nsc_buf_puts(out, begin[0]);
    while (nsc_text_next(&cursor, &cluster)) {
        if (is_safe(word + at, cursor.at - at, &cluster) == coded) {
            nsc_buf_puts(out, end[coded]);
            coded = !coded;
            nsc_buf_puts(out, begin[coded]);
        }
        for (; at < cursor.at; at++) {
            if (coded)
                nsc_buf_printf(out, "\\%03o", (unsigned char)word[at]);
            else if (word[at] == '\'')
                nsc_buf_puts(out, "'\\''");
            else
                nsc_buf_putc(out, word[at]);
        }
    }
    nsc_buf_puts(out, end[coded]);
}

void nsc_argv_print(struct nsc_buf *out, const struct nsc_argv *argv)
{
    for (size_t i = 0; i < argv->words.n; i++) {
        if (i > 0)
            nsc_buf_putc(out, ' ');
        nsc_argv_quote(out, argv->words.at[i]);
    }
}
