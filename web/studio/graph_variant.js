// SPDX-License-Identifier: MIT
// A graph whose transitions are all of one kind, for a comparison.
import { TRANSITIONS } from './defaults.js';

function change(machine, kind) {
    for (const transition of machine.transitions ?? []) {
        transition.kind = kind;
        if (kind !== 'fade') delete transition.matchRate;
    }
    for (const state of Object.values(machine.states ?? {})) if (state.states) change(state, kind);
}

/** The text of a graph with all transitions of a kind of TRANSITIONS (defaults.js). */
export function withKind(text, kind) {
    const graph = JSON.parse(text.replace(/^\ufeff/, ''));
    for (const layer of graph.layers ?? []) change(layer, TRANSITIONS[kind]);
    return graph;
}
