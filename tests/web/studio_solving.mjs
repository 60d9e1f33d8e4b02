// SPDX-License-Identifier: MIT
// Springs, effectors and a clip's curves in the studio.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { glbOf, parts } from './glb.mjs';
import { faults, modelPath, openStudio, until } from './open_studio.mjs';

const include = join(dirname(fileURLToPath(import.meta.url)), '../../include');
const page = await openStudio({ width: 1000, height: 700 });
await page.evaluate(() => { // the tests advance the time
    const { stage } = studio;
    globalThis.updateStage = stage.update.bind(stage);
    stage.update = () => false;
});
const tab = (name) => page.getByRole('tab', { name, exact: true }).click();
const slider = (text) => page.locator('label.slider', { hasText: text }).locator('input');
const TAIL = 'J_Sec_C_Tail5';

// Advances by frames of 1/60 s, and returns the positions of a node in model space.
const advance = (count, name = TAIL, step = 1 / 60) => page.evaluate(([frames, node, seconds]) => {
    const { stage } = studio, { asset } = stage.character, at = 12 * asset.findNode(node);
    return Array.from({ length: frames }, () => {
        stage.advance(seconds);
        const rows = stage.character.mixer.modelMatrices;
        return [rows[at + 3], rows[at + 7], rows[at + 11]];
    });
}, [count, name, step]);

const distance = (a, b) => Math.hypot(...a.map((value, i) => value - b[i]));
const largestStep = (positions) => Math.max(...positions.slice(1).map((at, i) => distance(at, positions[i])));

async function load(name, bytes) {
    await page.evaluate(([file, text]) => {
        studio.stage.load(file, Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)));
    }, [name, Buffer.from(bytes).toString('base64')]);
}

// ---- Springs -----------------------------------------------------------------------------------------------------

test('the springs of a file are on, swing in the wind, and are turned off without a jump', async () => {
    await load('sprite.vrm', await readFile(modelPath('sprite.vrm')));
    await until(page, () => studio.stage.solving?.bones);
    await tab('Scene');
    assert.ok(await page.getByLabel('Springs', { exact: true }).isChecked());
    const [start] = await advance(60);
    await slider(/^Wind\d/).fill('4');
    const blown = await advance(240);
    assert.ok(blown.at(-1)[0] - start[0] > 0.1, `${blown.at(-1)}`); // to the left, which is +X
    await slider(/^Wind toward/).fill('-90');
    const other = await advance(240);
    assert.ok(other.at(-1)[0] - start[0] < -0.1, `${other.at(-1)}`);
    await page.getByLabel('Springs', { exact: true }).uncheck();
    const off = await advance(60), jump = distance(other.at(-1), off[0]);
    assert.ok(Math.max(jump, largestStep(off)) < 0.2 * distance(other.at(-1), off.at(-1)), `${jump}`);
    assert.ok(distance(off.at(-1), off.at(-2)) === 0 && Math.abs(off.at(-1)[0]) < 1e-5, 'the pose of the clip');
    await page.getByLabel('Springs', { exact: true }).check();
    const on = await advance(120);
    const first = distance(off.at(-1), on[0]), largest = largestStep(on);
    assert.ok(first < 0.01 && largest < 0.1, `on without a jump: ${first}, ${largest}`);
    assert.ok(on.at(-1)[0] < -0.1);
});

test('a seek starts the springs at rest, and a pause stops them', async () => {
    const before = (await advance(1)).at(-1);
    await page.evaluate(() => studio.stage.setPlaying(false));
    const paused = await page.evaluate((tail) => {
        const { stage } = studio, at = 12 * stage.character.asset.findNode(tail);
        for (let i = 0; i < 30; i++) updateStage(1 / 60);
        const rows = stage.character.mixer.modelMatrices;
        return [rows[at + 3], rows[at + 7], rows[at + 11]];
    }, TAIL);
    assert.ok(distance(paused, before) < 1e-4);
    await page.getByRole('button', { name: 'Play', exact: true }).click(); // also without a clip
    await page.evaluate(() => {
        studio.stage.solving.reset(); // as a seek does: this file has no clips
    });
    assert.ok(Math.abs((await advance(1))[0][0]) < 0.02, 'at rest');
});

// The tails' world positions for each character but the main one: the compared one, or the crowd.
const tailsOf = (kind, count = 1) => page.evaluate(([others, name, frames]) => {
    const { stage } = studio;
    for (let i = 0; i < frames; i++) stage.advance(1 / 60);
    const list = others === 'crowd' ? stage.crowd.characters : [stage.compare];
    return list.map(({ mixer, world }) => {
        const at = 12 * mixer.asset.findNode(name), rows = mixer.modelMatrices, local = [rows[at + 3], rows[at + 7], rows[at + 11]];
        return [0, 4, 8].map((row) => world[row] * local[0] + world[row + 1] * local[1] + world[row + 2] * local[2] + world[row + 3]);
    });
}, [kind, TAIL, count]);

const setSprings = (changes) => page.evaluate((given) => studio.stage.setSprings(given), changes);

// Catches springs on only one of the two, springs that don't know their character's place, and the module's message
// about a disposed character's springs.
test('a compared character swings like the main one', async () => {
    await load('sprite.vrm', await readFile(modelPath('sprite.vrm')));
    await setSprings({ on: true, speed: 0, angle: 90 });
    await page.evaluate(() => {
        const { name, bytes } = studio.stage.character;
        studio.stage.startCompare(name, bytes);
    });
    const [start] = await tailsOf('compare', 60);
    await setSprings({ speed: 4 });
    const [blown] = await tailsOf('compare', 240), main = (await advance(1, TAIL, 0))[0];
    assert.ok(blown[0] - start[0] > 0.1, `${start}, ${blown}`);
    const apart = await page.evaluate(() => studio.stage.compare.world[3]);
    assert.ok(distance(blown, [main[0] + apart, main[1], main[2]]) < 2e-3, `${main}, ${blown}, ${apart}`);
    await setSprings({ on: false });
    const [off] = await tailsOf('compare', 60);
    assert.ok(Math.abs(off[0] - apart) < 1e-5, 'the pose of the clip');
    await page.evaluate(() => studio.stage.stopCompare());
    await advance(2);
});

test('a compared character with springs swings next to one without', async () => {
    await load('windmill.glb', await readFile(modelPath('windmill.glb')));
    await setSprings({ on: true, speed: 4, angle: 90 });
    const sprite = (await readFile(modelPath('sprite.vrm'))).toString('base64');
    await page.evaluate((text) => studio.stage.startCompare('sprite.vrm', Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))), sprite);
    const [start] = await tailsOf('compare', 1);
    assert.ok((await tailsOf('compare', 240))[0][0] - start[0] > 0.1);
    await load('sprite.vrm', await readFile(modelPath('sprite.vrm')));
});

// Catches springs in the space of each character, which then swing to different sides; springs that end with the first frame of a
// pause; and springs of a crowd that is gone.
test('a crowd swings in the wind of the world', async () => {
    await setSprings({ on: true, speed: 0, angle: 90 });
    await page.evaluate(() => studio.stage.setCrowd(5));
    const before = await tailsOf('crowd', 60);
    await setSprings({ speed: 4 });
    const blown = await tailsOf('crowd', 240);
    assert.equal(blown.length, 5);
    blown.forEach((tail, i) => assert.ok(tail[0] - before[i][0] > 0.1, `${i}: ${before[i]}, ${tail}`));
    const [turned] = await page.evaluate((name) => studio.stage.crowd.characters.map(({ mixer, world }) => {
        const at = 12 * mixer.asset.findNode(name);
        return { angle: Math.atan2(world[2], world[0]) * 180 / Math.PI, tail: [3, 7, 11].map((row) => mixer.modelMatrices[at + row]) };
    }).sort((a, b) => Math.abs(b.angle) - Math.abs(a.angle)), TAIL); // the one that faces farthest to the side
    assert.ok(Math.abs(turned.angle) > 20, `${turned.angle}`);
    const paused = await page.evaluate(() => {
        for (let i = 0; i < 30; i++) studio.stage.advance(0, 1 / 60);
    }).then(() => tailsOf('crowd', 0));
    assert.deepEqual(paused, blown);
    await setSprings({ on: false });
    await page.evaluate(() => {
        for (let i = 0; i < 30; i++) studio.stage.advance(0, 1 / 60);
    });
    (await tailsOf('crowd', 0)).forEach((tail, i) => assert.ok(distance(tail, blown[i]) > 0.1, 'off also while it is paused'));
    await setSprings({ on: true });
    await page.evaluate(() => studio.stage.setCrowd(2));
    assert.ok((await tailsOf('crowd', 30)).flat().every(Number.isFinite));
    await load('sprite.vrm', await readFile(modelPath('sprite.vrm')));
    assert.deepEqual(await tailsOf('crowd', 2), []);
    await setSprings({ on: true, speed: 0, angle: 90 - turned.angle });
    await advance(60);
    await setSprings({ speed: 4 });
    assert.ok(distance((await advance(240)).at(-1), turned.tail) < 1e-3, 'as the main character in a wind that is turned');
    await setSprings({ angle: -90 });
    await advance(120);
});

test('colliders are drawn around their nodes', async () => {
    const outlines = await page.evaluate(async () => {
        const { outlinesOf } = await import('./colliders.js');
        return studio.stage.solving.colliders.map((collider) => ({ collider, outlines: outlinesOf(collider) }));
    });
    assert.equal(outlines.length, 5);
    for (const { collider: { shape, offset, tail, radius }, outlines: lines } of outlines) {
        for (const point of lines.flat()) { // the distance to the segment is the radius
            const axis = tail.map((value, i) => value - offset[i]), square = axis.reduce((sum, value) => sum + value * value, 0);
            const along = point.reduce((sum, value, i) => sum + (value - offset[i]) * axis[i], 0);
            const part = shape === 'capsule' ? Math.min(Math.max(along / square, 0), 1) : 0;
            const nearest = offset.map((value, i) => value + part * axis[i]);
            assert.ok(Math.abs(distance(point, nearest) - radius) < 1e-6, shape);
        }
    }
    const inked = () => page.evaluate(() => {
        const { picture } = studio, [overlay] = picture.overlays, { camera } = picture.view();
        overlay.draw(camera, 0);
        if (overlay.canvas.hidden) return 0;
        const { width, height } = overlay.canvas, { data } = overlay.canvas.getContext('2d').getImageData(0, 0, width, height);
        return data.filter((value, i) => i % 4 === 3 && value > 0).length;
    });
    assert.equal(await inked(), 0);
    await page.getByLabel('Colliders').check();
    assert.ok(await inked() > 1000);
    await page.getByLabel('Springs', { exact: true }).uncheck();
    await advance(60);
    assert.equal(await inked(), 0, 'springs that are off have none');
    await page.getByLabel('Springs', { exact: true }).check();
    await advance(1);
    await page.getByLabel('Colliders').uncheck();
});

test('the code has the springs and the wind', async () => {
    const { three, babylon, c } = await page.evaluate(async () => {
        studio.stage.setSprings({ speed: 2, angle: 90 });
        const { playingOf, threeCode, babylonCode, cCode } = await import('./code.js'), playing = playingOf(studio.stage);
        return { three: threeCode(playing), babylon: babylonCode(playing), c: cCode(playing) };
    });
    assert.match(three, /springsOf\(loaded\.parser\.json\)\);\nsprings\.wind = \[2, 0, 0\];/);
    assert.match(babylon, /springsOf\(await \(await fetch\("sprite\.vrm"\)\)\.arrayBuffer\(\)\)/);
    const lines = c.split('\n'), body = lines.filter((line) => !line.startsWith('#'));
    const source = [...lines.filter((line) => line.startsWith('#')), 'void die(const char *message);', 'void program(float dt);',
        'void program(float dt) {', ...body, '}', ''].join('\n');
    execFileSync('cc', ['-std=c17', '-Wall', '-Wextra', '-Werror', '-fsyntax-only', '-I', include, '-x', 'c', '-'], { input: source });
    await page.evaluate(() => studio.stage.setSprings({ on: false }));
    const without = await page.evaluate(async () => {
        const { playingOf, threeCode } = await import('./code.js');
        return threeCode(playingOf(studio.stage));
    });
    assert.doesNotMatch(without, /Springs/);
    await page.evaluate(() => studio.stage.setSprings({ on: true }));
});

// ---- Effectors ---------------------------------------------------------------------------------------------------

const rings = () => page.evaluate(() => {
    const { picture } = studio, [overlay] = picture.overlays, { left, top } = picture.container.getBoundingClientRect();
    const { clientWidth: width, clientHeight: height } = picture.container;
    return overlay.effectors.rings(picture.view().camera, { width, height }).map(({ role, target, at }) => (
        { role, target, at: [at[0] + left, at[1] + top] }));
});
const ringOf = async (role) => (await rings()).find((ring) => ring.role === role);

async function drag(role, dx, dy) {
    const { at } = await ringOf(role);
    await page.mouse.move(...at);
    await page.mouse.down();
    await page.mouse.move(at[0] + dx / 2, at[1] + dy / 2);
    await page.mouse.move(at[0] + dx, at[1] + dy);
    await page.mouse.up();
}

test('a hand that is dragged is held there, and the feet stay', async () => {
    await load('hero.glb', await readFile(modelPath('hero.glb')));
    await page.getByLabel('Drag hands, feet, head and hips').check();
    await until(page, () => studio.stage.solving?.reach.roles);
    await page.evaluate(() => studio.picture.orbit.arrive());
    const foot = (await advance(1, 'Foot_L', 0))[0], camera = await page.evaluate(() => ({ ...studio.picture.orbit.goal }));
    assert.deepEqual((await rings()).map(({ role }) => role).sort(), ['head', 'hips', 'leftFoot', 'leftHand', 'rightFoot', 'rightHand']);
    const before = await ringOf('leftHand');
    await drag('leftHand', 15, -30);
    const after = await ringOf('leftHand');
    assert.ok(Math.hypot(after.at[0] - before.at[0] - 15, after.at[1] - before.at[1] + 30) < 1, 'the ring follows the pointer');
    assert.deepEqual(await page.evaluate(() => ({ ...studio.picture.orbit.goal })), camera, 'the camera stays');
    assert.ok(distance((await advance(1, 'Hand_L', 0))[0], after.target) < 2e-3);
    assert.ok(distance((await advance(1, 'Foot_L', 0))[0], foot) < 2e-3);
    await drag('hips', 0, 10); // down: the knees bend, the hand stays
    assert.ok(distance((await advance(1, 'Hand_L', 0))[0], after.target) < 4e-3);
    assert.ok(distance((await advance(1, 'Foot_L', 0))[0], foot) < 4e-3);
    const held = await page.evaluate(() => studio.stage.save().effectors);
    assert.deepEqual(held.map(([role]) => role).sort(), ['hips', 'leftHand']);
});

test('effectors that are released return without a jump', async () => {
    const [start] = await advance(1, 'Hand_L', 0);
    await page.getByRole('button', { name: 'Release: Left hand' }).click();
    await page.getByRole('button', { name: 'Release all' }).click();
    const back = await page.evaluate(() => {
        const { stage } = studio, at = 12 * stage.character.asset.findNode('Hand_L');
        return Array.from({ length: 30 }, () => {
            stage.advance(0, 1 / 60);
            const rows = stage.character.mixer.modelMatrices;
            return [rows[at + 3], rows[at + 7], rows[at + 11]];
        });
    });
    const all = distance(start, back.at(-1));
    assert.ok(all > 0.03 && Math.max(distance(start, back[0]), largestStep(back)) < 0.2 * all, `${all}`);
    assert.equal(distance(back.at(-1), back.at(-2)), 0);
    assert.deepEqual(await page.evaluate(() => studio.stage.heldEffectors), []);
});

test('a link restores the wind and the effectors', async () => {
    await drag('rightHand', -20, -50);
    const saved = await page.evaluate(async () => {
        const { stage } = studio;
        stage.setSprings({ speed: 3.5, angle: -45 });
        stage.setView({ colliders: true });
        return stage.save();
    });
    await page.evaluate(() => {
        studio.stage.releaseEffectors();
        studio.stage.setSprings({ on: false, speed: 0, angle: 0 });
    });
    await page.evaluate((state) => studio.stage.restore(state), saved);
    const again = await page.evaluate(() => studio.stage.save());
    for (const name of ['springs', 'effectors']) assert.deepEqual(again[name], saved[name], name);
    assert.ok(again.view.colliders);
    const other = await openStudio();
    await other.evaluate((state) => studio.stage.restore(state), saved);
    await until(other, () => studio.stage.heldEffectors.length === 1); // its nodes are found later
    assert.deepEqual(await other.evaluate(() => studio.stage.save().effectors), saved.effectors);
    await other.evaluate((state) => studio.stage.restore({ ...state, springs: { speed: 1e9, angle: 'x', on: 1 }, effectors: [['tail', [0, 1, 2]], ['head', [0, 1]], 3] }), saved);
    assert.deepEqual(await other.evaluate(() => [studio.stage.springs, studio.stage.heldEffectors]), [{ on: true, speed: 10, angle: 90 }, []]);
    await other.close();
});

test('a file that is no humanoid gets a message', async () => {
    await load('windmill.glb', await readFile(modelPath('windmill.glb')));
    await until(page, () => globalThis.messages.some((text) => text.startsWith('windmill.glb: ')));
    assert.ok(!await page.getByLabel('Drag hands, feet, head and hips').isChecked());
    assert.ok(await page.getByLabel('Springs', { exact: true }).isHidden());
});

// ---- With the graph ----------------------------------------------------------------------------------------------

test('springs and effectors go on while a graph drives', async () => {
    const [json, binary] = parts(await readFile(modelPath('hero.glb'))), nodeOf = (name) => json.nodes.findIndex((node) => node.name === name);
    json.extensionsUsed = [...json.extensionsUsed ?? [], 'VRMC_springBone'];
    json.extensions = { ...json.extensions, VRMC_springBone: { specVersion: '1.0', springs: [{ joints: ['Hair1', 'Hair2', 'Hair3'].map((name) => (
        { node: nodeOf(name), stiffness: 0.5, gravityPower: 0.2, dragForce: 0.4 })) }] } };
    await load('hero.glb', glbOf(json, binary));
    await until(page, () => studio.stage.solving?.bones);
    await page.evaluate(async () => {
        const { stage } = studio, { openBuiltInGraph } = await import('./graph_open.js');
        stage.setPlaying(true);
        stage.setSprings({ on: true, speed: 5, angle: 90 });
        await openBuiltInGraph(stage, 'hero.glb');
    });
    assert.ok(await page.evaluate(() => studio.stage.isDriven));
    const blown = (await advance(120, 'Hair3')).at(-1);
    await page.evaluate(() => studio.stage.setSprings({ angle: -90 }));
    assert.ok(blown[0] - (await advance(120, 'Hair3')).at(-1)[0] > 0.02);
    await page.evaluate(() => studio.stage.closeGraph());
    assert.ok((await advance(60, 'Hair3')).flat().every(Number.isFinite));
});

// ---- Curves ------------------------------------------------------------------------------------------------------

test('the curves of the clip are plotted, with the current value', async () => {
    const [json, binary] = parts(await readFile(modelPath('hero.glb'))), walk = json.animations.find(({ name }) => name === 'Walk');
    walk.extras = { ...walk.extras, curves: { Plant: { times: [0, 0.25, 0.5], values: [0, 1, 0.5] }, Glow: { times: [0], values: [2] } } };
    await load('curves.glb', glbOf(json, binary));
    await tab('Plots');
    await page.evaluate(() => {
        const { stage } = studio;
        stage.showMoment(stage.character.asset.findClip('Walk').index, 0.125);
        stage.advance(0);
    });
    const legend = () => page.locator('section', { has: page.getByRole('heading', { name: 'Curves of the clip' }) }).locator('.legend li').allTextContents();
    assert.deepEqual(await legend(), ['Plant: 0.500', 'Glow: 2.000']);
    await page.evaluate(() => {
        studio.stage.seek(0.375);
        studio.stage.advance(0);
    });
    assert.deepEqual(await legend(), ['Plant: 0.750', 'Glow: 2.000']);
    await page.evaluate(() => {
        const { stage } = studio;
        stage.showMoment(stage.character.asset.findClip('Run').index, 0);
        stage.advance(0);
    });
    assert.deepEqual(await legend(), []);
    await page.getByText('The clip doesn’t animate any.').waitFor();
    await load('hero.glb', await readFile(modelPath('hero.glb')));
    assert.ok(await page.getByRole('heading', { name: 'Curves of the clip' }).isHidden());
});

test('the page reported no errors', () => assert.deepEqual(faults, []));
