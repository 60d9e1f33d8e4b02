// SPDX-License-Identifier: MIT
// The listeners of a mixer's or an animator's events.
export class Listeners {
    constructor(types) {
        this._byType = new Map(types.map((type) => [type, new Set()]));
        this.count = 0;
    }

    add(type, listener) {
        this._of(type).add(listener);
        this._update();
    }

    remove(type, listener) {
        this._of(type).delete(listener);
        this._update();
    }

    _of(type) {
        const listeners = this._byType.get(type);
        if (listeners) return listeners;
        throw new TypeError(`an event type is one of ${[...this._byType.keys()].join(', ')}, not '${type}'`);
    }

    _update() {
        this.count = 0;
        for (const listeners of this._byType.values()) this.count += listeners.size;
    }

    // Calls the listeners of events that have all been read before: a listener may play, update or dispose.
    dispatch(events) {
        for (const event of events) {
            for (const listener of [...this._of(event.type)]) listener(event);
        }
    }
}
