// SPDX-License-Identifier: MIT
// The keys of a clip's channels, from the file: the package has only the sampled pose.
import { readFloats, readGltf } from './gltf.js';

/**
 * The keys of one channel: { times, interpolation }, or null where the clip has no such channel. The times are null in a
 * file whose keys are compressed.
 */
export function keysOf({ bytes, files, asset }, clip, node, property) {
    const gltf = readGltf(bytes), animation = gltf.json.animations?.[clip.index];
    const { source } = asset.nodes[node];
    const channel = animation?.channels.find(({ target }) => target.node === source && target.path === property);
    const sampler = animation?.samplers[channel?.sampler];
    if (!sampler) return null;
    return { times: readFloats(gltf, sampler.input, files), interpolation: sampler.interpolation ?? 'LINEAR' };
}

/** The names of the morph targets of a node: those of its mesh, otherwise numbers. */
export function targetNames({ bytes, asset }, node) {
    const { json } = readGltf(bytes), { source, weightCount } = asset.nodes[node];
    const names = json.meshes?.[json.nodes[source]?.mesh]?.extras?.targetNames ?? [];
    return Array.from({ length: weightCount }, (_, i) => String(names[i] ?? `Target ${i + 1}`));
}
