// SPDX-License-Identifier: MIT
// A machine's diagram: states as boxes, transitions as curves. It pans and zooms by mouse, touch and keys, and shows
// what's active and what runs.
import { centerOf, layoutMachine, pointOn } from './graph_layout.js';
import { drawn, element } from './panels/parts.js';

const NAME_FONT = '600 13px', ABOUT_FONT = '11px';
const PADDING = 12, OPEN_WIDTH = 34, BOX_HEIGHT = 46, ANY_HEIGHT = 32;
const MAX_TEXT = 150, MIN_BOX = 76; // pixels
const MARGIN = 26, TOOLS = 24; // pixels around the machine, and more at the right for the tools
const MIN_ZOOM = 0.15, READABLE = 0.55, MAX_ZOOM = 2.5, ZOOM_STEP = 1.25;
const CLICK = 6; // pixels: the most that a pointer moves in a click
const ARROW = 9;
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const stillOnly = matchMedia('(prefers-reduced-motion: reduce)');

// ---- Texts ------------------------------------------------------------------------------------------------------

const context = document.createElement('canvas').getContext('2d');

function widthOf(text, font, family) {
    context.font = `${font} ${family}`;
    return context.measureText(text).width;
}

function shorten(text, font, family, most) {
    if (widthOf(text, font, family) <= most) return text;
    let count = text.length;
    while (count > 1 && widthOf(`${text.slice(0, count)}…`, font, family) > most) count--;
    return `${text.slice(0, count).trimEnd()}…`;
}

// A node with its texts and size. `node` is { name, about, kind, ... }.
function measured(node, family) {
    const name = shorten(node.name, NAME_FONT, family, MAX_TEXT), about = shorten(node.about, ABOUT_FONT, family, MAX_TEXT);
    const text = Math.max(widthOf(name, NAME_FONT, family), widthOf(about, ABOUT_FONT, family));
    const width = Math.max(Math.ceil(text) + 2 * PADDING, MIN_BOX) + (node.kind === 'machine' ? OPEN_WIDTH : 0);
    return { ...node, shown: { name, about }, width, height: node.kind === 'any' ? ANY_HEIGHT : BOX_HEIGHT };
}

const point = ({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`;
const pathOf = ({ start, control, end }) => `M${point(start)}Q${point(control)} ${point(end)}`;

function arrowOf({ control, end }) {
    const dx = end.x - control.x, dy = end.y - control.y, length = Math.hypot(dx, dy) || 1;
    const back = { x: end.x - ARROW * dx / length, y: end.y - ARROW * dy / length };
    const side = { x: -0.45 * ARROW * dy / length, y: 0.45 * ARROW * dx / length };
    const left = { x: back.x + side.x, y: back.y + side.y }, right = { x: back.x - side.x, y: back.y - side.y };
    return `M${point(end)}L${point(left)}L${point(right)}z`;
}

// ---- The diagram ------------------------------------------------------------------------------------------------

export class Diagram {
    #view = { x: 0, y: 0, scale: 1 };
    #isFitted = true;
    #pointers = new Map();
    #moved = 0;
    #from = null; // the node that a new transition starts from, while it's dragged
    #nodes = []; // { ..., group, fill, badge }
    #edges = []; // { ..., group, path, length }
    #layout = null;
    #live = null; // the last argument of live()
    #content = ''; // what the layout depends on
    #shown = ''; // the machine's path
    #labelled = null; // the edge that shows its label

    /**
     * `actions` has pick(target), open(machine), leave(), remove(), connect(from, to), canConnect() and
     * isActive(target). connect takes targets of states.
     */
    constructor(actions) {
        this.actions = actions;
        this.edgeLayer = drawn('g');
        this.nodeLayer = drawn('g');
        this.dot = drawn('circle', { class: 'dot', r: 6 });
        this.rubber = drawn('path', { class: 'rubber' });
        this.label = drawn('g', { class: 'edge-label' }, drawn('rect', { rx: 4 }), drawn('text'));
        this.world = drawn('g', {}, this.edgeLayer, this.nodeLayer, this.rubber, this.dot, this.label);
        this.svg = drawn('svg', { class: 'diagram-view', role: 'group', tabindex: -1 }, this.world);
        this.node = element('div', { className: 'diagram' }, this.svg);
        this.dot.style.display = this.rubber.style.display = this.label.style.display = 'none';
        this.#listen();
        new ResizeObserver(() => this.#resized()).observe(this.node);
    }

    get #size() {
        return { width: this.node.clientWidth, height: this.node.clientHeight };
    }

    get #isVisible() {
        return this.node.clientWidth > 0;
    }

    // ---- Content ----

    /**
     * Shows a machine { path, label, nodes: [{ name, about, kind, target, isEntry }], edges: [{ from, to, transition,
     * target, text, isAny }] }. If only texts of transitions change, keeps the layout.
     */
    show(machine) {
        const edges = machine.edges.map(({ from, to, isAny }) => [from, to, isAny]);
        const key = JSON.stringify([machine.path, machine.nodes, edges]);
        const isSame = key === this.#content && this.#layout !== null;
        this.machine = machine;
        this.#content = key;
        if (isSame) this.#edges.forEach((edge, i) => Object.assign(edge, machine.edges[i]));
        else if (this.#isVisible) this.#build();
        else this.#layout = null; // built when it becomes visible
    }

    #build() {
        const { machine } = this, { fontFamily: family } = getComputedStyle(this.node), { width, height } = this.#size;
        this.family = family;
        const nodes = machine.nodes.map((node) => measured(node, family));
        this.#layout = layoutMachine(nodes, machine.edges, { width: width - 2 * MARGIN - TOOLS, height: height - 2 * MARGIN });
        this.svg.setAttribute('aria-label', machine.label);
        this.#nodes = this.#layout.nodes.map((node) => this.#makeNode(node));
        this.#edges = this.#layout.edges.map((edge) => this.#makeEdge(edge));
        this.nodeLayer.replaceChildren(...this.#nodes.map(({ group }) => group));
        this.edgeLayer.replaceChildren(...this.#edges.map(({ group }) => group));
        this.#label(null);
        this.dot.style.display = 'none';
        if (this.#shown !== machine.path || this.#isFitted) this.#begin();
        this.#shown = machine.path;
        this.#mark();
        if (this.#live) this.live(this.#live);
    }

    #makeNode(node) {
        const { x, y, width, height, kind, shown, isEntry, target } = node;
        const fill = drawn('rect', { class: 'fill', x: 2, y: height - 6, width: width - 4, height: 4, rx: 2 });
        const time = drawn('text', { class: 'time', x: width - 4, y: -5 });
        const group = drawn('g', { class: `state ${kind}`, transform: `translate(${x} ${y})` },
            drawn('rect', { class: 'box', width, height, rx: kind === 'any' ? height / 2 : 8 }), fill);
        if (kind === 'machine') {
            group.append(drawn('rect', { class: 'inside', x: 4, y: 4, width: width - 8, height: height - 8, rx: 5 }));
        }
        const add = (className, text, at) => {
            const made = drawn('text', { class: className, x: PADDING, y: at });
            made.textContent = text;
            group.append(made);
        };
        add('name', shown.name, kind === 'any' ? 21 : 20);
        if (kind !== 'any') add('about', shown.about, 36);
        if (isEntry) {
            group.append(drawn('path', { class: 'entry', d: `M-18 ${height / 2}h12m-5 -4.5l5 4.5l-5 4.5` }),
                drawn('circle', { class: 'entry', cx: -18, cy: height / 2, r: 3 }));
        }
        group.append(time);
        if (target) this.#makeButton(group, node);
        if (kind === 'machine') group.append(this.#makeOpen(node));
        return { ...node, group, fill, time, isMarked: '' };
    }

    #makeButton(group, { name, about, target, kind }) {
        group.setAttribute('role', 'button');
        group.setAttribute('tabindex', '-1');
        group.setAttribute('aria-label', `${name}, ${about}${kind === 'machine' ? ', Shift+Enter opens it' : ''}`);
        group.addEventListener('focus', () => this.#reveal(target));
    }

    // The part of a machine's box that opens it.
    #makeOpen({ width, height, target, name }) {
        const open = drawn('g', { class: 'open', transform: `translate(${width - OPEN_WIDTH} 0)` },
            drawn('rect', { width: OPEN_WIDTH, height, fill: 'transparent' }),
            drawn('path', { class: 'chevron', d: `M${OPEN_WIDTH / 2 - 5} ${height / 2 - 7}l7 7l-7 7` }));
        open.append(drawn('title'));
        open.lastChild.textContent = `Open ${name}`;
        open.dataset.opens = target.path;
        return open;
    }

    #makeEdge(edge) {
        const d = pathOf(edge.curve), path = drawn('path', { class: 'line', d });
        const group = drawn('g', { class: `edge${edge.isAny ? ' any' : ''}` }, drawn('path', { class: 'hit', d }), path,
            drawn('path', { class: 'passed', d, pathLength: 1 }), drawn('path', { class: 'arrow', d: arrowOf(edge.curve) }));
        const made = { ...edge, group, path };
        group.addEventListener('pointerenter', ({ pointerType }) => pointerType !== 'touch' && this.#label(made));
        group.addEventListener('pointerleave', () => this.#label(null));
        return made;
    }

    // Shows an edge's label, or the selected edge's.
    #label(edge) {
        const shown = edge ?? this.#edges.find(({ isSelected }) => isSelected) ?? null;
        this.#labelled = shown;
        this.label.style.display = shown ? '' : 'none';
        if (!shown) return;
        const [rect, text] = this.label.children, at = pointOn(shown.curve, 0.5);
        const { family } = this, { x, scale } = this.#view;
        const right = this.#size.width - TOOLS - MARGIN;
        text.textContent = shorten(shown.text, '12px', family, right - 24);
        const width = widthOf(text.textContent, '12px', family) + 14, factor = 1 / scale; // constant size on the screen
        const half = factor * width / 2, least = (4 - x) / scale + half, most = (right - x) / scale - half;
        this.label.setAttribute('transform', `translate(${Math.max(Math.min(at.x, most), least)} ${at.y}) scale(${factor})`);
        const box = { x: -width / 2, y: -12, width, height: 24 };
        for (const [key, value] of Object.entries(box)) rect.setAttribute(key, value);
        text.setAttribute('y', 4);
    }

    // ---- What is selected and active ----

    /** Marks elements for which isSelected(target) is true. Scrolls a newly selected state into view. */
    select(isSelected) {
        const before = this.#nodes.find((one) => one.isSelected)?.target.path;
        this.isSelected = isSelected;
        this.#mark();
        const now = this.#nodes.find((one) => one.isSelected)?.target;
        if (now && now.path !== before) this.#reveal(now);
    }

    #mark() {
        const isSelected = this.isSelected ?? (() => false);
        for (const one of [...this.#nodes, ...this.#edges]) {
            one.isSelected = one.target !== null && isSelected(one.target);
            one.group.classList.toggle('selected', one.isSelected);
            if (one.group.hasAttribute('role')) one.group.setAttribute('aria-pressed', String(one.isSelected));
        }
        const chosen = this.#nodes.findIndex((one) => one.isSelected);
        this.svg.classList.toggle('focused', chosen >= 0);
        for (const { group, from, to } of this.#edges) group.classList.toggle('near', from === chosen || to === chosen);
        const current = this.#nodes.find((one) => one.isSelected) ?? this.#nodes.find(({ target }) => target);
        for (const one of this.#nodes) if (one.target) one.group.setAttribute('tabindex', one === current ? '0' : '-1');
        this.#label(this.#labelled && this.#edges.includes(this.#labelled) ? this.#labelled : null);
    }

    /**
     * Shows what's active: `states` is { path: { seconds, part } }, `running` is null or { transition, part }, and
     * `recent` is the last transition that was taken, or -1.
     */
    live({ states, running, recent }) {
        if (!this.#layout) {
            if (this.machine && this.#isVisible) this.#build();
            else return;
        }
        this.#live = { states, running, recent };
        for (const node of this.#nodes) this.#showState(node, node.target && states[node.target.path]);
        for (const edge of this.#edges) {
            const mark = edge.transition === running?.transition ? 'running' : edge.transition === recent ? 'recent' : '';
            if (edge.marked === mark) continue;
            edge.marked = mark;
            edge.group.classList.toggle('running', mark === 'running');
            edge.group.classList.toggle('recent', mark === 'recent');
        }
        const edge = running && this.#edges.find(({ transition }) => transition === running.transition);
        this.dot.style.display = edge && !stillOnly.matches ? '' : 'none';
        if (!edge) return;
        edge.group.children[2].style.strokeDasharray = `${running.part} 2`;
        const at = pointOn(edge.curve, running.part);
        this.dot.setAttribute('transform', `translate(${at.x} ${at.y})`);
    }

    #showState(node, active) {
        const mark = active ? 'active' : '';
        if (node.isMarked !== mark) {
            node.isMarked = mark;
            node.group.classList.toggle('active', Boolean(active));
            if (node.target) node.group.setAttribute('aria-current', String(Boolean(active)));
            if (!active) node.time.textContent = '';
        }
        if (!active) return;
        const text = `${active.seconds.toFixed(1)} s`;
        if (node.time.textContent !== text) node.time.textContent = text;
        node.fill.style.transform = `scaleX(${active.part})`;
    }

    // ---- Pan and zoom ----

    #apply() {
        const { x, y, scale } = this.#view;
        this.world.setAttribute('transform', `translate(${x} ${y}) scale(${scale})`);
        this.svg.classList.toggle('far', scale < 0.5);
        if (this.#labelled) this.#label(this.#labelled);
    }

    #resized() {
        if (!this.#isVisible || !this.machine) return;
        if (!this.#layout || this.#isFitted) this.#build();
    }

    // Shows the whole machine. If it's too large to read, shows the part around the active state or the entry.
    #begin() {
        this.fit();
        if (this.#view.scale >= READABLE) return;
        const active = this.#nodes.find(({ target }) => target && this.actions.isActive(target)) ?? this.#nodes[0];
        const { width, height } = this.#size, at = centerOf(active);
        this.#view = { scale: READABLE, x: width / 2 - READABLE * at.x, y: height / 3 - READABLE * at.y };
        this.#apply();
    }

    /** Shows the whole machine. */
    fit() {
        const { width, height } = this.#size, { left, top, width: wide, height: high } = this.#layout;
        const scale = Math.min((width - 2 * MARGIN - TOOLS) / wide, (height - 2 * MARGIN) / high, 1.25);
        this.#isFitted = true;
        const x = (width - TOOLS - scale * wide) / 2 - scale * left, y = (height - scale * high) / 2 - scale * top;
        this.#view = { x, y, scale };
        this.#apply();
    }

    zoomBy(factor, at = { x: this.#size.width / 2, y: this.#size.height / 2 }) {
        const { x, y, scale } = this.#view, next = Math.min(Math.max(scale * factor, MIN_ZOOM), MAX_ZOOM);
        this.#isFitted = false;
        this.#view = { scale: next, x: at.x - (at.x - x) * next / scale, y: at.y - (at.y - y) * next / scale };
        this.#apply();
    }

    zoomIn() {
        this.zoomBy(ZOOM_STEP);
    }

    zoomOut() {
        this.zoomBy(1 / ZOOM_STEP);
    }

    #pan(dx, dy) {
        this.#isFitted = false;
        this.#view.x += dx;
        this.#view.y += dy;
        this.#apply();
    }

    // Scrolls a state into view, such as one reached with the keyboard.
    #reveal(target) {
        const node = this.#nodes.find((one) => one.target?.path === target.path);
        const { width, height } = this.#size, { x, y, scale } = this.#view;
        if (!node) return;
        const left = x + scale * node.x, right = left + scale * node.width;
        const top = y + scale * node.y, bottom = top + scale * node.height;
        const dx = left < MARGIN ? MARGIN - left : Math.min(0, width - MARGIN - TOOLS - right);
        const dy = top < MARGIN ? MARGIN - top : Math.min(0, height - MARGIN - bottom);
        if (dx !== 0 || dy !== 0) this.#pan(dx, dy);
    }

    // ---- Pointers ----

    #pointOf({ clientX, clientY }) {
        const { left, top } = this.svg.getBoundingClientRect();
        return { x: clientX - left, y: clientY - top };
    }

    #nodeAt({ clientX, clientY }) {
        const group = document.elementFromPoint(clientX, clientY)?.closest('.state');
        return this.#nodes.find((node) => node.group === group && node.target) ?? null;
    }

    #listen() {
        const { svg } = this;
        svg.addEventListener('pointerdown', (event) => this.#down(event));
        svg.addEventListener('pointermove', (event) => this.#move(event));
        svg.addEventListener('pointerup', (event) => this.#up(event));
        svg.addEventListener('pointercancel', (event) => this.#end(event));
        svg.addEventListener('dblclick', () => {
            const node = this.#nodes.find(({ group }) => group.contains(this.started)); // event.target is the element with the capture
            if (node?.kind === 'machine') this.actions.open(node.target.path);
        });
        svg.addEventListener('wheel', (event) => {
            event.preventDefault();
            const pixels = event.deltaMode === 0 ? event.deltaY : 40 * event.deltaY;
            this.zoomBy(Math.exp(-Math.max(-0.5, Math.min(0.5, 0.0015 * pixels))), this.#pointOf(event));
        }, { passive: false });
        svg.addEventListener('keydown', (event) => this.#key(event));
    }

    #down(event) {
        if (event.button > 0) return;
        this.svg.setPointerCapture(event.pointerId);
        this.#pointers.set(event.pointerId, this.#pointOf(event));
        this.#moved = this.#pointers.size > 1 ? Infinity : 0;
        this.started = event.target;
        const canDrag = event.pointerType !== 'touch' || event.target.closest('.selected');
        this.#from = canDrag && this.#pointers.size === 1 && this.actions.canConnect() ? this.#nodeAt(event) : null;
    }

    #move(event) {
        const before = this.#pointers.get(event.pointerId);
        if (!before) return;
        const now = this.#pointOf(event), others = [...this.#pointers].filter(([id]) => id !== event.pointerId);
        this.#pointers.set(event.pointerId, now);
        this.#moved += Math.hypot(now.x - before.x, now.y - before.y);
        if (this.#moved < CLICK) return;
        if (others.length > 0) this.#pinch(before, now, others[0][1]);
        else if (this.#from) this.#stretch(event);
        else this.#pan(now.x - before.x, now.y - before.y);
    }

    #pinch(before, now, other) {
        const from = Math.hypot(before.x - other.x, before.y - other.y), to = Math.hypot(now.x - other.x, now.y - other.y);
        this.#pan((now.x - before.x) / 2, (now.y - before.y) / 2);
        if (from > 0 && to > 0) this.zoomBy(to / from, { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 });
    }

    // Draws the new transition to the pointer, or to the state under it.
    #stretch(event) {
        const { x, y, scale } = this.#view, now = this.#pointOf(event), over = this.#nodeAt(event);
        const end = over ? centerOf(over) : { x: (now.x - x) / scale, y: (now.y - y) / scale }, start = centerOf(this.#from);
        this.rubber.style.display = '';
        this.rubber.setAttribute('d', `M${point(start)}L${point(end)}${arrowOf({ control: start, end })}`);
        for (const node of this.#nodes) node.group.classList.toggle('target', node === over);
    }

    #up(event) {
        const isClick = this.#moved < CLICK && this.#pointers.has(event.pointerId), from = this.#from;
        const over = from && !isClick ? this.#nodeAt(event) : null;
        this.#end(event);
        if (isClick) this.#click();
        else if (over) this.actions.connect(from.target, over.target);
    }

    #end({ pointerId }) {
        this.#pointers.delete(pointerId);
        this.#from = null;
        this.rubber.style.display = 'none';
        for (const { group } of this.#nodes) group.classList.remove('target');
    }

    #click() {
        const opens = this.started.closest('.open')?.dataset.opens;
        const found = [...this.#nodes, ...this.#edges].find(({ group }) => group.contains(this.started));
        if (opens) this.actions.open(opens);
        else this.actions.pick(found?.target ?? null);
        if (!opens && found?.target?.kind === 'state') this.focus(found.target);
        else this.svg.focus({ preventScroll: true }); // so it gets keys
    }

    // ---- Keys ----

    /** Focuses a state. */
    focus(target) {
        this.#nodes.find((node) => node.target?.path === target.path)?.group.focus({ preventScroll: true });
    }

    #focused() {
        return this.#nodes.find(({ group }) => group === document.activeElement) ?? null;
    }

    // The nearest state in a direction.
    #neighbour(node, dx, dy) {
        const from = centerOf(node);
        let best = null, least = Infinity;
        for (const other of this.#nodes) {
            if (other === node || !other.target) continue;
            const { x, y } = centerOf(other), along = (x - from.x) * dx + (y - from.y) * dy;
            const across = Math.abs((x - from.x) * dy) + Math.abs((y - from.y) * dx);
            if (along > 1 && along + 2 * across < least) [best, least] = [other, along + 2 * across];
        }
        return best;
    }

    #key(event) {
        const node = this.#focused(), arrow = ARROWS[event.key];
        const actions = {
            '+': () => this.zoomIn(), '=': () => this.zoomIn(), '-': () => this.zoomOut(), '0': () => this.fit(),
            'Backspace': () => this.actions.leave(), 'Delete': () => this.actions.remove(),
            'Enter': () => this.#enter(node, event.shiftKey), ' ': () => this.#enter(node, false),
        };
        const action = arrow ? () => node && this.focus((this.#neighbour(node, ...arrow) ?? node).target) : actions[event.key];
        if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
        event.preventDefault();
        event.stopPropagation();
        action();
    }

    #enter(node, opens) {
        if (!node) return;
        if (opens && node.kind === 'machine') this.actions.open(node.target.path);
        else this.actions.pick(node.target);
    }
}
