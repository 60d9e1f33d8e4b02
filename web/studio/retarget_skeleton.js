// SPDX-License-Identifier: MIT
// A glTF file with a skeleton in its rest pose, for motion that comes without glTF.
import { writeGlb } from './gltf.js';

/** Makes a .glb from nodes [{ name, parent, head }]. They have no rotation. */
export function skeletonGlb(nodes) {
    const made = nodes.map(({ name, parent, head }) => (
        { name, translation: parent < 0 ? [...head] : head.map((value, i) => value - nodes[parent].head[i]) }));
    nodes.forEach(({ parent }, node) => {
        if (parent >= 0) (made[parent].children ??= []).push(node);
    });
    const roots = [...nodes.keys()].filter((node) => nodes[node].parent < 0);
    const json = { asset: { version: '2.0' }, scene: 0, scenes: [{ nodes: roots }], nodes: made };
    return writeGlb({ json, binary: null });
}
