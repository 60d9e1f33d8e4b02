// SPDX-License-Identifier: MIT
// The studio's panels for layers, blend spaces and plots. Poses are compared with the command's poses of the clips,
// mixed here by the rules in include/sinew/pose.h, and weights with barycentric coordinates written out.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import test from 'node:test';
import { faults, modelPath, openStudio, poseOf, until } from './open_studio.mjs';

const WALK = 1, WAVE = 4; // clips of the hero
const near = (value, expected, within = 2e-6, what = '') => (
    assert.ok(Math.abs(value - expected) <= within, `${what} ${value}, not ${expected}`));

const page = await openStudio();
await page.evaluate(() => { // so only clips make the poses
    studio.stage.setSprings({ on: false });
    studio.stage.advance(0, 1);
});
await page.getByRole('tab', { name: 'Mix' }).click();
const layer = page.locator('details', { hasText: 'Layer 1' });

// ---- Poses ------------------------------------------------------------------------------------------------------

// Of all nodes, in the file's order, with the times of the two clips.
const shownPose = () => page.evaluate(([walk, wave]) => {
    const { stage } = studio;
    stage.update(0);
    const { asset, mixer } = stage.character, nodes = [];
    asset.nodes.forEach(({ name, source, parent }, node) => {
        const { translation, rotation, scale } = mixer.nodeTransform(node);
        nodes[source] = { name, parent: parent < 0 ? -1 : asset.nodes[parent].source, translation: [...translation],
            rotation: [...rotation], scale: [...scale] };
    });
    return { nodes, walk: stage.action(walk).time, wave: stage.action(wave, 1).time };
}, [WALK, WAVE]);

function compare(shown, expected) {
    for (const property of ['translation', 'scale']) {
        shown[property].forEach((value, i) => near(value, expected[property][i], 2e-6, `${shown.name} ${property}`));
    }
    // A rotation and its negative are one.
    const sign = Math.sign(shown.rotation.reduce((sum, value, i) => sum + value * expected.rotation[i], 0));
    shown.rotation.forEach((value, i) => near(value, sign * expected.rotation[i], 2e-6, `${shown.name} rotation`));
}

const lerp = (a, b, t) => a.map((value, i) => value + t * (b[i] - value));
const dot = (a, b) => a.reduce((sum, value, i) => sum + value * b[i], 0);
const unit = (q) => q.map((value) => value / Math.sqrt(dot(q, q)));
const times = ([ax, ay, az, aw], [bx, by, bz, bw]) => [aw * bx + ax * bw + ay * bz - az * by,
    aw * by - ax * bz + ay * bw + az * bx, aw * bz + ax * by - ay * bx + az * bw,
    aw * bw - ax * bx - ay * by - az * bz];
const inverse = ([x, y, z, w]) => [-x, -y, -z, w];

function blended(a, b, t) {
    const nearer = dot(a.rotation, b.rotation) < 0 ? b.rotation.map((value) => -value) : b.rotation;
    return { translation: lerp(a.translation, b.translation, t), scale: lerp(a.scale, b.scale, t),
        rotation: unit(lerp(a.rotation, nearer, t)) };
}

function added(base, clip, first, f) {
    const turn = times(inverse(first.rotation), clip.rotation), sign = turn[3] < 0 ? -1 : 1;
    const [x, y, z, w] = turn.map((value) => sign * value);
    return {
        translation: base.translation.map((value, i) => value + f * (clip.translation[i] - first.translation[i])),
        scale: base.scale.map((value, i) => value * (1 + f * (clip.scale[i] / first.scale[i] - 1))),
        rotation: unit(times(base.rotation, unit([f * x, f * y, f * z, 1 - f + f * w]))),
    };
}

// The names of a node and its descendants.
function subtree(nodes, root) {
    const inside = new Set();
    const isInside = (node) => node >= 0 && (nodes[node].name === root || isInside(nodes[node].parent));
    nodes.forEach(({ name }, node) => isInside(node) && inside.add(name));
    return inside;
}

// ---- Layers -----------------------------------------------------------------------------------------------------

test('the first clip of a layer affects the upper body', async () => {
    await layer.getByLabel('Clip').selectOption('Wave');
    const layer1 = await page.evaluate(() => {
        const { clip, mask: { node, feather } } = studio.stage.layers[1];
        return { clip, feather, node: studio.stage.character.asset.nodes[node].name };
    });
    assert.deepEqual(layer1, { clip: WAVE, feather: 2, node: 'Spine' });
    assert.match(await layer.locator('summary').textContent(), /Layer 1: Wave, override, mask from Spine, 100 %/);
});

test('a layer affects the nodes of its mask only', async () => {
    await layer.getByLabel('Find in: Mask from joint').fill('upperarm_l');
    await layer.getByLabel('Find in: Mask from joint').press('Enter');
    await layer.getByLabel('Feather (joints)').fill('0');
    await page.evaluate(() => {
        studio.stage.update(1); // the layer has faded in
        studio.stage.setPlaying(false);
        studio.stage.seek(0.7);
    });
    const { nodes, walk, wave } = await shownPose();
    near(walk, 0.7);
    const arm = subtree(nodes, 'UpperArm_L'), below = poseOf('Walk', walk), above = poseOf('Wave', wave);
    assert.equal(arm.size, 20); // upper and lower arm, a twist of each, the hand, three joints of five fingers
    nodes.forEach((node, i) => compare(node, arm.has(node.name) ? above[i] : below[i]));
    const moved = nodes.findIndex(({ name }) => name === 'LowerArm_L');
    assert.ok(Math.abs(dot(below[moved].rotation, above[moved].rotation)) < 0.99, 'the clips differ there');
});

test('at half weight a layer is blended with those below', async () => {
    await layer.getByLabel('Weight').fill('0.5');
    const { nodes, walk, wave } = await shownPose();
    const arm = subtree(nodes, 'UpperArm_L'), below = poseOf('Walk', walk), above = poseOf('Wave', wave);
    nodes.forEach((node, i) => compare(node, arm.has(node.name) ? blended(below[i], above[i], 0.5) : below[i]));
});

test('an additive layer adds the difference of the clip to its first pose', async () => {
    await layer.getByLabel('Additive').check();
    await page.evaluate(() => {
        studio.stage.setPlaying(true);
        studio.stage.update(1);
        studio.stage.setPlaying(false);
    });
    const { nodes, walk, wave } = await shownPose();
    const arm = subtree(nodes, 'UpperArm_L'), below = poseOf('Walk', walk), clip = poseOf('Wave', wave);
    const first = poseOf('Wave', 0);
    nodes.forEach((node, i) => compare(node, arm.has(node.name) ? added(below[i], clip[i], first[i], 0.5) : below[i]));
    await layer.getByLabel('Clip').selectOption('None');
    assert.ok(await layer.getByLabel('Weight').isDisabled());
});

// ---- The blend space --------------------------------------------------------------------------------------------

const pad = page.getByRole('slider', { name: 'Parameter of the blend space' });
const space = () => page.evaluate(() => studio.stage.space);
const rowOf = (index) => page.locator('.sample').nth(index);

test('a blend space starts with the locomotion clips, sorted by speed', async () => {
    assert.equal(await space(), null);
    await page.getByLabel('Play the blend space').check();
    const { kind, samples } = await space();
    assert.equal(kind, 'line');
    assert.deepEqual(samples.map(({ clip }) => clip), [0, 1, 2]); // Idle, Walk, Run
    const [idle, walk, run] = samples.map(({ x }) => x);
    near(idle, 0, 0.1);
    near(walk, 1.15, 0.03); // models/hero.h, rounded to 0.05
    near(run, 3.1, 0.03);
});

// The barycentric coordinates of a point in the triangle a, b, c.
function barycentric([ax, ay], [bx, by], [cx, cy], [x, y]) {
    const area = (px, py, qx, qy, rx, ry) => (qx - px) * (ry - py) - (qy - py) * (rx - px);
    const whole = area(ax, ay, bx, by, cx, cy);
    return [area(x, y, bx, by, cx, cy) / whole, area(ax, ay, x, y, cx, cy) / whole, area(ax, ay, bx, by, x, y) / whole];
}

const POINTS = [[0, 0], [4, 1], [1, 3]];

test('in a triangle the weights are barycentric coordinates', async () => {
    await page.getByLabel('Triangles').check();
    for (const [i, [x, y]] of POINTS.entries()) {
        await rowOf(i).getByLabel('x', { exact: true }).fill(String(x));
        await rowOf(i).getByLabel('y', { exact: true }).fill(String(y));
    }
    assert.deepEqual((await space()).samples.map(({ x, y }) => [x, y]), POINTS);
    for (const at of [[1, 1], [2.5, 1.25], [0.3, 0.2]]) {
        await page.getByLabel('Parameter x').fill(String(at[0]));
        await page.getByLabel('Parameter y').fill(String(at[1]));
        await page.evaluate(() => {
            studio.stage.setPlaying(true);
            studio.stage.update(3); // the parameter follows, and is there
        });
        const expected = barycentric(...POINTS, at);
        const shown = await page.evaluate(() => [0, 1, 2].map((clip) => studio.stage.weight(clip)));
        expected.forEach((value, i) => near(shown[i], value, 1e-4, `at ${at}`));
        assert.equal(await page.locator('.weights').textContent(), ['Idle', 'Walk', 'Run'].map((name, i) => (
            `${name} ${expected[i].toFixed(2)}`)).join(', '));
    }
});

test('the pad is controlled by pointer and arrow keys', async () => {
    await pad.scrollIntoViewIfNeeded();
    const box = await pad.boundingBox();
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    const middle = await space(); // of what the samples take up
    near(middle.x, 2, 0.02);
    near(middle.y, 1.5, 0.02);
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width + 50, box.y - 50, { steps: 4 }); // beyond: it stays at the edge
    await page.mouse.up();
    const corner = await space(), room = 0.15; // round the samples
    near(corner.x, 4 + room * 4, 0.01);
    near(corner.y, 3 + room * 3, 0.01);
    await page.keyboard.press('Tab'); // after a click the arrows drive time
    await pad.focus();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowDown');
    const back = await space();
    near(corner.x - back.x, (1 + 2 * room) * 4 / 40, 1e-6);
    near(corner.y - back.y, (1 + 2 * room) * 3 / 40, 1e-6);
    assert.match(await pad.getAttribute('aria-valuetext'), /^4\.\d\d, 3\.\d\d: /);
});

test('a directional pad has one scale for both axes', async () => {
    const [[x0, y0], [x1, y1], [x2, y2]] = await page.evaluate(async () => {
        const { PadMap } = await import('/pad.js');
        const samples = [{ x: 0, y: 0 }, { x: 0, y: 1 }, { x: 5, y: 0 }];
        const map = new PadMap({ kind: 'directional', samples }, 347, 200);
        return samples.map(({ x, y }) => map.toCanvas(x, y));
    });
    near(x1, x0);
    near(y2, y0);
    near(x2 - x0, 5 * (y0 - y1), 1e-9);
    assert.ok(x0 > 0 && x2 < 347);
});

test('an invalid blend space gets a message, and the previous one goes on', async () => {
    const before = await space();
    await rowOf(1).getByLabel('x', { exact: true }).fill('0');
    await rowOf(1).getByLabel('y', { exact: true }).fill('0');
    await until(page, () => /sample/.test(document.querySelector('.bad').textContent));
    assert.deepEqual((await space()).samples.map(({ clip }) => clip), before.samples.map(({ clip }) => clip));
    await page.getByRole('button', { name: 'Reset' }).click();
    assert.equal(await page.locator('.bad').textContent(), '');
    await page.getByRole('button', { name: 'Add clip' }).click();
    assert.equal((await space()).samples.length, 4);
    await page.getByRole('button', { name: 'Remove clip 4' }).click();
    assert.equal((await space()).samples.length, 3);
    await page.getByLabel('Play the blend space').uncheck();
    assert.equal(await space(), null);
    assert.ok(await page.evaluate(() => studio.stage.clip >= 0));
});

// ---- Plots ------------------------------------------------------------------------------------------------------

const cells = (table) => page.locator('table', { hasText: table }).locator('tbody tr').evaluateAll((rows) => (
    rows.map((row) => [...row.children].map(({ textContent }) => textContent))));

test('curves equal the command\'s values of the joint', async () => {
    await page.evaluate(() => {
        studio.stage.setTransition({ duration: 0 });
        studio.stage.play(4);
        studio.stage.update(0);
    });
    await page.getByRole('tab', { name: 'Plots' }).click();
    const joint = page.getByRole('combobox', { name: 'Joint' });
    const isLower = joint.locator('option').filter({ hasText: /^\s*LowerArm_L$/ });
    await joint.selectOption(await isLower.getAttribute('value'));
    await page.evaluate(() => studio.stage.update(0));
    for (const [words, property] of [['Scale', 'scale'], ['Position', 'translation']]) { // rotations: studio_joints.mjs
        await page.getByLabel(words, { exact: true }).check();
        const rows = await cells('Curves over the clip');
        assert.equal(rows.length, 11);
        for (const row of [0, 3, 10]) {
            const expected = poseOf('Wave', 2.2 * row / 10).find(({ name }) => name === 'LowerArm_L')[property];
            assert.equal(rows[row][0], `${(0.22 * row).toFixed(2)} s`);
            expected.forEach((value, i) => near(Number(rows[row][i + 1]), value, 6e-4));
        }
    }
});

test('weights are plotted over time', async () => {
    const noted = await page.evaluate(async () => {
        const { History } = await import('/history.js');
        const history = new History(10);
        for (let i = 0; i < 2000; i++) { // 20 s: a name that grows over all of them, and one of the first 5 s alone
            if (!history.advance(0.01)) continue;
            history.note('grows', i / 2000);
            if (i < 500) history.note('ends', 1);
            history.prune();
        }
        const last = history.count - 1;
        return { names: [...history.values.keys()], span: history.timeAt(last) - history.timeAt(0),
            values: [0, last >> 1, last].map((i) => [history.timeAt(i), history.valueAt('grows', i)]) };
    });
    assert.deepEqual(noted.names, ['grows']);
    near(noted.span, 10, 0.25);
    for (const [time, value] of noted.values) near(value, time / 20, 1e-3);
});

test('the table has the current weights', async () => {
    await page.locator('summary', { hasText: 'Table' }).first().click();
    await page.evaluate(() => {
        studio.stage.setWeight(1, 0.25);
        studio.stage.setPlaying(true);
    });
    await until(page, () => {
        studio.stage.update(0.02);
        const words = [...document.querySelectorAll('table')][0].innerText.split('\n').map((line) => line.trim());
        return words.some((line) => /^Walk\s+0\.25$/.test(line)) && words.some((line) => /^Wave\s+1\.00$/.test(line));
    });
});

// No clips, no names, one key, no duration, no joints, more than 256 joints, morphs only, empty...
const ODD = ['cameras', 'joints-beyond-256', 'linear-translation-scale', 'materials-unlit', 'mirrored-joint',
    'morph-weights-linear', 'names', 'node-visibility', 'roots-above-the-skin', 'scene-missing', 'single-key-step',
    'times-start-late-and-differ', 'two-skins-one-skeleton', 'zero-length'];

test('all panels work with files of all kinds', async () => {
    for (const name of ODD) {
        const bytes = await readFile(modelPath(`conformance/${name}.gltf`));
        const shown = await page.evaluate(([name, bytes]) => {
            const { stage, picture } = studio;
            for (const panel of document.querySelectorAll('[role="tabpanel"]')) panel.hidden = false;
            stage.load(name, Uint8Array.from(bytes));
            stage.setView({ skeleton: true, names: true, rootPath: true, onion: true });
            if (stage.character.asset.clips.length > 0) {
                stage.setLayer(1, { clip: 0, mask: { node: 0, feather: 1 } });
                stage.setLayer(2, { clip: 0, mode: 'additive' });
            }
            stage.setCrowd(2);
            for (let i = 0; i < 3; i++) stage.update(0.1);
            for (const overlay of picture.overlays) overlay.draw(picture.view().camera);
            const { nodes } = stage.character.asset;
            return [document.querySelectorAll('.found')[0].querySelectorAll('option').length, nodes.length + 1];
        }, [name, [...bytes]]);
        assert.equal(shown[0], shown[1], `${name}: nodes that a mask is chosen from`);
    }
    assert.deepEqual(faults, []);
});

test('the page reported no errors', () => assert.deepEqual(faults, []));
