// SPDX-License-Identifier: MIT
// Creates the page's parts and runs its frames.
import { Sinew } from './sinew/character.js';
import { takeFiles } from './drop.js';
import { BUILT_IN } from './files.js';
import { listenToKeys } from './keys.js';
import { linkTo, readLink, restoreLink } from './link.js';
import { showMessages } from './messages.js';
import { showOverlays } from './overlay.js';
import { Picture } from './picture.js';
import { followSolving } from './solving_open.js';
import { Stage } from './stage.js';
import { showSelection } from './selection.js';
import { keepSession, keptState } from './session.js';
import { showTabs } from './tabs.js';
import { Undo } from './undo.js';
import { attach } from './panels/attach.js';
import { clips } from './panels/clips.js';
import { code } from './panels/code.js';
import { compare } from './panels/compare.js';
import { crowd } from './panels/crowd.js';
import { effectors } from './panels/effectors.js';
import { exports } from './panels/export.js';
import { file } from './panels/file.js';
import { graph } from './panels/graph.js';
import { help } from './panels/help.js';
import { layers } from './panels/layers.js';
import { lint } from './panels/lint.js';
import { morphs } from './panels/morphs.js';
import { optimize } from './panels/optimize.js';
import { plot } from './panels/plot.js';
import { retarget } from './panels/retarget.js';
import { rig } from './panels/rig.js';
import { settings } from './panels/settings.js';
import { space } from './panels/space.js';
import { springs } from './panels/springs.js';
import { timeline } from './panels/timeline.js';
import { transitions } from './panels/transitions.js';
import { view } from './panels/view.js';
import { warp } from './panels/warp.js';

const PANELS = {
    Clips: [clips, transitions], Mix: [layers, space], Graph: [graph], Rig: [rig], Retarget: [retarget], Plots: [plot],
    Scene: [attach, compare, crowd, springs, effectors, warp], View: [view, morphs, settings], Save: [exports, code], Lint: [lint, file],
    Optimize: [optimize],
};
const MAX_STEP = 1; // seconds: longer frames play slower, so the animation doesn't jump after the page was hidden
const at = (id) => document.getElementById(id);

// ---- Theme and renderer -----------------------------------------------------------------------------------------

function followView(/** @type {Stage} */ stage) {
    const system = matchMedia('(prefers-color-scheme: dark)');
    const show = () => {
        const { theme, wide } = stage.view;
        document.documentElement.dataset.theme = theme === 'auto' ? (system.matches ? 'dark' : 'light') : theme;
        document.documentElement.toggleAttribute('data-wide', wide);
    };
    system.addEventListener('change', () => stage.setView({}));
    stage.addEventListener('changed', show);
    show();
}

function followRenderer(/** @type {Stage} */ stage, /** @type {Picture} */ picture) {
    stage.addEventListener('changed', async () => {
        const { renderer } = stage.view, before = picture.renderer?.kind;
        if (renderer === before) return;
        try {
            await picture.use(renderer);
        } catch (error) {
            stage.tell('error', `${error.message}.`);
            if (before) stage.setView({ renderer: before });
        }
    });
}

// ---- Frames -----------------------------------------------------------------------------------------------------

// Frame times in milliseconds: update, draw and whole frame, smoothed, shown four times a second. A narrow window
// only shows frames per second: the whole text would cover the character's head.
class Times {
    constructor(/** @type {Stage} */ stage) {
        this.stage = stage;
        this.node = at('times');
        this.update = 0;
        this.draw = 0;
        this.frame = 0;
        this.shownAt = 0;
    }

    note(now, update, draw, frame) {
        this.update += 0.1 * (update - this.update);
        this.draw += 0.1 * (draw - this.draw);
        this.frame += 0.1 * (frame - this.frame);
        this.node.hidden = !this.stage.view.times;
        if (now - this.shownAt < 250 || this.node.hidden) return;
        this.shownAt = now;
        const isSlow = this.frame > 1000 * MAX_STEP ? ' · slower than real time' : '';
        const [parts, rate] = this.node.children;
        parts.textContent = `update ${this.update.toFixed(2)} ms · draw ${this.draw.toFixed(2)} ms · `;
        rate.textContent =
            `${this.frame < 1000 ? Math.round(1000 / this.frame) : (1000 / this.frame).toFixed(1)} fps${isSlow}`;
    }
}

function runFrames(/** @type {Stage} */ stage, /** @type {Picture} */ picture) {
    const times = new Times(stage);
    let last = performance.now();
    function frame(now) {
        const passed = Math.max(0, now - last);
        last = now;
        const seconds = Math.min(passed / 1000, MAX_STEP);
        const moved = stage.update(seconds);
        const start = performance.now();
        picture.draw(moved, seconds);
        times.note(now, stage.milliseconds, performance.now() - start, passed);
        requestAnimationFrame(frame);
    }
    requestAnimationFrame(frame);
}

// ---- Links ------------------------------------------------------------------------------------------------------

const camera = (/** @type {Picture} */ picture) => (
    { save: () => picture.saveCamera(), restore: (saved) => picture.restoreCamera(saved) });

async function copyLink(/** @type {Stage} */ stage, /** @type {Picture} */ picture) {
    const link = linkTo(stage, camera(picture));
    history.replaceState(null, '', link);
    try {
        await navigator.clipboard.writeText(link);
        stage.tell('note', 'Link copied. It restores this view, but contains no files. Open your own files again.');
    } catch {
        stage.tell('note', 'The link can’t be copied here. Copy it from the address bar.');
    }
}

// Restores a state. If its file isn't built in or open, waits until the user opens it.
async function followState(/** @type {Stage} */ stage, /** @type {Picture} */ picture, openBuiltIn, saved) {
    const restore = () => restoreLink(stage, camera(picture), saved);
    if (stage.character?.name !== saved.file) await openBuiltIn(BUILT_IN.includes(saved.file) ? saved.file : 'hero.glb');
    if (stage.character?.name === saved.file) {
        await restore();
        return;
    }
    const answered = new AbortController();
    stage.tell('ask', `This link is for ${saved.file}. Open that file to restore the view.`, answered.signal);
    stage.addEventListener('loaded', () => {
        if (stage.character.name !== saved.file) return;
        answered.abort();
        restore();
    }, { signal: answered.signal });
}

// Opens what the page had before a reload, or what the address names: a state, a model, or else the hero.
async function openFirst(/** @type {Stage} */ stage, /** @type {Picture} */ picture, { openBuiltIn, openModel, openKept }) {
    const model = new URLSearchParams(location.search).get('model');
    let saved = keptState(), fault = null;
    const isOwn = saved !== null && (!BUILT_IN.includes(saved.file) || Boolean(saved.retarget));
    if (isOwn) await openKept();
    if (model && !stage.character && (isOwn || !saved)) fault = await openModel(model);
    try {
        saved ??= readLink(location.hash);
    } catch (error) {
        fault = error;
    }
    if (saved) await followState(stage, picture, openBuiltIn, saved);
    else if (!stage.character) await openBuiltIn('hero.glb');
    if (fault) stage.tell('error', fault.message); // not earlier: opening a file removes older errors
}

// ---- Start ------------------------------------------------------------------------------------------------------

async function start() {
    const stage = new Stage(await Sinew.load());
    const picture = new Picture(stage, at('picture'));
    showMessages(stage);
    showOverlays(stage, picture);
    showSelection(stage, at('picture'));
    followView(stage);
    followSolving(stage);
    timeline(stage, at('timeline'));
    showTabs(PANELS, stage, picture);
    const openHelp = help(at('help'));
    const opening = takeFiles(stage, (text) => {
        at('waiting').hidden = text === null;
        at('waiting').textContent = text ?? '';
    });
    at('keys').addEventListener('click', openHelp);
    at('hero').addEventListener('click', () => opening.openBuiltIn('hero.glb'));
    at('link').addEventListener('click', () => copyLink(stage, picture));
    const undo = /** @type {HTMLButtonElement} */ (at('undo')), redo = /** @type {HTMLButtonElement} */ (at('redo'));
    const history = new Undo(stage, (canUndo, canRedo) => {
        undo.disabled = !canUndo;
        redo.disabled = !canRedo;
    });
    undo.addEventListener('click', () => history.undo());
    redo.addEventListener('click', () => history.redo());
    listenToKeys({ stage, picture, history, help: openHelp });
    stage.addEventListener('loaded', () => { document.title = `${stage.character.name} · Sinew Studio`; });

    await picture.use('webgl').catch(() => picture.use('webgpu'));
    stage.setView({ renderer: picture.renderer.kind });
    followRenderer(stage, picture);
    await openFirst(stage, picture, opening);
    keepSession(stage, camera(picture));
    at('waiting').hidden = true;
    runFrames(stage, picture);
    globalThis.studio = { stage, picture, history };
}

start().catch((error) => {
    at('waiting').textContent = `The studio can't start here: ${error.message}.`;
});
