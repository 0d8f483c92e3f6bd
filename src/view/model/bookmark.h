/*
 * Bookmarks and the state of a view: the model, merging between running programs, and the file
 * format (docs/BOOKMARKS.md).
 *
 * A list has live bookmarks, ordered by time, then removed ones. A removed bookmark stays as a mark
 * of its id, so that no other program's copy restores it. Nothing here reads a clock or a file:
 * callers stamp a list before they save it. Texts are raw UTF-8; callers clean them before showing
 * them.
 */
#ifndef NSC_VIEW_MODEL_BOOKMARK_H
#define NSC_VIEW_MODEL_BOOKMARK_H

#include "core/buf.h"
#include "view/model/arrangement.h"
#include "view/model/track_id.h"

#define NSC_IDENTITY_BYTES 33 /* bytes of an export's identity: 32 hexadecimal digits and a NUL */

enum nsc_bookmark_text {
    NSC_BOOKMARK_NAME,
    NSC_BOOKMARK_NOTE,
    NSC_BOOKMARK_TAGS,   /* separated by commas */
    NSC_BOOKMARK_PATH,   /* NVTX ranges around it, as shown */
    NSC_BOOKMARK_FILTER, /* filter in effect when it was made */
    NSC_N_BOOKMARK_TEXTS
};

struct nsc_bookmark {
    uint64_t id;               /* 0 until stamped */
    int64_t created, modified; /* UTC, ns since 1970; set when stamped */
    nsc_time time;             /* start, for a range */
    struct nsc_window range;   /* valid if has_range */
    struct nsc_window zoom;    /* valid if has_zoom: window on the screen */
    struct nsc_track_id track; /* valid if has_track */
    uint32_t source;           /* valid if has_event: row id in the table of kind */
    uint8_t kind;              /* valid if has_event: enum nsc_kind */
    bool has_range, has_zoom, has_track, has_event;
    bool deleted;                      /* removed: only id and modified are valid */
    bool changed;                      /* changed since the last save */
    int32_t color;                     /* 0xRRGGBB; -1: the theme's */
    char *texts[NSC_N_BOOKMARK_TEXTS]; /* owned; NULL for "" */
};

/* Zero is an empty list; free with fini. Read at and n; change them with the functions only. */
struct nsc_bookmarks {
    struct nsc_bookmark *at;
    size_t n, capacity;
};

/* A bookmark at this time, otherwise empty. */
struct nsc_bookmark nsc_bookmark_new(nsc_time time);
/* A deep copy; the caller calls fini. */
struct nsc_bookmark nsc_bookmark_copy(const struct nsc_bookmark *bookmark);
void nsc_bookmark_fini(struct nsc_bookmark *bookmark);
void nsc_bookmark_set_text(struct nsc_bookmark *bookmark, enum nsc_bookmark_text which,
                           struct nsc_text text);
/* Never NULL. */
const char *nsc_bookmark_text(const struct nsc_bookmark *bookmark, enum nsc_bookmark_text which);
/* Orders two by time and contents; ids and stamps do not count. 0: they are the same. */
int nsc_bookmark_compare(const struct nsc_bookmark *a, const struct nsc_bookmark *b);

void nsc_bookmarks_fini(struct nsc_bookmarks *list);
/* Replaces out by a copy of list, in the same order. */
void nsc_bookmarks_copy(struct nsc_bookmarks *out, const struct nsc_bookmarks *list);
/* The number n of live bookmarks, which are [0, n). */
size_t nsc_bookmarks_live(const struct nsc_bookmarks *list);
/* Takes the bookmark over (leaving it empty) with its id and stamps. Returns its index. */
size_t nsc_bookmarks_add(struct nsc_bookmarks *list, struct nsc_bookmark *bookmark);
/* Replaces list->at[i] by the bookmark (taken over), keeping id and creation time. Returns its
 * index. */
size_t nsc_bookmarks_edit(struct nsc_bookmarks *list, size_t i, struct nsc_bookmark *bookmark);
void nsc_bookmarks_remove(struct nsc_bookmarks *list, size_t i);
/* The index of an id, live or removed; list->n if there is none. */
size_t nsc_bookmarks_find(const struct nsc_bookmarks *list, uint64_t id);

/*
 * Gives changed bookmarks an id and times. A modification never gets an earlier time than the
 * previous one, whatever the clock says. random: any number not used before.
 */
void nsc_bookmarks_set_stamp(struct nsc_bookmarks *list, int64_t utc, uint64_t random);
/*
 * Takes over all of other (leaving it empty). Of two with the same id, keeps the removed one, else
 * the one modified later, else one by a fixed order; so merging is commutative, associative and
 * idempotent. Ids 0 are never equal.
 */
void nsc_bookmarks_merge(struct nsc_bookmarks *list, struct nsc_bookmarks *other);

/* ---- what a view is restored from ---- */

/* Settings in a session: words. */
enum nsc_session_setting { NSC_SESSION_AXIS, NSC_SESSION_PANE, NSC_N_SESSION_SETTINGS };

/* Sets of tracks in a session. */
enum nsc_session_tracks {
    NSC_SESSION_FOLDS,
    NSC_SESSION_PINS,
    NSC_SESSION_HIDDEN, /* for a header: with its whole group */
    NSC_SESSION_ORDER,  /* members of groups not in natural order, in their present order */
    NSC_SESSION_TALL,   /* one entry for each line beyond the first */
    NSC_N_SESSION_TRACKS
};

struct nsc_track_ids {
    struct nsc_track_id *at; /* owned */
    size_t n, capacity;
};

/* Zero is an empty state; free with fini. */
struct nsc_session_state {
    int64_t modified; /* UTC ns; 0: never saved */
    bool has_window, has_row;
    struct nsc_window window;
    nsc_time cursor;
    struct nsc_track_id row; /* row with the cursor */
    struct nsc_track_ids tracks[NSC_N_SESSION_TRACKS];
    char *filter;                           /* NULL for "" */
    char *settings[NSC_N_SESSION_SETTINGS]; /* such as "relative" for the axis; NULL for "" */
};

void nsc_session_state_fini(struct nsc_session_state *state);

/* ---- the file ---- */

/* Words shared by the writer and the reader. */
#define NSC_BOOKMARKS_FORMAT "nsyscope-bookmarks-" /* followed by the version */

extern const char *const nsc_bookmark_text_keys[NSC_N_BOOKMARK_TEXTS];
extern const char *const nsc_session_setting_keys[NSC_N_SESSION_SETTINGS];
extern const char *const nsc_session_tracks_keys[NSC_N_SESSION_TRACKS];
/* Kinds of events by their enumerators, which are unique; the filter's words are not. */
extern const char *const nsc_bookmark_kinds[NSC_N_KINDS];

struct nsc_bookmarks_report {
    unsigned version; /* version of the format; 0: not a bookmarks file */
    uint32_t lost;    /* entries that could not be read */
    uint32_t parts;   /* unreadable members of other entries, and an unreadable session */
    bool damaged;     /* something was lost, or the text is not JSON */
    char identity[NSC_IDENTITY_BYTES]; /* identity of their export; "" if not stated */
};

#define NSC_BOOKMARKS_VERSION 1 /* version written; files with a newer one are read-only */

/* Appends the whole file. session may be NULL. Files for other people have no removed ones. */
void nsc_bookmarks_format(struct nsc_buf *out, const struct nsc_bookmarks *list,
                          const struct nsc_session_state *session, const char *identity,
                          bool with_removed);
/* Adds everything readable in text to list and session (NULL: skip it). Accepts any bytes. */
void nsc_bookmarks_parse(struct nsc_bookmarks *list, struct nsc_session_state *session,
                         struct nsc_text text, struct nsc_bookmarks_report *report);
/* Parses "0011223344556677", an id in files; false if it is not an id, or 0. */
bool nsc_bookmark_parse_id(uint64_t *out, struct nsc_text text);

/* ---- rows of a session, and of the early trace ---- */

/* The number of each early track in the whole trace; NSC_NONE if it is gone. The caller frees it. */
uint32_t *nsc_carry_map(const struct nsc_trace *early, const struct nsc_trace *whole);
/*
 * Carries hidden, pinned, tall and folded rows over; new rows get the default, and the order is the
 * natural one. Returns one bit per track of the whole trace, set if the early one has it; the caller
 * frees it.
 */
uint64_t *nsc_carry_rows(struct nsc_arrangement *now, uint64_t **folds,
                         const struct nsc_trace *whole, const uint32_t map[]);

/* Adds which rows are folded, pinned, hidden, moved and tall to an empty state. */
void nsc_session_rows_put(struct nsc_session_state *out, const struct nsc_trace *trace,
                          const struct nsc_arrangement *arrangement, const uint64_t *folds);
/* Leaves tracks whose bit is set in known as they are. NULL: no bit is set. */
void nsc_session_rows_restore(const struct nsc_session_state *state, const uint64_t *known,
                              const struct nsc_trace *trace, struct nsc_arrangement *arrangement,
                              uint64_t *folds);

#endif
