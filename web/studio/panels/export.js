// Saving what is shown: a picture, or one round of the clip as an animation.
import { exportPicture, exportRound, roundOf } from '../export.js';
import { follow, number, show } from './controls.js';
import { button, check, element, hint, panel, slider } from './parts.js';

const MOST_PIXELS = 4096; // of either side
const MOST_PER_SECOND = 60;

function sizeOf(bytes) {
    if (bytes < 1024) return `${bytes} bytes`;
    const kib = bytes / 1024;
    return kib < 1024 ? `${kib.toFixed(1)} KiB` : `${(kib / 1024).toFixed(2)} MiB`;
}

// hero.glb and Walk: "hero-walk.webp". What a file name may not hold becomes a dash.
function fileName(model, clip, ending) {
    const words = [model.replace(/\.[^.]*$/, ''), clip].filter(Boolean).join('-').toLowerCase();
    return `${words.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-+|-+$/g, '') || 'sinew'}.${ending}`;
}

export function exports(stage, place, picture) {
    const how = { width: 640, height: 640, transparent: false, perSecond: 30, quality: 0.85 };
    let running = null, url = null;

    const width = number('Width', { min: 1, max: MOST_PIXELS, step: 1 }, (value) => set({ width: value }));
    const height = number('Height', { min: 1, max: MOST_PIXELS, step: 1 }, (value) => set({ height: value }));
    const asPage = button('As on the page', () => set({ width: picture.width, height: picture.height }));
    const clear = check('Transparent background', false, (transparent) => set({ transparent }));
    const perSecond = number('Pictures a second', { min: 1, max: MOST_PER_SECOND, step: 1 }, (value) => (
        set({ perSecond: value })));
    const quality = slider({ label: 'Quality', min: 0.1, value: how.quality,
        say: (value) => `${Math.round(100 * value)} %`, oninput: (value) => set({ quality: value }) });
    const count = hint();
    const png = button('Save a PNG', () => run('png', () => exportPicture(picture, how)), { className: 'primary' });
    const webp = button('Save an animated WebP', () => run('webp', (tell, signal) => (
        exportRound(stage, picture, how, tell, signal))), { className: 'primary' });
    const cancel = button('Cancel', () => running?.abort());
    const progress = element('progress', { max: 1, value: 0, 'aria-label': 'How much of the animation is made' });
    const said = element('p', { role: 'status' }), saved = element('a', { className: 'saved' });

    panel(place, 'Picture', hint('What you see, with skeleton, names and way of the root while they are shown.'),
        element('div', { className: 'row' }, width.node, height.node, asPage), clear.node,
        element('div', { className: 'row' }, png));
    panel(place, 'Animation', hint('One round of the clip that the timeline shows, in the size above.'),
        perSecond.node, quality.node, count, element('div', { className: 'row' }, webp, cancel), progress, said, saved);

    function set(changes) {
        Object.assign(how, changes);
        refresh();
    }
    function refresh() {
        width.set(how.width);
        height.set(how.height);
        perSecond.set(how.perSecond);
        const round = roundOf(stage, how.perSecond);
        show(count, `${round.count === 1 ? '1 picture' : `${round.count} pictures`}, ${round.seconds.toFixed(2)} s`);
        cancel.hidden = progress.hidden = !running;
        saved.hidden = !url;
        png.disabled = webp.disabled = running !== null || !stage.character;
    }
    function save(blob, name) {
        if (url) URL.revokeObjectURL(url);
        url = URL.createObjectURL(blob);
        Object.assign(saved, { href: url, download: name, textContent: name });
        show(said, `${how.width} × ${how.height}, ${sizeOf(blob.size)}:`);
        saved.click();
    }
    async function run(ending, make) {
        running = new AbortController();
        progress.value = 0;
        show(said, 'Making it…');
        refresh();
        try {
            const name = fileName(stage.character.name, stage.shownClip?.name, ending);
            save(await make((part) => { progress.value = part; }, running.signal), name);
        } catch (error) {
            show(said, running.signal.aborted ? 'Cancelled.' : `It could not be made: ${error.message}.`);
        } finally {
            running = null;
            refresh();
        }
    }
    follow(stage, ['playing', 'space'], () => {}, refresh);
}
