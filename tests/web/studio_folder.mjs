// SPDX-License-Identifier: MIT
// The studio's folder in Node: its modules, the package, and the studio's own WebAssembly modules. For modules that
// don't need a browser.
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** Makes the folder, which is removed after the tests, and returns a function that imports a module of it. */
export async function makeStudioFolder(packageFolder) {
    const folder = await mkdtemp(join(tmpdir(), 'sinew-studio-'));
    after(() => rm(folder, { recursive: true }));
    await cp(fileURLToPath(new URL('../../web/studio', import.meta.url)), folder, { recursive: true });
    await cp(resolve(packageFolder), join(folder, 'sinew'), { recursive: true });
    await cp(resolve(packageFolder, '../modules'), folder, { recursive: true });
    await writeFile(join(folder, 'package.json'), '{"type":"module"}'); // Node 18 does not detect modules
    return { folder, load: (name) => import(pathToFileURL(join(folder, name))) };
}
