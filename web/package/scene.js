// SPDX-License-Identifier: MIT
// Scenes: a hierarchy of nodes, characters and their joints. JavaScript computes world transforms here, from the
// mixers' model matrices.
import { makeMixer } from './animator.js';
import { Batch } from './batch.js';
import {
    $advance, $attachTo, $children, $invalidate, $joints, $live, $local, $module, $order, $own, $parent, $rig, $solve, $updateWorld,
    $updateWorlds, $world,
} from './internal.js';
import { toNode, toStep } from './module.js';

// ---- Matrices ---------------------------------------------------------------------------------------------------

// Matrices are 4x4, 16 floats, column-major, with 0, 0, 0, 1 as the last row.

// Default transforms. They're typed arrays, like most arguments: with arrays of several kinds, the engine would box
// numbers.
const NO_TRANSLATION = new Float32Array(3);
const NO_ROTATION = Float32Array.of(0, 0, 0, 1);
const NO_SCALE = Float32Array.of(1, 1, 1);
const IDENTITY = Object.freeze({});

function check(numbers, count, what) {
    if (numbers?.length !== count) throw new TypeError(`a ${what} must be ${count} numbers`);
    for (let i = 0; i < count; i++) {
        if (!Number.isFinite(numbers[i])) throw new TypeError(`a ${what} must have finite numbers, not ${numbers[i]}`);
    }
}

// Makes a transform's matrix. Allocates nothing, so frames that move nodes make no garbage.
function compose(to, { translation = NO_TRANSLATION, rotation = NO_ROTATION, scale = NO_SCALE }) {
    check(translation, 3, 'translation');
    check(rotation, 4, 'rotation');
    check(scale, 3, 'scale');
    const squares = rotation[0] ** 2 + rotation[1] ** 2 + rotation[2] ** 2 + rotation[3] ** 2;
    if (!(squares > 0)) throw new RangeError('a rotation must be a quaternion x, y, z, w, not all zeros');
    const x = rotation[0], y = rotation[1], z = rotation[2], w = rotation[3], s = 2 / squares;
    to[0] = (1 - s * (y * y + z * z)) * scale[0];
    to[1] = s * (x * y + z * w) * scale[0];
    to[2] = s * (x * z - y * w) * scale[0];
    to[4] = s * (x * y - z * w) * scale[1];
    to[5] = (1 - s * (x * x + z * z)) * scale[1];
    to[6] = s * (y * z + x * w) * scale[1];
    to[8] = s * (x * z + y * w) * scale[2];
    to[9] = s * (y * z - x * w) * scale[2];
    to[10] = (1 - s * (x * x + y * y)) * scale[2];
    to[12] = translation[0];
    to[13] = translation[1];
    to[14] = translation[2];
    to[15] = 1;
}

// to = a × b. `to` must be neither.
function multiply(to, a, b) {
    for (let column = 0; column < 16; column += 4) {
        for (let row = 0; row < 3; row++) {
            to[column + row] = a[row] * b[column] + a[4 + row] * b[column + 1] + a[8 + row] * b[column + 2]
                + a[12 + row] * b[column + 3];
        }
        to[column + 3] = b[column + 3];
    }
    return to;
}

function invert(m) {
    const cofactor = (c, r) => { // of the upper 3x3
        const [c1, c2, r1, r2] = [(c + 1) % 3, (c + 2) % 3, (r + 1) % 3, (r + 2) % 3];
        return m[4 * c1 + r1] * m[4 * c2 + r2] - m[4 * c2 + r1] * m[4 * c1 + r2];
    };
    const determinant = [0, 1, 2].reduce((sum, r) => sum + m[r] * cofactor(0, r), 0);
    if (determinant === 0) throw new Error('keepWorld: the new parent is scaled to 0, so no local transform exists');
    const to = new Float64Array(16);
    for (let c = 0; c < 3; c++) for (let r = 0; r < 3; r++) to[4 * c + r] = cofactor(r, c) / determinant;
    for (let r = 0; r < 3; r++) to[12 + r] = -(to[r] * m[12] + to[4 + r] * m[13] + to[8 + r] * m[14]);
    to[15] = 1;
    return to;
}

// ---- Nodes ------------------------------------------------------------------------------------------------------

export class SceneNode {
    /** @type {any} */
    [$parent] = null;
    [$children] = [];
    [$local] = new Float64Array(16);
    [$world] = new Float64Array(16);

    constructor(scene, options) {
        this.scene = scene;
        this.name = options.name ?? '';
        compose(this[$local], options);
    }

    [$live]() {
        if (this.scene === null) throw new Error('this node has been removed from its scene');
        return this;
    }

    [$attachTo](parent) {
        this[$parent] = parent;
        parent[$children].push(this);
        this.scene[$order] = null;
        parent[$updateWorld](); // the scene doesn't update a joint without children
        this[$updateWorld]();
        return this;
    }

    #detach() {
        this[$parent][$children].splice(this[$parent][$children].indexOf(this), 1);
        this.scene[$order] = null;
    }

    [$updateWorld]() {
        multiply(this[$world], this[$parent][$world], this[$local]);
    }

    setTransform(transform = IDENTITY) {
        compose(this[$live]()[$local], transform);
        return this;
    }

    world(target = new Float32Array(16)) {
        this[$live]();
        for (let i = 0; i < 16; i++) target[i] = this[$world][i];
        return target;
    }

    setParent(parent, { keepWorld = false } = {}) {
        const { scene } = this[$live]();
        const to = scene[$own](parent);
        for (let above = to; above; above = above[$parent]) {
            if (above === this) throw new Error('a node cannot be a child of itself or of its descendants');
        }
        if (keepWorld) {
            scene[$updateWorlds]();
            to[$updateWorld]();
            this[$local] = multiply(new Float64Array(16), invert(to[$world]), this[$world]);
        }
        this.#detach();
        return this[$attachTo](to);
    }

    detach({ keepWorld = false } = {}) {
        return this.setParent(null, { keepWorld });
    }

    remove() {
        if (this.scene === null) return;
        this.#detach();
        this[$invalidate]();
    }

    // Marks a node and its descendants as removed.
    [$invalidate]() {
        for (const child of this[$children]) child[$invalidate]();
        this.scene = null;
    }
}

// The root of a scene, with an identity transform.
class Root extends SceneNode {
    constructor(scene) {
        super(scene, IDENTITY);
        this[$world].set(this[$local]);
    }

    [$updateWorld]() {}
}

// An instance's joint, to attach nodes to. Its transform comes from the mixer's pose.
class Joint extends SceneNode {
    #node;
    #model = new Float32Array(16);

    constructor(instance, node) {
        super(instance.scene, { name: instance.asset.nodes[node].name });
        this[$parent] = instance;
        this.#node = node;
        this[$updateWorld]();
    }

    [$updateWorld]() {
        const { mixer, [$world]: world } = this[$parent];
        multiply(this[$world], world, mixer.nodeMatrix(this.#node, this.#model));
    }

    world(target) {
        this[$live]()[$updateWorld]();
        return super.world(target);
    }

    /** @returns {never} */
    setTransform() {
        throw new Error("a joint's transform can't be set: its mixer animates it");
    }

    /** @returns {never} */
    setParent() {
        throw new Error("a joint can't get another parent: it belongs to its skeleton");
    }

    remove() {
        throw new Error('a joint cannot be removed: it belongs to its skeleton');
    }
}

// ---- Instances --------------------------------------------------------------------------------------------------

export class Instance extends SceneNode {
    [$joints] = new Map();
    #place = { position: new Float32Array(3), rotation: new Float32Array(4), scale: 1 };
    #transform = { translation: new Float32Array(3), rotation: new Float32Array(4), scale: new Float32Array(3) };

    constructor(scene, options, asset) {
        super(scene, options);
        this.asset = asset;
        this.mixer = makeMixer(asset, { graph: options.graph, character: options.character, ...options.mixer });
        this.animator = this.mixer.animator;
        this.#refuse(options.parent || options.translation || options.rotation || options.scale);
    }

    // The instance's character with a rig, which has its own place in the world; else null.
    get #character() {
        return this.animator?.[$rig] ? this.animator : null;
    }

    // Throws if the scene would place a rigged character: it's in the world.
    #refuse(isPlaced) {
        if (!isPlaced || !this.#character) return;
        throw new TypeError('a character has no parent or transform in the scene: call its setWorld or ride');
    }

    [$updateWorld]() {
        if (!this.#character) {
            super[$updateWorld]();
            return;
        }
        const { position, rotation, scale } = this.#character.world(this.#place);
        for (let i = 0; i < 3; i++) this.#transform.translation[i] = position[i];
        for (let i = 0; i < 4; i++) this.#transform.rotation[i] = rotation[i];
        this.#transform.scale.fill(scale);
        compose(this[$world], this.#transform);
    }

    setTransform(transform) {
        this[$live]().#refuse(true);
        return super.setTransform(transform);
    }

    setParent(parent, options) {
        this[$live]().#refuse(parent !== null);
        return super.setParent(parent, options);
    }

    joint(name) {
        const node = toNode(this[$live]().asset, name);
        if (!this[$joints].has(node)) this[$joints].set(node, new Joint(this, node));
        return this[$joints].get(node);
    }

    palette(skin) {
        return this[$live]().mixer.palette(skin);
    }

    attach(node, joint, offset = IDENTITY) {
        const to = this.joint(joint);
        if (node === null) throw new TypeError('node must be a node of this scene, not null');
        this.scene[$own](node).setTransform(offset).setParent(to);
        return this;
    }

    [$invalidate]() {
        for (const joint of this[$joints].values()) joint[$invalidate]();
        super[$invalidate]();
        this.mixer.dispose();
    }
}

// ---- Scenes -----------------------------------------------------------------------------------------------------

export class Scene {
    #root;
    /** @type {SceneNode[] | null} */
    [$order] = null; // all nodes, parents before children; null after the hierarchy changed
    /** @type {Instance[]} */
    #instances = [];
    /** @type {Batch | null} */
    #batch = null; // the mixers without rigs
    #characters = []; // those with rigs
    #isGathered = false;
    /** @type {object | null} */
    #module = null; // of the instances' assets
    #wind = new Float32Array(3);

    constructor() {
        this.#root = new Root(this);
    }

    #live() {
        if (this.#root.scene === null) throw new Error('this Scene is disposed');
        return this;
    }

    // Checks that a node is in this scene. null means the root.
    [$own](node) {
        if (node === null) return this.#root;
        if (node instanceof SceneNode && node.scene === this) return node;
        throw new TypeError('node must be in this scene and not removed, or null for the scene itself');
    }

    /** @param {import('./index.js').NodeOptions} [options] */
    addNode(options = IDENTITY) {
        const parent = this.#live()[$own](options.parent ?? null);
        return new SceneNode(this, options)[$attachTo](parent);
    }

    /** @param {any} asset @param {import('./index.js').NodeOptions} [options] */
    addInstance(asset, options = IDENTITY) {
        const parent = this.#live()[$own](options.parent ?? null);
        if (this.#module && this.#module !== asset[$module]) {
            throw new TypeError("a scene's assets must be from the same Sinew");
        }
        const instance = new Instance(this, options, asset)[$attachTo](parent);
        this.#module = asset[$module];
        this.#batch?.dispose();
        this.#isGathered = false;
        return instance;
    }

    find(name) {
        for (const node of this.#live().#nodes()) {
            if (node.name === name) return node;
            if (node instanceof Instance && node.asset.findNode(name) >= 0) return node.joint(name);
        }
        return null;
    }

    get wind() {
        return this.#wind;
    }

    set wind(wind) {
        check(wind, 3, 'wind');
        this.#wind.set(wind);
    }

    // Separate from #collectNodes, because its closure would allocate a context in each call.
    #nodes() {
        return this[$order] ?? this.#collectNodes();
    }

    #collectNodes() {
        const order = this[$order] = [];
        this.#instances = [];
        const visit = (node) => {
            order.push(node);
            if (node instanceof Instance) {
                this.#instances.push(node);
                for (const joint of node[$joints].values()) if (joint[$children].length > 0) visit(joint);
            }
            for (const child of node[$children]) visit(child);
        };
        for (const child of this.#root[$children]) visit(child);
        return order;
    }

    // With a step, first locks the feet and solves for each instance, then updates its attachments.
    [$updateWorlds](deltaTime = null) {
        const nodes = this.#nodes();
        for (let i = 0; i < nodes.length; i++) {
            const node = nodes[i];
            node[$updateWorld]();
            if (deltaTime !== null && node instanceof Instance) node.mixer[$solve](deltaTime, node[$world], this.#wind);
        }
    }

    // Whether all characters still exist.
    #isCurrent() {
        if (!this.#isGathered || this.#batch?.disposed) return false;
        for (let i = 0; i < this.#characters.length; i++) if (this.#characters[i].disposed) return false;
        return true;
    }

    // Gathers all mixers. Removes instances whose assets were disposed.
    #gather() {
        this.#nodes();
        for (const instance of this.#instances) if (instance.mixer.disposed) instance.remove();
        this.#nodes();
        const mixers = this.#instances.map(({ mixer }) => mixer), hasRig = ({ animator }) => Boolean(animator?.[$rig]);
        const plain = mixers.filter((mixer) => !hasRig(mixer));
        this.#batch?.dispose();
        this.#batch = plain.length > 0 ? new Batch(plain) : null;
        this.#characters = mixers.filter(hasRig).map(({ animator }) => animator);
        this.#isGathered = true;
    }

    update(deltaTime) {
        toStep(deltaTime);
        if (!this.#live().#isCurrent()) this.#gather();
        this.#batch?.update(deltaTime);
        for (let i = 0; i < this.#characters.length; i++) this.#characters[i][$advance](deltaTime);
        this[$updateWorlds](deltaTime);
    }

    get disposed() {
        return this.#root.scene === null;
    }

    dispose() {
        if (this.disposed) return;
        this.#batch?.dispose();
        this.#root[$invalidate]();
    }
}
