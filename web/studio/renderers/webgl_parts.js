// SPDX-License-Identifier: MIT
// The parts of the WebGL2 renderer: programs, framebuffers and textures.

const HEAD = '#version 300 es\nprecision highp float;\nprecision highp int;\nprecision highp sampler2D;\n' +
    'precision highp samplerCube;\n';

// ---- Programs ---------------------------------------------------------------------------------------------------

function compile(/** @type {WebGL2RenderingContext} */ gl, type, texts) {
    const shader = gl.createShader(type);
    gl.shaderSource(shader, HEAD + texts.join('\n'));
    gl.compileShader(shader);
    return shader;
}

function reasonOf(/** @type {WebGL2RenderingContext} */ gl, program, shaders) {
    const logs = [...shaders.map((shader) => gl.getShaderInfoLog(shader)), gl.getProgramInfoLog(program)];
    return logs.find((log) => log)?.split('\n')[0] ?? 'it doesn’t say why';
}

export class Program {
    constructor(/** @type {WebGL2RenderingContext} */ gl, vertexTexts, fragmentTexts) {
        const shaders = [compile(gl, gl.VERTEX_SHADER, vertexTexts), compile(gl, gl.FRAGMENT_SHADER, fragmentTexts)];
        this.gl = gl;
        this.program = gl.createProgram();
        for (const shader of shaders) gl.attachShader(this.program, shader);
        gl.linkProgram(this.program);
        const good = gl.getProgramParameter(this.program, gl.LINK_STATUS) || gl.isContextLost();
        const reason = good ? '' : reasonOf(gl, this.program, shaders);
        for (const shader of shaders) gl.deleteShader(shader); // the program keeps them
        if (!good) throw new Error(`this browser's WebGL2 refuses a shader: ${reason}`);
        this.at = {}; // uniforms by name
        const count = gl.isContextLost() ? 0 : gl.getProgramParameter(this.program, gl.ACTIVE_UNIFORMS);
        for (let i = 0; i < count; i++) {
            const name = gl.getActiveUniform(this.program, i).name.replace('[0]', '');
            this.at[name] = gl.getUniformLocation(this.program, name);
        }
    }

    // Set uniforms of the program in use. Names that it does not have are ignored.
    int(name, value) {
        this.gl.uniform1i(this.at[name] ?? null, value);
    }

    float(name, value) {
        this.gl.uniform1f(this.at[name] ?? null, value);
    }

    vec3(name, value) {
        this.gl.uniform3fv(this.at[name] ?? null, value);
    }

    vec4(name, value) {
        this.gl.uniform4fv(this.at[name] ?? null, value);
    }

    mat4(name, value) {
        this.gl.uniformMatrix4fv(this.at[name] ?? null, false, value);
    }

    dispose() {
        this.gl.deleteProgram(this.program);
    }
}

// ---- Framebuffers -----------------------------------------------------------------------------------------------

function checkFramebuffer(/** @type {WebGL2RenderingContext} */ gl, what) {
    if (gl.isContextLost() || gl.checkFramebufferStatus(gl.FRAMEBUFFER) === gl.FRAMEBUFFER_COMPLETE) return;
    throw new Error(`this browser's WebGL2 has no framebuffer for ${what}`);
}

// A square texture and its framebuffer: 'color', or 'shadow': depth with comparison when sampled.
export class SquareMap {
    constructor(/** @type {WebGL2RenderingContext} */ gl, size, kind) {
        this.gl = gl;
        this.size = size;
        this.texture = gl.createTexture();
        this.framebuffer = gl.createFramebuffer();
        const isDepth = kind === 'shadow';
        gl.activeTexture(gl.TEXTURE0);
        gl.bindTexture(gl.TEXTURE_2D, this.texture);
        gl.texStorage2D(gl.TEXTURE_2D, 1, isDepth ? gl.DEPTH_COMPONENT24 : gl.RGBA8, size, size);
        gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR);
        gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.LINEAR);
        gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
        gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
        if (isDepth) gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_COMPARE_MODE, gl.COMPARE_REF_TO_TEXTURE);
        gl.bindFramebuffer(gl.FRAMEBUFFER, this.framebuffer);
        const point = isDepth ? gl.DEPTH_ATTACHMENT : gl.COLOR_ATTACHMENT0;
        gl.framebufferTexture2D(gl.FRAMEBUFFER, point, gl.TEXTURE_2D, this.texture, 0);
        checkFramebuffer(gl, `a map of ${size} x ${size}`);
    }

    dispose() {
        this.gl.deleteTexture(this.texture);
        this.gl.deleteFramebuffer(this.framebuffer);
    }
}

// A sampler that reads the depths of a shadow map instead of comparing them.
export function makeDepthSampler(/** @type {WebGL2RenderingContext} */ gl) {
    const sampler = gl.createSampler();
    gl.samplerParameteri(sampler, gl.TEXTURE_COMPARE_MODE, gl.NONE);
    gl.samplerParameteri(sampler, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    gl.samplerParameteri(sampler, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
    gl.samplerParameteri(sampler, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
    gl.samplerParameteri(sampler, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
    return sampler;
}

// The cube map of environment.js.
export function makeCube(/** @type {WebGL2RenderingContext} */ gl, unit, levels) {
    const texture = gl.createTexture();
    gl.activeTexture(gl.TEXTURE0 + unit);
    gl.bindTexture(gl.TEXTURE_CUBE_MAP, texture);
    gl.texStorage2D(gl.TEXTURE_CUBE_MAP, levels.length, gl.RGBA16F, levels[0].size, levels[0].size);
    levels.forEach(({ size, faces }, level) => faces.forEach((texels, face) => {
        const side = gl.TEXTURE_CUBE_MAP_POSITIVE_X + face;
        gl.texSubImage2D(side, level, 0, 0, size, size, gl.RGBA, gl.HALF_FLOAT, texels);
    }));
    gl.texParameteri(gl.TEXTURE_CUBE_MAP, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR);
    gl.texParameteri(gl.TEXTURE_CUBE_MAP, gl.TEXTURE_MAG_FILTER, gl.LINEAR);
    return texture;
}

// ---- Records ----------------------------------------------------------------------------------------------------

// A texture of floats with rows of SINEW_TEXTURE_WIDTH, for texelFetch.
export function makeTexels(/** @type {WebGL2RenderingContext} */ gl, unit, width, rows, texels = null) {
    const most = gl.getParameter(gl.MAX_TEXTURE_SIZE);
    if (rows > most) throw new Error(`a texture with ${rows} rows is larger than this browser's WebGL2 allows (${most})`);
    const texture = gl.createTexture();
    gl.activeTexture(gl.TEXTURE0 + unit);
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texStorage2D(gl.TEXTURE_2D, 1, gl.RGBA32F, width, rows);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
    if (texels) gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, width, rows, gl.RGBA, gl.FLOAT, texels);
    return texture;
}
