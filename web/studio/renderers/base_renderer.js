// SPDX-License-Identifier: MIT
// The base class of the renderers: models, canvas size, maps, and the data of a frame. Each renderer implements:
//
//   _maxSize                    { picture, texture }: the limits of a side in texels
//   _resizeTarget()             fits the render target to the canvas
//   _readPixels()               -> the pixels of the last picture, premultiplied: RGBA, rows from top to bottom
//   _makeMap(size, kind)        { size, dispose }: a square map of 'color' or a 'shadow'
//   _makeModel(layout, notes)   a model of base_model.js
//   _fill(model, bitmaps)       fills the model, and throws errors of the GPU
//   _drawFrame()                draws `frame` and the runs of `records`
import { decodeTextures, makeStraight } from './image.js';
import { GROUND_SIZE, SHADOW_SIZE, groundOf, groundShadowOf, lightOf, lookOf, mapSize, toTexture } from './look.js';
import { materialsOf, omissionsOf } from './materials.js';
import { RecordLayout, Records } from './records.js';

export class BaseRenderer {
    // `api` is its name in messages.
    constructor(canvas, kind, api) {
        Object.assign(this, { canvas, kind, api, onLost: null, isLost: false, maps: null });
        this.size = null; // of the target: { width, height }
        this.shadowKey = []; // numbers: the maps are valid for these and the records
        this.models = new Set();
        this.records = new Records();
    }

    resize(width, height) {
        if (this.isLost) return;
        if (this.size?.width === width && this.size.height === height) return;
        const limit = this.maxSize.picture;
        if (width > limit || height > limit) {
            const sizes = `${limit} x ${limit}, not ${width} x ${height}`;
            throw new Error(`this browser's ${this.api} draws pictures of at most ${sizes}`);
        }
        this.size = { width, height };
        Object.assign(this.canvas, this.size);
        this.resizeTarget();
    }

    async addModel(asset, file = null) {
        const layout = new RecordLayout(asset, materialsOf(asset, file));
        const notes = omissionsOf(layout.parts);
        const bitmaps = await decodeTextures(asset, layout.parts, this.maxSize.texture, notes);
        const model = this.makeModel(layout, notes);
        try {
            await this.fill(model, bitmaps);
        } catch (error) {
            model.dispose();
            throw error;
        } finally {
            for (const bitmap of bitmaps.values()) bitmap?.close();
        }
        model.onDispose = () => this.models.delete(model);
        this.models.add(model);
        return model;
    }

    // ---- A frame ----

    draw(view, objects) {
        if (this.isLost) return;
        this.records.fill(objects);
        this.#resizeMaps(objects);
        this.frame = this.#frameOf(view);
        this.drawFrame();
    }

    #frameOf(view) {
        const light = lightOf(view.box);
        const ground = groundOf(view);
        return {
            view, ground, look: lookOf(view), fade: view.fade ?? 0,
            light: light.matrix, lightTexture: toTexture(light.matrix),
            shadowTexel: Math.max(light.size[0], light.size[1]) / this.maps.shadow.size, // metres
            groundShadow: groundShadowOf(view.box, light, ground.center[1]),
            shadowsChanged: this.#shadowsChanged(light, ground, view),
        };
    }

    // Whether the maps of shadows must be drawn: not when only the camera moves.
    #shadowsChanged({ matrix }, { center }, { ground }) {
        const key = [...matrix, center[1], Number(Boolean(ground))];
        const changed = this.records.changed || key.some((value, i) => value !== this.shadowKey[i]);
        this.shadowKey = key;
        return changed;
    }

    async read() {
        const { width, height } = this.size;
        const pixels = await this.readPixels();
        makeStraight(pixels);
        return new ImageData(pixels, width, height);
    }

    // ---- Maps of shadows ----

    // Resizes the maps for the largest crowd.
    #resizeMaps(objects) {
        let crowd = 0;
        for (const { mixers } of objects) crowd = Math.max(crowd, mixers?.length ?? 0);
        const size = mapSize(GROUND_SIZE, crowd);
        if (this.maps?.half.size === size) return;
        this.#disposeMaps();
        this.maps = { shadow: this.makeMap(mapSize(SHADOW_SIZE, crowd), 'shadow'),
            half: this.makeMap(size, 'color'), ground: this.makeMap(size, 'color') };
        this.shadowKey = [];
    }

    #disposeMaps() {
        if (!this.maps) return;
        const { shadow, half, ground } = this.maps;
        for (const map of [shadow, half, ground]) map.dispose();
        this.maps = null;
    }

    // ---- The end ----

    dispose() {
        this.isLost = true;
        for (const model of [...this.models]) model.dispose();
        this.#disposeMaps();
    }
}
