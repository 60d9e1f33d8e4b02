// SPDX-License-Identifier: MIT
// The base of springs, chains and bodies: each edits the pose of a mixer in the memory of a module of its own.
import { Mixer } from './mixer.js';
import { View, toBytes } from './module.js';
import { Copies, NODE } from './structs.js';

// ---- Rigs -------------------------------------------------------------------------------------------------------

const LANES = 16; // of sinew_pose

// The nodes of an asset for web_rig_create, from the words of its sinew_skeleton.
function packNodes(asset, copies) {
    const { exports, memory } = asset._module, count = asset.nodes.length;
    const words = new Uint32Array(memory.buffer, exports.web_asset_skeleton(asset._address) >>> 0, 17);
    const [rest, shearCount, shearNodes, shears] = [words[4], words[14], words[15], words[16]];
    const transforms = new Uint32Array(memory.buffer, rest, 10 * count);
    const packed = new Uint32Array(NODE.length * count), { at: first } = NODE.fields.get('translation');
    asset.nodes.forEach(({ parent }, i) => {
        packed[NODE.length * i + NODE.fields.get('parent').at] = parent;
        packed.set(transforms.subarray(10 * i, 10 * i + 10), NODE.length * i + first);
    });
    for (let i = 0; i < shearCount; i++) {
        const [node] = new Uint32Array(memory.buffer, shearNodes + 4 * i, 1);
        const shear = copies.add(new Uint8Array(memory.buffer, shears + 48 * i, 48).slice());
        packed[NODE.length * node + NODE.fields.get('shear').at] = shear;
    }
    return copies.add(toBytes(packed));
}

// The skeleton of an asset in the module, with a pose that all solvers of the asset use in turn.
export class Rig {
    constructor(module, asset) {
        const copies = new Copies(module), { exports } = module, count = asset._live().nodes.length;
        Object.assign(this, { asset, _module: module, _solvers: new Set() });
        try {
            this._address = exports.web_rig_create(packNodes(asset, copies), count) >>> 0;
        } finally {
            copies.free();
        }
        if (this.disposed) throw module.error();
        this._stride = LANES * Math.ceil(count / LANES);
        const view = (name, length) => new View(module, this, Float32Array, exports[name](this._address) >>> 0, length);
        this._pose = view('web_rig_pose', 10 * this._stride);
        this._model = view('web_rig_model', 12 * count);
        asset._users.add(this);
    }

    get disposed() {
        return this._address === 0;
    }

    dispose() {
        if (this.disposed) return;
        for (const solver of [...this._solvers]) solver.dispose();
        this._module.exports.web_rig_destroy(this._address);
        this._address = 0;
        this.asset._users.delete(this);
    }
}

// ---- Solvers ----------------------------------------------------------------------------------------------------

export class Solver {
    constructor(solvers, mixer) {
        if (!(mixer instanceof Mixer)) throw new TypeError('a Mixer is needed');
        const rig = solvers._rigOf(mixer._live().asset), { _module: module } = rig;
        Object.assign(this, { mixer, disposed: false, _rig: rig, _module: module, _exports: module.exports });
        this._copies = new Copies(module); // freed with the solver
    }

    // Calls make(), and frees the solver's memory if it throws.
    _make(make) {
        try {
            make();
        } catch (error) {
            this._copies.free();
            throw error;
        }
    }

    // Adds the solver to its mixer. `nodes` are those whose rotations it writes, `root` the one that it moves, or -1.
    _start(nodes, root = -1) {
        Object.assign(this, { _nodes: nodes, _root: root });
        this._rig._solvers.add(this);
        this.mixer._addSolver(this);
    }

    _live() {
        if (this.disposed) throw new Error(`this ${this.constructor.name} is disposed`);
        return this;
    }

    // Copies the pose and the matrices of the mixer to the rig.
    _readPose() {
        const { _rig, mixer } = this._live();
        _rig._model.array.set(mixer.modelMatrices);
        _rig._pose.array.set(mixer._editPose());
    }

    // Copies the pose back, and computes the mixer's matrices.
    _writePose() {
        const { _rig, mixer } = this;
        mixer._editPose().set(_rig._pose.array);
        mixer._finishPose();
    }

    dispose() {
        if (this.disposed) return;
        this.mixer._removeSolver(this);
        this._rig._solvers.delete(this);
        this._copies.free();
        this._free();
        this.disposed = true;
    }

    _free() {}
}
