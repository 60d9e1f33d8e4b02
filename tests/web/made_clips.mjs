// SPDX-License-Identifier: MIT
// Parts of clips, and all of a file's clips together, against the clips they're made of.
import assert from 'node:assert/strict';
import test from 'node:test';
import { Animator, Mixer, loadSinew, readModel } from './common.mjs';
import { glbOf } from './glb.mjs';

const sinew = await loadSinew();
const bytes = await readModel('hero.glb');
const hero = sinew.loadAsset(bytes);
const near = (value, expected, within) => (
    assert.ok(Math.abs(value - expected) <= within, `${value}, not ${expected}`));

// The numbers of each node's local transform.
const numbersOf = (mixer) => mixer.asset.nodes.map((_, node) => {
    const { translation, rotation, scale } = mixer.nodeTransform(node);
    return [...translation, ...rotation, ...scale];
});

// The pose of a clip alone.
function poseAt(asset, clip, time) {
    const mixer = new Mixer(asset);
    mixer.clipAction(clip).play().time = time;
    mixer.update(0);
    const pose = numbersOf(mixer);
    mixer.dispose();
    return pose;
}

// ---- Parts ------------------------------------------------------------------------------------------------------

test('a part has the poses, the markers and the channels of its clip', () => {
    const walk = hero.findClip('Walk'), start = 0.21, end = 0.83;
    const part = hero.subclip('Walk', { start, end, name: 'Step' });
    assert.deepEqual([part.name, part.index, part.additive], ['Step', -1, false]);
    near(part.duration, end - start, 1e-6);
    assert.deepEqual(part.channels, walk.channels);
    const kept = walk.markers.filter(({ time }) => time >= start && time <= end);
    assert.ok(kept.length > 0 && kept.length < walk.markers.length);
    assert.deepEqual(part.markers.map(({ name }) => name), kept.map(({ name }) => name));
    part.markers.forEach(({ time }, i) => near(time, kept[i].time - start, 1e-6));
    for (let i = 0; i <= 20; i++) {
        const time = 0.03 * i, expected = poseAt(hero, 'Walk', start + time);
        poseAt(hero, part, time).forEach((numbers, node) => (
            numbers.forEach((number, k) => near(number, expected[node][k], 1e-5))));
    }
    assert.ok(!hero.clips.includes(part));
});

test('a part is made once, from the start or to the end by default', () => {
    const { duration } = hero.findClip('Jump');
    const land = hero.subclip('Jump', { start: 0.5 }), rise = hero.subclip('Jump', { end: 0.5 });
    assert.equal(land.name, 'Jump');
    near(land.duration, duration - 0.5, 1e-6);
    near(rise.duration, 0.5, 1e-6);
    assert.equal(hero.subclip(hero.findClip('Jump'), { start: 0.5, end: duration }), land);
    assert.notEqual(hero.subclip('Jump', { start: 0.5, name: 'Land' }), land);
    assert.equal(hero.subclip(land, { end: 0.1 }).markers.length <= land.markers.length, true);
    const difference = hero.makeAdditive('Wave'), half = hero.subclip(difference, { end: 0.5 });
    assert.ok(half.additive && hero.makeAdditive(hero.subclip('Wave', { end: 0.5 })).additive);
});

test('a graph plays parts by their names', () => {
    const other = sinew.loadAsset(bytes), graph = sinew.loadGraph({ sinewGraph: 1,
        layers: [{ name: 'Base', entry: 'Land', states: { Land: { clip: 'Landing' } } }] });
    assert.throws(() => new Animator(other, graph), /Landing/);
    const part = other.subclip('Jump', { start: 0.5, name: 'Landing' }), animator = new Animator(other, graph);
    animator.update(0.1);
    assert.deepEqual(numbersOf(animator.mixer), poseAt(other, part, 0.1));
    other.dispose();
});

test('wrong parts are errors', () => {
    for (const part of [{ start: 0.5, end: 0.5 }, { start: -0.1 }, { end: 99 }, { start: 99 }]) {
        assert.throws(() => hero.subclip('Walk', part), /'Walk'.* is empty or not within 0 to/);
    }
    assert.throws(() => hero.subclip('Walk', { start: NaN }), /start must be a finite number/);
    assert.throws(() => hero.subclip('Walk', { end: '1' }), /end must be a finite number/);
    assert.throws(() => hero.subclip('Wlak', {}), /no clip 'Wlak'/);
});

// ---- All clips --------------------------------------------------------------------------------------------------

// Objects side by side. Each has a clip with its own duration that slides and turns it; the last clip moves the first
// object.
function machine(durations) {
    const floats = [], views = [], accessors = [];
    const accessor = (type, width, numbers) => {
        views.push({ buffer: 0, byteOffset: 4 * floats.length, byteLength: 4 * numbers.length });
        floats.push(...numbers);
        const count = numbers.length / width, least = Array(width).fill(-99), most = Array(width).fill(99);
        return accessors.push({ bufferView: views.length - 1, componentType: 5126, type, count, min: least, max: most }) - 1;
    };
    const animations = [...durations, 3].map((duration, i) => {
        const node = i % durations.length, input = accessor('SCALAR', 1, [0, duration / 4, duration]);
        const samplers = [{ input, output: accessor('VEC3', 3, [i, 0, 0, i, 2, 0, i, 0, 0]) },
            { input, output: accessor('VEC4', 4, [0, 0, 0, 1, 0, 0.6, 0, 0.8, 0, 0, 1, 0]) }];
        const channels = ['translation', 'rotation'].map((path, sampler) => ({ sampler, target: { node, path } }));
        return { name: `Clip ${i}`, samplers, channels };
    });
    for (const { samplers: [slide] } of animations) delete accessors[slide.output].min;
    const nodes = durations.map((_, i) => ({ name: `Object ${i}`, translation: [i, 1, 0], rotation: [0.6, 0, 0, 0.8] }));
    const binary = Buffer.from(Float32Array.from(floats).buffer);
    return sinew.loadAsset(glbOf({ asset: { version: '2.0' }, scene: 0, scenes: [{ nodes: nodes.map((_, i) => i) }], nodes,
        animations, accessors, bufferViews: views, buffers: [{ byteLength: binary.length }] }, binary));
}

test('playAll plays each clip at its own duration, on the nodes that it moves', () => {
    const durations = [1, 0.75, 1.5, 0.75], asset = machine(durations), mixer = new Mixer(asset);
    const { clips, leftOut } = asset.combineClips();
    assert.deepEqual(clips.map(({ duration, additive }) => [duration, additive]), [[1.5, false], [1, true], [0.75, true]]);
    assert.deepEqual(clips.map(({ name }) => name), ['Clip 2', 'Clip 0', 'Clip 1 and 1 more']);
    assert.deepEqual(leftOut, [asset.findClip('Clip 4')]);
    assert.equal(asset.combineClips().clips[1], clips[1]);
    const actions = mixer.playAll();
    assert.deepEqual(actions.map(({ clip, layer }) => [clip, layer]), [[clips[0], 0], [clips[1], 3], [clips[2], 3]]);
    for (let frame = 1; frame < 300; frame++) {
        mixer.update(1 / 64);
        const pose = numbersOf(mixer);
        durations.forEach((duration, i) => {
            const time = frame / 64 % duration;
            if (time === 0) return;
            const [expected] = poseAt(asset, `Clip ${i}`, time).slice(i, i + 1);
            pose[i].forEach((number, k) => near(number, expected[k], 1e-5));
        });
    }
    asset.dispose();
});

test('playAll replaces what plays, in the layer that it is told, over a time', () => {
    const asset = machine([1, 2]), mixer = new Mixer(asset, { layers: 2 });
    const old = mixer.clipAction('Clip 2').play();
    mixer.update(0.5);
    const [base, difference] = mixer.playAll({ duration: 0.5, layer: 1, clips: ['Clip 0', 'Clip 1'] });
    mixer.update(0.25);
    assert.ok(old.isActive() && difference.getEffectiveWeight() > 0 && difference.getEffectiveWeight() < 1);
    mixer.update(0.3);
    assert.ok(!old.isActive());
    assert.equal(difference.getEffectiveWeight(), 1);
    assert.equal(base.clip.name, 'Clip 1');
    assert.equal(mixer.playAll({ clips: [] }).length, 0);
    assert.throws(() => mixer.playAll({ layer: 0 }), /the base layer/);
    assert.throws(() => mixer.playAll({ layer: 2 }), /no layer 2/);
    assert.throws(() => mixer.playAll({ clips: ['Clip 7'] }), /no clip 'Clip 7'/);
    assert.throws(() => new Mixer(asset, { maxActions: 1 }).playAll(), /playAll needs 2 actions/);
    asset.dispose();
    assert.throws(() => asset.combineClips(), /this Asset is disposed/);
});

test('one clip alone needs no other layer', () => {
    const mixer = new Mixer(hero, { layers: 1, maxActions: 1 }), [action] = mixer.playAll({ clips: ['Walk'] });
    mixer.update(0.25);
    assert.deepEqual(numbersOf(mixer), poseAt(hero, 'Walk', 0.25));
    assert.equal(action.clip.name, 'Walk');
    mixer.dispose();
});
