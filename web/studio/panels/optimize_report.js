// SPDX-License-Identifier: MIT
// The report of an optimization: bytes, the largest displacement, those of clips and joints, and what became of meshes. A click
// shows the moment.
import { download, sizeOf } from '../download.js';
import { show } from './controls.js';
import { button, element, hint, rowOf } from './parts.js';
/** @import { Optimizer } from '../optimize_driver.js' */

const MAX_JOINTS = 10;

// Three digits: 0.012, 1.23, 12.3.
const millimetres = (length) => `${length < 1 ? length.toFixed(3) : length.toPrecision(3)} mm`;

const bytesOf = ({ animationData, animationJson }) => animationData + animationJson;

// A table of bytes before and after.
function bytesTable() {
    const head = ['', 'Before', 'After', 'Saved'].map((words) => element('th', { scope: 'col' }, words));
    const table = element('table', { className: 'table bytes' }, element('caption', { className: 'only-read' }, 'Bytes before and after'),
        element('thead', {}, element('tr', {}, ...head)));
    const rows = ['Animation', 'Meshes', 'File'].map((words) => {
        const cells = head.slice(1).map(() => element('td', { className: 'number' }));
        const row = element('tr', {}, element('th', { scope: 'row' }, words), ...cells);
        table.append(row);
        return { row, cells };
    });
    function fill({ files, meshes }) {
        const values = [files.map(bytesOf), meshes?.bytes ?? [0, 0], files.map(({ bytes }) => bytes)];
        rows.forEach(({ row, cells }, i) => {
            const [before, after] = values[i];
            row.hidden = i === 1 && before === 0;
            [sizeOf(before), sizeOf(after), `${Math.round(100 * (1 - after / before))} %`].forEach((value, k) => show(cells[k], value));
        });
    }
    return { node: table, fill };
}

// A list of moments with their displacements, the largest first.
function momentList(title, /** @type {Optimizer} */ driver) {
    const list = element('ul', { className: 'list' });
    const node = element('details', { className: 'group', open: title === 'Clips' }, element('summary', {}, title), list);
    function fill(moments) {
        const sorted = moments.filter((moment) => moment.millimetres > 0).sort((a, b) => b.millimetres - a.millimetres);
        list.replaceChildren(...sorted.map((moment) => element('li', {}, button(
            element('span', {}, element('span', {}, moment.title), element('span', { className: 'hint' }, moment.about)),
            () => driver.showMoment(moment), { className: 'quiet moment', title: 'Show this moment side by side' }))));
        list.querySelectorAll('button').forEach((row, i) => (
            row.append(element('span', { className: 'number' }, millimetres(sorted[i].millimetres)))));
        node.hidden = sorted.length === 0;
    }
    return { node, fill };
}

// "Walk, 0.53 s" or "rest pose".
function whenOf({ clips }, { clip, time }) {
    return clip === undefined ? 'rest pose' : `${clips[clip].name || `clip ${clip + 1}`}, ${time.toFixed(2)} s`;
}

function tracksOf({ tracks }) {
    const sum = (name) => tracks.reduce((total, track) => total + track[name], 0).toLocaleString('en');
    return `${sum('all')} tracks: ${sum('dropped')} dropped, ${sum('constant')} constant, ${sum('reduced')} with fewer keys.`;
}

function meshesOf({ meshes }) {
    if (!meshes) return '';
    const { accessors, reordered, merged, bound, exact, kept } = meshes;
    const text = [accessors === 0 ? 'No mesh would get smaller.' : `Compressed mesh accessors: ${accessors}. Vertices reordered: ` +
        `${reordered.toLocaleString('en')}, merged: ${merged.toLocaleString('en')}. The meshes alone move no vertex by more than ${millimetres(bound)}.`];
    if (exact) text.push(`Positions and weights aren't rounded: ${exact}.`);
    if (kept.length > 0) text.push(`Unchanged accessors: ${kept.length} (${[...new Set(kept.map(({ why }) => why))].join('; ')}).`);
    return text.join(' ');
}

/** `driver` is an Optimizer. */
export function showReport(/** @type {Optimizer} */ driver, /** @type {HTMLElement} */ container) {
    const { stage } = driver, bytes = bytesTable(), about = element('p'), tracks = hint(), meshes = hint();
    const worst = button('Show the worst moment', () => driver.showMoment(driver.result.report.worst),
        { title: 'The optimized character next to the authored one, paused' });
    const stop = button('Stop comparing', () => driver.hideResult(), { className: 'danger' });
    const clips = momentList('Clips', driver), joints = momentList('Worst joints', driver);
    container.append(bytes.node, about, rowOf(worst, stop), clips.node, joints.node, tracks, meshes);
    let filled = null;

    const nameOf = (node) => stage.character.asset.nodes.find(({ source }) => source === node)?.name || `node ${node}`;
    const whereOf = ({ node }) => (node === undefined ? '' : nameOf(node));
    function fill(report) {
        bytes.fill(report);
        const { worst: largest } = report;
        show(about, `Largest displacement: ${millimetres(largest.millimetres)}, never more than ${millimetres(largest.bound)}` +
            (largest.node === undefined ? '.' : `: ${whenOf(report, largest)}, ${whereOf(largest)}.`));
        clips.fill(report.clips.map((clip, i) => (
            { ...clip, title: clip.name || `clip ${i + 1}`, about: `${(clip.time ?? 0).toFixed(2)} s, ${whereOf(clip)}` })));
        joints.fill([...report.joints].sort((a, b) => b.millimetres - a.millimetres).slice(0, MAX_JOINTS)
            .map((joint) => ({ ...joint, title: joint.name || `node ${joint.node}`, about: whenOf(report, joint) })));
        show(tracks, tracksOf(report));
        show(meshes, meshesOf(report));
        meshes.hidden = !report.meshes;
    }
    function refresh() {
        const { result } = driver;
        stop.hidden = !driver.showsResult;
        if (!result || result === filled || result.report.kept) return;
        filled = result;
        fill(result.report);
    }
    const save = () => download(new Blob([driver.result.bytes], { type: 'model/gltf-binary' }), driver.result.name);
    return { refresh, save };
}
