// An asset on the GPU, as far as both renderers keep it alike. Each has in its own way:
//
//   white                                what parts without a texture are drawn with
//   _makeMesh(primitive, influences)     { fill(firstJoint), dispose }
//   _makeTexture(sampling, bitmap)       of a texture of the asset; grey without a bitmap
//   _disposeTexture(texture)
//   _bind(part, texture, first)          what is bound to draw a part whose joints begin with `first`
import { keepPose } from './records.js';

export class BaseModel {
    constructor(layout, notes) {
        Object.assign(this, { layout, notes, asset: layout.asset, onDispose: null });
        this.meshes = new Map(); // of each primitive: by the first joint of the skin, or one that hangs on any joint
        this.textures = new Map(); // by number
        this.drawn = []; // for each part of the layout: { part, material, mesh, and what is bound }
    }

    // Throws where something is more than the GPU takes; what was made till then is there to be disposed of.
    fill(bitmaps) {
        for (const [number, bitmap] of bitmaps) {
            this.textures.set(number, this._makeTexture(this.asset.textures[number], bitmap));
        }
        for (const part of this.layout.parts) this.drawn.push(this._draw(part));
    }

    // A part, what draws it, and the colours of its surface.
    _draw(part) {
        const { primitive, material } = part;
        const { first } = this.layout.groups[part.group];
        const texture = (primitive.uvs && this.textures.get(material.baseColorTexture)) || this.white;
        return { part, material, mesh: this._meshOf(part, first), ...this._bind(part, texture, first) };
    }

    _meshOf({ primitive, influences }, first) {
        const key = influences > 0 ? first : 'hangs';
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
