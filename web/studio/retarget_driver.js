// SPDX-License-Identifier: MIT
// A stage's retargeting: a source with motion, the character as the target, both maps, and the options. It retargets
// after each change. The stage then shows the character with the new clips and the source next to it.
import { fromTransform } from './affine.js';
import { nodeOfRole, readMap, rolesByNode, withRole } from './retarget_map.js';
import { newOptions, readOptions } from './retarget_options.js';
import { WorkerClient } from './worker_client.js';
/** @import { Stage } from './stage.js' */

const SIDES = ['source', 'target'];
const SLOW = 400; // milliseconds before the progress is shown

const both = (make) => Object.fromEntries(SIDES.map((side) => [side, make(side)]));

/** The character's file without retargeted clips. */
export const baseOf = ({ retarget, character }) => retarget?.base ?? character;

export class Retargeting {
    #client = new WorkerClient(new URL('./retarget_worker.js', import.meta.url));
    #applied = null; // the maps that the worker has
    #isDirty = false;
    #isShown = false; // a result was shown
    #drawn = null; // the file that shows the source: { name, bytes, files }
    #isDone = false; // closed
    #restored = null; // the stage's state to restore with the next result

    /** `motion` is a file { name, bytes, files }. */
    constructor(/** @type {Stage} */ stage, motion) {
        const { name, bytes, files } = baseOf(stage);
        this.stage = stage;
        this.motion = motion;
        this.base = { name, bytes, files };
        this.source = this.target = null; // { name, nodes, clips, humanoid, refusal, map }; map is the file's
        this.maps = null; // { source, target }, as edited
        this.options = newOptions();
        this.report = this.glb = null; // the last result's
        this.fault = ''; // why there's no result
        this.isBusy = this.isSlow = false;
        this.role = null; // selected
        this.isAssigning = false; // whether clicking a node gives it the selected role
    }

    // ---- Opening ----

    /** Reads both files. Throws if one can't be read. */
    async open() {
        try {
            for (const side of SIDES) {
                const file = this.#fileOf(side);
                this[side] = { name: file.name, ...await this.#client.call('open', { side, file }) };
            }
        } catch (error) {
            this.close();
            throw error;
        }
        if (this.source.clips.length === 0) {
            this.close();
            throw new Error('it has no clips. Open a file with motion');
        }
        this.maps = this.#applied = both((side) => this[side].map);
    }

    close() {
        this.#isDone = true;
        this.#client.end();
    }

    // ---- Roles ----

    /** Whether a side's roles come from a map instead of the file. */
    isMapped(side) {
        return this.maps[side] !== this[side].map;
    }

    nodeOf(side, role) {
        return nodeOfRole(this.maps[side], role, this[side].nodes);
    }

    /** Map from node to role. */
    rolesOf(side) {
        return rolesByNode(this.maps[side], this[side].nodes);
    }

    /** Selects a role, or none for null. */
    select(role, isAssigning = false) {
        this.role = role;
        this.isAssigning = role !== null && isAssigning;
        this.stage.noteRetarget();
    }

    /** Handles a click on a node: gives it the selected role, or selects its role. */
    pick(side, node) {
        if (this.isAssigning) this.assign(side, this.role, node);
        else this.select(this.rolesOf(side).get(node) ?? null);
    }

    /** Sets a role's node; -1 for none. */
    assign(side, role, node) {
        if (this.nodeOf(side, role) === node) return;
        this.setMap(side, withRole(this.maps[side], role, node, this[side].nodes));
    }

    setMap(side, map) {
        this.maps = { ...this.maps, [side]: map };
        this.#change();
    }

    /** Uses a guess's roles even though it was refused. */
    accept(side) {
        this.setMap(side, { ...this.maps[side] });
    }

    /** Takes the roles from a map file's text. Throws if it isn't one. */
    async openMap(side, text) {
        await this.#client.call('setMap', { side, map: text });
        this.setMap(side, readMap(JSON.parse(text)));
    }

    setOptions(changes) {
        this.options = { ...this.options, ...changes };
        this.#change();
    }

    // ---- The result ----

    #change() {
        this.stage.noteRetarget();
        return this.run();
    }

    /** Retargets. If something changes meanwhile, starts over. */
    async run() {
        this.#isDirty = true;
        if (this.isBusy) return;
        this.isBusy = true;
        const slow = setTimeout(() => this.#setSlow(true), SLOW);
        while (this.#isDirty && !this.#isDone) {
            this.#isDirty = false;
            await this.#retarget();
        }
        clearTimeout(slow);
        this.isBusy = false;
        if (!this.#isDone) this.#setSlow(false);
    }

    #setSlow(isSlow) {
        this.isSlow = isSlow;
        this.stage.noteRetarget();
    }

    async #retarget() {
        try {
            await this.#applyMaps();
            if (SIDES.some((side) => this[side].refusal)) {
                Object.assign(this, { glb: null, report: null, fault: '' });
                return;
            }
            if (this.options.clips?.length === 0) throw new Error('choose a clip');
            const { glb, report, clips } = await this.#client.call('retarget', this.#given);
            if (this.#isDone || this.#isDirty) return;
            Object.assign(this, { glb, report, fault: '' });
            await this.#show(glb, clips);
        } catch (error) {
            Object.assign(this, { glb: null, report: null, fault: error.message });
        }
    }

    get #given() {
        const { clips, ...rest } = this.options;
        return clips === null ? rest : { clips, ...rest };
    }

    // Sends the maps that changed. To get the file's own roles back, reads the file again.
    async #applyMaps() {
        for (const side of SIDES) {
            const map = this.maps[side];
            if (map === this.#applied[side]) continue;
            const { humanoid, refusal } = this.isMapped(side) ? await this.#client.call('setMap', { side, map })
                : await this.#client.call('open', { side, file: this.#fileOf(side) });
            this.#applied = { ...this.#applied, [side]: map };
            this[side] = { ...this[side], humanoid, refusal };
        }
    }

    #fileOf(side) {
        return side === 'source' ? this.motion : this.base;
    }

    async #show(glb, clips) {
        const { stage } = this, restored = this.#restored;
        this.#restored = null;
        stage.showVersion(glb, restored);
        if (this.#isShown) return;
        this.#isShown = true;
        const first = stage.character.asset.clips.findIndex(({ name }) => name === clips[0]);
        if (!restored) stage.play(first);
        await this.showSource();
    }

    // ---- The source in the stage ----

    get showsSource() {
        return this.#drawn !== null && this.stage.compare?.bytes === this.#drawn.bytes;
    }

    /** Shows the source next to the character, at its size and facing the same way. */
    async showSource() {
        const { name, bytes, files } = this.motion;
        this.#drawn ??= { name, bytes: await this.#client.call('draw', { name }) ?? bytes, files };
        if (!this.#isDone) this.stage.startCompare(name, this.#drawn.bytes, files, undefined, this.#fit);
    }

    hideSource() {
        this.stage.stopCompare();
    }

    // The source's transform: it gets the target's size and direction.
    get #fit() {
        const yaw = ({ humanoid: { forward: [x, , z] } }) => Math.atan2(x, z), { scale } = this.report;
        const half = (yaw(this.target) - yaw(this.source)) / 2, rotation = [0, Math.sin(half), 0, Math.cos(half)];
        return fromTransform({ translation: [0, 0, 0], rotation, scale: [scale, scale, scale] });
    }

    // ---- Links and undo ----

    save() {
        const { motion: { name }, maps, options } = this;
        return { motion: name, maps: both((side) => (this.isMapped(side) ? maps[side] : null)), options };
    }

    /** Restores the maps and options of a saved stage state. Its other parts are restored with their result. */
    restore(saved) {
        if (JSON.stringify(saved.retarget) === JSON.stringify(this.save())) return;
        if (this.resume(saved)) this.#change();
    }

    /** Takes a saved state's maps and options before the first result. Returns false if it's for another motion. */
    resume(saved) {
        const from = saved.retarget;
        if (from?.motion !== this.motion.name) return false;
        this.maps = both((side) => readMap(from.maps?.[side]) ?? this[side].map);
        this.options = readOptions(from.options, this.source.clips.length);
        this.#restored = { ...saved, retarget: this.save() };
        return true;
    }
}
