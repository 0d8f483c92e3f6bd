/*
 * Bookmarks and what a view is restored from: the model, its merge between running programs, and
 * its text in a file (docs/BOOKMARKS.md).
 *
 * A list holds what is alive, in the order of time, and behind it what was removed: a removed one
 * stays as a mark of its id, so that no other program's copy brings it back. Nothing here reads a
 * clock or a file: whoever saves stamps first. All texts are raw UTF-8, made safe by whoever shows
 * them.
 */
#ifndef NSC_VIEW_MODEL_BOOKMARK_H
#define NSC_VIEW_MODEL_BOOKMARK_H

#include "core/buf.h"
#include "view/model/track_id.h"

#define NSC_IDENTITY_BYTES 33 /* of an export: 32 hexadecimal digits and a NUL */

enum nsc_bookmark_text {
    NSC_BOOKMARK_NAME,
    NSC_BOOKMARK_NOTE,
    NSC_BOOKMARK_TAGS,   /* separated by commas */
    NSC_BOOKMARK_PATH,   /* NVTX ranges around it, as they were shown */
    NSC_BOOKMARK_FILTER, /* in force when it was made */
    NSC_N_BOOKMARK_TEXTS
};

struct nsc_bookmark {
    uint64_t id;               /* 0 until it is stamped */
    int64_t created, modified; /* UTC, ns since 1970; set by the stamp */
    nsc_time time;             /* of a range: its start */
    struct nsc_window range;   /* has_range */
    struct nsc_window zoom;    /* has_zoom: what the screen showed */
    struct nsc_track_id track; /* has_track */
    uint32_t source;           /* has_event: row id in the table of kind */
    uint8_t kind;              /* has_event: enum nsc_kind */
    bool has_range, has_zoom, has_track, has_event;
    bool deleted;                      /* only id and modified mean anything */
    bool changed;                      /* since the last save */
    int32_t color;                     /* 0xRRGGBB; -1: the theme's */
    char *texts[NSC_N_BOOKMARK_TEXTS]; /* owned; NULL for "" */
};

/* Zero is an empty list; free with fini. Read at and n, change by the functions. */
struct nsc_bookmarks {
    struct nsc_bookmark *at;
    size_t n, capacity;
};

/* A bookmark at that time, without anything else. */
struct nsc_bookmark nsc_bookmark_new(nsc_time time);
/* A copy of all of it; the caller calls fini. */
struct nsc_bookmark nsc_bookmark_copy(const struct nsc_bookmark *bookmark);
void nsc_bookmark_fini(struct nsc_bookmark *bookmark);
void nsc_bookmark_set_text(struct nsc_bookmark *bookmark, enum nsc_bookmark_text which,
                           struct nsc_text text);
/* Never NULL. */
const char *nsc_bookmark_text(const struct nsc_bookmark *bookmark, enum nsc_bookmark_text which);
/* Whether both say the same of the same time; ids and stamps do not count. */
bool nsc_bookmark_same(const struct nsc_bookmark *a, const struct nsc_bookmark *b);

void nsc_bookmarks_fini(struct nsc_bookmarks *list);
/* out becomes a copy of list, in its order; what it held is forgotten. */
void nsc_bookmarks_copy(struct nsc_bookmarks *out, const struct nsc_bookmarks *list);
/* How many are alive: they are [0, this). */
size_t nsc_bookmarks_live(const struct nsc_bookmarks *list);
/* Takes the bookmark over (it is empty then), keeps id and stamps it may have; returns where it
 * stands. */
size_t nsc_bookmarks_add(struct nsc_bookmarks *list, struct nsc_bookmark *bookmark);
/* Puts the bookmark (taken over) in the place of list->at[i], whose id and creation stay. */
size_t nsc_bookmarks_edit(struct nsc_bookmarks *list, size_t i, struct nsc_bookmark *bookmark);
void nsc_bookmarks_remove(struct nsc_bookmarks *list, size_t i);
/* The place of an id, alive or not; list->n when it is not there. */
size_t nsc_bookmarks_find(const struct nsc_bookmarks *list, uint64_t id);

/*
 * Gives what changed its id and times. A modification never gets an earlier time than the one it
 * replaces, whatever the clock does. random is any number not used before.
 */
void nsc_bookmarks_set_stamp(struct nsc_bookmarks *list, int64_t utc, uint64_t random);
/*
 * Takes over all of other (it is empty then). Of two with one id the removed one stays, else the
 * one modified later, else one by a fixed order: merging is commutative, associative and
 * idempotent. Ids that are 0 are never the same.
 */
void nsc_bookmarks_merge(struct nsc_bookmarks *list, struct nsc_bookmarks *other);

/* ---- what a view is restored from ---- */

struct nsc_session_setting {
    char *name, *value; /* owned */
};

/* Tracks that something was done to. */
enum nsc_session_tracks {
    NSC_SESSION_FOLDS,
    NSC_SESSION_PINS,
    NSC_SESSION_HIDDEN, /* a header: with all that is in its group */
    NSC_SESSION_ORDER,  /* members of groups that are not in their natural order, as they stand */
    NSC_SESSION_TALL,   /* once for each line beyond the first */
    NSC_N_SESSION_TRACKS
};

struct nsc_track_ids {
    struct nsc_track_id *at; /* owned */
    uint32_t n;
};

/* Zero is an empty state; free with fini. */
struct nsc_session_state {
    int64_t modified; /* UTC ns; 0: never saved */
    bool has_window, has_row;
    struct nsc_window window;
    nsc_time cursor;
    struct nsc_track_id row; /* with the cursor */
    struct nsc_track_ids tracks[NSC_N_SESSION_TRACKS];
    char *filter;                         /* NULL for "" */
    struct nsc_session_setting *settings; /* "axis" = "relative" ...: for whatever comes */
    uint32_t n_settings;
};

void nsc_session_state_fini(struct nsc_session_state *state);
/* value NULL or "" forgets the setting. */
void nsc_session_state_set(struct nsc_session_state *state, const char *name, const char *value);
/* "" when it is not set. */
const char *nsc_session_state_get(const struct nsc_session_state *state, const char *name);
/* Copies of the identities replace those that were there. */
void nsc_session_state_set_tracks(struct nsc_session_state *state, enum nsc_session_tracks which,
                                  const struct nsc_track_id *ids, uint32_t n);
/* As files call them: "folds", "pins" ... */
const char *nsc_session_tracks_word(enum nsc_session_tracks which);

/* ---- the file ---- */

/* Words that its writer and its reader share. */
#define NSC_BOOKMARKS_FORMAT "nsyscope-bookmarks-" /* and the version */

extern const char *const nsc_bookmark_text_keys[NSC_N_BOOKMARK_TEXTS];
/* Kinds of events by their enumerators: each names one, which the filter's words do not. */
extern const char *const nsc_bookmark_kinds[NSC_N_KINDS];

struct nsc_bookmarks_report {
    unsigned version; /* of the format; 0: not a file of ours */
    uint32_t lost;    /* entries that could not be read */
    uint32_t parts;   /* members of other entries that could not be read, and a lost session */
    bool damaged;     /* anything was lost, or the text is no JSON */
    char identity[NSC_IDENTITY_BYTES]; /* of the export they belong to; "" when not told */
};

#define NSC_BOOKMARKS_VERSION 1 /* what is written; a newer one is to be read only */

/* Appends the whole file. session may be NULL; without the removed ones it is for other people. */
void nsc_bookmarks_format(struct nsc_buf *out, const struct nsc_bookmarks *list,
                          const struct nsc_session_state *session, const char *identity,
                          bool with_removed);
/* Adds what can be read of text to list and session (NULL: not wanted): any bytes are taken. */
void nsc_bookmarks_parse(struct nsc_bookmarks *list, struct nsc_session_state *session,
                         struct nsc_text text, struct nsc_bookmarks_report *report);
/* "0011223344556677" as files and people write an id; false when it is none or 0. */
bool nsc_bookmark_parse_id(uint64_t *out, struct nsc_text text);

#endif
