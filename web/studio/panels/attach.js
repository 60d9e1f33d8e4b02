// Other files beside the character, or in its hands.
import { fromAngles, toAngles } from '../angles.js';
import { provideDraco } from '../draco.js';
import { explaining, fetchBuiltIn, onChosen, openFiles } from '../files.js';
import { withDecoder } from '../meshopt.js';
import { nodeName, nodeSelect, number, follow, show } from './controls.js';
import { button, element, hint, panel } from './parts.js';

const NOWHERE = 'Nothing: it stands on the ground';
const HAND = /^(grip_r|hand_r|righthand|.*:righthand|hand\.r)$/i; // where things are held, in the words of most rigs
const AXES = ['x', 'y', 'z'];

// Where a thing goes at first: into the hand, where there is one.
function handOf(asset) {
    const grip = asset.nodes.findIndex(({ name }) => /^grip_r$/i.test(name));
    return grip >= 0 ? grip : asset.nodes.findIndex(({ name }) => HAND.test(name));
}

// Three numbers in a row, as a group with a name.
function triple(legend, unit, onchange) {
    let values = [0, 0, 0];
    const fields = AXES.map((axis, i) => number(`${axis}, ${unit}`, {}, (value) => {
        values = values.with(i, value);
        onchange(values);
    }));
    const node = element('fieldset', { className: 'triple' }, element('legend', {}, legend),
        element('div', { className: 'row' }, ...fields.map(({ node }) => node)));
    const set = (next) => {
        values = [...next];
        fields.forEach((field, i) => field.set(values[i]));
    };
    return { node, set };
}

// One of the others: what carries it, and how it is held.
function row(stage, other) {
    const index = () => stage.others.indexOf(other);
    const offset = (changes) => stage.setOther(index(), { offset: changes });
    const said = element('span', { className: 'hint' });
    const joint = nodeSelect('Carried by', NOWHERE, (node) => stage.setOther(index(), { joint: node }));
    const moved = triple('Moved by', 'm', (translation) => offset({ translation }));
    const turned = triple('Turned by', '°', (angles) => offset({ rotation: fromAngles(angles) }));
    const scale = number('Scaled by', { min: 0.001, max: 1000 }, (value) => offset({ scale: [value, value, value] }));
    const node = element('details', { className: 'group' }, element('summary', {}, `${other.name} `, said),
        element('div', { className: 'stack' }, joint.node, moved.node, turned.node, scale.node,
            element('div', { className: 'row' }, button('Remove', () => stage.removeOther(index()),
                { className: 'danger', 'aria-label': `Remove ${other.name}` }))));
    joint.fill(stage.character.asset);
    const refresh = () => {
        const { asset } = stage.character, { translation, rotation, scale: [factor] } = other.offset;
        show(said, other.joint < 0 ? 'on the ground' : `on ${nodeName(asset, other.joint)}`);
        joint.set(other.joint);
        moved.set(translation);
        // What is typed is kept as it is: a turn has more than one name.
        if (!node.contains(document.activeElement)) turned.set(toAngles(rotation));
        scale.set(factor);
    };
    return { node, other, refresh };
}

export function attach(stage, place) {
    const file = element('input', { type: 'file', multiple: true, hidden: true, 'aria-label': 'Files to add' });
    const list = element('div', { className: 'stack' });
    let rows = [];

    // A wrong file is told about, and nothing is added.
    async function add(found) {
        try {
            const { name, bytes, files } = await found;
            const hang = () => stage.addOther(name, bytes, files, handOf(stage.character.asset));
            await provideDraco(stage, name, bytes);
            await withDecoder(stage, () => explaining(name, hang));
        } catch (error) {
            stage.tell('error', error.message);
        }
    }
    async function sword() {
        return { name: 'sword.glb', bytes: await fetchBuiltIn('sword.glb'), files: {} };
    }
    onChosen(file, (chosen) => add(openFiles(chosen)));
    panel(place, 'Attached files', hint('Another file, carried by a joint of the character or standing beside it.'),
        element('div', { className: 'row' }, button('Add a file…', () => file.click()), file,
            button('Add the sword', () => add(sword()))), list);

    function refresh() {
        rows = stage.others.map((other) => rows.find((row) => row.other === other) ?? row(stage, other));
        const isShown = rows.length === list.children.length && rows.every(({ node }, i) => node === list.children[i]);
        if (!isShown) list.replaceChildren(...rows.map(({ node }) => node));
        for (const { refresh } of rows) refresh();
    }
    follow(stage, ['others'], () => {}, refresh);
}
