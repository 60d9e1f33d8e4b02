// SPDX-License-Identifier: MIT
// Cameras: the framing of `sinew render`, and an orbit camera. Matrices are 4x4, column-major, with z from -w to w.
// Vectors are arrays of three. Units are metres and radians.

const SLOPE = Math.tan(14 * Math.PI / 180); // half of the visible height at distance 1
const INNER = 1.14; // margin around most of the points
const OUTER = 1.08; // margin around all points
const MOST = 1.75; // standard deviations that contain most points: a bar of uniform density ends at 1.73

// ---- Vectors and matrices ---------------------------------------------------------------------------------------

const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const add = (a, b, factor = 1) => [a[0] + factor * b[0], a[1] + factor * b[1], a[2] + factor * b[2]];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const clamp = (value, least, most) => Math.min(Math.max(value, least), most);

function unit(v) {
    const length = Math.sqrt(dot(v, v));
    return [v[0] / length, v[1] / length, v[2] / length];
}

function multiply(a, b) {
    const out = new Float32Array(16);
    for (let column = 0; column < 16; column += 4) {
        for (let row = 0; row < 4; row++) {
            let sum = 0;
            for (let i = 0; i < 4; i++) sum += a[4 * i + row] * b[column + i];
            out[column + row] = sum;
        }
    }
    return out;
}

// The axes of a view: right, up, and back toward the camera.
function axesOf(back) {
    const right = unit(cross([0, 1, 0], back));
    return { right, up: cross(back, right), back };
}

function viewMatrix({ right, up, back }, eye) {
    return [right[0], up[0], back[0], 0, right[1], up[1], back[1], 0, right[2], up[2], back[2], 0,
        -dot(right, eye), -dot(up, eye), -dot(back, eye), 1];
}

function perspective(widthSlope, heightSlope, near, far) {
    return [1 / widthSlope, 0, 0, 0, 0, 1 / heightSlope, 0, 0, 0, 0, (far + near) / (near - far), -1,
        0, 0, 2 * far * near / (near - far), 0];
}

// The direction to the camera. `yaw` 0 is the model's front (+Z), a quarter its left (+X); `pitch` is the elevation.
function backOf(yaw, pitch) {
    return [Math.sin(yaw) * Math.cos(pitch), Math.sin(pitch), Math.cos(yaw) * Math.cos(pitch)];
}

const cornersOf = ({ least, most }) => Array.from({ length: 8 }, (_, i) => (
    [0, 1, 2].map((axis) => (i >> axis & 1 ? most : least)[axis])));

// An orthographic view of a box from a direction, with a margin at its sides in metres: its matrix, its axes, and along
// them its middle and size in metres.
export function lightView(toward, box, margin) {
    const axes = axesOf(toward);
    const all = [axes.right, axes.up, axes.back];
    const corners = cornersOf(box);
    const extents = all.map((axis) => corners.map((corner) => dot(corner, axis)));
    const least = extents.map((values) => Math.min(...values)), most = extents.map((values) => Math.max(...values));
    const middle = least.map((value, i) => 0.5 * (value + most[i]));
    const thinnest = 0.01 * radiusOf(box); // of a flat box
    const size = least.map((value, i) => Math.max(1.01 * (most[i] - value) + (i < 2 ? 2 * margin : 0), thinnest));
    const center = all.reduce((sum, axis, i) => add(sum, axis, middle[i]), [0, 0, 0]);
    const projection = [2 / size[0], 0, 0, 0, 0, 2 / size[1], 0, 0, 0, 0, -2 / size[2], 0, 0, 0, 0, 1];
    return { matrix: multiply(projection, viewMatrix(axes, center)), axes, middle, size };
}

function look(eye, target, aspect, near, far) {
    const view = viewMatrix(axesOf(unit(add(eye, target, -1))), eye);
    return { eye, viewProjection: multiply(perspective(SLOPE * aspect, SLOPE, near, far), view) };
}

/** @typedef {{ eye: number[], viewProjection: ArrayLike<number> }} Camera */

// Projects a point to the picture, from (0, 0) in its upper left corner to (1, 1). False if it is behind the camera.
export function project(/** @type {Camera} */ camera, point, out) {
    const m = camera.viewProjection;
    const [x, y, z] = point;
    const w = m[3] * x + m[7] * y + m[11] * z + m[15];
    out[0] = 0.5 + 0.5 * (m[0] * x + m[4] * y + m[8] * z + m[12]) / w;
    out[1] = 0.5 - 0.5 * (m[1] * x + m[5] * y + m[9] * z + m[13]) / w;
    return w > 0;
}

export function radiusOf({ least, most }) {
    const radius = 0.5 * Math.hypot(most[0] - least[0], most[1] - least[1], most[2] - least[2]);
    return radius > 0 && Number.isFinite(radius) ? radius : 1;
}

export function centerOf({ least, most }) {
    return [0.5 * (least[0] + most[0]), 0.5 * (least[1] + most[1]), 0.5 * (least[2] + most[2])];
}

// ---- Framing ----------------------------------------------------------------------------------------------------

// The smallest distance of the camera so that both pyramids contain their points, with one offset for both. A pyramid
// with its tip at (x, z) contains the points that need at most slope * z + x on one side and slope * z - x on the
// other.
function minDistance(outer, inner) {
    return Math.max((outer.plus + outer.minus) / (2 * outer.slope), (inner.plus + inner.minus) / (2 * inner.slope),
        (outer.plus + inner.minus) / (outer.slope + inner.slope),
        (inner.plus + outer.minus) / (outer.slope + inner.slope));
}

// The sideways offset of the camera at that distance: centered on most points, as far as all points stay inside.
function centerOffset(outer, inner, distance) {
    const least = Math.max(outer.plus - outer.slope * distance, inner.plus - inner.slope * distance);
    const most = Math.min(outer.slope * distance - outer.minus, inner.slope * distance - inner.minus);
    return least < most ? clamp(0.5 * (inner.plus - inner.minus), least, most) : 0.5 * (least + most);
}

/**
 * Collects points, and computes the camera that shows all of them as large as possible. There are two view pyramids:
 * the outer one contains all points with a small margin, the inner one most of the points with a larger margin.
 */
export class Framing {
    constructor(aspect, yaw, pitch) {
        this.aspect = aspect;
        this.axes = axesOf(backOf(yaw, pitch));
        this.least = [Infinity, Infinity, Infinity];
        this.most = [-Infinity, -Infinity, -Infinity];
        this.nearest = -Infinity;
        this.farthest = Infinity;
        this.count = 0;
        this.outer = new Float64Array(4).fill(-Infinity); // the needs of the sides: right, left, up, down
        this.inner = new Float64Array(4).fill(-Infinity);
        this.first = new Float64Array(4);
        this.sums = new Float64Array(4); // of each point's need in the inner pyramid, less the first point's
        this.squares = new Float64Array(4);
    }

    get isEmpty() {
        return this.count === 0;
    }

    get radius() {
        return radiusOf(this);
    }

    // Adds a point. Points that are not finite are ignored.
    add(px, py, pz) {
        if (!Number.isFinite(px + py + pz)) return;
        const { right, up, back } = this.axes;
        const x = px * right[0] + py * right[1] + pz * right[2];
        const y = px * up[0] + py * up[1] + pz * up[2];
        const z = px * back[0] + py * back[1] + pz * back[2];
        const width = SLOPE * this.aspect * z;
        const height = SLOPE * z;
        this.count++;
        this.#push(0, width, x);
        this.#push(1, width, -x);
        this.#push(2, height, y);
        this.#push(3, height, -y);
        this.nearest = Math.max(this.nearest, z);
        this.farthest = Math.min(this.farthest, z);
        this.#grow(0, px);
        this.#grow(1, py);
        this.#grow(2, pz);
    }

    #push(side, along, out) {
        const inner = along / INNER + out;
        if (this.count === 1) this.first[side] = inner;
        const more = inner - this.first[side];
        this.outer[side] = Math.max(this.outer[side], along / OUTER + out);
        this.inner[side] = Math.max(this.inner[side], inner);
        this.sums[side] += more;
        this.squares[side] += more * more;
    }

    #grow(axis, value) {
        this.least[axis] = Math.min(this.least[axis], value);
        this.most[axis] = Math.max(this.most[axis], value);
    }

    // The need of most of the points on one side, at most that of all points.
    #mostOf(side) {
        const mean = this.sums[side] / this.count;
        const variance = Math.max(this.squares[side] / this.count - mean * mean, 0);
        return Math.min(this.inner[side], this.first[side] + mean + MOST * Math.sqrt(variance));
    }

    camera() {
        const { right, up, back } = this.axes;
        const slopes = [SLOPE * this.aspect, SLOPE];
        const outer = slopes.map((slope, i) => (
            { slope: slope / OUTER, plus: this.outer[2 * i], minus: this.outer[2 * i + 1] }));
        const inner = slopes.map((slope, i) => (
            { slope: slope / INNER, plus: this.#mostOf(2 * i), minus: this.#mostOf(2 * i + 1) }));
        const distance = Math.max(minDistance(outer[0], inner[0]), minDistance(outer[1], inner[1]),
            this.nearest + 0.5 * this.radius);
        const across = centerOffset(outer[0], inner[0], distance);
        const along = centerOffset(outer[1], inner[1], distance);
        const eye = [0, 1, 2].map((i) => right[i] * across + up[i] * along + back[i] * distance);
        const near = (distance - this.nearest) * 0.5;
        const far = distance - this.farthest + 8 * this.radius; // with the ground in the background
        return { eye, viewProjection: multiply(perspective(...slopes, near, far), viewMatrix(this.axes, eye)) };
    }
}

// ---- Orbit ------------------------------------------------------------------------------------------------------

const TURN = 4.5; // radians for a drag over the picture's whole height
const MAX_PITCH = 1.55;
const MARGIN = 1.12; // around what is framed
const RATE = 16; // of the easing: the remaining distance decays to 1/e in 1/16 s

const copyOf = ({ yaw, pitch, distance, target }) => ({ yaw, pitch, distance, target: [...target] });

// A camera that orbits a target. Its functions change `goal`; `now` follows by ease, or immediately by arrive.
export class OrbitCamera {
    constructor() {
        this.goal = { yaw: 0.56, pitch: 0.22, distance: 4, target: [0, 0.8, 0] };
        this.now = copyOf(this.goal);
        this.radius = 1; // of the framed box
    }

    // Orbits by a drag in units of the picture's height.
    turn(dx, dy) {
        this.goal.yaw -= TURN * dx;
        this.goal.pitch = clamp(this.goal.pitch + TURN * dy, -MAX_PITCH, MAX_PITCH);
    }

    // Pans so that the point under the pointer, at the target's depth, stays under it.
    pan(dx, dy) {
        const { right, up } = axesOf(backOf(this.goal.yaw, this.goal.pitch));
        const height = 2 * SLOPE * this.goal.distance;
        this.goal.target = add(add(this.goal.target, right, -dx * height), up, dy * height);
    }

    zoom(factor) {
        this.goal.distance = clamp(this.goal.distance * factor, 0.05 * this.radius, 60 * this.radius);
    }

    // Moves with its target by an offset.
    follow(offset) {
        this.goal.target = add(this.goal.target, offset);
        this.now.target = add(this.now.target, offset);
    }

    // Moves so that a box is visible from the current direction. A corner is visible if |x| <= slope * (distance -
    // z), and the same for y: each corner needs a distance.
    frame(box, aspect) {
        const { right, up, back } = axesOf(backOf(this.goal.yaw, this.goal.pitch));
        const slope = SLOPE / MARGIN;
        const center = centerOf(box);
        let distance = 0;
        for (let i = 0; i < 8; i++) {
            const corner = [0, 1, 2].map((axis) => (i >> axis & 1 ? box.most : box.least)[axis] - center[axis]);
            const x = Math.abs(dot(corner, right)) / (slope * aspect);
            const y = Math.abs(dot(corner, up)) / slope;
            distance = Math.max(distance, Math.max(x, y) + dot(corner, back));
        }
        if (!(distance > 0) || !Number.isFinite(distance)) return;
        this.radius = radiusOf(box);
        this.goal.distance = distance;
        this.goal.target = center;
    }

    arrive() {
        this.now = copyOf(this.goal);
    }

    // Advances the easing by `seconds`. Returns false after it has reached the goal.
    ease(seconds) {
        const { now, goal } = this;
        const t = 1 - Math.exp(-RATE * seconds);
        now.yaw += (goal.yaw - now.yaw) * t;
        now.pitch += (goal.pitch - now.pitch) * t;
        now.distance *= (goal.distance / now.distance) ** t; // geometric, so that zooming looks uniform
        const offset = add(goal.target, now.target, -1);
        now.target = add(now.target, offset, t);
        const remaining = Math.abs(goal.yaw - now.yaw) + Math.abs(goal.pitch - now.pitch) +
            Math.abs(goal.distance / now.distance - 1) + Math.hypot(...offset) / now.distance;
        if (remaining > 0.0005) return true;
        this.arrive();
        return false;
    }

    camera(aspect) {
        const { yaw, pitch, distance, target } = this.now;
        const reach = 8 * this.radius;
        const near = Math.max(distance - reach, 0.02 * distance);
        return look(add(target, backOf(yaw, pitch), distance), target, aspect, near, distance + 2 * reach);
    }
}
