/*
 * The actions that keys trigger, the scopes they belong to, and their help texts. All come from
 * action.def.
 *
 * Everything is constant. A scope is the part of the screen with the focus; its keys take
 * precedence over those of its parent.
 */
#ifndef NSC_VIEW_KIT_ACTION_H
#define NSC_VIEW_KIT_ACTION_H

#include "nsyscope/types.h"

enum nsc_action {
    NSC_ACTION_NONE,
#define NSC_ACTION(id, name, keys, scope, group, help, things, run, why) NSC_ACTION_##id,
#include "view/kit/action.def"
    NSC_N_ACTIONS
};

enum nsc_key_scope {
#define NSC_KEY_SCOPE(id, name, parent) NSC_KEY_SCOPE_##id,
#include "view/kit/key_scope.def"
    NSC_N_KEY_SCOPES
};

/* Sections of the help, in order. */
enum nsc_group {
    NSC_GROUP_MOVING,
    NSC_GROUP_ZOOMING,
    NSC_GROUP_SHOWING,
    NSC_GROUP_FILTERING,
    NSC_GROUP_EXPLORING,
    NSC_GROUP_REST,
    NSC_N_GROUPS
};

/* A row of action.def; all texts are "" for NSC_ACTION_NONE. */
struct nsc_action_row {
    const char *name, *keys; /* keys: the default ones */
    const char *help;
    const char
        *things;     /* the kinds of things for which the menu offers it: letters, see action.def */
    const char *why; /* why it had no effect; "" if that needs no words */
    enum nsc_key_scope scope;
    enum nsc_group group;
};

struct nsc_key_scope_row {
    const char *name;          /* the section of keymap files: "timeline" */
    enum nsc_key_scope parent; /* searched next; GLOBAL's is GLOBAL */
};

extern const struct nsc_action_row nsc_actions[NSC_N_ACTIONS];
extern const struct nsc_key_scope_row nsc_key_scopes[NSC_N_KEY_SCOPES];
extern const char *const nsc_groups[NSC_N_GROUPS];

/* Finds an action by its unique name; NSC_ACTION_NONE if there is none. */
enum nsc_action nsc_action_find(struct nsc_text name);

/* Whether a scope is the wanted one, or has it around it. */
bool nsc_key_scope_has(enum nsc_key_scope scope, enum nsc_key_scope wanted);
/* NSC_N_KEY_SCOPES if there is none with that name. */
enum nsc_key_scope nsc_key_scope_find(struct nsc_text name);

#endif
