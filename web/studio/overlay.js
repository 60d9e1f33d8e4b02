// SPDX-License-Identifier: MIT
// The overlay: the skeleton with joint names, and the root path on the ground. It has its own canvas over the
// picture, and is also drawn into exported pictures.
import { transformPoint } from './affine.js';
import { drawColliders } from './colliders.js';
import { Effectors } from './effectors.js';
import { Gizmo } from './gizmo.js';
import { Onion } from './onion.js';
import { Probe } from './probe.js';
import { rootOf } from './locomotion.js';
import { element } from './panels/parts.js';
import { fit } from './plot.js';
import { project } from './renderers/camera.js';
import { RigGoals } from './rig_goals.js';
import { WarpGoal } from './warp_goal.js';
/** @import { Camera } from './renderers/camera.js' */
/** @import { Asset } from './sinew/index.js' */
/** @import { Stage } from './stage.js' */
/** @import { Picture } from './picture.js' */

const BONE = '#ffb547', LAYER = '#be96ff', SELECTED = '#4fd1ff', EDGE = 'rgb(20 16 8 / 75%)'; // visible on any picture, in both themes
const NAME = '#ffffff', NAME_BACK = 'rgb(18 20 24 / 78%)';
const NAME_HEIGHT = 17, NAME_INSET = 5, NAME_DISTANCE = 8; // CSS pixels
const MIN_BONE = 12; // CSS pixels: joints closer to their parent get no name
const PATH_SAMPLES = 64;

const overlaps = (a, b) => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

// Where a name can be: to the right of its joint, to the left, above or below.
const POSITIONS = [
    ({ x, y }) => [x + NAME_DISTANCE, y - NAME_HEIGHT / 2],
    ({ x, y, width }) => [x - NAME_DISTANCE - width, y - NAME_HEIGHT / 2],
    ({ x, y, width }) => [x - width / 2, y - NAME_DISTANCE - NAME_HEIGHT],
    ({ x, y, width }) => [x - width / 2, y + NAME_DISTANCE],
];

/**
 * Lays out names without overlaps. Earlier names have priority, and a name that doesn't fit is null. First tries the
 * name's last position, so names don't jump while joints move slightly.
 * @param {{x: number, y: number, width: number, last?: number}[]} names their joints and widths, and each one's previous
 *     index in POSITIONS
 * @param {number} pictureWidth
 * @param {number} pictureHeight
 * @param {{x: number, y: number, width: number, height: number}[]} covered areas that aren't free
 * @returns {({x: number, y: number, width: number, height: number, position: number} | null)[]}
 */
export function layOutNames(names, pictureWidth, pictureHeight, covered = []) {
    const taken = [...covered];
    return names.map((name) => {
        const order = name.last === undefined ? [0, 1, 2, 3] : [name.last, 0, 1, 2, 3];
        for (const position of order) {
            const [x, y] = POSITIONS[position](name);
            const box = { x, y, width: name.width, height: NAME_HEIGHT, position };
            const isInside = x >= 0 && y >= 0 && x + name.width <= pictureWidth && y + NAME_HEIGHT <= pictureHeight;
            if (!isInside || taken.some((other) => overlaps(box, other))) continue;
            taken.push(box);
            return box;
        }
        return null;
    });
}

// An asset's joints: { node, parent (index of a joint), name }. Without a skin, all nodes.
function jointsOf(/** @type {Asset} */ asset) {
    const skinned = new Set(asset.skins.flatMap(({ joints }) => [...joints]));
    const nodes = skinned.size > 0 ? [...skinned].sort((a, b) => a - b) : asset.nodes.map((_, node) => node);
    const indices = new Map(nodes.map((node, index) => [node, index]));
    return nodes.map((node) => {
        const { parent, name } = asset.nodes[node];
        return { node, parent: indices.get(parent) ?? -1, name };
    });
}

const hasMeshes = (/** @type {Asset} */ asset) => asset.meshNodes.some(({ drawn }) => drawn);

class Overlay {
    #joints = []; // the character's
    #second = { asset: null, joints: [] }; // a compared character without meshes: nothing else of it is visible
    #positions = new Map(); // names' positions by node: indices in POSITIONS
    #path = { clip: null, points: [] };
    #probe = null;

    constructor(/** @type {Stage} */ stage, /** @type {HTMLCanvasElement} */ canvas) {
        this.stage = stage;
        this.canvas = canvas;
        this.gizmo = new Gizmo(stage);
        this.effectors = new Effectors(stage);
        this.goal = new WarpGoal(stage);
        this.rig = new RigGoals(stage);
        stage.addEventListener('loaded', () => this.#begin());
        if (stage.character) this.#begin();
    }

    #begin() {
        this.#joints = jointsOf(this.stage.character.asset);
        this.#probe = null; // disposed with its asset
        this.#positions.clear();
        this.#path = { clip: null, points: [] };
    }

    get #isShown() {
        const { selected, view: { skeleton, names, rootPath } } = this.stage;
        return this.stage.character !== null &&
            (skeleton || names || rootPath || this.goal.isShown || selected >= 0 || this.#colliders.length > 0 || this.#secondJoints.length > 0);
    }

    get #colliders() {
        return this.stage.view.colliders ? this.stage.solving?.colliders ?? [] : [];
    }

    get #secondJoints() {
        const asset = this.stage.compare?.asset ?? null;
        if (this.#second.asset !== asset) {
            this.#second = { asset, joints: asset && !hasMeshes(asset) ? jointsOf(asset) : [] };
        }
        return this.#second.joints;
    }

    /** @param {Camera} camera the picture's; `ground` is the ground's height */
    draw(camera, ground) {
        this.canvas.hidden = !this.#isShown && !this.gizmo.isShown && !this.effectors.isShown && !this.rig.isShown;
        const fitted = this.canvas.hidden ? null : fit(this.canvas);
        if (!fitted) return;
        this.#positions = this.#drawOn(fitted, camera, ground, this.#covered());
        this.gizmo.draw(fitted.context, camera, fitted);
        this.effectors.draw(fitted.context, camera, fitted);
        this.rig.draw(fitted.context, camera, fitted);
    }

    /**
     * The overlay for an exported picture: a canvas of the given size, or null if there's no overlay. Relative to the
     * character, lines and names are as large as on the page.
     */
    take(/** @type {Camera} */ camera, ground, width, height) {
        if (!this.#isShown) return null;
        const canvas = element('canvas', { width, height }), context = canvas.getContext('2d');
        const scale = height / Math.max(this.canvas.parentElement.clientHeight, 1);
        context.scale(scale, scale);
        this.#drawOn({ context, width: width / scale, height: height / scale }, camera, ground);
        return canvas;
    }

    // Draws in the page's CSS pixels. Returns the names' positions.
    #drawOn(target, /** @type {Camera} */ camera, ground = 0, covered = []) {
        const { skeleton, names, rootPath } = this.stage.view;
        this.context = target.context;
        this.width = target.width;
        this.height = target.height;
        this.camera = camera;
        if (this.goal.isShown) this.goal.draw(this.context, camera, this, ground);
        else if (rootPath) this.#drawPath(ground);
        drawColliders(this.context, camera, this, this.stage.character, this.#colliders);
        const points = this.#joints.map(({ node }) => this.#pointOf(node));
        if (skeleton) this.#drawBones(points, this.#joints, (i) => this.#colorOf(i));
        const second = this.#secondJoints;
        this.#drawBones(second.map(({ node }) => this.#pointOf(node, this.stage.compare)), second, () => BONE);
        this.#drawSelected();
        return names ? this.#drawNames(points, covered) : this.#positions;
    }

    // Draws the selected joint with its name.
    #drawSelected() {
        const { selected, character } = this.stage, { context } = this;
        const point = selected < 0 ? null : this.#pointOf(selected);
        if (!point) return;
        Object.assign(context, { lineWidth: 2, strokeStyle: EDGE });
        this.#drawDot(point, SELECTED, 5);
        const { name } = character.asset.nodes[selected];
        if (!name || this.stage.view.names) return;
        context.font = `12px ${getComputedStyle(this.canvas).fontFamily}`;
        Object.assign(context, { textAlign: 'left', textBaseline: 'middle' });
        const width = context.measureText(name).width + 2 * NAME_INSET;
        this.#drawName(name, { x: point[0] + NAME_DISTANCE, y: point[1] - NAME_HEIGHT / 2, width, height: NAME_HEIGHT });
    }

    /** The joint nearest to a point of the picture, in CSS pixels, within `radius`; -1 if there isn't one. */
    pick(/** @type {Camera} */ camera, x, y, radius) {
        this.camera = camera;
        this.width = this.canvas.parentElement.clientWidth;
        this.height = this.canvas.parentElement.clientHeight;
        let best = -1, least = radius;
        for (const { node } of this.#joints) {
            const point = this.#pointOf(node), distance = point ? Math.hypot(point[0] - x, point[1] - y) : Infinity;
            if (distance < least) [best, least] = [node, distance];
        }
        return best;
    }

    // Projects a point to CSS pixels from the upper left corner; null if it's behind the camera.
    #project(point) {
        const at = [0, 0];
        return project(this.camera, point, at) ? [at[0] * this.width, at[1] * this.height] : null;
    }

    #pointOf(node, { mixer, world } = this.stage.character) {
        const rows = mixer.modelMatrices, at = 12 * node;
        return this.#project(transformPoint(world, [rows[at + 3], rows[at + 7], rows[at + 11]]));
    }

    // ---- The skeleton ----

    // Draws joints over bones, to keep all joints visible.
    #drawBones(points, joints, colorOf) {
        Object.assign(this.context, { lineWidth: 1, lineJoin: 'round', strokeStyle: EDGE });
        joints.forEach(({ parent }, i) => {
            if (points[i] && points[parent]) this.#drawBone(points[parent], points[i], colorOf(parent));
        });
        joints.forEach((_, i) => points[i] && this.#drawDot(points[i], colorOf(i), 2.5));
    }

    // Joints that a layer affects get the layer colour.
    #colorOf(joint) {
        return this.stage.coverOf(this.#joints[joint].node) > 0 ? LAYER : BONE;
    }

    #drawDot(/** @type {number[]} */ [x, y], color, radius) {
        const { context } = this;
        context.fillStyle = color;
        context.beginPath();
        context.arc(x, y, radius, 0, 2 * Math.PI);
        context.fill();
        context.stroke();
    }

    // Draws a bone as a wedge. It's wide near its parent, which shows the direction.
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

    // Names that were visible have priority, so they stay. Then come parents, so larger bones get their names where
    // joints are close together.
    #drawNames(points, covered) {
        const { context, width, height } = this;
        context.font = `12px ${getComputedStyle(this.canvas).fontFamily}`;
        Object.assign(context, { textAlign: 'left', textBaseline: 'middle' });
        const named = this.#joints.flatMap(({ node, name, parent }, i) => (
            name && points[i] && this.#isApart(points[i], points[parent])
                ? [{ name, node, x: points[i][0], y: points[i][1], width: 0, last: this.#positions.get(node) }] : []));
        named.sort((a, b) => Number(a.last === undefined) - Number(b.last === undefined));
        for (const one of named) one.width = context.measureText(one.name).width + 2 * NAME_INSET;
        const boxes = layOutNames(named, width, height, covered);
        boxes.forEach((box, i) => box && this.#drawName(named[i].name, box));
        return new Map(boxes.flatMap((box, i) => (box ? [[named[i].node, box.position]] : [])));
    }

    // Areas of other elements over the picture, such as the frame times.
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
        return !parent || Math.abs(parent[0] - x) + Math.abs(parent[1] - y) > MIN_BONE;
    }

    // ---- The root path ----

    // The root path over the timeline's whole clip. Computed once per clip.
    #pathOf(clip) {
        if (this.#path.clip === clip) return this.#path.points;
        const { asset } = this.stage.character;
        const root = rootOf(asset);
        this.#probe ??= new Probe(asset);
        const points = Array.from({ length: PATH_SAMPLES + 1 }, (_, i) => {
            const rows = this.#probe.pose(clip, clip.duration * i / PATH_SAMPLES).modelMatrices, at = 12 * root;
            return [rows[at + 3], rows[at + 7], rows[at + 11]];
        });
        this.#path = { clip, points };
        return points;
    }

    #drawPath(ground) {
        const { context, stage: { shownClip, time, character } } = this;
        if (!shownClip) return;
        const onGround = (point) => {
            const at = transformPoint(character.world, point);
            return this.#project([at[0], ground, at[2]]);
        };
        const points = this.#pathOf(shownClip);
        const visible = points.map(onGround).filter(Boolean);
        for (const [color, lineWidth] of [[EDGE, 5], [BONE, 3]]) {
            Object.assign(context, { strokeStyle: color, lineWidth, lineJoin: 'round', lineCap: 'round' });
            context.beginPath();
            for (const [x, y] of visible) context.lineTo(x, y);
            context.stroke();
        }
        const part = shownClip.duration > 0 ? time / shownClip.duration : 0;
        const now = onGround(points[Math.round(Math.min(Math.max(part, 0), 1) * PATH_SAMPLES)]);
        if (!now) return;
        Object.assign(context, { strokeStyle: EDGE, lineWidth: 2 });
        this.#drawDot(now, BONE, 6);
    }
}

/** Adds the overlay and the onion skin to a picture. */
export function showOverlays(/** @type {Stage} */ stage, /** @type {Picture} */ picture) {
    const canvas = element('canvas', { className: 'over', hidden: true, 'aria-hidden': 'true' });
    const overlay = new Overlay(stage, canvas), onion = new Onion(stage);
    picture.container.prepend(canvas);
    picture.overlays.push(overlay);
    picture.grab = (x, y) => {
        const { clientWidth: width, clientHeight: height } = picture.container;
        const { camera } = picture.view(), size = { width, height };
        return overlay.gizmo.grab(camera, size, x, y) ?? overlay.goal.grab(camera, size, x, y, picture.floor.height) ??
            overlay.effectors.grab(camera, size, x, y) ?? overlay.rig.grab(camera, size, x, y);
    };
    picture.pick = (x, y, radius) => overlay.pick(picture.view().camera, x, y, radius);
    stage.addEventListener('frame', () => {
        picture.ghosts = onion.ghosts(picture.modelOf(stage.character?.asset));
    });
}
