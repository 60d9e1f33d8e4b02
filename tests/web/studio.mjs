// SPDX-License-Identifier: MIT
// The studio like a user operates it: start, playing, fading, scrubbing, both renderers, links.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import test from 'node:test';
import { manyClips } from './many_clips.mjs';
import { address, ask, context, faults, modelPath, openStudio, poseOf, reported, until } from './open_studio.mjs';

const WALK = 1, RUN = 2; // clips of the hero
const near = (value, expected, within = 1e-5) => (
    assert.ok(Math.abs(value - expected) <= within, `${value}, not ${expected}`));

const page = await openStudio({ draws: true });
await page.locator('.pinned > summary').click(); // closed in a small window
const weights = () => page.evaluate(() => (
    studio.stage.character.asset.clips.map((_, clip) => studio.stage.weight(clip))));
const state = () => page.evaluate(() => {
    const { playing, time, duration, clip, speed, loop, transition, view } = studio.stage;
    return { playing, time, duration, clip, speed, loop, transition, view };
});
const choose = (words) => page.getByRole('radio', { name: words, exact: true }).check();
const clipButton = (name) => page.locator('.clip-name', { has: page.locator('.clip-words', { hasText: new RegExp(`^${name}$`) }) });

test('the hero walks at start', async () => {
    const { playing, clip, time } = await state();
    assert.ok(playing);
    assert.equal(clip, WALK);
    await until(page, (before) => studio.stage.time !== before, time);
    assert.deepEqual(await weights(), [0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    await until(page, () => studio.picture.drawn > 0);
    await page.evaluate(() => { studio.picture.draw = () => false; }); // the rest is not about pictures
    assert.equal(await page.title(), 'hero.glb · Sinew Studio');
    assert.deepEqual(await page.locator('.clip-words').allTextContents(),
        ['Idle', 'Walk', 'Run', 'Attack', 'Wave', 'Jump', 'Turn', 'WalkBack', 'StrafeLeft', 'StrafeRight', 'Hit']);
    assert.equal(await page.locator('[aria-current="true"]').textContent(), '2Walk1.07 s');
});

// In a fade of d seconds the new clip, which starts at 0, has the weight t / d after t seconds, and the old one the
// rest.
test('a click fades to a clip over the duration', async () => {
    await page.evaluate(() => {
        studio.stage.setTransition({ duration: 0.6 });
        const { stage } = studio, { advance } = stage;
        globalThis.heard = [];
        let passed = 0;
        stage.advance = (step) => { // a frame may take longer than the clip
            const isNew = stage.weight(2) === 0;
            const moved = advance.call(stage, step);
            passed = isNew && stage.weight(2) > 0 ? step : passed + step;
            globalThis.heard.push([passed, stage.weight(1), stage.weight(2)]);
            return moved;
        };
    });
    await clipButton('Run').click();
    await until(page, () => studio.stage.weight(2) === 1);
    const heard = await page.evaluate(() => {
        delete studio.stage.advance;
        return globalThis.heard;
    });
    const first = heard.findIndex(([, , run]) => run > 0);
    for (const [passed, walk, run] of heard.slice(first)) {
        near(run, Math.min(passed / 0.6, 1), 1e-4);
        near(walk + run, 1);
    }
    assert.ok(first >= 0);
    assert.equal(await page.locator('[aria-current="true"]').textContent(), '3Run0.73 s');
});

test('inertialization plays only the new clip', async () => {
    await choose('Inertialize');
    assert.equal((await state()).transition.kind, 'inertialize');
    await clipButton('Walk').click();
    assert.deepEqual(await weights(), [0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    await choose('Cross-fade');
});

test('a slider sets the weight of a clip, and a click the full weight', async () => {
    await page.evaluate(() => studio.stage.setTransition({ duration: 0.1 }));
    assert.equal(await page.locator('.clip-weight:visible').count(), 1); // of Walk, which plays
    await page.getByRole('button', { name: 'Add Run to the mix' }).click();
    near((await weights())[RUN], 1);
    await page.getByLabel('Weight of Run', { exact: true }).fill('0.25');
    near((await weights())[RUN], 0.25);
    near((await weights())[WALK], 1);
    await until(page, () => document.querySelectorAll('.clip output')[2].textContent === '20 %'); // 0.25 of 1.25
    await clipButton('Run').click();
    await until(page, () => studio.stage.weight(2) === 1 && studio.stage.weight(1) === 0);
    await clipButton('Walk').click();
});

// The command's position of the hand at that time.
test('scrubbing sets the time, and the pose equals the command\'s', async () => {
    await until(page, () => studio.stage.weight(1) === 1 && studio.stage.weight(2) === 0);
    await page.evaluate(() => studio.stage.update(1)); // what inertialization has left dies away
    await page.getByRole('button', { name: 'Pause' }).click();
    const bar = await page.locator('.bar').boundingBox();
    for (const part of [0.75, 0.25]) {
        await page.mouse.click(bar.x + 8 + part * (bar.width - 16), bar.y + bar.height / 2);
        const { time, duration, playing } = await state();
        near(time, part * duration, duration / bar.width * 2);
        assert.ok(!playing);
        await page.evaluate(() => studio.stage.update(0));
        const hand = poseOf('Walk', time).find(({ name }) => name === 'Hand_R');
        const matrix = await page.evaluate(() => {
            const { mixer, asset } = studio.stage.character;
            return [...mixer.nodeMatrix(asset.findNode('Hand_R'))];
        });
        hand.world.forEach((value, i) => near(matrix[i], value, 1e-6));
    }
    await until(page, () => /^0\.2\d \/ 1\.07 s$/.test(document.querySelector('.now span').textContent));
});

test('markers have names, and a click seeks to one', async () => {
    await page.getByRole('button', { name: 'Go to Foot_R' }).click();
    near((await state()).time, 0.53333, 1e-4); // what `sinew info` says
});

const pixels = () => page.evaluate(async () => {
    const { picture } = studio;
    const { data } = await picture.take({ width: 200, height: 200 });
    const sums = [0, 0, 0]; // of what is teal: the hero's tunic
    for (let i = 0; i < data.length; i += 4) {
        if (data[i] > 60 || data[i + 1] < 60 || data[i + 2] < 60) continue;
        sums[0]++;
        sums[1] += data[i + 1];
        sums[2] += data[i + 2];
    }
    return sums;
});

test('the renderer is switched while it plays', async () => {
    await page.getByRole('tab', { name: 'View' }).click();
    const seen = { webgl: await pixels() };
    assert.ok(seen.webgl[0] > 300, `${seen.webgl[0]} pixels of the hero`);
    for (const [kind, words] of [['webgpu', 'WebGPU'], ['webgl', 'WebGL2']]) {
        await choose(words);
        await until(page, (wanted) => studio.picture.renderer.kind === wanted &&
            studio.picture.modelOf(studio.stage.character.asset), kind);
        assert.equal(await page.locator('canvas.view').count(), 1);
        seen[kind] = await pixels();
        near(seen[kind][0], seen.webgl[0], 0.02 * seen.webgl[0]);
    }
});

test('a renderer is restored after a context loss', async () => {
    const before = await pixels();
    await page.evaluate(() => studio.picture.renderer.gl.getExtension('WEBGL_lose_context').loseContext());
    await until(page, () => !studio.picture.renderer.isLost && studio.picture.modelOf(studio.stage.character.asset));
    assert.deepEqual(await pixels(), before);
});

test('opening a file repeatedly leaks no model', async () => {
    const openAgain = () => page.evaluate(async () => {
        const { stage, picture } = studio, { name, bytes } = stage.character;
        const frame = () => new Promise(requestAnimationFrame);
        const untilDrawable = async () => { while (!picture.modelOf(stage.character.asset)) await frame(); };
        const waits = [() => {}, frame, untilDrawable]; // replaced before they are on the GPU, meanwhile, and after
        for (let i = 0; i < 10; i++) {
            stage.load(name, bytes);
            await waits[i % 3]();
        }
        await untilDrawable();
        return picture.renderer.models.size;
    });
    for (const words of ['WebGPU', 'WebGL2']) {
        await choose(words);
        await until(page, (wanted) => studio.picture.renderer.api === wanted, words);
        assert.equal(await openAgain(), 1, words);
    }
});

test('keys work, and are ignored in text fields', async () => {
    await page.evaluate(() => document.activeElement.blur());
    await page.keyboard.press('Home');
    near((await state()).time, 0);
    await page.keyboard.press('ArrowRight');
    near((await state()).time, 1 / 30);
    await page.keyboard.press('Shift+ArrowLeft');
    near((await state()).time, (await state()).duration + 1 / 30 - 0.25, 1e-4);
    await page.keyboard.press(' ');
    assert.ok((await state()).playing);
    await page.keyboard.press('3');
    assert.equal((await state()).clip, RUN);
    await page.keyboard.press(']');
    near((await state()).transition.duration, 0.2);
    await page.keyboard.press('ArrowUp');
    assert.equal((await state()).speed, 1.5);
    await page.keyboard.press('l');
    assert.equal((await state()).loop, 'once');
    await page.keyboard.press('?');
    assert.ok(await page.locator('#help').isVisible());
    await page.keyboard.press('2'); // while a dialog is open
    assert.equal((await state()).clip, RUN);
    await page.keyboard.press('Escape');
    assert.ok(!await page.locator('#help').isVisible());
    await page.getByLabel('Speed', { exact: true }).focus();
    await page.keyboard.press('2');
    assert.equal((await state()).clip, RUN);
});

test('once stops at the end, and plays again on request', async () => {
    await page.getByRole('tab', { name: 'Clips' }).click();
    await clipButton('Jump').click();
    await until(page, () => studio.stage.time > studio.stage.duration - 1e-6);
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    await until(page, () => studio.stage.time > 0 && studio.stage.time < studio.stage.duration - 0.1);
    await choose('Loop');
});

test('the camera orbits, zooms and frames all', async () => {
    const goal = () => page.evaluate(() => structuredClone(studio.picture.orbit.goal));
    await page.evaluate(() => {
        const { stage, picture } = studio;
        stage.setTransition({ duration: 0 });
        stage.play(1);
        stage.setPlaying(false);
        stage.seek(0);
        stage.update(0);
        picture.frame();
    });
    const box = await page.locator('canvas.view').boundingBox(), before = await goal();
    const x = box.x + box.width / 2, y = box.y + box.height / 2;
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 40, y);
    await page.mouse.up();
    assert.ok((await goal()).yaw < before.yaw - 0.1);
    await page.mouse.wheel(0, -300);
    await until(page, (distance) => studio.picture.orbit.goal.distance < distance, before.distance);
    await page.keyboard.down('Shift');
    await page.mouse.down();
    await page.mouse.move(x, y - 30);
    await page.mouse.up();
    await page.keyboard.up('Shift');
    assert.ok((await goal()).target[1] < before.target[1] - 0.01); // the picture goes up
    await page.mouse.dblclick(x, y);
    assert.deepEqual((await goal()).target, before.target);
    near((await goal()).distance, before.distance, 0.1 * before.distance); // from another side
    await page.locator('canvas.view').focus();
    await page.keyboard.press('-');
    assert.ok((await goal()).distance > before.distance);
});

test('a link restores the whole state', async () => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.evaluate(async () => {
        const { stage } = studio;
        stage.setSprings({ on: false }); // their motion is in no link
        stage.setTransition({ kind: 'fade', duration: 0.2 });
        stage.setLayer(1, { clip: 3, weight: 0.6, mask: { node: 5, feather: 2 } });
        stage.setLayer(2, { clip: 0, mode: 'additive', weight: 0.3 });
        stage.update(1); // they have faded in
        stage.play(2);
        stage.update(0.1); // in the middle of a fade
        stage.setPlaying(false);
        stage.seek(0.4);
        stage.setWeight(4, 0.5);
        stage.play(2);
        stage.setPlaying(false);
        stage.setSpeed(0.5);
        stage.setTransition({ kind: 'dead-blend', duration: 0.75, matchRate: false });
        stage.setView({ theme: 'dark', ground: false });
        stage.update(0);
        stage.setCrowd(3);
        const { fetchBuiltIn } = await import('./files.js');
        const offset = { translation: [0.1, 0, 0] };
        const hand = stage.character.asset.findNode('Grip_R');
        stage.addAttachment('sword.glb', await fetchBuiltIn('sword.glb'), {}, hand, offset);
        stage.addAttachment('hero.glb', await fetchBuiltIn('hero.glb'), {}, -1, offset);
        stage.crowd.update(0.7);
        stage.attachments[1].mixer.update(0.6);
        studio.picture.moveCamera((orbit) => orbit.turn(0, 9)); // straight down
        stage.update(0);
    });
    await page.getByRole('tab', { name: 'Plots' }).click();
    const joint = page.getByRole('combobox', { name: 'Joint', exact: true });
    await joint.selectOption({ label: `${'\u00a0'.repeat(2)}Hips` });
    await choose('Position');
    await page.getByRole('button', { name: 'Copy link' }).click();
    await until(page, () => location.hash.length > 10);
    const link = await page.evaluate(() => navigator.clipboard.readText());
    assert.ok(link.startsWith(`${address}#`));
    assert.equal(link, page.url());
    const saved = await page.evaluate(() => [studio.stage.save(), studio.picture.saveCamera()]);
    const other = await openStudio({ hash: new URL(link).hash });
    await until(other, () => studio.stage.attachments.length === 2);
    await other.evaluate(() => studio.stage.update(0));
    assert.deepEqual(await other.evaluate(() => [studio.stage.save(), studio.picture.saveCamera()]), saved);
    assert.equal(await other.evaluate(() => document.documentElement.dataset.theme), 'dark');
    assert.equal(await other.getByRole('tab', { selected: true }).textContent(), 'Plots');
    await other.getByRole('img', { name: 'Position of Hips over Run' }).waitFor();
    const pose = () => {
        const { character, attachments, crowd } = studio.stage;
        const mixers = [character.mixer, ...attachments.map(({ mixer }) => mixer), ...crowd.mixers];
        return [...crowd.worlds, ...mixers.flatMap(({ modelMatrices }) => [...modelMatrices])];
    };
    const [a, b] = [await page.evaluate(pose), await other.evaluate(pose)];
    a.forEach((value, i) => near(b[i], value, 1e-4));
    assert.deepEqual(await other.evaluate(() => {
        const { clip, time, speed, layers, attachments, crowd, view } = studio.stage;
        studio.stage.setPlaying(true);
        for (let i = 0; i < 20; i++) studio.stage.update(0.1); // the fade is over
        const fades = [4, 2].map((index) => studio.stage.weight(index));
        return { clip, time: time.toFixed(3), speed, fades, crowd: crowd.count, ground: view.ground, layers:
            layers.map((layer) => layer.weight), attached: attachments.map(({ offset }) => offset.translation) };
    }), { clip: RUN, time: '0.400', speed: 0.5, fades: [0, 1], crowd: 3, ground: false, layers: [1, 0.6, 0.3, 1],
        attached: [[0.1, 0, 0], [0.1, 0, 0]] });
    await other.close();
});

test('a link of version 0.1 restores its attachments', async () => {
    const others = [{ name: 'sword.glb', joint: 'Grip_R', offset: { translation: [0, 0.2, 0] } }];
    const old = Buffer.from(JSON.stringify({ file: 'hero.glb', playing: false, others })).toString('base64url');
    const other = await openStudio({ hash: `#s=${old}` });
    await until(other, () => studio.stage.attachments.length === 1);
    assert.deepEqual(await other.evaluate(() => {
        const { character, attachments: [{ name, joint, offset }] } = studio.stage;
        return [name, character.asset.nodes[joint].name, offset.translation];
    }), ['sword.glb', 'Grip_R', [0, 0.2, 0]]);
    await other.close();
});

test('a link of a blend space has the other playing clips', async () => {
    const play = () => {
        const { stage } = studio, samples = [[0, 0], [1, 1.5], [2, 3.7]].map(([clip, x]) => ({ clip, x, y: 0 }));
        stage.load('hero.glb', stage.character.bytes);
        stage.setSprings({ on: false });
        stage.setTransition({ duration: 0 });
        stage.setSpace({ kind: 'line', samples, x: 2.5, y: 0 });
        stage.setWeight(4, 0.5);
        stage.update(0.2);
        stage.setPlaying(false);
        return [...stage.character.mixer.modelMatrices];
    };
    const before = await page.evaluate(play);
    await page.getByRole('button', { name: 'Copy link' }).click();
    const link = await page.evaluate(() => navigator.clipboard.readText());
    const other = await openStudio({ hash: new URL(link).hash });
    const after = await other.evaluate(() => [...studio.stage.character.mixer.modelMatrices]);
    after.forEach((value, i) => near(value, before[i], 1e-4));
    assert.deepEqual(await other.evaluate(() => [studio.stage.clip, studio.stage.space.x]), [-1, 2.5]);
    await other.close();
});

test('a damaged link gets a message, and the hero walks', async () => {
    const other = await openStudio({ hash: '#s=abc' });
    assert.match(await other.getByRole('alert').textContent(), /link is damaged/);
    await other.close();
    const odd = Buffer.from(JSON.stringify({ file: 'hero.glb', clips: [[99, 1, 1], null, [1, 'x', -5]], layers: 7,
        playing: false, speed: 1e9, space: { samples: [{ clip: 1e9 }] }, camera: { yaw: 'a' },
        view: { renderer: 'crt', theme: 3, tab: 'Bugs' },
        crowd: { count: 2, width: '1e9', seconds: -1 }, plot: { node: 1e9, property: 'colour' }, transition: null,
        attachments: [{ name: 'evil.glb' }, 5] })).toString('base64url');
    const strange = await openStudio({ hash: `#s=${odd}` });
    const { clip, speed, renderer, crowd, plot, tab } = await strange.evaluate(() => {
        const { clip, speed, crowd: { count, width, seconds }, plot, view: { tab } } = studio.stage;
        return { clip, speed, renderer: studio.picture.renderer.kind, crowd: [count, width, seconds], plot, tab };
    });
    assert.deepEqual([clip, speed, renderer, tab], [WALK, 4, 'webgl', 'Clips']);
    assert.deepEqual([crowd[0], crowd[1] < 3, crowd[2]], [2, true, 0]);
    assert.ok(plot.node >= 0 && plot.node < 100 && plot.property === 'rotation');
    await strange.close();
});

test('the lint report equals the command\'s', async () => {
    const path = modelPath('conformance/weights-sum-to-one.gltf');
    const { findings, warnings } = ask('lint', path);
    assert.ok(warnings > 0);
    const text = await readFile(path, 'utf8');
    await page.evaluate((given) => studio.stage.load('weights.gltf', new TextEncoder().encode(given)), text);
    await page.getByRole('tab', { name: 'Lint' }).click();
    await page.getByRole('button', { name: 'Check file' }).click();
    await page.locator('.finding').first().waitFor();
    assert.deepEqual(await reported(page), findings.map(({ location, message }) => `${location}: ${message}`).sort());
});

test('a finding goes to its clip, joint and moment, and the fixed file is saved', async () => {
    const json = JSON.parse(manyClips(['steady', 'flips'], (i) => `joint ${i}`));
    const turns = Float32Array.of(0, 1, 2, 0, 0, 0, 1, 0, 0, 0, -1, 0, 0, 0, -1); // two times the same rotation
    json.buffers.push({ byteLength: 60, uri: `data:application/octet-stream;base64,${Buffer.from(turns.buffer).toString('base64')}` });
    const buffer = json.buffers.length - 1, view = json.bufferViews.length, at = json.accessors.length;
    json.bufferViews.push({ buffer, byteLength: 12 }, { buffer, byteOffset: 12, byteLength: 48 });
    json.accessors.push({ bufferView: view, componentType: 5126, count: 3, type: 'SCALAR', min: [0], max: [2] },
        { bufferView: view + 1, componentType: 5126, count: 3, type: 'VEC4' });
    const { channels, samplers } = json.animations[1];
    channels.push({ sampler: samplers.push({ input: at, output: at + 1 }) - 1, target: { node: 0, path: 'rotation' } });
    await page.evaluate((text) => studio.stage.load('flips.gltf', new TextEncoder().encode(text)), JSON.stringify(json));
    await page.getByRole('button', { name: 'Check file' }).click();
    await page.locator('.finding summary', { hasText: 'opposite hemisphere' }).click();
    await page.getByRole('button', { name: 'joint 0, 1.00 s' }).click();
    assert.deepEqual(await page.evaluate(() => {
        const { clip, time, playing, selected } = studio.stage;
        return [clip, time, playing, selected];
    }), [1, 1, false, 0]);
    const [saved] = await Promise.all([page.waitForEvent('download'),
        page.getByRole('button', { name: 'Fix and save .glb' }).click()]);
    assert.equal(saved.suggestedFilename(), 'flips-fixed.glb');
    const { findings } = ask('lint', await saved.path());
    assert.ok(findings.every(({ rule }) => rule !== 'rotation-flip'));
});

// As of a character with 4,586 redundant tracks.
test('thousands of equal findings are one line each for rule and clip', async () => {
    const lines = await page.evaluate(async () => {
        const { arrangeFindings } = await import('./findings.js');
        const { character } = studio.stage, findings = [];
        for (let i = 0; i < 4000; i++) {
            findings.push({ rule: 'track-redundant', severity: 'note', title: 't', why: 'w', advice: 'a', fixable: true,
                location: `animations[${i % 2}].channels[0]`, message: `${i}`, bytes: 2 });
        }
        return arrangeFindings(findings, character).map(({ rule, count, bytes, groups }) => (
            [rule, count, bytes, groups.map(({ name, targets }) => [name, targets.map(({ label }) => label)])]));
    });
    assert.deepEqual(lines, [['track-redundant', 4000, 8000, [['steady', ['joint 0']], ['flips', ['joint 1']]]]]);
});

test('the page reported no errors', () => assert.deepEqual(faults, []));
