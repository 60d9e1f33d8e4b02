// SPDX-License-Identifier: MIT
// Reads dropped or chosen files, shows progress, and explains errors.
import { sidecarFiles } from './sinew/index.js';
import { markersName } from './sinew/sidecar.js';

export const BUILT_IN = ['hero.glb', 'sword.glb'];

export function fetchBuiltIn(name) {
    return fetchBytes(new URL(`models/${name}`, import.meta.url), name);
}

async function fetchBytes(url, name) {
    const response = await fetch(url);
    if (!response.ok) throw new Error(`${name}: ${response.status} ${response.statusText}`);
    return new Uint8Array(await response.arrayBuffer());
}

/** A model of this site, by its address relative to the page. Also its sidecar files, in openFiles' form. */
export async function fetchModel(path) {
    const url = new URL(path, location.href);
    if (url.origin !== location.origin) throw new Error(`${path}: ?model= only opens files from this site. Drop the file instead.`);
    const name = decodeURIComponent(lastOf(url.pathname)), bytes = await fetchBytes(url, name), files = {}, missing = [];
    for (const { name: one, uri, kind } of sidecarFiles(bytes)) {
        try {
            files[one] = await fetchBytes(new URL(uri, url), one);
        } catch (error) {
            if (kind === 'buffer') throw error;
            missing.push(one);
        }
    }
    return { name, bytes, files, missing };
}

// ---- Reading ----------------------------------------------------------------------------------------------------

// Reads a file's bytes. Calls `tell` with the progress, from 0 to 1.
async function read(file, tell) {
    const bytes = new Uint8Array(file.size);
    let done = 0;
    for await (const chunk of chunksOf(file.stream())) {
        bytes.set(chunk, done);
        done += chunk.length;
        tell(done / file.size);
    }
    return bytes;
}

async function* chunksOf(stream) {
    const reader = stream.getReader();
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
}

const entriesIn = (reader) => new Promise((resolve, reject) => reader.readEntries(resolve, reject));
const fileOf = (entry) => new Promise((resolve, reject) => entry.file(resolve, reject));

// Finds all files of a dropped entry, with their paths. A folder returns its entries in several portions.
async function walk(entry, found) {
    if (entry.isFile) {
        found.push({ path: entry.fullPath.replace(/^\//, ''), file: await fileOf(entry) });
        return;
    }
    const reader = entry.createReader();
    for (let some = await entriesIn(reader); some.length > 0; some = await entriesIn(reader)) {
        for (const inner of some) await walk(inner, found);
    }
}

// The dropped files as [{ path, file }]. Call it before any await: the drop is only valid during its event.
export async function listDropped(transfer) {
    const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
    if (entries.length === 0) return listChosen(transfer.files);
    const found = [];
    for (const entry of entries) await walk(entry, found);
    return found;
}

const listChosen = (files) => [...files].map((file) => ({ path: file.webkitRelativePath || file.name, file }));

// Calls take(list) with the files chosen in an input.
export function onChosen(input, take) {
    input.addEventListener('change', () => {
        if (input.files.length > 0) take(listChosen(input.files));
        input.value = ''; // so the same file can be chosen again
    });
}

// ---- The model and its sidecar files ----------------------------------------------------------------------------

const MODEL = /\.(glb|gltf|vrm|vrma|bvh|sinew)$/i; // including motion-only files

const lastOf = (path) => path.slice(path.lastIndexOf('/') + 1);
const folderOf = (path) => path.slice(0, path.lastIndexOf('/') + 1);

// Finds the file at the path that the model names. Files are often dropped without their folder, so otherwise takes
// the only file with that name.
function find(name, folder, all) {
    const exact = all.find(({ path }) => path === folder + name);
    const alike = all.filter(({ path }) => lastOf(path) === lastOf(name));
    return exact ?? (alike.length === 1 ? alike[0] : null);
}

/**
 * Picks the animation graph from a list of files: the one that ends in .graph.json or .character.json, or any .json
 * if there's no model. Returns undefined if there isn't one.
 */
export function pickGraph(all) {
    const isAlone = !all.some(({ path }) => MODEL.test(path));
    const graphs = all.filter(({ path }) => (isAlone ? /\.json$/i : /\.(graph|character)\.json$/i).test(path));
    if (graphs.length < 2) return graphs[0];
    const names = graphs.map(({ path }) => lastOf(path)).slice(0, 5).join(', ');
    throw new Error(`${graphs.length} graphs at once (${names}). Open one at a time.`);
}

function pickMain(all) {
    const models = all.filter(({ path }) => MODEL.test(path));
    if (models.length > 1) {
        const names = models.map(({ path }) => lastOf(path)).slice(0, 5).join(', ');
        const more = models.length > 5 ? '…' : '';
        throw new Error(`${models.length} models at once (${names}${more}). Open one at a time.`);
    }
    if (models.length === 1) return models[0];
    if (all.length === 1) return all[0]; // whatever its name
    throw new Error('None of these files is a .glb or .gltf. Open one. With a .gltf, also open the files that it needs.');
}

// Reads the model and its sidecar files from a list: { name, bytes, files, missing }. `missing` has the names of
// image files that aren't in the list.
export async function openFiles(all, /** @type {(name: string, part: number) => void} */ tell = () => {}) {
    if (all.length === 0) throw new Error('The folder is empty. Open a .glb, or a .gltf with the files that it needs.');
    const main = pickMain(all), name = lastOf(main.path), folder = folderOf(main.path);
    const bytes = await read(main.file, (part) => tell(name, part));
    const needed = /\.bvh$/i.test(name) ? [] : sidecarFiles(bytes), files = {};
    const absent = needed.filter((one) => one.kind === 'buffer' && !find(one.name, folder, all));
    if (absent.length > 0) {
        const names = absent.map((one) => `“${one.name}”`).join(', ');
        throw new Error(`${name} needs ${names}, which isn't among the files. Open them together, or drop the whole folder.`);
    }
    for (const one of needed) {
        const sidecar = find(one.name, folder, all);
        if (sidecar) files[one.name] = await read(sidecar.file, (part) => tell(lastOf(one.name), part));
    }
    const markers = find(markersName(name), folder, all);
    if (markers) files[markersName(name)] = await read(markers.file, (part) => tell(lastOf(markers.path), part));
    const missing = needed.map((one) => one.name).filter((one) => !(one in files));
    return { name, bytes, files, missing };
}

// ---- Errors -----------------------------------------------------------------------------------------------------

/** @type {[RegExp, string][]} */
const ADVICE = [
    [/^markers: /, 'Correct the .markers.json file, or open the model without it.'],
    [/16 bits|bake it again/, 'This is a baked asset. Open it with the Sinew version that baked it, or open its .glb.'],
    [/neither \.glb/, 'This isn’t a glTF file. Open a .glb, or a .gltf with the files that it needs.'],
    [/is empty/, 'Copy or download it again.'],
    [/truncated|text ends/, 'Copy or download it again.'],
    [/glTF 1\.0/, 'Convert it to glTF 2.0, or export it again.'],
    [/draco/i, 'The file is damaged. Export it again, or without compression (in Blender: Data, Compression).'],
    [/MeshoptDecoder/, 'This page has no decoder for it. Save it without meshopt compression.'],
    [/extension .* not supported/, 'Export it without that extension.'],
    [/memory/, 'The file is too large for this page, or its sizes are wrong.'],
];

// Adds the file's name and advice to one of the module's errors.
function explain(error, name) {
    const format = /\.bvh$/i.test(name) ? 'isn’t a BVH file' : 'violates the glTF specification';
    const advice = ADVICE.find(([pattern]) => pattern.test(error.message))?.[1] ?? `The file is damaged, or ${format}. Export it again.`;
    return `${name}: ${error.message}. ${advice}`;
}

// Calls take(), which loads a file, and explains its errors.
export function explaining(name, take) {
    try {
        return take();
    } catch (error) {
        throw new Error(explain(error, name), { cause: error });
    }
}
