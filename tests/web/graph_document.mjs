// SPDX-License-Identifier: MIT
// Edits of a graph's text in the studio: node graph_document.mjs PACKAGE MODELS. What is not edited stays as it is written,
// and undo returns to the same text.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { loadSinew, modelPath, packagePath } from './common.mjs';
import { makeStudioFolder } from './studio_folder.mjs';

const { load } = await makeStudioFolder(packagePath('.'));
const { GraphDocument } = await load('graph_document.js');
const sinew = await loadSinew();
const hero = readFileSync(modelPath('hero.graph.json'), 'utf8');
const open = (text) => new GraphDocument(text, (one) => sinew.loadGraph(one));

// As someone writes it: comments, several styles, numbers and escapes that JSON.stringify would write otherwise.
const WRITTEN = `{
  "//": ["two", "lines"],
  "sinewGraph": 1,
  "parameters": {
    "//": "inputs",
    "speed": {"type":"float", "range":[0, 6.00]},
    "n": { "type": "int" },
    "jump": { "type": "trigger", "hold": 1.5e-1 }
  },
  "layers": [
    { "name": "Base",
      "states": {
        "Idle": { "clip": "Idle", "//": "h\\u00e4lt" },
        "Move": {
          "blend": { "x": "speed", "samples": [ { "clip": "Idle" }, { "clip": "Run", "x": 3 } ] }
        },
        "Jump": { "clip": "Jump", "loop": "once", "tags": [ "air" ] }
      },
      "transitions": [
        { "from": "Idle", "to": "Move", "when": "speed > 0.1 && !in_state(\\"Base/Jump\\")" },
        { "from": ["Idle", "Move"], "to": "Jump", "when": "jump || speed<3&&n==1" },

        { "//": "lands",
          "from": "Jump", "to": "Idle", "when": "finished" }
      ]
    },
    { "name": "Upper", "weightParameter": "speed", "states": {"None": {}} }
  ]
}
`;
const state = (path) => ({ kind: 'state', path });
const transition = (index, machine = 'Base') => ({ kind: 'transition', machine, index });
const parameter = (name) => ({ kind: 'parameter', name });
const BASE = { kind: 'machine', path: 'Base' }, UPPER = { kind: 'layer', name: 'Upper' };

// The text with the first occurrence of each key replaced.
function replaced(text, changes) {
    for (const [from, to] of Object.entries(changes)) {
        assert.ok(text.includes(from), from);
        text = text.replace(from, () => to);
    }
    return text;
}

// [the edit, what it changes in WRITTEN, whether the graph is invalid afterwards]
const EDITS = [
    ['a condition', (d) => d.set(transition(0), 'when', 'speed >= 0.2'), { '"speed > 0.1 && !in_state(\\"Base/Jump\\")"': '"speed >= 0.2"' }],
    ['a condition that is added', (d) => { d.set(transition(2), 'when', undefined); d.set(transition(2), 'when', 'past(0.5)'); }, { '"to": "Idle", "when": "finished"': '"to": "Idle", "when": "past(0.5)"' }],
    ['no condition', (d) => d.set(transition(0), 'when', undefined), { ', "when": "speed > 0.1 && !in_state(\\"Base/Jump\\")"': '' }],
    ['a duration', (d) => d.set(transition(0), 'duration', 0.25), { 'Jump\\")" }': 'Jump\\")", "duration": 0.25 }' }],
    ['a kind and a curve', (d) => d.update(transition(0), { kind: 'inertialize', curve: 'linear' }), { 'Jump\\")" }': 'Jump\\")", "kind": "inertialize", "curve": "linear" }' }],
    ['offset and interrupt', (d) => d.update(transition(2), { offset: 0.5, interrupt: 'never' }), { '"finished" }': '"finished", "offset": 0.5, "interrupt": "never" }' }],
    ['any state, and to itself', (d) => d.update(transition(2), { from: '*', toSelf: true }), { '"from": "Jump", "to": "Idle", "when": "finished" }': '"from": "*", "to": "Idle", "when": "finished", "toSelf": true }' }],
    ['a list of sources', (d) => d.set(transition(2), 'from', ['Jump', 'Move']), { '"from": "Jump"': '"from": ["Jump", "Move"]' }],
    ['a clip', (d) => d.set(state('Base/Idle'), 'clip', 'Breathe'), { '"Idle": { "clip": "Idle", "//"': '"Idle": { "clip": "Breathe", "//"' }],
    ['a speed', (d) => d.set(state('Base/Idle'), 'speed', -1.5), { '"h\\u00e4lt" }': '"h\\u00e4lt", "speed": -1.5 }' }],
    ['a loop', (d) => d.set(state('Base/Jump'), 'loop', 'pingPong'), { '"once"': '"pingPong"' }],
    ['tags', (d) => d.set(state('Base/Jump'), 'tags', ['air', 'fünf']), { '[ "air" ]': '["air", "fünf"]' }],
    ['no tags', (d) => d.set(state('Base/Jump'), 'tags', undefined), { ', "tags": [ "air" ]': '' }],
    ['a clip in place of a blend space', (d) => d.set(state('Base/Move'), 'clip', 'Run'), { '{\n          "blend": { "x": "speed", "samples": [ { "clip": "Idle" }, { "clip": "Run", "x": 3 } ] }\n        }': '{ "clip": "Run" }' }],
    ['an empty state', (d) => d.set(state('Base/Jump'), 'clip', undefined), { '{ "clip": "Jump", "loop": "once", "tags": [ "air" ] }': '{ "tags": [ "air" ] }' }],
    ['a machine in place of a clip', (d) => d.set(state('Base/Jump'), 'states', { Up: { clip: 'Jump' } }), { '{ "clip": "Jump", "loop": "once", "tags": [ "air" ] }': '{ "tags": [ "air" ], "states": { "Up": { "clip": "Jump" } } }' }],
    ['a range', (d) => d.set(parameter('speed'), 'range', [0, 7]), { '[0, 6.00]': '[0, 7]' }],
    ['a default', (d) => d.set(parameter('speed'), 'default', 0.5), { '"range":[0, 6.00]}': '"range":[0, 6.00], "default": 0.5}' }],
    ['a type', (d) => d.set(parameter('jump'), 'type', 'bool'), { '{ "type": "trigger", "hold": 1.5e-1 }': '{ "type": "bool" }' }],
    ['an entry', (d) => d.set(BASE, 'entry', 'Move'), { '"finished" }\n      ]': '"finished" }\n      ],\n      "entry": "Move"' }],
    ['a mode and a weight', (d) => d.update(UPPER, { mode: 'additive', weight: 0.5, weightParameter: undefined }), { ', "weightParameter": "speed", "states": {"None": {}} }': ', "states": {"None": {}}, "mode": "additive", "weight": 0.5 }' }],

    ['a renamed state', (d) => assert.deepEqual(d.rename(state('Base/Jump'), 'Hüpf'), state('Base/Hüpf')), { '"Jump": { "clip"': '"Hüpf": { "clip"', '\\"Base/Jump\\"': '\'Base/Hüpf\'', '"to": "Jump"': '"to": "Hüpf"', '"from": "Jump"': '"from": "Hüpf"' }],
    ['a renamed source of several', (d) => d.rename(state('Base/Move'), 'Go'), { '"Move": {': '"Go": {', '"to": "Move"': '"to": "Go"', '["Idle", "Move"]': '["Idle", "Go"]' }],
    ['a renamed parameter', (d) => assert.deepEqual(d.rename(parameter('speed'), 'pace'), parameter('pace')), { '"speed": {': '"pace": {', '"x": "speed"': '"x": "pace"', '"speed > 0.1 && !in_state(\\"Base/Jump\\")"': '"pace > 0.1 && !in_state(\\"Base/Jump\\")"', 'jump || speed<3&&n==1': 'jump || pace<3&&n==1', '"weightParameter": "speed"': '"weightParameter": "pace"' }],
    ['a renamed layer', (d) => d.rename({ kind: 'layer', name: 'Base' }, 'Körper'), { '"name": "Base"': '"name": "Körper"', '\\"Base/Jump\\"': '\'Körper/Jump\'' }],

    ['an added state', (d) => assert.deepEqual(d.addState('Base', 'Fall', { clip: 'Jump', speed: 0.5 }), state('Base/Fall')), { '"tags": [ "air" ] }': '"tags": [ "air" ] },\n        "Fall": { "clip": "Jump", "speed": 0.5 }' }],
    ['an added empty state', (d) => d.addState('Upper', 'Wave'), { '{"None": {}}': '{"None": {}, "Wave": {}}' }],
    ['an added transition', (d) => assert.deepEqual(d.addTransition('Base', { from: 'Move', to: 'Idle', when: 'speed <= 0.1' }), transition(3)), { '"finished" }': '"finished" },\n        { "from": "Move", "to": "Idle", "when": "speed <= 0.1" }' }],
    ['a transition before others', (d) => d.addTransition('Base', { from: '*', to: 'Idle', when: 'n == 3' }, 0), { '        { "from": "Idle", "to": "Move"': '        { "from": "*", "to": "Idle", "when": "n == 3" },\n        { "from": "Idle", "to": "Move"' }],
    ['a first transition', (d) => d.addTransition('Upper', { from: 'None', to: 'None' }), { '{"None": {}} }': '{"None": {}}, "transitions": [\n      { "from": "None", "to": "None" }\n    ] }' }],
    ['an added parameter', (d) => assert.deepEqual(d.addParameter('armed', { type: 'bool' }), parameter('armed')), { '"hold": 1.5e-1 }': '"hold": 1.5e-1 },\n    "armed": { "type": "bool" }' }],
    ['an added layer', (d) => d.addLayer('Face', { weight: 0.5, states: { None: {} } }), { '{"None": {}} }': `{"None": {}} },
    {
      "name": "Face",
      "weight": 0.5,
      "states": { "None": {} }
    }` }],

    ['a removed state', (d) => d.remove(state('Base/Jump')), { ',\n        "Jump": { "clip": "Jump", "loop": "once", "tags": [ "air" ] }': '', ',\n        { "from": ["Idle", "Move"], "to": "Jump", "when": "jump || speed<3&&n==1" },\n\n        { "//": "lands",\n          "from": "Jump", "to": "Idle", "when": "finished" }': '' }, /in_state|Base\/Jump/],
    ['a removed source', (d) => d.remove({ ...transition(1), source: 0 }), { '["Idle", "Move"]': '["Move"]' }],
    ['a removed transition', (d) => d.remove(transition(1)), { ',\n        { "from": ["Idle", "Move"], "to": "Jump", "when": "jump || speed<3&&n==1" }': '' }],
    ['a removed first transition', (d) => d.remove(transition(0)), { '{ "from": "Idle", "to": "Move", "when": "speed > 0.1 && !in_state(\\"Base/Jump\\")" },\n        ': '' }],
    ['a removed parameter', (d) => d.remove(parameter('n')), { ',\n    "n": { "type": "int" }': '' }, /no parameter is named "n"/],
    ['a removed layer', (d) => d.remove(UPPER), { ',\n    { "name": "Upper", "weightParameter": "speed", "states": {"None": {}} }': '' }],
    ['a transition that is moved down', (d) => assert.deepEqual(d.moveTransition(transition(0), 1), transition(1)), { '{ "from": "Idle", "to": "Move", "when": "speed > 0.1 && !in_state(\\"Base/Jump\\")" },\n        { "from": ["Idle", "Move"], "to": "Jump", "when": "jump || speed<3&&n==1" },': '{ "from": ["Idle", "Move"], "to": "Jump", "when": "jump || speed<3&&n==1" },\n        { "from": "Idle", "to": "Move", "when": "speed > 0.1 && !in_state(\\"Base/Jump\\")" },' }],
    ['a transition that is moved to the front', (d) => assert.deepEqual(d.moveTransition(transition(2), -7), transition(0)), { '{ "from": "Idle", "to": "Move", "when": "speed > 0.1 && !in_state(\\"Base/Jump\\")" },\n        { "from": ["Idle", "Move"], "to": "Jump", "when": "jump || speed<3&&n==1" },\n\n        { "//": "lands",\n          "from": "Jump", "to": "Idle", "when": "finished" }': '{ "//": "lands",\n          "from": "Jump", "to": "Idle", "when": "finished" },\n        { "from": "Idle", "to": "Move", "when": "speed > 0.1 && !in_state(\\"Base/Jump\\")" },\n\n        { "from": ["Idle", "Move"], "to": "Jump", "when": "jump || speed<3&&n==1" }' }],
];

// ---- Edits -------------------------------------------------------------------------------------------------------

for (const [what, edit, changes, error] of EDITS) {
    test(`${what} leaves the rest as it is written`, () => {
        const document = open(WRITTEN);
        edit(document);
        assert.equal(document.text, replaced(WRITTEN, changes));
        if (error) assert.match(document.error.message, error);
        else assert.equal(document.error, null);
        const after = document.text;
        while (document.undo()) { /* to the start */ }
        assert.equal(document.text, WRITTEN);
        while (document.redo()) { /* to the end */ }
        assert.equal(document.text, after);
    });
}

test('the styles of other files are kept', () => {
    const edit = (text) => {
        const document = open(text);
        document.addState('Base', 'B', { clip: 'Run' });
        document.addTransition('Base', { from: 'A', to: 'B', when: 'go' });
        document.addTransition('Base', { from: 'B', to: 'A' });
        document.addParameter('n', { type: 'int', range: [0, 3] });
        assert.equal(document.error, null);
        return document.text;
    };
    const value = { sinewGraph: 1, parameters: { go: { type: 'trigger' } }, layers: [{ name: 'Base', states: { A: { clip: 'Idle' } } }] };
    const after = { sinewGraph: 1, parameters: { go: { type: 'trigger' }, n: { type: 'int', range: [0, 3] } },
        layers: [{ name: 'Base', states: { A: { clip: 'Idle' }, B: { clip: 'Run' } }, transitions: [{ from: 'A', to: 'B', when: 'go' }, { from: 'B', to: 'A' }] }] };
    assert.equal(edit(JSON.stringify(value)), JSON.stringify(after));
    for (const indent of ['\t', '    ', ' ']) {
        const text = edit(JSON.stringify(value, null, indent));
        assert.deepEqual(JSON.parse(text), after);
        const lines = text.split('\n'), depths = lines.map((line) => /^\s*/.exec(line)[0]);
        assert.ok(depths.every((spaces) => spaces.length % indent.length === 0 && spaces === indent.repeat(spaces.length / indent.length)), text);
        assert.ok(lines.includes(`${indent.repeat(4)}"B": { "clip": "Run" }`) && lines.includes(`${indent.repeat(4)}{ "from": "B", "to": "A" }`), text);
        const crlf = edit(`\ufeff${JSON.stringify(value, null, indent).replaceAll('\n', '\r\n')}`);
        assert.equal(crlf, `\ufeff${text.replaceAll('\n', '\r\n')}`);
    }
});

test('conditions are renamed by their words', () => {
    const rename = (when, target, name) => {
        const text = JSON.stringify({ sinewGraph: 1, parameters: { x: { type: 'vector2' }, e1: { type: 'float' }, go: { type: 'bool' }, 'goes': { type: 'bool' } },
            layers: [{ name: 'Base', states: { 'A b': { states: { go: { clip: 'Idle' } }, tags: ['go', 'Base/A b'] }, A: {} }, transitions: [{ from: 'A b', to: 'A', when }] }] });
        const document = open(text);
        assert.equal(document.error, null, when);
        document.rename(target, name);
        assert.equal(document.error, null, document.text);
        return document.get(document.outline.transitions[0].target, 'when');
    };
    const names = [
        ['x.x > 1 && x . y < 1e1', parameter('x'), 'move', 'move.x > 1 && move . y < 1e1'],
        ['e1 > 1e1||e1<2e-1', parameter('e1'), 'x2', 'x2 > 1e1||x2<2e-1'],
        ['go && in_tag(\'go\') && marker("go")&&!goes', parameter('go'), 'ready', 'ready && in_tag(\'go\') && marker("go")&&!goes'],
        ['in_state( \'Base/A b\' ) && in_tag(\'Base/A b\')', state('Base/A b'), 'C', 'in_state( \'Base/C\' ) && in_tag(\'Base/A b\')'],
        ['in_state("Base/A b/go") && in_state(\'Base/A\')', state('Base/A b'), 'it\'s', 'in_state("Base/it\'s/go") && in_state(\'Base/A\')'],
        ['in_state("Base/A b/go")', state('Base/A b/go'), 'a"b', 'in_state(\'Base/A b/a"b\')'],
        ['in_state(\'Base/A b/go\')\n&& go', { kind: 'layer', name: 'Base' }, 'Unten 🚶', 'in_state(\'Unten 🚶/A b/go\')\n&& go'],
    ];
    for (const [when, target, name, expected] of names) assert.equal(rename(when, target, name), expected);
    assert.throws(() => rename('in_state(\'Base/A b\')', state('Base/A b'), 'it\'s "so"'), /both kinds of quotation marks/);
});

// Each with the rest of its element, in a graph that has all of them.
test('keys that exclude one another are removed', () => {
    const layers = [
        { name: 'Base', states: { A: { clip: 'Idle', loopCount: 2, speed: 2, sync: 'feet', tags: ['a'] }, B: { blend: { x: 'f', samples: [{ clip: 'Run' }] }, speed: 2 }, C: { states: { D: {} }, entry: 'D' } },
            transitions: [{ from: 'A', to: 'B', warp: true }, { from: '*', to: 'A', toSelf: true, when: 'f > 1' }] },
        { name: 'Add', mode: 'additive', reference: 'Idle', states: { E: {} } },
    ];
    const parameters = { f: { type: 'float', default: 1, range: [0, 2], damping: 1 }, v: { type: 'vector2', default: [1, 1], range: [0, 2], damping: 1 } };
    const text = JSON.stringify({ sinewGraph: 1, parameters, layers });
    for (const [target, changes, expected] of [
        [state('Base/A'), { loop: 'once' }, { clip: 'Idle', speed: 2, sync: 'feet', tags: ['a'], loop: 'once' }],
        [state('Base/A'), { clip: 'Run' }, { clip: 'Run', loopCount: 2, speed: 2, sync: 'feet', tags: ['a'] }],
        [state('Base/A'), { clip: undefined }, { tags: ['a'] }],
        [state('Base/A'), { blend: { x: 'f', samples: [{ clip: 'Run' }] } }, { speed: 2, sync: 'feet', tags: ['a'], blend: { x: 'f', samples: [{ clip: 'Run' }] } }],
        [state('Base/B'), { clip: 'Run' }, { speed: 2, clip: 'Run' }],
        [state('Base/B'), { states: { F: {} } }, { states: { F: {} } }],
        [state('Base/C'), { clip: 'Run', speed: 3 }, { clip: 'Run', speed: 3 }],
        [transition(0), { kind: 'inertialize' }, { from: 'A', to: 'B', kind: 'inertialize' }],
        [transition(0), { kind: 'fade', duration: 1 }, { from: 'A', to: 'B', warp: true, kind: 'fade', duration: 1 }],
        [transition(1), { from: ['B'] }, { from: ['B'], to: 'A', when: 'f > 1' }],
        [transition(1), { from: '*' }, { from: '*', to: 'A', toSelf: true, when: 'f > 1' }],
        [{ kind: 'layer', name: 'Add' }, { mode: 'override' }, { name: 'Add', mode: 'override', states: { E: {} } }],
        [parameter('f'), { type: 'int', range: [0, 3] }, { type: 'int', range: [0, 3] }],
        [parameter('v'), { type: 'float' }, { type: 'float', range: [0, 2], damping: 1 }],
    ]) {
        const document = open(text);
        document.update(target, changes);
        assert.deepEqual(document.get(target), expected);
        assert.ok(document.error === null || (target.kind === 'parameter' && /"f"/.test(document.error.message)), document.error?.message);
        assert.ok((document.text === text || document.undo()) && !document.canUndo);
        assert.equal(document.text, text);
    }
});

test('all that names a parameter is renamed with it', () => {
    const value = { sinewGraph: 1, parameters: { a: { type: 'float' }, b: { type: 'float' } }, layers: [
        { name: 'Base', states: { A: { blend: { kind: 'triangles', x: 'a', y: 'b', samples: [{ clip: 'Idle' }] }, speedParameter: 'b' }, M: { states: { N: { clip: 'a', speedParameter: 'a' } }, transitions: [{ from: 'N', to: 'N', when: 'b > a' }] } } },
        { name: 'b', weightParameter: 'b', states: { b: {} } },
    ] };
    const document = open(JSON.stringify(value));
    document.rename(parameter('b'), 'c');
    assert.equal(document.text, JSON.stringify(value).replace('"b":{"type"', '"c":{"type"').replace('"y":"b"', '"y":"c"').replace('"speedParameter":"b"', '"speedParameter":"c"')
        .replace('b > a', 'c > a').replace('"weightParameter":"b"', '"weightParameter":"c"'));
    assert.equal(document.error, null);
});

// ---- Random edits ------------------------------------------------------------------------------------------------

function randomOf(seed) {
    let now = seed;
    return (below) => {
        now = (Math.imul(now, 1664525) + 1013904223) >>> 0;
        return Math.floor(now / 2 ** 32 * below);
    };
}

// A random edit of a document, and the same of the value that its text has. Keys of the value stay in their order.
function editBoth(document, value, random) {
    const pick = (list) => list[random(list.length)], name = `N${random(1e6)}`;
    const machines = [...value.layers.map((layer) => [layer.name, layer]),
        ...value.layers.flatMap((layer) => Object.entries(layer.states).filter(([, one]) => one.states).map(([key, one]) => [`${layer.name}/${key}`, one]))];
    const [path, machine] = pick(machines), states = Object.keys(machine.states).filter((key) => key !== '//'), one = pick(states);
    machine.transitions ??= [];
    const { transitions } = machine, index = random(transitions.length), at = { kind: 'transition', machine: path, index };
    const set = (target, element, key, to) => {
        document.set(target, key, to);
        if (to === undefined) delete element[key];
        else element[key] = to;
    };
    const kinds = [
        () => { document.addState(path, name, { clip: 'Idle' }); machine.states[name] = { clip: 'Idle' }; },
        () => { const added = { from: one, to: pick(states), duration: random(9) / 8 }, to = random(transitions.length + 1); document.addTransition(path, added, to); transitions.splice(to, 0, added); },
        () => { document.addParameter(name, { type: 'int' }); value.parameters[name] = { type: 'int' }; },
        () => set(state(`${path}/${one}`), machine.states[one], 'tags', pick([[], ['a'], ['a', 'b'], undefined])),
        () => set({ kind: 'machine', path }, machine, 'entry', pick([one, undefined])),
        ...(transitions.length === 0 ? [] : [
            () => set(at, transitions[index], 'when', pick(['true', 'elapsed > 1', undefined])),
            () => set(at, transitions[index], 'duration', pick([0, 0.1, undefined])),
            () => set(at, transitions[index], 'offset', pick([0.5, undefined])),
            () => { const to = random(transitions.length); document.moveTransition(at, to); transitions.splice(to, 0, ...transitions.splice(index, 1)); },
            () => { document.remove(at); transitions.splice(index, 1); },
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
    machine.transitions = machine.transitions.filter(({ from, to }) => to !== name && from !== name).flatMap((one) => {
        if (!Array.isArray(one.from)) return [one];
        const from = one.from.filter((each) => each !== name);
        return from.length > 0 ? [{ ...one, from }] : [];
    });
}

test('random edits equal those of the value, and are undone', () => {
    for (let seed = 1; seed <= 30; seed++) {
        const random = randomOf(seed), start = seed % 2 ? WRITTEN : hero, document = open(start), value = JSON.parse(start), texts = [start];
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
    const document = open(WRITTEN), typing = { typing: true };
    for (const when of ['s', 'sp', 'speed', 'speed > 1']) document.set(transition(0), 'when', when, typing);
    for (const when of ['f', 'finished']) document.set(transition(2), 'when', when, typing);
    document.endTyping();
    for (const when of ['', 'n == 2']) document.set(transition(2), 'when', when, typing);
    document.set(transition(2), 'duration', 1);
    document.set(transition(2), 'duration', 2);
    const wheres = [];
    while (document.undo()) wheres.push([0, 2].map((i) => document.get(transition(i), 'when')).concat(document.get(transition(2), 'duration')));
    assert.deepEqual(wheres, [['speed > 1', 'n == 2', 1], ['speed > 1', 'n == 2', undefined], ['speed > 1', 'finished', undefined],
        ['speed > 0.1 && !in_state("Base/Jump")', 'finished', undefined]]);
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
    const document = open(WRITTEN), { graph } = document;
    let changes = 0;
    document.addEventListener('changed', () => changes++);
    document.setText(WRITTEN.replace('"sinewGraph": 1,', '"sinewGraph": 1'), { typing: true });
    assert.deepEqual(document.error, { message: '\',\' or \'}\' is expected', line: 4, column: 3 });
    assert.deepEqual([document.canEdit, document.outline, document.graph, graph.disposed], [false, null, graph, false]);
    assert.equal(document.get(state('Base/Idle')), undefined);
    assert.equal(document.positionOf(state('Base/Idle')), null);
    for (const edit of EDITS.map(([, one]) => one)) assert.throws(() => edit(document), /the text is not JSON: ',' or '}' is expected/);
    assert.equal(changes, 1);
    document.setText(WRITTEN.replace('jump ||', 'jum ||'), { typing: true });
    const before = WRITTEN.slice(0, WRITTEN.indexOf('jump ||')).split('\n'), line = before.length, column = before.at(-1).length + 1;
    assert.deepEqual(document.error, { message: 'no parameter is named "jum"; did you mean "jump"?', line, column });
    assert.ok(document.canEdit && document.graph === graph);
    document.set(transition(1), 'when', 'jump');
    assert.deepEqual([document.error, graph.disposed, document.graph.disposed], [null, true, false]);
    assert.deepEqual([document.graph.transitions[1].when, changes], ['jump', 3]);
    document.undo();
    assert.deepEqual([document.error.line, document.graph.disposed], [line, false]);
});

test('a text that is no graph at first has no graph', () => {
    for (const text of ['', '{', '[]', '7', 'null', '{"layers": 3}', '{"layers": [1, {"states": {"a": 7}, "transitions": [null, {"from": 1, "to": {}}]}]}']) {
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
    const document = open(WRITTEN), edits = [
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
        [(d) => d.set(parameter('speed'), 'default', NaN), /NaN is no number/],
        [(d) => d.set(parameter('speed'), 'range', [-Infinity, 1]), /-Infinity is no number/],
        ...['', '*', 'a/b', '//'].map((name) => [(d) => d.rename(state('Base/Idle'), name), /is no name of a state/]),
        ...['', 'a b', '1a', 'ä', 'time', 'in_state', 'And', 'NOT', 'a.b'].map((name) => [(d) => d.addParameter(name, { type: 'bool' }), /is no name of a parameter/]),
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
    assert.deepEqual([document.error, document.get(transition(1), 'to'), document.get(state('Upper/None'))], [null, 'None', {}]);
});

// ---- Reading -----------------------------------------------------------------------------------------------------

test('elements have values and positions', () => {
    const document = open(WRITTEN), textAt = (target, key) => {
        const { start, end, line, column } = document.positionOf(target, key), before = WRITTEN.slice(0, start).split('\n');
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
    for (const text of [WRITTEN, hero, readFileSync(modelPath('../tests/graphs/every_key.graph.json'), 'utf8')]) {
        const { outline, graph } = open(text), { states, transitions, machines, layers, parameters } = outline;
        assert.deepEqual(states.map(({ path }) => path), graph.states.map(({ path }) => path));
        assert.deepEqual(states.map(({ machine, submachine }) => [machine, submachine]), graph.states.map(({ machine, submachine }) => [machine, submachine]));
        const nameOf = (index) => graph.states[index]?.name ?? '*';
        assert.deepEqual(transitions.map(({ from, to, machine, isAny }) => [from, to, machine, isAny]),
            graph.transitions.map(({ from, to, machine }) => [nameOf(from), nameOf(to), machine, from < 0]));
        assert.deepEqual(machines.map((one) => one.state), graph.machines.map((one) => one.state));
        assert.deepEqual([layers, parameters].map((list) => list.map(({ name }) => name)), [graph.layers, graph.parameters].map((list) => list.map(({ name }) => name)));
        for (const [elements, loaded] of [[states, graph.states], [transitions, graph.transitions], [parameters, graph.parameters], [layers, graph.layers]]) {
            assert.deepEqual(elements.map(({ target }) => outline.positionOf(target).line), loaded.map(({ line }) => line));
        }
    }
});

// ---- Hostile and large texts -------------------------------------------------------------------------------------

test('texts that are nested deeply, or long, are read', () => {
    const deep = open(`${'['.repeat(2e5)}${']'.repeat(2e5)}`);
    assert.ok(deep.canEdit && /nested too deeply/.test(deep.error.message));
    const machines = open(`{"sinewGraph":1,"layers":[{"name":"L","states":${'{"A":{"states":'.repeat(100)}{"A":{}}${'}}'.repeat(100)}}]}`);
    assert.match(machines.error.message, /machines are inside one another/);
    machines.rename(state('L/A'), 'B');
    assert.match(machines.text, /"states":\{"B":\{"states":\{"A"/);
    const long = open(WRITTEN.replace('"lines"', `"${'ü\\n'.repeat(1e6)}"`));
    long.set(transition(0), 'duration', 1);
    assert.deepEqual([long.error, long.graph.transitions[0].duration], [null, 1]);
});

test('keys and names that JavaScript treats specially', () => {
    const document = open('{"sinewGraph":1,"layers":[{"name":"2","states":{"10":{},"__proto__":{},"9":{},"constructor":{}},"transitions":[{"from":"__proto__","to":"9"}]}]}');
    document.addState('2', '1');
    document.set(state('2/__proto__'), 'clip', 'Idle');
    document.rename(state('2/9'), '__proto__2');
    document.remove(state('2/constructor'));
    assert.equal(document.text, '{"sinewGraph":1,"layers":[{"name":"2","states":{"10":{},"__proto__":{"clip":"Idle"},"__proto__2":{},"1":{}},"transitions":[{"from":"__proto__","to":"__proto__2"}]}]}');
    assert.deepEqual([document.error, document.graph.states.map(({ name }) => name)], [null, ['10', '__proto__', '__proto__2', '1']]);
});

// Its time is printed. The longest of these took 40 ms on a slow machine.
test('a graph of 500 states is edited', () => {
    const states = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`S${i}`, { clip: 'Idle', loop: 'once' }]));
    const transitions = Object.keys(states).flatMap((name, i) => [{ from: name, to: `S${(i + 1) % 500}`, when: 'go' },
        { from: name, to: `S${(7 * i + 3) % 500}`, when: `speed > ${i % 5} && !in_state('Base/${name}')` }]);
    const parameters = { go: { type: 'trigger' }, speed: { type: 'float', range: [0, 6] } };
    const document = open(JSON.stringify({ sinewGraph: 1, parameters, layers: [{ name: 'Base', states, transitions }] }, null, 2));
    for (const [what, edit] of [['a condition', () => document.set(transition(500), 'when', 'speed > 2')], ['a state', () => document.rename(state('Base/S7'), 'Seven')],
        ['a parameter', () => document.rename(parameter('speed'), 'pace')], ['a layer', () => document.rename({ kind: 'layer', name: 'Base' }, 'B')],
        ['a removal', () => document.remove(state('B/S8'))], ['undo', () => document.undo()]]) {
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
