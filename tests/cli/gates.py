"""Writes hostile names into each text column of each table of an export, runs every subcommand, skill, report, format and pane on it,
and checks the output: gates.py PROGRAM EXPORT. Prints one line for each fault; the status is 1 if there is any."""

import glob
import html.parser
import os
import re
import shutil
import sqlite3
import subprocess
import sys

PROGRAM, EXPORT = sys.argv[1:3]
HOSTILE = ("a\x1b]0;T\x07\x1b[31mX\u009b31m\u202e\u2066\u200b\ufeff\u00ad" + "e" + "\u0301" * 60
           + "\r\n\x08\x7f\t=1+1 </script><b>`|%n")
CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f\x80-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u00ad]")
MARKS = re.compile("\u0301{9,}")
ENV = dict(os.environ, XDG_STATE_HOME=os.getcwd() + "/state", XDG_CONFIG_HOME=os.getcwd() + "/config", LC_ALL="C.UTF-8")
found = 0


def say(*words):
    global found
    found += 1
    print(*words)


def check(what, output):
    """Text for people is valid UTF-8 without control or invisible characters and with few marks on a letter. JSON may hold many marks."""
    try:
        text = output.decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        say("invalid UTF-8:", what, output[max(0, error.start - 20):error.start + 20])
        return
    bad = CONTROL.search(text)
    if bad:
        say("a control character:", what, repr(text[max(0, bad.start() - 60):bad.start() + 40]))
    if text.lstrip()[:1] not in ("{", "[") and MARKS.search(text):
        say("a flood of marks:", what)


def run(*words):
    done = subprocess.run([PROGRAM, *words], capture_output=True, env=ENV, timeout=120, stdin=subprocess.DEVNULL)
    what = " ".join(w[:30] for w in words)
    check(what, done.stdout)
    check(what + " (stderr)", done.stderr)
    if done.returncode not in (0, 1, 2, 3, 4, 7):
        say("status", done.returncode, what, done.stderr[-200:])
    return done.stdout


def on_terminal(*words):
    quoted = " ".join("'" + w + "'" for w in (PROGRAM, *words))
    done = subprocess.run(["script", "-qec", quoted, "/dev/null"], capture_output=True, env=ENV, stdin=subprocess.DEVNULL)
    check("terminal: " + " ".join(words), done.stdout)


def read(path):
    with open(path, "rb") as file:
        return file.read()


def fill(path):
    """Makes each text of each table hostile; every third one gets bytes that are not UTF-8."""
    shutil.copyfile(EXPORT, path)
    db = sqlite3.connect(path)
    tables = db.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'").fetchall()
    for (table,) in tables:
        for column in [row[1] for row in db.execute(f'PRAGMA table_info("{table}")')]:
            is_text = f"typeof(\"{column}\") = 'text'"
            db.execute(f'UPDATE OR IGNORE "{table}" SET "{column}" = ? || rowid || CASE WHEN rowid % 3 = 0 '
                       f"THEN CAST(x'ff80c328' AS TEXT) ELSE '' END || \"{column}\" WHERE {is_text}", (HOSTILE,))
    db.commit()
    db.close()


def try_commands(db):
    for words in ("info", "info --json", "info --lanes", "summary", "overlap", "nccl", "iters", "tree", "tree --headings", "tree --instances",
                  "analyze", "ranks", "setup", "window", "streams", "stages", "schema", "report --json", "report --print-schema", "ncu-plan"):
        run(*words.split(), db)
    for question in ("which kernel is slow", "why idle", "memory", "nccl", "what ranges", "wh\x1b]0;x\x07at \x9b"):
        run("ask", db, question)
    for text in ("a\x1b[31m", "X"):
        run("search", db, text)
    for query in ("SELECT * FROM StringIds LIMIT 5", 'SELECT value AS "\x1b[31m" FROM StringIds LIMIT 5', 'SELECT "\x1b[31m" FROM Str'):
        run("sql", db, query)
        run("sql", db, query, "--format", "json")
    run("diff", db, db)
    run("report", db, "--out", "report", "--html")
    for path in glob.glob("report/*.*"):
        check(path, read(path))
    run("merge", "report/report.json")
    run("bookmarks", db, "add", "--at", "1ms", "--name", "n\x1b]0;x\x07\u202e", "--note", "\x9b\x1b")
    for words in ("list", "export"):
        run("bookmarks", db, words)
    run("session", db, "-o", "session")
    for path in glob.glob("session/*.[hsj]*"):
        check(path, read(path))
    for name in "chrome json ndjson speedscope folded folded-cpu".split():
        run("export", "--to", name, "-o", "out." + name, db)
        check("export --to " + name, read("out." + name))


def try_skills_and_reports(db):
    for line in run("skill", "list", "--format", "csv").decode().split("\n")[1:]:
        for form in ("table", "md", "json", "tsv") if line else ():
            run("skill", "run", line.split(",")[0], db, "--format", form)
    names = set(re.findall(r"^\s{0,6}([a-z0-9]+(?:_[a-z0-9]+)+)", run("stats", "--help-reports").decode(), re.M))
    for report in sorted(names):
        for form in ("column", "hdoc", "json"):
            on_terminal("stats", "-r", report, "-f", form, db)


def try_screens(db):
    for keys in ("", "h", "h h", "i", "F", "Y", "A", "A Enter", "e", "E", "d", "t", "s", "v", "Tab Tab", "o", "O", "?", "C", ";", "b", "B Enter",
                 "'", "S", "D", "x", "l l l l l", "Tab Enter", "F Enter", "F10", "c"):
        for size in ("120x40", "60x20", "200x50"):
            run("render", db, "--size", size, "--keys", keys)
    for line in ("ask wh\x1b]y", "theme \x1b[31m", "sql SELECT * FROM StringIds", "rows /a/", "preset \x1b", "help \x1b", "answer \x1b", "\x1b[31m"):
        run("render", db, "-c", line)


def try_settings(db):
    """Tries hostile settings, skills, themes and keymaps of the user, and hostile words on the command line."""
    for folder in ("skills", "themes"):
        os.makedirs("config/nsyscope/" + folder)
    files = {
        "config/nsyscope/config.ini": "[filters]\nesc\x1b]0;x\x07\u202e = kind:kernel\nbad\x1b[31m = (((\x1b\n[\x1b]\ntheme = \x1b[31m\nfoo\x9b=1\n",
        "config/nsyscope/skills/q\x1b]0;x.sql": "-- question: \x1b]0;x\x07 \u202e who\n-- words: \x1b\nSELECT 1 AS \"one\x1b[31m\", '\x1b' AS b\n",
        "config/nsyscope/skills/bad.sql": "-- question: \x1b]0;x\x07 \u202e who\nSELECT \x1b[31m\n",
        "config/nsyscope/themes/t.theme": "[\x1b[31m]\nback\x1b = x\n",
        "k.keys": "[\x1b[31m]\nzoom\x1b]0; = \x1b\n",
    }
    for path, text in files.items():
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    for form in ("table", "md", "csv", "tsv", "json"):
        run("skill", "list", "--format", form)
    for words in (["skill", "run", "bad", db], ["skill", "run", "q\x1b]0;x", db], ["skill", "run", "\x1b[31m", db], ["ask", db, "who one"],
                  ["analyze", db], ["stats", "-r", "\x1b[31m", db], ["export", "--to", "\x1b[31m", db], ["help", "\x1b]x"], ["\x1b]0;x"],
                  ["info", "\x1b]0;x.sqlite"], ["merge", "\x1b.json"], ["ncu-import", db, "\x1b"]):
        run(*words)
    for option in ("--theme", "--keymap", "--filter", "--tables", "--trim", "--mem", "--\x1b"):
        for value in ("t", "k.keys", "x\x1b[31m"):
            run("render", option, value, db)
    for option in ("--range", "--bookmark", "--format"):
        run("summary", option, "x\x1b[31m", db)
    for keys in ("", "/", "A", "C", "?", ":", "/ /"):
        run("render", db, "--keys", keys)


class Shape(html.parser.HTMLParser):
    """Collects the tags of a page with the names of their attributes."""

    def __init__(self, text):
        super().__init__()
        self.tags = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, tuple(sorted(name for name, _ in attrs))))
        for name, value in attrs:
            if name.startswith("on") or (value or "").lower().startswith("javascript:"):
                say("a tag that acts:", tag, name, value)


def pages(db):
    shutil.rmtree("page", ignore_errors=True)
    run("report", db, "--out", "page", "--html")
    yield "report", read("page/report.html")
    yield "screen", run("render", db, "--format", "html", "--size", "80x24")
    shutil.rmtree("page", ignore_errors=True)
    run("bookmarks", db, "add", "--at", "1ms", "--name", "one")
    run("session", db, "-o", "page")
    yield "session", read("page/index.html")


def try_pages():
    """Hostile names give a page the same tags as plain names. A drawn screen may split lines elsewhere: there each kind of tag counts once."""
    shown = []
    for text in ("AAAA", "</script><!--<img src=x onerror=y>\"'>&lt;"):
        shutil.copyfile(EXPORT, "page.sqlite")
        db = sqlite3.connect("page.sqlite")
        db.execute("UPDATE StringIds SET value = ? || id", (text,))
        db.execute("UPDATE NVTX_EVENTS SET text = ? || rowid WHERE text IS NOT NULL", (text,))
        db.commit()
        db.close()
        shown.append([(what, Shape(page.decode()).tags) for what, page in pages("page.sqlite")])
    for (what, plain), (_, hostile) in zip(*shown):
        if plain != hostile if what == "report" else set(plain) != set(hostile):
            say("another shape:", what, set(plain) ^ set(hostile))


fill("hostile.sqlite")
try_commands("hostile.sqlite")
try_skills_and_reports("hostile.sqlite")
try_screens("hostile.sqlite")
try_settings("hostile.sqlite")
shutil.rmtree("config")
try_pages()
sys.exit(1 if found else 0)
