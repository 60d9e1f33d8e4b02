// SPDX-License-Identifier: MIT
// The layout and accessibility of the studio: phone and desktop size, light and dark, touch, screen readers.
import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { context, faults, openStudio, until } from './open_studio.mjs';

const pictures = process.env.PICTURES; // a folder, to have a look at all of it
const PHONE = { width: 360, height: 740, touch: true }, DESK = { width: 1280, height: 800 };
const TAP = 40; // pixels that a finger needs
const CONTRAST = 4.5; // WCAG 2.2, 1.4.3

if (pictures) await mkdir(pictures, { recursive: true });

// Waits for two drawn frames.
async function drawn(page) {
    const before = await page.evaluate(() => studio.picture.drawn);
    await until(page, (count) => studio.picture.drawn > count + 1, before);
}

// Runs a check on each tab.
async function onEachTab(page, check) {
    for (const tab of await page.getByRole('tab').all()) {
        await tab.click();
        for (const closed of await page.locator('details:not([open]) > summary').all()) {
            if (await closed.isVisible()) await closed.click();
        }
        await until(page, () => document.getAnimations().length === 0); // no colour is on its way to another
        await check(await tab.textContent());
    }
}

// The names of controls and texts that are outside of the window or overlap. The row of tabs may scroll.
function findMisplaced(width) {
    const wrong = [];
    const { scrollWidth } = document.scrollingElement;
    if (scrollWidth > width) wrong.push(`the page is ${scrollWidth} wide`);
    for (const { localName, scrollHeight } of [document.documentElement, document.body]) { // focus would scroll it
        if (scrollHeight > innerHeight) wrong.push(`${localName} is ${scrollHeight} high`);
    }
    const nameOf = (node) => `${node.localName}.${node.className} ${node.textContent.trim().slice(0, 30)}`;
    const kinds = 'button, select, input, output, h1, h2, summary, .hint, .label, .now span, .times';
    const shown = [...document.querySelectorAll(kinds)]
        .filter((node) => node.checkVisibility() && node.getBoundingClientRect().width > 0);
    for (const node of shown) {
        const { left, right } = node.getBoundingClientRect();
        const isOutside = left < -0.5 || right > width + 0.5;
        if (isOutside && !node.closest('#tabs')) wrong.push(`${nameOf(node)}: from ${left} to ${right}`);
        const spills = node.scrollWidth > node.clientWidth + 1 && getComputedStyle(node).overflow === 'visible';
        if (spills && node.localName === 'button') wrong.push(`${nameOf(node)}: its text is wider than itself`);
    }
    for (let i = 0; i < shown.length; i++) {
        for (const other of shown.slice(i + 1)) {
            const node = shown[i];
            if (node.contains(other) || other.contains(node)) continue;
            if (node.closest('.choice') && other.closest('.choice')) continue; // neighbours share an edge
            const a = node.getBoundingClientRect(), b = other.getBoundingClientRect();
            const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
            const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
            const scrolls = '.scrolls, .pinned, #panels'; // what is clipped lies over none
            const inOne = node.closest(scrolls) === other.closest(scrolls);
            if (inOne && across > 1 && down > 1) wrong.push(`${nameOf(node)} lies over ${nameOf(other)}`);
        }
    }
    return wrong;
}

// Controls that are too small to touch. A label counts for the checkbox in it.
function findSmall(least) {
    return [...document.querySelectorAll('button, select, input, summary, [role="slider"]')]
        .filter((node) => node.checkVisibility() && node.type !== 'file')
        .map((node) => [node, (node.closest('label') ?? node).getBoundingClientRect()])
        .filter(([, { width, height }]) => width > 0 && Math.min(width, height) < least - 0.5)
        .map(([node, { width, height }]) => (
            `${node.localName} ${node.ariaLabel ?? node.textContent.slice(0, 20)}: ${width} x ${height}`));
}

// Texts with too little contrast to their background.
function findFaint(least) {
    const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
    function toRgba(color) {
        canvas.clearRect(0, 0, 1, 1);
        canvas.fillStyle = color;
        canvas.fillRect(0, 0, 1, 1);
        const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
        return [r, g, b, a / 255];
    }
    const over = (front, back) => [0, 1, 2].map((i) => front[i] * front[3] + back[i] * (1 - front[3])).concat(1);
    function backOf(node) {
        if (!node) return [255, 255, 255, 1];
        const own = toRgba(getComputedStyle(node).backgroundColor);
        return own[3] === 1 ? own : over(own, backOf(node.parentElement));
    }
    function light([r, g, b]) {
        const linear = (c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
        const [x, y, z] = [r, g, b].map((c) => linear(c / 255));
        return 0.2126 * x + 0.7152 * y + 0.0722 * z;
    }
    const faint = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
        const node = text.parentElement;
        if (text.data.trim() === '' || !node.checkVisibility()) continue;
        if (node.closest(':disabled, :has(:disabled) > span')) continue;
        const back = backOf(node), front = over(toRgba(getComputedStyle(node).color), back);
        const [a, b] = [light(front), light(back)];
        const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        if (contrast < least) faint.push(`${text.data.trim().slice(0, 30)}: ${contrast.toFixed(2)}`);
    }
    return faint;
}

// Focusable elements without an accessible name.
async function findNameless(page) {
    const devtools = await context.newCDPSession(page);
    const { nodes } = await devtools.send('Accessibility.getFullAXTree');
    await devtools.detach();
    return nodes.filter(({ ignored, properties = [], name, role }) => !ignored && !name?.value &&
        role?.value !== 'RootWebArea' && properties.some(({ name: key, value }) => key === 'focusable' && value.value))
        .map(({ role }) => role.value);
}

for (const [name, size] of [['phone', PHONE], ['desk', DESK]]) {
    test(`no overlaps, enough contrast, names for all controls: on a ${name}`, async () => {
        const page = await openStudio({ ...size, draws: Boolean(pictures) });
        await page.evaluate(() => {
            const { stage } = studio, { name, bytes, files } = stage.character;
            stage.startCompare(name, bytes, files);
        });
        for (const colorScheme of ['light', 'dark']) {
            await page.emulateMedia({ colorScheme });
            await until(page, (theme) => document.documentElement.dataset.theme === theme, colorScheme);
            await onEachTab(page, async (tab) => {
                if (pictures) await drawn(page);
                if (pictures) await page.screenshot({ path: join(pictures, `${name}-${colorScheme}-${tab}.png`) });
                assert.deepEqual(await page.evaluate(findFaint, CONTRAST), [], tab);
                if (colorScheme === 'dark') return; // all else is as before
                assert.deepEqual(await page.evaluate(findMisplaced, size.width), [], tab);
                assert.deepEqual(await findNameless(page), [], tab);
                if (size.touch) assert.deepEqual(await page.evaluate(findSmall, TAP), [], tab);
            });
        }
        await page.close();
    });
}

// Checks the page in the modes of a graph, with a state and with a transition selected.
async function inEachMode(page, check) {
    const mode = (name) => page.getByRole('radio', { name, exact: true }).check();
    const select = (target) => page.evaluate(async (given) => {
        const panels = document.getElementById('panels');
        panels.scrollTop = 0;
        const path = document.querySelectorAll(given)[0], { x, y } = path.getPointAtLength(path.getTotalLength() / 2).matrixTransform(path.getScreenCTM());
        for (const type of ['pointerdown', 'pointerup']) path.dispatchEvent(new PointerEvent(type, { bubbles: true, pointerId: 1, clientX: x, clientY: y }));
    }, target);
    await page.evaluate(() => { SVGElement.prototype.setPointerCapture = () => {}; }); // of events that are made here
    await check('Play');
    await mode('Edit');
    for (const summary of ['Layer Base', 'Parameters']) await page.locator('summary', { hasText: summary }).click();
    await page.locator('summary', { hasText: 'hurt' }).click();
    await check('Edit');
    await select('.edge .hit');
    await page.locator('.condition').fill('jump && no_such_parameter_of_this_graph > 0.1 && finished && past(0.25)');
    await check('Edit, a transition');
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.locator('.state').first().press('Enter');
    await check('Edit, a state');
    await mode('Text');
    await check('Text');
}

for (const [name, size] of [['phone', PHONE], ['desk', DESK]]) {
    test(`the same for a graph: on a ${name}`, async () => {
        const page = await openStudio({ ...size, draws: Boolean(pictures) });
        await page.evaluate(async () => {
            const { openBuiltInGraph } = await import('./graph_open.js');
            studio.stage.setView({ tab: 'Graph' });
            await openBuiltInGraph(studio.stage, 'hero.glb');
        });
        await page.locator('.state').first().waitFor();
        for (const colorScheme of ['light', 'dark']) {
            await page.emulateMedia({ colorScheme });
            await until(page, (theme) => document.documentElement.dataset.theme === theme, colorScheme);
            const check = async (mode) => {
                await until(page, () => document.getAnimations().length === 0);
                if (pictures) await drawn(page);
                if (pictures) await page.screenshot({ path: join(pictures, `${name}-${colorScheme}-Graph-${mode}.png`) });
                assert.deepEqual(await page.evaluate(findFaint, CONTRAST), [], mode);
                assert.deepEqual(await page.evaluate(findMisplaced, size.width), [], mode);
                assert.deepEqual(await findNameless(page), [], mode);
                if (size.touch) assert.deepEqual(await page.evaluate(findSmall, TAP), [], mode);
            };
            if (colorScheme === 'light') await inEachMode(page, check);
            else await check('Text, dark');
        }
        await page.evaluate(async () => {
            const { openBuiltInGraph, BUILT_IN_RIGS } = await import('./graph_open.js');
            studio.stage.setView({ tab: 'Rig' });
            await openBuiltInGraph(studio.stage, 'hero.glb', BUILT_IN_RIGS);
        });
        await page.locator('.rig-step summary').nth(3).click();
        if (pictures) await drawn(page);
        if (pictures) await page.screenshot({ path: join(pictures, `${name}-dark-Rig-step.png`) });
        assert.deepEqual(await page.evaluate(findFaint, CONTRAST), []);
        assert.deepEqual(await page.evaluate(findMisplaced, size.width), []);
        assert.deepEqual(await findNameless(page), []);
        if (size.touch) assert.deepEqual(await page.evaluate(findSmall, TAP), []);
        await page.close();
    });
}

for (const [name, size] of [['phone', PHONE], ['desk', DESK]]) {
    test(`the same for retargeting: on a ${name}`, async () => {
        const page = await openStudio({ ...size, draws: Boolean(pictures) });
        await page.evaluate(async () => {
            const { openMotion } = await import('./retarget_open.js'), { name, bytes, files } = studio.stage.character;
            await openMotion(studio.stage, { name, bytes, files });
        });
        await page.locator('.joint').first().waitFor();
        await until(page, () => studio.stage.compare !== null && !studio.stage.retarget.isBusy);
        await page.evaluate(() => studio.stage.retarget.assign('source', 'leftHand', -1));
        await page.evaluate(() => studio.stage.retarget.select('leftIndexProximal', true));
        await until(page, () => !studio.stage.retarget.isBusy);
        await page.locator('.graph-body details').evaluateAll((all) => all.forEach((one) => { one.open = true; }));
        for (const colorScheme of ['light', 'dark']) {
            await page.emulateMedia({ colorScheme });
            await until(page, (theme) => document.documentElement.dataset.theme === theme, colorScheme);
            await until(page, () => document.getAnimations().length === 0);
            if (pictures) await drawn(page);
            if (pictures) await page.screenshot({ path: join(pictures, `${name}-${colorScheme}-Retarget.png`) });
            assert.deepEqual(await page.evaluate(findFaint, CONTRAST), []);
            assert.deepEqual(await page.evaluate(findMisplaced, size.width), []);
            assert.deepEqual(await findNameless(page), []);
            if (size.touch) assert.deepEqual(await page.evaluate(findSmall, TAP), []);
        }
        await page.close();
    });
}

test('a message and the help fit on a phone', async () => {
    const page = await openStudio(PHONE);
    await page.evaluate(() => studio.stage.tell('error', `${'a-very-long-name'.repeat(6)}.glb: it is no glTF file.`));
    await page.locator('.message').waitFor();
    assert.deepEqual(await page.evaluate(findMisplaced, PHONE.width), []);
    const boxOf = (place) => page.locator(place).boundingBox();
    const message = await boxOf('.message'), picture = await boxOf('#picture');
    assert.ok(message.y > picture.y && message.y + message.height <= picture.y + picture.height);
    await page.getByRole('button', { name: 'Help and keys' }).click();
    const dialog = await boxOf('#help');
    assert.ok(dialog.x >= 0 && dialog.x + dialog.width <= PHONE.width && dialog.y + dialog.height <= PHONE.height);
    if (pictures) await page.screenshot({ path: join(pictures, 'phone-help.png') });
    await page.close();
});

test('the frame times do not cover the character on a small phone', async () => {
    const page = await openStudio({ width: 360, height: 640, touch: true });
    await until(page, () => /fps/.test(document.getElementById('times').innerText));
    const times = await page.locator('#times').boundingBox(), picture = await page.locator('#picture').boundingBox();
    const corners = await page.evaluate(() => {
        const { stage, picture } = studio, { viewProjection: m } = picture.view().camera;
        const [x0, y0, z0, x1, y1, z1] = stage.character.mixer.bounds();
        return [x0, x1].flatMap((x) => [y0, y1].flatMap((y) => [z0, z1].map((z) => (
            [0, 1, 3].map((row) => m[row] * x + m[4 + row] * y + m[8 + row] * z + m[12 + row])))));
    });
    const right = picture.x + picture.width * Math.max(...corners.map(([x, , w]) => 0.5 + 0.5 * x / w));
    const top = picture.y + picture.height * Math.min(...corners.map(([, y, w]) => 0.5 - 0.5 * y / w));
    assert.ok(right > 180 && top > picture.y, `it is at the left of ${right}, below ${top}`);
    assert.ok(times.x > right || times.y + times.height < top, `from ${times.x} and ${right}, to ${times.y + times.height}`);
    await page.close();
});

test('touch orbits, zooms and pans', async () => {
    const page = await openStudio(PHONE);
    const devtools = await context.newCDPSession(page);
    const goal = () => page.evaluate(() => structuredClone(studio.picture.orbit.goal));
    const touch = (type, ...points) => (
        devtools.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) }));
    const before = await goal();
    await touch('touchStart', [180, 150]);
    await touch('touchMove', [220, 150]);
    await touch('touchEnd');
    await until(page, (yaw) => studio.picture.orbit.goal.yaw < yaw - 0.1, before.yaw);
    const turned = await goal();
    assert.equal(turned.distance, before.distance);
    await touch('touchStart', [150, 150], [210, 150]);
    await touch('touchMove', [120, 150], [240, 150]);
    const half = turned.distance / 2; // with the fingers twice as far apart
    await until(page, (wanted) => Math.abs(studio.picture.orbit.goal.distance / wanted - 1) < 0.01, half);
    await touch('touchMove', [120, 170], [240, 170]);
    await touch('touchEnd');
    await until(page, (height) => studio.picture.orbit.goal.target[1] > height + 0.01, turned.target[1]);
    await page.close();
});

test('arrow keys switch tabs', async () => {
    const page = await openStudio();
    await page.getByRole('tab').first().focus();
    await page.keyboard.press('ArrowRight');
    const chosen = () => page.locator('[role="tab"][aria-selected="true"]').allTextContents();
    const names = await page.getByRole('tab').allTextContents();
    assert.deepEqual(await chosen(), [names[1]]);
    assert.equal(await page.locator('[role="tabpanel"]:visible').count(), 1);
    await page.keyboard.press('End');
    assert.deepEqual(await chosen(), [names.at(-1)]);
    await page.close();
});

test('marker names do not overlap on a phone, and all marks are visible', async () => {
    const page = await openStudio(PHONE);
    const clips = await page.evaluate(() => studio.stage.character.asset.clips.map(({ name, markers }) => (
        { name, times: new Set(markers.map(({ time }) => time)).size })));
    for (const [i, { name, times }] of clips.entries()) {
        await page.evaluate((clip) => studio.stage.play(clip), i);
        await page.locator('.now strong', { hasText: name }).waitFor();
        const boxes = await page.locator('.marker').evaluateAll((nodes) => nodes
            .map((node) => node.getBoundingClientRect()).map(({ left, right }) => ({ left, right })));
        assert.equal(boxes.length, times);
        for (const [at, { left, right }] of boxes.entries()) {
            assert.ok(left >= 0 && right <= PHONE.width, `${name}: from ${left} to ${right}`);
            for (const other of boxes.slice(at + 1)) {
                assert.ok(Math.min(right, other.right) - Math.max(left, other.left) < 2.5, `${name}: ${at} is covered`);
            }
        }
    }
    await page.close();
});

test('reduced motion is respected', async () => {
    const page = await openStudio();
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await until(page, () => matchMedia('(prefers-reduced-motion: reduce)').matches);
    const [now, goal] = await page.evaluate(() => {
        studio.picture.moveCamera((orbit) => orbit.turn(0.2, 0));
        return [studio.picture.orbit.now.yaw, studio.picture.orbit.goal.yaw];
    });
    assert.equal(now, goal);
    await page.close();
});

test('missing browser features get a message', async () => {
    const page = await openStudio();
    await page.addInitScript(() => Object.defineProperty(navigator, 'gpu', { value: undefined }));
    await page.reload();
    await page.getByRole('tab', { name: 'View' }).click();
    await page.getByText('This browser has no WebGPU.').waitFor();
    assert.ok(await page.getByRole('radio', { name: 'WebGPU' }).isDisabled());
    await page.addInitScript(() => { HTMLCanvasElement.prototype.getContext = () => null; });
    await page.reload();
    await page.getByText(/^The studio can't start here: .*WebG/).waitFor();
    await page.close();
});

test('the page reported no errors', () => assert.deepEqual(faults, []));
