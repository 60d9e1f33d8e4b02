// SPDX-License-Identifier: MIT
// Root motion, bounds, and snapshots.
import assert from 'node:assert/strict';
import test from 'node:test';
import { BlendSpace, KINDS, LoopOnce, Mask, Mixer, loadSinew, readModel } from './common.mjs';

const sinew = await loadSinew();
const asset = sinew.loadAsset(await readModel('hero.glb'));
const near = (value, expected, within = 1e-5) => (
    assert.ok(Math.abs(value - expected) <= within, `${value}, not ${expected}`));
const allNear = (values, expected, within) => expected.forEach((value, i) => near(values[i], value, within));

// ---- Root motion ------------------------------------------------------------------------------------------------

// A file with one node, 'Hips', below others, and a two-second clip. In it, the node makes a quarter turn about +Y
// and goes from `from` to `to`.
function walker(from, to, above = []) {
    const half = Math.SQRT1_2;
    const floats = Float32Array.of(0, 2, ...from, ...to, 0, 0, 0, 1, 0, half, 0, half);
    const buffer = Buffer.from(floats.buffer);
    const view = (byteOffset, byteLength) => ({ buffer: 0, byteOffset, byteLength });
    const accessor = (bufferView, type) => ({ bufferView, type, componentType: 5126, count: 2 });
    const hips = above.length;
    return sinew.loadAsset(new TextEncoder().encode(JSON.stringify({
        asset: { version: '2.0' },
        buffers: [{ byteLength: buffer.length, uri: `data:;base64,${buffer.toString('base64')}` }],
        bufferViews: [view(0, 8), view(8, 24), view(32, 32)],
        accessors: [{ ...accessor(0, 'SCALAR'), min: [0], max: [2] }, accessor(1, 'VEC3'), accessor(2, 'VEC4')],
        nodes: [...above.map((node, i) => ({ ...node, children: [i + 1] })), { name: 'Hips' }],
        scenes: [{ nodes: [0] }],
        animations: [{
            name: 'Walk',
            channels: [{ sampler: 0, target: { node: hips, path: 'translation' } },
                { sampler: 1, target: { node: hips, path: 'rotation' } }],
            samplers: [{ input: 0, output: 1 }, { input: 0, output: 2 }],
        }],
    })));
}

test('root motion is the motion extracted from the pose', () => {
    const file = walker([0, 1, 0], [0, 2, 4]);
    const node = file.findNode('Hips');
    const mixer = new Mixer(file, { rootMotion: { node, rotation: false } });
    mixer.clipAction('Walk').play();
    mixer.update(0);
    mixer.update(0.5); // a quarter of the way
    const delta = mixer.rootDelta();
    allNear(delta.translation, [0, 0, 1]); // the ground's part of (0, 0.25, 1)
    allNear(delta.rotation, [0, 0, 0, 1]);
    assert.equal(delta.yaw, 0);
    allNear(mixer.nodeTransform(node).translation, [0, 1.25, 0]); // the rest stays
    mixer.update(20); // ten loops
    assert.equal(mixer.rootDelta(delta), delta);
    allNear(delta.translation, [0, 0, 40], 1e-4);

    const whole = new Mixer(file, { rootMotion: { node, translation: 'y' } });
    whole.clipAction('Walk').play();
    whole.update(0);
    whole.update(1);
    allNear(whole.rootDelta().translation, [0, 0.5, 0]);
    near(whole.rootDelta().yaw, Math.PI / 4);
    allNear(whole.rootDelta().rotation, [0, Math.sin(Math.PI / 8), 0, Math.cos(Math.PI / 8)]);
    allNear(whole.nodeTransform(node).rotation, [0, 0, 0, 1]);
    // Two metres along z, as seen by one who has turned left by an eighth.
    allNear(whole.nodeTransform(node).translation, [-Math.SQRT2, 1, Math.SQRT2]);

    const none = new Mixer(file);
    none.clipAction('Walk').play();
    none.update(1);
    allNear(none.rootDelta().translation, [0, 0, 0]);
    file.dispose();
});

test('closeLoops closes the motion that stays in the pose', () => {
    const file = walker([0, 1, 0], [0, 2, 4]);
    const node = file.findNode('Hips');
    const mixer = new Mixer(file, { rootMotion: { node, rotation: false, closeLoops: true } });
    mixer.clipAction('Walk').play();
    mixer.update(1.9999);
    near(mixer.nodeTransform(node).translation[1], 1, 1e-3);
    file.dispose();
});

test('root motion that cannot be extracted is refused', () => {
    const file = walker([0, 1, 0], [0, 2, 4], [{ name: 'Uneven', scale: [1, 2, 1], rotation: [0.6, 0, 0, 0.8] }]);
    const node = file.findNode('Hips');
    assert.throws(() => new Mixer(file, { rootMotion: { node } }), /a node above it has a non-uniform scale/);
    assert.throws(() => new Mixer(file, { rootMotion: { node: 2 } }), /no node 2: it must be an integer from 0 to 1/);
    assert.throws(() => new Mixer(file, { rootMotion: {} }), /no node undefined/);
    assert.throws(() => new Mixer(file, { rootMotion: { node, translation: 'xw' } }), /letters x, y and z, not 'xw'/);
    file.dispose();
});

// ---- Bounds -----------------------------------------------------------------------------------------------------

test('bounds contain every vertex tightly', () => {
    const mixer = new Mixer(asset);
    mixer.clipAction('Jump').play();
    for (let frame = 0; frame < 10; frame++) {
        mixer.update(0.1);
        const palette = mixer.palette(), box = mixer.bounds();
        const least = [Infinity, Infinity, Infinity], most = least.map((value) => -value);
        for (const { mesh, skin } of asset.meshNodes) {
            if (skin < 0) continue;
            for (const { positions, joints, weights, vertexCount } of asset.meshes[mesh].primitives) {
                for (let i = 0; i < 3 * vertexCount; i++) {
                    const vertex = Math.floor(i / 3), row = i % 3;
                    let position = 0;
                    for (let n = 4 * vertex; n < 4 * vertex + 4; n++) {
                        const at = 12 * joints[n] + 4 * row;
                        position += weights[n] * (palette[at] * positions[3 * vertex]
                            + palette[at + 1] * positions[3 * vertex + 1]
                            + palette[at + 2] * positions[3 * vertex + 2] + palette[at + 3]);
                    }
                    least[row] = Math.min(least[row], position);
                    most[row] = Math.max(most[row], position);
                }
            }
        }
        for (let axis = 0; axis < 3; axis++) {
            const size = most[axis] - least[axis];
            assert.ok(box[axis] <= least[axis] && box[axis] > least[axis] - 0.3 * size, `${box}, not ${least}`);
            assert.ok(box[3 + axis] >= most[axis] && box[3 + axis] < most[axis] + 0.3 * size, `${box}, not ${most}`);
        }
    }
    const target = new Float32Array(6);
    assert.equal(mixer.bounds(target), target);
});

// ---- Snapshots --------------------------------------------------------------------------------------------------

// A mixer during fades and transitions.
function busy(of = asset) {
    const mixer = new Mixer(of);
    const space = new BlendSpace(of, { samples: [{ clip: 'Walk', x: 0 }, { clip: 'Run', x: 1 }], damping: 0.2 });
    mixer.layers[1].mask = new Mask(of).setSubtree(of.findNode('Spine'), 1);
    mixer.layers[2].mode = 'additive';
    mixer.clipAction(space).play({ x: 0 }).setParameter(1);
    mixer.clipAction('Wave', { layer: 1 }).fadeIn(0.4).play();
    mixer.clipAction(of.makeAdditive('Idle'), { layer: 2 }).play();
    mixer.update(0.1);
    mixer.transitionTo(mixer.clipAction('Jump').setLoop(LoopOnce), { duration: 0.3, kind: 'inertialize' });
    mixer.clipAction('Jump').queuePrevious({ duration: 0.2 });
    mixer.update(0.1);
    return mixer;
}

const goOn = (mixer, frames = 40) => Array.from({ length: frames }, (_, frame) => {
    if (frame === 5) mixer.layers[1].fadeTo(0.5, 0.2);
    if (frame === 10) mixer.transitionTo(mixer.clipAction('Turn'), { duration: 0.2, kind: 'deadBlend' });
    mixer.update(1 / 30);
    return mixer.palette().slice();
});

test('the same calls after restore give the same bits', () => {
    const mixer = busy();
    const snapshot = mixer.save();
    const { hash } = mixer;
    const first = goOn(mixer);
    assert.notEqual(mixer.hash, hash);
    assert.ok(first.some((palette) => !palette.every((value, i) => value === first[0][i])));
    const later = mixer.save();

    assert.equal(mixer.restore(snapshot), mixer);
    assert.equal(mixer.hash, hash);
    assert.deepEqual(goOn(mixer), first);

    // Overwrites the snapshot with another state.
    mixer.restore(later);
    const second = goOn(mixer);
    assert.equal(mixer.restore(later).save(snapshot), snapshot);
    mixer.update(1);
    mixer.restore(snapshot);
    assert.deepEqual(goOn(mixer), second);
});

test('a snapshot has the settings of actions and layers', () => {
    const mixer = busy();
    const jump = mixer.clipAction('Jump');
    const { mask } = mixer.layers[1];
    mixer.timeScale = 0.5;
    jump.timeScale = 2;
    const snapshot = mixer.save();
    jump.timeScale = 3;
    jump.loop = 2201;
    mixer.timeScale = 4;
    mixer.layers[1].mask = null;
    const later = mixer.clipAction('Attack');
    later.weight = 0.25;
    later.play();
    mixer.restore(snapshot);
    assert.deepEqual([jump.timeScale, jump.getEffectiveTimeScale(), jump.loop, mixer.timeScale], [2, 2, LoopOnce, 0.5]);
    assert.equal(mixer.layers[1].mask, mask);
    assert.deepEqual([later.weight, later.isActive()], [1, false]);
});

test('disposed objects are not restored', () => {
    const mixer = busy();
    const { mask } = mixer.layers[1];
    const space = new BlendSpace(asset, { samples: [{ clip: 'Walk', x: 0 }] });
    const action = mixer.clipAction(space, { layer: 3 }).play();
    mixer.update(0.1);
    const snapshot = mixer.save();
    mask.dispose();
    space.dispose();
    mixer.restore(snapshot);
    assert.equal(mixer.layers[1].mask, null);
    assert.ok(!action.isActive());
    assert.ok(goOn(mixer).at(-1).every(Number.isFinite));
});

test('a snapshot is valid for its mixer only', () => {
    const mixer = busy(), snapshot = busy().save();
    assert.throws(() => mixer.restore(snapshot), /snapshot must be from this mixer/);
    assert.throws(() => mixer.restore(new Uint8Array(4096)), /snapshot must be from this mixer/);
    assert.throws(() => mixer.save(snapshot), /snapshot must be from this mixer/);
    const own = mixer.save();
    mixer.dispose();
    assert.throws(() => mixer.restore(own), /this Mixer is disposed/);
    assert.throws(() => mixer.hash, /this Mixer is disposed/);
});

test('hashes depend on the calls, not on the module', async () => {
    const hashes = await Promise.all(KINDS.map(async (kind) => {
        const other = (await loadSinew(kind)).loadAsset(await readModel('hero.glb'));
        return busy(other).hash;
    }));
    assert.equal(hashes[0], hashes[1]);
    assert.equal(busy().hash, hashes[0]);
    assert.ok(hashes[0] > 0n && hashes[0] < 1n << 64n);
    const other = busy();
    other.clipAction('Wave', { layer: 1 }).weight = 0.5;
    assert.notEqual(other.hash, hashes[0]);
});
