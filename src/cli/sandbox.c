/*
 * Gives up rights: files, TCP, devices and signals by Landlock, system calls by seccomp. Calls Landlock
 * by number, because a system's headers may be older than its kernel.
 */
#define _GNU_SOURCE /* O_PATH */
#include "cli/sandbox.h"

#include "cli/commands.h"
#include "cli/outputs.h"
#include "core/paths.h"
#include "serve/session.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#if defined(__linux__) && \
    !defined(NSC_COVERAGE) /* coverage writes its counters beside the objects */
#include <sys/prctl.h>
#include <sys/syscall.h>

enum { CREATE_RULESET = 444, ADD_RULE, RESTRICT_SELF }; /* the same on every architecture */
enum { QUERY_VERSION = 1, RULE_BENEATH = 1 };

#define EXECUTE     ((uint64_t)1 << 0)
#define WRITE_FILE  ((uint64_t)1 << 1)
#define REMOVE_FILE ((uint64_t)1 << 5)
#define REMOVE_MAKE ((uint64_t)0x1ff0) /* REMOVE_DIR to MAKE_SYM, without reading */
#define REFER       ((uint64_t)1 << 13)
#define TRUNCATE    ((uint64_t)1 << 14) /* from version 3 */
#define NET_TCP     ((uint64_t)3)       /* bind and connect, from version 4 */
#define IOCTL       ((uint64_t)1 << 15) /* of devices, from version 5 */
#define SCOPES      ((uint64_t)3)       /* abstract sockets and signals, from version 6 */
#define SCOPE_UNIX  ((uint64_t)1)

struct ruleset {
    uint64_t fs, net, scoped;
};

struct beneath {
    uint64_t allowed;
    int32_t parent;
} __attribute__((packed));

struct sandbox {
    int fd;
    uint64_t writing; /* the rights for an output's folder */
    uint64_t device;  /* the rights for a terminal */
    int failed;       /* errno of the first rule that cannot be made; 0: none */
};

static int find_landlock(void)
{
    long version = syscall(CREATE_RULESET, NULL, (size_t)0, QUERY_VERSION);

    return version < 2 ? 0 : (int)version; /* version 1 forbids all renames between folders */
}

/* The screen may write to any file that the user names while it is shown. It stops its whole process
 * group for Ctrl-Z, so it keeps signals. */
static bool is_screen(const struct nsc_options *options)
{
    return options->command == NSC_COMMAND_OPEN;
}

static bool begin(struct sandbox *sandbox, int version, bool is_limited)
{
    uint64_t writing = WRITE_FILE | REMOVE_MAKE | (version >= 3 ? TRUNCATE : 0);
    struct ruleset rules = {.fs = EXECUTE | REFER | (is_limited ? writing : 0)};
    size_t size = version >= 6 ? sizeof rules : version >= 4 ? 16 : 8;

    sandbox->writing = REFER | (is_limited ? writing : 0);
    sandbox->device = version >= 5 ? IOCTL : 0;
    rules.fs |= sandbox->device;
    rules.net = version >= 4 ? NET_TCP : 0;
    rules.scoped = version < 6 ? 0 : is_limited ? SCOPES : SCOPE_UNIX;
    sandbox->fd = (int)syscall(CREATE_RULESET, &rules, size, 0);
    return sandbox->fd >= 0;
}

/* A file that is missing or out of reach needs no rule, nor does a pipe without a name (EBADFD). */
static bool needs_rule(int failed)
{
    return failed != ENOENT && failed != ENOTDIR && failed != EACCES && failed != EBADFD;
}

static void allow(struct sandbox *sandbox, const char *path, uint64_t rights)
{
    int folder = rights & (REMOVE_MAKE | REFER) ? O_DIRECTORY : 0; /* the rights of folders */
    struct beneath rule = {rights, rights ? open(path, O_PATH | O_CLOEXEC | folder) : -1};
    bool done = !rights ||
                (rule.parent >= 0 && syscall(ADD_RULE, sandbox->fd, RULE_BENEATH, &rule, 0) == 0);

    if (!done && needs_rule(errno) && !sandbox->failed)
        sandbox->failed = errno;
    if (rule.parent >= 0)
        (void)close(rule.parent);
}

static void allow_beside(struct sandbox *sandbox, const char *file, uint64_t rights)
{
    char *folder = nsc_path_folder(file);

    allow(sandbox, folder, rights);
    free(folder);
}

/* A device or a pipe is written itself; a file, or a folder, beside itself under another name. Either
 * may be a link into another folder. */
static void allow_output(struct sandbox *sandbox, const char *path)
{
    struct stat info;
    bool is_there = stat(path, &info) == 0;
    char *real = is_there ? realpath(path, NULL) : NULL;

    if (is_there && (S_ISCHR(info.st_mode) || S_ISFIFO(info.st_mode))) {
        allow(sandbox, path, WRITE_FILE | (sandbox->writing & TRUNCATE));
    } else {
        allow_beside(sandbox, path, sandbox->writing);
        if (real && S_ISDIR(info.st_mode))
            allow(sandbox, real, sandbox->writing);
        else if (real)
            allow_beside(sandbox, real, sandbox->writing);
    }
    free(real);
}

/* Whether the command writes to the folder of bookmarks and baselines. */
static bool saves_state(const struct nsc_options *options)
{
    static const char *const actions[] = {"add", "remove", "import"};
    bool saves = false;

    if (options->command == NSC_COMMAND_BASELINE)
        return !options->set[NSC_OPTION_BASELINES] && strcmp(options->file, "list") != 0;
    if (options->command != NSC_COMMAND_BOOKMARKS || options->set[NSC_OPTION_BOOKMARKS])
        return false;
    for (unsigned i = 0; i < options->n_operands; i++)
        for (size_t a = 0; a < sizeof actions / sizeof *actions; a++)
            saves = saves || strcmp(options->operands[i], actions[a]) == 0;
    return saves;
}

/* Makes the folder, because only what exists can be allowed. If it cannot be made, saving says so. */
static void allow_state(struct sandbox *sandbox)
{
    struct nsc_buf path = NSC_BUF_INIT(SIZE_MAX);
    struct nsc_error ignored = {NSC_OK, ""};

    if (nsc_path_home(&path, NSC_PATH_STATE, "any") &&
        nsc_file_folders(path.bytes, &ignored) == NSC_OK)
        allow_beside(sandbox, path.bytes, sandbox->writing);
    nsc_buf_fini(&path);
}

static void allow_outputs(struct sandbox *sandbox, const struct nsc_options *options)
{
    const char *outputs[NSC_OUTPUTS_MOST];
    unsigned n = nsc_outputs_list(outputs, options);
    const char *base = options->arg[NSC_OPTION_STATS_OUTPUT][0];
    /* With --wal, SQLite creates a -shm file beside an export. */
    struct sockaddr_un socket;
    bool beside_exports = options->set[NSC_OPTION_WAL] || (base && strcmp(base, ".") == 0);

    for (unsigned i = 0; i < n; i++)
        allow_output(sandbox, outputs[i]);
    for (unsigned i = 0; beside_exports && i < options->n_operands; i++)
        allow_beside(sandbox, options->named[i], sandbox->writing);
    if (saves_state(options))
        allow_state(sandbox);
    if (options->command == NSC_COMMAND_SERVE && nsc_session_name(&socket, NULL) == NSC_OK)
        allow_beside(sandbox, socket.sun_path, REMOVE_FILE); /* it removes its socket at the end */
}

/* 0, or an errno: all that Landlock denies is then still allowed. */
static int restrict_files(const struct nsc_options *options, int version)
{
    struct sandbox sandbox = {.fd = -1};

    if (!begin(&sandbox, version, !is_screen(options)))
        return errno;
    if (is_screen(options)) {
        allow(&sandbox, "/", sandbox.writing);
        allow(&sandbox, "/dev/tty", sandbox.device);
    } else {
        allow_outputs(&sandbox, options);
    }
    if (!sandbox.failed && syscall(RESTRICT_SELF, sandbox.fd, 0) != 0)
        sandbox.failed = errno;
    (void)close(sandbox.fd);
    return sandbox.failed;
}

static enum nsc_status enter(const struct nsc_options *options, struct nsc_error *error)
{
    struct nsc_sandbox_offer offer = nsc_sandbox_offer();
    int failed = 0;
    enum nsc_status status = NSC_OK;

    if (!offer.landlock && !offer.seccomp)
        return NSC_OK;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return nsc_fail(error, NSC_EIO, "no_new_privs: %s", strerror(errno));
    if (offer.landlock)
        failed = restrict_files(options, offer.landlock);
    if (offer.seccomp)
        status = nsc_sandbox_calls_deny(error);
    return failed ? nsc_fail(error, NSC_EIO, "Landlock: %s", strerror(failed)) : status;
}
#else
static int find_landlock(void)
{
    return 0;
}

static enum nsc_status enter(const struct nsc_options *options, struct nsc_error *error)
{
    (void)options;
    (void)error;
    return NSC_OK;
}
#endif

struct nsc_sandbox_offer nsc_sandbox_offer(void)
{
    return (struct nsc_sandbox_offer){find_landlock(), nsc_sandbox_calls_offered()};
}

void nsc_sandbox_print(struct nsc_buf *out, struct nsc_sandbox_offer offer)
{
    static const struct {
        int version;
        const char *what;
    } denied[] = {{2, " denies programs, writing elsewhere"},
                  {3, ", truncating"},
                  {4, ", TCP"},
                  {5, ", ioctl of devices"},
                  {6, ", abstract sockets, signals to others"}};

    nsc_buf_puts(out, "sandbox: ");
    if (offer.landlock)
        nsc_buf_printf(out, "Landlock %d", offer.landlock);
    for (size_t i = 0; i < sizeof denied / sizeof *denied; i++)
        nsc_buf_puts(out, offer.landlock >= denied[i].version ? denied[i].what : "");
    if (offer.seccomp)
        nsc_buf_printf(out, "%sseccomp denies programs, sockets, typing",
                       offer.landlock ? "; " : "");
    if (!offer.landlock && !offer.seccomp)
        nsc_buf_puts(out, "not offered by this system");
    nsc_buf_putc(out, '\n');
}

/* These read no export. They start programs, or remove exports from the cache. */
static bool needs_rights(const struct nsc_options *options)
{
    return options->command == NSC_COMMAND_CAPTURE || options->command == NSC_COMMAND_HELP ||
           options->command == NSC_COMMAND_CACHE;
}

void nsc_limits_enter(const struct nsc_options *options)
{
    struct nsc_error error = {NSC_OK, ""};
    struct nsc_error line = {NSC_OK, ""};

    if (needs_rights(options))
        return;
    if (!options->set[NSC_OPTION_NO_SANDBOX] && enter(options, &error) != NSC_OK) {
        (void)nsc_fail(&line, NSC_EIO, "warning: not all rights are given up: %s", error.text);
        (void)nsc_complain(&line);
    }
    if (options->set[NSC_OPTION_MEM] &&
        options->command != NSC_COMMAND_MCP && /* each of its answers does */
        options->command != NSC_COMMAND_SERVE)
        nsc_memory_watch(options->open.memory);
}
