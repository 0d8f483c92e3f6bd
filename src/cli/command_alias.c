/* Other spellings of subcommands, from command.def. */
#include "cli/options.h"
#include "core/text.h"

const struct nsc_command_alias nsc_command_aliases[] = {
#define NSC_COMMAND_ALIAS(name, words, arguments, help) {name, words, arguments, help},
#include "cli/command.def"
};
const unsigned nsc_n_command_aliases = sizeof nsc_command_aliases / sizeof *nsc_command_aliases;

/* The number of words of the command line that match the name; 0: no match. */
static int match(const char *name, int argc, char *const *argv)
{
    struct nsc_text rest = nsc_text_from(name);
    int n = 0;

    while (rest.n)
        if (++n >= argc || !nsc_text_is(nsc_text_split(&rest, ' '), argv[n]))
            return 0;
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
    struct nsc_text words = nsc_text_from(alias->words);

    nsc_argv_add(out, argc > 0 ? argv[0] : "nsyscope");
    while (words.n) {
        struct nsc_text word = nsc_text_split(&words, ' ');

        nsc_argv_printf(out, "%.*s", (int)word.n, word.bytes);
    }
    for (int i = 1 + n; i < argc; i++)
        nsc_argv_add(out, argv[i]);
}
