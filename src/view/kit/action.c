/*
 * The table of actions.
 */
#include "view/kit/action.h"

#include "core/text.h"

struct action_row {
    const char *name, *keys, *help, *things, *why;
    enum nsc_key_scope scope;
    enum nsc_group group;
};

static const struct action_row actions[NSC_N_ACTIONS] = {
    {"", "", "", "", "", NSC_KEY_SCOPE_GLOBAL, NSC_GROUP_REST},
#define NSC_ACTION(id, name, keys, scope, group, help, things, run, why) \
    {name, keys, help, things, why, NSC_KEY_SCOPE_##scope, NSC_GROUP_##group},
#include "view/kit/action.def"
#undef NSC_ACTION
};

static const struct {
    const char *name;
    enum nsc_key_scope parent;
} scopes[NSC_N_KEY_SCOPES] = {
#define NSC_KEY_SCOPE(id, name, parent) {name, NSC_KEY_SCOPE_##parent},
#include "view/kit/key_scope.def"
#undef NSC_KEY_SCOPE
};

static const char *const groups[NSC_N_GROUPS] = {
    [NSC_GROUP_MOVING] = "moving",       [NSC_GROUP_ZOOMING] = "zooming",
    [NSC_GROUP_SHOWING] = "showing",     [NSC_GROUP_FILTERING] = "filtering",
    [NSC_GROUP_EXPLORING] = "exploring", [NSC_GROUP_REST] = "the rest",
};

const char *nsc_action_name(enum nsc_action action)
{
    return actions[action].name;
}

const char *nsc_action_help(enum nsc_action action)
{
    return actions[action].help;
}

const char *nsc_action_keys(enum nsc_action action)
{
    return actions[action].keys;
}

const char *nsc_action_things(enum nsc_action action)
{
    return actions[action].things;
}

const char *nsc_action_why(enum nsc_action action)
{
    return actions[action].why;
}

enum nsc_key_scope nsc_action_scope(enum nsc_action action)
{
    return actions[action].scope;
}

enum nsc_group nsc_action_group(enum nsc_action action)
{
    return actions[action].group;
}

enum nsc_action nsc_action_find(struct nsc_text name)
{
    for (unsigned i = NSC_ACTION_NONE + 1; i < NSC_N_ACTIONS; i++)
        if (nsc_text_is(name, actions[i].name))
            return (enum nsc_action)i;
    return NSC_ACTION_NONE;
}

const char *nsc_key_scope_name(enum nsc_key_scope scope)
{
    return scopes[scope].name;
}

const char *nsc_group_name(enum nsc_group group)
{
    return groups[group];
}

enum nsc_key_scope nsc_key_scope_parent(enum nsc_key_scope scope)
{
    return scopes[scope].parent;
}

enum nsc_key_scope nsc_key_scope_find(struct nsc_text name)
{
    for (unsigned i = 0; i < NSC_N_KEY_SCOPES; i++)
        if (nsc_text_is(name, scopes[i].name))
            return (enum nsc_key_scope)i;
    return NSC_N_KEY_SCOPES;
}
