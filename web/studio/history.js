// SPDX-License-Identifier: MIT
// The last seconds of named values: a ring of times, and for each name a value at each time.
const SLOTS = 512;

export class History {
    #times = new Float64Array(SLOTS);
    #next = 0;

    constructor(seconds) {
        this.seconds = seconds;
        this.step = seconds / (SLOTS - 1); // the shortest interval, so the ring holds all the seconds
        this.values = new Map(); // Float32Array(SLOTS) by name
        this.count = 0;
        this.time = 0;
    }

    clear() {
        this.values.clear();
        this.#next = this.count = 0;
        this.time = 0;
    }

    /** Advances by `dt` seconds. Returns whether it added a time; `note` then sets its values. */
    advance(dt) {
        this.time += dt;
        const last = this.count > 0 ? this.timeAt(this.count - 1) : -Infinity;
        if (this.time - last < this.step) return false;
        this.#times[this.#next] = this.time;
        for (const row of this.values.values()) row[this.#next] = 0;
        this.#next = (this.#next + 1) % SLOTS;
        this.count = Math.min(this.count + 1, SLOTS);
        return true;
    }

    /** Sets a name's value at the newest time. Values that aren't set are 0. */
    note(name, value) {
        if (value === 0 && !this.values.has(name)) return;
        if (!this.values.has(name)) this.values.set(name, new Float32Array(SLOTS));
        this.values.get(name)[(this.#next + SLOTS - 1) % SLOTS] = value;
    }

    /** Removes names that only have zeros. */
    prune() {
        for (const [name, row] of this.values) if (row.every((value) => value === 0)) this.values.delete(name);
    }

    #slot(index) {
        return (this.#next + SLOTS - this.count + index) % SLOTS;
    }

    /** The times, from 0 (oldest) to count - 1 (newest). */
    timeAt(index) {
        return this.#times[this.#slot(index)];
    }

    valueAt(name, index) {
        return this.values.get(name)[this.#slot(index)];
    }
}
