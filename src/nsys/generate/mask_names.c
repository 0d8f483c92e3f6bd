/* Replaces each letter of a word by one that the key and the letters before it choose. */
#include "nsys/generate/mask_names.h"

#include "core/strpool.h"
#include "core/text.h"
#include "index/names.h"

#include <stdio.h>
#include <string.h>

enum { KEPT_MOST = 2, SPACED = 16 }; /* bytes */

/* What a demangled name is taken apart by. */
static const char kept[] = " void bool char short int long float double unsigned signed const enum "
                           "operator lambda instance anonymous namespace unnamed ";

/* Bytes above ASCII are parts of letters. */
static bool is_letter(char c)
{
    char low = nsc_ascii_lower(c);

    return (low >= 'a' && low <= 'z') || (unsigned char)c >= 0x80;
}

static bool is_kept(const char *word, uint32_t n)
{
    char spaced[SPACED];

    (void)snprintf(spaced, sizeof spaced, " %.*s ", (int)n, word);
    return n <= KEPT_MOST || (n < SPACED - 2 && strstr(kept, spaced));
}

static void add_word(struct nsc_buf *out, const char *word, uint32_t n, uint64_t hash)
{
    for (uint32_t i = 0; i < n; i++) {
        char low = nsc_ascii_lower(word[i]);
        unsigned letter = (unsigned char)low >= 0x80 ? (unsigned char)low : (unsigned)(low - 'a');

        hash = (hash ^ n) * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        nsc_buf_putc(out, (char)((word[i] == low ? 'a' : 'A') + (letter + (hash >> 33)) % 26));
        hash += letter;
    }
}

void nsc_mask_names_add(struct nsc_buf *out, struct nsc_text text, const char *key)
{
    bool stays = nsc_comm_is_kernel(text, text);
    uint64_t hash = nsc_hash_bytes(key, strlen(key));

    for (uint32_t at = 0, end; at < text.n; at = end) {
        const char *word = text.bytes + at;

        for (end = at; end < text.n && is_letter(text.bytes[end]);)
            end++;
        if (end > at && !stays && !is_kept(word, end - at)) {
            add_word(out, word, end - at, hash);
            continue;
        }
        end += end == at;
        nsc_buf_add(out, word, end - at);
    }
}
