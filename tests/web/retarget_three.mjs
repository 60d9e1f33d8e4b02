// SPDX-License-Identifier: MIT
// Retargeted three.js clips: node retarget_three.mjs NODE_MODULES PACKAGE MODELS SINEW. Their poses equal those in
// the file that the module writes for the same files. Also three.js's names, interpolations and errors.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import test, { after } from 'node:test';
import { pathToFileURL } from 'node:url';
import { glbOf, parts, withoutMaterials } from './glb.mjs';

const [modules, packageFolder, models, command] = process.argv.slice(2);
if (!existsSync(resolve(modules, 'three'))) {
    console.log('SKIPPED: three is not there');
    process.exit(77);
}
const load = (...path) => import(pathToFileURL(resolve(...path)));

globalThis.self ??= globalThis; // GLTFLoader checks it to detect browsers
const THREE = await load(modules, 'three/build/three.module.js');
const { GLTFLoader } = await load(modules, 'three/examples/jsm/loaders/GLTFLoader.js');
const { BVHLoader } = await load(modules, 'three/examples/jsm/loaders/BVHLoader.js');
const { clone, retargetClip } = await load(modules, 'three/examples/jsm/utils/SkeletonUtils.js');
const { Retargeter } = await load(packageFolder, 'retarget.js');
const { $instance } = await load(packageFolder, 'internal.js');
const { Rig, retargetClips } = await load(packageFolder, 'retarget-three.js');
const retargeter = await Retargeter.load();

const HERO = join(models, 'hero.glb'), GOLEM = join(models, 'golem.glb');
const asset = (path) => (process.env.SINEW_ASSETS ? join(process.env.SINEW_ASSETS, path) : '');
const KNIGHT = asset('kaykit/Knight.glb'), ROBOT = asset('robotexpressive/RobotExpressive.glb');

const parse = (bytes) => new GLTFLoader().parseAsync(withoutMaterials(Buffer.from(bytes)).buffer, '');
const open = (path) => parse(readFileSync(path));
const named = ({ animations }, ...names) => names.map((name) => animations.find((clip) => clip.name === name));

function objectsOf(root) {
    const objects = [];
    root.traverse((object) => objects.push(object));
    return objects;
}

// The world matrices of all objects at five moments of a clip.
function posesOf(root, clip) {
    const mixer = new THREE.AnimationMixer(root), action = mixer.clipAction(clip).play(), poses = [];
    for (const part of [0, 0.21, 0.5, 0.83, 0.999]) {
        mixer.setTime(part * clip.duration);
        root.updateMatrixWorld(true);
        poses.push(objectsOf(root).map(({ matrixWorld }) => [...matrixWorld.elements]));
    }
    action.stop(); // it restores the objects
    return poses;
}

function distance(a, b) {
    const left = a.flat(2), right = b.flat(2);
    assert.equal(left.length, right.length);
    return left.reduce((worst, number, i) => Math.max(worst, Math.abs(number - right[i])), 0);
}

// ---- Against the file that the module writes --------------------------------------------------------------------

async function written(from, onto, options) {
    const source = await retargeter.open(readFileSync(from), { name: from });
    const target = await retargeter.open(readFileSync(onto), { name: onto });
    return parse(retargeter.retarget(source, target, { ...options, only: true }).glb);
}

for (const [from, onto, options] of [[HERO, GOLEM, {}], [HERO, GOLEM, { feet: false, hands: true, rate: 60, scale: 2 }],
    [KNIGHT, HERO, {}], [HERO, KNIGHT, {}], [ROBOT, GOLEM, { fixedLengths: true }], [HERO, ROBOT, {}]]) {
    const skip = existsSync(from) && existsSync(onto) ? false : 'SINEW_ASSETS is not set';
    test(`poses equal those of the written file: ${[from, onto].map((path) => path.split('/').at(-1)).join(' onto ')} ${JSON.stringify(options)}`, { skip }, async () => {
        const source = await open(from), target = await open(onto), expected = await written(from, onto, options);
        const clips = await retargetClips(source, target.scene, { ...options, retargeter });
        assert.deepEqual(clips.map(({ name }) => name), source.animations.map(({ name }) => name));
        let worst = 0, moved = 0;
        for (const clip of clips.slice(0, 12)) {
            const poses = posesOf(target.scene, clip), reference = named(expected, clip.name)[0];
            if (Math.abs(reference.duration - clip.duration) > 1e-6) continue; // the clip's keys end earlier
            worst = Math.max(worst, distance(poses, posesOf(expected.scene, reference)));
            moved = Math.max(moved, distance(poses[0], poses[2]));
        }
        console.log(`${clips.length} clips: at most ${worst} apart, ${moved} moved`);
        assert.ok(worst < 2e-5 && moved > 0.1);
    });
}

// A file with the objects below its first root.
function withoutMeshes(file) {
    const [{ skins, meshes, scenes, nodes, ...json }, bin] = parts(file), kept = nodes.filter(({ mesh }) => mesh === undefined);
    assert.deepEqual(nodes.slice(0, kept.length), kept);
    return glbOf({ ...json, nodes: kept, scenes: [{ nodes: [0] }] }, bin);
}

test('the motion of BVHLoader gives what the .bvh file gives', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sinew-retarget-'));
    after(() => rm(folder, { recursive: true }));
    const bones = join(folder, 'bones.glb'), path = join(folder, 'Walk.bvh');
    await writeFile(bones, withoutMeshes(readFileSync(HERO))); // BVHLoader reads one root
    execFileSync(command, ['bake', bones, '--clip', 'Walk', '-o', path]);
    const { skeleton, clip } = new BVHLoader().parse(readFileSync(path, 'utf8'));
    const { values } = clip.tracks.find(({ name }) => name === 'Hips.position'), offset = skeleton.getBoneByName('Hips').position.toArray();
    values.forEach((number, i) => { values[i] = number - offset[i % 3]; }); // BVHLoader adds the OFFSET, Sinew replaces it
    const target = await open(GOLEM), expected = await written(path, GOLEM, {});
    const [walk] = await retargetClips({ scene: skeleton.bones[0], animations: [clip] }, target, { retargeter });
    const apart = distance(posesOf(target.scene, walk), posesOf(expected.scene, expected.animations[0]));
    assert.ok(apart < 1e-3, `${apart}`); // other arithmetic of Euler angles, and interpolation between keys
});

// ---- Against SkeletonUtils --------------------------------------------------------------------------------------

const LIMBS = ['L', 'R'].flatMap((side) => [['UpperArm', 'LowerArm'], ['LowerArm', 'Hand'], ['UpperLeg', 'LowerLeg'], ['LowerLeg', 'Foot']]
    .map((pair) => pair.map((name) => `${name}_${side}`)));

function directions(root, pairs) {
    const at = (name) => root.getObjectByName(name).getWorldPosition(new THREE.Vector3());
    return pairs.map(([from, to]) => at(to).sub(at(from)).normalize());
}

// The largest angle between the limbs of two characters over a clip, in degrees.
function limbAngle(source, clip, target, retargeted, mixed = target) {
    const mixers = [new THREE.AnimationMixer(source), new THREE.AnimationMixer(mixed)];
    mixers[0].clipAction(clip).play();
    mixers[1].clipAction(retargeted).play();
    let worst = 0;
    for (let i = 0; i <= 10; i++) {
        for (const mixer of mixers) mixer.setTime(i / 10.01 * clip.duration);
        const [a, b] = [source, target].map((root) => directions(root, LIMBS));
        a.forEach((direction, k) => { worst = Math.max(worst, direction.angleTo(b[k]) * 180 / Math.PI); });
    }
    for (const mixer of mixers) mixer.stopAllAction();
    return worst;
}

test('on a rig of the same axes, limbs have the directions of SkeletonUtils.retargetClip', async () => {
    const source = await open(HERO), target = await open(HERO), [run] = named(source, 'Run');
    const [own] = await retargetClips(source, target, { clips: [run], feet: false, retargeter });
    const skinned = (root) => objectsOf(root).find(({ isSkinnedMesh }) => isSkinnedMesh);
    const theirs = retargetClip(skinned(target.scene), skinned(source.scene), run, { hip: 'Hips', fps: 60, getBoneName: ({ name }) => name });
    const scene = (await open(HERO)).scene;
    const angles = [limbAngle(source.scene, run, scene, own), limbAngle(source.scene, run, target.scene, theirs, skinned(target.scene))];
    console.log(`degrees: ${angles.join(', ')} by SkeletonUtils`);
    assert.ok(angles[0] < 0.5, `${angles[0]}`);
});

// ---- Names, interpolations, rest poses --------------------------------------------------------------------------

const hero = await open(HERO), golem = await open(GOLEM);
const [walk] = named(hero, 'Walk');
const retargetWalk = async (clip, source = hero.scene, target = golem.scene, options = {}) => (
    await retargetClips({ scene: source, animations: [clip] }, target, { retargeter, ...options }))[0];
const expectedWalk = posesOf(golem.scene, await retargetWalk(walk));

// The clip with each track replaced by what `change` makes of a copy of it.
function changed(clip, change) {
    return new THREE.AnimationClip(clip.name, clip.duration, clip.tracks.map((track) => change(track.clone()) ?? track));
}

test('tracks find their objects as three.js finds them', async () => {
    const split = ({ name }) => name.split('.');
    for (const rename of [([name, property]) => `.bones[${name}].${property}`, ([name, property]) => `scene/${name}.${property}`,
        ([name, property]) => `${hero.scene.getObjectByName(name).uuid}.${property}`]) {
        const clip = changed(walk, (track) => Object.assign(track, { name: rename(split(track)) }));
        assert.equal(distance(posesOf(golem.scene, await retargetWalk(clip)), expectedWalk), 0);
    }
});

test('objects of equal names have tracks by uuid', async () => {
    const { scene } = await open(GOLEM), hand = scene.getObjectByName(golem.scene.getObjectByName(
        golem.scene.children[0].name) && objectsOf(golem.scene).find(({ name }) => /hand/i.test(name)).name);
    const double = new THREE.Object3D();
    double.name = hand.name;
    scene.children.unshift(double);
    double.parent = scene;
    const rig = new Rig(scene), clip = await retargetWalk(walk, hero.scene, rig);
    assert.ok(clip.tracks.some(({ name }) => name.startsWith(hand.uuid)));
    const got = posesOf(scene, clip).map((pose) => pose.filter((_, i) => i !== 1));
    assert.ok(distance(got, expectedWalk) < 1e-6);
});

test('steps, smooth and cubic keys', async () => {
    const stepped = await retargetWalk(changed(walk, (track) => track.setInterpolation(THREE.InterpolateDiscrete)));
    assert.ok(distance(posesOf(golem.scene, stepped), expectedWalk) > 1e-3);
    const smooth = await retargetWalk(changed(walk, (track) => (
        track.ValueTypeName === 'quaternion' ? track : track.setInterpolation(THREE.InterpolateSmooth))));
    const apart = distance(posesOf(golem.scene, smooth), expectedWalk);
    assert.ok(apart > 0 && apart < 0.05, `${apart}`); // knees that are nearly straight magnify it
});

// The hero's walk with CUBICSPLINE keys and nonzero tangents. The file has no other clip: the reference pose comes
// from all clips of a file, but retargetClips only gets the walk.
function withSplines(file) {
    const [json, bin] = parts(file), added = [];
    let length = bin.length;
    json.animations = json.animations.filter(({ name }) => name === 'Walk');
    for (const { samplers, channels } of json.animations) {
        const splined = channels.filter(({ target }) => target.path === 'rotation').map(({ sampler }) => samplers[sampler]);
        for (const sampler of new Set(splined)) {
            const { count, bufferView, byteOffset = 0 } = json.accessors[sampler.output], view = json.bufferViews[bufferView];
            const values = new Float32Array(Uint8Array.from(bin.subarray(view.byteOffset + byteOffset)).buffer, 0, 4 * count);
            const rows = Float32Array.from({ length: 12 * count }, (_, i) => (
                Math.floor(i / 4) % 3 === 1 ? values[4 * Math.floor(i / 12) + i % 4] : 9 * Math.sin(i)));
            added.push(Buffer.from(rows.buffer));
            const index = json.bufferViews.push({ buffer: 0, byteOffset: length, byteLength: rows.byteLength }) - 1;
            length += rows.byteLength;
            sampler.output = json.accessors.push({ bufferView: index, componentType: 5126, type: 'VEC4', count: 3 * count }) - 1;
            sampler.interpolation = 'CUBICSPLINE';
        }
    }
    json.buffers = [{ byteLength: length }];
    return glbOf(json, Buffer.concat([bin, ...added]));
}

test('cubic keys of GLTFLoader', async () => {
    const file = withSplines(readFileSync(HERO)), source = await parse(file), [clip] = named(source, 'Walk');
    const from = await retargeter.open(file), onto = await retargeter.open(readFileSync(GOLEM));
    const expected = await parse(retargeter.retarget(from, onto, { clips: ['Walk'], rate: 240 }).glb);
    const poses = posesOf(golem.scene, await retargetWalk(clip, source.scene, golem.scene, { rate: 240 }));
    assert.ok(distance(poses, posesOf(expected.scene, expected.animations[0])) < 1e-5);
    assert.ok(distance(poses, expectedWalk) > 0.01);
});

test('calls take no more memory', async () => {
    const own = await Retargeter.load(), size = () => own[$instance].memory.buffer.byteLength;
    const once = async () => {
        await retargetWalk(walk, hero.scene, golem.scene, { retargeter: own });
        await assert.rejects(retargetWalk(walk, hero.scene, new THREE.Group(), { retargeter: own }));
    };
    for (let i = 0; i < 5; i++) await once();
    const before = size();
    for (let i = 0; i < 80; i++) await once();
    assert.equal(size(), before);
});

test('a jump in a clip and tracks of other properties', async () => {
    const visible = new THREE.BooleanKeyframeTrack('Hips.visible', [0, 1], [true, false]);
    const morph = new THREE.NumberKeyframeTrack('Body.morphTargetInfluences[0]', [0, 1], [0, 1]);
    const jump = changed(walk, (track) => {
        const times = track.times.slice();
        if (times.length > 4) times[3] = times[2];
        return Object.assign(track, { times });
    });
    jump.tracks.push(visible, morph);
    const clip = await retargetWalk(jump);
    assert.ok(clip.tracks.every(({ name }) => /\.(position|quaternion|scale)$/.test(name)));
    assert.ok(clip.validate());
    const others = await retargetClips({ scene: hero.scene, animations: [new THREE.AnimationClip('None', 1, [visible]), walk] }, golem, { retargeter });
    assert.deepEqual(others.map(({ name, duration }) => [name, duration]), [['None', 1], ['Walk', walk.duration]]);
    assert.equal(distance(posesOf(golem.scene, others[1]), expectedWalk), 0);
});

test('a Rig keeps the rest pose, and the objects stay as they are', async () => {
    const { scene } = await open(GOLEM), rig = new Rig(scene), mixer = new THREE.AnimationMixer(scene);
    mixer.clipAction(await retargetWalk(walk)).play();
    mixer.setTime(0.3);
    scene.updateMatrixWorld(true);
    const before = objectsOf(scene).map(({ matrixWorld }) => [...matrixWorld.elements]);
    const clip = await retargetWalk(walk, hero.scene, rig);
    scene.updateMatrixWorld(true);
    assert.deepEqual(objectsOf(scene).map(({ matrixWorld }) => [...matrixWorld.elements]), before);
    assert.equal(distance(posesOf(golem.scene, clip), expectedWalk), 0);
});

test('where the page has put the characters does not matter', async () => {
    const source = clone(hero.scene), target = clone(golem.scene);
    source.position.set(5, 1, -2);
    target.position.set(-3, 0, 9);
    const clip = await retargetWalk(walk, source, target);
    assert.equal(distance(posesOf(golem.scene, clip), expectedWalk), 0);
});

test('clips are of the class of the originals, with identities of their own', async () => {
    const [one, two] = await retargetClips(hero, golem, { clips: [walk, walk], retargeter });
    assert.ok(one instanceof THREE.AnimationClip && two instanceof THREE.AnimationClip);
    assert.ok(one.uuid && one.uuid !== two.uuid && one.uuid !== walk.uuid);
    assert.equal(one.duration, walk.duration);
    assert.ok(one.tracks.some((track) => track instanceof THREE.QuaternionKeyframeTrack));
});

test('reference poses are clips, and maps replace the guess', async () => {
    const [idle] = named(hero, 'Idle');
    const posed = await retargetWalk(walk, hero.scene, golem.scene, { sourcePose: { clip: idle, time: 1 } });
    assert.ok(distance(posesOf(golem.scene, posed), expectedWalk) > 1e-3);
    const [onto] = await retargetClips({ scene: hero.scene, animations: [walk] }, hero, { retargeter, targetPose: { clip: idle }, sourcePose: { clip: idle } });
    assert.ok(distance(posesOf(hero.scene, onto), posesOf(hero.scene, walk)) < 1e-3);
    const source = await retargeter.open(readFileSync(HERO)), { map } = source;
    assert.equal(distance(posesOf(golem.scene, await retargetWalk(walk, hero.scene, golem.scene, { sourceMap: map })), expectedWalk), 0);
    await assert.rejects(retargetWalk(walk, hero.scene, golem.scene, { targetMap: map }), /target\.glb: /);
});

test('the module is loaded by the first call, and shared', async () => {
    assert.equal(distance(posesOf(golem.scene, await retargetWalk(walk, hero.scene, golem.scene, { retargeter: undefined })), expectedWalk), 0);
    assert.deepEqual(await retargetClips({ scene: hero.scene, animations: [] }, golem), []);
});

test('objects without a humanoid get a message', async () => {
    const group = new THREE.Group().add(new THREE.Bone(), new THREE.Bone());
    await assert.rejects(retargetWalk(walk, hero.scene, group), /target\.glb: .*/);
    await assert.rejects(retargetClips(hero, golem, { clips: walk, retargeter }), /clips must be an array/);
    await assert.rejects(retargetClips({ scene: hero.scene }, golem, { retargeter }), /clips must be an array/);
});
