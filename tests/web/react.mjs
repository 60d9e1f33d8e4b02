// SPDX-License-Identifier: MIT
// The README's components for react-three-fiber, built by esbuild and run in Chromium, with the package that npm
// installs from its tarball: node react.mjs NODE_MODULES BUNDLERS REACT PACKAGE MODELS SCRATCH_FOLDER BUNDLERS is
// esbuild's node_modules folder, REACT that for react, @react-three/fiber and three.
import assert from 'node:assert/strict';
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openBrowser, serve, skip } from './browser.mjs';
import { exampleOf, makeProject } from './project.mjs';

const [modules, bundlers, react, packageFolder, models, scratch] = process.argv.slice(2).map((path) => resolve(path));
if (!existsSync(join(react, '@react-three/fiber'))) skip('npm has not fetched @react-three/fiber');
if (!existsSync(join(bundlers, 'esbuild'))) skip('npm has not fetched esbuild');

makeProject(scratch, packageFolder, models);
const example = exampleOf(scratch, 'jsx');
writeFileSync(join(scratch, 'looking.jsx'), exampleOf(scratch, 'jsx character'));
copyFileSync(join(models, 'hero.character.json'), join(scratch, 'hero.character.json'));
for (const kind of ['simd', 'plain']) { // esbuild leaves the module's URL
    copyFileSync(join(packageFolder, `sinew-character-${kind}.wasm`), join(scratch, `sinew-character-${kind}.wasm`));
}

// `state` is what the page shows; `show` changes it. Two heroes share one file, the second as a copy.
const PAGE = `
import { Canvas } from '@react-three/fiber';
import { Component, StrictMode, Suspense, useMemo, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { clone } from 'three/addons/utils/SkeletonUtils.js';
import { Sinew as CoreSinew } from 'sinew-animation/core';
import { Looking } from './looking.jsx';

const core = CoreSinew.load();
const heroes = globalThis.heroes = new Map();

function Copy() {
    const gltf = useLoader(GLTFLoader, 'hero.glb');
    const scene = useMemo(() => clone(gltf.scene), [gltf]);
    const hero = useSinew(gltf, { scene, direct: true, layers: 2 });
    useEffect(() => {
        if (hero) heroes.set('copy', hero);
        globalThis.copy = scene;
        hero?.mixer.clipAction('Run').play();
    }, [hero]);
    return <primitive object={scene} position={[1, 0, 0]} />;
}

function Original({ clip }) {
    const gltf = useLoader(GLTFLoader, 'hero.glb');
    globalThis.gltf = gltf;
    return <Hero clip={clip} />;
}

function WithoutImporter() {
    const gltf = useLoader(GLTFLoader, 'hero.glb');
    const scene = useMemo(() => clone(gltf.scene), [gltf]);
    const hero = useSinew(gltf, { scene, sinew: core });
    useEffect(() => {
        if (hero) heroes.set('core', hero);
        hero?.mixer.clipAction('Run').play();
    }, [hero]);
    return <primitive object={scene} position={[2, 0, 0]} />;
}

class Boundary extends Component {
    state = { message: '' };
    static getDerivedStateFromError({ message }) {
        globalThis.caught = message;
        return { message };
    }
    render() { return this.state.message ? null : this.props.children; }
}

function Broken() {
    const gltf = useLoader(GLTFLoader, 'hero.glb');
    const empty = useMemo(() => clone(gltf.scene).clear(), [gltf]);
    useSinew(gltf, { scene: empty });
    return null;
}

function Page() {
    const [{ clip, copy, broken, at }, show] = useState({ clip: 'Walk', copy: true, broken: false });
    globalThis.show = show;
    return <Canvas>
        <ambientLight />
        <Suspense>
            {clip && <Original clip={clip} />}
            {copy && <Copy />}
            {copy && <WithoutImporter />}
            {broken && <Boundary><Broken /></Boundary>}
            {at && <Looking at={at} />}
        </Suspense>
    </Canvas>;
}
createRoot(document.getElementById('root')).render(<StrictMode><Page /></StrictMode>);
`;
writeFileSync(join(scratch, 'page.jsx'), `${example}\n${PAGE}`);
writeFileSync(join(scratch, 'index.html'), `<!doctype html><title>react</title><link rel="icon" href="data:,">
<div id="root" style="width: 300px; height: 200px"></div><script type="module" src="./bundle.js"></script>`);

const { build } = await import(pathToFileURL(join(bundlers, 'esbuild/lib/main.js')));
const { warnings } = await build({ entryPoints: [join(scratch, 'page.jsx')], bundle: true, format: 'esm', jsx: 'automatic',
    outfile: join(scratch, 'bundle.js'), nodePaths: [react], logLevel: 'silent',
    define: { 'process.env.NODE_ENV': '"development"' } });
assert.deepEqual(warnings, []);
assert.match(readFileSync(join(scratch, 'bundle.js'), 'utf8'), /useSinew/);

const server = await serve({ '/': scratch });
const browser = await openBrowser(modules);
try {
    const page = await browser.newPage(`${server.url}/`, { width: 400, height: 300 });
    const wait = (condition) => page.waitForFunction(condition);
    const hand = () => page.evaluate(() => globalThis.gltf.scene.getObjectByName('Hand_R').quaternion.toArray());

    await wait(() => globalThis.heroes.get('copy')?.mixer.time > 0 && globalThis.gltf);
    const first = await hand();
    await page.waitForFunction((before) => {
        const now = globalThis.gltf.scene.getObjectByName('Hand_R').quaternion.toArray();
        return now.some((value, i) => Math.abs(value - before[i]) > 1e-3);
    }, first);
    console.log('the hero walks');

    // Strict mode mounts twice. Of a hero that is driven by matrices the first one must not disable the second.
    const [ours, theirs] = await page.evaluate(() => {
        const { mixer } = globalThis.heroes.get('copy'), bone = globalThis.copy.getObjectByName('Hand_R');
        globalThis.copy.updateMatrixWorld();
        return [bone.matrixWorld.elements.slice(12, 15),
            [...mixer.nodeMatrix(mixer.asset.findNode('Hand_R'))].slice(12, 15)];
    });
    theirs[0] += 1; // the position of the copy
    ours.forEach((value, i) => assert.ok(Math.abs(value - theirs[i]) < 1e-5, `the hand is at ${ours}, not ${theirs}`));
    console.log('the copy is driven by matrices');

    await wait(() => globalThis.heroes.get('core')?.mixer.time > 0);
    assert.ok(await page.evaluate(() => {
        const { asset } = globalThis.heroes.get('core').mixer;
        const module = Object.getOwnPropertySymbols(asset).map((name) => asset[name]).find((value) => value?.exports);
        return !('web_asset_load' in module.exports);
    }));
    console.log('a hero of the module without the importer is driven');

    await page.evaluate(() => {
        globalThis.old = globalThis.heroes.get('copy');
        globalThis.show({ clip: 'Run', copy: false, broken: true });
    });
    await wait(() => globalThis.old.mixer.disposed && globalThis.caught);
    assert.match(await page.evaluate(() => globalThis.caught), /no object of the scene is a node/);
    console.log('a removed hero is disposed, and an error is caught by the boundary');

    await page.evaluate(() => globalThis.show({ clip: '', copy: true, broken: false }));
    await wait(() => globalThis.heroes.get('copy') !== globalThis.old && globalThis.heroes.get('copy').mixer.time > 0);
    assert.equal(await page.evaluate(() => globalThis.heroes.get('copy').mixer.asset === globalThis.old.mixer.asset), true);
    const head = () => page.evaluate(() => globalThis.gltf.scene.getObjectByName('Head').quaternion.toArray());
    await page.evaluate(() => globalThis.show({ clip: '', copy: false, at: [2, 1.5, 1] }));
    // Waits until the head has turned by 0.8 radians to a side of the last time, 1 or -1.
    const turned = (side, before) => page.waitForFunction(([to, y]) => {
        const now = globalThis.gltf.scene.getObjectByName('Head').quaternion;
        return Math.abs(now.w) < Math.cos(0.4) && now.y * y * to >= 0;
    }, [side, before]);
    await turned(1, 0);
    const [, toTheLeft] = await head();
    await page.evaluate(() => globalThis.show({ clip: '', copy: false, at: [-2, 1.5, 1] }));
    await turned(-1, toTheLeft);
    await page.evaluate(() => globalThis.show({ clip: 'Run', copy: false }));
    const running = await hand();
    await page.waitForFunction((before) => (
        globalThis.gltf.scene.getObjectByName('Hand_R').quaternion.toArray().some((value, i) => Math.abs(value - before[i]) > 1e-3)), running);
    console.log('a character looks, and gives the scene back');

    const faults = browser.faults.filter((fault) => !/no object of the scene is a node|error boundary/i.test(fault));
    assert.deepEqual(faults, []);
} finally {
    await browser.close();
    server.close();
}
