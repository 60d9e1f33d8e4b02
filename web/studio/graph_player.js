// SPDX-License-Identifier: MIT
// Plays a graph: with an animator, or with a character if the graph has a rig.
import { Animator, Character, Rig } from './sinew/character.js';
import { rootOf } from './locomotion.js';

const MAX_ACTIONS = 64;

/** @returns {animator is Character} */
export const isCharacter = (animator) => animator instanceof Character;

// The studio's ground is flat.
function ground(_place, { position }) {
    position[1] = 0;
}

// Callbacks do nothing here: they belong to the user's program.
const step = () => {};

// A root warp moves the character. Without one, the character stays and its pose has the clip's motion.
const rootMotionOf = (asset, { steps }) => (steps.some(({ kind }) => kind === 'rootWarp') ? { node: rootOf(asset) } : null);

function makeCharacter(asset, graph) {
    const rig = new Rig(asset, graph);
    try {
        return new Character(rig, { maxActions: MAX_ACTIONS, ground, step, rootMotion: rootMotionOf(asset, graph) });
    } finally {
        rig.dispose(); // freed with the character
    }
}

/**
 * Returns a player for a graph on an asset. It continues from `before`, the player of another graph on the same
 * asset, and then either returns or disposes `before`. Throws if the graph doesn't fit; then `before` stays.
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
