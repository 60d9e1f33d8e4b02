// SPDX-License-Identifier: MIT
// Root motion warping: bit for bit against the same calls in C (warp.c), and against arithmetic.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import test from 'node:test';
import { garbage } from './allocations.mjs';
import {
    KINDS, Mixer, RootWarp, command as program, internal, loadSinew, modelPath, packagePath, readModel,
} from './common.mjs';

const { $module } = internal;
const sinew = await loadSinew();
const bytes = await readModel('hero.glb');
const near = (values, expected, within = 1e-5) => (
    expected.forEach((value, i) => assert.ok(Math.abs(values[i] - value) <= within, `${values[i]}, not ${value}`)));

function makeMixer(asset) {
    return new Mixer(asset, { rootMotion: { node: asset.findNode('Hips'), translation: 'xyz' } });
}

// ---- Against C --------------------------------------------------------------------------------------------------

// The numbers of warp.c.
function makeDraw() {
    let state = 1;
    const draw = (count) => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        return (state >>> 8) % count;
    };
    const between = (from, to) => from + draw((to - from) * 256) / 256;
    const transform = () => {
        const position = [between(-2, 2), between(-1, 1), between(-2, 2)];
        const [y, w] = [[0, 1], [0.6, 0.8], [-0.8, 0.6], [0.28, 0.96]][draw(4)];
        return { position, facing: [0, y, 0, w] };
    };
    return { draw, between, transform };
}

function hashOf(results) {
    let hash = 2166136261;
    for (const byte of new Uint8Array(Float32Array.from(results.flatMap((each) => [...each])).buffer)) {
        hash = Math.imul(hash ^ byte, 16777619) >>> 0;
    }
    return hash.toString(16).padStart(8, '0');
}

function resultsOf(warp, { between }) {
    const results = [[warp.missedDistance, warp.missedTurn]];
    for (let i = 0; i < 8; i++) {
        const from = between(-1, 3), to = between(-1, 3), { position, facing } = warp.at(from);
        const { translation, rotation, yaw } = warp.rootDelta(from, to);
        results.push(position, facing, translation, rotation, [yaw]);
    }
    return results;
}

function warpOnce(mixer, clip, numbers) {
    const { draw, between, transform } = numbers;
    const start = between(0, 1) / 2, end = 0.5 + between(0, 1) / 8;
    const limits = { maxSpeed: 1 + between(0, 2), addedSpeed: between(0, 6), maxTurnRate: between(0, 7) };
    const warp = new RootWarp(mixer, clip, { window: [start, end], ...limits }), from = transform(), goal = transform();
    warp.begin(from, goal, between(0, 1) / 2);
    const first = resultsOf(warp, numbers), late = between(0, 1), next = transform(), now = transform();
    warp.retarget(late, next, draw(2) ? now : null);
    const hash = hashOf([...first, ...resultsOf(warp, numbers)]);
    warp.dispose();
    return hash;
}

// Catches a struct with a wrong layout, arguments in another order, and results that differ from C's.
for (const kind of KINDS) {
    test(`${kind} has the bits of C`, async () => {
        const count = 400, { stdout } = spawnSync(program, [modelPath('hero.glb'), String(count)], { encoding: 'utf8' });
        const expected = stdout.trim().split('\n');
        const module = await loadSinew(kind);
        const mixer = makeMixer(module.loadAsset(bytes)), numbers = makeDraw();
        const found = Array.from({ length: count }, (_, i) => warpOnce(mixer, i % 2 ? 'Jump' : 'Run', numbers));
        assert.equal(expected.length, count);
        assert.equal(new Set(expected).size, count);
        assert.deepEqual(found, expected);
    });
}

// ---- By arithmetic ----------------------------------------------------------------------------------------------

const asset = sinew.loadAsset(bytes);
const GOAL = { position: [0.3, 0.5, 1.7], facing: [0, 0.6, 0, 0.8] };

function makeJump(more = {}) {
    const { markers: [takeOff, land] } = asset.findClip('Jump');
    const warp = new RootWarp(makeMixer(asset), 'Jump', { window: [takeOff.time, land.time], addedSpeed: 5, ...more });
    return warp.begin({ position: [0, 0, 0] }, GOAL);
}

test('the goal is reached in any steps, and the window is that of the markers', () => {
    const warp = makeJump(), { duration, markers: [takeOff, land] } = warp.clip;
    near([warp.start, warp.end], [takeOff.time, land.time], 1e-6);
    assert.equal(warp.missedDistance, 0);
    near(warp.at(warp.end).position, GOAL.position, 1e-4);
    near(warp.at(warp.end).facing, GOAL.facing, 1e-4);
    for (const steps of [1, 7, 240]) {
        const at = { position: [0, 0, 0], angle: 0 };
        for (let i = 0; i < steps; i++) {
            const { translation: [x, y, z], yaw } = warp.rootDelta(warp.end * i / steps, warp.end * (i + 1) / steps);
            const sine = Math.sin(at.angle), cosine = Math.cos(at.angle);
            at.position = [at.position[0] + cosine * x + sine * z, at.position[1] + y, at.position[2] + cosine * z - sine * x];
            at.angle += yaw;
        }
        near(at.position, GOAL.position, 1e-3);
        near([at.angle], [2 * Math.atan2(0.6, 0.8)], 1e-3);
    }
    assert.ok(duration > warp.end);
});

test('limits let it miss the goal by the stated distance', () => {
    const warp = makeJump({ addedSpeed: 0, maxTurnRate: 1 }), { position } = warp.at(warp.end);
    const missed = Math.hypot(...GOAL.position.map((value, i) => value - position[i]));
    near([warp.missedDistance, warp.missedTurn], [missed, 2 * Math.atan2(0.6, 0.8) - 0.8 * (warp.end - warp.start)], 1e-4);
    assert.ok(missed > 1);
});

test('a saved warp is restored', () => {
    const warp = makeJump(), saved = warp.save(), before = warp.at(0.7);
    warp.retarget(0.6, { position: [0.5, 0.5, 1] });
    near(warp.at(warp.end).position, [0.5, 0.5, 1], 1e-4);
    assert.notDeepEqual(warp.at(0.7), before);
    assert.equal(warp.save(new Float32Array(150)).length, saved.length);
    assert.deepEqual(warp.restore(saved).at(0.7), before);
});

// A file with a clip that has a window's markers.
function vault() {
    const text = JSON.parse(new TextDecoder().decode(bytes.subarray(20, 20 + bytes.readUInt32LE(12))));
    text.animations.find(({ name }) => name === 'Jump').extras.markers = [
        { name: 'Vault', time: 0.25 }, { name: 'Other', time: 0.5 }, { name: 'Vault.end', time: 0.75 }];
    const json = Buffer.from(JSON.stringify(text)), chunk = Buffer.alloc(8 + Math.ceil(json.length / 4) * 4, ' ');
    chunk.writeUInt32LE(chunk.length - 8, 0);
    chunk.write('JSON', 4, 'latin1');
    json.copy(chunk, 8);
    const rest = bytes.subarray(20 + bytes.readUInt32LE(12)), file = Buffer.concat([bytes.subarray(0, 12), chunk, rest]);
    file.writeUInt32LE(file.length, 8);
    return sinew.loadAsset(file);
}

test('markers name a window', () => {
    const file = vault(), warp = new RootWarp(makeMixer(file), 'Jump', { window: 'Vault' });
    assert.deepEqual([warp.start, warp.end], [0.25, 0.75]);
    assert.throws(() => new RootWarp(makeMixer(file), 'Jump', { window: 'Other' }),
        /'Jump' has no markers 'Other' and later 'Other.end': its markers are 'Vault', 'Other', 'Vault.end'/);
    file.dispose();
    assert.ok(warp.disposed);
});

// ---- Messages and lifetime ---------------------------------------------------------------------------------------

test('what cannot be warped is refused', () => {
    const mixer = makeMixer(asset), window = [0.25, 0.75], here = { position: [0, 0, 0] };
    const make = (options, clip = 'Jump') => new RootWarp(mixer, clip, options);
    assert.throws(() => new RootWarp(asset, 'Jump', { window }), /mixer must be a Mixer/);
    assert.throws(() => new RootWarp(new Mixer(asset), 'Jump', { window }), /has no root motion: pass it the option rootMotion/);
    assert.throws(() => make({ window }, 'Fly'), /no clip 'Fly'/);
    assert.throws(() => make({}), /window must be/);
    assert.throws(() => make({ window: [0.25] }), /window must be/);
    assert.throws(() => make({ window: [0.25, NaN] }), /window must be a finite number, not NaN/);
    assert.throws(() => make({ window, speed: 1 }), /no option 'speed': the options are window, maxSpeed, addedSpeed, maxTurnRate/);
    assert.throws(() => make({ window, maxSpeed: '2' }), /maxSpeed must be a finite number/);
    for (const [options, message, clip] of [[{ window: [0.5, 0.5] }, /must be within the clip/], [{ window: [0, 9] }, /must be within the clip/],
        [{ window, maxSpeed: 0.5 }, /max_speed must be 1 or more/], [{ window, addedSpeed: -1 }, /added_speed/],
        [{ window }, /additive/, asset.makeAdditive('Jump')]]) {
        assert.throws(() => make(options, clip).begin(here, here), message);
    }
    const warp = make({ window });
    assert.throws(() => warp.begin(here, here, 0.75), /must be before the window's end/);
    for (const wrong of [undefined, null, {}, { position: [0, 0] }, { position: [0, 0, Infinity] }, { position: [0, 0, 0], facing: [0, 0, 0] }]) {
        assert.throws(() => warp.begin(here, wrong), /must be/, JSON.stringify(wrong));
        assert.throws(() => warp.retarget(0.5, wrong), /must be/, JSON.stringify(wrong));
    }
    assert.throws(() => warp.at('0'), /a time must be/);
    assert.throws(() => warp.rootDelta(0), /a time must be/);
    assert.throws(() => warp.restore([]), /an array from save/);
    for (const time of [NaN, -Infinity]) assert.throws(() => warp.restore(new Float32Array(150).fill(time)), /the time of the warp/);
    near(warp.rootDelta(0, 1).translation, [0, 0, 0], 0); // not begun
});

test('it outlives its mixer and ends with its asset', () => {
    const file = sinew.loadAsset(bytes), mixer = makeMixer(file);
    const warp = new RootWarp(mixer, 'Jump', { window: [0.25, 0.75], addedSpeed: 9 });
    mixer.dispose();
    near(warp.begin({ position: [0, 0, 0] }, GOAL).at(0.75).position, GOAL.position, 1e-4);
    const other = new RootWarp(makeMixer(file), 'Run', { window: [0.25, 0.5] });
    other.dispose();
    other.dispose(); // twice is nothing
    assert.throws(() => other.at(0), /this RootWarp is disposed/);
    assert.throws(() => other.missedTurn, /this RootWarp is disposed/);
    file.dispose();
    for (const use of [() => warp.begin(GOAL, GOAL), () => warp.retarget(0, GOAL), () => warp.at(0), () => warp.rootDelta(0, 1),
        () => warp.save(), () => warp.restore(new Float32Array(150)), () => warp.end]) assert.throws(use, /is disposed/);
});

test('a warp in each frame makes no garbage and takes no memory', () => {
    const warp = makeJump(), goal = { position: [0, 0, 1], facing: new Float32Array([0, 0, 0, 1]) };
    const delta = warp.rootDelta(0, 0), transform = warp.at(0), saved = warp.save(), { buffer } = sinew[$module].memory;
    assert.deepEqual(garbage((frame) => {
        goal.position[0] = frame % 7;
        warp.restore(saved).retarget(0.5, goal, frame % 2 ? transform : null);
        warp.rootDelta(0.5, 0.6, delta);
        warp.at(0.6, transform);
        warp.save(saved);
    }), []);
    assert.equal(sinew[$module].memory.buffer, buffer);
});

// ---- The page ----------------------------------------------------------------------------------------------------

// Catches an example that does not run, or that misses its goal.
test('the example of README.md ends at its goal', async () => {
    const page = await readFile(packagePath('README.md'), 'utf8');
    const [, code] = page.match(/## Root motion to a goal\n[\s\S]*?```js\n([\s\S]*?)```/);
    const body = code.replace(/import .*\n/g, '');
    const run = new Function('RootWarp', 'Mixer', 'hero', `${body}\nreturn character;`);
    near(run(RootWarp, Mixer, asset).position, [0.3, 0.5, 1.7], 1e-3);
});
