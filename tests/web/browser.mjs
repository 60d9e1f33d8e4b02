// SPDX-License-Identifier: MIT
// Headless Chromium and a web server, for tests that need a browser.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { extname, join, normalize } from 'node:path';
import { pathToFileURL } from 'node:url';

// Milliseconds after which what is waited for counts as hung. All waits are for conditions; this only ends a test with
// a message, on however slow a machine.
export const WATCHDOG = 240000;

export function skip(why) {
    console.log(`SKIPPED: ${why}`);
    process.exit(77);
}

function findChromium() {
    for (const name of ['chromium', 'chromium-browser', 'google-chrome']) {
        try {
            return execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim();
        } catch {
            // the next one
        }
    }
    return skip('there is no Chromium');
}

// Both renderers by software: ANGLE's OpenGL and Dawn's WebGPU over SwiftShader.
const FLAGS = ['--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking',
    '--disable-component-update', '--disable-sync', '--enable-unsafe-webgpu', '--enable-features=Vulkan',
    '--use-vulkan=swiftshader', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--force-color-profile=srgb'];

const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.mjs': 'text/javascript', '.css': 'text/css',
    '.wasm': 'application/wasm', '.json': 'application/json', '.glb': 'model/gltf-binary', '.gltf': 'model/gltf+json',
    '.png': 'image/png', '.webp': 'image/webp', '.svg': 'image/svg+xml' };

// Serves folders on 127.0.0.1: routes is { '/': folder, '/models/': folder... }. The longest matching route applies.
// A route may also be a page, { html }.
export async function serve(routes) {
    const prefixes = Object.keys(routes).sort((a, b) => b.length - a.length);
    async function answer(path) {
        const prefix = prefixes.find((start) => path.startsWith(start));
        const target = routes[prefix];
        if (target.html) return ['text/html', target.html];
        const file = join(target, normalize('/' + path.slice(prefix.length)));
        return [TYPES[extname(file)] ?? 'application/octet-stream', await readFile(file)];
    }
    const server = createServer(async (request, response) => {
        const path = decodeURIComponent(new URL(request.url, 'http://127.0.0.1').pathname);
        try {
            const [type, body] = await answer(path.endsWith('/') && !routes[path]?.html ? `${path}index.html` : path);
            response.writeHead(200, { 'content-type': `${type}${type.startsWith('text/') ? '; charset=utf-8' : ''}` });
            response.end(body);
        } catch {
            response.writeHead(404);
            response.end();
        }
    });
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    return { url: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}

// `modules` is the folder of node_modules with npm's playwright-core. `faults` collects errors that a page throws or
// writes to its console.
export async function openBrowser(modules, extraFlags = []) {
    const require = createRequire(join(modules, 'here.js'));
    if (!existsSync(join(modules, 'playwright-core'))) skip('npm has not fetched playwright-core');
    const { chromium } = (await import(pathToFileURL(require.resolve('playwright-core')))).default;
    const executablePath = findChromium(), profile = await mkdtemp(join(tmpdir(), 'sinew-chromium-'));
    const removeProfile = () => rm(profile, { recursive: true, force: true, maxRetries: 5 });
    const context = await chromium.launchPersistentContext(profile, {
        executablePath, headless: true, args: [...FLAGS, ...extraFlags], timeout: WATCHDOG,
    }).catch(async (error) => {
        await removeProfile();
        throw error;
    });
    context.setDefaultTimeout(WATCHDOG);
    context.setDefaultNavigationTimeout(WATCHDOG);
    const faults = [];
    async function newPage(url, { width = 1280, height = 800, dark = false, touch = false, before = '' } = {}) {
        const page = await context.newPage();
        await page.addInitScript(before);
        page.on('pageerror', (error) => faults.push(String(error)));
        page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
        await page.setViewportSize({ width, height });
        await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light' });
        if (touch) {
            const devtools = await context.newCDPSession(page);
            await devtools.send('Emulation.setTouchEmulationEnabled', { enabled: true });
        }
        await page.goto(url);
        return page;
    }
    async function close() {
        await context.close();
        await removeProfile();
    }
    return { context, newPage, close, faults };
}
