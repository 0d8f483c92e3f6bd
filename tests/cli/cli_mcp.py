#!/usr/bin/env python3
"""The server of the Model Context Protocol: clients of both forms, answers equal to the command line's, hostile clients.
cli_mcp.py PROGRAM"""
import json
import os
import signal
import subprocess
import sys
import time

program = os.path.abspath(sys.argv[1])
environment = dict(os.environ, XDG_STATE_HOME=os.path.abspath("state"), XDG_CONFIG_HOME=os.path.abspath("state"))
META = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}
failures = 0


def check(holds, what):
    global failures
    if not holds:
        print("FAILED:", what)
        failures += 1


def run(*words):
    return subprocess.run([program, *words], stdin=subprocess.DEVNULL, capture_output=True, env=environment, timeout=60)


class Client:
    """A server and one client of it; handshake: the revision, None for the form without."""

    def __init__(self, *words, handshake="2025-06-18"):
        self.process = subprocess.Popen([program, "mcp", *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, env=environment)
        self.id = 0
        self.stateless = handshake is None
        if handshake:
            self.first = self.ask("initialize", {"protocolVersion": handshake, "capabilities": {}})
            self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def raw(self, line):
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def send(self, message):
        self.raw(json.dumps(message).encode())

    def begin(self, method, params=None):
        self.id += 1
        params = dict(params or {}, **({"_meta": META} if self.stateless else {}))
        self.send({"jsonrpc": "2.0", "id": self.id, "method": method, "params": params})
        return self.id

    def read(self):
        line = self.process.stdout.readline()
        return json.loads(line) if line else None

    def ask(self, method, params=None):
        number = self.begin(method, params)
        answer = self.read()
        check(answer and answer["jsonrpc"] == "2.0" and answer["id"] == number, f"{method}: {answer}")
        return answer or {}

    def call(self, tool, **arguments):
        return self.ask("tools/call", {"name": tool, "arguments": arguments}).get("result", {})

    def end(self):
        """Closes the input; what is still answered, and that the server ends well."""
        out, err = self.process.communicate(timeout=60)
        check(self.process.returncode == 0 and err == b"", f"ended with {self.process.returncode}: {err}")
        return [json.loads(line) for line in out.splitlines()]


def children(pid):
    try:
        with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
            return [int(word) for word in file.read().split()]
    except OSError:
        return []


def text(result):
    return result["content"][0]["text"]


def refused(result, words, what):
    check(result.get("isError") is True and words in text(result) and "structuredContent" not in result, f"{what}: {result}")


for seed in "12":
    made = run("generate", "--kernels", "3000", "--seed", seed, "--force", f"{seed}.sqlite")
    assert made.returncode == 0, made.stderr

# Both forms list the same tools, in less than 6 KB, and answer before an export is opened.
old = Client("missing.sqlite", handshake="2024-11-05")
check(old.first["result"]["protocolVersion"] == "2024-11-05", f"handshake: {old.first}")
listed = old.ask("tools/list")["result"]
names = [tool["name"] for tool in listed["tools"]]
check(names == ["open", "info", "findings", "ask", "answer", "query", "picture", "diff"], f"tools: {names}")
size = len(json.dumps(listed, separators=(",", ":"))) + len(old.first["result"]["instructions"])
check(size < 6 << 10, f"the description has {size} bytes")
for tool in listed["tools"]:
    check(tool["inputSchema"]["type"] == tool["outputSchema"]["type"] == "object", f"schemas of {tool['name']}")
refused(old.call("info"), "missing.sqlite", "a missing export")
old.end()
for wanted, got in (("2025-11-25", "2025-11-25"), ("2025-03-26", "2025-03-26"), ("2030-01-01", "2025-11-25")):
    client = Client(handshake=wanted)
    check(client.first["result"]["protocolVersion"] == got, f"{wanted}: {client.first}")
    client.end()
new = Client("1.sqlite", handshake=None)
found = new.ask("server/discover")["result"]
check(found["supportedVersions"] == ["2026-07-28"] and found["resultType"] == "complete" and "tools" in found["capabilities"],
      f"discover: {found}")
modern = new.ask("tools/list")["result"]
check(modern["tools"] == listed["tools"] and modern["resultType"] == "complete" and modern["cacheScope"] == "public", "tools of both forms")
check(new.call("findings")["resultType"] == "complete", "the type of a result")
check(new.ask("ping")["error"]["code"] == -32601, "ping, which the form without handshake lacks")
new.send({"jsonrpc": "2.0", "id": "v", "method": "tools/list", "params": {"_meta": dict(META, **{"io.modelcontextprotocol/protocolVersion": "2027-01-01"})}})
error = new.read()["error"]
check(error["code"] == -32022 and error["data"] == {"supported": ["2026-07-28"], "requested": "2027-01-01"}, f"an unknown revision: {error}")
new.send({"jsonrpc": "2.0", "id": "w", "method": "tools/list"})
check(new.read()["error"]["code"] == -32602, "a request without a revision")
new.end()

# The answers are those of the command line, to the byte, also without max_bytes; structuredContent is the same.
client = Client("1.sqlite")
for words, tool, arguments in (
        (["summary", "1.sqlite"], "open", {}),
        (["skill", "run", "findings", "1.sqlite"], "findings", {}),
        (["ask", "1.sqlite", "why is the GPU idle?"], "ask", {"question": "why is the GPU idle?"}),
        (["skill", "run", "top_kernels", "1.sqlite", "-p", "limit=3"], "answer", {"name": "top_kernels", "param": {"limit": 3}}),
        (["skill", "run", "idle", "1.sqlite", "--trim", "1ms", "9ms"], "answer", {"name": "idle", "trim": ["1ms", "9ms"]}),
        (["skill", "run", "copies", "2.sqlite", "--filter", "kind:copy"], "answer", {"name": "copies", "files": ["2.sqlite"], "filter": "kind:copy"}),
        (["skill", "run", "top_kernels", "1.sqlite", "2.sqlite"], "answer", {"name": "top_kernels", "files": ["1.sqlite", "2.sqlite"]}),
        (["sql", "1.sqlite", "SELECT name, count(*) AS n FROM kernel GROUP BY 1 ORDER BY 2 DESC"], "query",
         {"sql": "SELECT name, count(*) AS n FROM kernel GROUP BY 1 ORDER BY 2 DESC"}),
        (["sql", "--", "1.sqlite", "-- a comment\nSELECT 1 AS one"], "query", {"sql": "-- a comment\nSELECT 1 AS one"}),
        (["sql", "--raw", "1.sqlite", "SELECT count(*) FROM StringIds"], "query", {"sql": "SELECT count(*) FROM StringIds", "raw": True}),
        (["skill", "list"], "answer", {}),
        (["schema", "--trace"], "query", {}),
        (["diff", "1.sqlite", "2.sqlite"], "diff", {"before": "1.sqlite", "after": "2.sqlite"})):
    for most, limits in ((20000, {}), (0, {"max_bytes": 0}), (2500, {"max_bytes": 2500}))[:3 if words[0] in ("summary", "schema") else 1]:
        want = run(words[0], "--format", "json", "--max-bytes", str(most), *words[1:])
        got = client.call(tool, **arguments, **limits)
        if want.returncode == 2:
            refused(got, "--max-bytes", f"{words}, of which not even the heads fit")
            continue
        check(text(got) == want.stdout.decode(), f"{words} {most}: {text(got)[:200]} is not {want.stdout[:200]}")
        check(got["isError"] is False and got["structuredContent"] == json.loads(want.stdout), f"{words}: structuredContent")
        check(not most or len(want.stdout) <= most, f"{words}: {len(want.stdout)} bytes of {most}")
        check(got["content"][1:] == ([{"type": "text", "text": want.stderr.decode().strip()}] if want.stderr else []), f"{words}: remarks")
cut = client.call("query", sql="SELECT name, dur FROM kernel", max_bytes=4000)["structuredContent"]["sheets"][0]
check(len(cut["rows"]) + cut["left_out"] == 3000 and "max-bytes" in cut["notes"][-1], f"rows that do not fit: {cut['left_out']}, {cut['notes']}")
shown = client.call("picture", keys="+ Right", size="80x20")
want = run("render", "1.sqlite", "--keys", "+ Right", "--size", "80x20").stdout.decode()
check(text(shown) == want == shown["structuredContent"]["screen"], "a picture")
info = client.call("info")["structuredContent"]
want = json.loads(run("info", "--json", "--max-bytes", "20000", "1.sqlite").stdout)
for answer in (info, want):
    del answer["sheets"][0]["rows"][0]["peak_bytes"], answer["sheets"][0]["rows"][0]["trace_bytes"]
check(info == want, "info")

# Bad input is an error with the fix.
for result, words in ((client.call("answer", name="idel"), "the nearest: idle"), (client.call("answer", nam="idle"), "nam: no argument of answer"),
                      (client.call("ask"), "question: give it as string"), (client.call("ask", question=3), "question: give it as string"),
                      (client.call("open", trim=["1"]), "trim: give it as array"), (client.call("open", trim=["--help", "2"]), "--trim needs"),
                      (client.call("open", max_bytes=-1), "max_bytes: give it as integer"), (client.call("open", files=["1.sqlite", 3]), "cannot open 3"),
                      (client.call("query", sql="SELECT nothing FROM kernel"), "nothing"), (client.call("query", sql="DROP TABLE kernel"), ""),
                      (client.call("picture", keys="NoKey"), "is no key"), (client.call("open", files=["cli_mcp.py"]), "cli_mcp.py"),
                      (client.call("open", filter="kind:nothing"), "kind"), (client.call("answer", name="idle", param={"x": [1]}), "Parameters of the question"),
                      (client.call("answer", name="a\0b"), "name: give it as string"), (client.call("info", max_bytes=100), "--max-bytes"),
                      (client.call("ask", question="--llm=touch stolen"), None), (client.call("answer", name="--help"), "no such skill"),
                      (client.call("open", files=["--version"]), "--version"), (client.call("ask", files=["--llm=touch stolen"], question="why?"), "llm")):
    if words is not None:
        refused(result, words, words)
check(not os.path.exists("stolen"), "a text became an option")
check(client.ask("tools/call", {"name": "shell"})["error"]["code"] == -32602, "a tool that is none")
check(client.ask("resources/list")["error"]["code"] == -32601, "a method that is none")

# A changed file is read again.
os.replace("2.sqlite", "new.sqlite")
before = text(client.call("open", files=["1.sqlite"]))
os.replace("1.sqlite", "old.sqlite")
os.replace("new.sqlite", "1.sqlite")
after = text(client.call("open", files=["1.sqlite"]))
check(before != after and after == run("summary", "--format", "json", "--max-bytes", "20000", "1.sqlite").stdout.decode(), "a changed file")

# A cancelled call gets no answer, costs little and leaves the rest alone; so does a keeper that is killed.
SLOW = "SELECT sum(a.dur + b.dur + c.dur) FROM kernel a, kernel b, kernel c"
begun = time.monotonic()
slow = client.begin("tools/call", {"name": "query", "arguments": {"sql": SLOW}})
time.sleep(0.3)
client.send({"jsonrpc": "2.0", "id": slow, "method": "ping"})
check(client.read() == {"jsonrpc": "2.0", "id": slow, "result": {}}, "a ping beside a slow query")
for number in (slow, slow, 12345, "unknown"):
    client.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": number}})
check("idle" in text(client.call("answer", name="idle")), "the answer after a cancelled one")
check(time.monotonic() - begun < 60, "a cancelled query goes on")
slow = client.begin("tools/call", {"name": "query", "arguments": {"sql": SLOW}})
time.sleep(0.3)
for keeper in children(client.process.pid):
    os.kill(keeper, signal.SIGKILL)
killed = client.read()
check(killed["id"] == slow, f"a killed keeper: {killed}")
refused(killed["result"], "status 137", "a killed keeper")
check("idle" in text(client.call("answer", name="idle")), "the answer of the next keeper")

# Hostile lines get an error or nothing, and the next request an answer.
deep = b'{"jsonrpc":"2.0","id":1,"method":"ping","params":' + b"[" * 5000 + b"]" * 5000 + b"}"
for line, code in ((b"\xff\xfe{}", -32700), (b"{", -32700), (b"[]", -32600), (b'"text"', -32600), (b'{"jsonrpc":"1.0","id":1,"method":"ping"}', -32600),
                   (b'{"jsonrpc":"2.0","id":1e999,"method":"ping"}', -32600), (b'{"jsonrpc":"2.0","id":99999999999999999999,"method":"ping"}', -32600),
                   (b'{"jsonrpc":"2.0","id":{},"method":"ping"}', -32600), (b'{"jsonrpc":"2.0","id":"' + b"x" * 300 + b'","method":"ping"}', -32600),
                   (b'{"jsonrpc":"2.0","id":1,"method":5}', -32600), (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}', -32602),
                   (deep, -32700), (b"x" * (3 << 20), -32700), (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":"\xed\xa0\x80"}}', -32700)):
    client.raw(line)
    answer = client.read()
    check(answer["error"]["code"] == code, f"{line[:60]}: {answer}")
for line in (b"", b"\r", b'{"jsonrpc":"2.0","id":7,"result":{}}', b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":[1]}}',
             b'{"jsonrpc":"2.0","method":"tools/call","params":{"name":"open"}}'):
    client.raw(line)
check(client.ask("ping")["result"] == {}, "after lines that need no answer")
flood = [client.begin("tools/call", {"name": "answer", "arguments": {"name": "idle"}}) for _ in range(200)]
answers = [client.read() for _ in flood]
check(sorted(answer["id"] for answer in answers) == flood, "each call of a flood has an answer")
check({answer["error"]["code"] for answer in answers if "error" in answer} == {-32000}, "a flood is refused")
last = client.begin("tools/call", {"name": "answer", "arguments": {"name": "idle"}})
rest = client.end()
check([answer["id"] for answer in rest] == [last], f"calls are answered after the input has ended: {rest}")

# A client that reads nothing, then goes, ends the server and its keepers.
client = Client("1.sqlite")
client.call("open")
started = children(client.process.pid)
client.begin("tools/call", {"name": "query", "arguments": {"sql": SLOW}})
client.process.stdout.close()
client.process.stdin.close()
check(client.process.wait(60) == 0 and started, "the server ends after its client")
time.sleep(0.2)
check(not any(os.path.exists(f"/proc/{pid}") for pid in started), "a keeper is left")
sys.exit(failures > 0)
