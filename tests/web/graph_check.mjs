// SPDX-License-Identifier: MIT
// The studio's graph check and layout, against the command: node graph_check.mjs PACKAGE MODELS SINEW GRAPHS
// Findings equal `sinew graph check --json`, boxes and arrows equal `sinew graph plot`.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import test from 'node:test';
import { command, loadSinew, modelPath, packagePath } from './common.mjs';
import { makeStudioFolder } from './studio_folder.mjs';

const graphs = resolve(process.argv[5]);
const { folder, load } = await makeStudioFolder(packagePath('.'));
const { checkGraph, layoutGraph } = await load('graph_check.js');
const { Outline } = await load('graph_outline.js');
const hero = readFileSync(modelPath('hero.graph.json'), 'utf8'),
    everyKey = readFileSync(join(graphs, 'every_key.graph.json'), 'utf8');
const asset = { bytes: readFileSync(modelPath('hero.glb')) };

const file = join(folder, 'a.graph.json');

function run(text, ...args) {
    writeFileSync(file, text);
    return spawnSync(command, ['graph', ...args.map((one) => (one === 'FILE' ? file : one))], {
        encoding: 'utf8',
        maxBuffer: 1 << 28,
    });
}

// The command's report, or { error }, without the path.
function commandReport(text, path) {
    const { stdout, stderr } = run(text, 'check', 'FILE', '--json', ...(path ? ['--asset', path] : []));
    return stdout ? JSON.parse(stdout) : { error: stderr.trim().replace(`sinew: ${file}:`, '') };
}

// Texts of graphs of one layer, as in tests/unit/test_graph_check.c.
const SPEED = { speed: { type: 'float', range: [0, 6] } },
    GO = { go: { type: 'trigger' } };
const graphOf = (parameters, states, transitions) =>
    JSON.stringify({ sinewGraph: 1, parameters, layers: [{ name: 'Base', states, transitions }] }, null, 1);
const to = (from, target, when, more = {}) => ({ from, to: target, when, ...more });
const IDLE = { Idle: { clip: 'Idle' } },
    WALK = { Walk: { clip: 'Walk' } };
const BACK_AND_FORTH = [to('Idle', 'Walk', 'speed > 0.1'), to('Walk', 'Idle', 'speed <= 0.1')];

// A graph with a rig. Its base plays a clip or nothing.
const rigOf = (steps, clip = 'Idle') =>
    JSON.stringify(
        {
            sinewGraph: 1,
            parameters: {
                at: { type: 'vector3', default: [0, 1, 1] },
                origin: { type: 'vector3' },
                ledge: { type: 'transform' },
                scale: { type: 'float' },
            },
            layers: [{ name: 'Base', states: { A: clip ? { clip } : {} } }],
            rig: { steps },
        },
        null,
        1,
    );

// One graph, at least, for each rule.
const FAULTY = {
    'clip-missing': graphOf(SPEED, { ...IDLE, Walk: { clip: 'Wallk' } }, BACK_AND_FORTH),
    'node-missing': JSON.stringify({
        sinewGraph: 1,
        layers: [
            { name: 'Base', states: IDLE },
            { name: 'Upper', mask: { node: 'spine' }, states: WALK },
        ],
    }),
    'blend-space-refused': graphOf(
        { v: { type: 'vector2' } },
        {
            Move: {
                blend: {
                    kind: 'directional',
                    x: 'v',
                    samples: [
                        { clip: 'Walk', y: 1 },
                        { clip: 'Run', y: 2 },
                    ],
                },
            },
        },
        [],
    ),
    'marker-missing': graphOf(GO, { ...IDLE, Wave: { clip: 'Wave', loop: 'once' } }, [
        to('Idle', 'Wave', 'go'),
        to('Wave', 'Idle', "marker('Hot')"),
    ]),
    'curve-missing': graphOf(GO, { ...IDLE, ...WALK }, [
        to('Idle', 'Walk', "curve('Grip') > 0.5 && go"),
        to('Walk', 'Idle', 'go'),
    ]),
    'cycle-in-frame': graphOf(SPEED, { ...IDLE, ...WALK }, [
        to('Idle', 'Walk', 'speed > 1.1'),
        to('Walk', 'Idle', 'speed < 2.3'),
    ]),
    'state-unreachable': graphOf(SPEED, { ...IDLE, ...WALK, Wave: { clip: 'Wave' } }, [
        ...BACK_AND_FORTH,
        to('Wave', 'Idle', 'speed > 3'),
    ]),
    'state-without-exit': graphOf(GO, { ...IDLE, ...WALK }, [to('Idle', 'Walk', 'go')]),
    'transition-never': graphOf({ ...SPEED, ...GO }, { ...IDLE, ...WALK }, [
        ...BACK_AND_FORTH,
        to('*', 'Walk', 'finished && go'),
    ]),
    'transition-shadowed': graphOf(SPEED, { ...IDLE, ...WALK, Run: { clip: 'Run' } }, [
        ...BACK_AND_FORTH,
        to('Idle', 'Run', 'speed > 3'),
        to(['Walk', 'Run'], 'Idle', 'speed < 0.05'),
    ]),
    'condition-always-true': graphOf({ ...SPEED, ...GO }, { ...IDLE, ...WALK }, [
        to('Idle', 'Walk', 'speed >= 0'),
        to('Walk', 'Idle', 'go'),
    ]),
    'trigger-not-consumed': graphOf({ ...SPEED, ...GO }, { ...IDLE, ...WALK }, [
        to('Idle', 'Walk', 'speed > 1 && !go'),
        to('Walk', 'Idle', 'speed <= 1'),
    ]),
    'parameter-unused': graphOf({ ...SPEED, ...GO }, { ...IDLE, ...WALK }, BACK_AND_FORTH),
    'step-refused': rigOf([{ name: 'hand', limb: { end: 'Armature', goal: 'at' } }]),
    'step-never': rigOf([{ weight: 0, callback: {} }]),
    'steps-fight': rigOf([{ footLock: {} }, { name: 'again', footLock: {} }]),
    'step-order': rigOf([{ footPlacement: {} }, { footLock: {} }]),
    'goal-at-origin': rigOf([{ aim: { node: 'Head', goal: 'origin', limit: 1 } }]),
    'aim-unlimited': rigOf([{ aim: { node: 'Head', goal: 'at' } }]),
    'input-range': rigOf([{ strideWarp: { scale: 'scale' } }]),
    'warp-unplayed': rigOf([{ rootWarp: { clip: 'Jump', start: 0, end: 0.5, goal: 'ledge' } }]),
    'contacts-missing': rigOf([{ footLock: {} }], ''),
    'springs-overlap': rigOf([
        { name: 'a', springs: { chains: [{ root: 'Hair1' }] } },
        { name: 'b', springs: { chains: [{ root: 'Hair2' }] } },
    ]),
};

// Graphs that differ from the hero's in one transition or clip.
function variantsOfHero() {
    const variants = [],
        change = (edit) => {
            const graph = JSON.parse(hero);
            edit(graph);
            variants.push(JSON.stringify(graph, null, 2));
        };
    const machines = (graph) => [...graph.layers, graph.layers[1].states.Combo];
    for (let m = 0; m < 4; m++) {
        const { states, transitions } = machines(JSON.parse(hero))[m];
        transitions.forEach((_, i) => {
            for (const when of ['finished', 'hurt > 2', 'move.x > 1 || armed', undefined]) {
                change((graph) => {
                    machines(graph)[m].transitions[i].when = when;
                });
            }
            change((graph) => machines(graph)[m].transitions.splice(i, 1));
        });
        for (const name of Object.keys(states))
            change((graph) => {
                machines(graph)[m].states[name] = { clip: `No ${name}` };
            });
    }
    return variants;
}

// The file is compiled for size, and not optimized by binaryen. Bindings of rigs and springs with colliders take 7 KB of it.
test('the module is small, and imports nothing', () => {
    const code = readFileSync(join(folder, 'sinew-graph.wasm'));
    console.log(`sinew-graph.wasm: ${code.length} bytes`);
    assert.ok(code.length <= 1024 * 400, `${code.length} bytes`);
    assert.deepEqual(WebAssembly.Module.imports(new WebAssembly.Module(code)), []);
    const [, size] = readFileSync(modelPath('../docs/web.md'), 'utf8').match(/`sinew-graph.wasm`, (\d+) KB/);
    assert.ok(Math.abs(1000 * size - code.length) <= 0.03 * code.length, `${size} KB, not ${code.length} bytes`);
});

// ---- Findings ----------------------------------------------------------------------------------------------------

// What the command knows of a finding, in its order of keys.
const bare = ({ rule, severity, line, location, message, advice }) => ({
    rule,
    severity,
    line,
    location,
    message,
    advice,
});

// The location that a target has in a finding.
function locationOf(text, target) {
    if (target.kind === 'state') return target.path;
    if (target.kind === 'step') {
        const { start, end } = new Outline(text).find(target), step = JSON.parse(text.slice(start, end));
        return `rig/${step.name ?? Object.keys(step).find((key) => typeof step[key] === 'object')}`;
    }
    if (target.kind !== 'transition') return target.name;
    const { from, to: end } = new Outline(text).find(target);
    return `${target.machine}/${from} -> ${end}`;
}

async function compare(text, given = asset, path = modelPath('hero.glb')) {
    const rules = new Set();
    for (const [one, asked] of [
        [given, path],
        [null, null],
    ]) {
        const expected = commandReport(text, asked),
            { findings, error, errors, warnings, notes, approximateLayers, assetError } = await checkGraph(text, one);
        assert.deepEqual(
            [error && `${error.line}:${error.column}: ${error.message}`, assetError],
            [expected.error ?? null, ''],
        );
        if (error) continue;
        assert.equal(JSON.stringify(findings.map(bare)), JSON.stringify(expected.findings));
        assert.deepEqual(
            [errors, warnings, notes, approximateLayers],
            [expected.errors, expected.warnings, expected.notes, expected.approximateLayers],
        );
        for (const { rule, line, column, title, location, target } of findings) {
            rules.add(rule);
            assert.ok(title.length > 10);
            const { line: written, column: start } = new Outline(text).positionOf(target);
            assert.deepEqual([line, column, location], [written, start, locationOf(text, target)]);
        }
    }
    return rules;
}

test('each rule is found as by the command', async () => {
    const rules = readFileSync(modelPath('../docs/graph.md'), 'utf8')
        .match(/^### [a-z-]+$/gm)
        .map((line) => line.slice(4));
    assert.deepEqual(Object.keys(FAULTY).sort(), rules.sort());
    for (const [rule, text] of Object.entries(FAULTY)) assert.ok((await compare(text)).has(rule), rule);
});

test('graphs of files and their variants have the findings of the command', async () => {
    const texts = [hero, everyKey, readFileSync(join(graphs, 'smallest.graph.json'), 'utf8'), ...variantsOfHero()];
    const found = new Set();
    for (const text of texts) for (const rule of await compare(text)) found.add(rule);
    console.log(`${texts.length} graphs, with the findings ${[...found].join(', ')}`);
    assert.ok(texts.length > 70 && found.size > 6);
});

test('a target of an array of sources is one of its names', async () => {
    const text = graphOf({ ...SPEED, ...GO }, { ...IDLE, ...WALK, End: {} }, [
        ...BACK_AND_FORTH,
        to(['Idle', 'Walk'], 'End', 'finished && go'),
        to('End', 'Idle', 'go'),
    ]);
    const { findings } = await checkGraph(text, asset);
    const never = findings.filter(({ rule }) => rule === 'transition-never').map(({ target }) => target);
    assert.deepEqual(
        never,
        [0, 1].map((source) => ({ kind: 'transition', machine: 'Base', index: 2, source })),
    );
});

test('names of any script and names like numbers', async () => {
    const states = `"2": {"clip": "Idle"}, "歩く 🚶": {"clip": "Walk"}, "1": {"clip": "Nö"}, "__proto__": {}`;
    const text = `{"sinewGraph": 1, "parameters": {"//": 1, "go": {"type": "trigger"}},\n"layers": [{"name": "Größe", "states": {"//": "no state", ${states}}, "transitions": [
        {"from": "2", "to": "歩く 🚶", "when": "go"}, {"from": "1", "to": "__proto__", "when": "go"}, {"from": "歩く 🚶", "to": "1", "when": "finished"}]}]}`;
    assert.deepEqual([...(await compare(text))].sort(), ['clip-missing', 'state-unreachable', 'transition-never']);
    const { findings } = await checkGraph(text, asset),
        [missing] = findings;
    assert.deepEqual([missing.target, missing.line], [{ kind: 'state', path: 'Größe/1' }, 2]);
    assert.equal(text.split('\n')[1].slice(missing.column - 1, missing.column + 2), '"1"');
});

test('a layer that is checked approximately is named', async () => {
    const flags = Array.from({ length: 30 }, (_, i) => `b${i}`);
    const when = flags.slice(1).reduce((all, flag) => `(${all} == ${flag})`, flags[0]);
    const text = graphOf(Object.fromEntries(flags.map((flag) => [flag, { type: 'bool' }])), { A: {}, B: {} }, [
        to('A', 'B', when),
        to('B', 'A', `!(${when})`),
    ]);
    await compare(text);
    assert.deepEqual((await checkGraph(text)).approximateLayers, ['Base']);
});

// ---- Errors ------------------------------------------------------------------------------------------------------

// The entries of faults.txt: lines "key value", separated by empty lines.
const faults = readFileSync(join(graphs, 'faults.txt'), 'utf8')
    .split('\n\n')
    .map((entry) =>
        Object.fromEntries(
            entry
                .split('\n')
                .filter((line) => line && !line.startsWith('#'))
                .map((line) => {
                    const space = line.indexOf(' ');
                    return space < 0 ? [line, ''] : [line.slice(0, space), line.slice(space + 1)];
                }),
        ),
    )
    .filter((entry) => 'find' in entry);

test('each error of the loader has its message and position', async () => {
    assert.ok(faults.length > 100);
    for (const { find, put, at, error: message } of faults) {
        const marked = everyKey.replace(find, () => put),
            mark = at ? -1 : everyKey.indexOf(find) + put.indexOf('@');
        const text = at ? marked : marked.slice(0, mark) + marked.slice(mark + 1);
        const before = marked.slice(0, mark).split('\n'),
            position = at ?? `${before.length}:${before.at(-1).length + 1}`;
        const { error, findings, errors } = await checkGraph(text),
            layout = await layoutGraph(text);
        assert.ok(error, put);
        assert.equal(`${error.line}:${error.column}`, position, put);
        assert.ok(error.message.startsWith(message), `${error.message}, not ${message}`);
        assert.deepEqual([findings, errors, layout], [[], 1, { error, machines: [] }]);
    }
});

test('columns are UTF-16 units, as editors count', async () => {
    const text = hero
        .replace('"move":', '"//": "ä🚶", "move":')
        .replace('"vector2"', '"vector4"')
        .replaceAll('\n    "move"', ' "move"');
    const {
        error: { line, column },
    } = await checkGraph(text);
    assert.equal(text.split('\n')[line - 1].slice(column - 1, column + 8), '"vector4"');
});

test('damaged texts have an error or findings, never a trap', async () => {
    const sinew = await loadSinew();
    let seed = 1,
        refused = 0;
    const random = (below) => {
        seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
        return Math.floor((seed / 2 ** 32) * below);
    };
    const pieces = [
        '"',
        '{',
        '}',
        '[',
        ']',
        ',',
        '\\u0000',
        '\\ud800',
        '\0',
        '//',
        '1e999',
        'null',
        '"from": "*"',
        '\ufeff',
        '😀',
        '\n',
        'speed',
        '("',
    ];
    for (let i = 0; i < 400; i++) {
        const base = i % 2 ? hero : everyKey,
            at = random(base.length),
            length = random(i % 3 ? 4 : 400);
        const text = base.slice(0, at) + (i % 5 ? pieces[random(pieces.length)] : '') + base.slice(at + length);
        const { error } = await checkGraph(text, asset),
            { error: same, machines } = await layoutGraph(text);
        assert.deepEqual(error, same);
        let message = '';
        try {
            sinew.loadGraph(text).dispose();
        } catch ({ message: thrown }) {
            message = thrown;
        }
        assert.equal(error ? `graph:${error.line}:${error.column}: ${error.message}` : '', message);
        if (error) refused++;
        else assert.ok(machines.length > 0);
    }
    assert.ok(refused > 150 && refused < 400, `${refused} of 400`);
    for (const text of ['', '7', '[]', '{}', '\0', '{'.repeat(1e5), `${'['.repeat(1e5)}${']'.repeat(1e5)}`])
        assert.ok((await checkGraph(text)).error);
});

// ---- Assets ------------------------------------------------------------------------------------------------------

test('an asset is parsed once, until another is given', async () => {
    let reads = 0;
    const counted = {
        get bytes() {
            reads++;
            return asset.bytes;
        },
    };
    for (let i = 0; i < 3; i++) await checkGraph(FAULTY['clip-missing'], counted);
    assert.equal(reads, 1);
    await checkGraph(hero, null);
    assert.equal((await checkGraph(FAULTY['clip-missing'], counted)).findings[0].rule, 'clip-missing');
    assert.equal(reads, 2);
});

test('an asset with sidecar files', async () => {
    const name = 'conformance/buffer-sidecar.gltf',
        path = modelPath(name),
        json = JSON.parse(readFileSync(path, 'utf8'));
    const files = Object.fromEntries(
        json.buffers.map(({ uri }) => [uri, readFileSync(modelPath(`conformance/${uri}`))]),
    );
    const { name: clip } = json.animations[0],
        text = graphOf({}, { A: { clip }, B: { clip: 'None' } }, [
            to('A', 'B', 'elapsed > 1'),
            to('B', 'A', 'finished'),
        ]);
    assert.ok((await compare(text, { bytes: readFileSync(path), files }, path)).has('clip-missing'));
});

test('an asset that cannot be read is said, and the graph is checked without it', async () => {
    const damaged = { bytes: asset.bytes.subarray(0, 1000) },
        text = FAULTY['state-without-exit'];
    for (let i = 0; i < 2; i++) {
        const { assetError, findings } = await checkGraph(text, damaged);
        assert.match(assetError, /\S.{10}/);
        assert.deepEqual(findings, (await checkGraph(text)).findings);
    }
    assert.equal((await checkGraph(text, asset)).assetError, '');
    const lacking = { bytes: readFileSync(modelPath('conformance/buffer-sidecar.gltf')) };
    assert.match((await checkGraph(text, lacking)).assetError, /\.bin/);
    await assert.rejects(checkGraph(text, { bytes: 7 }), TypeError);
    assert.equal((await checkGraph(text, asset)).assetError, '');
});

// The decoder is npm's; whether it is called is the question here.
test('a compressed asset is decoded', async () => {
    let calls = 0;
    const bytes = readFileSync(modelPath('conformance/meshopt-attributes.glb')),
        decoder = {
            supported: true,
            ready: Promise.resolve(),
            decodeGltfBuffer: () => {
                calls++;
            },
        };
    assert.match((await checkGraph(hero, { bytes })).assetError, /meshopt/);
    await checkGraph(hero, { bytes, decoder });
    assert.ok(calls > 0);
});

// ---- The layout --------------------------------------------------------------------------------------------------

const escape = (text) => text.replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c]);
const HEAD = (end, before) => [end, ...[-4, 4].map((y) => ({ x: end.x + (before.x < end.x ? -8 : 8), y: end.y + y }))];

// Draws machines as tools/graph/plot.c does.
class Drawing {
    constructor(machines) {
        Object.assign(this, { machines, lines: [] });
    }

    add(element, classes, ...rest) {
        this.lines.push(`<${element} class="${classes}"${rest.join('')}`);
    }

    texts(lines, x, y, step, classOf) {
        lines.forEach((line, i) =>
            this.add('text', classOf(i), ` x="${x}" y="${y + step * i}">${escape(line)}</text>`),
        );
    }

    head(classes, end, before) {
        this.add(
            'polygon',
            classes,
            ` points="${HEAD(end, before)
                .map(({ x, y }) => `${x},${y}`)
                .join(' ')}"/>`,
        );
    }

    edge({ points, lines, label, isAny }, x, y) {
        const moved = points.map((point) => ({ x: x + point.x, y: y + point.y }));
        const path = moved.map((p, i) => {
            const before = moved[i - 1] ?? p;
            if (i === 0) return `M${p.x} ${p.y}`;
            if (Math.abs(p.x - before.x) < 0.05 || Math.abs(p.y - before.y) < 0.05) return `L${p.x} ${p.y}`;
            const middle = (before.x + p.x) / 2;
            return `C${middle} ${before.y} ${middle} ${p.y} ${p.x} ${p.y}`;
        });
        this.add('path', isAny ? 'arrow any l1' : 'arrow l0', ` d="${path.join('')}"/>`);
        this.head(isAny ? 'f1' : 'f0', moved.at(-1), moved.at(-2));
        this.texts(lines, x + label.x + 4, y + label.y + 11, 13, (i) => (i + 1 < lines.length ? 'mono' : 'mono dim'));
    }

    node(node, x, y) {
        const { kind, width, height, lines, machine, inner } = node,
            left = x + node.x,
            top = y + node.y;
        const classes = { any: 'state any l1 f1', machine: 'state machine l2 f2', state: 'state l0 f0' }[kind];
        this.add(
            'rect',
            classes,
            ` x="${left}" y="${top}" width="${width}" height="${height}" rx="${kind === 'any' ? height / 2 : 8}"/>`,
        );
        const first = kind === 'machine' ? 6 : (height - 15 * lines.length) / 2;
        this.texts(lines, left + 12, top + first + 11, 15, (i) => (i === 0 ? 'label' : 'small dim'));
        if (machine >= 0) this.machine(machine, x + inner.x, y + inner.y);
    }

    machine(index, x, y) {
        const { nodes, edges } = this.machines[index],
            entry = nodes.find(({ isEntry }) => isEntry);
        for (const edge of edges) this.edge(edge, x, y);
        for (const node of nodes) this.node(node, x, y);
        const left = x + entry.x,
            middle = y + entry.y + entry.height / 2;
        this.add('circle', 'f5', ` cx="${left - 18}" cy="${middle}" r="4"/>`);
        this.add('line', 'arrow l5', ` x1="${left - 18}" y1="${middle}" x2="${left - 4}" y2="${middle}"/>`);
        this.head('f5', { x: left, y: middle }, { x: left - 18, y: middle });
    }
}

const NUMBER = /-?\d+(?:\.\d+)?(?:e-?\d+)?/g;
const isTexts = (line) => line.startsWith('<text');

// Lines are equal, except that the plot rounds numbers outside of texts.
function expectSame(line, expected) {
    const [ours, theirs] = [line, expected].map((one) =>
        isTexts(one) ? [one.slice(0, one.indexOf('>')), one.slice(one.indexOf('>'))] : [one, ''],
    );
    assert.deepEqual(
        [ours[0].replace(NUMBER, '#'), ours[1]],
        [theirs[0].replace(NUMBER, '#'), theirs[1]],
        `${line}\n${expected}`,
    );
    const numbers = ours[0].match(NUMBER),
        others = theirs[0].match(NUMBER);
    numbers.forEach((number, i) => assert.ok(Math.abs(number - others[i]) < 0.051, `${line}\n${expected}`));
}

// Each layer's lines in the plot. The first two are its frame and its name.
function layersOfPlot(text) {
    const lines = run(text, 'plot', 'FILE', '-o', '-').stdout.split('\n');
    const starts = lines.flatMap((line, i) => (line.startsWith('<rect class="layer') ? [i] : []));
    return starts.map((start, i) => lines.slice(start, starts[i + 1] ?? lines.indexOf('</svg>')));
}

async function compareLayout(text) {
    const { error, machines } = await layoutGraph(text),
        graph = (await loadSinew()).loadGraph(text);
    assert.equal(error, null);
    const layers = layersOfPlot(text);
    assert.equal(layers.length, graph.layers.length);
    layers.forEach((lines, i) => {
        const [, x, y, , height] = lines[0].match(/x="(.*?)" y="(.*?)" width="(.*?)" height="(.*?)"/).map(Number);
        const drawing = new Drawing(machines),
            { machine, name } = graph.layers[i],
            size = machines[machine];
        assert.deepEqual([size.layer, size.path, size.state], [name, name, null]);
        const title = lines.findIndex((line) => !isTexts(line) && !line.startsWith('<rect class="layer'));
        drawing.machine(machine, x, y + height - size.height);
        const drawn = lines.slice(title);
        assert.equal(drawing.lines.length, drawn.length);
        drawn.forEach((line, k) => expectSame(drawing.lines[k], line));
    });
    machines.forEach(({ nodes, edges, state }, i) => {
        assert.deepEqual(state, graph.machines[i].state < 0 ? null : graph.states[graph.machines[i].state].path);
        for (const { target, kind } of nodes) assert.equal(kind === 'any', target === null);
        for (const { transition, target, from, to: end } of edges) {
            const { from: start, to: last } = graph.transitions[transition];
            assert.deepEqual(
                [nodes[from].target?.path, nodes[end].target.path],
                [graph.states[start]?.path, graph.states[last].path],
            );
            assert.equal(target.machine, machines[i].path);
        }
    });
    return machines;
}

test('the layout is that of the plot', async () => {
    let nodes = 0;
    for (const text of [hero, everyKey, ...Object.values(FAULTY)]) {
        for (const machine of await compareLayout(text)) nodes += machine.nodes.length;
    }
    assert.ok(nodes > 40);
});

// A ring with chords: long arrows, long names, many lines.
test('the layout of a large graph is that of the plot', async () => {
    const names = Array.from({ length: 60 }, (_, i) =>
        i % 7 ? `State ${i}` : `A state of a very long name ${i}: ${'名'.repeat(i)}`,
    );
    const states = Object.fromEntries(names.map((name, i) => [name, i % 5 ? { clip: 'Idle', tags: ['final'] } : {}]));
    const transitions = names.flatMap((name, i) => [
        to(name, names[(i + 1) % 60], 'go'),
        to(name, names[(7 * i) % 60], `go && speed > ${i} || elapsed > 3 && in_tag('final') && speed < 3`, {
            duration: i / 8,
        }),
    ]);
    await compareLayout(graphOf({ ...SPEED, ...GO }, states, transitions));
});
