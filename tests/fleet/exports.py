"""Writes the exports of a simulated job: exports.py FOLDER RANKS STEPS CAUSE SEED [--tensor N] [--steps-unmarked] [--overlap].

The job is that of simulate.py. A step is an NVTX range, unless --steps-unmarked. With --overlap compute goes on beside each collective in
the middle of a step.
"""
import argparse
import os
import sqlite3

import simulate

TABLES = """
CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE META_DATA_EXPORT (name TEXT NOT NULL, value TEXT);
INSERT INTO META_DATA_EXPORT VALUES ('EXPORT_PRODUCT_NAME', 'NVIDIA Nsight Systems'), ('EXPORT_PRODUCT_VERSION', '2026.2.1.210'),
    ('EXPORT_SCHEMA_VERSION', '3.25.0'), ('EXPORT_SCHEMA_VERSION_MAJOR', '3'), ('EXPORT_SCHEMA_VERSION_MINOR', '25');
CREATE TABLE TARGET_INFO_GPU (vmId INTEGER, id INTEGER, name TEXT, busLocation TEXT, cuDevice INTEGER, uuid TEXT);
INSERT INTO TARGET_INFO_GPU VALUES (0, 0, 'NVIDIA H100 80GB HBM3', '0000:19:00.0', 0, 'GPU-0');
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER, contextId INTEGER,
    streamId INTEGER, correlationId INTEGER, globalPid INTEGER, demangledName INTEGER, shortName INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER NOT NULL, end INTEGER NOT NULL, eventClass INTEGER, globalTid INTEGER,
    correlationId INTEGER, nameId INTEGER, returnValue INTEGER, callchainId INTEGER);
CREATE TABLE NVTX_EVENTS (start INTEGER NOT NULL, end INTEGER, eventType INTEGER, text TEXT, globalTid INTEGER, endGlobalTid INTEGER,
    textId INTEGER, domainId INTEGER);
"""
NAMES = ["cudaLaunchKernel_v7000", "gemm_kernel"]


class Export:
    def __init__(self, path, pid):
        if os.path.exists(path):
            os.remove(path)
        self.db = sqlite3.connect(path)
        self.db.executescript("PRAGMA synchronous = OFF;" + TABLES)
        self.thread = pid << 24 | pid
        self.names = list(NAMES)
        self.kernels, self.calls, self.ranges = [], [], []

    def kernel(self, name, stream, start, end):
        """A kernel that is launched 2 us before it runs."""
        if name not in self.names:
            self.names.append(name)
        id_ = len(self.kernels) + 1
        self.kernels.append((start, end, 0, 1, stream, id_, self.thread >> 24 << 24, self.names.index(name) + 1, self.names.index(name) + 1))
        self.calls.append((start - 2000, start - 1000, 0, self.thread, id_, 1, 0, None))

    def range(self, text, start, end):
        self.ranges.append((start, end, 59, text, self.thread, None, None, 0))

    def close(self):
        self.db.executemany("INSERT INTO StringIds VALUES (?, ?)", enumerate(self.names, 1))
        self.db.executemany("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (?,?,?,?,?,?,?,?,?)", sorted(self.kernels))
        self.db.executemany("INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (?,?,?,?,?,?,?,?)", sorted(self.calls))
        self.db.executemany("INSERT INTO NVTX_EVENTS VALUES (?,?,?,?,?,?,?,?)", sorted(self.ranges))
        self.db.commit()
        self.db.close()


def write_rank(path, rank, is_marked, is_overlapped):
    export = Export(path, 1000 + rank.rank)
    base = rank.starts[0] - 1_000_000_000
    series = [(parallel, name, [(begin - base, last) for begin, last in ops]) for (name, parallel, _), ops in rank.ops.items()]
    for step, start in enumerate(rank.starts):
        end = max(ops[step][0] + ops[step][1] for _, _, ops in series)
        start -= base
        work = start + rank.idle[step]
        export.kernel("gemm_kernel", 7, work, work + rank.compute[step])
        if is_marked:
            export.range(f"step {step}", start - 3000, end - 8000)
        for parallel, name, ops in series:
            begin, last = ops[step]
            export.kernel(name, 8, begin, begin + last)
            if parallel:
                export.range(f"{parallel.lower()} all_reduce", begin - 2500, begin - 500)
            if parallel == "TP" and is_overlapped:
                export.kernel("gemm_kernel", 7, begin, begin + last)
    export.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("ranks", type=int)
    parser.add_argument("steps", type=int)
    parser.add_argument("cause", choices=simulate.CAUSES)
    parser.add_argument("seed", type=int)
    parser.add_argument("--tensor", type=int, default=0)
    parser.add_argument("--steps-unmarked", action="store_true")
    parser.add_argument("--overlap", action="store_true")
    args = parser.parse_args()
    os.makedirs(args.folder, exist_ok=True)
    for rank in simulate.simulate(args.ranks, args.steps, args.cause, args.seed, args.tensor):
        write_rank(os.path.join(args.folder, f"rank{rank.rank}.sqlite"), rank, not args.steps_unmarked, args.overlap)
