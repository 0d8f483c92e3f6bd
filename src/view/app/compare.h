/* Compares two recordings: pairs their iterations. Private to this room. */
#ifndef NSC_VIEW_APP_COMPARE_H
#define NSC_VIEW_APP_COMPARE_H

#include "view/app/state.h"

/* After a load: pairs the iterations, if the user compares two recordings. found: those of both, taken
 * over. */
void nsc_app_compare_loaded(struct nsc_app *app, struct nsc_iterations found[2]);
/* After each input: aligns the starts of the paired iterations at the cursor. */
void nsc_app_compare_update(struct nsc_app *app);
void nsc_app_compare_fini(struct nsc_app *app);
/* "A 12: 9.21 ms | B 12: 9.87 ms, +7.2 %" for the paired iterations; "" if nothing is compared. */
void nsc_app_compare_text(const struct nsc_app *app, char out[], size_t size);

#endif
