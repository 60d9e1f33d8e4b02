// The scene: nodes that hang on each other, characters among them, and objects in their hands. It is worked out here,
// from the matrices of mixers.
import { Batch } from './batch.js';
import { Mixer } from './mixer.js';
import { toSeconds } from './module.js';

// ---- Matrices ---------------------------------------------------------------------------------------------------

// All are 16 floats, column after column, whose last row is 0, 0, 0, 1.

// Arrays as they should be given: the engine boxes numbers that come from arrays of several kinds.
const ORIGIN = new Float32Array(3);
const UPRIGHT = Float32Array.of(0, 0, 0, 1);
const ONES = Float32Array.of(1, 1, 1);
const HERE = Object.freeze({});

function check(numbers, count, what) {
    if (numbers?.length !== count) throw new TypeError(`a ${what} has ${count} numbers`);
    for (let i = 0; i < count; i++) {
        if (!Number.isFinite(numbers[i])) throw new TypeError(`a ${what} has finite numbers, not ${numbers[i]}`);
    }
}

// A frame that moves what hangs in the scene makes no garbage.
function compose(to, { translation = ORIGIN, rotation = UPRIGHT, scale = ONES }) {
    check(translation, 3, 'translation');
    check(rotation, 4, 'rotation');
    check(scale, 3, 'scale');
    const squares = rotation[0] ** 2 + rotation[1] ** 2 + rotation[2] ** 2 + rotation[3] ** 2;
    if (!(squares > 0)) throw new RangeError('a rotation is a quaternion x, y, z, w that is not all zeros');
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

// to = a × b; `to` is neither.
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
    if (determinant === 0) throw new Error('what it would hang on is scaled to 0, so it cannot keep its place');
    const to = new Float64Array(16);
    for (let c = 0; c < 3; c++) for (let r = 0; r < 3; r++) to[4 * c + r] = cofactor(r, c) / determinant;
    for (let r = 0; r < 3; r++) to[12 + r] = -(to[r] * m[12] + to[4 + r] * m[13] + to[8 + r] * m[14]);
    to[15] = 1;
    return to;
}

// ---- Nodes ------------------------------------------------------------------------------------------------------

export class SceneNode {
    constructor(scene, place) {
        Object.assign(this, { scene, name: place.name ?? '', _parent: null, _children: [] });
        this._local = new Float64Array(16);
        this._world = new Float64Array(16);
        compose(this._local, place);
    }

    _live() {
        if (this.scene === null) throw new Error('this node has been removed from its scene');
        return this;
    }

    _hang(parent) {
        this._parent = parent;
        parent._children.push(this);
        this.scene._order = null;
        parent._place(); // a joint that nothing hung on has not been kept up
        this._place();
        return this;
    }

    _unhang() {
        this._parent._children.splice(this._parent._children.indexOf(this), 1);
        this.scene._order = null;
    }

    // The world matrix, from that of the parent.
    _place() {
        multiply(this._world, this._parent._world, this._local);
    }

    setTransform(place = HERE) {
        compose(this._live()._local, place);
        return this;
    }

    world(target = new Float32Array(16)) {
        this._live();
        for (let i = 0; i < 16; i++) target[i] = this._world[i];
        return target;
    }

    setParent(parent, { keepWorld = false } = {}) {
        const { scene } = this._live();
        const to = scene._own(parent);
        for (let above = to; above; above = above._parent) {
            if (above === this) throw new Error('a node cannot hang on itself, or on what hangs on it');
        }
        if (keepWorld) {
            scene._place();
            to._place();
            this._local = multiply(new Float64Array(16), invert(to._world), this._world);
        }
        this._unhang();
        this._hang(to);
        return this;
    }

    detach({ keepWorld = false } = {}) {
        return this.setParent(null, { keepWorld });
    }

    remove() {
        if (this.scene === null) return;
        this._unhang();
        this._forget();
    }

    _forget() {
        for (const child of this._children) child._forget();
        this.scene = null;
    }
}

// The scene itself, as a node that all others hang on.
class Root extends SceneNode {
    constructor(scene) {
        super(scene, HERE);
        this._world.set(this._local);
    }

    _place() {}
}

// A joint is where its mixer has it. What hangs on it is a child of it, and it one of its instance.
class Joint extends SceneNode {
    constructor(instance, node) {
        super(instance.scene, { name: instance.asset.nodes[node].name });
        Object.assign(this, { _parent: instance, _node: node });
        this._model = new Float32Array(16);
        this._place();
    }

    _place() {
        const { mixer, _world } = this._parent;
        multiply(this._world, _world, mixer.nodeMatrix(this._node, this._model));
    }

    world(target) {
        this._live()._place();
        return super.world(target);
    }

    setTransform() {
        throw new Error('a joint is where its mixer has it');
    }

    setParent() {
        throw new Error('a joint stays on its skeleton');
    }

    remove() {
        throw new Error('a joint stays on its skeleton');
    }
}

// ---- Instances --------------------------------------------------------------------------------------------------

export class Instance extends SceneNode {
    constructor(scene, place, asset) {
        super(scene, place);
        Object.assign(this, { asset, mixer: new Mixer(asset, place.mixer) });
        this._joints = new Map();
    }

    joint(name) {
        const node = typeof name === 'number' ? name : this._live().asset.findNode(name);
        if (!this._live().asset.nodes[node]) throw new Error(`there is no node '${name}' in this asset`);
        if (!this._joints.has(node)) this._joints.set(node, new Joint(this, node));
        return this._joints.get(node);
    }

    palette(skin) {
        return this._live().mixer.palette(skin);
    }

    attach(object, joint, offset = HERE) {
        const to = this.joint(joint);
        if (object === null) throw new TypeError('a node of this scene is needed');
        this.scene._own(object).setTransform(offset).setParent(to);
        return this;
    }

    _forget() {
        for (const joint of this._joints.values()) joint._forget();
        super._forget();
        this.mixer.dispose();
    }
}

// ---- Scenes -----------------------------------------------------------------------------------------------------

export class Scene {
    constructor() {
        this._root = new Root(this);
        this._order = null; // of all nodes, parents before their children, while none has come, gone or moved
        this._instances = [];
        this._batch = null;
        this._module = null; // of what has been placed
    }

    _live() {
        if (this._root.scene === null) throw new Error('this Scene is disposed of');
        return this;
    }

    // A node of this scene; null is the scene itself.
    _own(node) {
        if (node === null) return this._root;
        if (node instanceof SceneNode && node.scene === this) return node;
        throw new TypeError('a node of this scene is needed, which has not been removed, or null for the scene itself');
    }

    add(place = HERE) {
        const parent = this._live()._own(place.parent ?? null);
        return new SceneNode(this, place)._hang(parent);
    }

    place(asset, place = HERE) {
        const parent = this._live()._own(place.parent ?? null);
        if (this._module && this._module !== asset._module) throw new TypeError('a scene\'s assets are of one Sinew');
        const instance = new Instance(this, place, asset)._hang(parent);
        this._module = asset._module;
        this._batch?.dispose();
        return instance;
    }

    find(name) {
        for (const node of this._live()._nodes()) {
            if (node.name === name) return node;
            if (node instanceof Instance && node.asset.findNode(name) >= 0) return node.joint(name);
        }
        return null;
    }

    // Apart from what collects them: a function that holds a closure allocates its context in each call.
    _nodes() {
        return this._order ?? this._collectNodes();
    }

    _collectNodes() {
        this._order = [];
        this._instances = [];
        const visit = (node) => {
            this._order.push(node);
            if (node instanceof Instance) {
                this._instances.push(node);
                for (const joint of node._joints.values()) if (joint._children.length > 0) visit(joint);
            }
            for (const child of node._children) visit(child);
        };
        for (const child of this._root._children) visit(child);
        return this._order;
    }

    // World matrices.
    _place() {
        const nodes = this._nodes();
        for (let i = 0; i < nodes.length; i++) nodes[i]._place();
    }

    // An asset that is disposed of takes its instances with it.
    _gather() {
        this._nodes();
        for (const instance of this._instances) if (instance.mixer.disposed) instance.remove();
        this._nodes();
        this._batch = this._instances.length > 0 ? new Batch(this._instances.map(({ mixer }) => mixer)) : null;
    }

    update(deltaTime) {
        toSeconds(deltaTime, 'a step');
        if (!this._live()._batch || this._batch.disposed) this._gather();
        this._batch?.update(deltaTime);
        this._place();
    }

    get disposed() {
        return this._root.scene === null;
    }

    dispose() {
        if (this.disposed) return;
        this._batch?.dispose();
        this._root._forget();
    }
}
