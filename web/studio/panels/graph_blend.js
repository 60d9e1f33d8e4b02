// SPDX-License-Identifier: MIT
// Editing the blend space of a state: its kind, its parameters and its samples.
import { number } from './controls.js';
import { showOptions } from './graph_fields.js';
import { button, element, pairOf, rowOf, select, stackOf } from './parts.js';
/** @import { GraphEditor } from '../graph_editor.js' */

const KINDS = [['line', 'Line'], ['triangles', 'Triangles'], ['directional', 'Directional']];

/** The names of parameters of some types, as options. */
export const parametersOf = ({ outline, document }, types) => outline.parameters
    .filter(({ target }) => types.includes(document.get(target)?.type)).map(({ name }) => [name, name]);

// The row of one sample. `blend()` is the blend space, and `write(blend)` replaces it.
function sampleRow(/** @type {GraphEditor} */ editor, index, blend, write) {
    const change = (changes, typing) => write({ ...blend(),
        samples: blend().samples.map((one, i) => (i === index ? { ...one, ...changes } : one)) }, typing);
    const clip = select(`Clip ${index + 1}`, [], '', (value) => change({ clip: value }, false));
    const [x, y] = ['x', 'y'].map((key) => number(key, {}, (value) => change({ [key]: value }, true)));
    const remove = button('✕', () => write({ ...blend(), samples: blend().samples.filter((_, i) => i !== index) }, false),
        { className: 'quiet square', 'aria-label': `Remove clip ${index + 1}` });
    for (const { input } of [x, y]) input.addEventListener('blur', () => editor.document?.endTyping());
    const refresh = () => {
        const { samples, kind = 'line' } = blend(), sample = samples[index];
        const names = [...new Set([sample.clip, ...editor.stage.character?.asset.clips.map(({ name }) => name) ?? []])];
        showOptions(clip, names.map((name) => [name, name]), sample.clip);
        x.set(sample.x ?? 0);
        y.set(sample.y ?? 0);
        y.node.hidden = kind === 'line';
        remove.disabled = samples.length < 2;
    };
    return { node: element('li', { className: 'row sample' }, clip.node, x.node, y.node, remove), refresh };
}

export function blendFields(/** @type {GraphEditor} */ editor) {
    const blend = () => editor.document.get(editor.target, 'blend');
    const write = (value, typing) => editor.edit((document) => document.set(editor.target, 'blend', value, { typing }));
    const kind = select('Kind', KINDS, 'line', (value) => write({ ...blend(), kind: value }, false));
    const x = select('x', [], '', (value) => write({ ...blend(), x: value }, false));
    const y = select('y', [], '', (value) => write({ ...blend(), y: value || undefined }, false));
    const list = element('ol', { className: 'list' });
    const add = button('Add clip', () => {
        const { samples } = blend(), last = samples.at(-1);
        write({ ...blend(), samples: [...samples, { clip: last.clip, x: (last.x ?? 0) + 1 }] }, false);
    });
    const node = stackOf(pairOf(kind.node, x.node, y.node), list,
        rowOf(add));
    let rows = [];
    function refresh(value) {
        const isBlend = Array.isArray(value?.samples) && value.samples.length > 0;
        node.hidden = !isBlend;
        if (!isBlend) return;
        const isVector = parametersOf(editor, ['vector2']).some(([name]) => name === value.x);
        kind.set(value.kind ?? 'line');
        showOptions(x, parametersOf(editor, ['float', 'int', 'vector2']), value.x ?? '');
        showOptions(y, [['', 'None'], ...parametersOf(editor, ['float', 'int'])], value.y ?? '');
        y.node.hidden = (value.kind ?? 'line') === 'line' || isVector;
        if (rows.length !== value.samples.length) {
            rows = value.samples.map((_, index) => sampleRow(editor, index, blend, write));
            list.replaceChildren(...rows.map((one) => one.node));
        }
        for (const row of rows) row.refresh();
    }
    return { node, refresh };
}
