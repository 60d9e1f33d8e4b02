// SPDX-License-Identifier: MIT
// Characters: a graph, a rig and a transform in the world. character.d.ts documents every name.
import { Animator } from './animator.js';
import { CallbackStep } from './callback.js';
import { MAX_GROUND_PLACES } from './constants.js';
import {
    $address, $advance, $afterRead, $beforeUpdate, $checkDisposable, $exports, $module, $run, $updated,
} from './internal.js';
import { View, addFunction, hint, toBytes, toFloat, toIndex, toStep } from './module.js';
import { Rig } from './rig.js';
import { checkUnit, copyVector } from './vectors.js';

// ---- Transforms -------------------------------------------------------------------------------------------------

const newTransform = () => ({ position: new Float32Array(3), rotation: Float32Array.of(0, 0, 0, 1), scale: 1 });

function resetTransform(to) {
    to.position.fill(0);
    to.rotation.fill(0);
    to.rotation[3] = to.scale = 1;
}

// Copies the parts of a transform that `from` has.
function copyTransform(to, from, what) {
    if (typeof from !== 'object' || from === null) throw new TypeError(`${what} must be { position, rotation, scale }`);
    if (from.position !== undefined) copyVector(to.position, from.position, 'position');
    if (from.rotation !== undefined) {
        copyVector(to.rotation, from.rotation, 'rotation');
        checkUnit(to.rotation, 'rotation');
    }
    if (from.scale === undefined) return;
    if (!(Math.fround(toFloat(from.scale, 'scale')) > 0)) throw new RangeError(`scale must be above 0, not ${from.scale}`);
    to.scale = from.scale;
}

function putTransform(numbers, { position, rotation, scale }) {
    for (let i = 0; i < 3; i++) numbers[i] = position[i];
    for (let i = 0; i < 4; i++) numbers[3 + i] = rotation[i];
    for (let i = 0; i < 3; i++) numbers[7 + i] = scale;
}

// ---- The ground -------------------------------------------------------------------------------------------------

class Ground {
    position = new Float32Array(3);
    normal = new Float32Array(3);
}

// A character's `ground` function. The module calls all of them through one function.
class GroundFinder {
    #find;
    #place = new Float32Array(3);
    #ground = new Ground();

    constructor(find) {
        this.#find = find;
    }

    // Reads the place from `numbers`, and writes the ground to module.numbers. That's another array if the page's
    // function made memory grow.
    answer(module) {
        const place = this.#place, { position, normal } = this.#ground;
        for (let i = 0; i < 3; i++) position[i] = place[i] = module.numbers[i];
        normal[0] = normal[2] = 0;
        normal[1] = 1;
        if (this.#find(place, this.#ground) === false) return 0;
        const { numbers } = module;
        for (let i = 0; i < 3; i++) numbers[i] = toFloat(position[i], "the ground's position");
        for (let i = 0; i < 3; i++) numbers[3 + i] = normal[i];
        checkUnit(normal, "the ground's normal");
        return 1;
    }
}

// Ends the updates of a module's characters, and calls the page's functions for the character that's being updated.
class Endings {
    #module;
    /** @type {GroundFinder | null} */
    #finder = null;
    /** @type {CallbackStep | null} */
    #step = null;
    /** @type {unknown} */
    #fault = null;
    #grounds;

    constructor(module) {
        const { exports } = this.#module = module;
        exports.web_set_ground_function(addFunction(exports, 0, () => this.#answer()));
        exports.web_set_step_function(addFunction(exports, 1, (index) => this.#runStep(index)));
        this.#grounds = new View(module, module, Float32Array, exports.web_grounds() >>> 0, 6 * MAX_GROUND_PLACES);
    }

    // Errors can't pass through the module. They're thrown after it returns.
    #answer() {
        try {
            return this.#fault || !this.#finder ? 0 : this.#finder.answer(this.#module);
        } catch (error) {
            this.#fault = error;
            return 0;
        }
    }

    #runStep(index) {
        const { numbers } = this.#module;
        try {
            if (!this.#fault) this.#step?.[$run](index, numbers[0], numbers[1]);
        } catch (error) {
            this.#fault = error;
        }
        return 0;
    }

    // Ends an update. The page's functions may update other characters.
    end(mixer, finder, step) {
        const outerFinder = this.#finder, outerStep = this.#step;
        this.#finder = finder;
        this.#step = step;
        mixer[$exports].web_mixer_end(mixer[$address]);
        this.#finder = outerFinder;
        this.#step = outerStep;
        const fault = this.#fault;
        this.#fault = null;
        if (fault) throw fault;
    }

    read(grounds, count) {
        const { array } = this.#grounds;
        for (let i = 0; i < count; i++) {
            const { position, normal } = grounds[i];
            for (let k = 0; k < 3; k++) position[k] = array[6 * i + k];
            normal[0] = normal[2] = 0;
            normal[1] = 1;
        }
    }

    write(grounds) {
        const { array } = this.#grounds;
        for (let i = 0; i < grounds.length; i++) {
            const { position, normal } = grounds[i];
            for (let k = 0; k < 3; k++) array[6 * i + k] = toFloat(position[k], 'position');
            if (normal[0] !== 0 || normal[1] !== 0 || normal[2] !== 0) checkUnit(normal, 'normal');
            for (let k = 0; k < 3; k++) array[6 * i + 3 + k] = normal[k];
        }
    }
}

// ---- Characters -------------------------------------------------------------------------------------------------

// Throws if the rig's steps need an option that's missing.
function checkNeed(is, { steps }, kind, advice) {
    const step = steps.find((one) => one.kind === kind);
    if (!is && step) throw new TypeError(`the step ${step.name} needs ${advice}`);
}

function toFinder(graph, ground) {
    checkNeed(ground !== undefined, graph, 'footPlacement', 'ground: pass a function, or null to call setGrounds');
    if (ground === undefined || ground === null) return null;
    if (typeof ground === 'function') return new GroundFinder(ground);
    throw new TypeError('ground must be a function (place, ground) => boolean');
}

function toStepFunction(graph, step) {
    checkNeed(step, graph, 'callback', 'step: pass a function');
    if (step === undefined || step === null || typeof step === 'function') return step ?? null;
    throw new TypeError('step must be a function (step) => void');
}

export class Character extends Animator {
    #exports;
    #module;
    #address;
    #finder;
    /** @type {CallbackStep | null} */
    #step;
    #world = newTransform();
    #platform = newTransform();
    #wind = new Float32Array(3);
    /** @type {Ground[]} */
    #grounds = [];
    #hasBegun = false;
    #isEnding = false;

    /** @param {any} rig @param {import('./character.js').CharacterDefinition} [options] */
    constructor(rig, { ground, step, world = {}, ...options } = {}) {
        if (!(rig instanceof Rig)) throw new TypeError('rig must be a Rig');
        if (rig.disposed) throw new Error('this Rig is disposed');
        const finder = toFinder(rig.graph, ground), call = toStepFunction(rig.graph, step), start = newTransform();
        copyTransform(start, world, 'world');
        checkNeed(options.rootMotion, rig.graph, 'rootWarp', 'rootMotion: pass the node that its clip moves');
        super(rig.asset, rig.graph, options, rig);
        this.rig = rig;
        this.#finder = finder;
        this.#step = call && new CallbackStep(this.mixer, rig.graph.steps, call);
        this.#module = rig.asset[$module];
        this.#exports = this.#module.exports;
        this.#address = this.#exports.web_mixer_character(this.mixer[$address]) >>> 0;
        this.#module.endings ??= new Endings(this.#module);
        this.teleport(start);
    }

    #live() {
        if (this.disposed) throw new Error('this Character is disposed');
        return this;
    }

    // Throws between begin and end of an update.
    #whole(what) {
        if (this.#live().#hasBegun) throw new Error(`${what} cannot be called between begin and end`);
        return this;
    }

    [$checkDisposable]() {
        if (this.#isEnding) throw new Error("a character can't be disposed during its update");
    }

    // ---- Each frame ----

    update(deltaTime) {
        this.begin(deltaTime).end();
        return true;
    }

    begin(deltaTime) {
        const step = toStep(deltaTime), { mixer } = this.#whole('begin');
        mixer[$beforeUpdate](step);
        this.#hasBegun = true;
        this.#exports.web_mixer_begin(mixer[$address], step);
        return this;
    }

    end() {
        const { mixer } = this.#live();
        if (!this.#hasBegun || this.#isEnding) throw new Error('end must be called after begin');
        this.#isEnding = true;
        try {
            this.#module.endings.end(mixer, this.#finder, this.#step);
        } finally {
            this.#isEnding = this.#hasBegun = false;
        }
        mixer[$updated]();
        return this;
    }

    // Updates the character, or ends an update that the page has begun.
    [$advance](deltaTime) {
        if (this.#hasBegun) this.end();
        else this.update(deltaTime);
    }

    groundPlaces() {
        const count = this.#live().#exports.web_character_ground_places(this.#address);
        while (this.#grounds.length < count) this.#grounds.push(new Ground());
        this.#module.endings.read(this.#grounds, count);
        return this.#grounds;
    }

    setGrounds(grounds) {
        if (!(grounds?.length <= MAX_GROUND_PLACES)) throw new RangeError(`grounds must have at most ${MAX_GROUND_PLACES} entries`);
        this.#live().#module.endings.write(grounds);
        this.#exports.web_character_set_grounds(this.#address, grounds.length);
        return this;
    }

    palette(skin) {
        return this.mixer.palette(skin);
    }

    nodeWorldMatrix(node, target = new Float32Array(16)) {
        const index = toIndex(node, this.#live().asset.nodes.length, 'node'), { numbers } = this.#module;
        this.#exports.web_character_node(this.#address, index);
        for (let i = 0; i < 12; i++) target[i % 4 * 4 + (i >> 2)] = numbers[i];
        target[3] = target[7] = target[11] = 0;
        target[15] = 1;
        return target;
    }

    stepWeight(step) {
        const { steps } = this.#live().graph;
        for (let i = 0; i < steps.length; i++) {
            if (steps[i].name === step) return this.#exports.sinew_character_step_weight(this.#address, i);
        }
        throw new Error(`this rig has no step '${step}'${hint(step, steps.map(({ name }) => name))}`);
    }

    // ---- The world ----

    world(target = newTransform()) {
        this.#live().#exports.web_character_world(this.#address);
        const { numbers } = this.#module;
        for (let i = 0; i < 3; i++) target.position[i] = numbers[i];
        for (let i = 0; i < 4; i++) target.rotation[i] = numbers[3 + i];
        target.scale = numbers[7];
        return target;
    }

    // Writes the transform to the module's numbers. Missing parts come from the character.
    #putWorld(world) {
        copyTransform(this.world(this.#world), world, 'world');
        putTransform(this.#module.numbers, this.#world);
    }

    setWorld(world) {
        this.#putWorld(world);
        this.#exports.web_character_set_world(this.#address);
        return this;
    }

    teleport(world) {
        this.#putWorld(world);
        this.#exports.web_character_teleport(this.#address);
        return this;
    }

    ride(platform) {
        resetTransform(this.#platform);
        copyTransform(this.#platform, platform, 'platform');
        if (this.#platform.scale !== 1) throw new RangeError(`a platform must have a scale of 1, not ${this.#platform.scale}`);
        putTransform(this.#live().#module.numbers, this.#platform);
        this.#exports.web_character_ride(this.#address);
        return this;
    }

    getOff() {
        this.#live().#exports.sinew_character_get_off(this.#address);
        return this;
    }

    setWind(wind) {
        copyVector(this.#wind, wind, 'wind');
        this.#live().#exports.web_character_set_wind(this.#address, this.#wind[0], this.#wind[1], this.#wind[2]);
        return this;
    }

    setSignificance(significance) {
        if (!(significance >= 0)) throw new RangeError(`a significance must be 0 or more, not ${significance}`);
        this.#live().#exports.sinew_character_set_significance(this.#address, significance);
        return this;
    }

    // ---- States ----

    save(snapshot) {
        return this.#whole('save').mixer.save(snapshot);
    }

    restore(snapshot) {
        this.#whole('restore').mixer.restore(snapshot);
        return this;
    }

    write() {
        const { exports } = this.#whole('write').#module;
        const size = exports.web_character_write(this.#address, 0, 0), copy = this.#module.allocate(size);
        exports.web_character_write(this.#address, copy, size);
        const bytes = new Uint8Array(this.#module.memory.buffer, copy, size).slice();
        exports.free(copy);
        return bytes;
    }

    read(bytes) {
        const state = toBytes(bytes, 'a state'), { exports } = this.#whole('read').#module;
        const copy = this.#module.copyIn(state);
        const unknown = exports.web_character_read(this.#address, this.asset[$address], copy, state.length) >>> 0;
        exports.free(copy);
        if (unknown === 0) throw this.#module.error();
        const list = JSON.parse(this.#module.string(unknown));
        exports.free(unknown);
        this.mixer[$afterRead]();
        return list;
    }

    get hash() {
        return BigInt.asUintN(64, this.#live().#exports.sinew_character_hash(this.#address));
    }

    // ---- Other graphs ----

    /** @returns {never} */
    setGraph() {
        throw new Error("a character plays its rig's graph: make a Rig of the other graph, and a Character of it");
    }
}
