// Three layers over the base: what each plays, how, how much of it, and for which part of the body.
import { LAYERS } from '../defaults.js';
import { clipName, clipOptions, follow, nodeName, nodeSelect, number, show } from './controls.js';
import { choice, element, hint, panel, select, slider } from './parts.js';

const FEATHER = 2; // joints, as far as a mask fades out by itself
const MOST_FEATHER = 20;
const UPPER_BODY = /spine/i; // where it begins, in the words of most rigs

// A clip that overrides the whole body leaves nothing to be seen of the base; so a first one begins at the spine.
function firstMask(asset) {
    const node = asset.nodes.findIndex(({ name }) => UPPER_BODY.test(name));
    return node < 0 ? null : { node, feather: FEATHER };
}

// What a layer does, in a line.
function describe(asset, { clip, mode, weight, mask }) {
    if (!asset || clip < 0) return 'nothing';
    const what = mode === 'additive' ? `adds ${clipName(asset, clip)}` : clipName(asset, clip);
    const where = mask ? ` from ${nodeName(asset, mask.node)} on` : '';
    return `${what}${where}, ${Math.round(100 * weight)} %`;
}

function layer(stage, index) {
    const now = () => stage.layers[index];
    const change = (changes) => stage.setLayer(index, changes);
    const chooseClip = (clip) => {
        const isFirst = now().clip < 0 && !now().mask && clip >= 0;
        change(isFirst ? { clip, mask: firstMask(stage.character.asset) } : { clip });
    };
    const said = element('span', { className: 'hint' });
    const clip = select('Clip', [], -1, (value) => chooseClip(Number(value)));
    const mode = choice('How', { override: 'Override', additive: 'Add' }, 'override', (value) => (
        change({ mode: value })));
    const weight = slider({ label: 'Weight', value: 1, oninput: (value) => change({ weight: value }) });
    const mask = nodeSelect('Covers', 'The whole body', (node) => (
        change({ mask: node < 0 ? null : { node, feather: now().mask?.feather ?? FEATHER } })));
    const feather = number('Soft edge, joints', { min: 0, max: MOST_FEATHER, step: 1 }, (value) => (
        change({ mask: { ...now().mask, feather: value } })));

    follow(stage, ['layers'], (asset) => {
        clip.fill([[-1, 'None'], ...clipOptions(asset)], now().clip);
        mask.fill(asset);
    }, () => {
        const layer = now(), isOff = layer.clip < 0;
        show(said, describe(stage.character?.asset, layer));
        clip.set(layer.clip);
        mode.set(layer.mode);
        weight.set(layer.weight);
        mask.set(layer.mask?.node ?? -1);
        feather.set(layer.mask?.feather ?? 0);
        for (const input of [...mode.inputs, weight.input, mask.input, mask.search]) input.disabled = isOff;
        feather.input.disabled = isOff || !layer.mask;
    });
    return element('details', { open: index === 1, className: 'group' },
        element('summary', {}, `Layer ${index} `, said),
        element('div', { className: 'stack' }, clip.node, mode.node, weight.node, mask.node, feather.node));
}

export function layers(stage, place) {
    const made = Array.from({ length: LAYERS - 1 }, (_, i) => layer(stage, i + 1));
    panel(place, 'Layers', hint('A layer plays a clip over what is below it: on the whole body, or from one joint on.'),
        ...made);
}
