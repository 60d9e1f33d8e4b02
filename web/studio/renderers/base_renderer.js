// What both renderers do alike: which models they have, how large their canvas and maps are, and what a frame needs.
// Each has in its own way:
//
//   _mostSize                   { picture, texture }: the most texels of a side
//   _makeTarget(width, height)  { width, height, read, dispose }: where pictures are drawn
//   _makeMap(size, kind)        { size, dispose }: a square map, of 'color', of 'depth', or a 'shadow' to be compared
//   _makeModel(layout, notes)   a model of base_model.js
//   _fill(model, bitmaps)       fills it, and throws what the GPU says of it
//   _drawFrame()                draws `frame`, and the runs of `records`
import { decodeTextures, makeStraight } from './image.js';
import { GROUND_SIZE, SHADOW_SIZE, groundAreaOf, lightOf, lookOf, mapSize, toTexture } from './look.js';
import { RecordLayout, Records } from './records.js';

export class BaseRenderer {
    // `api` is what people call it.
    constructor(canvas, kind, api) {
        Object.assign(this, { canvas, kind, api, onLost: null, isLost: false, target: null, maps: null });
        this.models = new Set();
        this.records = new Records();
    }

    resize(width, height) {
        if (this.isLost) return;
        if (this.target?.width === width && this.target.height === height) return;
        const most = this._mostSize.picture;
        if (width > most || height > most) {
            const limit = `${most} x ${most}, not ${width} x ${height}`;
            throw new Error(`this browser's ${this.api} draws pictures of at most ${limit}`);
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
        const bitmaps = await decodeTextures(asset, layout.parts, this._mostSize.texture, notes);
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

    draw(view, things) {
        if (this.isLost) return;
        this.records.fill(things);
        this._resizeMaps(things);
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

    // They have texels for the largest crowd.
    _resizeMaps(things) {
        let crowd = 0;
        for (const { mixers } of things) crowd = Math.max(crowd, mixers?.length ?? 0);
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
