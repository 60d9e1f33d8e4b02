// The picture: its canvas and renderer, the camera, and what is drawn of the stage.
import { Framing, OrbitCamera } from './renderers/camera.js';
import { framePosed } from './renderers/geometry.js';
import { createRenderer } from './renderers/renderer.js';
import { steer } from './steer.js';

const MOST_RATIO = 2; // pixels of the canvas for one of the page
const EMPTY = { least: [-0.5, 0, -0.5], most: [0.5, 1.8, 0.5] };
const stillOnly = matchMedia('(prefers-reduced-motion: reduce)');

function newBox() {
    return { least: [Infinity, Infinity, Infinity], most: [-Infinity, -Infinity, -Infinity] };
}

// Grows a box by another one, of 6 floats, that stands at a place.
function growBox(box, [x0, y0, z0, x1, y1, z1], place, at = 0) {
    if (!(x0 <= x1)) return; // nothing in it
    for (let i = 0; i < 8; i++) {
        const x = i & 1 ? x1 : x0, y = i & 2 ? y1 : y0, z = i & 4 ? z1 : z0;
        for (let axis = 0; axis < 3; axis++) {
            const row = at + 4 * axis;
            const value = place[row] * x + place[row + 1] * y + place[row + 2] * z + place[row + 3];
            box.least[axis] = Math.min(box.least[axis], value);
            box.most[axis] = Math.max(box.most[axis], value);
        }
    }
}

// Most characters stand at height 0, in some frames with a toe a little below. What does not stand there stands on its
// own lowest point. Bounds would be too low: they hold more than the character.
function groundUnder({ asset, mixer, place }) {
    const seen = new Framing(1, 0, 0);
    framePosed(seen, asset, mixer, place);
    if (seen.isEmpty) return 0;
    const low = seen.least[1], height = seen.most[1] - low;
    return low > -0.1 * height && low < 0.15 * height ? 0 : low;
}

// Without anything to draw over it, an image stays as it is.
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
    #models = new Map(); // by asset: a Model, or null while it is on its way
    #dirty = true;
    #framed = true; // nobody has moved the camera since all of it was framed
    #using = Promise.resolve();

    constructor(stage, place) {
        Object.assign(this, { stage, place, renderer: null, canvas: null, things: [], ghosts: [], overlays: [] });
        this.orbit = new OrbitCamera();
        this.width = this.height = 1;
        this.drawn = 0; // pictures so far
        new ResizeObserver(() => this.#resize()).observe(place);
        stage.addEventListener('loaded', () => this.#loaded());
        stage.addEventListener('changed', ({ detail }) => this.#changed(detail));
    }

    // ---- Renderers ----

    // Draws by 'webgl' or 'webgpu' from now on. A canvas keeps its first context, so each renderer gets a new one.
    // Where the browser has none it throws, and the old one stays.
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
        else this.place.prepend(canvas);
        Object.assign(this, { renderer, canvas });
        renderer.onLost = (why) => this.#lost(kind, why);
        steer(this, canvas);
        this.#describe();
        this.#resize();
        await this.#makeModels();
    }

    // What drew is gone: another one of its kind takes its place.
    #lost(kind, why) {
        this.stage.tell('note', `Drawing was interrupted (${why}); it begins anew.`);
        this.use(kind).catch((error) => this.stage.tell('error', `${error.message}. Reload the page to go on.`));
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
        const shown = character ? `${character.name}${shownClip ? `, ${shownClip.name}` : ''}` : 'Nothing yet';
        this.canvas?.setAttribute('aria-label',
            `${shown}. Arrow keys turn the camera, plus and minus move it nearer and farther, F shows all of it.`);
    }

    // ---- Models ----

    get #assets() {
        const { character, others } = this.stage;
        return character ? [character.asset, ...others.map(({ asset }) => asset)] : [];
    }

    #forgetModels() {
        for (const model of this.#models.values()) model?.dispose();
        this.#models.clear();
    }

    // Models for all assets that have none, and none for those that are gone.
    async #makeModels() {
        const assets = this.#assets;
        for (const [asset, model] of this.#models) {
            if (assets.includes(asset)) continue;
            model?.dispose();
            this.#models.delete(asset);
        }
        if (this.renderer) await Promise.all(assets.map((asset) => this.#makeModel(asset)));
    }

    async #makeModel(asset) {
        if (this.#models.has(asset)) return;
        this.#models.set(asset, null);
        const { renderer } = this;
        try {
            const model = await renderer.addModel(asset);
            if (renderer !== this.renderer || !this.#assets.includes(asset)) {
                model.dispose();
                return;
            }
            this.#models.set(asset, model);
            for (const note of model.notes ?? []) this.stage.tell('note', note);
        } catch (error) {
            if (!asset.disposed) this.stage.tell('error', `It cannot be drawn: ${error.message}.`);
        }
        this.touch();
    }

    modelOf(asset) {
        return this.#models.get(asset) ?? null;
    }

    // ---- Changes ----

    // Something is to be drawn anew.
    touch() {
        this.#dirty = true;
    }

    #loaded() {
        this.#makeModels();
        this.#describe();
        this.#ground = groundUnder(this.stage.character);
        this.frame();
        this.orbit.arrive();
        const { asset } = this.stage.character;
        if (asset.instances.some(({ drawn }) => drawn)) return;
        this.stage.tell('note', 'There is nothing in it that is drawn. To see its nodes, switch the skeleton on.');
    }

    #changed(what) {
        if (what === 'others') this.#makeModels();
        if (what === 'crowd' && this.#framed) this.frame();
        this.#describe();
        this.touch();
    }

    #resize() {
        const ratio = Math.min(devicePixelRatio || 1, MOST_RATIO);
        this.width = Math.max(1, Math.round(this.place.clientWidth * ratio));
        this.height = Math.max(1, Math.round(this.place.clientHeight * ratio));
        this.renderer?.resize(this.width, this.height);
        if (this.#framed) this.frame();
        this.touch();
    }

    // ---- The camera ----

    // The camera to where all is seen.
    frame() {
        const { character } = this.stage;
        if (!character) return;
        const box = this.box();
        this.orbit.frame(box, this.width / this.height);
        this.floor = { height: this.#ground, radius: this.orbit.radius };
        this.#framed = true;
        if (stillOnly.matches) this.orbit.arrive();
        this.touch();
    }

    // Somebody moves it: move(orbit).
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
            orbit.turn(0, 0); // within what a camera can do
            orbit.arrive();
        });
    }

    // ---- Drawing ----

    // What of the stage is to be seen, as it is posed now, from the ground up.
    box() {
        const { character, others, crowd } = this.stage;
        const box = newBox();
        if (!character) return EMPTY;
        character.mixer.bounds(this.#bounds);
        growBox(box, this.#bounds, character.place);
        for (let i = 0; i < crowd.count; i++) growBox(box, this.#bounds, crowd.places, 12 * i);
        for (const { mixer, place } of others) growBox(box, mixer.bounds(this.#bounds), place);
        if (!(box.least[0] <= box.most[0])) return EMPTY;
        if (this.#ground < box.most[1]) box.least[1] = this.#ground;
        return box;
    }

    #collect() {
        const { character, others, crowd } = this.stage;
        this.things.length = 0;
        const add = (asset, thing) => {
            const model = this.modelOf(asset);
            if (model) this.things.push({ model, ghost: null, ...thing });
        };
        add(character.asset, { mixer: character.mixer, place: character.place });
        for (const { asset, mixer, place } of others) add(asset, { mixer, place });
        if (crowd.count > 0) add(character.asset, { mixers: crowd.mixers, places: crowd.places });
        this.things.push(...this.ghosts);
    }

    // What a renderer's `draw` is given; `changes` are for pictures of another kind.
    view(changes = {}) {
        const { view } = this.stage;
        return {
            camera: this.orbit.camera(this.width / this.height), box: this.box(), floor: this.floor,
            ground: view.ground, wireframe: view.wireframe, background: 'default',
            dark: document.documentElement.dataset.theme === 'dark', ...changes,
        };
    }

    // What is shown, in another size, with what lies over it: ImageData. The page shows its own picture all the while.
    async take({ width, height, transparent = false }) {
        const camera = this.orbit.camera(width / height);
        const over = this.overlays.map((overlay) => overlay.take(camera, this.floor?.height, width, height));
        const image = await this.#takeDrawn(camera, width, height, transparent);
        return drawOver(image, over.filter(Boolean));
    }

    #takeDrawn(camera, width, height, transparent) {
        const { character } = this.stage;
        if (!character || !this.modelOf(character.asset)) throw new Error('there is nothing to be seen yet');
        const { renderer } = this;
        this.#collect();
        try {
            renderer.resize(width, height);
            renderer.draw(this.view({ camera, background: transparent ? 'transparent' : 'default' }), this.things);
            return renderer.read();
        } finally {
            renderer.resize(this.width, this.height);
            renderer.draw(this.view(), this.things);
        }
    }

    // Draws, where there is something new to see. `moved` says that a pose has changed.
    draw(moved, seconds) {
        const eases = this.orbit.ease(seconds);
        if (!this.renderer || !this.stage.character || !(moved || eases || this.#dirty)) return false;
        this.#dirty = false;
        this.#collect();
        const view = this.view();
        this.renderer.draw(view, this.things);
        for (const overlay of this.overlays) overlay.draw(view.camera, this.floor?.height);
        this.drawn++;
        return true;
    }
}
