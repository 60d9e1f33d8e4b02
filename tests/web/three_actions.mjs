// SPDX-License-Identifier: MIT
// Actions with three.js's names, against three.js's own: node three_actions.mjs NODE_MODULES PACKAGE MODELS
// The same calls on both give the same times, speeds and states in every frame.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import test from 'node:test';
import { pathToFileURL } from 'node:url';
import { withoutMaterials } from './glb.mjs';

const [modules, packageFolder, models] = process.argv.slice(2);
if (!existsSync(resolve(modules, 'three'))) {
    console.log('SKIPPED: npm has not fetched three');
    process.exit(77);
}
const load = (...path) => import(pathToFileURL(resolve(...path)));

globalThis.self ??= globalThis; // GLTFLoader detects browsers by it
const { AnimationMixer, LoopOnce } = await load(modules, 'three/build/three.module.js');
const { GLTFLoader } = await load(modules, 'three/examples/jsm/loaders/GLTFLoader.js');
const { clone } = await load(modules, 'three/examples/jsm/utils/SkeletonUtils.js');
const { BlendSpace, Mixer, Sinew } = await load(packageFolder, 'index.js');
const { drive } = await load(packageFolder, 'three.js');

const sinew = await Sinew.load();
const bytes = withoutMaterials(readFileSync(resolve(models, 'hero.glb')));
const gltf = await new GLTFLoader().parseAsync(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength), '');
const asset = sinew.loadAsset(bytes);
const clipOf = (name) => gltf.animations.find((clip) => clip.name === name);

// Ours and three.js's, which clamps when it finishes, as ours always does.
function bothMixers() {
    const ours = drive(gltf, asset, { scene: clone(gltf.scene) }).mixer;
    const theirs = new AnimationMixer(clone(gltf.scene));
    return [ours, theirs];
}

function near(ours, theirs, what) {
    assert.ok(Math.abs(ours - theirs) <= 1e-5, `${what}: ${ours}, three.js has ${theirs}`);
}

const STEP = 0.07; // no event is at the end of a step

// Calls `script` on the actions of both before each frame, and compares them after it.
function compare(script, frames, names = ['Walk', 'Run']) {
    const [ours, theirs] = bothMixers();
    const actions = [ours, theirs].map((mixer) => names.map((name) => mixer.clipAction(clipOf(name))));
    for (const action of actions[1]) action.clampWhenFinished = true;
    for (let frame = 0; frame < frames; frame++) {
        [ours, theirs].forEach((mixer, i) => script(frame, mixer, ...actions[i]));
        for (const mixer of [ours, theirs]) mixer.update(STEP);
        near(ours.time, theirs.time, `frame ${frame}, the mixer's time`);
        names.forEach((name, i) => {
            const [mine, other] = actions.map((list) => list[i]), what = `frame ${frame}, ${name}`;
            near(mine.time, other.time, `${what}: time`);
            near(mine.timeScale, other.timeScale, `${what}: timeScale`);
            assert.equal(mine.isRunning(), other.isRunning(), `${what}: isRunning`);
            assert.equal(mine.paused, other.paused, `${what}: paused`);
            assert.equal(mine.enabled, other.enabled, `${what}: enabled`);
        });
    }
    ours.dispose();
}

const at = (frame, calls) => (now, ...given) => now === frame && calls(...given);
const all = (...scripts) => (...given) => scripts.forEach((script) => script(...given));

test('startAt delays the start to the exact time', () => {
    compare(at(0, (_, walk) => walk.startAt(0.25).play()), 12);
    compare(all(at(0, (_, walk) => walk.play()), at(3, (mixer, walk) => walk.startAt(mixer.time + 0.3))), 12);
    compare(at(0, (_, walk) => { walk.setEffectiveTimeScale(-2); walk.time = 0.9; walk.startAt(0.1).play(); }), 10);
    compare(all(at(0, (_, walk) => walk.startAt(0.5).play()), at(3, (_, walk) => walk.reset())), 12);
    compare(at(0, (mixer, walk) => { mixer.timeScale = 0.5; walk.startAt(0.2).play(); }), 12);
});

test('halt stops smoothly and pauses', () => {
    compare(all(at(0, (_, walk) => walk.play()), at(2, (_, walk) => walk.halt(0))), 6);
    const [mixer] = bothMixers(), walk = mixer.clipAction('Walk').play();
    mixer.update(0.1);
    walk.halt(0.4);
    const times = [0.1, 0.3].map((step) => (mixer.update(step), walk.time)); // the integral of 1 - t / 0.4
    near(times[0], 0.1 + 0.1 - 0.1 * 0.1 / 0.8, 'after a quarter');
    near(times[1], 0.1 + 0.2, 'at the end');
    assert.ok(walk.paused && walk.timeScale === 1 && !walk.isRunning());
    walk.paused = false;
    mixer.update(0.1);
    near(walk.time, 0.4, 'after it is resumed');
    mixer.dispose();
});

// three.js takes the speed at the end of each step, and so depends on the frame rate. Ours is the limit of short steps.
test('warp moves a clip as far as three.js does in short steps', () => {
    const [ours, theirs] = bothMixers();
    const [mine, other] = [ours, theirs].map((mixer) => mixer.clipAction(clipOf('Walk')).play().warp(2, 0.5, 0.4));
    for (const part of [0.05, 0.15, 0.1, 0.3]) {
        ours.update(part);
        for (let i = 0; i < 1000; i++) theirs.update(part / 1000);
        assert.ok(Math.abs(mine.time - other.time) < 1e-3, `${mine.time}, not ${other.time}`);
        near(mine.getEffectiveTimeScale(), other.getEffectiveTimeScale(), 'the speed');
    }
    assert.equal(mine.timeScale, 0.5);
    ours.dispose();
});

test('warps end by stopWarping, timeScale, reset and stop', () => {
    const [mixer] = bothMixers(), walk = mixer.clipAction('Walk');
    const ends = [() => walk.stopWarping(), () => { walk.timeScale = 1; }, () => walk.reset(),
        () => walk.stop().play(), () => walk.setEffectiveTimeScale(1)];
    for (const end of ends) {
        walk.play().warp(3, 2, 5);
        mixer.update(0.1);
        end();
        const { time } = walk;
        mixer.update(0.1);
        near(walk.time - time, 0.1, String(end));
        walk.stop();
    }
    mixer.dispose();
});

test('setDuration, syncWith and setTime', () => {
    compare(at(0, (_, walk) => walk.setDuration(3.5).play()), 10);
    compare(all(at(0, (_, walk, run) => { walk.setEffectiveTimeScale(0.5).play(); run.play(); }),
        at(3, (_, walk, run) => run.syncWith(walk))), 10);
    compare(all(at(0, (_, walk) => walk.setEffectiveTimeScale(0.8).play()), at(3, (mixer) => mixer.setTime(0.31))), 8);
});

test('a disabled action has no weight, and continues from its time', () => {
    compare(all(at(0, (_, walk, run) => { walk.play(); run.play(); }), at(2, (_, walk) => { walk.enabled = false; }),
        at(5, (_, walk) => { walk.enabled = true; })), 9);
    const [mixer] = bothMixers(), [walk, run] = ['Walk', 'Run'].map((name) => mixer.clipAction(name));
    walk.enabled = false;
    walk.play();
    run.play();
    mixer.update(0.1);
    assert.deepEqual([walk.getEffectiveWeight(), run.getEffectiveWeight(), walk.time], [0, 1, 0]);
    walk.setEffectiveWeight(0.5);
    walk.fadeIn(0.1);
    mixer.update(0.1);
    assert.equal(walk.getEffectiveWeight(), 0);
    assert.throws(() => mixer.transitionTo(walk), /disabled action.*enabled/);
    walk.paused = true;
    walk.enabled = true;
    assert.deepEqual([walk.getEffectiveWeight(), walk.paused], [0.5, true]);
    assert.equal(walk.reset().paused, false);
    mixer.dispose();
});

test('a disabled action is enabled by reset, and finishes as three.js\'s', () => {
    compare(all(at(0, (_, walk) => { walk.setLoop(LoopOnce, 1).enabled = false; walk.play(); }),
        at(2, (_, walk) => walk.reset())), 8);
});

test('stopFading returns to the weight', () => {
    const [mixer, theirs] = bothMixers();
    for (const one of [mixer, theirs]) {
        const walk = one.clipAction(clipOf('Walk')).play(), run = one.clipAction(clipOf('Run')).play();
        walk.setEffectiveWeight(0.6);
        walk.fadeOut(1);
        one.update(0.25);
        walk.stopFading();
        one.update(0.25);
        near(walk.getEffectiveWeight(), 0.6, 'the weight');
        one.update(2);
        near(walk.getEffectiveWeight(), 0.6, 'the weight later');
        assert.equal(run.getEffectiveWeight(), 1);
    }
    mixer.dispose();
});

test('getClip and existingAction find what clipAction made, and uncache forgets it', () => {
    const [mixer] = bothMixers(), space = new BlendSpace(asset, { samples: [{ clip: clipOf('Walk'), x: 0 }] });
    assert.equal(mixer.existingAction('Walk'), null);
    const walk = mixer.clipAction(clipOf('Walk')), upper = mixer.clipAction('Walk', { layer: 1 });
    assert.equal(walk, mixer.clipAction('Walk'));
    assert.equal(walk.getClip(), asset.findClip('Walk'));
    assert.equal(mixer.existingAction(clipOf('Walk')), walk);
    assert.equal(mixer.existingAction('Walk', { layer: 1 }), upper);
    walk.play();
    upper.play();
    mixer.uncacheAction('Walk');
    assert.ok(!walk.isActive() && upper.isActive());
    assert.equal(mixer.existingAction('Walk'), null);
    mixer.uncacheClip(clipOf('Walk'));
    assert.ok(!upper.isActive());
    assert.equal(mixer.existingAction('Walk', { layer: 1 }), null);
    const blended = mixer.clipAction(space).play();
    mixer.uncacheRoot();
    assert.ok(!blended.isActive() && mixer.existingAction(space) === null);
    mixer.dispose();
});

test('an action that was uncached while it was queued has its events', () => {
    const [mixer] = bothMixers(), wave = mixer.clipAction('Wave').setLoop(LoopOnce).play(), found = [];
    wave.queue(mixer.clipAction('Run'));
    mixer.uncacheAction('Run');
    mixer.addEventListener('loop', ({ action, clip }) => found.push([action.clip.name, clip.name]));
    for (let i = 0; i < 60; i++) mixer.update(0.1);
    assert.deepEqual(found[0], ['Run', 'Run']);
    mixer.dispose();
});

test('clips of another load of the file are refused', async () => {
    const other = await new GLTFLoader().parseAsync(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength), '');
    const [mixer] = bothMixers();
    assert.throws(() => mixer.clipAction(other.animations[1]), /doesn't have the AnimationClip 'Walk'/);
    mixer.dispose();
});

test('a step below 0 is a step of 0', () => {
    const mixer = new Mixer(asset), walk = mixer.clipAction('Walk').play();
    mixer.update(0.1);
    mixer.update(-0.006); // the first delta of THREE.Timer
    near(walk.time, 0.1, 'the time');
    near(mixer.time, 0.1, 'the mixer\'s time');
    mixer.dispose();
});

test('a delayed start and a warp are part of a snapshot', () => {
    const play = (mixer) => Array.from({ length: 8 }, () => (mixer.update(0.07), mixer.hash));
    const mixer = new Mixer(asset), walk = mixer.clipAction('Walk').play(), run = mixer.clipAction('Run').play();
    walk.startAt(0.3);
    run.warp(1, 2, 0.4);
    mixer.update(0.07);
    const snapshot = mixer.save(), first = play(mixer);
    mixer.restore(snapshot);
    assert.deepEqual(play(mixer), first);
    mixer.dispose();
});
