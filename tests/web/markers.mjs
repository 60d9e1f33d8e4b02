// SPDX-License-Identifier: MIT
// Markers and curves that aren't in the glTF file, against those that the command reads from the sidecar file.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { pathToFileURL } from 'node:url';
import { Mixer, command, loadSinew, packagePath, readModel } from './common.mjs';

const sinew = await loadSinew(), bytes = await readModel('hero.glb');
const scratch = await mkdtemp(join(tmpdir(), 'sinew-markers-'));
after(() => rm(scratch, { recursive: true }));
const MARKERS = {
    Walk: {
        markers: [{ name: 'Breath', time: 0.25 }, { name: 'Foot_L', time: 0.0625 }],
        curves: { 'Speed': { times: [0, 0.5, 1], values: [1, 2, 1] }, 'Plant L': { times: [0, 0.25], values: [1, 0.5], interpolation: 'STEP' } },
    },
    Jump: [{ name: 'Vault', time: 0.25 }, { name: 'Vault.end', time: 0.75 }],
    Wave: { curves: { Speed: { times: [0, 2], values: [0, 1, 3, -3, 1, 0], interpolation: 'CUBICSPLINE' } } },
};
await writeFile(join(scratch, 'hero.glb'), bytes);
await writeFile(join(scratch, 'hero.markers.json'), JSON.stringify(MARKERS));
const ask = (...words) => JSON.parse(spawnSync(command, [...words, '--json'], { encoding: 'utf8', maxBuffer: 1 << 26 }).stdout);

// The markers and curves of an asset as in `sinew info --json`.
const describe = ({ clips, curves }) => ({
    clips: clips.map(({ name, duration, markers }) => ({ name, duration: Math.fround(duration),
        markers: markers.map((marker) => ({ name: marker.name, time: Math.fround(marker.time) })) })),
    curves: curves.map(({ name, rest }) => ({ name, rest })),
});

function curvesAt(asset, clip, time) {
    const mixer = new Mixer(asset), action = mixer.clipAction(clip).play();
    action.time = time;
    mixer.update(0);
    return [...mixer.curves];
}

// Catches markers or curves that are left out, of another clip, or sampled in another way.
test('they are those that the command reads from the sidecar file', async () => {
    const expected = describe(ask('info', join(scratch, 'hero.glb'))), without = describe(sinew.loadAsset(bytes));
    assert.notDeepEqual(expected, without);
    const text = JSON.stringify(MARKERS), encoded = new TextEncoder().encode(text), url = pathToFileURL(join(scratch, 'hero.glb'));
    const assets = [MARKERS, text, encoded, encoded.buffer].map((markers) => sinew.loadAsset(bytes, {}, { markers }));
    assets.push(await sinew.fetchAsset(url, { markers: true }), await sinew.fetchAsset(url, { markers: MARKERS }));
    for (const asset of assets) assert.deepEqual(describe(asset), expected);
    assert.deepEqual(describe(await sinew.fetchAsset(url)), without);
    for (const [clip, time] of [['Walk', 0.375], ['Walk', 0.125], ['Wave', 1.5], ['Jump', 0.5]]) {
        const { curves } = ask('pose', join(scratch, 'hero.glb'), '--clip', clip, '--time', String(time));
        assert.deepEqual(curvesAt(assets[0], clip, time), curves.map(({ value }) => Math.fround(value)), `${clip} at ${time}`);
    }
    for (const asset of assets) asset.dispose();
});

test('its markers are events, and name the window of a warp', async () => {
    const { RootWarp } = await import(pathToFileURL(packagePath('index.js')));
    const asset = sinew.loadAsset(bytes, {}, { markers: MARKERS }), mixer = new Mixer(asset, { rootMotion: { node: 0 } }), heard = [];
    mixer.addEventListener('marker', ({ marker }) => heard.push(marker.name));
    mixer.clipAction('Jump').play();
    for (let i = 0; i < 60; i++) mixer.update(1 / 60);
    assert.deepEqual(heard, ['Vault', 'TakeOff', 'Vault.end', 'Land']);
    const warp = new RootWarp(mixer, 'Jump', { window: 'Vault' });
    assert.deepEqual([warp.start, warp.end], [0.25, 0.75]);
    asset.dispose();
});

// Catches messages that name no place, and a file of the page that has the name that the package gives.
test('what is wrong is said with its line', async () => {
    const load = (markers, files = {}) => sinew.loadAsset(bytes, files, { markers });
    assert.throws(() => load('{\n"Walk": [\n{ "name": "a", "time": "b" }]}'), /^Error: markers: line 3: Walk/);
    assert.throws(() => load('{'), /^Error: markers: /);
    assert.throws(() => load(''), /^Error: markers: /);
    assert.throws(() => load({ Fly: [] }), /markers: .*Fly/);
    assert.throws(() => load(3), /^Error: markers: /);
    assert.throws(() => load({ Walk: { curves: { A: { times: [1, 1], values: [1, 2] } } } }), /Walk.curves.A.times: key 1 is at 1 s/);
    const asset = load(MARKERS, { markers: new Uint8Array(3), markers_: new Uint8Array(3) });
    assert.equal(asset.findClip('Jump').markers[0].name, 'Vault');
    asset.dispose();
    await assert.rejects(sinew.fetchAsset(pathToFileURL(join(scratch, 'none.glb')), { markers: true }));
    const baked = join(scratch, 'hero.sinew');
    spawnSync(command, ['bake-asset', join(scratch, 'hero.glb'), '-o', baked]);
    const content = await readFile(baked);
    assert.deepEqual(describe(sinew.loadAsset(content)), describe(ask('info', join(scratch, 'hero.glb')))); // the sidecar file's
    assert.throws(() => sinew.loadAsset(content, {}, { markers: MARKERS }), /a baked asset takes no markers/);
});
