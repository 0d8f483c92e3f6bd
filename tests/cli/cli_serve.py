#!/usr/bin/env python3
"""The session of nsyscope serve: --session prints the bytes of the command alone, for one client and for eight at once; clients that die, flood or
stall; a file that changes; the socket; the end. cli_serve.py PROGRAM"""
import array
import json
import os
import re
import shutil
import signal
import socket
import stat
import subprocess
import sys
import time

program = os.path.abspath(sys.argv[1])
META = {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}
failures = 0


def check(holds, what):
    global failures
    if not holds:
        print("FAILED:", what)
        failures += 1


shutil.rmtree("work", ignore_errors=True)
os.makedirs("work/run/deep", mode=0o700)
os.chdir("work")
environment = dict(os.environ, XDG_STATE_HOME=os.path.abspath("state"), XDG_CONFIG_HOME=os.path.abspath("state"), XDG_RUNTIME_DIR=os.path.abspath("run"),
                   XDG_CACHE_HOME=os.path.abspath("cache"))
environment.pop("NSYSCOPE_SESSION", None)
path = os.path.abspath("run/nsyscope/session.sock")
if len(path) > 100:  # the folder of the build is deep
    path = f"/tmp/nsyscope-test-{os.getpid()}.sock"
    environment["NSYSCOPE_SESSION"] = path


def run(*words, folder=".", **variables):
    return subprocess.run([program, *words], stdin=subprocess.DEVNULL, capture_output=True, cwd=folder, env=dict(environment, **variables), timeout=120)


def alone(*words, **how):
    bare = {name: value for name, value in environment.items() if name != "NSYSCOPE_SESSION"}
    return subprocess.run([program, *words], stdin=subprocess.DEVNULL, capture_output=True, cwd=how.get("folder", "."), env=bare, timeout=120)


def start(*words, **variables):
    server = subprocess.Popen([program, "serve", *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=dict(environment, **variables))
    ready = server.stdout.readline().decode()
    check(ready.startswith("session of "), f"serve {words}: {ready} {server.stderr.read() if not ready else ''}")
    return server


def descendants(pid):
    try:
        with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
            found = [int(word) for word in file.read().split()]
    except OSError:
        return []
    return found + [other for child in found for other in descendants(child)]


def wait_until(holds, what, seconds=20):
    end = time.monotonic() + seconds
    while not holds() and time.monotonic() < end:
        time.sleep(0.05)
    check(holds(), what)


def connect():
    client = socket.socket(socket.AF_UNIX)
    client.settimeout(60)
    while True:
        try:
            client.connect(path)
            return client
        except BlockingIOError:  # as many wait as may
            time.sleep(0.05)


def request(method, **params):
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": dict(params, _meta=META)}).encode() + b"\n"


for name, seed in (("a.sqlite", "1"), ("b.sqlite", "2"), ("c.sqlite", "3")):
    check(run("generate", "--kernels", "3000", "--seed", seed, name).returncode == 0, "generate")
os.mkdir("other")
shutil.copy("a.sqlite", "other/copy.sqlite")
server = start("a.sqlite", "b.sqlite")
info = os.stat(path)
check(stat.S_ISSOCK(info.st_mode) and stat.S_IMODE(info.st_mode) == 0o600, f"the socket's mode is {info.st_mode:o}")

def same(got, want):
    """Whether both say the same; a report tells when it was made."""
    made = rb'"generated_at": "[^"]*"'
    return (got.returncode, re.sub(made, b"", got.stdout), got.stderr) == (want.returncode, re.sub(made, b"", want.stdout), want.stderr)


# The same bytes, status and remarks as alone, also of a copy at another path.
SLOW = "SELECT sum(a.dur + b.dur + c.dur) FROM kernel a, kernel b, kernel c"
asked = [("summary", "a.sqlite"), ("summary", "a.sqlite", "--format", "json"), ("skill", "run", "top_kernels", "b.sqlite", "--format", "csv"), ("diff", "a.sqlite", "b.sqlite"),
         ("diff", "a.sqlite", "b.sqlite", "--format", "json"), ("ask", "a.sqlite", "why is the GPU idle?"), ("sql", "a.sqlite", "SELECT nothing FROM kernel"),
         ("sql", "a.sqlite", "--raw", "SELECT count(*) FROM StringIds"), ("stats", "-r", "cuda_gpu_kern_sum", "a.sqlite"), ("render", "b.sqlite", "--keys", "+ Right", "--size", "90x25"),
         ("report", "a.sqlite", "--json"), ("ranks", "a.sqlite"), ("sketch", "a.sqlite"), ("export", "a.sqlite", "--to", "csv"), ("viewer", "a.sqlite"),
         ("ncu-plan", "a.sqlite", "--", "./train"), ("iters", "a.sqlite", "--filter", "name:gemm"), ("tree", "b.sqlite", "--range", "iteration 2"), ("summary", "a.sqlite", "--trim", "1ms", "9ms"), ("families", "a.sqlite"),
         ("summary", "a.sqlite", "--no-such-option"), ("summary", "c.sqlite"), ("summary", "a.sqlite", "b.sqlite"), ("skill", "list"), ("summary", "none.sqlite")]
expected = {words: alone(*words) for words in asked}
for words in asked:
    got, want = run(words[0], "--session", *words[1:]), expected[words]
    check(same(got, want), f"{words}: {got.returncode} {got.stdout[:200]} {got.stderr[:200]}")
for words in (("summary", "--format", "json"), ("export", "--to", "page"), ("viewer",)):
    got, want = run(*words, "copy.sqlite", "--session", folder="other"), alone(*words, "copy.sqlite", folder="other")
    check(same(got, want) and (words[0] != "summary" or b'"copy.sqlite"' in got.stdout), f"{words} of a copy in another folder")
for variables in ({"COLUMNS": "60"}, {"LC_ALL": "C"}):
    environment.update(variables)
    check(run("summary", "a.sqlite", "--session").stdout == alone("summary", "a.sqlite").stdout, f"with {variables}")
    environment["LC_ALL"] = "C.UTF-8"
    environment.pop("COLUMNS", None)




def reads(*words):
    """Whether the process of the command opens an export itself."""
    log = subprocess.run(["strace", "-qq", "-e", "trace=openat", program, *words], stdin=subprocess.DEVNULL, capture_output=True, env=environment, timeout=120)
    return b".sqlite" in log.stderr


was = environment.pop("NSYSCOPE_SESSION", None)
if shutil.which("strace") and subprocess.run(["strace", "-qq", "true"], capture_output=True).returncode == 0:
    check(reads("summary", "a.sqlite"), "the trace of system calls shows nothing")
    environment["NSYSCOPE_SESSION"] = path
    for words in asked[:20]:
        check(not reads(*words) or "--trim" in words, f"{words} is not the session's")
environment.pop("NSYSCOPE_SESSION", None)
if was:
    environment["NSYSCOPE_SESSION"] = was

# info says what its own process takes. The screen and what reads no trace or writes a file open it as without.
def info_of(done):
    return re.sub(rb"memory .* at most", b"", done.stdout)


check(b" at most" in run("info", "a.sqlite", "--session").stdout and info_of(run("info", "a.sqlite", "--session")) == info_of(alone("info", "a.sqlite")), "info")
for words in (("a.sqlite",), ("schema", "a.sqlite"), ("doctor", "a.sqlite"), ("bookmarks", "a.sqlite", "list")):
    got, want = run(*words, "--session"), alone(*words)
    check(got.returncode == 0 and info_of(got) == info_of(want) and got.stderr == want.stderr, f"{words} with --session: {got}")
for words in (("sketch",), ("viewer",), ("cut",), ("export", "--to", "csv")):
    check(run(*words, "a.sqlite", "-o", "by-session", "--session").returncode == alone(*words, "a.sqlite", "-o", "alone").returncode == 0, f"{words} with --session")
    with open("by-session", "rb") as one, open("alone", "rb") as other:
        check(one.read() == other.read(), f"{words} writes something else with --session")
    os.remove("by-session")
    os.remove("alone")

# Eight clients at once.
several = [subprocess.Popen([program, *words, "--session"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment)
           for words in asked[:8]]
for words, process in zip(asked, several):
    out, err = process.communicate(timeout=120)
    check((process.returncode, out, err) == (expected[words].returncode, expected[words].stdout, expected[words].stderr), f"{words}, one of eight")

# The Model Context Protocol at the socket; a call's answer is that of the command line.
client = connect()
lines = client.makefile("rb")
client.sendall(request("tools/call", name="open", arguments={"files": [os.path.abspath("a.sqlite")]}))
want = alone("summary", "--format", "json", "--max-bytes", "20000", os.path.abspath("a.sqlite")).stdout
check(json.loads(lines.readline())["result"]["content"][0]["text"].encode() == want, "a tool at the socket")
client.sendall(request("nsyscope/run", words=["summary", "a.sqlite"], place=["/"]))
check(json.loads(lines.readline())["error"]["code"] == -32602, "a command line without descriptors")
lines.close()
client.close()

# Clients that die in a call, send rubbish, flood, send descriptors without end, or neither read nor write.
slow = subprocess.Popen([program, "sql", "a.sqlite", SLOW, "--session"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, env=environment)
wait_until(lambda: len(descendants(server.pid)) >= 2, "the slow query began")
slow.send_signal(signal.SIGKILL)
slow.wait()
wait_until(lambda: not descendants(server.pid), "the work of a dead client goes on")
bad = connect()
bad.sendall(b"x" * (3 << 20) + b"\n{\n")
check(b"-32700" in bad.recv(4096), "rubbish")
bad.close()
flood = connect()
flood.setblocking(False)
sent = 0
try:
    while sent < 256 << 20:
        sent += flood.send(request("tools/list") * 100)
except BlockingIOError:
    pass
check(sent < 64 << 20, "a client that reads nothing is read on")
many = connect()
null = os.open("/dev/null", os.O_RDWR)
for _ in range(300):
    many.sendmsg([b" "], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [null] * 3))])
    many.sendmsg([b" "], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [null] * 40))])
time.sleep(0.3)
held = [len(os.listdir(f"/proc/{pid}/fd")) for pid in descendants(server.pid)]
check(max(held) < 40, f"descriptors that are kept: {held}")
stalled = [connect() for _ in range(40)]
wait_until(lambda: len(descendants(server.pid)) >= 32, "the clients that stall")
check(len(descendants(server.pid)) <= 32, "more clients than allowed")
check(run("summary", "a.sqlite", "--session").stdout == expected[asked[0]].stdout, "beside stalled clients")
for client in (*stalled, flood, many):
    client.close()
wait_until(lambda: not descendants(server.pid), "a client's process is left")
check(run("summary", "a.sqlite", "--session").stdout == expected[asked[0]].stdout, "after them")

# A stopped session is not waited for.
server.send_signal(signal.SIGSTOP)
begun = time.monotonic()
check(run("summary", "a.sqlite", "--session").stdout == expected[asked[0]].stdout and time.monotonic() - begun < 30, "a stopped session")
server.send_signal(signal.SIGCONT)

# A changed file is noticed, and loaded again.
os.replace("c.sqlite", "a.sqlite")
want = alone("summary", "a.sqlite")
check(want.stdout != expected[asked[0]].stdout, "the other file")
for _ in range(2):
    check(run("summary", "a.sqlite", "--session").stdout == want.stdout, "a changed file")
os.remove("b.sqlite")
check(run("summary", "b.sqlite", "--session").returncode == 3, "a file that is gone")

# A second session is refused; a socket that is left is replaced; the end removes it.
second = run("serve", "a.sqlite")
check(second.returncode == 2 and b"a session answers there already" in second.stderr, f"a second session: {second}")
server.send_signal(signal.SIGTERM)
check(server.wait(20) == -signal.SIGTERM and not os.path.exists(path), "SIGTERM leaves the socket")
server = start("a.sqlite")
server.send_signal(signal.SIGKILL)
server.wait()
check(os.path.exists(path) and run("summary", "a.sqlite", "--session").stdout == want.stdout, "a socket without a session")
started = time.monotonic()
server = start("a.sqlite", "--idle", "1500ms")
check(server.wait(20) == 0 and time.monotonic() - started > 1.4 and not os.path.exists(path), "the end of an idle session")

# In the background: it returns when the exports are loaded, leaves the terminal and the folder, and fails as others do.
done = run("serve", "--daemonize", "--idle", "1s", "a.sqlite")
check(done.returncode == 0 and path.encode() in done.stdout, f"--daemonize: {done}")
check(run("summary", "a.sqlite", "--session").stdout == want.stdout, "the session in the background")
wait_until(lambda: not os.path.exists(path), "the idle session in the background")
for words, status, text in ((["none.sqlite"], 3, b"none.sqlite"), (["--daemonize", "none.sqlite"], 3, b"none.sqlite"), (["--idle", "0", "a.sqlite"], 2, b"--idle"), ([], 2, b"give FILE")):
    done = run("serve", *words)
    check(done.returncode == status and text in done.stderr and not os.path.exists(path), f"serve {words}: {done}")
for where, text in (("/tmp/" + "x" * 120, b"at most"), ("relative.sock", b"absolute path"), ("/proc/none/x.sock", b"")):
    done = run("serve", "a.sqlite", NSYSCOPE_SESSION=where)
    check(done.returncode in (2, 6) and text in done.stderr, f"{where[:30]}: {done}")
    check(run("summary", "a.sqlite", NSYSCOPE_SESSION=where).stdout == want.stdout, f"a command with {where[:30]}")
plain = os.path.abspath("plain")
with open(plain, "w", encoding="ascii") as file:
    file.write("kept")
check(run("serve", "a.sqlite", NSYSCOPE_SESSION=plain).returncode == 6 and open(plain, encoding="ascii").read() == "kept", "a file in the socket's place")
check(os.listdir("run/deep") == [] and not any(name.endswith((".tmp", "-wal", "-shm")) for name in os.listdir(".")), "files are left")
sys.exit(failures > 0)
