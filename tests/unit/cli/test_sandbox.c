/* What --version says of systems that offer less than this one. */
#include "cli/sandbox.h"
#include "support/cm.h"

static void expect(int landlock, bool seccomp, const char *want)
{
    struct nsc_buf out = NSC_BUF_INIT(SIZE_MAX);

    nsc_sandbox_print(&out, (struct nsc_sandbox_offer){landlock, seccomp});
    assert_string_equal(out.bytes, want);
    nsc_buf_fini(&out);
}

TEST(the_version_says_what_is_denied)
{
    expect(0, false, "sandbox: not offered by this system\n");
    expect(0, true, "sandbox: seccomp denies programs, sockets, typing\n");
    expect(2, false, "sandbox: Landlock 2 denies programs, writing elsewhere\n");
    expect(4, true,
           "sandbox: Landlock 4 denies programs, writing elsewhere, truncating, TCP; seccomp "
           "denies programs, sockets, typing\n");
    expect(7, false,
           "sandbox: Landlock 7 denies programs, writing elsewhere, truncating, TCP, ioctl of "
           "devices, abstract sockets, signals to others\n");
}
