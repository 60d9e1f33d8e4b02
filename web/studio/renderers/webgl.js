// SPDX-License-Identifier: MIT
// The WebGL2 renderer. It uses the GLSL of the project: src/gpu/shaders/skin.glsl and tools/render/shaders.
// renderer.js documents its interface.
import { IDENTITY } from '../affine.js';
import { BaseRenderer } from './base_renderer.js';
import { TOWARD_LIGHT, WIRE_COLOR, groundOf, inFront, texelsOf, tintOf } from './look.js';
import { TEXTURE_WIDTH, glslPreamble } from './preamble.js';
import { sidesOf } from './records.js';
import { shaderTexts } from './text.js';
import { UNITS, WebglModel } from './webgl_model.js';
import { Program, SquareMap, Target, makeTexels } from './webgl_parts.js';

const TEXTS = ['skin.glsl', 'light.glsl', 'model.vert', 'model.frag', 'shadow.frag', 'wire.frag', 'background.vert',
    'background.frag', 'ground.vert', 'ground.frag', 'blur.frag', 'present.frag'];

export class WebglRenderer extends BaseRenderer {
    static async create(canvas) {
        const gl = canvas.getContext('webgl2', { alpha: true, antialias: false, depth: false });
        if (!gl) throw new Error('this browser has no WebGL2, or it is switched off');
        return new WebglRenderer(canvas, gl, await shaderTexts(TEXTS));
    }

    constructor(canvas, gl, texts) {
        super(canvas, 'webgl', 'WebGL2');
        Object.assign(this, { gl, texts });
        this.programs = new Map(); // by pass and variant
        this.palette = { texture: null, rows: 0 };
        const screen = (fragment, vertex = 'background.vert') => new Program(gl, [texts[vertex]], [texts[fragment]]);
        this.background = screen('background.frag');
        this.ground = screen('ground.frag', 'ground.vert');
        this.blur = screen('blur.frag');
        this.present = screen('present.frag');
        this.nothing = gl.createVertexArray(); // for draws without vertex buffers
        this._lose = (event) => {
            event.preventDefault();
            this.isLost = true;
            this.onLost?.('the browser has taken WebGL2 away from this page');
        };
        canvas.addEventListener('webglcontextlost', this._lose);
        this.resize(canvas.width, canvas.height);
    }

    get _maxSize() {
        const { gl } = this;
        return { picture: gl.getParameter(gl.MAX_RENDERBUFFER_SIZE), texture: gl.getParameter(gl.MAX_TEXTURE_SIZE) };
    }

    _makeTarget(width, height) {
        return new Target(this.gl, width, height);
    }

    _makeMap(size, kind) {
        return new SquareMap(this.gl, size, kind);
    }

    _makeModel(layout, notes) {
        return new WebglModel(this.gl, layout, notes);
    }

    _fill(model, bitmaps) {
        model.fill(bitmaps);
        const isFull = this.gl.getError() === this.gl.OUT_OF_MEMORY;
        if (isFull) throw new Error("the graphics card's memory is too small for it");
    }

    // ---- A frame ----

    _drawFrame() {
        const { view, area } = this.frame;
        this._upload();
        this._paintShadowMap();
        if (view.ground) area.maps.forEach((map, i) => this._paintGroundMap(map, this.maps.grounds[i]));
        this._paint();
        this.target.resolve();
        this._present();
    }

    // Uploads all poses of the frame at once.
    _upload() {
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

    _programFor(pass, { influences, morph }) {
        const key = `${pass} ${influences} ${morph}`;
        let program = this.programs.get(key);
        if (program) return program;
        const { texts } = this;
        const vertex = [glslPreamble({ influences, morph }), texts['skin.glsl'], texts['model.vert']];
        const fragments = { shadow: ['shadow.frag'], wire: ['wire.frag'], picture: ['light.glsl', 'model.frag'] };
        program = new Program(this.gl, vertex, fragments[pass].map((name) => texts[name]));
        this.programs.set(key, program);
        this.gl.useProgram(program.program);
        program.int('sinew_records', UNITS.PALETTE);
        program.int('sinew_deltas', UNITS.DELTAS);
        program.int('base_color_texture', UNITS.COLOR);
        program.int('shadow_map', UNITS.SHADOW);
        program.vec4('world', IDENTITY); // records have transforms of their own
        program.vec4('wire_color', WIRE_COLOR);
        program.vec3('toward_light', TOWARD_LIGHT);
        return program;
    }

    _setMaterial(program, { material, texture }, sides) {
        const { gl } = this;
        gl.activeTexture(gl.TEXTURE0 + UNITS.COLOR);
        gl.bindTexture(gl.TEXTURE_2D, texture);
        program.vec4('base_color', material.baseColor);
        program.float('alpha_cutoff', material.alphaMode === 'MASK' ? material.alphaCutoff : -1);
        program.int('opaque', material.alphaMode === 'OPAQUE' ? 1 : 0);
        program.int('two_sided', sides === 'both' ? 1 : 0);
        program.int('unlit', material.unlit ? 1 : 0);
    }

    _setSides(sides) {
        const { gl } = this;
        if (sides === 'both') {
            gl.disable(gl.CULL_FACE);
            return;
        }
        gl.enable(gl.CULL_FACE);
        gl.frontFace(sides === 'cw' ? gl.CW : gl.CCW);
    }

    _setPicture(program, ghost) {
        const { view, fade, lightTexture, shadowTexel } = this.frame;
        const { opacity, tint } = tintOf(ghost, fade);
        program.mat4('light_matrix', lightTexture);
        program.float('shadow_texel', shadowTexel);
        program.vec3('eye', view.camera.eye);
        program.float('opacity', opacity);
        program.vec4('tint', tint);
    }

    _paintPart(pass, matrix, run, drawn) {
        const { part, mesh, joint } = drawn;
        const sides = sidesOf(drawn, run);
        const program = this._programFor(pass, mesh.variant);
        this.gl.useProgram(program.program);
        program.mat4('view_projection', matrix);
        this._setMaterial(program, drawn, sides);
        if (pass === 'picture') {
            this._setSides(sides);
            this._setPicture(program, run.object.ghost);
        }
        if (pass === 'wire') mesh.drawEdges(run, part, joint);
        else mesh.drawTriangles(run, part, joint);
    }

    _paintParts(pass, matrix, isBlended, ghost) {
        for (const [run, index] of this.records.parts(isBlended, ghost)) {
            this._paintPart(pass, matrix, run, run.model.drawn[index]);
        }
    }

    // ---- Shadows ----

    _beginDepth(map) {
        const { gl } = this;
        gl.bindFramebuffer(gl.FRAMEBUFFER, map.framebuffer);
        gl.viewport(0, 0, map.size, map.size);
        gl.enable(gl.DEPTH_TEST);
        gl.depthMask(true);
        gl.disable(gl.CULL_FACE);
        gl.disable(gl.BLEND);
        gl.clear(gl.DEPTH_BUFFER_BIT);
    }

    _unbind(unit) {
        this.gl.activeTexture(this.gl.TEXTURE0 + unit);
        this.gl.bindTexture(this.gl.TEXTURE_2D, null);
    }

    _paintShadowMap() {
        const { gl } = this;
        this._unbind(UNITS.SHADOW); // it is the render target
        this._beginDepth(this.maps.shadow);
        gl.enable(gl.POLYGON_OFFSET_FILL);
        gl.polygonOffset(1.5, 2);
        this._paintParts('shadow', this.frame.light, false);
        gl.disable(gl.POLYGON_OFFSET_FILL);
    }

    // The shadow pass projected onto the ground, then blurred horizontally and vertically.
    _paintGroundMap({ matrix, part, limit, wide }, into) {
        const { gl, blur, maps: { pressed, half } } = this;
        this._unbind(UNITS.COLOR);
        this._beginDepth(pressed);
        this._paintParts('shadow', matrix, false);
        gl.disable(gl.DEPTH_TEST);
        gl.clearColor(0, 0, 0, 0);
        gl.useProgram(blur.program);
        gl.bindVertexArray(this.nothing);
        blur.int('source', UNITS.COLOR);
        blur.float('limit', limit);
        blur.float('wide', wide / this.frame.groundTexel);
        gl.scissor(...texelsOf(part, pressed.size));
        this._blur(pressed, half, [1, 0, 0]);
        this._blur(half, into, [0, 1, 0]);
    }

    _blur(from, into, direction) {
        const { gl, blur } = this;
        gl.bindFramebuffer(gl.FRAMEBUFFER, into.framebuffer);
        gl.clear(gl.COLOR_BUFFER_BIT);
        gl.enable(gl.SCISSOR_TEST);
        gl.activeTexture(gl.TEXTURE0 + UNITS.COLOR);
        gl.bindTexture(gl.TEXTURE_2D, from.texture);
        blur.vec3('direction', direction);
        blur.int('first', from === this.maps.pressed ? 1 : 0);
        gl.drawArrays(gl.TRIANGLES, 0, 3);
        gl.disable(gl.SCISSOR_TEST);
    }

    // ---- The picture ----

    _paint() {
        const { gl, target, frame } = this;
        gl.bindFramebuffer(gl.FRAMEBUFFER, target.framebuffer);
        gl.viewport(0, 0, target.width, target.height);
        this._paintBackground();
        gl.activeTexture(gl.TEXTURE0 + UNITS.SHADOW);
        gl.bindTexture(gl.TEXTURE_2D, this.maps.shadow.texture);
        if (frame.view.ground) this._paintGround();
        // Each is behind everything that is drawn after it, at any position.
        for (const ghost of this.records.ghosts()) {
            this._paintTranslucent(ghost);
            gl.clear(gl.DEPTH_BUFFER_BIT);
        }
        if (frame.fade > 0) this._paintTranslucent(null);
        else this._paintSolid();
    }

    _paintBackground() {
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

    _paintGround() {
        const { gl, ground } = this;
        const { view, look, area } = this.frame;
        const { center, reach, spacing } = groundOf(view);
        gl.useProgram(ground.program);
        this.maps.grounds.forEach((map, i) => {
            gl.activeTexture(gl.TEXTURE0 + UNITS.GROUND_SHADOW + i);
            gl.bindTexture(gl.TEXTURE_2D, map.texture);
        });
        ground.int('ground_shadow', UNITS.GROUND_SHADOW);
        ground.int('ground_contact', UNITS.GROUND_CONTACT);
        ground.vec3('map_middle', area.middle);
        ground.float('map_half', area.half);
        ground.mat4('view_projection', view.camera.viewProjection);
        ground.vec3('center', center);
        ground.float('reach', reach);
        ground.float('spacing', spacing);
        ground.vec4('line_color', look.line);
        this._blend(true);
        gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
        this._blend(false);
    }

    _blend(on) {
        const { gl } = this;
        if (on) gl.enable(gl.BLEND);
        else gl.disable(gl.BLEND);
        gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
        gl.depthMask(!on);
    }

    // Draws depth first, then only the nearest surfaces: a translucent model shows its outside, not its inner parts.
    _paintTranslucent(ghost) {
        const { gl } = this;
        const matrix = this.frame.view.camera.viewProjection;
        gl.colorMask(false, false, false, false);
        this._paintParts('picture', matrix, false, ghost);
        gl.colorMask(true, true, true, true);
        gl.depthFunc(gl.LEQUAL);
        this._blend(true);
        this._paintParts('picture', matrix, false, ghost);
        this._paintParts('picture', matrix, true, ghost);
        this._blend(false);
        gl.depthFunc(gl.LESS);
    }

    _paintSolid() {
        const { view } = this.frame;
        const matrix = view.camera.viewProjection;
        this._paintParts('picture', matrix, false);
        this._blend(true);
        this._paintParts('picture', matrix, true);
        if (view.wireframe) this._paintWireframe(inFront(matrix));
        this._blend(false);
    }

    _paintWireframe(matrix) {
        this.gl.disable(this.gl.CULL_FACE);
        this._paintParts('wire', matrix, false);
        this._paintParts('wire', matrix, true);
    }

    // Converts the picture from linear light to the sRGB of the canvas.
    _present() {
        const { gl, target, present } = this;
        gl.bindFramebuffer(gl.FRAMEBUFFER, null);
        gl.viewport(0, 0, target.width, target.height);
        gl.disable(gl.DEPTH_TEST);
        gl.disable(gl.CULL_FACE);
        gl.useProgram(present.program);
        gl.bindVertexArray(this.nothing);
        gl.activeTexture(gl.TEXTURE0 + UNITS.COLOR);
        gl.bindTexture(gl.TEXTURE_2D, target.texture);
        present.int('picture', UNITS.COLOR);
        gl.drawArrays(gl.TRIANGLES, 0, 3);
        gl.enable(gl.DEPTH_TEST);
    }

    // ---- The end ----

    dispose() {
        const { gl } = this;
        this.canvas.removeEventListener('webglcontextlost', this._lose);
        super.dispose();
        for (const program of this.programs.values()) program.dispose();
        for (const program of [this.background, this.ground, this.blur, this.present]) program.dispose();
        gl.deleteTexture(this.palette.texture);
        gl.deleteVertexArray(this.nothing);
        gl.getExtension('WEBGL_lose_context')?.loseContext();
    }
}
