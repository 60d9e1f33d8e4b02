// SPDX-License-Identifier: MIT
// A hand-written graph, and edits with the text that each must give: for graph_edits.mjs and graph_document.mjs.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { loadSinew, modelPath, packagePath } from './common.mjs';
import { makeStudioFolder } from './studio_folder.mjs';

const { load } = await makeStudioFolder(packagePath('.'));
const { GraphDocument } = await load('graph_document.js');
const sinew = await loadSinew();
export const hero = readFileSync(modelPath('hero.graph.json'), 'utf8');
export const open = (text) => new GraphDocument(text, (one) => sinew.loadGraph(one));

// Written by hand: comments, several styles, and numbers and escapes that JSON.stringify would write differently.
export const WRITTEN = `{
  "//": ["two", "lines"],
  "sinewGraph": 1,
  "parameters": {
    "//": "inputs",
    "speed": {"type":"float", "range":[0, 6.00]},
    "n": { "type": "int" },
    "target": { "type":"vector3", "space": "model" },
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
  ],
  "rig": { "//": "after the mixer",
    "feet": [ { "thigh": "role:leftUpperLeg", "shin": "role:leftLowerLeg", "foot": "role:leftFoot" } ],
    "steps": [
      { "footLock": {"roll":5e-1}, "when": "n < 3 && !in_state('Base/Jump')" },

      { "aim": { "node": "role:head", "goal": {"parameter":"target"}, "forward":[0,0,1.0] } }
    ]
  }
}
`;
export const state = (path) => ({ kind: 'state', path });
export const transition = (index, machine = 'Base') => ({ kind: 'transition', machine, index });
export const parameter = (name) => ({ kind: 'parameter', name });
export const BASE = { kind: 'machine', path: 'Base' },
    UPPER = { kind: 'layer', name: 'Upper' };

// The text with the first occurrence of each key replaced.
export function replaced(text, changes) {
    for (const [from, to] of Object.entries(changes)) {
        assert.ok(text.includes(from), from);
        text = text.replace(from, () => to);
    }
    return text;
}

// [the edit, what it changes in WRITTEN, whether the graph is invalid afterwards]
export const EDITS = [
    [
        'a condition',
        (d) => d.set(transition(0), 'when', 'speed >= 0.2'),
        { '"speed > 0.1 && !in_state(\\"Base/Jump\\")"': '"speed >= 0.2"' },
    ],
    [
        'a condition that is added',
        (d) => {
            d.set(transition(2), 'when', undefined);
            d.set(transition(2), 'when', 'past(0.5)');
        },
        { '"to": "Idle", "when": "finished"': '"to": "Idle", "when": "past(0.5)"' },
    ],
    [
        'no condition',
        (d) => d.set(transition(0), 'when', undefined),
        { ', "when": "speed > 0.1 && !in_state(\\"Base/Jump\\")"': '' },
    ],
    ['a duration', (d) => d.set(transition(0), 'duration', 0.25), { 'Jump\\")" }': 'Jump\\")", "duration": 0.25 }' }],
    [
        'a kind and an easing',
        (d) => d.update(transition(0), { kind: 'inertialize', easing: 'linear' }),
        { 'Jump\\")" }': 'Jump\\")", "kind": "inertialize", "easing": "linear" }' },
    ],
    [
        'offset and interrupt',
        (d) => d.update(transition(2), { offset: 0.5, interrupt: 'never' }),
        { '"finished" }': '"finished", "offset": 0.5, "interrupt": "never" }' },
    ],
    [
        'any state, and to itself',
        (d) => d.update(transition(2), { from: '*', toSelf: true }),
        {
            '"from": "Jump", "to": "Idle", "when": "finished" }':
                '"from": "*", "to": "Idle", "when": "finished", "toSelf": true }',
        },
    ],
    [
        'a list of sources',
        (d) => d.set(transition(2), 'from', ['Jump', 'Move']),
        { '"from": "Jump"': '"from": ["Jump", "Move"]' },
    ],
    [
        'a clip',
        (d) => d.set(state('Base/Idle'), 'clip', 'Breathe'),
        { '"Idle": { "clip": "Idle", "//"': '"Idle": { "clip": "Breathe", "//"' },
    ],
    ['a speed', (d) => d.set(state('Base/Idle'), 'speed', -1.5), { '"h\\u00e4lt" }': '"h\\u00e4lt", "speed": -1.5 }' }],
    ['a loop', (d) => d.set(state('Base/Jump'), 'loop', 'pingPong'), { '"once"': '"pingPong"' }],
    ['tags', (d) => d.set(state('Base/Jump'), 'tags', ['air', 'fünf']), { '[ "air" ]': '["air", "fünf"]' }],
    ['no tags', (d) => d.set(state('Base/Jump'), 'tags', undefined), { ', "tags": [ "air" ]': '' }],
    [
        'a clip in place of a blend space',
        (d) => d.set(state('Base/Move'), 'clip', 'Run'),
        {
            '{\n          "blend": { "x": "speed", "samples": [ { "clip": "Idle" }, { "clip": "Run", "x": 3 } ] }\n        }':
                '{ "clip": "Run" }',
        },
    ],
    [
        'an empty state',
        (d) => d.set(state('Base/Jump'), 'clip', undefined),
        { '{ "clip": "Jump", "loop": "once", "tags": [ "air" ] }': '{ "tags": [ "air" ] }' },
    ],
    [
        'a machine in place of a clip',
        (d) => d.set(state('Base/Jump'), 'states', { Up: { clip: 'Jump' } }),
        {
            '{ "clip": "Jump", "loop": "once", "tags": [ "air" ] }':
                '{ "tags": [ "air" ], "states": { "Up": { "clip": "Jump" } } }',
        },
    ],
    ['a range', (d) => d.set(parameter('speed'), 'range', [0, 7]), { '[0, 6.00]': '[0, 7]' }],
    [
        'a default',
        (d) => d.set(parameter('speed'), 'default', 0.5),
        { '"range":[0, 6.00]}': '"range":[0, 6.00], "default": 0.5}' },
    ],
    [
        'a type',
        (d) => d.set(parameter('jump'), 'type', 'bool'),
        { '{ "type": "trigger", "hold": 1.5e-1 }': '{ "type": "bool" }' },
    ],
    [
        'an entry',
        (d) => d.set(BASE, 'entry', 'Move'),
        { '"finished" }\n      ]': '"finished" }\n      ],\n      "entry": "Move"' },
    ],
    [
        'a mode and a weight',
        (d) => d.update(UPPER, { mode: 'additive', weight: 0.5, weightParameter: undefined }),
        {
            ', "weightParameter": "speed", "states": {"None": {}} }':
                ', "states": {"None": {}}, "mode": "additive", "weight": 0.5 }',
        },
    ],

    [
        'a renamed state',
        (d) => assert.deepEqual(d.rename(state('Base/Jump'), 'Hüpf'), state('Base/Hüpf')),
        {
            '"Jump": { "clip"': '"Hüpf": { "clip"',
            '\\"Base/Jump\\"': "'Base/Hüpf'",
            '"to": "Jump"': '"to": "Hüpf"',
            '"from": "Jump"': '"from": "Hüpf"',
            "!in_state('Base/Jump')": "!in_state('Base/Hüpf')",
        },
    ],
    [
        'a renamed source of several',
        (d) => d.rename(state('Base/Move'), 'Go'),
        { '"Move": {': '"Go": {', '"to": "Move"': '"to": "Go"', '["Idle", "Move"]': '["Idle", "Go"]' },
    ],
    [
        'a renamed parameter',
        (d) => assert.deepEqual(d.rename(parameter('speed'), 'pace'), parameter('pace')),
        {
            '"speed": {': '"pace": {',
            '"x": "speed"': '"x": "pace"',
            '"speed > 0.1 && !in_state(\\"Base/Jump\\")"': '"pace > 0.1 && !in_state(\\"Base/Jump\\")"',
            'jump || speed<3&&n==1': 'jump || pace<3&&n==1',
            '"weightParameter": "speed"': '"weightParameter": "pace"',
        },
    ],
    [
        'a renamed parameter of a condition of the rig',
        (d) => d.rename(parameter('n'), 'count'),
        { '"n": {': '"count": {', 'speed<3&&n==1': 'speed<3&&count==1', 'n < 3 &&': 'count < 3 &&' },
    ],
    [
        'a renamed goal',
        (d) => d.rename(parameter('target'), 'lookAt'),
        { '"target": {': '"lookAt": {', '{"parameter":"target"}': '{"parameter":"lookAt"}' },
    ],
    [
        'a renamed layer',
        (d) => d.rename({ kind: 'layer', name: 'Base' }, 'Körper'),
        {
            '"name": "Base"': '"name": "Körper"',
            '\\"Base/Jump\\"': "'Körper/Jump'",
            "!in_state('Base/Jump')": "!in_state('Körper/Jump')",
        },
    ],

    [
        'an added state',
        (d) => assert.deepEqual(d.addState('Base', 'Fall', { clip: 'Jump', speed: 0.5 }), state('Base/Fall')),
        { '"tags": [ "air" ] }': '"tags": [ "air" ] },\n        "Fall": { "clip": "Jump", "speed": 0.5 }' },
    ],
    ['an added empty state', (d) => d.addState('Upper', 'Wave'), { '{"None": {}}': '{"None": {}, "Wave": {}}' }],
    [
        'an added transition',
        (d) =>
            assert.deepEqual(
                d.addTransition('Base', { from: 'Move', to: 'Idle', when: 'speed <= 0.1' }),
                transition(3),
            ),
        { '"finished" }': '"finished" },\n        { "from": "Move", "to": "Idle", "when": "speed <= 0.1" }' },
    ],
    [
        'a transition before others',
        (d) => d.addTransition('Base', { from: '*', to: 'Idle', when: 'n == 3' }, 0),
        {
            '        { "from": "Idle", "to": "Move"':
                '        { "from": "*", "to": "Idle", "when": "n == 3" },\n        { "from": "Idle", "to": "Move"',
        },
    ],
    [
        'a first transition',
        (d) => d.addTransition('Upper', { from: 'None', to: 'None' }),
        { '{"None": {}} }': '{"None": {}}, "transitions": [\n      { "from": "None", "to": "None" }\n    ] }' },
    ],
    [
        'an added parameter',
        (d) => assert.deepEqual(d.addParameter('armed', { type: 'bool' }), parameter('armed')),
        { '"hold": 1.5e-1 }': '"hold": 1.5e-1 },\n    "armed": { "type": "bool" }' },
    ],
    [
        'an added layer',
        (d) => d.addLayer('Face', { weight: 0.5, states: { None: {} } }),
        {
            '{"None": {}} }': `{"None": {}} },
    {
      "name": "Face",
      "weight": 0.5,
      "states": { "None": {} }
    }`,
        },
    ],

    [
        'a removed state',
        (d) => d.remove(state('Base/Jump')),
        {
            ',\n        "Jump": { "clip": "Jump", "loop": "once", "tags": [ "air" ] }': '',
            ',\n        { "from": ["Idle", "Move"], "to": "Jump", "when": "jump || speed<3&&n==1" },\n\n        { "//": "lands",\n          "from": "Jump", "to": "Idle", "when": "finished" }':
                '',
        },
        /in_state|Base\/Jump/,
    ],
    ['a removed source', (d) => d.remove({ ...transition(1), source: 0 }), { '["Idle", "Move"]': '["Move"]' }],
    [
        'a removed transition',
        (d) => d.remove(transition(1)),
        { ',\n        { "from": ["Idle", "Move"], "to": "Jump", "when": "jump || speed<3&&n==1" }': '' },
    ],
    [
        'a removed first transition',
        (d) => d.remove(transition(0)),
        { '{ "from": "Idle", "to": "Move", "when": "speed > 0.1 && !in_state(\\"Base/Jump\\")" },\n        ': '' },
    ],
    [
        'a removed parameter',
        (d) => d.remove(parameter('n')),
        { ',\n    "n": { "type": "int" }': '' },
        /no parameter is named "n"/,
    ],
    [
        'a removed layer',
        (d) => d.remove(UPPER),
        { ',\n    { "name": "Upper", "weightParameter": "speed", "states": {"None": {}} }': '' },
    ],
    [
        'a transition that is moved down',
        (d) => assert.deepEqual(d.moveTransition(transition(0), 1), transition(1)),
        {
            '{ "from": "Idle", "to": "Move", "when": "speed > 0.1 && !in_state(\\"Base/Jump\\")" },\n        { "from": ["Idle", "Move"], "to": "Jump", "when": "jump || speed<3&&n==1" },':
                '{ "from": ["Idle", "Move"], "to": "Jump", "when": "jump || speed<3&&n==1" },\n        { "from": "Idle", "to": "Move", "when": "speed > 0.1 && !in_state(\\"Base/Jump\\")" },',
        },
    ],
    [
        'a transition that is moved to the front',
        (d) => assert.deepEqual(d.moveTransition(transition(2), -7), transition(0)),
        {
            '{ "from": "Idle", "to": "Move", "when": "speed > 0.1 && !in_state(\\"Base/Jump\\")" },\n        { "from": ["Idle", "Move"], "to": "Jump", "when": "jump || speed<3&&n==1" },\n\n        { "//": "lands",\n          "from": "Jump", "to": "Idle", "when": "finished" }':
                '{ "//": "lands",\n          "from": "Jump", "to": "Idle", "when": "finished" },\n        { "from": "Idle", "to": "Move", "when": "speed > 0.1 && !in_state(\\"Base/Jump\\")" },\n\n        { "from": ["Idle", "Move"], "to": "Jump", "when": "jump || speed<3&&n==1" }',
        },
    ],
];
