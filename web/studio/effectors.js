// SPDX-License-Identifier: MIT
// Effectors over the picture: a ring at each hand and foot, the head and the hips. Dragging moves it in the picture's
// plane.
import { transformPoint } from './affine.js';
import { project } from './renderers/camera.js';
/** @import { Camera } from './renderers/camera.js' */
/** @import { Stage } from './stage.js' */

const FREE = '#ffffff', HELD = '#ff6bb5', EDGE = 'rgb(20 16 8 / 75%)'; // visible on any picture
const RADIUS = 8, REACH = 14; // CSS pixels: the ring's radius, and how near the pointer must be

/** A vector times the inverse of a world matrix's 3x3, which has a rotation and a uniform scale. */
export function toModel(world, vector) {
    const square = world[0] ** 2 + world[4] ** 2 + world[8] ** 2;
    return [0, 1, 2].map((i) => (world[i] * vector[0] + world[4 + i] * vector[1] + world[8 + i] * vector[2]) / square);
}

/** How far a point moves in the world per CSS pixel to the right and down, at constant depth. */
export function planeAt(/** @type {Camera} */ camera, { height }, point) {
    const { viewProjection: m } = camera, depth = m[3] * point[0] + m[7] * point[1] + m[11] * point[2] + m[15];
    const unit = (row) => {
        const vector = [m[row], m[4 + row], m[8 + row]], length = Math.hypot(...vector);
        return { vector: vector.map((value) => value / length), length };
    };
    const right = unit(0), up = unit(1), perPixel = 2 * depth / (up.length * height); // the same on both axes
    return { right: right.vector.map((value) => value * perPixel), down: up.vector.map((value) => -value * perPixel) };
}

export class Effectors {
    constructor(/** @type {Stage} */ stage) {
        this.stage = stage;
    }

    get isShown() {
        const { view, solving } = this.stage;
        return view.effectors && Boolean(solving?.reach.roles);
    }

    /** The rings, in CSS pixels, for a picture of the given size: [{ role, target, at }]. */
    rings(/** @type {Camera} */ camera, { width, height }) {
        if (!this.isShown) return [];
        const { solving: { reach }, character: { world } } = this.stage, at = [0, 0];
        return reach.effectors.flatMap(({ role, target }) => {
            const point = transformPoint(world, target ?? reach.positionOf(role));
            return project(camera, point, at) ? [{ role, target, at: [at[0] * width, at[1] * height] }] : [];
        });
    }

    draw(/** @type {CanvasRenderingContext2D} */ context, /** @type {Camera} */ camera, size) {
        for (const { target, at: [x, y] } of this.rings(camera, size)) {
            for (const [color, lineWidth] of [[EDGE, 5], [target ? HELD : FREE, 3]]) {
                Object.assign(context, { strokeStyle: color, lineWidth });
                context.beginPath();
                context.arc(x, y, RADIUS, 0, 2 * Math.PI);
                context.stroke();
            }
        }
    }

    /** The ring at a point, or null. Its drag(dx, dy) moves the effector by CSS pixels. */
    grab(/** @type {Camera} */ camera, size, x, y) {
        const near = (ring) => Math.hypot(ring.at[0] - x, ring.at[1] - y);
        const [found] = this.rings(camera, size).filter((ring) => near(ring) < REACH).sort((a, b) => near(a) - near(b));
        if (!found) return null;
        const { solving: { reach }, character: { world } } = this.stage;
        const target = found.target ? [...found.target] : reach.positionOf(found.role);
        const plane = planeAt(camera, size, transformPoint(world, target));
        const right = toModel(world, plane.right), down = toModel(world, plane.down);
        return {
            drag: (dx, dy) => {
                for (let i = 0; i < 3; i++) target[i] += right[i] * dx + down[i] * dy;
                this.stage.holdEffector(found.role, target);
            },
        };
    }
}
