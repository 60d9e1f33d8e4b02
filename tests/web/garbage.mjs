// SPDX-License-Identifier: MIT
// A steady frame of the package makes no objects.
import { garbage } from './allocations.mjs';
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import test from 'node:test';
import { pathToFileURL } from 'node:url';
import { Scene, loadSinew, packagePath } from './common.mjs';
import { busyFrame, hero, stage } from './stage.mjs';

test('all objects that a frame makes are counted', () => {
    const kept = [];
    const planted = {
        object: (i) => { kept[0] = { i }; },
        array: (i) => { kept[0] = [i]; },
        closure: (i) => { kept[0] = () => i; },
        view: (i) => { kept[0] = kept[1].subarray(i); },
        text: (i) => { kept[0] = `frame ${i}`; },
        rest: (i) => { kept[0] = ((...given) => given)(i); },
        'every second frame': (i) => { if (i % 2) kept[0] = { i }; },
    };
    kept[1] = new Float32Array(1000);
    for (const [name, frame] of Object.entries(planted)) assert.equal(garbage(frame).length > 0, true, name);
    assert.deepEqual(garbage((i) => { kept[2] = i + Math.sqrt(i + 0.5); }), []);
    assert.deepEqual(garbage(() => { for (const one of kept) kept[3] = one; }), []);
});

test('a frame makes no garbage', async () => {
    const sinew = await loadSinew();
    const { mixers, batch } = stage(sinew, 3);
    let sum = 0;
    assert.deepEqual(garbage(() => {
        mixers[0].update(1 / 60);
        batch.update(1 / 60);
        for (const mixer of mixers) sum += mixer.palette()[3] + mixer.modelMatrices[7];
    }), []);
    assert.ok(Number.isFinite(sum));
    assert.deepEqual(garbage(busyFrame(sinew)), []);
});

test('a frame of springs, a chain and a body makes no garbage', async () => {
    const { Body, Chain, Solvers, Springs } = await import(pathToFileURL(packagePath('solvers.js')));
    const sinew = await loadSinew(), solvers = await Solvers.load({ wasm: await readFile(packagePath('sinew-solvers.wasm')) });
    const asset = sinew.loadAsset(hero), scene = new Scene(), { mixer } = scene.addInstance(asset);
    mixer.clipAction('Walk').play();
    const springs = new Springs(solvers, mixer, { chains: [{ joints: ['Hair1', 'Hair2', 'Hair3'], colliders: [0] }],
        colliders: [{ node: 'Head', radius: 0.1 }] });
    const body = new Body(solvers, mixer, { root: 'Hips', effectors: [{ node: 'Hand_L' }, { node: 'Foot_L', pin: true }] });
    const chain = new Chain(solvers, mixer, { root: 'UpperArm_R', tip: 'Hand_R' }), [hand] = body.effectors;
    const target = new Float32Array([0.3, 1.3, 0.3]), wind = new Float32Array(3), snapshot = mixer.save();
    assert.deepEqual(garbage((frame) => {
        target[1] = 1 + frame % 2;
        wind[0] = frame % 2;
        scene.wind = wind;
        springs.wind = wind;
        hand.target = target;
        chain.target.set(target);
        body.weight = frame % 2;
        scene.update(1 / 60);
        if (frame % 3 === 0) mixer.restore(snapshot);
        mixer.save(snapshot);
    }), []);
});
