/*
 * Inputs of the application: keys, the mouse, a new size, passing time, and results of its effects.
 */
#ifndef NSC_VIEW_APP_INPUT_H
#define NSC_VIEW_APP_INPUT_H

#include "nsyscope/open.h"
#include "nsyscope/trace.h"

#include "core/buf.h"
#include "view/kit/key.h"

enum nsc_input_type {
    NSC_INPUT_KEY,
    NSC_INPUT_MOUSE,
    NSC_INPUT_RESIZE,
    NSC_INPUT_TICK,     /* no other input is waiting: time for a slice of work (NSC_EFFECT_WORK) */
    NSC_INPUT_PROGRESS, /* progress of a load */
    NSC_INPUT_LOADED,   /* a load succeeded: trace is borrowed and outlives the application */
    NSC_INPUT_FAILED,   /* a load or another effect failed: text says why */
    NSC_INPUT_DETAILS,  /* the result of NSC_EFFECT_DETAILS */
    NSC_INPUT_CHANGED,  /* the export changed on disk */
    NSC_INPUT_BACKDROP, /* the terminal reports its background colour: color */
    NSC_INPUT_LINK,     /* the link to the terminal became slow, or fast again */
    NSC_INPUT_THEME,    /* the result of NSC_EFFECT_THEME: export_colors */
    NSC_INPUT_COMMAND,  /* a line of the command line: text */
    NSC_INPUT_MESSAGE,  /* a message for the status line: text */
    NSC_INPUT_QUERY,    /* the result of NSC_EFFECT_QUERY: relation, or text and column */
    NSC_INPUT_EXPORT,   /* from NSC_EFFECT_EXPORT: exported, with progress or text */
    NSC_INPUT_BUILT,    /* NSC_EFFECT_BUILD is done */
    NSC_INPUT_FINDINGS, /* from NSC_EFFECT_FINDINGS: progress, finally findings */
    NSC_INPUT_ANSWER,   /* the result of NSC_EFFECT_ANSWER: sheets, or text with the reason for
                         * none */
    NSC_INPUT_STACKS,   /* the result of NSC_EFFECT_STACKS: stacks, or text with the reason for
                         * none; neither: the export has none */
    NSC_INPUT_BOOKMARKS /* bookmarks read or saved, and a message or NULL */
};

/* Builds that can run at the same time. */
enum nsc_build_slot {
    NSC_BUILDS_TREE,
    NSC_BUILDS_PROJECTION,
    /* The user cannot cancel these: the window may move on meanwhile, or nobody requested them. */
    NSC_BUILDS_FLAME,
    NSC_BUILDS_IDLE,
    NSC_BUILDS_SELECTION,
    NSC_BUILDS_SUMMARY, /* the GPU work by name */
    NSC_BUILDS_OVERLAP,
    NSC_BUILDS_RANK, /* the standing of an event */
    /* A newer one of these gives the older up. */
    NSC_BUILDS_PICK, /* of the filter */
    NSC_BUILDS_HITS, /* of the search */
    NSC_N_BUILD_SLOTS
};

enum nsc_exported {
    NSC_EXPORTED_PART,   /* it continues: progress */
    NSC_EXPORTED_ALL,    /* the file is complete: text says where */
    NSC_EXPORTED_EXISTS, /* the file exists: nothing was written */
    NSC_EXPORTED_FAILED  /* or cancelled: text has the reason */
};

struct nsc_bookmarks;
struct nsc_findings;
struct nsc_relation;
struct nsc_session_state;
struct nsc_sheets;
struct nsc_stacks;

enum nsc_mouse_action {
    NSC_MOUSE_PRESS,
    NSC_MOUSE_DRAG,
    NSC_MOUSE_RELEASE,
    NSC_MOUSE_DOUBLE,
    NSC_MOUSE_WHEEL_UP,
    NSC_MOUSE_WHEEL_DOWN
};

struct nsc_input {
    enum nsc_input_type type;
    nsc_key key; /* KEY */
    struct {
        enum nsc_mouse_action action;
        int button; /* 1 left, 2 middle, 3 right */
        int row, col;
        bool shift, ctrl;
    } mouse;
    uint32_t rows, cols;               /* RESIZE */
    uint64_t now;                      /* ms on a monotonic clock: all types */
    struct nsc_progress_view progress; /* PROGRESS, EXPORT, FINDINGS */
    enum nsc_exported exported;        /* EXPORT */
    struct nsc_findings *findings;     /* FINDINGS: taken over; or NULL */
    const struct nsc_trace *trace;     /* LOADED */
    /* LOADED: taken over, as of nsc_iterations_find_each; NULL: the application finds them */
    struct nsc_iterations *iterations;
    bool early; /* LOADED: the first rows; another LOADED brings the whole trace */
    const struct nsc_table_status
        *tables; /* LOADED: the status of each table; borrowed like the trace */
    uint32_t n_tables;
    nsc_event event;                       /* DETAILS: the event in the request */
    const struct nsc_details *details;     /* DETAILS: copied by the application */
    bool has_waited;                       /* DETAILS: waited is known */
    nsc_event waited;                      /* DETAILS: GPU work that the event waited for */
    enum nsc_build_slot slot;              /* BUILT */
    const char *text;                      /* FAILED, COMMAND, MESSAGE */
    struct nsc_relation *relation;         /* QUERY: taken over; or NULL */
    bool of_trace;                         /* QUERY: of the trace, not of an export's own tables */
    struct nsc_stacks *stacks;             /* STACKS: taken over; or NULL */
    struct nsc_sheets *sheets;             /* ANSWER: taken over; or NULL */
    int column;                            /* QUERY: byte of the error; -1: not known */
    bool export_colors;                    /* THEME: as in nsc_app_options */
    bool slow;                             /* LINK */
    uint32_t color;                        /* BACKDROP: 0xRRGGBB */
    struct nsc_bookmarks *bookmarks;       /* BOOKMARKS: taken over; or NULL */
    const struct nsc_session_state *state; /* BOOKMARKS: the view to restore; or NULL. After an
                                            * early LOADED, borrowed until the second one */
};

#endif
