/* nsyscope help: shows the guides, in a pager if there is a terminal. */
#include "cli/commands.h"
#include "core/argv.h"
#include "core/nearest.h"
#include "core/text.h"
#include "open/subprocess.h"
#include "view/kit/help.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static enum nsc_status list_topics(struct nsc_error *error)
{
    struct nsc_buf out = NSC_BUF_INIT(1u << 16);

    nsc_buf_puts(&out,
                 "nsyscope help TOPIC opens a guide; nsyscope help COMMAND tells its options.\n\n");
    for (unsigned i = 0; i < nsc_n_guide_files; i++) {
        struct nsc_text title = nsc_guide_title(&nsc_guide_files[i]);

        nsc_buf_printf(&out, "  %-12s  %.*s\n", nsc_guide_topic(&nsc_guide_files[i]), (int)title.n,
                       title.bytes);
    }
    nsc_buf_puts(&out, "\nnsyscope --help lists the commands, h on the screen the keys.\n");
    return nsc_print(&out, error);
}

/* Uses the words of $PAGER, else less. False if there is no such program. */
static bool find_pager(struct nsc_argv *argv)
{
    const char *own = getenv("PAGER");
    struct nsc_text rest = nsc_text_from(own && *own ? own : "less");

    while (rest.n) {
        struct nsc_text word = nsc_text_split(&rest, ' ');

        if (word.n)
            nsc_argv_printf(argv, "%.*s", (int)word.n, word.bytes);
    }
    return argv->words.n && nsc_subprocess_finds(NULL, argv->words.at[0]);
}

/* Whether a pager has shown the text. */
static bool page(const char *text)
{
    struct nsc_argv pager = {0};
    struct nsc_error error = {0};
    int status = 0;
    int input = -1;
    bool has_run = isatty(STDOUT_FILENO) && find_pager(&pager) &&
                   nsc_subprocess_input(&input, &error) == NSC_OK &&
                   nsc_subprocess_write(input, nsc_text_from(text), &error) == NSC_OK &&
                   nsc_subprocess_run(&status, nsc_argv_vector(&pager), input, &error) == NSC_OK;

    if (input >= 0)
        close(input);
    nsc_argv_fini(&pager);
    return has_run;
}

static enum nsc_status show(const char *text, struct nsc_error *error)
{
    struct nsc_buf out = NSC_BUF_INIT(SIZE_MAX);

    if (page(text))
        return NSC_OK;
    nsc_buf_puts(&out, text);
    return nsc_print(&out, error);
}

static enum nsc_status show_command(unsigned command, struct nsc_options options,
                                    struct nsc_error *error)
{
    struct nsc_buf out = NSC_BUF_INIT(1u << 20);

    options.command = (enum nsc_command)command;
    options.alias = NULL;
    nsc_help_command(&out, &options);
    return nsc_print(&out, error);
}

static enum nsc_status fail_topic(const char *topic, struct nsc_error *error)
{
    char near[NSC_NEAREST_WORDS];
    struct nsc_nearest nearest;

    nsc_nearest_init(&nearest, nsc_text_from(topic));
    for (unsigned i = 0; i < nsc_n_guide_files; i++)
        nsc_nearest_add(&nearest, nsc_text_from(nsc_guide_topic(&nsc_guide_files[i])));
    for (unsigned i = 0; i < NSC_N_COMMANDS; i++)
        nsc_nearest_add(&nearest, nsc_text_from(nsc_commands[i].name));
    return nsc_fail(error, NSC_EINVAL, "help %.60s: no such topic%s; nsyscope help lists them",
                    topic, nsc_nearest_words(near, &nearest));
}

enum nsc_status nsc_cmd_help(const struct nsc_options *options, struct nsc_error *error)
{
    const struct nsc_guide_file *guide;

    if (!options->file)
        return list_topics(error);
    guide = nsc_guide_find(nsc_text_from(options->file));
    /* "schema" and others are topics and commands: the guide adds to --help */
    if (guide)
        return show(guide->text, error);
    for (unsigned i = 0; i < NSC_N_COMMANDS; i++)
        if (strcmp(nsc_commands[i].name, options->file) == 0)
            return show_command(i, *options, error);
    return fail_topic(options->file, error);
}
