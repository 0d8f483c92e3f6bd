/* Calls Landlock through system calls, because a system's headers may be older than its kernel. */
#define _GNU_SOURCE /* O_PATH */
#include "cli/sandbox.h"

#include "core/buf.h"
#include "core/die.h"
#include "core/paths.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if defined(__linux__) && \
    !defined(NSC_COVERAGE) /* coverage writes its counters beside the objects */
#include <sys/prctl.h>
#include <sys/syscall.h>

enum { CREATE_RULESET = 444, ADD_RULE, RESTRICT_SELF }; /* the same on every architecture */
enum { QUERY_VERSION = 1, RULE_BENEATH = 1 };

#define EXECUTE     ((uint64_t)1 << 0)
#define WRITE_FILE  ((uint64_t)1 << 1)
#define REMOVE_MAKE ((uint64_t)0x1ff0) /* REMOVE_DIR to MAKE_SYM, without reading */
#define REFER       ((uint64_t)1 << 13)
#define TRUNCATE    ((uint64_t)1 << 14) /* from version 3 */
#define NET_TCP     ((uint64_t)3)       /* bind and connect, from version 4 */
#define SCOPE_UNIX  ((uint64_t)1)       /* abstract sockets, from version 6 */

struct ruleset {
    uint64_t fs, net, scoped;
};

struct beneath {
    uint64_t allowed;
    int32_t parent;
} __attribute__((packed));

struct sandbox {
    int fd;
    uint64_t writing; /* rights for an output's folder */
    bool failed;
};

int nsc_sandbox_offered(void)
{
    long version = syscall(CREATE_RULESET, NULL, (size_t)0, QUERY_VERSION);

    return version < 2 ? 0 : (int)version; /* version 1 forbids all renames between folders */
}

static bool begin(struct sandbox *sandbox, int version, bool limits_writing)
{
    struct ruleset rules = {.fs = EXECUTE | REFER};
    size_t size = version >= 6 ? sizeof rules : version >= 4 ? 16 : 8;

    sandbox->writing = WRITE_FILE | REMOVE_MAKE | REFER | (version >= 3 ? TRUNCATE : 0);
    if (limits_writing)
        rules.fs |= sandbox->writing;
    else
        sandbox->writing = REFER;
    rules.net = version >= 4 ? NET_TCP : 0;
    rules.scoped = version >= 6 ? SCOPE_UNIX : 0;
    sandbox->fd = (int)syscall(CREATE_RULESET, &rules, size, 0);
    return sandbox->fd >= 0;
}

/* Allows the folder, or the nearest existing one above it. */
static void allow(struct sandbox *sandbox, const char *folder)
{
    char *path = nsc_xcopy(folder, strlen(folder));
    struct beneath rule = {sandbox->writing, -1};
    char *slash = NULL;

    while ((rule.parent = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC)) < 0 &&
           (errno == ENOENT || errno == ENOTDIR)) {
        slash = strrchr(path, '/');
        if (!slash || strcmp(path, "/") == 0)
            strcpy(path, path[0] == '/' ? "/" : ".");
        else
            slash[slash == path] = '\0';
    }
    if (rule.parent < 0 || syscall(ADD_RULE, sandbox->fd, RULE_BENEATH, &rule, 0) != 0)
        sandbox->failed = true;
    if (rule.parent >= 0)
        (void)close(rule.parent);
    free(path);
}

/* Allows the folder of a file. */
static void allow_beside(struct sandbox *sandbox, const char *file)
{
    size_t n = strlen(file);
    char *folder = NULL;

    while (n > 1 && file[n - 1] == '/')
        n--;
    while (n > 0 && file[n - 1] != '/')
        n--;
    folder = n ? nsc_xcopy(file, n) : nsc_xcopy(".", 1);
    allow(sandbox, folder);
    free(folder);
}

/* The program's own file may be a symbolic link into another folder. */
static void allow_own(struct sandbox *sandbox, const char *file)
{
    char *real = realpath(file, NULL);

    allow_beside(sandbox, file);
    if (real)
        allow_beside(sandbox, real);
    free(real);
}

static void allow_homes(struct sandbox *sandbox)
{
    static const enum nsc_path_kind kinds[] = {NSC_PATH_STATE, NSC_PATH_CONFIG};

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        struct nsc_buf path = NSC_BUF_INIT(1 << 16);

        if (nsc_path_home(&path, kinds[i], ""))
            allow(sandbox, path.bytes);
        nsc_buf_fini(&path);
    }
    allow(sandbox, "/dev");
}

static void allow_operands(struct sandbox *sandbox, const struct nsc_options *options)
{
    for (unsigned i = 0; i < options->n_operands; i++)
        allow_beside(sandbox, options->operands[i]);
}

static void allow_outputs(struct sandbox *sandbox, const struct nsc_options *options)
{
    static const enum nsc_option outputs[] = {NSC_OPTION_OUTPUT, NSC_OPTION_STATS_OUTPUT,
                                              NSC_OPTION_REPORT_OUT};
    const char *base = options->arg[NSC_OPTION_STATS_OUTPUT][0];
    bool beside_exports = base && strcmp(base, ".") == 0;

    for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++)
        if (options->set[outputs[i]] && !(outputs[i] == NSC_OPTION_STATS_OUTPUT && beside_exports))
            allow_beside(sandbox, options->arg[outputs[i]][0]);
    if (options->set[NSC_OPTION_BOOKMARKS])
        allow_own(sandbox, options->arg[NSC_OPTION_BOOKMARKS][0]);
    /* With --wal, SQLite creates a -shm file beside an export. */
    if (options->command == NSC_COMMAND_GENERATE || options->set[NSC_OPTION_WAL] || beside_exports)
        allow_operands(sandbox, options);
}

/* These start programs, which need the process's rights. */
static bool starts_programs(const struct nsc_options *options)
{
    return options->command == NSC_COMMAND_CAPTURE || options->command == NSC_COMMAND_HELP;
}

static void enter_sandbox(const struct nsc_options *options)
{
    int version = nsc_sandbox_offered();
    /* The screen may write to any file that the user names later. */
    bool limits_writing = options->command != NSC_COMMAND_OPEN;
    struct sandbox sandbox = {.fd = -1};

    if (version == 0 || options->set[NSC_OPTION_NO_SANDBOX] || starts_programs(options) ||
        !begin(&sandbox, version, limits_writing))
        return;
    if (limits_writing) {
        allow_homes(&sandbox);
        allow_outputs(&sandbox, options);
    } else {
        allow(&sandbox, "/");
    }
    if (!sandbox.failed && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0)
        (void)syscall(RESTRICT_SELF, sandbox.fd, 0);
    (void)close(sandbox.fd);
}
#else
int nsc_sandbox_offered(void)
{
    return 0;
}

static void enter_sandbox(const struct nsc_options *options)
{
    (void)options;
}
#endif

void nsc_limits_enter(const struct nsc_options *options)
{
    enter_sandbox(options);
    if (options->set[NSC_OPTION_MEM])
        nsc_memory_watch(options->open.memory);
}
