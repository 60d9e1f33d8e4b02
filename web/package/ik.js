// SPDX-License-Identifier: MIT
// Inverse kinematics for chains and whole bodies. solvers.d.ts documents every name.
import { CHAIN_METHODS, LIMIT_KINDS, MAX_CHAIN_NODES, MAX_EFFECTORS, NO_NODE } from './constants.js';
import { $address, $copies, $exports, $make, $module, $readPose, $rig, $start, $writePose } from './internal.js';
import { View, toFloat, toNode } from './module.js';
import { Solver } from './solver.js';
import { readDefaults } from './springs.js';
import { BODY, CHAIN, EFFECTOR, IK_LIMIT, checkNames, toVector, toWord } from './structs.js';

const LIMIT_NAMES = ['node', 'kind', 'axis', 'rest', 'cone', 'angleMin', 'angleMax', 'stiffness'];

// The nodes from `root` down to a node. Throws if `root` isn't above it.
function pathTo(asset, root, node) {
    const path = [node];
    while (path[0] !== root) {
        const { parent } = asset.nodes[path[0]];
        if (parent < 0) throw new Error(`'${asset.nodes[node].name}' is not below '${asset.nodes[root].name}'`);
        path.unshift(parent);
    }
    return path;
}

function checkCount(nodes) {
    if (nodes.length <= MAX_CHAIN_NODES) return nodes;
    throw new RangeError(`a path from the root must have at most ${MAX_CHAIN_NODES} nodes, not ${nodes.length}`);
}

// Returns a unit quaternion: the solvers need one.
function toRotation(value, what) {
    const rotation = toVector(value, 4, what), length = Math.hypot(...rotation);
    if (length > 0) return rotation.map((number) => number / length);
    throw new RangeError(`${what} must be a quaternion x, y, z, w, not all zeros`);
}

// Writes vectors without making garbage: targets change every frame.
function setVector(array, value, name) {
    if (value?.length !== array.length) throw new TypeError(`${name} must be ${array.length} numbers`);
    for (let i = 0; i < array.length; i++) toFloat(value[i], name);
    array.set(value);
}

// Defines properties for the numbers of a struct in a solver's module.
function defineNumbers(object, solver, address, layout, names) {
    for (const name of names) {
        const { at, type } = layout.fields.get(name), length = { float: 1, vec3: 3, quat: 4 }[type];
        const view = new View(solver[$module], solver, Float32Array, address + at, length);
        const get = () => (type === 'float' ? view.array[0] : view.array);
        const set = (value) => {
            if (type === 'float') view.array[0] = toFloat(value, name);
            else setVector(view.array, type === 'quat' ? toRotation(value, name) : value, name);
        };
        Object.defineProperty(object, name, { get, set, enumerable: true });
    }
}

function setGiven(object, options, names) {
    for (const name of names) if (options[name] !== undefined) object[name] = options[name];
}

// ---- Limits -----------------------------------------------------------------------------------------------------

// Makes a node's limit struct. Missing fields get the module's defaults.
function packLimit(solver, paths, limit, what) {
    checkNames(limit, LIMIT_NAMES, what);
    const { [$module]: module, [$exports]: exports, [$rig]: { [$address]: rig }, mixer: { asset } } = solver;
    const node = toNode(asset, limit.node), path = paths.find((nodes) => nodes.includes(node)) ?? [];
    const child = path[path.indexOf(node) + 1] ?? NO_NODE;
    const [template] = readDefaults(module, [IK_LIMIT], (to) => exports.web_ik_limit_from_rest(rig, node, child, to));
    const values = {};
    if (limit.kind !== undefined) values.kind = toWord(limit.kind, LIMIT_KINDS, `${what}: kind`);
    if (limit.axis !== undefined) values.axis = toVector(limit.axis, 3, `${what}: axis`);
    if (limit.rest !== undefined) values.rest = toRotation(limit.rest, `${what}: rest`);
    for (const name of ['cone', 'angleMin', 'angleMax', 'stiffness']) {
        if (limit[name] !== undefined) values[name] = toFloat(limit[name], `${what}: ${name}`);
    }
    return IK_LIMIT.pack(template, [values]);
}

// Returns the limits' address. The solver owns them.
function addLimits(solver, paths, limits) {
    if (!Array.isArray(limits)) throw new TypeError('limits must be an array');
    const packed = limits.map((limit, i) => packLimit(solver, paths, limit, `limits[${i}]`));
    const bytes = new Uint8Array(IK_LIMIT.size * packed.length);
    packed.forEach((one, i) => bytes.set(one, i * one.length));
    return solver[$copies].add(bytes);
}

// ---- Chains -----------------------------------------------------------------------------------------------------

const CHAIN_NUMBERS = ['target', 'pole', 'poleWeight', 'softness', 'weight'];

export class Chain extends Solver {
    #address;

    constructor(solvers, mixer, options = {}) {
        super(solvers, mixer);
        checkNames(options, ['root', 'tip', 'limits', 'method', 'restarts', ...CHAIN_NUMBERS], 'a chain');
        const root = toNode(mixer.asset, options.root), tip = toNode(mixer.asset, options.tip);
        if (root === tip) throw new Error('the tip must be below the root');
        const path = checkCount(pathTo(mixer.asset, root, tip));
        this[$make](() => this.#create(path, options));
        this[$start](path.slice(0, -1));
    }

    #create(path, options) {
        const { limits = [], method = CHAIN_METHODS[0], restarts = 16 } = options, root = path[0], tip = path.at(-1);
        const [template] = readDefaults(this[$module], [CHAIN], (to) => (
            this[$exports].web_ik_chain_from_rest(this[$rig][$address], root, tip, to)));
        this.#address = this[$copies].add(CHAIN.pack(template, [{ limits: addLimits(this, [path], limits),
            limitCount: limits.length, method: toWord(method, CHAIN_METHODS, 'method'), restarts: Math.round(toFloat(restarts, 'restarts')) }]));
        defineNumbers(this, this, this.#address, CHAIN, CHAIN_NUMBERS);
        setGiven(this, options, CHAIN_NUMBERS);
    }

    update() {
        this[$readPose]();
        this[$exports].web_ik_chain_solve(this[$rig][$address], this.#address);
        this[$writePose]();
    }
}

// ---- Bodies -----------------------------------------------------------------------------------------------------

const EFFECTOR_NUMBERS = ['target', 'positionWeight', 'rotation', 'rotationWeight', 'pull'];
const EFFECTOR_NAMES = ['node', 'pin', ...EFFECTOR_NUMBERS];
const BODY_NUMBERS = ['rootStiffness', 'restBias', 'weight'];

export class Effector {
    constructor(body, address, node) {
        const flag = new View(body[$module], body, Uint8Array, address + EFFECTOR.at('pin'), 1);
        this.node = node;
        defineNumbers(this, body, address, EFFECTOR, EFFECTOR_NUMBERS);
        Object.defineProperty(this, 'pin', { enumerable: true,
            get: () => flag.array[0] !== 0,
            set: (pin) => { flag.array[0] = pin ? 1 : 0; } });
    }
}

export class Body extends Solver {
    #address;

    constructor(solvers, mixer, options = {}) {
        super(solvers, mixer);
        checkNames(options, ['root', 'effectors', 'limits', ...BODY_NUMBERS], 'a body');
        const { asset } = mixer, root = toNode(asset, options.root);
        if (!Array.isArray(options.effectors) || options.effectors.length > MAX_EFFECTORS) {
            throw new TypeError(`effectors must be an array of at most ${MAX_EFFECTORS} effectors, { node, target, ... }`);
        }
        options.effectors.forEach((one, i) => checkNames(one, EFFECTOR_NAMES, `effectors[${i}]`));
        const paths = options.effectors.map(({ node }) => pathTo(asset, root, toNode(asset, node)));
        const nodes = checkCount([...new Set(paths.flat())]);
        this[$make](() => this.#create(root, paths, options));
        this[$start](nodes, root);
    }

    #create(root, paths, options) {
        const { [$module]: module, [$copies]: copies } = this, { effectors, limits = [] } = options;
        const [body, effector] = readDefaults(module, [BODY, EFFECTOR], this[$exports].web_ik_body_defaults);
        const first = copies.add(EFFECTOR.pack(effector, paths.map((path) => ({ node: path.at(-1) }))));
        this.#address = copies.add(BODY.pack(body, [{ root, effectors: first, effectorCount: paths.length,
            limits: addLimits(this, paths, limits), limitCount: limits.length }]));
        this.effectors = paths.map((path, i) => new Effector(this, first + EFFECTOR.size * i, path.at(-1)));
        this.effectors.forEach((one, i) => setGiven(one, effectors[i], [...EFFECTOR_NUMBERS, 'pin']));
        defineNumbers(this, this, this.#address, BODY, BODY_NUMBERS);
        setGiven(this, options, BODY_NUMBERS);
    }

    update() {
        this[$readPose]();
        this[$exports].web_ik_body_solve(this[$rig][$address], this.#address);
        this[$writePose]();
    }
}
