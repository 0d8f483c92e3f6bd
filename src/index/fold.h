/*
 * Splits texts into a template and its counters, and joins them again, byte for byte.
 *
 * "aten::view, op_id = 314290" is the template "aten::view, op_id = \xff" and the counter 314290,
 * packed as LEB128.
 */
#ifndef NSC_INDEX_FOLD_H
#define NSC_INDEX_FOLD_H

#include "nsyscope/trace.h"

#define NSC_FOLD_BYTES  255 /* most bytes of a text's packed counters */
#define NSC_FOLD_DIGITS 18  /* most digits of a counter */
#define NSC_FOLD_VARINT 10  /* most bytes of a packed counter */

struct nsc_fold {
    char text[NSC_NAME_BYTES]; /* the template */
    uint32_t n;                /* bytes of the template */
    uint8_t counters;          /* how many of its NSC_COUNTER_BYTEs are counters */
    uint8_t packed[NSC_FOLD_BYTES];
    uint8_t packed_n;
};

/*
 * Takes the counters out of text. A counter is a maximal group of at most 18 decimal digits without
 * a leading zero ("0" is one). False, with *out undefined, if there are none, if text holds
 * NSC_COUNTER_BYTE, or if the counters do not fit: keep such a text unchanged. text has at most
 * NSC_NAME_BYTES.
 */
bool nsc_fold_text(struct nsc_fold *out, struct nsc_text text);

/* Packs one counter; returns its bytes. */
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
 * The packed counters of an NVTX event's text, behind a length byte; NULL if its name is its text.
 */
const uint8_t *nsc_fold_of_event(const struct nsc_trace *trace, nsc_event event);
/* The links of events with packed counters are below this. Events with equal links have the same
 * name and counters. */
uint32_t nsc_fold_links(const struct nsc_trace *trace);

/* The text of a template and its packed counters: at most NSC_NAME_BYTES into out; returns the
 * length. */
uint32_t nsc_fold_expand(char out[NSC_NAME_BYTES], struct nsc_text text, const uint8_t packed[]);

#endif
