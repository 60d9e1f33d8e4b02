// SPDX-License-Identifier: MIT
// The WebGPU renderer. It uses src/gpu/shaders/skin.wgsl, and shaders equal to those of WebGL2.
// renderer.js documents its interface.
import { BaseRenderer } from './base_renderer.js';
import { reflectionCube } from './environment.js';
import { KEY_COLOR, TOWARD_LIGHT, WIRE_COLOR, inFront, tintOf } from './look.js';
import { BINDINGS } from './preamble.js';
import { MIXED, sidesOf } from './records.js';
import { shaderTexts } from './text.js';
import { WebgpuModel } from './webgpu_model.js';
import { Pipelines, SIZES, Slots, SquareMap, Target, clipMatrix, makeCube, readTexture } from './webgpu_parts.js';
/** @import { RecordLayout } from './records.js' */

const TEXTS = ['skin.wgsl', 'model.wgsl', 'background.wgsl', 'ground.wgsl', 'shadow_map.wgsl', 'blur.wgsl', 'shrink.wgsl'];
const FRAME_SLOTS = 16; // uniform slots of a frame, in addition to those of parts
const BOTH_SIDES = new Set(['shadow', 'wire']); // passes that draw both sides

async function requestDevice() {
    if (!navigator.gpu) throw new Error('this browser has no WebGPU, or it’s turned off');
    const adapter = await navigator.gpu.requestAdapter();
    if (!adapter) throw new Error('this browser found no graphics card for WebGPU');
    const { maxBufferSize, maxStorageBufferBindingSize, maxTextureDimension2D } = adapter.limits;
    const requiredLimits = { maxBufferSize, maxStorageBufferBindingSize, maxTextureDimension2D };
    const device = await adapter.requestDevice({ requiredLimits });
    device.addEventListener('uncapturederror', ({ error }) => console.error(error.message));
    return device;
}

/** @extends {BaseRenderer<SquareMap>} */
export class WebgpuRenderer extends BaseRenderer {
    static async create(/** @type {HTMLCanvasElement} */ canvas) {
        const device = await requestDevice();
        const context = /** @type {GPUCanvasContext} */ (canvas.getContext('webgpu'));
        if (!context) throw new Error('WebGPU can’t draw on this canvas');
        const renderer = new WebgpuRenderer(canvas, context, device, await shaderTexts(TEXTS));
        device.lost.then(({ reason }) => {
            renderer.isLost = true;
            if (reason !== 'destroyed') renderer.onLost?.('the browser took WebGPU away from this page');
        });
        return renderer;
    }

    /**
     * @param {HTMLCanvasElement} canvas
     * @param {GPUCanvasContext} context
     * @param {GPUDevice} device
     * @param {Record<string, string>} texts
     */
    constructor(canvas, context, device, texts) {
        super(canvas, 'webgpu', 'WebGPU');
        this.context = context;
        this.device = device;
        const format = navigator.gpu.getPreferredCanvasFormat();
        const usage = GPUTextureUsage.RENDER_ATTACHMENT | GPUTextureUsage.COPY_SRC;
        context.configure({ device, format, usage, alphaMode: 'premultiplied' });
        this.pipelines = new Pipelines(device, texts, format);
        this.slots = new Slots(device);
        this.palette = null;
        this.offset = new Uint32Array(1); // the offset of a slot, for setBindGroup
        this.smooth = device.createSampler({ minFilter: 'linear', magFilter: 'linear', mipmapFilter: 'linear' });
        this.comparing = device.createSampler({ minFilter: 'linear', magFilter: 'linear', compare: 'less-equal' });
        this.environment = makeCube(device, reflectionCube());
        this.target = null;
        this.groups = null; // bind groups, made again when their resources change
        this.resize(canvas.width, canvas.height);
    }

    get maxSize() {
        const { maxTextureDimension2D: most } = this.device.limits;
        return { picture: most, texture: most };
    }

    resizeTarget() {
        this.target?.dispose();
        this.target = new Target(this.device, this.pipelines.format, this.size.width, this.size.height);
    }

    // Valid in the task that has drawn the picture: then the canvas gets another texture.
    async readPixels() {
        const pixels = await readTexture(this.device, this.context.getCurrentTexture());
        if (!this.pipelines.format.startsWith('bgra')) return pixels;
        for (let i = 0; i < pixels.length; i += 4) [pixels[i], pixels[i + 2]] = [pixels[i + 2], pixels[i]];
        return pixels;
    }

    makeMap(size, kind) {
        this.groups = null;
        return new SquareMap(this.device, size, kind);
    }

    makeModel(/** @type {RecordLayout} */ layout, notes) {
        return new WebgpuModel(this.device, this.pipelines, layout, notes);
    }

    async fill(model, bitmaps) {
        await this.#watch(() => model.fill(bitmaps));
    }

    // Calls a function, and throws its WebGPU errors, which are reported asynchronously.
    async #watch(make) {
        const { device } = this;
        /** @type {GPUErrorFilter[]} */
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

    drawFrame() {
        const { view, shadowsChanged } = this.frame;
        this.#writeSlots();
        this.#upload();
        this.#bind();
        const encoder = this.device.createCommandEncoder();
        if (shadowsChanged) this.#paintShadowMap(encoder);
        if (shadowsChanged && view.ground) this.#paintGroundMap(encoder);
        this.#paint(encoder);
        this.device.queue.submit([encoder.finish()]);
    }

    // Uploads all poses of the frame at once.
    #upload() {
        const { device } = this;
        const { floats, texels } = this.records;
        if (this.palette?.size !== floats.byteLength) {
            const most = device.limits.maxStorageBufferBindingSize;
            if (floats.byteLength > most) {
                throw new Error(`the poses have ${floats.byteLength} bytes, but this browser's WebGPU allows ${most}`);
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

    #writeSlots() {
        const { slots, frame } = this;
        const { runs } = this.records;
        let parts = 0;
        for (const { model } of runs) parts += model.drawn.length;
        const generation = slots.generation;
        slots.begin(FRAME_SLOTS + parts);
        if (slots.generation !== generation) this.groups = null;
        const { light, view, groundShadow: { reach } } = frame;
        const matrix = view.camera.viewProjection;
        frame.slots = {
            shadow: this.#writePass(light, true),
            picture: this.#writePass(matrix, false),
            wire: this.#writePass(inFront(matrix), false),
            wireColor: this.#writeWire(),
            background: this.#writeBackground(),
            ground: this.#writeGround(),
            across: this.#writeBlur(reach[0], 0, true),
            along: this.#writeBlur(0, reach[1], false),
        };
        for (const run of runs) this.#writeRun(run);
    }

    #writePass(matrix, isMap) {
        const { slots, frame } = this;
        const at = slots.next();
        clipMatrix(matrix, isMap, slots.floats, at);
        slots.floats.set(frame.lightTexture, at + 16);
        slots.floats.set(TOWARD_LIGHT, at + 32);
        slots.floats[at + 35] = frame.shadowTexel;
        slots.floats.set(frame.view.camera.eye, at + 36);
        slots.floats.set(KEY_COLOR, at + 40);
        return at;
    }

    #writeWire() {
        const at = this.slots.next();
        this.slots.floats.set(WIRE_COLOR, at + 4);
        return at;
    }

    #writeBackground() {
        const { slots, frame, size } = this;
        const at = slots.next();
        slots.floats.set(frame.look.top, at);
        slots.floats[at + 3] = size.height;
        slots.floats.set(frame.look.bottom, at + 4);
        return at;
    }

    #writeGround() {
        const { slots, frame } = this;
        const { center, reach, spacing } = frame.ground;
        const at = slots.next();
        clipMatrix(frame.view.camera.viewProjection, false, slots.floats, at);
        slots.floats.set(frame.lightTexture, at + 16);
        slots.floats.set(center, at + 32);
        slots.floats[at + 35] = reach;
        slots.floats.set(frame.look.line, at + 36);
        slots.floats[at + 40] = spacing;
        return at;
    }

    #writeBlur(x, y, isFirst) {
        const { slots, frame: { groundShadow: { plane, limit } }, maps } = this;
        const at = slots.next();
        slots.floats.set([...plane, limit, x, y, maps.ground.size], at);
        slots.integers[at + 7] = isFirst ? 1 : 0;
        return at;
    }

    // Writes a slot for each part.
    #writeRun(run) {
        const { slots, frame } = this;
        const { opacity, tint } = tintOf(run.ghost, frame.fade);
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

    #bind() {
        if (this.groups) return;
        const { device, pipelines, slots, palette, maps, smooth, comparing } = this;
        const group = (name, ...resources) => device.createBindGroup({ layout: pipelines.layouts[name],
            entries: resources.map((resource, binding) => ({ binding, resource })) });
        const numbers = (size) => ({ buffer: slots.buffer, size });
        const entries = [{ binding: BINDINGS.PALETTE, resource: { buffer: palette } },
            { binding: BINDINGS.DRAW, resource: numbers(SIZES.draw) }];
        this.groups = {
            pass: group('pass', numbers(SIZES.pass)),
            picture: group('picture', numbers(SIZES.pass), maps.shadow.view, comparing,
                this.environment.createView({ dimension: 'cube' }), smooth),
            part: group('part', numbers(SIZES.part)),
            skin: { entries, group: device.createBindGroup({ layout: pipelines.layouts.skin, entries }) },
            blur: group('blur', numbers(SIZES.blur)),
            // An unused binding also needs a texture, which must not be the render target.
            cast: group('blurred', maps.shadow.view, maps.ground.view, smooth),
            blurred: group('blurred', maps.shadow.view, maps.half.view, smooth),
            ground: group('ground', numbers(SIZES.ground)),
            maps: group('maps', maps.shadow.view, comparing, maps.ground.view, smooth),
            background: group('background', numbers(SIZES.background)),
        };
    }

    #setNumbers(pass, index, group, slot) {
        this.offset[0] = 4 * slot;
        pass.setBindGroup(index, group, this.offset, 0, 1);
    }

    // ---- Models ----

    #paintPart(pass, passName, run, index) {
        const { pipelines, groups } = this;
        const drawn = run.model.drawn[index];
        const { mesh, rigid, materialGroup } = drawn;
        const defines = passName === 'wire' ? '' : passName === 'shadow' ? drawn.cutout : drawn.defines;
        const slot = run.slot + 64 * index;
        const sides = BOTH_SIDES.has(passName) ? 'both' : sidesOf(drawn, run);
        pass.setPipeline(pipelines.ofModel(passName, mesh.kind, sides, defines));
        this.#setNumbers(pass, 1, groups.part, passName === 'wire' ? this.frame.slots.wireColor : slot);
        pass.setBindGroup(2, materialGroup);
        this.#setNumbers(pass, 3, mesh.skinGroupOf(groups.skin, pipelines.layouts.morph), slot);
        mesh.draw(pass, run.count, rigid, passName === 'wire');
    }

    #paintParts(pass, passName, isBlended, ghost) {
        for (const [run, index] of this.records.parts(isBlended, ghost)) this.#paintPart(pass, passName, run, index);
    }

    // ---- Shadows ----

    #paintShadowMap(encoder) {
        const { frame, groups, maps } = this;
        const pass = encoder.beginRenderPass({ colorAttachments: [], depthStencilAttachment:
            { view: maps.shadow.view, depthClearValue: 1, depthLoadOp: 'clear', depthStoreOp: 'store' } });
        this.#setNumbers(pass, 0, groups.pass, frame.slots.shadow);
        this.#paintParts(pass, 'shadow', false);
        pass.end();
    }

    // The shadow map, blurred horizontally and vertically.
    #paintGroundMap(encoder) {
        const { groups, frame: { slots }, maps: { half, ground } } = this;
        this.#blur(encoder, half.view, groups.cast, slots.across);
        this.#blur(encoder, ground.view, groups.blurred, slots.along);
    }

    #blur(encoder, view, source, slot) {
        const pass = encoder.beginRenderPass({ colorAttachments: [{ view, loadOp: 'clear', storeOp: 'store' }] });
        pass.setPipeline(this.pipelines.blur);
        this.#setNumbers(pass, 0, this.groups.blur, slot);
        pass.setBindGroup(1, source);
        pass.draw(3);
        pass.end();
    }

    // ---- The picture ----

    #paint(encoder) {
        const { target, frame } = this;
        const ghosts = this.records.ghosts();
        const canvas = this.context.getCurrentTexture().createView();
        let pass = target.pass(encoder, canvas, true, ghosts.length === 0);
        this.#paintBehind(pass);
        ghosts.forEach((ghost, i) => { // each is behind everything that is drawn after it, at any position
            this.#paintTranslucent(pass, ghost);
            pass.end();
            pass = target.pass(encoder, canvas, false, i === ghosts.length - 1);
        });
        if (frame.fade > 0) this.#paintTranslucent(pass, null);
        else this.#paintSolid(pass);
        pass.end();
    }

    #paintBehind(pass) {
        const { pipelines, groups, frame } = this;
        if (!frame.look.transparent) {
            pass.setPipeline(pipelines.background);
            this.#setNumbers(pass, 0, groups.background, frame.slots.background);
            pass.draw(3);
        }
        if (!frame.view.ground) return;
        pass.setPipeline(pipelines.ground);
        this.#setNumbers(pass, 0, groups.ground, frame.slots.ground);
        pass.setBindGroup(1, groups.maps);
        pass.draw(4);
    }

    // Draws depth first, then only the nearest surfaces: a translucent model shows its outside, not its inner parts.
    #paintTranslucent(pass, ghost) {
        this.#setNumbers(pass, 0, this.groups.picture, this.frame.slots.picture);
        this.#paintParts(pass, 'depth', false, ghost);
        this.#paintParts(pass, 'nearest', false, ghost);
        this.#paintParts(pass, 'nearest', true, ghost);
    }

    #paintSolid(pass) {
        const { groups, frame } = this;
        this.#setNumbers(pass, 0, groups.picture, frame.slots.picture);
        this.#paintParts(pass, 'solid', false);
        this.#paintParts(pass, 'blended', true);
        if (!frame.view.wireframe) return;
        this.#setNumbers(pass, 0, groups.pass, frame.slots.wire);
        this.#paintParts(pass, 'wire', false);
        this.#paintParts(pass, 'wire', true);
    }

    // ---- The end ----

    dispose() {
        super.dispose();
        this.target?.dispose();
        this.environment.destroy();
        this.slots.dispose();
        this.palette?.destroy();
        this.context.unconfigure();
        this.device.destroy();
    }
}
