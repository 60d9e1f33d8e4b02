// SPDX-License-Identifier: MIT
// Each call's effects on weights, times and events, against computed values.
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { pathToFileURL } from 'node:url';
import {
    Batch, BlendSpace, LoopOnce, LoopPingPong, LoopRepeat, Mixer, internal, loadSinew, modelPath, readModel,
    sidecarFiles,
} from './common.mjs';
import { glbOf } from './glb.mjs';

const { $exports } = internal;
const sinew = await loadSinew();
const asset = sinew.loadAsset(await readModel('hero.glb'));
const near = (value, expected) => assert.ok(Math.abs(value - expected) < 1e-5, `${value}, not ${expected}`);

function stage(...names) {
    const mixer = new Mixer(asset);
    return [mixer, ...names.map((name) => mixer.clipAction(name))];
}

test('an asset describes its content', () => {
    assert.deepEqual(asset.clips.map(({ name }) => name),
        ['Idle', 'Walk', 'Run', 'Attack', 'Wave', 'Jump', 'Turn', 'WalkBack', 'StrafeLeft', 'StrafeRight', 'Hit']);
    const hand = asset.findNode('Grip_R');
    assert.equal(asset.nodes[hand].name, 'Grip_R');
    assert.ok(asset.nodes[hand].parent < hand);
    assert.equal(asset.findNode('Tail'), -1);
    assert.equal(asset.findClip('Run').name, 'Run');
    assert.equal(asset.findClip('Fly'), null);
    const { vertexCount, indexCount, positions, weights, influences, joints, indices, targets } =
        asset.meshes[0].primitives[0];
    assert.equal(positions.length, 3 * vertexCount);
    assert.equal(indices.length, indexCount);
    assert.ok(indices.every((vertex) => vertex < vertexCount));
    assert.ok(joints.every((joint) => joint < asset.skins[0].jointCount));
    for (let i = 0; i < weights.length; i += influences) {
        near(weights.subarray(i, i + influences).reduce((sum, weight) => sum + weight), 1);
    }
    assert.deepEqual(targets, []);
});

test('a morph model has its targets', async () => {
    const morph = sinew.loadAsset(await readModel('conformance/morph-normals-tangents.gltf'));
    const [primitive] = morph.meshes[0].primitives;
    assert.ok(primitive.targets.length > 0);
    assert.equal(primitive.targets[0].positions.length, 3 * primitive.vertexCount);
    assert.ok(primitive.targets.some(({ normals }) => normals?.length === 3 * primitive.vertexCount));
    morph.dispose();
});

test('action returns one action for each clip', () => {
    const [mixer, walk] = stage('Walk');
    assert.equal(mixer.clipAction(asset.findClip('Walk')), walk);
    assert.ok(!walk.isActive() && !walk.isRunning());
    walk.play();
    assert.ok(walk.isActive() && walk.isRunning());
});

test('time advances, faster or backward, and loops', () => {
    const [mixer, walk] = stage('Walk');
    walk.play();
    mixer.update(0.25);
    near(walk.time, 0.25);
    walk.timeScale = 2;
    mixer.update(0.25);
    near(walk.time, 0.75);
    walk.setEffectiveTimeScale(-1);
    assert.equal(walk.getEffectiveTimeScale(), -1);
    mixer.update(0.5);
    near(walk.time, 0.25);
    mixer.update(0.5);
    near(walk.time, walk.clip.duration - 0.25);
    walk.time = 0.1;
    near(walk.time, 0.1);
    walk.time = 99;
    near(walk.time, walk.clip.duration);
});

test('time and time scale can be set before playing', () => {
    const [mixer, walk] = stage('Walk');
    walk.time = 0.5;
    walk.timeScale = 0.5;
    near(walk.time, 0.5);
    walk.play();
    mixer.update(0.2);
    near(walk.time, 0.6);
});

test('a time before the start is the start, backward too', () => {
    const [, walk, run] = stage('Walk', 'Run');
    walk.timeScale = run.timeScale = -1;
    walk.time = -1;
    near(walk.play().time, 0);
    near(run.play().time, run.clip.duration); // none was given
});

test('a paused action stops and resumes', () => {
    const [mixer, walk] = stage('Walk');
    walk.play();
    mixer.update(0.2);
    walk.paused = true;
    assert.equal(mixer.update(0.2), false); // nothing has moved
    mixer.nodeTransform(0);
    mixer.bounds();
    assert.equal(mixer.update(0.2), false); // nor does it by being looked at
    near(walk.time, 0.2);
    assert.ok(walk.paused && walk.isActive() && !walk.isRunning());
    walk.paused = false;
    assert.equal(mixer.update(0.2), true);
    near(walk.time, 0.4);
});

test('stop ends an action, and reset returns to the start', () => {
    const [mixer, walk, run] = stage('Walk', 'Run');
    walk.play();
    mixer.update(0.3);
    walk.reset();
    near(walk.time, 0);
    assert.ok(walk.isActive());
    mixer.update(0.3);
    walk.stop();
    assert.ok(!walk.isActive());
    assert.equal(walk.getEffectiveWeight(), 0);
    walk.play();
    near(walk.time, 0);
    run.play();
    mixer.stopAllAction();
    assert.ok(!walk.isActive() && !run.isActive());
});

test('restart starts an active action again', () => {
    const [mixer, walk, run] = stage('Walk', 'Run');
    walk.play();
    mixer.update(0.3);
    near(walk.play().time, 0.3);
    near(walk.play({ restart: true }).time, 0);
    run.play();
    mixer.update(0.1);
    near(mixer.transitionTo(walk).time, 0.1);
    near(mixer.transitionTo(walk, { duration: 0 }, { restart: true }).time, 0);
});

test('a transition has defaults, and an easing', () => {
    const [mixer, walk, run] = stage('Walk', 'Run');
    walk.play();
    mixer.transitionTo(run);
    mixer.update(0.05);
    near(run.getEffectiveWeight(), 0.25); // of 0.2 seconds
    mixer.update(0.2);
    mixer.transitionTo(walk, { duration: 0.4, easing: 'smoothstep' });
    mixer.update(0.1);
    near(walk.getEffectiveWeight(), 0.15625); // u² (3 - 2u) of 1/4
    assert.throws(() => mixer.transitionTo(run, { easing: 'ease' }), /linear, smoothstep, not 'ease'/);
});

test('crossFadeTo fades over its duration', () => {
    const [mixer, walk, run] = stage('Walk', 'Run');
    walk.play();
    mixer.update(0.1);
    assert.equal(walk.crossFadeTo(run, 0.4), run);
    assert.equal(run.getEffectiveWeight(), 0);
    for (const [past, left] of [[0.25, 0.75], [0.5, 0.5], [0.75, 0.25]]) {
        mixer.update(0.1);
        near(run.getEffectiveWeight(), past);
        near(walk.getEffectiveWeight(), left);
    }
    mixer.update(0.11);
    near(run.getEffectiveWeight(), 1);
    assert.ok(!walk.isActive());
});

test('an interrupted fade continues from the current weight', () => {
    const [mixer, walk, run] = stage('Walk', 'Run');
    walk.play();
    mixer.update(0.1);
    walk.crossFadeTo(run, 0.4);
    mixer.update(0.2);
    run.crossFadeTo(walk, 0.2);
    near(walk.getEffectiveWeight(), 0.5);
    mixer.update(0.1);
    near(walk.getEffectiveWeight(), 0.75);
    near(run.getEffectiveWeight(), 0.25);
});

test('fadeIn starts from 0, before play, after it, and by crossFadeFrom', () => {
    for (const start of [
        (walk, run) => run.fadeIn(0.4).play(),
        (walk, run) => run.play().fadeIn(0.4),
        (walk, run) => run.reset().setEffectiveWeight(1).fadeIn(0.4).play(),
        (walk, run) => run.play().crossFadeFrom(walk, 0.4),
        (walk, run) => run.crossFadeFrom(walk, 0.4).play(),
    ]) {
        const [mixer, walk, run] = stage('Walk', 'Run');
        walk.play();
        mixer.update(0.1);
        start(walk, run);
        mixer.update(0.1);
        near(run.getEffectiveWeight(), 0.25);
    }
});

test('an action fades to its weight', () => {
    const [mixer, walk] = stage('Walk');
    walk.setEffectiveWeight(0.5).fadeIn(0.2).play();
    mixer.update(0.1);
    near(walk.getEffectiveWeight(), 0.25);
    mixer.update(0.2);
    near(walk.getEffectiveWeight(), 0.5);
    assert.equal(walk.weight, 0.5);
    walk.fadeOut(0.2);
    mixer.update(0.1);
    near(walk.getEffectiveWeight(), 0.25);
    walk.fadeIn(0.1);
    mixer.update(0.2);
    near(walk.getEffectiveWeight(), 0.5);
    walk.fadeOut(0.1);
    mixer.update(0.2);
    assert.ok(!walk.isActive());
});

test('transitionTo fades out all other actions of the layer', () => {
    const [mixer, idle, walk, run] = stage('Idle', 'Walk', 'Run');
    idle.play();
    walk.play();
    mixer.update(0.1);
    assert.equal(mixer.transitionTo(run, { duration: 0.2 }), run);
    mixer.update(0.1);
    near(run.getEffectiveWeight(), 0.5);
    near(idle.getEffectiveWeight(), 0.5);
    mixer.update(0.2);
    assert.ok(!idle.isActive() && !walk.isActive() && run.isActive());
    mixer.transitionTo(walk, { duration: 0.2, kind: 'inertialize' });
    mixer.update(0.05);
    near(walk.getEffectiveWeight(), 1); // immediately alone
    assert.ok(!run.isActive());
});

test('a matched rate starts a clip at the playback rate of the previous one', () => {
    for (const matchRate of [false, true]) {
        const [mixer, walk, run] = stage('Walk', 'Run');
        walk.play();
        mixer.update(0.1);
        mixer.transitionTo(run, { duration: 1, matchRate });
        mixer.update(0.001);
        const pace = matchRate ? run.clip.duration / walk.clip.duration : 1; // as many rounds a second
        assert.ok(Math.abs(run.time / 0.001 - pace) < 0.01, `${run.time / 0.001}, not ${pace}`);
    }
});

test('crossFadeTo of an action may warp, too', () => {
    const [mixer, walk, run] = stage('Walk', 'Run');
    walk.play();
    mixer.update(0.1);
    walk.crossFadeTo(run, 1, true);
    mixer.update(0.001);
    const pace = run.clip.duration / walk.clip.duration;
    assert.ok(Math.abs(run.time / 0.001 - pace) < 0.01, `${run.time / 0.001}, not ${pace}`);
    const above = mixer.clipAction('Idle', { layer: 1 });
    assert.throws(() => walk.crossFadeTo(above, 1, true), /warp: both actions must be in the same layer/);
});

test('the mixer\'s time scale is a factor of every step, in a batch too', () => {
    const [mixer, walk] = stage('Walk'), [other, run] = stage('Run'), [third, idle] = stage('Idle');
    walk.play();
    run.play();
    idle.play();
    mixer.timeScale = 0.5;
    assert.equal(mixer.timeScale, 0.5);
    mixer.update(0.2);
    near(walk.time, 0.1);
    new Batch([mixer, other, third]).update(0.2);
    near(walk.time, 0.2);
    near(run.time, 0.2);
    near(idle.time, 0.2);
    mixer.timeScale = 0;
    mixer.update(1);
    near(walk.time, 0.2);
    assert.throws(() => { mixer.timeScale = -1; }, /a mixer's time scale must be 0 or more, not -1/);
    mixer.timeScale = 3e38; // times a long step: more than a float can say
    mixer.update(3e38);
    assert.ok(mixer.palette().every(Number.isFinite));
});

test('queued actions start by themselves', () => {
    const [mixer, walk, jump] = stage('Walk', 'Jump');
    walk.play();
    mixer.update(0.1);
    mixer.transitionTo(jump.setLoop(LoopOnce), { duration: 0 });
    const { duration } = jump.clip;
    assert.equal(jump.queue(walk, { duration: 0.2 }), jump);
    mixer.update(duration - 0.3);
    assert.ok(!walk.isActive());
    mixer.update(0.2); // the fade is over as the clip ends
    assert.ok(walk.isActive());
    near(walk.getEffectiveWeight(), 0.5);
    near(walk.time, 0.1);
    mixer.update(0.2);
    assert.ok(!jump.isActive());
    assert.throws(() => jump.queue(walk), /play it first/);
});

test('queuePrevious returns to the previous action', () => {
    const [mixer, walk, jump] = stage('Walk', 'Jump');
    assert.equal(jump.queuePrevious(), false);
    walk.timeScale = 0.5;
    walk.play();
    mixer.update(0.1);
    mixer.transitionTo(jump.setLoop(LoopOnce), { duration: 0 });
    assert.equal(jump.queuePrevious({ duration: 0, kind: 'inertialize' }), true);
    mixer.update(jump.clip.duration + 0.2);
    assert.ok(walk.isActive() && !jump.isActive());
    near(walk.time, 0.1);
    near(walk.getEffectiveTimeScale(), 0.5);
});

test('one-shots that interrupt each other return to the first', () => {
    const [mixer, walk, jump, attack] = stage('Walk', 'Jump', 'Attack');
    walk.play();
    mixer.update(0.1);
    for (const action of [jump, attack, jump]) {
        mixer.transitionTo(action.setLoop(LoopOnce), { duration: 0.1 });
        assert.equal(action.queuePrevious(), true);
        mixer.update(0.3);
    }
    mixer.update(5);
    assert.ok(walk.isActive() && !jump.isActive() && !attack.isActive());
    near(walk.getEffectiveWeight(), 1);
});

test('a blend space is queued, and a one-shot fades out of its layer', () => {
    const [mixer, jump] = stage('Jump');
    const samples = [{ clip: 'Walk', x: 0 }, { clip: 'Run', x: 1 }];
    const space = mixer.clipAction(new BlendSpace(asset, { samples }));
    jump.setLoop(LoopOnce).play();
    space.setParameter(0.25);
    jump.queue(space, { duration: 0.2 });
    mixer.update(jump.clip.duration + 0.1);
    assert.ok(space.isActive() && !jump.isActive());
    near(space.x, 0.25);
    const above = mixer.clipAction('Jump', { layer: 1 }).setLoop(LoopOnce).play();
    above.queueFadeOut(0.2);
    mixer.update(jump.clip.duration - 0.1);
    near(above.getEffectiveWeight(), 0.5);
    mixer.update(0.11); // past the end, however the steps before were rounded
    assert.ok(!above.isActive());
});

test('a sync group has one phase in all layers', () => {
    const [mixer, walk] = stage('Walk');
    const run = mixer.clipAction('Run', { layer: 1 });
    const alone = mixer.clipAction('Run', { layer: 2 });
    walk.sync = run.sync = 3;
    for (const action of [walk, run, alone]) action.play();
    mixer.update(0.37);
    mixer.update(0.21);
    near(walk.time / walk.clip.duration, run.time / run.clip.duration); // a loop is a step
    assert.ok(Math.abs(alone.time / run.clip.duration - run.time / run.clip.duration) > 0.01);
    assert.equal(run.sync, 3);
});

test('a sync group is synchronized by markers', () => {
    const syncNames = [...new Set(asset.findClip('Walk').markers.map(({ name }) => name))];
    assert.ok(syncNames.length > 1);
    const mixer = new Mixer(asset, { syncNames });
    const walk = mixer.clipAction('Walk'), run = mixer.clipAction('Run', { layer: 1 });
    walk.sync = run.sync = 1;
    walk.play();
    run.play();
    const heard = [];
    mixer.addEventListener('marker', ({ action, marker }) => heard.push([action, marker.name]));
    for (let frame = 0; frame < 100; frame++) mixer.update(0.05);
    const of = (one) => heard.filter(([action]) => action === one).map(([, name]) => name);
    const ofWalk = of(walk), ofRun = of(run);
    assert.ok(ofWalk.length > 5);
    assert.deepEqual(ofWalk, ofRun);
});

test('inertialization starts from the current pose', () => {
    const shown = (kind) => {
        const [mixer, idle, run] = stage('Idle', 'Run');
        idle.play();
        mixer.update(0.1);
        const before = mixer.modelMatrices.slice();
        mixer.transitionTo(run, { duration: kind ? 0.3 : 0, kind: kind ?? 'fade' });
        mixer.update(0.001);
        return Math.max(...mixer.modelMatrices.map((value, i) => Math.abs(value - before[i])));
    };
    assert.ok(shown(null) > 0.1); // a cut
    assert.ok(shown('inertialize') < 0.03);
});

test('loop modes: once, counted, ping-pong', () => {
    const [mixer, jump] = stage('Jump');
    const { duration } = jump.clip;
    jump.setLoop(LoopOnce).play();
    mixer.update(duration + 0.5);
    assert.ok(jump.isFinished() && jump.isActive() && !jump.isRunning());
    near(jump.time, duration);
    jump.reset().play();
    assert.ok(!jump.isFinished());

    jump.setLoop(LoopRepeat, 2).reset();
    assert.equal(jump.repetitions, 2);
    mixer.update(1.5 * duration);
    near(jump.time, 0.5 * duration);
    mixer.update(duration);
    assert.ok(jump.isFinished());

    jump.loop = LoopPingPong;
    assert.equal(jump.loop, LoopPingPong);
    assert.equal(jump.repetitions, 2);
    jump.reset();
    mixer.update(1.25 * duration);
    near(jump.time, 0.75 * duration);
});

test('listeners are called for loops, ends and markers', () => {
    const [mixer, walk, jump] = stage('Walk', 'Jump');
    const heard = [];
    const hear = ({ type, action, marker, target }) => {
        assert.equal(target, mixer);
        heard.push(`${action.clip.name} ${type}${marker ? ` ${marker.name}` : ''}`);
    };
    for (const type of ['loop', 'finished', 'marker']) mixer.addEventListener(type, hear);
    walk.play();
    mixer.update(walk.clip.duration + 0.001);
    const said = (markers) => markers.map(({ name }) => `Walk marker ${name}`);
    const { markers } = walk.clip;
    assert.ok(markers.length > 1);
    assert.deepEqual(heard, [...said(markers), 'Walk loop', ...said(markers.filter(({ time }) => time === 0))]);

    heard.length = 0;
    mixer.removeEventListener('marker', hear);
    mixer.transitionTo(jump.setLoop(LoopOnce), { duration: 0 });
    mixer.update(jump.clip.duration + 1);
    assert.deepEqual(heard, ['Jump finished']);

    heard.length = 0;
    for (const type of ['loop', 'finished']) mixer.removeEventListener(type, hear);
    walk.reset().play();
    mixer.update(3);
    assert.deepEqual(heard, []);
});

test('a listener may dispose the mixer, or another one of its batch', () => {
    const [mixer, walk] = stage('Walk'), [other, run] = stage('Run');
    mixer.addEventListener('loop', () => {
        mixer.dispose();
        other.dispose();
    });
    other.addEventListener('loop', () => {});
    other[$exports] = { ...other[$exports], web_mixer_event_count: () => assert.fail('it is gone') };
    walk.play();
    run.play();
    new Batch([mixer, other]).update(10);
    assert.ok(mixer.disposed && other.disposed);
});

test('an event has its action, in any layer, also for queued actions', () => {
    const mixer = new Mixer(asset);
    const heard = [];
    mixer.addEventListener('loop', ({ action }) => heard.push(action));
    mixer.addEventListener('finished', ({ action }) => heard.push(action));
    const above = mixer.clipAction('Walk', { layer: 1 }), below = mixer.clipAction('Walk');
    assert.notEqual(above, below);
    assert.equal(mixer.clipAction('Walk', { layer: 1 }), above);
    above.play();
    mixer.update(above.clip.duration);
    assert.deepEqual(heard, [above]);
    above.stop();

    // In one step: Jump ends, Attack follows it, ends, and has faded out into Walk.
    heard.length = 0;
    const jump = mixer.clipAction('Jump').setLoop(LoopOnce), attack = mixer.clipAction('Attack').setLoop(LoopOnce);
    jump.play().queue(attack, { duration: 0 });
    mixer.addEventListener('finished', ({ action }) => action === jump && attack.queue(below, { duration: 0 }));
    mixer.update(jump.clip.duration + 0.01);
    mixer.update(attack.clip.duration + 0.5);
    assert.deepEqual(heard, [jump, attack]);
    assert.ok(below.isActive() && !attack.isActive());

    heard.length = 0;
    const space = new BlendSpace(asset, { samples: [{ clip: 'Run', x: 0 }] });
    const running = mixer.clipAction(space).play();
    mixer.transitionTo(running, { duration: 0 });
    mixer.update(asset.findClip('Run').duration);
    assert.deepEqual(heard, [running]);
});

test('a batch equals updates of single mixers', () => {
    const make = () => Array.from({ length: 7 }, (_, i) => {
        const [mixer, walk, run] = stage('Walk', 'Run');
        walk.timeScale = 1 + i / 10;
        walk.play();
        mixer.update(0.1 * i);
        walk.crossFadeTo(run, 0.1 * i);
        return mixer;
    });
    const together = make(), alone = make();
    const batch = new Batch(together);
    const before = together[3].palette().slice();
    for (let frame = 0; frame < 20; frame++) {
        batch.update(1 / 30);
        for (const mixer of alone) mixer.update(1 / 30);
    }
    assert.notDeepEqual(together[3].palette(), before);
    together.forEach((mixer, i) => {
        assert.deepEqual(mixer.palette(), alone[i].palette());
        assert.deepEqual(mixer.modelMatrices, alone[i].modelMatrices);
    });
    batch.dispose();
    together[0].update(0.1);
    assert.throws(() => new Batch([together[0], together[0]]), /must not have a mixer twice/);
    assert.throws(() => new Batch([]), /at least one/);
});

test('a batch updates model matrices after the first request', () => {
    const make = () => {
        const [mixer, walk] = stage('Walk');
        walk.play();
        return mixer;
    };
    const [alone, ...together] = Array.from({ length: 4 }, make);
    const batch = new Batch(together);
    const step = () => {
        batch.update(0.1);
        alone.update(0.1);
    };
    step();
    assert.deepEqual(together[0].bounds(), alone.bounds()); // by the same matrices
    step();
    assert.deepEqual(together[1].nodeMatrix(7), alone.nodeMatrix(7));
    const array = together[2].modelMatrices;
    step();
    together.forEach((mixer) => assert.deepEqual(mixer.modelMatrices, alone.modelMatrices));
    assert.deepEqual(array, alone.modelMatrices);
    together[2].dispose();
    assert.throws(() => together[2].modelMatrices, /disposed/);
});

test('a batch computes the palettes of all skins, and dispatches events', async () => {
    const two = sinew.loadAsset(await readModel('conformance/two-skins-one-skeleton.gltf'));
    assert.equal(two.skins.length, 2);
    const [together, alone] = [new Mixer(two), new Mixer(two)];
    for (const mixer of [together, alone]) mixer.clipAction(two.clips[0]).play();
    let loops = 0;
    together.addEventListener('loop', () => loops++);
    const rest = together.palette(1).slice();
    new Batch([together]).update(0.6 * two.clips[0].duration);
    alone.update(0.6 * two.clips[0].duration);
    assert.notDeepEqual(together.palette(1), rest);
    for (const skin of [0, 1]) assert.deepEqual(together.palette(skin), alone.palette(skin));
    new Batch([together]).update(two.clips[0].duration);
    assert.equal(loops, 1);
    two.dispose();
});

test('sidecarFiles lists the files of a model, and fetchAsset fetches images on request', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'sinew-sidecar-'));
    t.after(() => rm(folder, { recursive: true }));
    const images = ['sky.png', '../sky.png', '/sky.png', 'https://example.org/sky.png', '%', 'sky.png'];
    const json = { asset: { version: '2.0' }, scenes: [{ nodes: [0] }], nodes: [{}],
        buffers: [{ uri: 'in/keys%20.bin', byteLength: 4 }, { uri: 'data:;base64,AAAAAA==', byteLength: 4 }],
        images: images.map((uri) => ({ uri })) };
    const text = new TextEncoder().encode(JSON.stringify(json));
    const wanted = [{ name: 'in/keys .bin', uri: 'in/keys%20.bin', kind: 'buffer' },
        { name: 'sky.png', uri: 'sky.png', kind: 'image' }];
    assert.deepEqual(sidecarFiles(text), wanted);
    assert.deepEqual(sidecarFiles(glbOf(json)), wanted);
    assert.deepEqual(sidecarFiles(await readModel('hero.glb')), []);
    assert.deepEqual(sidecarFiles(Uint8Array.of(1, 2, 3)), []);
    json.images.length = 1;
    await mkdir(join(folder, 'in'));
    await writeFile(join(folder, 'a.gltf'), JSON.stringify(json));
    await writeFile(join(folder, 'in/keys .bin'), new Uint8Array(4));
    await writeFile(join(folder, 'sky.png'), Uint8Array.of(1, 2, 3));
    const url = pathToFileURL(join(folder, 'a.gltf'));
    assert.equal((await sinew.fetchAsset(url)).images[0].bytes, null);
    assert.deepEqual([...(await sinew.fetchAsset(url, { images: true })).images[0].bytes], [1, 2, 3]);
});

test('fetchAsset reads sidecar files, and no others', async () => {
    const fetched = async (name) => sinew.fetchAsset(pathToFileURL(modelPath(`conformance/${name}`)));
    assert.ok((await fetched('buffer-sidecar.gltf')).nodes.length > 0);
    assert.ok((await fetched('buffer-percent-encoded.gltf')).nodes.length > 0);
    for (const name of ['above', 'above-encoded', 'absolute', 'scheme']) {
        await assert.rejects(fetched(`refused-uri-${name}.gltf`), /buffers\[0\]\.uri/);
    }
    await assert.rejects(fetched('refused-uri-of-nothing.gltf'), /absent\.bin/);
    await assert.rejects(fetched('no-such.gltf'), /no-such\.gltf/);
});
