/*
 * Builds and quotes argument vectors.
 */
#include "core/argv.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void nsc_argv_add(struct nsc_argv *argv, const char *word)
{
    size_t n = strlen(word) + 1;
    char *copy = nsc_xmalloc(n);

    memcpy(copy, word, n);
    *NSC_VEC_ADD(&argv->words) = copy;
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
    for (size_t i = 0; i < argv->words.n; i++)
        free(argv->words.at[i]);
    NSC_VEC_FINI(&argv->words);
}

static bool is_plain(const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-./=:,@%+";

    return word[0] != '\0' && word[strspn(word, plain)] == '\0';
}

void nsc_argv_quote(struct nsc_buf *out, const char *word)
{
    if (is_plain(word)) {
        nsc_buf_puts(out, word);
        return;
    }
    nsc_buf_putc(out, '\'');
    for (; *word; word++) {
        if (*word == '\'')
            nsc_buf_puts(out, "'\\''");
        else
            nsc_buf_putc(out, *word);
    }
    nsc_buf_putc(out, '\'');
}

void nsc_argv_print(struct nsc_buf *out, const struct nsc_argv *argv)
{
    for (size_t i = 0; i < argv->words.n; i++) {
        if (i > 0)
            nsc_buf_putc(out, ' ');
        nsc_argv_quote(out, argv->words.at[i]);
    }
}
