// SPDX-License-Identifier: MIT
// Arranges lint findings in an artist's terms: by rule, then by clip, with the joint and the moment of each.
import { readFloats, readGltf } from './gltf.js';
/** @import { Character } from './stage.js' */

const CHANNEL = /^animations\[(\d+)\](?:\.(channels|samplers)\[(\d+)\])?/;
const KEY = /: key (\d+)$/;
const OBJECT = /^(nodes|skins|meshes|materials|textures|images|scenes)\[(\d+)\](?:\.joints\[(\d+)\])?/;
const KINDS = { nodes: 'Nodes', skins: 'Skins', meshes: 'Meshes', materials: 'Materials', textures: 'Textures',
    images: 'Images', scenes: 'Scenes' };
const FILE = 'File';

class Locator {
    constructor({ bytes, files, asset }) {
        this.files = files;
        this.asset = asset;
        this.gltf = readGltf(bytes);
        this.nodeOf = new Map(asset.nodes.map(({ source }, node) => [source, node])); // by index in the file
    }

    /**
     * What a finding's location is about: { group, label, clip, node, time }. clip and node are -1, and time 0, if
     * they don't apply.
     */
    find(location) {
        const none = { group: FILE, label: location, clip: -1, node: -1, time: 0 };
        const channel = CHANNEL.exec(location), object = OBJECT.exec(location);
        if (channel) return { ...none, ...this.#ofChannel(location, channel) };
        if (object) return { ...none, ...this.#ofObject(object) };
        return none;
    }

    #nodeAt(source) {
        return this.nodeOf.get(source) ?? -1;
    }

    #nameOf(node) {
        return this.asset.nodes[node]?.name || `node ${node}`;
    }

    #ofChannel(location, /** @type {string[]} */ [, clip, list, index]) {
        const animation = this.gltf.json.animations[clip];
        const group = animation.name || `Clip ${Number(clip) + 1}`;
        const isLoaded = this.asset.clips.length === this.gltf.json.animations.length;
        const found = { group, label: group, clip: isLoaded ? Number(clip) : -1 };
        if (!list) return found;
        const channel = list === 'channels' ? animation.channels[index]
            : animation.channels.find(({ sampler }) => sampler === Number(index));
        const node = this.#nodeAt(channel?.target.node), time = this.#timeOf(animation.samplers[channel?.sampler], location);
        const moment = time > 0 ? `, ${time.toFixed(2)} s` : '';
        return { ...found, node, time, label: node < 0 ? `sampler ${index}` : `${this.#nameOf(node)}${moment}` };
    }

    #timeOf(sampler, location) {
        const key = KEY.exec(location)?.[1];
        return key === undefined || !sampler ? 0 : readFloats(this.gltf, sampler.input, this.files)?.[key] ?? 0;
    }

    #ofObject(/** @type {string[]} */ [, list, index, joint]) {
        const { json } = this.gltf;
        const source = list === 'nodes' ? Number(index) : json.skins?.[index]?.joints[joint];
        const node = list === 'nodes' || joint !== undefined ? this.#nodeAt(source) : -1;
        const { name } = json[list]?.[index] ?? {};
        return { group: KINDS[list], node, label: node >= 0 ? this.#nameOf(node) : name || `${list}[${index}]` };
    }
}

/**
 * Arranges a report's findings by rule: [{ rule, severity, title, why, advice, fixable, bytes, count, groups }].
 * `groups` is [{ name, clip, targets: [{ label, node, time, location, messages }] }]. Findings with the same target
 * are merged.
 */
export function arrangeFindings(findings, /** @type {Character} */ character) {
    const locator = new Locator(character), rules = new Map();
    for (const finding of findings) {
        const { rule, severity, title, why, advice, fixable, location, message, bytes } = finding;
        if (!rules.has(rule)) {
            rules.set(rule, { rule, severity, title, why, advice, fixable, bytes: 0, count: 0, groups: new Map() });
        }
        const of = rules.get(rule), { group, label, ...target } = locator.find(location);
        of.bytes += bytes;
        of.count++;
        if (!of.groups.has(group)) of.groups.set(group, { name: group, clip: target.clip, targets: new Map() });
        const { targets } = of.groups.get(group);
        if (!targets.has(label)) targets.set(label, { label, ...target, location, messages: [] });
        targets.get(label).messages.push(`${location}: ${message}`);
    }
    return [...rules.values()].map(({ groups, ...rule }) => (
        { ...rule, groups: [...groups.values()].map(({ targets, ...group }) => (
            { ...group, targets: [...targets.values()] })) }));
}
