// SPDX-License-Identifier: MIT
// The sizes, imports and exports of the modules.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import {
    Animator, Batch, BlendSpace, FootLock, KINDS, Legs, Mask, Mixer, RootWarp, Scene, Sinew, loadSinew, modelPath, packagePath, readModel,
} from './common.mjs';

// Without npm's binaryen the build does not optimize the modules.
const isOptimized = existsSync(packagePath('../binaryen/fetched'));
const slack = isOptimized ? 1 : 1.06;

// In KiB, whole and compressed like servers send it. In each module, foot locking takes 28 KB, measuring speeds 12,
// and warps 9. In the modules with the importer, graphs take 59 KB (26 compressed) for reading, checking and playing
// them, 22 KB more for their rigs' steps, and baked assets take 15 KB. In the optimizing module, meshes take 22 KB
// (13 compressed). Missing keys of a grid take 9 KB in all modules except springs. Characters take 212 KB more than
// graphs: inverse kinematics 42, VRM avatars 46, rigs and characters 52, roles and reference poses 36, springs 29.
// Parts of clips and all clips together take 4.5 KB. In the retargeting module, reference poses, soles, faces and
// chains take 49 KB.
const LIMITS = { '': [431, 197], 'core-': [250, 116], 'character-': [649, 296] };
const RETARGET = ['retarget', [371, 174]], OPTIMIZE = ['optimize', [348, 162]], SOLVERS = ['solvers', [92, 43]];
const WITH_STREAMS = ['retarget', 'optimize'];
const MODULES = Object.keys(LIMITS).flatMap((prefix) => KINDS.map((kind) => [`${prefix}${kind}`, LIMITS[prefix]]));

for (const [kind, [largest, largestSent]] of [...MODULES, RETARGET, OPTIMIZE, SOLVERS]) {
    const code = await readFile(packagePath(`sinew-${kind}.wasm`));

    test(`${kind} is small`, () => {
        const sent = gzipSync(code, { level: 9 }).length;
        console.log(`sinew-${kind}.wasm: ${code.length} bytes, ${sent} compressed`);
        assert.ok(code.length <= 1024 * largest * slack, `${code.length} bytes`);
        assert.ok(sent <= 1024 * largestSent * slack, `${sent} bytes compressed`);
    });

    test(`${kind} has no imports but those of streams`, () => {
        const streams = WITH_STREAMS.includes(kind) ? ['fd_close', 'fd_seek', 'fd_write'] : [];
        assert.deepEqual(WebAssembly.Module.imports(new WebAssembly.Module(code)).map(({ name }) => name).sort(), streams);
    });
}

// Within 3 %: compilers differ, and small changes of the library need no change of the page.
test('docs/web.md has the sizes', async (context) => {
    if (!isOptimized) return context.skip('npm has not fetched binaryen');
    const page = await readFile(modelPath(join('..', 'docs', 'web.md')), 'utf8');
    for (const [kind] of [...MODULES, RETARGET, OPTIMIZE, SOLVERS]) {
        const code = await readFile(packagePath(`sinew-${kind}.wasm`)), sent = gzipSync(code, { level: 9 }).length;
        const [, whole, compressed] = page.match(`\\| \`sinew-${kind}.wasm\` \\| (\\d+) \\| (\\d+) \\|`);
        for (const [said, bytes] of [[whole, code.length], [compressed, sent]]) {
            const isNear = Math.abs(1000 * said - bytes) <= 0.03 * bytes;
            assert.ok(isNear, `sinew-${kind}.wasm: ${said} KB, not ${bytes} bytes`);
        }
    }
});

test('each module has the SIMD of its name', async () => {
    assert.equal((await loadSinew('simd')).simd, 'simd128');
    assert.equal((await loadSinew('plain')).simd, 'scalar');
});

// Runs `run` as in a browser without SIMD.
async function withoutSimd(run) {
    const { validate } = WebAssembly;
    WebAssembly.validate = () => false;
    try {
        return await run();
    } finally {
        WebAssembly.validate = validate;
    }
}

test('the inlined module is the one with SIMD', async () => {
    assert.equal((await Sinew.load()).simd, 'simd128');
    await withoutSimd(() => assert.rejects(async () => Sinew.load(), /no WebAssembly SIMD.*sinew-animation\/fetch/));
});

test('the SIMD module is fetched if the browser has SIMD', async () => {
    const { Sinew: FetchedSinew } = await import(pathToFileURL(packagePath('fetch.js')));
    assert.equal((await FetchedSinew.load()).simd, 'simd128'); // Node has it
    assert.equal((await withoutSimd(() => FetchedSinew.load())).simd, 'scalar');
});

test('all entry points have the same names', async () => {
    const names = async (file) => Object.keys(await import(pathToFileURL(packagePath(file)))).sort();
    for (const file of ['fetch.js', 'core.js', 'core-fetch.js']) assert.deepEqual(await names(file), await names('index.js'));
});

test('the version is the package\'s', async () => {
    const { version } = JSON.parse(await readFile(packagePath('package.json')));
    assert.equal((await loadSinew()).version, version);
});

// All but Object's.
function prototypesOf(object) {
    const prototype = Object.getPrototypeOf(object);
    return prototype === Object.prototype ? [] : [prototype, ...prototypesOf(prototype)];
}

test('the declarations have every public name', async () => {
    const declared = await readFile(packagePath('index.d.ts'), 'utf8');
    const sinew = await loadSinew();
    const asset = sinew.loadAsset(await readModel('hero.glb'));
    const mixer = new Mixer(asset);
    const mask = new Mask(asset), space = new BlendSpace(asset, { samples: [{ clip: 'Walk', x: 0 }] });
    const scene = new Scene();
    const instance = scene.addInstance(asset);
    const graph = sinew.loadGraph({ sinewGraph: 1, layers: [{ name: 'Base', states: { Walk: { clip: 'Walk' } } }] });
    const legs = new Legs(asset, { legs: [{ thigh: 'UpperLeg_L', shin: 'LowerLeg_L', foot: 'Foot_L' }] });
    const warp = new RootWarp(new Mixer(asset, { rootMotion: { node: 0 } }), 'Jump', { window: [0, 1] });
    for (const one of [sinew, asset, mixer, mixer.clipAction('Walk'), new Batch([mixer]), mixer.layers[1], mask, space,
        mixer.clipAction(space), mixer.save(), scene, scene.addNode(), instance, instance.joint('Hips'), legs, new FootLock(mixer, legs), warp, graph, new Animator(asset, graph), ...graph.states]) {
        for (const name of [...prototypesOf(one).flatMap(Object.getOwnPropertyNames), ...Object.keys(one)].filter((each) => !each.startsWith('_') && each !== 'constructor')) {
            assert.match(declared, new RegExp(`\\b${name}\\b`), `index.d.ts lacks ${name}`);
        }
    }
});
