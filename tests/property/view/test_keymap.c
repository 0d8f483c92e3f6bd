/*
 * Property tests of keys and keymaps: names are preserved, any file is harmless, no key has two
 * meanings.
 */
#include "core/text.h"
#include "support/cm.h"
#include "support/dice.h"
#include "view/kit/keymap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEYS = 200000, FILES = 4000, FILE_BYTES = 600 };

static nsc_key roll_key(struct dice *dice)
{
    nsc_key key = 0;

    switch (dice_below(dice, 4)) {
    case 0:
        key = (nsc_key)dice_below(dice, 0x180);
        break;
    case 1:
        key = NSC_KEY_SPECIALS + (nsc_key)dice_below(dice, 40);
        break;
    default:
        key = (nsc_key)dice_below(dice, 0x111000);
    }
    return key | (nsc_key)dice_below(dice, 9) << 24;
}

TEST(what_is_formatted_is_parsed)
{
    struct dice dice = dice_new(71);

    for (int i = 0; i < KEYS; i++) {
        nsc_key key = roll_key(&dice);
        nsc_key again = NSC_KEY_NONE;
        char text[32];

        nsc_key_format(text, key);
        assert_true(strlen(text) > 0 && strlen(text) < sizeof text);
        if (!nsc_key_is_valid(key)) {
            assert_string_equal(text, "?");
            continue;
        }
        assert_true(nsc_key_parse(&again, nsc_text_from(text)));
        assert_int_equal(again, key);
    }
}

static void tell(void *context, unsigned line, const char *what)
{
    assert_true(line > 0 && what[0]);
    for (size_t i = 0; what[i]; i++)
        assert_true((unsigned char)what[i] >= 0x20);
    ++*(unsigned *)context;
}

static size_t roll_file(struct dice *dice, char file[FILE_BYTES])
{
    static const char *const words[] = {
        "[timeline]\n", "[global]\n", "[help]", "zoom-in", "quit", "fit",       " = ", "\n",
        " Left",        " Ctrl-",     " +",     " q",      " é",   " Shift+Up", "#",   "\xff"};
    size_t n = 0;

    for (uint64_t i = dice_below(dice, 40); i > 0; i--) {
        const char *word = words[dice_below(dice, sizeof words / sizeof *words)];

        n += (size_t)snprintf(file + n, FILE_BYTES - n, "%s", word);
    }
    for (uint64_t i = dice_below(dice, 4); i > 0 && n; i--)
        file[dice_below(dice, n)] = (char)dice_below(dice, 256);
    return n;
}

static void expect_one_meaning(const struct nsc_keymap *keymap)
{
    for (unsigned i = NSC_ACTION_NONE + 1; i < NSC_N_ACTIONS; i++)
        for (unsigned k = 0; k < NSC_KEYMAP_KEYS; k++) {
            nsc_key key = keymap->keys[i][k];

            if (key == NSC_KEY_NONE)
                continue;
            assert_true(nsc_key_is_valid(key));
            assert_true(k == 0 || keymap->keys[i][k - 1] != NSC_KEY_NONE);
            assert_int_equal(nsc_keymap_find(keymap, nsc_actions[i].scope, key), i);
        }
}

TEST(any_file_is_taken)
{
    struct dice dice = dice_new(72);
    unsigned warnings = 0;

    for (int round = 0; round < FILES; round++) {
        char file[FILE_BYTES];
        struct nsc_keymap keymap;
        size_t n = roll_file(&dice, file);
        char *bytes = malloc(n + 1); /* of exactly n bytes, for sanitizers */

        assert_non_null(bytes);
        memcpy(bytes + 1, file, n);
        nsc_keymap_init(&keymap);
        nsc_keymap_parse(&keymap, (struct nsc_text){bytes + 1, (uint32_t)n}, tell, &warnings);
        expect_one_meaning(&keymap);
        free(bytes);
    }
    assert_true(warnings > 0);
}

/* A file written from a keymap makes that keymap. */
TEST(a_keymap_can_be_written_and_read)
{
    struct dice dice = dice_new(73);

    for (int round = 0; round < 50; round++) {
        struct nsc_buf text = NSC_BUF_INIT(1 << 16);
        struct nsc_keymap keymap, again;
        char keys[NSC_KEYMAP_KEYS_TEXT];

        nsc_keymap_init(&keymap);
        for (unsigned i = NSC_ACTION_NONE + 1; i < NSC_N_ACTIONS; i++)
            if (dice_below(&dice, 3) == 0)
                memset(keymap.keys[i], 0, sizeof keymap.keys[i]);
        for (unsigned i = NSC_ACTION_NONE + 1; i < NSC_N_ACTIONS; i++)
            nsc_buf_printf(&text, "[%s]\n%s = %s\n", nsc_key_scopes[nsc_actions[i].scope].name,
                           nsc_actions[i].name,
                           nsc_keymap_keys(keys, &keymap, NSC_N_KEY_SCOPES, (enum nsc_action)i));
        nsc_keymap_init(&again);
        nsc_keymap_parse(&again, (struct nsc_text){text.bytes, (uint32_t)text.n}, NULL, NULL);
        assert_memory_equal(&again, &keymap, sizeof keymap);
        nsc_buf_fini(&text);
    }
}
