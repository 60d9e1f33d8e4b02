// SPDX-License-Identifier: MIT
// Drives a scene of three.js's GLTFLoader with a mixer of the same file.
import { AdditiveAnimationBlendMode } from './action.js';
import { Asset } from './asset.js';
import { Driver, byNode, fileMismatch } from './driver.js';
import { given } from './given.js';
import {
    $aliases, $animated, $applyBounds, $applyBoundsTo, $applyTransforms, $applyWeights, $applyWorld,
    $computeBounds, $isNode,
    $morphed, $restore, $scene, $setRotation, $skinned, $startRotation, $updateSkeleton,
    $worldMatrix, $writeBones,
} from './internal.js';
import { assetOf, checkGltf } from './loaded.js';

// The object of each node, by its index in the file. A copy from SkeletonUtils.clone has the original's hierarchy.
// Children that the page has added come after the file's.
function objectsOf({ scene: original, parser: { associations } }, scene) {
    const objects = [];
    const note = (object, copy) => {
        const source = associations.get(object)?.nodes;
        if (source !== undefined) objects[source] = copy;
    };
    if (scene === original) {
        for (const object of associations.keys()) note(object, object);
        return objects;
    }
    const walk = (object, copy) => {
        note(object, copy);
        object.children.forEach((child, i) => walk(child, copy?.children[i]));
    };
    walk(original, scene);
    return objects;
}

// A node's meshes. A mesh with one primitive is the node's own object, or a child if the node is a joint. Several
// primitives are children.
function meshesAt(object, isNode) {
    return [object, ...object.children.filter((child) => !isNode.has(child))].filter(({ isMesh }) => isMesh);
}

// ---- On demand --------------------------------------------------------------------------------------------------

const ORIGINAL = Symbol('original');
const REFRESH = Symbol('refresh');
const lazyPrototypes = new WeakMap(); // by class

function lazyPrototypeOf({ prototype }, names) {
    return Object.create(prototype, Object.fromEntries(names.map((name) => [name, {
        get() {
            this[REFRESH]();
            return this[ORIGINAL][name];
        },
        set(value) {
            this[REFRESH]();
            this[ORIGINAL][name] = value;
        },
    }])));
}

// Makes a copy of three.js's `original` that calls `refresh` before it's read. Most bounds and bone world matrices
// aren't read every frame.
function makeLazy(original, refresh) {
    const { constructor } = original;
    if (!lazyPrototypes.has(constructor)) {
        lazyPrototypes.set(constructor, lazyPrototypeOf(constructor, Object.keys(original)));
    }
    return Object.assign(Object.create(lazyPrototypes.get(constructor)), { [ORIGINAL]: original, [REFRESH]: refresh });
}

// ---- By local transforms ----------------------------------------------------------------------------------------

// Gives a skinned mesh its own bounds. three.js computes them only on request.
function makeBounds({ geometry }) {
    if (!geometry.boundingBox) geometry.computeBoundingBox();
    if (!geometry.boundingSphere) geometry.computeBoundingSphere();
    return { box: geometry.boundingBox.clone(), sphere: geometry.boundingSphere.clone() };
}

// to = a × b, written to `to` at an offset. Matrices are column-major. Fourth rows are 0 0 0 1, and aren't written.
function multiplyAffine(to, at, a, b) {
    for (let column = 0; column < 16; column += 4) {
        const x = b[column], y = b[column + 1], z = b[column + 2], w = column === 12 ? 1 : 0;
        to[at + column] = a[0] * x + a[4] * y + a[8] * z + a[12] * w;
        to[at + column + 1] = a[1] * x + a[5] * y + a[9] * z + a[13] * w;
        to[at + column + 2] = a[2] * x + a[6] * y + a[10] * z + a[14] * w;
    }
}

// Sets the fourth rows, once.
function prepareBones({ boneMatrices }) {
    for (let i = 0; i < boneMatrices.length; i += 4) boneMatrices[i + 3] = i % 16 === 12 ? 1 : 0;
}

// Object3D's `rotation` isn't writable.
const defineRotation = (object, value) => Object.defineProperty(object, 'rotation', { value });

const NAMES = { position: 'position', quaternion: 'quaternion', size: 'scale' };

class ThreeDriver extends Driver {
    [$isNode];
    #influences;
    #boundsFrame = 0;
    #world = { position: new Float32Array(3), rotation: new Float32Array(4), scale: 1 };

    constructor(asset, objects, mixerOptions, scene) {
        super(asset, objects, NAMES, mixerOptions, scene);
        this[$isNode] = new Set(objects);
        const meshesOf = (node) => (objects[node] ? meshesAt(objects[node], this[$isNode]) : []);
        this.#influences = this[$morphed].flatMap((node) => meshesOf(node)
            .map(({ morphTargetInfluences }) => ({ node, morphTargetInfluences })));
        this[$skinned] = asset.meshNodes.filter(({ skin }) => skin >= 0)
            .flatMap(({ node, skin }) => meshesOf(node).map((mesh) => ({ node, skin, mesh, frame: 0, ...makeBounds(mesh) })));
        for (const one of this[$animated]) if (one.rotation) this.#deferEuler(one);
        for (const one of this[$skinned]) {
            const refresh = () => this.#refreshBounds(one);
            one.mesh.boundingBox = makeLazy(one.box, refresh);
            one.mesh.boundingSphere = makeLazy(one.sphere, refresh);
            prepareBones(one.mesh.skeleton);
            one.mesh.skeleton.update = () => this[$updateSkeleton](one.mesh.skeleton, one.skin);
        }
    }

    [$worldMatrix]() {
        this[$scene].updateWorldMatrix(true, false);
        return this[$scene].matrixWorld.elements;
    }

    [$applyWorld](character) {
        const { position, rotation, scale } = character.world(this.#world), scene = this[$scene];
        scene.position.set(position[0], position[1], position[2]);
        scene.quaternion.set(rotation[0], rotation[1], rotation[2], rotation[3]);
        scene.scale.set(scale, scale, scale);
    }

    [$startRotation](one) {
        this.#deferEuler(one);
    }

    // three.js computes Euler angles for each quaternion that's set. This makes `rotation` compute them when it's
    // read.
    #deferEuler(one) {
        const { object } = one, { quaternion } = object;
        one.euler = object.rotation;
        one.isEulerCurrent = true;
        defineRotation(object, makeLazy(one.euler, () => {
            if (one.isEulerCurrent) return;
            one.isEulerCurrent = true;
            one.euler.setFromQuaternion(quaternion, undefined, false);
        }));
    }

    [$setRotation](one, x, y, z, w) {
        const { quaternion } = one.object;
        quaternion._x = x;
        quaternion._y = y;
        quaternion._z = z;
        quaternion._w = w;
        one.isEulerCurrent = false;
    }

    // Does the same as three.js's update, with half the multiplications and without a copy.
    [$updateSkeleton](skeleton, _skin) {
        const { bones, boneInverses, boneMatrices } = skeleton;
        for (let i = 0; i < bones.length; i++) {
            multiplyAffine(boneMatrices, 16 * i, bones[i].matrixWorld.elements, boneInverses[i].elements);
        }
        if (skeleton.boneTexture) skeleton.boneTexture.needsUpdate = true;
    }

    [$applyWeights]() {
        for (const { node, morphTargetInfluences } of this.#influences) {
            const weights = this.mixer.morphWeights(node);
            for (let i = 0; i < weights.length; i++) morphTargetInfluences[i] = weights[i];
        }
    }

    // Bounds are computed when they're read.
    [$applyBounds]() {
        this.#boundsFrame++;
    }

    #refreshBounds(one) {
        if (one.frame === this.#boundsFrame || this.mixer.disposed) return;
        one.frame = this.#boundsFrame;
        this[$computeBounds](one);
    }

    [$applyBoundsTo]({ box, sphere }, bounds) {
        box.min.fromArray(bounds, 0);
        box.max.fromArray(bounds, 3);
        box.getBoundingSphere(sphere);
    }

    [$restore]() {
        for (const { object, euler, rotation } of this[$animated]) {
            if (!rotation) continue;
            euler.setFromQuaternion(object.quaternion, undefined, false);
            defineRotation(object, euler);
        }
        for (const one of this[$skinned]) {
            this.#refreshBounds(one);
            one.mesh.boundingBox = one.box;
            one.mesh.boundingSphere = one.sphere;
            delete one.mesh.skeleton.update;
        }
    }
}

// ---- By matrices ------------------------------------------------------------------------------------------------

// to = m × rows: a column-major matrix of 16 numbers times a row-major one of 12. Both have the fourth row 0 0 0 1.
function multiply(to, m, rows, from) {
    for (let column = 0; column < 4; column++) {
        const x = rows[from + column], y = rows[from + 4 + column], z = rows[from + 8 + column];
        to[4 * column] = m[0] * x + m[4] * y + m[8] * z;
        to[4 * column + 1] = m[1] * x + m[5] * y + m[9] * z;
        to[4 * column + 2] = m[2] * x + m[6] * y + m[10] * z;
        to[4 * column + 3] = 0;
    }
    to[12] += m[12];
    to[13] += m[13];
    to[14] += m[14];
    to[15] = 1;
}

// Writes the module's world and bone matrices, so three.js doesn't compute them from local transforms.
class DirectDriver extends ThreeDriver {
    #frame = 0;
    #driven;
    #parents = new Set(); // objects with children that aren't nodes: the page's attachments, a joint's meshes
    #noteChild;

    constructor(asset, objects, mixerOptions, scene) {
        super(asset, objects, mixerOptions, scene);
        this.#driven = objects.flatMap((object, node) => (
            object ? [{ object, node, matrixWorld: object.matrixWorld, frame: -1 }] : []));
        this.#noteChild = ({ target, child }) => {
            if (!this[$isNode].has(child)) this.#parents.add(target);
        };
        for (const one of this.#driven) {
            const { object, matrixWorld } = one;
            for (const child of object.children) this.#noteChild({ target: object, child });
            object.addEventListener('childadded', this.#noteChild);
            object.matrixWorld = makeLazy(matrixWorld, () => this.#refreshWorld(one));
        }
        this.#setAutomatic(false);
        scene.updateMatrixWorld = () => this.#updateWorld();
    }

    #setAutomatic(automatic) {
        for (const { object } of this.#driven) object.matrixAutoUpdate = object.matrixWorldAutoUpdate = automatic;
    }

    [$applyTransforms]() {
        // world matrices are computed when they're read
    }

    #refreshWorld(one) {
        if (one.frame === this.#frame || this.mixer.disposed) return;
        one.frame = this.#frame;
        multiply(one.matrixWorld.elements, this[$scene].matrixWorld.elements, this.mixer.modelMatrices, 12 * one.node);
    }

    #updateWorld() {
        this[$scene].updateWorldMatrix(false, false);
        this.#frame++;
        for (const { mesh } of this[$skinned]) mesh.bindMatrixInverse.copy(mesh.matrixWorld).invert();
        this.#updateOthers(this[$scene]);
        if (this.#parents.size > 0) for (const object of this.#parents) this.#updateOthers(object);
    }

    // Updates children that aren't nodes of the file.
    #updateOthers({ children }) {
        for (const child of children) if (!this[$isNode].has(child)) child.updateMatrixWorld(true);
    }

    [$updateSkeleton](skeleton, skin) {
        this.mixer[$writeBones](this[$scene].matrixWorld.elements, skin, skeleton.boneMatrices);
        if (skeleton.boneTexture) skeleton.boneTexture.needsUpdate = true;
    }

    [$restore]() {
        super[$restore]();
        this.#setAutomatic(true);
        for (const { object, matrixWorld } of this.#driven) {
            object.removeEventListener('childadded', this.#noteChild);
            object.matrixWorld = matrixWorld;
        }
        delete this[$scene].updateMatrixWorld;
    }
}

// ---- Clips ------------------------------------------------------------------------------------------------------

const TRANSFORMS = ['translation', 'rotation', 'scale'];

// The file's animation for each AnimationClip. The page may have sorted or filtered them.
function indicesOf({ animations, parser: { json } }) {
    const names = (json.animations ?? []).map(({ name }, i) => name || `animation_${i}`);
    return animations.map(({ name }, i) => {
        const index = names.indexOf(name);
        return index >= 0 && index === names.lastIndexOf(name) ? index : i;
    });
}

// Whether an AnimationClip plays like the file's animation. Doesn't compare the values of keys.
function isUnchanged({ duration, tracks, blendMode }, clip, { channels }) {
    const moving = channels.filter(({ target: { node, path } }) => node !== undefined && TRANSFORMS.includes(path));
    return Math.abs(duration - clip.duration) < 1e-3 && tracks.length >= moving.length && blendMode !== AdditiveAnimationBlendMode;
}

function noteClips(gltf, asset) {
    const indices = indicesOf(gltf);
    gltf.animations.forEach((animation, i) => {
        const clip = asset.clips[indices[i]], channels = gltf.parser.json.animations?.[indices[i]];
        if (!clip) return;
        asset[$aliases].set(animation, () => {
            if (isUnchanged(animation, clip, channels)) return clip;
            throw new TypeError(`the AnimationClip '${animation.name}' isn't the file's any more, but Sinew only plays the file's: ${''
            }pass its name to play that, and call subclip or makeAdditive of the asset, or use a layer with a mask, to change it`);
        });
    });
}

// ---- Driving ----------------------------------------------------------------------------------------------------

function driveAsset(gltf, asset, { scene = gltf.scene, direct = false, ...mixerOptions }) {
    const { length } = gltf.parser.json.nodes;
    if (length !== asset.nodes.length) throw fileMismatch(asset, length);
    const objects = byNode(asset, objectsOf(gltf, scene));
    noteClips(gltf, asset);
    if (!direct) return new ThreeDriver(asset, objects, mixerOptions, scene);
    const inPlace = (object) => object.parent === scene || objects.includes(object.parent);
    if (!objects.every((object) => !object || inPlace(object))) {
        throw new Error("direct: the file's objects must be in the scene, with their original parents");
    }
    return new DirectDriver(asset, objects, mixerOptions, scene);
}

function checkArguments(gltf, source, options) {
    checkGltf(gltf);
    if (!(source instanceof Asset) && typeof source?.makeAsset !== 'function') {
        throw new TypeError(`drive: the second argument must be an Asset or the result of await Sinew.load(), not ${given(source)}`);
    }
    if (options.isObject3D) throw new TypeError(`drive: pass { scene }, not ${given(options)}`);
}

export function drive(gltf, source, options = {}) {
    checkArguments(gltf, source, options);
    if (source instanceof Asset) return driveAsset(gltf, source, options);
    return assetOf(gltf, source).then((asset) => driveAsset(gltf, asset, options));
}
