// SPDX-License-Identifier: MIT
// An attachment's handles over the picture: a line along each of its joint's axes. Dragging one moves the attachment.
import { project } from './renderers/camera.js';
/** @import { Camera } from './renderers/camera.js' */
/** @import { Stage } from './stage.js' */

const COLORS = ['#ff6b6b', '#7bd67b', '#6ea8ff']; // x, y, z
const EDGE = 'rgb(20 16 8 / 75%)';
const LENGTH = 0.09; // relative to the distance from the camera
const RADIUS = 6, REACH = 12; // CSS pixels: the handle's radius, and how near the pointer must be

/** @returns {[number, number]} */
const toPixels = (/** @type {number[]} */ [x, y], { width, height }) => [x * width, y * height];

export class Gizmo {
    constructor(/** @type {Stage} */ stage) {
        this.stage = stage;
    }

    get #attachment() {
        const { gizmo, view, attachments } = this.stage;
        return view.tab === 'Scene' && attachments.includes(gizmo) ? gizmo : null;
    }

    get isShown() {
        return this.#attachment !== null;
    }

    // The axes along which the attachment moves: its joint's, as three world vectors.
    #axes({ joint }) {
        const { mixer, world } = this.stage.character, rows = joint < 0 ? world : mixer.modelMatrices;
        const first = joint < 0 ? 0 : 12 * joint;
        return [0, 1, 2].map((axis) => [0, 4, 8].map((row) => rows[first + row + axis]));
    }

    /**
     * The handles, in CSS pixels, for a picture of the given size: [{ axis, from, to, units }]. `units` is the line's
     * length in the joint's space. Empty if they're behind the camera.
     */
    handles(/** @type {Camera} */ camera, size) {
        const attachment = this.#attachment;
        if (!attachment) return [];
        const { world } = attachment, origin = [world[3], world[7], world[11]], at = [0, 0];
        if (!project(camera, origin, at)) return [];
        const from = toPixels(at, size), length = LENGTH * Math.hypot(...origin.map((value, i) => value - camera.eye[i]));
        return this.#axes(attachment).flatMap((direction, axis) => {
            const units = length / Math.max(Math.hypot(...direction), 1e-9);
            const end = origin.map((value, i) => value + units * direction[i]);
            return project(camera, end, at) ? [{ axis, from, to: toPixels(at, size), units }] : [];
        });
    }

    draw(/** @type {CanvasRenderingContext2D} */ context, /** @type {Camera} */ camera, size) {
        for (const { axis, from, to } of this.handles(camera, size)) {
            for (const [color, lineWidth] of [[EDGE, 5], [COLORS[axis], 3]]) {
                Object.assign(context, { strokeStyle: color, lineWidth, lineCap: 'round' });
                context.beginPath();
                context.moveTo(...from);
                context.lineTo(...to);
                context.stroke();
            }
            Object.assign(context, { fillStyle: COLORS[axis], strokeStyle: EDGE, lineWidth: 1 });
            context.beginPath();
            context.arc(...to, RADIUS, 0, 2 * Math.PI);
            context.fill();
            context.stroke();
        }
    }

    /** The handle at a point, or null. Its drag(dx, dy) moves the attachment by CSS pixels. */
    grab(/** @type {Camera} */ camera, size, x, y) {
        const attachment = this.#attachment;
        const found = this.handles(camera, size).find(({ to }) => Math.hypot(to[0] - x, to[1] - y) < REACH);
        if (!found) return null;
        const { axis, from, to, units } = found, across = to[0] - from[0], down = to[1] - from[1];
        const square = Math.max(across * across + down * down, 1);
        return {
            drag: (dx, dy) => {
                const { stage } = this, index = stage.attachments.indexOf(attachment);
                const moved = attachment.offset.translation[axis] + units * (dx * across + dy * down) / square;
                if (index >= 0) stage.setAttachment(index, { offset: { translation: attachment.offset.translation.with(axis, moved) } });
            },
        };
    }
}
