#!/usr/bin/env python3
"""A reader that follows only SKILL.md and the recipes answers the questions of questions.tsv, and plain SQL on the exports checks each answer.
evaluate.py PROGRAM. docs/agents/EVALUATION.md is what it prints, and NSC_UPDATE=1 writes it again."""
import csv
import io
import json
import os
import re
import shlex
import shutil
import sqlite3
import subprocess
import sys

program = os.path.abspath(sys.argv[1])
source = os.environ["NSC_TEST_SOURCE"]

# ---- the reader: it knows English, and what the documents say

SAME_WORD = {"longest": "max", "shortest": "min", "mean": "avg", "average": "avg", "many": "count", "often": "count"}
ASKS_FOR = (("bytes", "bytes"), ("share", "%"), ("how long", "ns"), ("how much time", "ns"), ("how many", "count"), ("how often", "count"))
COMMON = set("a an and are as at did do does each for from has how if in is it me my of on or that the then this to was what when which who why with".split())


def words_of(text):
    found = re.findall(r"[a-z]+|[0-9]+", text.lower().replace("_", " "))
    return [SAME_WORD.get(word, word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word) for word in found]


class Reader:
    def __init__(self):
        self.bytes_read = 0
        with open(source + "/docs/agents/nsyscope/SKILL.md") as file:
            skill = file.read()
        self.documents = len(skill.encode())
        told = [code for code in re.findall("`([^`]*)`", skill) if code.startswith(("nsyscope ", "--"))]
        self.options = next(shlex.split(re.search("--format.*", code)[0]) for code in told if "--format json --max-bytes" in code)
        self.whole = next(code for code in told if code == "--whole")
        self.gpu = next(code.split()[0] for code in told if code.startswith("--gpu"))
        self.limit = next(code.split()[0] for code in told if code.startswith("--limit"))
        self.ask = next(shlex.split(code)[1] for code in told if code.startswith("nsyscope ask"))
        recipes = next(shlex.split(code)[1:] for code in told if code == "nsyscope recipes")
        text = subprocess.run([program, *recipes], capture_output=True, text=True, check=True).stdout
        self.documents += len(text.encode())
        self.recipes = []
        for part in re.split("^## ", text, flags=re.M)[1:]:
            title, rest = part.split("\n", 1)
            commands = [shlex.split(line)[1:] for line in rest.splitlines() if line.startswith("nsyscope ")]
            self.recipes.append((title, [words for words in commands if "--out" not in words and words[0] != "render"], set(words_of(part)), set(words_of(title))))

    def run(self, words, files, question, limit):
        """Asks one command of the documents about these files."""
        files = list(files)
        named = [word for word in words if word.endswith(".sqlite")]
        if len(named) > len(files):
            return None
        words = [files.pop(0) if word in named else word for word in words]
        gpu = re.search(r" GPU (\d+)", question)
        asked = [*words, *self.options, self.limit, str(limit)]
        asked += [self.gpu, gpu[1]] if gpu and len(named) == 1 else []
        asked += [self.whole] if "whole recording" in question else []
        done = subprocess.run([program, *dict.fromkeys(asked)] if "--format" in words else [program, *asked], capture_output=True, stdin=subprocess.DEVNULL)
        self.bytes_read += len(done.stdout) + len(done.stderr)
        self.last = " ".join(shlex.quote(word) for word in asked)
        return json.loads(done.stdout) if done.stdout.startswith(b"{") else None

    def find(self, answer, question):
        """The cell of an answer that the question asks for, or None: its column has the unit and only words of the question, its row the quoted texts."""
        asked = words_of(question)
        quoted = re.findall('"([^"]*)"', question)
        unit = next((unit for words, unit in ASKS_FOR if words in question.lower()), "text")
        best = None
        for sheet in answer["sheets"]:
            about = set(words_of(sheet["title"]))
            for column in sheet["columns"]:
                of = [word for word in words_of(column["key"]) if word != "ns"]
                if column["key"] == "key" or column["unit"] != unit or not set(of) <= set(asked):
                    continue
                rank = (len(of), -asked.index(of[0]), len(about & set(asked)))
                row = next((row for row in sheet["rows"] if self.fits(row, sheet["columns"], quoted, question)), None)
                if row is not None and row[column["key"]] is not None and (best is None or rank > best[0]):
                    best = (rank, row[column["key"]])
        return best and best[1]

    @staticmethod
    def fits(row, columns, quoted, question):
        texts = [str(row[column["key"]]) for column in columns if column["unit"] in ("text", "id")]
        for name, number in re.findall(r"\b([a-z]+) ([0-9]+)", question):
            if str(row.get(name)) != number:
                return False
        return all(any(text == cell or text in cell for cell in texts) for text in quoted)

    def answer(self, question, files):
        asked = set(words_of(re.sub(" in the whole recording| GPU [0-9]+", "", question))) - COMMON
        held = list(self.recipes)
        # A word says more the fewer recipes have it.
        rare = {word: 1 / max(1, sum(word in recipe[2] for recipe in held)) for word in asked}
        held.sort(key=lambda recipe: -sum(rare[word] * (1 + 2 * (word in recipe[3])) for word in asked & recipe[2]))
        unable = None
        for title, commands, _, _ in held[:3]:
            for words in sorted(commands, key=lambda words: -len(asked & set(words_of(" ".join(words))))):
                answer = self.run(words, files, question, 3)
                if answer is None:
                    continue
                if answer["status"] in ("cannot_answer", "empty"):
                    unable = unable or (answer["status"], self.last, title)
                    continue
                found = self.find(answer, question)
                if found is None and answer["left_out"]:
                    answer = self.run(words, files, question, 100)
                    found = answer and self.find(answer, question)
                if found is not None:
                    return found, self.last, title
            if unable:
                return unable
        answer = self.run([self.ask, "x.sqlite", question], files, question, 100)
        for row in answer["sheets"][0]["rows"] if answer else []:
            if row["part"] == "Check with":
                words = [word.replace("FILE", "x.sqlite") for word in shlex.split(row["text"])[1:]]
                answer = self.run(words, files, question, 100)
                return answer and self.find(answer, question), self.last, "ask"
        return None, self.last, "none"


# ---- the exports, and the truth

GPU_WORK = ("KERNEL", "MEMCPY", "MEMSET", "GRAPH_TRACE")


def make_exports():
    for name, words in (("train", "--kernels 4000"), ("changed", "--kernels 4000 --seed 2"), ("deep", "--kernels 3000 --devices 1 --streams 3 --depth 3 --seed 4")):
        subprocess.run([program, "generate", *words.split(), name + ".sqlite"], check=True, stdout=subprocess.DEVNULL)
    subprocess.run([os.environ["NSC_MAKE_EXPORT"], "graphs", "4000", "graphs.sqlite"], check=True)
    for name, lacks in (("unmarked", ("NVTX_EVENTS", "CUPTI_ACTIVITY_KIND_MEMCPY")), ("host", [f"CUPTI_ACTIVITY_KIND_{kind}" for kind in GPU_WORK])):
        shutil.copy("deep.sqlite", name + ".sqlite")
        with sqlite3.connect(name + ".sqlite") as export:
            for table in lacks:
                export.execute(f"DELETE FROM {table}")
    with sqlite3.connect("copies.sqlite") as export, open(source + "/tests/fixtures/every_report.sql") as file:
        export.executescript(file.read())


VIEWS = {
    "kernel": """SELECT k.start, k.end, k.deviceId AS gpu, k.streamId AS stream, k.correlationId AS call, k.globalPid AS pid, s.value AS short, d.value AS name
        FROM CUPTI_ACTIVITY_KIND_KERNEL k JOIN StringIds s ON s.id = k.shortName JOIN StringIds d ON d.id = k.demangledName""",
    "copy": "SELECT start, end, deviceId AS gpu, bytes, copyKind AS kind FROM CUPTI_ACTIVITY_KIND_MEMCPY",
    "memset": "SELECT start, end, deviceId AS gpu, bytes FROM CUPTI_ACTIVITY_KIND_MEMSET",
    "graph": "SELECT start, end, deviceId AS gpu FROM CUPTI_ACTIVITY_KIND_GRAPH_TRACE",
    "span": """SELECT n.start, n.end, coalesce(n.text, s.value) AS text, n.globalTid AS thread
        FROM NVTX_EVENTS n LEFT JOIN StringIds s ON s.id = n.textId WHERE n.eventType = 59""",
    "launch": """SELECT k.gpu, r.start, r.end, r.globalTid AS thread FROM kernel k JOIN CUPTI_ACTIVITY_KIND_RUNTIME r
        ON r.correlationId = k.call AND r.globalTid & ~0xFFFFFF = k.pid""",
    "comm": "SELECT start, end, gpu FROM kernel WHERE short LIKE 'nccl%'",
    "compute": "SELECT start, end, gpu FROM kernel WHERE short NOT LIKE 'nccl%' UNION ALL SELECT start, end, gpu FROM graph",
    "work": "SELECT * FROM comm UNION ALL SELECT * FROM compute",
    "memory": "SELECT start, end, gpu FROM copy UNION ALL SELECT start, end, gpu FROM memset",
    "other": "SELECT * FROM compute UNION ALL SELECT * FROM memory",
    "op": "SELECT * FROM work UNION ALL SELECT * FROM memory",
    "gap": """SELECT gpu, start - before AS ns FROM (SELECT gpu, start, max(end) OVER (PARTITION BY gpu ORDER BY start, end
        ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before FROM op) WHERE start > before""",
    "step": """SELECT thread, row_number() OVER (PARTITION BY thread ORDER BY start) - 1 AS number, start, end, lead(start) OVER (PARTITION BY thread ORDER BY start) - start AS ns
        FROM span WHERE text LIKE 'iteration %'""",
}
# The time in which at least one of them runs.
for covered in ("comm", "compute", "memory", "other", "op"):
    VIEWS[covered + "_cover"] = f"""SELECT gpu, sum(max(0, end - max(start, coalesce(before, start)))) AS ns FROM (SELECT gpu, start, end,
        max(end) OVER (PARTITION BY gpu ORDER BY start, end ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before FROM {covered}) GROUP BY gpu"""


class Export:
    def __init__(self, name):
        self.connection = sqlite3.connect(f"file:{name}?mode=ro", uri=True)
        self.schema = len("\n".join(row[0] for row in self.connection.execute("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL")))
        for view, sql in VIEWS.items():
            self.connection.execute(f"CREATE TEMP VIEW {view} AS {sql}")

    def truth(self, sql):
        """The first value of a query, and the bytes of the rows that it reads: of each table the columns that it names."""
        columns = {}

        def note(action, table, column, schema, _):
            if action == sqlite3.SQLITE_READ and schema == "main" and column and not table.startswith("sqlite_"):
                columns.setdefault(table, set()).add(column)
            return sqlite3.SQLITE_OK

        self.connection.set_authorizer(note)
        value = self.connection.execute(sql).fetchone()[0]
        self.connection.set_authorizer(None)
        size = 0
        for table, names in columns.items():
            rows = io.StringIO()
            csv.writer(rows).writerows(self.connection.execute(f"SELECT {', '.join(sorted(names))} FROM {table}"))
            size += len(rows.getvalue().encode())
        return value, size


def about(size):
    """Two digits of it, so that the page changes when the figure does, and not with every word of an answer."""
    return f"{float(f'{size:.2g}'):,.0f}"


def equal(got, truth):
    if isinstance(truth, float) and isinstance(got, (int, float)):
        return abs(got - truth) <= 0.0501
    return got == truth


def main():
    shutil.rmtree("work", ignore_errors=True)
    os.mkdir("work")
    os.chdir("work")
    os.environ.update(XDG_STATE_HOME=os.path.abspath("state"), XDG_CONFIG_HOME=os.path.abspath("config"), XDG_CACHE_HOME=os.path.abspath("cache"), TERM="dumb")
    make_exports()
    reader = Reader()
    exports = {}
    found = rows = own = 0
    lost = []
    with open(source + "/tests/agents/questions.tsv") as file:
        questions = [line.rstrip("\n").split("\t") for line in file if line.strip() and not line.startswith("#")]
    for number, (files, told, question, sql) in enumerate(questions, 1):
        files = [name + ".sqlite" for name in files.split()]
        for name in files:
            exports.setdefault(name, Export(name))
        truth, size = exports[files[0]].truth(sql)
        rows += size * len(files)
        own += len(sql) + len(str(truth))
        got, command, recipe = reader.answer(question, files)
        is_found = equal(got, truth) and recipe.split(".")[0] == told
        found += is_found
        if not is_found:
            print(f"{number}: {question}\n    {got!r}, not {truth!r}: {recipe}: nsyscope {command}")
            lost.append(f"- not found: {number}. {question}\n")
    schemas = sum(export.schema for export in exports.values())
    ours = reader.documents + reader.bytes_read
    raw = schemas + rows
    page = f"""# Evaluation of the skill

`tests/agents/evaluate.py` asks {len(questions)} questions about {len(exports)} exports of the tests. Its reader is no model: it knows what [SKILL.md](nsyscope/SKILL.md) and `nsyscope recipes` say. It takes the recipe, then the command, with the most words of the question, and in the answer the column whose words all stand in the question. SQL on the tables of the export checks each answer. A question counts as found if the answer is right and comes from the recipe that [questions.tsv](../../tests/agents/questions.tsv) names for it. The test makes this page.

- The reader finds {found} of {len(questions)}.
- It reads about {about(ours)} bytes: {about(reader.documents)} of the documents, once, and {about(reader.bytes_read)} of answers.
- Raw SQL needs the rows that the checks read, in the columns that they name, {about(rows)} bytes, and each schema once, {about(schemas)} bytes. The reader reads {100 * ours / raw:.0f} % of that.
- The queries of the checks and their results alone have {about(own)} bytes: who knows the right query beforehand reads less by SQL.
""" + "".join(lost)
    path = source + "/docs/agents/EVALUATION.md"
    if os.environ.get("NSC_UPDATE"):
        with open(path, "w") as file:
            file.write(page)
    with open(path) as file:
        is_kept = file.read() == page
    failures = [what for holds, what in ((len(questions) == 40, "40 questions"), (found >= 38, "at least 38 found"), (ours * 5 <= raw, "at most a fifth of the bytes"),
                                         (is_kept, "docs/agents/EVALUATION.md is this page (NSC_UPDATE=1)")) if not holds]
    print(f"{found} of {len(questions)} found, {ours} bytes of {raw}")
    for what in failures:
        print("FAILED:", what)
    return len(failures) > 0


sys.exit(main())
