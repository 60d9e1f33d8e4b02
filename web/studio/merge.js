// SPDX-License-Identifier: MIT
// Adds another file's clips to a character, matched by joint names. The result is one glTF file.
import { isBaked, readGltf, writeGlb } from './gltf.js';
import { stemOf } from './download.js';
/** @import { Character } from './stage.js' */

const SEPARATOR = /[:|_. -]/;
const UNNAMED = /^(mixamo\.com|take ?\d*|animation|default|unreal take)?$/i; // exporters' names for a single clip

// The prefix of most names, up to a separator, such as "mixamorig:" or "Armature|".
function prefixOf(names) {
    const counts = new Map();
    for (const name of names) {
        for (let end = 1; end < name.length; end++) {
            if (!SEPARATOR.test(name[end - 1])) continue;
            const prefix = name.slice(0, end);
            counts.set(prefix, (counts.get(prefix) ?? 0) + 1);
        }
    }
    const common = [...counts].filter(([, count]) => count > 0.8 * names.length).map(([prefix]) => prefix);
    return common.reduce((longest, prefix) => (prefix.length > longest.length ? prefix : longest), '');
}

const plain = (name) => name.replace(/^.*[:|]/, '').replace(/[_. -]/g, '').toLowerCase();

// Two keys for each named node, by index: its name, and its name without the file's prefix.
function keysOf({ nodes = [], skins = [], animations = [] }) {
    const targets = animations.flatMap(({ channels }) => channels.map(({ target }) => target.node));
    const used = new Set([...skins.flatMap(({ joints }) => joints), ...targets]);
    const prefix = prefixOf([...used].map((node) => nodes[node]?.name ?? '').filter(Boolean));
    return nodes.map(({ name = '' }) => (
        [plain(name), plain(name.slice(name.startsWith(prefix) ? prefix.length : 0))]));
}

// For each node of `from`, the node of `to` with the same name, by index.
function mapNodes(from, to) {
    const byKey = [new Map(), new Map()];
    keysOf(to).forEach((keys, node) => keys.forEach((key, kind) => {
        if (key !== '' && !byKey[kind].has(key)) byKey[kind].set(key, node);
    }));
    return new Map(keysOf(from).flatMap(([whole, short], node) => {
        const found = byKey[0].get(whole) ?? byKey[1].get(short);
        return found === undefined ? [] : [[node, found]];
    }));
}

const targetCount = ({ nodes, meshes = [] }, node) => meshes[nodes[node].mesh]?.primitives[0].targets?.length ?? 0;

// Makes a test for channels: the character must have the node, without a matrix, and with as many morph targets.
function isBoundBy(map, from, to) {
    return ({ target: { node, path } }) => {
        const own = map.get(node);
        if (own === undefined || to.nodes[own].matrix) return false;
        return path !== 'weights' || targetCount(from, node) === targetCount(to, own);
    };
}

/**
 * How a file's clips fit a character: { total, clips, bound, joints }, counts of clips and of animated joints.
 * Returns null if either is a baked asset, because those clips can't be copied.
 */
export function compareNames(/** @type {Character} */ character, bytes) {
    if (isBaked(bytes) || isBaked(character.bytes)) return null;
    const from = readGltf(bytes).json, to = readGltf(character.bytes).json, map = mapNodes(from, to);
    const isBound = isBoundBy(map, from, to);
    const animations = from.animations ?? [];
    const joints = new Set(animations.flatMap(({ channels }) => channels.map(({ target }) => target.node)));
    joints.delete(undefined);
    return {
        total: animations.length, clips: animations.filter(({ channels }) => channels.some(isBound)).length,
        bound: [...joints].filter((node) => map.has(node)).length, joints: joints.size,
    };
}

// Copies accessors, with their buffer views and buffers, from one file to another. Copies each once.
class Copier {
    constructor(from, to, files, name) {
        this.from = from;
        this.to = to.json;
        this.files = files;
        this.name = name;
        this.done = new Map();
        for (const list of ['accessors', 'bufferViews', 'buffers']) this.to[list] ??= [];
    }

    #copy(list, index, change) {
        const key = `${list} ${index}`;
        if (!this.done.has(key)) {
            const made = change(structuredClone(this.from.json[list][index]));
            this.done.set(key, this.to[list].push(made) - 1);
        }
        return this.done.get(key);
    }

    accessor(index) {
        return this.#copy('accessors', index, (accessor) => {
            for (const part of [accessor, accessor.sparse?.indices, accessor.sparse?.values]) {
                if (part?.bufferView !== undefined) part.bufferView = this.#view(part.bufferView);
            }
            return accessor;
        });
    }

    #view(index) {
        return this.#copy('bufferViews', index, (view) => {
            for (const part of [view, ...Object.values(view.extensions ?? {})]) {
                if (part.buffer !== undefined) part.buffer = this.#buffer(part.buffer);
            }
            return view;
        });
    }

    // Buffers become sidecar files with new names.
    #buffer(index) {
        return this.#copy('buffers', index, (buffer) => {
            if (buffer.uri?.startsWith('data:')) return buffer;
            const bytes = buffer.uri === undefined ? this.from.binary : this.from.files[decodeURIComponent(buffer.uri)];
            if (!bytes) return buffer; // a meshopt buffer, without bytes of its own
            const name = `${this.name} ${this.to.buffers.length}.bin`;
            this.files[name] = bytes;
            return { ...buffer, uri: encodeURIComponent(name) };
        });
    }
}

function freeName(name, taken) {
    let free = name;
    for (let i = 2; taken.has(free); i++) free = `${name} ${i}`;
    taken.add(free);
    return free;
}

/**
 * Adds another file's clips to the character: { bytes, files, count }. Leaves out channels of joints that the
 * character doesn't have, and morph channels with a different number of targets.
 */
export function addClips(/** @type {Character} */ character, other) {
    const to = readGltf(character.bytes), from = { ...readGltf(other.bytes), files: other.files };
    const map = mapNodes(from.json, to.json), files = { ...character.files };
    const copier = new Copier(from, to, files, other.name), isBound = isBoundBy(map, from.json, to.json);
    const animations = from.json.animations ?? [];
    to.json.animations ??= [];
    const taken = new Set(to.json.animations.map(({ name }) => name));
    let count = 0;
    for (const { channels, samplers, name = '', ...rest } of animations) {
        const bound = channels.filter(isBound);
        if (bound.length === 0) continue;
        const title = UNNAMED.test(name) ? stemOf(other.name) : name;
        to.json.animations.push({
            ...rest, name: freeName(title, taken),
            channels: bound.map(({ sampler, target }) => (
                { sampler, target: { ...target, node: map.get(target.node) } })),
            samplers: samplers.map((sampler) => (
                { ...sampler, input: copier.accessor(sampler.input), output: copier.accessor(sampler.output) })),
        });
        count++;
    }
    for (const list of ['extensionsUsed', 'extensionsRequired']) {
        const names = new Set([...to.json[list] ?? [], ...(from.json[list] ?? []).filter((name) => /mesh(opt|_quant)/.test(name))]);
        if (names.size > 0) to.json[list] = [...names];
    }
    return { bytes: writeGlb(to), files, count };
}
