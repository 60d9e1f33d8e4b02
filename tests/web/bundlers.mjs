// SPDX-License-Identifier: MIT
// The README's first example, built by a bundler and run in Chromium and in Node, with the package that npm installs
// from its tarball: node bundlers.mjs NODE_MODULES BUNDLERS PACKAGE MODELS SCRATCH_FOLDER BUNDLER BUNDLERS is the
// bundlers' node_modules folder. BUNDLER is one of them, or node for none.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openBrowser, serve, skip } from './browser.mjs';
import { exampleOf, makeProject } from './project.mjs';

const [modules, bundlers, packageFolder, models, scratch] = process.argv.slice(2, 7).map((path) => resolve(path));
const bundler = process.argv[7];
const [major, minor] = process.versions.node.split('.').map(Number);
const isOld = major < 20 || (major === 20 && minor < 19);
if (bundler === 'vite8' && isOld) skip(`vite 8 needs Node 20.19 or newer; this is ${process.versions.node}`);
if (bundler !== 'node' && !existsSync(join(bundlers, bundler))) skip(`npm has not fetched ${bundler}`);

const project = join(scratch, bundler);
makeProject(project, packageFolder, models);
process.chdir(project);

const load = (path) => import(pathToFileURL(join(bundlers, path)));

// ---- The example ------------------------------------------------------------------------------------------------

// What it computes: the palette, and the matrix of the hand. All programs have the same module, and so the same bits.
const example = exampleOf(project);
const RESULT = '[...palette, ...hand]';
writeFileSync('page.js', `${example}\nglobalThis.result = ${RESULT};\n`);
writeFileSync('program.js', `${example}\nconsole.log(JSON.stringify(${RESULT}));\n`);
const html = (script) => `<!doctype html><title>${bundler}</title><link rel="icon" href="data:,">
<script>addEventListener('error', ({ message }) => { globalThis.failure = message; });</script>
<script type="module" src="${script}"></script>`;
writeFileSync('index.html', html('./page.js'));

// The same with the module in a file. These bundlers copy it, like the modules for retargeting, springs and
// characters.
mkdirSync('fetch');
writeFileSync('fetch/page.js', readFileSync('page.js', 'utf8').replace("'sinew-animation'", "'sinew-animation/fetch'")
    .replace('globalThis.result', 'await Promise.all([Retargeter.load(), Solvers.load(), CharacterSinew.load()]);\nglobalThis.result')
    .replace(/^/, "import { Retargeter } from 'sinew-animation/retarget';\nimport { Solvers } from 'sinew-animation/solvers';\n"
        + "import { Sinew as CharacterSinew } from 'sinew-animation/character';\n"));
writeFileSync('fetch/index.html', html('./page.js'));
copyFileSync('hero.glb', 'fetch/hero.glb');

// The same without the importer: the page parses the file.
mkdirSync('core');
const PARSED = `const glb = new DataView(await (await fetch(new URL('hero.glb', import.meta.url))).arrayBuffer());
const jsonLength = glb.getUint32(12, true);
const json = JSON.parse(new TextDecoder().decode(new Uint8Array(glb.buffer, 20, jsonLength)));
const hero = sinew.makeAsset({ json, buffers: [glb.buffer.slice(28 + jsonLength)] });`;
writeFileSync('core/page.js', readFileSync('page.js', 'utf8').replace("'sinew-animation'", "'sinew-animation/core'")
    .replace(/const hero = .*/, PARSED));
writeFileSync('core/index.html', html('./page.js'));
copyFileSync('hero.glb', 'core/hero.glb');

const runNode = (...words) => JSON.parse(execFileSync(process.execPath, words, { encoding: 'utf8' }));
const expected = runNode('program.js');
assert.equal(expected.length, 12 * jointCount() + 16);
assert.ok(expected.every(Number.isFinite));
assert.notDeepEqual(expected.slice(-16), [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);

function jointCount() {
    const bytes = readFileSync('hero.glb'), length = bytes.readUInt32LE(12);
    return JSON.parse(bytes.toString('utf8', 20, 20 + length)).skins[0].joints.length;
}

// ---- Browsers ---------------------------------------------------------------------------------------------------

let browser = null;

async function checkPage(url, what) {
    browser ??= await openBrowser(modules);
    const page = await browser.newPage(url);
    await page.waitForFunction(() => globalThis.result || globalThis.failure);
    assert.deepEqual(browser.faults, [], what);
    assert.deepEqual(await page.evaluate(() => globalThis.result), expected, what);
    await page.close();
    console.log(`${what}: the example runs`);
}

async function checkFolder(folder, what) {
    const server = await serve({ '/': resolve(folder) });
    await checkPage(`${server.url}/`, what);
    server.close();
}

function checkProgram(file, what) {
    assert.deepEqual(runNode(file), expected, what);
    console.log(`${what}: the example runs`);
}

// The output folder of a bundler that leaves the page and the model to the user.
function makeOutput(folder) {
    mkdirSync(folder, { recursive: true });
    copyFileSync('hero.glb', join(folder, 'hero.glb'));
    writeFileSync(join(folder, 'index.html'), html('./bundle.js'));
}

// ---- The bundlers -----------------------------------------------------------------------------------------------

async function testVite() {
    const { build, createServer } = await load(`${bundler}/dist/node/index.js`);
    const quiet = { root: project, configFile: false, logLevel: 'error', cacheDir: join(project, 'vite') };
    const checkServer = async (path, optimizeDeps) => {
        const server = await createServer({ ...quiet, optimizeDeps, server: { port: 0, host: '127.0.0.1', hmr: false } });
        await server.listen();
        await checkPage(`http://127.0.0.1:${server.httpServer.address().port}${path}`, `${bundler} dev ${path}`);
        await server.close();
    };
    await checkServer('/', {});
    await checkServer('/fetch/', { exclude: ['sinew-animation'] });
    await checkServer('/core/', {});

    for (const root of [project, join(project, 'fetch'), join(project, 'core')]) {
        await build({ ...quiet, root, build: { target: 'esnext', outDir: 'built' } });
        await checkFolder(join(root, 'built'), `${bundler} build of ${root}`);
    }

    await build({ ...quiet, ssr: { noExternal: true }, build: { target: 'esnext', outDir: 'server', ssr: 'program.js' } });
    copyFileSync('hero.glb', 'server/hero.glb');
    checkProgram('server/program.js', `${bundler} SSR`);
}

async function testEsbuild() {
    const { build } = await load('esbuild/lib/main.js');
    for (const platform of ['browser', 'node']) {
        makeOutput(platform);
        const entry = platform === 'node' ? 'program.js' : 'page.js';
        const { warnings } = await build({ entryPoints: [entry], bundle: true, format: 'esm', platform,
            outfile: `${platform}/bundle.js`, logLevel: 'silent' });
        assert.deepEqual(warnings, []);
    }
    makeOutput('browser-core');
    await build({ entryPoints: ['core/page.js'], bundle: true, format: 'esm', outfile: 'browser-core/bundle.js' });
    const [whole, core] = ['browser', 'browser-core'].map((folder) => readFileSync(`${folder}/bundle.js`).length);
    console.log(`esbuild: ${whole} bytes, ${core} without the importer`);
    assert.ok(core < whole - 40e3, 'the importer is in the bundle of sinew-animation/core');
    await checkFolder('browser', 'esbuild for browsers');
    await checkFolder('browser-core', 'esbuild without the importer');
    checkProgram('node/bundle.js', 'esbuild for node');
}

async function testRollup() {
    const { rollup } = await load('rollup/dist/es/rollup.js');
    const { nodeResolve } = await load('@rollup/plugin-node-resolve/dist/es/index.js');
    for (const [input, folder, options] of [['page.js', 'browser', { browser: true }],
        ['core/page.js', 'browser-core', { browser: true }], ['program.js', 'node', {}]]) {
        makeOutput(folder);
        const warnings = [];
        const bundle = await rollup({ input, plugins: [nodeResolve(options)], onLog: (_, log) => warnings.push(log.message) });
        await bundle.write({ file: `${folder}/bundle.js`, format: 'es' });
        await bundle.close();
        assert.deepEqual(warnings, []);
    }
    await checkFolder('browser', 'rollup');
    await checkFolder('browser-core', 'rollup without the importer');
    checkProgram('node/bundle.js', 'rollup for node');
}

async function testWebpack() {
    const { default: webpack } = await load('webpack/lib/index.js');
    const run = (options) => new Promise((done, fail) => {
        const compiler = webpack({ mode: 'production', context: project, performance: false, ...options });
        compiler.run((error, stats) => compiler.close(() => (error ? fail(error) : done(stats.toJson({ all: false,
            errors: true, warnings: true })))));
    });
    for (const folder of ['browser', 'fetched', 'browser-core', 'node']) makeOutput(folder);
    const page = await run({ entry: './page.js', output: { path: resolve('browser'), filename: 'bundle.js' } });
    const fetched = await run({ entry: './fetch/page.js', output: { path: resolve('fetched'), filename: 'bundle.js' } });
    const core = await run({ entry: './core/page.js', output: { path: resolve('browser-core'), filename: 'bundle.js' } });
    const program = await run({ entry: './program.js', target: 'node', output: { path: resolve('node'),
        filename: 'bundle.cjs' } });
    for (const { errors, warnings } of [page, fetched, core, program]) assert.deepEqual([...errors, ...warnings], []);
    await checkFolder('browser', 'webpack');
    await checkFolder('fetched', 'webpack, fetched');
    await checkFolder('browser-core', 'webpack without the importer');
    checkProgram('node/bundle.cjs', 'webpack for node');
}

// `require` instead of `import`: Node has it for modules without a top-level await.
function testNode() {
    const common = example.replace(/import (\{.*\}) from ('.*');/, 'const $1 = require($2);')
        .replace('import.meta.url', "require('node:url').pathToFileURL(__filename)");
    assert.match(common, /require\('sinew-animation'\)/);
    writeFileSync('program.cjs', `(async () => {\n${common}\nconsole.log(JSON.stringify(${RESULT}));\n})();\n`);
    checkProgram('program.js', 'Node');
    if (isOld) console.log(`not tested: Node ${process.versions.node} can't require modules`);
    else checkProgram('program.cjs', 'Node by require');
}

const TESTS = { esbuild: testEsbuild, rollup: testRollup, webpack: testWebpack, node: testNode };

try {
    await (TESTS[bundler] ?? testVite)();
} finally {
    if (browser) await browser.close();
}
