// SPDX-License-Identifier: MIT
// A steady frame of the adapters makes no objects: node adapters_garbage.mjs NODE_MODULES PACKAGE MODELS
import { garbage } from './allocations.mjs';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import test from 'node:test';
import { pathToFileURL } from 'node:url';
import { withoutMaterials } from './glb.mjs';

const [modules, packageFolder, models] = process.argv.slice(2);
const load = (...path) => import(pathToFileURL(resolve(...path)));
const core = (name) => load(modules, '@babylonjs/core', `${name}.js`);

const { Sinew } = await load(packageFolder, 'index.js');
const sinew = await Sinew.load();
const bytes = withoutMaterials(readFileSync(join(models, 'hero.glb')));
const asset = sinew.loadAsset(bytes);

function playing(character) {
    character.mixer.clipAction('Walk').play();
    character.mixer.clipAction('Run').fadeIn(1e6).play();
    return character;
}

for (const [way, direct] of [['local transforms', false], ['matrices', true]]) {
    test(`a frame of three.js's objects makes no garbage: by ${way}`, async () => {
        globalThis.self ??= globalThis; // GLTFLoader checks it to detect browsers
        const { GLTFLoader } = await load(modules, 'three/examples/jsm/loaders/GLTFLoader.js');
        const { drive } = await load(packageFolder, 'three.js');
        const gltf = await new GLTFLoader().parseAsync(bytes.buffer, '');
        const character = playing(drive(gltf, asset, { direct })), skeletons = new Set();
        gltf.scene.traverse(({ skeleton }) => skeleton && skeletons.add(skeleton));
        const [skeleton] = skeletons;
        assert.deepEqual(garbage(() => {
            character.update(1 / 60);
            if (!direct) return; // what follows is three.js's own
            gltf.scene.updateMatrixWorld();
            skeleton.update();
        }), []);
    });
}

test('a frame of Babylon.js\'s objects makes no garbage', async () => {
    const { NullEngine } = await core('Engines/nullEngine');
    const { Scene } = await core('scene');
    const { LoadAssetContainerAsync } = await core('Loading/sceneLoader');
    const { Logger } = await core('Misc/logger');
    await load(modules, '@babylonjs/loaders/glTF/2.0/index.js');
    const { drive } = await load(packageFolder, 'babylon.js');
    Logger.LogLevels = Logger.ErrorLogLevel;
    const engine = new NullEngine();
    const loaded = await LoadAssetContainerAsync(bytes, new Scene(engine),
        { pluginExtension: '.glb', pluginOptions: { gltf: { skipMaterials: true } } });
    const character = playing(drive(loaded, asset));
    assert.deepEqual(garbage(() => character.update(1 / 60)), []);
    engine.dispose();
});
