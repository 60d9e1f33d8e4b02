// SPDX-License-Identifier: MIT
// Rigs and characters: node character.mjs PACKAGE MODELS ACTOR SCRATCH_FOLDER. The actor, tests/web/character.c, makes the same
// calls in C: hashes, matrices and written states are equal to the bit.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import test from 'node:test';
import { pathToFileURL } from 'node:url';
import { KINDS, command as actor, internal, modelPath, packagePath, readModel } from './common.mjs';

const { Animator, Batch, Character, Mixer, Rig, Sinew } = await import(pathToFileURL(packagePath('character.js')));
const { $module } = internal;
const scratch = join(resolve(process.argv[5]), 'character');
mkdirSync(scratch, { recursive: true });

const load = (kind) => Sinew.load({ wasm: readFileSync(packagePath(`sinew-character-${kind}.wasm`)) });
const sinew = await load('simd'), bytes = await readModel('hero.glb');
const hero = sinew.loadAsset(bytes), heroText = readFileSync(modelPath('hero.character.json'), 'utf8');
const heroRig = new Rig(hero, sinew.loadGraph(heroText));
const flat = (_place, { position }) => { position[1] = 0; };
const near = (number, expected, tolerance, what) => (
    assert.ok(Math.abs(number - expected) <= tolerance, `${what}: ${number}, not ${expected}`));

// ---- Against C ---------------------------------------------------------------------------------------------------

const f = Math.fround;

// `draw` of the actor.
function drawer(seed) {
    let state = BigInt(seed);
    return (low, high) => {
        state = BigInt.asUintN(64, state * 6364136223846793005n + 1442695040888963407n);
        return f(f(low) + f(f(f(high) - f(low)) * (Number((state >> 33n) % 64n) / 64)));
    };
}

function hashOf(array) {
    let hash = 2166136261;
    for (const byte of new Uint8Array(array.buffer, array.byteOffset, array.byteLength)) hash = Math.imul(hash ^ byte, 16777619);
    return (hash >>> 0).toString(16).padStart(8, '0');
}

const heightAt = (z) => f(f(0.15) * (z < 0 ? 0 : Math.trunc(f(z * 0.5))));
const stairs = (place, { position }) => { position[1] = heightAt(place[2]); };

// acted_frame of tests/golden/acted.h.
function actFrame(character, draw, frame) {
    const speed = draw(0, 3), target = [draw(-3, 3), draw(-3, 3), draw(-3, 3)], rail = [0.3, 1.2, draw(0.2, 0.5)];
    character.set('move', 0, speed);
    if (frame % 40 === 0) character.set('aware', draw(0, 1) < f(0.6));
    character.set('lookAt', target);
    character.set('rail', { position: rail, rotation: [draw(-1, 1), draw(-1, 1), draw(-1, 1), 0.5] });
    character.ride(frame % 300 > 200 ? { position: [f(f(0.01) * (frame % 300)), 0, 0] } : null);
    character.begin(draw(0.002, 0.04));
    const { position } = character.world();
    position[2] = f(position[2] + f(f(0.02) * speed));
    position[1] = heightAt(position[2]);
    character.setWorld({ position }).end();
}

// The lines of the actor, with the same calls.
function act(character, seed, frames) {
    const draw = drawer(seed), lines = [];
    for (let frame = 0; frame < frames; frame++) {
        actFrame(character, draw, frame);
        lines.push(`${character.hash.toString(16).padStart(16, '0')} ${hashOf(character.mixer.modelMatrices)}`);
    }
    return lines;
}

function acted(seed, frames, { read = '-', write = '-' } = {}) {
    const output = execFileSync(actor, [modelPath('hero.glb'), seed, frames, read, write], { encoding: 'utf8', maxBuffer: 1e8 });
    const [graph, ...lines] = output.trim().split('\n');
    return { graph, lines };
}

const { graph: actedText } = acted(1, 0);

// A character of the actor's graph, in a module of its own.
async function makeActor(kind) {
    const own = await load(kind);
    return new Character(new Rig(own.loadAsset(bytes), own.loadGraph(actedText)), { ground: stairs });
}

for (const kind of KINDS) {
    test(`${kind}: the same calls as in C give the same hashes and matrices`, async () => {
        const character = await makeActor(kind), { lines } = acted(5, 1200);
        act(character, 5, 1200).forEach((line, frame) => assert.equal(line, lines[frame], `frame ${frame}`));
        assert.equal(new Set(lines).size, 1200);
    });
}

test('a state that C has written is read, and the other way round', async () => {
    const path = join(scratch, 'of_c.state'), own = join(scratch, 'of_js.state');
    const writer = await makeActor('simd'), reader = await makeActor('plain');
    const last = acted(7, 300, { write: path }).lines.at(-1);
    act(writer, 7, 300);
    assert.deepEqual(writer.write(), new Uint8Array(readFileSync(path)));
    assert.deepEqual(reader.read(readFileSync(path)), []);
    assert.equal(reader.hash.toString(16).padStart(16, '0'), last.split(' ')[0]);
    assert.deepEqual(act(reader, 8, 300), acted(8, 300, { read: path }).lines);
    writeFileSync(own, reader.write());
    assert.deepEqual(act(writer, 9, 0), []);
    assert.deepEqual(act(reader, 9, 300), acted(9, 300, { read: own }).lines);
});
