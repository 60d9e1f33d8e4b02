// SPDX-License-Identifier: MIT
// The sizes, imports and exports of the modules.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { gzipSync } from 'node:zlib';
import {
    Batch, BlendSpace, KINDS, Mask, Mixer, Scene, Sinew, loadSinew, modelPath, packagePath, readModel,
} from './common.mjs';

const LARGEST = 232 * 1024;
const LARGEST_SENT = 102 * 1024; // as servers send it

for (const kind of KINDS) {
    const code = await readFile(packagePath(`sinew-${kind}.wasm`));

    test(`${kind} is small`, () => {
        const sent = gzipSync(code, { level: 9 }).length;
        console.log(`sinew-${kind}.wasm: ${code.length} bytes, ${sent} compressed`);
        assert.ok(code.length <= LARGEST, `${code.length} bytes`);
        assert.ok(sent <= LARGEST_SENT, `${sent} bytes compressed`);
    });

    test(`${kind} has no imports`, () => {
        assert.deepEqual(WebAssembly.Module.imports(new WebAssembly.Module(code)), []);
    });
}

// Within 3 %: compilers differ, and small changes of the library need no change of the page.
test('docs/web.md and README.md have the sizes', async () => {
    const read = (...path) => readFile(modelPath(join('..', ...path)), 'utf8');
    const page = await read('docs', 'web.md'), readme = await read('README.md');
    const [, about] = readme.match(/modules are larger than they should be, about (\d+) KB/);
    for (const kind of KINDS) {
        const code = await readFile(packagePath(`sinew-${kind}.wasm`)), sent = gzipSync(code, { level: 9 }).length;
        const [, whole, compressed] = page.match(`\\| \`sinew-${kind}.wasm\` \\| (\\d+) \\| (\\d+) \\|`);
        for (const [said, bytes] of [[whole, code.length], [compressed, sent], [about, code.length]]) {
            const isNear = Math.abs(1000 * said - bytes) <= 0.03 * bytes;
            assert.ok(isNear, `sinew-${kind}.wasm: ${said} KB, not ${bytes} bytes`);
        }
    }
});

test('each module has the SIMD of its name', async () => {
    assert.equal((await loadSinew('simd')).simd, 'simd128');
    assert.equal((await loadSinew('plain')).simd, 'scalar');
});

test('the SIMD module is chosen if the browser has SIMD', async () => {
    assert.equal((await Sinew.load()).simd, 'simd128'); // Node has them
    const validate = WebAssembly.validate;
    WebAssembly.validate = () => false;
    try {
        assert.equal((await Sinew.load()).simd, 'scalar');
    } finally {
        WebAssembly.validate = validate;
    }
});

test('the version is the package\'s', async () => {
    const { version } = JSON.parse(await readFile(packagePath('package.json')));
    assert.equal((await loadSinew()).version, version);
});

test('the declarations have every public name', async () => {
    const declared = await readFile(packagePath('index.d.ts'), 'utf8');
    const sinew = await loadSinew();
    const asset = sinew.loadAsset(await readModel('hero.glb'));
    const mixer = new Mixer(asset);
    const mask = new Mask(asset), space = new BlendSpace(asset, { samples: [{ clip: 'Walk', x: 0 }] });
    const scene = new Scene();
    const instance = scene.addInstance(asset);
    for (const one of [sinew, asset, mixer, mixer.clipAction('Walk'), new Batch([mixer]), mixer.layers[1], mask, space,
        mixer.clipAction(space), mixer.save(), scene, scene.addNode(), instance, instance.joint('Hips')]) {
        const names = [...Object.getOwnPropertyNames(Object.getPrototypeOf(one)), ...Object.keys(one)];
        for (const name of names.filter((each) => !each.startsWith('_') && each !== 'constructor')) {
            assert.match(declared, new RegExp(`\\b${name}\\b`), `index.d.ts lacks ${name}`);
        }
    }
});
