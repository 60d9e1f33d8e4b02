// SPDX-License-Identifier: MIT
// Runs a WebAssembly program with access to all files of this system: node wasi.mjs PROGRAM ARGUMENT...
import { readFile } from 'node:fs/promises';
import { WASI } from 'node:wasi';

const args = process.argv.slice(2);
const wasi = new WASI({ version: 'preview1', args, env: process.env, preopens: { '/': '/' }, returnOnExit: true });
const module = await WebAssembly.compile(await readFile(args[0]));
process.exitCode = wasi.start(await WebAssembly.instantiate(module, wasi.getImportObject()));
