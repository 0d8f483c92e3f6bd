/*
 * The bottom pane, its lists and tables, the menu, the selected range and the clipboard. Private to this room.
 */
#ifndef NSC_VIEW_APP_PANES_H
#define NSC_VIEW_APP_PANES_H

#include "view/app/state.h"

/* ---- the panes ---- */

/* After each input: updates the current pane. */
void nsc_app_panes_update(struct nsc_app *app);
/* Does an action in the current pane: its own, or one of its table. False if it does not handle it. */
bool nsc_app_pane_act(struct nsc_app *app, enum nsc_action action);
/* Offers an action to the focused pane. False if the pane does not handle it. */
bool nsc_app_pane_action(struct nsc_app *app, enum nsc_action action);
bool nsc_app_pane_has_focus(const struct nsc_app *app);
/* The part of the pane's rectangle for its own text: without margins, and without the details beside
 * its list. */
struct nsc_rect nsc_app_pane_inner(const struct nsc_app *app);
/* Lines for the rows of its table, below its head. */
int nsc_app_pane_lines(const struct nsc_app *app);
/* Whether the focused pane ignores an action of its scope, so that its key reaches the timeline. */
bool nsc_app_pane_passes(const struct nsc_app *app, enum nsc_action action);
/* Scrolls by lines, within the text. */
/* Draws a pane, or measures one of text. Returns the number of its lines. */
int nsc_app_pane_draw(const struct nsc_app *app, uint32_t pane, struct nsc_grid *grid,
                      struct nsc_rect rect);
void nsc_app_scroll_pane(struct nsc_app *app, int64_t by);
/* A click in the pane. Returns whether it is on a line of its list. */
bool nsc_app_pane_press(struct nsc_app *app, int row, int col);
bool nsc_app_switch_focus(struct nsc_app *app);
void nsc_app_pane_show(struct nsc_app *app, uint32_t pane, bool full);
void nsc_app_pane_close(struct nsc_app *app);
bool nsc_app_pane_zoom(struct nsc_app *app);
/* Shows the pane with the focus; if it has the focus, returns to the pane before it. */
bool nsc_app_pane_toggle(struct nsc_app *app, uint32_t pane, bool full);
void nsc_app_pane_back(struct nsc_app *app);
/* The action of a pane's key: toggles it, over the whole screen if its row in nsc_panes says so. False,
 * with a message, if it waits for the rest of the export. */
bool nsc_app_pane_open(struct nsc_app *app, uint32_t pane);
/* Shows the current pane beside the timeline, with the focus: the next entry is one key away. */
void nsc_app_pane_keep(struct nsc_app *app);
/* The list of a pane; NULL: a pane of text. */
struct nsc_list *nsc_app_pane_list(struct nsc_app *app, uint32_t pane);
/* Whether that of the current pane, if it has one, has lines. */
bool nsc_app_pane_has_lines(const struct nsc_app *app);
/* Lists the events that the statistics count under this name. */
void nsc_app_events_group(struct nsc_app *app, nsc_event like, const struct nsc_subject *group);
/* Lists events like one whose durations are in a window. */
void nsc_app_events_only(struct nsc_app *app, nsc_event like, struct nsc_window durations);
void nsc_app_events_fini(struct nsc_app *app);

/* ---- the range ---- */

/* Each returns false if it had no effect. */
bool nsc_app_range_mark(struct nsc_app *app);
bool nsc_app_range_start(struct nsc_app *app);
bool nsc_app_range_end(struct nsc_app *app);
bool nsc_app_range_event(struct nsc_app *app);
void nsc_app_range_follow(struct nsc_app *app);
void nsc_app_range_drop(struct nsc_app *app);

/* ---- the clipboard ---- */

/* Copies the value; repeated, the row; then the command that reproduces it. */
void nsc_app_copy(struct nsc_app *app);

/* ---- what stands in nsc_panes ---- */

/* Measures the work of a subject for the selection or the summary, unless it is made or on its way;
 * slot: NSC_BUILDS_SELECTION or NSC_BUILDS_SUMMARY, which counts filtered work too. A long one arrives
 * later. trace and lanes of the query are filled in. */
void nsc_app_selection_measure(struct nsc_app *app, enum nsc_build_slot slot,
                               const struct nsc_subject *of, struct nsc_selection_query query);
/* Drops what is made or on its way. */
void nsc_app_selection_drop(struct nsc_app *app, enum nsc_build_slot slot);
void nsc_app_selection_fini(struct nsc_app *app);
void nsc_app_selection_update(struct nsc_app *app);
nsc_event nsc_app_selection_event(const struct nsc_app *app);
bool nsc_app_selection_act(struct nsc_app *app, enum nsc_action action);
void nsc_app_events_update(struct nsc_app *app);
bool nsc_app_events_act(struct nsc_app *app, enum nsc_action action);
nsc_event nsc_app_events_event(const struct nsc_app *app);
nsc_event nsc_app_flame_event(const struct nsc_app *app);
nsc_event nsc_app_tree_event(const struct nsc_app *app);
bool nsc_app_details_act(struct nsc_app *app, enum nsc_action action);

/* ---- the summary ---- */

/* Shows all work of the cursor's GPU. */
bool nsc_app_fit_gpu(struct nsc_app *app);
/* After a load: shows the summary until the cursor moves. */
void nsc_app_summary_begin(struct nsc_app *app);
void nsc_app_summary_follow(struct nsc_app *app);
/* Shows the details in place of the summary that a load has shown. */
void nsc_app_summary_leave(struct nsc_app *app);
void nsc_app_summary_update(struct nsc_app *app);
bool nsc_app_summary_act(struct nsc_app *app, enum nsc_action action);
void nsc_app_summary_fini(struct nsc_app *app);

/* ---- the flame graph ---- */

void nsc_app_flame_update(struct nsc_app *app);
bool nsc_app_flame_act(struct nsc_app *app, enum nsc_action action);
/* Moves the cursor to the frame at a screen position. */
bool nsc_app_flame_press(struct nsc_app *app, int row, int col);
/* Takes the call stacks of CPU samples. */
void nsc_app_flame_input(struct nsc_app *app, const struct nsc_input *input);

/* ---- findings ---- */

/* Goes to a finding. False if it has no place in the trace. */
bool nsc_app_finding_go(struct nsc_app *app, size_t i);

/* Requests findings, once. */
void nsc_app_findings_ask(struct nsc_app *app);
bool nsc_app_finding_step(struct nsc_app *app, bool forward);
void nsc_app_findings_input(struct nsc_app *app, const struct nsc_input *input);
/* After each input: asks for them as soon as the export is read. */
void nsc_app_findings_update(struct nsc_app *app);

void nsc_app_findings_list_update(struct nsc_app *app);
bool nsc_app_findings_act(struct nsc_app *app, enum nsc_action action);

/* ---- the menu ---- */

/* Opens the menu for the cursor's thing, at a screen position. False if it would be empty. */
bool nsc_app_menu_open_at(struct nsc_app *app, int row, int col);
/* At the cursor. */
bool nsc_app_menu_open(struct nsc_app *app);
void nsc_app_menu_close(struct nsc_app *app);
/* Runs an action of its scope. Returns the chosen action, which the caller runs. */
enum nsc_action nsc_app_menu_action(struct nsc_app *app, enum nsc_action action);
/* Takes all mouse input while it is open. Returns the chosen action, which the caller runs. */
enum nsc_action nsc_app_menu_mouse(struct nsc_app *app, const struct nsc_input *input);
void nsc_app_menu_draw(const struct nsc_app *app, struct nsc_grid *grid);

/* ---- tables ---- */

/* The timeline's cursor goes to the event of the pane's line, if it has one. */
void nsc_app_pane_moved(struct nsc_app *app);
/* Before an action on events. False, with a message, if the focused pane's line has none. */
bool nsc_app_pane_take_event(struct nsc_app *app, enum nsc_action action);
/* The table of the focused pane; NULL: it has none. */
struct nsc_table *nsc_app_table(struct nsc_app *app);
/* Asks for a text, of which only the items are listed; of other panes, for the filter. */
bool nsc_app_pane_filter(struct nsc_app *app);
/* Lists only the items of the focused pane that have a text; "": all. False: it has no such list. */
bool nsc_app_pane_narrow(struct nsc_app *app, struct nsc_text needle);
/* Goes to the time of the row at the cursor: an instant moves the cursor, a span sets range and window.
 * n and N then visit the list. False, with a message, if there is none. */
bool nsc_app_table_go(struct nsc_app *app, const struct nsc_table *table);
/* For a pane with a table: "choose" goes there. */
bool nsc_app_table_act(struct nsc_app *app, enum nsc_action action);
/* The rows that have times as spans; the caller frees the trace. NULL, with an error, without any. */
struct nsc_trace *nsc_app_table_track(const struct nsc_app *app, const struct nsc_sheet *sheet,
                                      struct nsc_error *error);

/* ---- overlap, and events that belong together ---- */

/* found: the iterations, taken over. */
void nsc_explore_loaded(struct nsc_app *app, struct nsc_iterations *found);
void nsc_explore_fini(struct nsc_app *app);
void nsc_app_overlap_update(struct nsc_app *app);

/* ---- events of one name, and linked ones ---- */

bool nsc_app_same_step(struct nsc_app *app, bool forward);
bool nsc_app_same_longest(struct nsc_app *app);
/* Fits the selected event, its launch or the work it launched, and the work it waited for, with a
 * margin of a tenth on both sides. */
bool nsc_app_fit_links(struct nsc_app *app);

/* ---- queries in SQL ---- */

/* Opens the prompt; runs a query at once. */
bool nsc_app_sql_open(struct nsc_app *app);
NSC_NODISCARD enum nsc_status nsc_app_sql_ask(struct nsc_app *app, struct nsc_text query,
                                              struct nsc_error *error);
/* Cancels the running query. False if none runs. */
bool nsc_app_sql_stop(struct nsc_app *app);
/* Takes the result over. */
void nsc_app_sql_input(struct nsc_app *app, const struct nsc_input *input);
void nsc_app_sql_fini(struct nsc_app *app);

/* The time of a row of the result, on the trace's axis; see nsc_relation_time. */
bool nsc_app_sql_time(const struct nsc_app *app, uint32_t row, struct nsc_window *out);
/* Shows its rows as rows of the timeline, or hides them. Errors go to the status line. */
bool nsc_app_sql_track(struct nsc_app *app);

/* ---- bookmarks ---- */

void nsc_app_bookmarks_fini(struct nsc_app *app);
/* Merges bookmarks that were read or saved, and restores the view if the input has a state. */
void nsc_app_bookmarks_input(struct nsc_app *app, const struct nsc_input *input);

/* Takes the bookmark over and moves the list's cursor to it. */
void nsc_app_bookmark_add(struct nsc_app *app, struct nsc_bookmark *b);
/* Each returns false if it had no effect. */
bool nsc_app_bookmark_open(struct nsc_app *app);
/* Opens the prompt for a bookmark of a range of time, with the selected event. */
bool nsc_app_bookmark_span(struct nsc_app *app, struct nsc_window span);
/* Removes the bookmark at the list's cursor. */
bool nsc_app_bookmark_remove(struct nsc_app *app);
bool nsc_app_bookmark_step(struct nsc_app *app, bool forward);
bool nsc_app_bookmark_jump(struct nsc_app *app, size_t i);
void nsc_app_bookmark_range(struct nsc_app *app);

bool nsc_app_bookmarks_act(struct nsc_app *app, enum nsc_action action);

/* ---- questions ---- */

/* Asks "top_kernels limit=5" by name. NSC_EINVAL: there is no such question. */
NSC_NODISCARD enum nsc_status nsc_app_answers_ask(struct nsc_app *app, struct nsc_text line,
                                                  struct nsc_error *error);
/* Asks what changed between two recordings, for the summary too; opens no pane. Any other question
 * replaces it. */
void nsc_app_answers_ask_change(struct nsc_app *app);
/* Asks the question that best matches words such as "why bubbles". */
NSC_NODISCARD enum nsc_status nsc_app_answers_ask_words(struct nsc_app *app, struct nsc_text words,
                                                        struct nsc_error *error);
/* Requests the tables and columns of the export, or says why it cannot. */
bool nsc_app_schema_open(struct nsc_app *app);
/* Opens the SQL prompt with the query of a schema row. False if the pane shows no schema. */
bool nsc_app_schema_query(struct nsc_app *app);
/* Requests writing the visible table to a new file, as CSV. */
NSC_NODISCARD enum nsc_status nsc_app_answers_write(struct nsc_app *app, struct nsc_text path,
                                                    struct nsc_error *error);
/* Takes the answer over. */
void nsc_app_answers_input(struct nsc_app *app, const struct nsc_input *input);
/* Shows the critical path of the range, or of an iteration, as rows of the timeline; repeated,
 * hides it. */
bool nsc_app_critical_path(struct nsc_app *app);
void nsc_app_answers_fini(struct nsc_app *app);

void nsc_app_answers_update(struct nsc_app *app);
bool nsc_app_answers_beyond(struct nsc_app *app, enum nsc_action action);
bool nsc_app_answers_act(struct nsc_app *app, enum nsc_action action);

#endif
