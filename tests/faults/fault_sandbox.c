/*
 * Preloaded into the program: when it ends, tries the actions of a compromised program, and appends
 * a line for each to the file $NSC_TRIED, which was opened at the start: "exec: no", "write: yes".
 * $NSC_TRY_FILE: a file to make; $NSC_TRY_PORT: a port of this machine with a listener.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static int out = -1;
static const char *file, *port;

static void say(const char *what, int worked)
{
    dprintf(out, "%s: %s\n", what, worked ? "yes" : "no");
}

static int can_execute(void)
{
    int status = 0;
    pid_t child = fork();

    if (child == 0) {
        execl("/bin/true", "true", (char *)NULL);
        _exit(99);
    }
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) &&
           WEXITSTATUS(status) == 0;
}

static int can_connect(void)
{
    struct sockaddr_in to = {.sin_family = AF_INET};
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    int worked;

    to.sin_port = htons((uint16_t)atoi(port));
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    worked = fd >= 0 && connect(fd, (struct sockaddr *)&to, sizeof to) == 0;
    if (fd >= 0)
        close(fd);
    return worked;
}

__attribute__((constructor)) static void begin(void)
{
    const char *path = getenv("NSC_TRIED");

    file = getenv("NSC_TRY_FILE");
    port = getenv("NSC_TRY_PORT");
    if (path)
        out = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    unsetenv("LD_PRELOAD");
}

__attribute__((destructor)) static void end(void)
{
    int fd;

    if (out < 0)
        return;
    say("exec", can_execute());
    fd = file ? open(file, O_WRONLY | O_CREAT | O_CLOEXEC, 0600) : -1;
    say("write", fd >= 0);
    if (fd >= 0)
        close(fd);
    if (port)
        say("connect", can_connect());
    out = -1;
}
