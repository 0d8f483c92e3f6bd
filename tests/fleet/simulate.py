"""Writes the sketches of simulated jobs with a known cause: simulate.py FOLDER RANKS STEPS CAUSE SEED.

Each step of a rank computes, waits for its host, and meets the others in an all-reduce at its end; with --tensor N the
ranks of a group of N meet in an all-gather in its middle too, and each only with one rank of each group at its end; payloads and
ranges name these groups. Clocks differ and drift. Eight ranks are a node.
The cause is a word of CAUSES. The text of a column is explained in src/fleet/column.h.
"""
import argparse
import json
import os
import random

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
STEP = 10_000_000  # ns of compute
CAUSES = "none slow host tenth fifth node half second ofeight some checkpoint since drift two loader burst link linksince links faintfourth faintnode".split()


def number(value):
    text = ""
    while value >= 32:
        text += ALPHABET[32 + (value & 31)]
        value >>= 5
    return text + ALPHABET[value]


def column(values):
    text = []
    before = 0
    for value in values:
        difference = value - before
        text.append(number((difference << 1) ^ (-1 if difference < 0 else 0)))
        before = value
    return "".join(text)


def extra_of(cause, rank, step, ranks, steps, random_):
    """ns that the rank takes longer in a step: (compute, host)."""
    who = min(5, ranks - 1)
    large = STEP // 8
    if cause == "slow" and rank == who:
        return large, 0
    if cause == "host" and rank == who:
        return 0, large
    if cause == "fifth" and rank == who and step % 5 == 3:
        return 4 * large, 0
    if cause == "node" and rank // 8 == 1:
        return large, 0
    if cause == "half" and rank < ranks // 2:
        return large, 0
    if cause == "faintfourth" and rank == who and step % 4 == 3:
        return STEP // 5, 0
    if cause == "faintnode" and rank // 8 == 1:
        return STEP // 25, 0
    if cause == "second" and rank % 2 == 1:
        return large, 0
    if cause == "ofeight" and rank % 8 < 4:
        return large, 0
    if cause == "some" and rank * 2654435761 % 2**32 < 2**31:  # half of them, without a pattern
        return large, 0
    if cause == "checkpoint" and rank == 0 and step % 50 == 0 and step > 0:
        return 0, 20 * STEP
    if cause == "since" and rank == who and step >= steps * 3 // 5:
        return large, 0
    if cause == "drift" and rank == who:
        return 2 * large * step // steps, 0
    if cause == "two" and rank in (1, who):
        return (large, 0) if rank == 1 else (0, large * 3 // 4)
    if cause == "loader" and rank == who and random_.random() < 0.25:
        return 0, 4 * large
    if cause == "burst" and rank == who and step == steps // 2:
        return 0, 50 * STEP
    return 0, 0


def slow_link(cause, first, ranks, is_late):
    """ns that a collective of these ranks takes longer: that of rank 5 has the slow link, perhaps only late in the job, or all have."""
    is_slow = cause == "link" or (cause == "linksince" and is_late)
    return STEP // 8 if cause == "links" or (is_slow and first <= 5 < first + ranks) else 0


class Rank:
    def __init__(self, rank, random_):
        self.rank = rank
        self.ahead = random_.randrange(10**12)
        self.drift = random_.uniform(-20e-6, 20e-6)
        self.starts, self.compute, self.exposed, self.idle = [], [], [], []
        self.ops = {}  # by name: arrivals and ends
        self.now = 0

    def clock(self, t):
        return int(t * (1 + self.drift)) + self.ahead

    def meet(self, name, end, random_, parallel=None, communicator=0):
        begin = self.clock(self.now)
        last = self.clock(end + random_.randrange(3000)) - begin
        self.ops.setdefault((name, parallel, communicator), []).append((begin, last))
        self.exposed[-1] += last
        self.now = end


def simulate(ranks, steps, cause, seed, tensor=0):
    random_ = random.Random(seed)
    all_ = [Rank(i, random_) for i in range(ranks)]
    noise = 0.05 if cause.startswith("faint") else 0.02
    for step in range(steps):
        for rank in all_:
            compute, host = extra_of(cause, rank.rank, step, ranks, steps, random_)
            compute += int(STEP * abs(random_.gauss(1, noise)))
            host += int(STEP * 0.02 * random_.expovariate(1))
            rank.starts.append(rank.clock(rank.now))
            rank.compute.append(compute)
            rank.idle.append(host)
            rank.exposed.append(0)
            rank.now += compute + host
        for first in range(0, ranks, tensor) if tensor else ():
            group = all_[first : first + tensor]
            end = max(rank.now for rank in group) + 300_000 + slow_link(cause, first, tensor, step >= steps * 3 // 5)
            for rank in group:
                rank.meet("ncclDevKernel_AllGather_RING_LL", end, random_, "TP", 100 + first)
                rank.now += STEP // 4
        for offset in range(tensor or 1):
            group = all_[offset :: tensor or 1]
            end = max(rank.now for rank in group) + 1_000_000 + (0 if tensor else slow_link(cause, 0, ranks, step >= steps * 3 // 5))
            for rank in group:
                rank.meet("ncclDevKernel_AllReduce_Sum_bf16_RING_LL", end, random_, "DP" if tensor else None, 1 + offset if tensor else 0)
    return all_


def sketch(rank, steps, cause):
    def part(name, values, why=None):
        of = {"class": name, "total_ns": sum(values), "ns": column(values)}
        if why:
            of["cause"] = why
        return of

    series = []
    for (name, parallel, communicator), ops in rank.ops.items():
        gaps, before = [], 0
        for begin, last in ops:
            gaps.append(begin - before)
            before = begin + last
        series.append({"rank": 0, "kernel": name, "communicator": communicator, "stream": 7, "n": len(ops), "every": 1, "unit_ns": 1,
                       "gaps": column(gaps), "lasts": column([last for _, last in ops])})
        if parallel:
            series[-1]["parallel"] = parallel
    interludes = []
    if cause == "checkpoint" and rank.rank == 0:
        interludes = [{"name": "save_checkpoint", "after": step - 1, "ns": 20 * STEP} for step in range(50, steps, 50)]
    return {
        "format": "nsyscope-sketch-1",
        "identity": {"rank": rank.rank, "host": f"node{rank.rank // 8}", "file": f"rank{rank.rank}.sqlite",
                     "utc_start_ns": 1_700_000_000_000_000_000 + rank.rank, "path": f"/scratch/rank{rank.rank}.sqlite"},
        "environment": {"nsys": "2025.3", "schema": "3.20", "gpus": [], "duration_ns": 0, "events": 0},
        "ranks": [{"pid": 1000 + rank.rank, "gpu": rank.rank % 8, "iterations": {
            "by": "NVTX range", "name": "step #", "n": steps, "of_a_row": 1, "rows": steps, "unit_ns": 1,
            "starts": column(rank.starts), "end_ns": rank.clock(rank.now),
            "parts": [part("compute", rank.compute), part("exposed comm", rank.exposed), part("copies", [0] * steps),
                      part("idle", rank.idle), part("idle", rank.idle, "CPU work")]}}],
        "interludes": interludes,
        "series": series,
        "sheets": [],
        "findings": [],
        "left_out": [],
    }


def write(folder, ranks, steps, cause, seed, tensor=0):
    os.makedirs(folder, exist_ok=True)
    for rank in simulate(ranks, steps, cause, seed, tensor):
        with open(os.path.join(folder, f"rank{rank.rank}.nsk.json"), "w", encoding="ascii") as file:
            json.dump(sketch(rank, steps, cause), file, separators=(",", ":"))
            file.write("\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("ranks", type=int)
    parser.add_argument("steps", type=int)
    parser.add_argument("cause", choices=CAUSES)
    parser.add_argument("seed", type=int)
    parser.add_argument("--tensor", type=int, default=0)
    write(**vars(parser.parse_args()))
