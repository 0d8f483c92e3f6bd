/*
 * Protobuf's wire format, written one field at a time.
 *
 * A message is a byte buffer; an outer message copies it in as a whole. A zeroed struct is an empty
 * message; the owner calls fini. https://protobuf.dev/programming-guides/encoding
 */
#ifndef NSC_SHARE_PROTO_H
#define NSC_SHARE_PROTO_H

#include "nsyscope/types.h"

#include "core/buf.h"
#include "core/text.h"

struct nsc_proto {
    struct nsc_buf bytes;
};

/* Appends a number in bytes of 7 bits, the low ones first. */
void nsc_proto_varint(struct nsc_buf *out, uint64_t value);
void nsc_proto_fini(struct nsc_proto *message);
void nsc_proto_clear(struct nsc_proto *message);
/* Negative numbers are written as two's complement: int64 in ten bytes. */
void nsc_proto_uint(struct nsc_proto *message, uint32_t field, uint64_t value);
void nsc_proto_fixed64(struct nsc_proto *message, uint32_t field, uint64_t value);
void nsc_proto_bytes(struct nsc_proto *message, uint32_t field, const char *bytes, size_t n);
/* Takes raw text and makes it valid UTF-8: readers drop invalid strings. */
void nsc_proto_text(struct nsc_proto *message, uint32_t field, struct nsc_text text);
void nsc_proto_message(struct nsc_proto *message, uint32_t field, const struct nsc_proto *inner);
/* Appends the message to out as a field. */
void nsc_proto_put(struct nsc_buf *out, uint32_t field, const struct nsc_proto *message);

#endif
