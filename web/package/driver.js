// What the adapters for three.js and Babylon.js share. Neither is imported: their objects come from the page.
import { Mixer } from './mixer.js';

// What the clips move of each node; all else is never written, and stays the page's.
function movedBy({ clips, nodes }) {
    const moved = nodes.map(() => ({ translation: false, rotation: false, scale: false, weights: false }));
    for (const { channels } of clips) for (const { node, path } of channels) moved[node][path] = true;
    return moved;
}

// The upright box around a box, three least and three most, in the space of a node: by the inverse of its matrix m,
// each row of which is the cross product of two of m's columns over the determinant.
function boxIn(to, box, m) {
    const determinant = m[0] * (m[5] * m[10] - m[6] * m[9]) + m[1] * (m[6] * m[8] - m[4] * m[10])
        + m[2] * (m[4] * m[9] - m[5] * m[8]);
    for (let row = 0; row < 3; row++) {
        const a = 4 * ((row + 1) % 3), b = 4 * ((row + 2) % 3);
        let middle = 0, half = 0;
        for (let i = 0; i < 3; i++) {
            const j = (i + 1) % 3, k = (i + 2) % 3;
            const factor = (m[a + j] * m[b + k] - m[a + k] * m[b + j]) / determinant;
            middle += factor * ((box[3 + i] + box[i]) / 2 - m[12 + i]);
            half += Math.abs(factor) * (box[3 + i] - box[i]) / 2;
        }
        to[row] = middle - half;
        to[3 + row] = middle + half;
    }
    return to;
}

// Moves the objects of somebody else's scene, one for each node of the asset or undefined, as a mixer says. `names` are
// the three properties of an object that hold its local transform.
export class Driver {
    constructor(asset, objects, names, mixerOptions) {
        this.mixer = new Mixer(asset, mixerOptions);
        this._names = names;
        const moved = movedBy(asset);
        this._moved = objects.map((object, node) => ({ object, node, ...moved[node] }))
            .filter(({ object, translation, rotation, scale }) => object && (translation || rotation || scale));
        this._skinned = []; // { mesh, node }: skinned meshes, and the node whose space they are in; -1 for the asset's
        this._box = new Float32Array(6);
        this._boxBelow = new Float32Array(6);
        this._matrix = new Float32Array(16);
        this._morphed = [...asset.nodes.keys()].filter((node) => moved[node].weights);
    }

    update(deltaTime) {
        this.mixer.update(deltaTime);
        this.apply();
    }

    apply() {
        this._applyTransforms();
        this._applyWeights();
        this._applyBounds();
    }

    _applyTransforms() {
        const { position, quaternion, size } = this._names;
        const array = this.mixer._localPose(), { _stride: stride } = this.mixer;
        for (const { object, node, translation, rotation, scale } of this._moved) {
            const tx = node, rx = tx + 3 * stride, sx = tx + 7 * stride; // y, z and w follow at a stride
            if (translation) object[position].set(array[tx], array[tx + stride], array[tx + 2 * stride]);
            if (rotation) {
                object[quaternion].set(array[rx], array[rx + stride], array[rx + 2 * stride], array[rx + 3 * stride]);
            }
            if (scale) object[size].set(array[sx], array[sx + stride], array[sx + 2 * stride]);
        }
    }

    // What renderers cull and pick by would else be the bounds of the rest pose. Each mesh has the box of them all.
    _applyBounds() {
        const box = this.mixer.bounds(this._box);
        if (!(box[3] - box[0] < Infinity)) return; // there is nothing to be seen, or it is everywhere
        for (const one of this._skinned) {
            if (one.node < 0) this._applyBoundsTo(one, box);
            else this._applyBoundsTo(one, boxIn(this._boxBelow, box, this.mixer.nodeMatrix(one.node, this._matrix)));
        }
    }

    dispose() {
        this.mixer.dispose();
    }
}

// From objects by their node's number in the file to objects by their node's place in the asset.
export function byNode(asset, bySource) {
    if (!bySource.some(Boolean)) throw new Error('the scene has no object that was made of a node of the file');
    if (bySource.length > asset.nodes.length) throw notOfOneFile(asset, `${bySource.length} or more`);
    return asset.nodes.map(({ source }) => bySource[source]);
}

export function notOfOneFile({ nodes }, count) {
    return new Error(`scene and asset are not of the same file: one has ${count} nodes, the other ${nodes.length}`);
}
