// SPDX-License-Identifier: MIT
// Retargets three.js AnimationClips from one hierarchy of objects to another. Writes both as glTF files, retargets
// them with the module, and turns the result into AnimationClips. The files include vertex positions, to find the
// bind pose and the soles.
import { readFloats } from './accessors.js';
import { Retargeter } from './retarget.js';
import { jsonOf } from './sidecar.js';

const PATHS = { position: 'translation', quaternion: 'rotation', scale: 'scale' }; // by Object3D's property
const TYPES = { translation: 'VEC3', rotation: 'VEC4', scale: 'VEC3' }; // key types in accessors
const TRACKS = { translation: ['position', 'vector'], rotation: ['quaternion', 'quaternion'], scale: ['scale', 'vector'] };
const INTERPOLATIONS = { 2300: 'STEP', 2301: 'LINEAR' }; // by three.js's constant

// ---- Tracks of three.js -----------------------------------------------------------------------------------------

// A hierarchy's objects by the names that tracks use. If a name repeats, the first object wins, like in three.js.
function objectsByName(objects) {
    const byName = new Map();
    for (const object of objects) {
        for (const name of [object.uuid, object.name]) if (name && !byName.has(name)) byName.set(name, object);
    }
    return byName;
}

// A track's object and path, such as for "Hips.quaternion" or ".bones[Hips].position"; null for other tracks.
function channelOf({ name }, root, byName) {
    const [, node, bone, property] = /^(?:.*\/)?([^[\]]*?)(?:\.bones\[(.+)\])?\.(position|quaternion|scale)$/.exec(name) ?? [];
    const object = bone ?? node ? byName.get(bone ?? node) : root;
    return property && object ? { object, path: PATHS[property] } : null;
}

function interpolationOf(track) {
    if (track.createInterpolant?.isInterpolantFactoryMethodGLTFCubicSpline) return 'CUBICSPLINE';
    return INTERPOLATIONS[track.getInterpolation()];
}

// Samples a track that glTF has no interpolation for: 60 LINEAR keys a second, and the track's own.
function sampled(track) {
    const interpolant = track.createInterpolant(), last = track.times.at(-1);
    const between = Array.from({ length: Math.ceil(60 * last) }, (_, i) => i / 60);
    const times = [...new Set([...track.times, ...between].map(Math.fround))].sort((a, b) => a - b);
    return { times, values: times.flatMap((time) => [...interpolant.evaluate(time)]), interpolation: 'LINEAR' };
}

// Converts a track's keys for glTF. Times must start at 0 or later and increase: at equal times the last key wins.
function keysOf(track) {
    const interpolation = interpolationOf(track);
    if (!interpolation) return sampled(track);
    const { times, values } = track, width = values.length / times.length;
    const kept = [...times.keys()].filter((i) => times[i] >= 0 && !(times[i + 1] <= times[i]));
    return { times: kept.map((i) => times[i]), interpolation,
        values: kept.flatMap((i) => [...values.subarray(i * width, (i + 1) * width)]) };
}

// ---- Writing ----------------------------------------------------------------------------------------------------

const COMPONENTS = { Float32Array: 5126, Uint16Array: 5123 };

// A file's binary chunk and accessors.
class Data {
    constructor() {
        this.parts = [];
        this.size = 0;
        this.accessors = [];
        this.bufferViews = [];
    }

    // `range` is min and max, which glTF requires for keys and positions.
    add(numbers, type, count, range = {}) {
        const { buffer, byteLength, constructor } = numbers;
        this.bufferViews.push({ buffer: 0, byteOffset: this.size, byteLength });
        this.parts.push({ at: this.size, bytes: new Uint8Array(buffer) });
        this.size += byteLength + 3 & ~3;
        return this.accessors.push({ bufferView: this.bufferViews.length - 1, componentType: COMPONENTS[constructor.name], count,
            type, ...range }) - 1;
    }

    addTimes(times) {
        return this.add(Float32Array.from(times), 'SCALAR', times.length, { min: [times[0]], max: [times.at(-1)] });
    }
}

function toAnimation({ name, tracks }, { root, objects, byName }, data) {
    const animation = { name, samplers: /** @type {object[]} */ ([]), channels: /** @type {object[]} */ ([]) };
    for (const track of tracks) {
        const channel = channelOf(track, root, byName);
        if (!channel) continue;
        const { times, values, interpolation } = keysOf(track), { object, path } = channel;
        if (times.length === 0) continue;
        const output = data.add(Float32Array.from(values), TYPES[path], values.length / Number(TYPES[path].at(-1)));
        animation.samplers.push({ input: data.addTimes(times), output, interpolation });
        animation.channels.push({ sampler: animation.samplers.length - 1, target: { node: objects.indexOf(object), path } });
    }
    return animation;
}

// Joins the two chunks of a .glb, each padded to 4 bytes.
function toGlb(json, { parts, size }) {
    const text = new TextEncoder().encode(JSON.stringify(json)), padded = text.length + 3 & ~3;
    const glb = new Uint8Array(28 + padded + size), words = new DataView(glb.buffer);
    [0x46546c67, 2, glb.length, padded, 0x4e4f534a].forEach((word, i) => words.setUint32(4 * i, word, true));
    glb.fill(0x20, 20, 20 + padded).set(text, 20);
    words.setUint32(20 + padded, size, true);
    words.setUint32(24 + padded, 0x004e4942, true);
    for (const { at, bytes } of parts) glb.set(bytes, 28 + padded + at);
    return glb;
}

// ---- Meshes -----------------------------------------------------------------------------------------------------

const GETTERS = ['getX', 'getY', 'getZ', 'getW'];

// Reads all components of an attribute, vertex after vertex, into an array of class `Numbers`.
function numbersOf(attribute, width, Numbers) {
    const numbers = new Numbers(attribute.count * width);
    for (let i = 0; i < numbers.length; i++) numbers[i] = attribute[GETTERS[i % width]](Math.floor(i / width));
    return numbers;
}

// The positions in the space that the inverse bind matrices transform from.
function positionsOf({ geometry: { attributes: { position } }, bindMatrix }) {
    const numbers = numbersOf(position, 3, Float32Array), m = bindMatrix?.elements;
    for (let i = 0; m && i < numbers.length; i += 3) {
        const [x, y, z] = numbers.subarray(i, i + 3);
        for (let row = 0; row < 3; row++) numbers[i + row] = m[row] * x + m[4 + row] * y + m[8 + row] * z + m[12 + row];
    }
    return numbers;
}

function rangeOf(positions) {
    const min = [Infinity, Infinity, Infinity], max = min.map((number) => -number);
    positions.forEach((number, i) => {
        min[i % 3] = Math.min(min[i % 3], number);
        max[i % 3] = Math.max(max[i % 3], number);
    });
    return { min, max };
}

// An object's mesh. Includes its skin if all bones are among the objects.
function toMesh(object, indices, data) {
    const positions = positionsOf(object), count = positions.length / 3;
    const attributes = { POSITION: data.add(positions, 'VEC3', count, rangeOf(positions)) };
    const { skeleton, geometry: { attributes: { skinIndex, skinWeight } } } = object;
    const joints = skeleton?.bones.map((bone) => indices.get(bone));
    if (!joints?.length || joints.includes(undefined) || !skinIndex || !skinWeight) return { attributes };
    attributes.JOINTS_0 = data.add(numbersOf(skinIndex, 4, Uint16Array), 'VEC4', count);
    attributes.WEIGHTS_0 = data.add(numbersOf(skinWeight, 4, Float32Array), 'VEC4', count);
    const inverses = Float32Array.from(skeleton.boneInverses.flatMap(({ elements }) => elements));
    return { attributes, skin: { joints, inverseBindMatrices: data.add(inverses, 'MAT4', joints.length) } };
}

// Adds the objects' meshes to the nodes. Returns the file's members for them.
function addMeshes(objects, nodes, indices, data) {
    const meshes = [], skins = [];
    objects.forEach((object, i) => {
        if (!object.isMesh || !(object.geometry?.attributes.position?.count > 0)) return;
        const { attributes, skin } = toMesh(object, indices, data);
        nodes[i].mesh = meshes.push({ primitives: [{ attributes, mode: 0 }] }) - 1;
        if (skin) nodes[i].skin = skins.push(skin) - 1;
    });
    return { ...(meshes.length > 0 && { meshes }), ...(skins.length > 0 && { skins }) };
}

// ---- Rigs -------------------------------------------------------------------------------------------------------

const originalName = ({ name, userData }) => (typeof userData?.name === 'string' ? userData.name : name);

// An object's node, with its current transform as the rest pose. The root stays where the page has put it.
function toNode(object, root, indices) {
    const { position, quaternion, scale, children } = object, isPlaced = object === root && !object.isBone;
    const node = { name: originalName(object), rotation: quaternion.toArray(), scale: scale.toArray() };
    if (!isPlaced) node.translation = position.toArray();
    if (children.length > 0) node.children = children.map((child) => indices.get(child));
    return node;
}

export class Rig {
    constructor(root) {
        const objects = [];
        root.traverse((object) => objects.push(object));
        const indices = new Map(objects.map((object, i) => [object, i]));
        this.root = root;
        this.objects = objects;
        this.indices = indices;
        this.byName = objectsByName(objects);
        this.nodes = objects.map((object) => toNode(object, root, indices));
    }

    // Writes the objects and clips as a .glb.
    toGlb(clips) {
        const data = new Data(), nodes = this.nodes.map((node) => ({ ...node }));
        const meshes = addMeshes(this.objects, nodes, this.indices, data);
        const animations = clips.map((clip) => toAnimation(clip, this, data));
        const { accessors, bufferViews, size } = data, buffers = [{ byteLength: size }];
        const json = { asset: { version: '2.0' }, scene: 0, scenes: [{ nodes: [0] }], nodes, ...meshes };
        const moves = animations.length > 0 && { animations };
        return toGlb(size > 0 ? { ...json, ...moves, accessors, bufferViews, buffers } : json, data);
    }

    // The name that tracks use for an object.
    trackName(object) {
        const isFound = /^[^[\].:/]+$/.test(object.name) && this.byName.get(object.name) === object;
        return isFound ? object.name : object.uuid;
    }
}

// ---- Clips ------------------------------------------------------------------------------------------------------

// An animation's tracks from a .glb, in AnimationClip.parse's form.
function tracksOf(file, { channels, samplers }, rig) {
    return channels.map(({ sampler, target: { node, path } }) => {
        const { input, output } = samplers[sampler], [property, type] = TRACKS[path];
        return { name: `${rig.trackName(rig.objects[node])}.${property}`, type,
            times: readFloats(file, input, 'SCALAR'), values: readFloats(file, output, TYPES[path]) };
    });
}

// Makes clips from a .glb's animations, of the same class as `originals`.
function toClips(glb, rig, originals) {
    const json = jsonOf(glb), start = 28 + new DataView(glb.buffer).getUint32(12, true);
    const file = { json, buffers: [glb.subarray(start)] };
    return originals.map((original, i) => {
        const { constructor: Clip, name, duration } = original;
        const { tracks } = Clip.parse({ name, duration, tracks: tracksOf(file, json.animations[i], rig) });
        return new Clip(name, duration, tracks);
    });
}

/** @type {Promise<Retargeter> | null} */
let shared = null; // promise of a Retargeter; null after a failure

function load() {
    shared ??= Retargeter.load().catch((error) => {
        shared = null;
        throw error;
    });
    return shared;
}

function toRig(from) {
    const root = from.scene ?? from;
    return root instanceof Rig ? root : new Rig(root);
}

// Returns the option for a clip's pose, and the file's clips.
function withPose(clips, pose) {
    if (!pose) return { clips };
    const all = clips.includes(pose.clip) ? clips : [...clips, pose.clip];
    return { clips: all, pose: { ...pose, clip: all.indexOf(pose.clip) } };
}

/** @param {any} source @param {any} target @param {import('./retarget-three.js').RetargetClipsOptions<any>} [options] */
export async function retargetClips(source, target, { retargeter, clips = source.animations, sourceMap, targetMap,
    sourcePose, targetPose, ...options } = {}) {
    if (!Array.isArray(clips)) throw new TypeError('clips must be an array of AnimationClips');
    const from = withPose(clips, sourcePose), to = withPose([], targetPose), rig = toRig(target);
    const sourceFile = toRig(source).toGlb(from.clips), targetFile = rig.toGlb(to.clips);
    const by = retargeter ?? await load(), opened = [];
    const open = async (file, name, map) => {
        const character = await by.open(file, { name, map });
        opened.push(character);
        return character;
    };
    try {
        const character = await open(sourceFile, 'source.glb', sourceMap);
        const onto = await open(targetFile, 'target.glb', targetMap);
        const { glb } = by.retarget(character, onto, { ...options, clips: clips.map((_, i) => i), only: true,
            sourcePose: from.pose, targetPose: to.pose });
        return toClips(glb, rig, clips);
    } finally {
        for (const character of opened) character.dispose();
    }
}
