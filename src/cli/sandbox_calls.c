/*
 * Denies system calls with a seccomp filter. Landlock denies files and TCP, but neither other sockets
 * nor programs in memory (memfd_create).
 */
#include "cli/sandbox.h"

#include <errno.h>
#include <string.h>

#if defined(__linux__) && !defined(NSC_COVERAGE)
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#elif defined(__powerpc64__) && defined(__LITTLE_ENDIAN__)
#define ARCHITECTURE AUDIT_ARCH_PPC64LE
#endif
#endif

#ifdef ARCHITECTURE

enum { SET_MODE_FILTER = 1, GET_ACTION_AVAIL = 2, SPEC_ALLOW = 4 }; /* newer than some headers */
#define X32_CALLS 0x40000000 /* a second numbering of x86-64's calls begins here */

bool nsc_sandbox_calls_offered(void)
{
    uint32_t action = SECCOMP_RET_ERRNO;

    return syscall(SYS_seccomp, GET_ACTION_AVAIL, 0, &action) == 0;
}

/* An io_uring could make sockets past the filter; TIOCSTI and TIOCLINUX type into the terminal, for a
 * shell. */
enum nsc_status nsc_sandbox_calls_deny(struct nsc_error *error)
{
#define DENY(call) \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (call), 0, 1), BPF_STMT(BPF_RET | BPF_K, DENIED)
    enum { DENIED = SECCOMP_RET_ERRNO | EACCES };
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, DENIED),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, X32_CALLS, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, DENIED),
        DENY(SYS_execve),
        DENY(SYS_execveat),
        DENY(SYS_socket),
        DENY(SYS_socketpair),
#ifdef SYS_socketcall
        DENY(SYS_socketcall),
#endif
        DENY(425), /* io_uring_setup, on every architecture */
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_ioctl, 0, 5),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[1])),
        DENY(TIOCSTI), /* all these architectures put the low half first */
        DENY(TIOCLINUX),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof filter / sizeof *filter, filter};

    /* Without this flag older kernels slow down all of the program (speculative stores). */
    if (syscall(SYS_seccomp, SET_MODE_FILTER, SPEC_ALLOW, &program) != 0)
        return nsc_fail(error, NSC_EIO, "seccomp: %s", strerror(errno));
    return NSC_OK;
}
#else
bool nsc_sandbox_calls_offered(void)
{
    return false;
}

enum nsc_status nsc_sandbox_calls_deny(struct nsc_error *error)
{
    (void)error;
    return NSC_OK;
}
#endif
