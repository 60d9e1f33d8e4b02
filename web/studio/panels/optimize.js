// SPDX-License-Identifier: MIT
// The panel of optimizing: the error, whether meshes become smaller, the bytes before and after, and where the largest
// displacements are. Its code and its WebAssembly module are fetched for the first file.
import { show } from './controls.js';
import { button, check, element, hint, panel, rowOf, slider } from './parts.js';
/** @import { Stage } from '../stage.js' */

const LEAST = 0.1, LARGEST = 10, TIGHT = 0.15; // millimetres

// The slider is logarithmic, and has two digits.
const toError = (position) => Number((10 ** position).toPrecision(2));
const sayError = (error) => `${error < 1 ? error.toFixed(2) : error.toFixed(1)} mm`;

const STAGES = { optimizing: 'Optimizing', comparing: 'Measuring' };

function statusOf({ progress, result, fault, isChanged }) {
    if (fault) return `${fault}.`.replace(/\.\.$/, '.');
    if (progress) {
        const { stage, done, total } = progress;
        return total === 0 ? 'Reading the file…' : `${STAGES[stage]}: ${done} of ${total} clips`;
    }
    if (!result) return '';
    if (isChanged) return 'The options changed. Optimize again.';
    return result.report.kept ? `The file is unchanged: ${result.report.kept}.` : '';
}

export function optimize(/** @type {Stage} */ stage, /** @type {HTMLElement} */ container) {
    let driver = null, report = null; // of optimize_driver.js and optimize_report.js, once fetched
    const options = { error: 1, tight: false, meshes: false, plain: false };
    const error = slider({ label: 'Error', min: Math.log10(LEAST), max: Math.log10(LARGEST), step: 0.05, value: 0,
        say: (position) => sayError(toError(position)), oninput: (position) => set({ error: toError(position) }) });
    const tight = check(`Tight: ${TIGHT} mm, which no player notices`, false, (isTight) => set({ tight: isTight }));
    const meshes = check('Also meshes: vertices and indices', false, (withMeshes) => set({ meshes: withMeshes }));
    const plain = check('Without meshopt compression, for viewers that lack it: larger', false, (isPlain) => set({ plain: isPlain }));
    const start = button('Optimize', run, { className: 'primary' });
    const cancel = button('Cancel', () => driver.cancel());
    const save = button('Save .glb', () => report.save());
    const progress = element('progress', { 'aria-label': 'Progress of the optimization' });
    const status = element('p', { role: 'status' }), body = element('div', { hidden: true, className: 'stack' });
    panel(container, 'Optimize', hint('Makes the animations smaller, like ', element('code', {}, 'sinew optimize'),
        '. No vertex, and nothing attached to a joint, moves by more than the error at any time, with the ' +
        'model scaled to 1.8 m.'), error.node, tight.node, meshes.node, plain.node, rowOf(start, cancel, save), progress, status, body);

    function set(changes) {
        Object.assign(options, changes);
        driver?.setOptions(changes);
        refresh();
    }
    async function fetchCode() {
        const [{ Optimizer }, { showReport }] = await Promise.all([import('../optimize_driver.js'), import('./optimize_report.js')]);
        driver = new Optimizer(stage, refresh);
        driver.setOptions(options);
        report = showReport(driver, body);
    }
    async function run() {
        start.disabled = true;
        try {
            if (!report) await fetchCode();
            driver.run();
            status.scrollIntoView({ block: 'nearest' });
        } catch (fault) {
            stage.tell('error', `The optimizer can't be loaded: ${fault.message}.`);
        }
        refresh();
    }
    function refresh() {
        const isBusy = Boolean(driver?.progress), result = driver?.result ?? null;
        error.input.disabled = options.tight;
        meshes.input.disabled = options.plain; // they need the compression
        plain.input.disabled = options.meshes;
        if (options.tight) error.output.textContent = `${TIGHT} mm`;
        else error.set(Math.log10(options.error));
        start.disabled = !stage.character || isBusy;
        cancel.hidden = progress.hidden = !isBusy;
        save.hidden = !result || result.report.kept !== null;
        if (isBusy && driver.progress.total > 0) Object.assign(progress, { max: driver.progress.total, value: driver.progress.done });
        else progress.removeAttribute('value');
        show(status, driver ? statusOf(driver) : '');
        status.className = driver?.fault ? 'bad' : '';
        status.hidden = status.textContent === '';
        body.hidden = !result || result.report.kept !== null;
        report?.refresh();
    }
    stage.addEventListener('loaded', () => {
        driver?.clear();
        refresh();
    });
    stage.addEventListener('changed', ({ detail }) => {
        if (detail === 'compare') refresh();
    });
    refresh();
}
