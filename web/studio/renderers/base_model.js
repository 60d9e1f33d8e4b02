// SPDX-License-Identifier: MIT
// The base class of models: an asset on the GPU. Each renderer implements:
//
//   white                                the texture of parts that have none
//   _makeMesh(primitive, influences)     { fill(firstJoint), dispose }
//   _makeTexture(sampling, bitmap)       a texture of the asset; grey without a bitmap
//   _disposeTexture(texture)
//   _bind(part, texture, first)          the bindings of a part whose first joint is `first`
import { keepPose } from './records.js';

export class BaseModel {
    constructor(layout, notes) {
        Object.assign(this, { layout, notes, asset: layout.asset, onDispose: null });
        this.meshes = new Map(); // by primitive, then by the first joint of the skin, or 'rigid'
        this.textures = new Map(); // by index
        this.drawn = []; // for each part of the layout: { part, material, mesh, and its bindings }
    }

    // Throws where a limit of the GPU is exceeded. dispose() then frees what was made until then.
    fill(bitmaps) {
        for (const [number, bitmap] of bitmaps) {
            this.textures.set(number, this._makeTexture(this.asset.textures[number], bitmap));
        }
        for (const part of this.layout.parts) this.drawn.push(this._draw(part));
    }

    // A part with its mesh, material and bindings.
    _draw(part) {
        const { primitive, material } = part;
        const { first } = this.layout.groups[part.group];
        const texture = (primitive.uvs && this.textures.get(material.baseColorTexture)) || this.white;
        return { part, material, mesh: this._meshOf(part, first), ...this._bind(part, texture, first) };
    }

    _meshOf({ primitive, influences }, first) {
        const key = influences > 0 ? first : 'rigid';
        if (!this.meshes.has(primitive)) this.meshes.set(primitive, new Map());
        const variants = this.meshes.get(primitive);
        if (!variants.has(key)) {
            variants.set(key, this._makeMesh(primitive, influences));
            variants.get(key).fill(first);
        }
        return variants.get(key);
    }

    pose(mixer, target) {
        return keepPose(this.layout, mixer, target);
    }

    dispose() {
        for (const variants of this.meshes.values()) for (const mesh of variants.values()) mesh.dispose();
        for (const texture of [this.white, ...this.textures.values()]) this._disposeTexture(texture);
        this.meshes.clear();
        this.textures.clear();
        this.drawn = [];
        this.onDispose?.(this);
    }
}
