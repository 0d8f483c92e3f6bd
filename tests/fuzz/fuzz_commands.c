/*
 * Any bytes as an export, through each subcommand: an unused byte of the header selects it. The
 * exit status is one listed in the manual.
 * promises: A30 C16
 */
#include "cli/commands.h"

#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { SELECTOR = 71 /* of the application id */ };

/* Words of each command line; "@" stands for the export. */
static const char *const lines[] = {
    "info --json --lanes @",
    "info @",
    "summary @",
    "overlap --format md @",
    "nccl --format json @",
    "iters --format csv @",
    "tree @",
    "tree --instances @",
    "tree --headings @",
    "search @ a",
    "analyze --format json @",
    "report --json @",
    "report --print-schema @",
    "ranks @",
    "setup @",
    "window @",
    "stages @",
    "schema @",
    "export --to csv @",
    "export --to json @",
    "export --to chrome @",
    "export --to perfetto @",
    "export --to speedscope @",
    "export --to folded-cpu @",
    "export --to folded-samples @",
    "bins --lane 0 --columns 20 @",
    "diff @ @",
    "ncu-plan @ -- true",
    "render --size 100x30 @",
    "render --size 60x20 --keys hhh @",
    "render --size 120x40 --keys FYAi @",
    "skill run schema_inspect @",
    "skill run critical_path @",
    "skill run kernel_instances @",
    "skill run quality @",
    "sql @ SELECT_1",
    "stats -r cuda_gpu_kern_sum,cuda_api_sum,nvtx_sum,osrt_sum,cuda_gpu_mem_size_sum -f csv @",
    "stats -r nvtx_kern_sum,nvtx_gpu_proj_trace,cuda_gpu_trace,cuda_kern_exec_trace -f json @",
};

static enum nsc_status (*const functions[NSC_N_COMMANDS])(const struct nsc_options *,
                                                          struct nsc_error *) = {
#define NSC_COMMAND(id, operands, name, arguments, help, function) function,
#include "cli/command.def"
};

/* Output is discarded; the folders of settings and bookmarks do not exist. */
static void begin(void)
{
    static bool begun;
    int nowhere;

    if (begun)
        return;
    begun = true;
    nowhere = open("/dev/null", O_WRONLY);
    assert(nowhere >= 0 && dup2(nowhere, STDOUT_FILENO) >= 0);
    close(nowhere);
    setenv("XDG_CONFIG_HOME", "/nowhere", 1);
    setenv("XDG_STATE_HOME", "/nowhere", 1);
}

static void run(const char *line, const char *path)
{
    char words[256];
    char *argv[16] = {(char *)(uintptr_t) "nsyscope"};
    struct nsc_options options;
    struct nsc_error error = {0};
    int argc = 1;
    int status = NSC_EXIT_DONE;

    assert(strlen(line) < sizeof words);
    strcpy(words, line);
    for (char *word = strtok(words, " "); word; word = strtok(NULL, " ")) {
        assert(argc < 15);
        argv[argc++] = strcmp(word, "@") == 0 ? (char *)(uintptr_t)path
                       : strcmp(word, "SELECT_1") == 0
                           ? (char *)(uintptr_t) "SELECT * FROM StringIds"
                           : word;
    }
    argv[argc] = NULL;
    assert(nsc_options_parse(&options, argc, argv, &error) == NSC_OK);
    options.open.threads = 1;
    options.open.memory = (uint64_t)256 << 20;
    options.exit_status = &status;
    if (functions[options.command](&options, &error) != NSC_OK)
        status = nsc_complain(&error);
    assert(status >= NSC_EXIT_DONE && status <= NSC_EXIT_NODATA);
    nsc_options_fini(&options);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[] = "/tmp/nsyscope-fuzz-commands-XXXXXX";
    int fd;

    if (size < 100 || size > 1u << 20)
        return 0;
    begin();
    fd = mkstemp(path);
    if (fd < 0 || write(fd, data, size) != (ssize_t)size)
        abort();
    close(fd);
    run(lines[data[SELECTOR] % (sizeof lines / sizeof *lines)], path);
    unlink(path);
    return 0;
}
