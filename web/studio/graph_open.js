// SPDX-License-Identifier: MIT
// Opens animation graphs. The code for them is fetched for the first one.
import { fetchBuiltIn } from './files.js';
/** @import { Stage } from './stage.js' */

export const BUILT_IN_GRAPHS = { 'hero.glb': 'hero.graph.json' };
export const BUILT_IN_RIGS = { 'hero.glb': 'hero.character.json' }; // graphs with a rig

/** Loads the class that Stage.openGraph needs. */
export async function provideGraphs(/** @type {Stage} */ stage) {
    stage.GraphDriver ??= (await import('./graph_driver.js')).GraphDriver;
}

export async function openGraph(/** @type {Stage} */ stage, name, text) {
    await provideGraphs(stage);
    stage.openGraph(name, text);
}

export const fetchGraphText = async (name) => new TextDecoder().decode(await fetchBuiltIn(name));

/** Whether a graph of this name comes with the page. */
export const isBuiltIn = (name) => [BUILT_IN_GRAPHS, BUILT_IN_RIGS].some((names) => Object.values(names).includes(name));

/** Opens a built-in model's graph, from BUILT_IN_GRAPHS or BUILT_IN_RIGS. */
export async function openBuiltInGraph(/** @type {Stage} */ stage, model, names = BUILT_IN_GRAPHS) {
    const name = names[model];
    await openGraph(stage, name, await fetchGraphText(name));
}
