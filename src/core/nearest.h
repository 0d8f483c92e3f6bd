/*
 * The texts nearest to a wanted one that does not exist, for "did you mean".
 *
 * A plain value; the bytes of candidates are borrowed as long as it is used.
 */
#ifndef NSC_CORE_NEAREST_H
#define NSC_CORE_NEAREST_H

#include "core/text.h"

#define NSC_NEAREST_MAX   3   /* candidates kept */
#define NSC_NEAREST_BYTES 64  /* compares at most this many bytes of a text */
#define NSC_NEAREST_WORDS 512 /* enough for the words about them, with the NUL */

struct nsc_nearest {
    struct nsc_text wanted;
    uint32_t n; /* number kept; the nearest first, equal ones in the order of their offers */
    struct nsc_text text[NSC_NEAREST_MAX];
    uint32_t distance[NSC_NEAREST_MAX];
};

/* wanted is borrowed. */
void nsc_nearest_init(struct nsc_nearest *nearest, struct nsc_text wanted);
/*
 * Offers a candidate; a repeated one is kept once. The distance is the number of bytes to insert,
 * remove or replace, ASCII letters folded. A text that contains the wanted one is nearer than any
 * other; next comes one of three bytes or more with which that begins. A text that shares less than
 * half of the longer one's bytes is not kept.
 */
void nsc_nearest_add(struct nsc_nearest *nearest, struct nsc_text candidate);
/* Offers a candidate, of which another text is kept: what it stands for. */
void nsc_nearest_add_as(struct nsc_nearest *nearest, struct nsc_text candidate,
                        struct nsc_text text);
/* Writes "; the nearest: A, B", safe and clipped, or "" if none is near, and returns out. */
const char *nsc_nearest_words(char out[NSC_NEAREST_WORDS], const struct nsc_nearest *nearest);

#endif
