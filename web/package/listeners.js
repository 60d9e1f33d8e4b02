// SPDX-License-Identifier: MIT
// Event listeners of a mixer or an animator.
import { given } from './given.js';

export class Listeners {
    #byType;

    constructor(types) {
        this.#byType = new Map(types.map((type) => [type, new Set()]));
        this.count = 0;
    }

    add(type, listener) {
        const listeners = this.#of(type);
        if (typeof listener !== 'function') throw new TypeError(`a listener must be a function, not ${given(listener)}`);
        listeners.add(listener);
        this.#update();
    }

    has(type, listener) {
        return this.#of(type).has(listener);
    }

    remove(type, listener) {
        this.#of(type).delete(listener);
        this.#update();
    }

    #of(type) {
        const listeners = this.#byType.get(type);
        if (listeners) return listeners;
        throw new TypeError(`an event type must be one of ${[...this.#byType.keys()].join(', ')}, not '${type}'`);
    }

    #update() {
        this.count = 0;
        for (const listeners of this.#byType.values()) this.count += listeners.size;
    }

    // Calls the listeners. All events have been read before: a listener may play, update or dispose.
    dispatch(events) {
        for (const event of events) {
            for (const listener of [...this.#of(event.type)]) listener.call(event.target, event);
        }
    }
}
