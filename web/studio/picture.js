// SPDX-License-Identifier: MIT
// The picture draws the stage. It has a canvas, a renderer and a camera.
import { growBox, newBox } from './affine.js';
import { boundsOf } from './compare.js';
import { facesBack } from './gltf.js';
import { Framing, OrbitCamera } from './renderers/camera.js';
import { framePosed } from './renderers/geometry.js';
import { createRenderer } from './renderers/renderer.js';
import { steer } from './steer.js';
/** @import { Asset } from './sinew/index.js' */
/** @import { Stage } from './stage.js' */

const MAX_RATIO = 2; // canvas pixels per CSS pixel
const EMPTY = { least: [-0.5, 0, -0.5], most: [0.5, 1.8, 0.5] };
const stillOnly = matchMedia('(prefers-reduced-motion: reduce)');

// The ground's height: 0 if the model starts near it, from a quarter of its height below to its height above.
// Otherwise the lowest vertex. Uses vertices, because bounds may be larger than the character.
function groundUnder({ asset, mixer, world }) {
    const framing = new Framing(1, 0, 0);
    framePosed(framing, asset, mixer, world);
    if (framing.isEmpty) return 0;
    const low = framing.least[1], height = framing.most[1] - low;
    return low > -0.25 * height && low < height ? 0 : low;
}

// Draws canvases over an image.
function drawOver(image, canvases) {
    if (canvases.length === 0) return image;
    const { width, height } = image;
    const canvas = document.createElement('canvas'), context = canvas.getContext('2d');
    Object.assign(canvas, { width, height });
    context.putImageData(image, 0, 0);
    for (const over of canvases) context.drawImage(over, 0, 0);
    return context.getImageData(0, 0, width, height);
}

export class Picture {
    #bounds = new Float32Array(6);
    #ground = 0; // its height
    #models = new Map(); // by asset: a Model, or null while it's being made
    #dirty = true;
    #behind = false; // the camera is turned around, because the character faces -Z
    #framed = true; // the camera hasn't moved since the last frame()
    #using = Promise.resolve();

    constructor(/** @type {Stage} */ stage, /** @type {HTMLElement} */ container) {
        this.stage = stage;
        this.container = container;
        this.renderer = null;
        this.canvas = null;
        this.objects = [];
        this.ghosts = [];
        this.overlays = [];
        this.grab = this.pick = null; // the overlay sets them (overlay.js)
        this.orbit = new OrbitCamera();
        this.width = this.height = 1;
        this.drawn = 0; // number of pictures drawn
        new ResizeObserver(() => this.#resize()).observe(container);
        stage.addEventListener('loaded', ({ detail }) => this.#loaded(detail));
        stage.addEventListener('changed', ({ detail }) => this.#changed(detail));
    }

    // ---- Renderers ----

    // Switches to the 'webgl' or 'webgpu' renderer. A canvas keeps its first context, so each gets a new canvas. If
    // the browser doesn't have the renderer, throws and keeps the old one.
    use(kind) {
        const next = this.#using.then(() => this.#use(kind));
        this.#using = next.catch(() => {});
        return next;
    }

    async #use(kind) {
        if (this.renderer?.kind === kind && !this.renderer.isLost) return;
        const canvas = this.#newCanvas();
        const renderer = await createRenderer(kind, canvas);
        this.#forgetModels();
        this.renderer?.dispose();
        if (this.canvas) this.canvas.replaceWith(canvas);
        else this.container.prepend(canvas);
        Object.assign(this, { renderer, canvas });
        renderer.onLost = (why) => this.#lost(kind, why);
        steer(this, canvas);
        this.#describe();
        this.#resize();
        await this.#makeModels();
    }

    // Replaces a renderer that lost its context.
    #lost(kind, why) {
        this.stage.tell('note', `The browser interrupted drawing (${why}). The renderer restarts.`);
        this.use(kind).catch((error) => this.stage.tell('error', `${error.message}. Reload the page.`));
    }

    #newCanvas() {
        const canvas = document.createElement('canvas');
        canvas.className = 'view';
        canvas.tabIndex = 0;
        canvas.setAttribute('role', 'application');
        canvas.setAttribute('aria-roledescription', 'picture');
        return canvas;
    }

    #describe() {
        const { character, shownClip } = this.stage;
        const content = character ? `${character.name}${shownClip ? `, ${shownClip.name}` : ''}` : 'Empty';
        this.canvas?.setAttribute('aria-label',
            `${content}. Arrow keys orbit the camera, plus and minus zoom, F frames all.`);
    }

    // ---- Models ----

    get #assets() {
        const { character, others } = this.stage;
        return character ? [character.asset, ...others.map(({ asset }) => asset)] : [];
    }

    #bytesOf(/** @type {Asset} */ asset) {
        const { character, others } = this.stage;
        return [character, ...others].find((object) => object.asset === asset).bytes;
    }

    #forgetModels() {
        for (const model of this.#models.values()) model?.dispose();
        this.#models.clear();
    }

    // Makes assets' missing models, and disposes models of removed assets.
    async #makeModels() {
        const assets = this.#assets;
        for (const [asset, model] of this.#models) {
            if (assets.includes(asset)) continue;
            model?.dispose();
            this.#models.delete(asset);
        }
        if (this.renderer) await Promise.all(assets.map((asset) => this.#makeModel(asset)));
    }

    async #makeModel(/** @type {Asset} */ asset) {
        if (this.#models.has(asset)) return;
        this.#models.set(asset, null);
        const { renderer } = this;
        try {
            const model = await renderer.addModel(asset, this.#bytesOf(asset));
            if (renderer !== this.renderer || !this.#assets.includes(asset)) {
                model.dispose();
                return;
            }
            this.#models.set(asset, model);
            for (const note of model.notes ?? []) this.stage.tell('note', note);
        } catch (error) {
            if (!asset.disposed) this.stage.tell('error', `The model can't be drawn: ${error.message}.`);
        }
        this.touch();
    }

    modelOf(/** @type {Asset} */ asset) {
        return this.#models.get(asset) ?? null;
    }

    // ---- Changes ----

    // Requests a redraw.
    touch() {
        this.#dirty = true;
    }

    #loaded({ isVersion }) {
        this.#makeModels();
        this.#describe();
        this.#ground = groundUnder(this.stage.character);
        if (isVersion) return; // the camera stays
        this.#showFront();
        this.frame();
        this.orbit.arrive();
        const { asset } = this.stage.character;
        if (asset.meshNodes.some(({ drawn }) => drawn)) return;
        this.stage.tell('note', 'The file has no visible meshes. To see its nodes, turn on the skeleton.');
    }

    // Turns the camera around if the character faces the other way than the one before.
    #showFront() {
        const behind = facesBack(this.stage.character.bytes);
        if (behind !== this.#behind) this.orbit.goal.yaw += Math.PI;
        this.#behind = behind;
    }

    #changed(what) {
        if (what === 'attachments' || what === 'compare') this.#makeModels();
        if (['crowd', 'compare', 'warp'].includes(what) && this.#framed) this.frame();
        this.#describe();
        this.touch();
    }

    #resize() {
        const ratio = Math.min(devicePixelRatio || 1, MAX_RATIO);
        this.width = Math.max(1, Math.round(this.container.clientWidth * ratio));
        this.height = Math.max(1, Math.round(this.container.clientHeight * ratio));
        this.renderer?.resize(this.width, this.height);
        if (this.#framed) this.frame();
        this.touch();
    }

    // ---- The camera ----

    // Moves the camera until everything is visible.
    frame() {
        const { character } = this.stage;
        if (!character) return;
        const box = this.#framedBox();
        this.orbit.frame(box, this.width / this.height);
        this.floor = { height: this.#ground, radius: this.orbit.radius };
        this.#framed = true;
        if (stillOnly.matches) this.orbit.arrive();
        this.touch();
    }

    // Moves the camera with move(orbit).
    moveCamera(move) {
        move(this.orbit);
        this.#framed = false;
        if (stillOnly.matches) this.orbit.arrive();
        this.touch();
    }

    saveCamera() {
        return structuredClone(this.orbit.goal);
    }

    restoreCamera(saved) {
        const { yaw, pitch, distance, target } = saved ?? {};
        if (![yaw, pitch, distance, ...(Array.isArray(target) ? target : [])].every(Number.isFinite)) return;
        if (target?.length !== 3 || !(distance > 0)) return;
        this.moveCamera((orbit) => {
            Object.assign(orbit.goal, { yaw, pitch, distance, target: [...target] });
            orbit.turn(0, 0); // clamps the pitch
            orbit.arrive();
        });
    }

    // ---- Drawing ----

    // The stage's bounding box in the current pose, from the ground up.
    box() {
        const { character, others, crowd } = this.stage;
        const box = newBox();
        if (!character) return EMPTY;
        character.mixer.bounds(this.#bounds);
        growBox(box, this.#bounds, character.world);
        for (let i = 0; i < crowd.count; i++) growBox(box, this.#bounds, crowd.worlds, 12 * i);
        for (const { mixer, world } of others) growBox(box, boundsOf(mixer, this.#bounds), world);
        if (!(box.least[0] <= box.most[0])) return EMPTY;
        if (this.#ground < box.most[1]) box.least[1] = this.#ground;
        return box;
    }

    // With a root warp, includes the character at its start and its goal.
    #framedBox() {
        const box = this.box(), { character, warping } = this.stage;
        if (!warping.acts) return box;
        const bounds = boundsOf(character.mixer, this.#bounds);
        for (const [x, , z] of [[0, 0, 0], warping.goal]) growBox(box, bounds, [1, 0, 0, x, 0, 1, 0, 0, 0, 0, 1, z]);
        return box;
    }

    #collect() {
        const { character, others, crowd } = this.stage;
        this.objects.length = 0;
        const add = (asset, object) => {
            const model = this.modelOf(asset);
            if (model) this.objects.push({ model, ghost: null, ...object });
        };
        add(character.asset, { mixer: character.mixer, world: character.world });
        for (const { asset, mixer, world } of others) add(asset, { mixer, world });
        if (crowd.count > 0) add(character.asset, { mixers: crowd.mixers, worlds: crowd.worlds });
        this.objects.push(...this.ghosts);
    }

    // The argument for a renderer's `draw`. Exported pictures pass `changes`.
    view(changes = {}) {
        const { view } = this.stage;
        return {
            camera: this.orbit.camera(this.width / this.height), box: this.box(), floor: this.floor,
            ground: view.ground, wireframe: view.wireframe, background: 'default',
            dark: document.documentElement.dataset.theme === 'dark', ...changes,
        };
    }

    // Draws the current picture with its overlays at another size, and returns ImageData. The page's picture doesn't
    // change.
    async take({ width, height, transparent = false }) {
        const camera = this.orbit.camera(width / height);
        const over = this.overlays.map((overlay) => overlay.take(camera, this.floor?.height, width, height));
        const image = await this.#takeDrawn(camera, width, height, transparent);
        return drawOver(image, over.filter(Boolean));
    }

    #takeDrawn(camera, width, height, transparent) {
        const { character } = this.stage;
        if (!character || !this.modelOf(character.asset)) throw new Error('no model is loaded yet');
        const { renderer } = this;
        this.#collect();
        try {
            renderer.resize(width, height);
            renderer.draw(this.view({ camera, background: transparent ? 'transparent' : 'default' }), this.objects);
            return renderer.read();
        } finally {
            renderer.resize(this.width, this.height);
            renderer.draw(this.view(), this.objects);
        }
    }

    // Draws if the picture changed: the pose (`moved`), the camera, or a request.
    draw(moved, seconds) {
        const eases = this.orbit.ease(seconds);
        if (!this.renderer || !this.stage.character || !(moved || eases || this.#dirty)) return false;
        this.#dirty = false;
        this.#collect();
        const view = this.view();
        this.renderer.draw(view, this.objects);
        for (const overlay of this.overlays) overlay.draw(view.camera, this.floor?.height);
        this.drawn++;
        return true;
    }
}
