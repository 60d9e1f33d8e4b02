// SPDX-License-Identifier: MIT
// Loads files with the module's importer.
import { Draco, Meshopt } from './decoders.js';
import { toBytes } from './module.js';

// Converts text, bytes or an object (to JSON) to bytes.
function toText(source) {
    if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return source;
    return new TextEncoder().encode(typeof source === 'string' ? source : JSON.stringify(source));
}

// Adds the file with markers and curves to the sidecar files, under an unused name.
function withMarkers(files, markers) {
    let name = 'markers';
    while (name in files) name += '_';
    return { name, files: { ...files, [name]: toText(markers) } };
}

// Copies a file and its sidecar files to the module's memory, loads the file, and frees the copies. `markers` is the
// name of one of them, or null.
function load(module, bytes, files, markers, decode, draco) {
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
        const name = markers === null ? 0 : copy(new TextEncoder().encode(`${markers}\0`));
        return exports.web_asset_load(copy(bytes), bytes.length, entries, table.length / 3, name, decode, draco) >>> 0;
    } finally {
        for (const address of copies) exports.free(address);
    }
}

// Loads a file with the page's decoders for meshopt and Draco, if it has them.
function loadWith({ meshopt, draco }, module, bytes, files, markers) {
    if (meshopt) module.meshopt ??= new Meshopt(module);
    if (draco) module.draco ??= new Draco(module);
    const withMeshopt = (use) => (meshopt ? module.meshopt.with(meshopt, use) : use(0));
    const withDraco = (use) => (draco ? module.draco.with(draco, use) : use(0));
    return withMeshopt((decode) => withDraco((decodeMesh) => load(module, bytes, files, markers, decode, decodeMesh)));
}

// Makes the module's error. For 16-bit keys, which modules don't read, the message names the command's option.
function toError(module) {
    const error = module.loadError('meshopt');
    if (/SINEW_KEYS_U16/.test(error.message)) return new Error("has 16-bit keys, which this package doesn't read: bake it without --u16");
    return error;
}

// Loads a file and returns its asset's address.
export function loadFile(module, bytes, files, markers, decoders) {
    const given = markers === null ? { name: null, files } : withMarkers(files, markers);
    const address = loadWith(decoders, module, toBytes(bytes, 'a file'), given.files, given.name);
    if (address === 0) throw toError(module);
    return address;
}
