// SPDX-License-Identifier: MIT
// A graph's rig in the studio: it runs, its steps are shown, switched and edited, and its goals are dragged.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import test from 'node:test';
import { pathToFileURL } from 'node:url';
import { faults, modelPath, openStudio, until } from './open_studio.mjs';

const studioFolder = resolve(process.argv[3]);
const text = await readFile(modelPath('hero.character.json'), 'utf8');
const { Sinew, Character, Rig } = await import(pathToFileURL(join(studioFolder, 'sinew', 'character.js')));
const sinew = await Sinew.load({ wasm: await readFile(join(studioFolder, 'sinew', 'sinew-character-simd.wasm')) });
const hero = sinew.loadAsset(await readFile(modelPath('hero.glb')));

const page = await openStudio({ width: 1280, height: 800 });
await page.evaluate(() => studio.stage.setPlaying(false)); // time passes by the steps of the tests only

const tab = (name) => page.getByRole('tab', { name, exact: true }).click();
const row = (name) => page.locator('.rig-step', { has: page.locator('summary strong', { hasText: new RegExp(`^${name}$`) }) });
const advance = (seconds) => page.evaluate((all) => {
    for (let left = all; left > 1e-6; left -= 1 / 60) studio.stage.advance(Math.min(1 / 60, left));
}, seconds);
const weightOf = (name) => page.evaluate((one) => studio.stage.graph.weightOf(one), name);
const document = () => page.evaluate(() => studio.stage.graph.document.text);
const open = (given, name = 'a.graph.json') => page.evaluate(async ([source, title]) => {
    const { openGraph } = await import('./graph_open.js');
    await openGraph(studio.stage, title, source);
}, [typeof given === 'string' ? given : JSON.stringify(given), name]);
async function undo() {
    await page.evaluate(() => studio.history.note()); // as after a pause
    await page.getByRole('button', { name: 'Undo' }).click();
}

const STEPS = ['planted', 'ground', 'seat', 'look', 'second hand', 'hair and scarf'];

test('the tab opens the hero’s rig, and shows its steps in order', async () => {
    await tab('Rig');
    await page.getByRole('button', { name: 'Hero’s graph with a rig' }).click();
    await row('planted').waitFor();
    assert.deepEqual(await page.locator('.rig-step summary strong').allInnerTexts(), STEPS);
    assert.match(await row('ground').innerText(), /foot placement/);
    await advance(1 / 60);
    assert.deepEqual(await page.locator('.rig-step output').allInnerTexts(), ['1.00', '1.00', '0.00', '0.00', '0.00', '1.00']);
});

// The same steps by a character in Node. The page's has a switch for each step in addition.
test('the poses are those of a character', async () => {
    const rig = new Rig(hero, sinew.loadGraph(text)), character = new Character(rig, { maxActions: 64,
        ground: (_, { position }) => { position[1] = 0; } });
    const inputs = [['move', [0, 1.15]], ['looks', true], ['lookAt', [2, 1, 1]], ['armed', true], ['sits', true], ['sits', false]];
    const poses = await page.evaluate(([source, all]) => { // without a frame of the page in between
        const { stage } = studio;
        stage.openGraph('hero.character.json', source);
        return all.map(([name, value]) => {
            stage.graph.set(name, value);
            for (let k = 0; k < 20; k++) stage.advance(1 / 64);
            return [...stage.character.mixer.modelMatrices];
        });
    }, [text, inputs]);
    inputs.forEach(([name, value], i) => {
        if (name === 'move') character.set(name, ...value);
        else character.set(name, value);
        for (let k = 0; k < 20; k++) character.update(1 / 64);
        assert.deepEqual(poses[i], [...character.mixer.modelMatrices], `${i}: ${name}`);
    });
    character.dispose();
    rig.dispose();
});

test('a paused character computes no pose until an input changes', async () => {
    const moves = (change) => page.evaluate((given) => {
        if (given) studio.stage.graph.set('lookAt', given);
        return studio.stage.advance(0);
    }, change);
    assert.equal(await moves(null), false);
    assert.equal(await moves([0, 1, 3]), true);
    assert.equal(await moves(null), false);
});

test('a switch fades a step out and in, and leaves the text as it is', async () => {
    const before = await document();
    await page.evaluate(() => studio.stage.graph.set('looks', true));
    await advance(3);
    assert.ok(await weightOf('look') > 0.99);
    await row('look').getByRole('switch').uncheck();
    await advance(0.1);
    const fading = await weightOf('look');
    assert.ok(fading > 0.1 && fading < 0.9, `${fading}`);
    await advance(3);
    assert.equal(await row('look').locator('output').innerText(), 'off');
    assert.equal(await document(), before);
    await page.evaluate((given) => studio.stage.graph.document.setText(given), `${before} `); // an edit doesn't switch
    await advance(1);
    assert.equal(await weightOf('look'), 0);
    await row('look').getByRole('switch').check();
    await advance(3);
    assert.ok(await weightOf('look') > 0.99);
    await undo();
});

test('the condition and the weight of a step are edited in the text', async () => {
    await row('look').locator('summary').click();
    await row('look').getByRole('spinbutton', { name: 'Weight' }).fill('0.5');
    await advance(3);
    assert.ok(Math.abs(await weightOf('look') - 0.5) < 0.01);
    await row('look').getByLabel('Condition').fill('looks && !sits');
    const edited = JSON.parse(await document()).rig.steps[3];
    assert.deepEqual([edited.weight, edited.when], [0.5, 'looks && !sits']);
    await row('look').getByLabel('Condition').fill('looks && sitz');
    await page.getByText(/Column \d+: .*"sitz"/).waitFor();
    await undo();
    assert.equal(JSON.parse(await document()).rig.steps[3].when, 'looks');
});

test('a finding of the check opens its step', async () => {
    await open(text.replace('"when": "looks",', '"when": "looks", "weight": 0,'), 'off.graph.json');
    await tab('Graph');
    await page.locator('.findings summary').click();
    await page.locator('.finding-row', { hasText: 'look' }).first().click();
    await row('look').locator('details[open]').waitFor();
    assert.equal(await page.getByRole('tab', { name: 'Rig', exact: true }).getAttribute('aria-selected'), 'true');
    assert.equal(await page.locator('.rig-step details[open]').count(), 1);
    await row('look').getByRole('button', { name: 'Show in the text' }).click();
    const area = page.getByLabel('Text of the graph');
    const selected = await area.evaluate((one) => one.value.slice(one.selectionStart, one.selectionEnd));
    assert.equal(JSON.parse(selected).name, 'look');
});

// ---- Goals ------------------------------------------------------------------------------------------------------

// The centre of a goal's ring, in the page.
const ringOf = (name) => page.evaluate(async (goal) => {
    const { RigGoals } = await import('./rig_goals.js'), { stage, picture } = studio, { container } = picture;
    const box = container.getBoundingClientRect(), size = { width: box.width, height: box.height };
    const ring = new RigGoals(stage).rings(picture.view().camera, size).find(({ parameter }) => parameter.name === goal);
    return ring && [box.left + ring.at[0], box.top + ring.at[1], ring.isOn];
}, name);

test('goals are dragged in the picture', async () => {
    await open(text);
    await tab('Rig');
    await page.evaluate(() => {
        studio.stage.graph.set('looks', true);
        studio.stage.graph.set('lookAt', [0.3, 1.4, 0.6]);
        studio.picture.frame();
        studio.picture.orbit.arrive();
    });
    await advance(1);
    const [x, y, isOn] = await ringOf('lookAt');
    assert.equal(isOn, true);
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 60, y - 40, { steps: 4 });
    await page.mouse.up();
    const [x1, y1] = await ringOf('lookAt');
    assert.ok(Math.hypot(x1 - x - 60, y1 - y + 40) < 1, `${x1 - x} ${y1 - y}`);
    assert.notDeepEqual(await page.evaluate(() => studio.stage.graph.save().parameters.lookAt), [0.3, 1.4, 0.6]);
    await tab('Clips');
    assert.equal(await ringOf('lookAt'), undefined);
});

test('a transform’s goal keeps its rotation, and one in model space follows the character', async () => {
    const rotation = [0, 1, 0, 0], hand = { type: 'transform', space: 'model', default: { position: [0.4, 1, 0.4], rotation } };
    await open({ sinewGraph: 1, parameters: { hand, ledge: { type: 'transform', default: { position: [0, 0, 2] } } },
        layers: [{ name: 'Base', states: { Jump: { clip: 'Jump' } } }],
        rig: { steps: [{ rootWarp: { clip: 'Jump', start: 0.1, end: 0.6, addedSpeed: 6, goal: 'ledge' } }, { limb: { end: 'role:leftHand', goal: 'hand' } }] } });
    await tab('Rig');
    const [x, y] = await ringOf('hand');
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x, y - 30, { steps: 3 });
    await page.mouse.up();
    const { position, rotation: after } = await page.evaluate(() => studio.stage.graph.save().parameters.hand);
    assert.deepEqual(after, rotation);
    assert.ok(position[1] > 1.02 && position[1] < 2, `${position}`);
    const before = await ringOf('hand');
    await advance(0.65); // to the ledge
    const place = await page.evaluate(() => [...studio.stage.character.world]);
    assert.ok(Math.abs(place[11] - 2) < 0.02, `${place}`);
    const now = await ringOf('hand');
    assert.ok(Math.hypot(now[0] - before[0], now[1] - before[1]) > 20);
    await page.evaluate(() => {
        studio.stage.graph.restart();
        studio.stage.advance(0);
    });
    assert.equal(await page.evaluate(() => studio.stage.character.world[11]), 0);
});

// ---- With the rest of the studio --------------------------------------------------------------------------------

test('the springs of a rig replace the file’s', async () => {
    await open(text);
    const act = () => page.evaluate(() => [studio.stage.rigSwings, studio.stage.solving?.isActive ?? false]);
    await advance(1);
    assert.deepEqual(await act(), [true, false]);
    await tab('Scene');
    await page.getByText('The springs are a step of the graph’s rig.').waitFor();
    await page.evaluate(() => studio.stage.play(1));
    await advance(1);
    assert.deepEqual(await act(), [false, true]);
    await page.evaluate(() => studio.stage.driveByGraph(true));
});

test('a rig without layers acts on the clip that was played by hand', async () => {
    await page.evaluate(() => studio.stage.play(1));
    await advance(1);
    await open({ sinewGraph: 1, parameters: { goal: { type: 'vector3', default: [0, 1, 3] } },
        rig: { steps: [{ aim: { node: 'role:head', goal: 'goal' } }] } });
    await advance(0.2);
    assert.deepEqual(await page.evaluate(() => [studio.stage.isDriven, studio.stage.shownClip.name]), [true, 'Walk']);
    await tab('Graph');
    await tab('Rig');
    assert.deepEqual(await page.locator('.rig-step summary strong').allInnerTexts(), ['aim']);
});

test('a second character has the rig, too', async () => {
    await open(text);
    const [kinds, off] = await page.evaluate(() => {
        const { stage } = studio, { name, bytes, files } = stage.character;
        stage.startCompare(name, bytes, files);
        stage.graph.set('looks', true);
        for (let i = 0; i < 100; i++) stage.advance(1 / 60);
        const weigh = () => [stage.character, stage.compare].map(({ mixer }) => mixer.animator.stepWeight('look') > 0.9), on = weigh();
        stage.graph.switchStep('look', false);
        for (let i = 0; i < 100; i++) stage.advance(1 / 60);
        return [on, weigh()];
    });
    assert.deepEqual([kinds, off], [[true, true], [false, false]]);
    await page.evaluate(() => {
        studio.stage.stopCompare();
        studio.stage.graph.switchStep('look', true);
    });
});

test('a reload and a link restore what is switched off', async () => {
    const other = await openStudio();
    await other.evaluate(async () => {
        const { openBuiltInGraph, BUILT_IN_RIGS } = await import('./graph_open.js'), { stage } = studio;
        stage.setPlaying(false);
        await openBuiltInGraph(stage, 'hero.glb', BUILT_IN_RIGS);
        stage.graph.switchStep('ground', false);
        stage.setView({ tab: 'Rig' });
    });
    const link = await other.evaluate(async () => (await import('./link.js')).linkTo(studio.stage, { save: () => null }));
    for (const restored of [() => other.reload(), () => other.goto('about:blank').then(() => other.goto(link))]) {
        await restored();
        await until(other, () => globalThis.studio);
        assert.deepEqual(await other.evaluate(() => {
            studio.stage.advance(0);
            const { graph } = studio.stage;
            return [graph.name, graph.isOff('ground'), graph.weightOf('ground'), graph.weightOf('planted')];
        }), ['hero.character.json', true, 0, 1]);
    }
    await other.close();
});

test('a rig that doesn’t fit says which step, and the line in the text', async () => {
    await open(text.replace('role:head', 'role:heed'));
    const line = text.split('\n').findIndex((one) => one.includes('role:head')) + 1;
    await page.getByText(new RegExp(`The rig doesn't fit hero\\.glb: line ${line - 1}.*step look.*"heed"`)).waitFor();
    assert.equal(await page.evaluate(() => studio.stage.isDriven), false);
});

test('switching rigs frees what they had', async () => {
    const alive = await page.evaluate(async (given) => {
        const { $module } = await import('./sinew/internal.js'), { openGraph } = await import('./graph_open.js'), { stage } = studio;
        const module = stage.sinew[$module], pairs = { graphs: ['web_graph_load', 'sinew_graph_destroy'],
            rigs: ['web_character_rig_create', 'sinew_rig_destroy'], mixers: ['web_mixer_create', 'web_mixer_destroy'] };
        const counts = {}, counted = {};
        for (const [name, [make, free]] of Object.entries(pairs)) {
            counts[name] = 0;
            for (const [call, by] of [[make, 1], [free, -1]]) {
                const { [call]: original } = module.exports;
                counted[call] = (...all) => {
                    counts[name] += by;
                    return original(...all);
                };
            }
        }
        module.exports = { ...module.exports, ...counted };
        const around = async () => {
            await openGraph(stage, 'a.graph.json', given);
            stage.graph.document.setText(given.replace('"damping": 0.15', '"damping": 0.25'));
            stage.graph.document.setText(JSON.stringify({ ...JSON.parse(given), rig: undefined }));
            stage.advance(0.1);
        };
        await around();
        const before = { ...counts };
        for (let i = 0; i < 3; i++) await around();
        return [before, counts];
    }, text);
    assert.deepEqual(alive[1], alive[0]);
});

test('the page reported no errors', () => assert.deepEqual(faults, []));
