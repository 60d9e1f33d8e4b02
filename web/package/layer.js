// SPDX-License-Identifier: MIT
// Layers of a mixer, and masks: the factor of a layer at each node.
import { Shared } from './shared.js';
import { View, toFloat, toIndex, toSeconds } from './module.js';

const MODES = ['override', 'additive']; // by sinew_layer_mode
const LINEAR = 0;

export class Layer {
    // `graphMask` is the address of the mask that a graph has for the layer, or 0.
    constructor(mixer, index, mode = MODES[0], graphMask = 0) {
        Object.assign(this, { mixer, index, _mode: mode, _mask: null, _graphMask: graphMask });
        this._actions = new Map(); // by clip or blend space
    }

    // Passes its settings to another mixer, unless they are those of a graph.
    _moveTo(mode, graphMask, weight) {
        this._graphMask = graphMask ?? 0;
        if (this.index === 0) return;
        if (this._mask) this._applyMask();
        if (mode) {
            this._mode = mode;
            return;
        }
        const { _exports, _mixer } = this.mixer;
        _exports.sinew_layer_set_mode(_mixer, this.index, MODES.indexOf(this._mode));
        this.weight = weight;
    }

    // The mixer, for settings that the base layer does not have.
    _aboveBase() {
        if (this.index > 0) return this.mixer._live();
        throw new Error('the base layer, layers[0], has no weight, mask or mode: set those of layers[1] and above');
    }

    get weight() {
        const { _exports, _mixer } = this.mixer._live();
        return _exports.sinew_layer_weight(_mixer, this.index);
    }

    set weight(weight) {
        this.fadeTo(weight, 0);
    }

    fadeTo(weight, duration) {
        if (toFloat(weight, 'a weight') < 0) throw new RangeError(`a weight must be 0 or more, not ${weight}`);
        toSeconds(duration, 'a duration');
        const { _exports, _mixer } = this._aboveBase();
        _exports.sinew_layer_fade_to(_mixer, this.index, weight, duration, LINEAR);
        return this;
    }

    get actions() {
        return [...this._actions.values()].filter((action) => action.isActive());
    }

    inertialize(duration) {
        toSeconds(duration, 'a duration');
        if (this.index === 0) throw new Error('the base layer, layers[0], is inertialized by inertialize of the mixer');
        const { _exports, _mixer } = this.mixer._live();
        _exports.sinew_layer_inertialize(_mixer, this.index, duration);
        return this;
    }

    get mask() {
        return this._mask;
    }

    set mask(mask) {
        this._aboveBase();
        if (mask !== null && !(mask instanceof Mask)) throw new TypeError('mask must be a Mask, or null for all nodes');
        mask?._addUser(this.mixer);
        this._mask?._layers.delete(this);
        mask?._layers.add(this);
        this._mask = mask;
        this._applyMask();
    }

    // Passes the mask to the mixer, which reads its factors once, not in each frame.
    _applyMask() {
        const { _exports, _mixer } = this.mixer;
        _exports.sinew_layer_set_mask(_mixer, this.index, this._mask?._address ?? this._graphMask);
    }

    get mode() {
        return this._mode;
    }

    set mode(mode) {
        if (!MODES.includes(mode)) throw new TypeError(`mode is one of ${MODES.join(', ')}, not '${mode}'`);
        const { _exports, _mixer } = this._aboveBase();
        if (this.actions.length > 0) throw new Error('the mode of a layer cannot change while an action is active in it');
        _exports.sinew_layer_set_mode(_mixer, this.index, MODES.indexOf(mode));
        this._mode = mode;
    }
}

export class Mask extends Shared {
    constructor(asset, factor = 0) {
        const { exports } = asset._live()._module;
        const address = exports.web_mask_create(asset._address, toFloat(factor, 'a factor')) >>> 0;
        if (address === 0) throw asset._module.error();
        super(asset, address, exports.sinew_mask_destroy);
        this._layers = new Set(); // that use it now
        const factors = exports.web_mask_factors(address) >>> 0;
        this._factors = new View(this._module, this, Float32Array, factors, asset.nodes.length);
    }

    get factors() {
        return this._factors.array;
    }

    set(node, factor) {
        const { exports } = this._live()._module;
        toIndex(node, this.asset.nodes.length, 'node');
        exports.sinew_mask_set(this._address, node, toFloat(factor, 'a factor'));
        return this._changed();
    }

    setSubtree(node, factor, feather = 0) {
        const { exports } = this._live()._module;
        toIndex(node, this.asset.nodes.length, 'node');
        toIndex(feather, this.asset.nodes.length + 1, 'feather of as many levels as');
        exports.sinew_mask_set_subtree(this._address, node, toFloat(factor, 'a factor'), feather);
        return this._changed();
    }

    _changed() {
        for (const layer of this._layers) layer._applyMask();
        return this;
    }

    _release() {
        for (const layer of [...this._layers]) layer.mask = null;
    }
}
