// SPDX-License-Identifier: MIT
// Changes all of a graph's transitions to one kind, for a comparison.
import { TRANSITIONS } from './defaults.js';

function change(machine, kind) {
    for (const transition of machine.transitions ?? []) {
        transition.kind = kind;
        if (kind !== 'fade') delete transition.matchRate;
    }
    for (const state of Object.values(machine.states ?? {})) if (state.states) change(state, kind);
}

/** A graph's text with all transitions changed to one of TRANSITIONS (defaults.js). */
export function withKind(text, kind) {
    const graph = JSON.parse(text.replace(/^\ufeff/, ''));
    for (const layer of graph.layers ?? []) change(layer, TRANSITIONS[kind]);
    return graph;
}
