// SPDX-License-Identifier: MIT
// The studio's graph document: node graph_document.mjs PACKAGE MODELS. Random text edits match edits of the value,
// undo returns to the same text, and invalid texts are kept.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { modelPath } from './common.mjs';
import { EDITS, UPPER, WRITTEN, hero, open, parameter, state, transition } from './graph_written.mjs';

// ---- Random edits ------------------------------------------------------------------------------------------------

function randomOf(seed) {
    let now = seed;
    return (below) => {
        now = (Math.imul(now, 1664525) + 1013904223) >>> 0;
        return Math.floor((now / 2 ** 32) * below);
    };
}

// A random edit of a document, and the same of the value that its text has. Keys of the value stay in their order.
function editBoth(document, value, random) {
    const pick = (list) => list[random(list.length)],
        name = `N${random(1e6)}`;
    const machines = [
        ...value.layers.map((layer) => [layer.name, layer]),
        ...value.layers.flatMap((layer) =>
            Object.entries(layer.states)
                .filter(([, one]) => one.states)
                .map(([key, one]) => [`${layer.name}/${key}`, one]),
        ),
    ];
    const [path, machine] = pick(machines),
        states = Object.keys(machine.states).filter((key) => key !== '//'),
        one = pick(states);
    machine.transitions ??= [];
    const { transitions } = machine,
        index = random(transitions.length),
        at = { kind: 'transition', machine: path, index };
    const set = (target, element, key, to) => {
        document.set(target, key, to);
        if (to === undefined) delete element[key];
        else element[key] = to;
    };
    const kinds = [
        () => {
            document.addState(path, name, { clip: 'Idle' });
            machine.states[name] = { clip: 'Idle' };
        },
        () => {
            const added = { from: one, to: pick(states), duration: random(9) / 8 },
                to = random(transitions.length + 1);
            document.addTransition(path, added, to);
            transitions.splice(to, 0, added);
        },
        () => {
            document.addParameter(name, { type: 'int' });
            value.parameters[name] = { type: 'int' };
        },
        () => set(state(`${path}/${one}`), machine.states[one], 'tags', pick([[], ['a'], ['a', 'b'], undefined])),
        () => set({ kind: 'machine', path }, machine, 'entry', pick([one, undefined])),
        ...(transitions.length === 0
            ? []
            : [
                  () => set(at, transitions[index], 'when', pick(['true', 'elapsed > 1', undefined])),
                  () => set(at, transitions[index], 'duration', pick([0, 0.1, undefined])),
                  () => set(at, transitions[index], 'offset', pick([0.5, undefined])),
                  () => {
                      const to = random(transitions.length);
                      document.moveTransition(at, to);
                      transitions.splice(to, 0, ...transitions.splice(index, 1));
                  },
                  () => {
                      document.remove(at);
                      transitions.splice(index, 1);
                  },
              ]),
        ...(states.length < 2 || machine.states[one].states ? [] : [() => removeBoth(document, path, machine, one)]),
    ];
    pick(kinds)();
    if (transitions.length === 0 && !document.get({ kind: 'machine', path }, 'transitions')) delete machine.transitions;
}

function removeBoth(document, path, machine, name) {
    document.remove(state(`${path}/${name}`));
    delete machine.states[name];
    if (machine.entry === name) delete machine.entry;
    machine.transitions = machine.transitions
        .filter(({ from, to }) => to !== name && from !== name)
        .flatMap((one) => {
            if (!Array.isArray(one.from)) return [one];
            const from = one.from.filter((each) => each !== name);
            return from.length > 0 ? [{ ...one, from }] : [];
        });
}

test('random edits equal those of the value, and are undone', () => {
    for (let seed = 1; seed <= 30; seed++) {
        const random = randomOf(seed),
            start = seed % 2 ? WRITTEN : hero,
            document = open(start),
            value = JSON.parse(start),
            texts = [start];
        for (let i = 0; i < 60; i++) {
            editBoth(document, value, random);
            assert.deepEqual(JSON.parse(document.text), value, `seed ${seed}, edit ${i}`);
            if (document.text !== texts.at(-1)) texts.push(document.text);
        }
        assert.ok(texts.length > 30);
        for (const text of texts.slice(0, -1).reverse()) {
            assert.ok(document.canUndo && document.undo());
            assert.equal(document.text, text);
        }
        assert.ok(!document.canUndo && !document.undo());
        for (const text of texts.slice(1)) {
            assert.ok(document.canRedo && document.redo());
            assert.equal(document.text, text);
        }
        assert.ok(!document.canRedo && !document.redo());
    }
});

// ---- Steps -------------------------------------------------------------------------------------------------------

test('typing in one field is one step', () => {
    const document = open(WRITTEN),
        typing = { typing: true };
    for (const when of ['s', 'sp', 'speed', 'speed > 1']) document.set(transition(0), 'when', when, typing);
    for (const when of ['f', 'finished']) document.set(transition(2), 'when', when, typing);
    document.endTyping();
    for (const when of ['', 'n == 2']) document.set(transition(2), 'when', when, typing);
    document.set(transition(2), 'duration', 1);
    document.set(transition(2), 'duration', 2);
    const wheres = [];
    while (document.undo())
        wheres.push(
            [0, 2].map((i) => document.get(transition(i), 'when')).concat(document.get(transition(2), 'duration')),
        );
    assert.deepEqual(wheres, [
        ['speed > 1', 'n == 2', 1],
        ['speed > 1', 'n == 2', undefined],
        ['speed > 1', 'finished', undefined],
        ['speed > 0.1 && !in_state("Base/Jump")', 'finished', undefined],
    ]);
    document.redo();
    document.set(transition(0), 'when', 'n == 1', typing); // not part of what is redone
    document.undo();
    assert.equal(document.get(transition(0), 'when'), 'speed > 1');
    assert.ok(document.canRedo);
    const { text } = document;
    document.set(transition(0), 'duration', 3);
    assert.ok(!document.canRedo && document.undo());
    assert.equal(document.text, text);
});

test('typing that returns to its start is no step', () => {
    const document = open(WRITTEN);
    for (const text of [`${WRITTEN} `, `${WRITTEN}  `, WRITTEN]) document.setText(text, { typing: true });
    assert.ok(!document.canUndo);
    document.setText(`${WRITTEN}\n`);
    document.setText(`${WRITTEN}\n`);
    assert.ok(document.undo() && !document.canUndo);
});

test('the last valid graph stays while the text is invalid', () => {
    const document = open(WRITTEN),
        { graph } = document;
    let changes = 0;
    document.addEventListener('changed', () => changes++);
    document.setText(WRITTEN.replace('"sinewGraph": 1,', '"sinewGraph": 1'), { typing: true });
    assert.deepEqual(document.error, { message: "',' or '}' is expected", line: 4, column: 3 });
    assert.deepEqual([document.canEdit, document.outline, document.graph, graph.disposed], [false, null, graph, false]);
    assert.equal(document.get(state('Base/Idle')), undefined);
    assert.equal(document.positionOf(state('Base/Idle')), null);
    for (const edit of EDITS.map(([, one]) => one))
        assert.throws(() => edit(document), /the text isn't JSON: ',' or '}' is expected/);
    assert.equal(changes, 1);
    document.setText(WRITTEN.replace('jump ||', 'jum ||'), { typing: true });
    const before = WRITTEN.slice(0, WRITTEN.indexOf('jump ||')).split('\n'),
        line = before.length,
        column = before.at(-1).length + 1;
    assert.deepEqual(document.error, { message: 'no parameter is named "jum"; did you mean "jump"?', line, column });
    assert.ok(document.canEdit && document.graph === graph);
    document.set(transition(1), 'when', 'jump');
    assert.deepEqual([document.error, graph.disposed, document.graph.disposed], [null, true, false]);
    assert.deepEqual([document.graph.transitions[1].when, changes], ['jump', 3]);
    document.undo();
    assert.deepEqual([document.error.line, document.graph.disposed], [line, false]);
});

test('a text that is no graph at first has no graph', () => {
    for (const text of [
        '',
        '{',
        '[]',
        '7',
        'null',
        '{"layers": 3}',
        '{"layers": [1, {"states": {"a": 7}, "transitions": [null, {"from": 1, "to": {}}]}]}',
    ]) {
        const document = open(text);
        assert.ok(document.error && document.graph === null, text);
        for (const edit of EDITS.map(([, one]) => one)) {
            const before = document.text;
            try {
                edit(document);
                JSON.parse(document.text);
            } catch (error) {
                assert.equal(error.constructor, Error, `${text}: ${edit}: ${error.stack}`);
                assert.equal(document.text, before);
            }
        }
        document.setText(WRITTEN);
        assert.ok(document.graph && document.error === null);
    }
});

// ---- Refused edits -----------------------------------------------------------------------------------------------

test('edits that cannot be are refused, and change nothing', () => {
    const document = open(WRITTEN),
        edits = [
            [(d) => d.set(state('Base/Fly'), 'clip', 'Fly'), /no state Base\/Fly/],
            [(d) => d.set(transition(3), 'when', 'true'), /no transition Base 3/],
            [(d) => d.set(transition(0, 'Lower'), 'when', 'true'), /no transition Lower 0/],
            [(d) => d.remove(parameter('toString')), /no parameter toString/],
            [(d) => d.rename(parameter('speed'), 'n'), /another parameter is named "n"/],
            [(d) => d.rename(state('Base/Idle'), 'Move'), /another state is named "Move"/],
            [(d) => d.rename(UPPER, 'Base'), /another layer is named "Base"/],
            [(d) => d.addState('Base', 'Idle'), /another state is named "Idle"/],
            [(d) => d.addState('Middle', 'Idle'), /no machine Middle/],
            [(d) => d.addLayer('Upper', { states: { A: {} } }), /another layer/],
            [(d) => d.remove(state('Upper/None')), /None is the only state/],
        [(d) => d.remove({ kind: 'machine', path: 'Upper' }), /a machine can't be removed/],
        [(d) => d.remove({ kind: 'graph' }), /a graph can't be removed/],
        [(d) => d.rename(transition(0), 'First'), /a transition has no name/],
            [(d) => d.set(parameter('speed'), 'default', NaN), /NaN isn't a JSON number/],
            [(d) => d.set(parameter('speed'), 'range', [-Infinity, 1]), /-Infinity isn't a JSON number/],
            ...['', '*', 'a/b', '//'].map((name) => [
                (d) => d.rename(state('Base/Idle'), name),
                /isn't a valid name for a state/,
            ]),
            ...['', 'a b', '1a', 'ä', 'time', 'in_state', 'And', 'NOT', 'a.b'].map((name) => [
                (d) => d.addParameter(name, { type: 'bool' }),
                /isn't a valid name for a parameter/,
            ]),
        ];
    document.addEventListener('changed', () => assert.fail('changed'));
    for (const [edit, error] of edits) assert.throws(() => edit(document), error, String(edit));
    assert.deepEqual([document.text, document.canUndo], [WRITTEN, false]);
    const small = open('{"sinewGraph":1,"layers":[{"name":"Base","states":{"A":{}}}]}');
    assert.throws(() => small.remove({ kind: 'layer', name: 'Base' }), /Base is the only layer/);
});

test('a name in one machine may be in another', () => {
    const document = open(WRITTEN);
    document.addState('Upper', 'Idle');
    document.rename(state('Base/Jump'), 'None');
    assert.deepEqual(
        [document.error, document.get(transition(1), 'to'), document.get(state('Upper/None'))],
        [null, 'None', {}],
    );
});

// ---- Reading -----------------------------------------------------------------------------------------------------

test('elements have values and positions', () => {
    const document = open(WRITTEN),
        textAt = (target, key) => {
            const { start, end, line, column } = document.positionOf(target, key),
                before = WRITTEN.slice(0, start).split('\n');
            assert.deepEqual([line, column], [before.length, before.at(-1).length + 1]);
            return WRITTEN.slice(start, end);
        };
    assert.equal(textAt(state('Base/Jump')), '"Jump": { "clip": "Jump", "loop": "once", "tags": [ "air" ] }');
    assert.equal(textAt(state('Base/Jump'), 'tags'), '[ "air" ]');
    assert.equal(textAt(transition(1), 'when'), '"jump || speed<3&&n==1"');
    assert.equal(textAt(parameter('speed')), '"speed": {"type":"float", "range":[0, 6.00]}');
    assert.equal(textAt(UPPER), '{ "name": "Upper", "weightParameter": "speed", "states": {"None": {}} }');
    assert.equal(document.positionOf(state('Base/Jump'), 'speed'), null);
    assert.deepEqual(document.get(parameter('speed')), { type: 'float', range: [0, 6] });
    assert.deepEqual([document.get(transition(1), 'from'), document.get(transition(9))], [['Idle', 'Move'], undefined]);
});

test('the outline has the elements of the loaded graph, in their order', () => {
    for (const text of [WRITTEN, hero, readFileSync(modelPath('../tests/graph/samples/every_key.graph.json'), 'utf8')]) {
        const { outline, graph } = open(text),
            { states, transitions, machines, layers, parameters } = outline;
        assert.deepEqual(
            states.map(({ path }) => path),
            graph.states.map(({ path }) => path),
        );
        assert.deepEqual(
            states.map(({ machine, submachine }) => [machine, submachine]),
            graph.states.map(({ machine, submachine }) => [machine, submachine]),
        );
        const nameOf = (index) => graph.states[index]?.name ?? '*';
        assert.deepEqual(
            transitions.map(({ from, to, machine, isAny }) => [from, to, machine, isAny]),
            graph.transitions.map(({ from, to, machine }) => [nameOf(from), nameOf(to), machine, from < 0]),
        );
        assert.deepEqual(
            machines.map((one) => one.state),
            graph.machines.map((one) => one.state),
        );
        assert.deepEqual(
            [layers, parameters].map((list) => list.map(({ name }) => name)),
            [graph.layers, graph.parameters].map((list) => list.map(({ name }) => name)),
        );
        for (const [elements, loaded] of [
            [states, graph.states],
            [transitions, graph.transitions],
            [parameters, graph.parameters],
            [layers, graph.layers],
        ]) {
            assert.deepEqual(
                elements.map(({ target }) => outline.positionOf(target).line),
                loaded.map(({ line }) => line),
            );
        }
    }
});

// ---- Hostile and large texts -------------------------------------------------------------------------------------

test('texts that are nested deeply, or long, are read', () => {
    const deep = open(`${'['.repeat(2e5)}${']'.repeat(2e5)}`);
    assert.ok(deep.canEdit && /nested too deeply/.test(deep.error.message));
    const machines = open(
        `{"sinewGraph":1,"layers":[{"name":"L","states":${'{"A":{"states":'.repeat(100)}{"A":{}}${'}}'.repeat(100)}}]}`,
    );
    assert.match(machines.error.message, /machines can be nested/);
    machines.rename(state('L/A'), 'B');
    assert.match(machines.text, /"states":\{"B":\{"states":\{"A"/);
    const long = open(WRITTEN.replace('"lines"', `"${'ü\\n'.repeat(1e6)}"`));
    long.set(transition(0), 'duration', 1);
    assert.deepEqual([long.error, long.graph.transitions[0].duration], [null, 1]);
});

test('keys and names that JavaScript treats specially', () => {
    const document = open(
        '{"sinewGraph":1,"layers":[{"name":"2","states":{"10":{},"__proto__":{},"9":{},"constructor":{}},"transitions":[{"from":"__proto__","to":"9"}]}]}',
    );
    document.addState('2', '1');
    document.set(state('2/__proto__'), 'clip', 'Idle');
    document.rename(state('2/9'), '__proto__2');
    document.remove(state('2/constructor'));
    assert.equal(
        document.text,
        '{"sinewGraph":1,"layers":[{"name":"2","states":{"10":{},"__proto__":{"clip":"Idle"},"__proto__2":{},"1":{}},"transitions":[{"from":"__proto__","to":"__proto__2"}]}]}',
    );
    assert.deepEqual(
        [document.error, document.graph.states.map(({ name }) => name)],
        [null, ['10', '__proto__', '__proto__2', '1']],
    );
});

// The times are printed, and not asserted.
test('a graph of 500 states is edited', () => {
    const states = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`S${i}`, { clip: 'Idle', loop: 'once' }]));
    const transitions = Object.keys(states).flatMap((name, i) => [
        { from: name, to: `S${(i + 1) % 500}`, when: 'go' },
        { from: name, to: `S${(7 * i + 3) % 500}`, when: `speed > ${i % 5} && !in_state('Base/${name}')` },
    ]);
    const parameters = { go: { type: 'trigger' }, speed: { type: 'float', range: [0, 6] } };
    const document = open(
        JSON.stringify({ sinewGraph: 1, parameters, layers: [{ name: 'Base', states, transitions }] }, null, 2),
    );
    for (const [what, edit] of [
        ['a condition', () => document.set(transition(500), 'when', 'speed > 2')],
        ['a state', () => document.rename(state('Base/S7'), 'Seven')],
        ['a parameter', () => document.rename(parameter('speed'), 'pace')],
        ['a layer', () => document.rename({ kind: 'layer', name: 'Base' }, 'B')],
        ['a removal', () => document.remove(state('B/S8'))],
        ['undo', () => document.undo()],
    ]) {
        const start = performance.now();
        edit();
        console.log(`${what}: ${(performance.now() - start).toFixed(1)} ms`);
        assert.equal(document.error, null);
    }
    assert.equal(document.text.match(/Seven/g).length, 6); // its name, two transitions from it and two to it, and a condition
    assert.equal(document.graph.states.length, 500);
});

test('steps are dropped after many, the oldest first', () => {
    const document = open(WRITTEN);
    for (let i = 0; i < 250; i++) document.set(transition(0), 'duration', i);
    let steps = 0;
    while (document.undo()) steps++;
    assert.deepEqual([steps, document.get(transition(0), 'duration')], [199, 50]);
});
