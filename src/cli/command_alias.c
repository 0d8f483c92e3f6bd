/* Other spellings of subcommands, from command.def. */
#include "cli/options.h"
#include "core/text.h"

#include <string.h>

const struct nsc_command_alias nsc_command_aliases[] = {
#define NSC_COMMAND_ALIAS(name, words, arguments, help) {name, words, arguments, help},
#include "cli/command.def"
};
const unsigned nsc_n_command_aliases = sizeof nsc_command_aliases / sizeof *nsc_command_aliases;

/* Takes the next word from a text of words separated by single spaces; "" at its end. */
static struct nsc_text next_word(const char **at)
{
    struct nsc_text word = {*at, (uint32_t)strcspn(*at, " ")};

    *at += word.n + ((*at)[word.n] == ' ');
    return word;
}

/* The number of words of the command line that match the name; 0: no match. */
static int match(const char *name, int argc, char *const *argv)
{
    int n = 0;

    while (*name) {
        struct nsc_text word = next_word(&name);

        if (n + 1 >= argc || !nsc_text_is(word, argv[n + 1]))
            return 0;
        n++;
    }
    return n;
}

const struct nsc_command_alias *nsc_command_alias_find(int argc, char *const *argv, int *n)
{
    for (unsigned i = 0; i < nsc_n_command_aliases; i++) {
        *n = match(nsc_command_aliases[i].name, argc, argv);
        if (*n > 0)
            return &nsc_command_aliases[i];
    }
    return NULL;
}

void nsc_command_alias_expand(struct nsc_argv *out, const struct nsc_command_alias *alias, int argc,
                              char *const *argv, int n)
{
    nsc_argv_add(out, argc > 0 ? argv[0] : "nsyscope");
    for (const char *at = alias->words; *at;) {
        struct nsc_text word = next_word(&at);

        nsc_argv_printf(out, "%.*s", (int)word.n, word.bytes);
    }
    for (int i = 1 + n; i < argc; i++)
        nsc_argv_add(out, argv[i]);
}
