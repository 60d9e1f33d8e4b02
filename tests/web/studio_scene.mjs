// SPDX-License-Identifier: MIT
// The studio's panels for attachments, crowds and exports, and the overlay.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import test from 'node:test';
import { faults, modelPath, openStudio, poseOf, until } from './open_studio.mjs';

const near = (value, expected, within = 2e-6, what = '') => (
    assert.ok(Math.abs(value - expected) <= within, `${what} ${value}, not ${expected}`));

const page = await openStudio();
await until(page, () => studio.picture.modelOf(studio.stage.character.asset)); // it is drawn here
await page.evaluate(() => {
    studio.stage.setPlaying(false);
    studio.stage.seek(0.4);
    studio.stage.update(0);
});
const tab = (name) => page.getByRole('tab', { name }).click();

// ---- Other files ------------------------------------------------------------------------------------------------

const sword = page.locator('details', { hasText: 'sword.glb' });
const placeOfSword = () => page.evaluate(() => {
    studio.stage.update(0);
    return [...studio.stage.attachments[0].world];
});

// The hand's matrix of `sinew pose`, column-major, times a row-major 3x4 matrix.
function times(world, rows) {
    const entry = (row, column) => [0, 1, 2].reduce((sum, i) => sum + world[4 * i + row] * rows[4 * i + column], 0);
    return [0, 1, 2].flatMap((row) => [0, 1, 2, 3].map((column) => (
        entry(row, column) + (column === 3 ? world[12 + row] : 0))));
}

test('the sword is attached to the hand', async () => {
    await tab('Scene');
    await page.getByRole('button', { name: 'Add sword' }).click();
    await sword.locator('summary').click();
    assert.equal(await sword.locator('summary').textContent(), 'sword.glb on Grip_R');
    const joint = sword.getByRole('combobox', { name: 'Attach to' });
    assert.equal(await joint.evaluate(({ selectedOptions: [chosen] }) => chosen.text), 'Grip_R'); // not indented
    const time = await page.evaluate(() => studio.stage.time);
    const { world } = poseOf('Walk', time).find(({ name }) => name === 'Grip_R');
    const identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];
    (await placeOfSword()).forEach((value, i) => near(value, times(world, identity)[i]));

    const field = (group, label) => sword.getByRole('group', { name: group }).getByLabel(label);
    await field('Position', 'x, m').fill('0.1');
    await field('Position', 'z, m').fill('-0.25');
    await field('Rotation', 'x, °').fill('30');
    await field('Rotation', 'z, °').fill('90');
    await sword.getByLabel('Scale').fill('2');
    // A rotation by 30 degrees about x, then by 90 about z, which maps x to y and y to -x, and a scale of 2.
    const [c, s] = [Math.cos(Math.PI / 6), Math.sin(Math.PI / 6)];
    const offset = [0, -2 * c, 2 * s, 0.1, 2, 0, 0, 0, 0, 2 * s, 2 * c, -0.25];
    (await placeOfSword()).forEach((value, i) => near(value, times(world, offset)[i], 1e-5));

    await sword.getByRole('combobox', { name: 'Attach to' }).selectOption('-1');
    (await placeOfSword()).forEach((value, i) => near(value, offset[i], 1e-6));
});

// Drags the x axis's handle (the joint's axis) along itself by half its length.
test('a handle in the picture moves the attachment along an axis of its joint', async () => {
    await sword.getByRole('combobox', { name: 'Attach to' }).selectOption({ label: await page.evaluate(() => {
        const hand = studio.stage.character.asset.findNode('Grip_R');
        return [...document.querySelectorAll('details option')].find(({ value }) => Number(value) === hand).textContent;
    }) });
    const handles = () => page.evaluate(() => {
        studio.stage.update(0);
        const { picture } = studio, [overlay] = picture.overlays, { left, top } = picture.container.getBoundingClientRect();
        const { clientWidth: width, clientHeight: height } = picture.container;
        return overlay.gizmo.handles(picture.view().camera, { width, height }).map(({ from, to, ...rest }) => (
            { from: [from[0] + left, from[1] + top], to: [to[0] + left, to[1] + top], ...rest }));
    });
    const offset = () => page.evaluate(() => [...studio.stage.attachments[0].offset.translation]);
    const goal = await page.evaluate(() => ({ ...studio.picture.orbit.goal }));
    for (const { axis, from, to, units } of await handles()) {
        const before = await offset(), half = [0, 1].map((i) => (to[i] - from[i]) / 2);
        if (Math.hypot(...half) < 5) continue; // it points at the camera
        const [now] = (await handles()).filter((handle) => handle.axis === axis);
        await page.mouse.move(...now.to);
        await page.mouse.down();
        await page.mouse.move(now.to[0] + half[0], now.to[1] + half[1]);
        await page.mouse.up();
        const after = await offset();
        after.forEach((value, i) => near(value - before[i], i === axis ? 0.5 * units : 0, 0.05 * units, `axis ${axis}`));
    }
    assert.notDeepEqual(await offset(), [0.1, 0, -0.25]);
    assert.deepEqual(await page.evaluate(() => ({ ...studio.picture.orbit.goal })), goal); // the camera stays
});

test('angles convert to quaternions and back, also at gimbal lock', async () => {
    const worst = await page.evaluate(async () => {
        const { fromAngles, toAngles } = await import('/angles.js');
        let most = 0;
        for (const x of [-170, -40, 0, 65]) {
            for (const y of [-90, -89, -30, 0, 45, 90]) {
                for (const z of [-120, 0, 10]) {
                    const [a, b] = [fromAngles([x, y, z]), fromAngles(toAngles(fromAngles([x, y, z])))];
                    most = Math.max(most, 1 - Math.abs(a.reduce((sum, value, i) => sum + value * b[i], 0)));
                }
            }
        }
        return most;
    });
    assert.ok(worst < 1e-9, `${worst}`);
});

test('an invalid file gets a message and is not added; a valid one is', async () => {
    const choose = (name, buffer) => (
        page.getByLabel('Files to add').setInputFiles({ name, mimeType: 'model/gltf-binary', buffer }));
    await choose('notes.glb', Buffer.from('no model at all'));
    await until(page, () => /notes\.glb: .*Open a \.glb/.test(document.getElementById('errors').textContent));
    assert.equal(await page.evaluate(() => studio.stage.attachments.length), 1);
    await choose('mill.glb', await readFile(modelPath('windmill.glb')));
    await until(page, () => studio.stage.attachments.length === 2);
    for (const name of ['sword.glb', 'mill.glb']) {
        const one = page.locator('details', { hasText: name });
        if (!await one.evaluate((details) => details.open)) await one.locator('summary').click();
        await page.getByRole('button', { name: `Remove ${name}` }).click();
    }
    assert.equal(await page.evaluate(() => studio.stage.attachments.length), 0);
    assert.equal(await page.locator('#panels details', { hasText: '.glb' }).count(), 0);
});

// ---- Crowds -----------------------------------------------------------------------------------------------------

test('a crowd has the given count, each with its own time', async () => {
    const exactly = page.getByLabel('Exact count');
    await exactly.fill('37');
    await until(page, () => studio.stage.crowd.count === 37);
    const crowd = await page.evaluate(() => {
        const { stage } = studio, { clips } = stage.character.asset;
        const { mixers, worlds } = stage.crowd;
        const poses = mixers.map((mixer) => mixer.palette().slice(0, 48).join());
        const spots = mixers.map((_, i) => [worlds[12 * i + 3], worlds[12 * i + 11]]);
        const playing = mixers.map((mixer) => clips.filter((clip) => mixer.clipAction(clip).isActive()).length);
        return { poses, spots, playing };
    });
    assert.equal(new Set(crowd.poses).size, 37);
    assert.ok(crowd.playing.every((count) => count === 1));
    for (let i = 0; i < 37; i++) {
        assert.ok(Math.hypot(...crowd.spots[i]) > 0.5, 'the middle is free');
        for (let k = 0; k < i; k++) {
            assert.ok(Math.hypot(crowd.spots[i][0] - crowd.spots[k][0], crowd.spots[i][1] - crowd.spots[k][1]) > 0.5);
        }
    }
    assert.equal(await page.locator('.slider output', { hasText: '37' }).count(), 1);
    await exactly.fill('1001'); // more than there may be
    assert.equal(await exactly.getAttribute('aria-invalid'), 'true');
    await page.getByLabel(/^Count/).fill('3');
    await until(page, () => studio.stage.crowd.count === 3);
    await page.evaluate(() => studio.stage.setPlaying(true));
    await until(page, () => {
        studio.stage.update(0.01);
        return /^Update: (\d+\.\d\d|less than 0\.1) ms/.test(document.querySelector('.cost').textContent);
    });
    await page.evaluate(() => studio.stage.setPlaying(false));
    await exactly.fill('0');
    await until(page, () => studio.stage.crowd.count === 0);
});

// ---- Over the picture -------------------------------------------------------------------------------------------

test('names are inside of the picture and do not overlap', async () => {
    const found = await page.evaluate(async () => {
        const { layOutNames } = await import('/overlay.js');
        const names = [];
        let seed = 1;
        const chance = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
        for (let i = 0; i < 200; i++) names.push({ x: 600 * chance(), y: 400 * chance(), width: 30 + 60 * chance() });
        const covered = [{ x: 400, y: 0, width: 200, height: 60 }], first = layOutNames(names, 600, 400, covered);
        const again = { x: 100, y: 100, width: 50, last: 1 }, next = layOutNames([again, again], 600, 400);
        return { covered, first, next };
    });
    const boxes = found.first.filter(Boolean);
    assert.ok(boxes.length > 40 && boxes.length < 200, `${boxes.length} names have room`);
    const all = [...boxes, ...found.covered];
    all.forEach((a, i) => all.slice(0, i).forEach((b) => assert.ok(
        a.x >= b.x + b.width || b.x >= a.x + a.width || a.y >= b.y + b.height || b.y >= a.y + a.height)));
    boxes.forEach(({ x, y, width, height }) => (
        assert.ok(x >= 0 && y >= 0 && x + width <= 600 && y + height <= 400)));
    assert.deepEqual(found.next.map(({ position }) => position), [1, 0]); // the last position, or else a free one
});

test('the skeleton is drawn at the joints', async () => {
    await tab('View');
    await page.getByLabel('Skeleton').check();
    const missed = await page.evaluate(() => {
        const { stage, picture } = studio, { viewProjection: m } = picture.view().camera;
        const canvas = document.querySelector('canvas.over');
        for (const overlay of picture.overlays) overlay.draw(picture.view().camera);
        const context = canvas.getContext('2d'), rows = stage.character.mixer.modelMatrices;
        return ['Head', 'Hand_L', 'Foot_R', 'Hips'].filter((name) => {
            const at = 12 * stage.character.asset.findNode(name);
            const [x, y, z] = [rows[at + 3], rows[at + 7], rows[at + 11]], w = m[3] * x + m[7] * y + m[11] * z + m[15];
            const across = (0.5 + 0.5 * (m[0] * x + m[4] * y + m[8] * z + m[12]) / w) * canvas.width;
            const down = (0.5 - 0.5 * (m[1] * x + m[5] * y + m[9] * z + m[13]) / w) * canvas.height;
            const { data } = context.getImageData(Math.round(across) - 2, Math.round(down) - 2, 5, 5);
            const isBone = (i) => data[i] > 200 && data[i + 1] > 120 && data[i + 2] < 120 && data[i + 3] > 200;
            return !Array.from({ length: 25 }, (_, i) => 4 * i).some(isBone);
        });
    });
    assert.deepEqual(missed, []);
    await page.getByLabel('Skeleton').uncheck();
});

test('onion skin shows earlier and later poses', async () => {
    await page.getByLabel('Onion skin').check();
    const ghosts = await page.evaluate(() => {
        studio.stage.update(0);
        const { asset } = studio.stage.character, foot = asset.findNode('Foot_L');
        return studio.picture.ghosts.map(({ mixer }) => mixer.modelMatrices[12 * foot + 11]);
    });
    const footAt = (time) => poseOf('Walk', time).find(({ name }) => name === 'Foot_L').world[14];
    const time = await page.evaluate(() => studio.stage.time);
    assert.equal(ghosts.length, 4);
    [-0.24, 0.24, -0.12, 0.12].forEach((step, i) => near(ghosts[i], footAt(time + step), 1e-5));
    await page.getByLabel('Onion skin').uncheck();
    await page.evaluate(() => studio.stage.update(0));
    assert.equal(await page.evaluate(() => studio.picture.ghosts.length), 0);
});

// ---- Saving -----------------------------------------------------------------------------------------------------

// The file that a click saves, and its name.
async function save(button) {
    const [download] = await Promise.all([page.waitForEvent('download'),
        page.getByRole('button', { name: button }).click()]);
    return { name: download.suggestedFilename(), bytes: [...await readFile(await download.path())] };
}

test('a PNG equals the renderer\'s picture', async () => {
    await page.setViewportSize({ width: 400, height: 640 }); // it draws its own picture for each that is saved
    await tab('Save');
    await page.getByLabel('Width').fill('160');
    await page.getByLabel('Height').fill('120');
    for (const background of ['default', 'transparent']) {
        await page.getByLabel('Transparent background').setChecked(background === 'transparent');
        const { name, bytes } = await save('Save PNG');
        assert.equal(name, 'hero-walk.png');
        const result = await page.evaluate(async ([file, background]) => {
            const { picture } = studio, { renderer } = picture;
            renderer.resize(160, 120);
            renderer.draw(picture.view({ camera: picture.orbit.camera(160 / 120), background }), picture.objects);
            const drawn = (await renderer.read()).data;
            const bitmap = await createImageBitmap(new Blob([Uint8Array.from(file)], { type: 'image/png' }),
                { premultiplyAlpha: 'none', colorSpaceConversion: 'none' });
            const canvas = new OffscreenCanvas(bitmap.width, bitmap.height), context = canvas.getContext('2d');
            context.drawImage(bitmap, 0, 0);
            const { data } = context.getImageData(0, 0, bitmap.width, bitmap.height);
            let most = 0, clear = 0;
            const colors = new Set();
            for (let i = 0; i < data.length; i++) {
                const alpha = drawn[i | 3]; // a canvas keeps colours multiplied by it
                most = Math.max(most, Math.abs(data[i] - drawn[i]) * (i % 4 === 3 ? 1 : alpha / 255));
                if (i % 4 === 3 && alpha === 0) clear++;
                if (i % 4 === 0) colors.add(data[i] << 16 | data[i + 1] << 8 | data[i + 2]);
            }
            return { size: [bitmap.width, bitmap.height], most, clear, colors: colors.size };
        }, [bytes, background]);
        assert.deepEqual(result.size, [160, 120]);
        assert.ok(result.most <= (background === 'default' ? 0 : 2), `off by ${result.most}`);
        assert.equal(result.clear > 1000, background === 'transparent');
        assert.ok(result.colors > 500);
    }
    const said = await page.getByRole('status').filter({ hasText: '160' }).textContent();
    assert.match(said, /^160 × 120, \d+\.\d KiB:$/);
    await page.getByLabel('Transparent background').uncheck();
});

// Joints' pixel positions: those of `sinew pose`, projected by the camera's matrix.
async function jointsIn(width, height, time) {
    const m = await page.evaluate((aspect) => [...studio.picture.orbit.camera(aspect).viewProjection], width / height);
    const names = await page.evaluate(() => {
        const { nodes, skins } = studio.stage.character.asset;
        return skins[0].joints.reduce((all, node) => [...all, nodes[node].name], []);
    });
    return names.map((name) => {
        const [x, y, z] = poseOf('Walk', time).find((node) => node.name === name).world.slice(12);
        const row = (i) => m[i] * x + m[4 + i] * y + m[8 + i] * z + m[12 + i];
        return { name, x: (0.5 + 0.5 * row(0) / row(3)) * width, y: (0.5 - 0.5 * row(1) / row(3)) * height };
    });
}

// The pictures of a file as RGBA.
async function decode(bytes, type) {
    const pictures = await page.evaluate(decodeInPage, [Buffer.from(bytes).toString('latin1'), type]);
    return pictures.map((text) => Buffer.from(text, 'latin1')); // text travels faster than numbers
}

async function decodeInPage([file, type]) {
    const decoder = new ImageDecoder({ data: Uint8Array.from(file, (letter) => letter.charCodeAt(0)), type });
    await decoder.tracks.ready;
    const pictures = [];
    for (let i = 0; i < decoder.tracks.selectedTrack.frameCount; i++) {
        const { image } = await decoder.decode({ frameIndex: i });
        const context = new OffscreenCanvas(image.displayWidth, image.displayHeight).getContext('2d');
        context.drawImage(image, 0, 0);
        const { data } = context.getImageData(0, 0, image.displayWidth, image.displayHeight);
        pictures.push(Array.from(data, (byte) => String.fromCharCode(byte)).join(''));
        image.close();
    }
    return pictures;
}

const show = (changes) => page.evaluate((view) => studio.stage.setView(view), changes);

// The joints with no pixel of a bone's orange on them.
function unseen(joints, data, width) {
    const isBone = (i) => data[i] > 180 && data[i + 1] > 100 && data[i + 1] < 215 && data[i + 2] < 130;
    return joints.filter(({ x, y }) => ![-1, 0, 1].some((dy) => [-1, 0, 1].some((dx) => (
        isBone(4 * ((Math.round(y) + dy) * width + Math.round(x) + dx))))));
}

// A few are under the edges of others, or blurred by an encoder.
function isDrawn(joints, data, width) {
    const missed = unseen(joints, data, width).map(({ name }) => name);
    assert.ok(missed.length <= joints.length / 10, `not there: ${missed}`);
}

test('a PNG has the overlay if it is switched on', async () => {
    const [width, height] = [320, 240];
    await page.getByLabel('Width').fill(String(width));
    await page.getByLabel('Height').fill(String(height));
    const time = await page.evaluate(() => studio.stage.time);
    const joints = await jointsIn(width, height, time), { bytes: bare } = await save('Save PNG');
    const [before] = await decode(bare, 'image/png');
    const saved = async (view) => {
        await show(view);
        const { bytes } = await save('Save PNG');
        return (await decode(bytes, 'image/png'))[0];
    };
    // The distance of each changed pixel to the nearest joint.
    const changed = (data) => {
        const found = [];
        for (let i = 0; i < data.length; i += 4) {
            if ([0, 1, 2, 3].every((k) => data[i + k] === before[i + k])) continue;
            const x = i / 4 % width, y = Math.floor(i / 4 / width);
            found.push(Math.min(...joints.map((joint) => Math.hypot(joint.x - x, joint.y - y))));
        }
        return found;
    };
    assert.ok(unseen(joints, before, width).length > joints.length / 2); // of a hero without bones
    const skeleton = await saved({ skeleton: true }), bones = changed(skeleton);
    isDrawn(joints, skeleton, width);
    assert.ok(bones.length > 500, `${bones.length} pixels of bones`);
    assert.ok(Math.max(...bones) < height / 8, `up to ${Math.max(...bones)} away`);
    assert.ok(changed(await saved({ skeleton: false, names: true })).length > 500);
    assert.ok(changed(await saved({ names: false, rootPath: true })).length > 20);
    await show({ rootPath: false });
    assert.deepEqual((await save('Save PNG')).bytes, bare);
});

test('an animated WebP has the overlay at each of its times', async () => {
    const [width, height] = [320, 240];
    await page.getByLabel('Frames per second').fill('2');
    await show({ skeleton: true });
    const pictures = await decode((await save('Save animated WebP')).bytes, 'image/webp');
    await show({ skeleton: false });
    assert.equal(pictures.length, 2);
    for (const [i, data] of pictures.entries()) {
        const time = await page.evaluate((part) => studio.stage.duration * part, i / 2);
        isDrawn(await jointsIn(width, height, time), data, width);
    }
    await page.getByLabel('Width').fill('160');
    await page.getByLabel('Height').fill('120');
});

test('an animated WebP is one cycle of the clip', async () => {
    await page.getByLabel('Frames per second').fill('4');
    await page.evaluate(() => {
        studio.stage.setPlaying(true);
        studio.stage.seek(0.4);
    });
    const { name, bytes } = await save('Save animated WebP');
    assert.equal(name, 'hero-walk.webp');
    const { durations, size, differences } = await page.evaluate(async (file) => {
        const decoder = new ImageDecoder({ data: Uint8Array.from(file), type: 'image/webp' });
        await decoder.tracks.ready;
        const { frameCount } = decoder.tracks.selectedTrack, frames = [], durations = [];
        const context = new OffscreenCanvas(160, 120).getContext('2d');
        let size;
        for (let i = 0; i < frameCount; i++) {
            const { image } = await decoder.decode({ frameIndex: i });
            durations.push(image.duration / 1000);
            size = [image.displayWidth, image.displayHeight];
            context.drawImage(image, 0, 0);
            frames.push(context.getImageData(0, 0, 160, 120).data);
            image.close();
        }
        // Compares each with the pictures of all times.
        studio.stage.setPlaying(false);
        const differences = [];
        for (let i = 0; i < frameCount; i++) {
            studio.stage.seek(studio.stage.duration * i / frameCount);
            studio.stage.update(0);
            const { data } = await studio.picture.take({ width: 160, height: 120 });
            differences.push(frames.map((frame) => frame.reduce((sum, value, k) => sum + (value - data[k]) ** 2, 0)));
        }
        return { durations, size, differences };
    }, bytes);
    // 1.067 s at four a second: four pictures, each for a fourth of the duration.
    assert.deepEqual(durations, [267, 266, 267, 267]);
    assert.deepEqual(size, [160, 120]);
    differences.forEach((row, i) => assert.equal(row.indexOf(Math.min(...row)), i, `picture ${i}`));
});

test('an export can be cancelled, and restores the state', async () => {
    await page.evaluate(() => studio.stage.seek(0.25));
    await page.getByLabel('Frames per second').fill('60');
    await page.evaluate(() => { // the third picture is not there until the test says so
        const { picture } = studio, { take } = picture;
        let count = 0;
        picture.take = async (...given) => {
            if (count++ === 2) {
                await new Promise((resolve) => { globalThis.goOn = resolve; });
                picture.take = take;
            }
            return take.apply(picture, given);
        };
    });
    await page.getByRole('button', { name: 'Save animated WebP' }).click();
    await until(page, () => globalThis.goOn && document.querySelector('[aria-label="Progress of the animation"]').value > 0);
    assert.ok(await page.getByRole('button', { name: 'Save PNG' }).isDisabled());
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.evaluate(() => globalThis.goOn());
    await until(page, () => /Canceled/.test(document.getElementById('panels').textContent));
    assert.deepEqual(await page.evaluate(() => [studio.stage.playing, studio.stage.time]), [false, 0.25]);
    assert.ok(await page.getByLabel('Progress of the animation').isHidden());
});

test('the page reported no errors', () => assert.deepEqual(faults, []));
