// SPDX-License-Identifier: MIT
// The studio's lint report equals `sinew lint --json`, and its fixed files equal --fix. Damaged files get a message,
// never a trap.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { pathToFileURL } from 'node:url';
import { command, modelPath, packagePath } from './common.mjs';

// Files as in the studio's folder.
const folder = await mkdtemp(join(tmpdir(), 'sinew-lint-'));
after(() => rm(folder, { recursive: true }));
await mkdir(join(folder, 'sinew'));
await writeFile(join(folder, 'package.json'), '{"type":"module"}'); // Node 18 does not detect modules
for (const name of ['module.js', 'decoders.js', 'constants.js', 'internal.js']) await cp(packagePath(name), join(folder, 'sinew', name));
await cp(packagePath('../modules/sinew-lint.wasm'), join(folder, 'sinew-lint.wasm'));
await cp(new URL('../../web/studio/lint.js', import.meta.url), join(folder, 'lint.js'));
const { fixFile, lintFile } = await import(pathToFileURL(join(folder, 'lint.js')));

const isModel = (name) => /\.(glb|gltf)$/.test(name);
const names = (await readdir(modelPath('.'), { recursive: true })).filter(isModel).sort();

// The command's report or its error, without the path.
function reportOf(path) {
    const ends = { encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'pipe'] };
    try {
        return JSON.parse(execFileSync(command, ['lint', path, '--json'], ends));
    } catch (error) {
        if (error.stdout) return JSON.parse(error.stdout); // exits with 1 if it finds something
        return { error: error.stderr.trim() };
    }
}

async function sidecarFiles(name) {
    const inside = modelPath(join(name, '..'));
    const files = {};
    for (const entry of await readdir(inside)) {
        if (/\.(bin|json)$/.test(entry)) files[entry] = await readFile(join(inside, entry));
    }
    return files;
}

// A finding of the module without the texts of its rule.
function bare({ rule, severity, location, message, bytes, fixable }) {
    return { rule, severity, location, message, bytes, fixable };
}

test('the report equals the command\'s', async () => {
    let findings = 0;
    for (const name of names.filter((each) => !each.includes('meshopt'))) {
        const expected = reportOf(modelPath(name)), base = name.split('/').at(-1);
        const got = await lintFile(await readFile(modelPath(name)), await sidecarFiles(name), base)
            .catch((error) => ({ error: error.message }));
        if (expected.error) {
            const same = expected.error.endsWith(got.error) || /out of memory$/.test(got.error); // 32 bits have less
            assert.ok(same, `${name}: ${expected.error}: ${got.error}`);
            continue;
        }
        assert.deepEqual(got.findings?.map(bare), expected.findings, `${name}: ${got.error}`);
        assert.deepEqual([got.errors, got.warnings, got.notes],
            [expected.errors, expected.warnings, expected.notes], name);
        findings += got.findings.length;
        for (const { title, why, advice } of got.findings) assert.ok(title && why && advice, name);
    }
    console.log(`${names.length} files, ${findings} findings`);
    assert.ok(findings > 50);
});

test('a fixed file equals the command\'s, byte for byte', async () => {
    const to = join(folder, 'fixed.glb');
    for (const name of ['hero.glb', 'conformance/weights-sum-to-one.gltf', 'conformance/buffer-sidecar.gltf']) {
        spawnSync(command, ['lint', modelPath(name), '--fix', to]); // its status tells of the findings
        const fixed = await fixFile(await readFile(modelPath(name)), await sidecarFiles(name), name.split('/').at(-1));
        assert.ok(Buffer.from(fixed).equals(await readFile(to)), name);
    }
    await assert.rejects(fixFile(new Uint8Array(40)), /\S.{10}/);
});

test('damaged files get a report or a message', async () => {
    const hero = await readFile(modelPath('hero.glb'));
    let seed = 1, refused = 0;
    const random = (below) => {
        seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
        return Math.floor(seed / 2 ** 32 * below);
    };
    for (let i = 0; i < 40; i++) {
        const bytes = Uint8Array.from(hero);
        for (let k = 0; k < 8; k++) bytes[random(k % 2 === 0 ? bytes.length : 20000)] = random(256);
        const part = i % 4 === 0 ? bytes.subarray(0, random(bytes.length)) : bytes;
        const report = await lintFile(part).catch((error) => {
            assert.equal(error.constructor, Error, `${error}`); // a trap is a RuntimeError
            assert.match(error.message, /\S.{10}/);
        });
        await fixFile(part).catch((error) => assert.equal(error.constructor, Error, `${error}`));
        if (!report || report.errors > 0) refused++;
    }
    assert.ok(refused > 10, `${refused} of 40`);
    assert.equal((await lintFile(hero)).errors, 0);
});

test('data that are not a file are refused', async () => {
    await assert.rejects(lintFile(new Uint8Array(0)), /file/);
    await assert.rejects(lintFile('hero.glb'), TypeError);
});
