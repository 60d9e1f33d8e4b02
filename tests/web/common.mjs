// SPDX-License-Identifier: MIT
// Functions for the package's tests: node TEST.mjs PACKAGE MODELS [SINEW]
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const [packageFolder, models] = process.argv.slice(2, 4).map((folder) => resolve(folder));
if (!existsSync(join(packageFolder, 'sinew-simd.wasm'))) {
    console.log('SKIPPED: the package is not built');
    process.exit(77);
}

export const {
    Animator, Asset, Batch, BlendSpace, FootLock, Graph, Legs, LoopOnce, LoopPingPong, LoopRepeat, Mask, Mixer, RootWarp, Scene, Sinew,
    extensionsUsed, sidecarFiles,
} = await import(pathToFileURL(join(packageFolder, 'index.js')));
export const internal = await import(pathToFileURL(join(packageFolder, 'internal.js'))); // names of members
export const KINDS = ['simd', 'plain'];
export const command = process.argv[4];
export const packagePath = (name) => join(packageFolder, name);
export const modelPath = (name) => join(models, name);
export const readModel = (name) => readFile(modelPath(name));

// The module with or without SIMD.
export async function loadSinew(kind = 'simd') {
    return Sinew.load({ wasm: await readFile(packagePath(`sinew-${kind}.wasm`)) });
}
