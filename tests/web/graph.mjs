// SPDX-License-Identifier: MIT
// Graphs and animators: node graph.mjs PACKAGE MODELS WALKER GRAPH. The walker, tests/web/graph.c, makes the same
// calls in C: states, events, hashes and matrices are bit-identical.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import test from 'node:test';
import { pathToFileURL } from 'node:url';
import {
    Animator, Batch, BlendSpace, FootLock, Graph, KINDS, Legs, Mask, Mixer, Scene, command as walker, internal,
    loadSinew, modelPath, packagePath, readModel,
} from './common.mjs';
import { glbOf, parts } from './glb.mjs';

const { $actions, $address, $binding, $clips, $footLock, $module, $users } = internal;
const graphPath = resolve(process.argv[5]), text = readFileSync(graphPath, 'utf8');
const sinew = await loadSinew(), bytes = await readModel('hero.glb');
const hero = sinew.loadAsset(bytes);
const EVENTS = ['stateEntered', 'stateLeft', 'transitionStarted', 'transitionEnded', 'cycle'];

const parse = () => JSON.parse(text);
const near = (number, expected, tolerance, what) => (
    assert.ok(Math.abs(number - expected) <= tolerance, `${what}: ${number}, not ${expected}`));

// A small graph: three states. The last two loop forever if `spin` is set.
const SMALL = {
    sinewGraph: 1,
    parameters: { go: { type: 'trigger', hold: 1 }, spin: { type: 'bool' }, speed: { type: 'float', default: 1 } },
    layers: [{
        name: 'Base',
        states: { Idle: { clip: 'Idle', tags: ['still'] }, Walk: { clip: 'Walk', speedParameter: 'speed' }, Run: { clip: 'Run' } },
        transitions: [
            { from: 'Idle', to: 'Walk', when: 'go', duration: 0.25 },
            { from: 'Walk', to: 'Run', when: 'spin' },
            { from: 'Run', to: 'Walk', when: 'spin' },
        ],
    }],
};
const makeSmall = (asset = hero, options = {}) => new Animator(asset, sinew.loadGraph(SMALL), options);

// Notes the events of an animator.
function listen(animator) {
    const events = [];
    for (const type of EVENTS) animator.addEventListener(type, (event) => events.push(event));
    return events;
}

const written = ({ type, layer, state, transition }, { states, transitions }) => (
    [EVENTS.indexOf(type), layer, states.findIndex(({ path }) => path === state), transitions.indexOf(transition)].join(':'));

// ---- Against C ---------------------------------------------------------------------------------------------------

const STEPS = [0.015625, 0.03125, 0, 0.0625];

function drawer(seed) {
    let state = BigInt(seed);
    return () => {
        state = BigInt.asUintN(64, state * 6364136223846793005n + 1442695040888963407n);
        return Number((state >> 33n) % 64n);
    };
}

function hashOf(array) {
    let hash = 2166136261;
    for (const byte of new Uint8Array(array.buffer, array.byteOffset, array.byteLength)) hash = Math.imul(hash ^ byte, 16777619);
    return (hash >>> 0).toString(16).padStart(8, '0');
}

function setInputs(animator, drawn) {
    if (drawn[0] < 8) animator.set('speed', drawn[1] / 12);
    if (drawn[0] > 58) animator.set('strength', drawn[1] / 64);
    if (drawn[2] < 8) animator.set('move', (drawn[3] - 32) / 28, (drawn[4] - 32) / 28);
    const position = [(drawn[3] - 32) / 8, drawn[4] / 3, drawn[9]];
    const rotation = [drawn[7] - 32, (drawn[8] - 32) / 3, 1, drawn[9] - 32];
    if (drawn[7] < 8) animator.set('look', position);
    if (drawn[7] > 50) animator.set('hand', { position, rotation });
    if (drawn[5] < 2) animator.fire('jump');
    if (drawn[5] === 2) animator.fire('attack');
    if (drawn[5] === 3) animator.fire('wave');
    if (drawn[5] === 4) animator.fire('turn');
    if (drawn[5] === 5) animator.cancel('jump');
    if (drawn[6] < 4) animator.set('armed', drawn[6] < 2);
    if (drawn[6] > 60) animator.set('mood', drawn[7] - 30);
}

const TRANSITIONS = ['fade', 'inertialize', 'deadBlend'];

// The lines of the walker, with the same calls. `step` updates.
function walk(animator, seed, frames, step = (deltaTime) => animator.update(deltaTime)) {
    const { graph, mixer } = animator, draw = drawer(seed), events = listen(animator), lines = [];
    let snapshot = null;
    for (let frame = 0; frame < frames; frame++) {
        const drawn = Array.from({ length: 10 }, draw);
        if (frame % 64 === 16) snapshot = animator.save();
        if (frame % 64 === 32) animator.restore(snapshot);
        events.length = 0;
        setInputs(animator, drawn);
        step(STEPS[drawn[3] % 4]);
        if (drawn[8] === 0) {
            const { path } = graph.states[drawn[1] % graph.states.length];
            animator.forceState(path, { kind: TRANSITIONS[drawn[9] % 3], duration: drawn[9] / 64 });
        }
        lines.push([animator.hash.toString(16).padStart(16, '0'), hashOf(mixer.modelMatrices),
            ...graph.layers.map((_, i) => animator.state(i)), ...events.map((event) => written(event, graph))].join(' '));
    }
    return lines;
}

const walked = (seed, frames) => (
    execFileSync(walker, [modelPath('hero.glb'), graphPath, seed, frames], { encoding: 'utf8', maxBuffer: 1e8 }).trim().split('\n'));

for (const kind of KINDS) {
    test(`${kind}: the same calls as in C give the same states, events, hashes and matrices`, async () => {
        const other = await loadSinew(kind), animator = new Animator(other.loadAsset(bytes), other.loadGraph(text));
        const expected = walked(5, 3000);
        walk(animator, 5, 3000).forEach((line, frame) => assert.equal(line, expected[frame], `frame ${frame}`));
    });
}

test('a batch, a scene and a mixer advance the animator as its update does', () => {
    const graph = sinew.loadGraph(text), expected = walked(9, 300);
    const batched = new Animator(hero, graph), batch = new Batch([new Mixer(hero), batched.mixer]);
    assert.deepEqual(walk(batched, 9, 300, (step) => batch.update(step)), expected);
    const scene = new Scene(), { animator } = scene.addInstance(hero, { graph });
    scene.addInstance(hero).mixer.clipAction('Run').play();
    assert.deepEqual(walk(animator, 9, 300, (step) => scene.update(step)), expected);
    const plain = new Animator(hero, graph);
    assert.deepEqual(walk(plain, 9, 300, (step) => plain.mixer.update(step)), expected);
    scene.dispose();
    batched.dispose();
    plain.dispose();
});

// ---- Graphs ------------------------------------------------------------------------------------------------------

test('text, bytes and an object give the same graph', async () => {
    const graphs = [text, new TextEncoder().encode(text), parse()].map((source) => sinew.loadGraph(source));
    graphs.push(await sinew.fetchGraph(pathToFileURL(graphPath)));
    const [{ states, transitions, parameters }] = graphs;
    for (const graph of graphs) {
        assert.ok(graph instanceof Graph);
        const without = (list) => list.map((one) => ({ ...one, line: 0 })); // an object's lines are in its own text
        assert.deepEqual(without(graph.states), without(states));
        assert.deepEqual(without(graph.transitions), without(transitions));
        assert.deepEqual(without(graph.parameters), without(parameters));
        graph.dispose();
    }
});

// Rigs don't run in JavaScript, but a graph lists their steps.
test('a graph has the steps of its rig', () => {
    const settings = {
        rootWarp: { clip: 'Jump', end: 1, goal: 'pose' }, aimOffset: { direction: 'pair', clips: ['Idle'] },
        orientationWarp: { angle: 'share' }, strideWarp: { scale: 'share' }, footLock: {}, footPlacement: {},
        limb: { end: 'Hand_L', goal: 'place' }, chain: { root: 'Hair1', tip: 'Hair3', goal: 'place' },
        body: { effectors: [{ node: 'Head', pin: true }] }, aim: { node: 'Head', goal: 'place' }, callback: {}, springs: {},
    };
    const parameters = {
        share: { type: 'float' }, pair: { type: 'vector2' }, place: { type: 'vector3', default: [1, 2, 3], space: 'model' },
        pose: { type: 'transform', default: { position: [4, 5, 6], rotation: [0, 1, 0, 0] } }, on: { type: 'bool' },
    };
    const steps = Object.entries(settings).map(([kind, one]) => ({ name: `a ${kind}`, [kind]: one }));
    steps[3] = { ...steps[3], when: 'on', weight: 0.5, weightParameter: 'share', weightCurve: 'Grip', damping: 0.25, significance: 2 };
    const graph = sinew.loadGraph({ sinewGraph: 1, parameters, rig: { steps } });
    assert.deepEqual(graph.layers, []);
    assert.deepEqual(graph.steps.map(({ name, kind }) => [name, kind]), Object.keys(settings).map((kind) => [`a ${kind}`, kind]));
    const { line, ...stride } = graph.steps[3];
    assert.deepEqual(stride, { name: 'a strideWarp', kind: 'strideWarp', when: 'on', weight: 0.5, weightParameter: 'share', weightCurve: 'Grip', damping: 0.25, significance: 2 });
    assert.ok(line > graph.steps[2].line);
    const { when, weight, weightParameter, weightCurve, significance } = graph.steps[4];
    assert.deepEqual([when, weight, weightParameter, weightCurve, significance], [null, 1, null, null, 0]);
    assert.deepEqual(sinew.loadGraph(text).steps, []);
    graph.dispose();
});

// The description equals the file, with the defaults from docs/graph.md filled in.
test('a graph has the content of its file', () => {
    const graph = sinew.loadGraph(text), file = parse();
    assert.deepEqual(graph.parameters.map(({ name }) => name), Object.keys(file.parameters));
    for (const { name, type, min, max, damping, hold, space } of graph.parameters) {
        const { type: ofFile, range = [-Infinity, Infinity], damping: damped = 0, hold: held = 0, space: inFile = 'world' } = file.parameters[name];
        assert.equal(type, ofFile);
        assert.equal(space, inFile, name);
        if (type !== 'bool' && type !== 'trigger') assert.deepEqual([min, max], range, name);
        near(damping, damped, 1e-7, name);
        near(hold, held, 1e-7, name);
    }
    assert.deepEqual(graph.findParameter('mood').default, 1);
    assert.deepEqual(graph.findParameter('move').default, [0, 0]);
    assert.equal(graph.findParameter('armed').default, false);
    assert.deepEqual(graph.findParameter('look').default, [0.5, 1, -2]);
    const { position, rotation } = graph.findParameter('hand').default;
    assert.deepEqual([position, rotation], [[0, 1, 9], [0, Math.fround(0.6), 0, -Math.fround(0.8)]]);
    assert.deepEqual(graph.findParameter('foot').default, { position: [0, 0, 0], rotation: [0, 0, 0, 1] });
    assert.deepEqual(graph.layers.map(({ name, mode, weight, weightParameter, reference }) => (
        [name, mode, weight, weightParameter, reference])), [['Base', 'override', 1, null, null],
        ['Upper', 'override', 1, 'strength', null], ['Breath', 'additive', 0.5, null, 'Idle']]);
    assert.deepEqual(graph.tags, ['airborne', 'grounded']);
    let states = 0, transitions = 0;
    const compare = (machine, index, path) => {
        const { entry = Object.keys(machine.states)[0] } = machine;
        assert.equal(graph.states[graph.machines[index].entry].path, `${path}/${entry}`);
        for (const [name, state] of Object.entries(machine.states)) {
            const found = graph.findState(`${path}/${name}`);
            assert.deepEqual([found.name, found.machine, found.clip, found.speed, found.tags, found.sync],
                [name, index, state.clip ?? null, state.speed ?? 1, state.tags ?? [], state.sync ?? null]);
            assert.equal(found.kind, state.clip ? 'clip' : state.blend ? 'blend' : state.states ? 'machine' : 'empty');
            if (state.clip) assert.equal(found.loop, state.loop ?? 'repeat');
            if (state.clip) assert.equal(found.loopCount, state.loopCount ?? (state.loop === 'once' ? 1 : Infinity));
            if (state.blend) {
                assert.deepEqual(found.blend.samples.map(({ clip }) => clip), state.blend.samples.map(({ clip }) => clip));
                assert.deepEqual([found.blend.kind, found.blend.x, found.blend.y], [state.blend.kind ?? 'line', state.blend.x, null]);
            }
            assert.ok(text.split('\n')[found.line - 1].includes(`"${name}"`), `the line of ${found.path}`);
            if (state.states) compare(state, found.submachine, found.path);
            if (state.states) assert.equal(graph.machines[found.submachine].state, found.index);
            states++;
        }
        const expected = (machine.transitions ?? []).flatMap(({ from, ...one }) => [from].flat().map((name) => ({ ...one, from: name })));
        const found = graph.transitions.filter((one) => one.machine === index);
        assert.equal(found.length, expected.length);
        found.forEach((one, i) => {
            const { from, to, when = null, kind = 'fade', duration = 0.2, interrupt = 'always', toSelf = false, offset = 0 } = expected[i];
            assert.equal(one.from < 0 ? '*' : graph.states[one.from].path, from === '*' ? '*' : `${path}/${from}`);
            assert.deepEqual([graph.states[one.to].path, one.when, one.kind, one.interrupt, one.toSelf, one.easing, one.matchRate],
                [`${path}/${to}`, when, kind, interrupt, toSelf, 'auto', false]);
            near(one.duration, duration, 1e-7, 'the duration');
            near(one.offset, offset, 1e-7, 'the offset');
            transitions++;
        });
    };
    file.layers.forEach((layer, i) => {
        compare(layer, graph.layers[i].machine, layer.name);
    });
    assert.deepEqual([states, transitions], [graph.states.length, graph.transitions.length]);
    assert.equal(graph.findState('Base/Move'), null);
    assert.equal(graph.findParameter('sped'), null);
    assert.ok(graph.memory > 1000);
    graph.dispose();
});

test('errors have a name, a line and a column', async () => {
    const damaged = text.replace('"jump && mood != 3"', '"jump && moood != 3"');
    const line = damaged.split('\n').findIndex((one) => one.includes('moood')) + 1;
    const column = damaged.split('\n')[line - 1].indexOf('moood') + 1;
    assert.throws(() => sinew.loadGraph(damaged, { name: 'hero.graph.json' }), (error) => {
        assert.deepEqual([error.line, error.column], [line, column]);
        assert.match(error.message, new RegExp(`^hero\\.graph\\.json:${line}:${column}: .*moood.*did you mean "mood"`));
        return true;
    });
    // Columns are in UTF-16 units, as editors count.
    assert.throws(() => sinew.loadGraph('{\n "sinewGraph": 1, "//": "é🦴", "layerz": [] }'), ({ line: at, column: in16, message }) => {
        assert.deepEqual([at, in16], [2, ' "sinewGraph": 1, "//": "é🦴", '.length + 1]);
        return /layerz/.test(message);
    });
    assert.throws(() => sinew.loadGraph({ ...SMALL, sinewGraph: 2 }), /^Error: graph:2:\d+: /);
    for (const source of [undefined, null, 3, true]) assert.throws(() => sinew.loadGraph(source), /text, bytes or an object/);
    await assert.rejects(sinew.fetchGraph(pathToFileURL(packagePath('package.json'))), /^Error: package\.json:2:\d+: unknown key/);
    const { Sinew: CoreSinew } = await import(pathToFileURL(packagePath('core-fetch.js')));
    const core = await CoreSinew.load();
    assert.throws(() => core.loadGraph(text), /has no graphs: import Sinew from 'sinew-animation'/);
    await assert.rejects(core.fetchGraph('hero.graph.json'), /has no graphs/);
});

test('every prefix of a text and 2,000 damaged ones give a message or a graph', async () => {
    const other = await loadSinew(), asset = other.loadAsset(bytes), whole = new TextEncoder().encode(JSON.stringify(parse()));
    const use = (damaged) => {
        try {
            const graph = other.loadGraph(damaged);
            try {
                const animator = new Animator(asset, graph);
                animator.update(0.1);
                animator.dispose();
            } finally {
                graph.dispose();
            }
            return 0;
        } catch (error) {
            assert.equal(error.constructor, Error, `${error}`); // a trap is a RuntimeError
            assert.match(error.message, /\S.{10}/);
            return 1;
        }
    };
    use(whole);
    const { buffer: { byteLength } } = other[$module].memory, draw = drawer(3);
    let refused = 0;
    for (let i = 0; i < whole.length; i += 7) refused += use(whole.subarray(0, i));
    for (let i = 0; i < 2000; i++) {
        const damaged = Uint8Array.from(whole);
        for (let flips = 1 + draw() % 3; flips > 0; flips--) damaged[(draw() * 4096 + draw() * 64 + draw()) % whole.length] ^= 1 << draw() % 8;
        refused += use(damaged);
    }
    assert.ok(refused > 1000 && refused < 2000 + whole.length / 7, `${refused}`);
    assert.equal(other[$module].memory.buffer.byteLength, byteLength);
});

test('a missing clip or node is named', () => {
    const lacks = (change, message) => {
        const file = parse();
        change(file.layers);
        const graph = sinew.loadGraph(file);
        assert.throws(() => new Animator(hero, graph), message);
        graph.dispose();
    };
    lacks(([base]) => { base.states.Jump.clip = 'Hop'; }, /Base\/Jump: no clip is named "Hop"/);
    lacks(([, upper]) => { upper.mask.node = 'Tail'; }, /layer Upper: .*Tail/);
    lacks(([, , breath]) => { breath.reference = 'Hop'; }, /layer Breath: .*Hop/);
});

test('a graph plays clips of another asset that are bound to its nodes', () => {
    const [json, binary] = parts(bytes);
    json.animations = json.animations.filter(({ name }) => name !== 'Run');
    const own = sinew.loadAsset(glbOf(json, binary)), graph = sinew.loadGraph(SMALL);
    assert.throws(() => new Animator(own, graph), /Base\/Run: no clip is named "Run"/);
    const run = own.bindClip(hero.findClip('Run')), animator = new Animator(own, graph), reference = makeSmall();
    for (const one of [animator, reference]) one.forceState('Base/Run').update(0.25);
    assert.equal(animator.action().clip, run);
    assert.deepEqual(animator.mixer.palette(), reference.mixer.palette());
    reference.dispose();
    own.dispose();
});

// The key at 0.5 s is in the pose of frame 32, which the conditions of frame 33 see.
test('conditions and weights of layers read curves', () => {
    const [json, binary] = parts(bytes);
    const curves = { Grip: { times: [0, 0.5], values: [0, 1], interpolation: 'STEP' } };
    for (const animation of json.animations) animation.extras = { ...animation.extras, curves };
    const own = sinew.loadAsset(glbOf(json, binary)), file = structuredClone(SMALL);
    file.layers[0].transitions[0].when = "curve('Grip') == 1";
    file.layers.push({ name: 'Upper', mask: { node: 'Spine' }, weightCurve: 'Grip', states: { Run: { clip: 'Run' } } });
    const graph = sinew.loadGraph(file), animator = new Animator(own, graph);
    assert.deepEqual(graph.layers.map(({ weightCurve }) => weightCurve), [null, 'Grip']);
    let frames = 0;
    do animator.update(1 / 64); while (++frames < 100 && animator.state() === 'Base/Idle');
    assert.deepEqual([frames, animator.state(), animator.mixer.layers[1].weight], [33, 'Base/Walk', 1]);
    animator.dispose();
    assert.throws(() => new Animator(hero, graph), /Base\/Idle -> Walk: when: column 1: the skeleton has no curve "Grip"|weightCurve/);
    own.dispose();
});

// ---- Animators ---------------------------------------------------------------------------------------------------

test('parameters are set and read by name', () => {
    const animator = new Animator(hero, sinew.loadGraph(text));
    animator.set('strength', 0.25).set('armed', true).set('mood', 9).set('move', 0.5, -3).fire('jump').fire('attack').cancel('attack');
    assert.equal(animator.get('strength'), 0.25);
    assert.equal(animator.get('armed'), true);
    assert.equal(animator.get('mood'), 3);
    assert.equal(animator.get('jump'), true);
    assert.equal(animator.get('attack'), false);
    assert.deepEqual([...animator.get('move')], [0.5, -1]);
    const target = [0, 0];
    assert.equal(animator.get('move', target), target);
    assert.deepEqual(target, [0.5, -1]);
    animator.set('speed', 2);
    assert.equal(animator.get('speed'), 0); // damped
    animator.update(0.1);
    near(animator.get('speed'), 1, 1e-4, 'half of the way');
    assert.throws(() => animator.set('sped', 1), /no parameter 'sped': its parameters are 'speed', 'move'/);
    for (const value of [NaN, Infinity, '1', undefined, true]) assert.throws(() => animator.set('speed', value), /speed must be a finite/);
    for (const value of [0.5, '1', true]) assert.throws(() => animator.set('mood', value), /mood must be an integer/);
    for (const value of [1, 0, 'true', null]) assert.throws(() => animator.set('armed', value), /armed must be true or false/);
    assert.throws(() => animator.set('move', 1), /move must be a finite number, not undefined/);
    assert.throws(() => animator.set('jump', true), /jump is a trigger: call fire\('jump'\)/);
    assert.throws(() => animator.fire('speed'), /speed is a float, not a trigger/);
    assert.throws(() => animator.cancel('armed'), /armed is a bool, not a trigger/);
    animator.set('mood', -1e300);
    assert.equal(animator.get('mood'), 0);
    animator.dispose();
});

test('positions and transforms are set and read by name', () => {
    const animator = new Animator(hero, sinew.loadGraph(text)), identity = [0, 0, 0, 1];
    assert.deepEqual([...animator.get('look')], [0.5, 1, -2]);
    assert.deepEqual([...animator.get('hand').rotation], [0, Math.fround(0.6), 0, -Math.fround(0.8)]);
    animator.set('look', [1.5, -4, 9]).set('foot', { position: [1, 2, 3], rotation: [0, 3, 0, -4] });
    assert.deepEqual([...animator.get('look')], [1.5, -3, 3]);
    const { position, rotation } = animator.get('foot');
    assert.ok(position instanceof Float32Array && rotation instanceof Float32Array);
    assert.deepEqual([...position], [1, 2, 3]);
    [0, 0.6, 0, -0.8].forEach((number, i) => near(rotation[i], number, 1e-7, 'the rotation'));
    const vector = [0, 0, 0], target = { position: [0, 0, 0], rotation: new Float32Array(4) };
    assert.equal(animator.get('look', vector), vector);
    assert.deepEqual(vector, [1.5, -3, 3]);
    assert.equal(animator.get('foot', target), target);
    assert.deepEqual([target.position, [...target.rotation]], [[1, 2, 3], [...rotation]]);
    animator.set('look', Float32Array.of(0, 1, 2)).set('hand', { position: Float32Array.of(0, 1, -1), rotation: Float64Array.of(0, 0.6, 0, -0.8) });
    assert.deepEqual([...animator.get('look')], [0, 1, 2]);
    assert.deepEqual([...animator.get('hand').position], [0, 1, 9]); // damped
    animator.update(0.2);
    near(animator.get('hand').position[2], 4, 1e-4, 'half of the way');
    const hash = animator.hash;
    for (const value of [1, undefined, null, [1, 2], [1, 2, 3, 4], '12']) {
        assert.throws(() => animator.set('look', value), /look must be 3 numbers, not /);
    }
    for (const value of [[1, NaN, 2], [1, 2, '3'], '123']) assert.throws(() => animator.set('look', value), /look must be a finite number, not /);
    for (const value of [1, undefined, null, [1, 2, 3], { position: [1, 2, 3] }, { rotation: identity }]) {
        assert.throws(() => animator.set('hand', value), /hand must be \{ position, rotation \}, not /);
    }
    const set = (position, rotation) => animator.set('hand', { position, rotation });
    assert.throws(() => set([1, 2], identity), /hand: position must be 3 numbers, not 1,2/);
    assert.throws(() => set([1, 2, Infinity], identity), /hand: position must be a finite number, not Infinity/);
    assert.throws(() => set([1, 2, 3], [0, 0, 1]), /hand: rotation must be 4 numbers, not 0,0,1/);
    assert.throws(() => set([1, 2, 3], [0, 0, NaN, 1]), /hand: rotation must be a finite number, not NaN/);
    for (const zero of [0, 1e-300]) assert.throws(() => set([1, 2, 3], [0, zero, 0, 0]), /hand: rotation must be a quaternion .*not all zeros/);
    assert.equal(animator.hash, hash);
    assert.throws(() => animator.fire('look'), /look is a vector3, not a trigger/);
    animator.dispose();
});

test('states, transitions and events are those of the graph', () => {
    const animator = makeSmall(), { graph } = animator, events = listen(animator);
    assert.deepEqual([animator.state(), animator.isActive('Base/Idle'), animator.hasTag('still')], ['Base/Idle', true, true]);
    assert.deepEqual([animator.transition(), animator.progress()], [null, 1]);
    animator.fire('go').update(0.125);
    assert.deepEqual(events.map(({ type, state }) => `${type} ${state}`),
        ['stateLeft Base/Idle', 'transitionStarted Base/Walk', 'stateEntered Base/Walk']);
    assert.equal(events[1].transition, graph.transitions[0]);
    assert.deepEqual([events[1].layer, events[1].target, events[0].transition], [0, animator, null]);
    assert.equal(animator.state('Base'), 'Base/Walk');
    assert.equal(animator.transition('Base'), graph.transitions[0]);
    assert.deepEqual([animator.progress(0), animator.elapsed('Base/Walk'), animator.elapsed('Base/Idle')], [0.5, 0.125, 0]);
    assert.equal(animator.action().clip.name, 'Walk');
    near(animator.action().getEffectiveWeight(), 0.5, 1e-6, 'the weight');
    assert.deepEqual(animator.mixer.layers[0].actions.map(({ clip }) => clip.name).sort(), ['Idle', 'Walk']);
    animator.update(0.125);
    assert.deepEqual(events.slice(3).map(({ type }) => type), ['transitionEnded']);
    events.length = 0;
    animator.set('spin', true).update(0.1);
    assert.equal(events.filter(({ type }) => type === 'cycle').length, 1);
    for (const use of [() => animator.state('Lower'), () => animator.state(1), () => animator.isActive('Walk'),
        () => animator.hasTag('wet'), () => animator.elapsed('Base/Fly'), () => animator.forceState('Base'),
        () => animator.transition(-1), () => animator.progress(0.5), () => animator.action('Upper')]) {
        assert.throws(use, /no (layer|state|tag) /, String(use));
    }
    assert.throws(() => animator.addEventListener('loop', () => {}), /stateEntered.*cycle, not 'loop'/);
    assert.throws(() => animator.forceState('Base/Run', { kind: 'jump' }), /kind must be one of/);
    animator.dispose();
});

test('a forced state is entered at once, with its events', () => {
    const animator = new Animator(hero, sinew.loadGraph(text)), events = listen(animator);
    animator.forceState('Base/Ground/Turn', { kind: 'inertialize', duration: 0.5 });
    assert.deepEqual(events.map(({ type, state, transition }) => [type, state, transition]), [
        ['stateLeft', 'Base/Ground/Move', null], ['transitionStarted', 'Base/Ground/Turn', null],
        ['stateEntered', 'Base/Ground/Turn', null]].slice(-3));
    assert.equal(animator.state(), 'Base/Ground/Turn');
    assert.equal(animator.transition(), null);
    animator.update(0.25);
    assert.equal(animator.progress(), 0.5);
    assert.ok(animator.isActive('Base/Ground'));
    animator.dispose();
});

test('the mixer of an animator has its events, root motion, layers and foot locks', () => {
    const legs = new Legs(hero, { legs: ['L', 'R'].map((side) => (
        { thigh: `UpperLeg_${side}`, shin: `LowerLeg_${side}`, foot: `Foot_${side}`, toes: `Toes_${side}` })) });
    const animator = new Animator(hero, sinew.loadGraph(text), { rootMotion: { node: hero.findNode('Hips') } }), { mixer } = animator;
    assert.equal(mixer.animator, animator);
    assert.equal(new Mixer(hero).animator, null);
    assert.deepEqual(mixer.layers.map(({ mode }) => mode), ['override', 'override', 'additive', 'override']);
    const found = [], lock = new FootLock(mixer, legs);
    for (const type of ['loop', 'marker', 'finished']) {
        mixer.addEventListener(type, ({ action, clip, marker }) => found.push([type, action.layer, clip.name, marker?.name]));
    }
    animator.set('speed', 3).set('mood', 3).fire('wave').forceState('Breath/Excited', { duration: 0 });
    for (let i = 0; i < 200; i++) {
        animator.update(1 / 30);
        lock.update(1 / 30);
    }
    const has = (...event) => assert.ok(found.some((one) => event.every((part, i) => part === one[i])), `${event}`);
    has('marker', 0, 'Run', 'Foot_L');
    has('loop', 0, 'Run');
    has('loop', 1, 'Wave');
    has('loop', 2); // a difference, which the binding owns
    const excited = animator.forceState('Breath/Excited').action('Breath');
    assert.ok(excited.space instanceof BlendSpace && excited.clip.additive);
    assert.deepEqual(excited.space.samples.map(({ clip: { name, additive } }) => [name, additive]), [['Idle', true], ['Wave', true]]);
    assert.deepEqual(excited.space.weights(3), [{ sample: 1, weight: 1 }]);
    assert.ok(mixer.bounds().every(Number.isFinite));
    assert.ok(Array.isArray([...mixer.rootDelta().translation]));
    // A page's mask replaces the graph's, until it's set to null.
    const grip = hero.findNode('Grip_R'), seen = () => {
        animator.update(0);
        return [...mixer.nodeTransform(grip).rotation, ...mixer.nodeMatrix(grip)].join();
    };
    animator.forceState('Upper/Wave', { duration: 0 }).update(0.5);
    const masked = seen();
    mixer.layers[1].mask = new Mask(hero);
    assert.notEqual(seen(), masked);
    mixer.layers[1].mask = null;
    assert.equal(seen(), masked);
    animator.dispose();
    legs.dispose();
});

test('the blend spaces and differences of a graph are its animators\'', () => {
    const animator = new Animator(hero, sinew.loadGraph(text)), mixer = new Mixer(hero);
    const { space } = animator.action(), { clip } = animator.action('Breath');
    assert.throws(() => mixer.clipAction(space), /this BlendSpace belongs to a graph: its animators play it/);
    assert.throws(() => mixer.clipAction(clip, { layer: 2 }), /doesn't have the Clip 'Idle'/);
    assert.throws(() => space.dispose(), /belongs to a graph and is freed with it/);
    assert.equal(animator.mixer.clipAction(space), animator.action());
    animator.dispose();
    assert.throws(() => space.weights(0), /this BlendSpace is disposed/);
});

test('the program may play in a layer that the graph does not have', () => {
    const animator = makeSmall(), { mixer } = animator;
    mixer.clipAction('Wave', { layer: 1 }).play();
    animator.fire('go').update(0.5);
    assert.equal(mixer.layers[1].actions.length, 1);
    assert.equal(animator.state(), 'Base/Walk');
    mixer.stopAllAction();
    animator.update(0.1);
    assert.deepEqual([animator.state(), animator.action().isActive()], ['Base/Walk', false]);
    animator.dispose();
});

test('time scales, pauses and speeds of the mixer are the animator\'s', () => {
    const animator = makeSmall();
    animator.mixer.timeScale = 0.5;
    animator.fire('go').update(0.25);
    assert.deepEqual([animator.elapsed('Base/Walk'), animator.progress()], [0.125, 0.5]);
    animator.set('speed', 2).update(0.5);
    near(animator.action().time, 0.125 + 0.5, 1e-6, 'the time');
    animator.update(-1); // a step below 0 is 0
    near(animator.elapsed('Base/Walk'), 0.375, 0, 'the time in the state');
    assert.throws(() => animator.update(NaN), /a step must be a finite number/);
    animator.dispose();
});

// ---- Snapshots and versions --------------------------------------------------------------------------------------

test('snapshots of an animator and of its mixer are the same', () => {
    const animator = new Animator(hero, sinew.loadGraph(text)), other = new Animator(hero, animator.graph);
    const snapshot = animator.mixer.save(), first = walk(animator, 4, 60);
    animator.mixer.restore(snapshot);
    assert.deepEqual(walk(animator, 4, 60), first);
    assert.equal(animator.save(snapshot), snapshot);
    assert.notEqual(animator.mixer.hash, animator.hash);
    assert.throws(() => other.restore(snapshot), /snapshot must be from this mixer/);
    animator.dispose();
    other.dispose();
});

// A version of the graph with a layer more, without the wave, and with another speed of the jump.
function nextVersion() {
    const file = parse(), [base, upper] = file.layers;
    base.states.Jump.speed = 1;
    delete upper.states.Wave;
    upper.transitions = upper.transitions.slice(0, 1);
    file.layers[2].transitions = [];
    file.layers.push({ name: 'Head', mask: { node: 'Head' }, states: { Look: { clip: 'Idle' } } },
        { name: 'Hand', mask: { node: 'Hand_R' }, states: { Off: {} } });
    return file;
}

test('another version of a graph adopts states, parameters and the pose', () => {
    const old = new Animator(hero, sinew.loadGraph(text));
    old.set('speed', 3).set('mood', 2).set('look', [1, 2, 3]).set('foot', { position: [4, 5, 6], rotation: [0, 1, 0, 0] }).fire('jump').update(0.3);
    old.update(0.1);
    const pose = Float32Array.from(old.mixer.palette());
    const next = new Animator(hero, sinew.loadGraph(nextVersion()));
    assert.equal(next.adopt(old, { duration: 0.5 }), next);
    assert.deepEqual([next.state(), next.get('mood')], ['Base/Jump', 2]);
    assert.deepEqual(next.get('look'), old.get('look'));
    assert.deepEqual(next.get('hand'), old.get('hand'));
    assert.deepEqual(next.get('foot'), { position: Float32Array.of(4, 5, 6), rotation: Float32Array.of(0, 1, 0, 0) });
    near(next.action().time, old.action().time, 1e-6, 'the time');
    next.update(0);
    next.mixer.palette().forEach((number, i) => near(number, pose[i], 1e-4, 'the pose'));
    assert.throws(() => next.adopt(next), /an animator can't adopt itself/);
    assert.throws(() => next.adopt(old.mixer), /must be an Animator/);
    const elsewhere = sinew.loadAsset(bytes), foreign = new Animator(elsewhere, old.graph);
    assert.throws(() => next.adopt(foreign), /must have the same asset/);
    assert.throws(() => next.adopt(old, { duration: -1 }), /a duration must be 0 or more/);
    elsewhere.dispose();
    old.dispose();
    next.dispose();
});

test('a graph is replaced in place, with listeners, batches, scenes, feet and attachments', () => {
    const scene = new Scene(), instance = scene.addInstance(hero, { graph: sinew.loadGraph(text) }), { animator, mixer } = instance;
    const sword = scene.addNode(), batch = new Batch([mixer]), events = listen(animator), first = animator.graph, marked = [];
    const legs = new Legs(hero, { legs: ['L', 'R'].map((side) => (
        { thigh: `UpperLeg_${side}`, shin: `LowerLeg_${side}`, foot: `Foot_${side}` })) });
    new FootLock(mixer, legs);
    instance.attach(sword, 'Grip_R');
    mixer.addEventListener('marker', ({ marker }) => marked.push(marker.name));
    mixer.layers[3].weight = 0.25;
    animator.set('speed', 3).set('mood', 2).fire('jump');
    for (let i = 0; i < 10; i++) scene.update(1 / 32);
    const snapshot = animator.save(), { time } = animator.action(), palette = mixer.palette().slice();
    const breath = mixer.layers[2].actions.find(({ clip }) => clip.name === 'Idle');
    const space = animator[$binding].sources.find((source) => source instanceof BlendSpace), moving = mixer.clipAction(space);

    const graph = sinew.loadGraph(nextVersion()), other = new Animator(hero, graph).adopt(animator, { duration: 0.25 });
    assert.equal(animator.setGraph(graph, { duration: 0.25 }), animator);
    first.dispose();
    assert.throws(() => breath.play(), /the clip 'Idle' belonged to an earlier graph/);
    assert.throws(() => moving.play(), /this BlendSpace is disposed/);
    assert.deepEqual([first[$address], space.disposed, animator.graph], [0, true, graph]);
    assert.deepEqual([animator.state(), animator.get('mood')], ['Base/Jump', 2]);
    near(animator.action().time, time, 1e-6, 'the time');
    mixer.palette().forEach((number, i) => near(number, palette[i], 1e-4, 'the pose'));
    assert.deepEqual(mixer.layers.map(({ mode }) => mode), ['override', 'override', 'additive', 'override', 'override']);
    assert.equal(mixer.layers[3].weight, 1); // the graph has it now
    assert.throws(() => animator.restore(snapshot), /from an earlier graph/);
    assert.throws(() => mixer.save(snapshot), /from an earlier graph/);
    mixer[$footLock].dispose();
    events.length = 0;
    for (let i = 0; i < 60; i++) {
        if (i === 20) for (const one of [animator, other]) one.fire('attack').set('armed', true);
        if (i % 2) scene.update(1 / 32);
        else batch.update(1 / 32);
        other.update(1 / 32);
        assert.deepEqual(mixer.palette(), other.mixer.palette());
        assert.deepEqual(mixer.modelMatrices, other.mixer.modelMatrices);
        assert.deepEqual([animator.state(), animator.state('Upper')], [other.state(), other.state('Upper')]);
    }
    scene.update(0);
    const grip = mixer.nodeMatrix(hero.findNode('Grip_R'));
    sword.world().forEach((number, i) => near(number, grip[i], 1e-5, 'the sword'));
    assert.ok(events.some(({ state }) => state === 'Upper/Attack') && marked.includes('Hit'));
    assert.doesNotThrow(() => new FootLock(mixer, legs));
    assert.ok(!batch.disposed);
    const lacking = sinew.loadGraph({ ...SMALL, layers: [{ name: 'Base', states: { Fly: { clip: 'Fly' } } }] });
    assert.throws(() => animator.setGraph(lacking), /Base\/Fly: no clip is named "Fly"/);
    assert.throws(() => animator.setGraph(first), /this Graph is disposed/);
    assert.throws(() => animator.setGraph(text), /graph must be a Graph/);
    animator.setGraph(sinew.loadGraph(SMALL));
    assert.deepEqual([animator.state(), mixer.layers.length], ['Base/Idle', 5]);
    scene.update(1 / 32);
    animator.restore(animator.save());
    other.dispose();
    scene.dispose();
    legs.dispose();
    assert.throws(() => animator.setGraph(graph), /this Animator is disposed/);
});

// ---- Lifetime ----------------------------------------------------------------------------------------------------

test('a binding is shared, and freed with its last animator', () => {
    const graph = sinew.loadGraph(text), [first, second] = [0, 1].map(() => new Animator(hero, graph));
    assert.equal(first[$binding], second[$binding]);
    graph.dispose();
    assert.throws(() => new Animator(hero, graph), /this Graph is disposed/);
    first.dispose();
    assert.ok(graph[$address] !== 0 && second[$binding][$address] !== 0);
    second.fire('jump').update(0.1);
    assert.equal(second.state(), 'Base/Jump');
    second.dispose();
    assert.deepEqual([graph[$address], second[$binding][$address]], [0, 0]);
    second.dispose();
    graph.dispose();
});

test('each call after dispose is an error', () => {
    const asset = sinew.loadAsset(bytes), animator = new Animator(asset, sinew.loadGraph(text)), snapshot = animator.save();
    asset.dispose();
    assert.ok(animator.disposed && animator.mixer.disposed);
    for (const use of [(a) => a.update(0.1), (a) => a.set('speed', 1), (a) => a.get('speed'), (a) => a.fire('jump'),
        (a) => a.cancel('jump'), (a) => a.state(), (a) => a.isActive('Base/Jump'), (a) => a.hasTag('airborne'),
        (a) => a.elapsed('Base/Jump'), (a) => a.transition(), (a) => a.progress(), (a) => a.action(),
        (a) => a.forceState('Base/Jump'), (a) => a.adopt(makeSmall()), (a) => a.save(), (a) => a.restore(snapshot),
        (a) => a.hash]) {
        assert.throws(() => use(animator), /this (Animator|Mixer) is disposed/, String(use));
    }
    assert.throws(() => new Animator(asset, animator.graph), /this Asset is disposed/);
});

test('a listener may dispose or force', () => {
    const animator = makeSmall(), other = makeSmall();
    animator.addEventListener('stateEntered', () => animator.dispose());
    animator.fire('go').update(0.1);
    assert.ok(animator.disposed);
    other.addEventListener('stateEntered', ({ state }) => {
        if (state === 'Base/Walk') other.forceState('Base/Idle');
    });
    other.fire('go').update(0.1);
    assert.equal(other.state(), 'Base/Idle');
    other.dispose();
});

test('graphs and assets are of one Sinew', async () => {
    const other = await loadSinew();
    assert.throws(() => new Animator(hero, other.loadGraph(SMALL)), /must be from the same Sinew/);
    for (const graph of [null, SMALL, text]) assert.throws(() => new Animator(hero, graph), /graph must be a Graph/);
    assert.throws(() => makeSmall(hero, { layers: 9 }), /layers must be 1 to 8/);
});

test('memory stays flat over graphs and animators', async () => {
    const other = await loadSinew(), asset = other.loadAsset(bytes);
    const cycle = () => {
        const graph = other.loadGraph(text), animators = [0, 1].map(() => new Animator(asset, graph));
        for (const animator of animators) animator.fire('jump').update(0.1);
        animators[1].adopt(animators[0]);
        graph.dispose();
        for (const animator of animators) animator.dispose();
    };
    cycle();
    const { byteLength } = other[$module].memory.buffer;
    for (let i = 0; i < 300; i++) cycle();
    assert.equal(other[$module].memory.buffer.byteLength, byteLength);
    assert.deepEqual([asset[$users].size, asset[$clips].size], [0, asset.clips.length]);
    const animator = new Animator(asset, other.loadGraph(text)), versions = [text, nextVersion()];
    const reload = (i) => {
        const { graph } = animator;
        animator.setGraph(other.loadGraph(versions[i % 2])).update(0.1);
        graph.dispose();
    };
    for (let i = 0; i < 2; i++) reload(i);
    const size = other[$module].memory.buffer.byteLength;
    for (let i = 0; i < 300; i++) reload(i);
    assert.equal(other[$module].memory.buffer.byteLength, size);
    assert.equal(animator.mixer.layers[2][$actions].size, 2);
});
