// SPDX-License-Identifier: MIT
// Clicking a joint in the studio's picture, its curves, morph targets, and the file's numbers.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import test from 'node:test';
import { ask, faults, modelPath, openStudio, poseOf, until } from './open_studio.mjs';

const near = (value, expected, within, what = '') => (
    assert.ok(Math.abs(value - expected) <= within, `${what} ${value}, not ${expected}`));
const page = await openStudio({ width: 1000, height: 700 });
const tab = (name) => page.getByRole('tab', { name, exact: true }).click();
const selected = () => page.evaluate(() => studio.stage.character.asset.nodes[studio.stage.selected]?.name ?? null);

// The pixel of a joint: the pose of `sinew pose`, projected by the camera's matrix.
async function pixelOf(name) {
    const time = await page.evaluate(() => studio.stage.time);
    const [x, y, z] = poseOf('Walk', time).find((node) => node.name === name).world.slice(12);
    const m = await page.evaluate(() => [...studio.picture.view().camera.viewProjection]);
    const box = await page.locator('canvas.view').boundingBox();
    const row = (i) => m[i] * x + m[4 + i] * y + m[8 + i] * z + m[12 + i];
    return [box.x + (0.5 + 0.5 * row(0) / row(3)) * box.width, box.y + (0.5 - 0.5 * row(1) / row(3)) * box.height];
}

test('a click on a joint selects it, and a click on nothing deselects', async () => {
    await page.evaluate(() => {
        studio.stage.setPlaying(false);
        studio.stage.seek(0.4);
        studio.stage.update(0);
        studio.picture.orbit.arrive();
    });
    for (const name of ['Head', 'Hand_L', 'Foot_R']) {
        await page.mouse.click(...await pixelOf(name));
        assert.equal(await selected(), name);
        await page.locator('.selection strong', { hasText: name }).waitFor();
        await page.waitForTimeout(350); // two clicks are a double click
    }
    const [x, y] = await pixelOf('Head');
    await page.mouse.click(x + 150, y);
    assert.equal(await selected(), null);
    assert.ok(await page.locator('.selection').isHidden());
});

test('the bar of a joint makes a mask and attaches a file', async () => {
    await page.evaluate(() => studio.stage.select(studio.stage.character.asset.findNode('UpperArm_L')));
    await page.getByRole('button', { name: 'Mask from here' }).click();
    assert.deepEqual(await page.evaluate(() => {
        const { mask } = studio.stage.layers[1];
        return [studio.stage.character.asset.nodes[mask.node].name, mask.feather, studio.stage.view.tab];
    }), ['UpperArm_L', 2, 'Mix']);
    await page.getByLabel('Files to attach here').setInputFiles(modelPath('sword.glb'));
    await until(page, () => studio.stage.attachments.length === 1);
    assert.equal(await page.evaluate(() => studio.stage.character.asset.nodes[studio.stage.attachments[0].joint].name), 'UpperArm_L');
    assert.ok(await page.locator('details', { hasText: 'sword.glb' }).evaluate((row) => row.open)); // with its handles
    await page.evaluate(() => studio.stage.removeAttachment(0));
});

// A rotation by x, then y, then z degrees about fixed axes, applied to a vector.
function turned([x, y, z], vector) {
    const about = (angle, a, b, v) => {
        const [c, s] = [Math.cos(angle * Math.PI / 180), Math.sin(angle * Math.PI / 180)], out = [...v];
        [out[a], out[b]] = [c * v[a] - s * v[b], s * v[a] + c * v[b]];
        return out;
    };
    return about(z, 0, 1, about(y, 2, 0, about(x, 1, 2, vector)));
}

function byQuaternion([x, y, z, w], [a, b, c]) {
    const t = [2 * (y * c - z * b), 2 * (z * a - x * c), 2 * (x * b - y * a)];
    return [a + w * t[0] + y * t[2] - z * t[1], b + w * t[1] + z * t[0] - x * t[2], c + w * t[2] + x * t[1] - y * t[0]];
}

test('the curves of the joint are in degrees, without jumps, with the keys of the file', async () => {
    await page.evaluate(() => studio.stage.setTransition({ duration: 0 }));
    await page.evaluate(() => studio.stage.play(4));
    await page.getByRole('button', { name: 'Curves' }).click();
    await page.evaluate(() => studio.stage.update(0));
    const rows = await page.locator('table', { hasText: 'Curves over the clip' }).locator('tbody tr').evaluateAll((all) => (
        all.map((row) => [...row.children].slice(1).map(({ textContent }) => Number(textContent)))));
    rows.forEach((angles, i) => {
        const { rotation } = poseOf('Wave', 2.2 * i / 10).find(({ name }) => name === 'UpperArm_L');
        for (const axis of [[1, 0, 0], [0, 1, 0], [0, 0, 1]]) {
            const expected = byQuaternion(rotation, axis);
            turned(angles, axis).forEach((value, k) => near(value, expected[k], 1e-4, `row ${i}`));
        }
    });
    const { clips } = ask('info', modelPath('hero.glb'));
    assert.ok(clips[4].name === 'Wave' && clips[4].duration > 2.1);
    await page.getByText(/^67 keys, linear\.$/).waitFor(); // what `sinew info` says of the clip's timeline
});

test('a curve of angles does not jump where an angle passes half a turn', async () => {
    const jump = await page.evaluate(async () => {
        const { fromAngles, nearestAngles, toAngles } = await import('/angles.js');
        let last = [0, 40, 10], most = 0;
        for (let x = 0; x <= 720; x += 5) {
            const now = nearestAngles(toAngles(fromAngles([x, 40, 10])), last);
            most = Math.max(most, ...now.map((angle, i) => Math.abs(angle - last[i])));
            last = now;
        }
        return most;
    });
    assert.ok(jump <= 5.001, `${jump}`);
});

test('morph targets are held by their sliders, and released', async () => {
    const text = await readFile(modelPath('conformance/morph-weights-linear.gltf'));
    await page.evaluate((bytes) => {
        studio.stage.load('morph.gltf', Uint8Array.from(bytes));
        studio.stage.setPlaying(false);
        studio.stage.seek(0.25);
        studio.stage.update(0);
    }, [...text]);
    await tab('View');
    const weights = () => page.evaluate(() => {
        const { asset, mixer } = studio.stage.character;
        studio.stage.update(0);
        return [...mixer.morphWeights(asset.nodes.findIndex(({ weightCount }) => weightCount > 0))];
    });
    const before = await weights();
    const slider = page.locator('.panel', { hasText: 'Morph targets' }).locator('input[type=range]').first();
    near(Number(await slider.inputValue()), Math.min(Math.max(before[0], 0), 1), 0.011);
    await slider.fill('0.8');
    await page.evaluate(() => studio.stage.seek(0.5));
    near((await weights())[0], 0.8, 1e-6);
    await page.evaluate(() => studio.stage.seek(0.25));
    await page.getByRole('button', { name: 'Follow the clip' }).click();
    assert.deepEqual(await weights(), before);
});

test('the numbers of the file are those of sinew info', async () => {
    await page.getByRole('button', { name: 'Hero', exact: true }).click();
    await until(page, () => studio.stage.character.name === 'hero.glb');
    await tab('Lint');
    const rows = new Map(await page.locator('.statistics tr').evaluateAll((all) => (
        all.map((row) => [row.children[0].textContent, row.children[1].textContent]))));
    const info = ask('info', modelPath('hero.glb'));
    const [{ vertices, triangles, influences }] = info.meshes[0].primitives;
    const count = (value) => value.toLocaleString('en');
    assert.equal(rows.get('Nodes'), count(info.nodes.length));
    assert.equal(rows.get('Joints'), count(info.skins[0].joints));
    assert.equal(rows.get('Triangles'), count(triangles));
    assert.equal(rows.get('Vertices'), count(vertices));
    assert.equal(rows.get('Influences per vertex'), count(influences));
    assert.equal(rows.get('Channels'), count(info.clips.reduce((sum, { channels }) => sum + channels, 0)));
});

test('the page reported no errors', () => assert.deepEqual(faults, []));
