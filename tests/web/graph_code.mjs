// SPDX-License-Identifier: MIT
// The code that the studio copies for a graph runs: node graph_code.mjs NODE_MODULES PACKAGE MODELS SCRATCH_FOLDER
// COMPILER FLAG... It prints the states of a graph, which must be the same in C and JavaScript.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join, resolve } from 'node:path';
import test, { after } from 'node:test';
import { promisify } from 'node:util';
import { withoutMaterials } from './glb.mjs';
import { makeStudioFolder } from './studio_folder.mjs';

const [modules, packageFolder, models, scratch, compiler, ...flags] = process.argv.slice(2);
if (!existsSync(resolve(packageFolder, 'sinew-simd.wasm')) || !existsSync(resolve(modules, 'three'))) {
    console.log('SKIPPED: the package is not built, or three is not there');
    process.exit(77);
}
const { load } = await makeStudioFolder(packageFolder);
const { GRAPH_LANGUAGES } = await load('graph_code.js');
const { Sinew } = await load('sinew/index.js');
const sinew = await Sinew.load();

// A project with both libraries installed, and both files.
const project = resolve(scratch);
await rm(project, { recursive: true, force: true });
await mkdir(join(project, 'node_modules'), { recursive: true });
await symlink(resolve(modules, 'three'), join(project, 'node_modules', 'three'));
await symlink(resolve(packageFolder), join(project, 'node_modules', 'sinew-animation'));
await writeFile(join(project, 'hero.glb'), withoutMaterials(await readFile(resolve(models, 'hero.glb'))));

const server = createServer(async (request, response) => response.end(await readFile(join(project, request.url))));
await new Promise((ready) => {
    server.listen(0, '127.0.0.1', ready);
});
after(() => server.close());
const site = `http://127.0.0.1:${server.address().port}`;

const run = promisify(execFile);

// The lines that the C program prints in 60 frames.
async function runC(text, name) {
    const source = join(project, `${name}.c`),
        program = join(project, name);
    await writeFile(source, text);
    await run(compiler, ['-std=c17', '-Wall', '-Wextra', '-Wpedantic', '-Werror', source, '-o', program, ...flags]);
    return (await run(program, { cwd: project })).stdout.trimEnd().split('\n');
}

// The lines that the page's code prints, with `scene` and 60 frames as the page has them.
async function runJavaScript(text, name) {
    const [start, frame] = text.split('// each frame, then render as usual:\n');
    const page = `import { Scene } from 'three';
globalThis.self ??= globalThis; // GLTFLoader needs both
globalThis.ProgressEvent ??= Event;
const scene = new Scene(), delta = 1 / 60;
${start}for (let i = 0; i < 60; i++) {\n${frame}}\n`;
    await writeFile(join(project, `${name}.mjs`), page);
    return (await run(process.execPath, [join(project, `${name}.mjs`)])).stdout.trimEnd().split('\n');
}

// `path` is the file that the C program opens.
async function play(name, text, path = `${name}.json`) {
    for (const file of [`${name}.json`, path]) await writeFile(join(project, file), text);
    const graph = sinew.loadGraph(text),
        make = (language, file, graphFile) => GRAPH_LANGUAGES[language].make({ file, graphFile, graph, root: 'Hips' });
    const c = make('c', 'hero.glb', path),
        three = make('three', `${site}/hero.glb`, `${site}/${name}.json`);
    return { c, three, inC: await runC(c, name), inJavaScript: await runJavaScript(three, name) };
}

test("the hero's graph plays in both languages alike", async () => {
    const { c, three, inC, inJavaScript } = await play(
        'hero',
        await readFile(resolve(models, 'hero.graph.json'), 'utf8'),
    );
    assert.deepEqual(inC, inJavaScript);
    assert.equal(inC.length, 3 * 60);
    // All triggers are fired: the base jumps, the upper body attacks, and the reaction shows the hit.
    assert.deepEqual(inC.slice(0, 3), ['Base/Jump', 'Upper/Combo/First', 'Reaction/Hit']);
    assert.match(
        c,
        /sinew_animator_set_vector2\(animator, move_parameter, 0\.0f, 0\.0f\); \/\/ -3\.1 to 3\.1, each, damping 0\.08 s\n/,
    );
    assert.match(c, /sinew_animator_set_float\(animator, hurt_parameter, 0\.6f\); \/\/ 0 to 1, damping 0\.1 s\n/);
    assert.match(c, /sinew_animator_fire\(animator, jump_parameter\); \/\/ waits 0\.15 s for a transition\n/);
    assert.match(three, /animator\.set\("armed", false\);\n/);
    assert.match(three, /animator\.fire\("turn"\); \/\/ for one frame\n/);
});

// The C program prints states alone, and so does the JavaScript with a callback that says nothing.
test('graphs with rigs play as characters in both languages', async () => {
    const { c, three, inC, inJavaScript } = await play('character', await readFile(resolve(models, 'hero.character.json'), 'utf8'));
    assert.deepEqual(inC, inJavaScript);
    assert.deepEqual(inC.slice(0, 3), ['Base/Move', 'Upper/Attack', 'Reaction/Hit']);
    assert.match(c, /def\.ground = find_ground;\n[^]*sinew_character_update/);
    assert.match(three, /new Character\(rig, \{\n {4}ground\(place/);
    const every = await play('every', JSON.stringify({ sinewGraph: 1, parameters: { goal: { type: 'transform' } },
        layers: [{ name: 'Base', states: { Jump: { clip: 'Jump' } } }],
        rig: { steps: [{ rootWarp: { clip: 'Jump', end: 0.5, goal: 'goal' } }, { name: 'mine', callback: {} }] } }));
    assert.deepEqual(every.inC, every.inJavaScript.filter((line) => line !== 'mine 1'));
    assert.equal(every.inJavaScript.length, 120);
    const alone = await play('alone', JSON.stringify({ sinewGraph: 1, rig: { steps: [{ springs: { chains: [{ root: 'Hair1' }] } }] } }));
    assert.deepEqual([alone.inC, alone.inJavaScript], [[''], ['']]);
});

// Parameters named as keywords and as variables of the code; layers and files with signs that strings escape.
test('names do not break the code', async () => {
    const names = ['int', 'for', 'graph', 'animator', 'check', 'error', 'x', 'new', 'sinew', '__proto__'];
    const parameters = names.map(
        (name, i) => `"${name}": { "type": "${['float', 'int', 'bool', 'trigger', 'vector2'][i % 5]}" }`,
    );
    const when = 'animator && sinew && !graph && !new && int == 0 && for == 0 && x == 0 && check.x == 0';
    const layers = ['Base', 'the "upper" \\ ??) body\n*', '日本語'].map((name) => ({
        name,
        states: { A: { clip: 'Idle' }, B: { clip: 'Walk' } },
        transitions: [{ from: 'A', to: 'B', when }],
    }));
    const text = `{ "sinewGraph": 1, "parameters": { ${parameters.join(', ')} }, "layers": ${JSON.stringify(layers)} }`;
    const { inC, inJavaScript } = await play('names', text, 'a "graph" \\n ??).json');
    assert.deepEqual(inC, inJavaScript);
    assert.ok(inC.includes('日本語/B') && inC.includes('Base/B'), inC.slice(0, 9).join('\n'));
});

test('defaults and ranges are the shortest decimals of their floats', async () => {
    const parameters = {
        a: { type: 'float', default: 0.1, range: [-1e-7, 1e7] },
        b: { type: 'float', default: 1e20 },
        c: { type: 'int', default: -2147483648 },
        d: { type: 'vector2', default: [0.3, -2], range: [-5, 5] },
        e: { type: 'float', default: -3 },
        f: { type: 'vector3', default: [0.1, 2, -1e-7], range: [-5, 5], space: 'model' },
        g: { type: 'transform', default: { position: [0.3, 0, -2] }, damping: 0.25 },
    };
    const { c, three, inC, inJavaScript } = await play(
        'numbers',
        JSON.stringify({
            sinewGraph: 1,
            parameters,
            layers: [
                {
                    name: 'Base',
                    states: { A: { clip: 'Idle' }, B: { clip: 'Walk' } },
                    transitions: [
                        {
                            from: 'A',
                            to: 'B',
                            when: 'a == 0.1 && b == 1e20 && c == -2147483648 && d.x == 0.3 && d.y == -2 && e == -3',
                        },
                    ],
                },
            ],
        }),
    );
    assert.deepEqual([inC[0], inJavaScript[0]], ['Base/B', 'Base/B']);
    for (const part of [
        'a_parameter, 0.1f); // -1e-7 to 10000000\n',
        'b_parameter, 100000000000000000000.0f);\n',
        'c_parameter, -2147483648);\n',
        'd_parameter, 0.3f, -2.0f); // -5 to 5, each\n',
        'e_parameter, -3.0f);\n',
        'set_vector3(animator, f_parameter, (sinew_vec3){0.1f, 2.0f, -1e-7f}); // -5 to 5, each, in model space\n',
        'set_transform(animator, g_parameter, (sinew_vec3){0.3f, 0.0f, -2.0f}, (sinew_quat){0.0f, 0.0f, 0.0f, 1.0f}); // damping 0.25 s\n',
    ])
        assert.ok(c.includes(part), `${part}${c}`);
    for (const part of [
        'animator.set("f", [0.1, 2, -1e-7]); // -5 to 5, each, in model space\n',
        'animator.set("g", { position: [0.3, 0, -2], rotation: [0, 0, 0, 1] }); // damping 0.25 s\n',
    ])
        assert.ok(three.includes(part), `${part}${three}`);
});

test('a graph without parameters', async () => {
    const { three, inC, inJavaScript } = await play(
        'small',
        '{"sinewGraph":1,"layers":[{"name":"Base","states":{"A":{}}}]}',
    );
    assert.deepEqual([inC[59], inJavaScript[59]], ['Base/A', 'Base/A']);
    assert.ok(!three.includes('input'));
});
