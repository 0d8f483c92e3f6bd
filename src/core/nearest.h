/*
 * Which of many texts are nearest to one that was asked for and is not there: for "did you mean".
 *
 * A plain value of the caller's; the candidates' bytes are borrowed until it is read.
 */
#ifndef NSC_CORE_NEAREST_H
#define NSC_CORE_NEAREST_H

#include "core/text.h"

#define NSC_NEAREST_MAX   3  /* candidates kept */
#define NSC_NEAREST_BYTES 64 /* of a text are looked at */

struct nsc_nearest {
    struct nsc_text wanted;
    uint32_t n; /* kept, the nearest first; equal ones as they were offered */
    struct nsc_text text[NSC_NEAREST_MAX];
    uint32_t distance[NSC_NEAREST_MAX];
};

/* wanted is borrowed. */
void nsc_nearest_init(struct nsc_nearest *nearest, struct nsc_text wanted);
/*
 * Offers a candidate; one offered twice is kept once. The distance is how many bytes have to be put
 * in, taken out or exchanged, ASCII letters folded; a text that holds the wanted one is nearer than
 * any that does not. What shares less than half of the longer one's bytes is not kept.
 */
void nsc_nearest_offer(struct nsc_nearest *nearest, struct nsc_text candidate);
/* Appends "; the nearest: A, B" made safe and cut, or nothing when none is near. */
void nsc_nearest_print(struct nsc_buf *out, const struct nsc_nearest *nearest, bool ascii);

#endif
