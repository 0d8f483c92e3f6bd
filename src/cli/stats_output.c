/*
 * Writes the text of reports piece by piece.
 */
#include "cli/stats_output.h"

#include "cli/file_name.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static enum nsc_status check_stems(struct nsc_files files, struct nsc_error *error)
{
    for (unsigned i = 0; i < files.n; i++)
        for (unsigned k = 0; k < i; k++)
            if (nsc_file_stem(files.at[i]) == nsc_file_stem(files.at[k]) &&
                memcmp(files.at[i], files.at[k], nsc_file_stem(files.at[i])) == 0)
                return nsc_fail(error, NSC_EINVAL,
                                "--output .: %.90s and %.90s would write the same files",
                                files.at[k], files.at[i]);
    return NSC_OK;
}

enum nsc_status nsc_stats_output_check(const struct nsc_options *options, struct nsc_error *error)
{
    const char *base = options->arg[NSC_OPTION_STATS_OUTPUT][0];

    signal(SIGPIPE, SIG_IGN);
    if (base && base[0] == '@')
        return nsc_fail(error, NSC_EINVAL,
                        "--output %.60s: commands are not run; use a pipe of the shell", base);
    return base && strcmp(base, ".") == 0 ? check_stems(nsc_options_files(options), error) : NSC_OK;
}

void nsc_stats_output_init(struct nsc_stats_output *output, const struct nsc_options *options,
                           struct nsc_stats_source source, const char *name, const char *suffix)
{
    const char *base = options->arg[NSC_OPTION_STATS_OUTPUT][0];
    struct nsc_buf path = NSC_BUF_INIT(65536);

    *output = (struct nsc_stats_output){.fd = -1, .force = options->set[NSC_OPTION_FORCE]};
    if (!base || strcmp(base, "-") == 0)
        return;
    if (strcmp(base, ".") == 0)
        nsc_buf_add(&path, source.file, nsc_file_stem(source.file));
    else
        nsc_buf_puts(&path, base);
    nsc_buf_putc(&path, '_');
    if (source.number != NSC_NONE && strcmp(base, ".") != 0) {
        nsc_file_number_name(&path, source.file, source.number);
        nsc_buf_putc(&path, '_');
    }
    for (; *name; name++)
        nsc_buf_putc(&path, *name == ':' || *name == '/' ? '_' : *name);
    nsc_buf_printf(&path, ".%s", suffix);
    output->path = path.bytes;
}

static void open_file(struct nsc_stats_output *output)
{
    int flags = O_WRONLY | O_CREAT | O_CLOEXEC | (output->force ? O_TRUNC : O_EXCL);

    output->fd = output->path ? open(output->path, flags, 0666) : STDOUT_FILENO;
    if (output->fd < 0)
        output->failed = errno;
}

bool nsc_stats_output_take(void *context, struct nsc_buf *text)
{
    struct nsc_stats_output *output = context;
    size_t at = 0;

    if (output->fd < 0 && !output->failed)
        open_file(output);
    while (at < text->n && !output->failed && !output->gone) {
        ssize_t n = write(output->fd, text->bytes + at, text->n - at);

        if (n > 0)
            at += (size_t)n;
        else if (n < 0 && errno == EPIPE && !output->path)
            output->gone = true;
        else if (n == 0 || errno != EINTR)
            output->failed = n == 0 ? EIO : errno;
    }
    nsc_buf_clear(text);
    return !output->failed && !output->gone;
}

enum nsc_status nsc_stats_output_end(struct nsc_stats_output *output, struct nsc_error *error)
{
    struct nsc_buf text = NSC_BUF_INIT(16);

    if (!output->path)
        nsc_buf_putc(&text, '\n');
    (void)nsc_stats_output_take(output, &text);
    nsc_buf_fini(&text);
    if (output->path && output->fd >= 0 && close(output->fd) != 0 && !output->failed)
        output->failed = errno;
    if (output->path)
        output->fd = -1;
    if (output->failed == EEXIST)
        return nsc_fail(error, NSC_EINVAL, "%s exists; --force overwrites it", output->path);
    if (output->failed)
        return nsc_fail(error, NSC_EIO, "%s: cannot be written: %s",
                        output->path ? output->path : "standard output", strerror(output->failed));
    return NSC_OK;
}

void nsc_stats_output_fini(struct nsc_stats_output *output)
{
    if (output->path && output->fd >= 0)
        (void)close(output->fd);
    free(output->path);
}
