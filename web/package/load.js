// SPDX-License-Identifier: MIT
// Loads files by the importer of the module.
import { Draco, Meshopt } from './decoders.js';
import { toBytes } from './module.js';

// Loads a file from copies of it and its sidecar files in the module's memory, and frees the copies.
function load(module, bytes, files, decode, draco) {
    const { exports } = module;
    const copies = [];
    const copy = (data) => {
        copies.push(module.copyIn(data));
        return copies.at(-1);
    };
    try {
        const table = [];
        for (const [name, data] of Object.entries(files)) {
            const content = toBytes(data, name);
            table.push(copy(new TextEncoder().encode(`${name}\0`)), copy(content), content.length);
        }
        const entries = copy(toBytes(Uint32Array.from(table))); // web_file of web.h
        return exports.web_asset_load(copy(bytes), bytes.length, entries, table.length / 3, decode, draco) >>> 0;
    } finally {
        for (const address of copies) exports.free(address);
    }
}

// Loads a file with the decoders for meshopt and Draco, where the page has them.
function loadWith({ meshopt, draco }, module, bytes, files) {
    if (meshopt) module.meshopt ??= new Meshopt(module);
    if (draco) module.draco ??= new Draco(module);
    const withMeshopt = (use) => (meshopt ? module.meshopt.with(meshopt, use) : use(0));
    const withDraco = (use) => (draco ? module.draco.with(draco, use) : use(0));
    return withMeshopt((decode) => withDraco((decodeMesh) => load(module, bytes, files, decode, decodeMesh)));
}

// The module's error. For a missing decoder it names the option of the package, for a part that modules lack that of the command.
function toError(module, decoder) {
    const error = module.error();
    if (/SINEW_KEYS_U16/.test(error.message)) return new Error('has keys of 16 bits, which this package does not read: bake it without --u16');
    if (decoder || !/meshopt_decode$/.test(error.message)) return error;
    return new Error(`${error.message}: pass npm's MeshoptDecoder as \`meshopt\``);
}

// The address of the asset of a file.
export function loadFile(module, bytes, files, decoders) {
    const address = loadWith(decoders, module, toBytes(bytes, 'a file'), files);
    if (address === 0) throw toError(module, decoders.meshopt);
    return address;
}
