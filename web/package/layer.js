// Layers, and masks, which say what of a character they cover.
import { Held } from './held.js';
import { View, toFloat, toIndex, toSeconds } from './module.js';

const MODES = ['override', 'additive']; // by sinew_layer_mode
const LINEAR = 0;

export class Layer {
    constructor(mixer, index) {
        Object.assign(this, { mixer, index, _mode: MODES[0], _mask: null });
        this._actions = new Map(); // by clip or blend space
    }

    // The base is always all there.
    _above() {
        if (this.index > 0) return this.mixer._live();
        throw new Error('this can be said of the layers above the base, layers[1] and on');
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
        const { _exports, _mixer } = this._above();
        _exports.sinew_layer_fade_to(_mixer, this.index, weight, duration, LINEAR);
        return this;
    }

    get mask() {
        return this._mask;
    }

    set mask(mask) {
        this._above();
        if (mask !== null && !(mask instanceof Mask)) throw new TypeError('a mask is a Mask, or null for all nodes');
        mask?._taken(this.mixer);
        this._mask?._layers.delete(this);
        mask?._layers.add(this);
        this._mask = mask;
        this._lookAtMask();
    }

    // The mixer does so once, and not in each frame.
    _lookAtMask() {
        const { _exports, _mixer } = this.mixer;
        _exports.sinew_layer_set_mask(_mixer, this.index, this._mask?._address ?? 0);
    }

    get mode() {
        return this._mode;
    }

    set mode(mode) {
        if (!MODES.includes(mode)) throw new TypeError(`a mode is one of ${MODES.join(', ')}, not '${mode}'`);
        const { _exports, _mixer } = this._above();
        for (const action of this._actions.values()) {
            if (action.isActive()) throw new Error('the mode of a layer can be set while nothing plays in it');
        }
        _exports.sinew_layer_set_mode(_mixer, this.index, MODES.indexOf(mode));
        this._mode = mode;
    }
}

export class Mask extends Held {
    constructor(asset, factor = 0) {
        const { exports } = asset._live()._module;
        const address = exports.web_mask_create(asset._address, toFloat(factor, 'a factor')) >>> 0;
        if (address === 0) throw asset._module.error();
        super(asset, address, exports.sinew_mask_destroy);
        this._layers = new Set(); // that have it now
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
        for (const layer of this._layers) layer._lookAtMask();
        return this;
    }

    _drop() {
        for (const layer of [...this._layers]) layer.mask = null;
    }
}
