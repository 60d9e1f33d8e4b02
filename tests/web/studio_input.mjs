// SPDX-License-Identifier: MIT
// Keys, mouse and touch in the studio: what they do one after another, and at the ends of clips.
import assert from 'node:assert/strict';
import test from 'node:test';
import { context, faults, openStudio, until } from './open_studio.mjs';
import { manyClips, withImage } from './many_clips.mjs';

const near = (value, expected, within = 1e-4, what = '') => (
    assert.ok(Math.abs(value - expected) <= within, `${what} ${value}, not ${expected}`));

const page = await openStudio();
await page.locator('.pinned > summary').click(); // closed in a small window
const stageIn = (onto = page) => onto.evaluate(() => {
    const { playing, time, duration, clip, loop } = studio.stage;
    return { playing, time, duration, clip, loop };
});
const clipButton = (name, onto = page) => onto.locator('.clip-name',
    { has: onto.locator('.clip-words', { hasText: new RegExp(`^${name}$`) }) });
const tab = (name) => page.getByRole('tab', { name, exact: true }).click();
const hero = async () => {
    await tab('Clips');
    await page.evaluate(() => {
        globalThis.isLoaded = false;
        studio.stage.addEventListener('loaded', () => { globalThis.isLoaded = true; }, { once: true });
    });
    await page.getByRole('button', { name: 'Hero', exact: true }).click();
    await until(page, () => globalThis.isLoaded);
    await page.evaluate(() => studio.stage.setPlaying(true));
};

async function open(name, buffer, onto = page) {
    await onto.locator('#file').setInputFiles({ name, mimeType: 'model/gltf+json', buffer });
    await until(onto, (wanted) => studio.stage.character.name === wanted || document.getElementById('ask').open, name);
    const replace = onto.getByRole('button', { name: 'Replace the character' });
    if (await replace.isVisible()) await replace.click();
    await until(onto, (wanted) => studio.stage.character.name === wanted, name);
}

// ---- Keys -------------------------------------------------------------------------------------------------------

// Space, arrows and Home after a click.
async function driveTime(what) {
    await page.evaluate(() => studio.stage.setPlaying(true));
    await page.keyboard.press('Space');
    assert.equal((await stageIn()).playing, false, `Space after ${what}`);
    await page.keyboard.press('Home');
    near((await stageIn()).time, 0, 1e-6, `Home after ${what}`);
    await page.keyboard.press('ArrowRight');
    near((await stageIn()).time, 1 / 30, 1e-5, `ArrowRight after ${what}`);
    await page.keyboard.press('ArrowLeft');
    near((await stageIn()).time, 0, 1e-5, `ArrowLeft after ${what}`);
}

test('keys drive time after a click on any control', async () => {
    const clicks = {
        'a clip': () => clipButton('Walk').click(),
        'a tab': () => tab('View'),
        'a check box': () => page.getByLabel('Wireframe').click(),
        'a radio button': () => page.locator('label', { hasText: 'Light' }).click(),
        'the picture': () => page.locator('canvas.view').click(),
        'the next frame': () => page.getByRole('button', { name: 'Next frame' }).click(),
        'the scrubber': () => page.locator('.bar').click(),
        'a select': () => page.getByLabel('Speed', { exact: true }).click(),
        'a slider': async () => {
            await tab('Scene');
            await page.locator('.slider input:visible').first().click({ position: { x: 3, y: 10 } });
        },
        'the summary of a layer': async () => {
            await tab('Mix');
            await page.locator('summary', { hasText: 'Layer 2' }).click();
        },
    };
    for (const [what, click] of Object.entries(clicks)) {
        await click();
        if (what === 'a select') await page.keyboard.press('Enter'); // closes its list
        await driveTime(what);
    }
    await page.getByLabel('Wireframe').evaluate((box) => box.checked && studio.stage.setView({ wireframe: false }));
});

test('a text field keeps its keys, until the picture is clicked', async () => {
    await tab('Save');
    const { playing } = await stageIn();
    await page.getByLabel('Width').click();
    await page.keyboard.press('End');
    for (const key of ['Space', 'ArrowLeft', 'Home', '3']) await page.keyboard.press(key);
    assert.equal(await page.getByLabel('Width').inputValue(), '3640');
    assert.equal((await stageIn()).playing, playing);
    await page.locator('canvas.view').click();
    await driveTime('a text field and the picture');
    await page.getByLabel('Width').fill('640');
});

test('a control that Tab has reached keeps its keys', async () => {
    await page.locator('#open').focus();
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate(() => document.activeElement.id), 'hero');
    await page.evaluate(() => studio.stage.addEventListener('loaded', () => { globalThis.isLoaded = true; }));
    await page.keyboard.press('Space'); // opens the hero
    await until(page, () => globalThis.isLoaded);
    await page.getByRole('tab', { selected: true }).focus();
    await page.keyboard.press('Home');
    assert.equal(await page.getByRole('tab', { selected: true }).textContent(), 'Clips');
});

// ---- Time -------------------------------------------------------------------------------------------------------

test('a clip that has ended is played again by a click and by Space', async () => {
    await hero();
    await page.getByRole('radio', { name: 'Once' }).check();
    const end = () => page.evaluate(() => { // 5 s: longer than any clip and transition
        for (let i = 0; i < 50; i++) studio.stage.advance(0.1);
        return studio.stage.duration - studio.stage.time < 1e-5;
    });
    await page.getByLabel('Speed', { exact: true }).selectOption('0.1'); // time to look
    await clipButton('Jump').click();
    assert.ok(await end());
    await clipButton('Jump').click();
    await until(page, () => studio.stage.time < studio.stage.duration / 2);
    assert.ok(await end());
    await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
    await page.keyboard.press('Space');
    await until(page, () => studio.stage.time < studio.stage.duration / 2);
    assert.ok((await stageIn()).playing);
    await page.evaluate(() => {
        studio.stage.setLoop('repeat');
        studio.stage.setSpeed(1);
    });
});

test('a held scrubber stays, and playing goes on after it', async () => {
    await hero();
    const bar = await page.locator('.bar').boundingBox();
    await page.mouse.move(bar.x + bar.width / 2, bar.y + bar.height / 2);
    await page.mouse.down();
    const { time } = await stageIn();
    for (let i = 0; i < 3; i++) await page.evaluate(() => studio.stage.update(0.1));
    assert.equal((await stageIn()).time, time);
    await page.mouse.up();
    assert.ok((await stageIn()).playing);
    await until(page, (before) => studio.stage.time !== before, time);
});

test('the picture keeps its size between clips with and without markers', async () => {
    const heights = new Set();
    for (const name of ['Idle', 'Walk', 'Wave']) {
        await clipButton(name).click();
        await page.locator('.now strong', { hasText: name }).waitFor();
        heights.add(await page.evaluate(() => document.getElementById('picture').clientHeight));
    }
    assert.equal(heights.size, 1, [...heights].join());
});

// Frames are counted by hand: 2 s in frames of 0.4 s.
test('below 10 frames a second it plays at the real speed', async () => {
    const slow = await openStudio();
    const passed = await slow.evaluate(() => new Promise((resolve) => {
        const { stage } = studio, frames = [];
        const { requestAnimationFrame: real } = globalThis;
        globalThis.requestAnimationFrame = (frame) => frames.push(frame);
        real(() => {
            const first = performance.now(), step = () => frames.splice(0).forEach((frame) => frame(first + 1e5));
            step(); // far ahead of every real frame
            const { speed } = stage, before = stage.time;
            let sum = 0, last = before;
            stage.addEventListener('frame', () => {
                sum += (stage.time - last + stage.duration) % stage.duration;
                last = stage.time;
            });
            for (let i = 1; i <= 5; i++) frames.splice(0).forEach((frame) => frame(first + 1e5 + 400 * i));
            resolve(sum / speed);
        });
    }));
    near(passed, 2, 1e-3);
    await slow.close();
});

// ---- Clips ------------------------------------------------------------------------------------------------------

const xOfNodes = () => page.evaluate(() => {
    studio.stage.update(0);
    const { asset, mixer } = studio.stage.character;
    return asset.nodes.map((_, node) => mixer.nodeTransform(node).translation[0]);
});

test('clips that move different nodes are played all at full weight', async () => {
    await open('three.gltf', manyClips(['a', 'b', 'c']));
    await page.getByRole('button', { name: 'Play all' }).click();
    await page.evaluate(() => {
        studio.stage.update(1); // the transition
        studio.stage.setPlaying(false);
        studio.stage.seek(0.5);
    });
    (await xOfNodes()).forEach((x, i) => near(x, 0.5 * (i + 1), 1e-5));
    await clipButton('b').click();
    await page.evaluate(() => {
        studio.stage.update(1);
        studio.stage.setPlaying(false);
        studio.stage.seek(0.25);
    });
    assert.deepEqual((await xOfNodes()).map((x) => x.toFixed(4)), ['0.0000', '0.5000', '0.0000']);
    await hero(); // its clips all move the same nodes
    assert.equal(await page.getByRole('button', { name: 'Play all' }).count(), 0);
});

// The list of a character with many clips, by keys alone.
test('many clips are in groups, found by words, and played by keys', async () => {
    const names = ['1H_Melee_Attack_Chop', '1H_Melee_Attack_Slice_Horizontal', '1H_Ranged_Aiming', 'Block', 'Block_Hit', 'Cheer',
        'Death_A', 'Death_B', 'Dodge_Left', 'Dodge_Right', 'Idle', 'Sit_Chair_Down', 'Sit_Floor_Down', 'T-Pose', 'Walking_A',
        'Walking_B'];
    await open('many.gltf', manyClips(names));
    assert.deepEqual(await page.locator('.clips > summary').allTextContents(),
        ['1H 3', 'Block 2', 'Death 2', 'Dodge 2', 'Sit 2', 'Walking 2', 'Other 3']);
    assert.deepEqual(await page.locator('.clips[open] > summary').allTextContents(), ['Walking 2']); // that plays
    await page.keyboard.press('/');
    await page.keyboard.type('attack 1h');
    assert.deepEqual(await page.locator('.clip-words:visible').allTextContents(), names.slice(0, 2));
    const { scrollWidth, clientWidth } = await page.locator('.clip-words:visible').nth(1)
        .evaluate(({ scrollWidth, clientWidth }) => ({ scrollWidth, clientWidth }));
    assert.ok(scrollWidth <= clientWidth, 'the whole name');
    await page.keyboard.press('Enter');
    assert.equal((await stageIn()).clip, 0);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    assert.equal((await stageIn()).clip, 1);
    await page.keyboard.press('Tab'); // the next visible one: there's no button for what plays
    await page.keyboard.press('/');
    await page.keyboard.press('Escape');
    assert.equal(await page.locator('.clips').count(), 7);
    await page.evaluate(() => {
        for (let i = 0; i < 20; i++) studio.stage.advance(0.1); // the fade
    });
    assert.equal(await page.locator('.clip-weight:visible').count(), 1);
    await page.getByRole('button', { name: 'Add 1H_Ranged_Aiming to the mix' }).click();
    await until(page, () => document.querySelectorAll('.clip-weight:not([hidden])').length === 2);
    await page.getByRole('button', { name: 'Stop 1H_Ranged_Aiming' }).click();
    await until(page, () => document.querySelectorAll('.clip-weight:not([hidden])').length === 1);
});

test('the walk is found in the names of many exporters, for start, crowd and blend space alike', async () => {
    const names = ['T-Pose', 'Armature|Walking_A', 'Rig|Idle', 'Running', 'Walk_Backwards'];
    await open('names.gltf', manyClips(names));
    assert.equal((await stageIn()).clip, 1);
    const found = await page.evaluate(async () => {
        const { suggestSpace } = await import('./locomotion.js');
        const { stage } = studio, { clips } = stage.character.asset;
        const space = suggestSpace(stage.character.asset).samples.map(({ clip }) => clip);
        stage.setCrowd(60);
        const crowd = clips.flatMap((clip, i) => (
            stage.crowd.mixers.some((mixer) => mixer.clipAction(clip).isActive()) ? [i] : []));
        stage.setCrowd(0);
        return { space, crowd };
    });
    assert.deepEqual(found, { space: [2, 1, 3], crowd: [1, 2, 3] });
});

test('a clip that is added beyond the limit gets a message, and the others go on', async () => {
    await open('fifty.gltf', manyClips(Array.from({ length: 50 }, (_, i) => `clip ${i}`)));
    await page.evaluate(() => {
        globalThis.messages.length = 0;
        for (let i = 0; i < 47; i++) studio.stage.setWeight(i, 1);
    });
    const playing = () => page.evaluate(() => studio.stage.character.asset.clips.filter((_, i) => studio.stage.weight(i) > 0).length);
    const add = (i) => page.getByRole('button', { name: `Add clip ${i} to the mix`, exact: true }).click();
    await add(47);
    assert.equal(await playing(), 48);
    await add(48);
    assert.equal(await playing(), 48);
    assert.match(await page.evaluate(() => globalThis.messages.join()), /^At most 48 clips .*“clip 48”/);
    await page.getByLabel('Weight of clip 3', { exact: true }).fill('0'); // has no effect any more
    await add(48);
    assert.equal(await playing(), 48);
    assert.ok(await page.evaluate(() => studio.stage.weight(3) === 0 && studio.stage.weight(48) === 1));
});

test('a number of the blend space is edited without a restart', async () => {
    await hero();
    await tab('Mix');
    await page.getByLabel('Play the blend space').check();
    await page.evaluate(() => {
        for (let i = 0; i < 10; i++) studio.stage.update(0.1); // the transition
        studio.stage.setPlaying(false);
        studio.stage.seek(0.5);
        studio.stage.update(0);
    });
    const { time, duration } = await stageIn();
    await page.locator('.sample').nth(1).getByLabel('x', { exact: true }).click();
    await page.keyboard.press('End');
    await page.keyboard.type('25');
    const after = await stageIn();
    assert.equal(after.playing, false);
    near(after.time / after.duration, time / duration, 1e-3);
    await page.locator('canvas.view').click();
    await tab('Clips');
});

// ---- Messages ---------------------------------------------------------------------------------------------------

test('a missing image is named by its file', async () => {
    await open('grey.gltf', withImage(['a'], { name: 'l.jpg', uri: 'textures/leather.png' }));
    await until(page, () => studio.picture.modelOf(studio.stage.character.asset));
    await until(page, () => globalThis.messages.some((text) => text.includes('leather.png')));
    assert.ok(await page.evaluate(() => globalThis.messages.every((text) => !text.includes('l.jpg'))));
});

test('the request for a file goes when the file is opened', async () => {
    await open('three.gltf', manyClips(['a', 'b', 'c']));
    await page.getByRole('button', { name: 'Copy link' }).click();
    await until(page, () => location.hash.length > 10);
    const other = await openStudio({ hash: new URL(page.url()).hash });
    await other.locator('.message.ask', { hasText: 'three.gltf' }).waitFor();
    await open('three.gltf', manyClips(['a', 'b', 'c']), other);
    await until(other, () => !document.querySelector('.message.ask'));
    await other.close();
});

// ---- Touch ------------------------------------------------------------------------------------------------------

test('scrolling the list over a slider does not change its weight', async () => {
    const phone = await openStudio({ width: 360, height: 640, touch: true });
    const devtools = await context.newCDPSession(phone);
    const touch = (type, ...points) => (
        devtools.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) }));
    const slider = phone.getByLabel('Weight of Walk', { exact: true });
    const { x, y, width } = await slider.boundingBox();
    const at = x + 0.3 * width;
    await touch('touchStart', [at, y + 10]);
    for (let i = 1; i <= 12; i++) await touch('touchMove', [at, y + 10 - 8 * i]);
    await touch('touchEnd');
    await until(phone, () => [...document.querySelectorAll('#panels, #panels *')].some(({ scrollTop }) => scrollTop > 20));
    assert.equal(await phone.evaluate(() => studio.stage.weight(1)), 1);
    await slider.scrollIntoViewIfNeeded();
    const again = await slider.boundingBox();
    await touch('touchStart', [again.x + 0.9 * width, again.y + 10]);
    for (let i = 1; i <= 12; i++) await touch('touchMove', [again.x + (0.9 - 0.05 * i) * width, again.y + 10]);
    await touch('touchEnd');
    await until(phone, () => studio.stage.weight(1) < 0.5); // across, it does
    await phone.close();
});

test('the page reported no errors', () => assert.deepEqual(faults, []));
