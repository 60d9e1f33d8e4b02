// SPDX-License-Identifier: MIT
// A page in Chromium with the studio's modules, the package and models, for the renderers' tests:
// node TEST.mjs NODE_MODULES PACKAGE MODELS ARGUMENT... OUT
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openBrowser, serve, skip } from './browser.mjs';
import { parade } from './parade.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '../..');

// All shaders in one folder, as in the studio.
async function gather(folder) {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    await cp(join(root, 'web/studio'), folder, { recursive: true });
    const shared = ['tools/render/shaders/background.vert', 'tools/render/shaders/wire.frag',
        'src/gpu/shaders/skin.glsl', 'src/gpu/shaders/skin.wgsl'];
    for (const shader of shared) await cp(join(root, shader), join(folder, 'shaders', basename(shader)));
}

// `name`.html of this folder; OUT gets what the page is made of, and parade.gltf.
export async function openStudio(name) {
    const [modules, packageFolder, models] = process.argv.slice(2, 5).map((path) => resolve(path));
    const out = resolve(process.argv.at(-1));
    if (!existsSync(join(packageFolder, 'sinew-simd.wasm'))) skip('the package is not built');
    const studio = join(out, 'studio');
    await gather(studio);
    await writeFile(join(out, 'parade.gltf'), parade());
    const assets = process.env.SINEW_ASSETS;
    const folders = { '/models': models, '/out': out, ...(assets && { '/assets': resolve(assets) }) };
    const routes = Object.fromEntries(Object.entries(folders).map(([path, folder]) => [`${path}/`, folder]));
    const server = await serve({ '/': studio, '/sinew/': packageFolder, '/tests/': here, ...routes });
    const browser = await openBrowser(modules);
    const page = await browser.newPage(`${server.url}/tests/${name}.html`, { width: 400, height: 300 });
    await page.waitForFunction(() => globalThis.isReady);

    // Converts a path of the page to one of the disk.
    function fileOf(path) {
        const [, folder, rest] = path.match(/^(\/[^/]*)\/(.*)$/);
        return join(folders[folder], rest);
    }

    async function close() {
        await browser.close();
        server.close();
        assert.deepEqual(browser.faults, [], 'what the page said on its console');
    }
    return { page, fileOf, close };
}
