/*
 * Preloaded into the program: when it ends, tries the actions of a compromised program, and appends
 * a line for each to the file $NSC_TRIED, which was opened at the start: "exec: no", "write: yes".
 * $NSC_TRY_FILE: a file to make; $NSC_TRY_PORT: a port of this machine with a listener;
 * $NSC_TRY_SOCKET: the path of a socket with a listener. $NSC_REFUSE: the system refuses to take
 * rights.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

static int out = -1;
static const char *file, *port, *path;

static void say(const char *what, int worked)
{
    dprintf(out, "%s: %s\n", what, worked ? "yes" : "no");
}

/* The whole program in memory, which no path leads to. */
static int copy_to_memory(const char *program)
{
    char bytes[4096];
    ssize_t n = 0;
    int from = open(program, O_RDONLY);
    int memory = memfd_create("program", MFD_CLOEXEC);

    while (from >= 0 && (n = read(from, bytes, sizeof bytes)) > 0)
        if (write(memory, bytes, (size_t)n) != n)
            break;
    close(from);
    return memory;
}

static int can_execute(int in_memory)
{
    char name[] = "true";
    char *const words[] = {name, NULL};
    int status = 0;
    pid_t child = fork();

    if (child == 0) {
        if (in_memory)
            fexecve(copy_to_memory("/bin/true"), words, environ);
        else
            execv("/bin/true", words);
        _exit(99);
    }
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) &&
           WEXITSTATUS(status) == 0;
}

/* The file stays for the script to find. */
static int can_write(const char *name)
{
    int fd = open(name, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

static int can_share(void)
{
    char name[64];
    int worked;

    snprintf(name, sizeof name, "/dev/shm/nsc_tried_%ld", (long)getpid());
    worked = can_write(name);
    unlink(name);
    return worked;
}

static int can_reach(int type)
{
    struct sockaddr_in to = {.sin_family = AF_INET};
    int fd = socket(AF_INET, type, 0);
    int worked;

    to.sin_port = htons((uint16_t)atoi(port));
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    worked = fd >= 0 && connect(fd, (struct sockaddr *)&to, sizeof to) == 0;
    if (fd >= 0)
        close(fd);
    return worked;
}

static int can_reach_path(void)
{
    struct sockaddr_un to = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    int worked;

    snprintf(to.sun_path, sizeof to.sun_path, "%s", path);
    worked = fd >= 0 && connect(fd, (struct sockaddr *)&to, sizeof to) == 0;
    if (fd >= 0)
        close(fd);
    return worked;
}

/* A device answers that it is no terminal; the sandbox says that one may not ask. */
static int can_ask_device(void)
{
    struct termios state;
    int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
    int worked = ioctl(fd, TCGETS, &state) == 0 || errno == ENOTTY;

    close(fd);
    return worked;
}

/* Types a letter for the user, if standard input is a terminal. */
static int can_type(void)
{
    return ioctl(STDIN_FILENO, TIOCSTI, "x") == 0 || errno == ENOTTY;
}

__attribute__((constructor)) static void begin(void)
{
    const char *name = getenv("NSC_TRIED");

    file = getenv("NSC_TRY_FILE");
    port = getenv("NSC_TRY_PORT");
    path = getenv("NSC_TRY_SOCKET");
    if (name)
        out = open(name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    unsetenv("LD_PRELOAD");
}

__attribute__((destructor)) static void end(void)
{
    if (out < 0)
        return;
    say("exec", can_execute(0));
    say("memory", can_execute(1));
    say("write", file && can_write(file));
    say("shm", can_share());
    say("ioctl", can_ask_device());
    say("type", can_type());
    say("signal", kill(getppid(), 0) == 0);
    if (port) {
        say("tcp", can_reach(SOCK_STREAM));
        say("udp", can_reach(SOCK_DGRAM));
        say("unix", can_reach_path());
    }
    out = -1;
}

int prctl(int option, ...);

int prctl(int option, ...)
{
    unsigned long words[4];
    va_list args;

    va_start(args, option);
    for (int i = 0; i < 4; i++)
        words[i] = va_arg(args, unsigned long);
    va_end(args);
    if (getenv("NSC_REFUSE")) {
        errno = EPERM;
        return -1;
    }
    return (int)syscall(SYS_prctl, option, words[0], words[1], words[2], words[3]);
}
