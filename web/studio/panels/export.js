// SPDX-License-Identifier: MIT
// The panels of the exports: a picture, or one cycle of the clip as an animation.
import { sizeOf, stemOf } from '../download.js';
import { cycleOf, exportCycle, exportPicture } from '../export.js';
import { follow, number, show } from './controls.js';
import { button, check, element, hint, panel, slider } from './parts.js';
/** @import { Stage } from '../stage.js' */
/** @import { Picture } from '../picture.js' */

const MAX_PIXELS = 4096; // of each side
const MAX_PER_SECOND = 60, MAX_SECONDS = 60;

// The file name: "hero-walk.webp" for hero.glb and Walk. Other characters than letters and digits become dashes.
function fileName(model, clip, ending) {
    const words = [stemOf(model), clip].filter(Boolean).join('-').toLowerCase();
    return `${words.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-+|-+$/g, '') || 'sinew'}.${ending}`;
}

export function exports(/** @type {Stage} */ stage, /** @type {HTMLElement} */ container, /** @type {Picture} */ picture) {
    const options = { width: 640, height: 640, transparent: false, perSecond: 30, driven: 3, quality: 0.85 };
    let running = null, url = null;

    const width = number('Width', { min: 1, max: MAX_PIXELS, step: 1 }, (value) => set({ width: value }));
    const height = number('Height', { min: 1, max: MAX_PIXELS, step: 1 }, (value) => set({ height: value }));
    const asPage = button('Use viewport size', () => set({ width: picture.width, height: picture.height }));
    const clear = check('Transparent background', false, (transparent) => set({ transparent }));
    const perSecond = number('Frames per second', { min: 1, max: MAX_PER_SECOND, step: 1 }, (value) => (
        set({ perSecond: value })));
    const driven = number('Seconds of the graph', { min: 0.1, max: MAX_SECONDS }, (value) => set({ driven: value }));
    const quality = slider({ label: 'Quality', min: 0.1, value: options.quality,
        say: (value) => `${Math.round(100 * value)} %`, oninput: (value) => set({ quality: value }) });
    const about = hint(), count = hint();
    const png = button('Save PNG', () => run('png', () => exportPicture(picture, options)), { className: 'primary' });
    const webp = button('Save animated WebP', () => run('webp', (tell, signal) => (
        exportCycle(stage, picture, options, tell, signal))), { className: 'primary' });
    const cancel = button('Cancel', () => running?.abort());
    const progress = element('progress', { max: 1, value: 0, 'aria-label': 'Progress of the animation' });
    const status = element('p', { role: 'status' }), saved = element('a', { className: 'saved' });

    panel(container, 'Image', hint('The viewport, with its current overlays.'),
        element('div', { className: 'row' }, width.node, height.node, asPage), clear.node,
        element('div', { className: 'row' }, png));
    panel(container, 'Animation', about,
        element('div', { className: 'row' }, perSecond.node, driven.node), quality.node, count,
        element('div', { className: 'row' }, webp, cancel), progress, status, saved);

    function set(changes) {
        Object.assign(options, changes);
        refresh();
    }
    function refresh() {
        width.set(options.width);
        height.set(options.height);
        perSecond.set(options.perSecond);
        driven.set(options.driven);
        driven.node.hidden = !stage.isDriven;
        show(about, stage.isDriven ? 'The graph from now on, at the size above.'
            : 'One cycle of the clip in the timeline, at the size above.');
        const cycle = cycleOf(stage, options.perSecond, options.driven);
        show(count, `${cycle.count === 1 ? '1 frame' : `${cycle.count} frames`}, ${cycle.seconds.toFixed(2)} s`);
        cancel.hidden = progress.hidden = !running;
        saved.hidden = !url;
        png.disabled = webp.disabled = running !== null || !stage.character;
    }
    function save(blob, name) {
        if (url) URL.revokeObjectURL(url);
        url = URL.createObjectURL(blob);
        Object.assign(saved, { href: url, download: name, textContent: name });
        show(status, `${options.width} × ${options.height}, ${sizeOf(blob.size)}:`);
        saved.click();
    }
    async function run(ending, make) {
        running = new AbortController();
        progress.value = 0;
        show(status, 'Rendering…');
        refresh();
        try {
            const name = fileName(stage.character.name, stage.shownClip?.name, ending);
            save(await make((part) => { progress.value = part; }, running.signal), name);
        } catch (error) {
            show(status, running.signal.aborted ? 'Canceled.' : `The export failed: ${error.message}.`);
        } finally {
            running = null;
            refresh();
        }
    }
    follow(stage, ['playing', 'space', 'graph'], () => {}, refresh);
}
