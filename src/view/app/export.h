/*
 * Exporting from the screen: what was chosen, and how far it is. Private to app*.c and pane_*.c.
 *
 * The application writes no file: it asks with NSC_EFFECT_EXPORT and hears with NSC_INPUT_EXPORT.
 */
#ifndef NSC_VIEW_APP_EXPORT_H
#define NSC_VIEW_APP_EXPORT_H

#include "view/app/app.h"
#include "view/app/filter.h"
#include "view/kit/action.h"

enum nsc_export_what { NSC_EXPORT_VIEW, NSC_EXPORT_RANGE, NSC_EXPORT_ALL, NSC_N_EXPORT_WHATS };

struct nsc_app_export {
    bool open;   /* the box to choose in */
    size_t line; /* of the box, with the cursor */
    enum nsc_dump_format format;
    enum nsc_export_what what;
    char path[NSC_PROMPT_BYTES];
    bool replace; /* a file that is there: it was asked */
    bool due;     /* to be asked for: NSC_EFFECT_EXPORT */
    bool running;
    bool cancel;    /* to be asked for */
    uint64_t since; /* ms: the first thing heard of it */
};

extern const struct nsc_prompt_kind nsc_prompt_export;
extern const struct nsc_prompt_kind nsc_prompt_overwrite;

/* Opens the box, or closes it. False, and says so, while an export runs. */
bool nsc_app_export_open(struct nsc_app *app);
/* What a key of its scope does; false when there was nothing to do. */
bool nsc_app_export_action(struct nsc_app *app, enum nsc_action action);
/* ":export FORMAT [view|range|all] FILE"; without arguments the box. */
NSC_NODISCARD enum nsc_status nsc_app_export_command(struct nsc_app *app, struct nsc_text arguments,
                                                     struct nsc_error *error);
bool nsc_app_export_complete(struct nsc_text before, struct nsc_text stem, uint32_t i,
                             struct nsc_buf *out);
/* Asks to end a running one; false when none runs. */
bool nsc_app_export_cancel(struct nsc_app *app);
void nsc_app_export_input(struct nsc_app *app, const struct nsc_input *input);
/* After each input: what is to be asked for. */
void nsc_app_export_update(struct nsc_app *app, struct nsc_effects *effects);
/* How many events there are to choose from, all or only those of the range or view. */
uint64_t nsc_app_export_count(const struct nsc_app *app, enum nsc_export_what what);
const char *nsc_export_what_name(enum nsc_export_what what);
void nsc_pane_export_draw(const struct nsc_app *app, struct nsc_grid *grid);

#endif
