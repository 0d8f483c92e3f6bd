/*
 * Finds repetitions in the last 32 KiB through chains of equal hashes, and writes them as bits.
 */
#include "core/deflate.h"

#include "core/die.h"

#include <stdint.h>
#include <stdlib.h>

enum {
    WINDOW = 1 << 15,
    HASHES = 1 << 15,
    LEAST_MATCH = 3,
    MOST_MATCH = 258,
    TRIES = 48, /* of a chain */
    END_CODE = 256
};

struct coder {
    struct nsc_buf *out;
    uint64_t bits; /* not yet written, the first at the least bit */
    unsigned n_bits;
    const unsigned char *bytes;
    size_t n;
    size_t *head; /* by hash: the last place + 1; 0: none */
    size_t *prev; /* by place modulo WINDOW: the place + 1 before it in the chain */
};

struct match {
    size_t length, distance;
};

static void put_bits(struct coder *coder, uint32_t value, unsigned n)
{
    coder->bits |= (uint64_t)value << coder->n_bits;
    for (coder->n_bits += n; coder->n_bits >= 8; coder->n_bits -= 8) {
        nsc_buf_putc(coder->out, (char)(coder->bits & 0xff));
        coder->bits >>= 8;
    }
}

/* Writes a code with its most significant bit first. */
static void put_code(struct coder *coder, uint32_t code, unsigned n)
{
    uint32_t turned = 0;

    for (unsigned i = 0; i < n; i++)
        turned |= (code >> i & 1) << (n - 1 - i);
    put_bits(coder, turned, n);
}

/* Writes a literal byte, END_CODE or a length code. */
static void put_symbol(struct coder *coder, uint32_t symbol)
{
    if (symbol < 144)
        put_code(coder, 0x30 + symbol, 8);
    else if (symbol < 256)
        put_code(coder, 0x190 + symbol - 144, 9);
    else if (symbol < 280)
        put_code(coder, symbol - 256, 7);
    else
        put_code(coder, 0xc0 + symbol - 280, 8);
}

static void put_match(struct coder *coder, struct match match)
{
    /* Codes with the same number of extra bits come in groups: four for lengths, two for
     * distances. */
    uint32_t length = (uint32_t)match.length - LEAST_MATCH;
    uint32_t distance = (uint32_t)match.distance - 1;
    unsigned extra = 0;

    while (length >> extra >= 8)
        extra++;
    if (match.length == MOST_MATCH) {
        put_symbol(coder, 285);
    } else {
        put_symbol(coder, 257 + 4 * extra + (length >> extra));
        put_bits(coder, length & ((1u << extra) - 1), extra);
    }
    for (extra = 0; distance >> extra >= 4;)
        extra++;
    put_code(coder, 2 * extra + (distance >> extra), 5);
    put_bits(coder, distance & ((1u << extra) - 1), extra);
}

static size_t *slot_of(const struct coder *coder, size_t at)
{
    const unsigned char *p = coder->bytes + at;
    uint32_t three = p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16;

    return &coder->head[(three * 2654435761u) >> 17];
}

static void remember(struct coder *coder, size_t at)
{
    size_t *slot;

    if (at + LEAST_MATCH > coder->n)
        return;
    slot = slot_of(coder, at);
    coder->prev[at % WINDOW] = *slot;
    *slot = at + 1;
}

static size_t measure_match(const struct coder *coder, size_t at, size_t before)
{
    size_t most = coder->n - at < MOST_MATCH ? coder->n - at : MOST_MATCH;
    size_t n = 0;

    while (n < most && coder->bytes[before + n] == coder->bytes[at + n])
        n++;
    return n;
}

/* The longest of the nearest matches; its length is 0 if there is none. */
static struct match find_match(const struct coder *coder, size_t at)
{
    struct match best = {0, 0};
    size_t next = at + LEAST_MATCH <= coder->n ? *slot_of(coder, at) : 0;

    for (int tries = 0; next && at - (next - 1) <= WINDOW - 1 && tries < TRIES; tries++) {
        size_t length = measure_match(coder, at, next - 1);

        if (length >= LEAST_MATCH && length > best.length)
            best = (struct match){length, at - (next - 1)};
        if (best.length == MOST_MATCH)
            break;
        next = coder->prev[(next - 1) % WINDOW];
    }
    return best;
}

void nsc_deflate(struct nsc_buf *out, const char *bytes, size_t n)
{
    struct coder coder = {.out = out,
                          .bytes = (const unsigned char *)bytes,
                          .n = n,
                          .head = nsc_xcalloc(HASHES, sizeof(size_t)),
                          .prev = nsc_xcalloc(WINDOW, sizeof(size_t))};

    put_bits(&coder, 1 | 1 << 1, 3); /* the last block, with the fixed codes */
    for (size_t at = 0; at < n;) {
        struct match match = find_match(&coder, at);
        size_t end = at + (match.length ? match.length : 1);

        if (match.length)
            put_match(&coder, match);
        else
            put_symbol(&coder, coder.bytes[at]);
        for (; at < end; at++)
            remember(&coder, at);
    }
    put_symbol(&coder, END_CODE);
    put_bits(&coder, 0, (8 - coder.n_bits) % 8);
    free(coder.head);
    free(coder.prev);
}
