// SPDX-License-Identifier: MIT
// The README's own code for three.js and for Babylon.js, run in Chromium with the package that npm installs from its
// tarball: node adapters_page.mjs NODE_MODULES PACKAGE MODELS SCRATCH_FOLDER
import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { openBrowser, serve } from './browser.mjs';
import { exampleOf, makeProject } from './project.mjs';

const [modules, packageFolder, models, scratch] = process.argv.slice(2).map((path) => resolve(path));

makeProject(scratch, packageFolder, models);
const installed = join(scratch, 'node_modules');

// The code around the README's examples. `pictures(times)` draws the walking hero.
const SIZE = 128;
const THREE_PAGE = [`
import { AnimationMixer, HemisphereLight, PerspectiveCamera, Scene, WebGLRenderer } from 'three';
import { clone } from 'three/addons/utils/SkeletonUtils.js';
const renderer = new WebGLRenderer();
renderer.setSize(${SIZE}, ${SIZE});
const scene = new Scene(), camera = new PerspectiveCamera(40, 1, 0.1, 20), delta = 0;
scene.add(new HemisphereLight(0xffffff, 0x404040, 3));
camera.position.set(1.5, 1.2, 2.5);
camera.lookAt(0, 0.9, 0);
`, `
const ways = { default: hero };
const scenes = { default: gltf.scene, direct: clone(gltf.scene), three: clone(gltf.scene) };
ways.direct = drive(gltf, hero.mixer.asset, { scene: scenes.direct, direct: true });
ways.direct.mixer.clipAction('Walk').play();
ways.three = new AnimationMixer(scenes.three);
ways.three.clipAction(gltf.animations.find(({ name }) => name === 'Walk')).play();
function picture(way) {
    scene.add(scenes[way]);
    renderer.render(scene, camera);
    scene.remove(scenes[way]);
    const gl = renderer.getContext(), pixels = new Uint8Array(4 * ${SIZE} * ${SIZE});
    gl.readPixels(0, 0, ${SIZE}, ${SIZE}, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
    return [...pixels];
}
globalThis.pictures = (way, times) => times.map((time) => {
    ways[way].update(time);
    return picture(way);
});
`];

const BABYLON_PAGE = [`
import { Engine, FreeCamera, HemisphericLight, Scene, Vector3 } from '@babylonjs/core';
const canvas = document.body.appendChild(document.createElement('canvas'));
canvas.width = canvas.height = ${SIZE};
const engine = new Engine(canvas, false, { preserveDrawingBuffer: true }), delta = 0;
const scene = new Scene(engine);
const camera = new FreeCamera('camera', new Vector3(-1.5, 1.2, 2.5), scene); // the loader mirrors x
camera.setTarget(new Vector3(0, 0.9, 0));
camera.fov = 0.7;
new HemisphericLight('light', new Vector3(0, 1, 0), scene).intensity = 2;
`, `
loaded.addAllToScene();
await scene.whenReadyAsync();
globalThis.pictures = async (way, times) => {
    const all = [];
    for (const time of times) {
        if (way === 'babylon') walkOfBabylon(all.length > 0 ? 0.4 : 0);
        else hero.update(time);
        scene.render();
        all.push([...await engine.readPixels(0, 0, ${SIZE}, ${SIZE})]);
    }
    return all;
};
function walkOfBabylon(time) {
    const group = loaded.animationGroups.find(({ name }) => name === 'Walk');
    group.start(true).pause();
    group.goToFrame(60 * time); // the loader makes 60 frames a second
}
`];

// @babylonjs/core has thousands of files; these are the ones that the page imports.
const BABYLON_CORE = `
export { Engine } from '@babylonjs/core/Engines/engine.js';
export { FreeCamera } from '@babylonjs/core/Cameras/freeCamera.js';
export { HemisphericLight } from '@babylonjs/core/Lights/hemisphericLight.js';
export { LoadAssetContainerAsync } from '@babylonjs/core/Loading/sceneLoader.js';
export { Scene } from '@babylonjs/core/scene.js';
export { Vector3 } from '@babylonjs/core/Maths/math.vector.js';
`;

// The entry without the importer: in the example for three.js it is another import.
const CORE = ["'sinew-animation'", "'sinew-animation/core'"];
const examples = { three: exampleOf(scratch, 'js three'), 'three-core': exampleOf(scratch, 'js three').replace(...CORE),
    babylon: exampleOf(scratch, 'js babylon'), 'babylon-core': exampleOf(scratch, 'js babylon-core') };
for (const name of ['three-core', 'babylon-core']) assert.match(examples[name], /'sinew-animation\/core'/);

const IMPORTS = { 'three': '/npm/three/build/three.module.js', 'three/addons/': '/npm/three/examples/jsm/',
    '@babylonjs/core': '/babylon-core.js', '@babylonjs/core/': '/npm/@babylonjs/core/',
    '@babylonjs/loaders/': '/npm/@babylonjs/loaders/', 'sinew-animation': '/installed/sinew-animation/index.js',
    'sinew-animation/core': '/installed/sinew-animation/core.js',
    'sinew-animation/three': '/installed/sinew-animation/three.js',
    'sinew-animation/babylon': '/installed/sinew-animation/babylon.js' };

function writePage(library, [before, after]) {
    const folder = join(scratch, library);
    mkdirSync(folder);
    copyFileSync(join(models, 'hero.glb'), join(folder, 'hero.glb'));
    writeFileSync(join(folder, 'index.html'), `<!doctype html><title>${library}</title><link rel="icon" href="data:,">
<script type="importmap">${JSON.stringify({ imports: IMPORTS })}</script>
<script type="module">${before}\n${examples[library]}\n${after}</script>`);
}

// ---- Looking ----------------------------------------------------------------------------------------------------

// The count of pixels that differ by more than `by` in a channel.
function changed(one, other, by = 8) {
    let count = 0;
    for (let i = 0; i < one.length; i += 4) {
        if ([0, 1, 2].some((channel) => Math.abs(one[i + channel] - other[i + channel]) > by)) count++;
    }
    return count;
}

// The hero covers a tenth of the picture, and walks.
function seesWalking([first, second, third], name) {
    const seen = changed(first, first.map((_, i) => first[i % 4])); // against the colour of the first pixel
    const moved = changed(first, second), still = changed(second, third);
    console.log(`${name}: ${seen} pixels of the hero, ${moved} changed as it walked, ${still} as it stood`);
    assert.ok(seen > 0.05 * SIZE * SIZE, `${name}: the hero is not seen`);
    assert.ok(moved > 0.01 * SIZE * SIZE, `${name}: the hero does not move`);
    assert.equal(still, 0);
}

function looksLike([, ours], [, theirs], name) {
    const different = changed(ours, theirs, 24);
    console.log(`${name}: ${different} pixels are not the library's own`);
    assert.ok(different <= 0.001 * SIZE * SIZE, `${name}: ${different} pixels`);
}

writeFileSync(join(scratch, 'babylon-core.js'), BABYLON_CORE);
for (const name of ['three', 'three-core']) writePage(name, THREE_PAGE);
for (const name of ['babylon', 'babylon-core']) writePage(name, BABYLON_PAGE);
const server = await serve({ '/npm/': modules, '/installed/': installed, '/': scratch });
const browser = await openBrowser(modules);

async function open(library) {
    const page = await browser.newPage(`${server.url}/${library}/`, { width: 300, height: 200 });
    await page.waitForFunction(() => globalThis.pictures);
    return (...words) => page.evaluate(([way, times]) => globalThis.pictures(way, times), words);
}

try {
    const times = [0, 0.4, 0];
    for (const name of ['three', 'three-core']) {
        const three = await open(name);
        const pictures = { default: await three('default', times), direct: await three('direct', times),
            three: await three('three', times) };
        seesWalking(pictures.default, name);
        looksLike(pictures.default, pictures.three, name);
        looksLike(pictures.direct, pictures.three, `${name}, direct`);
    }
    for (const name of ['babylon', 'babylon-core']) {
        const babylon = await open(name);
        const ours = await babylon('sinew', times);
        seesWalking(ours, name);
        looksLike(ours, await babylon('babylon', times), name);
    }
    assert.deepEqual(browser.faults, []);
} finally {
    if (browser.faults.length > 0) console.log(browser.faults.join('\n'));
    await browser.close();
    server.close();
}
