// SPDX-License-Identifier: MIT
// Base class of the three.js and Babylon.js adapters. It imports neither library: the page passes their objects.
import { makeMixer } from './animator.js';
import {
    $animated, $applyBounds, $applyBoundsTo, $applyTransforms, $applyWeights, $applyWorld, $computeBounds, $hasSolvers, $localPose,
    $morphed, $nodes, $restore, $rig, $root, $scene, $setRotation, $skinned, $solve, $solvers, $startRotation, $stride,
    $worldMatrix,
} from './internal.js';

// Each node's animated properties. The others belong to the page and are never written. A rig may move all nodes.
function animatedProperties({ clips, nodes }, hasRig) {
    const animated = nodes.map(() => ({ translation: hasRig, rotation: hasRig, scale: false, weights: false }));
    for (const { channels } of clips) for (const { node, target } of channels) animated[node][target] = true;
    return animated;
}

// Transforms a bounding box (minimum, then maximum) into a node's local space, and returns its bounding box there.
// Uses the inverse of the node's matrix m: each row is the cross product of two of m's columns, divided by the
// determinant.
function boxIn(to, box, m) {
    const determinant = m[0] * (m[5] * m[10] - m[6] * m[9]) + m[1] * (m[6] * m[8] - m[4] * m[10])
        + m[2] * (m[4] * m[9] - m[5] * m[8]);
    for (let row = 0; row < 3; row++) {
        const a = 4 * ((row + 1) % 3), b = 4 * ((row + 2) % 3);
        let center = 0, half = 0;
        for (let i = 0; i < 3; i++) {
            const j = (i + 1) % 3, k = (i + 2) % 3;
            const factor = (m[a + j] * m[b + k] - m[a + k] * m[b + j]) / determinant;
            center += factor * ((box[3 + i] + box[i]) / 2 - m[12 + i]);
            half += Math.abs(factor) * (box[3 + i] - box[i]) / 2;
        }
        to[row] = center - half;
        to[3 + row] = center + half;
    }
    return to;
}

const drivers = new WeakMap(); // by scene

// Throws if the scene already has a driver: two would write the same objects in turn. Disposes one whose mixer is
// gone.
function release(scene) {
    const earlier = drivers.get(scene);
    if (!earlier) return;
    if (!earlier.mixer.disposed) throw new Error('this scene already has a character: dispose it first, or drive a copy');
    earlier.dispose();
}

// Drives the objects of another library's scene with a mixer. `objects` has one object or undefined for each of the
// asset's nodes. `names` are an object's properties for its local transform.
export class Driver {
    [$scene];
    #names;
    [$animated];
    #objects;
    #solvers;
    [$skinned] = []; // { mesh, node }: skinned meshes, and the node they're relative to; -1 for model space
    #box = new Float32Array(6);
    #localBox = new Float32Array(6);
    #matrix = new Float32Array(16);
    [$morphed];

    constructor(asset, objects, names, mixerOptions, scene) {
        release(scene);
        this.mixer = makeMixer(asset, mixerOptions);
        this.animator = this.mixer.animator;
        this[$scene] = this.mixer[$scene] = scene;
        drivers.set(scene, this);
        this.#names = names;
        const animated = animatedProperties(asset, Boolean(this.animator?.[$rig]));
        this[$animated] = objects.map((object, node) => ({ object, node, ...animated[node] }))
            .filter(({ object, translation, rotation, scale }) => object && (translation || rotation || scale));
        this.#objects = objects;
        this.#solvers = this.mixer[$solvers]; // already counted among the animated nodes
        this[$morphed] = [...asset.nodes.keys()].filter((node) => animated[node].weights);
    }

    update(deltaTime) {
        this.mixer.update(deltaTime);
        if (this.mixer[$hasSolvers]) this.mixer[$solve](deltaTime, this[$worldMatrix]());
        this.apply();
    }

    apply() {
        if (this.animator?.[$rig]) this[$applyWorld](this.animator);
        this[$applyTransforms]();
        this[$applyWeights]();
        this[$applyBounds]();
    }

    // Adds properties that only solvers write. They stay after a solver is disposed, to write back the clips' pose.
    #addSolved() {
        this.#solvers = this.mixer[$solvers];
        for (const { [$nodes]: nodes, [$root]: root } of this.#solvers) for (const node of nodes) this.#animate(node, node === root);
    }

    #animate(node, translation) {
        const object = this.#objects[node];
        let one = this[$animated].find((each) => each.node === node);
        if (!object) return;
        if (!one) this[$animated].push(one = { object, node, translation: false, rotation: false, scale: false, weights: false });
        one.translation ||= translation;
        if (one.rotation) return;
        one.rotation = true;
        this[$startRotation](one);
    }

    // Called when an object starts being rotated.
    [$startRotation](_one) {}

    [$applyTransforms]() {
        if (this.mixer[$solvers] !== this.#solvers) this.#addSolved();
        const { position, size } = this.#names;
        const array = this.mixer[$localPose](), { [$stride]: stride } = this.mixer;
        for (const one of this[$animated]) {
            const { object, node, translation, rotation, scale } = one;
            const tx = node, rx = tx + 3 * stride, sx = tx + 7 * stride; // y, z and w follow, `stride` apart
            if (translation) object[position].set(array[tx], array[tx + stride], array[tx + 2 * stride]);
            if (rotation) {
                this[$setRotation](one, array[rx], array[rx + stride], array[rx + 2 * stride], array[rx + 3 * stride]);
            }
            if (scale) object[size].set(array[sx], array[sx + stride], array[sx + 2 * stride]);
        }
    }

    [$setRotation]({ object }, x, y, z, w) {
        object[this.#names.quaternion].set(x, y, z, w);
    }

    // Updates the bounds that renderers use for culling and picking. Without this they'd be the rest pose's.
    [$applyBounds]() {
        for (const one of this[$skinned]) this[$computeBounds](one);
    }

    // Gives each skinned mesh the whole character's bounding box.
    [$computeBounds](one) {
        const box = this.mixer.bounds(this.#box);
        if (!(box[3] - box[0] < Infinity)) return; // empty or unbounded
        if (one.node < 0) this[$applyBoundsTo](one, box);
        else this[$applyBoundsTo](one, boxIn(this.#localBox, box, this.mixer.nodeMatrix(one.node, this.#matrix)));
    }

    // Moves the scene to the character's transform.
    [$applyWorld](_character) {}

    // Gives the objects back to the other library.
    [$restore]() {}

    dispose() {
        if (drivers.get(this[$scene]) !== this) return;
        this[$restore]();
        this.mixer.dispose();
        drivers.delete(this[$scene]);
    }
}

// Reorders objects from the file's node order to the asset's.
export function byNode(asset, bySource) {
    if (!bySource.some(Boolean)) throw new Error('no object of the scene is a node of the asset: load both from the same file');
    if (bySource.length > asset.nodes.length) throw fileMismatch(asset, `${bySource.length} or more`);
    return asset.nodes.map(({ source }) => bySource[source]);
}

export function fileMismatch({ nodes }, count) {
    return new Error(`the scene has ${count} nodes and the asset ${nodes.length}: load both from the same file`);
}
