/* Unit tests of keymaps: lookup by scope, files over the defaults, and warnings. */
#include "core/text.h"
#include "support/cm.h"
#include "view/kit/keymap.h"

#include <stdio.h>
#include <string.h>

struct told {
    unsigned n, line;
    char what[600];
};

static void tell(void *context, unsigned line, const char *what)
{
    struct told *told = context;

    told->n++;
    told->line = line;
    (void)snprintf(told->what, sizeof told->what, "%s", what);
}

static struct told parse(struct nsc_keymap *keymap, const char *text)
{
    struct told told = {0};

    nsc_keymap_init(keymap);
    nsc_keymap_parse(keymap, nsc_text_from(text), tell, &told);
    return told;
}

static void keys_are(const struct nsc_keymap *keymap, enum nsc_action action, const char *wanted)
{
    char text[NSC_KEYMAP_KEYS_TEXT];

    assert_string_equal(nsc_keymap_keys(text, keymap, NSC_N_KEY_SCOPES, action), wanted);
}

TEST(an_inner_scope_comes_first)
{
    struct nsc_keymap keymap;

    nsc_keymap_init(&keymap);
    assert_int_equal(nsc_keymap_find(&keymap, NSC_KEY_SCOPE_TIMELINE, '+'), NSC_ACTION_ZOOM_IN);
    assert_int_equal(nsc_keymap_find(&keymap, NSC_KEY_SCOPE_HELP, '+'), NSC_ACTION_NONE);
    assert_int_equal(nsc_keymap_find(&keymap, NSC_KEY_SCOPE_TIMELINE, NSC_KEY_UP),
                     NSC_ACTION_ROW_UP);
    assert_int_equal(nsc_keymap_find(&keymap, NSC_KEY_SCOPE_HELP, NSC_KEY_UP),
                     NSC_ACTION_PAGE_LINE_UP);
    assert_int_equal(nsc_keymap_find(&keymap, NSC_KEY_SCOPE_HELP, 'q'), NSC_ACTION_QUIT);
    assert_int_equal(nsc_keymap_find(&keymap, NSC_KEY_SCOPE_DETAILS, NSC_KEY_TAB),
                     NSC_ACTION_DETAILS_NEXT);
    assert_int_equal(nsc_keymap_find(&keymap, NSC_KEY_SCOPE_TIMELINE, NSC_KEY_NONE),
                     NSC_ACTION_NONE);
}

TEST(letters_belong_to_the_prompt)
{
    struct nsc_keymap keymap;

    nsc_keymap_init(&keymap);
    assert_int_equal(nsc_keymap_find(&keymap, NSC_KEY_SCOPE_PROMPT, 'q'), NSC_ACTION_NONE);
    assert_int_equal(nsc_keymap_find(&keymap, NSC_KEY_SCOPE_PROMPT, '?'), NSC_ACTION_NONE);
    assert_int_equal(nsc_keymap_find(&keymap, NSC_KEY_SCOPE_PROMPT, NSC_KEY_CTRL | 'c'),
                     NSC_ACTION_QUIT_NOW);
    assert_int_equal(nsc_keymap_find(&keymap, NSC_KEY_SCOPE_PROMPT, NSC_KEY_F1), NSC_ACTION_HELP);
}

TEST(a_file_replaces_the_keys_of_an_action)
{
    struct nsc_keymap keymap;
    struct told told = parse(&keymap, "[timeline]\nzoom-in = J K  # in\nzoom-all =\n");

    assert_int_equal(told.n, 0);
    keys_are(&keymap, NSC_ACTION_ZOOM_IN, "J K");
    keys_are(&keymap, NSC_ACTION_ZOOM_ALL, "");
    assert_int_equal(nsc_keymap_find(&keymap, NSC_KEY_SCOPE_TIMELINE, '+'), NSC_ACTION_NONE);
    keys_are(&keymap, NSC_ACTION_ZOOM_OUT, "- _");
}

TEST(a_key_is_taken_from_the_default)
{
    struct nsc_keymap keymap;
    struct told told = parse(&keymap, "[timeline]\npan-left = a\naxis-mode = Alt-y\n");

    assert_int_equal(told.n, 0);
    assert_int_equal(nsc_keymap_find(&keymap, NSC_KEY_SCOPE_TIMELINE, 'a'), NSC_ACTION_PAN_LEFT);
    told = parse(&keymap, "[timeline]\n\npan-left = a\n");
    assert_int_equal(told.n, 1);
    assert_int_equal(told.line, 3);
    assert_string_equal(told.what, "action 'axis-mode' lost its last key");
}

TEST(a_key_given_twice_is_told)
{
    struct nsc_keymap keymap;
    struct told told = parse(&keymap, "[timeline]\nfit = ! f\nfold = ! y\n");

    assert_int_equal(told.n, 1);
    assert_int_equal(told.line, 3);
    assert_string_equal(told.what, "key '!' was given to two actions: the last has it");
    assert_int_equal(nsc_keymap_find(&keymap, NSC_KEY_SCOPE_TIMELINE, '!'), NSC_ACTION_FOLD);
}

static void warns(const char *text, const char *wanted)
{
    struct nsc_keymap keymap, untouched;
    struct told told = parse(&keymap, text);

    nsc_keymap_init(&untouched);
    assert_int_equal(told.n, 1);
    assert_string_equal(told.what, wanted);
    assert_memory_equal(&keymap, &untouched, sizeof keymap);
}

TEST(what_cannot_be_read_changes_nothing)
{
    warns("[timeline]\nzoom = +\n", "unknown action 'zoom'");
    warns("[timelin]\nzoom-in = +\n", "unknown section 'timelin'");
    warns("[timeline]\nquit = x\n", "action 'quit' belongs to another section");
    warns("[timeline]\nzoom-in = x Lefft\n", "unknown key 'Lefft'");
    warns("[timeline]\nzoom-in = 1 2 3 4 5 6 7\n", "too many keys from '7'");
    warns("[timeline]\nzoom-in = \x1b[2J\n", "unknown key '␛[2J'");
}

static void fail_on_warning(void *context, unsigned line, const char *what)
{
    fail_msg("%s:%u: %s", (const char *)context, line, what);
}

/* Every shipped keymap is read completely and leaves each action a key. */
TEST(shipped_keymaps_are_clean)
{
    assert_true(nsc_n_keymap_files >= 2);
    for (unsigned i = 0; i < nsc_n_keymap_files; i++) {
        struct nsc_keymap keymap;
        char name[64];

        nsc_keymap_init(&keymap);
        strncpy(name, nsc_keymap_files[i].name, sizeof name - 1);
        name[sizeof name - 1] = '\0';
        nsc_keymap_parse(&keymap, nsc_text_from(nsc_keymap_files[i].text), fail_on_warning, name);
    }
}
