// SPDX-License-Identifier: MIT
// Optimizes the character's file: options, worker, result, and the moments of the largest displacements.
import { withMeshopt } from './decoders.js';
import { stemOf } from './download.js';
import { isBaked } from './gltf.js';
import { WorkerClient } from './worker_client.js';
/** @import { Stage } from './stage.js' */

const BEFORE_END = 1e-6; // seconds: a loop ends where it starts

/** @type {[RegExp, string][]} */
const ADVICE = [
    [/MeshoptDecoder/, 'This page has no decoder for it. Use the command instead.'],
    [/draco/i, 'This page can’t optimize meshes that Draco compresses. Use the command instead.'],
    [/provably within/, 'Choose a larger error.'],
];

export class Optimizer {
    #client = null; // the running optimization's

    /** `onChange` is called after each change. */
    constructor(/** @type {Stage} */ stage, onChange) {
        this.stage = stage;
        this.onChange = onChange;
        this.options = { error: 1, tight: false, meshes: false, plain: false }; // millimetres
        this.#forget();
    }

    #forget() {
        this.progress = null; // { stage, done, total } while it runs
        this.result = null; // { name, bytes, report, options }
        this.fault = '';
    }

    setOptions(changes) {
        this.options = { ...this.options, ...changes };
        this.onChange();
    }

    /** Whether the options differ from the result's. */
    get isChanged() {
        return this.result !== null && JSON.stringify(this.result.options) !== JSON.stringify(this.options);
    }

    /** Stops and forgets the result, for another character. */
    clear() {
        this.#end();
        this.#forget();
        this.onChange();
    }

    cancel() {
        this.#end();
        this.progress = null;
        this.onChange();
    }

    #end() {
        this.#client?.end();
        this.#client = null;
    }

    async run() {
        const { character: { name, bytes, files } } = this.stage, { options } = this, { error, tight, ...rest } = options;
        this.#end();
        this.#forget();
        this.progress = { stage: 'optimizing', done: 0, total: 0 };
        this.onChange();
        const client = this.#client = new WorkerClient(new URL('./optimize_worker.js', import.meta.url));
        try {
            if (isBaked(bytes)) throw new Error(`${name}: is a baked asset, and those can't be optimized. Open its .glb`);
            const given = { file: { name, bytes, files }, options: tight ? { tight, ...rest } : { error, ...rest } };
            const { bytes: made, report } = await client.call('optimize', given, (progress) => this.#tell(client, progress));
            if (client === this.#client) this.result = { name: `${stemOf(name)}-small.glb`, bytes: made, report, options };
        } catch (fault) {
            const advice = ADVICE.find(([pattern]) => pattern.test(fault.message))?.[1];
            if (client === this.#client) this.fault = advice ? `${fault.message}. ${advice}` : fault.message;
        }
        if (client === this.#client) this.cancel();
    }

    #tell(client, progress) {
        if (client !== this.#client) return;
        this.progress = progress;
        this.onChange();
    }

    // ---- The result in the stage ----

    get showsResult() {
        return this.result !== null && this.stage.compare?.bytes === this.result.bytes;
    }

    /** Shows the moment of a displacement in the report: the optimized character next to the original, paused. */
    async showMoment({ clip, time = 0, node }) {
        const { stage, result: { name, bytes } } = this, { asset } = stage.character;
        try {
            if (!this.showsResult) await withMeshopt(stage, () => stage.startCompare(name, bytes));
        } catch (error) {
            stage.tell('error', `${name}: ${error.message}.`);
            return;
        }
        if (stage.character.asset !== asset) return; // replaced while the decoder was being fetched
        if (asset.clips[clip]) stage.showMoment(clip, Math.max(0, time - BEFORE_END));
        stage.select(asset.nodes.findIndex(({ source }) => source === node));
    }

    hideResult() {
        if (this.showsResult) this.stage.stopCompare();
    }
}
