/*
 * Unit tests of the table of actions: every row is usable.
 */
#include "core/text.h"
#include "support/cm.h"
#include "view/kit/action.h"
#include "view/kit/keymap.h"

#include <string.h>

enum { HELP_CELLS = 37, NAME_BYTES = 24 };

TEST(names_are_unique_and_found)
{
    for (unsigned i = NSC_ACTION_NONE + 1; i < NSC_N_ACTIONS; i++) {
        const char *name = nsc_actions[i].name;

        assert_int_equal(nsc_action_find(nsc_text_from(name)), i);
        assert_true(strlen(name) > 0 && strlen(name) <= NAME_BYTES);
    }
    assert_int_equal(nsc_action_find(nsc_text_from("zoom")), NSC_ACTION_NONE);
    assert_int_equal(nsc_action_find(nsc_text_from("")), NSC_ACTION_NONE);
}

TEST(helps_fit_their_column)
{
    for (unsigned i = NSC_ACTION_NONE + 1; i < NSC_N_ACTIONS; i++) {
        size_t width = nsc_text_width(nsc_text_from(nsc_actions[i].help), false);

        assert_true(width > 0 && width <= HELP_CELLS);
    }
}

static size_t words_in(const char *text)
{
    size_t n = 0;

    for (size_t i = 0; text[i]; i++)
        n += text[i] != ' ' && (i == 0 || text[i - 1] == ' ');
    return n;
}

/* In particular, no key occurs twice in a scope, and each can be parsed. */
TEST(every_default_key_does_its_action)
{
    struct nsc_keymap keymap;

    nsc_keymap_init(&keymap);
    for (unsigned i = NSC_ACTION_NONE + 1; i < NSC_N_ACTIONS; i++) {
        enum nsc_action action = (enum nsc_action)i;
        size_t n = 0;

        while (n < NSC_KEYMAP_KEYS && keymap.keys[i][n] != NSC_KEY_NONE) {
            assert_int_equal(nsc_keymap_find(&keymap, nsc_actions[action].scope, keymap.keys[i][n]),
                             action);
            n++;
        }
        assert_true(n > 0);
        assert_int_equal(n, words_in(nsc_actions[action].keys));
    }
}

TEST(scopes_end_in_global)
{
    for (unsigned i = 0; i < NSC_N_KEY_SCOPES; i++) {
        enum nsc_key_scope scope = (enum nsc_key_scope)i;

        assert_int_equal(nsc_key_scope_find(nsc_text_from(nsc_key_scopes[scope].name)), scope);
        for (unsigned steps = 0; scope != NSC_KEY_SCOPE_GLOBAL; steps++) {
            assert_true(steps < NSC_N_KEY_SCOPES);
            scope = nsc_key_scopes[scope].parent;
        }
    }
    assert_int_equal(nsc_key_scope_find(nsc_text_from("nowhere")), NSC_N_KEY_SCOPES);
}
