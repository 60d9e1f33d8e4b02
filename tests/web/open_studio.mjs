// SPDX-License-Identifier: MIT
// The studio in Chromium, for its tests: node TEST.mjs NODE_MODULES STUDIO MODELS [SINEW]
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { after } from 'node:test';
import { WATCHDOG, openBrowser, serve, skip } from './browser.mjs';

const [modules, studio, models] = process.argv.slice(2, 5).map((folder) => resolve(folder));
if (!existsSync(join(studio, 'sinew', 'sinew-simd.wasm'))) skip('the studio is not gathered');

const command = process.argv[5];
export const modelPath = (name) => join(models, name);

const server = await serve({ '/': studio });
export const address = `${server.url}/`;
export const { context, newPage, close, faults } = await openBrowser(modules);

// Warnings are also faults, except for the browser's own about reading pictures back, which tests do.
const OF_THE_DRIVER = /GL Driver Message|GPU stall due to ReadPixels|willReadFrequently/;
context.on('page', (page) => page.on('console', (message) => {
    if (message.type() === 'warning' && !OF_THE_DRIVER.test(message.text())) faults.push(message.text());
}));

after(async () => {
    await close();
    server.close();
});

const SMALL = { width: 820, height: 420 }; // software draws slowly

// What watches files on disk (web/studio/watch.js): the timers that run, and how often a file was looked at. The empty page
// before the studio has no files.
const WATCHING = `if (globalThis.FileSystemFileHandle) {
    const { setInterval: set, clearInterval: clear } = globalThis, { getFile } = FileSystemFileHandle.prototype;
    globalThis.timers = new Set();
    globalThis.looks = 0;
    globalThis.setInterval = (...given) => {
        const timer = set(...given);
        timers.add(timer);
        return timer;
    };
    globalThis.clearInterval = (timer) => {
        timers.delete(timer);
        clear(timer);
    };
    FileSystemFileHandle.prototype.getFile = async function look() {
        const file = await getFile.call(this);
        globalThis.looks++;
        return file;
    };
}
`;

// Opens the page with a loaded character. Without `draws`, it only draws its picture on request: software rendering
// takes a second per picture. The script `before` runs before the page's.
export async function openStudio({ hash = '', draws = false, before = '', ...options } = {}) {
    const page = await newPage(address + hash, { ...SMALL, ...options, before: WATCHING + before });
    await until(page, () => globalThis.studio);
    await page.evaluate(() => { // also of notes, which disappear by themselves
        globalThis.messages = [];
        studio.stage.addEventListener('message', ({ detail: { text } }) => globalThis.messages.push(text));
    });
    if (!draws) await page.evaluate(() => { studio.picture.draw = () => false; });
    return page;
}

// Waits until a condition holds in the page.
export const until = (page, holds, given) => page.waitForFunction(holds, given, { polling: 20, timeout: WATCHDOG });

// The JSON output of the command.
export const ask = (...words) => (
    JSON.parse(spawnSync(command, [...words, '--json'], { encoding: 'utf8', maxBuffer: 1 << 26 }).stdout));

// The hero at a time of a clip: its nodes, in the file's order.
const printed = new Map();
export function poseOf(clip, time) {
    const key = `${clip} ${time}`;
    if (!printed.has(key)) {
        printed.set(key, ask('pose', modelPath('hero.glb'), '--clip', clip, '--time', String(time)).nodes);
    }
    return printed.get(key);
}

// The findings in the page's lint report, sorted: the tooltips of all targets.
export async function reported(page) {
    await page.locator('.finding').evaluateAll((rules) => rules.forEach((rule) => { rule.open = true; }));
    await until(page, () => document.querySelectorAll('.finding:not(:has(.locations))').length === 0);
    const texts = await page.evaluate(() => {
        document.querySelectorAll('.target.quiet').forEach((more) => more.click());
        return [...document.querySelectorAll('.target')].map(({ title }) => title);
    });
    return texts.flatMap((text) => text.split('\n')).sort();
}
