// SPDX-License-Identifier: MIT
// What a page has passed, for messages about wrong arguments.
const LIBRARY = [
    [(value) => value.isObject3D, ({ type }) => `a three.js ${type}`],
    [(value) => value.scene?.isObject3D, () => "GLTFLoader's gltf"],
    [(value) => value.tracks && value.uuid, ({ name }) => `the AnimationClip '${name}'`],
    [(value) => value.channels && 'additive' in value, ({ name }) => `the Clip '${name}'`],
    [(value) => value instanceof Promise, () => 'a Promise: await it'],
];

/** @param {any} value */
export function given(value) {
    if (typeof value === 'string') return `'${value}'`;
    if (value === null || typeof value !== 'object') return typeof value === 'function' ? 'a function' : String(value);
    const found = LIBRARY.find(([is]) => is(value));
    if (found) return found[1](value);
    const name = value.constructor?.name ?? 'Object';
    return name === 'Object' ? 'a plain object' : `an object of class ${name}`;
}
