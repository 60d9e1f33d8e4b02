// SPDX-License-Identifier: MIT
// Base of springs, chains and bodies. Each edits a mixer's pose in the memory of the solvers' module.
import { LANES, SKELETON } from './constants.js';
import {
    $addSolver, $address, $copies, $editPose, $exports, $finishPose, $free, $live, $make, $model, $module, $nodes,
    $pose, $readPose, $removeSolver, $rig, $rigOf, $root, $solvers, $start, $users, $writePose,
} from './internal.js';
import { Mixer } from './mixer.js';
import { View } from './module.js';
import { Copies, NODE } from './structs.js';

// ---- Rigs -------------------------------------------------------------------------------------------------------

const TRANSFORM = 40; // bytes: a translation, a rotation, a scale
const AFFINE = 48; // bytes

// An asset's nodes for web_rig_create, from its sinew_skeleton.
function packNodes(asset, copies) {
    const { exports, memory } = asset[$module], count = asset.nodes.length;
    const skeleton = new DataView(memory.buffer, exports.web_asset_skeleton(asset[$address]) >>> 0, SKELETON.size);
    const [rest, shearCount, shearNodes, shears] = [SKELETON.rest, SKELETON.shearCount, SKELETON.shearNodes, SKELETON.shears]
        .map((at) => skeleton.getUint32(at, true));
    const transforms = new Uint8Array(memory.buffer, rest, TRANSFORM * count);
    const packed = new Uint8Array(NODE.size * count), words = new DataView(packed.buffer);
    asset.nodes.forEach(({ parent }, i) => {
        words.setInt32(NODE.size * i + NODE.at('parent'), parent, true);
        packed.set(transforms.subarray(TRANSFORM * i, TRANSFORM * (i + 1)), NODE.size * i + NODE.at('restTranslation'));
    });
    for (let i = 0; i < shearCount; i++) {
        const [node] = new Uint32Array(memory.buffer, shearNodes + 4 * i, 1);
        const shear = copies.add(new Uint8Array(memory.buffer, shears + AFFINE * i, AFFINE).slice());
        words.setUint32(NODE.size * node + NODE.at('shear'), shear, true);
    }
    return copies.add(packed);
}

// An asset's skeleton in the module, with a pose. All of the asset's solvers use it in turn.
export class Rig {
    [$module];
    [$solvers] = new Set();
    [$address];
    #stride;
    [$pose];
    [$model];

    constructor(module, asset) {
        const copies = new Copies(module), { exports } = module, count = asset[$live]().nodes.length;
        this.asset = asset;
        this[$module] = module;
        try {
            this[$address] = exports.web_rig_create(packNodes(asset, copies), count) >>> 0;
        } finally {
            copies.free();
        }
        if (this.disposed) throw module.error();
        this.#stride = LANES * Math.ceil(count / LANES);
        const view = (name, length) => new View(module, this, Float32Array, exports[name](this[$address]) >>> 0, length);
        this[$pose] = view('web_rig_pose', 10 * this.#stride);
        this[$model] = view('web_rig_model', 12 * count);
        asset[$users].add(this);
    }

    get disposed() {
        return this[$address] === 0;
    }

    dispose() {
        if (this.disposed) return;
        for (const solver of [...this[$solvers]]) solver.dispose();
        this[$module].exports.web_rig_destroy(this[$address]);
        this[$address] = 0;
        this.asset[$users].delete(this);
    }
}

// ---- Solvers ----------------------------------------------------------------------------------------------------

export class Solver {
    [$rig];
    [$module];
    [$exports];
    [$copies];
    [$nodes];
    [$root];

    constructor(solvers, mixer) {
        if (!(mixer instanceof Mixer)) throw new TypeError('mixer must be a Mixer');
        const rig = solvers[$rigOf](mixer[$live]().asset), { [$module]: module } = rig;
        this.mixer = mixer;
        this.disposed = false;
        this[$rig] = rig;
        this[$module] = module;
        this[$exports] = module.exports;
        this[$copies] = new Copies(module); // freed with the solver
    }

    // Calls make(), and frees the solver's memory if it throws.
    [$make](make) {
        try {
            make();
        } catch (error) {
            this[$copies].free();
            throw error;
        }
    }

    // Adds the solver to its mixer. It rotates `nodes`, and moves `root`, if that isn't -1.
    [$start](nodes, root = -1) {
        this[$nodes] = nodes;
        this[$root] = root;
        this[$rig][$solvers].add(this);
        this.mixer[$addSolver](this);
    }

    [$live]() {
        if (this.disposed) throw new Error(`this ${this.constructor.name} is disposed`);
        return this;
    }

    // Copies the mixer's pose and matrices to the rig.
    [$readPose]() {
        const { [$rig]: rig, mixer } = this[$live]();
        rig[$model].array.set(mixer.modelMatrices);
        rig[$pose].array.set(mixer[$editPose]());
    }

    // Copies the pose back and computes the mixer's matrices.
    [$writePose]() {
        const { [$rig]: rig, mixer } = this;
        mixer[$editPose]().set(rig[$pose].array);
        mixer[$finishPose]();
    }

    dispose() {
        if (this.disposed) return;
        this.mixer[$removeSolver](this);
        this[$rig][$solvers].delete(this);
        this[$copies].free();
        this[$free]();
        this.disposed = true;
    }

    [$free]() {}
}
