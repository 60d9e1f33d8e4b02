# SPDX-License-Identifier: MIT
"""Compares the library with the interpreter on random graphs: compare.py WALK SCRATCH_FOLDER [GRAPHS [FRAMES [FIRST]]]

WALK is the program of walk.c. Each graph has a seed, from FIRST on. Names the seed, the frame and the first difference,
and leaves the graph and its walk in the scratch folder.
"""
import os
import subprocess
import sys

import random_graphs
from interpreter import Clip, Graph, Unmodelled, f32

BATCH = 25  # graphs for one run of the program
TOLERANCE = 2e-5  # of damped parameters: the library computes their springs differently


# ---- The interpreter's output --------------------------------------------------------------------------------------


class Reader:
    """Plays a walk by the interpreter: the fields of each line, as walk.c prints them."""

    def __init__(self, text):
        self.text, self.clips, self.tags, self.max_events, self.rest_curves = text, {}, [], 0, {}
        self.graph = self.last_clip = None

    def header(self, word, rest):
        if word == "max_events":
            self.max_events = int(rest)
        elif word == "clip":
            duration, name = rest.split(" ", 1)
            self.last_clip = self.clips[name] = Clip(f32(float(duration)), [])
        elif word == "marker":
            time, name = rest.split(" ", 1)
            self.last_clip.markers.append((f32(float(time)), name))
        elif word == "key":
            time, value, name = rest.split(" ", 2)
            self.last_clip.curves.setdefault(name, []).append((f32(float(time)), f32(float(value))))
        elif word == "curve":
            value, name = rest.split(" ", 1)
            self.rest_curves[name] = f32(float(value))
        elif word == "tag":
            self.tags.append(rest)

    def setting(self, word, rest):
        *values, name = rest.split(" ")
        parameter = self.graph.parameters[name]
        if word == "fire":
            parameter.fire()
        elif word == "cancel":
            parameter.cancel()
        elif word in ("int", "bool"):
            parameter.set(int(values[0]))
        else:
            parameter.set(*map(float, values))

    def fields(self, line):
        """The fields that a line prints, or None."""
        word, _, rest = line.partition(" ")
        if word == "start":
            self.graph = Graph(self.text, self.clips, self.max_events, self.rest_curves)
        elif not self.graph:
            self.header(word, rest)
            return None
        elif word == "step":
            self.graph.update(f32(float(rest)))
        elif word == "force":
            kind, duration, path = rest.split(" ", 2)
            self.graph.force(path, "fade" if kind == "default" else kind, float(duration))
        else:
            self.setting(word, rest)
            return None
        return self.graph.describe(self.tags)


    def give_curves(self, actual):
        """Conditions of the next line see the curves that the library has printed."""
        for name, value in zip(self.rest_curves, actual):
            self.graph.curves[name] = float(value)


def interpret(text, lines, actual):
    """Returns the fields that the lines print. `actual` are those of the library, of which it reads the curves."""
    reader, fields = Reader(text), []
    for line in lines:
        try:
            printed = reader.fields(line)
        except Unmodelled as reason:
            return fields, str(reason)
        if not printed:
            continue
        if len(fields) == len(actual):
            return fields + [printed], None  # the library has ended
        reader.give_curves(actual[len(fields)])
        fields.append(printed)
    return fields, None


# ---- The comparison ------------------------------------------------------------------------------------------------


def same_number(expected, actual):
    expected, actual = float(expected), float(actual)
    return abs(expected - actual) <= TOLERANCE * max(1.0, abs(expected))


def same_field(expected, actual):
    if expected == actual or expected == "?":
        return True
    if "~" not in expected:
        return False
    words, others = expected.split(" "), actual.split(" ")
    return len(words) == len(others) and all(
        same_number(word[1:], other) if word[0] == "~" else word == other for word, other in zip(words, others))


def first_difference(expected, actual):
    """Returns a description of where two outputs differ, or None."""
    for line, fields in enumerate(expected):
        others = actual[line] if line < len(actual) else ["nothing"]
        for i in range(max(len(fields), len(others))):
            field = fields[i] if i < len(fields) else "nothing"
            other = others[i] if i < len(others) else "nothing"
            if not same_field(field, other):
                return f"line {line}: the interpreter has '{field}', the library '{other}'"
    return None


def outputs_of(program, scratch, batch):
    """Plays a batch by the library; returns the output of each walk, as fields."""
    names = []
    for seed, text, lines in batch:
        graph, walk = os.path.join(scratch, f"{seed}.graph.json"), os.path.join(scratch, f"{seed}.walk")
        with open(graph, "w", encoding="utf-8") as file:
            file.write(text)
        with open(walk, "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
        names += [graph, walk]
    run = subprocess.run([program, *names], capture_output=True, encoding="utf-8", check=False)
    outputs = [[line.split("\t") for line in part.split("\n")[:-1]] for part in run.stdout.split("walk\n")[1:]]
    if run.returncode != 0:
        seed = batch[max(0, len(outputs) - 1)][0]
        print(f"seed {seed}: {program} ends with {run.returncode}: {run.stderr.strip()}")
    return outputs + [[]] * (len(batch) - len(outputs))


def compare_batch(program, scratch, batch):
    """Returns the numbers of differences, of lines that agree, of curves among them, and of walks that were cut."""
    faults = frames = curves = cut = 0
    for (seed, text, lines), actual in zip(batch, outputs_of(program, scratch, batch)):
        expected, reason = interpret(text, lines, actual)
        cut += reason is not None
        difference = first_difference(expected, actual)
        if difference:
            faults += 1
            print(f"seed {seed}, {difference}")
            continue
        frames += len(expected)
        curves += sum(fields[0] != "?" for fields in expected)
        for suffix in (".graph.json", ".walk"):
            os.remove(os.path.join(scratch, f"{seed}{suffix}"))
    return faults, frames, curves, cut


def main():
    program, scratch = sys.argv[1:3]
    graphs, frames, first = [int(word) for word in sys.argv[3:]] + [500, 200, 0][len(sys.argv) - 3:]
    os.makedirs(scratch, exist_ok=True)
    totals = [0, 0, 0, 0]
    for start in range(first, first + graphs, BATCH):
        batch = []
        for seed in range(start, min(start + BATCH, first + graphs)):
            batch.append((seed, *random_graphs.make(seed, frames)))
        totals = [total + part for total, part in zip(totals, compare_batch(program, scratch, batch))]
    faults, agreed, curves, cut = totals
    print(f"{graphs} graphs, {agreed} frames agree, in {curves} of them the curves are known; {faults} graphs differ; "
          f"{cut} walks were cut")
    if cut > graphs // 20:
        sys.exit("too many walks are cut: the generator asks for what the interpreter does not model")
    sys.exit(faults > 0)


if __name__ == "__main__":
    main()
