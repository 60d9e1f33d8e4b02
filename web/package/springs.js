// SPDX-License-Identifier: MIT
// Springs: chains of joints that sway. solvers.d.ts documents every name.
import { IDENTITY, LONGEST_STEP } from './feet.js';
import { View, toBytes, toFloat, toNode, toStep } from './module.js';
import { Solver } from './solver.js';
import {
    COLLIDER, Copies, SPRINGS, SPRING_CHAIN, SPRING_JOINT, VRM_COLLIDER, VRM_GROUP, VRM_JOINT, VRM_SPRING, VRM_SPRINGS,
    checkNames, toVector, toWord,
} from './structs.js';

export const SHAPES = ['sphere', 'capsule', 'plane']; // by sinew_spring_shape and sinew_vrm_collider_shape
const NO_NODE = -1;

const JOINT_NUMBERS = ['stiffness', 'damping', 'drag', 'wind', 'limit', 'radius'];
const JOINT_NAMES = [...JOINT_NUMBERS, 'gravity'];
const CHAIN_NAMES = ['joints', 'tail', 'center', 'colliders', 'weight', 'fromRest', ...JOINT_NAMES];
const COLLIDER_NAMES = ['shape', 'node', 'inside', 'offset', 'tail', 'normal', 'radius'];
const SPRINGS_NAMES = ['chains', 'colliders', 'step', 'maxSteps', 'teleportDistance'];

// ---- Definitions ------------------------------------------------------------------------------------------------

// A number of a definition, which may be infinite: the module checks it.
function toNumber(value, what) {
    if (typeof value === 'number' && !Number.isNaN(value)) return value;
    throw new TypeError(`${what} must be a number, not ${String(value)}`);
}

// Those of the fields that an object has, converted.
function pick(object, names, convert) {
    return Object.fromEntries(names.filter((name) => object[name] !== undefined)
        .map((name) => [name, convert(object[name], name)]));
}

// A joint is a node, or an object with values that differ from those of its chain.
function toSpringJoint(asset, chain, joint, what) {
    const own = typeof joint === 'object' && joint !== null ? joint : { node: joint };
    checkNames(own, ['node', ...JOINT_NAMES], what);
    const values = { ...chain, ...own };
    return { node: toNode(asset, own.node), ...pick(values, JOINT_NUMBERS, toNumber),
        ...pick(values, ['gravity'], (gravity) => toVector(gravity, 3, `${what}: gravity`)) };
}

function toCollider(asset, collider, i) {
    const what = `colliders[${i}]`;
    checkNames(collider, COLLIDER_NAMES, what);
    const { shape = 'sphere', node = null, inside = false } = collider;
    return { shape: toWord(shape, SHAPES, `${what}: shape`), node: node === null ? NO_NODE : toNode(asset, node), inside,
        ...pick(collider, ['offset', 'tail', 'normal'], (vector, name) => toVector(vector, 3, `${what}: ${name}`)),
        ...pick(collider, ['radius'], toNumber) };
}

function toList(value, what) {
    if (Array.isArray(value)) return value;
    throw new TypeError(`${what} must be an array`);
}

function toInteger(value, what) {
    if (Number.isInteger(value) && Math.abs(value) < 2 ** 31) return value;
    throw new TypeError(`${what} must be an integer, not ${String(value)}`);
}

// ---- Creation ---------------------------------------------------------------------------------------------------

// Copies of the default structs: templates for definitions.
export function readDefaults(module, layouts, write) {
    const copies = new Copies(module);
    const addresses = layouts.map(({ length }) => copies.allocate(4 * length));
    write(...addresses);
    const templates = layouts.map(({ length }, i) => new Uint32Array(module.memory.buffer, addresses[i], length).slice());
    copies.free();
    return templates;
}

const addIndices = (copies, indices) => copies.add(toBytes(Int32Array.from(indices)));

class SpringsBuilder {
    constructor(module, asset, copies) {
        Object.assign(this, { module, asset, copies });
    }

    _addChain(chain, i, template) {
        const what = `chains[${i}]`, { joints, center = null, colliders = [], fromRest = false } = chain ?? {};
        checkNames(chain, CHAIN_NAMES, what);
        const list = toList(joints, `${what}: joints`).map((joint, k) => (
            toSpringJoint(this.asset, chain, joint, `${what}: joints[${k}]`)));
        const indices = toList(colliders, `${what}: colliders`).map((index) => toInteger(index, `${what}: colliders`));
        return { joints: this.copies.add(SPRING_JOINT.pack(template, list)), jointCount: list.length,
            center: center === null ? NO_NODE : toNode(this.asset, center),
            colliders: addIndices(this.copies, indices), colliderCount: indices.length, flags: fromRest ? 1 : 0,
            ...pick(chain, ['tail'], (tail) => toVector(tail, 3, `${what}: tail`)), ...pick(chain, ['weight'], toNumber) };
    }

    // The address of springs of chains.
    ofChains(definition, rig) {
        checkNames(definition, SPRINGS_NAMES, 'springs');
        const { module: { exports }, asset, copies } = this;
        const [springs, chain, joint, collider] = readDefaults(this.module, [SPRINGS, SPRING_CHAIN, SPRING_JOINT, COLLIDER],
            exports.web_spring_defaults);
        const chains = toList(definition.chains, 'chains').map((one, i) => this._addChain(one, i, joint));
        const colliders = toList(definition.colliders ?? [], 'colliders').map((one, i) => toCollider(asset, one, i));
        this.colliders = colliders;
        return exports.web_springs_create(rig, copies.add(SPRINGS.pack(springs, [{
            chains: copies.add(SPRING_CHAIN.pack(chain, chains)), chainCount: chains.length,
            colliders: copies.add(COLLIDER.pack(collider, colliders)), colliderCount: colliders.length,
            ...pick(definition, ['step', 'teleportDistance'], toNumber), ...pick(definition, ['maxSteps'], toInteger),
        }]))) >>> 0;
    }

    // The index in the asset of a node of the file; -1 for none.
    _nodeOf(source) {
        return this.asset.nodes.findIndex((node) => node.source === source);
    }

    _addSpring({ subtrees, center, joints, colliderGroups }, groupCount) {
        const list = joints.map((joint) => ({ ...joint, node: this._nodeOf(joint.node) })).filter(({ node }) => node >= 0);
        const groups = colliderGroups.filter((index) => Number.isInteger(index) && index >= 0 && index < groupCount);
        return { subtrees, center: this._nodeOf(center), jointCount: list.length, groupCount: groups.length,
            joints: this.copies.add(VRM_JOINT.pack(VRM_JOINT.zeros, list)), groups: addIndices(this.copies, groups) };
    }

    // The address of springs of a VRM file, from springsOf.
    ofVrm(definition, rig) {
        const { copies } = this;
        const found = definition.colliders.map((one) => ({ ...one, shape: SHAPES.indexOf(one.shape), node: this._nodeOf(one.node) }));
        this.colliders = found.filter(({ node }) => node >= 0);
        const indices = found.map((one) => this.colliders.indexOf(one));
        const groups = definition.colliderGroups.map((group) => group.map((index) => indices[index]).filter((index) => index >= 0))
            .map((group) => ({ colliderCount: group.length, colliders: addIndices(copies, group) }));
        const springs = definition.springs.map((spring) => this._addSpring(spring, groups.length));
        const address = copies.add(VRM_SPRINGS.pack(VRM_SPRINGS.zeros, [{
            colliderCount: this.colliders.length, colliders: copies.add(VRM_COLLIDER.pack(VRM_COLLIDER.zeros, this.colliders)),
            groupCount: groups.length, groups: copies.add(VRM_GROUP.pack(VRM_GROUP.zeros, groups)),
            springCount: springs.length, springs: copies.add(VRM_SPRING.pack(VRM_SPRING.zeros, springs)),
        }]));
        return this.module.exports.web_springs_create_from_vrm(rig, address) >>> 0;
    }
}

// The nodes of chains that rotate: of each joint, and of those of subtrees that a chain of VRM 0.x includes.
function rotatedNodes(asset, definition) {
    const joints = (definition.chains ?? definition.springs).flatMap(({ joints: list }) => list);
    const nodes = new Set(joints.map((joint) => (
        definition.chains ? toNode(asset, joint?.node ?? joint) : asset.nodes.findIndex(({ source }) => source === joint.node))));
    const hasSubtrees = definition.springs?.some(({ subtrees }) => subtrees);
    if (hasSubtrees) asset.nodes.forEach(({ parent }, node) => nodes.has(parent) && nodes.add(node)); // parents come first
    return [...nodes].filter((node) => node >= 0);
}

const COLLIDER_DEFAULTS = { inside: false, offset: [0, 0, 0], tail: [0, 0, 0], normal: [0, 1, 0], radius: 0 };

const describeCollider = (collider) => ({ ...COLLIDER_DEFAULTS, ...collider, shape: SHAPES[collider.shape] });

export class Springs extends Solver {
    constructor(solvers, mixer, definition, { weight = 1, wind = [0, 0, 0] } = {}) {
        super(solvers, mixer);
        if (mixer._springs) throw new Error('this Mixer has Springs: dispose them first');
        this._wind = new Float32Array(3);
        this.weight = weight;
        this.wind = wind;
        this._make(() => this._create(definition));
        this.reset();
        this._start(rotatedNodes(mixer.asset, definition));
    }

    _create(definition) {
        if (!definition?.chains && !definition?.springs) throw new TypeError('springs need { chains }, or what springsOf returns');
        const { _module: module, _exports: exports, _copies: copies, mixer: { asset } } = this;
        const temporary = new Copies(module), builder = new SpringsBuilder(module, asset, temporary);
        try {
            const { _address: rig } = this._rig;
            this._address = definition.springs ? builder.ofVrm(definition, rig) : builder.ofChains(definition, rig);
        } finally {
            temporary.free();
        }
        if (this._address === 0) throw module.error();
        this.jointCount = exports.sinew_springs_joint_count(this._address);
        this.colliders = builder.colliders.map(describeCollider);
        const size = exports.sinew_springs_state_size(this._address);
        this._state = new View(module, this, Uint8Array, copies.allocate(size), size);
        this._numbers = new View(module, this, Float32Array, copies.allocate(4 * 21), 21); // of web_springs_solve
    }

    get weight() {
        return this._weight;
    }

    set weight(weight) {
        this._weight = toFloat(weight, 'weight');
    }

    get wind() {
        return this._wind;
    }

    set wind(wind) {
        if (wind?.length !== 3) throw new TypeError('wind must be 3 numbers');
        for (let i = 0; i < 3; i++) this._wind[i] = toFloat(wind[i], 'wind');
    }

    update(deltaTime, world = IDENTITY, wind = this._wind) {
        const step = Math.min(toStep(deltaTime) * this.mixer.timeScale, LONGEST_STEP);
        this._readPose();
        const numbers = this._numbers.array;
        numbers[0] = step;
        numbers[1] = this._weight;
        numbers.set(wind, 2);
        numbers.set(world, 5);
        this._exports.web_springs_solve(this._rig._address, this._address, this._state.address, this._numbers.address);
        this._writePose();
    }

    reset() {
        this._live()._exports.sinew_springs_reset(this._address, this._state.address);
    }

    _free() {
        this._exports.sinew_springs_destroy(this._address);
    }
}
