// SPDX-License-Identifier: MIT
// The base class of models: an asset on the GPU. Each renderer implements the methods at the
// end of the class.
import { MAPS } from './materials.js';
import { keepPose } from './records.js';
/** @import { Mixer } from '../sinew/index.js' */
/** @import { RecordLayout } from './records.js' */

const MISSING = 'the model lacks a method';

export class BaseModel {
    constructor(/** @type {RecordLayout} */ layout, notes) {
        this.layout = layout;
        this.notes = notes;
        this.asset = layout.asset;
        this.onDispose = null;
        this.meshes = new Map(); // by primitive, then by the first joint of the skin, or 'rigid'
        this.textures = new Map(); // by index and whether they have colours
        this.bitmaps = null; // by index, while it is filled
        this.drawn = []; // for each part of the layout: { part, material, mesh, and its bindings }
    }

    // Throws where a limit of the GPU is exceeded. dispose() then frees what was made until then.
    fill(bitmaps) {
        this.bitmaps = bitmaps;
        for (const part of this.layout.parts) this.drawn.push(this.#draw(part));
        this.bitmaps = null;
    }

    // A part with its mesh, material and bindings.
    #draw(part) {
        const { primitive, material } = part;
        const { first } = this.layout.groups[part.group];
        const textures = {};
        for (const { key, isColor } of MAPS) {
            if (primitive.uvs && this.#isDrawn(key, material)) textures[key] = this.#textureOf(material[key], isColor);
        }
        return { part, material, mesh: this.#meshOf(part, first), ...this.bind(part, textures, first) };
    }

    // A base colour without its image is grey. Other textures without images are ignored.
    #isDrawn(key, material) {
        const bitmap = this.bitmaps.get(material[key]);
        return bitmap !== undefined && (bitmap !== null || key === 'baseColorTexture');
    }

    #textureOf(number, isColor) {
        const key = `${number} ${isColor}`;
        if (!this.textures.has(key)) {
            const bitmap = this.bitmaps.get(number);
            this.textures.set(key, this.makeTexture(this.asset.textures[number], bitmap, isColor));
        }
        return this.textures.get(key);
    }

    #meshOf({ primitive, influences }, first) {
        const key = influences > 0 ? first : 'rigid';
        if (!this.meshes.has(primitive)) this.meshes.set(primitive, new Map());
        const variants = this.meshes.get(primitive);
        if (!variants.has(key)) {
            variants.set(key, this.makeMesh(primitive, influences));
            variants.get(key).fill(first);
        }
        return variants.get(key);
    }

    pose(/** @type {Mixer} */ mixer, target) {
        return keepPose(this.layout, mixer, target);
    }

    dispose() {
        for (const variants of this.meshes.values()) for (const mesh of variants.values()) mesh.dispose();
        for (const texture of this.textures.values()) this.disposeTexture(texture);
        this.meshes.clear();
        this.textures.clear();
        this.drawn = [];
        this.onDispose?.(this);
    }

    // ---- Each renderer implements ----

    /**
     * @param {import('../sinew/index.js').Primitive} _primitive
     * @param {number} _influences joints a vertex
     * @returns {{ fill(firstJoint: number): void, dispose(): void }}
     */
    makeMesh(_primitive, _influences) {
        throw new Error(MISSING);
    }

    /**
     * A texture of the asset, of sRGB colours or of numbers.
     * @param {import('../sinew/index.js').Texture} _sampling
     * @param {ImageBitmap | null} _bitmap
     * @param {boolean} _isColor
     * @returns {object}
     */
    makeTexture(_sampling, _bitmap, _isColor) {
        throw new Error(MISSING);
    }

    /** @param {object} _texture */
    disposeTexture(_texture) {
        throw new Error(MISSING);
    }

    /**
     * The bindings of a part whose first joint is `first`.
     * @returns {object}
     */
    bind(_part, _textures, _first) {
        throw new Error(MISSING);
    }
}
