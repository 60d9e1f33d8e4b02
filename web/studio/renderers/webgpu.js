// SPDX-License-Identifier: MIT
// The WebGPU renderer. It uses src/gpu/shaders/skin.wgsl, and shaders with the look of tools/render/shaders.
// renderer.js documents its interface.
import { BaseRenderer } from './base_renderer.js';
import { TOWARD_LIGHT, WIRE_COLOR, groundOf, inFront, texelsOf, tintOf } from './look.js';
import { BINDINGS } from './preamble.js';
import { MIXED, sidesOf } from './records.js';
import { shaderTexts } from './text.js';
import { WebgpuModel } from './webgpu_model.js';
import { Pipelines, SIZES, Slots, SquareMap, Target, clipMatrix } from './webgpu_parts.js';

const TEXTS = ['skin.wgsl', 'model.wgsl', 'background.wgsl', 'ground.wgsl', 'blur.wgsl', 'present.wgsl'];
const FRAME_SLOTS = 16; // uniform slots of a frame, in addition to those of parts
const BOTH_SIDES = new Set(['shadow', 'press', 'wire']); // passes that draw both sides

async function requestDevice() {
    if (!navigator.gpu) throw new Error('this browser has no WebGPU, or it is switched off');
    const adapter = await navigator.gpu.requestAdapter();
    if (!adapter) throw new Error('this browser finds no graphics card for WebGPU');
    const { maxBufferSize, maxStorageBufferBindingSize, maxTextureDimension2D } = adapter.limits;
    const requiredLimits = { maxBufferSize, maxStorageBufferBindingSize, maxTextureDimension2D };
    const device = await adapter.requestDevice({ requiredLimits });
    device.addEventListener('uncapturederror', ({ error }) => console.error(error.message));
    return device;
}

export class WebgpuRenderer extends BaseRenderer {
    static async create(canvas) {
        const device = await requestDevice();
        const context = canvas.getContext('webgpu');
        if (!context) throw new Error('this canvas cannot be drawn on with WebGPU');
        const renderer = new WebgpuRenderer(canvas, context, device, await shaderTexts(TEXTS));
        device.lost.then(({ reason }) => {
            renderer.isLost = true;
            if (reason !== 'destroyed') renderer.onLost?.('the browser has taken WebGPU away from this page');
        });
        return renderer;
    }

    constructor(canvas, context, device, texts) {
        super(canvas, 'webgpu', 'WebGPU');
        Object.assign(this, { context, device });
        const format = navigator.gpu.getPreferredCanvasFormat();
        context.configure({ device, format, alphaMode: 'premultiplied' });
        this.pipelines = new Pipelines(device, texts, format);
        this.slots = new Slots(device);
        this.palette = null;
        this.offset = new Uint32Array(1); // the offset of a slot, for setBindGroup
        this.smooth = device.createSampler({ minFilter: 'linear', magFilter: 'linear' });
        this.comparing = device.createSampler({ minFilter: 'linear', magFilter: 'linear', compare: 'less-equal' });
        this.groups = null; // bind groups, made again when their resources change
        this.resize(canvas.width, canvas.height);
    }

    get _maxSize() {
        const { maxTextureDimension2D: most } = this.device.limits;
        return { picture: most, texture: most };
    }

    _makeTarget(width, height) {
        this.groups = null;
        return new Target(this.device, width, height);
    }

    _makeMap(size, kind) {
        this.groups = null;
        return new SquareMap(this.device, size, kind);
    }

    _makeModel(layout, notes) {
        return new WebgpuModel(this.device, this.pipelines, layout, notes);
    }

    async _fill(model, bitmaps) {
        await this._watch(() => model.fill(bitmaps));
    }

    // Calls a function, and throws its WebGPU errors, which are reported asynchronously.
    async _watch(make) {
        const { device } = this;
        const kinds = ['validation', 'out-of-memory'];
        for (const kind of kinds) device.pushErrorScope(kind);
        let errors;
        try {
            make();
        } finally {
            errors = await Promise.all(kinds.map(() => device.popErrorScope()));
        }
        const error = errors.find((found) => found);
        if (!error) return;
        throw new Error(`WebGPU reports an error: ${error.message || 'out of memory'}`);
    }

    // ---- A frame ----

    _drawFrame() {
        const { view, area } = this.frame;
        this._writeSlots();
        this._upload();
        this._bind();
        const encoder = this.device.createCommandEncoder();
        this._paintShadowMap(encoder);
        if (view.ground) area.maps.forEach((map, i) => this._paintGroundMap(encoder, map, i));
        this._paint(encoder);
        this._present(encoder);
        this.device.queue.submit([encoder.finish()]);
    }

    // Uploads all poses of the frame at once.
    _upload() {
        const { device } = this;
        const { floats, texels } = this.records;
        if (this.palette?.size !== floats.byteLength) {
            const most = device.limits.maxStorageBufferBindingSize;
            if (floats.byteLength > most) {
                throw new Error(`the poses have ${floats.byteLength} bytes: this browser's WebGPU allows ${most}`);
            }
            this.palette?.destroy();
            this.palette = device.createBuffer({ size: floats.byteLength,
                usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST });
            this.groups = null;
        }
        device.queue.writeBuffer(this.palette, 0, floats, 0, 4 * texels);
        this.slots.upload();
    }

    // ---- Numbers ----

    _writeSlots() {
        const { slots, frame } = this;
        const { runs } = this.records;
        let parts = 0;
        for (const { model } of runs) parts += model.drawn.length;
        const generation = slots.generation;
        slots.begin(FRAME_SLOTS + parts);
        if (slots.generation !== generation) this.groups = null;
        const { light, area, view } = frame;
        const matrix = view.camera.viewProjection;
        frame.slots = {
            shadow: this._writePass(light, true),
            picture: this._writePass(matrix, false),
            wire: this._writePass(inFront(matrix), false),
            wireColor: this._writeWire(),
            background: this._writeBackground(),
            ground: this._writeGround(),
            maps: area.maps.map((map) => ({ press: this._writePass(map.matrix, true),
                across: this._writeBlur(map, 1, 0, true), along: this._writeBlur(map, 0, 1, false) })),
        };
        for (const run of runs) this._writeRun(run);
    }

    _writePass(matrix, isMap) {
        const { slots, frame } = this;
        const at = slots.next();
        clipMatrix(matrix, isMap, slots.floats, at);
        slots.floats.set(frame.lightTexture, at + 16);
        slots.floats.set(TOWARD_LIGHT, at + 32);
        slots.floats[at + 35] = frame.shadowTexel;
        slots.floats.set(frame.view.camera.eye, at + 36);
        return at;
    }

    _writeWire() {
        const at = this.slots.next();
        this.slots.floats.set(WIRE_COLOR, at + 4);
        return at;
    }

    _writeBackground() {
        const { slots, frame, target } = this;
        const at = slots.next();
        slots.floats.set(frame.look.top, at);
        slots.floats[at + 3] = target.height;
        slots.floats.set(frame.look.bottom, at + 4);
        return at;
    }

    _writeGround() {
        const { slots, frame } = this;
        const { center, reach, spacing } = groundOf(frame.view);
        const at = slots.next();
        clipMatrix(frame.view.camera.viewProjection, false, slots.floats, at);
        slots.floats.set(center, at + 16);
        slots.floats[at + 19] = reach;
        slots.floats.set(frame.area.middle, at + 20);
        slots.floats[at + 23] = frame.area.half;
        slots.floats.set(frame.look.line, at + 24);
        slots.floats[at + 28] = spacing;
        return at;
    }

    _writeBlur({ limit, wide }, x, y, isFirst) {
        const { slots, frame } = this;
        const at = slots.next();
        slots.floats.set([x, y, limit, wide / frame.groundTexel], at);
        slots.integers[at + 4] = isFirst ? 1 : 0;
        return at;
    }

    // Writes a slot for each part.
    _writeRun(run) {
        const { slots, frame } = this;
        const { opacity, tint } = tintOf(run.object.ghost, frame.fade);
        run.slot = slots.count * 64;
        for (const { part, mesh } of run.model.drawn) {
            const at = slots.next();
            slots.integers[at] = run.first;
            slots.integers[at + 1] = run.stride;
            slots.integers[at + 2] = part.firstWeight;
            slots.integers[at + 3] = mesh.morph;
            slots.floats.set(tint, at + 4);
            slots.floats[at + 8] = opacity;
            slots.integers[at + 9] = run.hands[part.group] === MIXED ? 1 : 0;
        }
    }

    // ---- Bind groups ----

    _bind() {
        if (this.groups) return;
        const { device, pipelines, slots, palette, maps, target, smooth, comparing } = this;
        const group = (name, ...resources) => device.createBindGroup({ layout: pipelines.layouts[name],
            entries: resources.map((resource, binding) => ({ binding, resource })) });
        const numbers = (size) => ({ buffer: slots.buffer, size });
        const entries = [{ binding: BINDINGS.PALETTE, resource: { buffer: palette } },
            { binding: BINDINGS.DRAW, resource: numbers(SIZES.draw) }];
        this.groups = {
            pass: group('pass', numbers(SIZES.pass)),
            picture: group('picture', numbers(SIZES.pass), maps.shadow.view, comparing),
            part: group('part', numbers(SIZES.part)),
            skin: { entries, group: device.createBindGroup({ layout: pipelines.layouts.skin, entries }) },
            blur: group('blur', numbers(SIZES.blur)),
            // An unused binding also needs a texture, which must not be the render target.
            pressed: maps.grounds.map((ground) => group('blurred', maps.pressed.view, ground.view, smooth)),
            blurred: group('blurred', maps.pressed.view, maps.half.view, smooth),
            ground: group('ground', numbers(SIZES.ground)),
            maps: group('maps', ...maps.grounds.map(({ view }) => view), smooth),
            background: group('background', numbers(SIZES.background)),
            image: group('image', target.resolved.createView(), smooth),
        };
    }

    _setNumbers(pass, index, group, slot) {
        this.offset[0] = 4 * slot;
        pass.setBindGroup(index, group, this.offset, 0, 1);
    }

    // ---- Models ----

    _paintPart(pass, passName, run, index) {
        const { pipelines, groups } = this;
        const drawn = run.model.drawn[index];
        const { mesh, rigid, materialGroup } = drawn;
        const slot = run.slot + 64 * index;
        const sides = BOTH_SIDES.has(passName) ? 'both' : sidesOf(drawn, run);
        pass.setPipeline(pipelines.ofModel(passName, mesh.kind, sides));
        this._setNumbers(pass, 1, groups.part, passName === 'wire' ? this.frame.slots.wireColor : slot);
        pass.setBindGroup(2, materialGroup);
        this._setNumbers(pass, 3, mesh.skinGroupOf(groups.skin, pipelines.layouts.morph), slot);
        mesh.draw(pass, run.count, rigid, passName === 'wire');
    }

    _paintParts(pass, passName, isBlended, ghost) {
        for (const [run, index] of this.records.parts(isBlended, ghost)) this._paintPart(pass, passName, run, index);
    }

    // ---- Shadows ----

    _paintDepth(encoder, view, passName, slot) {
        const pass = encoder.beginRenderPass({ colorAttachments: [], depthStencilAttachment:
            { view, depthClearValue: 1, depthLoadOp: 'clear', depthStoreOp: 'store' } });
        this._setNumbers(pass, 0, this.groups.pass, slot);
        this._paintParts(pass, passName, false);
        pass.end();
    }

    _paintShadowMap(encoder) {
        this._paintDepth(encoder, this.maps.shadow.view, 'shadow', this.frame.slots.shadow);
    }

    // The shadow pass projected onto the ground, then blurred horizontally and vertically.
    _paintGroundMap(encoder, map, index) {
        const { groups, maps: { pressed, half, grounds } } = this;
        const { press, across, along } = this.frame.slots.maps[index];
        this._paintDepth(encoder, pressed.view, 'press', press);
        const part = texelsOf(map.part, half.size);
        this._blur(encoder, half.view, groups.pressed[index], across, part);
        this._blur(encoder, grounds[index].view, groups.blurred, along, part);
    }

    _blur(encoder, view, source, slot, part) {
        const pass = encoder.beginRenderPass({ colorAttachments: [{ view, loadOp: 'clear', storeOp: 'store' }] });
        pass.setPipeline(this.pipelines.blur);
        pass.setScissorRect(...part);
        this._setNumbers(pass, 0, this.groups.blur, slot);
        pass.setBindGroup(1, source);
        pass.draw(3);
        pass.end();
    }

    // ---- The picture ----

    _paint(encoder) {
        const { target, frame } = this;
        const ghosts = this.records.ghosts();
        let pass = target.pass(encoder, true, ghosts.length === 0);
        this._paintBehind(pass);
        ghosts.forEach((ghost, i) => { // each is behind everything that is drawn after it, at any position
            this._paintTranslucent(pass, ghost);
            pass.end();
            pass = target.pass(encoder, false, i === ghosts.length - 1);
        });
        if (frame.fade > 0) this._paintTranslucent(pass, null);
        else this._paintSolid(pass);
        pass.end();
    }

    _paintBehind(pass) {
        const { pipelines, groups, frame } = this;
        if (!frame.look.transparent) {
            pass.setPipeline(pipelines.background);
            this._setNumbers(pass, 0, groups.background, frame.slots.background);
            pass.draw(3);
        }
        if (!frame.view.ground) return;
        pass.setPipeline(pipelines.ground);
        this._setNumbers(pass, 0, groups.ground, frame.slots.ground);
        pass.setBindGroup(1, groups.maps);
        pass.draw(4);
    }

    // Draws depth first, then only the nearest surfaces: a translucent model shows its outside, not its inner parts.
    _paintTranslucent(pass, ghost) {
        this._setNumbers(pass, 0, this.groups.picture, this.frame.slots.picture);
        this._paintParts(pass, 'depth', false, ghost);
        this._paintParts(pass, 'nearest', false, ghost);
        this._paintParts(pass, 'nearest', true, ghost);
    }

    _paintSolid(pass) {
        const { groups, frame } = this;
        this._setNumbers(pass, 0, groups.picture, frame.slots.picture);
        this._paintParts(pass, 'solid', false);
        this._paintParts(pass, 'blended', true);
        if (!frame.view.wireframe) return;
        this._setNumbers(pass, 0, groups.pass, frame.slots.wire);
        this._paintParts(pass, 'wire', false);
        this._paintParts(pass, 'wire', true);
    }

    // Converts the picture from linear light to the sRGB of the canvas.
    _present(encoder) {
        const view = this.context.getCurrentTexture().createView();
        const pass = encoder.beginRenderPass({ colorAttachments: [{ view, loadOp: 'clear', storeOp: 'store' }] });
        pass.setPipeline(this.pipelines.present);
        pass.setBindGroup(0, this.groups.image);
        pass.draw(3);
        pass.end();
    }

    // ---- The end ----

    dispose() {
        super.dispose();
        this.slots.dispose();
        this.palette?.destroy();
        this.context.unconfigure();
        this.device.destroy();
    }
}
