#!/usr/bin/env python3
"""The contract of answers: one envelope for every command, its status, the keys of rows, and the columns and rows that are asked for.
cli_contract.py PROGRAM"""
import json
import os
import shutil
import sqlite3
import subprocess
import sys

try:  # a validator of schemas
    import jsonschema
except ImportError:
    print("no jsonschema: ANSWERS ARE NOT VALIDATED")
    jsonschema = None

program = os.path.abspath(sys.argv[1])
failures = 0


def check(is_right, what):
    global failures
    if not is_right:
        failures += 1
        print("FAILED:", what)


def run(*words):
    return subprocess.run([program, *words], capture_output=True, timeout=120)


def ask(*words, status=0):
    done = run(*words, "--format", "json")
    check(done.returncode == status, f"{words}: status {done.returncode}, {done.stderr}")
    answer = json.loads(done.stdout)
    if jsonschema:
        wrong = next(schema.iter_errors(answer), None)
        check(not wrong, f"{words}: {wrong and wrong.message[:300]}")
    return answer


def execute(path, *statements):
    with sqlite3.connect(path) as export:
        for statement in statements:
            export.execute(statement)


if jsonschema:
    with open(os.environ["NSC_TEST_SOURCE"] + "/docs/json/answer.schema.json", encoding="utf-8") as file:
        schema = jsonschema.Draft202012Validator(json.load(file))
shutil.rmtree("work", ignore_errors=True)
os.mkdir("work")
os.chdir("work")
os.environ["XDG_STATE_HOME"] = os.path.abspath("state")
check(run("generate", "--kernels", "2000", "a.sqlite").returncode == 0, "generate")
shutil.copy("a.sqlite", "copy.sqlite")
shutil.copy("a.sqlite", "bare.sqlite")
execute("bare.sqlite", "DROP TABLE NVTX_EVENTS", "VACUUM")

# Every command prints the same members in the same order.
commands = (("summary", "a.sqlite"), ("overlap", "a.sqlite"), ("nccl", "a.sqlite"), ("iters", "a.sqlite"), ("tree", "a.sqlite"), ("info", "a.sqlite"), ("info", "--lanes", "a.sqlite"),
            ("search", "a.sqlite", "gemm"), ("skill", "list"), ("skill", "run", "idle", "a.sqlite"), ("sql", "a.sqlite", "SELECT 1 AS one"), ("schema", "--trace"),
            ("schema", "a.sqlite"), ("sql", "--raw", "a.sqlite", "SELECT count(*) FROM StringIds"), ("ranks", "a.sqlite", "bare.sqlite"), ("analyze", "a.sqlite"),
            ("ask", "a.sqlite", "why is the GPU idle?"), ("bins", "a.sqlite", "--device", "0"), ("doctor", "a.sqlite"), ("cache", "list"), ("info", "a.sqlite", "copy.sqlite"), ("families", "a.sqlite"), ("diff", "a.sqlite", "copy.sqlite"),
            ("bookmarks", "a.sqlite", "list"), ("baseline", "list"), ("capture", "--explain"))
for words in commands:
    answer = ask(*words)
    check(list(answer) == ["schema", "kind", "file", "window", "warnings", "status", "left_out", "sheets"], f"{words}: {list(answer)}")
    check(answer["status"] == ("ok" if any(sheet["rows"] for sheet in answer["sheets"]) else "empty"), f"{words}: {answer['status']}")
    for sheet in answer["sheets"]:
        keys = [row["key"] for row in sheet["rows"]]
        check(len(set(keys)) == len(keys), f"{words}: two rows of {sheet['key']} have one key")
for words in (("info", "a.sqlite"), ("bins", "a.sqlite", "--device", "0"), ("summary", "a.sqlite")):
    same = [json.loads(run(*words, *how).stdout) for how in (("--json",), ("--format", "json"))]
    for answer in same:
        answer["sheets"] = [sheet for sheet in answer["sheets"] if sheet["key"] != "exports"]  # it tells the memory in use
    check(same[0] == same[1], f"{words}: --json is not --format json")

# A file is known by its content.
one, other, bare = (ask("summary", name)["file"][0] for name in ("a.sqlite", "copy.sqlite", "bare.sqlite"))
check(one["identity"] == other["identity"] != bare["identity"] and one["path"] == "a.sqlite" and one["bytes"] == os.path.getsize("a.sqlite"), f"{one} {other} {bare}")
check(len(ask("diff", "a.sqlite", "copy.sqlite")["file"]) == 2, "the files of diff")

# No data is never an answer: what is missing is named with what records it.
lacks = ask("tree", "bare.sqlite", "--tables", "nvtx", status=7)
check(lacks["status"] == "cannot_answer" and lacks["missing"] == [{"table": "NVTX_EVENTS", "record_with": "nsys profile --trace=nvtx"}], str(lacks)[:900])
empty = ask("skill", "run", "idle", "a.sqlite", "--filter", "name:no-such-name", status=7)
check(empty["status"] == "empty" and empty["missing"] == [] and "no GPU work" in empty["reason"], str(empty)[:900])
check(ask("search", "a.sqlite", "no-such-name")["status"] == "empty", "a search without hits")
outside = ask("summary", "a.sqlite", "--trim", "390", "420", status=7)
check(outside["status"] == "cannot_answer" and "no events there" in outside["reason"] and outside["sheets"] == [], str(outside)[:900])
gone = ask("summary", "none.sqlite", status=3)
check(gone["status"] == "cannot_answer" and "none.sqlite" in gone["reason"], str(gone)[:900])
execute("bare.sqlite", "UPDATE TARGET_INFO_GPU SET name = 'Another GPU'")
differs = ask("diff", "a.sqlite", "bare.sqlite", status=7)
check(differs["status"] == "not_assessable" and "no verdict" in differs["reason"] and differs["sheets"], str(differs)[:900])
check(run("summary", "a.sqlite", "--format", "json", "--no-such-option").stdout == b"", "a wrong command line prints an answer")

# Columns, order and number of rows; a row keeps its key.
whole = ask("skill", "run", "top_kernels", "a.sqlite", "-p", "limit=0")["sheets"][0]
names = {row["key"]: row["kernel"] for row in whole["rows"]}
few = ask("skill", "run", "top_kernels", "a.sqlite", "--fields", "kernel,count", "--sort=-count", "--limit", "3")["sheets"][0]
check([column["key"] for column in few["columns"]] == ["key", "kernel", "count"], str(few["columns"]))
check([row["count"] for row in few["rows"]] == sorted((row["count"] for row in whole["rows"]), reverse=True)[:3], str(few["rows"]))
check(all(names[row["key"]] == row["kernel"] for row in few["rows"]), "a row has another key")
check(few["left_out"] == len(whole["rows"]) - 3, f"left out: {few['left_out']}")
lines = run("skill", "run", "top_kernels", "a.sqlite", "--fields", "count,kernel", "--sort", "count", "--limit", "2", "--format", "csv").stdout.decode().splitlines()
check(lines[0] == "count,kernel" and len(lines) == 3, str(lines))
check(b"\n2 more rows" not in run("info", "a.sqlite", "--format", "csv", "--fields", "name,rows").stdout, "info")
check([sheet["key"] for sheet in ask("info", "a.sqlite", "--fields", "skipped_type")["sheets"]] == ["tables"], "tables without the column stay")
check(len(ask("sql", "a.sqlite", "SELECT dur, name FROM kernel", "--limit", "5", "--sort", "dur")["sheets"][0]["rows"]) == 5, "sql --limit")
for words in (("--fields", "nothing"), ("--sort", "nothing"), ("--sort", "-nothing")):
    done = run("summary", "a.sqlite", *words)
    check(done.returncode == 2 and b"nothing: no column" in done.stderr, f"{words}: {done.stderr}")

# --limit bounds each table of every command; diff ends its lists with sums of the rest.
for words in (words for words in commands if words[0] != "diff"):
    for sheet in ask(*words, "--limit", "1")["sheets"]:
        check(len(sheet["rows"]) <= 1, f"{words} --limit 1: {len(sheet['rows'])} rows of {sheet['key']}")

# --max-bytes bounds every output: whole rows, or whole lines of text for people, and how to get the rest.
for words in (*commands, ("tree", "a.sqlite", "--instances"), ("skill", "run", "findings", "a.sqlite")):
    for how in ((), ("--format", "json"), ("--format", "csv"), ("--format", "md")):
        whole, short = run(*words, *how).stdout, run(*words, *how, "--max-bytes", "4000")
        check(len(short.stdout) <= 4000, f"{words} {how}: {len(short.stdout)} bytes")
        if len(whole) > 4100 and how != ("--format", "csv") and words[0] != "bins" and short.returncode != 2:
            check(b"max-bytes" in short.stdout, f"{words} {how}: cut without a word")
        check(not short.stdout or short.stdout.endswith(b"\n"), f"{words} {how}: a line is cut")

# A folder of more recordings than a person names, here 118, is one job: each command has them all, and a bound holds with the notes of each.
os.mkdir("many")
for i in range(118):
    check(run("generate", "--kernels", "200", "--seed", str(i), f"many/rank{i}.sqlite").returncode == 0, "generate")
check(len(ask("many")["sheets"][0]["rows"]) == 118, "the list of a folder")
for words in (("summary", "many"), ("iters", "many"), ("skill", "run", "idle", "many"), ("search", "many", "gemm", "--limit", "0")):
    ranks = {row["rank"] for row in ask(*words)["sheets"][0]["rows"]}
    check(len(ranks) == 118, f"{words}: {len(ranks)} ranks")
for words in (("ranks", "many"), ("stats", "-r", "cuda_gpu_kern_sum", "many")):
    check(run(*words).returncode == 0, f"{words}")
check(b"+117 by utc" in run("render", "many", "--size", "100x30").stdout, "the screen of a folder")
check(ask("sql", "many", "SELECT count(*) AS n FROM kernel")["sheets"][0]["rows"][0]["n"] == 118 * 200, "sql of a folder")
for words in (("summary", "many"), ("iters", "many"), ("skill", "run", "idle", "many")):
    done = run(*words, "--format", "json", "--max-bytes", "20000")
    answer = json.loads(done.stdout)
    check(len(done.stdout) <= 20000 and answer["sheets"][0]["rows"] and answer["left_out"] > 0 and "Cut by max-bytes" in answer["sheets"][0]["notes"][-1], f"{words}: {len(done.stdout)} bytes")

sys.exit(failures > 0)
