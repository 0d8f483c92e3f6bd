/* Writes protobuf's varints, fixed-size numbers and fields with a length. */
#include "share/proto.h"

enum { WIRE_VARINT = 0, WIRE_FIXED64 = 1, WIRE_LENGTH = 2 };

void nsc_proto_varint(struct nsc_buf *out, uint64_t value)
{
    while (value >= 0x80) {
        nsc_buf_putc(out, (char)(unsigned char)((value & 0x7f) | 0x80));
        value >>= 7;
    }
    nsc_buf_putc(out, (char)(unsigned char)value);
}

static void put_key(struct nsc_buf *out, uint32_t field, unsigned wire)
{
    nsc_proto_varint(out, (uint64_t)field << 3 | wire);
}

void nsc_proto_fini(struct nsc_proto *message)
{
    nsc_buf_fini(&message->bytes);
}

static struct nsc_buf *bytes_of(struct nsc_proto *message)
{
    message->bytes.limit = SIZE_MAX;
    return &message->bytes;
}

void nsc_proto_clear(struct nsc_proto *message)
{
    nsc_buf_clear(bytes_of(message));
}

void nsc_proto_uint(struct nsc_proto *message, uint32_t field, uint64_t value)
{
    put_key(bytes_of(message), field, WIRE_VARINT);
    nsc_proto_varint(&message->bytes, value);
}

void nsc_proto_fixed64(struct nsc_proto *message, uint32_t field, uint64_t value)
{
    put_key(bytes_of(message), field, WIRE_FIXED64);
    for (int i = 0; i < 8; i++)
        nsc_buf_putc(&message->bytes, (char)(unsigned char)(value >> (8 * i) & 0xff));
}

void nsc_proto_bytes(struct nsc_proto *message, uint32_t field, const char *bytes, size_t n)
{
    put_key(bytes_of(message), field, WIRE_LENGTH);
    nsc_proto_varint(&message->bytes, n);
    nsc_buf_add(&message->bytes, bytes, n);
}

void nsc_proto_text(struct nsc_proto *message, uint32_t field, struct nsc_text text)
{
    struct nsc_buf clean = NSC_BUF_INIT(SIZE_MAX);

    nsc_text_clean(&clean, text, false);
    nsc_proto_bytes(message, field, clean.n ? clean.bytes : "", clean.n);
    nsc_buf_fini(&clean);
}

void nsc_proto_message(struct nsc_proto *message, uint32_t field, const struct nsc_proto *inner)
{
    nsc_proto_bytes(message, field, inner->bytes.n ? inner->bytes.bytes : "", inner->bytes.n);
}

void nsc_proto_put(struct nsc_buf *out, uint32_t field, const struct nsc_proto *message)
{
    put_key(out, field, WIRE_LENGTH);
    nsc_proto_varint(out, message->bytes.n);
    nsc_buf_add(out, message->bytes.n ? message->bytes.bytes : "", message->bytes.n);
}
