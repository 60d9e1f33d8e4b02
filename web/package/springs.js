// SPDX-License-Identifier: MIT
// Springs: chains of swaying joints. solvers.d.ts documents every name.
import { NO_NODE, SPRING_SHAPES } from './constants.js';
import {
    $address, $copies, $exports, $free, $live, $make, $module, $readPose, $rig, $springs, $start, $state, $writePose,
} from './internal.js';
import { IDENTITY, LONGEST_STEP, View, toBytes, toFloat, toNode, toStep } from './module.js';
import { Solver } from './solver.js';
import {
    COLLIDER, Copies, SPRINGS, SPRING_CHAIN, SPRING_JOINT, VRM_COLLIDER, VRM_GROUP, VRM_JOINT, VRM_SPRING, VRM_SPRINGS,
    checkNames, toVector, toWord,
} from './structs.js';

const JOINT_NUMBERS = ['stiffness', 'damping', 'drag', 'wind', 'limit', 'radius'];
const JOINT_NAMES = [...JOINT_NUMBERS, 'gravity'];
const CHAIN_NAMES = ['joints', 'tail', 'center', 'colliders', 'weight', 'fromRest', ...JOINT_NAMES];
const COLLIDER_NAMES = ['shape', 'node', 'inside', 'offset', 'tail', 'normal', 'radius'];
const SPRINGS_NAMES = ['chains', 'colliders', 'step', 'maxSteps', 'teleportDistance'];

// ---- Definitions ------------------------------------------------------------------------------------------------

// Converts a definition's number. It may be infinite: the module checks it.
function toNumber(value, what) {
    if (typeof value === 'number' && !Number.isNaN(value)) return value;
    throw new TypeError(`${what} must be a number, not ${String(value)}`);
}

// Converts the fields that an object has.
function pick(object, names, convert) {
    return Object.fromEntries(names.filter((name) => object[name] !== undefined)
        .map((name) => [name, convert(object[name], name)]));
}

// A joint is a node, or an object with values that override its chain's.
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
    return { shape: toWord(shape, SPRING_SHAPES, `${what}: shape`), node: node === null ? NO_NODE : toNode(asset, node), inside,
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

// Copies the default structs, as templates for definitions.
export function readDefaults(module, layouts, write) {
    const copies = new Copies(module);
    const addresses = layouts.map(({ size }) => copies.allocate(size));
    write(...addresses);
    const templates = layouts.map(({ size }, i) => new Uint8Array(module.memory.buffer, addresses[i], size).slice());
    copies.free();
    return templates;
}

const addIndices = (copies, indices) => copies.add(toBytes(Int32Array.from(indices)));

class SpringsBuilder {
    constructor(module, asset, copies) {
        this.module = module;
        this.asset = asset;
        this.copies = copies;
    }

    #addChain(chain, i, template) {
        const what = `chains[${i}]`, { joints, center = null, colliders = [], fromRest = false } = chain ?? {};
        checkNames(chain, CHAIN_NAMES, what);
        const list = toList(joints, `${what}: joints`).map((joint, k) => (
            toSpringJoint(this.asset, chain, joint, `${what}: joints[${k}]`)));
        const indices = toList(colliders, `${what}: colliders`).map((index) => toInteger(index, `${what}: colliders`));
        return { joints: this.copies.add(SPRING_JOINT.pack(template, list)), jointCount: list.length,
            center: center === null ? NO_NODE : toNode(this.asset, center),
            colliders: addIndices(this.copies, indices), colliderCount: indices.length, fromRest,
            ...pick(chain, ['tail'], (tail) => toVector(tail, 3, `${what}: tail`)), ...pick(chain, ['weight'], toNumber) };
    }

    // Makes springs from chains and returns their address.
    ofChains(definition, rig) {
        checkNames(definition, SPRINGS_NAMES, 'springs');
        const { module: { exports }, asset, copies } = this;
        const [springs, chain, joint, collider] = readDefaults(this.module, [SPRINGS, SPRING_CHAIN, SPRING_JOINT, COLLIDER],
            exports.web_spring_defaults);
        const chains = toList(definition.chains, 'chains').map((one, i) => this.#addChain(one, i, joint));
        const colliders = toList(definition.colliders ?? [], 'colliders').map((one, i) => toCollider(asset, one, i));
        this.colliders = colliders;
        return exports.web_springs_create(rig, copies.add(SPRINGS.pack(springs, [{
            chains: copies.add(SPRING_CHAIN.pack(chain, chains)), chainCount: chains.length,
            colliders: copies.add(COLLIDER.pack(collider, colliders)), colliderCount: colliders.length,
            ...pick(definition, ['step', 'teleportDistance'], toNumber), ...pick(definition, ['maxSteps'], toInteger),
        }]))) >>> 0;
    }

    // The asset's node for a node of the file, or -1.
    #nodeOf(source) {
        return this.asset.nodes.findIndex((node) => node.source === source);
    }

    #addSpring({ subtrees, center, joints, colliderGroups }, groupCount) {
        const list = joints.map(({ node, hitRadius, stiffness, gravityPower, gravityDir: gravity, dragForce: drag }) => (
            { node: this.#nodeOf(node), hitRadius, stiffness, gravityPower, gravity, drag })).filter(({ node }) => node >= 0);
        const groups = colliderGroups.filter((index) => Number.isInteger(index) && index >= 0 && index < groupCount);
        return { subtrees, center: this.#nodeOf(center), jointCount: list.length, groupCount: groups.length,
            joints: this.copies.add(VRM_JOINT.pack(VRM_JOINT.zeros, list)), groups: addIndices(this.copies, groups) };
    }

    // Makes springs from a VRM file's springs (from springsOf) and returns their address.
    ofVrm(definition, rig) {
        const { copies } = this;
        const found = definition.colliders.map((one) => ({ ...one, shape: SPRING_SHAPES.indexOf(one.shape), node: this.#nodeOf(one.node) }));
        this.colliders = found.filter(({ node }) => node >= 0);
        const indices = found.map((one) => this.colliders.indexOf(one));
        const groups = definition.colliderGroups.map((group) => group.map((index) => indices[index]).filter((index) => index >= 0))
            .map((group) => ({ colliderCount: group.length, colliders: addIndices(copies, group) }));
        const springs = definition.springs.map((spring) => this.#addSpring(spring, groups.length));
        const address = copies.add(VRM_SPRINGS.pack(VRM_SPRINGS.zeros, [{
            colliderCount: this.colliders.length, colliders: copies.add(VRM_COLLIDER.pack(VRM_COLLIDER.zeros, this.colliders)),
            groupCount: groups.length, groups: copies.add(VRM_GROUP.pack(VRM_GROUP.zeros, groups)),
            springCount: springs.length, springs: copies.add(VRM_SPRING.pack(VRM_SPRING.zeros, springs)),
        }]));
        return this.module.exports.web_springs_create_from_vrm(rig, address) >>> 0;
    }
}

// The nodes that chains rotate: each joint, and for VRM 0.x chains also the nodes of included subtrees.
function rotatedNodes(asset, definition) {
    const joints = (definition.chains ?? definition.springs).flatMap(({ joints: list }) => list);
    const nodes = new Set(joints.map((joint) => (
        definition.chains ? toNode(asset, joint?.node ?? joint) : asset.nodes.findIndex(({ source }) => source === joint.node))));
    const hasSubtrees = definition.springs?.some(({ subtrees }) => subtrees);
    if (hasSubtrees) asset.nodes.forEach(({ parent }, node) => nodes.has(parent) && nodes.add(node)); // parents come first
    return [...nodes].filter((node) => node >= 0);
}

const COLLIDER_DEFAULTS = { inside: false, offset: [0, 0, 0], tail: [0, 0, 0], normal: [0, 1, 0], radius: 0 };

const describeCollider = (collider) => ({ ...COLLIDER_DEFAULTS, ...collider, shape: SPRING_SHAPES[collider.shape] });

export class Springs extends Solver {
    #wind = new Float32Array(3);
    #address;
    [$state];
    #numbers;
    #weight = 1;

    /** @param {any} solvers @param {any} mixer @param {any} definition @param {{ weight?: number, wind?: ArrayLike<number> }} [options] */
    constructor(solvers, mixer, definition, { weight = 1, wind = [0, 0, 0] } = {}) {
        super(solvers, mixer);
        if (mixer[$springs]) throw new Error('this Mixer has Springs: dispose them first');
        this.weight = weight;
        this.#wind.set(toVector(wind, 3, 'wind'));
        this[$make](() => this.#create(definition));
        this.reset();
        this[$start](rotatedNodes(mixer.asset, definition));
    }

    #create(definition) {
        if (!definition?.chains && !definition?.springs) throw new TypeError('springs must be { chains }, or the result of springsOf');
        const { [$module]: module, [$exports]: exports, [$copies]: copies, mixer: { asset } } = this;
        const temporary = new Copies(module), builder = new SpringsBuilder(module, asset, temporary);
        try {
            const { [$address]: rig } = this[$rig];
            this.#address = definition.springs ? builder.ofVrm(definition, rig) : builder.ofChains(definition, rig);
        } finally {
            temporary.free();
        }
        if (this.#address === 0) throw module.error();
        this.jointCount = exports.sinew_springs_joint_count(this.#address);
        this.colliders = builder.colliders.map(describeCollider);
        const size = exports.sinew_springs_state_size(this.#address);
        this[$state] = new View(module, this, Uint8Array, copies.allocate(size), size);
        this.#numbers = new View(module, this, Float32Array, copies.allocate(4 * 21), 21); // for web_springs_solve
    }

    get weight() {
        return this.#weight;
    }

    set weight(weight) {
        this.#weight = toFloat(weight, 'weight');
    }

    get wind() {
        return this.#wind;
    }

    set wind(wind) {
        if (wind?.length !== 3) throw new TypeError('wind must be 3 numbers');
        for (let i = 0; i < 3; i++) this.#wind[i] = toFloat(wind[i], 'wind');
    }

    update(deltaTime, world = IDENTITY, wind = this.#wind) {
        const step = Math.min(toStep(deltaTime) * this.mixer.timeScale, LONGEST_STEP);
        this[$readPose]();
        const numbers = this.#numbers.array;
        numbers[0] = step;
        numbers[1] = this.#weight;
        numbers.set(wind, 2);
        numbers.set(world, 5);
        this[$exports].web_springs_solve(this[$rig][$address], this.#address, this[$state].address, this.#numbers.address);
        this[$writePose]();
    }

    reset() {
        this[$live]()[$exports].sinew_springs_reset(this.#address, this[$state].address);
    }

    [$free]() {
        this[$exports].sinew_springs_destroy(this.#address);
    }
}
