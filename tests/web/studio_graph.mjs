// SPDX-License-Identifier: MIT
// An animation graph in the studio: opened, driven, shown, edited, saved.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import test, { after } from 'node:test';
import { pathToFileURL } from 'node:url';
import { manyClips } from './many_clips.mjs';
import { context, faults, modelPath, openStudio, until } from './open_studio.mjs';

const command = process.argv[5], studioFolder = resolve(process.argv[3]);
const folder = await mkdtemp(join(tmpdir(), 'sinew-graph-'));
after(() => rm(folder, { recursive: true, force: true }));
const text = await readFile(modelPath('hero.graph.json'), 'utf8');
const TURN = JSON.parse(text).layers[0].transitions[1].when; // of Move -> Turn
const TURN_LINE = text.split('\n').findIndex((line) => line.includes(TURN)) + 1;
const { Sinew, Animator } = await import(pathToFileURL(join(studioFolder, 'sinew', 'index.js')));
const sinew = await Sinew.load({ wasm: await readFile(join(studioFolder, 'sinew', 'sinew-simd.wasm')) });
const hero = sinew.loadAsset(await readFile(modelPath('hero.glb')));

const asked = []; // of the server
context.on('request', (request) => asked.push(request.url()));
const page = await openStudio({ width: 1280, height: 800 });
await page.evaluate(() => { // time passes by the steps of the tests only
    studio.stage.setPlaying(false);
    Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (copied) => { globalThis.copied = copied; } } });
});

const mode = (name) => page.getByRole('radio', { name, exact: true }).check();
const layer = (name) => page.getByRole('group', { name: 'Layers' }).getByRole('button', { name: new RegExp(`^${name}`) });
const state = (name) => page.locator(`.state[aria-label^="${name},"]`);
const advance = (seconds) => page.evaluate((all) => {
    for (let left = all; left > 1e-6; left -= 1 / 60) studio.stage.advance(Math.min(1 / 60, left));
}, seconds);
const states = () => page.evaluate(() => studio.stage.graph.animator.graph.layers.map((_, i) => studio.stage.graph.animator.state(i)));
const document = () => page.evaluate(() => studio.stage.graph.document.text);
const settled = () => page.evaluate(() => studio.history.note()); // as after a pause

const panel = page.locator('.graph-body');
const seeDiagram = () => page.locator('#panels').evaluate((panels) => { panels.scrollTop = 0; });

// Clicks the transition of an index in the shown machine.
async function clickEdge(index) {
    await seeDiagram();
    await page.mouse.click(...await page.evaluate((at) => {
        const path = document.querySelectorAll('.edge .line')[at];
        const { x, y } = path.getPointAtLength(0.4 * path.getTotalLength()).matrixTransform(path.getScreenCTM());
        return [x, y];
    }, index));
}
const centerOf = async (locator) => {
    await seeDiagram();
    const { x, y, width, height } = await locator.locator('.box').boundingBox();
    return [x + width / 2, y + height / 2];
};
async function drag(from, to) {
    await page.mouse.move(...await centerOf(from));
    await page.mouse.down();
    await page.mouse.move(...await centerOf(to), { steps: 8 });
    await page.mouse.up();
}
async function undo() {
    await settled();
    await page.getByRole('button', { name: 'Undo' }).click();
}
const redo = () => page.getByRole('button', { name: 'Redo' }).click();

// ---- Opening ----------------------------------------------------------------------------------------------------

test('the hero’s graph is opened, and drives the character', async () => {
    await page.evaluate(() => studio.stage.setSprings({ on: false })); // so only the animator makes the poses
    await page.getByRole('tab', { name: 'Graph' }).click();
    const isGraph = (url) => /graph_(driver|document|diagram|panel|check)|sinew-graph\.wasm/.test(url);
    assert.deepEqual(asked.filter(isGraph), []); // the code is fetched for the first graph
    await page.getByRole('button', { name: 'Hero’s graph' }).click();
    await state('Move').waitFor();
    assert.equal(await page.locator('.state[role=button]').count(), 3);
    assert.equal(await page.locator('.edge').count(), 5); // one of the file has two sources
    assert.ok(asked.filter(isGraph).length > 3);
    assert.deepEqual(await states(), ['Base/Move', 'Upper/None', 'Reaction/None']);
    assert.equal(await state('Move').getAttribute('aria-current'), 'true');
    assert.match(await layer('Base').innerText(), /^Base\s+Move$/);
    await page.getByText('Check: no problems found').waitFor();
});

// The same steps by an animator in Node.
test('parameters, triggers and time have the effect that they have without the page', async () => {
    const graph = sinew.loadGraph(text), animator = new Animator(hero, graph, { maxActions: 64 });
    await page.evaluate(() => studio.stage.closeGraph());
    await page.getByRole('button', { name: 'Hero’s graph' }).click();
    await state('Move').waitFor();
    const steps = [[() => animator.set('move', 0, 1.15), () => studio.stage.graph.set('move', [0, 1.15])], [null, null], [null, null],
        [() => animator.fire('jump'), () => studio.stage.graph.fire('jump')], [() => animator.fire('attack'), () => studio.stage.graph.fire('attack')],
        [() => animator.set('hurt', 1), () => studio.stage.graph.set('hurt', 1)], [() => animator.fire('hit'), () => studio.stage.graph.fire('hit')]];
    for (const [i, [here, there]] of steps.entries()) {
        here?.();
        if (there) await page.evaluate(there);
        await page.evaluate(() => { for (let k = 0; k < 10; k++) studio.stage.advance(1 / 64); });
        for (let k = 0; k < 10; k++) animator.update(1 / 64);
        const [paths, matrices] = await page.evaluate(() => {
            const { graph: { animator: one }, character } = studio.stage;
            return [one.graph.layers.map((_, k) => one.state(k)), [...character.mixer.modelMatrices]];
        });
        assert.deepEqual(paths, graph.layers.map((_, k) => animator.state(k)), `step ${i}`);
        assert.deepEqual(matrices, [...animator.mixer.modelMatrices], `step ${i}`);
    }
    animator.dispose();
    graph.dispose();
    await page.evaluate(() => studio.stage.graph.setDefaults());
    await advance(3);
    assert.deepEqual(await states(), ['Base/Move', 'Upper/None', 'Reaction/None']);
});

// ---- Driving ----------------------------------------------------------------------------------------------------

test('the controls of parameters set them, and show the damped value', async () => {
    const get = (name) => page.evaluate((one) => studio.stage.graph.animator.get(one), name);
    await page.getByRole('button', { name: /^jump/ }).click();
    await advance(1 / 60);
    assert.equal((await states())[0], 'Base/Jump');
    assert.match(await layer('Base').innerText(), /Jump/);
    await advance(3);
    await page.getByRole('checkbox', { name: /^armed/ }).check();
    assert.equal(await get('armed'), true);
    await page.getByRole('spinbutton', { name: 'hurt' }).fill('0.2');
    await advance(0.1);
    const hurt = await get('hurt');
    assert.ok(hurt > 0.2 && hurt < 0.6); // it is damped: half of the way in 0.1 s
    assert.equal(await page.locator('.parameter.float .live').innerText(), `now ${hurt.toFixed(2)}`);
    await page.keyboard.press('Tab'); // from here, keys go to the focused control
    await page.getByRole('slider', { name: 'move' }).focus();
    await page.keyboard.press('Shift+ArrowUp');
    await page.keyboard.press('ArrowUp');
    await advance(2);
    const [x, y] = await page.evaluate(() => [...studio.stage.graph.animator.get('move')]);
    assert.ok(x === 0 && Math.abs(y - 0.25 * 6.2) < 1e-3, `${x} ${y}`);
    await page.getByRole('button', { name: 'Center' }).click();
    await page.getByRole('button', { name: 'Default values' }).click();
    assert.equal(await get('armed'), false);
    assert.equal(await page.getByRole('spinbutton', { name: 'hurt' }).inputValue(), '0.6');
});

test('positions and transforms have number fields', async () => {
    const get = (name) => page.evaluate((one) => {
        const value = studio.stage.graph.animator.get(one);
        return value.position ? [[...value.position], [...value.rotation]] : [...value];
    }, name);
    const field = (name) => page.getByRole('spinbutton', { name, exact: true });
    const { parameters, ...rest } = JSON.parse(text);
    const goals = { look: { type: 'vector3', range: [-2, 2], default: [0, 1, 0] }, hand: { type: 'transform', damping: 0.1 } };
    await page.evaluate((one) => studio.stage.graph.load(one), JSON.stringify({ ...rest, parameters: { ...parameters, ...goals } }));
    await field('look x').fill('-1.5');
    await field('look z').fill('0.25');
    await field('look y').fill('9'); // out of range
    assert.deepEqual(await get('look'), [-1.5, 1, 0.25]);
    await field('hand z').fill('3');
    await field('hand turn w').fill('0'); // all zeros
    await field('hand turn y').fill('2');
    await advance(3);
    assert.deepEqual(await get('hand'), [[0, 0, 3], [0, Math.fround(2 / Math.sqrt(5)), 0, Math.fround(1 / Math.sqrt(5))]]);
    assert.equal(await page.locator('.parameter.space .live').last().innerText(), 'now 0.00, 0.00, 3.00');
    await page.evaluate(() => studio.stage.graph.setDefaults());
    assert.equal(await field('hand z').inputValue(), '0');
    assert.deepEqual(await get('look'), [0, 1, 0]);
    await page.evaluate((one) => studio.stage.graph.load(one), text);
});

test('a running transition is shown with its progress, and the time in the state', async () => {
    await advance(2);
    await page.evaluate(() => studio.stage.graph.fire('turn'));
    await advance(0.1); // of 0.2 s
    const running = page.locator('.edge.running');
    assert.equal(await running.count(), 1);
    const part = await running.locator('.passed').evaluate((path) => Number.parseFloat(path.style.strokeDasharray));
    assert.ok(Math.abs(part - 0.5) < 0.02, `${part}`);
    assert.ok(await page.locator('.dot').isVisible());
    assert.equal(await state('Turn').locator('.time').textContent(), '0.1 s');
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await until(page, () => matchMedia('(prefers-reduced-motion: reduce)').matches);
    await page.evaluate(() => studio.stage.advance(0));
    assert.ok(!await page.locator('.dot').isVisible());
    await page.emulateMedia({ reducedMotion: null });
    await advance(3);
});

test('a click on a state enters it', async () => {
    await page.evaluate(() => studio.stage.graph.set('move', [0, 0]));
    await page.mouse.click(...await centerOf(state('Turn')));
    assert.equal((await states())[0], 'Base/Turn');
    await page.mouse.click(...await centerOf(state('Move')));
    assert.equal((await states())[0], 'Base/Move');
});

test('keys steer while they are held, fire triggers and switch bools', async () => {
    const move = () => page.evaluate(() => studio.stage.graph.target(studio.stage.graph.keys.steered));
    await page.mouse.click(300, 300); // the picture
    await page.keyboard.down('w');
    const [, walk] = await move();
    await page.keyboard.down('Shift');
    await page.keyboard.down('w');
    const [, run] = await move();
    await page.keyboard.down('d');
    const [x, y] = await move();
    for (const key of ['d', 'w', 'Shift']) await page.keyboard.up(key);
    assert.ok(walk > 0.5 && run > 2 * walk && run <= 3.1, `${walk} ${run}`);
    assert.ok(Math.abs(x - y) < 1e-6 && Math.abs(Math.hypot(x, y) - run) < 1e-6, `${x} ${y}`);
    assert.deepEqual(await move(), [0, 0]);
    assert.equal(await page.evaluate(() => studio.stage.view.wireframe), false);
    await page.keyboard.press('1'); // the first of bools and triggers
    assert.equal(await page.evaluate(() => studio.stage.graph.animator.get('armed')), true);
    await page.keyboard.press('1');
    await page.keyboard.press('9'); // none: no clip plays by hand
    assert.ok(await page.evaluate(() => studio.stage.isDriven));
    await page.keyboard.press('2');
    await advance(0.1);
    assert.equal((await states())[0], 'Base/Jump');
    await page.keyboard.press('Home');
    assert.equal((await states())[0], 'Base/Move');
});

test('a machine in a state is opened and left, and has its own current state', async () => {
    await layer('Upper').click();
    await state('Combo').locator('.open').click();
    assert.equal(await state('First').count(), 1);
    assert.equal(await page.locator('.state[role=button]').count(), 3);
    await page.evaluate(() => studio.stage.graph.fire('attack'));
    await advance(0.2);
    assert.equal((await states())[1], 'Upper/Combo/First');
    assert.equal(await state('First').getAttribute('aria-current'), 'true');
    await page.getByRole('navigation', { name: 'Machines' }).getByRole('button', { name: 'Upper' }).click();
    assert.equal(await state('Combo').getAttribute('aria-current'), 'true');
    await state('Combo').focus();
    await page.keyboard.press('Shift+Enter');
    assert.equal(await state('Second').count(), 1);
    await page.keyboard.press('Tab'); // the focus is still in the diagram or after it
    await state('First').focus();
    await page.keyboard.press('Backspace');
    assert.equal(await state('Combo').count(), 1);
    await layer('Base').click();
});

test('the diagram pans, zooms and fits by mouse and keys', async () => {
    const transform = () => page.locator('.diagram-view > g').getAttribute('transform');
    await seeDiagram();
    const fitted = await transform(), { x, y, width, height } = await page.locator('.diagram').boundingBox();
    await page.mouse.move(x + 8, y + height - 8);
    await page.mouse.down();
    await page.mouse.move(x + 38, y + height - 28, { steps: 4 });
    await page.mouse.up();
    const panned = await transform();
    assert.notEqual(panned, fitted);
    await page.mouse.move(x + width / 2, y + height / 2);
    await page.mouse.wheel(0, -200);
    await until(page, (before) => document.querySelector('.diagram-view > g').getAttribute('transform') !== before, panned);
    await page.getByRole('button', { name: 'Fit the diagram' }).click();
    assert.equal(await transform(), fitted);
    await state('Move').focus();
    await page.keyboard.press('+');
    assert.notEqual(await transform(), fitted);
    await page.keyboard.press('0');
    assert.equal(await transform(), fitted);
    await page.keyboard.press('ArrowDown');
    const label = await page.evaluate(() => document.activeElement.getAttribute('aria-label'));
    assert.match(label, /^(Turn|Jump),/);
    await page.keyboard.press('Enter');
    assert.equal((await states())[0], `Base/${label.split(',')[0]}`);
    await advance(3);
});

// ---- Editing ----------------------------------------------------------------------------------------------------

const condition = page.locator('.condition');

test('a condition and a duration are edited in place while the graph plays on', async () => {
    await mode('Edit');
    await clickEdge(2); // Move -> Turn
    assert.equal(await condition.inputValue(), TURN);
    await settled();
    await condition.fill('armed');
    await page.getByRole('spinbutton', { name: 'Duration, s' }).fill('0.5');
    assert.deepEqual(await page.evaluate(() => {
        const { transitions } = studio.stage.graph.animator.graph;
        return [transitions[2].when, transitions[2].duration];
    }), ['armed', 0.5]);
    assert.equal((await states())[0], 'Base/Move');
    await page.evaluate(() => studio.stage.graph.set('armed', true));
    await advance(0.25);
    assert.equal((await states())[0], 'Base/Turn');
    assert.ok(Math.abs(await page.evaluate(() => studio.stage.graph.animator.progress(0)) - 0.5) < 0.04);
    await page.evaluate(() => studio.stage.graph.set('armed', false));
    await undo();
    assert.equal(await document(), text);
    await redo();
    assert.match(await document(), /"from": "Move", "to": "Turn", "when": "armed", "duration": 0\.5/);
    await undo();
    await advance(3);
});

test('an invalid condition is told at its column, and the last valid graph goes on', async () => {
    await clickEdge(2);
    await condition.fill('turn && mov.y > 0.1');
    await page.getByText('Column 9: no parameter is named "mov"; did you mean "move"?').waitFor();
    const caret = await page.locator('.condition-error').textContent();
    assert.deepEqual(caret.split('\n').map((line) => line.length), ['turn && mov.y > 0.1'.length, 9]);
    assert.equal(await page.evaluate(() => studio.stage.graph.animator.graph.transitions[2].when), TURN);
    await page.evaluate(() => studio.stage.graph.fire('jump'));
    await advance(0.1);
    assert.equal((await states())[0], 'Base/Jump');
    await mode('Text');
    await page.getByText(new RegExp(`^Line ${TURN_LINE}, column \\d+: no parameter is named "mov"`)).waitFor();
    await mode('Edit');
    await page.locator('.condition').fill('turn && in_state(\'Base/Mov\')');
    await page.getByText(/^Column \d+: .*"Base\/Mov"/).waitFor();
    while (await document() !== text) await undo(); // pauses of typing are steps
    assert.ok(!await page.locator('.condition-error').isVisible());
    await advance(3);
});

test('kind, easing, offset, flags and order of a transition are edited', async () => {
    await clickEdge(3);
    await panel.getByLabel('Kind').filter({ visible: true }).selectOption('Inertialize');
    await panel.getByLabel('Easing').selectOption('Linear');
    await page.getByRole('spinbutton', { name: /^Start offset/ }).fill('0.3');
    await panel.getByLabel('Interrupted by').selectOption('Nothing');
    await page.getByRole('button', { name: 'Try earlier' }).click();
    const { from, to, when, ...rest } = JSON.parse(await document()).layers[0].transitions[1];
    assert.deepEqual([from, to, rest], ['Turn', 'Move', { duration: 0.25, kind: 'inertialize', easing: 'linear', offset: 0.3, interrupt: 'never' }]);
    await panel.getByLabel('Kind').filter({ visible: true }).selectOption('Cross-fade'); // the default is left out
    assert.equal(JSON.parse(await document()).layers[0].transitions[1].kind, undefined);
    while (await document() !== text) await undo();
});

test('a state is added, named, filled, connected and removed', async () => {
    await page.getByRole('button', { name: 'Add state' }).click();
    await panel.getByLabel('Name').filter({ visible: true }).fill('Cheer');
    await page.keyboard.press('Enter');
    await panel.getByLabel('Plays').selectOption('Wave');
    await panel.getByLabel('Tags').fill('happy, loud');
    await page.keyboard.press('Enter');
    await panel.getByLabel('Loop').filter({ visible: true }).selectOption('Once');
    assert.deepEqual(JSON.parse(await document()).layers[0].states.Cheer, { clip: 'Wave', tags: ['happy', 'loud'], loop: 'once' });
    await drag(state('Move'), state('Cheer'));
    await condition.fill('wave');
    await drag(state('Cheer'), state('Move'));
    await condition.fill('finished');
    assert.deepEqual(JSON.parse(await document()).layers[0].transitions.slice(-2), [
        { from: 'Move', to: 'Cheer', when: 'wave' }, { from: 'Cheer', to: 'Move', when: 'finished' }]);
    await page.evaluate(() => studio.stage.graph.fire('wave'));
    await advance(0.1);
    assert.equal((await states())[0], 'Base/Cheer');
    await page.mouse.click(...await centerOf(state('Cheer')));
    await page.keyboard.press('Delete');
    const { states: left, transitions } = JSON.parse(await document()).layers[0];
    assert.deepEqual([Object.keys(left), transitions.length], [['Move', 'Turn', 'Jump'], 4]);
    assert.equal((await states())[0], 'Base/Move'); // at the entry again
    while (await document() !== text) await undo();
});

test('a state gets a blend space with samples, and states of its own', async () => {
    await settled();
    await page.getByRole('button', { name: 'Add state' }).click();
    const content = () => document().then((now) => JSON.parse(now).layers[0].states.State);
    await panel.getByLabel('Plays').selectOption('A blend space');
    assert.deepEqual(await content(), { blend: { x: 'hurt', samples: [{ clip: 'Idle' }] } });
    await panel.getByRole('button', { name: 'Add clip' }).click();
    await panel.locator('.sample').nth(1).locator('select').selectOption('Run');
    await panel.locator('.sample').nth(1).getByLabel('x').fill('0.5');
    assert.deepEqual(await content(), { blend: { x: 'hurt', samples: [{ clip: 'Idle' }, { clip: 'Run', x: 0.5 }] } });
    await page.evaluate(() => studio.stage.graph.forceState('Base/State'));
    await advance(1);
    assert.ok(await page.evaluate(() => studio.stage.weight(2)) > 0.99); // hurt is 0.6
    await panel.getByLabel('Plays').selectOption('Its own states');
    assert.deepEqual(await content(), { states: { First: {} } });
    await page.getByRole('button', { name: 'Open its states' }).click();
    assert.equal(await state('First').count(), 1);
    await page.keyboard.press('Escape');
    while (await document() !== text) await undo();
    await state('Move').waitFor(); // the machine is gone
});

test('Delete removes the transition that was clicked', async () => {
    await clickEdge(0);
    await page.keyboard.press('Delete');
    assert.deepEqual(JSON.parse(await document()).layers[0].transitions[0].from, ['Turn']);
    await undo();
    assert.equal(await document(), text);
});

test('parameters and layers are added, edited and removed', async () => {
    const nothing = page.getByRole('button', { name: 'Select nothing' });
    if (await nothing.count() > 0) await nothing.click();
    await page.locator('summary', { hasText: /^Parameters$/ }).click();
    await page.getByRole('button', { name: 'Add parameter' }).click();
    const row = page.locator('details.group[open] details.group').last();
    await row.getByLabel('Name').fill('tired');
    await page.keyboard.press('Enter');
    const own = page.locator('details', { hasText: /^tired · float/ }).last();
    await own.getByLabel('Max').fill('2');
    await own.getByLabel('Min').fill('0');
    await own.getByLabel('Damping, s').fill('0.1');
    assert.deepEqual(JSON.parse(await document()).parameters.tired, { type: 'float', range: [0, 2], damping: 0.1 });
    await page.getByText('Check: 1 note').waitFor();
    await own.getByLabel('Type').selectOption('transform');
    const goal = page.locator('details', { hasText: /^tired · transform/ }).last();
    await goal.getByLabel('Space').selectOption('model');
    assert.deepEqual(JSON.parse(await document()).parameters.tired, { type: 'transform', damping: 0.1, space: 'model' });
    await page.getByText('Check: no problems found').waitFor();
    await goal.getByRole('button', { name: 'Remove parameter' }).click();
    await page.locator('summary', { hasText: /^Layer Base$/ }).click();
    await page.getByRole('button', { name: 'Add layer' }).click();
    assert.equal(JSON.parse(await document()).layers.length, 4);
    assert.equal(await page.evaluate(() => studio.stage.graph.animator.mixer.layers.length), 4);
    await page.getByRole('button', { name: 'Remove layer' }).click();
    assert.equal(JSON.parse(await document()).layers.length, 3);
    while (await document() !== text) await undo();
});

test('findings select what they are about', async () => {
    await settled();
    await clickEdge(4);
    await condition.fill('finished && move.y > 9');
    await page.getByText('Check: 1 warning').click();
    await page.getByRole('button', { name: 'Select nothing' }).click();
    await page.locator('.finding-row', { hasText: 'Base/Jump -> Move' }).click();
    assert.equal(await condition.inputValue(), 'finished && move.y > 9');
    assert.equal(await page.locator('.edge.selected').count(), 1);
    await undo();
    assert.equal(await document(), text);
});

test('the text is an alternative, with the same undo', async () => {
    await mode('Text');
    const area = page.getByLabel('Text of the graph');
    assert.equal(await area.inputValue(), text);
    await area.fill(text.replace('"to": "Turn", "when": "turn', '"to": "Turn", "when": "wave'));
    assert.match(await page.evaluate(() => studio.stage.graph.animator.graph.transitions[2].when), /^wave/);
    await settled();
    await area.fill(text.slice(0, 700));
    await page.getByText(/^Line \d+, column \d+: /).waitFor();
    assert.match(await page.evaluate(() => studio.stage.graph.animator.graph.transitions[2].when), /^wave/);
    await undo();
    await undo();
    assert.equal(await area.inputValue(), text);
    await mode('Play');
});

// ---- Saving -----------------------------------------------------------------------------------------------------

async function save() {
    const waiting = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const file = await waiting, path = join(folder, file.suggestedFilename());
    await file.saveAs(path);
    return path;
}

test('the saved file passes the check, and is the same graph when it is opened again', async () => {
    await mode('Edit');
    await clickEdge(2);
    await page.getByRole('spinbutton', { name: 'Duration, s' }).fill('0.4');
    await page.locator('summary', { hasText: 'hero.graph.json' }).getByText('edited').waitFor();
    const path = await save(), saved = await readFile(path, 'utf8');
    assert.equal(saved, await document());
    assert.notEqual(saved, text);
    assert.ok(!await page.locator('summary', { hasText: 'hero.graph.json' }).getByText('edited').isVisible());
    const checked = spawnSync(command, ['graph', 'check', path, '--asset', modelPath('hero.glb')], { encoding: 'utf8' });
    assert.equal(checked.status, 0, checked.stdout + checked.stderr);
    const describe = () => page.evaluate(() => {
        const { parameters, layers, states, transitions } = studio.stage.graph.animator.graph;
        return JSON.stringify({ parameters, layers, states, transitions });
    });
    const before = await describe();
    await page.evaluate(() => studio.stage.closeGraph());
    await page.getByLabel('Graph to open').setInputFiles(path);
    await until(page, () => studio.stage.graph?.drives);
    assert.equal(await describe(), before);
});

test('the code for C and three.js is copied', async () => {
    await page.locator('summary', { hasText: 'hero.graph.json' }).click();
    for (const [language, pattern] of [['three.js', /sinew-animation[^]*hero\.graph\.json/], ['C', /#include <sinew\/all\.h>[^]*hero\.graph\.json/]]) {
        await page.getByRole('button', { name: `Copy for ${language}`, exact: true }).click();
        await until(page, (start) => new RegExp(start).test(globalThis.copied ?? ''), pattern.source);
    }
});

// ---- With the rest of the studio --------------------------------------------------------------------------------

const isDriven = () => page.evaluate(() => studio.stage.isDriven);

test('a clip that is played by hand pauses the graph, which a button resumes', async () => {
    await page.evaluate(() => studio.stage.graph.set('move', [0, 1.15]));
    await advance(1);
    const paths = await states();
    assert.ok(await page.evaluate(() => studio.stage.weight(1)) > 0.99); // Walk, in the list of clips
    await page.getByRole('tab', { name: 'Clips' }).click();
    await settled();
    assert.deepEqual(await page.evaluate(() => { // without waiting: the click starts the time
        const { stage } = studio;
        [...document.querySelectorAll('.clip-name')].find((one) => one.textContent.includes('Run')).click();
        stage.advance(0);
        return [stage.isDriven, stage.clip, stage.weight(1) > 0.99]; // the clip of the graph fades out
    }), [false, 2, true]);
    await advance(1);
    assert.deepEqual(await states(), paths);
    await page.getByText('Clips play by hand.').waitFor();
    await settled();
    await page.getByRole('button', { name: 'Resume graph' }).click();
    assert.equal(await isDriven(), true);
    assert.ok(!await page.getByText('Clips play by hand.').isVisible());
    await undo();
    assert.equal(await isDriven(), false);
    await undo();
    assert.equal(await isDriven(), true);
    await page.evaluate(() => studio.stage.graph.set('move', [0, 0]));
});

test('layers, a blend space and all clips pause it, too; settings do not', async () => {
    for (const play of [() => studio.stage.setLayer(1, { clip: 4 }), () => studio.stage.setWeight(3, 0.5), () => studio.stage.showMoment(1, 0.5),
        () => studio.stage.setSpace({ kind: 'line', samples: [{ clip: 0, x: 0, y: 0 }, { clip: 1, x: 1, y: 0 }], x: 0, y: 0 })]) {
        assert.equal(await isDriven(), true);
        await page.evaluate(play);
        assert.equal(await isDriven(), false, String(play));
        await page.evaluate(() => studio.stage.driveByGraph(true));
    }
    await page.evaluate(() => {
        studio.stage.setLayer(1, { clip: -1 });
        studio.stage.setLayer(1, { weight: 0.5 });
        studio.stage.setTransition({ duration: 0.3 });
        studio.stage.setLoop('once');
        studio.stage.setSpeed(2);
        studio.stage.setPlaying(false); // clips that were played by hand have started the time
        studio.stage.seek(0.5);
    });
    assert.equal(await isDriven(), true);
    assert.equal(await page.evaluate(() => studio.stage.time), 0.5);
    await page.evaluate(() => studio.stage.setSpeed(1));
});

test('the animation that is saved is what the graph plays, which then goes on from before', async () => {
    const [count, before, now] = await page.evaluate(async () => {
        const { exportCycle } = await import('./export.js'), { stage, picture } = studio;
        const options = { width: 32, height: 32, transparent: false, perSecond: 4, driven: 0.5, quality: 0.5 }, { hash } = stage.graph.animator;
        let pictures = 0;
        stage.graph.fire('jump');
        await exportCycle(stage, picture, options, () => { pictures += stage.graph.animator.state(0) === 'Base/Jump' ? 1 : 0; }, new AbortController().signal);
        stage.graph.animator.cancel('jump');
        return [pictures, String(hash), String(stage.graph.animator.hash)];
    });
    assert.equal(count, 2); // 0.5 s, 4 a second
    assert.equal(now, before);
});

test('the code of the tab Save is that of the graph', async () => {
    await page.getByRole('tab', { name: 'Save' }).click();
    await page.getByRole('radio', { name: 'C', exact: true }).check();
    await until(page, () => /sinew_animator_update/.test(document.querySelector('pre.code').textContent));
    await page.getByRole('radio', { name: 'Babylon.js' }).check();
    await until(page, () => /no graph code for Babylon\.js/.test(document.querySelector('pre.code').textContent));
    assert.ok(await page.getByRole('button', { name: 'Copy as code' }).isDisabled());
});

test('a second character plays the graph with its own kind of transition', async () => {
    const [rows, kinds] = await page.evaluate(() => {
        const { stage } = studio, { name, bytes, files } = stage.character;
        stage.startCompare(name, bytes, files);
        stage.graph.fire('jump');
        for (let i = 0; i < 200; i++) stage.advance(1 / 60);
        const { mixer } = stage.compare;
        return [[stage.character.mixer, mixer].map(({ animator }) => animator.state(0)), mixer.animator.graph.transitions.map(({ kind }) => kind)];
    });
    assert.deepEqual(rows, ['Base/Move', 'Base/Move']);
    assert.deepEqual([...new Set(kinds)], ['inertialize']);
    assert.deepEqual(await page.evaluate(() => {
        const { stage } = studio;
        stage.setCompare({ kind: 'fade' });
        const now = [...new Set(stage.compare.mixer.animator.graph.transitions.map(({ kind }) => kind))];
        stage.play(1);
        const byHand = stage.compare.mixer.animator;
        stage.driveByGraph(true);
        stage.stopCompare();
        return [now, byHand];
    }), [['fade'], null]);
});

test('a reload restores the graph with its edits, parameters and states; a link asks for the file', async () => {
    const other = await openStudio();
    await other.evaluate(async (given) => {
        const { openGraph } = await import('./graph_open.js'), { stage } = studio;
        await openGraph(stage, 'own.graph.json', given);
        stage.setPlaying(false);
        stage.graph.document.setText(given.replace('"duration": 0.15', '"duration": 0.17'));
        stage.graph.set('hurt', 0.9);
        stage.graph.forceState('Upper/Wave');
        stage.setView({ tab: 'Graph' });
    }, text);
    const link = await other.evaluate(async () => (await import('./link.js')).linkTo(studio.stage, { save: () => null }));
    await other.reload();
    await until(other, () => globalThis.studio);
    assert.deepEqual(await other.evaluate(() => {
        const { graph, isDriven } = studio.stage;
        return [graph.name, graph.isEdited, isDriven, graph.target(graph.document.graph.findParameter('hurt')), graph.animator.state(1)];
    }), ['own.graph.json', true, true, 0.9, 'Upper/Wave']);
    assert.ok(!link.includes('0.17') && link.length < 3000, `${link.length}`);
    await other.goto('about:blank');
    await other.goto(link);
    await until(other, () => globalThis.studio);
    await other.getByText('The link also has the graph own.graph.json').waitFor();
    await other.evaluate(async (given) => (await import('./graph_open.js')).openGraph(studio.stage, 'own.graph.json', given), text);
    assert.equal(await other.evaluate(() => studio.stage.graph.animator.state(1)), 'Upper/Wave');
    assert.equal(await other.getByText('The link also has').count(), 0);
    await other.close();
});

test('a graph that does not fit another model has findings, and fits again with the first', async () => {
    await page.getByRole('tab', { name: 'Graph' }).click();
    await page.locator('#file').setInputFiles({ name: 'own.gltf', mimeType: 'model/gltf+json', buffer: manyClips(['Idle', 'b']) });
    await until(page, () => studio.stage.character.name === 'own.gltf');
    assert.equal(await isDriven(), false);
    await page.getByText(/^The graph doesn't fit own\.gltf: .*Walk/).waitFor();
    await page.getByText(/^Check: \d+ errors/).waitFor();
    await advance(0.1);
    assert.equal(await page.evaluate(() => studio.stage.shownClip.name), 'Idle');
    await page.getByRole('button', { name: 'Hero', exact: true }).click();
    await until(page, () => studio.stage.character.name === 'hero.glb');
    assert.equal(await isDriven(), true);
    await page.getByText('Check: no problems found').waitFor();
});

const devtools = await context.newCDPSession(page);
async function drop(files) {
    const data = { items: [], files, dragOperationsMask: 1 };
    for (const type of ['dragEnter', 'dragOver', 'drop']) await devtools.send('Input.dispatchDragEvent', { type, x: 200, y: 150, data });
}

test('a graph is dropped alone, with a model, and in an invalid text', async () => {
    const path = join(folder, 'small.graph.json'), small = { sinewGraph: 1, layers: [{ name: 'Only', states: { Wave: { clip: 'Wave' } } }] };
    await writeFile(path, JSON.stringify(small));
    await drop([path]);
    await until(page, () => studio.stage.graph.name === 'small.graph.json');
    assert.deepEqual(await states(), ['Only/Wave']);
    assert.equal(await page.evaluate(() => studio.stage.character.name), 'hero.glb');
    await page.evaluate(() => studio.stage.closeGraph());
    await drop([path, modelPath('hero.glb')]);
    await until(page, () => studio.stage.graph?.drives);
    const broken = join(folder, 'broken.graph.json');
    await writeFile(broken, '{ "sinewGraph": 1, "layers": [{ "name": "Base", "states": { "A": { "clipp": "Idle" } } }] }');
    await drop([broken]);
    await page.getByText(/^Line 1, column \d+: .*"clipp"/).waitFor();
    assert.equal(await isDriven(), false);
    await page.getByLabel('Text of the graph').fill('{ "sinewGraph": 1, "layers": [{ "name": "Base", "states": { "A": { "clip": "Idle" } } }] }');
    assert.equal(await isDriven(), true);
    await drop([path, broken]);
    await page.getByText('2 graphs at once').waitFor();
});

test('a dropped graph that changes on disk is loaded again, and goes on by the names of states', async () => {
    const path = join(folder, 'watched.graph.json');
    await writeFile(path, text);
    await page.evaluate(() => { globalThis.looks = 0; });
    await drop([path]);
    await until(page, () => studio.stage.graph.name === 'watched.graph.json' && globalThis.looks > 0);
    await page.evaluate(() => {
        studio.stage.setPlaying(false); // a clip that was played by hand has started it
        studio.stage.graph.forceState('Upper/Wave');
    });
    await writeFile(path, text.replace('"Wave": { "clip": "Wave", "loop": "once" }', '"Wave": { "clip": "Wave", "loop": "once", "speed": 0.5 }'));
    await until(page, () => studio.stage.graph.animator.graph.findState('Upper/Wave').speed === 0.5);
    assert.equal((await states())[1], 'Upper/Wave');
});

// Of graphs, bindings and animators, those that were made and not freed.
test('switching graphs and models frees what they had', async () => {
    await page.evaluate(async () => {
        const { $module } = await import('./sinew/internal.js');
        const module = studio.stage.sinew[$module], pairs = { graphs: ['web_graph_load', 'sinew_graph_destroy'],
            bindings: ['web_graph_bind', 'sinew_graph_binding_destroy'], mixers: ['web_mixer_create', 'web_mixer_destroy'] };
        globalThis.alive = {};
        const counted = {};
        for (const [name, [make, free]] of Object.entries(pairs)) {
            globalThis.alive[name] = 0;
            for (const [call, by] of [[make, 1], [free, -1]]) {
                const { [call]: original } = module.exports;
                counted[call] = (...given) => {
                    globalThis.alive[name] += by;
                    return original(...given);
                };
            }
        }
        module.exports = { ...module.exports, ...counted };
    });
    const measure = async () => {
        await devtools.send('HeapProfiler.collectGarbage');
        const { nodes } = await devtools.send('Memory.getDOMCounters');
        return { nodes, alive: await page.evaluate(() => ({ ...globalThis.alive })) };
    };
    const around = () => page.evaluate(async (given) => {
        const { openGraph } = await import('./graph_open.js'), { fetchBuiltIn } = await import('./files.js'), { stage } = studio;
        stage.load('hero.glb', await fetchBuiltIn('hero.glb'));
        await openGraph(stage, 'a.graph.json', given);
        stage.startCompare('hero.glb', stage.character.bytes);
        stage.advance(0.1);
        stage.graph.document.setText(given.replace('0.15', '0.25'));
        stage.advance(0.1);
        await new Promise(requestAnimationFrame);
    }, text);
    for (let i = 0; i < 3; i++) await around();
    const before = await measure();
    for (let i = 0; i < 10; i++) await around();
    const now = await measure();
    assert.deepEqual(now.alive, before.alive);
    assert.ok(now.alive.graphs > 0);
    assert.ok(now.nodes - before.nodes < 10, `${now.nodes - before.nodes} nodes more`);
});

test('the page reported no errors', () => assert.deepEqual(faults, []));
