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

void nsc_proto_uint(struct nsc_buf *message, uint32_t field, uint64_t value)
{
    put_key(message, field, WIRE_VARINT);
    nsc_proto_varint(message, value);
}

void nsc_proto_fixed64(struct nsc_buf *message, uint32_t field, uint64_t value)
{
    put_key(message, field, WIRE_FIXED64);
    for (int i = 0; i < 8; i++)
        nsc_buf_putc(message, (char)(unsigned char)(value >> (8 * i) & 0xff));
}

void nsc_proto_bytes(struct nsc_buf *message, uint32_t field, struct nsc_text bytes)
{
    put_key(message, field, WIRE_LENGTH);
    nsc_proto_varint(message, bytes.n);
    nsc_buf_add(message, bytes.bytes, bytes.n);
}

void nsc_proto_text(struct nsc_buf *message, uint32_t field, struct nsc_text text)
{
    struct nsc_buf clean = NSC_BUF_INIT(SIZE_MAX);

    nsc_text_clean(&clean, text, false);
    nsc_proto_bytes(message, field, nsc_text_of_buf(&clean));
    nsc_buf_fini(&clean);
}
