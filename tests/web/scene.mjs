// SPDX-License-Identifier: MIT
// Scenes: world transforms of hierarchies and attachments, against computed values and a single mixer.
import assert from 'node:assert/strict';
import test from 'node:test';
import { Mixer, Scene, internal, loadSinew, readModel } from './common.mjs';

const { $users } = internal;
const sinew = await loadSinew();
const hero = sinew.loadAsset(await readModel('hero.glb')), sword = sinew.loadAsset(await readModel('sword.glb'));
const allNear = (values, expected, within = 1e-5) => expected.forEach((value, i) => (
    assert.ok(Math.abs(values[i] - value) <= within, `${[...values]}, not ${expected}`)));
const position = (matrix) => [...matrix.subarray(12, 15)];
const QUARTER = [0, Math.SQRT1_2, 0, Math.SQRT1_2]; // about +Y: x goes to -z, z to x

// a × b of matrices of 16 floats, columns first.
const product = (a, b) => Float32Array.from({ length: 16 }, (_, i) => (
    [0, 1, 2, 3].reduce((sum, k) => sum + a[4 * k + i % 4] * b[4 * Math.floor(i / 4) + k], 0)));

// The hero of a single mixer at a time of a clip.
function alone(clip, seconds, node) {
    const mixer = new Mixer(hero);
    mixer.clipAction(clip).play();
    mixer.update(seconds);
    const matrix = mixer.nodeMatrix(hero.findNode(node));
    mixer.dispose();
    return matrix;
}

test('children move with their node', () => {
    const scene = new Scene();
    const car = scene.addNode({ name: 'car', translation: [10, 0, 0], rotation: QUARTER, scale: [2, 2, 2] });
    const wheel = scene.addNode({ name: 'wheel', parent: car, translation: [1, 0, 3] });
    assert.equal(scene.find('wheel'), wheel);
    allNear(position(wheel.world()), [16, 0, -2]); // 10 + 2 × 3, 0 - 2 × 1
    car.setTransform({ translation: [0, 5, 0] });
    scene.update(0);
    allNear(position(wheel.world()), [1, 5, 3]);
    const target = new Float32Array(16);
    assert.equal(wheel.world(target), target);
    allNear(target, [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 5, 3, 1]);
    car.setTransform({ rotation: [0, 2, 0, 2] }); // its length does not matter
    scene.update(0);
    allNear(wheel.world(), [0, 0, -1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 3, 0, -1, 1]);
});

test('a node with a new parent moves with it, or keeps its world transform', () => {
    const scene = new Scene();
    const a = scene.addNode({ translation: [1, 2, 3], rotation: QUARTER, scale: [2, 3, 4] });
    const b = scene.addNode({ translation: [5, 0, 0], rotation: [0.5, 0.5, 0.5, 0.5], scale: [1, 1, 2] });
    const node = scene.addNode({ parent: a, translation: [1, 1, 1] });
    allNear(b.world(), [0, 1, 0, 0, 0, 0, 1, 0, 2, 0, 0, 0, 5, 0, 0, 1]); // x goes to y, y to z, z to x
    const before = node.world();
    assert.equal(node.setParent(b, { keepWorld: true }), node);
    scene.update(0);
    allNear(node.world(), [...before]);
    node.detach({ keepWorld: true });
    scene.update(0);
    allNear(node.world(), [...before]);
    node.setParent(b);
    scene.update(0);
    allNear(node.world(), [...product(b.world(), before)], 1e-4);
    node.setTransform({ translation: [0, 0, 1] }).detach();
    scene.update(0);
    allNear(position(node.world()), [0, 0, 1]);

    const flat = scene.addNode({ scale: [1, 0, 1] });
    assert.throws(() => node.setParent(flat, { keepWorld: true }), /scaled to 0/);
    assert.throws(() => a.setParent(a), /a node cannot be a child of itself/);
    node.setParent(a);
    assert.throws(() => a.setParent(node), /a node cannot be a child of itself/);
    scene.update(0);
    allNear(position(node.world()), [1 + 4, 2, 3]); // along z of a, which is four times as long, and points to x
});

test('an attached sword has the transform of the hand in the same frame', () => {
    const scene = new Scene();
    const instance = scene.addInstance(hero, { name: 'hero', translation: [0, 0, 7], rotation: QUARTER });
    const blade = scene.addInstance(sword, { name: 'sword' });
    assert.equal(instance.attach(blade, 'Grip_R', { translation: [0, 0.5, 0] }), instance);
    instance.mixer.clipAction('Attack').play();
    for (const seconds of [0.2, 0.5]) {
        scene.update(seconds);
        const hand = alone('Attack', seconds === 0.2 ? 0.2 : 0.7, 'Grip_R');
        const turned = product(instance.world(), hand);
        allNear(instance.joint('Grip_R').world(), [...turned]);
        allNear(position(instance.joint('Grip_R').world()), [hand[14], hand[13], 7 - hand[12]]);
        const offset = [4, 5, 6].map((i, axis) => turned[12 + axis] + 0.5 * turned[i]);
        allNear(position(blade.world()), offset);
    }
    blade.detach({ keepWorld: true });
    const held = position(blade.world());
    scene.update(0.2);
    allNear(position(blade.world()), held);

    const hand = instance.joint(hero.findNode('Grip_R'));
    assert.equal(hand, instance.joint('Grip_R'));
    assert.equal(scene.find('Grip_R'), hand);
    assert.equal(scene.find('Tail'), null);
    // An attachment to a joint without children is up to date.
    const glove = instance.joint('Hand_L'), ball = scene.addNode({ translation: [1, 2, 3] });
    scene.update(0.2);
    ball.setParent(glove, { keepWorld: true });
    scene.update(0);
    allNear(position(ball.world()), [1, 2, 3]);

    const ring = scene.addNode({ parent: hand });
    allNear(ring.world(), [...hand.world()]);
    for (const change of [() => hand.setTransform(), () => hand.setParent(null), () => hand.remove()]) {
        assert.throws(change, /a joint/);
    }
    assert.throws(() => instance.joint('Tail'), /this asset has no node 'Tail'/);
    assert.throws(() => instance.setParent(hand), /a node cannot be a child of itself/);
});

test('instances play separately, with their mixer options', () => {
    const scene = new Scene();
    const [a, b] = [0, 1].map(() => scene.addInstance(hero, { mixer: { layers: 2 } }));
    assert.equal(a.mixer.layers.length, 2);
    a.mixer.clipAction('Walk').play();
    b.mixer.clipAction('Run').play();
    scene.update(0.3);
    const late = scene.addInstance(hero);
    late.mixer.clipAction('Walk').play();
    scene.update(0.1);
    for (const [instance, clip, seconds] of [[a, 'Walk', 0.4], [b, 'Run', 0.4], [late, 'Walk', 0.1]]) {
        allNear(instance.mixer.nodeMatrix(hero.findNode('Hand_L')), [...alone(clip, seconds, 'Hand_L')]);
        assert.equal(instance.palette(), instance.mixer.palette());
    }
});

test('removing a node removes its descendants, and disposing an asset its instances', async () => {
    const scene = new Scene();
    const instance = scene.addInstance(hero), blade = scene.addInstance(sword);
    const stays = scene.addNode({ name: 'stays' });
    instance.attach(blade, 'Grip_R');
    scene.update(0.1);
    instance.remove();
    instance.remove(); // twice is nothing
    assert.ok(instance.mixer.disposed && blade.mixer.disposed);
    assert.deepEqual([instance.scene, blade.scene, stays.scene], [null, null, scene]);
    for (const use of [() => blade.world(), () => instance.joint('Hips'), () => blade.setTransform(),
        () => instance.palette(), () => blade.detach()]) {
        assert.throws(use, /removed/);
    }
    assert.throws(() => stays.setParent(instance), /must be in this scene and not removed/);
    scene.update(0.1);

    const other = sinew.loadAsset(await readModel('hero.glb'));
    const gone = scene.addInstance(other), here = scene.addInstance(hero);
    scene.update(0.1);
    other.dispose();
    scene.update(0.1);
    assert.deepEqual([gone.scene, here.scene], [null, scene]);
    here.mixer.dispose();
    scene.update(0.1);
    assert.equal(here.scene, null);
});

test('a disposed scene throws', () => {
    const scene = new Scene();
    const instance = scene.addInstance(hero);
    scene.update(0.1);
    scene.dispose();
    scene.dispose();
    assert.ok(scene.disposed && instance.mixer.disposed);
    for (const use of [() => scene.update(0), () => scene.addNode(), () => scene.addInstance(hero),
        () => scene.find('')]) {
        assert.throws(use, /this Scene is disposed/);
    }
    assert.throws(() => instance.world(), /removed/);
});

test('invalid arguments are refused, without a leak', async () => {
    const scene = new Scene(), other = new Scene();
    assert.throws(() => scene.addNode({ parent: other.addNode() }), /in this scene/);
    assert.throws(() => scene.addNode({ parent: {} }), /in this scene/);
    assert.throws(() => scene.addNode({ translation: [1, 2] }), /a translation must be 3 numbers/);
    assert.throws(() => scene.addNode({ scale: [1, NaN, 1] }), /a scale must have finite numbers, not NaN/);
    assert.throws(() => scene.addNode({ rotation: [0, 0, 0, 0] }), /not all zeros/);
    assert.throws(() => scene.update(NaN), /a step must be a finite number/);
    const before = hero[$users].size;
    assert.throws(() => scene.addInstance(hero, { rotation: 'up' }), /a rotation must be 4 numbers/);
    assert.throws(() => scene.addInstance(hero, { mixer: { layers: 9 } }), /layers must be 1 to 8/);
    assert.equal(hero[$users].size, before);
    const instance = scene.addInstance(hero);
    assert.throws(() => instance.attach(null, 'Hips'), /a node of this scene/);
    assert.throws(() => instance.attach(other.addNode(), 'Hips'), /in this scene/);
    const elsewhere = (await loadSinew()).loadAsset(await readModel('sword.glb'));
    assert.throws(() => scene.addInstance(elsewhere), /from the same Sinew/);
    scene.update(0);
});
