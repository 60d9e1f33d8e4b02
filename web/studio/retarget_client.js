// SPDX-License-Identifier: MIT
// Calls of the worker that retargets.

export class RetargetClient {
    #worker = new Worker(new URL('./retarget_worker.js', import.meta.url), { type: 'module' });
    #waiting = new Map(); // { resolve, reject } by the number of a call
    #count = 0;

    constructor() {
        this.#worker.addEventListener('message', ({ data: { id, answer, error } }) => {
            const { resolve, reject } = this.#waiting.get(id);
            this.#waiting.delete(id);
            if (error === undefined) resolve(answer);
            else reject(new Error(error));
        });
        this.#worker.addEventListener('error', ({ message }) => this.#fail(new Error(message || 'it cannot be loaded')));
    }

    #fail(error) {
        for (const { reject } of this.#waiting.values()) reject(error);
        this.#waiting.clear();
    }

    /** Calls a method of the worker (retarget_worker.js). */
    call(method, given) {
        const id = this.#count++;
        return new Promise((resolve, reject) => {
            this.#waiting.set(id, { resolve, reject });
            this.#worker.postMessage({ id, method, given });
        });
    }

    /** Ends the worker at once, with all that it holds. Its calls never answer. */
    end() {
        this.#worker.terminate();
        this.#waiting.clear();
    }
}
