// SPDX-License-Identifier: MIT
// Ground speeds of clips.
import { CLIP_SPEED, FOOT_PLANT, FOOT_PLANTS, GAITS, MAX_FOOT_PLANTS } from './constants.js';
import { $address, $clipOf, $live, $module } from './internal.js';
import { toBytes, toNode } from './module.js';

// Calls `use` with the addresses of copies of arrays, which it then frees.
export function withCopies(module, arrays, use) {
    const copies = arrays.map((array) => module.copyIn(toBytes(array)));
    try {
        return use(...copies);
    } finally {
        for (const address of copies) module.exports.free(address);
    }
}


// Feet for the module: indices of nodes, none to find them.
export function toFeet(asset, feet) {
    if (feet !== undefined && !Array.isArray(feet)) throw new TypeError('feet must be an array of nodes');
    return Int32Array.from(feet ?? [], (node) => toNode(asset, node));
}

function readPlants(words, start) {
    const count = Math.min(words.getInt32(start + FOOT_PLANTS.count, true), MAX_FOOT_PLANTS);
    return Array.from({ length: count }, (_, i) => {
        const at = start + FOOT_PLANTS.plants + FOOT_PLANT.size * i;
        return { start: words.getFloat32(at + FOOT_PLANT.start, true), end: words.getFloat32(at + FOOT_PLANT.end, true) };
    });
}

// The fields of a sinew_clip_speed.
function readSpeed({ exports, memory }, address) {
    const words = new DataView(memory.buffer, address), float = (at) => words.getFloat32(at, true);
    const feet = Array.from({ length: words.getInt32(CLIP_SPEED.footCount, true) }, (_, i) => (
        { node: exports.web_speed_foot_node(i), plants: readPlants(words, CLIP_SPEED.feet + FOOT_PLANTS.size * i) }));
    return { gait: GAITS[words.getInt32(CLIP_SPEED.gait, true)], velocity: [0, 4, 8].map((at) => float(CLIP_SPEED.velocity + at)),
        speed: float(CLIP_SPEED.speed), spread: float(CLIP_SPEED.spread), yawRate: float(CLIP_SPEED.yawRate),
        planted: float(CLIP_SPEED.planted), feet };
}

export function measureSpeed(asset, clip, feet) {
    const module = asset[$live]()[$module], nodes = toFeet(asset, feet), found = asset[$clipOf](clip);
    return withCopies(module, [nodes], (copy) => {
        const address = module.exports.web_clip_measure_speed(asset[$address], found[$address], copy, nodes.length) >>> 0;
        if (address === 0) throw module.error();
        return readSpeed(module, address);
    });
}
