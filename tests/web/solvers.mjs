// SPDX-License-Identifier: MIT
// Springs, chains and bodies: node solvers.mjs PACKAGE MODELS PROGRAM. The program, solvers.c, makes the same calls
// in C: all matrices are bit-identical.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { pathToFileURL } from 'node:url';
import {
    Batch, FootLock, Legs, Mixer, Scene, command as program, internal, loadSinew, modelPath, packagePath, readModel,
} from './common.mjs';
import { glbOf, parts } from './glb.mjs';

const { $module, $solvers } = internal;
const { Body, Chain, Effector, Solvers, Springs, springsOf } = await import(pathToFileURL(packagePath('solvers.js')));
const sinew = await loadSinew(), wasm = await readFile(packagePath('sinew-solvers.wasm'));
const solvers = await Solvers.load({ wasm });
const spriteBytes = await readModel('sprite.vrm'), heroBytes = await readModel('hero.glb');
const windmillBytes = await readModel('windmill.glb'); // without springs
const sprite = sinew.loadAsset(spriteBytes), hero = sinew.loadAsset(heroBytes);
const bones = springsOf(spriteBytes);

const HAIR = { chains: [{ joints: ['Hair1', 'Hair2', 'Hair3'], tail: [0, 0.125, 0], stiffness: 8, radius: 0.02 }] };
const TAIL_TIP = 'J_Sec_C_Tail5';

// A translation, column-major.
const moved = (x, z = 0) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, 0, z, 1];
const positionOf = (mixer, node) => [...mixer.nodeMatrix(mixer.asset.findNode(node))].slice(12, 15);
const distance = (a, b) => Math.hypot(...a.map((number, i) => number - b[i]));
const bitsOf = (mixer) => [...new Uint32Array(mixer.modelMatrices.slice().buffer)];

function hashOf(floats) {
    let hash = 2166136261;
    for (const byte of new Uint8Array(floats.slice().buffer)) hash = Math.imul(hash ^ byte, 16777619);
    return (hash >>> 0).toString(16).padStart(8, '0');
}

// ---- The same bits as C ------------------------------------------------------------------------------------------

const FRAMES = 900;
const STEPS = [0.015625, 0.015625, 0.03125, 0, 0.015625, 0.0078125];

// input_of of solvers.c
function setInput(springs, frame) {
    const phase = frame % 128;
    springs.wind = [(frame % 90 - 30) / 16, 0, 0.5];
    springs.weight = frame % 200 < 180 ? 1 : 0.5;
    return moved((phase < 64 ? phase : 128 - phase) / 64, frame % 256 > 250 ? 8 : 0);
}

const heroSprings = { // make_springs
    chains: [
        { joints: ['Hair1', 'Hair2', 'Hair3'], stiffness: 8, radius: 0.02, tail: [0, 0.125, 0], colliders: [0, 1], fromRest: true },
        { joints: ['Scarf1', 'Scarf2', { node: 'Scarf3', damping: Infinity, limit: 0.5 }], stiffness: 3, radius: 0.02,
            tail: [0, 0.125, 0], colliders: [0, 1], center: 'Hips' },
    ],
    colliders: [
        { node: 'Head', offset: [0, 0.125, 0], radius: 0.125 },
        { shape: 'capsule', node: 'UpperChest', tail: [0, 0.25, 0], radius: 0.125 },
    ],
};

const heroBody = { // solve_body
    root: 'Hips', rootStiffness: 0.25, limits: [{ node: 'Spine', kind: 'cone', cone: 0.5, stiffness: 0.25 }],
    effectors: [{ node: 'Hips', positionWeight: 0 }, { node: 'Hand_L' }, { node: 'Foot_L', pin: true }, { node: 'Foot_R', pin: true },
        { node: 'Head', positionWeight: 0, rotationWeight: 0.5, rotation: [0, 0, 0, 1], pull: 0.25 }],
};

const heroChain = { // solve_chain
    root: 'UpperArm_R', tip: 'Hand_R', pole: [-1, 0.5, 0], poleWeight: 0.5, softness: 0.125, weight: 0.75, restarts: 2,
    limits: [{ node: 'LowerArm_R', kind: 'hinge', axis: [1, 0, 0], angleMin: -2.5, angleMax: 0 }],
};

test('the bits are those of the C library', () => {
    const expected = execFileSync(program, [modelPath('sprite.vrm'), modelPath('hero.glb'), String(FRAMES)], { encoding: 'utf8' });
    const avatar = new Mixer(sprite), character = new Mixer(hero);
    const avatarSprings = new Springs(solvers, avatar, bones), springs = new Springs(solvers, character, heroSprings);
    const body = new Body(solvers, character, heroBody);
    let chain = null;
    character.clipAction('Walk').play();
    expected.trim().split('\n').forEach((line, frame) => {
        if (frame % 100 === 0) {
            chain?.dispose();
            chain = new Chain(solvers, character, { ...heroChain, method: ['least-squares', 'fabrik', 'ccd'][frame / 100 % 3] });
        }
        const step = STEPS[frame % 6];
        avatar.update(step);
        avatarSprings.update(step, setInput(avatarSprings, frame));
        character.update(step);
        body.effectors[1].target = [0.25, 1 + frame % 64 / 128, 0.375];
        body.update();
        chain.target = [-0.25, 1.25, 0.25 + frame % 32 / 128];
        chain.update();
        springs.update(step, setInput(springs, frame));
        assert.equal(`${hashOf(avatar.modelMatrices)} ${hashOf(character.modelMatrices)}`, line, `frame ${frame}`);
    });
    for (const mixer of [avatar, character]) mixer.dispose();
    assert.ok(springs.disposed && body.disposed && chain.disposed && avatarSprings.disposed);
});

// VRM 0.x has a spring's values at its roots, sways their whole subtrees, and has z in the other direction.
function asVersion0([json, binary]) {
    const { colliders, colliderGroups, springs } = json.extensions.VRMC_springBone;
    const vector = ([x, y, z]) => ({ x, y, z: -z });
    const older = structuredClone(json);
    older.extensionsUsed = ['VRM'];
    older.extensions = { VRM: { humanoid: { humanBones: [] }, secondaryAnimation: {
        colliderGroups: colliderGroups.map(({ colliders: [index] }) => {
            const { node, shape } = colliders[index], { offset, radius } = shape.sphere ?? shape.capsule;
            return { node, colliders: [{ offset: vector(offset), radius }] };
        }),
        boneGroups: springs.map(({ name, joints: [joint], colliderGroups: groups = [] }) => ({ comment: name,
            stiffiness: joint.stiffness, gravityPower: joint.gravityPower, gravityDir: vector([0.25, -1, 0.5]), dragForce: joint.dragForce,
            hitRadius: joint.hitRadius, center: -1, bones: [joint.node], colliderGroups: groups })),
    } } };
    for (const node of older.nodes) delete node.extensions;
    return glbOf(older, binary);
}

// Plays a variant of the avatar, and compares each frame with the C library's. Returns its springs.
async function compareWithC(file) {
    const folder = await mkdtemp(join(tmpdir(), 'sinew-')), path = join(folder, 'avatar.vrm');
    try {
        await writeFile(path, file);
        const expected = execFileSync(program, [path, modelPath('hero.glb'), '200'], { encoding: 'utf8' }).trim().split('\n');
        const asset = sinew.loadAsset(file), mixer = new Mixer(asset), found = springsOf(file), springs = new Springs(solvers, mixer, found);
        expected.forEach((line, frame) => {
            mixer.update(STEPS[frame % 6]);
            springs.update(STEPS[frame % 6], setInput(springs, frame));
            assert.equal(hashOf(mixer.modelMatrices), line.split(' ')[0], `frame ${frame}`);
        });
        asset.dispose();
        return { found, springs };
    } finally {
        await rm(folder, { recursive: true });
    }
}

test('spring bones of VRM 0.x have the bits of the C library', async () => {
    const { found, springs } = await compareWithC(asVersion0(parts(spriteBytes)));
    assert.equal(found.version, '0.x');
    assert.ok(springs.jointCount > 12); // with the last joint of each branch
});

test('defaults, centers and extended colliders have the bits of the C library', async () => {
    const [json, binary] = parts(spriteBytes), { colliders, springs } = json.extensions.VRMC_springBone;
    const extend = (collider, shape) => {
        collider.extensions = { VRMC_springBone_extended_collider: { specVersion: '1.0', shape } };
    };
    extend(colliders[0], { sphere: { offset: [0, 0.1, 0], radius: 0.3, inside: true } });
    extend(colliders[1], { plane: { offset: [0, 0, -0.02], normal: [0, 0.25, -1] } });
    delete colliders[2].shape.capsule.offset;
    springs[4].joints = springs[4].joints.map(({ node }) => ({ node })); // the tail
    springs[2].center = 1;
    const { found, springs: made } = await compareWithC(glbOf(json, binary));
    assert.deepEqual(found.springs[4].joints[0], { node: 39, hitRadius: 0, stiffness: 1, gravityPower: 0, gravityDir: [0, -1, 0], dragForce: 0.5 });
    assert.deepEqual(made.colliders.map(({ shape, inside }) => [shape, inside]).slice(0, 3), [['sphere', true], ['plane', false], ['capsule', false]]);
});

test('the module without the importer gives the same poses', async () => {
    const { Sinew: CoreSinew } = await import(pathToFileURL(packagePath('core.js')));
    const [json, binary] = parts(spriteBytes), asset = (await CoreSinew.load()).makeAsset({ json, buffers: [binary] });
    assert.deepEqual(springsOf(json), bones);
    const all = [sprite, asset].map((one) => swing(new Mixer(one), bones, 40));
    assert.deepEqual(all[0].frames, all[1].frames);
    for (const { mixer } of all) mixer.dispose();
});

// ---- Springs -----------------------------------------------------------------------------------------------------

// The bits of frames with a moving character and wind.
function swing(mixer, definition, count, { from = 0, springs = new Springs(solvers, mixer, definition), step = 1 / 60 } = {}) {
    springs.wind = [1.5, 0, 0];
    const frames = Array.from({ length: count }, (_, i) => {
        mixer.update(step);
        springs.update(step, moved(0.01 * (from + i)));
        return bitsOf(mixer);
    });
    return { mixer, springs, frames };
}

test('wind blows, and a reset starts at rest', () => {
    const mixer = new Mixer(sprite), still = positionOf(mixer, TAIL_TIP);
    const springs = new Springs(solvers, mixer, bones);
    const settle = (count) => {
        for (let frame = 0; frame < count; frame++) {
            mixer.update(1 / 60);
            springs.update(1 / 60);
        }
        return positionOf(mixer, TAIL_TIP);
    };
    springs.wind = [3, 0, 0];
    const blown = settle(300);
    assert.ok(blown[0] - still[0] > 0.1, `${blown}`);
    springs.wind[0] = -3; // the array itself
    assert.ok(settle(300)[0] - still[0] < -0.1);
    springs.wind = [0, 0, 0];
    springs.reset();
    mixer.setTime(0);
    springs.update(0);
    assert.ok(distance(positionOf(mixer, TAIL_TIP), still) < 1e-5);
    springs.weight = 0;
    springs.wind = [3, 0, 0];
    assert.ok(distance(settle(60), still) < 1e-6);
    mixer.dispose();
});

test('frames of other lengths agree', () => {
    const ends = [30, 60, 240].map((rate) => {
        const mixer = new Mixer(sprite), springs = new Springs(solvers, mixer, bones, { wind: [1, 0, 0.5] });
        for (let frame = 0; frame < 2 * rate; frame++) {
            mixer.update(1 / rate);
            springs.update(1 / rate, moved(0.5 * frame / rate));
        }
        const end = positionOf(mixer, TAIL_TIP);
        mixer.dispose();
        return end;
    });
    for (const end of ends) assert.ok(distance(end, ends[0]) < 0.005, `${ends}`);
});

test('springs of every fourth frame take the time of all four', () => {
    const mixer = new Mixer(sprite), springs = new Springs(solvers, mixer, bones, { wind: [3, 0, 0] });
    for (let frame = 0; frame < 400; frame++) {
        mixer.update(1 / 60);
        if (frame % 4 === 3) springs.update(4 / 60);
    }
    const other = new Mixer(sprite), each = new Springs(solvers, other, bones, { wind: [3, 0, 0] });
    for (let frame = 0; frame < 400; frame++) {
        other.update(1 / 60);
        each.update(1 / 60);
    }
    assert.ok(distance(positionOf(mixer, TAIL_TIP), positionOf(other, TAIL_TIP)) < 0.002);
    for (const one of [mixer, other]) one.dispose();
});

test('a paused character keeps its pose in the wind', () => {
    const mixer = new Mixer(hero);
    mixer.clipAction('Walk').play();
    const { springs } = swing(mixer, heroSprings, 60), before = mixer.modelMatrices.slice();
    mixer.timeScale = 0;
    springs.wind = [50, 0, 0];
    for (let frame = 0; frame < 300; frame++) {
        mixer.update(1 / 60);
        springs.update(1 / 60, moved(0.59));
        mixer.modelMatrices.forEach((number, i) => assert.ok(Math.abs(number - before[i]) < 1e-5));
    }
    mixer.dispose();
});

test('angle limits and colliders hold', () => {
    const mixer = new Mixer(sprite), springs = new Springs(solvers, mixer, {
        chains: [{ joints: ['J_Sec_C_Tail1', 'J_Sec_C_Tail2'], limit: 0.25, stiffness: 1, damping: 0.2 }] }, { wind: [40, 0, 0] });
    const [first, second] = ['J_Sec_C_Tail1', 'J_Sec_C_Tail2'].map((name) => positionOf(mixer, name));
    for (let frame = 0; frame < 200; frame++) {
        mixer.update(1 / 60);
        springs.update(1 / 60);
        const bone = positionOf(mixer, 'J_Sec_C_Tail2').map((number, i) => number - first[i]);
        const rest = second.map((number, i) => number - first[i]), length = Math.hypot(...rest);
        const cosine = bone.reduce((sum, number, i) => sum + number * rest[i], 0) / length ** 2;
        assert.ok(Math.acos(Math.min(cosine, 1)) < 0.2501);
        if (frame === 199) assert.ok(cosine < Math.cos(0.24), 'the wind bends it to the limit');
    }
    mixer.dispose();
});

// ---- With the other features -------------------------------------------------------------------------------------

function walking() {
    const mixer = new Mixer(hero);
    mixer.clipAction('Walk').play();
    return mixer;
}

test('a snapshot restores springs', () => {
    const { mixer, springs } = swing(walking(), heroSprings, 30);
    const snapshot = mixer.save(), expected = swing(mixer, null, 30, { from: 30, springs }).frames;
    mixer.restore(snapshot);
    assert.deepEqual(swing(mixer, null, 30, { from: 30, springs }).frames, expected);
    springs.dispose();
    mixer.restore(snapshot); // without them
    const later = new Springs(solvers, mixer, heroSprings);
    swing(mixer, null, 10, { springs: later });
    mixer.restore(snapshot); // later ones start over
    const fresh = walking(), other = swing(fresh, heroSprings, 0);
    fresh.setTime(0.5);
    mixer.setTime(0.5);
    later.update(0);
    other.springs.update(0);
    assert.deepEqual(bitsOf(mixer), bitsOf(fresh));
    for (const one of [mixer, fresh]) one.dispose();
});

test('a batch gives the same springs', () => {
    const alone = swing(walking(), heroSprings, 40), mixers = [walking(), walking()], batch = new Batch(mixers);
    const springs = mixers.map((mixer) => new Springs(solvers, mixer, heroSprings, { wind: [1.5, 0, 0] }));
    for (let frame = 0; frame < 40; frame++) {
        batch.update(1 / 60);
        for (const one of springs) one.update(1 / 60, moved(0.01 * frame));
        for (const mixer of mixers) assert.deepEqual(bitsOf(mixer), alone.frames[frame]);
    }
    for (const mixer of [alone.mixer, ...mixers]) mixer.dispose();
});

test('a scene solves for its instances, in its wind', () => {
    const alone = swing(walking(), heroSprings, 40), scene = new Scene();
    const cart = scene.addNode(), instance = scene.addInstance(hero, { parent: cart }), bow = scene.addNode();
    instance.attach(bow, 'Hair3');
    instance.mixer.clipAction('Walk').play();
    const springs = new Springs(solvers, instance.mixer, heroSprings);
    springs.wind = [9, 9, 9]; // the scene's is used
    scene.wind = [1.5, 0, 0];
    for (let frame = 0; frame < 40; frame++) {
        cart.setTransform({ translation: [0.01 * frame, 0, 0] });
        scene.update(1 / 60);
        assert.deepEqual(bitsOf(instance.mixer), alone.frames[frame]);
        const hair = positionOf(instance.mixer, 'Hair3');
        assert.ok(Math.abs(bow.world()[12] - hair[0] - 0.01 * frame) < 1e-5, 'attachments follow');
    }
    assert.throws(() => { scene.wind = [1, NaN, 0]; }, /finite/);
    instance.remove();
    assert.ok(springs.disposed);
    scene.dispose();
    alone.mixer.dispose();
});

test('feet are locked first, then chains and bodies reach, then springs swing', () => {
    const legs = new Legs(hero, { legs: ['L', 'R'].map((side) => ({ thigh: `UpperLeg_${side}`, shin: `LowerLeg_${side}`, foot: `Foot_${side}` })) });
    const scene = new Scene(), instance = scene.addInstance(hero), { mixer } = instance;
    mixer.clipAction('Walk').play();
    const springs = new Springs(solvers, mixer, HAIR);
    const body = new Body(solvers, mixer, { root: 'Hips', effectors: [{ node: 'Hand_R', target: [-0.3, 1.4, 0.3] },
        { node: 'Foot_L', pin: true }, { node: 'Foot_R', pin: true }] });
    const chain = new Chain(solvers, mixer, { root: 'UpperArm_L', tip: 'Hand_L', target: [0.3, 1.3, 0.3] });
    const lock = new FootLock(mixer, legs), manual = walking(), manualLock = new FootLock(manual, legs);
    const [manualBody, manualChain, manualSprings] = [body, chain, springs].map((one) => one.constructor).map((Kind, i) => (
        new Kind(solvers, manual, [{ root: 'Hips', effectors: [{ node: 'Hand_R', target: [-0.3, 1.4, 0.3] },
            { node: 'Foot_L', pin: true }, { node: 'Foot_R', pin: true }] },
        { root: 'UpperArm_L', tip: 'Hand_L', target: [0.3, 1.3, 0.3] }, HAIR][i])));
    let locked = false;
    for (let frame = 0; frame < 30; frame++) {
        const world = moved(0, 0.02 * frame);
        instance.setTransform({ translation: [0, 0, 0.02 * frame] });
        scene.update(1 / 60);
        manual.update(1 / 60);
        manualLock.update(1 / 60, world);
        const planted = positionOf(manual, 'Foot_L');
        manualBody.update();
        assert.ok(distance(positionOf(manual, 'Foot_L'), planted) < 2e-3, 'the body keeps pinned feet');
        manualChain.update();
        assert.ok(distance(positionOf(manual, 'Hand_L'), [0.3, 1.3, 0.3]) < 1e-3);
        manualSprings.update(1 / 60, world);
        locked ||= lock.isLocked(0) || lock.isLocked(1);
        assert.deepEqual(bitsOf(mixer), bitsOf(manual), `frame ${frame}`);
    }
    assert.ok(locked);
    scene.dispose();
    manual.dispose();
    legs.dispose();
});

// ---- Chains and bodies -------------------------------------------------------------------------------------------

test('a chain and a body reach their targets', () => {
    const mixer = walking(), body = new Body(solvers, mixer, { root: 'Hips', effectors: [{ node: 'Hand_L' }, { node: 'Head', pin: true }] });
    const [hand] = body.effectors;
    assert.ok(hand instanceof Effector && hand.node === hero.findNode('Hand_L'));
    for (const target of [[0.4, 1.2, 0.3], [0.2, 1.6, 0.3], [0.3, 0.9, 0.4]]) {
        mixer.update(1 / 60);
        hand.target = target;
        body.update();
        assert.ok(distance(positionOf(mixer, 'Hand_L'), target) < 2e-3, `${target}`);
    }
    mixer.update(0);
    const pose = bitsOf(mixer);
    hand.positionWeight = 0;
    body.weight = 0;
    body.update();
    assert.deepEqual(bitsOf(mixer), pose);
    hand.target.set([1, 2, 3]);
    assert.deepEqual([...hand.target], [1, 2, 3]);
    hand.rotation = [0, 0, 0, 2];
    assert.deepEqual([...hand.rotation], [0, 0, 0, 1]);
    mixer.dispose();
});

// ---- Bad input ---------------------------------------------------------------------------------------------------

test('definitions that are wrong are refused', () => {
    const mixer = walking(), chain = (more) => () => new Springs(solvers, mixer, { chains: [{ joints: ['Hair1', 'Hair2'], ...more }] });
    assert.throws(() => new Springs(solvers, mixer, null), /the result of springsOf/);
    assert.throws(chain({ joints: ['Hair1', 'Hare2'] }), /no node 'Hare2'/);
    assert.throws(chain({ joints: ['Hair2', 'Hair1'] }), /chain 0: joint 1/);
    assert.throws(chain({ stiffness: -1 }), /stiffness must be 0 or more/);
    assert.throws(chain({ stiffness: '1' }), /stiffness must be a number/);
    assert.throws(chain({ stifness: 1 }), /no 'stifness': it has/);
    assert.throws(chain({ gravity: [0, 1] }), /gravity must be 3 numbers/);
    assert.throws(chain({ colliders: [3] }), /collider/);
    assert.throws(() => new Springs(solvers, mixer, { chains: [], colliders: [{ shape: 'box' }] }), /sphere, capsule, plane, not 'box'/);
    assert.throws(() => new Springs(solvers, mixer, HAIR, { weight: NaN }), /weight must be a finite number/);
    const springs = new Springs(solvers, mixer, HAIR);
    assert.throws(() => new Springs(solvers, mixer, HAIR), /has Springs/);
    assert.throws(() => { springs.wind = [1, 2]; }, /wind must be 3 numbers/);
    assert.throws(() => new Chain(solvers, mixer, { root: 'Hand_L', tip: 'Hand_R' }), /'Hand_R' is not below 'Hand_L'/);
    assert.throws(() => new Chain(solvers, mixer, { root: 'Hand_L', tip: 'Hand_L' }), /below the root/);
    assert.throws(() => new Chain(solvers, mixer, { root: 'Hips', tip: 'Head', method: 'jacobian' }), /least-squares, fabrik, ccd/);
    assert.throws(() => new Chain(solvers, mixer, { root: 'Hips', tip: 'Head', target: [0, NaN, 0] }), /target must be a finite/);
    assert.throws(() => new Body(solvers, mixer, { root: 'Hips', effectors: Array(11).fill({ node: 'Head' }) }), /at most 10/);
    assert.throws(() => new Body(solvers, mixer, { root: 'Hips', effectors: [{ node: 'Head', traget: [] }] }), /no 'traget'/);
    assert.throws(() => new Body(solvers, {}, { root: 'Hips', effectors: [] }), /mixer must be a Mixer/);
    assert.equal(mixer[$solvers].length, 1, 'nothing of them is left');
    mixer.dispose();
    assert.throws(() => springs.update(0.1), /Springs is disposed|Mixer is disposed/);
});

test('files with odd spring bones are read', () => {
    for (const file of [null, {}, { extensions: { VRMC_springBone: [] } }, { extensions: { VRMC_springBone: { springs: 3 } } },
        new Uint8Array(3), windmillBytes, { extensions: { VRM: { secondaryAnimation: { boneGroups: [] } } } }]) {
        assert.equal(springsOf(file), null);
    }
    const mixer = new Mixer(sprite), odd = springsOf({ extensions: { VRMC_springBone: {
        colliders: [null, { node: 'x' }, { node: 6, shape: { sphere: { radius: 1e300, offset: [1, 2] } } }, { node: 6, shape: { plane: {} } }],
        colliderGroups: [{ colliders: [0, 2, 99, -1] }, 4],
        springs: [null, { joints: [{ node: 39 }, { node: 40, stiffness: 'x' }, { node: 4000 }, 5], colliderGroups: [0, 1, 2, -1], center: 9000 },
            { joints: [{ node: 40 }, { node: 39 }] }],
    } } });
    const { frames, springs } = swing(mixer, odd, 20);
    assert.equal(springs.jointCount, 1);
    assert.deepEqual(springs.colliders.map(({ shape, radius }) => [shape, radius]), [['sphere', 0]]);
    assert.ok(frames.length === 20 && mixer.modelMatrices.every(Number.isFinite));
    mixer.dispose();
});

test('disposing frees the memory of the module', async () => {
    const own = await Solvers.load({ wasm }), { memory } = own[$module];
    const use = () => {
        const asset = sinew.loadAsset(spriteBytes), mixer = new Mixer(asset), springs = new Springs(own, mixer, bones);
        const chain = new Chain(own, mixer, { root: 'J_Bip_C_Hips', tip: 'J_Bip_C_Head', target: [0, 1, 0] });
        const body = new Body(own, mixer, { root: 'J_Bip_C_Hips', effectors: [{ node: 'J_Bip_C_Head' }] });
        assert.throws(() => new Springs(own, new Mixer(asset), { chains: [{ joints: ['J_Bip_C_Hips'], stiffness: -1 }] }));
        for (const one of [body, chain, springs]) one.update(0.1);
        chain.dispose();
        chain.dispose();
        asset.dispose();
        assert.ok(springs.disposed && body.disposed);
    };
    for (let i = 0; i < 20; i++) use();
    const { byteLength } = memory.buffer;
    for (let i = 0; i < 200; i++) use();
    assert.equal(memory.buffer.byteLength, byteLength);
});

// ---- The package -------------------------------------------------------------------------------------------------

test('the declarations have every public name', async () => {
    const declared = await readFile(packagePath('solvers.d.ts'), 'utf8'), mixer = walking();
    const springs = new Springs(solvers, mixer, HAIR), body = new Body(solvers, mixer, heroBody);
    for (const one of [solvers, springs, body, body.effectors[0], new Chain(solvers, mixer, heroChain)]) {
        for (let object = one; object !== Object.prototype; object = Object.getPrototypeOf(object)) {
            for (const name of Object.getOwnPropertyNames(object)) {
                if (!name.startsWith('_') && name !== 'constructor') assert.match(declared, new RegExp(`\\b${name}\\b`), name);
            }
        }
    }
    mixer.dispose();
});

// Runs examples with the classes of this file. Returns what `result` names.
function runExample(code, names, result) {
    const body = code.replaceAll(/^import .*$/gm, '').replaceAll('Solvers.load()', 'Solvers.load({ wasm })').replaceAll('import.meta.url', 'base');
    const given = { Mixer, Body, Chain, Solvers, Springs, springsOf, wasm, base: pathToFileURL(modelPath('x')), ...names,
        fetch: async (url) => new Response(await readFile(new URL(url, pathToFileURL(modelPath('x'))))) };
    return new Function(...Object.keys(given), `return (async () => { ${body} return { ${result} }; })();`)(...Object.values(given));
}

// The examples of a page with a label, as one.
async function examplesOf(path, label) {
    const text = await readFile(path, 'utf8');
    return [...text.matchAll(new RegExp(`^\`\`\`${label}\\n([^]*?)^\`\`\`$`, 'gm'))].map(([, code]) => code).join('\n');
}

test('the examples of the README run', async () => {
    const code = await examplesOf(packagePath('README.md'), 'js solvers');
    assert.ok(code.includes('springsOf(file)') && code.includes('new Chain('));
    const { avatar, springs, walker, swinging } = await runExample(code, { sinew, hero }, 'avatar, springs, walker, swinging');
    assert.equal(springs.jointCount, 12);
    assert.equal(swinging.jointCount, 3);
    assert.ok(distance(positionOf(walker, 'Hand_R'), [-0.3, 1.5, 0.4]) < 5e-3);
    assert.ok(distance(positionOf(walker, 'Hand_L'), [0.3, 1.2, 0.4]) < 1e-3);
    avatar.asset.dispose();
    walker.dispose();
});

test('the examples of docs/howto run', async () => {
    const howto = (name) => examplesOf(modelPath(join('..', 'docs', 'howto', name)), 'js');
    const Sinew = { load: () => sinew };
    const swinging = await runExample(await howto('springs.md'), { Sinew }, 'mixer, frame');
    for (let i = 0; i < 120; i++) swinging.frame(1 / 60, moved(0));
    assert.ok(positionOf(swinging.mixer, TAIL_TIP)[0] > 0.1);
    const reaching = await runExample(await howto('ik.md'), { Sinew }, 'mixer, frame');
    reaching.frame(0.1, [-0.3, 1.5, 0.4]);
    assert.ok(distance(positionOf(reaching.mixer, 'Hand_R'), [-0.3, 1.5, 0.4]) < 2e-3);
    for (const { mixer } of [swinging, reaching]) mixer.asset.dispose();
});
