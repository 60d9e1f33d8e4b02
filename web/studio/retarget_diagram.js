// SPDX-License-Identifier: MIT
// A retargeting's diagram: front views of the source's and the target's rest poses at equal height, with lines
// between paired nodes. A click or Enter picks a node; arrow keys move between nodes.
import { drawn, element } from './panels/parts.js';
import { layOutSkeleton, neighbourOf } from './retarget_layout.js';
import { missingRoles } from './retarget_findings.js';
import { labelOf } from './retarget_roles.js';

const MARGIN = 14, GAP = 26; // pixels around the skeletons and between them
const MIN_HEIGHT = 90, MAX_HEIGHT = 0.3; // pixels; part of the window
const REACH = 16, TOUCH_REACH = 26; // pixels from the pointer to a node
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const SIDES = ['source', 'target'];

const keyOf = (side, node) => `${side} ${node}`;
const nameOf = (nodes, node) => nodes[node].name || `node ${node}`;

export class RetargetDiagram {
    #joints = new Map(); // by key: { side, node, role, x, y, group }
    #links = []; // { role, keys: [source, target], line }
    #content = null; // what's drawn: a view, maps and a report
    #marked = null; // key of the node that's hovered or focused

    /** `actions` has pick(side, node) and hover(text). The text describes a node; '' for none. */
    constructor(actions) {
        this.actions = actions;
        this.linkLayer = drawn('g', { class: 'links' });
        this.jointLayer = drawn('g');
        this.svg = drawn('svg', { class: 'pairing-view', role: 'group', 'aria-label': 'Skeletons of source and target' },
            this.linkLayer, this.jointLayer);
        this.node = element('div', { className: 'diagram pairing' }, this.svg);
        this.#listen();
        new ResizeObserver(() => this.#draw()).observe(this.node);
    }

    // ---- Content ----

    /** Shows a Retargeting in a view: 'body', 'leftHand' or 'rightHand'. */
    show(retargeting, view) {
        const { maps, report, source, target } = retargeting;
        const content = { retargeting, view, maps, report, humanoids: [source.humanoid, target.humanoid] };
        const isSame = this.#content && Object.entries(content).every(([name, value]) => (
            name === 'humanoids' ? value.every((one, i) => one === this.#content.humanoids[i]) : value === this.#content[name]));
        this.#content = content;
        if (!isSame) this.#draw();
        this.#mark();
    }

    #draw() {
        const { clientWidth: width } = this.node;
        if (!this.#content || width === 0) return;
        const focused = this.#joints.get(this.#keyOfFocus());
        this.#layOut(width);
        this.linkLayer.replaceChildren(...this.#links.map(({ line }) => line));
        const joints = [...this.#joints.values()], first = joints.find(({ role }) => role === 'hips') ?? joints[0];
        const back = focused && this.#joints.get(keyOf(focused.side, focused.node));
        (back ?? first)?.group.setAttribute('tabindex', '0');
        back?.group.focus({ preventScroll: true });
        this.#mark();
    }

    // Gives both skeletons the same height, and shares the width in proportion to theirs.
    #layOut(width) {
        const { retargeting, view } = this.#content;
        const layouts = SIDES.map((side) => {
            const roles = retargeting.rolesOf(side), isComplete = missingRoles(retargeting.maps[side]).length === 0;
            return { side, roles, layout: layOutSkeleton(retargeting[side], roles, view, isComplete) };
        });
        const widths = layouts.map(({ layout }) => layout?.width ?? 0.5), room = width - 2 * MARGIN - GAP;
        const size = Math.min(Math.max(room / (widths[0] + widths[1]), 1), Math.max(MAX_HEIGHT * innerHeight, MIN_HEIGHT));
        const height = Math.max(size, MIN_HEIGHT) + 2 * MARGIN, top = (height - size) / 2;
        const spare = (room - (widths[0] + widths[1]) * size) / 4; // on each side of each
        this.node.style.height = `${height}px`;
        this.#joints = new Map();
        this.jointLayer.replaceChildren(...layouts.map(({ side, roles, layout }, i) => {
            const left = MARGIN + spare + (i === 0 ? 0 : widths[0] * size + 2 * spare + GAP);
            if (!layout) return this.#emptySide(left + widths[i] * size / 2, height / 2);
            const at = new Map([...layout.points].map(([node, [x, y]]) => [node, [left + x * size, top + y * size]]));
            return this.#makeSkeleton(side, roles, at);
        }));
        this.#makeLinks();
    }

    #emptySide(x, y) {
        const text = drawn('text', { class: 'absent', x, y, 'text-anchor': 'middle' });
        text.textContent = `no ${labelOf(this.#content.view).toLowerCase()}`;
        return text;
    }

    #makeSkeleton(side, roles, at) {
        const { retargeting } = this.#content, { nodes, humanoid } = retargeting[side];
        const doubted = new Set(humanoid.findings.map(({ node }) => node));
        const place = ([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`;
        const bones = [...at].filter(([node]) => at.has(nodes[node].parent))
            .map(([node, point]) => `M${place(at.get(nodes[node].parent))}L${place(point)}`);
        const joints = [...at].sort(([a], [b]) => roles.has(a) - roles.has(b)); // nodes with roles on top
        const groups = joints.map(([node, [x, y]]) => (
            this.#makeJoint({ side, node, role: roles.get(node) ?? null, x, y }, doubted.has(node))));
        return drawn('g', { class: `skeleton ${side}` }, drawn('path', { class: 'bone', d: bones.join('') }), ...groups);
    }

    #makeJoint(joint, isDoubted) {
        const { side, node, role, x, y } = joint, { retargeting } = this.#content;
        const other = side === 'source' ? 'target' : 'source';
        const state = role === null ? 'free' : retargeting.nodeOf(other, role) < 0 ? 'unpaired' : 'paired';
        const words = role === null ? 'no role' : labelOf(role) + (state === 'unpaired' ? `, not in the ${other}` : '');
        const text = `${nameOf(retargeting[side].nodes, node)} (${side}): ${words}`;
        joint.text = text;
        joint.group = drawn('g', { class: `joint ${state}${isDoubted ? ' doubted' : ''}`, role: 'button', tabindex: '-1',
            'aria-label': text, transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})` },
            drawn('circle', { r: role === null ? 2.5 : 3.5 }));
        joint.group.dataset.key = keyOf(side, node);
        this.#joints.set(keyOf(side, node), joint);
        return joint.group;
    }

    // Makes lines for roles that both have, and for nodes that are paired by name or position.
    #makeLinks() {
        const { retargeting, report } = this.#content, pairs = [];
        for (const [node, role] of retargeting.rolesOf('source')) {
            pairs.push({ role, source: node, target: retargeting.nodeOf('target', role) });
        }
        for (const pair of report?.pairs ?? []) if (pair.role === null) pairs.push(pair);
        this.#links = pairs.flatMap(({ role, source, target }) => {
            const keys = [keyOf('source', source), keyOf('target', target)], [a, b] = keys.map((key) => this.#joints.get(key));
            if (!a || !b) return [];
            return [{ role, keys, line: drawn('path', { class: 'link', d: `M${a.x} ${a.y}L${b.x} ${b.y}` }) }];
        });
    }

    // ---- Marks ----

    #mark() {
        const { retargeting } = this.#content ?? {};
        if (!retargeting) return;
        const isMarked = (keys) => keys.includes(this.#marked);
        for (const { role, keys, line } of this.#links) {
            line.classList.toggle('selected', role !== null && role === retargeting.role);
            line.classList.toggle('marked', isMarked(keys));
        }
        for (const [key, { role, group }] of this.#joints) {
            group.classList.toggle('selected', role !== null && role === retargeting.role);
            group.classList.toggle('marked', key === this.#marked);
        }
        this.node.classList.toggle('assigning', retargeting.isAssigning);
        this.actions.hover(this.#joints.get(this.#marked)?.text ?? '');
    }

    #setMarked(key) {
        if (key === this.#marked) return;
        this.#marked = key;
        this.#mark();
    }

    // ---- Pointer and keys ----

    #nearest({ clientX, clientY, pointerType }) {
        const { left, top } = this.svg.getBoundingClientRect();
        let best = null, least = pointerType === 'touch' ? TOUCH_REACH : REACH;
        for (const joint of this.#joints.values()) {
            const distance = Math.hypot(joint.x - (clientX - left), joint.y - (clientY - top)) - (joint.role ? 2 : 0);
            if (distance < least) [best, least] = [joint, distance];
        }
        return best;
    }

    #keyOfFocus() {
        const focused = /** @type {HTMLElement | SVGElement | null} */ (document.activeElement);
        return this.node.contains(focused) ? focused.dataset.key : undefined;
    }

    #listen() {
        const { svg } = this;
        svg.addEventListener('pointermove', (event) => {
            const found = this.#nearest(event);
            this.#setMarked(found ? keyOf(found.side, found.node) : null);
        });
        svg.addEventListener('pointerleave', () => this.#setMarked(this.#keyOfFocus() ?? null));
        svg.addEventListener('click', (event) => {
            const found = this.#nearest(event);
            if (found) this.actions.pick(found.side, found.node);
        });
        svg.addEventListener('focusin', () => this.#setMarked(this.#keyOfFocus() ?? null));
        svg.addEventListener('focusout', () => this.#setMarked(null));
        svg.addEventListener('keydown', (event) => {
            const joint = this.#joints.get(this.#keyOfFocus());
            if (!joint) return;
            if (event.key === 'Enter' || event.key === ' ') this.actions.pick(joint.side, joint.node);
            else if (event.key in ARROWS) this.#go(keyOf(joint.side, joint.node), ARROWS[event.key]);
            else return;
            event.preventDefault();
        });
    }

    #go(from, direction) {
        const points = new Map([...this.#joints].map(([key, { x, y }]) => [key, [x, y]]));
        const next = this.#joints.get(neighbourOf(points, from, direction));
        if (!next) return;
        this.#joints.get(from).group.setAttribute('tabindex', '-1');
        next.group.setAttribute('tabindex', '0');
        next.group.focus({ preventScroll: true });
    }
}
