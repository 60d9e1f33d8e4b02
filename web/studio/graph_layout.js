// SPDX-License-Identifier: MIT
// Lays out one machine for a diagram: states in rows from the entry down, transitions as curves around them. Chooses
// the number of states per row that fits the diagram's shape best.

const GAP = { x: 40, y: 52 }; // between states
const MAX_COLUMNS = 14, SWEEPS = 6;
const MAX_SCALE = 1.25; // don't draw a larger diagram any larger
const SAMPLES = 14; // samples of a curve, to find states that it crosses
const CLEARANCE = 7; // of a curve from the states it passes
const PAIR_BEND = 18; // for transitions in both directions
const PARALLEL = 16; // between transitions in the same direction
const BENDS = [0, 30, -30, 60, -60, 95, -95, 140, -140, 200, -200, 280, -280];

// ---- Rows -------------------------------------------------------------------------------------------------------

// Each node's distance from the entry, in transitions. Unreachable nodes come after the last.
function ranksOf(count, edges) {
    const ranks = Array(count).fill(-1), next = Array.from({ length: count }, () => []);
    for (const { from, to } of edges) next[from].push(to);
    let queue = count > 0 ? [0] : [];
    if (count > 0) ranks[0] = 0;
    for (let last; ; queue = [ranks.indexOf(-1)], ranks[queue[0]] = last) {
        for (const node of queue) {
            for (const to of next[node]) {
                if (ranks[to] >= 0) continue;
                ranks[to] = ranks[node] + 1;
                queue.push(to);
            }
        }
        last = Math.max(...ranks);
        if (!ranks.includes(-1)) return ranks;
    }
}

function rowsOf(ranks, columns) {
    const rows = [];
    for (let rank = 0; rank <= Math.max(...ranks); rank++) {
        const members = ranks.map((_, i) => i).filter((i) => ranks[i] === rank);
        const count = Math.ceil(members.length / columns), size = Math.ceil(members.length / Math.max(count, 1));
        for (let i = 0; i < members.length; i += size) rows.push(members.slice(i, i + size));
    }
    return rows;
}

// Arranges a row's members near their neighbours, without overlaps.
function placeRow(row, nodes, centers, neighbours) {
    const wish = new Map(row.map((i) => {
        const near = neighbours[i].filter((other) => !row.includes(other));
        return [i, near.length === 0 ? centers[i] : near.reduce((sum, other) => sum + centers[other], 0) / near.length];
    }));
    row.sort((a, b) => wish.get(a) - wish.get(b));
    let end = -Infinity, shift = 0;
    for (const i of row) {
        const half = nodes[i].width / 2;
        centers[i] = Math.max(wish.get(i), end + GAP.x + half);
        end = centers[i] + half;
        shift += (wish.get(i) - centers[i]) / row.length;
    }
    for (const i of row) centers[i] += shift;
}

function place(nodes, edges, columns) {
    const rows = rowsOf(ranksOf(nodes.length, edges), columns), centers = nodes.map(() => 0);
    const neighbours = nodes.map((_, i) => edges.flatMap(({ from, to }) => (
        from === i && to !== i ? [to] : to === i && from !== i ? [from] : [])));
    for (const row of rows) placeRow(row, nodes, centers, neighbours);
    for (let i = 0; i < SWEEPS; i++) {
        for (const row of i % 2 === 0 ? rows : [...rows].reverse()) placeRow(row, nodes, centers, neighbours);
    }
    let y = 0;
    const tops = [];
    for (const row of rows) {
        const height = Math.max(...row.map((i) => nodes[i].height));
        for (const i of row) tops[i] = y + (height - nodes[i].height) / 2;
        y += height + GAP.y;
    }
    const left = Math.min(...nodes.map(({ width }, i) => centers[i] - width / 2));
    const boxes = nodes.map((node, i) => ({ ...node, x: centers[i] - node.width / 2 - left, y: tops[i] }));
    return { boxes, width: Math.max(...boxes.map(({ x, width }) => x + width)), height: y - GAP.y };
}

// ---- Curves -----------------------------------------------------------------------------------------------------

export const centerOf = ({ x, y, width, height }) => ({ x: x + width / 2, y: y + height / 2 });

// Where a ray from inside a box toward a point leaves the box.
function leave(box, from, to) {
    const dx = to.x - from.x, dy = to.y - from.y;
    const across = dx === 0 ? Infinity : ((dx > 0 ? box.x + box.width : box.x) - from.x) / dx;
    const down = dy === 0 ? Infinity : ((dy > 0 ? box.y + box.height : box.y) - from.y) / dy;
    const part = Math.min(across, down, 1);
    return { x: from.x + part * dx, y: from.y + part * dy };
}

/** The point at `part` of a quadratic curve { start, control, end }. */
export function pointOn({ start, control, end }, part) {
    const a = (1 - part) ** 2, b = 2 * part * (1 - part), c = part ** 2;
    return { x: a * start.x + b * control.x + c * end.x, y: a * start.y + b * control.y + c * end.y };
}

// Counts a curve's samples that are in or near boxes.
function crossings(curve, boxes) {
    let count = 0;
    for (let i = 1; i < SAMPLES; i++) {
        const { x, y } = pointOn(curve, i / SAMPLES);
        for (const box of boxes) {
            if (x > box.x - CLEARANCE && x < box.x + box.width + CLEARANCE &&
                y > box.y - CLEARANCE && y < box.y + box.height + CLEARANCE) count++;
        }
    }
    return count;
}

// A curve between two boxes, `aside` from the line between their centers, that bends to its right.
function curveOf(from, to, aside, bend) {
    const a = centerOf(from), b = centerOf(to), length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
    const right = { x: -(b.y - a.y) / length, y: (b.x - a.x) / length };
    const move = (point, by) => ({ x: point.x + by * right.x, y: point.y + by * right.y });
    const control = move({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 }, 2 * (aside + bend));
    const inset = (box) => Math.min(aside, box.height / 2 - 6);
    return { start: leave(from, move(a, inset(from)), control), control, end: leave(to, move(b, inset(to)), control) };
}

function loopOf(box, index) {
    const x = box.x + box.width, y = box.y + box.height / 2, reach = 44 + 14 * index;
    return { start: { x, y: y - 10 }, control: { x: x + reach, y }, end: { x, y: y + 10 } };
}

function route(boxes, edges) {
    const used = new Map(), keyOf = (from, to) => `${from} ${to}`;
    const all = new Set(edges.map(({ from, to }) => keyOf(from, to)));
    return edges.map((edge) => {
        const { from, to } = edge, key = keyOf(from, to), index = used.get(key) ?? 0;
        used.set(key, index + 1);
        if (from === to) return { ...edge, curve: loopOf(boxes[from], index) };
        const others = boxes.filter((_, i) => i !== from && i !== to);
        const aside = (all.has(keyOf(to, from)) ? PAIR_BEND / 2 : 0) + PARALLEL * index;
        let best = null, least = Infinity;
        for (const bend of BENDS) {
            const curve = curveOf(boxes[from], boxes[to], aside, bend);
            const cost = 100 * crossings(curve, others) + Math.abs(bend) / 4;
            if (cost < least) [best, least] = [curve, cost];
        }
        return { ...edge, curve: best };
    });
}

// ---- The layout -------------------------------------------------------------------------------------------------

/**
 * Lays out nodes { width, height, ... }, the entry first, and edges { from, to, ... } of node indices, for a diagram
 * of the given size. Returns { nodes, edges, left, top, width, height }. Nodes get x and y, edges a curve { start,
 * control, end }.
 */
export function layoutMachine(nodes, edges, size) {
    if (nodes.length === 0) return { nodes: [], edges: [], left: 0, top: 0, width: 1, height: 1 };
    let best = null, most = 0;
    for (let columns = 1; columns <= Math.min(MAX_COLUMNS, nodes.length); columns++) {
        const placed = place(nodes, edges, columns);
        const scale = Math.min(size.width / placed.width, size.height / placed.height, MAX_SCALE);
        if (scale > 1.02 * most) [best, most] = [placed, scale];
    }
    const routed = route(best.boxes, edges), points = routed.flatMap(({ curve }) => (
        [0.25, 0.5, 0.75].map((part) => pointOn(curve, part))));
    const left = Math.min(0, ...points.map(({ x }) => x)), top = Math.min(0, ...points.map(({ y }) => y));
    return { nodes: best.boxes, edges: routed, left, top,
        width: Math.max(best.width, ...points.map(({ x }) => x)) - left,
        height: Math.max(best.height, ...points.map(({ y }) => y)) - top };
}
