// SPDX-License-Identifier: MIT
// The types of the package and the studio: node types.mjs NODE_MODULES PACKAGE MODELS SCRATCH_FOLDER use.ts uses the
// declarations like pages do. web/tsconfig.json checks the JavaScript, and members.ts compares its classes with their
// declarations. The studio's JavaScript is checked against the declarations, but may use null anywhere.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';

const [modules, packageFolder, , scratch] = process.argv.slice(2).map((path) => resolve(path));
const here = dirname(fileURLToPath(import.meta.url));
const compiler = join(modules, '.bin', 'tsc');
if (!existsSync(compiler)) {
    console.log('SKIPPED: npm has not fetched typescript');
    process.exit(77);
}

rmSync(scratch, { recursive: true, force: true });

// Compiles the project in a folder.
function compileFolder(folder, options) {
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(options));
    const { status, stdout, stderr } = spawnSync(compiler, ['-p', folder], { encoding: 'utf8' });
    assert.equal(stdout + stderr, '');
    assert.equal(status, 0);
}

// Compiles a project's files, copied to its own folder.
function compile(name, files, options) {
    const folder = join(scratch, name);
    mkdirSync(join(folder, 'node_modules'), { recursive: true });
    symlinkSync(packageFolder, join(folder, 'node_modules', 'sinew-animation'));
    symlinkSync(join(modules, 'meshoptimizer'), join(folder, 'node_modules', 'meshoptimizer'));
    for (const file of files) cpSync(file, join(folder, file.split('/').at(-1)));
    compileFolder(folder, options);
}

test('a program that uses the declarations compiles', () => {
    compile('use', [join(here, 'use.ts')], { compilerOptions: {
        strict: true, noUncheckedIndexedAccess: true, noEmit: true, target: 'es2022', module: 'nodenext',
        lib: ['es2022', 'dom'], types: [],
    }, files: ['use.ts'] });
});

test('the JavaScript has the types of its declarations', () => {
    const names = readdirSync(packageFolder).filter((name) => /\.(js|ts)$/.test(name));
    const checked = names.filter((name) => name.endsWith('.js'));
    mkdirSync(scratch, { recursive: true });
    writeFileSync(join(scratch, 'others.d.ts'), "declare module 'react';\ndeclare module '@react-three/fiber';\n");
    compile('package', [join(here, 'members.ts'), join(scratch, 'others.d.ts'), ...names.map((name) => join(packageFolder, name))],
        { extends: resolve(here, '../../web/tsconfig.json'), files: [...checked, 'members.ts', 'others.d.ts'], include: [] });
});

// The folder has the package and the decoder where scripts/studio.sh puts them.
test('the JavaScript of the studio has types that fit the package', () => {
    const folder = join(scratch, 'studio'), decoder = join(folder, 'meshoptimizer');
    cpSync(resolve(here, '../../web/studio'), folder, { recursive: true });
    cpSync(join(here, 'studio.d.ts'), join(folder, 'studio.d.ts'));
    symlinkSync(packageFolder, join(folder, 'sinew'));
    mkdirSync(decoder);
    cpSync(join(modules, 'meshoptimizer', 'meshopt_decoder.mjs'), join(decoder, 'meshopt_decoder.js'));
    cpSync(join(modules, 'meshoptimizer', 'meshopt_decoder.d.ts'), join(decoder, 'meshopt_decoder.d.ts'));
    compileFolder(folder, { extends: resolve(here, '../../web/tsconfig.json'),
        compilerOptions: { strictNullChecks: false }, include: ['*.js', 'panels', 'renderers', 'studio.d.ts'] });
});
