// SPDX-License-Identifier: MIT
// What plays a graph: an animator, or a character for a graph with a rig.
import { Animator, Character, Rig } from './sinew/character.js';
import { rootOf } from './locomotion.js';

const MAX_ACTIONS = 64;

/** @returns {animator is Character} */
export const isCharacter = (animator) => animator instanceof Character;

// The ground of the studio is flat.
function ground(_place, { position }) {
    position[1] = 0;
}

// Callbacks of the program do nothing here.
const step = () => {};

// A root warp moves the character. Without one it stays, with the clip's motion in its pose.
const rootMotionOf = (asset, { steps }) => (steps.some(({ kind }) => kind === 'rootWarp') ? { node: rootOf(asset) } : null);

function makeCharacter(asset, graph) {
    const rig = new Rig(asset, graph);
    try {
        return new Character(rig, { maxActions: MAX_ACTIONS, ground, step, rootMotion: rootMotionOf(asset, graph) });
    } finally {
        rig.dispose(); // its memory is freed with the character
    }
}

/**
 * Returns what plays a graph on an asset. It continues `before`, another graph's player of the same asset, which is
 * returned itself or disposed. Throws if the graph doesn't fit; then `before` stays.
 */
export function playGraph(asset, graph, before = null) {
    if (before && !isCharacter(before) && graph.steps.length === 0) return before.setGraph(graph);
    const made = graph.steps.length > 0 ? makeCharacter(asset, graph) : new Animator(asset, graph, { maxActions: MAX_ACTIONS });
    if (!before) return made;
    made.adopt(before);
    if (isCharacter(made) && isCharacter(before)) made.teleport(before.world());
    before.dispose();
    return made;
}
