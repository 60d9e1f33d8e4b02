// SPDX-License-Identifier: MIT
// The parts of the WebGPU renderer: pipelines, bind group layouts, uniforms and render targets.
import { harmonicsText, LEVELS } from './environment.js';
import { MAPS } from './materials.js';
import { BINDINGS, LOCATIONS, wgslPreamble } from './preamble.js';

export const COLOR_FORMAT = 'rgba8unorm-srgb'; // of textures
export const NUMBER_FORMAT = 'rgba8unorm';
const MAP_FORMAT = 'rgba8unorm';
const DEPTH_FORMAT = 'depth24plus';
const SAMPLES = 4;

// ---- Matrices ---------------------------------------------------------------------------------------------------

// Converts a matrix from OpenGL's depth range, -w to w, to WebGPU's, 0 to w. For maps that are sampled by OpenGL's
// coordinates it also flips y, since WebGPU's texture rows go down.
export function clipMatrix(matrix, isMap, out, at) {
    for (let i = 0; i < 16; i += 4) {
        out[at + i] = matrix[i];
        out[at + i + 1] = isMap ? -matrix[i + 1] : matrix[i + 1];
        out[at + i + 2] = 0.5 * (matrix[i + 2] + matrix[i + 3]);
        out[at + i + 3] = matrix[i + 3];
    }
}

// ---- Uniforms ---------------------------------------------------------------------------------------------------

const SLOT = 256; // bytes: the alignment of dynamic offsets of uniform buffers

// The uniforms of a frame, in slots. A shader sees one slot. One upload writes all.
export class Slots {
    constructor(/** @type {GPUDevice} */ device) {
        this.device = device;
        this.count = 0;
        this.generation = 0; // incremented with each new buffer
        this.#make(64);
    }

    #make(room) {
        this.buffer?.destroy();
        const usage = GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST;
        this.buffer = this.device.createBuffer({ size: SLOT * room, usage });
        this.floats = new Float32Array(SLOT / 4 * room);
        this.integers = new Int32Array(this.floats.buffer);
        this.generation++;
    }

    begin(count) {
        let room = this.floats.length / (SLOT / 4);
        while (room < count) room *= 2;
        if (room * SLOT > this.buffer.size) this.#make(room);
        this.count = 0;
    }

    // The offset of the next slot, in floats.
    next() {
        return SLOT / 4 * this.count++;
    }

    upload() {
        this.device.queue.writeBuffer(this.buffer, 0, this.floats, 0, SLOT / 4 * this.count);
    }

    dispose() {
        this.buffer.destroy();
    }
}

// ---- Bind group layouts -----------------------------------------------------------------------------------------

const VERTEX = 1; // of GPUShaderStage, which browsers without WebGPU do not define
const FRAGMENT = 2;

const numbers = (binding, visibility, minBindingSize) => (
    { binding, visibility, buffer: { type: 'uniform', hasDynamicOffset: true, minBindingSize } });
const texture = (binding, visibility, sampleType, viewDimension = '2d') => (
    { binding, visibility, texture: { sampleType, viewDimension } });
const sampler = (binding, type = 'filtering') => ({ binding, visibility: FRAGMENT, sampler: { type } });

// Sizes of the structs in web/studio/shaders.
export const SIZES = { pass: 176, part: 48, material: 64, draw: 16, blur: 32, ground: 176, background: 32 };

const LAYOUTS = {
    pass: [numbers(0, VERTEX | FRAGMENT, SIZES.pass)],
    picture: [numbers(0, VERTEX | FRAGMENT, SIZES.pass), texture(1, FRAGMENT, 'depth'), sampler(2, 'comparison'),
        texture(3, FRAGMENT, 'float', 'cube'), sampler(4)],
    part: [numbers(0, VERTEX | FRAGMENT, SIZES.part)],
    material: [{ binding: 0, visibility: FRAGMENT, buffer: { type: 'uniform', minBindingSize: SIZES.material } },
        ...MAPS.map((_, i) => texture(1 + i, FRAGMENT, 'float')), ...MAPS.map((_, i) => sampler(1 + MAPS.length + i))],
    skin: [{ binding: BINDINGS.PALETTE, visibility: VERTEX, buffer: { type: 'read-only-storage', minBindingSize: 16 } },
        numbers(BINDINGS.DRAW, VERTEX, SIZES.draw)],
    blur: [numbers(0, FRAGMENT, SIZES.blur)],
    blurred: [texture(0, FRAGMENT, 'depth'), texture(1, FRAGMENT, 'float'), sampler(2)],
    ground: [numbers(0, VERTEX | FRAGMENT, SIZES.ground)],
    maps: [texture(0, FRAGMENT, 'depth'), sampler(1, 'comparison'), texture(2, FRAGMENT, 'float'), sampler(3)],
    background: [numbers(0, FRAGMENT, SIZES.background)],
    image: [texture(0, FRAGMENT, 'float'), sampler(1)],
};
LAYOUTS.morph = [...LAYOUTS.skin, texture(BINDINGS.DELTAS, VERTEX, 'unfilterable-float')];

// ---- Pipelines --------------------------------------------------------------------------------------------------

const OVER = { srcFactor: 'one', dstFactor: 'one-minus-src-alpha' };
const BLEND = { color: OVER, alpha: OVER };

const drawn = (depthCompare, depthWriteEnabled, target) => ({
    group: 'picture', fragment: 'picture', depth: { depthCompare, depthWriteEnabled }, target });

// The passes that draw a model.
const PASSES = {
    shadow: { group: 'pass', fragment: 'cutout',
        depth: { depthCompare: 'less', depthWriteEnabled: true, depthBias: 2, depthBiasSlopeScale: 1.5 } },
    solid: drawn('less', true, {}),
    blended: drawn('less', false, { blend: BLEND }),
    // Draws depth first, then only the nearest surfaces.
    depth: drawn('less', true, { writeMask: 0 }),
    nearest: drawn('less-equal', false, { blend: BLEND }),
    wire: { group: 'pass', fragment: 'wire', isLines: true, depth: { depthCompare: 'less', depthWriteEnabled: false },
        target: { blend: BLEND } },
};

// The vertex buffers in order. Those that a mesh does not have get a stride of 0: all vertices read the same value.
function vertexBuffers({ influences, joints, normals, uvs, colors }) {
    const one = (has, stride, ...attributes) => ({ arrayStride: has ? stride : 0, attributes });
    const at = (name, format, offset = 0) => ({ shaderLocation: LOCATIONS[name], format, offset });
    const second = influences === 8;
    return [
        one(true, 12, at('POSITION', 'float32x3')),
        one(normals, 12, at('NORMAL', 'float32x3')),
        one(uvs, 8, at('UV', 'float32x2')),
        one(colors, 16, at('COLOR', 'float32x4')),
        one(joints, 2 * influences, at('JOINTS', 'uint16x4'), ...(second ? [at('JOINTS2', 'uint16x4', 8)] : [])),
        one(joints, 4 * influences, at('WEIGHTS', 'float32x4'), ...(second ? [at('WEIGHTS2', 'float32x4', 16)] : [])),
    ];
}

// The shaders that include shadow_map.wgsl.
const HAS_SHADOW = ['ground.wgsl', 'model.wgsl'];

// The constants of model.wgsl.
const environmentText = () => `const MAX_LEVEL = ${LEVELS.length - 1}.0;\n` +
    `const HARMONICS = array<vec3f, 9>(${harmonicsText('vec3f')});\n`;

export class Pipelines {
    constructor(/** @type {GPUDevice} */ device, texts, format) {
        this.device = device;
        this.texts = texts;
        this.format = format;
        this.models = new Map();
        this.modules = new Map();
        this.environment = environmentText();
        this.layouts = {};
        for (const name in LAYOUTS) this.layouts[name] = device.createBindGroupLayout({ entries: LAYOUTS[name] });
        this.background = this.#screen('background.wgsl', 'gradient', ['background'], { format }, true);
        this.ground = this.#screen('ground.wgsl', 'cover', ['ground', 'maps'], { format, blend: BLEND }, true,
            { topology: 'triangle-strip' });
        this.blur = this.#screen('blur.wgsl', 'spread', ['blur', 'blurred'], { format: MAP_FORMAT });
        this.shrink = {}; // by format
        for (const format of [COLOR_FORMAT, NUMBER_FORMAT]) {
            this.shrink[format] = this.#screen('shrink.wgsl', 'shrink', ['image'], { format });
        }
    }

    #module(name, before = '') {
        const key = before + name, included = HAS_SHADOW.includes(name) ? this.texts['shadow_map.wgsl'] : '';
        if (!this.modules.has(key)) {
            this.modules.set(key, this.device.createShaderModule({ label: name, code: before + included + this.texts[name] }));
        }
        return this.modules.get(key);
    }

    #layout(names) {
        return this.device.createPipelineLayout({ bindGroupLayouts: names.map((name) => this.layouts[name]) });
    }

    // A pipeline without vertex buffers. In the picture, with depth, the ground is hidden by objects in front of it.
    #screen(name, fragment, groups, target, inPicture = false, primitive = {}) {
        const module = this.#module(name);
        const depthCompare = target.blend ? 'less' : 'always';
        return this.device.createRenderPipeline({
            label: name, layout: this.#layout(groups), primitive, vertex: { module }, fragment:
                { module, entryPoint: fragment, targets: [target] },
            ...(inPicture && { multisample: { count: SAMPLES },
                depthStencil: { format: DEPTH_FORMAT, depthCompare, depthWriteEnabled: false } }),
        });
    }

    // `kind` is the layout of the vertices: see vertexBuffers, and the meshes of webgpu_model.js. `sides`: see
    // sidesOf. `defines`: the overrides of model.wgsl that are true, separated by spaces.
    ofModel(passName, kind, sides, defines) {
        const key = `${passName} ${sides} ${kind.key} ${defines}`;
        let pipeline = this.models.get(key);
        if (!pipeline) this.models.set(key, pipeline = this.#makeModel(PASSES[passName], kind, sides, defines));
        return pipeline;
    }

    #makeModel({ group, fragment, isLines, depth, target }, kind, sides, defines) {
        const module = this.#module('model.wgsl', this.environment + wgslPreamble(kind) + this.texts['skin.wgsl']);
        const constants = Object.fromEntries(defines.split(' ').filter(Boolean).map((name) => [name, 1]));
        const isDrawn = target || defines !== ''; // an opaque shadow needs no fragments
        return this.device.createRenderPipeline({
            label: `${fragment} ${kind.key}`,
            layout: this.#layout([group, 'part', 'material', kind.morph ? 'morph' : 'skin']),
            vertex: { module, entryPoint: `vertex${kind.influences}`, buffers: vertexBuffers(kind) },
            primitive: isLines ? { topology: 'line-list' }
                : sides === 'both' ? {} : { cullMode: 'back', frontFace: sides },
            depthStencil: { format: DEPTH_FORMAT, ...depth },
            multisample: { count: target ? SAMPLES : 1 },
            ...(isDrawn && { fragment: { module, entryPoint: fragment, constants,
                targets: target ? [{ format: this.format, ...target }] : [] } }),
        });
    }
}

// ---- Render targets ---------------------------------------------------------------------------------------------

const USED_AS_MAP = 4 | 16; // TEXTURE_BINDING, RENDER_ATTACHMENT

// A square map of 'color', otherwise of depth.
export class SquareMap {
    constructor(/** @type {GPUDevice} */ device, size, kind) {
        this.size = size;
        const format = kind === 'color' ? MAP_FORMAT : DEPTH_FORMAT;
        this.texture = device.createTexture({ size: [size, size], format, usage: USED_AS_MAP });
        this.view = this.texture.createView();
    }

    dispose() {
        this.texture.destroy();
    }
}

// The render target of pictures: multisampled, and resolved to the canvas.
export class Target {
    constructor(/** @type {GPUDevice} */ device, format, width, height) {
        this.textures = [format, DEPTH_FORMAT].map((one) => device.createTexture({ size: [width, height], format: one,
            usage: GPUTextureUsage.RENDER_ATTACHMENT, sampleCount: SAMPLES }));
        this.views = this.textures.map((texture) => texture.createView());
    }

    // Begins a pass with cleared depth. The first pass clears the colour; the last one resolves the samples.
    pass(encoder, resolveTarget, isFirst, isLast) {
        const [color, depth] = this.views;
        return encoder.beginRenderPass({
            colorAttachments: [{ view: color, loadOp: isFirst ? 'clear' : 'load', storeOp: isLast ? 'discard' : 'store',
                ...(isLast && { resolveTarget }) }],
            depthStencilAttachment: { view: depth, depthClearValue: 1, depthLoadOp: 'clear', depthStoreOp: 'discard' },
        });
    }

    dispose() {
        for (const texture of this.textures) texture.destroy();
    }
}

// The bytes of a texture, rows from top to bottom.
export async function readTexture(/** @type {GPUDevice} */ device, texture) {
    const { width, height } = texture;
    const bytesPerRow = Math.ceil(4 * width / 256) * 256;
    const usage = GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ;
    const buffer = device.createBuffer({ size: bytesPerRow * height, usage });
    const encoder = device.createCommandEncoder();
    encoder.copyTextureToBuffer({ texture }, { buffer, bytesPerRow }, [width, height]);
    device.queue.submit([encoder.finish()]);
    try {
        await buffer.mapAsync(GPUMapMode.READ);
        const rows = new Uint8Array(buffer.getMappedRange());
        const pixels = new Uint8ClampedArray(4 * width * height);
        for (let row = 0; row < height; row++) {
            pixels.set(rows.subarray(bytesPerRow * row, bytesPerRow * row + 4 * width), 4 * width * row);
        }
        return pixels;
    } finally {
        buffer.destroy();
    }
}

// The cube map of environment.js.
export function makeCube(/** @type {GPUDevice} */ device, levels) {
    const { size } = levels[0];
    const texture = device.createTexture({ size: [size, size, 6], format: 'rgba16float', mipLevelCount: levels.length,
        usage: GPUTextureUsage.TEXTURE_BINDING | GPUTextureUsage.COPY_DST });
    levels.forEach(({ size: side, faces }, mipLevel) => faces.forEach((texels, face) => {
        device.queue.writeTexture({ texture, mipLevel, origin: [0, 0, face] }, texels, { bytesPerRow: 8 * side },
            [side, side]);
    }));
    return texture;
}
