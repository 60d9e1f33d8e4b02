// SPDX-License-Identifier: MIT
// The panel of layers: the clip, mode, weight and mask of three layers above the base.
import { FEATHER, LAYERS } from '../defaults.js';
import { clipName, clipOptions, follow, nodeName, nodeSelect, number, show } from './controls.js';
import { choice, element, hint, panel, select, slider } from './parts.js';
/** @import { Asset } from '../sinew/index.js' */
/** @import { Stage } from '../stage.js' */

const MAX_FEATHER = 20;
const UPPER_BODY = /spine/i; // the first joint of the upper body in common rigs

// The default mask: from the spine on. An override of the whole body would hide the base.
function firstMask(/** @type {Asset} */ asset) {
    const node = asset.nodes.findIndex(({ name }) => UPPER_BODY.test(name));
    return node < 0 ? null : { node, feather: FEATHER };
}

// The summary of a layer.
function describe(/** @type {Asset} */ asset, { clip, mode, weight, mask }) {
    if (!asset || clip < 0) return 'empty';
    const part = mask ? `, mask from ${nodeName(asset, mask.node)}` : '';
    return `${clipName(asset, clip)}, ${mode}${part}, ${Math.round(100 * weight)} %`;
}

function layer(/** @type {Stage} */ stage, index) {
    const now = () => stage.layers[index];
    const change = (changes) => stage.setLayer(index, changes);
    const chooseClip = (clip) => {
        const isFirst = now().clip < 0 && !now().mask && clip >= 0;
        change(isFirst ? { clip, mask: firstMask(stage.character.asset) } : { clip });
    };
    const summary = element('span', { className: 'hint' });
    const clip = select('Clip', [], -1, (value) => chooseClip(Number(value)));
    const mode = choice('Mode', { override: 'Override', additive: 'Additive' }, 'override', (value) => (
        change({ mode: value })));
    const weight = slider({ label: 'Weight', value: 1, oninput: (value) => change({ weight: value }) });
    const mask = nodeSelect('Mask from joint', 'Whole body', (node) => (
        change({ mask: node < 0 ? null : { node, feather: now().mask?.feather ?? FEATHER } })));
    const feather = number('Feather (joints)', { min: 0, max: MAX_FEATHER, step: 1 }, (value) => (
        change({ mask: { ...now().mask, feather: value } })));

    follow(stage, ['layers'], (asset) => {
        clip.fill([[-1, 'None'], ...clipOptions(asset)], now().clip);
        mask.fill(asset);
    }, () => {
        const layer = now(), isOff = layer.clip < 0;
        show(summary, describe(stage.character?.asset, layer));
        clip.set(layer.clip);
        mode.set(layer.mode);
        weight.set(layer.weight);
        mask.set(layer.mask?.node ?? -1);
        feather.set(layer.mask?.feather ?? 0);
        for (const input of [...mode.inputs, weight.input, mask.input, mask.search]) input.disabled = isOff;
        feather.input.disabled = isOff || !layer.mask;
    });
    return element('details', { open: index === 1, className: 'group' },
        element('summary', {}, `Layer ${index}: `, summary),
        element('div', { className: 'stack' }, clip.node, mode.node, weight.node, mask.node, feather.node));
}

export function layers(/** @type {Stage} */ stage, /** @type {HTMLElement} */ container) {
    const made = Array.from({ length: LAYERS - 1 }, (_, i) => layer(stage, i + 1));
    const about = 'A layer overrides or adds to the layers below, on the whole body or from a joint down.';
    panel(container, 'Layers', hint(about), ...made);
}
