/* A job of sketches as sheets: who holds the others up, and the meetings with their clocks. */
#ifndef NSC_FLEET_SHEETS_H
#define NSC_FLEET_SHEETS_H

#include "core/sheet.h"
#include "fleet/late.h"

/* Adds "verdict" and "meetings", of which limit rows (0: all). */
void nsc_fleet_sheets(struct nsc_sheets *out, const struct nsc_fleet *fleet, uint32_t limit);

#endif
