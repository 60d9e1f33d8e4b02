// SPDX-License-Identifier: MIT
// Edits of a graph's text in the studio: node graph_edits.mjs PACKAGE MODELS. Everything else stays as it's written.
import assert from 'node:assert/strict';
import test from 'node:test';
import { EDITS, WRITTEN, open, parameter, replaced, state, transition } from './graph_written.mjs';

// ---- Edits -------------------------------------------------------------------------------------------------------

for (const [what, edit, changes, error] of EDITS) {
    test(`${what} leaves the rest as it is written`, () => {
        const document = open(WRITTEN);
        edit(document);
        assert.equal(document.text, replaced(WRITTEN, changes));
        if (error) assert.match(document.error.message, error);
        else assert.equal(document.error, null);
        const after = document.text;
        while (document.undo()) {
            /* to the start */
        }
        assert.equal(document.text, WRITTEN);
        while (document.redo()) {
            /* to the end */
        }
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
    const value = {
        sinewGraph: 1,
        parameters: { go: { type: 'trigger' } },
        layers: [{ name: 'Base', states: { A: { clip: 'Idle' } } }],
    };
    const after = {
        sinewGraph: 1,
        parameters: { go: { type: 'trigger' }, n: { type: 'int', range: [0, 3] } },
        layers: [
            {
                name: 'Base',
                states: { A: { clip: 'Idle' }, B: { clip: 'Run' } },
                transitions: [
                    { from: 'A', to: 'B', when: 'go' },
                    { from: 'B', to: 'A' },
                ],
            },
        ],
    };
    assert.equal(edit(JSON.stringify(value)), JSON.stringify(after));
    for (const indent of ['\t', '    ', ' ']) {
        const text = edit(JSON.stringify(value, null, indent));
        assert.deepEqual(JSON.parse(text), after);
        const lines = text.split('\n'),
            depths = lines.map((line) => /^\s*/.exec(line)[0]);
        assert.ok(
            depths.every(
                (spaces) =>
                    spaces.length % indent.length === 0 && spaces === indent.repeat(spaces.length / indent.length),
            ),
            text,
        );
        assert.ok(
            lines.includes(`${indent.repeat(4)}"B": { "clip": "Run" }`) &&
                lines.includes(`${indent.repeat(4)}{ "from": "B", "to": "A" }`),
            text,
        );
        const crlf = edit(`\ufeff${JSON.stringify(value, null, indent).replaceAll('\n', '\r\n')}`);
        assert.equal(crlf, `\ufeff${text.replaceAll('\n', '\r\n')}`);
    }
});

test('conditions are renamed by their words', () => {
    const rename = (when, target, name) => {
        const text = JSON.stringify({
            sinewGraph: 1,
            parameters: { x: { type: 'vector2' }, e1: { type: 'float' }, go: { type: 'bool' }, goes: { type: 'bool' } },
            layers: [
                {
                    name: 'Base',
                    states: { 'A b': { states: { go: { clip: 'Idle' } }, tags: ['go', 'Base/A b'] }, A: {} },
                    transitions: [{ from: 'A b', to: 'A', when }],
                },
            ],
        });
        const document = open(text);
        assert.equal(document.error, null, when);
        document.rename(target, name);
        assert.equal(document.error, null, document.text);
        return document.get(document.outline.transitions[0].target, 'when');
    };
    const names = [
        ['x.x > 1 && x . y < 1e1', parameter('x'), 'move', 'move.x > 1 && move . y < 1e1'],
        ['e1 > 1e1||e1<2e-1', parameter('e1'), 'x2', 'x2 > 1e1||x2<2e-1'],
        [
            'go && in_tag(\'go\') && marker("go")&&!goes',
            parameter('go'),
            'ready',
            'ready && in_tag(\'go\') && marker("go")&&!goes',
        ],
        [
            "in_state( 'Base/A b' ) && in_tag('Base/A b')",
            state('Base/A b'),
            'C',
            "in_state( 'Base/C' ) && in_tag('Base/A b')",
        ],
        [
            'in_state("Base/A b/go") && in_state(\'Base/A\')',
            state('Base/A b'),
            "it's",
            "in_state(\"Base/it's/go\") && in_state('Base/A')",
        ],
        ['in_state("Base/A b/go")', state('Base/A b/go'), 'a"b', "in_state('Base/A b/a\"b')"],
        [
            "in_state('Base/A b/go')\n&& go",
            { kind: 'layer', name: 'Base' },
            'Unten 🚶',
            "in_state('Unten 🚶/A b/go')\n&& go",
        ],
    ];
    for (const [when, target, name, expected] of names) assert.equal(rename(when, target, name), expected);
    assert.throws(
        () => rename("in_state('Base/A b')", state('Base/A b'), 'it\'s "so"'),
        /both kinds of quotation marks/,
    );
});

// Each with the rest of its element, in a graph that has all of them.
test('keys that exclude one another are removed', () => {
    const layers = [
        {
            name: 'Base',
            states: {
                A: { clip: 'Idle', loopCount: 2, speed: 2, sync: 'feet', tags: ['a'] },
                B: { blend: { x: 'f', samples: [{ clip: 'Run' }] }, speed: 2 },
                C: { states: { D: {} }, entry: 'D' },
            },
            transitions: [
                { from: 'A', to: 'B', matchRate: true },
                { from: '*', to: 'A', toSelf: true, when: 'f > 1' },
            ],
        },
        { name: 'Add', mode: 'additive', reference: 'Idle', states: { E: {} } },
    ];
    const parameters = {
        f: { type: 'float', default: 1, range: [0, 2], damping: 1 },
        v: { type: 'vector2', default: [1, 1], range: [0, 2], damping: 1 },
        p: { type: 'vector3', default: [1, 1, 1], range: [0, 2], damping: 1, space: 'model' },
        t: { type: 'transform', default: { rotation: [0, 1, 0, 0] }, damping: 1, space: 'model' },
    };
    const text = JSON.stringify({ sinewGraph: 1, parameters, layers });
    for (const [target, changes, expected] of [
        [state('Base/A'), { loop: 'once' }, { clip: 'Idle', speed: 2, sync: 'feet', tags: ['a'], loop: 'once' }],
        [state('Base/A'), { clip: 'Run' }, { clip: 'Run', loopCount: 2, speed: 2, sync: 'feet', tags: ['a'] }],
        [state('Base/A'), { clip: undefined }, { tags: ['a'] }],
        [
            state('Base/A'),
            { blend: { x: 'f', samples: [{ clip: 'Run' }] } },
            { speed: 2, sync: 'feet', tags: ['a'], blend: { x: 'f', samples: [{ clip: 'Run' }] } },
        ],
        [state('Base/B'), { clip: 'Run' }, { speed: 2, clip: 'Run' }],
        [state('Base/B'), { states: { F: {} } }, { states: { F: {} } }],
        [state('Base/C'), { clip: 'Run', speed: 3 }, { clip: 'Run', speed: 3 }],
        [transition(0), { kind: 'inertialize' }, { from: 'A', to: 'B', kind: 'inertialize' }],
        [transition(0), { kind: 'fade', duration: 1 }, { from: 'A', to: 'B', matchRate: true, kind: 'fade', duration: 1 }],
        [transition(1), { from: ['B'] }, { from: ['B'], to: 'A', when: 'f > 1' }],
        [transition(1), { from: '*' }, { from: '*', to: 'A', toSelf: true, when: 'f > 1' }],
        [{ kind: 'layer', name: 'Add' }, { mode: 'override' }, { name: 'Add', mode: 'override', states: { E: {} } }],
        [parameter('f'), { type: 'int', range: [0, 3] }, { type: 'int', range: [0, 3] }],
        [parameter('v'), { type: 'float' }, { type: 'float', range: [0, 2], damping: 1 }],
        [parameter('v'), { type: 'vector3' }, { type: 'vector3', range: [0, 2], damping: 1 }],
        [parameter('p'), { type: 'transform' }, { type: 'transform', damping: 1, space: 'model' }],
        [parameter('p'), { type: 'vector2' }, { type: 'vector2', range: [0, 2], damping: 1 }],
        [parameter('t'), { type: 'vector3' }, { type: 'vector3', damping: 1, space: 'model' }],
        [parameter('t'), { type: 'int' }, { type: 'int' }],
    ]) {
        const document = open(text);
        document.update(target, changes);
        assert.deepEqual(document.get(target), expected);
        assert.ok(
            document.error === null || (target.kind === 'parameter' && /"f"/.test(document.error.message)),
            document.error?.message,
        );
        assert.ok((document.text === text || document.undo()) && !document.canUndo);
        assert.equal(document.text, text);
    }
});

// Each key of a step that can name a parameter, and the same word where it names something else.
test('steps are renamed with their parameters', () => {
    const rig = {
        feet: [{ thigh: 'p', shin: 'p2', foot: 'p3' }],
        steps: [
            { rootWarp: { clip: 't', end: 1, goal: 't' } },
            { name: 'v', aimOffset: { direction: 'v', clips: ['v'], mask: { node: 'v' } } },
            { name: 'f', when: 'f > curve(\'f\')', weightParameter: 'f', weightCurve: 'f', orientationWarp: { angle: 'f', nodes: ['f'] } },
            { name: 's', strideWarp: { scale: 'f', direction: [0, 0, 1], pelvis: 'f' } },
            { name: 'p', limb: { end: 'p', goal: 'p', pole: { parameter: 'p', '//': 'p' } } },
            { name: 'c', chain: { root: 'p', tip: 'p2', goal: { node: 'p' }, pole: 'p' } },
            { name: 'b', body: { root: 'p', effectors: [{ node: 'p', pin: true }, { node: 'p', goal: 'p' }, { node: 'p', goal: { parameter: 't' } }] } },
            { name: 'a', aim: { node: 'p', goal: 'p', tip: 'p2' } },
            { name: 'h', springs: { chains: [{ root: 'p' }] } },
        ],
    };
    const types = { f: 'float', v: 'vector2', p: 'vector3', t: 'transform' };
    const parameters = Object.fromEntries(Object.entries(types).map(([name, type]) => [name, { type }]));
    const text = JSON.stringify({ sinewGraph: 1, parameters, rig });
    for (const [name, changes] of Object.entries({
        f: ['"f":{"type"', '"when":"f >', '"weightParameter":"f"', '"angle":"f"', '"scale":"f"'],
        v: ['"v":{"type"', '"direction":"v"'],
        p: ['"p":{"type"', '"goal":"p","pole":{"parameter":"p"', '"pole":"p"', '"goal":"p"},{"node"', '"goal":"p","tip"'],
        t: ['"t":{"type"', '"goal":"t"', '"parameter":"t"'],
    })) {
        const document = open(text);
        document.rename(parameter(name), 'renamed');
        assert.equal(document.error, null, document.error?.message);
        const renamed = (one) => one.replaceAll(`"${name}"`, '"renamed"').replace(`"${name} >`, '"renamed >');
        const expected = Object.fromEntries(changes.map((one) => [one, renamed(one)]));
        assert.equal(document.text, replaced(text, expected));
        document.undo();
        assert.equal(document.text, text);
    }
});

test('all that names a parameter is renamed with it', () => {
    const value = {
        sinewGraph: 1,
        parameters: { a: { type: 'float' }, b: { type: 'float' } },
        layers: [
            {
                name: 'Base',
                states: {
                    A: {
                        blend: { kind: 'triangles', x: 'a', y: 'b', samples: [{ clip: 'Idle' }] },
                        speedParameter: 'b',
                    },
                    M: {
                        states: { N: { clip: 'a', speedParameter: 'a' } },
                        transitions: [{ from: 'N', to: 'N', when: 'b > a' }],
                    },
                },
            },
            { name: 'b', weightParameter: 'b', states: { b: {} } },
        ],
    };
    const document = open(JSON.stringify(value));
    document.rename(parameter('b'), 'c');
    assert.equal(
        document.text,
        JSON.stringify(value)
            .replace('"b":{"type"', '"c":{"type"')
            .replace('"y":"b"', '"y":"c"')
            .replace('"speedParameter":"b"', '"speedParameter":"c"')
            .replace('b > a', 'c > a')
            .replace('"weightParameter":"b"', '"weightParameter":"c"'),
    );
    assert.equal(document.error, null);
});
