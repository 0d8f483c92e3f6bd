/*
 * Protobuf's wire format, written one field at a time.
 *
 * A message is a byte buffer; an outer message takes it as bytes.
 * https://protobuf.dev/programming-guides/encoding
 */
#ifndef NSC_SHARE_PROTO_H
#define NSC_SHARE_PROTO_H

#include "nsyscope/types.h"

#include "core/buf.h"
#include "core/text.h"

/* Appends a number in bytes of 7 bits, the low ones first. */
void nsc_proto_varint(struct nsc_buf *out, uint64_t value);
/* Negative numbers are written as two's complement: int64 in ten bytes. */
void nsc_proto_uint(struct nsc_buf *message, uint32_t field, uint64_t value);
void nsc_proto_fixed64(struct nsc_buf *message, uint32_t field, uint64_t value);
/* Also a message inside another. */
void nsc_proto_bytes(struct nsc_buf *message, uint32_t field, struct nsc_text bytes);
/* Takes raw text and makes it valid UTF-8: readers drop invalid strings. */
void nsc_proto_text(struct nsc_buf *message, uint32_t field, struct nsc_text text);

#endif
