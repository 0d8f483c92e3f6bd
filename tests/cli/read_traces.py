#!/usr/bin/env python3
"""Reads a Chrome trace and a Perfetto trace of one export, without code of nsyscope, and compares every event.

read_traces.py CHROME PERFETTO PROJ_TRACE.csv ORIGIN_NS: the third is nvtx_gpu_proj_trace of nsyscope stats.
"""
import collections
import csv
import json
import struct
import sys

BEGIN, END, INSTANT, COUNTER = 1, 2, 3, 4


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at


def fields(data):
    """Yields (field number, value): an integer for a varint or fixed64, bytes for a field with a length."""
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        if key & 7 == 0:
            value, at = varint(data, at)
        elif key & 7 == 1:
            value, at = struct.unpack_from("<Q", data, at)[0], at + 8
        elif key & 7 == 2:
            length, at = varint(data, at)
            value, at = data[at:at + length], at + length
            assert len(value) == length, "cut"
        else:
            raise ValueError(f"wire type {key & 7}")
        yield key >> 3, value


def message(data):
    out = collections.defaultdict(list)
    for number, value in fields(data):
        out[number].append(value)
    return out


def text(values):
    return values[0].decode("utf-8") if values else ""


def signed(value):
    return value - (1 << 64) if value >> 63 else value


class Perfetto:
    def __init__(self, data):
        self.interned = {kind: {} for kind in (1, 2, 3, 23, 24)}
        self.tracks = {}
        self.open = collections.defaultdict(list)
        self.slices, self.instants, self.counters, self.stages = [], [], [], []
        self.flows = collections.defaultdict(list)
        for number, packet in fields(data):
            assert number == 1
            self.packet(message(packet))
        assert not any(self.open.values()), "a slice that does not end"

    def packet(self, packet):
        for part in packet[12]:
            for kind, item in fields(part):
                entry = message(item)
                value = text(entry[2]) if kind != 23 else entry[2][0]
                assert self.interned[kind].setdefault(entry[1][0], value) == value, "interned twice"
        for part in packet[60]:
            track = message(part)
            self.tracks[track[1][0]] = (text(track[2]), track[5][0] if track[5] else None)
        for part in packet[11]:
            self.event(packet[8][0], message(part))
        for part in packet[53]:
            stage = message(part)
            assert stage[14][0] in self.interned[24] and stage[13][0] in self.interned[24], "no specification"
            assert stage[5][0] in self.interned[23], "no context"
            self.stages.append((self.interned[24][stage[13][0]], packet[8][0], stage[2][0]))

    def place(self, uuid):
        name, parent = self.tracks[uuid]
        return (self.tracks[parent][0] if parent else name, name)

    def event(self, time, event):
        kind, uuid = event[9][0], event[11][0]
        name = text(event[23]) if event[23] else self.interned[2][event[10][0]] if event[10] else ""
        args = {}
        for part in event[4]:
            arg = message(part)
            args[self.interned[3][arg[1][0]]] = text(arg[6]) if arg[6] else signed(arg[4][0])
        if kind == BEGIN:
            self.open[uuid].append((name, time, args))
        elif kind == END:
            name, start, args = self.open[uuid].pop()
            self.slices.append((self.place(uuid), name, start, time - start, tuple(sorted(args.items()))))
        elif kind == INSTANT:
            self.instants.append((self.place(uuid), name, time))
        elif kind == COUNTER:
            self.counters.append((self.place(uuid), time, signed(event[30][0])))
        for flow in event[47]:
            self.flows[flow].append((self.place(uuid), time))


class Chrome:
    def __init__(self, trace):
        names = {}
        self.slices, self.instants, self.counters = [], [], []
        self.flows = collections.defaultdict(list)
        for event in trace["traceEvents"]:
            if event["name"] in ("process_name", "thread_name") and event["ph"] == "M":
                names[event["pid"], event["tid"], event["name"]] = event["args"]["name"]
        groups = {pid: name for (pid, tid, what), name in names.items() if what == "process_name"}
        for event in trace["traceEvents"]:
            place = (groups.get(event["pid"]), names.get((event["pid"], event["tid"], "thread_name")))
            time, args = ns(event.get("ts", "0")), event.get("args", {})
            for value in list(args.values()):
                assert not isinstance(value, int) or abs(value) <= 1 << 53, "an integer past 2^53"
            if event["ph"] == "X":
                keep = {} if event["cat"] in ("nvtx-gpu", "bookmark") else args
                self.slices.append((place, event["name"], time, ns(event["dur"]), tuple(sorted(keep.items()))))
            elif event["ph"] == "i":
                self.instants.append((place, event["name"], time))
            elif event["ph"] == "C":
                self.counters.append((place, time, int(args["value"])))
            elif event["ph"] in "sf":
                self.flows[event["id"] + 1].append((place, time))


def ns(micros):
    whole, _, part = str(micros).partition(".")
    assert len(part) in (0, 3)
    return int(whole + part) if part else int(whole) * 1000


def compare(what, a, b):
    a, b = collections.Counter(a), collections.Counter(b)
    for missing in list((a - b))[:3]:
        print(f"FAILED: {what}: only in the first: {missing}")
    for missing in list((b - a))[:3]:
        print(f"FAILED: {what}: only in the second: {missing}")
    print(f"{sum(a.values())} {what}")
    return a != b


def main(chrome, perfetto, projected, origin):
    with open(chrome, encoding="utf-8") as file:
        a = Chrome(json.load(file, parse_float=str))
    with open(perfetto, "rb") as file:
        b = Perfetto(file.read())
    bad = compare("slices", a.slices, b.slices)
    bad |= compare("instants", a.instants, b.instants)
    bad |= compare("samples of counters", a.counters, b.counters)
    flows = [[(key, *each) for key, ends in flow.items() for each in ends] for flow in (a.flows, b.flows)]
    bad |= compare("ends of flows", *flows)
    gpu = [(place[1], start, length) for place, name, start, length, args in a.slices
           if place[0].startswith("GPU") and "on the GPU" not in place[1]]
    bad |= compare("render stages", gpu, b.stages)
    with open(projected, encoding="utf-8", newline="") as file:
        rows = [(row["Name"].split(":", 1)[1], int(row["Projected Start (ns)"]) - int(origin),
                 int(row["Projected Duration (ns)"])) for row in csv.DictReader(file) if row["Style"]]
    shown = [(name, start, length) for place, name, start, length, _ in a.slices if "on the GPU" in place[1]]
    bad |= compare("projected ranges", shown, rows)
    return bad or not gpu or not rows


sys.exit(main(*sys.argv[1:]))
