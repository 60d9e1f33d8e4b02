// SPDX-License-Identifier: MIT
// Counts the GPU objects that a page makes, in WebGL2 and WebGPU.

export const live = new Set();
live.made = 0;

function onMake(prototype, name) {
    const make = prototype[name];
    prototype[name] = function (...given) {
        const object = make.apply(this, given);
        live.add(object);
        live.made++;
        return object;
    };
}

function onGiveBack(prototype, name, find) {
    const giveBack = prototype[name];
    prototype[name] = function (...given) {
        live.delete(find(this, ...given));
        return giveBack.apply(this, given);
    };
}

// Starts counting.
export function watch() {
    for (const kind of ['Buffer', 'Texture', 'Framebuffer', 'Renderbuffer', 'Program', 'Shader', 'VertexArray']) {
        onMake(WebGL2RenderingContext.prototype, `create${kind}`);
        onGiveBack(WebGL2RenderingContext.prototype, `delete${kind}`, (gl, object) => object);
    }
    for (const kind of ['Buffer', 'Texture']) {
        onMake(GPUDevice.prototype, `create${kind}`);
        onGiveBack(globalThis[`GPU${kind}`].prototype, 'destroy', (object) => object);
    }
}
