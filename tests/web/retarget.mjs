// SPDX-License-Identifier: MIT
// Retargeting in JavaScript, against `sinew retarget` and `sinew humanoid`: the same bytes and the same JSON. Also
// maps, messages, damaged files, memory.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { pathToFileURL } from 'node:url';
import { Sinew, command, internal, modelPath, packagePath } from './common.mjs';
import { glbOf, parts } from './glb.mjs';

const { $instance } = internal;
const { Character, Retargeter } = await import(pathToFileURL(packagePath('retarget.js')));
const retargeter = await Retargeter.load();
const folder = await mkdtemp(join(tmpdir(), 'sinew-retarget-'));
after(() => rm(folder, { recursive: true }));

const HERO = modelPath('hero.glb'), GOLEM = modelPath('golem.glb'), OUT = join(folder, 'out.glb');
const hero = readFileSync(HERO), golem = readFileSync(GOLEM);
const open = (path, options) => retargeter.open(readFileSync(path), { name: path, ...options });
const run = (...words) => execFileSync(command, words, { encoding: 'utf8', maxBuffer: 1 << 28 });

// ---- Files ------------------------------------------------------------------------------------------------------

// The hero as a .vrma file: only VRM data tell the roles, since the nodes have other names.
function vrmaOf(humanoid) {
    const [json, bin] = parts(hero);
    const humanBones = Object.fromEntries(humanoid.roles.map(({ role, node }) => [role, { node }]));
    const nodes = json.nodes.map(({ mesh, skin, ...node }, i) => ({ ...node, name: `n${i}` }));
    const extensions = { VRMC_vrm_animation: { specVersion: '1.0', humanoid: { humanBones } } };
    const { asset, scene, scenes, animations, accessors, bufferViews, buffers } = json;
    return glbOf({ asset, scene, scenes, nodes, animations, accessors, bufferViews, buffers, extensions,
        extensionsUsed: ['VRMC_vrm_animation'] }, bin);
}

// The hero as a .gltf with its data in a sidecar file.
function writeSidecars() {
    const [json, bin] = parts(hero), buffers = [{ byteLength: bin.length, uri: 'hero data.bin' }];
    return Promise.all([writeFile(join(folder, 'hero.gltf'), JSON.stringify({ ...json, buffers })),
        writeFile(join(folder, 'hero data.bin'), bin)]);
}

const VRMA = join(folder, 'hero.vrma'), BVH = join(folder, 'walk.bvh'), GLTF = join(folder, 'hero.gltf');
const first = await open(HERO);
await writeFile(VRMA, vrmaOf(first.humanoid));
await writeSidecars();
run('bake', HERO, '--clip', 'Walk', '-o', BVH);

// ---- Against the command ----------------------------------------------------------------------------------------

const KNIGHT = process.env.SINEW_ASSETS ? join(process.env.SINEW_ASSETS, 'kaykit/Knight.glb') : '';
const FOX = process.env.SINEW_ASSETS ? join(process.env.SINEW_ASSETS, 'bevy/Fox.glb') : '';
const WOLF = process.env.SINEW_CORPUS ? join(process.env.SINEW_CORPUS, 'characters/Q_Wolf.glb') : '';
const PAIRS = [
    [HERO, GOLEM, {}, []],
    [VRMA, HERO, { clips: ['Run'], rate: 60, hands: true, only: true }, ['--clip', 'Run', '--rate', '60', '--hands', '--only']],
    [HERO, GOLEM, { clips: ['Walk', 2], feet: false, fixedLengths: true, scale: 0.5 },
        ['--clip', 'Walk', '--clip', '#2', '--no-feet', '--fixed-lengths', '--scale', '0.5']],
    [VRMA, HERO, { clips: ['Run'], sourcePose: { clip: 'Idle', time: 0.5 }, targetPose: { clip: 0 } },
        ['--clip', 'Run', '--source-pose', 'Idle@0.5', '--target-pose', '#0']],
    [BVH, GOLEM, {}, []],
    [VRMA, HERO, { clips: ['Jump'] }, ['--clip', 'Jump']],
    [GLTF, GOLEM, { clips: ['Hit'] }, ['--clip', 'Hit'], ['hero data.bin']],
    [BVH, GLTF, {}, [], [], ['hero data.bin']],
    [KNIGHT, HERO, {}, []],
    [HERO, KNIGHT, { clips: ['Walk', 'Jump'] }, ['--clip', 'Walk', '--clip', 'Jump']],
    [FOX, WOLF, { clips: ['Walk'] }, ['--clip', 'Walk']], // without roles
];

const readSidecars = (names = []) => Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name))]));

for (const [from, onto, options, words, fromFiles, ontoFiles] of PAIRS) {
    const name = `${from.split('/').at(-1)} onto ${onto.split('/').at(-1)} ${words.join(' ')}`;
    const skip = existsSync(from) && existsSync(onto) ? false : 'SINEW_ASSETS or SINEW_CORPUS is not set';
    test(`the file and the report equal the command's: ${name}`, { skip }, async () => {
        const source = await open(from, { sidecars: readSidecars(fromFiles) });
        const target = await open(onto, { sidecars: readSidecars(ontoFiles) });
        const { glb, report, clips } = retargeter.retarget(source, target, options);
        assert.deepEqual(report, JSON.parse(run('retarget', from, '--onto', onto, ...words, '-o', OUT, '--json')));
        assert.ok(readFileSync(OUT).equals(glb));
        assert.deepEqual(clips, report.clips.map((clip) => clip.name));
        assert.ok(clips.length > 0 && report.pairs.length > 10);
        source.dispose();
        target.dispose();
    });
}

test('the roles equal the command\'s', async () => {
    for (const path of [HERO, GOLEM, BVH, VRMA, modelPath('windmill.glb')]) {
        const character = await open(path);
        const { stdout, stderr } = spawnSync(command, ['humanoid', path, '--json'], { encoding: 'utf8' });
        assert.deepEqual(character.humanoid, JSON.parse(stdout), path);
        const refusal = stderr.split('\n').find((line) => line.startsWith('sinew: ')); // beside notes on a .bvh file
        assert.equal(character.refusal, refusal ? refusal.slice(`sinew: ${path}: `.length) : null);
        assert.deepEqual(character.map, JSON.parse(spawnSync(command, ['humanoid', path, '--map', '-'], { encoding: 'utf8' }).stdout), path);
        character.dispose();
    }
});

// v rotated by a unit quaternion: v + 2 q × (q × v + w v).
function rotate([x, y, z, w], v) {
    const cross = ([a, b, c]) => [y * c - z * b, z * a - x * c, x * b - y * a];
    const twice = cross(cross(v).map((number, i) => number + w * v[i]));
    return v.map((number, i) => number + 2 * twice[i]);
}

const multiply = ([x, y, z, w], [a, b, c, d]) => [w * a + x * d + y * c - z * b, w * b - x * c + y * d + z * a,
    w * c + x * b - y * a + z * d, w * d - x * a - y * b - z * c];

test('the nodes are those of the file, with their positions in the rest pose', () => {
    const [{ nodes, animations, scenes }] = parts(hero), turns = [];
    const visit = (node, parent, turn, origin) => {
        const { translation = [0, 0, 0], rotation = [0, 0, 0, 1], scale, children = [], name } = nodes[node];
        const head = rotate(turn, translation).map((number, i) => number + origin[i]), got = first.nodes[node];
        assert.ok(!scale);
        assert.deepEqual([got.name, got.parent], [name, parent]);
        head.forEach((number, i) => assert.ok(Math.abs(number - got.head[i]) < 1e-6, `${name}: ${head}, ${got.head}`));
        turns.push(rotation[3]);
        for (const child of children) visit(child, node, multiply(turn, rotation), head);
    };
    for (const root of scenes[0].nodes) visit(root, -1, [0, 0, 0, 1], [0, 0, 0]);
    assert.ok(turns.length === nodes.length && turns.some((w) => w < 0.999));
    assert.deepEqual(first.clips.map(({ name }) => name), animations.map(({ name }) => name));
});

// ---- Maps -------------------------------------------------------------------------------------------------------

test('an edited map is that of the command', async () => {
    const source = await open(HERO), target = await open(GOLEM), { map } = source;
    map.roles.leftHand = null;
    source.setMap(map);
    const path = join(folder, 'edited.json');
    await writeFile(path, JSON.stringify(map));
    const words = ['retarget', HERO, '--onto', GOLEM, '--source-map', path, '--clip', 'Wave', '-o', OUT, '--json'];
    const { glb, report } = retargeter.retarget(source, target, { clips: ['Wave'] });
    assert.deepEqual(report, JSON.parse(run(...words)));
    assert.ok(readFileSync(OUT).equals(glb));
    assert.equal(report.sourceRoles, 'map');
    assert.ok(!report.pairs.some(({ role }) => role === 'leftHand'));
    assert.equal(source.humanoid.accepted, false); // a required role is missing, but it can be used
    assert.equal(source.refusal, null);
    const given = await open(HERO, { map: JSON.stringify(map) });
    assert.deepEqual(given.humanoid, source.humanoid);
});

test('chains of maps pair characters without roles, like the command\'s', async () => {
    const source = await open(HERO), target = await open(GOLEM), paths = [join(folder, 'source.json'), join(folder, 'target.json')];
    const nameOf = ({ humanoid }, role) => humanoid.roles.find((found) => found.role === role).name;
    const maps = [source, target].map((character) => (
        { sinewHumanoid: 1, chains: { arm: ['leftUpperArm', 'leftLowerArm'].map((role) => nameOf(character, role)) } }));
    await Promise.all(maps.map((map, i) => writeFile(paths[i], JSON.stringify(map))));
    source.setMap(maps[0]);
    assert.equal(source.refusal, null);
    assert.deepEqual(source.map.chains, maps[0].chains);
    target.setMap({ ...maps[1], chains: { arm: maps[1].chains.arm.join('..') } });
    const { glb, report } = retargeter.retarget(source, target, { clips: ['Wave'] });
    const words = ['--source-map', paths[0], '--target-map', paths[1], '--clip', 'Wave', '-o', OUT, '--json'];
    assert.deepEqual(report, JSON.parse(run('retarget', HERO, '--onto', GOLEM, ...words)));
    assert.ok(readFileSync(OUT).equals(glb));
    assert.equal(report.sourceRoles, null);
    assert.ok(report.pairs.length >= 2 && report.pairs.length < 10);
});

test('what is not a map of the nodes is refused, and changes nothing', async () => {
    const character = await open(HERO), { map, humanoid } = character;
    const refused = [[{ ...map, roles: { hips: 'Nobody' } }, /hero\.glb: \d+:\d+: .*Nobody/], ['{"sinewHumanoid": 2}', /1:\d+: /],
        ['nonsense', /1:1: /], ['', /1:1: /], [undefined, /1:1: /], [{ ...map, roles: { hips: 'Hips', spine: 'Hips' } }, /this node is already hips/]];
    for (const [bad, message] of refused) {
        assert.throws(() => character.setMap(bad), message);
        if (bad !== undefined) await assert.rejects(open(HERO, { map: bad }), message);
    }
    assert.deepEqual(character.humanoid, humanoid);
    assert.deepEqual(character.map, map);
});

test('a character whose roles are refused can be completed by a map', async () => {
    const [json, bin] = parts(hero), nodes = json.nodes.map((node, i) => ({ ...node, name: `n${i}` }));
    const unnamed = await retargeter.open(glbOf({ ...json, nodes }, bin), { name: 'unnamed.glb' });
    const target = await open(GOLEM);
    assert.match(unnamed.refusal, /\S.{10}/);
    assert.throws(() => retargeter.retarget(unnamed, target), /unnamed\.glb: .*setMap/);
    const roles = Object.fromEntries(first.humanoid.roles.map(({ role, node }) => [role, `#${node}`]));
    unnamed.setMap({ sinewHumanoid: 1, roles });
    assert.equal(unnamed.refusal, null);
    assert.equal(retargeter.retarget(unnamed, target, { clips: [0] }).clips.length, 1);
});

// ---- Messages ---------------------------------------------------------------------------------------------------

test('invalid arguments get a message', async () => {
    const source = await open(HERO), target = await open(GOLEM);
    const refused = [[{ clips: ['Swim'] }, /hero\.glb has no clip 'Swim': its clips are 'Idle'/], [{ clips: [99] }, /no clip '99'/],
        [{ clips: 'Walk' }, /array/], [{ rate: 0 }, /rate must be from 1 to 1000, not 0/], [{ rate: '30' }, /rate must be a finite number/],
        [{ scale: -1 }, /scale/], [{ scale: NaN }, /scale/], [{ sourcePose: { clip: 'Swim' } }, /no clip 'Swim'/],
        [{ sourcePose: { clip: 0, time: -1 } }, /sourcePose\.time must be 0 or more/], [{ targetPose: {} }, /golem\.glb has no clip 'undefined': its clips are none/]];
    for (const [options, message] of refused) assert.throws(() => retargeter.retarget(source, target, options), message);
    assert.throws(() => retargeter.retarget(source, {}), /target must be a Character/);
    await assert.rejects(retargeter.open('hero.glb'), TypeError);
    await assert.rejects(retargeter.open(hero, { name: 'a\0b' }), /name/);
    await assert.rejects(retargeter.open(hero, { sidecars: { 'a.bin': 'text' } }), /a\.bin/);
    target.dispose();
    target.dispose();
    assert.throws(() => retargeter.retarget(source, target), /target is disposed/);
    assert.throws(() => target.map, /disposed/);
});

test('a .bvh file is no target', async () => {
    const source = await open(HERO), target = await open(BVH);
    assert.throws(() => retargeter.retarget(source, target, { clips: [0] }), (error) => error.constructor === Error && /walk\.bvh/.test(error.message));
});

test('a missing sidecar file and a missing decoder are named', async () => {
    await assert.rejects(open(GLTF), /hero\.gltf: .*hero data\.bin/);
    const compressed = modelPath('conformance/meshopt-attributes.glb');
    if (existsSync(compressed)) await assert.rejects(open(compressed), /MeshoptDecoder as `decoder`/);
});

test('the format follows from the content if there is no name', async () => {
    assert.deepEqual((await retargeter.open(readFileSync(BVH))).clips.map(({ name }) => name), ['motion']);
    assert.equal((await retargeter.open(hero)).name, 'character.glb');
});

// ---- Hostile files ----------------------------------------------------------------------------------------------

test('every file of the conformance set that is invalid is refused with its location', async () => {
    const refused = JSON.parse(readFileSync(modelPath('conformance/index.json'))).filter((entry) => entry.refused);
    assert.ok(refused.length > 50);
    for (const { file, refused: { location } } of refused) {
        await assert.rejects(open(modelPath(`conformance/${file}`)), ({ constructor, message }) => constructor === Error
            && message.includes(location) && !/^the module/.test(message), file);
    }
});

let seed = 1;
function random(below) {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return Math.floor(seed / 2 ** 32 * below);
}

function damaged(bytes, limit) {
    const copy = Uint8Array.from(bytes);
    for (let k = random(4); k >= 0; k--) copy[random(k % 2 === 0 ? copy.length : limit)] = random(256);
    return random(4) === 0 ? copy.subarray(0, random(copy.length)) : copy;
}

test('damaged files get a message, never a trap', async () => {
    const target = await open(GOLEM), source = await open(HERO);
    const before = retargeter.retarget(source, target, { clips: ['Hit'] }).glb;
    let refused = 0, good = 0;
    for (const [path, limit] of [[HERO, 20000], [VRMA, 20000], [BVH, 4000]]) {
        const bytes = readFileSync(path);
        for (let i = 0; i < 40; i++) {
            try {
                const character = await retargeter.open(damaged(bytes, limit), { name: path });
                try {
                    retargeter.retarget(character, target, { clips: [0] });
                    if (path !== BVH) retargeter.retarget(source, character, { clips: ['Hit'] });
                    good++;
                } finally {
                    character.dispose();
                }
            } catch (error) {
                assert.equal(error.constructor, Error, `${error}`);
                assert.doesNotMatch(error.message, /module/); // no trap
                assert.match(error.message, /\S.{10}/);
                refused++;
            }
        }
    }
    console.log(`${refused} of 120 refused, ${good} retargeted`);
    assert.ok(refused > 20 && good > 5);
    assert.deepEqual(retargeter.retarget(source, target, { clips: ['Hit'] }).glb, before);
});

test('after a trap the module is replaced, and earlier characters say so', async () => {
    const own = await Retargeter.load(), early = await own.open(hero), target = await own.open(golem);
    const nowhere = () => own[$instance].call('web_character_describe', 0xfffffff0);
    assert.throws(nowhere, ({ constructor, cause, message }) => constructor === Error && cause instanceof WebAssembly.RuntimeError
        && /^the module failed: /.test(message));
    assert.throws(() => own.retarget(early, target), /open this file again/);
    early.dispose();
    const again = await own.open(hero);
    assert.throws(() => own.retarget(again, target), /same Retargeter/);
    assert.ok(own.retarget(again, await own.open(golem), { clips: ['Walk'] }).glb.length > 1000);
});

// ---- Memory -----------------------------------------------------------------------------------------------------

test('opening, retargeting and failing again and again take no more memory', async () => {
    const own = await Retargeter.load(), size = () => own[$instance].memory.buffer.byteLength;
    const once = async () => {
        const source = await own.open(hero), target = await own.open(golem, { name: 'golem.glb' });
        source.setMap(source.map);
        own.retarget(source, target);
        assert.throws(() => source.setMap('{'));
        assert.throws(() => own.retarget(source, target, { clips: ['Swim'] }));
        source.dispose();
        target.dispose();
        await assert.rejects(own.open(hero.subarray(0, 1000)));
        await assert.rejects(own.open(hero, { map: 'nonsense' }));
    };
    for (let i = 0; i < 5; i++) await once();
    const before = size();
    for (let i = 0; i < 60; i++) await once();
    assert.equal(size(), before);
});

test('the bytes are copied, and the result stays', async () => {
    const bytes = Uint8Array.from(golem), target = await retargeter.open(bytes), source = await open(HERO);
    bytes.fill(0);
    const { glb } = retargeter.retarget(source, target, { clips: ['Walk'] }), copy = glb.slice();
    target.dispose();
    for (let i = 0; i < 3; i++) retargeter.retarget(source, await open(GOLEM));
    assert.deepEqual(glb, copy);
    const sinew = await Sinew.load();
    assert.ok(sinew.loadAsset(glb).findClip('Walk'));
});

// ---- The package ------------------------------------------------------------------------------------------------

test('fetch reads a file with its buffers', async () => {
    const fetched = await retargeter.fetch(pathToFileURL(GLTF), { map: first.map });
    assert.deepEqual([fetched.name, fetched.humanoid.source], ['hero.gltf', 'map']);
    assert.deepEqual(fetched.clips, first.clips);
    await assert.rejects(retargeter.fetch(pathToFileURL(join(folder, 'missing.glb'))), /missing/);
});

test('the example of docs/howto/retarget.md', async () => {
    const [, rest] = readFileSync(modelPath('../docs/howto/retarget.md'), 'utf8').split('```js\n');
    await mkdir(join(folder, 'node_modules'));
    await symlink(packagePath('.'), join(folder, 'node_modules/sinew-animation'));
    await writeFile(join(folder, 'example.mjs'), rest.split('```')[0]);
    for (const path of [HERO, GOLEM]) await cp(path, join(folder, path.split('/').at(-1)));
    const said = execFileSync(process.execPath, [join(folder, 'example.mjs')], { encoding: 'utf8' });
    run('retarget', HERO, '--onto', GOLEM, '--clip', 'Walk', '--clip', 'Run', '-o', OUT);
    assert.match(said, new RegExp(`^Walk, Run: \\d+ pairs, ${readFileSync(OUT).length} bytes`));
});

test('the declarations have every public name', () => {
    const declared = readFileSync(packagePath('retarget.d.ts'), 'utf8');
    const result = retargeter.retarget(first, first, { clips: [0] });
    const names = [Character, Retargeter].flatMap(({ prototype }) => Object.getOwnPropertyNames(prototype));
    const keys = [first, first.nodes[0], first.humanoid, first.humanoid.roles[0], result, result.report].flatMap(Object.keys);
    for (const name of [...names, ...keys].filter((each) => !each.startsWith('_'))) {
        assert.match(declared, new RegExp(`\\b${name}\\b`), `retarget.d.ts lacks ${name}`);
    }
});
