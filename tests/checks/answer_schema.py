#!/usr/bin/env python3
"""Makes docs/json/answer.schema.json from the code that writes answers, and compares; NSC_UPDATE=1 replaces it.

The members, their order and their types are the calls of core/json_write.h in src/serve/envelope.c and src/share/sheet_write.c; what stands under an if
may be missing. Words are those that status_word returns, and the units of a sheet. Only the descriptions stand here.
answer_schema.py TREE"""
import json
import os
import re
import sys

tree = sys.argv[1]
described = {
    "kind": "the question: nsyscope.overlap",
    "file": "the exports that were opened; with a bound the first, one for each 1,000 bytes",
    "file.identity": "of the content: the same for a copy, another for any other export",
    "window": "of the first table; each table has its own",
    "warnings": "what concerns every figure: damage, rows that were skipped",
    "status": "ok: the rows answer; empty: looked, and nothing is there; cannot_answer: not recorded, not readable or nothing to look at; not_assessable: rows, but no verdict. Only ok says anything good or bad of the program",
    "reason": "with cannot_answer and not_assessable: why",
    "missing": "with cannot_answer: the tables that would answer",
    "left_out": "rows of all tables that a limit cut off",
    "sheets.columns.key": "the name of the value in each row; its unit is part of it",
    "sheets.columns.of": "the denominator of a share",
    "sheets.rows.key": "names the row: the same whatever other rows and columns are asked for; made of its ids and its first text",
    "sheets.left_out": "rows that a limit cut off",
}


def read(path):
    with open(os.path.join(tree, path)) as file:
        return file.read()


def bodies(text):
    """The functions of a file by name, each a list of statements without comments."""
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    return {name: re.sub(r"\s+", " ", body) for name, body in re.findall(r"^[a-z][\w *]*?(\w+)\([^;{]*?\)\n\{\n(.*?)^\}", text, flags=re.S | re.M)}


envelope, sheets = bodies(read("src/serve/envelope.c")), bodies(read("src/share/sheet_write.c"))
header = read("src/serve/envelope.h")
constants = dict(re.findall(r"#define (NSC_ANSWER_\w+)\s+(.+)", header))
words = {"status": list(dict.fromkeys(re.findall(r'"(\w+)"', envelope["status_word"]))), "unit": re.findall(r'\[NSC_SHEET_\w+\] = "([^"]+)"', read("src/share/sheet_write.c"))}
types = {"puts": "string", "text": "string", "int": "integer", "uint": "integer", "number": "number", "bool": "boolean", "null": "null"}


def calls(functions, name):
    """The JSON calls of a function in order, those of its own helpers in their place: (call, key, bracket, optional)."""
    optional = once = False
    pattern = r"(?P<if>if \((?:status != NSC_OK|sheet->columns\[c\]\.of)\))|nsc_json_(?P<call>open|close|list|puts|text|u?int|number|bool|null)\((?P<args>(?:[^()]|\([^()]*\))*)\)|(?P<own>write_\w+)\(|(?P<end>\})"
    for found in re.finditer(pattern, functions[name]):
        if found["if"]:
            block = functions[name][found.end():].lstrip().startswith("{")
            optional, once = True, not block
        elif found["end"]:
            optional = False
        elif found["own"] and found["own"] in functions:
            level = 0
            for call, key, value, maybe in calls(functions, found["own"]):
                yield call, key, value, maybe or (optional and level == 0)
                level += (call == "open") - (call == "close")
        elif found["call"]:
            args = [part.strip() for part in found["args"].split(",")]
            if found["call"] == "close":
                yield "close", None, None, False
                continue
            key = args[1] if len(args) > 1 else "NULL"
            if found["call"] == "list":
                yield from (("open", key, "'['", bool(optional)), ("puts", "NULL", "", False), ("close", None, None, False))
                continue
            yield found["call"], key, args[2] if len(args) > 2 else "", bool(optional)
            if once:
                optional = once = False


def add(parent, path, key, node, optional):
    """Puts a node into its object or array; a second one of the same name makes it nullable."""
    if parent["type"] == "array":
        if "additionalProperties" not in parent.get("items", {}):
            parent["items"] = node
        return
    if not key.startswith('"'):  # the name is a column's
        every = parent["additionalProperties"] = parent.get("additionalProperties") or {"type": []}
        every["type"] = every["type"] + [node["type"]] * (node["type"] not in every["type"])
        return
    name = key.strip('"')
    if path + name in described:
        node.setdefault("description", described[path + name])
    if name in parent["properties"]:  # null, or this
        node["type"] = [node["type"], "null"]
    elif not optional:
        parent["required"].append(name)
    parent["properties"][name] = node


def make(steps):
    root = {"type": "object", "required": [], "additionalProperties": False, "properties": {}}
    stack = [(root, "")]
    for call, key, value, optional in steps:
        if call == "close":
            if len(stack) > 1:
                stack.pop()
            continue
        parent, path = stack[-1]
        if key == "NULL" and parent is root:  # the document itself
            continue
        if call == "open":
            node = {"type": "array", "items": {}} if value == "'['" else {"type": "object", "required": [], "additionalProperties": False, "properties": {}}
        else:
            node = {"type": types[call]}
            name = key.strip('"')
            if value in constants:
                node = {"const": json.loads(constants[value])}
            elif name in words:
                node = {"enum": words[name]}
        add(parent, path, key, node, optional)
        if call == "open":
            stack.append((node, path if key == "NULL" else path + key.strip('"') + "."))
    return root


steps = []
for step in calls(envelope, "nsc_envelope_write"):
    steps.append(step)
    if step[:2] == ("open", '"sheets"'):
        steps += calls(sheets, "nsc_sheet_write_json")
schema = make(steps)
rows = schema["properties"]["sheets"]["items"]["properties"]["rows"]["items"]
rows["required"] = ["key"]
rows["properties"] = {"key": {"description": described["sheets.rows.key"]}}
out = {"$schema": "https://json-schema.org/draft/2020-12/schema",
       "title": f"answers as JSON (--format json), schema {json.loads(constants['NSC_ANSWER_SCHEMA'])} version {constants['NSC_ANSWER_VERSION']}; made by tests/checks/answer_schema.py"}
text = json.dumps(dict(out, **schema), indent=2) + "\n"
place = os.path.join(tree, "docs/json/answer.schema.json")
if os.environ.get("NSC_UPDATE"):
    with open(place, "w") as file:
        file.write(text)
if read("docs/json/answer.schema.json") != text:
    sys.exit("docs/json/answer.schema.json is not what the code writes: NSC_UPDATE=1 ctest -R checks/answer_schema makes it again")
