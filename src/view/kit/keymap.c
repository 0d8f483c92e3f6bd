/* The default keys, keymap files, and the lookup of keys. */
#include "view/kit/keymap.h"

#include "core/ini.h"
#include "core/text.h"
#include "view/kit/words.h"

#include <stdio.h>
#include <string.h>

/* One keymap file being read. */
struct reading {
    struct nsc_word_warner warner; /* first: nsc_word_warn_line wants it */
    struct nsc_keymap *keymap;
    unsigned given[NSC_N_ACTIONS];  /* line with the action's keys; 0: none */
    unsigned robbed[NSC_N_ACTIONS]; /* line that took its last key away */
};

enum keys_trouble { KEYS_READ, KEYS_UNKNOWN, KEYS_TOO_MANY };

/* Parses the keys in text and drops repetitions. bad: the first word that is not a key. */
static enum keys_trouble keys_parse(nsc_key keys[NSC_KEYMAP_KEYS], struct nsc_text text,
                                    struct nsc_text *bad)
{
    size_t n = 0;

    memset(keys, 0, NSC_KEYMAP_KEYS * sizeof *keys);
    for (struct nsc_text word = nsc_word_next(&text); word.n; word = nsc_word_next(&text)) {
        nsc_key key = NSC_KEY_NONE;
        bool again = false;

        *bad = word;
        if (!nsc_key_parse(&key, word))
            return KEYS_UNKNOWN;
        for (size_t i = 0; i < n; i++)
            again |= keys[i] == key;
        if (again)
            continue;
        if (n == NSC_KEYMAP_KEYS)
            return KEYS_TOO_MANY;
        keys[n++] = key;
    }
    return KEYS_READ;
}

void nsc_keymap_init(struct nsc_keymap *keymap)
{
    memset(keymap, 0, sizeof *keymap);
    for (unsigned i = NSC_ACTION_NONE + 1; i < NSC_N_ACTIONS; i++) {
        struct nsc_text bad;

        /* A unit test checks that the keys of every action can be parsed. */
        (void)keys_parse(keymap->keys[i], nsc_text_from(nsc_actions[i].keys), &bad);
    }
}

static bool key_drop(nsc_key keys[NSC_KEYMAP_KEYS], nsc_key key)
{
    for (size_t i = 0; i < NSC_KEYMAP_KEYS; i++)
        if (keys[i] == key) {
            memmove(keys + i, keys + i + 1, (NSC_KEYMAP_KEYS - i - 1) * sizeof *keys);
            keys[NSC_KEYMAP_KEYS - 1] = NSC_KEY_NONE;
            return true;
        }
    return false;
}

/* Unbinds a key in a scope. Returns the action that had it, other than the taker. */
static enum nsc_action key_rob(struct nsc_keymap *keymap, enum nsc_key_scope scope, unsigned taker,
                               nsc_key key)
{
    for (unsigned i = NSC_ACTION_NONE + 1; i < NSC_N_ACTIONS; i++)
        if (i != taker && nsc_actions[i].scope == scope && key_drop(keymap->keys[i], key))
            return (enum nsc_action)i;
    return NSC_ACTION_NONE;
}

static void key_take(struct reading *reading, unsigned taker, nsc_key key, unsigned line)
{
    enum nsc_action robbed = key_rob(reading->keymap, nsc_actions[taker].scope, taker, key);
    char text[32];

    nsc_key_format(text, key);
    if (robbed != NSC_ACTION_NONE && reading->given[robbed])
        nsc_word_warn(&reading->warner, line, "key", nsc_text_from(text),
                      " was given to two actions: the last has it");
    else if (robbed != NSC_ACTION_NONE && reading->keymap->keys[robbed][0] == NSC_KEY_NONE)
        reading->robbed[robbed] = line;
}

/* The action of an entry; NSC_ACTION_NONE, with a warning, if it is unknown. */
static enum nsc_action entry_action(const struct reading *reading,
                                    const struct nsc_ini_entry *entry)
{
    enum nsc_key_scope scope = nsc_key_scope_find(entry->section);
    enum nsc_action action = nsc_action_find(entry->key);

    if (scope == NSC_N_KEY_SCOPES)
        nsc_word_warn(&reading->warner, entry->line, "unknown section", entry->section, "");
    else if (action == NSC_ACTION_NONE)
        nsc_word_warn(&reading->warner, entry->line, "unknown action", entry->key, "");
    else if (nsc_actions[action].scope != scope) {
        nsc_word_warn(&reading->warner, entry->line, "action", entry->key,
                      " belongs to another section");
        return NSC_ACTION_NONE;
    }
    return scope == NSC_N_KEY_SCOPES ? NSC_ACTION_NONE : action;
}

static void entry_read(void *context, const struct nsc_ini_entry *entry)
{
    struct reading *reading = context;
    enum nsc_action action = entry_action(reading, entry);
    struct nsc_text bad = {"", 0};
    nsc_key keys[NSC_KEYMAP_KEYS];
    enum keys_trouble trouble = keys_parse(keys, entry->value, &bad);

    if (action == NSC_ACTION_NONE)
        return;
    if (trouble != KEYS_READ) {
        nsc_word_warn(&reading->warner, entry->line,
                      trouble == KEYS_UNKNOWN ? "unknown key" : "too many keys from", bad, "");
        return;
    }
    memcpy(reading->keymap->keys[action], keys, sizeof keys);
    reading->given[action] = entry->line;
    for (size_t i = 0; i < NSC_KEYMAP_KEYS && keys[i] != NSC_KEY_NONE; i++)
        key_take(reading, action, keys[i], entry->line);
}

void nsc_keymap_parse(struct nsc_keymap *keymap, struct nsc_text text,
                      void (*warning)(void *context, unsigned line, const char *what),
                      void *context)
{
    struct reading reading = {.keymap = keymap, .warner = {warning, context}};

    nsc_ini_parse(text, entry_read, nsc_word_warn_line, &reading);
    for (unsigned i = NSC_ACTION_NONE + 1; i < NSC_N_ACTIONS; i++)
        if (reading.robbed[i] && !reading.given[i])
            nsc_word_warn(&reading.warner, reading.robbed[i], "action",
                          nsc_text_from(nsc_actions[i].name), " lost its last key");
}

/* ---- one key at a time ---- */

static enum nsc_status keys_read(nsc_key keys[NSC_KEYMAP_KEYS], struct nsc_text text,
                                 struct nsc_error *error)
{
    struct nsc_text bad = {"", 0};
    enum keys_trouble trouble = keys_parse(keys, text, &bad);
    int n = (int)(bad.n < 32 ? bad.n : 32);

    if (trouble == KEYS_UNKNOWN)
        return nsc_fail(error, NSC_EINVAL, "%.*s is no key: say Ctrl-G, Alt-x, F5, PgUp, +", n,
                        bad.bytes);
    if (trouble == KEYS_TOO_MANY)
        return nsc_fail(error, NSC_EINVAL, "an action has no more than %d keys", NSC_KEYMAP_KEYS);
    if (keys[0] == NSC_KEY_NONE)
        return nsc_fail(error, NSC_EINVAL, "give a key: Ctrl-G, Alt-x, F5, PgUp, +");
    return NSC_OK;
}

static size_t keys_count(const nsc_key keys[NSC_KEYMAP_KEYS])
{
    size_t n = 0;

    while (n < NSC_KEYMAP_KEYS && keys[n] != NSC_KEY_NONE)
        n++;
    return n;
}

enum nsc_status nsc_keymap_bind(struct nsc_keymap *keymap, enum nsc_action action,
                                struct nsc_text text, enum nsc_action *robbed,
                                struct nsc_error *error)
{
    nsc_key keys[NSC_KEYMAP_KEYS];
    nsc_key all[NSC_KEYMAP_KEYS];
    size_t n = keys_count(keymap->keys[action]);
    enum nsc_status status = keys_read(keys, text, error);

    *robbed = NSC_ACTION_NONE;
    if (status != NSC_OK)
        return status;
    memcpy(all, keymap->keys[action], sizeof all);
    for (size_t i = 0; i < keys_count(keys); i++) {
        if (key_drop(all, keys[i]))
            n--;
        if (n == NSC_KEYMAP_KEYS)
            return nsc_fail(error, NSC_EINVAL, "%s has %d keys already: take one away by :unmap",
                            nsc_actions[action].name, NSC_KEYMAP_KEYS);
        all[n++] = keys[i];
    }
    memcpy(keymap->keys[action], all, sizeof all);
    for (size_t i = 0; i < keys_count(keys); i++) {
        enum nsc_action poor = key_rob(keymap, nsc_actions[action].scope, action, keys[i]);

        if (poor != NSC_ACTION_NONE && keymap->keys[poor][0] == NSC_KEY_NONE)
            *robbed = poor;
    }
    return NSC_OK;
}

enum nsc_status nsc_keymap_unbind(struct nsc_keymap *keymap, enum nsc_key_scope scope,
                                  struct nsc_text text, struct nsc_error *error)
{
    nsc_key keys[NSC_KEYMAP_KEYS];
    enum nsc_status status = keys_read(keys, text, error);
    char name[32];

    for (size_t i = 0; status == NSC_OK && i < keys_count(keys); i++) {
        enum nsc_action action = nsc_keymap_find(keymap, scope, keys[i]);

        nsc_key_format(name, keys[i]);
        if (action == NSC_ACTION_NONE || nsc_actions[action].scope != scope)
            status = nsc_fail(error, NSC_EINVAL, "%s does nothing in %s", name,
                              nsc_key_scopes[scope].name);
    }
    for (size_t i = 0; status == NSC_OK && i < keys_count(keys); i++)
        (void)key_rob(keymap, scope, NSC_ACTION_NONE, keys[i]);
    return status;
}

static bool action_has_key(const struct nsc_keymap *keymap, unsigned action, nsc_key key)
{
    for (size_t i = 0; i < NSC_KEYMAP_KEYS && keymap->keys[action][i] != NSC_KEY_NONE; i++)
        if (keymap->keys[action][i] == key)
            return true;
    return false;
}

enum nsc_action nsc_keymap_find(const struct nsc_keymap *keymap, enum nsc_key_scope scope,
                                nsc_key key)
{
    char typed[4];
    bool types = scope == NSC_KEY_SCOPE_PROMPT && nsc_key_utf8(typed, key) > 0;
    enum nsc_key_scope at = scope;

    if (key == NSC_KEY_NONE)
        return NSC_ACTION_NONE;
    for (;;) {
        for (unsigned i = NSC_ACTION_NONE + 1; i < NSC_N_ACTIONS; i++)
            if (nsc_actions[i].scope == at && action_has_key(keymap, i, key))
                return (enum nsc_action)i;
        if (at == NSC_KEY_SCOPE_GLOBAL || types)
            return NSC_ACTION_NONE;
        at = nsc_key_scopes[at].parent;
        if (scope == NSC_KEY_SCOPE_HELP && at == NSC_KEY_SCOPE_TIMELINE)
            at = NSC_KEY_SCOPE_GLOBAL;
    }
}

const char *nsc_keymap_keys(char out[NSC_KEYMAP_KEYS_TEXT], const struct nsc_keymap *keymap,
                            enum nsc_key_scope scope, enum nsc_action action)
{
    size_t n = 0;

    out[0] = '\0';
    for (size_t i = 0; i < NSC_KEYMAP_KEYS && keymap->keys[action][i] != NSC_KEY_NONE; i++) {
        char key[32];
        size_t size = 0;

        if (scope != NSC_N_KEY_SCOPES &&
            nsc_keymap_find(keymap, scope, keymap->keys[action][i]) != action)
            continue;
        nsc_key_format(key, keymap->keys[action][i]);
        size = strlen(key) + (n ? 1 : 0);
        if (n + size >= NSC_KEYMAP_KEYS_TEXT)
            break;
        snprintf(out + n, NSC_KEYMAP_KEYS_TEXT - n, "%s%s", n ? " " : "", key);
        n += size;
    }
    return out;
}

const char *nsc_keymap_key(char out[32], const struct nsc_keymap *keymap, enum nsc_action action)
{
    out[0] = '\0';
    if (keymap->keys[action][0] != NSC_KEY_NONE)
        nsc_key_format(out, keymap->keys[action][0]);
    return out;
}
