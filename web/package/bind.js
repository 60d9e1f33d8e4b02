// SPDX-License-Identifier: MIT
// Copies clips: to another asset, or several into one.
import { BIND } from './constants.js';
import { $address, $module, $owner } from './internal.js';
import { View, toBytes, toFloat } from './module.js';

function toMap(names) {
    const entries = Object.entries(names);
    if (entries.every(([, target]) => target === null || typeof target === 'string')) return entries;
    throw new TypeError("names must be an object from the clip's node names to this asset's, or null");
}

function toFraction(value) {
    if (toFloat(value, 'minMatch') >= 0 && value <= 1) return value;
    throw new RangeError(`minMatch must be from 0 to 1, not ${value}`);
}

// Checks the options of bindClip.
export function toBindOptions({ names = {}, ignorePrefixes = false, rotationsOnly = false, minMatch = 0.5 } = {}) {
    return { names: toMap(names), ignorePrefixes: Boolean(ignorePrefixes), rotationsOnly: Boolean(rotationsOnly),
        minMatch: toFraction(minMatch) };
}

// Packs the options into the module's layout.
function pack({ names, ignorePrefixes, rotationsOnly, minMatch }, namesAddress, nodesAddress) {
    const words = new DataView(new ArrayBuffer(BIND.size));
    words.setUint32(BIND.nameCount, names.length, true);
    words.setUint32(BIND.names, namesAddress, true);
    words.setUint32(BIND.ignorePrefixes, Number(ignorePrefixes), true);
    words.setUint32(BIND.rotationsOnly, Number(rotationsOnly), true);
    words.setFloat32(BIND.minMatch, minMatch, true);
    words.setUint32(BIND.boundNodes, nodesAddress, true);
    return toBytes(words);
}

// Copies a clip for an asset. Returns the copy's address (0 on failure), and each clip channel's node or -1.
export function bind(asset, clip, options) {
    const { [$module]: module } = asset, { exports } = module, count = clip.channels.length;
    const names = module.copyStrings(options.names.flatMap(([source, target]) => [source, target ?? '']));
    const nodes = module.allocate(4 * count + 4), bind = module.copyIn(pack(options, names, nodes));
    try {
        const address = exports.web_clip_bind(clip[$address], asset[$address], bind) >>> 0;
        return { address, nodes: [...new View(module, module, Int32Array, nodes, count).array] };
    } finally {
        for (const copy of [names, nodes, bind]) exports.free(copy);
    }
}

// Combines an asset's clips. Returns the new clips' addresses, and whether each clip is left out.
export function combine(module, clips) {
    const { exports } = module, count = clips.length, from = module.allocate(9 * count + 1);
    const to = from + 4 * count, flags = to + 4 * count;
    try {
        new View(module, module, Uint32Array, from, count).array.set(clips.map(({ [$address]: address }) => address));
        const made = exports.web_clip_combine(from, count, to, flags);
        if (made < 0) throw module.error();
        return { addresses: [...new View(module, module, Uint32Array, to, made).array],
            isLeftOut: [...new View(module, module, Uint8Array, flags, count).array] };
    } finally {
        exports.free(from);
    }
}

// The names of a clip's nodes that weren't found. Channels that the options leave out don't count.
export function unmatchedNames({ [$owner]: owner, channels }, nodes, { names, rotationsOnly }) {
    const excluded = new Set(names.filter(([, target]) => !target).map(([source]) => source));
    const isUnmatched = ({ node, target }, i) => nodes[i] < 0 && !excluded.has(owner.nodes[node].name)
        && !(rotationsOnly && target !== 'rotation');
    return [...new Set(channels.filter(isUnmatched).map(({ node }) => owner.nodes[node].name))];
}
