/*
 * The keys of each action, and the keymap files that change them.
 *
 * A keymap is a plain value: copy it, no fini. Files are INI, with one section per scope and lines
 * "action = keys". The keys replace those of the action, and are removed from all other actions of
 * the scope.
 */
#ifndef NSC_VIEW_KIT_KEYMAP_H
#define NSC_VIEW_KIT_KEYMAP_H

#include "nsyscope/status.h"

#include "view/kit/action.h"
#include "view/kit/key.h"

#define NSC_KEYMAP_KEYS      6   /* most keys of one action */
#define NSC_KEYMAP_KEYS_TEXT 128 /* bytes of the keys of an action as text */

struct nsc_keymap {
    nsc_key keys[NSC_N_ACTIONS][NSC_KEYMAP_KEYS]; /* NSC_KEY_NONE after the last */
};

/* The texts of src/view/keymaps/NAME.keymap, compiled in. */
struct nsc_keymap_file {
    const char *name, *text;
};
extern const struct nsc_keymap_file nsc_keymap_files[];
extern const unsigned nsc_n_keymap_files;

/* The default keys of action.def. */
void nsc_keymap_init(struct nsc_keymap *keymap);

/*
 * Applies the text's entries to keymap. Calls warning (may be NULL) for invalid lines, which have
 * no effect, and for keys taken from another action. An empty list of keys unbinds.
 */
void nsc_keymap_parse(struct nsc_keymap *keymap, struct nsc_text text,
                      void (*warning)(void *context, unsigned line, const char *what),
                      void *context);

/*
 * Adds keys, separated by spaces, to an action, and removes them from the other actions of its
 * scope. *robbed: an action that lost its last key, else NSC_ACTION_NONE. NSC_EINVAL, without any
 * change, if one is not a key or there are too many.
 */
NSC_NODISCARD enum nsc_status nsc_keymap_bind(struct nsc_keymap *keymap, enum nsc_action action,
                                              struct nsc_text keys, enum nsc_action *robbed,
                                              struct nsc_error *error);
/* Unbinds keys in a scope. NSC_EINVAL, without any change, if one is not a key or not bound
 * there. */
NSC_NODISCARD enum nsc_status nsc_keymap_unbind(struct nsc_keymap *keymap, enum nsc_key_scope scope,
                                                struct nsc_text keys, struct nsc_error *error);

/* The action of a key in a scope: searches the scope, then its parents. */
enum nsc_action nsc_keymap_find(const struct nsc_keymap *keymap, enum nsc_key_scope scope,
                                nsc_key key);

/* The keys of an action, separated by spaces; "" if it has none. scope: without those that an inner
 * scope takes there; NSC_N_KEY_SCOPES: all. Returns out. */
const char *nsc_keymap_keys(char out[NSC_KEYMAP_KEYS_TEXT], const struct nsc_keymap *keymap,
                            enum nsc_key_scope scope, enum nsc_action action);
/* Its first key, for hints. Returns out. */
const char *nsc_keymap_key(char out[32], const struct nsc_keymap *keymap, enum nsc_action action);

#endif
