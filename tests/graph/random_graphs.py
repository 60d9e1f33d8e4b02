# SPDX-License-Identifier: MIT
"""Random graph files and random walks: every key of docs/graph.md, every word of conditions.

A walk is a text: one line a clip, marker, tag and setting before `start`, then one line an action of the program.
tests/graph/walk.c plays the same walk by the library.
"""
import json
import random

from interpreter import COORDINATES, f32, unit

MARKERS = ["Foot_L", "Foot_R", "Hit", "Land"]
TAGS = ["airborne", "busy", "armed", "idle"]
NODES = ["Root", "Spine", "Hand"]  # of the skeleton of walk.c
CURVES = {"Grip": 0.0, "Plant L": 0.25}  # with their rest values
LEVELS = [0.0, 0.25, 0.5, 1.0, 1.5]  # values of keys
STATE_NAMES = ["Idle", "Walk", "Run", "Jump", "Fall", "Land", "Attack", "Wave", "Hit 2", "T\u00fcr", "a.b", "Sit", "Aim"]
PARAMETER_NAMES = ["speed", "turn", "_x", "grounded", "jump", "Fire2", "level", "move", "timer", "finished_", "trueish"]
KINDS = ["fade", "inertialize", "deadBlend"]


def chance(rng, part):
    return rng.random() < part


def number(rng, low, high):
    """Mostly numbers of a few digits, which meet thresholds exactly."""
    return rng.choice([round(rng.uniform(low, high) * 2) / 2, round(rng.uniform(low, high), 1),
                       round(rng.uniform(low, high), 3), rng.uniform(low, high)])


def seconds(rng, high):
    return rng.choice([0, 0.1, 0.25, round(rng.uniform(0, high), 2), rng.uniform(0, high)])


# ---- Conditions ----------------------------------------------------------------------------------------------------


class Words:
    """The words that a condition may use."""

    def __init__(self, rng, draft, is_timed):
        self.rng, self.draft, self.is_timed = rng, draft, is_timed
        self.left = rng.choice([0, 0, 0, 1, 3, 6, 12])  # about so many operators

    def spend(self):
        self.left -= 1
        return self.left >= 0

    def of_type(self, *types):
        return [name for name, data in self.draft.parameters.items() if data["type"] in types]

    def literal(self, low=-2, high=4):
        rng = self.rng
        value = number(rng, low, high)
        text = rng.choice(["%d" % value, "%.1f" % value, "%.1f" % value, "%.3f" % value, repr(f32(value)), "%.2e" % value])
        return text

    def number(self):
        rng = self.rng
        choices = [self.literal, lambda: "elapsed"] + [self.parameter] * 3
        if self.is_timed:
            choices += [lambda: rng.choice(["time", "fraction", "loops"])] * 2
        text = rng.choice(choices)()
        if chance(rng, 0.1) and self.spend():
            text = rng.choice(["-" + text, "- " + text, f"({text})", f"-({text})"])
        return text

    def curve(self):
        quote = self.rng.choice("'\"")
        return f"curve({quote}{self.rng.choice(list(CURVES))}{quote})"

    def limit_of_curve(self):
        """No damped parameter, which the interpreter computes in another manner: a curve may follow it by a weight."""
        rng = self.rng
        names = self.draft.names("float", "int", damped=False)
        choices = [lambda: str(rng.choice(LEVELS))] * 4 + [self.literal, self.curve, lambda: "elapsed"]
        choices += [lambda: rng.choice(names)] * bool(names)
        return rng.choice(["", "", "", "-"]) + rng.choice(choices)()

    def parameter(self):
        names = self.of_type("float", "int")
        names += [f"{name}{dot}{axis}" for name in self.of_type("vector2") for axis in "xy" for dot in (".", " . ")]
        return self.rng.choice(names) if names else "elapsed"

    def comparison(self):
        space = self.rng.choice(["", " ", "  ", "\t", "\n"])
        symbol = self.rng.choice(["<", "<=", ">", ">=", "==", "==", "!="])
        if chance(self.rng, 0.25):
            return space.join([self.curve(), symbol, self.limit_of_curve()])
        if chance(self.rng, 0.5):
            return space.join([self.parameter(), symbol, self.literal()])
        return space.join([self.number(), symbol, self.number()])

    def limit(self):
        """A comparison that is likely to become true."""
        rng = self.rng
        word = rng.choice(["elapsed"] + ["time", "fraction", "loops"] * self.is_timed)
        return f"{word} {rng.choice(['>', '>='])} {abs(number(rng, 0, 1.2)):.3f}"

    def switch(self):
        names = self.of_type("bool", "trigger")
        return self.rng.choice(names) if names else self.rng.choice(["true", "false"])

    def function(self):
        rng = self.rng
        quote = rng.choice("'\"")
        choices = [lambda: f"in_state({quote}{rng.choice(self.draft.paths)}{quote})"]
        if self.draft.used_tags:
            choices.append(lambda: f"in_tag({quote}{rng.choice(self.draft.used_tags)}{quote})")
        if self.is_timed:
            choices += [lambda: f"past({rng.choice(['0', '0.5', '1', '1.0', '0.25', '%.3f' % rng.random(), '6e-1'])})",
                        lambda: f"marker( {quote}{rng.choice(MARKERS + ['Nowhere'])}{quote} )", lambda: "finished"] * 2
        return rng.choice(choices)()

    def boolean(self):
        rng = self.rng
        if not self.spend():
            return rng.choice([self.comparison, self.limit, self.limit, self.switch, self.function, self.function])()
        return rng.choice([
            lambda: f"{self.boolean()} && {self.boolean()}",
            lambda: f"{self.boolean()} || {self.boolean()}",
            lambda: f"{self.boolean()}&&{self.boolean()}",
            lambda: f"({self.boolean()})",
            lambda: f"!{self.operand()}",
            lambda: f"{self.operand()} {rng.choice(['==', '!='])} {self.operand()}",
            self.boolean, self.boolean])()

    def operand(self):
        return self.rng.choice([self.switch, self.function, lambda: f"({self.boolean()})", lambda: "true"])()


# ---- Graphs --------------------------------------------------------------------------------------------------------


class Draft:
    """A graph while it is made."""

    def __init__(self, rng):
        self.rng = rng
        self.clips = {name: self.clip() for name in STATE_NAMES[:rng.randint(2, 8)]}
        self.parameters = self.make_parameters()
        self.paths, self.used_tags, self.opaque = [], [], set()
        self.spaces_left = 4  # that a mixer plays at the same time
        self.machines = []  # (machine, path), for transitions and then for conditions
        self.graph = self.make_graph()

    def clip(self):
        rng = self.rng
        duration = f32(rng.choice([0.25, 0.5, 1.0, round(rng.uniform(0.1, 2), 2), rng.uniform(0.1, 2)]))
        if chance(rng, 0.05):
            duration = 0.0
        times = [rng.choice([0.0, duration, duration / 2, rng.uniform(0, duration)]) for _ in range(rng.randrange(5))]
        markers = [(min(f32(time), duration), rng.choice(MARKERS)) for time in times]
        return duration, markers, {name: self.keys(duration) for name in CURVES if chance(rng, 0.7)}

    def keys(self, duration):
        """STEP keys of a curve: some at times of markers, none after the end."""
        rng = self.rng
        times = {f32(rng.choice([0.0, duration / 2, rng.uniform(0, duration)])) for _ in range(rng.randint(1, 5))}
        return [(time, rng.choice(LEVELS)) for time in sorted(times)]

    def names(self, *types, damped=True):
        return [name for name, data in self.parameters.items()
                if data["type"] in types and (damped or not data.get("damping"))]

    def make_parameters(self):
        rng = self.rng
        names = rng.sample(PARAMETER_NAMES, rng.randint(1, 8))
        kinds = ["float", "float", "int", "bool", "trigger", "trigger", "vector2"]
        return {name: self.goal() if chance(rng, 0.15) else self.parameter(rng.choice(kinds)) for name in names}

    def goal(self):
        """A position or a transform, which no state uses."""
        rng = self.rng
        data = {"type": rng.choice(["vector3", "transform"])}
        if data["type"] == "vector3" and chance(rng, 0.5):
            data["range"] = [-1, 2.5]
        if chance(rng, 0.4):
            data["space"] = rng.choice(["world", "model"])
        position = [number(rng, -1, 2.5) for _ in range(3)]
        if chance(rng, 0.6):
            rotation = unit([rng.uniform(-1, 1) for _ in range(4)])
            parts = {"position": position, "rotation": rotation}
            data["default"] = position if data["type"] == "vector3" else {
                key: value for key, value in parts.items() if chance(rng, 0.8)}
        if chance(rng, 0.5):
            data["damping"] = seconds(rng, 0.5)
        return data

    def parameter(self, kind):
        rng = self.rng
        data = {"type": kind}
        if kind in ("float", "int", "vector2") and chance(rng, 0.5):
            low, high = sorted([number(rng, -2, 4), number(rng, -2, 4)])
            data["range"] = [low, high] if kind != "int" else [int(low) - 1, int(high) + 1]
        low, high = data.get("range", [-2, 4])
        defaults = {"float": lambda: number(rng, low, high), "int": lambda: rng.randint(int(low), int(high)),
                    "vector2": lambda: [number(rng, low, high), number(rng, low, high)],
                    "bool": lambda: chance(rng, 0.5)}
        if kind in defaults and (chance(rng, 0.6) or low > 0 or high < 0):
            value = defaults[kind]()
            clamp = lambda part: min(max(part, low), high)
            if kind in ("float", "int"):
                value = clamp(value)
            data["default"] = [clamp(part) for part in value] if kind == "vector2" else value
        if kind in ("float", "vector2") and chance(rng, 0.4):
            data["damping"] = seconds(rng, 0.5)
        if kind == "trigger" and chance(rng, 0.6):
            data["hold"] = seconds(rng, 0.5)
        return data

    def make_graph(self):
        rng = self.rng
        graph = {"sinewGraph": 1}
        if self.parameters or chance(rng, 0.5):
            graph["parameters"] = self.parameters
        if chance(rng, 0.5):
            graph["syncMarkers"] = ["Foot_L", "Foot_R"]
        graph["layers"] = [self.layer(i) for i in range(rng.randint(1, 3))]
        for machine, path in self.machines:
            self.add_transitions(machine, path)
        for machine, path in self.machines:
            for transition in machine.get("transitions", []):
                self.add_condition(path, list(machine["states"]), transition)
        return graph

    def layer(self, index):
        rng = self.rng
        layer = {"name": ["Base", "Upper", "Face"][index]}
        if index > 0 and chance(rng, 0.4):
            layer["mode"] = rng.choice(["additive", "override"])
            if layer["mode"] == "additive" and chance(rng, 0.5):
                layer["reference"] = rng.choice(list(self.clips))
        if index > 0 and chance(rng, 0.5):
            part = {"node": rng.choice(NODES), "factor": round(rng.random(), 2)}
            part.update(rng.choice([{}, {"feather": 1}, {"alone": True}]))
            layer["mask"] = rng.choice([part, [part, {"node": "Hand"}], [part, {"curve": "Grip", "factor": 0.5}]])
        if index > 0 and chance(rng, 0.5):
            layer["weight"] = round(rng.uniform(0, 2), 2)
        if index > 0 and chance(rng, 0.2):
            layer["weightCurve"] = rng.choice(list(CURVES))
        if index > 0 and self.names("float") and chance(rng, 0.3):
            layer["weightParameter"] = rng.choice(self.names("float"))
        layer.update(self.machine(layer["name"], 1))
        return layer

    def machine(self, path, depth):
        rng = self.rng
        names = rng.sample(STATE_NAMES, rng.choice([1, 2, 3, 4, 6, 12]) if depth == 1 else rng.choice([1, 2, 3, 4]))
        machine = {"states": {name: self.state(f"{path}/{name}", depth) for name in names}}
        if chance(rng, 0.5):
            machine["entry"] = rng.choice(names)
        self.machines.append((machine, path))
        return machine

    def state(self, path, depth):
        rng = self.rng
        self.paths.append(path)
        kinds = ["clip"] * 6 + ["empty"] * 1 + ["blend"] * (self.spaces_left > 0) + ["states"] * 3 * (depth < 3)
        kind = rng.choice(kinds)
        state = {"clip": self.clip_state, "blend": self.blend_state, "empty": lambda path: {},
                 "states": lambda path: self.machine(path, depth + 1)}[kind](path)
        if chance(rng, 0.3):
            state["tags"] = rng.sample(TAGS, rng.randint(0, 3))
            self.used_tags += state["tags"]
        if kind in ("clip", "blend"):
            self.add_playback(path, state)
        return state

    def clip_state(self, path):
        rng = self.rng
        state = {"clip": rng.choice(list(self.clips))}
        if chance(rng, 0.7):
            state["loop"] = rng.choice(["repeat", "once", "once", "pingPong"])
        if state.get("loop") != "once" and chance(rng, 0.5):
            state["loopCount"] = rng.randint(1, 4)
        return state

    def blend_state(self, path):
        rng = self.rng
        self.spaces_left -= 1
        self.opaque.add(path)
        blend = {"kind": rng.choice(["line", "triangles", "directional"])}
        points = {"line": [(0, 0), (1.4, 0), (3, 0)], "triangles": [(-1, 0), (1, 0), (0, 2)],
                  "directional": [(0, 0), (0, 1), (1, 0)]}[blend["kind"]]
        numbers, vectors = self.names("float", "int"), self.names("vector2")
        if not numbers and not (vectors and blend["kind"] != "line"):
            return {"clip": rng.choice(list(self.clips))}
        blend["samples"] = [{"clip": rng.choice(list(self.clips)), "x": x, "y": y} for x, y in points]
        if chance(rng, 0.3):
            blend["samples"][0]["speed"] = 0.5
        if vectors and (blend["kind"] != "line" or chance(rng, 0.3)) and (not numbers or chance(rng, 0.5)):
            blend["x"] = rng.choice(vectors)
        else:
            blend["x"] = rng.choice(numbers)
            if blend["kind"] != "line":
                blend["y"] = rng.choice(numbers)
        if blend["kind"] == "line" and chance(rng, 0.5):
            del blend["kind"]
        if chance(rng, 0.3):
            blend["damping"] = seconds(rng, 0.3)
        return {"blend": blend}

    def add_playback(self, path, state):
        rng = self.rng
        if chance(rng, 0.4):
            state["speed"] = rng.choice([0, 1, 2, -1, 0.5, -0.5, rng.uniform(-2, 2)])
        if chance(rng, 0.2) and self.names("float"):
            state["speedParameter"] = rng.choice(self.names("float"))
            if state["speedParameter"] not in self.names("float", damped=False):
                self.opaque.add(path)
        if chance(rng, 0.15):
            state["sync"] = rng.choice(["legs", "arms"])
            if state.get("loop", "repeat") == "repeat":
                self.opaque.add(path)

    # ---- Transitions ----

    def add_transitions(self, machine, path):
        rng = self.rng
        names = list(machine["states"])
        count = rng.randint(0, 2 * len(names) + 1)
        if count == 0 and chance(rng, 0.5):
            return
        machine["transitions"] = [self.transition(path, names) for _ in range(count)]
        for transition in machine["transitions"]:
            if transition.get("matchRate"):
                self.opaque.update(self.below(f"{path}/{transition['to']}"))

    def below(self, path):
        return {other for other in self.paths if other == path or other.startswith(path + "/")}

    def transition(self, path, names):
        rng = self.rng
        origin = rng.choice([rng.choice(names)] * 4 + ["*", "*", rng.sample(names, rng.randint(1, len(names)))])
        transition = {"from": origin, "to": rng.choice(names)}
        if origin == "*" and chance(rng, 0.3):
            transition["toSelf"] = chance(rng, 0.7)
        if chance(rng, 0.6):
            transition["kind"] = rng.choice(KINDS)
        if chance(rng, 0.7):
            transition["duration"] = seconds(rng, 0.6)
        if chance(rng, 0.3):
            transition["easing"] = rng.choice(["linear", "smoothstep", "auto"])
        if transition.get("kind", "fade") == "fade" and chance(rng, 0.1):
            transition["matchRate"] = chance(rng, 0.5)
        if chance(rng, 0.3):
            transition["offset"] = rng.choice([0, 0.25, 0.5, 1, round(rng.random(), 3)])
        if chance(rng, 0.4):
            transition["interrupt"] = rng.choice(["always", "anyState", "never"])
        return transition

    def add_condition(self, path, names, transition):
        rng = self.rng
        if chance(rng, 0.05):
            return
        origin = transition["from"]
        origins = names if origin == "*" else origin if isinstance(origin, list) else [origin]
        leaves = {leaf for name in origins for leaf in self.below(f"{path}/{name}")}
        text = Words(rng, self, not leaves & self.opaque).boolean()
        if chance(rng, 0.4):
            text += f" && {Words(rng, self, False).limit()}"
        transition["when"] = text


def with_comments(rng, value):
    """Shuffles nothing, since order counts, but adds comments."""
    if isinstance(value, list):
        return [with_comments(rng, element) for element in value]
    if not isinstance(value, dict):
        return value
    items = [(key, with_comments(rng, member)) for key, member in value.items()]
    if chance(rng, 0.05):
        items.insert(rng.randrange(len(items) + 1), ("//", rng.choice(["a comment", 3, ["x", {"to": None}]])))
    return dict(items)


# ---- Walks ---------------------------------------------------------------------------------------------------------


def walk_header(rng, draft):
    lines = [f"max_events {rng.choice([255, 255, 255, 255, 8, 1, 0])}"]
    lines += ["curve %.9g %s" % (rest, name) for name, rest in CURVES.items()]
    for name, (duration, markers, curves) in draft.clips.items():
        lines.append("clip %.9g %s" % (duration, name))
        lines += ["marker %.9g %s" % marker for marker in markers]
        lines += ["key %.9g %.9g %s" % (*key, curve) for curve, keys in curves.items() for key in keys]
    return lines + [f"tag {tag}" for tag in sorted(set(draft.used_tags))]


def random_setting(rng, name, data):
    kind = data["type"]
    if kind == "trigger":
        return rng.choice(["fire", "fire", "fire", "fire", "cancel"]) + f" {name}"
    if kind == "bool":
        return f"bool {rng.randrange(2)} {name}"
    if kind == "int":
        return f"int {rng.randint(-3, 5)} {name}"
    values = [f32(number(rng, -3, 5)) for _ in range(COORDINATES[kind])]
    if kind == "transform":
        values[3:] = [f32(rng.uniform(0.1, 1) * rng.choice([-1, 1])) for _ in range(4)]
    return kind + "".join(" %.9g" % (value or 0.0) for value in values) + f" {name}"


def random_force(rng, draft):
    kind, duration = rng.choice(KINDS), seconds(rng, 0.6)
    if chance(rng, 0.3):
        kind, duration = "default", 0.2
    return "force %s %.9g %s" % (kind, f32(duration), rng.choice(draft.paths))


def random_dt(rng, is_even):
    """Of even steps many end exactly at a marker or at the end of a clip."""
    if is_even:
        return rng.choice([0.125, 0.125, 0.25, 0.0625, 0.0625, 0, 0.5, 1.75])
    return rng.choice([1 / 60] * 6 + [0, 1 / 30, 0.1, rng.uniform(0, 0.3), rng.uniform(0.3, 5), 0.25])


def random_actions(rng, draft, is_even):
    """The lines of one frame."""
    lines = [random_setting(rng, name, data) for name, data in draft.parameters.items() if chance(rng, 0.1)]
    if chance(rng, 0.03):
        lines.append(random_force(rng, draft))
    return lines + ["step %.9g" % f32(random_dt(rng, is_even))]


def make(seed, frames):
    """Returns the text of a graph file, and the lines of a walk."""
    rng = random.Random(seed)
    draft = Draft(rng)
    graph = with_comments(rng, draft.graph)
    text = json.dumps(graph, indent=rng.choice([None, 1, 4]), ensure_ascii=chance(rng, 0.5))
    lines = walk_header(rng, draft) + ["start"]
    is_even = chance(rng, 0.4)
    for _ in range(frames):
        lines += random_actions(rng, draft, is_even)
    return text, lines
