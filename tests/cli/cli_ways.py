#!/usr/bin/env python3
"""Sixty questions, on the command line, by both forms of the Model Context Protocol and by a session: the bytes of the answers are the same, and so are those of screens.
The screen has the same cells: the rows of the first table, or the line in their place.
cli_ways.py PROGRAM"""
import json
import os
import shutil
import subprocess
import sys

program = os.path.abspath(sys.argv[1])
META = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}
failures = 0


def check(holds, what):
    global failures
    if not holds:
        print("FAILED:", what)
        failures += 1


def run(*words):
    return subprocess.run([program, *words], stdin=subprocess.DEVNULL, capture_output=True, timeout=120)


class Client:
    def __init__(self, is_stateless):
        self.is_stateless = is_stateless
        self.process = subprocess.Popen([program, "mcp", "a.sqlite"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        if not is_stateless:
            self.ask("initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}})

    def ask(self, method, params):
        request = {"jsonrpc": "2.0", "id": 1, "method": method, "params": dict(params, _meta=META) if self.is_stateless else params}
        self.process.stdin.write(json.dumps(request).encode() + b"\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def call(self, tool, arguments):
        return self.ask("tools/call", {"name": tool, "arguments": arguments})["result"]

    def end(self):
        self.process.stdin.close()
        self.process.wait(60)


def lines_of(text):
    return [" ".join(line.split()) for line in text.splitlines()]


def check_screen(words):
    """The screen answers what a command line asks. Its options are those of render."""
    done = run(*words).stdout.decode()
    lines = lines_of(done)
    rule = next((i for i, line in enumerate(lines) if line and not line.strip("- ")), None)
    if words[0] == "ask": # the answer, without the name of this line
        typed, options, want = "ask " + words[2], [], [lines[rule + 1].removeprefix("Answer ")]
    elif words[0] == "sql":
        typed, options = "sql " + words[2], []
    else:
        typed, options = "answer " + words[2], words[4:]
    if rule is None: # "nothing found", the window, why
        want = lines[3:4]
    elif words[0] != "ask":
        rows = done.splitlines()[rule + 1:]
        end = next((i for i, line in enumerate(rows) if not line or line.startswith("  Window: ")), len(rows))
        want = lines[rule + 1:rule + 1 + min(end, 8)]
    want = [line.replace(" -p ", " ") for line in want] # the screen's questions take parameters without an option
    keys = " ".join(["A", ":", *("Space" if letter == " " else letter for letter in typed), "Enter", "z"])
    screen = lines_of(run("render", "a.sqlite", *options, "--keys", keys, "--size", "500x110").stdout.decode())
    check(want and all(line in screen for line in want), f"{words}: the screen has not {[line for line in want if line not in screen][:1]}")


shutil.rmtree("work", ignore_errors=True)
os.mkdir("work")
os.chdir("work")
os.environ["XDG_STATE_HOME"] = os.environ["XDG_CONFIG_HOME"] = os.path.abspath("state")
for name, seed in (("a.sqlite", "1"), ("b.sqlite", "2")):
    check(run("generate", "--kernels", "2000", "--seed", seed, name).returncode == 0, "generate")

# (command line without --format and --max-bytes, tool, arguments)
questions = [(["summary", "a.sqlite"], "open", {}), (["summary", "b.sqlite"], "open", {"files": ["b.sqlite"]}), (["diff", "a.sqlite", "b.sqlite"], "diff", {"before": "a.sqlite", "after": "b.sqlite"}),
             (["skill", "list"], "answer", {}), (["schema", "--trace"], "query", {})]
for skill in json.loads(run("skill", "list", "--format", "json").stdout)["sheets"][0]["rows"]:
    questions.append((["skill", "run", skill["name"], "a.sqlite"], "answer", {"name": skill["name"]}))
for words in ("why is the GPU idle?", "which kernel is slowest?", "how much communication is exposed?", "which copies use pageable memory?", "is it memory-bound?"):
    questions.append((["ask", "a.sqlite", words], "ask", {"question": words}))
for sql in ("SELECT name, count(*) AS n FROM kernel GROUP BY 1 ORDER BY 2 DESC, 1", "SELECT * FROM kernel LIMIT 200", "SELECT count(*) FROM nvtx", "SELECT 1 WHERE 0"):
    questions.append((["sql", "a.sqlite", sql], "query", {"sql": sql}))
for options, arguments in ((["--trim", "1ms", "9ms"], {"trim": ["1ms", "9ms"]}), (["--filter", "kind:kernel name:gemm"], {"filter": "kind:kernel name:gemm"}),
                           (["--range", "iteration 2"], {"range": "iteration 2"})):
    for name in ("top_kernels", "idle", "breakdown"):
        questions.append((["skill", "run", name, "a.sqlite", *options], "answer", dict(arguments, name=name)))
check(len(questions) >= 60, f"only {len(questions)} questions")

os.environ["NSYSCOPE_SESSION"] = f"/tmp/nsyscope-ways-{os.getpid()}.sock"
session = subprocess.Popen([program, "serve", "a.sqlite", "b.sqlite"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
session.stdout.readline()
by_session = {}
for words, _, _ in questions:
    by_session[str(words)] = run(words[0], "--format", "json", "--max-bytes", "20000", *words[1:])
keys_pressed = ("", "Tab", "+ + Right", "Tab Tab Enter")
for keys in keys_pressed:
    by_session[keys] = run("render", "a.sqlite", "--keys", keys, "--size", "100x30")
session.terminate()
session.wait(20)
del os.environ["NSYSCOPE_SESSION"]
clients = Client(False), Client(True)
statuses = set()
on_screen = 0
for words, tool, arguments in questions:
    # Without figures the screen says why in place of the answer's sentence.
    if words[0] == "ask" and "memory-bound" not in words[2] or words[:2] == ["skill", "run"] and "--range" not in words or words[0] == "sql" and "count" in words[2]:
        check_screen(words) # render has no --range
        on_screen += 1
    want = run(words[0], "--format", "json", "--max-bytes", "20000", *words[1:])
    got = by_session[str(words)]
    check((got.stdout, got.stderr, got.returncode) == (want.stdout, want.stderr, want.returncode), f"{words}: a session says {got}")
    for client in clients:
        got = client.call(tool, arguments)
        check(got["content"][0]["text"].encode() == want.stdout, f"{words}: {got['content'][0]['text'][:300]} is not {want.stdout[:300]}")
        check(got["structuredContent"] == json.loads(want.stdout), f"{words}: structuredContent")
    statuses.add(json.loads(want.stdout)["status"])
check(on_screen >= 60, f"only {on_screen} questions on the screen")
check({"ok", "empty", "cannot_answer"} <= statuses, f"statuses: {statuses}")
for keys in keys_pressed:
    want = run("render", "a.sqlite", "--keys", keys, "--size", "100x30").stdout
    check(by_session[keys].stdout == want, f"the screen of a session after {keys}")
    for client in clients:
        check(client.call("picture", {"keys": keys, "size": "100x30"})["structuredContent"]["screen"].encode() == want, f"the screen after {keys}")
for client in clients:
    client.end()
sys.exit(failures > 0)
