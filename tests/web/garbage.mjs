// SPDX-License-Identifier: MIT
// The package's steady frames make no objects.
import { garbage } from './allocations.mjs';
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import test from 'node:test';
import { pathToFileURL } from 'node:url';
import { Scene, loadSinew, packagePath, readModel } from './common.mjs';
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

test('a frame of characters makes no garbage', async () => {
    const { Character, Rig, Sinew } = await import(pathToFileURL(packagePath('character.js')));
    const sinew = await Sinew.load({ wasm: await readFile(packagePath('sinew-character-simd.wasm')) });
    const graph = sinew.loadGraph(await readModel('hero.character.json')), rig = new Rig(sinew.loadAsset(hero), graph), hand = rig.asset.findNode('Hand_R');
    const ground = (place, { position, normal }) => {
        position[1] = place[2] > 2 ? 0.5 : 0;
        normal[0] = 0;
    };
    const character = new Character(rig, { ground }), asking = new Character(rig, { ground: null }), snapshot = character.save();
    const at = character.world(), platform = { position: new Float32Array(3) }, target = Float32Array.of(1, 1.5, 2);
    const seat = { position: Float32Array.of(0, 0.5, 0), rotation: Float32Array.of(0, 0, 0, 1) };
    const wind = new Float32Array(3), matrix = new Float32Array(16);
    const local = character.mixer.nodeTransform(hand), called = sinew.loadGraph({ sinewGraph: 1, rig: { steps: [{ callback: {} }] } });
    const calling = new Character(new Rig(rig.asset, called), { step: (step) => {
        step.nodeTransform(hand, local).scale[0] = 1 + step.weight;
        step.setNodeTransform(hand, local).nodeMatrix(hand, matrix);
    } });
    assert.deepEqual(garbage((frame) => {
        calling.update(1 / 60);
        target[0] = wind[0] = frame % 2;
        platform.position[0] = frame % 7 / 8;
        character.set('move', 0, 1.5).set('lookAt', target).set('looks', frame % 64 > 32).set('seat', seat).set('sits', frame % 128 > 100);
        if (frame % 50 === 0) character.fire('attack');
        (frame % 8 ? character.ride(platform) : character.getOff()).setWind(wind).begin(1 / 60).world(at);
        at.position[2] += 0.02;
        character.setWorld(at).end().nodeWorldMatrix(hand, matrix);
        asking.begin(1 / 60);
        asking.setGrounds(asking.groundPlaces()).end();
        target[1] = character.palette()[3] + character.stepWeight('look');
        if (frame % 3 === 0) character.restore(snapshot);
        character.save(snapshot);
    }), []);
});
