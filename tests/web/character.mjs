// SPDX-License-Identifier: MIT
// Rigs and characters: node character.mjs PACKAGE MODELS ACTOR SCRATCH_FOLDER. The actor, tests/web/character.c,
// makes the same calls in C: hashes, matrices and written states are bit-identical.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import test from 'node:test';
import { pathToFileURL } from 'node:url';
import { KINDS, command as actor, internal, modelPath, packagePath, readModel } from './common.mjs';

const { Animator, Batch, Character, Mixer, Rig, Scene, Sinew } = await import(pathToFileURL(packagePath('character.js')));
const { $module } = internal;
const scratch = join(resolve(process.argv[5]), 'character');
mkdirSync(scratch, { recursive: true });

const load = (kind) => Sinew.load({ wasm: readFileSync(packagePath(`sinew-character-${kind}.wasm`)) });
const sinew = await load('simd'), bytes = await readModel('hero.glb');
const hero = sinew.loadAsset(bytes), heroText = readFileSync(modelPath('hero.character.json'), 'utf8');
const heroRig = new Rig(hero, sinew.loadGraph(heroText));
const flat = (_place, { position }) => { position[1] = 0; };
const near = (number, expected, tolerance, what) => (
    assert.ok(Math.abs(number - expected) <= tolerance, `${what}: ${number}, not ${expected}`));

// ---- Against C ---------------------------------------------------------------------------------------------------

const f = Math.fround;

// `draw` of the actor.
function drawer(seed) {
    let state = BigInt(seed);
    return (low, high) => {
        state = BigInt.asUintN(64, state * 6364136223846793005n + 1442695040888963407n);
        return f(f(low) + f(f(f(high) - f(low)) * (Number((state >> 33n) % 64n) / 64)));
    };
}

function hashOf(array) {
    let hash = 2166136261;
    for (const byte of new Uint8Array(array.buffer, array.byteOffset, array.byteLength)) hash = Math.imul(hash ^ byte, 16777619);
    return (hash >>> 0).toString(16).padStart(8, '0');
}

const heightAt = (z) => f(f(0.15) * (z < 0 ? 0 : Math.trunc(f(z * 0.5))));
const stairs = (place, { position }) => { position[1] = heightAt(place[2]); };

// run_step of the actor.
const actStep = (spine) => (step) => {
    const { translation, scale } = step.nodeTransform(spine), lower = f(f(0.5) * step.nodeMatrix(spine)[13]);
    step.setNodeTransform(spine, { translation: [f(translation[0] + f(f(0.25) * step.weight)), lower, f(translation[2] + step.deltaTime)],
        rotation: [0.28, 0, 0, 0.96], scale: [1.25, scale[1], scale[2]] });
};

// acted_frame of tests/golden/acted.h.
function actFrame(character, draw, frame) {
    const speed = draw(0, 3), target = [draw(-3, 3), draw(-3, 3), draw(-3, 3)], rail = [0.3, 1.2, draw(0.2, 0.5)];
    character.set('move', 0, speed);
    if (frame % 40 === 0) character.set('aware', draw(0, 1) < f(0.6));
    character.set('lookAt', target);
    character.set('rail', { position: rail, rotation: [draw(-1, 1), draw(-1, 1), draw(-1, 1), 0.5] });
    if (frame % 300 > 200) character.ride({ position: [f(f(0.01) * (frame % 300)), 0, 0] });
    else character.getOff();
    character.begin(draw(0.002, 0.04));
    const { position } = character.world();
    position[2] = f(position[2] + f(f(0.02) * speed));
    position[1] = heightAt(position[2]);
    character.setWorld({ position }).end();
}

// The lines of the actor, with the same calls.
function act(character, seed, frames) {
    const draw = drawer(seed), lines = [];
    for (let frame = 0; frame < frames; frame++) {
        actFrame(character, draw, frame);
        lines.push(`${character.hash.toString(16).padStart(16, '0')} ${hashOf(character.mixer.modelMatrices)}`);
    }
    return lines;
}

function acted(seed, frames, { read = '-', write = '-' } = {}) {
    const output = execFileSync(actor, [modelPath('hero.glb'), seed, frames, read, write], { encoding: 'utf8', maxBuffer: 1e8 });
    const [graph, ...lines] = output.trim().split('\n');
    return { graph, lines };
}

const { graph: actedText } = acted(1, 0);

// A character with the actor's graph, in its own module.
async function makeActor(kind) {
    const own = await load(kind);
    const asset = own.loadAsset(bytes);
    return new Character(new Rig(asset, own.loadGraph(actedText)), { ground: stairs, step: actStep(asset.findNode('Spine')) });
}

for (const kind of KINDS) {
    test(`${kind}: the same calls as in C give the same hashes and matrices`, async () => {
        const character = await makeActor(kind), { lines } = acted(5, 1200);
        act(character, 5, 1200).forEach((line, frame) => assert.equal(line, lines[frame], `frame ${frame}`));
        assert.equal(new Set(lines).size, 1200);
    });
}

test('a state that C has written is read, and the other way round', async () => {
    const path = join(scratch, 'of_c.state'), own = join(scratch, 'of_js.state');
    const writer = await makeActor('simd'), reader = await makeActor('plain');
    const last = acted(7, 300, { write: path }).lines.at(-1);
    act(writer, 7, 300);
    assert.deepEqual(writer.write(), new Uint8Array(readFileSync(path)));
    assert.deepEqual(reader.read(readFileSync(path)), []);
    assert.equal(reader.hash.toString(16).padStart(16, '0'), last.split(' ')[0]);
    assert.deepEqual(act(reader, 8, 300), acted(8, 300, { read: path }).lines);
    writeFileSync(own, reader.write());
    assert.deepEqual(act(writer, 9, 0), []);
    assert.deepEqual(act(reader, 9, 300), acted(9, 300, { read: own }).lines);
});

// ---- The ground --------------------------------------------------------------------------------------------------

const makeHero = (options = {}) => new Character(heroRig, { ground: flat, ...options });
const heightOf = (character, name) => character.nodeWorldMatrix(hero.findNode(name))[13];

test('a rig that places feet needs a ground', () => {
    assert.throws(() => new Character(heroRig), /^TypeError: the step ground needs ground: pass a function, or null to call setGrounds/);
    assert.throws(() => new Character(heroRig, { ground: 3 }), /ground must be a function/);
    const rig = new Rig(hero, sinew.loadGraph({ sinewGraph: 1, rig: { steps: [{ footLock: {} }] } }));
    new Character(rig).dispose();
    rig.dispose();
});

test('feet stand on the ground that the page finds', () => {
    const stand = (ground) => {
        const character = makeHero({ ground }), asked = [];
        for (let i = 0; i < 60; i++) character.update(1 / 60);
        const height = heightOf(character, 'Foot_L');
        character.dispose();
        return { height, asked };
    };
    const { height } = stand(flat), up = stand((_, { position }) => { position[1] = 0.1; });
    near(up.height - height, 0.1, 0.01, 'the height on a stone');
    near(stand(() => false).height, height, 0.01, 'the height without ground');
    near(stand(null).height, height, 0.01, 'the height without answers');
    const places = [];
    stand((place, { position, normal }) => {
        places.push(...place);
        assert.deepEqual([...position], [...place]);
        assert.deepEqual([...normal], [0, 1, 0]);
        position[1] = 0;
    });
    assert.ok(places.length > 100 && places.every((number) => Math.abs(number) < 1));
});

test('the ground can be answered in one go', () => {
    const asking = makeHero({ ground: (_, { position }) => { position[1] = 0.1; } }), answered = makeHero({ ground: null });
    for (let i = 0; i < 60; i++) {
        asking.update(1 / 60);
        const grounds = answered.begin(1 / 60).groundPlaces();
        assert.equal(grounds.length, 12); // two feet with six places
        for (const { position } of grounds) position[1] = 0.1;
        answered.setGrounds(grounds).end();
    }
    near(heightOf(answered, 'Foot_L'), heightOf(asking, 'Foot_L'), 1e-4, 'the height');
    answered.begin(1 / 60);
    for (const { normal } of answered.groundPlaces()) assert.deepEqual([...normal], [0, 1, 0]);
    assert.throws(() => answered.setGrounds(new Array(49).fill(answered.groundPlaces()[0])), /at most 48/);
    assert.throws(() => answered.setGrounds([{ position: [0, NaN, 0], normal: [0, 1, 0] }]), /position must be a finite number/);
    assert.throws(() => answered.setGrounds([{ position: [0, 0, 0], normal: [0, 2, 0] }]), /normal must have a length of 1/);
    answered.setGrounds([{ position: [0, 0, 0], normal: [0, 0, 0] }]).end();
    asking.dispose();
    answered.dispose();
});

test('errors of the ground come out of the update, which the next one does not notice', () => {
    let find = flat;
    const character = makeHero({ ground: (place, ground) => find(place, ground) });
    const other = makeHero(), fails = (wrong, message) => {
        let calls = 0;
        find = (...given) => {
            calls++;
            return wrong(...given);
        };
        assert.throws(() => character.update(1 / 60), message);
        assert.equal(calls, 1);
        find = flat;
        character.update(1 / 60);
    };
    character.update(1 / 60);
    fails(() => { throw new Error('no physics'); }, /no physics/);
    fails((_, { position }) => { position[1] = NaN; }, /ground's position must be a finite number, not NaN/);
    fails((_, { normal }) => { normal[1] = 0.5; }, /ground's normal must have a length of 1, not 0.5/);
    fails(() => character.update(1 / 60), /begin cannot be called between begin and end/);
    fails(() => character.end(), /end must be called after begin/);
    fails(() => character.restore(other.save()), /restore cannot be called between/);
    for (const dispose of [() => character.dispose(), () => character.mixer.dispose(), () => hero.dispose()]) {
        fails(dispose, /can't be disposed during its update/);
    }
    assert.ok(!hero.disposed && !character.disposed);
    fails(() => other.update(NaN), /a step must be a finite number/);
    // Meanwhile, another character with its own ground may be updated.
    const alone = makeHero(), expected = makeHero({ ground: (_, { position }) => { position[1] = 0.05; } });
    alone.restore(alone.save());
    const nesting = makeHero({ ground: (_, { position }) => {
        alone.update(0.001);
        position[1] = 0.05;
    } });
    for (let i = 0; i < 20; i++) {
        nesting.update(1 / 60);
        expected.update(1 / 60);
    }
    assert.equal(nesting.hash, expected.hash);
    for (const one of [character, other, alone, nesting, expected]) one.dispose();
});

// ---- Calls -------------------------------------------------------------------------------------------------------

test('an update is a begin and an end, also of the mixer', () => {
    const characters = [makeHero(), makeHero(), makeHero()], [whole, halves, ofMixer] = characters;
    for (let i = 0; i < 90; i++) {
        for (const one of characters) one.set('move', 0, i / 30);
        if (i === 40) for (const one of characters) one.fire('attack');
        assert.equal(whole.update(1 / 60), true);
        assert.equal(halves.begin(1 / 60).end(), halves);
        assert.equal(ofMixer.mixer.update(1 / 60), true);
    }
    assert.equal(halves.hash, whole.hash);
    assert.equal(ofMixer.hash, whole.hash);
    assert.equal(whole.state('Upper'), 'Upper/Attack');
    near(whole.mixer.time, 1.5, 1e-6, 'the time');
    assert.throws(() => whole.end(), /end must be called after begin/);
    whole.begin(0);
    for (const use of [() => whole.begin(0), () => whole.update(0), () => whole.save(), () => whole.write(), () => whole.read(new Uint8Array(8))]) {
        assert.throws(use, /cannot be called between begin and end/, String(use));
    }
    whole.end();
    whole.mixer.timeScale = 0.5;
    halves.mixer.timeScale = 0.5;
    whole.update(1 / 60);
    ofMixer.update(1 / 120);
    assert.notEqual(ofMixer.hash, halves.hash);
    for (const one of characters) one.dispose();
});

test('listeners hear of an update when it ends', () => {
    const character = makeHero(), heard = [];
    character.addEventListener('stateEntered', ({ state, target }) => heard.push([state, target]));
    character.fire('attack').begin(1 / 60);
    assert.deepEqual(heard, []);
    assert.equal(character.state('Upper'), 'Upper/Attack');
    character.end();
    assert.deepEqual(heard, [['Upper/Attack', character]]);
    character.dispose();
});

test('the world is set in parts, and nodes are in it', () => {
    const half = Math.SQRT1_2, world = { position: [1, 0, 2], rotation: [0, half, 0, half], scale: 2 };
    const character = makeHero({ world }), target = { position: [0, 0, 0], rotation: [0, 0, 0, 0], scale: 0 };
    assert.equal(character.world(target), target);
    assert.deepEqual([target.position, target.rotation.map(f), target.scale], [[1, 0, 2], [0, f(half), 0, f(half)], 2]);
    character.setWorld({ position: [5, 0, 0] });
    assert.deepEqual([...character.world().position, character.world().scale], [5, 0, 0, 2]);
    character.update(1 / 60);
    const hand = hero.findNode('Hand_R'), model = character.mixer.nodeMatrix(hand), inWorld = character.nodeWorldMatrix(hand);
    near(inWorld[12], 5 + 2 * model[14], 1e-5, 'x'); // 90 degrees about y turn z to x
    near(inWorld[13], 2 * model[13], 1e-5, 'y');
    near(inWorld[14], -2 * model[12], 1e-5, 'z');
    assert.deepEqual([inWorld[3], inWorld[7], inWorld[11], inWorld[15]], [0, 0, 0, 1]);
    const matrix = new Float64Array(16);
    assert.equal(character.nodeWorldMatrix(hand, matrix), matrix);
    assert.deepEqual(Float32Array.from(matrix), inWorld);
    character.teleport({ position: [0, 0, 0], scale: 1 }).update(0);
    assert.deepEqual([...character.world().position, character.world().scale], [0, 0, 0, 1]);
    character.dispose();
});

// A row of a palette is the joint's matrix after all steps, times its inverse bind matrix.
test('a palette has the pose after all steps', () => {
    const character = makeHero(), [skin] = hero.skins;
    character.set('looks', true).set('lookAt', [2, 1, 1]);
    for (let i = 0; i < 30; i++) character.update(1 / 60);
    const palette = character.palette(), { modelMatrices: model } = character.mixer;
    assert.equal(palette, character.mixer.palette(0));
    skin.joints.forEach((node, joint) => {
        for (let row = 0; row < 3; row++) {
            for (let column = 0; column < 4; column++) {
                let sum = column === 3 ? model[12 * node + 4 * row + 3] : 0;
                for (let k = 0; k < 3; k++) sum += model[12 * node + 4 * row + k] * skin.inverseBinds[12 * joint + 4 * k + column];
                near(palette[12 * joint + 4 * row + column], sum, 1e-5, `joint ${joint}`);
            }
        }
    });
    character.dispose();
});

test('a platform carries a character', () => {
    const character = makeHero({ ground: null });
    character.ride({ position: [0, 1, 0] }).ride({ position: [0, 3, 4] });
    assert.deepEqual([...character.world().position], [0, 2, 4]);
    character.ride({ position: [0, 3, 4], rotation: [0, 1, 0, 0] }); // half a turn
    near(character.world().position[2], 4, 1e-6, 'z');
    near(Math.abs(character.world().rotation[1]), 1, 1e-6, 'half a turn');
    character.ride({ position: [0, 3, 4] }); // and back
    near(Math.abs(character.world().rotation[3]), 1, 1e-6, 'no turn');
    character.getOff().ride({ position: [9, 9, 9] });
    near(character.world().position[1], 2, 1e-6, 'y');
    character.dispose();
});

test('root motion moves a character', () => {
    const graph = sinew.loadGraph(VAULT), rig = new Rig(hero, graph), rootMotion = { node: hero.findNode('Hero'), translation: 'xyz' };
    assert.throws(() => new Character(rig), /^TypeError: the step over needs rootMotion: pass the node that its clip moves/);
    const character = new Character(rig, { rootMotion });
    character.set('ledge', { position: [0.2, 0.3, 0.5], rotation: [0, 0, 0, 1] }).fire('vault');
    for (let i = 0; i < 54; i++) character.update(1 / 60);
    [0.2, 0.3, 0.5].forEach((number, i) => near(character.world().position[i], number, 0.02, 'the place of the ledge'));
    rig.dispose();
    character.dispose();
});

const VAULT = {
    sinewGraph: 1,
    parameters: { vault: { type: 'trigger' }, ledge: { type: 'transform' } },
    layers: [{ name: 'Base', states: { Idle: { clip: 'Idle' }, Vault: { clip: 'Jump', loop: 'once' } },
        transitions: [{ from: 'Idle', to: 'Vault', when: 'vault', duration: 0.1 }] }],
    rig: { steps: [{ name: 'over', rootWarp: { clip: 'Jump', start: 0.45, end: 0.9, goal: 'ledge', addedSpeed: 2 } }] },
};

// ---- Scenes ------------------------------------------------------------------------------------------------------

test('a scene shows a character where it is, with what it holds', () => {
    const scene = new Scene(), character = makeHero({ world: { position: [1, 0, 2], scale: 2 } }), alone = makeHero({ world: { position: [1, 0, 2], scale: 2 } });
    const instance = scene.addInstance(hero, { name: 'hero', character }), other = scene.addInstance(hero), sword = scene.addNode();
    instance.attach(sword, 'Grip_R');
    for (const one of [character, alone]) one.set('move', 0, 1.2);
    for (let i = 0; i < 20; i++) {
        scene.update(1 / 60);
        alone.update(1 / 60);
        for (const one of [character, alone]) one.setWorld({ position: [1, 0, 2 + i / 50] });
    }
    for (const one of [character, alone]) one.begin(1 / 60).setWorld({ position: [5, 0, 2] }); // and the scene ends it
    scene.update(1 / 60);
    alone.end();
    assert.equal(character.hash, alone.hash);
    const held = alone.nodeWorldMatrix(hero.findNode('Grip_R'));
    sword.world().forEach((value, i) => near(value, held[i], 1e-6, `the sword's ${i}`));
    assert.deepEqual([...instance.world()], [2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 5, 0, 2, 1]);
    assert.equal(instance.animator, character);
    assert.equal(other.mixer.time, character.mixer.time);
    for (const wrong of [() => instance.setTransform(), () => instance.setParent(other), () => scene.addInstance(hero, { character: alone, scale: [1, 1, 1] })]) {
        assert.throws(wrong, /a character has no parent or transform in the scene/);
    }
    character.dispose();
    scene.update(1 / 60);
    assert.equal(instance.scene, null);
    scene.addInstance(hero, { character: alone });
    scene.update(1 / 60);
    scene.dispose();
    assert.ok(alone.disposed);
});

// ---- Callbacks ---------------------------------------------------------------------------------------------------

const called = (...more) => new Rig(hero, sinew.loadGraph({ sinewGraph: 1, parameters: { on: { type: 'bool', default: true } },
    rig: { steps: [{ name: 'first', when: 'on', damping: 0, callback: {} }, { name: 'second', weight: 0.5, callback: {} }, ...more] } }));

test('a callback has its step and the pose so far, and what it changes is in the matrices and palettes', () => {
    const rig = called(), hips = hero.findNode('Hips'), seen = [];
    let kept = null;
    const character = new Character(rig, { step: (step) => {
        const { index, name, weight, deltaTime } = kept = step, height = step.nodeMatrix(hips)[13];
        seen.push([index, name, weight, f(deltaTime), height]);
        if (index === 0) step.setNodeTransform(hips, { translation: [0, 2, 0] });
    } });
    const plain = new Mixer(hero);
    plain.update(0.25);
    character.update(0.25);
    assert.deepEqual(seen.map((one) => one.slice(0, 4)), [[0, 'first', 1, 0.25], [1, 'second', 0.5, 0.25]]);
    assert.equal(seen[0][4], plain.nodeMatrix(hips)[13]);
    assert.equal(character.mixer.nodeMatrix(hips)[13], seen[1][4]);
    assert.notEqual(seen[1][4], seen[0][4]);
    assert.notDeepEqual([...character.palette()], [...plain.palette()]);
    character.set('on', false).update(0.25);
    assert.deepEqual(seen.map(([index]) => index), [0, 1, 1]);
    for (const use of [() => kept.nodeTransform(hips), () => kept.nodeMatrix(hips), () => kept.setNodeTransform(hips, {})]) {
        assert.throws(use, /can only be used while it runs/);
    }
    plain.dispose();
    character.dispose();
    rig.dispose();
});

test('the errors of a callback are thrown by the update, and wrong arguments change nothing', () => {
    const rig = called(), hips = hero.findNode('Hips');
    let run = () => { throw new Error('mine'); };
    assert.throws(() => new Character(rig), /^TypeError: the step first needs step: pass a function/);
    assert.throws(() => new Character(rig, { step: 3 }), /step must be a function/);
    const character = new Character(rig, { step: (step) => run(step) });
    assert.throws(() => character.update(0.1), /^Error: mine$/);
    for (const [wrong, message] of [[[-1, {}], /no node -1/], [[hips, { rotation: [0, 0, 0, 2] }], /rotation must have a length of 1/],
        [[hips, { translation: [0, NaN, 0] }], /translation must be a finite number/], [[hips, { scale: [1, 1] }], /scale must be 3 numbers/]]) {
        run = (step) => step.setNodeTransform(...wrong);
        assert.throws(() => character.update(0.1), message);
        run = () => {};
        const before = [...character.mixer.modelMatrices];
        character.update(0);
        assert.deepEqual([...character.mixer.modelMatrices], before);
    }
    for (const [use, message] of [[() => character.update(0.1), /begin cannot be called/], [() => character.dispose(), /can't be disposed/]]) {
        run = use;
        assert.throws(() => character.update(0.1), message);
    }
    run = () => {};
    character.update(0.1);
    character.dispose();
    rig.dispose();
});

test('a callback may update another character, whose steps are its own', () => {
    const rig = called({ footPlacement: {} }), hips = hero.findNode('Hips'), asked = [];
    const lift = (height) => (step) => step.setNodeTransform(hips, { translation: [0, height, 0] });
    const inner = new Character(rig, { step: lift(5), ground: () => { asked.push('inner'); } });
    const outer = new Character(rig, { ground: () => { asked.push('outer'); }, step: (step) => {
        if (step.index === 0) inner.update(0.1);
        lift(3)(step);
    } });
    outer.update(0.1);
    const heights = [inner, outer].map(({ mixer }) => mixer.nodeTransform(hips).translation[1]);
    near(heights[0] - heights[1], 2, 0.01, 'the difference');
    assert.deepEqual([...new Set(asked)], ['inner', 'outer']);
    inner.dispose();
    outer.dispose();
    rig.dispose();
});

test('steps have weights, which conditions and significance switch', () => {
    const character = makeHero();
    character.update(1 / 60);
    assert.deepEqual(heroRig.graph.steps.map(({ name }) => character.stepWeight(name)), [1, 1, 0, 0, 0, 1]);
    character.set('looks', true).set('lookAt', [1, 1.5, 1]);
    for (let i = 0; i < 120; i++) character.update(1 / 60);
    near(character.stepWeight('look'), 1, 1e-3, 'the weight of the look');
    character.setSignificance(0.04);
    for (let i = 0; i < 120; i++) character.update(1 / 60);
    near(character.stepWeight('look'), 0, 1e-3, 'the weight of the look far away');
    assert.equal(character.stepWeight('ground'), 1);
    assert.throws(() => character.stepWeight('lok'), /this rig has no step 'lok'; did you mean 'look'\?/);
    character.dispose();
});

test('wind reaches the springs', () => {
    const graph = sinew.loadGraph({ sinewGraph: 1, rig: { steps: [{ springs: { chains: [{ root: 'Scarf1', stiffness: 10 }] } }] } });
    const rig = new Rig(hero, graph), still = new Character(rig), blown = new Character(rig);
    assert.equal(blown.setWind([20, 0, 0]), blown);
    for (let i = 0; i < 60; i++) {
        still.update(1 / 60);
        blown.update(1 / 60);
    }
    const tip = hero.nodes.findLastIndex(({ name }) => name.startsWith('Scarf'));
    assert.ok(blown.nodeWorldMatrix(tip)[12] - still.nodeWorldMatrix(tip)[12] > 0.02);
    rig.dispose();
    still.dispose();
    blown.dispose();
});

test('wrong values are named', () => {
    const character = makeHero();
    const messages = [
        [() => new Character(hero), /rig must be a Rig/],
        [() => makeHero({ world: { scale: 0 } }), /scale must be above 0, not 0/],
        [() => makeHero({ world: 3 }), /world must be { position, rotation, scale }/],
        [() => makeHero({ layers: 9 }), /layers must be 1 to 8/],
        [() => makeHero({ rootMotion: { node: 999 } }), /no node 999/],
        [() => character.setWorld({ position: [1, 2] }), /position must be 3 numbers/],
        [() => character.setWorld({ position: [1, 2, Infinity] }), /position must be a finite number, not Infinity/],
        [() => character.setWorld({ rotation: [0, 0, 0, 2] }), /rotation must have a length of 1, not 2/],
        [() => character.setWorld({ scale: 1e-60 }), /scale must be above 0/],
        [() => character.setWorld(null), /must be { position/],
        [() => character.teleport({ scale: NaN }), /scale must be a finite number/],
        [() => character.ride({ scale: 2 }), /a platform must have a scale of 1, not 2/],
        [() => character.ride(null), /platform must be { position/],
        [() => character.setWind([1, 2, 'x']), /wind must be a finite number, not x/],
        [() => character.setSignificance(NaN), /a significance must be 0 or more/],
        [() => character.nodeWorldMatrix('Hand_R'), /no node Hand_R: it must be an integer from 0/],
        [() => character.set('lookAt', 3), /lookAt must be 3 numbers/],
        [() => character.set('walk', 3), /no parameter 'walk'/],
        [() => character.read('text'), /a state must be an ArrayBuffer/],
        [() => character.read(new Uint8Array(3)), /\S{3}/],
        [() => character.setGraph(heroRig.graph), /plays its rig's graph/],
        [() => new Batch([character.mixer]), /a batch can't update characters with rigs/],
        [() => character.update(Infinity), /a step must be a finite number/],
        [() => character.restore(new Mixer(hero).save()), /snapshot must be from this mixer/],
    ];
    const { hash } = character;
    for (const [use, message] of messages) assert.throws(use, message, String(use));
    assert.equal(character.hash, hash);
    character.dispose();
});

// ---- Rigs --------------------------------------------------------------------------------------------------------

test('errors of a rig name the step, and have its line', async () => {
    const text = heroText.replace('"role:head"', '"role:haed"'), line = text.split('\n').findIndex((one) => one.includes('haed')) + 1;
    assert.throws(() => new Rig(hero, sinew.loadGraph(text)), (error) => {
        assert.match(error.message, new RegExp(`^line \\d+: step look: there is no role "haed"; did you mean "head"\\?`));
        assert.ok(Math.abs(error.line - line) <= 1);
        return true;
    });
    assert.throws(() => sinew.loadGraph(heroText.replace('"limit": 1.1', '"limitt": 1.1'), { name: 'hero.character.json' }),
        /^Error: hero\.character\.json:\d+:\d+: .*limitt/);
    const sword = sinew.loadAsset(await readModel('sword.glb'));
    const reach = { sinewGraph: 1, rig: { steps: [{ name: 'reach', limb: { end: 'role:leftHand', goal: { node: 'role:head' } } }] } };
    assert.throws(() => new Rig(sword, sinew.loadGraph(reach)), /^Error: line \d+: step reach: no node has the role "leftHand"; no humanoid was recognized/);
    assert.throws(() => new Rig(hero, {}), /graph must be a Graph/);
    const { Sinew: MainSinew } = await import(pathToFileURL(packagePath('index.js')));
    const main = await MainSinew.load({ wasm: readFileSync(packagePath('sinew-plain.wasm')) }), asset = main.loadAsset(bytes);
    assert.throws(() => new Rig(asset, main.loadGraph(reach)), /this Sinew can't run rigs: use the Sinew of 'sinew-animation\/character'/);
    assert.throws(() => new Animator(asset, main.loadGraph(heroText)), /no node has the role "spine"; use the Sinew of 'sinew-animation\/character'/);
    await assert.rejects(Sinew.load({ wasm: readFileSync(packagePath('sinew-plain.wasm')) }), /a module without characters/);
    sword.dispose();
});

test('an animator plays a graph with roles in its masks', () => {
    const animator = new Animator(hero, heroRig.graph), character = makeHero();
    animator.fire('attack').update(1 / 60);
    character.fire('attack').update(1 / 60);
    assert.equal(animator.state('Upper'), character.state('Upper'));
    assert.notEqual(animator.hash, character.hash);
    animator.dispose();
    character.dispose();
});

// The solvers of the other module, on a mixer of the main module, are the same library.
test('the springs of an avatar swing as those of the solvers', async () => {
    const { Solvers, Springs, springsOf } = await import(pathToFileURL(packagePath('solvers.js')));
    const solvers = await Solvers.load({ wasm: readFileSync(packagePath('sinew-solvers.wasm')) });
    const file = await readModel('sprite.vrm'), avatar = sinew.loadAsset(file), mixer = new Mixer(avatar);
    const springs = new Springs(solvers, mixer, springsOf(file)), rig = new Rig(avatar, sinew.loadGraph(SPRINGS));
    const character = new Character(rig), rest = mixer.modelMatrices.slice();
    const world = Float32Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1);
    for (let i = 0; i < 60; i++) {
        world[12] = f(0.1 * Math.sin(i / 4));
        mixer.update(1 / 60);
        springs.update(1 / 60, world);
        character.setWorld({ position: [world[12], 0, 0] }).update(1 / 60);
        assert.deepEqual(character.mixer.modelMatrices, mixer.modelMatrices, `frame ${i}`);
    }
    assert.notDeepEqual(mixer.modelMatrices, rest);
    avatar.dispose();
});

const SPRINGS = { sinewGraph: 1, rig: { steps: [{ springs: {} }] } };

// ---- States ------------------------------------------------------------------------------------------------------

test('a restored state goes on as before', () => {
    const character = makeHero(), draw = drawer(3);
    const play = () => {
        for (let i = 0; i < 60; i++) character.set('move', 0, i / 20).set('sits', i > 30).update(1 / 60);
        return character.hash;
    };
    play();
    character.setWorld({ position: [draw(0, 1), 0, 0] });
    const snapshot = character.save(), { hash } = character, expected = play();
    assert.equal(character.restore(snapshot), character);
    assert.equal(character.hash, hash);
    assert.equal(play(), expected);
    assert.equal(character.mixer.restore(snapshot), character.mixer);
    assert.equal(play(), expected);
    character.dispose();
});

test('a state is read by another graph, which says what it does not have', () => {
    const character = makeHero(), graph = sinew.loadGraph(heroText.replace('"name": "look"', '"name": "gaze"').replaceAll('"hurt"', '"pain"'));
    const other = new Character(new Rig(hero, graph), { ground: flat });
    character.set('looks', true);
    character.mixer.clipAction('Wave', { layer: 3 }).play(); // a layer that the graph doesn't have
    for (let i = 0; i < 30; i++) character.update(1 / 60);
    const state = character.write(), unknown = other.read(state);
    assert.ok(unknown.some(({ kind, name }) => kind === 'parameter' && name === 'hurt'), JSON.stringify(unknown));
    assert.ok(unknown.every(({ kind, name }) => typeof name === 'string' && kind.length > 3));
    assert.ok(other.mixer.clipAction('Wave', { layer: 3 }).isRunning());
    other.update(1 / 60);
    const again = makeHero();
    assert.deepEqual(again.read(state), []);
    assert.equal(again.hash, character.hash);
    assert.deepEqual(again.read(state.slice().buffer), []);
    const { hash } = other;
    let refused = 0;
    for (let i = 0; i < state.length; i += 97) {
        const damaged = state.slice();
        damaged[i] ^= 4;
        try {
            other.read(damaged);
        } catch (error) {
            assert.equal(error.constructor, Error);
            refused++;
        }
    }
    assert.equal(refused, Math.ceil(state.length / 97));
    assert.equal(other.hash, hash);
    for (const one of [character, other, again]) one.dispose();
});

test('delays and warps of actions end with a read', () => {
    const character = makeHero(), [halted, delayed] = ['Wave', 'Run'].map((name) => character.mixer.clipAction(name, { layer: 3 }).play());
    character.update(0.1);
    const state = character.write();
    halted.halt(0.5);
    delayed.startAt(1e6);
    character.update(0.1);
    character.read(state);
    character.update(0.1);
    assert.ok(halted.isRunning() && delayed.isRunning());
    near(halted.getEffectiveTimeScale(), 1, 1e-6, 'the speed');
    character.dispose();
});

test('a character adopts what another one plays', () => {
    const [old, adopting] = [makeHero(), makeHero()];
    old.fire('attack');
    for (let i = 0; i < 5; i++) old.update(1 / 60);
    assert.equal(adopting.adopt(old, { duration: 0.1 }), adopting);
    adopting.update(1 / 60);
    assert.equal(adopting.state('Upper'), 'Upper/Attack');
    old.dispose();
    adopting.dispose();
});

// ---- Memory ------------------------------------------------------------------------------------------------------

test('everything is freed, in any order', async () => {
    const own = await load('plain'), { memory } = own[$module];
    const once = (order) => {
        const asset = own.loadAsset(bytes), graph = own.loadGraph(heroText), rig = new Rig(asset, graph);
        const characters = [0, 1].map(() => new Character(rig, { ground: flat })), [character] = characters;
        graph.dispose();
        character.update(1 / 60);
        character.read(character.save() && character.write());
        if (order === 1) asset.dispose();
        if (order === 2) rig.dispose();
        if (order === 2) assert.throws(() => new Character(rig, { ground: flat }), /this Rig is disposed/);
        if (order === 2) characters[1].update(1 / 60);
        for (const one of characters) one.dispose();
        if (order === 3) rig.dispose();
        asset.dispose();
        assert.ok(asset.disposed && rig.disposed && character.disposed && character.mixer.disposed);
        for (const use of [() => character.update(0), () => character.begin(0), () => character.end(), () => character.world(),
            () => character.setWorld({}), () => character.teleport({}), () => character.ride({}), () => character.getOff(), () => character.setWind([0, 0, 0]),
            () => character.setSignificance(1), () => character.palette(), () => character.nodeWorldMatrix(0), () => character.stepWeight('look'),
            () => character.groundPlaces(), () => character.setGrounds([]), () => character.save(), () => character.write(),
            () => character.read(new Uint8Array(8)), () => character.hash, () => character.set('sits', true)]) {
            assert.throws(use, /this (Character|Mixer) is disposed/, String(use));
        }
    };
    for (let i = 0; i < 8; i++) once(i % 4);
    const { byteLength } = memory.buffer;
    for (let i = 0; i < 24; i++) once(i % 4);
    const character = new Character(new Rig(own.loadAsset(bytes), own.loadGraph(heroText)), { ground: flat }), state = character.write();
    for (let i = 0; i < 8000; i++) character.read(state);
    for (let i = 0; i < 100; i++) character.write();
    assert.equal(memory.buffer.byteLength, byteLength);
});

// ---- The package -------------------------------------------------------------------------------------------------

test('the declarations have every public name', async () => {
    const [own, main] = ['character.d.ts', 'index.d.ts'].map((file) => readFileSync(packagePath(file), 'utf8')), character = makeHero();
    for (const one of [character, heroRig, heroRig.graph.steps[0]]) {
        const prototype = Object.getPrototypeOf(one), declared = prototype === Object.prototype ? main : own;
        for (const name of [...Object.getOwnPropertyNames(prototype), ...Object.keys(one)]) {
            if (prototype === Object.prototype && name in Object.prototype) continue;
            assert.match(name in Animator.prototype || name === 'animator' ? declared + main : declared, new RegExp(`\\b${name}\\b`), name);
        }
    }
    character.dispose();
    const names = async (file) => Object.keys(await import(pathToFileURL(packagePath(file))));
    assert.deepEqual((await names('character.js')).sort(), [...await names('index.js'), 'Character', 'Rig'].sort());
});

test('the example of the README runs', async () => {
    const [, code] = readFileSync(packagePath('README.md'), 'utf8').match(/^```js character\n([^]*?)^```$/m);
    const body = code.replaceAll(/^import .*$/gm, '').replaceAll('import.meta.url', 'base');
    const given = { Character, Rig, Sinew, base: pathToFileURL(modelPath('x')), heightAt: () => 0 };
    const run = new Function(...Object.keys(given), `return (async () => { ${body} return { character, palette, hand }; })();`);
    const { character, palette, hand } = await run(...Object.values(given));
    assert.ok(palette.every(Number.isFinite) && hand[13] > 0.5);
    near(character.world().position[2], 0.02, 1e-6, 'the place');
});
