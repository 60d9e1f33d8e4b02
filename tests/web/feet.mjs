// SPDX-License-Identifier: MIT
// Ground speeds and foot locking: the hero's clips have the speeds they're made with (models/hero.h), and planted
// feet stay in place, also with batches, snapshots and scenes.
import assert from 'node:assert/strict';
import test from 'node:test';
import { pathToFileURL } from 'node:url';
import {
    Batch, BlendSpace, FootLock, Legs, Mixer, Scene, loadSinew, packagePath, readModel,
} from './common.mjs';
import { parts } from './glb.mjs';

const WALK_SPEED = 1.15, RUN_SPEED = 3.1;
const VELOCITIES = { // to the left and forward
    Walk: [0, WALK_SPEED], Run: [0, RUN_SPEED], WalkBack: [0, -WALK_SPEED],
    StrafeLeft: [WALK_SPEED, 0], StrafeRight: [-WALK_SPEED, 0],
};
const LEGS = ['L', 'R'].map((side) => (
    { thigh: `UpperLeg_${side}`, shin: `LowerLeg_${side}`, foot: `Foot_${side}`, toes: `Toes_${side}` }));

const sinew = await loadSinew(), bytes = await readModel('hero.glb');
const hero = sinew.loadAsset(bytes);

const near = (number, expected, tolerance, what) => (
    assert.ok(Math.abs(number - expected) <= tolerance, `${what}: ${number}, not ${expected}`));

// ---- Speeds ------------------------------------------------------------------------------------------------------

test('clips have the speeds that they are made with', () => {
    for (const { name } of hero.clips) {
        const { gait, velocity, speed, spread, feet } = hero.measureSpeed(name);
        const [left, forward] = VELOCITIES[name] ?? [0, 0], expected = Math.hypot(left, forward);
        near(speed, expected, 0.005 * expected, name);
        near(velocity[0], left, 1e-3 + 0.005 * Math.abs(left), name);
        near(velocity[2], forward, 1e-3 + 0.005 * Math.abs(forward), name);
        assert.ok(spread < 0.021);
        assert.equal(gait, expected > 0 ? 'moves' : 'stands');
        assert.deepEqual(feet.map(({ node }) => hero.nodes[node].name), ['Foot_L', 'Foot_R']);
    }
    const { feet, planted } = hero.measureSpeed('Walk', { feet: ['Foot_R', hero.findNode('Foot_L')] });
    assert.deepEqual(feet.map(({ node }) => hero.nodes[node].name), ['Foot_R', 'Foot_L']);
    const { duration } = hero.findClip('Walk');
    const share = feet.map(({ plants }) => plants.reduce((sum, { start, end }) => sum + end - start, 0) / duration);
    near((share[0] + share[1]) / 2, planted, 1e-3, 'planted');
});

test('blend spaces have measured points', () => {
    const samples = ['Idle', 'Walk', 'Run'].map((clip) => ({ clip }));
    const space = new BlendSpace(hero, { samples, syncNames: ['Foot_L', 'Foot_R'], matchSpeed: true });
    space.samples.forEach(({ x }, i) => near(x, [0, WALK_SPEED, RUN_SPEED][i], 0.02, 'x'));
    const [, walk, run] = space.samples;
    near(space.stride((walk.x + run.x) / 2).speed, 2.0, 0.05, 'between walk and run'); // blend_space.h
    for (const x of [0.9, 1.15, 1.6, 2.4, 3.1]) {
        const { speed, rate, length } = space.stride(x);
        assert.ok(rate >= 0.8 && rate <= 1.25);
        near(speed * rate * length, x, 1e-4, 'speed, rate and length');
    }
    const given = new BlendSpace(hero, { samples: [{ clip: 'Idle', x: -1 }, { clip: 'Run', y: 3 }], matchSpeed: [0.5, 2] });
    assert.equal(given.samples[0].x, -1);
    near(given.samples[1].x, RUN_SPEED, 0.02, 'x');
    const plane = new BlendSpace(hero, { kind: 'directional', samples });
    near(plane.samples[2].x, 0, 1e-3, 'right');
    near(plane.samples[2].y, RUN_SPEED, 0.02, 'forward');
    const mixer = new Mixer(hero);
    mixer.clipAction(space).play().setParameter(2);
    mixer.update(0.5);
    assert.ok(mixer.palette().every(Number.isFinite));
    mixer.dispose();
    for (const matchSpeed of [[0, 1], [1, 0.5], [2, 3], 'yes', [NaN, 2]]) {
        assert.throws(() => new BlendSpace(hero, { samples, matchSpeed }), /matchSpeed/);
    }
});

test('feet that cannot be measured are refused', async () => {
    assert.throws(() => hero.measureSpeed('Walk', { feet: ['Foot'] }), /no node 'Foot'/);
    assert.throws(() => hero.measureSpeed('Walk', { feet: ['Foot_L', 'Foot_L'] }), /or is the same node/);
    const windmill = sinew.loadAsset(await readModel('windmill.glb'));
    assert.throws(() => windmill.measureSpeed(windmill.clips[0]), /feet|foot/);
    assert.throws(() => new BlendSpace(windmill, { samples: [{ clip: windmill.clips[0] }] }), /feet|foot/);
    windmill.dispose();
});

// ---- Contacts ----------------------------------------------------------------------------------------------------

test('contacts are found, or those of markers', () => {
    const legs = new Legs(hero, { legs: LEGS });
    const { source, contacts } = legs.contacts('Walk'), { duration } = hero.findClip('Walk');
    assert.equal(source, 'motion');
    assert.deepEqual([...new Set(contacts.map(({ leg }) => leg))], [0, 1]);
    // The markers Foot_L and Foot_R are where each foot comes down.
    for (const { name, time } of hero.findClip('Walk').markers) {
        const starts = contacts.filter(({ leg }) => leg === (name === 'Foot_L' ? 0 : 1)).map(({ start }) => start);
        const gaps = starts.map((start) => Math.abs(((start - time) / duration + 1.5) % 1 - 0.5) * duration);
        assert.ok(Math.min(...gaps) < 0.07, `${name} at ${time}: ${starts}`);
    }
    legs.dispose();
    const marked = new Legs(hero, { legs: LEGS, clips: ['Walk'],
        markers: { down: ['Foot_L', 'Foot_R'], up: ['Foot_R', 'Foot_L'] } });
    const half = duration / 2, [left, right] = marked.contacts('Walk').contacts;
    assert.equal(marked.contacts('Walk').source, 'markers');
    near(left.end - left.start, half, 0.02, 'the left foot');
    near(right.start, half, 0.02, 'the right foot');
    assert.equal(marked.contacts('Run').source, 'none');
    marked.dispose();
    assert.throws(() => new Legs(hero, { legs: [{ ...LEGS[0], shin: 'LowerLeg_R' }] }), /'LowerLeg_R' is not below/);
    assert.throws(() => new Legs(hero, { legs: [] }), /legs must be/);
    assert.throws(() => new Legs(hero, { legs: LEGS, markers: { down: ['a'], up: ['b'] } }), /markers must be/);
    assert.throws(() => new Legs(hero, { legs: LEGS, clips: [hero.makeAdditive('Wave')] }), /additive/);
});

// ---- Planted feet ------------------------------------------------------------------------------------------------

// The points under the ankle and the toes on the ground of the rest pose, in the space of their node.
function solesOf(asset) {
    const mixer = new Mixer(asset);
    return LEGS.map(({ foot, toes }) => [foot, toes].map((name) => {
        const node = asset.findNode(name), m = mixer.nodeMatrix(node);
        const down = [0, 1, 2].map((axis) => -m[13] * m[4 * axis + 1]); // R^T (0, -height, 0)
        return { node, down };
    }));
}
const soles = solesOf(hero);

// Positions of the lowest point of a sole in the world.
function lowest({ mixer }, leg, z) {
    const points = soles[leg].map(({ node, down }) => {
        const m = mixer.nodeMatrix(node);
        return [0, 1, 2].map((row) => m[12 + row] + m[row] * down[0] + m[4 + row] * down[1] + m[8 + row] * down[2]);
    });
    const pivot = points[0][1] < points[1][1] ? 0 : 1;
    return { pivot, position: [points[pivot][0], points[pivot][1], points[pivot][2] + z] };
}

const translation = (z) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, z, 1];

// How far a planted foot slides in a frame at most, while the hero walks faster than its clip. It may still slide in its
// first frame, because a foot that lands brakes.
function slideOf(asset, settings) {
    const mixer = new Mixer(asset), legs = new Legs(asset, { legs: LEGS });
    const lock = new FootLock(mixer, legs, { liftHeight: 0.1, ...settings });
    mixer.clipAction('Walk').play();
    let z = 0, slide = 0, locked = 0;
    const before = [null, null];
    for (let frame = 0; frame < 240; frame++) {
        mixer.update(1 / 60);
        z += 1.1 * WALK_SPEED / 60;
        lock.update(1 / 60, translation(z));
        for (const leg of [0, 1]) {
            const now = lowest(lock, leg, z), then = before[leg];
            const isLocked = lock.isLocked(leg), frames = isLocked ? (then?.frames ?? 0) + 1 : 0;
            const stays = frames > 2 && then.pivot === now.pivot && now.position[1] < 0.02;
            if (stays) slide = Math.max(slide, Math.hypot(now.position[0] - then.position[0], now.position[2] - then.position[2]));
            locked += stays ? 1 : 0;
            before[leg] = { ...now, frames };
        }
    }
    mixer.dispose();
    legs.dispose();
    return { slide, locked };
}

test('planted feet stay where they are', () => {
    const { slide, locked } = slideOf(hero, {}), without = slideOf(hero, { weight: 0 });
    console.log(`planted feet slide by ${1000 * slide} mm in a frame, without locking by ${1000 * without.slide} mm`);
    assert.ok(locked > 60, `${locked}`);
    assert.ok(slide < 1e-4, `${slide} m`);
    assert.ok(without.slide > 1e-3, `${without.slide} m`);
});

test('a foot is locked only while its sole is low', () => {
    const byDefault = slideOf(hero, {}).locked;
    assert.equal(slideOf(hero, { height: 0.02 }).locked, byDefault);
    assert.ok(slideOf(hero, { height: 0.001 }).locked < byDefault);
    assert.equal(slideOf(hero, { height: -1 }).locked, 0);
});

test('the module without the importer locks feet', async () => {
    const { Sinew } = await import(pathToFileURL(packagePath('core.js')));
    const [json, binary] = parts(bytes), asset = (await Sinew.load()).makeAsset({ json, buffers: [binary] });
    assert.deepEqual(slideOf(asset, {}), slideOf(hero, {}));
});

// ---- With the other features -------------------------------------------------------------------------------------

function makeLocked(settings) {
    const mixer = new Mixer(hero), lock = new FootLock(mixer, shared, settings);
    mixer.clipAction('Walk').play();
    return { mixer, lock };
}
const shared = new Legs(hero, { legs: LEGS });
const frames = ({ mixer, lock }, count, from = 0) => Array.from({ length: count }, (_, i) => {
    mixer.update(1 / 60);
    lock.update(1 / 60, translation(0.03 * (from + i)));
    return [...mixer.palette(), ...mixer.modelMatrices];
});

test('a snapshot restores the feet', () => {
    const one = makeLocked();
    frames(one, 40);
    const snapshot = one.mixer.save(), expected = frames(one, 30, 40);
    one.mixer.restore(snapshot);
    assert.deepEqual(frames(one, 30, 40), expected);
    one.lock.dispose();
    one.mixer.restore(snapshot); // without the lock
    one.lock = new FootLock(one.mixer, shared);
    frames(one, 5);
    one.mixer.restore(snapshot); // a later lock starts over
    assert.ok(!one.lock.isLocked(0) && !one.lock.isLocked(1));
    one.mixer.dispose();
});

test('a batch gives the same feet', () => {
    const one = makeLocked(), other = makeLocked(), plain = new Mixer(hero), batch = new Batch([other.mixer, plain]);
    plain.clipAction('Walk').play();
    for (let frame = 0; frame < 50; frame++) {
        const [expected] = frames(one, 1, frame);
        batch.update(1 / 60);
        other.lock.update(1 / 60, translation(0.03 * frame));
        assert.deepEqual([...other.mixer.palette(), ...other.mixer.modelMatrices], expected);
    }
    for (const mixer of [one.mixer, other.mixer, plain]) mixer.dispose();
});

test('a scene locks the feet of its instances, before their attachments', () => {
    const one = makeLocked(), scene = new Scene();
    const ship = scene.addNode(), instance = scene.addInstance(hero, { parent: ship }), shoe = scene.addNode();
    instance.attach(shoe, 'Foot_L');
    new FootLock(instance.mixer, shared);
    instance.mixer.clipAction('Walk').play();
    for (let frame = 0; frame < 50; frame++) {
        const [expected] = frames(one, 1, frame);
        ship.setTransform({ translation: [0, 0, 0.03 * frame] });
        scene.update(1 / 60);
        assert.deepEqual([...instance.palette(), ...instance.mixer.modelMatrices], expected);
        const foot = instance.mixer.nodeMatrix(hero.findNode('Foot_L'));
        near(shoe.world()[14], foot[14] + 0.03 * frame, 1e-5, 'the shoe');
    }
    scene.dispose();
    one.mixer.dispose();
});

test('a paused character keeps its feet where it is moved', () => {
    const one = makeLocked();
    frames(one, 30);
    one.mixer.clipAction('Walk').paused = true;
    const before = [...one.mixer.nodeMatrix(hero.findNode('Foot_L'))];
    for (let frame = 0; frame < 40; frame++) { // until the foot that was left behind is back
        one.mixer.update(1 / 60);
        one.lock.update(1 / 60, translation(0.9));
    }
    const leg = [0, 1].find((number) => one.lock.isLocked(number));
    assert.ok(leg !== undefined);
    const still = [...one.mixer.nodeMatrix(hero.findNode('Foot_L'))];
    one.mixer.update(1 / 60);
    one.lock.update(1 / 60, translation(0.9));
    near(one.mixer.nodeMatrix(hero.findNode('Foot_L'))[14], still[14], 0.02, 'the foot');
    assert.ok(before.every(Number.isFinite));
    one.mixer.dispose();
});

test('weight 0 leaves the pose, and inertialization includes the feet', () => {
    const one = makeLocked({ weight: 0 }), plain = new Mixer(hero);
    plain.clipAction('Walk').play();
    for (let frame = 0; frame < 20; frame++) {
        const [matrices] = frames(one, 1, frame);
        plain.update(1 / 60);
        assert.deepEqual(matrices, [...plain.palette(), ...plain.modelMatrices]);
    }
    one.mixer.dispose();
    plain.dispose();
    const two = makeLocked();
    frames(two, 40);
    const hips = hero.findNode('Foot_R'), before = [...two.mixer.nodeMatrix(hips)];
    two.mixer.inertialize(0.3);
    two.lock.weight = 0;
    frames(two, 1, 40);
    const after = two.mixer.nodeMatrix(hips);
    near(Math.hypot(...[12, 13, 14].map((i) => after[i] - before[i])), 0, 0.06, 'the foot');
    two.mixer.dispose();
});

test('locks are disposed with their mixer and legs', () => {
    const { mixer, lock } = makeLocked();
    assert.throws(() => new FootLock(mixer, shared), /has a FootLock/);
    assert.throws(() => new FootLock(new Mixer(hero), {}), /Legs/);
    assert.throws(() => new FootLock(new Mixer(hero), shared, { heigth: 1 }), /no setting 'heigth'/);
    assert.throws(() => { lock.weight = NaN; }, /weight must be a finite number/);
    assert.throws(() => lock.isLocked(2), /no leg 2/);
    lock.release();
    lock.reset();
    mixer.dispose();
    assert.ok(lock.disposed);
    assert.throws(() => lock.update(0.1), /FootLock is disposed/);
    const other = makeLocked(), legs = new Legs(hero, { legs: LEGS });
    const third = new FootLock(new Mixer(hero), legs);
    legs.dispose();
    assert.ok(third.disposed && !other.lock.disposed);
    third.mixer.update(0.1);
    const asset = sinew.loadAsset(bytes), last = new FootLock(new Mixer(asset), new Legs(asset, { legs: LEGS }));
    asset.dispose();
    assert.ok(last.disposed && last.legs.disposed);
    other.mixer.dispose();
});
