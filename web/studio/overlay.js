// Over the picture, on a canvas of its own, and over pictures that are saved: the skeleton with names, and the way of
// the root on the ground.
import { Onion } from './onion.js';
import { Probe } from './probe.js';
import { rootOf } from './paces.js';
import { element } from './panels/parts.js';
import { fit } from './plot.js';
import { project } from './renderers/camera.js';

const BONE = '#ffb547', LAYER = '#be96ff', EDGE = 'rgb(20 16 8 / 75%)'; // on any picture, in either theme
const NAME = '#ffffff', NAME_BACK = 'rgb(18 20 24 / 78%)';
const NAME_HEIGHT = 17, NAME_INSET = 5, AWAY = 8; // CSS pixels
const LEAST_BONE = 12; // of a bone on the screen whose name is told from its parent's
const PATH_MOMENTS = 64;

// A point of the file in the picture's space, by the rows of a place.
function toPlace(place, x, y, z) {
    return [0, 4, 8].map((row) => place[row] * x + place[row + 1] * y + place[row + 2] * z + place[row + 3]);
}

const overlaps = (a, b) => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

// Where a name can be: at the right of its joint, at the left, above or below.
const PLACES = [
    ({ x, y }) => [x + AWAY, y - NAME_HEIGHT / 2],
    ({ x, y, width }) => [x - AWAY - width, y - NAME_HEIGHT / 2],
    ({ x, y, width }) => [x - width / 2, y - AWAY - NAME_HEIGHT],
    ({ x, y, width }) => [x - width / 2, y + AWAY],
];

/**
 * Where names go, so that none covers another; null for those that have no room. The first are served first, and each
 * is asked for its last place before the others, so that names do not leap about while joints move a little.
 * @param {{x: number, y: number, width: number, last?: number}[]} wanted joints, how wide their names are, and the
 *     place of PLACES that each had before
 * @param {{x: number, y: number, width: number, height: number}[]} covered by something else
 * @returns {({x: number, y: number, width: number, height: number, place: number} | null)[]}
 */
export function placeNames(wanted, pictureWidth, pictureHeight, covered = []) {
    const taken = [...covered];
    return wanted.map((name) => {
        const order = name.last === undefined ? [0, 1, 2, 3] : [name.last, 0, 1, 2, 3];
        for (const place of order) {
            const [x, y] = PLACES[place](name);
            const box = { x, y, width: name.width, height: NAME_HEIGHT, place };
            const isInside = x >= 0 && y >= 0 && x + name.width <= pictureWidth && y + NAME_HEIGHT <= pictureHeight;
            if (!isInside || taken.some((other) => overlaps(box, other))) continue;
            taken.push(box);
            return box;
        }
        return null;
    });
}

class Overlay {
    #joints = []; // of the character: { node, parent (of the joints), name }
    #places = new Map(); // of names, by node
    #path = { clip: null, points: [] };
    #probe = null;

    constructor(stage, canvas) {
        Object.assign(this, { stage, canvas });
        stage.addEventListener('loaded', () => this.#begin());
        if (stage.character) this.#begin();
    }

    // All nodes where the file has no skin.
    #begin() {
        const { asset } = this.stage.character;
        const skinned = new Set(asset.skins.flatMap(({ joints }) => [...joints]));
        const nodes = skinned.size > 0 ? [...skinned].sort((a, b) => a - b) : asset.nodes.map((_, node) => node);
        this.#joints = nodes.map((node) => (
            { node, parent: nodes.indexOf(asset.nodes[node].parent), name: asset.nodes[node].name }));
        this.#probe = null; // went with its asset
        this.#places.clear();
        this.#path = { clip: null, points: [] };
    }

    get #isShown() {
        const { skeleton, names, rootPath } = this.stage.view;
        return this.stage.character !== null && (skeleton || names || rootPath);
    }

    /** @param {{viewProjection: Float32Array}} camera that the picture was drawn with; `ground` is its height there */
    draw(camera, ground) {
        this.canvas.hidden = !this.#isShown;
        const fitted = this.canvas.hidden ? null : fit(this.canvas);
        if (fitted) this.#places = this.#drawOn(fitted, camera, ground, this.#covered());
    }

    /**
     * What lies over a picture that is saved: a canvas of that size, or null where nothing does. Lines and names are as
     * large beside the character as they are on the page.
     */
    take(camera, ground, width, height) {
        if (!this.#isShown) return null;
        const canvas = element('canvas', { width, height }), context = canvas.getContext('2d');
        const scale = height / Math.max(this.canvas.parentElement.clientHeight, 1);
        context.scale(scale, scale);
        this.#drawOn({ context, width: width / scale, height: height / scale }, camera, ground);
        return canvas;
    }

    // In CSS pixels of the page. Returns where names are.
    #drawOn(target, camera, ground = 0, covered = []) {
        const { skeleton, names, rootPath } = this.stage.view;
        Object.assign(this, target, { camera });
        if (rootPath) this.#drawPath(ground);
        const points = this.#joints.map(({ node }) => this.#pointOf(node));
        if (skeleton) this.#drawBones(points);
        return names ? this.#drawNames(points, covered) : this.#places;
    }

    // In CSS pixels from the upper left corner; null behind the camera.
    #project(point) {
        const at = [0, 0];
        return project(this.camera, point, at) ? [at[0] * this.width, at[1] * this.height] : null;
    }

    #pointOf(node) {
        const { mixer, place } = this.stage.character;
        const rows = mixer.modelMatrices, at = 12 * node;
        return this.#project(toPlace(place, rows[at + 3], rows[at + 7], rows[at + 11]));
    }

    // ---- The skeleton ----

    // Joints over bones, so that all of them are seen.
    #drawBones(points) {
        Object.assign(this.context, { lineWidth: 1, lineJoin: 'round', strokeStyle: EDGE });
        this.#joints.forEach(({ parent }, i) => {
            if (points[i] && points[parent]) this.#drawBone(points[parent], points[i], this.#colorOf(parent));
        });
        this.#joints.forEach((_, i) => points[i] && this.#drawDot(points[i], this.#colorOf(i), 2.5));
    }

    // What a layer covers is of its colour.
    #colorOf(joint) {
        return this.stage.coverOf(this.#joints[joint].node) > 0 ? LAYER : BONE;
    }

    #drawDot([x, y], color, radius) {
        const { context } = this;
        context.fillStyle = color;
        context.beginPath();
        context.arc(x, y, radius, 0, 2 * Math.PI);
        context.fill();
        context.stroke();
    }

    // Broad near where it begins, so that one sees which way it goes.
    #drawBone([x0, y0], [x1, y1], color) {
        const { context } = this;
        context.fillStyle = color;
        const dx = x1 - x0, dy = y1 - y0;
        const waist = 0.16, half = 0.08;
        context.beginPath();
        context.moveTo(x0, y0);
        context.lineTo(x0 + waist * dx - half * dy, y0 + waist * dy + half * dx);
        context.lineTo(x1, y1);
        context.lineTo(x0 + waist * dx + half * dy, y0 + waist * dy - half * dx);
        context.closePath();
        context.globalAlpha = 0.85;
        context.fill();
        context.stroke();
        context.globalAlpha = 1;
    }

    // ---- Names ----

    // Those that were there before come first, so that they stay; and then parents, so that where it is crowded the
    // names of the larger bones are there.
    #drawNames(points, covered) {
        const { context, width, height } = this;
        context.font = `12px ${getComputedStyle(this.canvas).fontFamily}`;
        Object.assign(context, { textAlign: 'left', textBaseline: 'middle' });
        const named = this.#joints.flatMap(({ node, name, parent }, i) => (
            name && points[i] && this.#isApart(points[i], points[parent])
                ? [{ name, node, x: points[i][0], y: points[i][1], last: this.#places.get(node) }] : []));
        named.sort((a, b) => (a.last === undefined) - (b.last === undefined));
        for (const one of named) one.width = context.measureText(one.name).width + 2 * NAME_INSET;
        const boxes = placeNames(named, width, height, covered);
        boxes.forEach((box, i) => box && this.#drawName(named[i].name, box));
        return new Map(boxes.flatMap((box, i) => (box ? [[named[i].node, box.place]] : [])));
    }

    // What else lies over the picture, such as the frame times.
    #covered() {
        const { left, top } = this.canvas.getBoundingClientRect();
        const others = [...this.canvas.parentElement.children].filter(({ localName }) => localName !== 'canvas');
        return others.map((other) => {
            const box = other.getBoundingClientRect();
            return { x: box.left - left, y: box.top - top, width: box.width, height: box.height };
        });
    }

    #drawName(name, { x, y, width, height }) {
        const { context } = this;
        context.fillStyle = NAME_BACK;
        context.beginPath();
        context.roundRect(x, y, width, height, 3);
        context.fill();
        context.fillStyle = NAME;
        context.fillText(name, x + NAME_INSET, y + height / 2 + 1);
    }

    #isApart([x, y], parent) {
        return !parent || Math.abs(parent[0] - x) + Math.abs(parent[1] - y) > LEAST_BONE;
    }

    // ---- The root's way ----

    // Over the whole clip that leads, and once for each clip: it does not change while it plays.
    #pathOf(clip) {
        if (this.#path.clip === clip) return this.#path.points;
        const { asset } = this.stage.character;
        const root = rootOf(asset);
        this.#probe ??= new Probe(asset);
        const points = Array.from({ length: PATH_MOMENTS + 1 }, (_, i) => {
            const rows = this.#probe.pose(clip, clip.duration * i / PATH_MOMENTS).modelMatrices, at = 12 * root;
            return [rows[at + 3], rows[at + 7], rows[at + 11]];
        });
        this.#path = { clip, points };
        return points;
    }

    #drawPath(ground) {
        const { context, stage: { shownClip, time, character } } = this;
        if (!shownClip) return;
        const onGround = ([x, y, z]) => {
            const at = toPlace(character.place, x, y, z);
            return this.#project([at[0], ground, at[2]]);
        };
        const points = this.#pathOf(shownClip);
        const seen = points.map(onGround).filter(Boolean);
        for (const [color, lineWidth] of [[EDGE, 5], [BONE, 3]]) {
            Object.assign(context, { strokeStyle: color, lineWidth, lineJoin: 'round', lineCap: 'round' });
            context.beginPath();
            for (const [x, y] of seen) context.lineTo(x, y);
            context.stroke();
        }
        const part = shownClip.duration > 0 ? time / shownClip.duration : 0;
        const now = onGround(points[Math.round(Math.min(Math.max(part, 0), 1) * PATH_MOMENTS)]);
        if (!now) return;
        Object.assign(context, { strokeStyle: EDGE, lineWidth: 2 });
        this.#drawDot(now, BONE, 6);
    }
}

/** What is drawn over the picture, and the ghosts in it. */
export function showOverlays(stage, picture) {
    const canvas = element('canvas', { className: 'over', hidden: true, 'aria-hidden': 'true' });
    const overlay = new Overlay(stage, canvas), onion = new Onion(stage);
    picture.place.prepend(canvas);
    picture.overlays.push(overlay);
    stage.addEventListener('frame', () => {
        picture.ghosts = onion.ghosts(picture.modelOf(stage.character?.asset));
    });
}
