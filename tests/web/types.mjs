// SPDX-License-Identifier: MIT
// The declarations are valid for TypeScript: node types.mjs NODE_MODULES PACKAGE MODELS SCRATCH_FOLDER
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const [modules, packageFolder, , scratch] = process.argv.slice(2).map((path) => resolve(path));
const compiler = join(modules, '.bin', 'tsc');
if (!existsSync(compiler)) {
    console.log('SKIPPED: npm has not fetched typescript');
    process.exit(77);
}

rmSync(scratch, { recursive: true, force: true });
mkdirSync(join(scratch, 'node_modules'), { recursive: true });
symlinkSync(packageFolder, join(scratch, 'node_modules', 'sinew-animation'));
symlinkSync(join(modules, 'meshoptimizer'), join(scratch, 'node_modules', 'meshoptimizer'));
cpSync(join(dirname(fileURLToPath(import.meta.url)), 'use.ts'), join(scratch, 'use.ts'));
writeFileSync(join(scratch, 'tsconfig.json'), JSON.stringify({
    compilerOptions: {
        strict: true, noUncheckedIndexedAccess: true, noEmit: true, target: 'es2022', module: 'nodenext',
        lib: ['es2022', 'dom'], types: [],
    },
    files: ['use.ts'],
}));
writeFileSync(join(scratch, 'package.json'), '{ "type": "module" }');
try {
    execFileSync(compiler, ['-p', scratch], { encoding: 'utf8' });
} catch ({ stdout }) {
    console.error(stdout);
    process.exit(1);
}
