// SPDX-License-Identifier: MIT
// The keys of a clip's channels, read from the file: the package only has the sampled pose.
import { readFloats, readGltf } from './gltf.js';

/**
 * One channel's keys: { times, interpolation }, or null if the clip doesn't have the channel. If the file's keys are
 * compressed, the times are null.
 */
export function keysOf({ bytes, files, asset }, clip, node, property) {
    const gltf = readGltf(bytes), animation = gltf.json.animations?.[clip.index];
    const { source } = asset.nodes[node];
    const channel = animation?.channels.find(({ target }) => target.node === source && target.path === property);
    const sampler = animation?.samplers[channel?.sampler];
    if (!sampler) return null;
    return { times: readFloats(gltf, sampler.input, files), interpolation: sampler.interpolation ?? 'LINEAR' };
}

/** The names of a node's morph targets: its mesh's, else numbers. */
export function targetNames({ bytes, asset }, node) {
    const { json } = readGltf(bytes), { source, weightCount } = asset.nodes[node];
    const names = json.meshes?.[json.nodes[source]?.mesh]?.extras?.targetNames ?? [];
    return Array.from({ length: weightCount }, (_, i) => String(names[i] ?? `Target ${i + 1}`));
}
