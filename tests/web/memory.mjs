// SPDX-License-Identifier: MIT
// Frames don't allocate the module's memory, views stay valid after it grows, and disposing frees it.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import test from 'node:test';
import { pathToFileURL } from 'node:url';
import { Animator, Batch, BlendSpace, Mask, Mixer, RootWarp, internal, loadSinew, packagePath, readModel } from './common.mjs';
import { busyFrame, graphText, hero, stage } from './stage.mjs';

const { $module } = internal;

test('10,000 frames take no memory of the module', async () => {
    const sinew = await loadSinew();
    const { mixers, batch } = stage(sinew, 3);
    const busy = busyFrame(sinew);
    const { buffer } = sinew[$module].memory;
    let sum = 0;
    for (let frame = 0; frame < 10000; frame++) {
        mixers[0].update(1 / 60);
        batch.update(1 / 60);
        for (const mixer of mixers) sum += mixer.palette()[3] + mixer.modelMatrices[7];
        busy(frame);
    }
    assert.ok(Number.isFinite(sum));
    assert.equal(sinew[$module].memory.buffer, buffer);
});

test('views are the same arrays in every frame', async () => {
    const { mixers: [mixer], batch } = stage(await loadSinew(), 1);
    const palette = mixer.palette(), before = palette.slice();
    batch.update(0.1);
    assert.equal(mixer.palette(), palette);
    assert.notDeepEqual(palette, before);
});

test('views are valid after the memory has grown', async () => {
    const sinew = await loadSinew();
    const { asset, mixers: [mixer] } = stage(sinew, 1);
    const palette = mixer.palette(), positions = asset.meshes[0].primitives[0].positions;
    const expected = [palette.slice(), positions.slice(), mixer.modelMatrices.slice()];
    const assets = [];
    while (palette.length > 0) assets.push(sinew.loadAsset(hero)); // detached arrays are empty
    assert.deepEqual([mixer.palette(), asset.meshes[0].primitives[0].positions, mixer.modelMatrices], expected);
    assert.notEqual(mixer.palette(), palette);
});

test('disposing frees memory', async () => {
    const sinew = await loadSinew();
    const once = () => {
        const { asset } = stage(sinew, 2);
        busyFrame(sinew)(0);
        asset.dispose();
    };
    const size = () => sinew[$module].memory.buffer.byteLength;
    const { loadAsset } = sinew;
    const loaded = [];
    sinew.loadAsset = (...given) => {
        loaded.push(loadAsset.apply(sinew, given));
        return loaded.at(-1);
    };
    const all = () => {
        once();
        for (const asset of loaded.splice(0)) asset.dispose();
    };
    all();
    const before = size();
    for (let i = 0; i < 200; i++) all();
    assert.equal(size(), before);
});

test('masks and blend spaces are freed with the last mixer that has used them', async () => {
    const sinew = await loadSinew();
    const asset = sinew.loadAsset(hero);
    const mixer = new Mixer(asset);
    const given = [];
    const { [$module]: module } = sinew, { exports } = module;
    const told = (name) => (address) => {
        given.push(name);
        exports[name](address);
    };
    module.exports = { ...exports };
    for (const name of ['sinew_mask_destroy', 'sinew_blend_space_destroy']) module.exports[name] = told(name);
    const mask = new Mask(asset), space = new BlendSpace(asset, { samples: [{ clip: 'Walk', x: 0 }] });
    mixer.layers[1].mask = mask;
    mixer.layers[1].mask = null;
    mixer.clipAction(space);
    mask.dispose();
    mask.dispose(); // twice is nothing
    space.dispose();
    assert.deepEqual(given, []);
    mixer.dispose();
    assert.deepEqual(given, ['sinew_mask_destroy', 'sinew_blend_space_destroy']);

    const other = new Mask(asset);
    other.dispose(); // no mixer has had it
    assert.equal(given.length, 3);
    const last = new Mask(asset);
    new Mixer(asset).layers[1].mask = last;
    asset.dispose();
    assert.equal(given.length, 4);
});

test('disposed objects throw', async () => {
    const { asset, mixers: [mixer], batch } = stage(await loadSinew(), 1);
    const action = mixer.clipAction('Walk');
    const primitive = asset.meshes[0].primitives[0];
    const mask = new Mask(asset), space = new BlendSpace(asset, { samples: [{ clip: 'Walk', x: 0 }] });
    const moving = mixer.clipAction(space), [, layer] = mixer.layers;
    asset.dispose();
    asset.dispose(); // twice is nothing
    assert.ok(asset.disposed && mixer.disposed && batch.disposed && mask.disposed && space.disposed);
    assert.throws(() => primitive.positions, /this Asset is disposed/);
    assert.throws(() => mixer.palette(), /this Mixer is disposed/);
    assert.throws(() => mixer.update(0), /this Mixer is disposed/);
    assert.throws(() => action.play(), /this Mixer is disposed/);
    assert.throws(() => action.time, /this Mixer is disposed/);
    assert.throws(() => batch.update(0), /this Batch is disposed/);
    assert.throws(() => new Mixer(asset), /this Asset is disposed/);
    assert.throws(() => asset.makeAdditive('Walk'), /this Asset is disposed/);
    assert.throws(() => new Mask(asset), /this Asset is disposed/);
    assert.throws(() => new BlendSpace(asset, { samples: [] }), /this Asset is disposed/);
    for (const use of [() => moving.play(), () => moving.setParameter(1), () => moving.x, () => layer.weight,
        () => layer.fadeTo(0, 1), () => { layer.mask = null; }, () => mixer.save(), () => mixer.hash,
        () => mixer.bounds(), () => mixer.rootDelta(), () => mixer.nodeTransform(0), () => mixer.clipAction('Walk'),
        () => { mixer.timeScale = 1; }, () => action.queuePrevious(), () => mixer.transitionTo(action)]) {
        assert.throws(use, /is disposed/, String(use));
    }
    assert.throws(() => mask.set(0, 1), /this Mask is disposed/);
    assert.throws(() => space.weights(0), /this BlendSpace is disposed/);
});

test('a batch ends with any of its mixers', async () => {
    const { mixers, batch } = stage(await loadSinew(), 2);
    mixers[1].dispose();
    assert.ok(batch.disposed);
    assert.ok(mixers[0].update(0.1));
    assert.throws(() => new Batch(mixers), /this Mixer is disposed/);
});

// Takes all memory that there is, and gives it back bit by bit, the smallest pieces first: each allocation on the way
// to success is one that fails some time.
function failUntil(exports, make) {
    const lent = [];
    for (let size = 1 << 30; size >= 16; size /= 2) {
        for (;;) {
            const address = exports.malloc(size);
            if (address === 0) break;
            lent.push(address);
        }
    }
    let failures = 0;
    try {
        for (;;) {
            try {
                return [make(), failures];
            } catch (error) {
                assert.match(error.message, /out of memory/);
                failures++;
                exports.free(lent.pop());
            }
        }
    } finally {
        for (const address of lent) exports.free(address);
    }
}

test('running out of memory is an error, without a leak', async () => {
    const sinew = await loadSinew();
    const { exports } = sinew[$module];
    const [asset, ofAsset] = failUntil(exports, () => sinew.loadAsset(hero));
    const [mixer, ofMixer] = failUntil(exports, () => new Mixer(asset));
    const [batch, ofBatch] = failUntil(exports, () => new Batch([mixer]));
    const [mask, ofMask] = failUntil(exports, () => new Mask(asset));
    const samples = [{ clip: 'Walk', x: 0 }, { clip: 'Run', x: 1 }];
    const [space, ofSpace] = failUntil(exports, () => new BlendSpace(asset, { samples, syncNames: ['Foot_L'] }));
    const [clip, ofClip] = failUntil(exports, () => asset.makeAdditive('Idle'));
    const [part, ofPart] = failUntil(exports, () => asset.subclip('Idle', { end: 0.5 }));
    const [combined, ofCombined] = failUntil(exports, () => asset.combineClips(['Walk']));
    const [snapshot, ofSnapshot] = failUntil(exports, () => mixer.save());
    const [graph, ofGraph] = failUntil(exports, () => sinew.loadGraph(graphText));
    const [animator, ofAnimator] = failUntil(exports, () => new Animator(asset, graph));
    const [mover] = failUntil(exports, () => new Mixer(asset, { rootMotion: { node: 0 } }));
    const [warp, ofWarp] = failUntil(exports, () => new RootWarp(mover, 'Jump', { window: [0, 1], addedSpeed: 9 }));
    const all = { ofAsset, ofMixer, ofBatch, ofMask, ofSpace, ofClip, ofPart, ofCombined, ofSnapshot, ofGraph, ofAnimator, ofWarp };
    console.log('refused:', all);
    assert.ok(Object.values(all).every((times) => times > 0));
    mixer.layers[1].mask = mask;
    mixer.layers[2].mode = 'additive';
    mixer.clipAction(clip, { layer: 2 }).play();
    mixer.clipAction(part, { layer: 1 }).play();
    mixer.clipAction(combined.clips[0], { layer: 1 }).play();
    mixer.clipAction(space, { layer: 1 }).play();
    mixer.restore(snapshot);
    mixer.clipAction('Walk').play();
    batch.update(0.1);
    animator.update(0.1);
    const goal = { position: [0, 0, 1] };
    assert.ok(Math.abs(warp.begin({ position: [0, 0, 0] }, goal).at(1).position[2] - 1) < 1e-4);
    for (const one of [mixer, animator.mixer]) assert.ok(one.palette().every(Number.isFinite));
});

test('running out of memory is an error of characters, without a leak', async () => {
    const { Character, Rig, Sinew } = await import(pathToFileURL(packagePath('character.js')));
    const sinew = await Sinew.load({ wasm: await readFile(packagePath('sinew-character-plain.wasm')) }), { exports } = sinew[$module];
    const graph = sinew.loadGraph(await readModel('hero.character.json')), avatar = await readModel('sprite.vrm');
    const springs = sinew.loadGraph({ sinewGraph: 1, rig: { steps: [{ springs: {} }] } });
    const [asset, ofAsset] = failUntil(exports, () => sinew.loadAsset(avatar)), other = sinew.loadAsset(hero);
    const [rig, ofRig] = failUntil(exports, () => new Rig(other, graph)), [, ofSprings] = failUntil(exports, () => new Rig(asset, springs));
    const [character, ofCharacter] = failUntil(exports, () => new Character(rig, { ground: null }));
    character.set('move', 0, 1).update(0.1);
    const [state, ofWrite] = failUntil(exports, () => character.write()), { hash } = character;
    const [unknown, ofRead] = failUntil(exports, () => character.read(state)), [, ofSnapshot] = failUntil(exports, () => character.save());
    const all = { ofAsset, ofRig, ofSprings, ofCharacter, ofWrite, ofRead, ofSnapshot };
    console.log('refused:', all);
    assert.ok(Object.values(all).every((times) => times > 0));
    assert.deepEqual([unknown, character.hash], [[], hash]);
    character.update(0.1);
    assert.ok(character.palette().every(Number.isFinite));
});
