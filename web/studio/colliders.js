// SPDX-License-Identifier: MIT
// Draws spring colliders over the picture, as outlines.
import { transformPoint } from './affine.js';
import { project } from './renderers/camera.js';
/** @import { Camera } from './renderers/camera.js' */
/** @import { Springs } from './sinew/solvers.js' */
/** @import { Character } from './stage.js' */

const COLOR = '#7bd6c8', EDGE = 'rgb(20 16 8 / 60%)'; // visible on any picture
const STEPS = 32; // per circle
const PLANE = 0.3; // metres: half the side of the square for a plane

const add = (a, b, factor = 1) => a.map((value, i) => value + factor * b[i]);
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];

function unit(v) {
    const length = Math.hypot(...v);
    return length > 0 ? v.map((value) => value / length) : [0, 1, 0];
}

// Two unit vectors, perpendicular to `axis` and to each other.
function across(axis) {
    const side = unit(cross(axis, Math.abs(axis[1]) < 0.9 ? [0, 1, 0] : [1, 0, 0]));
    return [side, cross(axis, side)];
}

// An arc around a center, from one unit vector toward another, by an angle.
function arc(center, radius, from, to, angle = 2 * Math.PI) {
    return Array.from({ length: STEPS + 1 }, (_, i) => {
        const turn = angle * i / STEPS;
        return add(add(center, from, radius * Math.cos(turn)), to, radius * Math.sin(turn));
    });
}

/**
 * A collider's outlines in its node's space, as arrays of points.
 * @param {{shape: string, offset: number[], tail: number[], normal: number[], radius: number}} collider
 */
export function outlinesOf({ shape, offset, tail, normal, radius }) {
    if (shape === 'plane') {
        const [u, v] = across(unit(normal)), corner = (i, k) => add(add(offset, u, i * PLANE), v, k * PLANE);
        return [[corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1), corner(-1, -1)], [offset, add(offset, unit(normal), PLANE / 2)]];
    }
    const axis = shape === 'capsule' ? unit(add(tail, offset, -1)) : [0, 1, 0], [u, v] = across(axis);
    if (shape === 'sphere') return [arc(offset, radius, u, v), arc(offset, radius, u, axis), arc(offset, radius, v, axis)];
    const back = axis.map((value) => -value);
    const stadium = (side) => [...arc(tail, radius, side, axis, Math.PI), ...arc(offset, radius, side.map((value) => -value), back, Math.PI), add(tail, side, radius)];
    return [arc(offset, radius, u, v), arc(tail, radius, u, v), stadium(u), stadium(v)];
}

// Transforms a point to the world, from a node's space or from the world.
function toWorld({ mixer, world }, node, point) {
    return node < 0 ? point : transformPoint(world, transformPoint(mixer.modelMatrices, point, 12 * node));
}

/**
 * Draws the main character's colliders into a picture of the given size.
 * @param {CanvasRenderingContext2D} context
 * @param {Camera} camera
 * @param {{ width: number, height: number }} size
 * @param {Character} character
 * @param {Springs['colliders']} colliders
 */
export function drawColliders(context, camera, { width, height }, character, colliders) {
    const at = [0, 0];
    for (const collider of colliders) {
        for (const outline of outlinesOf(collider)) {
            const points = outline.map((point) => toWorld(character, collider.node, point))
                .flatMap((point) => (project(camera, point, at) ? [[at[0] * width, at[1] * height]] : []));
            for (const [strokeStyle, lineWidth] of [[EDGE, 3], [COLOR, 1.5]]) {
                Object.assign(context, { strokeStyle, lineWidth, lineJoin: 'round', lineCap: 'round' });
                context.beginPath();
                for (const [x, y] of points) context.lineTo(x, y);
                context.stroke();
            }
        }
    }
}
