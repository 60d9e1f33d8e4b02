# SPDX-License-Identifier: MIT
"""An interpreter of animation graphs, written from docs/graph.md and the public headers alone: slow and plain.

It reads a graph file, knows of each clip its duration, its markers and the keys of its curves, and plays a walk: settings of
parameters, fired triggers, forced states and steps. What it cannot model raises Unmodelled: see `is_opaque`. It does not
blend poses: conditions read the curves that Graph.curves is given after each line, and Graph.known_curves are those that
follow from the clip that plays alone.

Numbers are those of C: f32() rounds to float where the documentation says float; everything else is a double.
"""
import json
import math
import struct

MAX_HOPS = 8  # SINEW_MAX_GRAPH_HOPS
FLOAT = struct.Struct("<f")


class Unmodelled(Exception):
    """The graph asks for what this interpreter does not model; the library has more to say about it."""


def f32(number):
    return FLOAT.unpack(FLOAT.pack(number))[0]


# ---- Clips ---------------------------------------------------------------------------------------------------------


class Clip:
    def __init__(self, duration, markers):
        self.duration = duration
        self.markers = markers
        self.curves = {}  # name: [(time, value)] of STEP keys

    def curve(self, name, time, rest):
        """The value of the last key that is not after `time`; the first one's before it."""
        keys = self.curves.get(name)
        if not keys:
            return rest
        return next((value for key, value in reversed(keys) if key <= time), keys[0][1])


def wrapped(position, period):
    rest = position - period * math.floor(position / period)
    return rest if 0.0 < rest < period else 0.0


class Playback:
    """An action of the mixer that plays a clip: loops, events and directions as mixer.h describes them.

    `phase` is the position in the clip; of a ping-pong from 0 to two durations, the second of which is backward.
    """

    def __init__(self, clip, state, speed, offset, late):
        self.clip, self.loop, self.loop_count, self.speed = clip, state.loop, state.loop_count, speed
        moved = f32(clip.duration * offset)
        start = f32(clip.duration - moved) if speed < 0.0 else moved
        self.phase = min(max(f32(start + f32(late * speed)), 0.0), clip.duration)
        self.loops = 0
        self.finished = self.reached_end = False
        self.late = 0.0  # seconds of the last step after it has finished
        self.is_start = True  # the next motion includes markers at its start time
        self.reached = set()  # names of the markers of the last step

    def time(self):
        turned = self.loop == "pingPong" and self.phase > self.clip.duration
        return f32(2.0 * self.clip.duration - self.phase if turned else self.phase)

    def fraction(self):
        if self.clip.duration == 0.0:
            return 0.0
        played = f32(self.time() / self.clip.duration)
        return f32(1.0 - played) if self.speed < 0.0 else played

    def set_speed(self, speed):
        if self.finished and (speed < 0.0) != (self.speed < 0.0):
            self.finished, self.loops = False, 0
        self.speed = speed

    def advance(self, dt):
        self.reached, self.reached_end, self.late = set(), False, 0.0
        if self.finished:
            return
        if self.clip.duration == 0.0:
            self.stay_at_end()
            self.late = dt if self.finished else 0.0
            return
        # A path of the step, in the direction of play: it grows also if the clip runs backward.
        backward = dt * self.speed < 0.0
        start = -self.phase if backward else self.phase
        end = start + abs(dt * self.speed)
        if end == start:
            return
        self.follow(start, end, backward)
        if self.finished:
            self.late = max(f32(dt - f32((self.end - start) / abs(self.speed))), 0.0)

    def stay_at_end(self):
        if self.is_start:
            self.reached = {name for _, name in self.clip.markers}
        self.is_start = False
        self.finished = self.reached_end = self.loop == "once" or self.loop_count is not None

    def follow(self, start, end, backward):
        duration = self.clip.duration
        if self.loop == "once":
            first = last = -1 if backward else 0
            ends = 1 if end >= (first + 1) * duration else 0
            left = 1
        else:
            first, last = math.floor(start / duration), math.floor(end / duration)
            ends = last - first
            left = max(1, self.loop_count - self.loops) if self.loop_count else math.inf
        if ends >= left:
            ends, last, self.finished = left, first + left - 1, True
            end = (last + 1) * duration
        self.end = end
        self.loops += ends
        self.reached_end = ends > 0
        for cycle in range(first, last + 1):
            self.reach_markers(start, end, cycle, backward)
        self.is_start = False
        phase = -end if backward else end
        if self.loop == "pingPong":
            phase = wrapped(phase, 2.0 * duration)
        elif self.finished:
            phase = 0.0 if backward else duration
        elif self.loop == "repeat":
            phase = wrapped(phase, duration)
        self.phase = phase

    def reach_markers(self, start, end, cycle, backward):
        number = -(cycle + 1) if backward else cycle
        turned = self.loop == "pingPong" and number % 2 != 0
        for time, name in self.clip.markers:
            position = cycle * self.clip.duration
            position += self.clip.duration - time if backward != turned else time
            if start < position <= end or (self.is_start and position == start):
                self.reached.add(name)


# ---- Parameters ----------------------------------------------------------------------------------------------------

HALF_WAY = 1.6783469900166607  # (1 + a) e^-a = 1/2: the spring has covered half of the distance
ARRIVED = 2.0 ** -20


class Coordinate:
    """A number that follows its target as a critically damped spring."""

    def __init__(self, value, damping):
        self.target = self.position = value
        self.velocity = 0.0
        self.pull = HALF_WAY / damping if damping > 0.0 else math.inf

    def set(self, target):
        self.target = target
        if self.pull == math.inf:
            self.position = target

    def follow(self, dt):
        if self.pull == math.inf:
            return
        distance = self.position - self.target
        slope = self.velocity + self.pull * distance
        if distance * slope <= 0.0 and slope != 0.0:  # it would overshoot
            slope = 0.0
        decay = math.exp(-self.pull * dt)
        distance += slope * dt
        self.velocity = f32((slope - self.pull * distance) * decay)
        distance *= decay
        if abs(distance) <= ARRIVED * max(1.0, abs(self.target)):
            distance = self.velocity = 0.0
        self.position = f32(self.target + distance)


def unit(numbers):
    length = math.sqrt(sum(number * number for number in numbers))
    return [number / length for number in numbers]


COORDINATES = {"float": 1, "vector2": 2, "vector3": 3, "transform": 7}


class Parameter:
    def __init__(self, data):
        self.type = data["type"]
        self.damping = f32(data.get("damping", 0.0))
        self.range = data.get("range", [-math.inf, math.inf])
        default = data.get("default", 0)
        if self.type == "trigger":
            self.hold, self.left, self.is_set, self.is_consumed = f32(data.get("hold", 0.0)), 0.0, False, False
        elif self.type == "transform":
            values = default or {}
            rotation = unit(values.get("rotation", [0.0, 0.0, 0.0, 1.0]))
            self.coordinates = [Coordinate(f32(value), self.damping)
                                for value in values.get("position", [0.0] * 3) + rotation]
        elif self.type in COORDINATES:
            values = default if isinstance(default, list) else [default] * COORDINATES[self.type]
            self.coordinates = [Coordinate(f32(value), self.damping) for value in values]
        else:
            self.value = default

    def clamp(self, value):
        return min(max(value, self.range[0]), self.range[1])

    def set(self, *values):
        if self.type == "bool":
            self.value = values[0]
        elif self.type == "int":
            self.value = int(self.clamp(values[0]))
        elif self.type == "transform":
            rotation = unit(values[3:])
            targets = [coordinate.target for coordinate in self.coordinates[3:]]
            if self.damping > 0.0 and sum(a * b for a, b in zip(rotation, targets)) < 0.0:
                rotation = [-number for number in rotation]  # the shorter way
            for coordinate, value in zip(self.coordinates, [*values[:3], *rotation]):
                coordinate.set(f32(value))
        else:
            for coordinate, value in zip(self.coordinates, values):
                coordinate.set(f32(self.clamp(f32(value))))

    def fire(self):
        self.is_set, self.left, self.is_consumed = True, self.hold, False

    def cancel(self):
        self.is_set = False

    def begin_step(self, dt):
        if self.type in COORDINATES:
            for coordinate in self.coordinates:
                coordinate.follow(dt)

    def end_step(self, dt):
        if self.type != "trigger" or not self.is_set:
            return
        self.left = f32(self.left - dt)
        if self.is_consumed or self.left <= 0.0:
            self.is_set = False
        self.is_consumed = False

    def number(self, coordinate=0):
        if self.type == "int":
            return self.value
        return f32(self.coordinates[coordinate].position)


# ---- Conditions ----------------------------------------------------------------------------------------------------

COMPARISONS = {
    "==": lambda a, b: a == b, "!=": lambda a, b: a != b, "<": lambda a, b: a < b, "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b, ">=": lambda a, b: a >= b}
SYMBOLS = ("&&", "||", "==", "!=", "<=", ">=", "<", ">", "!", "-", "(", ")", ".")
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"
DIGITS = "0123456789"


def split_words(text):
    """The words of a condition: (kind, text)."""
    words, at = [], 0
    while at < len(text):
        start = at
        if text[at] in " \t\r\n":
            at += 1
            continue
        if text[at] in LETTERS:
            while at < len(text) and text[at] in LETTERS + DIGITS:
                at += 1
            words.append(("name", text[start:at]))
        elif text[at] in DIGITS:
            while at < len(text) and (text[at] in DIGITS + ".eE" or (text[at] in "+-" and text[at - 1] in "eE")):
                at += 1
            words.append(("number", text[start:at]))
        elif text[at] in "'\"":
            at = text.index(text[at], at + 1) + 1
            words.append(("string", text[start + 1:at - 1]))
        else:
            symbol = next(symbol for symbol in SYMBOLS if text.startswith(symbol, at))
            at += len(symbol)
            words.append(("symbol", symbol))
    words.append(("end", ""))
    return words


class Condition:
    """A compiled condition: `holds(view)` of a View. It compiles to functions of the view."""

    def __init__(self, text, graph):
        self.words, self.at, self.graph = split_words(text), 0, graph
        self.triggers = set()
        self.reads_finished = False
        kind, self.holds = self.any_of()
        assert kind == "boolean" and self.words[self.at][0] == "end", text

    def next(self):
        self.at += 1
        return self.words[self.at - 1]

    def accept(self, *symbols):
        kind, text = self.words[self.at]
        if kind != "symbol" or text not in symbols:
            return None
        self.at += 1
        return text

    def expect(self, symbol):
        assert self.accept(symbol), f"{symbol} expected"

    def any_of(self):
        left = self.all_of()
        while self.accept("||"):
            left = self.join(left, self.all_of(), lambda a, b: lambda view: a(view) or b(view))
        return left

    def all_of(self):
        left = self.comparison()
        while self.accept("&&"):
            left = self.join(left, self.comparison(), lambda a, b: lambda view: a(view) and b(view))
        return left

    @staticmethod
    def join(left, right, make):
        assert left[0] == right[0] == "boolean"
        return "boolean", make(left[1], right[1])

    def comparison(self):
        kind, left = self.unary()
        symbol = self.accept(*COMPARISONS)
        if not symbol:
            return kind, left
        other, right = self.unary()
        assert kind == other and (kind == "number" or symbol in ("==", "!=")) and not self.accept(*COMPARISONS)
        compare = COMPARISONS[symbol]
        return "boolean", lambda view: compare(left(view), right(view))

    def unary(self):
        if self.accept("!"):
            kind, operand = self.unary()
            assert kind == "boolean"
            return kind, lambda view: not operand(view)
        if self.accept("-"):
            kind, operand = self.unary()
            assert kind == "number"
            return kind, lambda view: -operand(view)
        return self.primary()

    def primary(self):
        if self.accept("("):
            inner = self.any_of()
            self.expect(")")
            return inner
        kind, text = self.next()
        if kind == "number":
            number = self.literal(text)
            return "number", lambda view: number
        assert kind == "name", text
        if text in ("true", "false"):
            value = text == "true"
            return "boolean", lambda view: value
        if text in ("time", "fraction", "loops", "elapsed"):
            return "number", lambda view: getattr(view, text)()
        if text == "finished":
            self.reads_finished = True
            return "boolean", lambda view: view.finished()
        if text in ("curve", "past", "marker", "in_tag", "in_state"):
            return self.function(text)
        return self.parameter(text)

    @staticmethod
    def literal(text):
        return f32(float(text)) if any(c in text for c in ".eE") else float(text)

    def function(self, name):
        self.expect("(")
        kind, text = self.next()
        self.expect(")")
        if name == "past":
            assert kind == "number"
            least = self.literal(text)
            return "boolean", lambda view: view.past(least)
        assert kind == "string"
        if name == "curve":
            return "number", lambda view: self.graph.curves[text]
        if name == "marker":
            return "boolean", lambda view: view.marker(text)
        if name == "in_tag":
            states = {state for state in self.graph.states.values() if text in state.tags}
            return "boolean", lambda view: not states.isdisjoint(view.active)
        state = self.graph.states[text]
        return "boolean", lambda view: state in view.active

    def parameter(self, name):
        parameter = self.graph.parameters[name]
        if parameter.type == "trigger":
            self.triggers.add(name)
            return "boolean", lambda view: parameter.is_set and name not in view.consumed
        if parameter.type == "bool":
            return "boolean", lambda view: parameter.value
        if parameter.type != "vector2":
            return "number", lambda view: parameter.number()
        self.expect(".")
        coordinate = ("x", "y").index(self.next()[1])
        return "number", lambda view: parameter.number(coordinate)


class View:
    """What a condition sees: the state that the transition starts from, and the frame."""

    def __init__(self, layer, state, active, consumed):
        self.layer, self.state, self.active, self.consumed = layer, state, active, consumed

    def playback(self):
        leaf = self.layer.leaf()
        if leaf.kind != "empty" and self.layer.is_opaque:
            raise Unmodelled(f"a condition needs the time of {leaf.path}")
        return self.layer.playback

    def elapsed(self):
        return self.state.elapsed

    def time(self):
        playback = self.playback()
        return playback.time() if playback else 0.0

    def fraction(self):
        playback = self.playback()
        return playback.fraction() if playback else 0.0

    def loops(self):
        playback = self.playback()
        return playback.loops if playback else 0

    def finished(self):
        if self.layer.leaf().kind == "blend":
            return False
        playback = self.playback()
        return playback.finished if playback else False

    def past(self, least):
        playback = self.playback()
        return playback is not None and (playback.fraction() >= least or playback.reached_end)

    def marker(self, name):
        playback = self.playback()
        return playback is not None and name in playback.reached


# ---- The graph -----------------------------------------------------------------------------------------------------


class State:
    def __init__(self, graph, machine, path, data):
        self.machine, self.path, self.elapsed = machine, path, 0.0
        self.tags = data.get("tags", [])
        self.kind = next((kind for kind in ("clip", "blend", "states") if kind in data), "empty")
        self.clip = graph.clips[data["clip"]] if self.kind == "clip" else None
        self.loop, self.loop_count = data.get("loop", "repeat"), data.get("loopCount")
        self.speed = f32(data.get("speed", 1.0))
        self.speed_parameter = graph.parameters.get(data.get("speedParameter"))
        damped = self.speed_parameter is not None and self.speed_parameter.damping > 0.0
        self.is_synced = "sync" in data and self.loop == "repeat"
        self.is_opaque = self.kind == "blend" or self.is_synced or damped
        self.inner = Machine(graph, path, self, data) if self.kind == "states" else None

    def current_speed(self):
        return f32(self.speed * self.speed_parameter.number()) if self.speed_parameter else self.speed


class Transition:
    def __init__(self, name, machine, origin, data):
        self.name, self.machine = name, machine
        self.origin = machine.states[origin] if origin != "*" else None
        self.to = machine.states[data["to"]]
        self.when = data.get("when")
        self.to_self = data.get("toSelf", False)
        self.interrupt = data.get("interrupt", "always")
        self.duration, self.offset = f32(data.get("duration", 0.2)), f32(data.get("offset", 0.0))
        self.kind, self.match_rate = data.get("kind", "fade"), data.get("matchRate", False)
        self.condition = None


class Machine:
    def __init__(self, graph, path, outer, data):
        self.outer, self.current = outer, None
        self.states = {}
        for name, state in data["states"].items():
            if name == "//":
                continue
            self.states[name] = graph.states[f"{path}/{name}"] = State(graph, self, f"{path}/{name}", state)
        self.entry = self.states[data["entry"]] if "entry" in data else next(iter(self.states.values()))
        self.transitions = []
        for transition in data.get("transitions", []):
            origins = transition["from"] if isinstance(transition["from"], list) else [transition["from"]]
            for origin in origins:
                name = f"{path}#{len(self.transitions)}"
                self.transitions.append(Transition(name, self, origin, transition))


class Running:
    """The transition that runs in a layer; a forced one has no name."""

    def __init__(self, name, to, duration, interrupt):
        self.name, self.to, self.duration, self.interrupt, self.time = name, to, duration, interrupt, 0.0


class Layer:
    def __init__(self, graph, data):
        self.machine = Machine(graph, data["name"], None, data)
        self.is_additive = data.get("mode") == "additive"
        self.running = self.playback = None
        self.is_opaque = False
        self.fading = 0  # at most so many actions fade out
        # A mask leaves the curves that it does not name to the layers below.
        parts = data.get("mask", [])
        self.leaves_curves = "mask" in data and not any("curve" in part for part in (parts if isinstance(parts, list) else [parts]))
        self.settling = 0.0  # seconds until what plays is alone
        self.settled_steps = 1  # since then

    def path(self):
        """The active states, outermost first."""
        states, machine = [], self.machine
        while machine:
            states.append(machine.current)
            machine = machine.current.inner
        return states

    def leaf(self):
        return self.path()[-1]


def parse(text):
    graph = json.loads(text)
    assert graph["sinewGraph"] == 1
    return graph


class Graph:
    """A graph and one animator of it."""

    def __init__(self, text, clips, max_events, rest_curves):
        data = parse(text)
        self.clips, self.max_events = clips, max_events
        self.rest_curves, self.curves = rest_curves, dict(rest_curves)
        named = {name: value for name, value in data.get("parameters", {}).items() if name != "//"}
        self.parameters = {name: Parameter(value) for name, value in named.items()}
        self.states = {}
        self.layers = [Layer(self, layer) for layer in data["layers"]]
        for state in self.states.values():
            self.compile(state.machine)
        for layer in self.layers:
            self.enter(layer, layer.machine.entry)
            self.play(layer, layer.leaf(), 0.0, False)
        self.events, self.dropped = [], 0

    def compile(self, machine):
        for transition in machine.transitions:
            if transition.when is not None and transition.condition is None:
                transition.condition = Condition(transition.when, self)

    # ---- A frame ----

    def report(self, what, layer, path, transition="-"):
        if len(self.events) < self.max_events:
            self.events.append(f"{what} {self.layers.index(layer)} {path} {transition}")
        else:
            self.dropped += 1

    def update(self, dt):
        self.advance(dt)
        for layer in self.layers:
            if layer.playback:
                layer.playback.advance(dt)
            layer.settling -= dt
            layer.settled_steps = layer.settled_steps + 1 if layer.settling < -1e-3 and dt > 0.0 else 0

    def known_curves(self):
        """The curves, if only one clip of the base affects them; else None."""
        base, *others = self.layers
        if base.is_opaque or not base.playback:
            return None
        # An inertialization of any layer sets the duration of a running one.
        if any(layer.settled_steps == 0 for layer in self.layers):
            return None
        if not all(layer.leaves_curves for layer in others):
            return None
        clip, time = base.playback.clip, base.playback.time()
        return [clip.curve(name, time, rest) for name, rest in self.rest_curves.items()]

    def advance(self, dt):
        self.events, self.dropped = [], 0
        for parameter in self.parameters.values():
            parameter.begin_step(dt)
        active = {state for layer in self.layers for state in layer.path()}
        for layer in self.layers:
            self.take_transitions(layer, active)
        for layer in self.layers:
            self.pass_time(layer, dt)
        for parameter in self.parameters.values():
            parameter.end_step(dt)
        for layer in self.layers:
            if layer.playback:
                layer.playback.set_speed(layer.leaf().current_speed())

    def pass_time(self, layer, dt):
        for state in layer.path():
            state.elapsed = f32(state.elapsed + dt)
        if not layer.running:
            return
        layer.running.time = f32(layer.running.time + dt)
        if layer.running.time >= layer.running.duration:
            self.end_running(layer)
            layer.fading = 0

    def end_running(self, layer):
        if layer.running:
            self.report("ended", layer, layer.running.to.path, layer.running.name)
        layer.running = None

    def take_transitions(self, layer, active):
        consumed, last, late = set(), None, 0.0
        finished_late = layer.playback.late if layer.playback else 0.0
        outermost = len(layer.path())
        for _ in range(MAX_HOPS):
            transition = self.find_transition(layer, active, consumed)
            if not transition:
                break
            if transition.condition:
                names = transition.condition.triggers
                consumed.update(name for name in names if self.parameters[name].is_set)
                if not last and transition.condition.reads_finished:
                    late = finished_late
            outermost = min(outermost, layer.path().index(transition.machine.current))
            running = Running(transition.name, transition.to, transition.duration, transition.interrupt)
            self.follow(layer, transition.machine, transition.to, running)
            self.play(layer, layer.leaf(), transition.offset, transition.match_rate)
            last = transition
        else:
            if self.find_transition(layer, active, consumed):
                self.report("cycle", layer, layer.leaf().path)
        for name in consumed:
            self.parameters[name].is_consumed = True
        if last:
            self.play(layer, layer.leaf(), last.offset, last.match_rate, late)
            self.count_actions(layer, last.kind, last.duration)
            self.hand_on(layer, outermost, late)

    @staticmethod
    def hand_on(layer, outermost, late):
        """What follows a clip that has finished within the last step began then."""
        for state in layer.path()[outermost:]:
            state.elapsed = f32(state.elapsed + late)
        layer.running.time = f32(layer.running.time + late)

    def find_transition(self, layer, active, consumed):
        for transition, state in self.candidates(layer):
            view = View(layer, state, active, consumed)
            if transition.condition is None or transition.condition.holds(view):
                return transition
        return None

    @staticmethod
    def candidates(layer):
        """The transitions that the layer may take, in order, each with the state that it starts from."""
        interrupt = layer.running.interrupt if layer.running else "always"
        if interrupt == "never":
            return
        machines = [state.machine for state in layer.path()]
        for machine in machines:
            for transition in machine.transitions:
                enters_again = transition.to is machine.current and not transition.to_self
                if transition.origin is None and not enters_again:
                    yield transition, machine.current
        if interrupt == "anyState":
            return
        for machine in reversed(machines):
            for transition in machine.transitions:
                if transition.origin is machine.current:
                    yield transition, machine.current

    def follow(self, layer, machine, to, running):
        """Leaves the current state of a machine and enters another one."""
        self.end_running(layer)
        path = layer.path()
        for state in reversed(path[path.index(machine.current):]):
            self.report("left", layer, state.path)
        self.report("started", layer, running.to.path, running.name)
        for state in self.enter(layer, to):
            self.report("entered", layer, state.path)
        layer.running = running

    @staticmethod
    def enter(layer, state, inner=()):
        """Makes a state current, and those that it contains: `inner`, or the entry states. Returns all of them."""
        entered, inner = [], list(inner)
        while state:
            state.machine.current = state
            state.elapsed = 0.0
            entered.append(state)
            next_state = inner.pop(0) if inner else state.inner.entry if state.inner else None
            state = next_state
        return entered

    @staticmethod
    def play(layer, leaf, offset, match_rate, late=0.0):
        """Starts what a leaf plays."""
        layer.is_opaque = leaf.kind != "empty" and (leaf.is_opaque or match_rate)
        layer.playback = None
        if leaf.kind == "clip" and not layer.is_opaque:
            layer.playback = Playback(leaf.clip, leaf, leaf.current_speed(), offset, late)

    def count_actions(self, layer, kind, duration):
        """A mixer has 64 actions. Those of additive layers are not evicted; if they fill it, others are."""
        layer.settling, layer.settled_steps = max(layer.settling, duration), 0
        layer.fading = layer.fading + 1 if kind == "fade" and duration > 0.0 or layer.is_additive else 0
        if sum(other.fading + 1 for other in self.layers if other.is_additive) > 60:
            raise Unmodelled("actions of additive layers fill the mixer")

    def force(self, path, kind, duration):
        target = self.states[path]
        chain = [target]  # the target and the states that contain it, outermost first
        while chain[0].machine.outer:
            chain.insert(0, chain[0].machine.outer)
        layer = next(layer for layer in self.layers if layer.machine is chain[0].machine)
        depth = 0  # depth of the outermost machine with another current state, or of the target's
        while chain[depth] is not target and chain[depth].machine.current is chain[depth]:
            depth += 1
        running = Running("-", target, f32(duration), "always")
        self.end_running(layer)
        active = layer.path()
        for state in reversed(active[depth:]):
            self.report("left", layer, state.path)
        self.report("started", layer, target.path)
        for state in self.enter(layer, chain[depth], chain[depth + 1:]):
            self.report("entered", layer, state.path)
        layer.running = running
        self.play(layer, layer.leaf(), 0.0, False)
        self.count_actions(layer, kind, duration)

    # ---- Output ----

    def describe_layer(self, layer):
        path, running = layer.path(), layer.running
        progress = f32(running.time / running.duration) if running and running.duration > 0.0 else 1.0
        fields = [path[-1].path, running.name if running else "-", "%.9g" % min(progress, 1.0),
                  " ".join("%.9g" % state.elapsed for state in path)]
        if layer.is_opaque:
            return fields + ["?", "?"]
        playback = layer.playback
        time, fraction = (playback.time(), playback.fraction()) if playback else (0.0, 0.0)
        return fields + ["%.9g" % time, "%.9g" % fraction]

    @staticmethod
    def describe_parameter(name, parameter):
        if parameter.type == "trigger" or parameter.type == "bool":
            return f"{name} {int(parameter.is_set if parameter.type == 'trigger' else parameter.value)}"
        if parameter.type == "int":
            return f"{name} {parameter.value}"
        mark = "~" if parameter.damping > 0.0 or parameter.type == "transform" else ""
        numbers = [parameter.number(i) for i in range(len(parameter.coordinates))]
        if parameter.type == "transform":
            if sum(number * number for number in numbers[3:]) < 0.01:
                return "?"  # the rotation's direction would be too inexact to compare
            numbers[3:] = unit(numbers[3:])
        return " ".join([name, *(mark + "%.9g" % number for number in numbers)])

    def describe(self, tags):
        """The fields of a line: what a step or a forced state leaves."""
        known = self.known_curves()
        fields = ["%.9g" % value for value in known] if known else ["?"] * len(self.rest_curves)
        fields += [field for layer in self.layers for field in self.describe_layer(layer)]
        active = {tag for layer in self.layers for state in layer.path() for tag in state.tags}
        fields.append("".join("01"[tag in active] for tag in tags))
        fields += [self.describe_parameter(name, parameter) for name, parameter in self.parameters.items()]
        fields.append(f"events {len(self.events)} dropped {self.dropped}")
        return fields + self.events
