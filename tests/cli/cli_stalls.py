#!/usr/bin/env python3
"""Exports of at most 20 MB with very many of one thing (tests/fixtures/stall_shapes.sql) through the subcommands that read
everything. None may take more than SECONDS of CPU or MOST_MB of memory. A fault is a command that takes minutes, so a slow
machine passes. Prints the slowest ten, with NSC_STALLS_ALL all. cli_stalls.py PROGRAM [SHAPE...]"""
import os
import resource
import shutil
import sqlite3
import subprocess
import sys

SECONDS = 30  # three times what an ordinary machine may take; a slow, busy one took 14 at most, nearly all less than 5
MOST_MB = 512
MOST_BYTES = 20 << 20
COMMANDS = """analyze --whole --format json FILE
diff FILE FILE
report FILE --out report --force
viewer FILE -o page.html --force
export FILE --to perfetto -o events.perfetto --force
stats -r REPORTS --format csv FILE
render --size 120x60 --command tree FILE
render --size 120x60 --keys KEYS FILE
sketch FILE -o rank.nsk.json --force
merge rank.nsk.json
render --size 120x60 rank.nsk.json
cut FILE -o cut.sqlite --force
export FILE --to folded -o events.folded --force
export FILE --to csv -o events.csv --force
sql FILE EVENTS
sql FILE TABLES
sql FILE SKILLS0
sql FILE SKILLS1
sql FILE SKILLS2
sql FILE SKILLS3
sql FILE RANGES
sql FILE INSTANCES"""
KEYS = "t Y s V F A $ O I ;"  # the tree and its views, the panes
# Tables of more rows than an answer may have are refused in one line.
REFUSED = {"RANGES": "projection", "INSTANCES": "skill_nvtx_instances"}

# Most shapes go without these: analyze asks about iterations, ranges and ranks, and every command loads.
ALSO = {"iters FILE": "job steps open", "tree FILE": "domains paths", "ranks FILE": "devices job lines processes rank_collectives mpi",
        "search FILE a": "streams names"}

program = os.path.abspath(sys.argv[1])
fixtures = os.path.join(os.environ["NSC_TEST_SOURCE"], "tests", "fixtures")
environment = dict(os.environ, XDG_STATE_HOME=os.path.abspath("state"), XDG_CONFIG_HOME=os.path.abspath("state"))


def read_shapes():
    """The parts of stall_shapes.sql by name."""
    shapes = {}
    with open(os.path.join(fixtures, "stall_shapes.sql"), encoding="utf-8") as file:
        for line in file:
            if line.startswith("-- shape "):
                name = line.split()[2].rstrip(":")
                shapes[name] = ""
            elif shapes:
                shapes[name] += line
    return shapes


def make(path, shapes, name):
    with open(os.path.join(fixtures, "every_report.sql"), encoding="utf-8") as file:
        parts = [file.read(), shapes["begin"], shapes[name], shapes["end"]]
    if os.path.exists(path):
        os.remove(path)
    base = sqlite3.connect(path)
    base.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN;" + "".join(parts) + "COMMIT;")
    base.close()
    assert os.path.getsize(path) <= MOST_BYTES, name


def count(tables):
    return "SELECT " + ", ".join("(SELECT count(*) FROM %s)" % table for table in tables)


def run(words):
    """The status, the seconds of CPU and the peak in MB. 0 also if a table of REFUSED has too many rows, and the one line says so."""
    errors = open("errors", "w+", encoding="utf-8")
    process = subprocess.Popen([program] + words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors,
                               env=environment, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS)))
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    errors.seek(0)
    lines = errors.read().splitlines()
    errors.close()
    refusable = [count([name]) for name in REFUSED.values()]
    if process.returncode == 2 and len(lines) == 1 and "than fit" in lines[0] and words[-1] in refusable:
        process.returncode = 0
    return process.returncode, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


reports = subprocess.run([program, "stats", "--help-reports"], capture_output=True, text=True, check=True).stdout
reports = ",".join(line.split("[")[0] for line in reports.splitlines() if line[:1].islower())
tables = subprocess.run([program, "schema", "--trace", "--format", "csv"], capture_output=True, text=True, check=True).stdout
tables = [line.split(",")[0] for line in tables.split("\n\n")[0].splitlines()[1:]]
others = [name for name in tables if name not in REFUSED.values() and name != "time_bin"]  # of 10,000 GPUs it has too many rows
meanings = {"REPORTS": reports, "KEYS": KEYS, "RANGES": count(["projection"]), "INSTANCES": count(["skill_nvtx_instances"]),
            "EVENTS": "SELECT count(*), total(length(name)), total(range), total(iteration), total(length(phase)), total(gpu) FROM event",
            "TABLES": count({"around": "around(0)"}.get(name, name) for name in others if not name.startswith("skill_"))}
skills = [name for name in others if name.startswith("skill_")]
for part in range(4):  # a query keeps the answers that it has asked for
    meanings["SKILLS%d" % part] = count(skills[part::4])
shapes = read_shapes()
results = []
for shape in sys.argv[2:] or [name for name in shapes if name not in ("begin", "end")]:
    export = shape + ".sqlite"
    make(export, shapes, shape)
    for command in COMMANDS.splitlines() + [command for command, of in ALSO.items() if shape in of.split()]:
        words = [dict(meanings, FILE=export).get(word, word) for word in command.split()]
        status, seconds, peak = run(words)
        results.append((seconds, peak, status, shape + ": " + command))
        if os.environ.get("NSC_STALLS_ALL"):
            print("%6.1f s %5.0f MB, status %d, %s" % results[-1], flush=True)
    os.remove(export)
    if os.path.exists("rank.nsk.json"):
        os.remove("rank.nsk.json")
shutil.rmtree("report", ignore_errors=True)
results.sort(reverse=True)
bad = [of for of in results if of[2] not in (0, 1, 7) or of[1] > MOST_MB]
for title, some in (("the slowest", results[:10]), ("FAILED", bad)):
    for of in some:
        print(title + ": %.1f s, %.0f MB, status %d, %s" % of)
sys.exit(bool(bad))
