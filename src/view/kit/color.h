/*
 * Arithmetic of 24-bit colours: parsing, mixing, contrast, and the nearest colour of the 256-colour
 * palette.
 */
#ifndef NSC_VIEW_KIT_COLOR_H
#define NSC_VIEW_KIT_COLOR_H

#include "nsyscope/types.h"

/* "#rgb" or "#rrggbb". */
bool nsc_color_parse(uint32_t *out, struct nsc_text text);
/* The colour at part / whole of the way from a to b, mixed approximately in linear light. */
uint32_t nsc_color_mix(uint32_t a, uint32_t b, unsigned part, unsigned whole);
/* Relative luminance: 0 black .. 1 white. */
double nsc_color_luminance(uint32_t color);
/* 1 (the same) .. 21 (black on white), as WCAG defines it. */
double nsc_color_contrast(uint32_t a, uint32_t b);
/* The nearest fixed colour of the 256-colour palette: 16..255. Users may redefine the first 16. */
uint8_t nsc_color_256(uint32_t color);
/* The colour of a palette number >= 16. */
uint32_t nsc_color_of_256(uint8_t number);

#endif
