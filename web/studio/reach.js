// SPDX-License-Identifier: MIT
// Effectors: the main character's hands, feet, head and hips. They can be dragged to targets and held there. Feet
// that aren't held are pinned. The retargeting worker finds the nodes' roles, from VRM data, names and shape.
import { ROLE_NAMES } from './defaults.js';
import { Body } from './sinew/solvers.js';
import { WorkerClient } from './worker_client.js';
/** @import { Stage } from './stage.js' */

const FEET = ['leftFoot', 'rightFoot'];
const FADE = 0.25; // seconds to release an effector

export class Reach {
    #body = null;
    #held = new Map(); // by role: { target, weight, isReleased }
    #made = ''; // the roles in the current body

    constructor(/** @type {Stage} */ stage, solvers) {
        this.stage = stage;
        this.solvers = solvers;
        this.roles = null; // { role: node }; null until they're found
        this.searched = null;
    }

    begin() {
        this.#body = null; // disposed with its mixer
        this.#held.clear();
        this.#made = '';
        this.roles = null;
    }

    /** Finds the nodes. Throws if the file isn't a humanoid or can't be read. */
    async find() {
        const { character } = this.stage, { name, bytes, files, asset } = character;
        this.searched = character;
        const client = new WorkerClient(new URL('./retarget_worker.js', import.meta.url));
        try {
            const { humanoid, refusal } = await client.call('open', { side: 'target', file: { name, bytes, files } });
            if (character !== this.stage.character) return;
            if (refusal) throw new Error(refusal);
            const nodeOf = (source) => asset.nodes.findIndex((node) => node.source === source);
            const found = humanoid.roles.filter(({ role }) => role in ROLE_NAMES).map(({ role, node }) => [role, nodeOf(node)]);
            this.roles = Object.fromEntries(found.filter(([, node]) => node >= 0));
        } finally {
            if (this.searched === character) this.searched = null;
            client.end();
        }
    }

    get isActive() {
        return this.#held.size > 0;
    }

    /** The effectors: [{ role, node, target }]. The target is in model space, or null if it isn't held. */
    get effectors() {
        return Object.entries(this.roles ?? {}).map(([role, node]) => {
            const held = this.#held.get(role);
            return { role, node, target: held && !held.isReleased ? held.target : null };
        });
    }

    positionOf(role) {
        const rows = this.stage.character.mixer.modelMatrices, at = 12 * this.roles[role];
        return [rows[at + 3], rows[at + 7], rows[at + 11]];
    }

    /** Holds an effector at a position in model space. */
    hold(role, target) {
        this.#held.set(role, { target: [...target], weight: 1, isReleased: false });
    }

    release(role) {
        const held = this.#held.get(role);
        if (held) held.isReleased = true;
    }

    releaseAll() {
        for (const role of this.#held.keys()) this.release(role);
    }

    update(seconds) {
        for (const [role, held] of this.#held) {
            if (held.isReleased) held.weight -= seconds / FADE;
            if (held.weight <= 0) this.#held.delete(role);
        }
        this.#makeBody();
        if (!this.#body) return;
        [...this.#held.values()].forEach(({ target, weight }, i) => {
            Object.assign(this.#body.effectors[i], { target, positionWeight: weight });
        });
        this.#body.update();
    }

    // Makes a body for the held roles. Graphs have their own mixer.
    #makeBody() {
        const { character: { mixer } } = this.stage, roles = [...this.#held.keys()], made = roles.join();
        if (made === this.#made && (this.#body === null || this.#body.mixer === mixer)) return;
        this.#body?.dispose();
        const pinned = FEET.filter((role) => role in this.roles && !this.#held.has(role));
        const effectors = [...roles.map((role) => ({ node: this.roles[role] })), ...pinned.map((role) => ({ node: this.roles[role], pin: true }))];
        this.#body = roles.length > 0 ? new Body(this.solvers, mixer, { root: this.roles.hips, effectors }) : null;
        this.#made = made;
    }
}
