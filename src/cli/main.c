/* The entry point: parses the command line and calls the subcommand. */
#include "analysis/skill/skill.h"
#include "cli/commands.h"
#include "cli/sandbox.h"
#include "commit.h"
#include "core/nearest.h"
#include "core/outfile.h"
#include "core/temporary.h"
#include "nsys/jobs/query.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

/*
 * Opens closed descriptors 0, 1 and 2, so that no other file gets their numbers. They are not
 * writable, so lost output counts as a failure.
 */
static void fill_standard_descriptors(void)
{
    int fd = 0;

    do
        fd = open("/dev/null", O_RDONLY);
    while (fd >= 0 && fd <= STDERR_FILENO);
    if (fd > STDERR_FILENO)
        close(fd);
}

/* Refuses an export as standard output or standard error. No complaint is printed into it. */
static enum nsc_status check_streams(struct nsc_error *error)
{
    bool is_output = nsc_outfile_is_database(STDOUT_FILENO);

    if (nsc_outfile_is_database(STDERR_FILENO)) {
        int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);

        if (fd >= 0)
            (void)dup2(fd, STDERR_FILENO);
        is_output = true;
    }
    if (!is_output)
        return NSC_OK;
    return nsc_fail(error, NSC_EINVAL, "the output is redirected into an SQLite database");
}

static void print_version(struct nsc_buf *out)
{
    nsc_buf_puts(out, "nsyscope " NSC_VERSION "\ncommit: " NSC_COMMIT "\n" NSC_LINKED
                      ": " NSC_LIBRARIES);
#ifdef __GLIBC__
    nsc_buf_printf(out, ", glibc %d.%d", __GLIBC__, __GLIBC_MINOR__);
#endif
    nsc_buf_putc(out, '\n');
    nsc_sandbox_print(out, nsc_sandbox_offer());
}

static enum nsc_status print_help(const struct nsc_options *options, struct nsc_error *error)
{
    struct nsc_buf text = NSC_BUF_INIT(1u << 20);
    enum nsc_status status;

    if (options->set[NSC_OPTION_VERSION]) {
        print_version(&text);
    } else if (options->has_command)
        nsc_help_command(&text, options);
    else
        nsc_help(&text);
    status = nsc_print(&text, error);
    nsc_buf_fini(&text);
    return status;
}

static const struct {
    const char *word, *instead;
} hints[] = {
#define NSC_COMMAND_HINT(word, instead) {word, instead},
#include "cli/command.def"
};

/*
 * Reports a first word that is neither a subcommand nor a file, with the nearest names. A word with
 * "." or "/" counts as a file.
 */
static enum nsc_status check_word(int argc, char *const *argv, struct nsc_error *error)
{
    char near[NSC_NEAREST_WORDS];
    struct nsc_nearest nearest;
    const char *word = argc > 1 ? argv[1] : "-";
    int n = 0;

    if (word[0] == '-' || strpbrk(word, "./") || access(word, F_OK) == 0 || errno != ENOENT ||
        nsc_command_alias_find(argc, argv, &n))
        return NSC_OK;
    nsc_nearest_init(&nearest, nsc_text_from(word));
    for (unsigned i = 0; i < NSC_N_COMMANDS; i++) {
        if (strcmp(word, nsc_commands[i].name) == 0)
            return NSC_OK;
        nsc_nearest_add(&nearest, nsc_text_from(nsc_commands[i].name));
    }
    if (nsc_skill_find(word))
        return nsc_fail(error, NSC_EIO,
                        "%s: no such command, and no such file; the nearest: skill run %s", word,
                        word);
    for (unsigned i = 0; i < nsc_n_command_aliases; i++) {
        const char *name = nsc_command_aliases[i].name;

        struct nsc_text first = {name, (uint32_t)strcspn(name, " ")};

        nsc_nearest_add(&nearest, nsc_text_from(name));
        if (!nsc_text_is(first, word))
            nsc_nearest_add(&nearest, first);
    }
    for (size_t i = 0; i < sizeof hints / sizeof *hints; i++)
        nsc_nearest_add_as(&nearest, nsc_text_from(hints[i].word), nsc_text_from(hints[i].instead));
    nsc_nearest_add(&nearest, nsc_text_from("--help"));
    nsc_nearest_add(&nearest, nsc_text_from("--version"));
    return nsc_fail(error, NSC_EIO, "%s: no such command, and no such file%s", word,
                    nearest.n ? nsc_nearest_words(near, &nearest)
                              : "; nsyscope --help lists the commands");
}

static void end(int number)
{
    nsc_temporary_remove_all();
    raise(number); /* the default action is restored */
}

/* Removes temporary files when a signal ends a subcommand. The session installs its own
 * handlers. */
static void install_handlers(void)
{
    static const int numbers[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXCPU, SIGALRM, SIGPIPE};
    struct sigaction action;
    struct sigaction old;

    memset(&action, 0, sizeof action);
    action.sa_handler = end;
    action.sa_flags = (int)SA_RESETHAND;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (sigaction(numbers[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
            sigaction(numbers[i], &action, NULL);
}

int main(int argc, char **argv)
{
    struct nsc_options options;
    struct nsc_error error = {0};
    int status = 0, first;

    fill_standard_descriptors();
    nsc_memory_init();
    install_handlers();
    signal(SIGXFSZ, SIG_IGN); /* exceeding the file size limit is then a write error */
    first = nsc_options_lead(argc, argv);
    if (check_streams(&error) != NSC_OK ||
        check_word(argc - first + 1, argv + first - 1, &error) != NSC_OK ||
        nsc_options_parse(&options, argc, argv, &error) != NSC_OK)
        return nsc_complain(&error);
    options.exit_status = &status;
    if ((options.set[NSC_OPTION_HELP] || options.set[NSC_OPTION_VERSION]
             ? print_help(&options, &error)
         : nsc_session_answers(&status, &options, argv + 1)
             ? NSC_OK
             : nsc_command_run(&options, &error)) != NSC_OK)
        status = nsc_complain(&error);
    nsc_options_fini(&options);
    return status;
}
