/*
 * ":map" and ":unmap": binding keys on the command line.
 */
#include "view/app/prompt.h"
#include "view/app/state.h"
#include "view/kit/words.h"

/* Copies the keymap before the first change: the original belongs to the caller. */
static struct nsc_keymap *keymap_own(struct nsc_app *app)
{
    if (app->keymap != &app->own_keymap)
        app->own_keymap = *app->keymap;
    app->keymap = &app->own_keymap;
    return &app->own_keymap;
}

/* The last word of a line; *before is the text before it. */
static struct nsc_text last_word(struct nsc_text line, struct nsc_text *before)
{
    uint32_t at = line.n;

    while (at && line.bytes[at - 1] != ' ' && line.bytes[at - 1] != '\t')
        at--;
    *before = (struct nsc_text){line.bytes, at};
    return (struct nsc_text){line.bytes + at, line.n - at};
}

/* "Ctrl-G: goto-...", or that the key does nothing. */
static enum nsc_status tell(struct nsc_app *app, struct nsc_text text, struct nsc_error *error)
{
    nsc_key key = NSC_KEY_NONE;
    enum nsc_action action = NSC_ACTION_NONE;
    char name[32];

    if (!nsc_key_parse(&key, text))
        return nsc_fail(error, NSC_EINVAL, "map: %.*s is neither an action nor a key",
                        (int)(text.n < 64 ? text.n : 64), text.bytes);
    nsc_key_format(name, key);
    action = nsc_keymap_find(app->keymap, nsc_app_scope_behind(app), key);
    if (action == NSC_ACTION_NONE)
        nsc_app_sayf(app, "%s does nothing here", name);
    else
        nsc_app_sayf(app, "%s is %s (%s): %s", name, nsc_actions[action].name,
                     nsc_key_scopes[nsc_actions[action].scope].name, nsc_actions[action].help);
    return NSC_OK;
}

static void tell_robbed(struct nsc_app *app, enum nsc_action robbed)
{
    if (robbed == NSC_ACTION_NONE)
        return;
    nsc_app_sayf(app, "%s has no key any more: :map gives it one", nsc_actions[robbed].name);
}

enum nsc_status nsc_app_map(struct nsc_app *app, struct nsc_text arguments, struct nsc_error *error)
{
    struct nsc_text keys = {"", 0};
    struct nsc_text name = last_word(arguments, &keys);
    enum nsc_action action = nsc_action_find(name);
    enum nsc_action robbed = NSC_ACTION_NONE;
    enum nsc_status status;

    if (!name.n)
        return nsc_fail(error, NSC_EINVAL, "map: give keys and an action (map Ctrl-G zoom-all)");
    if (action == NSC_ACTION_NONE && !keys.n)
        return tell(app, name, error);
    if (action == NSC_ACTION_NONE)
        return nsc_fail(error, NSC_EINVAL, "map: %.*s is no action; Tab completes its name",
                        (int)(name.n < 64 ? name.n : 64), name.bytes);
    status = nsc_keymap_bind(keymap_own(app), action, keys, &robbed, error);
    if (status == NSC_OK)
        tell_robbed(app, robbed);
    return status;
}

enum nsc_status nsc_app_unmap(struct nsc_app *app, struct nsc_text arguments,
                              struct nsc_error *error)
{
    struct nsc_text keys = arguments;
    struct nsc_text name = nsc_word_next(&keys);
    enum nsc_key_scope scope = nsc_key_scope_find(name);
    struct nsc_text rest = arguments;
    nsc_key key = NSC_KEY_NONE;

    if (!name.n)
        return nsc_fail(error, NSC_EINVAL, "unmap: give the keys to take away");
    if (scope != NSC_N_KEY_SCOPES)
        return nsc_keymap_unbind(keymap_own(app), scope, keys, error);
    /* Without a scope, uses the scope in which the first key now does something. */
    scope = nsc_app_scope_behind(app);
    if (nsc_key_parse(&key, nsc_word_next(&rest))) {
        enum nsc_action action = nsc_keymap_find(app->keymap, scope, key);

        scope = action == NSC_ACTION_NONE ? scope : nsc_actions[action].scope;
    }
    return nsc_keymap_unbind(keymap_own(app), scope, arguments, error);
}
