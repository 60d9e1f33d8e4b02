// SPDX-License-Identifier: MIT
// Retargeting in the studio: drops motion onto a character, changes its roles, saves the result and compares it with
// the command's.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import test, { after } from 'node:test';
import { ask, context, faults, modelPath, openStudio, until } from './open_studio.mjs';

const command = resolve(process.argv[5]);
const folder = await mkdtemp(join(tmpdir(), 'sinew-retarget-'));
after(() => rm(folder, { recursive: true, force: true }));
const inFolder = (name) => join(folder, name);
for (const name of ['hero.glb', 'golem.glb', 'windmill.glb', 'sword.glb']) await copyFile(modelPath(name), inFolder(name));
const run = (...words) => execFileSync(command, ['--quiet', ...words], { cwd: folder });
run('bake', 'hero.glb', '--clip', 'Walk', '-o', 'walk.bvh');

const asked = []; // of the server
context.on('request', (request) => asked.push(request.url()));
const CLIPBOARD = `Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (text) => { globalThis.copied = text; } } });`;
const page = await openStudio({ width: 1280, height: 800, before: CLIPBOARD });

async function drop(files, onto = page) {
    const tools = await context.newCDPSession(onto), data = { items: [], files: files.map(inFolder), dragOperationsMask: 1 };
    for (const type of ['dragEnter', 'dragOver', 'drop']) await tools.send('Input.dispatchDragEvent', { type, x: 200, y: 150, data });
    await tools.detach();
}
const answer = (words, onto = page) => onto.locator('#ask').getByRole('button', { name: words }).click();
const isIdle = (onto = page) => until(onto, () => studio.stage.retarget && !studio.stage.retarget.isBusy && document.getElementById('tabs'));
const panel = page.locator('.graph-body', { has: page.locator('.pairing') });
const button = (name) => panel.getByRole('button', { name, exact: true });
const open = async (words) => {
    const summary = panel.locator('details:not([open]) > summary', { hasText: words });
    if (await summary.count() > 0) await summary.first().click();
};
const role = (label) => panel.locator('button.role', { has: page.locator('.label', { hasText: new RegExp(`^${label}$`) }) });
const undo = () => page.getByRole('button', { name: 'Undo' }).click();
const redo = () => page.getByRole('button', { name: 'Redo' }).click();
async function workersEnd() {
    for (let i = 0; i < 1000 && page.workers().length > 0; i++) await page.evaluate(() => new Promise(requestAnimationFrame));
    assert.equal(page.workers().length, 0);
}
const clips = () => page.evaluate(() => studio.stage.character.asset.clips.map(({ name }) => name));

async function saved(name) {
    const [file] = await Promise.all([page.waitForEvent('download'), button(name).click()]);
    return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) };
}

// Runs the command that the page copies, in a folder with the maps that it needs.
async function byCommand() {
    await open('Maps and code');
    await button('Copy as command').click();
    const text = await page.evaluate(() => globalThis.copied);
    for (const side of ['source', 'target']) {
        if (!text.includes(`--${side}-map`)) continue;
        const { name, bytes } = await saved(`Save ${side} map`);
        await writeFile(inFolder(name), bytes);
    }
    execFileSync('sh', ['-c', text.replace(/^sinew /, '"$SINEW" ')], { cwd: folder, env: { ...process.env, SINEW: command } });
    return { text, bytes: await readFile(inFolder(text.split(' ').at(-1))) };
}

// Tests that the saved file is the command's.
async function isTheCommands() {
    await isIdle();
    const { name, bytes } = await saved('Save .glb'), { text, bytes: expected } = await byCommand();
    assert.ok(text.endsWith(`-o ${name}`), text);
    assert.ok(bytes.equals(expected), `${bytes.length} bytes, and ${expected.length} by ${text}`);
    return text;
}

// The middle of a joint of the diagram, in the page.
const jointAt = (side, node) => panel.locator(`.joint[data-key="${side} ${node}"]`).evaluate((joint) => {
    const { x, y, width, height } = joint.getBoundingClientRect();
    return [x + width / 2, y + height / 2];
});
async function clickJoint(side, node) {
    await panel.locator('.pairing').scrollIntoViewIfNeeded();
    await page.mouse.click(...await jointAt(side, node));
}
const nodeNamed = (file, name) => ask('humanoid', inFolder(file)).roles.find((one) => one.name === name).node;

// ---- Opening ----------------------------------------------------------------------------------------------------

test('the code is fetched for the first motion, which a drop onto a character of the user’s own asks about', async () => {
    await drop(['golem.glb']);
    await until(page, () => studio.stage.character.name === 'golem.glb');
    await page.getByRole('tab', { name: 'Retarget' }).click();
    assert.deepEqual(asked.filter((url) => /retarget_(driver|worker|panel)|sinew-retarget/.test(url)), []);
    await drop(['sword.glb']);
    assert.ok(await page.locator('#ask').getByRole('button', { name: 'Use its motion' }).isDisabled()); // it has none
    await page.keyboard.press('Escape');
    await drop(['hero.glb']);
    await page.getByText('Retargets its 11 clips by roles').waitFor();
    await answer('Use its motion');
    await until(page, () => studio.stage.compare !== null);
    assert.ok(asked.some((url) => /sinew-retarget\.wasm/.test(url)));
    assert.deepEqual(await page.evaluate(() => globalThis.messages), []);
});

test('the roles are those of the command, on both sides', async () => {
    await panel.locator('.joint').first().waitFor();
    await panel.locator('details').evaluateAll((all) => all.forEach((one) => { one.open = true; }));
    const shown = await panel.locator('button.role').evaluateAll((rows) => rows.map((row) => (
        [...row.children].map((cell, i) => (i === 0 ? cell.textContent : cell.title)))));
    assert.equal(shown.length, 55);
    for (const [column, file] of [[1, 'hero.glb'], [2, 'golem.glb']]) {
        const words = (name) => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replace(/^./, (letter) => letter.toUpperCase());
        const expected = ask('humanoid', inFolder(file)).roles.map(({ role: name, name: node }) => [words(name), node]);
        assert.deepEqual(shown.filter((row) => row[column] !== '').map((row) => [row[0], row[column]]).sort(), expected.sort(), file);
    }
    assert.equal(await panel.locator('.joint.unpaired').count(), 2); // the hero's eyes; fingers are in the views of hands
});

test('the lines are the pairs of the command', async () => {
    const { pairs, scale } = ask('retarget', inFolder('hero.glb'), '--onto', inFolder('golem.glb'));
    const fingers = (side) => pairs.filter(({ role: name }) => new RegExp(`^${side}(Thumb|Index|Middle|Ring|Little)`).test(name));
    const lines = () => panel.locator('.link').count();
    assert.equal(await lines(), pairs.length - fingers('left').length - fingers('right').length);
    await page.getByRole('radio', { name: 'Left hand' }).check();
    assert.equal(await lines(), 1 + fingers('left').length);
    await page.getByRole('radio', { name: 'Body' }).check();
    await panel.getByText(`11 clips, ${pairs.length} pairs of nodes, motion scaled by ${scale.toFixed(2)}`).waitFor();
});

test('a node under the pointer is described, and its line and row are marked by a click', async () => {
    const hand = nodeNamed('hero.glb', 'Hand_L');
    await page.mouse.move(...await jointAt('source', hand));
    await panel.getByText('Hand_L (source): Left hand').waitFor();
    assert.equal(await panel.locator('.link.marked').count(), 1);
    await clickJoint('source', hand);
    assert.equal(await role('Left hand').getAttribute('aria-pressed'), 'true');
    assert.equal(await panel.locator('.link.selected').count(), 1);
    await clickJoint('source', nodeNamed('hero.glb', 'Foot_L')); // a second click selects, and assigns nothing
    assert.equal(await role('Left foot').getAttribute('aria-pressed'), 'true');
    assert.ok(!await page.evaluate(() => studio.stage.retarget.isMapped('source')));
    await page.keyboard.press('Escape');
    assert.equal(await panel.locator('.role[aria-pressed=true]').count(), 0);
});

// ---- The result -------------------------------------------------------------------------------------------------

test('the stage plays the result next to the source, in sync', async () => {
    assert.deepEqual(await clips(), ask('info', inFolder('hero.glb')).clips.map(({ name }) => name));
    const [times, names, gap] = await page.evaluate(() => {
        const { stage } = studio;
        stage.play(1);
        stage.setPlaying(false);
        for (let i = 0; i < 20; i++) stage.advance(1 / 30);
        const { mixer, asset } = stage.compare, [, , , right] = stage.character.mixer.bounds(), [left] = mixer.bounds();
        return [[stage.time, mixer.clipAction(asset.findClip('Walk')).time], [stage.shownClip.name, stage.compare.name],
            stage.compare.world[0] * left + stage.compare.world[3] - right];
    });
    assert.deepEqual(names, ['Walk', 'hero.glb']);
    assert.ok(times[0] > 0 && Math.abs(times[0] - times[1]) < 1e-3 && gap > 0, `${times}, ${gap}`);
});

// Positions of the left hand above the hips, relative to the height, in the stage.
const handHeights = () => page.evaluate(() => {
    const { stage } = studio;
    stage.update(0);
    const height = ({ asset, mixer }, hand, hips) => {
        const at = (name) => mixer.modelMatrices[12 * asset.findNode(name) + 7];
        return at(hand) - at(hips);
    };
    return [height(stage.character, 'mixamorig:LeftHand', 'mixamorig:Hips'), height(stage.compare, 'Hand_L', 'Hips')];
});

test('the saved file is the command’s, byte for byte', async () => {
    assert.equal(await isTheCommands(), 'sinew retarget hero.glb --onto golem.glb -o golem-hero.glb');
});

// ---- Roles ------------------------------------------------------------------------------------------------------

test('a role is changed by clicks, and undone', async () => {
    await page.evaluate(() => studio.stage.showMoment(4, 1)); // Wave, with the arm up
    const before = await handHeights(), arm = nodeNamed('hero.glb', 'UpperArm_L'), other = nodeNamed('hero.glb', 'UpperArm_R');
    await role('Left upper arm').click();
    await panel.getByText('Left upper arm: click its node in either skeleton.').waitFor();
    await clickJoint('source', other);
    await isIdle();
    assert.match(await role('Left upper arm').innerText(), /UpperArm_R/);
    assert.match(await role('Right upper arm').innerText(), /missing/); // a node has one role
    await panel.getByText('Source: 1 required role has no node: right upper arm.').waitFor();
    await isTheCommands(); // without that arm
    await role('Right upper arm').click();
    await clickJoint('source', arm);
    await isIdle();
    const text = await isTheCommands();
    assert.match(text, /--source-map hero\.humanoid\.json -o/);
    assert.doesNotMatch(text, /--target-map/);
    const crossed = await handHeights();
    assert.ok(Math.abs(crossed[0] - before[0]) > 0.1, `${before} and ${crossed}`);
    assert.deepEqual([crossed[1], await page.evaluate(() => studio.stage.shownClip.name)], [before[1], 'Wave']);

    await undo();
    await isIdle();
    await panel.getByText('Source: 1 required role has no node: right upper arm.').waitFor();
    await undo();
    await isIdle();
    assert.match(await role('Left upper arm').innerText(), /UpperArm_L/);
    assert.equal(await isTheCommands(), 'sinew retarget hero.glb --onto golem.glb -o golem-hero.glb');
    await redo();
    await redo();
    await isIdle();
    assert.match(await role('Left upper arm').innerText(), /UpperArm_R/);
    assert.ok(await page.getByRole('button', { name: 'Redo' }).isDisabled());
    await undo();
    await undo();
    await isIdle();
});

test('a role is changed and cleared by the keyboard alone', async () => {
    await role('Neck').focus();
    await page.keyboard.press('Enter');
    const first = panel.locator('.joint[tabindex="0"]');
    assert.equal(await first.count(), 1);
    await first.focus();
    const before = await page.evaluate(() => document.activeElement.dataset.key);
    await page.keyboard.press('ArrowDown');
    const key = await page.evaluate(() => document.activeElement.dataset.key);
    assert.notEqual(key, before);
    await page.keyboard.press('Enter');
    await isIdle();
    const [side, node] = key.split(' ');
    assert.equal(await page.evaluate((one) => studio.stage.retarget.nodeOf(one, 'neck'), side), Number(node));
    assert.equal(await page.evaluate(() => document.activeElement.dataset.key), key); // the focus stays
    await undo();
    await isIdle();
    await role('Neck').click();
    if (!await role('Neck').evaluate((one) => one.getAttribute('aria-pressed') === 'true')) await role('Neck').click();
    await panel.getByRole('combobox', { name: 'Node in the target' }).selectOption({ index: 0 }); // no node
    await isIdle();
    assert.match(await role('Neck').innerText(), /–/);
    assert.match(await isTheCommands(), /--target-map/);
    await undo();
    await isIdle();
    await button('Done').click();
});

test('maps are saved as the command writes them, and opened', async () => {
    await open('Maps and code');
    const map = await saved('Save target map');
    assert.equal(map.name, 'golem.humanoid.json');
    assert.equal(map.bytes.toString(), run('humanoid', 'golem.glb', '--map', '-').toString());
    const edited = JSON.parse(map.bytes);
    edited.roles.leftHand = edited.roles.leftThumbMetacarpal;
    edited.roles.leftThumbMetacarpal = null;
    await writeFile(inFolder('edited.json'), JSON.stringify(edited));
    await writeFile(inFolder('wrong.json'), map.bytes.toString().replace('mixamorig:Head', 'Haed'));
    const choose = async (name) => panel.getByLabel('Map of the target to open').setInputFiles(inFolder(name));
    await choose('wrong.json');
    await page.locator('.message.error').waitFor();
    assert.match(await page.locator('.message.error').innerText(), /wrong\.json: .*no node "Haed"/);
    await choose('edited.json');
    await until(page, () => studio.stage.retarget.isMapped('target'));
    await isTheCommands();
    await undo();
    await isIdle();
});

// ---- Options ----------------------------------------------------------------------------------------------------

test('options have the effect of the command’s, and what plays stays', async () => {
    await open('Clips ');
    await open('Options');
    await page.evaluate(() => studio.stage.showMoment(4, 1));
    await button('No clips').click();
    await panel.getByText('Choose a clip.').waitFor();
    for (const name of ['Wave', 'Walk']) {
        await panel.getByLabel(name, { exact: true }).check();
        await isIdle();
    }
    assert.deepEqual(await clips(), ['Walk', 'Wave']);
    assert.deepEqual(await page.evaluate(() => [studio.stage.shownClip.name, studio.stage.time]), ['Wave', 1]);
    for (const name of ['Put the feet', 'Do the same for the hands', 'Keep bone lengths', 'Leave out']) {
        const box = panel.getByRole('checkbox', { name: new RegExp(`^${name}`) });
        await box.setChecked(!await box.isChecked());
    }
    await panel.getByLabel('Keys per second').selectOption('60');
    const text = await isTheCommands();
    assert.equal(text, 'sinew retarget hero.glb --onto golem.glb --clip Walk --clip Wave --only --rate 60 --no-feet --hands --fixed-lengths -o golem-hero.glb');
    for (let i = 0; i < 8; i++) {
        await undo();
        await isIdle();
    }
    assert.deepEqual(await page.evaluate(() => studio.stage.retarget.options.clips), null);
    assert.equal((await clips()).length, 11);
    assert.equal(await page.evaluate(() => studio.stage.shownClip.name), 'Wave');
});

test('the copied JavaScript makes the same file', async () => {
    await open('Maps and code');
    await button('Copy as JavaScript').click();
    const text = await page.evaluate(() => globalThis.copied), { bytes } = await saved('Save .glb');
    await writeFile(inFolder('copied.mjs'), text.replace("'sinew-animation/retarget'", `'file://${resolve(process.argv[3], 'sinew', 'retarget.js')}'`)
        .replace('await (await fetch(url)).arrayBuffer()', "(await import('node:fs')).readFileSync(url)") +
        "(await import('node:fs')).writeFileSync('copied.glb', glb);\n");
    execFileSync(process.execPath, ['copied.mjs'], { cwd: folder });
    assert.ok(bytes.equals(await readFile(inFolder('copied.glb'))));
});

// ---- With other functions ---------------------------------------------------------------------------------------

test('attachments, layers and the camera stay while roles change', async () => {
    const before = await page.evaluate(async () => {
        const { stage, picture } = studio, { fetchBuiltIn } = await import('./files.js');
        stage.addAttachment('sword.glb', await fetchBuiltIn('sword.glb'), {}, 14);
        stage.setLayer(1, { clip: 4 });
        picture.moveCamera((orbit) => orbit.turn(0.3, 0));
        studio.history.note(); // as after a pause
        return structuredClone(picture.orbit.goal);
    });
    await page.evaluate(() => studio.stage.retarget.assign('target', 'neck', -1));
    await isIdle();
    const state = await page.evaluate(() => {
        const { stage, picture } = studio;
        return [stage.attachments.map(({ name, joint }) => [name, joint]), stage.layers[1].clip, picture.orbit.goal, stage.retarget.showsSource];
    });
    assert.deepEqual(state, [[['sword.glb', 14]], 4, before, true]);
    await undo();
    await isIdle();
    await page.evaluate(() => {
        studio.stage.removeAttachment(0);
        studio.stage.setLayer(1, { clip: -1 });
    });
});

test('a graph goes on with the new clips, and so does a crowd', async () => {
    const graph = JSON.stringify({ sinewGraph: 1, layers: [{ name: 'Base', states: { Go: { clip: 'Walk' } } }] });
    const state = () => page.evaluate(() => {
        const { isDriven, graph: { animator }, crowd, shownClip } = studio.stage;
        return [isDriven, animator.state(0), shownClip.name, crowd.count];
    });
    await page.evaluate(async (text) => {
        const { openGraph } = await import('./graph_open.js');
        await openGraph(studio.stage, 'go.graph.json', text);
        studio.stage.setCrowd(3);
        studio.stage.update(0);
        studio.history.note();
    }, graph);
    assert.deepEqual(await state(), [true, 'Base/Go', 'Walk', 3]);
    await page.evaluate(() => studio.stage.retarget.assign('target', 'neck', -1));
    await isIdle();
    assert.deepEqual(await state(), [true, 'Base/Go', 'Walk', 3]);
    await undo();
    await isIdle();
    await page.evaluate(() => {
        studio.stage.closeGraph();
        studio.stage.setCrowd(0);
    });
});

test('the source can be hidden, and stays hidden', async () => {
    const shows = panel.getByLabel('Show the source next to the character');
    await shows.uncheck();
    assert.equal(await page.evaluate(() => studio.stage.compare), null);
    await page.evaluate(() => studio.stage.retarget.setOptions({ feet: false }));
    await isIdle();
    assert.equal(await page.evaluate(() => studio.stage.compare), null);
    await shows.check();
    await until(page, () => studio.stage.compare !== null);
});

test('the clips are kept or discarded, and the worker ends', async () => {
    await button('Keep the clips').click();
    assert.deepEqual(await page.evaluate(() => [studio.stage.retarget, studio.stage.compare]), [null, null]);
    assert.equal((await clips()).length, 11);
    await workersEnd();
    await drop(['hero.glb']);
    await answer('Use its motion');
    await until(page, () => studio.stage.compare !== null);
    await isIdle();
    await panel.locator('button', { hasText: 'Discard' }).click();
    await until(page, () => studio.stage.retarget === null);
    assert.equal((await clips()).length, 11); // those that were kept
    await workersEnd();
});

test('another character ends it', async () => {
    await drop(['hero.glb']);
    await answer('Use its motion');
    await until(page, () => studio.stage.compare !== null);
    await page.getByRole('button', { name: 'Hero', exact: true }).click();
    await until(page, () => studio.stage.character.name === 'hero.glb');
    assert.deepEqual(await page.evaluate(() => [studio.stage.retarget, studio.stage.compare]), [null, null]);
    await workersEnd();
    await panel.waitFor({ state: 'hidden' });
});

// ---- Other files ------------------------------------------------------------------------------------------------

test('a .bvh file is motion without a question, and its skeleton is drawn', async () => {
    await drop(['walk.bvh']);
    await until(page, () => studio.stage.compare?.name === 'walk.bvh');
    await isIdle();
    const far = await page.evaluate(() => {
        const { stage, picture } = studio, { character, compare } = stage;
        stage.setPlaying(false);
        stage.showMoment(stage.clip, 0.5);
        stage.update(0);
        const view = picture.view();
        for (const overlay of picture.overlays) overlay.draw(view.camera, 0);
        const at = ({ asset, mixer, world }, name) => {
            const rows = mixer.modelMatrices, first = 12 * asset.findNode(name);
            return [0, 4, 8].map((row) => [3, 7, 11].reduce((sum, k, i) => sum + world[row + i] * rows[first + k], world[row + 3]));
        };
        const names = ['Hips', 'Head', 'Hand_L', 'Hand_R', 'Foot_L', 'Foot_R'];
        const [dx] = [at(compare, 'Hips')[0] - at(character, 'Hips')[0]];
        const distances = names.map((name) => {
            const [a, b] = [at(character, name), at(compare, name)];
            return Math.hypot(b[0] - a[0] - dx, b[1] - a[1], b[2] - a[2]);
        });
        return { most: Math.max(...distances), dx, isDrawn: !document.querySelector('canvas.over').hidden };
    });
    assert.ok(far.most < 0.01 && far.dx > 0.3 && far.isDrawn, JSON.stringify(far)); // metres: the file has centimetres
    assert.equal(await isTheCommands(), 'sinew retarget walk.bvh --onto hero.glb -o hero-walk.glb');
});

test('a file that is refused shows what is missing, and can be completed', async () => {
    await page.getByLabel('Motion to open').setInputFiles(inFolder('windmill.glb'));
    await panel.getByText('Source: 15 required roles have no node: hips, spine, head, left').waitFor();
    await panel.getByText('No motion yet. Choose the roles of windmill.glb.').waitFor();
    assert.ok(await button('Save .glb').isDisabled());
    assert.ok(await panel.locator('.joint').count() > 20);
    // The hero without names: the roles by shape are a guess that is not sure enough.
    const bytes = await readFile(modelPath('hero.glb')), length = bytes.readUInt32LE(12);
    let i = 0;
    const text = bytes.toString('latin1', 20, 20 + length).replace(/"name":"([A-Za-z_0-9]*)"/g, (all, name) => (
        `"name":"${`n${i++}`.padEnd(name.length, '_').slice(0, Math.max(name.length, 1))}"`));
    bytes.write(text, 20, 'latin1');
    await writeFile(inFolder('unnamed.glb'), bytes);
    await page.getByLabel('Motion to open').setInputFiles(inFolder('unnamed.glb'));
    await panel.getByText('Source: The guess isn’t certain enough').waitFor();
    await button('Use these roles').click();
    await until(page, () => studio.stage.compare?.name === 'unnamed.glb');
    assert.match(await isTheCommands(), /--source-map unnamed\.humanoid\.json/);
    await undo();
    await isIdle();
    await panel.getByText('Source: The guess isn’t certain enough').waitFor();
});

test('a damaged file gets a message, and all goes on', async () => {
    await writeFile(inFolder('broken.bvh'), 'HIERARCHY\nROOT Hips\n{\n  OFFSET 0 0\n');
    await writeFile(inFolder('noise.vrma'), Buffer.from(Array.from({ length: 5000 }, (_, k) => (k * 7919) % 251)));
    await writeFile(inFolder('cut.vrma'), (await readFile(modelPath('hero.glb'))).subarray(0, 300000));
    for (const [name, expected] of [['broken.bvh', /^broken\.bvh: .* The file is damaged, or isn’t a BVH file\. Export it again/],
        ['noise.vrma', /^noise\.vrma: .*This isn’t a glTF file/], ['cut.vrma', /^cut\.vrma: .*truncated.*Copy or download it again/]]) {
        await page.evaluate(() => document.getElementById('errors').replaceChildren());
        await drop([name]);
        await page.locator('.message.error').waitFor();
        assert.match(await page.locator('.message.error').innerText(), expected);
        assert.deepEqual(await page.evaluate(() => [studio.stage.character.name, studio.stage.retarget.motion.name]), ['hero.glb', 'unnamed.glb']);
    }
    assert.equal(page.workers().length, 1);
});

// ---- Reload, link, memory ---------------------------------------------------------------------------------------

test('a reload keeps it, and a link asks for the motion', async () => {
    await drop(['walk.bvh']);
    await until(page, () => studio.stage.compare?.name === 'walk.bvh');
    await page.evaluate(() => studio.stage.retarget.setOptions({ hands: true, rate: 60 }));
    await isIdle();
    await page.evaluate(() => studio.stage.showMoment(studio.stage.clip, 0.25));
    await page.getByRole('button', { name: 'Copy link' }).click();
    const link = await page.evaluate(() => globalThis.copied);
    await page.evaluate(() => { globalThis.old = true; });
    await page.reload();
    const isBack = () => !globalThis.old && globalThis.studio?.stage.compare?.name === 'walk.bvh' && !studio.stage.retarget.isBusy;
    await until(page, isBack);
    const state = (onto) => onto.evaluate(() => {
        const { stage } = studio, { hands, rate } = stage.retarget.options;
        return [stage.character.name, stage.shownClip.name, stage.time, stage.view.tab, hands, rate];
    });
    const expected = ['hero.glb', 'walk', 0.25, 'Retarget', true, 60];
    assert.deepEqual(await state(page), expected);

    const other = await openStudio({ hash: new URL(link).hash });
    await other.getByText('The link also has the motion in walk.bvh. Open it again.').waitFor();
    await drop(['walk.bvh'], other);
    await until(other, isBack);
    assert.deepEqual(await state(other), expected);
    await other.close();
});

test('memory is flat over motions that are opened and discarded', async () => {
    const measure = async () => page.evaluate(async () => {
        const { $module } = await import('./sinew/internal.js'), { memory } = studio.stage.sinew[$module];
        return [memory.buffer.byteLength, studio.picture.renderer.models.size];
    });
    const found = [];
    for (let i = 0; i < 24; i++) {
        await drop(['walk.bvh']);
        await until(page, () => studio.stage.compare?.name === 'walk.bvh' && !studio.stage.retarget.isBusy);
        await page.evaluate(() => studio.stage.stopRetarget({ keepsClips: false }));
        found.push(String(await measure()));
        await workersEnd();
    }
    assert.equal(new Set(found.slice(18)).size, 1, found.join(' ')); // once the heap has grown to what motions take
});

test('there is no error on the console', () => assert.deepEqual(faults, []));
