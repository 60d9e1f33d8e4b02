// SPDX-License-Identifier: MIT
// Layers, masks, additive clips and blend spaces, against poses computed here in double precision from single clips'
// local poses.
import assert from 'node:assert/strict';
import test from 'node:test';
import { BlendSpace, Mask, Mixer, loadSinew, readModel } from './common.mjs';
import { glbOf, parts } from './glb.mjs';

const sinew = await loadSinew();
const asset = sinew.loadAsset(await readModel('hero.glb'));
const SPINE = asset.findNode('Spine'), HAND = asset.findNode('Hand_R');
const near = (value, expected, within = 1e-5) => (
    assert.ok(Math.abs(value - expected) <= within, `${value}, not ${expected}`));

// ---- Poses on paper ---------------------------------------------------------------------------------------------

// Every node's local transform as plain numbers.
const poseOf = (mixer) => asset.nodes.map((_, node) => {
    const { translation, rotation, scale } = mixer.nodeTransform(node);
    return { translation: [...translation], rotation: [...rotation], scale: [...scale] };
});

// The pose of one clip alone.
function clipPose(name, time) {
    const mixer = new Mixer(asset);
    const action = mixer.clipAction(name);
    action.time = time;
    action.play();
    mixer.update(0);
    const pose = poseOf(mixer);
    mixer.dispose();
    return pose;
}

const mixNumbers = (a, b, t) => a.map((value, i) => value + t * (b[i] - value));
const normalised = (q) => q.map((value) => value / Math.hypot(...q));
const product = ([ax, ay, az, aw], [bx, by, bz, bw]) => [
    aw * bx + ax * bw + ay * bz - az * by, aw * by - ax * bz + ay * bw + az * bx,
    aw * bz + ax * by - ay * bx + az * bw, aw * bw - ax * bx - ay * by - az * bz];
const inverse = ([x, y, z, w]) => [-x, -y, -z, w];
const onSide = (q, of) => (q.reduce((sum, value, i) => sum + value * of[i], 0) < 0 ? q.map((value) => -value) : q);

// a at t = 0, b at t = 1.
const mixed = (a, b, t) => ({
    translation: mixNumbers(a.translation, b.translation, t),
    rotation: normalised(mixNumbers(a.rotation, onSide(b.rotation, a.rotation), t)),
    scale: mixNumbers(a.scale, b.scale, t),
});

// `a` plus the difference of `b` to `reference`, scaled by `t`.
function added(a, b, reference, t) {
    const turn = onSide(product(inverse(reference.rotation), b.rotation), [0, 0, 0, 1]);
    return {
        translation: a.translation.map((value, i) => value + t * (b.translation[i] - reference.translation[i])),
        rotation: product(a.rotation, normalised(mixNumbers([0, 0, 0, 1], turn, t))),
        scale: a.scale.map((value, i) => value * (1 + t * (b.scale[i] / reference.scale[i] - 1))),
    };
}

function checkTransform(ours, theirs, what) {
    const rotation = onSide(theirs.rotation, ours.rotation);
    const differences = [...ours.translation, ...ours.rotation, ...ours.scale].map(
        (value, i) => Math.abs(value - [...theirs.translation, ...rotation, ...theirs.scale][i]));
    assert.ok(Math.max(...differences) < 1e-5, `${what}: ${JSON.stringify(ours)}, not ${JSON.stringify(theirs)}`);
}

const checkPose = (mixer, expected) => poseOf(mixer).forEach(
    (transform, node) => checkTransform(transform, expected(node), asset.nodes[node].name));

// A mixer with a paused clip in the base, after `change`.
function standing(name, time, options) {
    const mixer = new Mixer(asset, options);
    const action = mixer.clipAction(name);
    action.time = time;
    action.play().paused = true;
    return mixer;
}

function over(mixer, name, time, layer) {
    const action = mixer.clipAction(name, { layer });
    action.time = time;
    action.play().paused = true;
    return action;
}

// ---- Layers and masks -------------------------------------------------------------------------------------------

const WALK = clipPose('Walk', 0.25), WAVE = clipPose('Wave', 0.5), IDLE = clipPose('Idle', 0);

test('local transforms are consistent with node matrices', () => {
    const mixer = standing('Walk', 0.25);
    mixer.update(0);
    const { parent } = asset.nodes[HAND];
    const inParent = mixer.nodeTransform(HAND), above = mixer.nodeMatrix(parent), own = mixer.nodeMatrix(HAND);
    for (let row = 0; row < 3; row++) { // parent × (translation, 1)
        const position = [0, 1, 2].reduce((sum, i) => sum + above[4 * i + row] * inParent.translation[i],
            above[12 + row]);
        near(own[12 + row], position);
    }
    assert.ok(WALK.some(({ rotation }, node) => Math.abs(rotation[0] - IDLE[node].rotation[0]) > 0.1));
});

test('a layer overrides the layers below by its weight', () => {
    const mixer = standing('Walk', 0.25);
    over(mixer, 'Wave', 0.5, 1);
    mixer.update(0);
    checkPose(mixer, (node) => WAVE[node]);
    mixer.layers[1].weight = 0.25;
    near(mixer.layers[1].weight, 0.25);
    mixer.update(0);
    checkPose(mixer, (node) => mixed(WALK[node], WAVE[node], 0.25));
    assert.equal(mixer.layers[1].fadeTo(0, 0.5), mixer.layers[1]);
    mixer.update(0.25);
    near(mixer.layers[1].weight, 0.125);
    mixer.update(0.25);
    checkPose(mixer, (node) => WALK[node]);
    assert.equal(mixer.layers[0].weight, 1);
});

test('a mask selects nodes, and changes of it take effect', () => {
    const mixer = standing('Walk', 0.25), other = standing('Idle', 0);
    const mask = new Mask(asset).setSubtree(SPINE, 1).set(HAND, 0.5);
    const factors = asset.nodes.map((_, node) => {
        let above = node;
        while (above > SPINE) above = asset.nodes[above].parent;
        return above === SPINE ? 1 : 0;
    });
    factors[HAND] = 0.5;
    assert.deepEqual([...mask.factors], factors);
    assert.ok(factors.filter((factor) => factor === 0).length > 5);
    for (const each of [mixer, other]) {
        over(each, 'Wave', 0.5, 2);
        each.layers[2].mask = mask;
        assert.equal(each.layers[2].mask, mask);
        each.update(0);
    }
    checkPose(mixer, (node) => mixed(WALK[node], WAVE[node], factors[node]));
    checkPose(other, (node) => mixed(IDLE[node], WAVE[node], factors[node]));

    mask.setSubtree(SPINE, 0.25);
    assert.ok(mixer.update(0));
    checkPose(mixer, (node) => mixed(WALK[node], WAVE[node], factors[node] > 0 ? 0.25 : 0));
    mixer.layers[2].mask = null;
    mixer.update(0);
    checkPose(mixer, (node) => WAVE[node]);
});

test('a change of a mask updates paused characters that use it', () => {
    const mixer = standing('Walk', 0.25);
    over(mixer, 'Wave', 0.5, 1);
    const mask = new Mask(asset), other = new Mask(asset, 1);
    const [, layer] = mixer.layers;
    layer.mask = mask;
    mixer.update(0);
    assert.equal(mixer.update(0), false);
    const before = mixer.nodeMatrix(HAND);
    mask.set(HAND, 1);
    assert.equal(mixer.update(0), true);
    assert.notDeepEqual(mixer.nodeMatrix(HAND), before);
    layer.mask = other;
    mask.dispose();
    assert.equal(layer.mask, other);
});

test('a feather makes factors rise down the hierarchy', () => {
    const mask = new Mask(asset).setSubtree(SPINE, 1, 2);
    near(mask.factors[SPINE], 1 / 3);
    const below = asset.nodes.findIndex(({ parent }) => parent === SPINE);
    near(mask.factors[below], 2 / 3);
    near(mask.factors[asset.nodes.findIndex(({ parent }) => parent === below)], 1);
});

test('a disposed mask is removed from its layers, and freed with the last mixer', () => {
    const mixer = standing('Walk', 0.25);
    over(mixer, 'Wave', 0.5, 1);
    const mask = new Mask(asset, 0);
    mixer.layers[1].mask = mask;
    mixer.update(0);
    checkPose(mixer, (node) => WALK[node]);
    mask.dispose();
    assert.equal(mixer.layers[1].mask, null);
    mixer.update(0);
    checkPose(mixer, (node) => WAVE[node]);
    assert.throws(() => mask.set(0, 1), /this Mask is disposed/);
    assert.throws(() => mask.factors, /this Mask is disposed/);
    assert.throws(() => { mixer.layers[1].mask = mask; }, /this Mask is disposed/);
    mixer.dispose();
});

// ---- Additive clips ---------------------------------------------------------------------------------------------

test('an additive clip adds its difference to its first pose, or to another', () => {
    const rest = poseOf(new Mixer(asset));
    for (const [from, reference] of [
        [undefined, clipPose('Wave', 0)], [{ reference: 'Idle', time: 0.25 }, clipPose('Idle', 0.25)],
        [{ reference: null }, rest],
    ]) {
        const difference = asset.makeAdditive('Wave', from);
        assert.deepEqual([difference.name, difference.index, difference.additive], ['Wave', -1, true]);
        assert.equal(asset.makeAdditive(asset.findClip('Wave'), from), difference);
        const mixer = standing('Walk', 0.25);
        mixer.layers[1].mode = 'additive';
        assert.equal(mixer.layers[1].mode, 'additive');
        mixer.layers[1].weight = 0.75;
        const action = over(mixer, difference, 0.5, 1);
        assert.equal(action.clip, difference);
        mixer.update(0);
        checkPose(mixer, (node) => added(WALK[node], WAVE[node], reference[node], 0.75));
        mixer.dispose();
    }
    assert.ok(asset.clips.every(({ additive }) => !additive));
});

// ---- Blend spaces -----------------------------------------------------------------------------------------------

const LINE = { samples: [{ clip: 'Idle', x: 0 }, { clip: 'Walk', x: 1.5 }, { clip: 'Run', x: 4 }], damping: 0 };

test('a blend space computes the weights of its clips', () => {
    const line = new BlendSpace(asset, LINE);
    assert.deepEqual(line.weights(0.75), [{ sample: 0, weight: 0.5 }, { sample: 1, weight: 0.5 }]);
    assert.deepEqual(line.weights(9), [{ sample: 2, weight: 1 }]);
    assert.deepEqual(line.triangles, []);

    const corners = [[0, 0], [2, 0], [0, 2], [2, 2]];
    const plane = new BlendSpace(asset, {
        kind: 'triangles', samples: corners.map(([x, y], i) => ({ clip: asset.clips[i], x, y })),
    });
    assert.equal(plane.kind, 'triangles');
    assert.equal(plane.triangles.length, 2);
    for (const triangle of plane.triangles) { // counter-clockwise, half of the square each
        const [a, b, c] = triangle.map((sample) => corners[sample]);
        assert.equal((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]), 4);
    }
    const weights = plane.weights(1.5, 0.25);
    const sum = (of) => weights.reduce((before, { sample, weight }) => before + weight * of(corners[sample]), 0);
    near(sum(([x]) => x), 1.5);
    near(sum(([, y]) => y), 0.25);
    near(sum(() => 1), 1);

    const directional = new BlendSpace(asset, {
        kind: 'directional', samples: [{ clip: 'Idle', x: 0 }, { clip: 'Walk', x: 0, y: 1 }, { clip: 'Run', x: 1 }],
    });
    const half = directional.weights(Math.SQRT1_2, Math.SQRT1_2); // as long as both, between them
    assert.deepEqual(half.map(({ sample }) => sample), [1, 2]);
    for (const { weight } of half) near(weight, 0.5);
    for (const space of [line, plane, directional]) space.dispose();
    assert.throws(() => line.weights(0), /this BlendSpace is disposed/);
});

test('a blend space plays as one action', () => {
    const space = new BlendSpace(asset, LINE);
    const mixer = new Mixer(asset);
    const action = mixer.clipAction(space);
    assert.equal(mixer.clipAction(space), action);
    assert.deepEqual([action.space, action.layer, action.isActive()], [space, 0, false]);
    action.play({ x: 0.75 });
    assert.ok(action.isActive() && action.isRunning() && !action.isFinished());
    near(action.getEffectiveWeight(), 1);
    mixer.update(0);
    const walk = clipPose('Walk', 0);
    checkPose(mixer, (node) => mixed(IDLE[node], walk[node], 0.5)); // both at their start
    near(action.x, 0.75);
    action.setParameter(1.5).paused = true;
    mixer.update(0.1);
    near(action.x, 1.5); // immediate without damping
    const { time } = action;
    checkPose(mixer, (node) => clipPose('Walk', time)[node]);
    mixer.transitionTo(mixer.clipAction('Jump'), { duration: 0.2 });
    mixer.update(0.1);
    near(action.getEffectiveWeight(), 0.5);
    mixer.transitionTo(action, { duration: 0.2 });
    mixer.update(0.3);
    near(action.getEffectiveWeight(), 1);
    assert.ok(!mixer.clipAction('Jump').isActive());
});

test('a parameter follows by its half-life', () => {
    const space = new BlendSpace(asset, { ...LINE, damping: 0.2 });
    const mixer = new Mixer(asset);
    const action = mixer.clipAction(space).play({ x: 0 });
    action.setParameter(4);
    mixer.update(0.2);
    near(action.x, 2, 1e-4);
    assert.equal(action.y, 0);
});

test('the clip of a blend space is that of the sample with the largest weight', () => {
    const mixer = new Mixer(asset);
    const action = mixer.clipAction(new BlendSpace(asset, LINE));
    assert.equal(action.clip, null);
    for (const { clip, x } of LINE.samples) {
        action.play({ x });
        mixer.update(3); // a step begins
        assert.equal(action.clip, typeof clip === 'string' ? asset.findClip(clip) : clip);
        assert.ok(action.time <= action.clip.duration);
    }
    mixer.dispose();
});

test('a disposed blend space stops', () => {
    const space = new BlendSpace(asset, LINE);
    const mixer = new Mixer(asset);
    const action = mixer.clipAction(space, { layer: 1 }).play({ x: 1 });
    mixer.update(0.1);
    space.dispose();
    assert.ok(!action.isActive());
    mixer.update(0.1);
    assert.throws(() => action.play(), /this BlendSpace is disposed/);
    assert.throws(() => mixer.clipAction(space), /this BlendSpace is disposed/);
    mixer.dispose();
});

// ---- Clips of other files ---------------------------------------------------------------------------------------

// hero.glb with other names of nodes.
async function renamedHero(rename) {
    const [json, binary] = parts(await readModel('hero.glb'));
    for (const node of json.nodes) node.name = rename(node.name);
    return sinew.loadAsset(glbOf(json, binary));
}

test('a clip of another asset gives the pose that it gives there', async () => {
    const other = await renamedHero((name) => name);
    const bound = asset.bindClip(other.findClip('Wave'));
    assert.deepEqual([bound.name, bound.index, bound.additive, bound.unmatched], ['Wave', -1, false, []]);
    assert.deepEqual(bound.channels, asset.findClip('Wave').channels);
    assert.equal(asset.bindClip(other.findClip('Wave')), bound);
    assert.equal(asset.bindClip(asset.findClip('Wave')), asset.findClip('Wave'));
    other.dispose(); // the copy needs it no more
    const mixer = new Mixer(asset);
    mixer.clipAction(bound).play().time = 0.7;
    mixer.update(0);
    assert.deepEqual(poseOf(mixer), clipPose('Wave', 0.7));
    mixer.dispose();
});

test('a bound clip is of the nodes with the same names', async () => {
    const other = await renamedHero((name) => (name === 'Hand_R' ? 'Palm_R' : name));
    const bound = asset.bindClip(other.findClip('Wave'));
    assert.deepEqual(bound.unmatched, ['Palm_R']);
    const expected = asset.findClip('Wave').channels.filter(({ node }) => node !== HAND);
    assert.deepEqual(bound.channels, expected);
    const without = await renamedHero((name) => `${name}_`);
    assert.throws(() => asset.bindClip(without.findClip('Wave')), /Wave|channel/);
    assert.throws(() => asset.bindClip('Wave'), /a Clip from an asset of the same Sinew/);
    const elsewhere = (await loadSinew()).loadAsset(await readModel('hero.glb'));
    assert.throws(() => asset.bindClip(elsewhere.clips[0]), /of the same Sinew/);
    without.dispose();
    assert.throws(() => asset.bindClip(without.clips[0]), /disposed/);
});

test('a clip is bound by a map of names, without prefixes, and by its rotations', async () => {
    const other = await renamedHero((name) => (name === 'Hand_R' ? 'rig:Palm' : `rig:${name}`));
    const wave = other.findClip('Wave'), expected = asset.findClip('Wave').channels;
    assert.throws(() => asset.bindClip(wave), /0 of \d+ channels/);
    const most = asset.bindClip(wave, { ignorePrefixes: true });
    assert.deepEqual([most.unmatched, most.channels], [['rig:Palm'], expected.filter(({ node }) => node !== HAND)]);
    const all = asset.bindClip(wave, { ignorePrefixes: true, names: { 'rig:Palm': 'Hand_R' }, minMatch: 1 });
    assert.deepEqual([all.unmatched, all.channels], [[], expected]);
    assert.equal(asset.bindClip(wave, { minMatch: 1, names: { 'rig:Palm': 'Hand_R' }, ignorePrefixes: true }), all);
    const none = asset.bindClip(wave, { ignorePrefixes: true, names: { 'rig:Palm': null }, rotationsOnly: true });
    assert.deepEqual(none.unmatched, []);
    assert.ok(none.channels.length > 0 && none.channels.every(({ node, target }) => node !== HAND && target === 'rotation'));
    assert.throws(() => asset.bindClip(wave, { minMatch: 2 }), /minMatch must be from 0 to 1/);
    assert.throws(() => asset.bindClip(wave, { names: { a: 1 } }), /names must be an object/);
    other.dispose();
});

test('bound clips are layered, blended and made additive', async () => {
    const other = await renamedHero((name) => name);
    const bound = asset.bindClip(other.findClip('Run')), mixer = new Mixer(asset), theirs = new Mixer(asset);
    for (const [one, clip] of [[mixer, bound], [theirs, 'Run']]) {
        const space = new BlendSpace(asset, { samples: [{ clip: 'Walk', x: 0 }, { clip, x: 1 }] });
        one.layers[1].mode = 'additive';
        one.clipAction(space).play({ x: 0.5 });
        one.clipAction(asset.makeAdditive(clip), { layer: 1 }).play();
        one.update(0.3);
    }
    assert.deepEqual(poseOf(mixer), poseOf(theirs));
    other.dispose();
});

// ---- Inertialization --------------------------------------------------------------------------------------------

// The largest difference of two poses' rotations, in radians.
const angleBetween = (one, other) => Math.max(...one.map(({ rotation }, i) => (
    2 * Math.acos(Math.min(1, Math.abs(rotation.reduce((sum, value, k) => sum + value * other[i].rotation[k], 0)))))));

function seek(smooth) {
    const mixer = new Mixer(asset), run = mixer.clipAction('Run').play();
    mixer.update(0.1);
    mixer.update(0.01);
    const before = poseOf(mixer);
    smooth(mixer);
    run.time = 0.35;
    mixer.update(0.001);
    const after = poseOf(mixer);
    mixer.update(0.3);
    return { jump: angleBetween(before, after), end: poseOf(mixer) };
}

test('inertialize makes a seek smooth, and ends at the clip', () => {
    const hard = seek(() => {}), soft = seek((mixer) => mixer.inertialize(0.25));
    assert.ok(hard.jump > 0.5, `a seek turns a joint by ${hard.jump}`);
    assert.ok(soft.jump < 0.05, `an inertialized seek turns a joint by ${soft.jump}`);
    const left = angleBetween(soft.end, hard.end);
    assert.ok(left < 2e-3, `a joint is ${left} from the clip`); // acos of floats
});

test('a layer is inertialized in its mask', () => {
    const mixer = new Mixer(asset), [, upper] = mixer.layers;
    upper.mask = new Mask(asset).setSubtree(SPINE, 1);
    mixer.clipAction('Idle').play();
    const wave = mixer.clipAction('Attack', { layer: 1 }).play();
    mixer.update(0.2);
    mixer.update(0.01);
    assert.deepEqual(upper.actions, [wave]);
    const before = poseOf(mixer);
    upper.inertialize(0.25);
    upper.weight = 0;
    mixer.update(0.001);
    assert.ok(angleBetween(before, poseOf(mixer)) < 0.05);
    mixer.update(0.3);
    assert.ok(angleBetween(before, poseOf(mixer)) > 0.1);
    assert.throws(() => mixer.layers[0].inertialize(0.2), /base layer.*mixer/);
    for (const one of [mixer, upper]) assert.throws(() => one.inertialize(-1), /0 or more seconds/);
    wave.stop();
    assert.deepEqual(upper.actions, []);
    mixer.dispose();
});

test('completed loops are counted', () => {
    const mixer = new Mixer(asset), walk = mixer.clipAction('Walk');
    assert.equal(walk.loopsDone, 0);
    walk.play();
    mixer.update(2.5 * walk.clip.duration);
    assert.equal(walk.loopsDone, 2);
    mixer.dispose();
});
