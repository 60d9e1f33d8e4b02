// SPDX-License-Identifier: MIT
// The studio's animated WebP files, read by Chromium's decoder and by libwebp's webpinfo.
// node studio_webp.mjs NODE_MODULES
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openBrowser, serve } from './browser.mjs';

const studio = fileURLToPath(new URL('../../web/studio', import.meta.url));
const server = await serve({ '/': { html: '<!doctype html><title>WebP</title>' }, '/studio/': studio });
const browser = await openBrowser(resolve(process.argv[2]));
const scratch = await mkdtemp(join(tmpdir(), 'sinew-webp-'));

// In the page: encodes pictures of one colour each, and decodes the file by the browser's decoder.
async function makeAndDecode({ colors, width, height, seconds, quality }) {
    const { animatedWebp, frameDurations } = await import('/studio/webp.js');
    const pictures = [];
    for (const color of colors) {
        const canvas = document.createElement('canvas');
        Object.assign(canvas, { width, height });
        const context = canvas.getContext('2d');
        context.fillStyle = color;
        context.fillRect(0, 0, width, height);
        const blob = await new Promise((done) => { canvas.toBlob(done, 'image/webp', quality); });
        pictures.push(new Uint8Array(await blob.arrayBuffer()));
    }
    const file = animatedWebp(pictures, frameDurations(colors.length, seconds), width, height);
    const bytes = new Uint8Array(await file.arrayBuffer());
    const decoder = new ImageDecoder({ data: bytes, type: file.type });
    await decoder.tracks.ready;
    await decoder.completed;
    const frames = [];
    for (let i = 0; i < decoder.tracks.selectedTrack.frameCount; i++) {
        const { image } = await decoder.decode({ frameIndex: i });
        const canvas = new OffscreenCanvas(image.displayWidth, image.displayHeight), context = canvas.getContext('2d');
        context.drawImage(image, 0, 0);
        const color = [...context.getImageData(width >> 1, height >> 1, 1, 1).data];
        frames.push({ size: [canvas.width, canvas.height], color, microseconds: image.duration });
        image.close();
    }
    return { frames, forever: decoder.tracks.selectedTrack.repetitionCount === Infinity, bytes: [...bytes] };
}

function near(color, expected) {
    assert.ok(color.every((value, i) => Math.abs(value - expected[i]) <= 6), `${color}, not ${expected}`);
}

// webpinfo's description of each frame, if it is installed.
async function readByLibwebp(name, bytes, durations) {
    const file = join(scratch, name);
    await writeFile(file, Uint8Array.from(bytes));
    let said;
    try {
        said = execFileSync('webpinfo', [file], { encoding: 'utf8' });
    } catch (error) {
        if (error.code !== 'ENOENT') throw error;
        console.log('webpinfo is not installed: this part is left out');
        return;
    }
    assert.match(said, /No error detected/);
    assert.deepEqual([...said.matchAll(/Duration: (\d+)/g)].map(([, value]) => Number(value)), durations);
    assert.match(said, /Loop count\s*: 0/);
}

try {
    const page = await browser.newPage(server.url);
    // Ten frames in a third of a second: 33 and 34 ms, 333 in sum; with odd sizes.
    const solid = Array.from({ length: 10 }, (_, i) => [20 * i, 200 - 20 * i, 90]);
    const opaque = await page.evaluate(makeAndDecode, {
        colors: solid.map(([r, g, b]) => `rgb(${r} ${g} ${b})`), width: 37, height: 23, seconds: 0.333, quality: 0.9 });
    const durations = [33, 34, 33, 33, 34, 33, 33, 33, 34, 33];
    assert.equal(durations.reduce((sum, value) => sum + value), 333);
    assert.equal(opaque.frames.length, 10);
    assert.ok(opaque.forever);
    opaque.frames.forEach(({ size, color, microseconds }, i) => {
        assert.deepEqual(size, [37, 23]);
        near(color, [...solid[i], 255]);
        assert.equal(microseconds, 1000 * durations[i]);
    });
    await readByLibwebp('opaque.webp', opaque.bytes, durations);

    // Transparent pixels replace the previous frame's.
    const clear = await page.evaluate(makeAndDecode, { colors: ['rgb(255 0 0 / 100%)', 'rgb(0 0 0 / 0%)',
        'rgb(0 0 255 / 50%)'], width: 64, height: 48, seconds: 0.3, quality: 0.9 });
    const [red, nothing, blue] = clear.frames.map(({ color }) => color);
    near(red, [255, 0, 0, 255]);
    assert.equal(nothing[3], 0);
    near(blue, [0, 0, 255, 128]);
    await readByLibwebp('clear.webp', clear.bytes, [100, 100, 100]);

    // Without loss (VP8L, as of quality 1 in Chromium), and a single picture.
    const exact = await page.evaluate(makeAndDecode, {
        colors: ['rgb(12 34 56)'], width: 2, height: 1, seconds: 1, quality: 1 });
    assert.equal(exact.frames.length, 1);
    near(exact.frames[0].color, [12, 34, 56, 255]);
    await readByLibwebp('exact.webp', exact.bytes, [1000]);

    const faults = await page.evaluate(async () => {
        const { animatedWebp } = await import('/studio/webp.js');
        const said = (...wrong) => {
            try {
                animatedWebp(...wrong);
                return 'nothing';
            } catch (error) {
                return error.message;
            }
        };
        const png = Uint8Array.of(137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82);
        const cut = new TextEncoder().encode('RIFF....WEBPVP8 \x99\x00\x00\x00....');
        const empty = new TextEncoder().encode('RIFF....WEBPICCP\x00\x00\x00\x00');
        return [said([], [], 4, 4), said([png], [10], 4, 4), said([cut], [10], 4, 4), said([empty], [10], 4, 4),
            said([cut], [10], 16385, 4)];
    });
    [/at least one/, /can’t encode WebP/, /truncated/, /has no VP8/, /1 to 16384 pixels/].forEach((pattern, i) => (
        assert.match(faults[i], pattern)));
    assert.deepEqual(browser.faults, []);
    console.log(`3 files read back, of ${opaque.bytes.length}, ${clear.bytes.length} and ${exact.bytes.length} bytes`);
} finally {
    await browser.close();
    server.close();
    await rm(scratch, { recursive: true, force: true });
}
