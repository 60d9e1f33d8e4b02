// SPDX-License-Identifier: MIT
// Plots lines over time, on a 2D canvas at the screen's resolution.
import { seriesColor, seriesDash } from './series.js';

const LEFT = 40, RIGHT = 8, TOP = 8, BOTTOM = 20; // CSS pixels around the lines, for numbers
const STEPS = [1, 2, 5];

/** Resizes a canvas's bitmap to its size on the screen. The context draws in CSS pixels. Null while hidden. */
export function fit(/** @type {HTMLCanvasElement} */ canvas) {
    const width = canvas.clientWidth, height = canvas.clientHeight, scale = devicePixelRatio;
    if (width === 0 || height === 0) return null;
    const across = Math.round(width * scale), along = Math.round(height * scale);
    if (canvas.width !== across || canvas.height !== along) Object.assign(canvas, { width: across, height: along });
    const context = canvas.getContext('2d');
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.clearRect(0, 0, width, height);
    return { context, width, height };
}

// A round step: 1, 2 or 5 times a power of ten. At most `limit` of them fit into the range.
function roundStep(range, limit) {
    const power = 10 ** Math.floor(Math.log10(range / limit));
    return (STEPS.find((step) => step * power * limit >= range) ?? 10) * power;
}

// A number with the digits that its step needs: 0.25 for steps of 0.05, 3 for steps of 1.
function shortNumber(value, step) {
    const digits = Math.min(Math.max(-Math.floor(Math.log10(step) + 1e-9), 0), 6);
    return (Math.abs(value) < step / 2 ? 0 : value).toFixed(digits);
}

export class Plot {
    constructor(/** @type {HTMLCanvasElement} */ canvas) {
        this.canvas = canvas;
    }

    /**
     * Clears the canvas and draws the grid with its numbers. Returns false while the canvas is hidden.
     * @param {{from: number, to: number, low: number, high: number}} range of times and values
     */
    begin(range) {
        const fitted = fit(this.canvas);
        if (!fitted) return false;
        this.context = fitted.context;
        this.width = fitted.width;
        this.height = fitted.height;
        this.range = range;
        const style = getComputedStyle(this.canvas);
        this.context.font = `11px ${style.fontFamily}`;
        this.context.fillStyle = this.context.strokeStyle = style.color;
        this.#drawValues();
        this.#drawTimes();
        return true;
    }

    x(time) {
        const { from, to } = this.range;
        return LEFT + (time - from) / (to - from) * (this.width - LEFT - RIGHT);
    }

    y(value) {
        const { low, high } = this.range;
        return TOP + (high - value) / (high - low) * (this.height - TOP - BOTTOM);
    }

    #rule(x0, y0, x1, y1) {
        const { context } = this;
        context.globalAlpha = 0.18;
        context.lineWidth = 1;
        context.beginPath();
        context.moveTo(x0, y0);
        context.lineTo(x1, y1);
        context.stroke();
        context.globalAlpha = 1;
    }

    #drawValues() {
        const { context, width, height, range: { low, high } } = this;
        const step = roundStep(high - low, Math.max(Math.floor((height - TOP - BOTTOM) / 28), 1));
        Object.assign(context, { textAlign: 'right', textBaseline: 'middle' });
        for (let value = Math.ceil(low / step - 1e-6) * step; value <= high + 1e-6 * step; value += step) {
            const y = this.y(value);
            this.#rule(LEFT, y, width - RIGHT, y);
            context.fillText(shortNumber(value, step), LEFT - 6, y);
        }
    }

    #drawTimes() {
        const { context, width, height, range: { from, to } } = this;
        const step = roundStep(to - from, Math.max(Math.floor((width - LEFT - RIGHT) / 60), 1));
        Object.assign(context, { textAlign: 'center', textBaseline: 'top' });
        for (let time = Math.ceil(from / step - 1e-6) * step; time <= to + 1e-6 * step; time += step) {
            const x = this.x(time);
            const label = `${shortNumber(time, step)} s`, half = context.measureText(label).width / 2;
            this.#rule(x, TOP, x, height - BOTTOM);
            context.fillText(label, Math.min(x, width - half), height - BOTTOM + 5);
        }
    }

    /** Draws a line through `count` points, from `timeAt` and `valueAt`. `index` and `shift` select its style. */
    line({ index, shift = 0 }, count, timeAt, valueAt) {
        const { context } = this;
        context.save();
        context.beginPath();
        context.rect(LEFT, TOP - 2, this.width - LEFT - RIGHT, this.height - TOP - BOTTOM + 4);
        context.clip();
        context.strokeStyle = seriesColor(index);
        context.setLineDash(seriesDash(index, shift));
        context.lineWidth = 2;
        context.lineJoin = 'round';
        context.beginPath();
        for (let i = 0; i < count; i++) context.lineTo(this.x(timeAt(i)), this.y(valueAt(i)));
        context.stroke();
        context.restore();
    }

    /** Draws a dot at each of the keys. */
    dots({ index }, times, valueAt) {
        const { context } = this;
        context.fillStyle = seriesColor(index);
        for (const time of times) {
            context.beginPath();
            context.arc(this.x(time), this.y(valueAt(time)), 2.5, 0, 2 * Math.PI);
            context.fill();
        }
    }

    cursor(time) {
        const { context, height } = this;
        const x = this.x(time);
        context.lineWidth = 1.5;
        context.beginPath();
        context.moveTo(x, TOP);
        context.lineTo(x, height - BOTTOM);
        context.stroke();
    }
}
