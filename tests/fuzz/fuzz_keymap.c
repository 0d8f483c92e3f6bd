/* Any bytes as a keymap: reading is harmless, and no key has two meanings in one scope. */
#include "view/kit/keymap.h"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct nsc_keymap keymap;
    struct nsc_text text = {(const char *)data, (uint32_t)size};

    nsc_keymap_init(&keymap);
    nsc_keymap_parse(&keymap, text, NULL, NULL);
    for (unsigned i = NSC_ACTION_NONE + 1; i < NSC_N_ACTIONS; i++)
        for (unsigned k = 0; k < NSC_KEYMAP_KEYS && keymap.keys[i][k] != NSC_KEY_NONE; k++) {
            enum nsc_key_scope scope = nsc_actions[i].scope;

            assert(nsc_key_is_valid(keymap.keys[i][k]));
            assert(nsc_keymap_find(&keymap, scope, keymap.keys[i][k]) == (enum nsc_action)i);
        }
    return 0;
}
