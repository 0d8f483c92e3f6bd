/* Normalizes kernel names. */
#include "analysis/names/kernel_name.h"

#include <string.h>

static bool is_word(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* The length of the cast at i, as in "(unsigned long)4" or "(bool)1"; 0: none. */
static uint32_t cast_at(struct nsc_text name, uint32_t i)
{
    uint32_t end = i + 1;

    if (name.bytes[i] != '(' || (i > 0 && is_word(name.bytes[i - 1])))
        return 0;
    while (end < name.n &&
           (is_word(name.bytes[end]) || name.bytes[end] == ' ' || name.bytes[end] == ':'))
        end++;
    if (end + 1 >= name.n || name.bytes[end] != ')' || end == i + 1)
        return 0;
    /* a constant follows; this is not the end of a parameter list */
    return (name.bytes[end + 1] >= '0' && name.bytes[end + 1] <= '9') || name.bytes[end + 1] == '-'
               ? end + 1 - i
               : 0;
}

/* The length of the qualifiers "a::b::" at i. */
static uint32_t qualifiers_at(struct nsc_text name, uint32_t i)
{
    static const char *const unnamed[] = {"(anonymous namespace)::", "<unnamed>::"};
    uint32_t at = i;

    for (;;) {
        uint32_t end = at;

        for (size_t u = 0; u < sizeof unnamed / sizeof *unnamed; u++) {
            size_t n = strlen(unnamed[u]);

            if (name.n - at >= n && memcmp(name.bytes + at, unnamed[u], n) == 0)
                end = at + (uint32_t)n;
        }
        if (end > at) {
            at = end;
            continue;
        }
        while (end < name.n && is_word(name.bytes[end]))
            end++;
        if (end == at || end + 2 > name.n || memcmp(name.bytes + end, "::", 2) != 0)
            return at - i;
        at = end + 2;
    }
}

void nsc_kernel_plain(struct nsc_buf *out, struct nsc_text name)
{
    uint32_t i = nsc_text_begins(name, "void ") ? 5 : 0;

    while (i < name.n) {
        bool begins = i == 0 || !is_word(name.bytes[i - 1]);
        uint32_t skip = cast_at(name, i);

        if (!skip && begins)
            skip = qualifiers_at(name, i);
        i += skip;
        if (!skip)
            nsc_buf_putc(out, name.bytes[i++]);
    }
}

/* The start of the text in brackets that closes before end. */
static uint32_t skip_brackets(struct nsc_text name, uint32_t end)
{
    uint32_t depth = 0;

    while (end > 0) {
        char c = name.bytes[--end];

        if (c == '>' || c == ')' || c == ']')
            depth++;
        else if (c == '<' || c == '(' || c == '[')
            depth--;
        if (depth == 0)
            return end;
    }
    return 0;
}

void nsc_kernel_base(struct nsc_buf *out, struct nsc_text name)
{
    uint32_t end = name.n;
    uint32_t from = 0;

    while (end > 0 && (name.bytes[end - 1] == ' ' || strchr(">)]", name.bytes[end - 1])))
        end = name.bytes[end - 1] == ' ' ? end - 1 : skip_brackets(name, end);
    from = end;
    while (from > 0 && is_word(name.bytes[from - 1]))
        from--;
    if (from < end)
        nsc_buf_add(out, name.bytes + from, end - from);
    else
        nsc_buf_add(out, name.bytes, name.n);
}

void nsc_kernel_regex(struct nsc_buf *out, struct nsc_text name)
{
    for (uint32_t i = 0; i < name.n; i++) {
        char c = name.bytes[i];

        if (c != '\0' && strchr(".^$*+?()[]{}|\\", c))
            nsc_buf_putc(out, '\\');
        nsc_buf_putc(out, c >= ' ' && c <= '~' ? c : '.');
    }
}
