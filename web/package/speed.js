// SPDX-License-Identifier: MIT
// Clips' ground speeds.
import { CLIP_SPEED, FOOT_CONTACT, GAITS, NO_NODE } from './constants.js';
import { $address, $clipOf, $live, $module } from './internal.js';
import { toBytes, toNode } from './module.js';

// Copies arrays to the module, calls `use` with their addresses, and frees them.
export function withCopies(module, arrays, use) {
    const copies = arrays.map((array) => module.copyIn(toBytes(array)));
    try {
        return use(...copies);
    } finally {
        for (const address of copies) module.exports.free(address);
    }
}

// Converts feet to node indices. An empty list means that the module finds them.
export function toFeet(asset, feet) {
    if (feet !== undefined && !Array.isArray(feet)) throw new TypeError('feet must be an array of nodes');
    return Int32Array.from(feet ?? [], (node) => toNode(asset, node));
}

// Reads a sinew_clip_speed. A plant that wraps around the loop ends after the clip's duration.
function readSpeed({ exports, memory }, address, duration) {
    const words = new DataView(memory.buffer, address), float = (at) => words.getFloat32(at, true), feet = [];
    for (let node = exports.web_speed_foot_node(0); node !== NO_NODE; node = exports.web_speed_foot_node(feet.length)) {
        feet.push({ node, plants: [] });
    }
    for (let i = 0; i < words.getInt32(CLIP_SPEED.contactCount, true); i++) {
        const at = CLIP_SPEED.contacts + FOOT_CONTACT.size * i;
        const start = float(at + FOOT_CONTACT.start), end = float(at + FOOT_CONTACT.end);
        feet[words.getInt32(at + FOOT_CONTACT.foot, true)].plants.push({ start, end: end < start ? end + duration : end });
    }
    return { gait: GAITS[words.getInt32(CLIP_SPEED.gait, true)], velocity: [0, 4, 8].map((at) => float(CLIP_SPEED.velocity + at)),
        speed: float(CLIP_SPEED.speed), spread: float(CLIP_SPEED.spread), yawRate: float(CLIP_SPEED.yawRate),
        planted: float(CLIP_SPEED.planted), feet };
}

export function measureSpeed(asset, clip, feet) {
    const module = asset[$live]()[$module], nodes = toFeet(asset, feet), found = asset[$clipOf](clip);
    return withCopies(module, [nodes], (copy) => {
        const address = module.exports.web_clip_measure_speed(asset[$address], found[$address], copy, nodes.length) >>> 0;
        if (address === 0) throw module.error();
        return readSpeed(module, address, found.duration);
    });
}
