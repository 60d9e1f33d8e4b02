// SPDX-License-Identifier: MIT
// Opens animation graphs. Their code is fetched for the first one.
import { fetchBuiltIn } from './files.js';
/** @import { Stage } from './stage.js' */

export const BUILT_IN_GRAPHS = { 'hero.glb': 'hero.graph.json' };

/** Loads the class that Stage.openGraph needs. */
export async function provideGraphs(/** @type {Stage} */ stage) {
    stage.GraphDriver ??= (await import('./graph_driver.js')).GraphDriver;
}

export async function openGraph(/** @type {Stage} */ stage, name, text) {
    await provideGraphs(stage);
    stage.openGraph(name, text);
}

export const fetchGraphText = async (name) => new TextDecoder().decode(await fetchBuiltIn(name));

/** Opens the graph of a built-in model. */
export async function openBuiltInGraph(/** @type {Stage} */ stage, model) {
    const name = BUILT_IN_GRAPHS[model];
    await openGraph(stage, name, await fetchGraphText(name));
}
