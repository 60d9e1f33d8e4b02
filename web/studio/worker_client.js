// SPDX-License-Identifier: MIT
// Calls a worker. Each message is { id, method, given }. Its answer is { id, answer } or { id, error }, after any
// number of { id, progress }.

export class WorkerClient {
    #worker;
    #waiting = new Map(); // { resolve, reject, tell } by call number
    #count = 0;

    /** `url` is the address of a module. */
    constructor(url) {
        this.#worker = new Worker(url, { type: 'module' });
        this.#worker.addEventListener('message', ({ data: { id, answer, error, progress } }) => {
            const { resolve, reject, tell } = this.#waiting.get(id);
            if (progress !== undefined) {
                tell(progress);
                return;
            }
            this.#waiting.delete(id);
            if (error === undefined) resolve(answer);
            else reject(new Error(error));
        });
        this.#worker.addEventListener('error', ({ message }) => this.#fail(new Error(message || 'it can’t be loaded')));
    }

    #fail(error) {
        for (const { reject } of this.#waiting.values()) reject(error);
        this.#waiting.clear();
    }

    /** Calls a method of the worker. `tell` gets its progress. */
    call(method, given, /** @type {(progress) => void} */ tell = () => {}) {
        const id = this.#count++;
        return new Promise((resolve, reject) => {
            this.#waiting.set(id, { resolve, reject, tell });
            this.#worker.postMessage({ id, method, given });
        });
    }

    /** Ends the worker immediately, with everything that it holds. Its pending calls never answer. */
    end() {
        this.#worker.terminate();
        this.#waiting.clear();
    }
}
