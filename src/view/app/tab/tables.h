/* What the panes of tables share, that is answers and results of queries. Private to app/ and its tabs. */
#ifndef NSC_VIEW_APP_TABLES_H
#define NSC_VIEW_APP_TABLES_H

#include "view/app/state.h"

/* Chooses a column, or sorts by it. False for other actions. */
bool nsc_app_table_act(struct nsc_table *table, enum nsc_action action);
/* The table of the focused pane; NULL: it has none. */
struct nsc_table *nsc_app_table(struct nsc_app *app);
/* Asks for a text, of which only the rows are listed; of other panes, for the filter. */
bool nsc_app_pane_filter(struct nsc_app *app);
/* Goes to the time of the row at the cursor: an instant moves the cursor, a span sets range and window.
 * n and N then visit the list. False, with a message, if there is none. */
bool nsc_app_table_go(struct nsc_app *app, const struct nsc_table *table, enum nsc_walk list);
/* The rows that have times as spans; the caller frees the trace. NULL, with an error, without any. */
struct nsc_trace *nsc_app_table_track(const struct nsc_app *app, const struct nsc_sheet *sheet,
                                      struct nsc_error *error);

#endif
