/*
 * The line being typed at the bottom, the filter and the search: their state and what the files of
 * the application call of each other. Private to app*.c and pane_*.c.
 */
#ifndef NSC_VIEW_APP_FILTER_H
#define NSC_VIEW_APP_FILTER_H

#include "nsyscope/status.h"
#include "nsyscope/summary.h"

#include "analysis/select/filter.h"
#include "view/app/app.h"
#include "view/kit/keymap.h"
#include "view/kit/prompt.h"
#include "view/model/pick.h"

/* ---- prompts: what can be typed at the bottom ---- */

enum nsc_prompt_id {
    NSC_PROMPT_NONE,
    NSC_PROMPT_FILTER,
    NSC_PROMPT_DURATION,
    NSC_PROMPT_FIND,
    NSC_PROMPT_COMMAND,
    NSC_PROMPT_BOOKMARK,
    NSC_PROMPT_BOOKMARK_NAME,
    NSC_PROMPT_BOOKMARK_NOTE,
    NSC_PROMPT_BOOKMARK_TAGS,
    NSC_PROMPT_BOOKMARK_COLOR,
    NSC_PROMPT_SQL,
    NSC_PROMPT_TREE_GOTO,
    NSC_PROMPT_TREE_TRIM,
    NSC_PROMPT_EXPORT,
    NSC_PROMPT_REPLACE,
    NSC_N_PROMPTS
};

/* A kind of prompt. Functions may be NULL. */
struct nsc_prompt_kind {
    const char *label;
    const char *does; /* what Enter does, in a word */
    /* The text changed: preview it, or say what is wrong with nsc_app_prompt_wrong. Postponed while
     * keys come fast in a large trace, but done before accept. */
    void (*changed)(struct nsc_app *app);
    bool (*accept)(struct nsc_app *app); /* false: the prompt stays open */
    void (*cancel)(struct nsc_app *app); /* brings back what was before */
    /* Ways to complete the word being typed: appends the i-th, false past the last. */
    bool (*complete)(const struct nsc_app *app, struct nsc_text word, uint32_t i,
                     struct nsc_buf *out);
};

struct nsc_app_prompt {
    enum nsc_prompt_id open;
    struct nsc_prompt lines[NSC_N_PROMPTS]; /* each with its own history */
    bool is_wrong;
    uint32_t column; /* the byte that is wrong */
    struct nsc_error error;
    bool due; /* a change waits to be previewed: NSC_EFFECT_WORK */
    /* While Tab goes from one way to complete a word to the next. */
    bool completing;
    size_t from;         /* of the word, which reaches to the cursor */
    uint32_t way;        /* the next one */
    struct nsc_buf word; /* as it was typed */
};

/* Opens a prompt with a text to edit. */
void nsc_app_prompt_open(struct nsc_app *app, enum nsc_prompt_id id, struct nsc_text text);
/* Says what is wrong with the text, from which byte on; error is read to its text. */
void nsc_app_prompt_wrong(struct nsc_app *app, uint32_t column, const char *text);
struct nsc_text nsc_app_prompt_text(const struct nsc_app *app);
void nsc_app_prompt_key(struct nsc_app *app, enum nsc_action action, nsc_key key,
                        struct nsc_effects *effects);
/* Nothing else waits: previews a change. */
void nsc_app_prompt_tick(struct nsc_app *app);
void nsc_app_prompt_fini(struct nsc_app *app);
void nsc_app_prompt_draw(const struct nsc_app *app, struct nsc_grid *grid);

/* ---- the filter ---- */

struct nsc_app_filter {
    char text[NSC_PROMPT_BYTES];   /* what is asked for; "": everything */
    char shown[NSC_PROMPT_BYTES];  /* what pick stands for: the same, unless it is being made */
    char before[NSC_PROMPT_BYTES]; /* when the prompt was opened */
    struct nsc_pick pick;
    struct nsc_making making; /* what text stands for, unless it is shown */
    bool is_accepted;         /* what follows a filter is due when it is made */
    const struct nsc_filter_preset *presets;
    uint32_t n_presets;
};

extern const struct nsc_prompt_kind nsc_prompt_filter;
extern const struct nsc_prompt_kind nsc_prompt_duration;

/* Whether the filter that is asked for is being made: what is shown is still that before. */
bool nsc_app_filter_waits(const struct nsc_app *app);
/* After each input: a slice of what is left to do when there is time for it. */
void nsc_app_filter_update(struct nsc_app *app, bool tick, struct nsc_effects *effects);
/* Shows only what the expression selects, as soon as that is made; what is wrong with it is said in
 * the status line. */
bool nsc_app_filter_set(struct nsc_app *app, struct nsc_text text);
/* Each says with false that there was nothing to do. Cancelled, the filter is again what is
 * shown. */
bool nsc_app_filter_cancel(struct nsc_app *app);
bool nsc_app_filter_open(struct nsc_app *app);
bool nsc_app_filter_duration(struct nsc_app *app);
bool nsc_app_filter_name(struct nsc_app *app);
/* The filter with another minimum duration; "": none. */
bool nsc_app_filter_least(struct nsc_app *app, struct nsc_text duration);
bool nsc_app_filter_dim(struct nsc_app *app);
bool nsc_app_filter_clear(struct nsc_app *app);
void nsc_app_filter_fini(struct nsc_app *app);

/* ---- the search ---- */

struct nsc_app_search {
    char text[NSC_PROMPT_BYTES]; /* what is looked for; "": nothing */
    char before[NSC_PROMPT_BYTES];
    struct nsc_pick pick;     /* the hits: of the events that the filter keeps */
    struct nsc_making making; /* those of text, unless they are there */
    bool is_accepted;         /* the first hit is gone to when they are made */
    uint8_t *ticks;           /* columns of the overview with a hit */
};

extern const struct nsc_prompt_kind nsc_prompt_find;

bool nsc_app_is_searching(const struct nsc_app *app);
bool nsc_app_find_open(struct nsc_app *app);
/* Looks for names and goes to the first hit; "" ends the search. */
NSC_NODISCARD enum nsc_status nsc_app_find(struct nsc_app *app, struct nsc_text text,
                                           struct nsc_error *error);
/* The filter changed: looks again. */
void nsc_app_search_again(struct nsc_app *app);
bool nsc_app_search_end(struct nsc_app *app);
/* Whether the hits of what is looked for are being made: those that are shown are of before. */
bool nsc_app_search_waits(const struct nsc_app *app);
void nsc_app_search_update(struct nsc_app *app, bool tick, struct nsc_effects *effects);
bool nsc_app_search_cancel(struct nsc_app *app);
/* Goes to the next or previous hit in time. */
bool nsc_app_hit_step(struct nsc_app *app, bool forward);
void nsc_app_search_ticks(struct nsc_app *app);
void nsc_app_search_fini(struct nsc_app *app);

#endif
