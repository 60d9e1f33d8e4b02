// What the adapters for three.js and Babylon.js share. Neither is imported: their objects come from the page.
import { Mixer } from './mixer.js';

// What the clips move of each node; all else is never written, and stays the page's.
function movedBy({ clips, nodes }) {
    const moved = nodes.map(() => ({ translation: false, rotation: false, scale: false, weights: false }));
    for (const { channels } of clips) for (const { node, path } of channels) moved[node][path] = true;
    return moved;
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
        this._morphed = [...asset.nodes.keys()].filter((node) => moved[node].weights);
    }

    update(deltaTime) {
        this.mixer.update(deltaTime);
        this.apply();
    }

    apply() {
        this._applyTransforms();
        this._applyWeights();
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

    dispose() {
        this.mixer.dispose();
    }
}

// From objects by their node's number in the file to objects by their node's place in the asset. `nodeCount` is how many
// nodes that file has, as far as the scene tells.
export function byNode(asset, bySource, nodeCount) {
    if (nodeCount !== asset.nodes.length) {
        throw new Error(`scene and asset are not of the same file: one has ${nodeCount} nodes, the other `
            + `${asset.nodes.length}`);
    }
    if (!bySource.some(Boolean)) throw new Error('the scene has no object that was made of a node of the file');
    return asset.nodes.map(({ source }) => bySource[source]);
}
