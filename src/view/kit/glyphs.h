/*
 * What the glyphs of the view look like on a terminal that has ASCII only.
 */
#ifndef NSC_VIEW_KIT_GLYPHS_H
#define NSC_VIEW_KIT_GLYPHS_H

#include "nsyscope/types.h"

/* The ASCII character for one cluster of the view's own text; 0 when it has none and must be
 * spelled out. */
char nsc_glyph_ascii(struct nsc_text cluster);

#endif
