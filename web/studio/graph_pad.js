// SPDX-License-Identifier: MIT
// A vector2's pad: its range, the value that was set, and the value that the graph uses.
import { rangeOf } from './graph_driver.js';
import { fit } from './plot.js';

const INSET = 14; // CSS pixels
const STEP = 1 / 20, LARGE_STEP = 1 / 5; // of the range
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowDown: [0, -1], ArrowUp: [0, 1] };

const between = (value, least, most) => Math.min(Math.max(value, least), most);

export class VectorPad {
    #size = null;

    /** Calls `onSet([x, y])`. */
    constructor(/** @type {HTMLCanvasElement} */ canvas, parameter, onSet) {
        const { least, most } = rangeOf(parameter);
        this.canvas = canvas;
        this.parameter = parameter;
        this.onSet = onSet;
        this.target = [0, 0];
        this.least = least;
        this.most = most;
        canvas.addEventListener('pointerdown', (event) => {
            canvas.setPointerCapture(event.pointerId);
            this.#setAt(event);
        });
        canvas.addEventListener('pointermove', (event) => {
            if (canvas.hasPointerCapture(event.pointerId)) this.#setAt(event);
        });
        canvas.addEventListener('keydown', (event) => this.#key(event));
    }

    #set(x, y) {
        const { least, most } = this;
        this.target = [x, y].map((value) => Math.round(1000 * between(value, least, most)) / 1000);
        this.onSet(this.target);
    }

    #setAt({ offsetX, offsetY }) {
        if (!this.#size) return;
        const { width, height, side } = this.#size, { least, most } = this;
        const part = (value, middle) => between(0.5 + (value - middle) / side, 0, 1);
        this.#set(least + part(offsetX, width / 2) * (most - least), most - part(offsetY, height / 2) * (most - least));
    }

    #key(event) {
        const arrow = ARROWS[event.key], step = (event.shiftKey ? LARGE_STEP : STEP) * (this.most - this.least);
        if (!arrow && event.key !== '0') return;
        event.preventDefault();
        event.stopPropagation();
        if (arrow) this.#set(this.target[0] + step * arrow[0], this.target[1] + step * arrow[1]);
        else this.#set(0, 0);
    }

    /** `target` is the value that was set, `now` the one that the graph uses. */
    draw(target, now) {
        this.target = target;
        const fitted = fit(this.canvas);
        if (!fitted) return;
        const { context, width, height } = fitted, side = Math.min(width, height) - 2 * INSET, { least, most } = this;
        this.#size = { width, height, side };
        const style = getComputedStyle(this.canvas), accent = style.getPropertyValue('--accent').trim() || style.color;
        const part = (value) => (value - least) / (most - least) - 0.5;
        /** @returns {[number, number]} */
        const at = ([x, y]) => [width / 2 + side * part(x), height / 2 - side * part(y)];
        const line = ([x0, y0], [x1, y1]) => {
            context.beginPath();
            context.moveTo(x0, y0);
            context.lineTo(x1, y1);
            context.stroke();
        };
        context.strokeStyle = style.color;
        context.lineWidth = 1;
        context.globalAlpha = 0.35;
        context.strokeRect((width - side) / 2, (height - side) / 2, side, side);
        const zero = [between(0, least, most), between(0, least, most)];
        line(at([least, zero[1]]), at([most, zero[1]]));
        line(at([zero[0], least]), at([zero[0], most]));
        context.globalAlpha = 1;
        context.strokeStyle = context.fillStyle = accent;
        context.lineWidth = 2;
        line(at(now), at(target));
        context.beginPath();
        context.arc(...at(target), 10, 0, 2 * Math.PI);
        context.stroke();
        context.beginPath();
        context.arc(...at(now), 4, 0, 2 * Math.PI);
        context.fill();
    }
}
