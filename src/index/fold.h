/*
 * Texts taken apart into a template and its counters, and put together again byte by byte.
 *
 * "aten::view, op_id = 314290" is the template "aten::view, op_id = \xff" and the counter 314290,
 * packed as LEB128.
 */
#ifndef NSC_INDEX_FOLD_H
#define NSC_INDEX_FOLD_H

#include "nsyscope/trace.h"

#define NSC_FOLD_BYTES  255 /* most bytes of packed counters a text may have */
#define NSC_FOLD_DIGITS 18  /* of a counter, at most */
#define NSC_FOLD_VARINT 10  /* bytes a counter is packed into, at most */

struct nsc_fold {
    char text[NSC_NAME_BYTES]; /* the template */
    uint32_t n;                /* its bytes */
    uint8_t counters;          /* how many NSC_COUNTER_BYTEs of it are counters */
    uint8_t packed[NSC_FOLD_BYTES];
    uint8_t packed_n;
};

/*
 * Takes the counters out of text: maximal runs of decimal digits without a leading zero ("0" is
 * one) of at most 18 digits. False, and out of no use, when there are none, when text holds
 * NSC_COUNTER_BYTE itself or its counters do not fit: such a text stays as it is. text has at most
 * NSC_NAME_BYTES.
 */
bool nsc_fold_text(struct nsc_fold *out, struct nsc_text text);

/* Packs one counter; returns how many bytes that takes. */
static inline uint8_t nsc_fold_pack(uint8_t out[NSC_FOLD_VARINT], uint64_t value)
{
    uint8_t n = 0;

    while (value > 127) {
        out[n++] = (uint8_t)(value | 128);
        value >>= 7;
    }
    out[n++] = (uint8_t)value;
    return n;
}

/*
 * The packed counters of an NVTX event's text, a length byte before them; NULL where its name's
 * text is the whole.
 */
const uint8_t *nsc_fold_of_event(const struct nsc_trace *trace, nsc_event event);

/* The text again: at most NSC_NAME_BYTES into out; returns how many. packed holds the counters of
 * the template. */
uint32_t nsc_fold_expand(char out[NSC_NAME_BYTES], struct nsc_text text, const uint8_t packed[]);

#endif
