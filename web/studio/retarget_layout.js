// SPDX-License-Identifier: MIT
// Lays out a skeleton's rest pose from the front, or a hand from its back. Points have x to the viewer's right, y
// down, and a total height of 1.
const AXES = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
const MAX_WIDTH = 4; // of a layout of height 1

const subtract = (a, b) => a.map((value, i) => value - b[i]);
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const scaled = (a, factor) => a.map((value) => value * factor);
const length = (a) => Math.hypot(...a);
const add = (a, b) => a.map((value, i) => value + b[i]);
const mean = (points) => scaled(points.reduce(add, [0, 0, 0]), 1 / points.length);

function unit(a, otherwise) {
    const size = length(a);
    return size > 1e-9 ? scaled(a, 1 / size) : otherwise;
}

// ---- Which nodes --------------------------------------------------------------------------------------------------

function descendantsOf(nodes, root) {
    const inside = new Set([root]);
    for (let grew = true; grew;) {
        const before = inside.size;
        nodes.forEach(({ parent }, node) => inside.has(parent) && inside.add(node));
        grew = inside.size > before;
    }
    return inside;
}

function ancestorsOf(nodes, node) {
    const found = [];
    for (let { parent } = nodes[node]; parent >= 0; { parent } = nodes[parent]) found.push(parent);
    return found;
}

/**
 * The body's nodes: the hips, their ancestors and descendants, and other nodes with a role, but no fingers. If a role
 * that every humanoid has is missing, all nodes: it may be one of them.
 */
export function bodyNodes(nodes, roles, isComplete) {
    if (!isComplete) return new Set(nodes.keys());
    const body = new Set(roles.keys());
    for (const [node, role] of roles) {
        if (role !== 'hips') continue;
        for (const one of [...ancestorsOf(nodes, node), ...descendantsOf(nodes, node)]) body.add(one);
    }
    for (const [hand, role] of roles) {
        if (!role.endsWith('Hand')) continue;
        for (const one of descendantsOf(nodes, hand)) if (one !== hand) body.delete(one);
    }
    return body;
}

/** A hand's nodes: the hand and its descendants. */
export const handNodes = (nodes, hand) => descendantsOf(nodes, hand);

// ---- Axes ---------------------------------------------------------------------------------------------------------

// The axis from the hips to the head.
function upOf(at) {
    const spine = at.hips && at.head ? subtract(at.head, at.hips) : AXES[1];
    const axis = [0, 1, 2].reduce((best, i) => (Math.abs(spine[i]) > Math.abs(spine[best]) ? i : best), 1);
    return scaled(AXES[axis], Math.sign(spine[axis]) || 1);
}

/**
 * The front view's axes: [to the viewer's right, down]. `at` has each role's position.
 * @returns {[number[], number[]]}
 */
export function frontAxes(at, forward) {
    const up = upOf(at), facing = unit(forward, Math.abs(up[2]) > 0.5 ? [0, -up[2], 0] : AXES[2]);
    return [unit(cross(up, facing), AXES[0]), scaled(up, -1)]; // the character's left is on the viewer's right
}

const FIRST_FINGERS = ['IndexProximal', 'MiddleProximal', 'RingProximal', 'LittleProximal'];

/**
 * A hand's axes. The fingers point up, and the first finger is on the thumb's side: right for the left hand.
 * @returns {[number[], number[]]}
 */
export function handAxes(side, hand, points, at) {
    const up = unit(subtract(mean(points), hand), AXES[1]);
    const fingers = FIRST_FINGERS.map((name) => at[side + name]).filter(Boolean);
    const across = fingers.length > 1 ? subtract(fingers[0], fingers.at(-1)) : widest(points, hand, up);
    const sideways = unit(subtract(across, scaled(up, dot(across, up))), unit(cross(up, AXES[2]), AXES[0]));
    return [scaled(sideways, side === 'left' ? 1 : -1), scaled(up, -1)];
}

// The direction from the hand to the point farthest from its axis.
function widest(points, hand, up) {
    const aside = points.map((point) => {
        const from = subtract(point, hand);
        return subtract(from, scaled(up, dot(from, up)));
    });
    return aside.reduce((best, one) => (length(one) > length(best) ? one : best), [0, 0, 0]);
}

// ---- Points -------------------------------------------------------------------------------------------------------

/**
 * Places nodes in a box of height 1: { points: Map of node to [x, y], width }. Leaves out nodes far outside the box
 * of the `measured` nodes.
 */
export function layOut(nodes, shown, measured, [right, down]) {
    const all = new Map([...shown].map((node) => [node, [dot(nodes[node].head, right), dot(nodes[node].head, down)]]));
    const inner = boxOf([...measured].map((node) => all.get(node)));
    const near = 0.25 * Math.max(inner.y1 - inner.y0, inner.x1 - inner.x0);
    const isNear = (/** @type {[number, number[]]} */ [, [x, y]]) => (
        x >= inner.x0 - near && x <= inner.x1 + near && y >= inner.y0 - near && y <= inner.y1 + near);
    const kept = [...all].filter(isNear), box = boxOf(kept.map(([, point]) => point));
    const width = box.x1 - box.x0, height = box.y1 - box.y0, size = Math.max(height, width / MAX_WIDTH, 1e-9);
    const top = (size - height) / 2;
    const place = (/** @type {number[]} */ [x, y]) => [(x - box.x0) / size, (y - box.y0 + top) / size];
    return { points: new Map(kept.map(([node, point]) => [node, place(point)])), width: width / size };
}

function boxOf(points) {
    if (points.length === 0) return { x0: 0, x1: 0, y0: 0, y1: 0 };
    const xs = points.map(([x]) => x), ys = points.map(([, y]) => y);
    return { x0: Math.min(...xs), x1: Math.max(...xs), y0: Math.min(...ys), y1: Math.max(...ys) };
}

/**
 * Lays out one skeleton for a view: 'body', 'leftHand' or 'rightHand'. Returns layOut's result, or null if there's no
 * such hand. `roles` is a Map from node to role.
 */
export function layOutSkeleton({ nodes, humanoid }, roles, view, isComplete) {
    const at = Object.fromEntries([...roles].map(([node, role]) => [role, nodes[node].head]));
    if (view === 'body') {
        const shown = bodyNodes(nodes, roles, isComplete);
        const measured = isComplete ? [...roles.keys()].filter((node) => shown.has(node)) : shown;
        return layOut(nodes, shown, measured, frontAxes(at, humanoid.forward));
    }
    const hand = [...roles].find(([, role]) => role === view)?.[0];
    if (hand === undefined) return null;
    const shown = handNodes(nodes, hand), points = [...shown].map((node) => nodes[node].head);
    return layOut(nodes, shown, shown, handAxes(view.replace('Hand', ''), nodes[hand].head, points, at));
}

/** The nearest node in a direction, [dx, dy]; -1 if there isn't one. For arrow keys. */
export function neighbourOf(points, node, [dx, dy]) {
    const [x, y] = points.get(node);
    let best = -1, least = Infinity;
    for (const [other, [ox, oy]] of points) {
        const along = (ox - x) * dx + (oy - y) * dy, aside = Math.abs((ox - x) * dy) + Math.abs((oy - y) * dx);
        if (other === node || along <= 1e-6) continue;
        const cost = along + 2 * aside;
        if (cost < least) [best, least] = [other, cost];
    }
    return best;
}
