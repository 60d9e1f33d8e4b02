// SPDX-License-Identifier: MIT
// The root warp over the picture: the root path with and without the warp, and a ring at the goal. Dragging moves it
// on the ground.
import { project } from './renderers/camera.js';
/** @import { Camera } from './renderers/camera.js' */
/** @import { Stage } from './stage.js' */

const WARPED = '#ffb547', UNWARPED = '#c9ccd3', EDGE = 'rgb(20 16 8 / 75%)'; // visible on any picture
const RADIUS = 9, REACH = 14; // CSS pixels: the ring's radius, and how near the pointer must be
const SAMPLES = 48;
const OUTSIDE = 0.35; // opacity outside the window
const FARTHEST = 100; // metres from where it was grabbed, so it can't go to the horizon

/** The point at a height that appears at (x, y) of the picture, 0 to 1; null if there isn't one. */
export function pointAtHeight({ viewProjection: m }, height, x, y) {
    const right = 2 * x - 1, up = 1 - 2 * y;
    const [a, b, c] = [m[0] - right * m[3], m[8] - right * m[11], right * (m[7] * height + m[15]) - m[4] * height - m[12]];
    const [d, e, f] = [m[1] - up * m[3], m[9] - up * m[11], up * (m[7] * height + m[15]) - m[5] * height - m[13]];
    const determinant = a * e - b * d;
    const point = [(c * e - b * f) / determinant, height, (a * f - c * d) / determinant];
    const depth = m[3] * point[0] + m[7] * height + m[11] * point[2] + m[15];
    return point.every(Number.isFinite) && depth > 0 ? point : null;
}

export class WarpGoal {
    constructor(/** @type {Stage} */ stage) {
        this.stage = stage;
    }

    get isShown() {
        return this.stage.character !== null && this.stage.warping.acts;
    }

    /** The ring, in CSS pixels, for a picture of the given size: [x, y]; null if it isn't visible. */
    ring(/** @type {Camera} */ camera, { width, height }, ground) {
        if (!this.isShown) return null;
        const { goal: [x, , z] } = this.stage.warping, at = [0, 0];
        return project(camera, [x, ground, z], at) ? [at[0] * width, at[1] * height] : null;
    }

    draw(/** @type {CanvasRenderingContext2D} */ context, /** @type {Camera} */ camera, size, ground) {
        if (!this.isShown) return;
        const { warping, shownClip: { duration } } = this.stage;
        const times = Array.from({ length: SAMPLES + 1 }, (_, i) => duration * i / SAMPLES);
        const positions = times.map((time) => warping.positionsAt(time));
        /** @returns {[number, number] | null} */
        const toPixels = ([x, , z], at = [0, 0]) => (
            project(camera, [x, ground, z], at) ? [at[0] * size.width, at[1] * size.height] : null);
        this.#drawPath(context, times, positions.map(({ unwarped }) => toPixels(unwarped)), UNWARPED);
        this.#drawPath(context, times, positions.map(({ warped }) => toPixels(warped)), WARPED);
        this.#drawRing(context, toPixels(warping.goal));
    }

    // Draws the path, faint outside the window.
    #drawPath(/** @type {CanvasRenderingContext2D} */ context, times, /** @type {[number, number][]} */ points, color) {
        const { start, end } = this.stage.warping.window;
        for (const [stroke, lineWidth] of [[EDGE, 5], [color, 3]]) {
            Object.assign(context, { strokeStyle: stroke, lineWidth, lineCap: 'round' });
            for (let i = 1; i < points.length; i++) {
                if (!points[i - 1] || !points[i]) continue;
                context.globalAlpha = times[i] > start && times[i] <= end ? 1 : OUTSIDE;
                context.beginPath();
                context.moveTo(...points[i - 1]);
                context.lineTo(...points[i]);
                context.stroke();
            }
        }
        context.globalAlpha = 1;
    }

    #drawRing(/** @type {CanvasRenderingContext2D} */ context, /** @type {[number, number] | null} */ at) {
        if (!at) return;
        context.fillStyle = WARPED;
        for (const [color, lineWidth] of [[EDGE, 5], [WARPED, 3]]) {
            Object.assign(context, { strokeStyle: color, lineWidth });
            context.beginPath();
            context.arc(...at, RADIUS, 0, 2 * Math.PI);
            context.stroke();
        }
        context.beginPath();
        context.arc(...at, 3, 0, 2 * Math.PI);
        context.fill();
    }

    /** The ring if it's at a point, or null. Its drag(dx, dy) moves the goal on the ground by CSS pixels. */
    grab(/** @type {Camera} */ camera, size, x, y, ground) {
        const at = this.ring(camera, size, ground);
        if (!at || Math.hypot(at[0] - x, at[1] - y) >= REACH) return null;
        const [startX, , startZ] = this.stage.warping.goal;
        return {
            drag: (dx, dy) => {
                at[0] += dx;
                at[1] += dy;
                const point = pointAtHeight(camera, ground, at[0] / size.width, at[1] / size.height);
                if (!point || Math.hypot(point[0] - startX, point[2] - startZ) > FARTHEST) return;
                this.stage.setGoal([point[0], 0, point[2]]);
            },
        };
    }
}
