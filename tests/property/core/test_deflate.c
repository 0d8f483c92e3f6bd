/*
 * Property tests of the compressor: a simple reader of fixed codes, bit by bit as in the RFC,
 * restores every input; repetitive texts become small.
 */
#include "core/deflate.h"
#include "support/cm.h"
#include "support/dice.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_BYTES = 120000, ROUNDS = 60 };

struct reader {
    const struct nsc_buf *in;
    size_t bit;
};

static unsigned read_bit(struct reader *reader)
{
    size_t at = reader->bit++;

    assert_true(at / 8 < reader->in->n);
    return (unsigned char)reader->in->bytes[at / 8] >> at % 8 & 1;
}

static unsigned read_bits(struct reader *reader, unsigned n)
{
    unsigned value = 0;

    for (unsigned i = 0; i < n; i++)
        value |= read_bit(reader) << i;
    return value;
}

static unsigned read_code(struct reader *reader, unsigned code, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        code = code << 1 | read_bit(reader);
    return code;
}

/* RFC 1951, 3.2.6. */
static unsigned read_symbol(struct reader *reader)
{
    unsigned code = read_code(reader, 0, 7);

    if (code <= 0x17)
        return 256 + code;
    code = read_code(reader, code, 1);
    if (code >= 0x30 && code <= 0xbf)
        return code - 0x30;
    if (code >= 0xc0 && code <= 0xc7)
        return 280 + code - 0xc0;
    code = read_code(reader, code, 1);
    assert_in_range(code, 0x190, 0x1ff);
    return 144 + code - 0x190;
}

/* The tables of RFC 1951, 3.2.5, in full. */
static unsigned read_length(struct reader *reader, unsigned symbol)
{
    static const unsigned base[] = {3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                    31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
    static const unsigned extra[] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                     2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};

    assert_in_range(symbol, 257, 285);
    return base[symbol - 257] + read_bits(reader, extra[symbol - 257]);
}

static unsigned read_distance(struct reader *reader)
{
    static const unsigned base[] = {1,    2,    3,    4,    5,    7,    9,    13,    17,    25,
                                    33,   49,   65,   97,   129,  193,  257,  385,   513,   769,
                                    1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};
    static const unsigned extra[] = {0, 0, 0, 0, 1, 1, 2, 2,  3,  3,  4,  4,  5,  5,  6,
                                     6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13};
    unsigned code = read_code(reader, 0, 5);

    assert_in_range(code, 0, 29);
    return base[code] + read_bits(reader, extra[code]);
}

static size_t inflate(char *out, const struct nsc_buf *in)
{
    struct reader reader = {in, 0};
    size_t n = 0;

    assert_int_equal(read_bit(&reader), 1);
    assert_int_equal(read_bits(&reader, 2), 1);
    for (unsigned symbol = read_symbol(&reader); symbol != 256; symbol = read_symbol(&reader)) {
        unsigned length = 1;
        unsigned distance = 0;

        assert_true(n < MAX_BYTES);
        if (symbol < 256) {
            out[n++] = (char)symbol;
            continue;
        }
        length = read_length(&reader, symbol);
        distance = read_distance(&reader);
        assert_true(distance <= n && n + length <= MAX_BYTES);
        for (; length; length--, n++)
            out[n] = out[n - distance];
    }
    assert_int_equal((reader.bit + 7) / 8, in->n);
    return n;
}

/* Few or many different bytes, with near and far copies of earlier ones. */
static size_t roll_bytes(struct dice *dice, char *bytes)
{
    size_t n = dice_below(dice, 4) ? dice_below(dice, 3000) : dice_below(dice, MAX_BYTES);
    uint64_t kinds = 1 + dice_below(dice, dice_below(dice, 2) ? 4 : 256);
    size_t at = 0;

    while (at < n) {
        size_t length = 1 + dice_below(dice, 400);
        size_t from = at ? dice_below(dice, at) : 0;
        bool is_copy = at && dice_below(dice, 2);

        for (; length && at < n; length--, at++)
            bytes[at] = is_copy ? bytes[from++] : (char)dice_below(dice, kinds);
    }
    return n;
}

TEST(every_input_comes_back)
{
    struct dice dice = dice_new(77);
    char *bytes = malloc(MAX_BYTES);
    char *back = malloc(MAX_BYTES);

    for (int round = 0; round < ROUNDS; round++) {
        struct nsc_buf packed = NSC_BUF_INIT(SIZE_MAX);
        size_t n = roll_bytes(&dice, bytes);

        nsc_deflate(&packed, bytes, n);
        assert_int_equal(inflate(back, &packed), n);
        assert_memory_equal(back, bytes, n);
        nsc_buf_fini(&packed);
    }
    free(bytes);
    free(back);
}

TEST(repeated_texts_become_small)
{
    struct nsc_buf packed = NSC_BUF_INIT(SIZE_MAX);
    char *bytes = calloc(1, MAX_BYTES);

    nsc_deflate(&packed, bytes, MAX_BYTES);
    assert_true(packed.n < MAX_BYTES / 140);
    nsc_buf_clear(&packed);
    nsc_deflate(&packed, bytes, 0);
    assert_int_equal(packed.n, 2);
    nsc_buf_fini(&packed);
    free(bytes);
}
