#!/usr/bin/env python3
"""merge names who holds a simulated job up, since when and why, and nobody in a healthy job: cli_verdicts.py PROGRAM.

NSC_SEEDS seeds for each cause (1; the long form 12). At least 99 of 100 must be right, and no healthy job may have a verdict. Jobs have
16 ranks, each cause once 8, and in the long form once 4,096.
"""
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "fleet"))
import simulate  # noqa: E402

# cause: first and last rank of each verdict, beginning of when, of the cause
EXPECTED = {
    "none": [],
    "burst": [],
    "slow": [(5, 5, "late in", "compute")],
    "host": [(5, 5, "late in", "host (CPU work)")],
    "fifth": [(5, 5, "late in every 5th step", "compute")],
    "node": [(8, 15, "late in", "compute")],
    "checkpoint": [(0, 0, "at save_checkpoint", "host")],
    "since": [(5, 5, "since step ", "compute")],
    "drift": [(5, 5, "", "compute")],
    "two": [(1, 1, "late in", "compute"), (5, 5, "late in", "host")],
    "loader": [(5, 5, "late in", "host")],
    "link": [(rank, rank, "late in", "network") for rank in range(4, 8)],  # each in a group with ranks of other links
    "linksince": [(rank, rank, "since step ", "network") for rank in range(4, 8)],
    "links": [],  # all wait for them
}
# As small as the noise of a step: another pattern, or a part of the node, must not be told.
FAINT = {
    "faintfourth": (16, [(5, 5, "late in every 4th step", "compute")]),
    "faintnode": (32, [(8, 15, "late in", "compute")]),
}
# Half of the ranks are late: how they are told.
PATTERNS = {
    "half": "ranks 0 to {half} of",
    "second": "every 2nd rank of {ranks}, from rank 1",
    "ofeight": "ranks 0 to 3 of every 8, of {ranks}",
    "some": " of {ranks} ranks between ",
}
# Without groups nobody is late by a slow link.
UNGROUPED = {
    "link": [],
    "linksince": [],
}


def judge(program, ranks, steps, cause, seed, tensor):
    with tempfile.TemporaryDirectory(dir=".") as folder:
        simulate.write(folder, ranks, steps, cause, seed, tensor)
        done = subprocess.run([program, "merge", folder, "--format", "json", "--limit", "0"], capture_output=True, check=True)
    sheet = next(s for s in json.loads(done.stdout)["sheets"] if s["key"] == "verdict")
    return [r for r in sheet["rows"] if r["root"]]


def expected_of(cause, ranks, tensor):
    if cause in FAINT:
        return FAINT[cause][1]
    if cause in PATTERNS:
        late = [rank for rank in range(ranks) if simulate.extra_of(cause, rank, 0, ranks, 1, None)[0]]
        return [(late[0], late[-1], "late in", "compute")]
    return EXPECTED[cause] if tensor else UNGROUPED.get(cause, EXPECTED[cause])


def is_right(cause, ranks, tensor, rows):
    found = sorted((r["first_rank"], r["last_rank"], r["when"], r["cause"] or "") for r in rows)
    expected = sorted(expected_of(cause, ranks, tensor))
    if any(PATTERNS.get(cause, "").format(ranks=ranks, half=ranks // 2 - 1) not in r["who"] for r in rows):
        return False
    return len(found) == len(expected) and all(
        f[:2] == e[:2] and f[2].startswith(e[2]) and f[3].startswith(e[3]) for f, e in zip(found, expected))


def main(program):
    seeds = int(os.environ.get("NSC_SEEDS", "1"))
    jobs = []
    for cause in [*EXPECTED, *PATTERNS]:
        steps = 400 if cause == "checkpoint" else 150  # few checkpoints show little
        for seed in range(1, seeds + 1):
            tensor = 4 if cause.startswith("link") and seed % 3 else 4 if cause in ("none", "slow", "host") and seed % 2 == 0 else 0
            jobs.append((16, steps, cause, seed, tensor))
        if cause not in ("node", "ofeight", "some"):  # 8 ranks are a node, and 4 have no pattern
            jobs.append((8, steps, cause, 1, 4 if cause.startswith("link") else 0))
        if seeds > 1:
            jobs.append((4096, steps, cause, 1, 0))
    jobs += [(256, 60, "second", 1, 0), (512, 60, "half", 1, 0)]  # of many, some cost less than two thirds of the costliest
    jobs.append((32, 150, "half", 1, 0))  # two nodes that follow each other are one verdict
    jobs += [(ranks, 150, cause, seed, 0) for cause, (ranks, _) in FAINT.items() for seed in range(1, seeds + 1)]
    wrong, false = [], 0
    for ranks, steps, cause, seed, tensor in jobs:
        rows = judge(program, ranks, steps, cause, seed, tensor)
        false += cause in ("none", "links") and len(rows) > 0
        if not is_right(cause, ranks, tensor, rows):
            wrong.append((ranks, cause, seed, tensor, [(r["who"], r["when"], r["cause"]) for r in rows]))
    n = len(jobs)
    print(f"{n - len(wrong)} of {n} right; {false} verdicts on healthy jobs")
    for line in wrong:
        print("WRONG:", *line)
    return 1 if false or len(wrong) * 100 > n else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
