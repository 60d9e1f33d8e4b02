// SPDX-License-Identifier: MIT
// The base class of the renderers: models, canvas size, maps, and the data of a frame. Each renderer implements
// the methods at the end of the class.
import { decodeTextures, makeStraight } from './image.js';
import { GROUND_SIZE, SHADOW_SIZE, groundOf, groundShadowOf, lightOf, lookOf, mapSize, toTexture } from './look.js';
import { materialsOf, omissionsOf } from './materials.js';
import { RecordLayout, Records } from './records.js';
/** @import { Asset } from '../sinew/index.js' */

const MISSING = 'the renderer lacks a method';

/** @typedef {Uint8ClampedArray<ArrayBuffer>} Pixels */
/** @typedef {Awaited<ReturnType<typeof decodeTextures>>} Bitmaps by the number of the texture */

/** @template {{ size: number, dispose(): void }} Square a map of the renderer */
export class BaseRenderer {
    // `api` is its name in messages.
    constructor(/** @type {HTMLCanvasElement} */ canvas, kind, api) {
        this.canvas = canvas;
        this.kind = kind;
        this.api = api;
        this.onLost = null;
        this.isLost = false;
        this.maps = null;
        this.size = null; // of the target: { width, height }
        this.shadowKey = []; // numbers: the maps are valid for these and the records
        this.models = new Set();
        this.records = new Records();
        this.frame = null; // the data of the frame
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

    async addModel(/** @type {Asset} */ asset, file = null) {
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

    // ---- Each renderer implements ----

    /**
     * The limits of a side in texels.
     * @returns {{ picture: number, texture: number }}
     */
    get maxSize() {
        throw new Error(MISSING);
    }

    /** Fits the render target to the canvas. */
    resizeTarget() {
        throw new Error(MISSING);
    }

    /**
     * The pixels of the last picture, premultiplied: RGBA, rows from top to bottom.
     * @returns {Pixels | Promise<Pixels>}
     */
    readPixels() {
        throw new Error(MISSING);
    }

    /**
     * Makes a square map.
     * @param {number} _size
     * @param {'color' | 'shadow'} _kind
     * @returns {Square}
     */
    makeMap(_size, _kind) {
        throw new Error(MISSING);
    }

    /**
     * @param {RecordLayout} _layout
     * @param {string[]} _notes
     * @returns {import('./base_model.js').BaseModel}
     */
    makeModel(_layout, _notes) {
        throw new Error(MISSING);
    }

    /**
     * Fills the model, and throws errors of the GPU.
     * @param {import('./base_model.js').BaseModel} _model
     * @param {Bitmaps} _bitmaps
     * @returns {void | Promise<void>}
     */
    fill(_model, _bitmaps) {
        throw new Error(MISSING);
    }

    /** Draws `frame` and the runs of `records`. */
    drawFrame() {
        throw new Error(MISSING);
    }
}
