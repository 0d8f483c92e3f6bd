/*
 * The tables of actions and scopes.
 */
#include "view/kit/action.h"

#include "core/text.h"

const struct nsc_action_row nsc_actions[NSC_N_ACTIONS] = {
    {"", "", "", "", "", NSC_KEY_SCOPE_GLOBAL, NSC_GROUP_REST},
#define NSC_ACTION(id, name, keys, scope, group, help, things, run, why) \
    {name, keys, help, things, why, NSC_KEY_SCOPE_##scope, NSC_GROUP_##group},
#include "view/kit/action.def"
};

const struct nsc_key_scope_row nsc_key_scopes[NSC_N_KEY_SCOPES] = {
#define NSC_KEY_SCOPE(id, name, parent) {name, NSC_KEY_SCOPE_##parent},
#include "view/kit/key_scope.def"
};

const char *const nsc_groups[NSC_N_GROUPS] = {
    [NSC_GROUP_MOVING] = "moving",       [NSC_GROUP_ZOOMING] = "zooming",
    [NSC_GROUP_SHOWING] = "showing",     [NSC_GROUP_FILTERING] = "filtering",
    [NSC_GROUP_EXPLORING] = "exploring", [NSC_GROUP_REST] = "the rest",
};

enum nsc_action nsc_action_find(struct nsc_text name)
{
    unsigned i = NSC_TEXT_AMONG(name, nsc_actions);

    return i < NSC_N_ACTIONS ? (enum nsc_action)i : NSC_ACTION_NONE;
}

enum nsc_key_scope nsc_key_scope_find(struct nsc_text name)
{
    return (enum nsc_key_scope)NSC_TEXT_AMONG(name, nsc_key_scopes);
}

bool nsc_key_scope_has(enum nsc_key_scope scope, enum nsc_key_scope wanted)
{
    while (scope != wanted && scope != NSC_KEY_SCOPE_GLOBAL)
        scope = nsc_key_scopes[scope].parent;
    return scope == wanted;
}
