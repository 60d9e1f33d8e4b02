// SPDX-License-Identifier: MIT
// Keys for a graph: arrows and WASD steer its first vector2, and digits fire triggers and switch bools.
/** @import { GraphDriver } from './graph_driver.js' */
const DIRECTIONS = { arrowleft: [-1, 0], a: [-1, 0], arrowright: [1, 0], d: [1, 0],
    arrowup: [0, 1], w: [0, 1], arrowdown: [0, -1], s: [0, -1] };
const WALK = 0.4; // of the range; with Shift, all of it

export class GraphKeys {
    #held = new Map(); // directions by key

    constructor(/** @type {GraphDriver} */ driver) {
        this.driver = driver;
    }

    get #parameters() {
        return this.driver.document.graph?.parameters ?? [];
    }

    /** The parameters for the digits, from 1. */
    get pressed() {
        return this.#parameters.filter(({ type }) => type === 'trigger' || type === 'bool');
    }

    /** The vector2 that keys steer, or undefined. */
    get steered() {
        return this.#parameters.find(({ type }) => type === 'vector2');
    }

    /** Handles a key. Returns whether it means anything. */
    take(key, isFast) {
        const name = key.toLowerCase();
        if (/^[1-9]$/.test(name)) return this.#press(this.pressed[Number(name) - 1]);
        if (name === 'home') this.driver.restart();
        if (!DIRECTIONS[name] || !this.steered) return name === 'home';
        this.#held.set(name, isFast);
        this.#steer();
        return true;
    }

    /** Call when a key is released, or without a key when all are. */
    release(key = null) {
        if (key === null ? this.#held.size === 0 : !this.#held.delete(key.toLowerCase())) return;
        if (key === null) this.#held.clear();
        this.#steer();
    }

    /** Call when Shift is released. */
    slow() {
        for (const key of this.#held.keys()) this.#held.set(key, false);
        if (this.#held.size > 0) this.#steer();
    }

    #press(parameter) {
        if (!parameter) return true; // so no clip plays
        const { name, type } = parameter;
        if (type === 'trigger') this.driver.fire(name);
        else this.driver.set(name, !this.driver.target(parameter));
        return true;
    }

    #steer() {
        const { steered } = this;
        if (!steered) return;
        const names = [...this.#held.keys()];
        const sum = [0, 1].map((axis) => names.reduce((total, name) => total + DIRECTIONS[name][axis], 0));
        const length = Math.hypot(...sum) || 1, part = [...this.#held.values()].some(Boolean) ? 1 : WALK;
        const reach = (direction) => {
            const limit = direction < 0 ? -steered.min : steered.max;
            return Number.isFinite(limit) ? Math.max(limit, 0) : 1;
        };
        this.driver.set(steered.name, sum.map((one) => part * reach(one) * one / length));
    }
}
