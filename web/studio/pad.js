// SPDX-License-Identifier: MIT
// A blend space's pad: samples, triangles, current parameter and target. The pointer and the arrow keys set the
// target.
import { fit } from './plot.js';
import { seriesColor } from './series.js';

const INSET = 26; // CSS pixels around the samples, for names
const MARGIN = 0.15; // around the samples, relative to their extent
const KEY_STEP = 1 / 40, LARGE_STEP = 1 / 8; // of the extent
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowDown: [0, -1], ArrowUp: [0, 1] };

const between = (value, least, most) => Math.min(Math.max(value, least), most);

function rangeOf(numbers) {
    const least = Math.min(...numbers), most = Math.max(...numbers);
    const margin = most > least ? MARGIN * (most - least) : 1;
    return [least - margin, most + margin];
}

/** Maps a pad's plane to its canvas. A line has a constant height. */
export class PadMap {
    constructor({ kind, samples }, width, height) {
        this.isLine = kind === 'line';
        const [left, right] = rangeOf(samples.map(({ x }) => x));
        const [low, high] = this.isLine ? [-1, 1] : rangeOf(samples.map(({ y }) => y));
        this.left = left;
        this.right = right;
        this.low = low;
        this.high = high;
        this.width = width - 2 * INSET;
        this.height = height - 2 * INSET;
        if (kind === 'directional') this.#equalizeScales();
    }

    // Velocities have the same scale on both axes, so directions aren't distorted.
    #equalizeScales() {
        const scale = Math.max((this.right - this.left) / this.width, (this.high - this.low) / this.height);
        const x = (this.left + this.right) / 2, y = (this.low + this.high) / 2;
        [this.left, this.right] = [x - scale * this.width / 2, x + scale * this.width / 2];
        [this.low, this.high] = [y - scale * this.height / 2, y + scale * this.height / 2];
    }

    /**
     * A typed parameter may be outside the pad. It's drawn at the edge.
     * @returns {[number, number]}
     */
    toCanvas(x, y) {
        const across = (between(x, this.left, this.right) - this.left) / (this.right - this.left);
        const up = this.isLine ? 0.4 : (between(y, this.low, this.high) - this.low) / (this.high - this.low);
        return [INSET + across * this.width, INSET + (1 - up) * this.height];
    }

    // The parameter at a point of the canvas, clamped to the edges.
    toPlane(across, down) {
        const part = (value, size) => between((value - INSET) / size, 0, 1);
        const x = this.left + part(across, this.width) * (this.right - this.left);
        return [x, this.isLine ? 0 : this.high - part(down, this.height) * (this.high - this.low)];
    }
}

export class Pad {
    /** @type {PadMap | null} */ #map = null;

    /** Calls `onSteer(x, y)` with the parameter's target. */
    constructor(/** @type {HTMLCanvasElement} */ canvas, onSteer) {
        this.canvas = canvas;
        this.onSteer = onSteer;
        this.space = null;
        canvas.addEventListener('pointerdown', (event) => {
            canvas.setPointerCapture(event.pointerId);
            this.#steerTo(event);
        });
        canvas.addEventListener('pointermove', (event) => {
            if (canvas.hasPointerCapture(event.pointerId)) this.#steerTo(event);
        });
        canvas.addEventListener('keydown', (event) => this.#steerBy(event));
    }

    #steerTo({ offsetX, offsetY }) {
        if (this.#map) this.onSteer(...this.#map.toPlane(offsetX, offsetY));
    }

    #steerBy(event) {
        const arrow = ARROWS[event.key];
        if (!arrow || !this.#map) return;
        event.preventDefault();
        event.stopPropagation();
        const { left, right, low, high, isLine } = this.#map;
        const step = event.shiftKey ? LARGE_STEP : KEY_STEP;
        const x = between(this.space.x + arrow[0] * step * (right - left), left, right);
        this.onSteer(x, isLine ? 0 : between(this.space.y + arrow[1] * step * (high - low), low, high));
    }

    /**
     * @param {{kind: string, samples: {clip: number, x: number, y: number}[], x: number, y: number}} space Stage's
     * @param {string[]} names of the samples
     * @param {readonly (readonly number[])[]} triangles three samples each
     * @param {Map<number, number>} weights by sample
     * @param {{x: number, y: number} | null} now the current parameter
     */
    draw(space, names, triangles, weights, now) {
        const fitted = fit(this.canvas);
        this.space = space;
        if (!fitted) return;
        const { context, width, height } = fitted;
        const style = getComputedStyle(this.canvas);
        this.#map = new PadMap(space, width, height);
        context.font = `12px ${style.fontFamily}`;
        context.fillStyle = context.strokeStyle = style.color;
        this.#drawEdges(context, space, triangles);
        space.samples.forEach((_, i) => this.#drawSample(context, width, i, names[i], weights.get(i) ?? 0));
        this.#drawParameter(context, style, space, now ?? space);
    }

    #stroke(/** @type {CanvasRenderingContext2D} */ context, points) {
        context.beginPath();
        for (const { x, y } of points) context.lineTo(...this.#map.toCanvas(x, y));
        context.stroke();
    }

    #drawEdges(/** @type {CanvasRenderingContext2D} */ context, { samples }, triangles) {
        context.globalAlpha = 0.4;
        context.lineWidth = 1;
        if (this.#map.isLine) this.#stroke(context, [{ x: this.#map.left }, { x: this.#map.right }]);
        for (const [a, b, c] of triangles) this.#stroke(context, [a, b, c, a].map((corner) => samples[corner]));
        context.globalAlpha = 1;
    }

    // Draws a sample as a dot, sized by its weight. Keeps the name inside the pad.
    #drawSample(/** @type {CanvasRenderingContext2D} */ context, width, index, name, weight) {
        const { x, y, clip } = this.space.samples[index];
        const [across, down] = this.#map.toCanvas(x, y);
        const label = weight > 0 ? `${name} ${Math.round(100 * weight)} %` : name;
        const half = context.measureText(label).width / 2 + 4;
        const ink = context.fillStyle;
        context.beginPath();
        context.arc(across, down, 4 + 6 * weight, 0, 2 * Math.PI);
        context.fillStyle = seriesColor(clip);
        context.fill();
        context.fillStyle = ink;
        Object.assign(context, { textAlign: 'center', textBaseline: 'alphabetic' });
        // On a line, every other name is below, so neighbours don't overlap.
        const below = this.#map.isLine && index % 2 === 1;
        context.fillText(label, between(across, half, width - half), below ? down + 24 : down - 14);
    }

    #drawParameter(/** @type {CanvasRenderingContext2D} */ context, style, to, now) {
        const [x, y] = this.#map.toCanvas(to.x, to.y);
        const accent = style.getPropertyValue('--accent').trim() || style.color;
        context.strokeStyle = context.fillStyle = accent;
        context.lineWidth = 2;
        this.#stroke(context, [now, to]);
        context.beginPath();
        context.arc(x, y, 9, 0, 2 * Math.PI);
        context.stroke();
        context.beginPath();
        context.arc(...this.#map.toCanvas(now.x, now.y), 4, 0, 2 * Math.PI);
        context.fill();
    }
}
