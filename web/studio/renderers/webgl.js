// SPDX-License-Identifier: MIT
// The WebGL2 renderer. It uses the GLSL of the project: src/gpu/shaders/skin.glsl and tools/render/shaders.
// renderer.js documents its interface.
import { TEXTURE_WIDTH } from '../sinew/constants.js';
import { BaseRenderer } from './base_renderer.js';
import { harmonicsText, LEVELS, reflectionCube } from './environment.js';
import { KEY_COLOR, TOWARD_LIGHT, WIRE_COLOR, inFront, tintOf } from './look.js';
import { MAPS } from './materials.js';
import { glslPreamble } from './preamble.js';
import { sidesOf } from './records.js';
import { shaderTexts } from './text.js';
import { UNITS, WebglModel } from './webgl_model.js';
import { Program, SquareMap, makeCube, makeDepthSampler, makeTexels } from './webgl_parts.js';
/** @import { RecordLayout } from './records.js' */

const TEXTS = ['skin.glsl', 'color.glsl', 'model.vert', 'model.frag', 'shadow.frag', 'wire.frag', 'background.vert',
    'background.frag', 'ground.vert', 'ground.frag', 'shadow_map.glsl', 'blur.frag'];
shaderTexts(TEXTS).catch(() => {}); // fetched while the page loads the module; create() reports errors

const ENVIRONMENT = `const float MAX_LEVEL = ${LEVELS.length - 1}.0;\n` +
    `const vec3 HARMONICS[9] = vec3[9](${harmonicsText('vec3')});\n`;

/** @extends {BaseRenderer<SquareMap>} */
export class WebglRenderer extends BaseRenderer {
    #lose;

    static async create(/** @type {HTMLCanvasElement} */ canvas) {
        const gl = canvas.getContext('webgl2', { alpha: true, antialias: true, depth: true });
        if (!gl) throw new Error('this browser has no WebGL2, or it’s turned off');
        return new WebglRenderer(canvas, gl, await shaderTexts(TEXTS));
    }

    constructor(/** @type {HTMLCanvasElement} */ canvas, /** @type {WebGL2RenderingContext} */ gl, texts) {
        super(canvas, 'webgl', 'WebGL2');
        this.gl = gl;
        this.texts = texts;
        this.programs = new Map(); // by pass and variant
        this.palette = { texture: null, rows: 0 };
        const screen = (fragment) => new Program(gl, [texts['background.vert']], [texts[fragment]]);
        this.background = screen('background.frag');
        this.ground = new Program(gl, [texts['ground.vert']], [texts['shadow_map.glsl'], texts['ground.frag']]);
        this.blur = screen('blur.frag');
        this.nothing = gl.createVertexArray(); // for draws without vertex buffers
        this.depthSampler = makeDepthSampler(gl);
        gl.bindSampler(UNITS.SHADOW_DEPTH, this.depthSampler);
        this.environment = makeCube(gl, UNITS.ENVIRONMENT, reflectionCube());
        this.#lose = (event) => {
            event.preventDefault();
            this.isLost = true;
            this.onLost?.('the browser took WebGL2 away from this page');
        };
        canvas.addEventListener('webglcontextlost', this.#lose);
        this.resize(canvas.width, canvas.height);
    }

    get maxSize() {
        const { gl } = this;
        return { picture: gl.getParameter(gl.MAX_RENDERBUFFER_SIZE), texture: gl.getParameter(gl.MAX_TEXTURE_SIZE) };
    }

    // The canvas is the target.
    resizeTarget() {
        const { gl, size: { width, height } } = this;
        if (gl.isContextLost() || (gl.drawingBufferWidth === width && gl.drawingBufferHeight === height)) return;
        throw new Error(`this browser's WebGL2 has no framebuffer for a picture of ${width} x ${height}`);
    }

    // Valid in the task that has drawn the picture: the browser clears the canvas afterwards. OpenGL's first row is the
    // bottom one.
    readPixels() {
        const { gl, size: { width, height } } = this;
        const upward = new Uint8Array(4 * width * height);
        gl.bindFramebuffer(gl.FRAMEBUFFER, null);
        gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, upward);
        const pixels = new Uint8ClampedArray(upward.length);
        for (let row = 0; row < height; row++) {
            pixels.set(upward.subarray(4 * width * row, 4 * width * (row + 1)), 4 * width * (height - 1 - row));
        }
        return pixels;
    }

    makeMap(size, kind) {
        return new SquareMap(this.gl, size, kind);
    }

    makeModel(/** @type {RecordLayout} */ layout, notes) {
        return new WebglModel(this.gl, layout, notes);
    }

    fill(model, bitmaps) {
        model.fill(bitmaps);
        const isFull = this.gl.getError() === this.gl.OUT_OF_MEMORY;
        if (isFull) throw new Error("the graphics card's memory is too small for it");
    }

    // ---- A frame ----

    drawFrame() {
        const { view, shadowsChanged } = this.frame;
        this.#upload();
        if (shadowsChanged) this.#paintShadowMap();
        if (shadowsChanged && view.ground) this.#paintGroundMap();
        this.#paint();
    }

    // Uploads all poses of the frame at once.
    #upload() {
        const { gl, palette } = this;
        const { floats, texels } = this.records;
        const rows = floats.length / (4 * TEXTURE_WIDTH);
        if (palette.rows !== rows) {
            gl.deleteTexture(palette.texture);
            palette.texture = makeTexels(gl, UNITS.PALETTE, TEXTURE_WIDTH, rows);
            palette.rows = rows;
        }
        gl.activeTexture(gl.TEXTURE0 + UNITS.PALETTE);
        gl.bindTexture(gl.TEXTURE_2D, palette.texture);
        const used = Math.ceil(texels / TEXTURE_WIDTH);
        gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, TEXTURE_WIDTH, used, gl.RGBA, gl.FLOAT, floats);
    }

    // ---- Models ----

    // A program for a pass, a vertex variant and defines, separated by spaces.
    #programFor(pass, { influences, morph }, defines) {
        const key = `${pass} ${influences} ${morph} ${defines}`;
        let program = this.programs.get(key);
        if (program) return program;
        const { gl, texts } = this;
        const head = defines.split(' ').map((name) => (name ? `#define ${name}\n` : '')).join('');
        const vertex = [head, glslPreamble({ influences, morph }), texts['skin.glsl'], texts['model.vert']];
        const fragments = { shadow: [head, texts['shadow.frag']], wire: [texts['wire.frag']],
            picture: [head, ENVIRONMENT, texts['color.glsl'], texts['shadow_map.glsl'], texts['model.frag']] };
        program = new Program(gl, vertex, fragments[pass]);
        this.programs.set(key, program);
        gl.useProgram(program.program);
        program.int('sinew_records', UNITS.PALETTE);
        program.int('sinew_deltas', UNITS.DELTAS);
        program.int('shadow_map', UNITS.SHADOW);
        program.int('environment', UNITS.ENVIRONMENT);
        MAPS.forEach(({ define }, i) => program.int(define.toLowerCase(), UNITS.MAPS + i));
        program.vec4('wire_color', WIRE_COLOR);
        program.vec3('toward_light', TOWARD_LIGHT);
        program.vec3('key_color', KEY_COLOR);
        return program;
    }

    #setMaterial(program, { material, textures }, sides) {
        const { gl } = this;
        textures.forEach((texture, i) => {
            if (!texture) return;
            gl.activeTexture(gl.TEXTURE0 + UNITS.MAPS + i);
            gl.bindTexture(gl.TEXTURE_2D, texture);
        });
        program.vec4('base_color', material.baseColor);
        program.float('alpha_cutoff', material.alphaMode === 'MASK' ? material.alphaCutoff : -1);
        program.int('opaque', material.alphaMode === 'OPAQUE' ? 1 : 0);
        program.int('two_sided', sides === 'both' ? 1 : 0);
        program.float('metallic', material.metallic);
        program.float('roughness', material.roughness);
        program.float('normal_scale', material.normalScale);
        program.float('occlusion_strength', material.occlusionStrength);
        program.vec3('emission', material.emission);
    }

    #setSides(sides) {
        const { gl } = this;
        if (sides === 'both') {
            gl.disable(gl.CULL_FACE);
            return;
        }
        gl.enable(gl.CULL_FACE);
        gl.frontFace(sides === 'cw' ? gl.CW : gl.CCW);
    }

    #setPicture(program, ghost) {
        const { view, fade, lightTexture, shadowTexel } = this.frame;
        const { opacity, tint } = tintOf(ghost, fade);
        program.mat4('light_matrix', lightTexture);
        program.float('shadow_texel', shadowTexel);
        program.vec3('eye', view.camera.eye);
        program.float('opacity', opacity);
        program.vec4('tint', tint);
    }

    #paintPart(pass, matrix, run, drawn) {
        const { part, mesh, joint } = drawn;
        const sides = sidesOf(drawn, run);
        const program = this.#programFor(pass, mesh.variant, this.#definesOf(pass, drawn));
        this.gl.useProgram(program.program);
        program.mat4('view_projection', matrix);
        this.#setMaterial(program, drawn, sides);
        if (pass === 'picture') {
            this.#setSides(sides);
            this.#setPicture(program, run.ghost);
        }
        if (pass === 'wire') mesh.drawEdges(run, part, joint);
        else mesh.drawTriangles(run, part, joint);
    }

    // In the shadow map only textures with holes count.
    #definesOf(pass, { material, defines, textures }) {
        if (pass === 'picture') return defines;
        return pass === 'shadow' && material.alphaMode === 'MASK' && textures[0] ? 'CUTOUT' : '';
    }

    #paintParts(pass, matrix, isBlended, ghost) {
        for (const [run, index] of this.records.parts(isBlended, ghost)) {
            this.#paintPart(pass, matrix, run, run.model.drawn[index]);
        }
    }

    // ---- Shadows ----

    #unbind(unit) {
        this.gl.activeTexture(this.gl.TEXTURE0 + unit);
        this.gl.bindTexture(this.gl.TEXTURE_2D, null);
    }

    #paintShadowMap() {
        const { gl, maps: { shadow } } = this;
        this.#unbind(UNITS.SHADOW); // it is the render target
        this.#unbind(UNITS.SHADOW_DEPTH);
        gl.bindFramebuffer(gl.FRAMEBUFFER, shadow.framebuffer);
        gl.viewport(0, 0, shadow.size, shadow.size);
        gl.enable(gl.DEPTH_TEST);
        gl.depthMask(true);
        gl.disable(gl.CULL_FACE);
        gl.disable(gl.BLEND);
        gl.clear(gl.DEPTH_BUFFER_BIT);
        gl.enable(gl.POLYGON_OFFSET_FILL);
        gl.polygonOffset(1.5, 2);
        this.#paintParts('shadow', this.frame.light, false);
        gl.disable(gl.POLYGON_OFFSET_FILL);
    }

    // The shadow map, blurred horizontally and vertically.
    #paintGroundMap() {
        const { gl, blur, maps: { shadow, half, ground } } = this;
        const { plane, limit, reach } = this.frame.groundShadow;
        this.#unbind(UNITS.GROUND); // it is the render target
        gl.disable(gl.DEPTH_TEST);
        gl.disable(gl.CULL_FACE);
        gl.disable(gl.BLEND);
        gl.useProgram(blur.program);
        gl.bindVertexArray(this.nothing);
        gl.viewport(0, 0, ground.size, ground.size);
        blur.vec3('plane', plane);
        blur.float('limit', limit);
        blur.float('size', ground.size);
        this.#blur(UNITS.SHADOW_DEPTH, shadow, half, [reach[0], 0, 0]);
        this.#blur(UNITS.GROUND, half, ground, [0, reach[1], 0]);
    }

    #blur(unit, from, into, direction) {
        const { gl, blur } = this;
        gl.bindFramebuffer(gl.FRAMEBUFFER, into.framebuffer);
        gl.activeTexture(gl.TEXTURE0 + unit);
        gl.bindTexture(gl.TEXTURE_2D, from.texture);
        blur.int('source', unit);
        blur.int('first', unit === UNITS.SHADOW_DEPTH ? 1 : 0);
        blur.vec3('direction', direction);
        gl.drawArrays(gl.TRIANGLES, 0, 3);
    }

    // ---- The picture ----

    #paint() {
        const { gl, frame, size } = this;
        gl.bindFramebuffer(gl.FRAMEBUFFER, null);
        gl.viewport(0, 0, size.width, size.height);
        this.#paintBackground();
        gl.activeTexture(gl.TEXTURE0 + UNITS.SHADOW);
        gl.bindTexture(gl.TEXTURE_2D, this.maps.shadow.texture);
        if (frame.view.ground) this.#paintGround();
        // Each is behind everything that is drawn after it, at any position.
        for (const ghost of this.records.ghosts()) {
            this.#paintTranslucent(ghost);
            gl.clear(gl.DEPTH_BUFFER_BIT);
        }
        if (frame.fade > 0) this.#paintTranslucent(null);
        else this.#paintSolid();
    }

    #paintBackground() {
        const { gl, background } = this;
        const { look } = this.frame;
        gl.depthMask(true);
        gl.clearColor(0, 0, 0, 0);
        gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
        gl.disable(gl.CULL_FACE);
        gl.bindVertexArray(this.nothing);
        gl.disable(gl.DEPTH_TEST);
        if (!look.transparent) {
            gl.useProgram(background.program);
            background.vec3('top_color', look.top);
            background.vec3('bottom_color', look.bottom);
            gl.drawArrays(gl.TRIANGLES, 0, 3);
        }
        gl.enable(gl.DEPTH_TEST);
    }

    #paintGround() {
        const { gl, ground } = this;
        const { view, look, ground: { center, reach, spacing }, lightTexture } = this.frame;
        gl.useProgram(ground.program);
        gl.activeTexture(gl.TEXTURE0 + UNITS.GROUND);
        gl.bindTexture(gl.TEXTURE_2D, this.maps.ground.texture);
        ground.int('shadow_map', UNITS.SHADOW);
        ground.int('ground_map', UNITS.GROUND);
        ground.mat4('view_projection', view.camera.viewProjection);
        ground.mat4('light_matrix', lightTexture);
        ground.vec3('center', center);
        ground.float('reach', reach);
        ground.float('spacing', spacing);
        ground.vec4('line_color', look.line);
        this.#blend(true);
        gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
        this.#blend(false);
    }

    #blend(on) {
        const { gl } = this;
        if (on) gl.enable(gl.BLEND);
        else gl.disable(gl.BLEND);
        gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
        gl.depthMask(!on);
    }

    // Draws depth first, then only the nearest surfaces: a translucent model shows its outside, not its inner parts.
    #paintTranslucent(ghost) {
        const { gl } = this;
        const matrix = this.frame.view.camera.viewProjection;
        gl.colorMask(false, false, false, false);
        this.#paintParts('picture', matrix, false, ghost);
        gl.colorMask(true, true, true, true);
        gl.depthFunc(gl.LEQUAL);
        this.#blend(true);
        this.#paintParts('picture', matrix, false, ghost);
        this.#paintParts('picture', matrix, true, ghost);
        this.#blend(false);
        gl.depthFunc(gl.LESS);
    }

    #paintSolid() {
        const { view } = this.frame;
        const matrix = view.camera.viewProjection;
        this.#paintParts('picture', matrix, false);
        this.#blend(true);
        this.#paintParts('picture', matrix, true);
        if (view.wireframe) this.#paintWireframe(inFront(matrix));
        this.#blend(false);
    }

    #paintWireframe(matrix) {
        this.gl.disable(this.gl.CULL_FACE);
        this.#paintParts('wire', matrix, false);
        this.#paintParts('wire', matrix, true);
    }

    // ---- The end ----

    dispose() {
        const { gl } = this;
        this.canvas.removeEventListener('webglcontextlost', this.#lose);
        super.dispose();
        for (const program of this.programs.values()) program.dispose();
        for (const program of [this.background, this.ground, this.blur]) program.dispose();
        gl.deleteTexture(this.environment);
        gl.deleteSampler(this.depthSampler);
        gl.deleteTexture(this.palette.texture);
        gl.deleteVertexArray(this.nothing);
        gl.getExtension('WEBGL_lose_context')?.loseContext();
    }
}
