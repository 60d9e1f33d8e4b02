// Draws with WebGL2, with the GLSL of the project: the skinning of shaders/skin.glsl, the looks of draw/shaders. What
// is to be drawn is said in renderer.js.
import { decodeTextures, makeStraight } from './image.js';
import { GHOST_TINT, GROUND_SIZE, SHADOW_SIZE, TOWARD_LIGHT, WIRE_COLOR, groundAreaOf, groundOf, inFront, lightOf,
    lookOf, mapSize, texelsOf, toTexture } from './look.js';
import { TEXTURE_WIDTH, glslPreamble } from './preamble.js';
import { MIRRORED, MIXED, RecordLayout, Records, UPRIGHT } from './records.js';
import { shaderTexts } from './text.js';
import { UNITS, WebglModel } from './webgl_model.js';
import { Program, SquareMap, Target, makeTexels } from './webgl_parts.js';

const TEXTS = ['skin.glsl', 'light.glsl', 'model.vert', 'model.frag', 'shadow.frag', 'wire.frag', 'background.vert',
    'background.frag', 'ground.vert', 'ground.frag', 'blur.frag', 'present.frag'];
const SOLID = { opacity: 1, tint: [0, 0, 0, 0] };

export class WebglRenderer {
    static async create(canvas) {
        const gl = canvas.getContext('webgl2', { alpha: true, antialias: false, depth: false });
        if (!gl) throw new Error('this browser has no WebGL2, or it is switched off');
        return new WebglRenderer(canvas, gl, await shaderTexts(TEXTS));
    }

    constructor(canvas, gl, texts) {
        Object.assign(this, { canvas, gl, texts, kind: 'webgl', onLost: null, isLost: false });
        this.models = new Set();
        this.programs = new Map(); // of models, by pass and variant
        this.records = new Records();
        this.palette = { texture: null, rows: 0 };
        const screen = (fragment, vertex = 'background.vert') => new Program(gl, [texts[vertex]], [texts[fragment]]);
        this.background = screen('background.frag');
        this.ground = screen('ground.frag', 'ground.vert');
        this.blur = screen('blur.frag');
        this.present = screen('present.frag');
        this.nothing = gl.createVertexArray(); // for what has no vertices of its own
        this._lose = (event) => {
            event.preventDefault();
            this.isLost = true;
            this.onLost?.('the browser has taken WebGL2 away from this page');
        };
        canvas.addEventListener('webglcontextlost', this._lose);
        this.resize(canvas.width, canvas.height);
    }

    resize(width, height) {
        if (this.target?.width === width && this.target.height === height) return;
        const target = new Target(this.gl, width, height);
        this.target?.dispose();
        this.target = target;
        this.canvas.width = width;
        this.canvas.height = height;
    }

    async addModel(asset) {
        const layout = new RecordLayout(asset);
        const notes = [];
        const mostSize = this.gl.getParameter(this.gl.MAX_TEXTURE_SIZE);
        const bitmaps = await decodeTextures(asset, layout.parts, mostSize, notes);
        const model = new WebglModel(this.gl, layout, notes);
        try {
            model.fill(bitmaps);
            const isFull = this.gl.getError() === this.gl.OUT_OF_MEMORY;
            if (isFull) throw new Error("the graphics card's memory is too small for it");
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
        this._upload();
        this._resizeMaps(things);
        const light = lightOf(view.box);
        this.frame = { view, look: lookOf(view), light, lightTexture: toTexture(light.matrix),
            area: groundAreaOf(view.box) };
        this._paintShadowMap();
        if (view.ground) this.frame.area.maps.forEach((map, i) => this._paintGroundMap(map, this.grounds[i]));
        this._paint();
        this.target.resolve();
        this._present();
    }

    async read() {
        const { width, height } = this.target;
        const pixels = this.target.read();
        makeStraight(pixels);
        return new ImageData(pixels, width, height);
    }

    // All poses of the frame, in one upload.
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

    // The maps of shadows have texels for the largest crowd.
    _resizeMaps(things) {
        const { gl } = this;
        let crowd = 0;
        for (const { mixers } of things) crowd = Math.max(crowd, mixers?.length ?? 0);
        const size = mapSize(GROUND_SIZE, crowd);
        if (this.shadow && this.pressed.size === size) return;
        this._disposeMaps();
        this.shadow = new SquareMap(gl, mapSize(SHADOW_SIZE, crowd), 'shadow');
        this.pressed = new SquareMap(gl, size, 'depth');
        this.half = new SquareMap(gl, size, 'color');
        this.grounds = [new SquareMap(gl, size, 'color'), new SquareMap(gl, size, 'color')];
    }

    _disposeMaps() {
        if (this.shadow) for (const map of [this.shadow, this.pressed, this.half, ...this.grounds]) map.dispose();
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
        program.int('sinew_palette', UNITS.PALETTE);
        program.int('sinew_deltas', UNITS.DELTAS);
        program.int('base_color_texture', UNITS.COLOR);
        program.int('shadow_map', UNITS.SHADOW);
        program.vec4('place', UPRIGHT); // records have places
        program.vec4('wire_color', WIRE_COLOR);
        program.vec3('toward_light', TOWARD_LIGHT);
        return program;
    }

    _setMaterial(program, { material, texture }, hand) {
        const { gl } = this;
        gl.activeTexture(gl.TEXTURE0 + UNITS.COLOR);
        gl.bindTexture(gl.TEXTURE_2D, texture);
        program.vec4('base_color', material.baseColor);
        program.float('alpha_cutoff', material.alphaMode === 'MASK' ? material.alphaCutoff : -1);
        program.int('opaque', material.alphaMode === 'OPAQUE' ? 1 : 0);
        program.int('two_sided', material.doubleSided || hand === MIXED ? 1 : 0);
        program.int('unlit', material.unlit ? 1 : 0);
    }

    // A mirrored part shows the backs of its triangles as OpenGL counts them; one that is mirrored in places shows
    // both.
    _setSides(material, hand) {
        const { gl } = this;
        gl.frontFace(hand === MIRRORED ? gl.CW : gl.CCW);
        if (material.doubleSided || hand === MIXED) gl.disable(gl.CULL_FACE);
        else gl.enable(gl.CULL_FACE);
    }

    _setPicture(program, { opacity, tint }) {
        const { view, light, lightTexture } = this.frame;
        program.mat4('light_matrix', lightTexture);
        program.float('shadow_texel', light.width / this.shadow.size);
        program.vec3('eye', view.camera.eye);
        program.float('opacity', opacity);
        program.vec4('tint', tint);
    }

    _paintPart(pass, matrix, run, drawn, how) {
        const hand = run.hands[drawn.part.group];
        const program = this._programFor(pass, drawn.variant);
        this.gl.useProgram(program.program);
        program.mat4('view_projection', matrix);
        this._setMaterial(program, drawn, hand);
        if (pass === 'picture') {
            this._setSides(drawn.material, hand);
            this._setPicture(program, how);
        }
        if (pass === 'wire') drawn.mesh.drawEdges(run, drawn.part, drawn.joint);
        else drawn.mesh.drawTriangles(run, drawn.part, drawn.joint);
    }

    // The parts that are blended with what is behind them, or those that are not, of the things that share a ghost;
    // null: of those that are none.
    _paintParts(pass, matrix, isBlended, ghost = null, how = SOLID) {
        for (const run of this.records.runs) {
            if ((run.thing.ghost ?? null) !== ghost) continue;
            for (const drawn of run.model.drawn) {
                if ((drawn.material.alphaMode === 'BLEND') !== isBlended) continue;
                this._paintPart(pass, matrix, run, drawn, how);
            }
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
        this._unbind(UNITS.SHADOW); // it is drawn into
        this._beginDepth(this.shadow);
        gl.enable(gl.POLYGON_OFFSET_FILL);
        gl.polygonOffset(1.5, 2);
        this._paintParts('shadow', this.frame.light.matrix, false);
        gl.disable(gl.POLYGON_OFFSET_FILL);
    }

    // The shadow pass again, pressed flat onto the ground, and blurred from side to side and from top to bottom.
    _paintGroundMap({ matrix, part, limit, wide }, into) {
        const { gl, blur, pressed, half } = this;
        const texel = 2 * this.frame.area.half / pressed.size;
        this._unbind(UNITS.COLOR);
        this._beginDepth(pressed);
        this._paintParts('shadow', matrix, false);
        gl.disable(gl.DEPTH_TEST);
        gl.clearColor(0, 0, 0, 0);
        gl.useProgram(blur.program);
        gl.bindVertexArray(this.nothing);
        blur.int('source', UNITS.COLOR);
        blur.float('limit', limit);
        blur.float('wide', wide / texel);
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
        blur.int('first', from === this.pressed ? 1 : 0);
        gl.drawArrays(gl.TRIANGLES, 0, 3);
        gl.disable(gl.SCISSOR_TEST);
    }

    // ---- The picture ----

    _paint() {
        const { gl, target } = this;
        gl.bindFramebuffer(gl.FRAMEBUFFER, target.framebuffer);
        gl.viewport(0, 0, target.width, target.height);
        this._paintBackground();
        gl.activeTexture(gl.TEXTURE0 + UNITS.SHADOW);
        gl.bindTexture(gl.TEXTURE_2D, this.shadow.texture);
        if (this.frame.view.ground) this._paintGround();
        this._paintGhosts();
        const { fade = 0 } = this.frame.view;
        if (fade > 0) this._paintTranslucent(null, { ...SOLID, opacity: 1 - fade });
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
        this.grounds.forEach((map, i) => {
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

    // Each ghost is behind everything that comes after it, wherever it stands.
    _paintGhosts() {
        const { gl } = this;
        let last = null;
        for (const { thing } of this.records.runs) {
            if (!thing.ghost || thing.ghost === last) continue;
            last = thing.ghost;
            this._paintTranslucent(last, { opacity: last.opacity, tint: last.tint ?? GHOST_TINT });
            gl.clear(gl.DEPTH_BUFFER_BIT);
        }
    }

    // Depth first, and then only what is nearest: of a translucent model one sees the outside and not its inner parts.
    _paintTranslucent(ghost, how) {
        const { gl } = this;
        const matrix = this.frame.view.camera.viewProjection;
        gl.colorMask(false, false, false, false);
        this._paintParts('picture', matrix, false, ghost, how);
        gl.colorMask(true, true, true, true);
        gl.depthFunc(gl.LEQUAL);
        this._blend(true);
        this._paintParts('picture', matrix, false, ghost, how);
        this._paintParts('picture', matrix, true, ghost, how);
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

    // What was drawn in linear light, to the canvas, whose numbers are sRGB.
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
        this.isLost = true;
        for (const model of [...this.models]) model.dispose();
        for (const program of this.programs.values()) program.dispose();
        for (const program of [this.background, this.ground, this.blur, this.present]) program.dispose();
        this._disposeMaps();
        this.target.dispose();
        gl.deleteTexture(this.palette.texture);
        gl.deleteVertexArray(this.nothing);
        gl.getExtension('WEBGL_lose_context')?.loseContext();
    }
}
