// SPDX-License-Identifier: MIT
// Checks that this browser has WebGL2 and WebGPU: node gpu.mjs NODE_MODULES. Otherwise the renderers' tests fail less
// clearly.
import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { openBrowser, serve } from './browser.mjs';

const server = await serve({ '/': { html: '<!doctype html><title>GPU</title><canvas></canvas>' } });
const browser = await openBrowser(resolve(process.argv[2]));
try {
    const page = await browser.newPage(server.url);
    const { webgl, webgpu } = await page.evaluate(async () => ({
        webgl: document.querySelector('canvas').getContext('webgl2')
            ?.getParameter(WebGL2RenderingContext.VERSION) ?? null,
        webgpu: (await navigator.gpu?.requestAdapter())?.info?.architecture ?? null,
    }));
    console.log(`WebGL2: ${webgl}; WebGPU: ${webgpu}`);
    assert.ok(webgl, 'there is no WebGL2');
    assert.ok(webgpu !== null, 'there is no WebGPU');
    assert.deepEqual(browser.faults, []);
} finally {
    await browser.close();
    server.close();
}
