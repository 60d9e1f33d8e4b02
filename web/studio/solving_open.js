// SPDX-License-Identifier: MIT
// Provides springs and dragging. The code is fetched for the first character with springs or the first drag.
import { springsOf } from './sinew/spring-bones.js';
/** @import { Character, Stage } from './stage.js' */

/** Loads what Stage.solving needs. */
export async function provideSolving(/** @type {Stage} */ stage) {
    if (stage.solving) return;
    const { Solving } = await import('./solving.js'), solving = await Solving.load(stage);
    if (!stage.solving) stage.setSolving(solving);
}

const hasSprings = (/** @type {Character} */ character) => Boolean(character && springsOf(character.bytes));

async function provideEffectors(/** @type {Stage} */ stage) {
    await provideSolving(stage);
    const { reach } = stage.solving;
    if (reach.roles || reach.searched === stage.character) return;
    await reach.find();
    stage.noteEffectors();
}

/** Turns on each new character's springs, including a compared one's. Finds its effectors when they're shown. */
export function followSolving(/** @type {Stage} */ stage) {
    const provide = async () => {
        const { character, view } = stage;
        if (!character) return;
        try {
            if (hasSprings(character) || hasSprings(stage.compare)) await provideSolving(stage);
            if (view.effectors) await provideEffectors(stage);
        } catch (error) {
            if (character !== stage.character) return;
            stage.setView({ effectors: false });
            stage.tell('error', `${character.name}: ${error.message}.`);
        }
    };
    stage.addEventListener('loaded', provide);
    stage.addEventListener('changed', ({ detail }) => {
        if (detail === 'compare' && !stage.solving) provide();
        if (detail === 'view' && stage.view.effectors && !stage.solving?.reach.roles) provide();
    });
}
