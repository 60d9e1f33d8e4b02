// SPDX-License-Identifier: MIT
// Models of the WebGPU renderer: an asset on the GPU.
import { TEXTURE_WIDTH } from '../sinew/constants.js';
import { BaseModel } from './base_model.js';
import { deltasOf, edgesOf, jointsOf, morphOf, variantOf } from './geometry.js';
import { GREY, WHITE } from './image.js';
import { MAPS } from './materials.js';
import { BINDINGS } from './preamble.js';
import { COLOR_FORMAT, NUMBER_FORMAT, SIZES } from './webgpu_parts.js';
/** @import { Primitive } from '../sinew/index.js' */
/** @import { RecordLayout } from './records.js' */
/** @import { Pipelines } from './webgpu_parts.js' */

function makeBuffer(/** @type {GPUDevice} */ device, data, usage) {
    const buffer = device.createBuffer({ size: Math.max(4, data.byteLength), usage: usage | GPUBufferUsage.COPY_DST });
    device.queue.writeBuffer(buffer, 0, data);
    return buffer;
}

// The default attributes of vertices: no normal, UV 0, white, the whole weight on one joint.
const NOTHING = Float32Array.of(0, 0, 0, 0, 1, 1, 1, 1, 1, 0, 0, 0);
const ZERO = 0;
const ONES = 16; // bytes
const ONE = 32;

// ---- Meshes -----------------------------------------------------------------------------------------------------

// The vertices of one primitive, with the joints of one skin or with none.
class Mesh {
    constructor(/** @type {GPUDevice} */ device, /** @type {Primitive} */ primitive, influences, nothing) {
        const { normals, uvs, colors } = primitive;
        this.device = device;
        this.primitive = primitive;
        this.influences = influences;
        this.nothing = nothing;
        this.owned = [];
        this.edges = null;
        this.deltas = null;
        this.skinGroup = null;
        this.morph = morphOf(primitive);
        const kind = { ...variantOf(primitive, influences), joints: influences > 0,
            normals: normals !== null, uvs: uvs !== null, colors: colors !== null };
        this.kind = { ...kind, key: Object.values(kind).join() };
    }

    fill(firstJoint) {
        const { primitive, influences, nothing } = this;
        const { positions, normals, uvs, colors, weights } = primitive;
        this.vertices = [ // buffers and where in them to begin
            this.#vertices(positions), this.#vertices(normals) ?? [nothing, ZERO],
            this.#vertices(uvs) ?? [nothing, ZERO], this.#vertices(colors) ?? [nothing, ONES],
            this.#vertices(influences > 0 ? jointsOf(primitive, firstJoint) : null), // a rigid mesh has one joint
            this.#vertices(influences > 0 ? weights : null) ?? [nothing, ONE],
        ];
        this.indices = this.#buffer(primitive.indices, GPUBufferUsage.INDEX);
        if (this.morph > 0) this.deltas = this.#deltas();
    }

    #buffer(data, usage) {
        this.owned.push(makeBuffer(this.device, data, usage));
        return this.owned.at(-1);
    }

    #vertices(data) {
        return data ? [this.#buffer(data, GPUBufferUsage.VERTEX), 0] : null;
    }

    #deltas() {
        const { rows, texels } = deltasOf(this.primitive);
        const most = this.device.limits.maxTextureDimension2D;
        if (rows > most) throw new Error(`a texture with ${rows} rows is larger than this browser's WebGPU allows (${most})`);
        const texture = this.device.createTexture({ size: [TEXTURE_WIDTH, rows], format: 'rgba32float',
            usage: GPUTextureUsage.TEXTURE_BINDING | GPUTextureUsage.COPY_DST });
        this.owned.push(texture);
        this.device.queue.writeTexture({ texture }, texels, { bytesPerRow: 16 * TEXTURE_WIDTH }, [TEXTURE_WIDTH, rows]);
        return texture.createView();
    }

    // The bind group of skinning: the shared one, or one with the mesh's morph differences. `shared` is made again
    // with its buffers.
    skinGroupOf(shared, /** @type {GPUBindGroupLayout} */ layout) {
        if (!this.deltas) return shared.group;
        if (this.skinGroup?.of !== shared) {
            const entries = [...shared.entries, { binding: BINDINGS.DELTAS, resource: this.deltas }];
            this.skinGroup = { of: shared, group: this.device.createBindGroup({ layout, entries }) };
        }
        return this.skinGroup.group;
    }

    draw(pass, count, rigid, isEdges) {
        const { primitive, vertices } = this;
        for (let i = 0; i < vertices.length; i++) {
            const [buffer, offset] = vertices[i] ?? rigid;
            pass.setVertexBuffer(i, buffer, offset);
        }
        if (isEdges) this.edges ??= this.#buffer(edgesOf(primitive), GPUBufferUsage.INDEX);
        pass.setIndexBuffer(isEdges ? this.edges : this.indices, 'uint32');
        pass.drawIndexed((isEdges ? 2 : 1) * primitive.indexCount, count);
    }

    dispose() {
        for (const resource of this.owned) resource.destroy();
    }
}

// ---- Textures ---------------------------------------------------------------------------------------------------

function makeTexel(/** @type {GPUDevice} */ device, rgba) {
    const texture = device.createTexture({ size: [1, 1], format: COLOR_FORMAT,
        usage: GPUTextureUsage.TEXTURE_BINDING | GPUTextureUsage.COPY_DST });
    device.queue.writeTexture({ texture }, rgba, {}, [1, 1]);
    return texture;
}

// Writes the mipmaps of a texture.
function shrink(/** @type {GPUDevice} */ device, /** @type {Pipelines} */ pipelines, texture) {
    const encoder = device.createCommandEncoder();
    const sampler = device.createSampler({ minFilter: 'linear', magFilter: 'linear' });
    for (let level = 1; level < texture.mipLevelCount; level++) {
        const view = (baseMipLevel) => texture.createView({ baseMipLevel, mipLevelCount: 1 });
        const pass = encoder.beginRenderPass({
            colorAttachments: [{ view: view(level), loadOp: 'clear', storeOp: 'store' }] });
        pass.setPipeline(pipelines.shrink[texture.format]);
        pass.setBindGroup(0, device.createBindGroup({ layout: pipelines.layouts.image, entries: [
            { binding: 0, resource: view(level - 1) }, { binding: 1, resource: sampler }] }));
        pass.draw(3);
        pass.end();
    }
    device.queue.submit([encoder.finish()]);
}

function makePicture(/** @type {GPUDevice} */ device, /** @type {Pipelines} */ pipelines, bitmap, isColor) {
    if (!bitmap) return makeTexel(device, GREY);
    const { width, height } = bitmap;
    const texture = device.createTexture({ size: [width, height],
        format: isColor ? COLOR_FORMAT : NUMBER_FORMAT,
        mipLevelCount: 1 + Math.floor(Math.log2(Math.max(width, height))),
        usage: GPUTextureUsage.TEXTURE_BINDING | GPUTextureUsage.COPY_DST | GPUTextureUsage.RENDER_ATTACHMENT });
    device.queue.copyExternalImageToTexture({ source: bitmap }, { texture }, [width, height]);
    shrink(device, pipelines, texture);
    return texture;
}

function makeSampler(/** @type {GPUDevice} */ device, { wrapU, wrapV, nearest }) {
    const modes = { repeat: 'repeat', clamp: 'clamp-to-edge', mirror: 'mirror-repeat' };
    return device.createSampler({ addressModeU: modes[wrapU], addressModeV: modes[wrapV],
        magFilter: nearest ? 'nearest' : 'linear', minFilter: 'linear', mipmapFilter: 'linear' });
}

// ---- The model --------------------------------------------------------------------------------------------------

export class WebgpuModel extends BaseModel {
    constructor(/** @type {GPUDevice} */ device, /** @type {Pipelines} */ pipelines, /** @type {RecordLayout} */ layout, notes) {
        super(layout, notes);
        this.device = device;
        this.pipelines = pipelines;
        this.materials = [];
        this.nothing = makeBuffer(device, NOTHING, GPUBufferUsage.VERTEX);
        this.rigidJoints = makeBuffer(device, this.#rigidJoints(), GPUBufferUsage.VERTEX);
        this.white = { picture: makeTexel(device, WHITE), sampler: device.createSampler() };
    }

    // The joint indices of rigid meshes: for each group its first joint.
    #rigidJoints() {
        const joints = new Uint16Array(4 * this.layout.groups.length);
        this.layout.groups.forEach(({ first }, i) => { joints[4 * i] = first; });
        return joints;
    }

    makeMesh(/** @type {Primitive} */ primitive, influences) {
        return new Mesh(this.device, primitive, influences, this.nothing);
    }

    makeTexture(sampling, bitmap, isColor) {
        const { device, pipelines } = this;
        return { picture: makePicture(device, pipelines, bitmap, isColor), sampler: makeSampler(device, sampling) };
    }

    disposeTexture({ picture }) {
        picture.destroy();
    }

    // The defines are the overrides of model.wgsl: those of the picture, and those of the shadow.
    bind({ group, material }, textures) {
        const maps = MAPS.filter(({ key }) => textures[key]).map(({ define }) => define);
        return { rigid: [this.rigidJoints, 8 * group], materialGroup: this.#materialGroup(material, textures),
            defines: [...(material.unlit ? ['UNLIT'] : []), ...maps].join(' '),
            cutout: material.alphaMode === 'MASK' && textures.baseColorTexture ? 'BASE_COLOR_MAP' : '' };
    }

    #materialGroup(material, textures) {
        const { baseColor, emission, alphaMode, alphaCutoff, metallic, roughness } = material;
        const numbers = new ArrayBuffer(SIZES.material);
        new Float32Array(numbers).set([...baseColor, ...emission, alphaMode === 'MASK' ? alphaCutoff : -1,
            metallic, roughness, material.normalScale, material.occlusionStrength]);
        new Uint32Array(numbers, 48).set([alphaMode === 'OPAQUE', material.doubleSided]);
        const buffer = makeBuffer(this.device, numbers, GPUBufferUsage.UNIFORM);
        this.materials.push(buffer);
        const bound = MAPS.map(({ key }) => textures[key] ?? this.white);
        const resources = [{ buffer }, ...bound.map(({ picture }) => picture.createView()),
            ...bound.map(({ sampler }) => sampler)];
        return this.device.createBindGroup({ layout: this.pipelines.layouts.material,
            entries: resources.map((resource, binding) => ({ binding, resource })) });
    }

    dispose() {
        for (const buffer of [this.nothing, this.rigidJoints, ...this.materials]) buffer.destroy();
        this.disposeTexture(this.white);
        super.dispose();
    }
}
