// SPDX-License-Identifier: MIT
// A mixer's layers, and masks: a layer's factor for each node.
import { toAsset } from './asset.js';
import { EASING_LINEAR, LAYER_MODES } from './constants.js';
import {
    $actions, $addUser, $address, $applyMask, $exports, $layers, $live, $mask, $mixer, $mode, $module, $moveTo,
    $release,
} from './internal.js';
import { View, toFloat, toIndex, toSeconds } from './module.js';
import { Shared } from './shared.js';

export class Layer {
    [$mode];
    /** @type {Mask | null} */
    [$mask] = null;
    #graphMask;
    [$actions] = new Map(); // by clip or blend space

    // `graphMask` is the address of the graph's mask for the layer, or 0.
    constructor(mixer, index, mode = LAYER_MODES[0], graphMask = 0) {
        this.mixer = mixer;
        this.index = index;
        this[$mode] = mode;
        this.#graphMask = graphMask;
    }

    // Passes its settings to another mixer, except those that the graph controls.
    [$moveTo](mode, graphMask, weight) {
        this.#graphMask = graphMask ?? 0;
        if (this.index === 0) return;
        if (this[$mask]) this[$applyMask]();
        if (mode) {
            this[$mode] = mode;
            return;
        }
        const { [$exports]: exports, [$mixer]: mixer } = this.mixer;
        exports.sinew_layer_set_mode(mixer, this.index, LAYER_MODES.indexOf(this[$mode]));
        this.weight = weight;
    }

    // Returns the mixer. Throws for the base layer, which doesn't have these settings.
    #aboveBase() {
        if (this.index > 0) return this.mixer[$live]();
        throw new Error('layers[0], the base layer, has no weight, mask or mode: use layers[1] and above');
    }

    get weight() {
        const { [$exports]: exports, [$mixer]: mixer } = this.mixer[$live]();
        return exports.sinew_layer_weight(mixer, this.index);
    }

    set weight(weight) {
        this.fadeTo(weight, 0);
    }

    fadeTo(weight, duration) {
        if (toFloat(weight, 'a weight') < 0) throw new RangeError(`a weight must be 0 or more, not ${weight}`);
        toSeconds(duration, 'a duration');
        const { [$exports]: exports, [$mixer]: mixer } = this.#aboveBase();
        exports.sinew_layer_fade_to(mixer, this.index, weight, duration, EASING_LINEAR);
        return this;
    }

    get actions() {
        return [...this[$actions].values()].filter((action) => action.isActive());
    }

    inertialize(duration) {
        toSeconds(duration, 'a duration');
        if (this.index === 0) throw new Error("layers[0] is the base layer: call the mixer's inertialize");
        const { [$exports]: exports, [$mixer]: mixer } = this.mixer[$live]();
        exports.sinew_mixer_inertialize(mixer, this.index, duration);
        return this;
    }

    get mask() {
        return this[$mask];
    }

    set mask(mask) {
        this.#aboveBase();
        if (mask !== null && !(mask instanceof Mask)) throw new TypeError('mask must be a Mask, or null for all nodes');
        mask?.[$addUser](this.mixer);
        this[$mask]?.[$layers].delete(this);
        mask?.[$layers].add(this);
        this[$mask] = mask;
        this[$applyMask]();
    }

    // Passes the mask to the mixer. The mixer reads its factors once, not every frame.
    [$applyMask]() {
        const { [$exports]: exports, [$mixer]: mixer } = this.mixer;
        exports.sinew_layer_set_mask(mixer, this.index, this[$mask]?.[$address] ?? this.#graphMask);
    }

    get mode() {
        return this[$mode];
    }

    set mode(mode) {
        if (!LAYER_MODES.includes(mode)) throw new TypeError(`mode must be one of ${LAYER_MODES.join(', ')}, not '${mode}'`);
        const { [$exports]: exports, [$mixer]: mixer } = this.#aboveBase();
        if (this.actions.length > 0) throw new Error("a layer's mode can't change while it has an active action");
        exports.sinew_layer_set_mode(mixer, this.index, LAYER_MODES.indexOf(mode));
        this[$mode] = mode;
    }
}

export class Mask extends Shared {
    [$layers] = new Set(); // that currently use it
    #factors;

    constructor(asset, factor = 0) {
        const { exports } = toAsset(asset)[$module];
        const address = exports.web_mask_create(asset[$address], toFloat(factor, 'a factor')) >>> 0;
        if (address === 0) throw asset[$module].error();
        super(asset, address, exports.sinew_mask_destroy);
        const factors = exports.web_mask_factors(address) >>> 0;
        this.#factors = new View(this[$module], this, Float32Array, factors, asset.nodes.length);
    }

    get factors() {
        return this.#factors.array;
    }

    set(node, factor) {
        const { exports } = this[$live]()[$module];
        toIndex(node, this.asset.nodes.length, 'node');
        exports.sinew_mask_set(this[$address], node, toFloat(factor, 'a factor'));
        return this.#changed();
    }

    setSubtree(node, factor, feather = 0) {
        const { exports } = this[$live]()[$module];
        toIndex(node, this.asset.nodes.length, 'node');
        toIndex(feather, this.asset.nodes.length + 1, 'feather of as many levels as');
        exports.sinew_mask_set_subtree(this[$address], node, toFloat(factor, 'a factor'), feather);
        return this.#changed();
    }

    #changed() {
        for (const layer of this[$layers]) layer[$applyMask]();
        return this;
    }

    [$release]() {
        for (const layer of [...this[$layers]]) layer.mask = null;
    }
}
