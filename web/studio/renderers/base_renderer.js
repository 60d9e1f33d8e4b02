// SPDX-License-Identifier: MIT
// The base class of the renderers: models, canvas size, maps, and the data of a frame. Each renderer implements:
//
//   _maxSize                    { picture, texture }: the limits of a side in texels
//   _makeTarget(width, height)  { width, height, read, dispose }: the render target
//   _makeMap(size, kind)        { size, dispose }: a square map of 'color', of 'depth', or a 'shadow' for comparison
//   _makeModel(layout, notes)   a model of base_model.js
//   _fill(model, bitmaps)       fills the model, and throws errors of the GPU
//   _drawFrame()                draws `frame` and the runs of `records`
import { decodeTextures, makeStraight } from './image.js';
import { GROUND_SIZE, SHADOW_SIZE, groundAreaOf, lightOf, lookOf, mapSize, toTexture } from './look.js';
import { RecordLayout, Records } from './records.js';

export class BaseRenderer {
    // `api` is its name in messages.
    constructor(canvas, kind, api) {
        Object.assign(this, { canvas, kind, api, onLost: null, isLost: false, target: null, maps: null });
        this.models = new Set();
        this.records = new Records();
    }

    resize(width, height) {
        if (this.isLost) return;
        if (this.target?.width === width && this.target.height === height) return;
        const limit = this._maxSize.picture;
        if (width > limit || height > limit) {
            const sizes = `${limit} x ${limit}, not ${width} x ${height}`;
            throw new Error(`this browser's ${this.api} draws pictures of at most ${sizes}`);
        }
        const target = this._makeTarget(width, height);
        this.target?.dispose();
        this.target = target;
        this.canvas.width = width;
        this.canvas.height = height;
    }

    async addModel(asset) {
        const layout = new RecordLayout(asset);
        const notes = [];
        const bitmaps = await decodeTextures(asset, layout.parts, this._maxSize.texture, notes);
        const model = this._makeModel(layout, notes);
        try {
            await this._fill(model, bitmaps);
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
        this._resizeMaps(objects);
        this.frame = this._frameOf(view);
        this._drawFrame();
    }

    _frameOf(view) {
        const { shadow, half } = this.maps;
        const light = lightOf(view.box);
        const area = groundAreaOf(view.box);
        return {
            view, area, look: lookOf(view), fade: view.fade ?? 0,
            light: light.matrix, lightTexture: toTexture(light.matrix),
            shadowTexel: light.width / shadow.size, groundTexel: 2 * area.half / half.size, // metres
        };
    }

    async read() {
        const { width, height } = this.target;
        const pixels = await this.target.read();
        makeStraight(pixels);
        return new ImageData(pixels, width, height);
    }

    // ---- Maps of shadows ----

    // Resizes the maps for the largest crowd.
    _resizeMaps(objects) {
        let crowd = 0;
        for (const { mixers } of objects) crowd = Math.max(crowd, mixers?.length ?? 0);
        const size = mapSize(GROUND_SIZE, crowd);
        if (this.maps?.half.size === size) return;
        this._disposeMaps();
        const color = () => this._makeMap(size, 'color');
        this.maps = { shadow: this._makeMap(mapSize(SHADOW_SIZE, crowd), 'shadow'),
            pressed: this._makeMap(size, 'depth'), half: color(), grounds: [color(), color()] };
    }

    _disposeMaps() {
        if (!this.maps) return;
        const { shadow, pressed, half, grounds } = this.maps;
        for (const map of [shadow, pressed, half, ...grounds]) map.dispose();
        this.maps = null;
    }

    // ---- The end ----

    dispose() {
        this.isLost = true;
        for (const model of [...this.models]) model.dispose();
        this._disposeMaps();
        this.target.dispose();
    }
}
