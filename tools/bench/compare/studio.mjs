// SPDX-License-Identifier: MIT
// Frames a second of studios in Chromium, drawn in software, alternating: the hero with ground and shadow.
// node studio.mjs NODE_MODULES RENDERER STUDIO...: RENDERER is webgl or webgpu, each STUDIO the folder of a gathered page,
// for instance those of two commits. NODE_MODULES has npm's playwright-core.
import { openBrowser, serve } from '../../../tests/web/browser.mjs';

const [modules, renderer, ...studios] = process.argv.slice(2);
const REPEATS = 3, SECONDS = 6, SETTLE = 2000; // milliseconds after the start

async function openHero(browser, url) {
    const page = await browser.newPage(url);
    await page.waitForFunction(() => globalThis.studio);
    await page.evaluate((kind) => studio.stage.setView({ renderer: kind }), renderer);
    await page.waitForFunction((kind) => studio.picture.renderer.kind === kind, renderer);
    await page.waitForTimeout(SETTLE);
    return page;
}

// In the page: the frames that are drawn in some seconds, for each second.
async function measure(seconds) {
    const { picture } = studio, start = performance.now(), before = picture.drawn;
    await new Promise((resolve) => { setTimeout(resolve, 1000 * seconds); });
    return 1000 * (picture.drawn - before) / (performance.now() - start);
}

const browser = await openBrowser(modules);
const servers = await Promise.all(studios.map((studio) => serve({ '/': studio })));
const measured = studios.map(() => []);
for (let i = 0; i < REPEATS; i++) {
    for (const [k, { url }] of servers.entries()) {
        const page = await openHero(browser, `${url}/`);
        measured[k].push(await page.evaluate(measure, SECONDS));
        await page.close();
    }
}
studios.forEach((studio, i) => {
    const sorted = measured[i].sort((a, b) => a - b);
    console.log(`${studio}: ${sorted[REPEATS >> 1].toFixed(1)} frames a second (${sorted.map((fps) => fps.toFixed(1))})`);
});
await browser.close();
for (const server of servers) server.close();
