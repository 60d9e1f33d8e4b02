// What the adapters for three.js and Babylon.js share. Neither is imported: their objects come from the page.
import { Mixer } from './mixer.js';

// Moves the objects of somebody else's scene, one for each node of the asset or undefined, as a mixer says. `names` are
// the three properties of an object that hold its local transform.
export class Driver {
    constructor(asset, objects, names, mixerOptions) {
        this.mixer = new Mixer(asset, mixerOptions);
        this._names = names;
        // What no clip moves is never written: it stays the page's.
        const moved = (path) => {
            const nodes = new Set();
            for (const { channels } of asset.clips) {
                for (const channel of channels) if (channel.path === path) nodes.add(channel.node);
            }
            return [...nodes].filter((node) => objects[node]).map((node) => ({ node, object: objects[node] }));
        };
        this._translated = moved('translation');
        this._rotated = moved('rotation');
        this._scaled = moved('scale');
        this._morphed = moved('weights');
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
        const { position, rotation, scale } = this._names;
        const planes = this.mixer._planes;
        const tx = planes[0].array, ty = planes[1].array, tz = planes[2].array;
        for (const { node, object } of this._translated) object[position].set(tx[node], ty[node], tz[node]);
        const rx = planes[3].array, ry = planes[4].array, rz = planes[5].array, rw = planes[6].array;
        for (const { node, object } of this._rotated) object[rotation].set(rx[node], ry[node], rz[node], rw[node]);
        const sx = planes[7].array, sy = planes[8].array, sz = planes[9].array;
        for (const { node, object } of this._scaled) object[scale].set(sx[node], sy[node], sz[node]);
    }

    dispose() {
        this.mixer.dispose();
    }
}

// From objects by their node's number in the file to objects by their node's place in the asset.
export function byNode(asset, bySource) {
    if (bySource.length > asset.nodes.length || !bySource.some(Boolean)) {
        throw new Error(`the scene and the asset are not of the same file: nodes of the scene are numbered up to `
            + `${bySource.length - 1}, those of the asset up to ${asset.nodes.length - 1}`);
    }
    return asset.nodes.map(({ source }) => bySource[source]);
}
