// SPDX-License-Identifier: MIT
// The panel of morph targets: a slider shows each weight, and overrides it when it is moved.
import { targetNames } from '../tracks.js';
import { nodeName } from './controls.js';
import { button, element, hint, panel, slider } from './parts.js';
/** @import { Stage } from '../stage.js' */

export function morphs(/** @type {Stage} */ stage, /** @type {HTMLElement} */ container) {
    const list = element('div', { className: 'stack' });
    const release = button('Follow the clip', () => stage.releaseMorphs());
    const node = panel(container, 'Morph targets', hint('Move a slider to hold its weight.'), list,
        element('div', { className: 'row' }, release));
    let rows = [];

    function makeRow(at, target, label) {
        const made = slider({ label, oninput: (value) => stage.setMorph(at, target, value) });
        list.append(made.node);
        return { ...made, at, target };
    }
    function fill() {
        const { character } = stage, { nodes } = character.asset;
        const morphed = nodes.map((_, at) => at).filter((at) => nodes[at].weightCount > 0);
        node.hidden = morphed.length === 0;
        list.replaceChildren();
        rows = morphed.flatMap((at) => {
            if (morphed.length > 1) list.append(element('h3', {}, nodeName(character.asset, at)));
            return targetNames(character, at).map((label, target) => makeRow(at, target, label));
        });
    }
    function show() {
        release.disabled = stage.heldMorphs.length === 0;
        if (!node.checkVisibility()) return;
        const { mixer } = stage.character;
        for (const { set, at, target } of rows) set(mixer.morphWeights(at)[target]);
    }
    stage.addEventListener('loaded', fill);
    stage.addEventListener('frame', show);
}
