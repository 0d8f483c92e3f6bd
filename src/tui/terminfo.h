/*
 * The terminal's description: which one to use, the strings that enter and leave our screen, the
 * keys.
 */
#ifndef NSC_TUI_TERMINFO_H
#define NSC_TUI_TERMINFO_H

#include "nsyscope/status.h"

#include "tui/color.h"
#include "tui/keys.h"

#define NSC_TERM_TYPE_BYTES 64
#define NSC_TERMINFO_KEYS   96
#define NSC_TERMINFO_STRING 256

/* A description that is compiled in, in the form of $TERMINFO. */
struct nsc_terminal {
    const char *name, *description;
};
extern const struct nsc_terminal nsc_terminals[]; /* the last has no name */

struct nsc_terminfo {
    char type[NSC_TERM_TYPE_BYTES]; /* $TERM, a fallback, or a direct-colour description */
    enum nsc_color_mode color;      /* never AUTO */
    bool modern;                    /* follows xterm: understands or ignores private modes */
    char enter[NSC_TERMINFO_STRING], leave[NSC_TERMINFO_STRING];
    char key_bytes[NSC_TERMINFO_KEYS][16];
    struct nsc_key_string keys[NSC_TERMINFO_KEYS];
    size_t n_keys;
};

/*
 * Reads the description of term ($TERM, may be NULL), or that of xterm-256color if it has none. NSC_EINVAL names it if it is not usable. The
 * string `leave` ends mouse reports whether they were on or not.
 */
NSC_NODISCARD enum nsc_status nsc_terminfo_init(struct nsc_terminfo *info, const char *term,
                                                enum nsc_color_mode color, struct nsc_error *error);
/* Makes a description the current one: the system's, else the compiled one. False: there is neither.
 * Sets $TERMINFO for a moment, so no other thread may run. */
bool nsc_terminfo_load(const char *type);
void nsc_terminfo_forget(void);
/* A string of the current description, borrowed from it; NULL if it has none. */
const char *nsc_terminfo_string(const char *name);

#endif
