// SPDX-License-Identifier: MIT
// A clip's root warp in the studio: its goal is dragged on the ground, and the timeline scrubs it.
import assert from 'node:assert/strict';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { faults, modelPath, openStudio, until } from './open_studio.mjs';

const pictures = process.env.PICTURES; // a folder, to have a look at the warp
const page = await openStudio({ width: 1000, height: 700, draws: Boolean(pictures) });
await page.evaluate(() => { // the tests advance the time
    const { stage } = studio;
    stage.update = () => false;
});
await page.getByRole('tab', { name: 'Scene', exact: true }).click();
const box = page.getByLabel('Warp the root to a goal');
const panel = page.locator('section', { has: page.getByRole('heading', { name: 'Root warp' }) });
const distance = (a, b) => Math.hypot(...a.map((value, i) => value - b[i]));

async function take(name) {
    if (!pictures) return;
    await mkdir(pictures, { recursive: true });
    const before = await page.evaluate(() => {
        studio.picture.touch();
        return studio.picture.drawn;
    });
    await until(page, (count) => studio.picture.drawn > count + 1 || (studio.picture.touch(), false), before);
    await page.screenshot({ path: join(pictures, `${name}.png`) });
}

// Plays a clip alone, paused at a time.
const showClip = (name, time = 0) => page.evaluate(([clip, seconds]) => {
    const { stage } = studio;
    stage.showMoment(stage.character.asset.findClip(clip).index, seconds);
    stage.advance(0);
}, [name, time]);

// The world position on the ground of a node at a time of the clip.
const nodeAt = (time, node = 'Hips') => page.evaluate(([seconds, name]) => {
    const { stage } = studio, { character: { asset, mixer, world } } = stage;
    stage.seek(seconds);
    stage.advance(0);
    const at = 12 * asset.findNode(name), rows = mixer.modelMatrices, local = [rows[at + 3], rows[at + 7], rows[at + 11]];
    return [0, 8].map((row) => world[row] * local[0] + world[row + 1] * local[1] + world[row + 2] * local[2] + world[row + 3]);
}, [time, node]);

const ring = () => page.evaluate(() => {
    const { picture } = studio, [overlay] = picture.overlays, { left, top } = picture.container.getBoundingClientRect();
    const { clientWidth: width, clientHeight: height } = picture.container;
    const at = overlay.goal.ring(picture.view().camera, { width, height }, picture.floor.height);
    return at && [at[0] + left, at[1] + top];
});

async function drag(dx, dy) {
    const [x, y] = await ring();
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + dx / 2, y + dy / 2);
    await page.mouse.move(x + dx, y + dy);
    await page.mouse.up();
}

const warping = () => page.evaluate(() => {
    const { stage } = studio, { warping: { acts, goal, window: found, missedDistance } } = stage;
    return { acts, goal, window: found, missedDistance };
});

// Catches a window of other markers, a drag that the ring does not follow, a character that misses the goal, and a warp off
// that is not the clip.
test('a goal is dragged on the ground, and scrubbing moves the character to it', async () => {
    await showClip('Jump');
    const start = await nodeAt(0), land = 0.9, before = await nodeAt(land);
    await box.check();
    await page.evaluate(() => studio.picture.orbit.arrive());
    const { window: found, goal: first } = await warping();
    assert.deepEqual(found.names, ['TakeOff', 'Land']);
    assert.ok(Math.abs(found.start - 0.433333) < 1e-5 && Math.abs(found.end - 0.9) < 1e-5);
    const camera = await page.evaluate(() => ({ ...studio.picture.orbit.goal })), shown = await ring();
    await drag(60, -25);
    const moved = await ring();
    assert.ok(Math.hypot(moved[0] - shown[0] - 60, moved[1] - shown[1] + 25) < 1, 'the ring follows the pointer');
    assert.deepEqual(await page.evaluate(() => ({ ...studio.picture.orbit.goal })), camera, 'the camera stays');
    const { goal, missedDistance } = await warping();
    assert.ok(distance(goal, first) > 0.2 && goal[1] === 0 && missedDistance === 0, `${goal}`);
    const there = await nodeAt(land);
    // The character at the goal, which has the facing of the clip: its hips are where they are in the clip from there on.
    const unwarped = await page.evaluate((time) => [...studio.stage.warping.positionsAt(time).unwarped], land);
    assert.ok(distance(there, [before[0] + goal[0] - unwarped[0], before[1] + goal[2] - unwarped[2]]) < 2e-3, `${there}, ${before}`);
    assert.ok(distance(await nodeAt(0), start) < 1e-5);
    assert.equal(await panel.getByText('The goal is reached, from 0.43 s (TakeOff) to 0.90 s (Land).').count(), 1);
    await nodeAt(0.7);
    await take('warp');
    await box.uncheck();
    assert.ok(distance(await nodeAt(land), before) === 0);
});

// Catches a path that differs from the clip's when the goal is the clip's own end, also for a clip that turns.
test('a goal at the end of the clip leaves its motion as it is', async () => {
    for (const [clip, time] of [['Run', 0.3], ['Turn', 0.6], ['Turn', 1.3]]) {
        await box.uncheck();
        await showClip(clip);
        const expected = await nodeAt(time, 'Head');
        await box.check();
        await page.evaluate(() => {
            const { stage } = studio, { warping: { window: { end } } } = stage;
            stage.setGoal([...stage.warping.positionsAt(end).unwarped]);
        });
        assert.ok(distance(await nodeAt(time, 'Head'), expected) < 1e-4, clip);
    }
    const { goal, window: { end } } = await warping(), before = await nodeAt(end, 'Head'); // of Turn, which ends with another facing
    await page.evaluate((to) => studio.stage.setGoal(to), [goal[0] + 0.5, 0, goal[2] - 1]);
    const after = await nodeAt(end, 'Head');
    assert.ok(distance(after, [before[0] + 0.5, before[1] - 1]) < 1e-3, `${after}, ${before}`);
});

// Catches a played warp that differs from a scrubbed one, and a character that doesn't start over.
test('playing is scrubbing', async () => {
    await showClip('Jump');
    await page.evaluate(() => studio.stage.setGoal([0.5, 0, 1]));
    const found = await page.evaluate(() => {
        const { stage } = studio, played = [];
        stage.seek(0);
        for (let i = 0; i < 100; i++) {
            stage.advance(1 / 60);
            played.push({ time: stage.time, world: [...stage.character.world] });
        }
        return played.map(({ time, world }) => {
            stage.seek(time);
            stage.advance(0);
            return Math.max(...world.map((value, i) => Math.abs(value - stage.character.world[i])));
        });
    });
    assert.ok(Math.max(...found) < 1e-6, `${Math.max(...found)}`);
});

// Catches a warp of a blend space or a graph, and one that stays on without a clip.
test('it needs a clip that plays alone', async () => {
    await page.evaluate(async () => {
        const { suggestSpace } = await import('./locomotion.js'), { stage } = studio;
        stage.setSpace(suggestSpace(stage.character.asset));
        stage.advance(0);
    });
    assert.equal(await page.evaluate(() => studio.stage.warping.acts), false);
    assert.equal(await panel.getByText('This needs a clip that plays alone').count(), 1);
    assert.equal(await ring(), null);
    assert.deepEqual(await page.evaluate(() => [...studio.stage.character.world]), [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]);
    await showClip('Jump');
    assert.ok((await warping()).acts);
    for (const name of ['sword.glb', 'sprite.vrm']) { // without clips
        const bytes = (await readFile(modelPath(name))).toString('base64');
        await page.evaluate(([file, text]) => {
            studio.stage.load(file, Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)));
            studio.stage.advance(0);
        }, [name, bytes]);
        assert.equal(await page.evaluate(() => studio.stage.warping.acts), false);
    }
    const hero = (await readFile(modelPath('hero.glb'))).toString('base64');
    await page.evaluate((text) => studio.stage.load('hero.glb', Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))), hero);
});

test('a link restores the warp, and does not trust it', async () => {
    const again = (warp) => page.evaluate((given) => {
        const { stage } = studio;
        stage.restore({ ...stage.save(), warp: given });
        return stage.save().warp;
    }, warp);
    const saved = { on: true, goal: [0.25, 0, 2] };
    assert.deepEqual(await again(saved), saved);
    for (const goal of [[1, 2], ['x', 0, 0], 3, null, undefined]) assert.deepEqual(await again({ on: 1, goal }), { on: false, goal: null });
    assert.deepEqual(await again({ on: true, goal: [1e300, 0, 0] }), { on: true, goal: [1e4, 0, 0] });
    await page.getByRole('button', { name: 'Reset the goal' }).click();
    assert.deepEqual(await page.evaluate(() => studio.stage.save().warp), { on: true, goal: null });
});

test('the page reported no errors', () => assert.deepEqual(faults, []));
