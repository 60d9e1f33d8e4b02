// SPDX-License-Identifier: MIT
// Models of the WebGL2 renderer: an asset on the GPU.
import { TEXTURE_WIDTH } from '../sinew/constants.js';
import { BaseModel } from './base_model.js';
import { deltasOf, edgesOf, jointsOf, morphOf, variantOf } from './geometry.js';
import { GREY } from './image.js';
import { MAPS } from './materials.js';
import { LOCATIONS } from './preamble.js';
import { makeTexels } from './webgl_parts.js';
/** @import { Primitive } from '../sinew/index.js' */
/** @import { RecordLayout } from './records.js' */

// SHADOW compares depths, and SHADOW_DEPTH reads them. Those of MAPS follow.
export const UNITS = { PALETTE: 0, DELTAS: 1, SHADOW: 2, SHADOW_DEPTH: 3, GROUND: 4, ENVIRONMENT: 5, MAPS: 6 };

// ---- Meshes -----------------------------------------------------------------------------------------------------

// The vertices of one primitive, with the joints of one skin or with none.
class Mesh {
    constructor(/** @type {WebGL2RenderingContext} */ gl, /** @type {Primitive} */ primitive, influences) {
        this.gl = gl;
        this.primitive = primitive;
        this.influences = influences;
        this.buffers = [];
        this.edges = null;
        this.deltas = null;
        this.hasColors = primitive.colors !== null;
        this.morph = morphOf(primitive);
        this.variant = variantOf(primitive, influences);
        this.vertexArray = gl.createVertexArray();
    }

    fill(firstJoint) {
        const { gl, primitive } = this;
        gl.bindVertexArray(this.vertexArray);
        this.#floats('POSITION', primitive.positions, 3);
        this.#floats('NORMAL', primitive.normals, 3);
        this.#floats('UV', primitive.uvs, 2);
        this.#floats('COLOR', primitive.colors, 4);
        if (this.influences > 0) this.#influences(jointsOf(primitive, firstJoint), primitive.weights);
        this.indices = this.#buffer(gl.ELEMENT_ARRAY_BUFFER, primitive.indices);
        gl.bindVertexArray(null); // so that later bindings do not end up in the mesh
        if (this.morph > 0) this.#deltas();
    }

    #buffer(target, data) {
        const { gl } = this;
        const buffer = gl.createBuffer();
        gl.bindBuffer(target, buffer);
        gl.bufferData(target, data, gl.STATIC_DRAW);
        this.buffers.push(buffer);
        return buffer;
    }

    #floats(name, data, components) {
        if (!data) return;
        const { gl } = this;
        this.#buffer(gl.ARRAY_BUFFER, data);
        gl.enableVertexAttribArray(LOCATIONS[name]);
        gl.vertexAttribPointer(LOCATIONS[name], components, gl.FLOAT, false, 0, 0);
    }

    #influences(joints, weights) {
        const { gl, influences } = this;
        const names = influences === 8 ? ['', '2'] : [''];
        this.#buffer(gl.ARRAY_BUFFER, joints);
        names.forEach((name, i) => {
            gl.enableVertexAttribArray(LOCATIONS[`JOINTS${name}`]);
            gl.vertexAttribIPointer(LOCATIONS[`JOINTS${name}`], 4, gl.UNSIGNED_SHORT, 2 * influences, 8 * i);
        });
        this.#buffer(gl.ARRAY_BUFFER, weights);
        names.forEach((name, i) => {
            gl.enableVertexAttribArray(LOCATIONS[`WEIGHTS${name}`]);
            gl.vertexAttribPointer(LOCATIONS[`WEIGHTS${name}`], 4, gl.FLOAT, false, 4 * influences, 16 * i);
        });
    }

    #deltas() {
        const { rows, texels } = deltasOf(this.primitive);
        this.deltas = makeTexels(this.gl, UNITS.DELTAS, TEXTURE_WIDTH, rows, texels);
    }

    // Sets constant attributes: those that the mesh does not have, and the integers of the draw.
    draw(run, part, joint) {
        const { gl } = this;
        gl.bindVertexArray(this.vertexArray);
        if (!this.hasColors) gl.vertexAttrib4f(LOCATIONS.COLOR, 1, 1, 1, 1);
        if (this.influences === 0) {
            gl.vertexAttribI4ui(LOCATIONS.JOINTS, joint, 0, 0, 0);
            gl.vertexAttrib4f(LOCATIONS.WEIGHTS, 1, 0, 0, 0);
        }
        gl.vertexAttribI4i(LOCATIONS.DRAW, run.first, run.stride, part.firstWeight, this.morph);
        gl.activeTexture(gl.TEXTURE0 + UNITS.DELTAS);
        gl.bindTexture(gl.TEXTURE_2D, this.deltas);
    }

    drawTriangles(run, part, joint) {
        this.draw(run, part, joint);
        this.gl.drawElementsInstanced(this.gl.TRIANGLES, this.primitive.indexCount, this.gl.UNSIGNED_INT, 0, run.count);
    }

    // The index buffer is part of the state of the bound vertex array.
    drawEdges(run, part, joint) {
        const { gl, primitive } = this;
        this.draw(run, part, joint);
        this.edges ??= this.#buffer(gl.ELEMENT_ARRAY_BUFFER, edgesOf(primitive));
        gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, this.edges);
        gl.drawElementsInstanced(gl.LINES, 2 * primitive.indexCount, gl.UNSIGNED_INT, 0, run.count);
        gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, this.indices);
    }

    dispose() {
        for (const buffer of this.buffers) this.gl.deleteBuffer(buffer);
        this.gl.deleteVertexArray(this.vertexArray);
        this.gl.deleteTexture(this.deltas);
    }
}

// ---- Textures ---------------------------------------------------------------------------------------------------

function newTexture(/** @type {WebGL2RenderingContext} */ gl) {
    const texture = gl.createTexture();
    gl.activeTexture(gl.TEXTURE0 + UNITS.MAPS);
    gl.bindTexture(gl.TEXTURE_2D, texture);
    return texture;
}

// A texture of one texel.
function makeTexel(/** @type {WebGL2RenderingContext} */ gl, rgba) {
    const texture = newTexture(gl);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.SRGB8_ALPHA8, 1, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, rgba);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    return texture;
}

function makeTexture(/** @type {WebGL2RenderingContext} */ gl, { wrapU, wrapV, nearest }, bitmap, isColor) {
    if (!bitmap) return makeTexel(gl, GREY);
    const wraps = { repeat: gl.REPEAT, clamp: gl.CLAMP_TO_EDGE, mirror: gl.MIRRORED_REPEAT };
    const texture = newTexture(gl);
    gl.texImage2D(gl.TEXTURE_2D, 0, isColor ? gl.SRGB8_ALPHA8 : gl.RGBA8, gl.RGBA, gl.UNSIGNED_BYTE, bitmap);
    gl.generateMipmap(gl.TEXTURE_2D);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, wraps[wrapU]);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, wraps[wrapV]);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, nearest ? gl.NEAREST : gl.LINEAR);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR);
    return texture;
}

// ---- The model --------------------------------------------------------------------------------------------------

export class WebglModel extends BaseModel {
    constructor(/** @type {WebGL2RenderingContext} */ gl, /** @type {RecordLayout} */ layout, notes) {
        super(layout, notes);
        this.gl = gl;
    }

    makeMesh(/** @type {Primitive} */ primitive, influences) {
        return new Mesh(this.gl, primitive, influences);
    }

    makeTexture(sampling, bitmap, isColor) {
        return makeTexture(this.gl, sampling, bitmap, isColor);
    }

    disposeTexture(texture) {
        this.gl.deleteTexture(texture);
    }

    // The textures by number of MAPS, and the defines of the shader for them.
    bind({ material }, textures, joint) {
        const bound = MAPS.map(({ key }) => textures[key] ?? null);
        const defines = ['SURFACE', ...(material.unlit ? ['UNLIT'] : []),
            ...MAPS.filter(({ key }) => textures[key]).map(({ define }) => define)].join(' ');
        return { textures: bound, defines, joint };
    }
}
