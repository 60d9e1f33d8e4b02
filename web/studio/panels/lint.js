// SPDX-License-Identifier: MIT
// The panel of the lint report: findings by rule and clip; a click goes to the joint and the moment. Its WebAssembly
// module is fetched for the first report.
import { download, sizeOf, stemOf } from '../download.js';
import { arrangeFindings } from '../findings.js';
import { isBaked } from '../gltf.js';
import { show } from './controls.js';
import { button, element, hint, panel } from './parts.js';
/** @import { Stage } from '../stage.js' */

const MAX_TARGETS = 6; // of one group; the rest is added by a button

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
const count = (number, one) => `${number.toLocaleString('en')} ${one}${number === 1 ? '' : 's'}`;

function summaryOf({ errors, warnings, notes, findings }) {
    if (findings.length === 0) return 'No problems found.';
    return `${count(errors, 'error')}, ${count(warnings, 'warning')}, ${count(notes, 'note')}`;
}

// The targets of one group: buttons that go there, and one that adds those that are not shown.
function makeTargets(group, goTo) {
    const line = element('span', { className: 'targets' });
    const add = (targets) => line.append(...targets.map((target) => (
        button(target.label, () => goTo(group, target), { className: 'target', title: target.messages.join('\n'),
            disabled: group.clip < 0 && target.node < 0 }))));
    add(group.targets.slice(0, MAX_TARGETS));
    const rest = group.targets.slice(MAX_TARGETS);
    if (rest.length === 0) return line;
    const more = button(`${rest.length} more`, () => {
        more.remove();
        add(rest);
    }, { className: 'target quiet' });
    line.append(more);
    return line;
}

const makeGroup = (group, goTo) => element('li', {}, element('strong', {}, group.name), makeTargets(group, goTo));

// A rule, closed. Its groups are made when it is opened: there may be thousands of targets.
function makeRule(rule, goTo) {
    const { severity, title, why, advice, fixable, bytes, groups } = rule;
    const about = [severity, bytes > 0 ? sizeOf(bytes) : '', fixable ? 'fixable' : ''].filter(Boolean).join(', ');
    const summary = element('summary', {}, element('strong', {}, capital(title ?? rule.rule)),
        ` × ${rule.count.toLocaleString('en')} `,
        element('span', { className: severity === 'error' ? 'bad' : 'hint' }, about));
    const node = element('details', { className: 'group finding' }, summary);
    node.addEventListener('toggle', () => node.append(element('div', { className: 'stack' },
        ...[why, advice].filter(Boolean).map((text) => hint(text)),
        element('ul', { className: 'locations' }, ...groups.map((group) => makeGroup(group, goTo))))), { once: true });
    return node;
}

export function lint(/** @type {Stage} */ stage, /** @type {HTMLElement} */ container) {
    const status = element('p', { role: 'status' }), list = element('div', { className: 'stack' });
    const check = button('Check file', () => run(report), { className: 'primary' });
    const fix = button('Fix and save .glb', () => run(save),
        { title: 'Fixes what can be fixed without changing the motion', disabled: true });
    panel(container, 'Lint', hint('Finds faults and wasted bytes, like ', element('code', {}, 'sinew lint'),
        '. Click a joint to go to it.'), element('div', { className: 'row' }, check, fix), status, list);

    function goTo({ clip }, { node, time }) {
        if (clip >= 0) stage.showMoment(clip, time);
        if (node >= 0) stage.select(node);
    }
    function clear() {
        show(status, '');
        list.replaceChildren();
        fix.disabled = true;
    }
    async function report({ lintFile }, { name, bytes, files }) {
        const { character } = stage, found = await lintFile(bytes, files, name, stage.meshopt);
        if (stage.character !== character) return;
        show(status, summaryOf(found));
        list.replaceChildren(...arrangeFindings(found.findings, character).map((rule) => makeRule(rule, goTo)));
        fix.disabled = !found.findings.some(({ fixable }) => fixable);
    }
    async function save({ fixFile }, { name, bytes, files }) {
        const fixed = await fixFile(bytes, files, name, stage.meshopt);
        const before = Object.values(files).reduce((sum, file) => sum + file.length, bytes.length);
        const to = `${stemOf(name)}-fixed.glb`;
        download(new Blob([fixed], { type: 'model/gltf-binary' }), to);
        show(status, `Saved ${to}: ${sizeOf(before)} before, ${sizeOf(fixed.length)} now.`);
    }
    async function run(what) {
        const { character } = stage, wasDisabled = fix.disabled;
        if (isBaked(character.bytes)) {
            show(status, `${character.name} is a baked asset. Open its .glb.`);
            return;
        }
        check.disabled = fix.disabled = true;
        show(status, `Checking ${character.name}…`);
        try {
            fix.disabled = wasDisabled;
            await what(await import('../lint.js'), character);
        } catch (error) {
            show(status, `${character.name}: ${error.message}.`);
        } finally {
            check.disabled = false;
        }
    }
    stage.addEventListener('loaded', clear);
}
