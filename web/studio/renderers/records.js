// SPDX-License-Identifier: MIT
// The records that shaders read, in the layout of sinew/gpu_record.h (SINEW_GPU_RECORD_ROWS with a per-instance
// transform): the transform of a character, the matrices of its joints, and its morph weights. The joints are those
// of all visible skins, one skin after another, then the nodes of rigid meshes. So each character has one record. All
// records of a frame are in one array.
import { IDENTITY } from '../affine.js';
import { TEXTURE_WIDTH } from '../sinew/constants.js';
import { materialsOf } from './materials.js';
/** @import { Mixer } from '../sinew/index.js' */

const ROWS = 12; // floats of a matrix
const TEXEL = 4; // floats
const MAX_JOINTS = 65536; // vertices have indices of 16 bits

// The winding of triangles after their matrices. MIXED is both, where a draw mixes them.
const AS_AUTHORED = 1;
const MIRRORED = 2;
export const MIXED = 3;

function determinant(m, at) {
    return m[at] * (m[at + 5] * m[at + 10] - m[at + 6] * m[at + 9]) -
        m[at + 1] * (m[at + 4] * m[at + 10] - m[at + 6] * m[at + 8]) +
        m[at + 2] * (m[at + 4] * m[at + 9] - m[at + 5] * m[at + 8]);
}

// The winding after a matrix; 0 for a matrix of determinant 0, which does not count.
function handOf(m, at) {
    const d = determinant(m, at);
    return d > 0 ? AS_AUTHORED : d < 0 ? MIRRORED : 0;
}

// The visible sides of a part by winding: 'ccw', 'cw' or 'both'. A mirrored part shows the back sides of its
// triangles. A partly mirrored one shows both.
export function sidesOf({ part, material }, { hands }) {
    const hand = hands[part.group];
    if (material.doubleSided || hand === MIXED) return 'both';
    return hand === MIRRORED ? 'cw' : 'ccw';
}

// ---- The layout of a record -------------------------------------------------------------------------------------

// A part is a primitive of a mesh on a node:
//   primitive, material
//   group        the index of the skin or node that moves it, in `groups`: joints first to first + count of the record
//   influences   joints a vertex; 0: rigid on the group's only joint
//   firstWeight  the offset of its morph weights in a record, in floats
export class RecordLayout {
    constructor(asset, materials = materialsOf(asset)) {
        this.asset = asset;
        this.groups = [];
        this.jointCount = 0;
        this.parts = this.#findParts(materials);
        if (this.jointCount > MAX_JOINTS) {
            throw new Error(`the model has ${this.jointCount} joints and meshes, but at most ${MAX_JOINTS} can be drawn`);
        }
        const morphs = this.parts.some(({ primitive }) => primitive.targets.length > 0);
        const last = asset.nodes.at(-1);
        this.weightCount = morphs && last ? last.firstWeight + last.weightCount : 0;
        this.weighted = morphs ? [...asset.nodes.keys()].filter((node) => asset.nodes[node].weightCount > 0) : [];
        const firstWeight = ROWS * (1 + this.jointCount);
        for (const part of this.parts) part.firstWeight = firstWeight + asset.nodes[part.node].firstWeight;
        this.floats = firstWeight + TEXEL * Math.ceil(this.weightCount / TEXEL);
        this.texels = this.floats / TEXEL;
    }

    #findParts(materials) {
        const { meshNodes, meshes } = this.asset;
        const parts = [];
        for (const { node, mesh, skin, drawn } of meshNodes) {
            for (const primitive of drawn ? meshes[mesh].primitives : []) {
                if (primitive.vertexCount === 0 || primitive.indexCount === 0) continue;
                const skinned = primitive.influences > 0 && skin >= 0 && this.asset.skins[skin].jointCount > 0;
                const group = skinned ? this.#group('skin', skin, this.asset.skins[skin].jointCount)
                    : this.#group('node', node, 1);
                parts.push({ primitive, node, group, influences: skinned ? primitive.influences : 0,
                    material: materials.at(primitive.material) });
            }
        }
        return parts;
    }

    #group(kind, index, count) {
        const found = this.groups.findIndex((group) => group.kind === kind && group.index === index);
        if (found >= 0) return found;
        this.groups.push({ kind, index, first: this.jointCount, count });
        this.jointCount += count;
        return this.groups.length - 1;
    }

    // Writes the mixer's current pose: all of a record except its transform.
    writePose(/** @type {Mixer} */ mixer, out, at) {
        const matrices = mixer.modelMatrices;
        for (const { kind, index, first } of this.groups) {
            const to = at + ROWS * first;
            if (kind === 'skin') out.set(mixer.palette(index), to);
            else for (let i = 0; i < ROWS; i++) out[to + i] = matrices[ROWS * index + i];
        }
        for (const node of this.weighted) {
            out.set(mixer.morphWeights(node), at + ROWS * this.jointCount + this.asset.nodes[node].firstWeight);
        }
    }

    writeWorld(worlds, from, out, at) {
        for (let i = 0; i < ROWS; i++) out[at + i] = worlds[from + i];
    }

    // Adds the winding of a record's joints to hands[group].
    addHands(record, at, hands) {
        const turned = handOf(record, at) === MIRRORED;
        for (let group = 0; group < this.groups.length; group++) {
            const { first, count } = this.groups[group];
            let hand = hands[group];
            for (let i = 0; i < count && hand !== MIXED; i++) {
                const own = handOf(record, at + ROWS * (1 + first + i));
                hand |= turned && own ? MIXED - own : own;
            }
            hands[group] = hand;
        }
    }
}

// ---- The records of a frame -------------------------------------------------------------------------------------

// The array has whole rows of a texture. `changed`: the records differ from those of the last frame. A run has the
// records of an object:
//   object, model, ghost
//   first, stride, count    the offset and distance of its records in texels, and their count
//   hands                   the winding of each group of joints, over all records
export class Records {
    constructor() {
        this.floats = new Float32Array(TEXEL * TEXTURE_WIDTH);
        this.last = new Float32Array(TEXEL * TEXTURE_WIDTH); // the array of the last frame
        this.texels = 0;
        this.runs = [];
        this.changed = true;
    }

    fill(objects) {
        const { texels, runs: { length } } = this;
        [this.floats, this.last] = [this.last, this.floats];
        this.#grow(objects);
        this.texels = 0;
        this.changed = false;
        this.runs.length = objects.length;
        for (let i = 0; i < objects.length; i++) {
            this.runs[i] ??= {};
            this.#write(objects[i], this.runs[i]);
        }
        this.changed ||= length !== objects.length || texels !== this.texels || this.#differs();
    }

    #differs() {
        const { floats, last } = this;
        for (let i = 0; i < TEXEL * this.texels; i++) if (floats[i] !== last[i]) return true;
        return false;
    }

    #grow(objects) {
        let texels = 0;
        for (const object of objects) texels += object.model.layout.texels * (object.mixers?.length ?? 1);
        let capacity = this.floats.length;
        while (capacity < TEXEL * texels) capacity *= 2;
        if (capacity === this.floats.length) return;
        this.floats = new Float32Array(capacity);
        this.last = new Float32Array(capacity);
    }

    #write(object, run) {
        const { layout } = object.model;
        const count = object.mixers?.length ?? 1;
        if (run.hands?.length !== layout.groups.length) run.hands = new Uint8Array(layout.groups.length);
        run.hands.fill(0);
        const ghost = object.ghost ?? null;
        this.changed ||= run.model !== object.model || run.count !== count || run.ghost !== ghost;
        Object.assign(run, { object, model: object.model, ghost, first: this.texels, stride: layout.texels, count });
        for (let i = 0; i < count; i++) this.#writeRecord(object, i, run.hands);
    }

    #writeRecord(object, index, hands) {
        const { layout } = object.model;
        const at = TEXEL * this.texels;
        layout.writeWorld(object.worlds ?? object.world ?? IDENTITY, ROWS * index, this.floats, at);
        if (object.pose) this.floats.set(object.pose, at + ROWS);
        else layout.writePose(object.mixers ? object.mixers[index] : object.mixer, this.floats, at + ROWS);
        layout.addHands(this.floats, at, hands);
        this.texels += layout.texels;
    }

    // The ghosts of the objects, in their order.
    ghosts() {
        const ghosts = [];
        for (const { ghost } of this.runs) if (ghost && ghost !== ghosts.at(-1)) ghosts.push(ghost);
        return ghosts;
    }

    // [run, index in model.drawn] of the alpha-blended parts, or of the others, of the objects with that ghost; null:
    // of the objects without one.
    * parts(isBlended, ghost = null) {
        for (const run of this.runs) {
            if (run.ghost !== ghost) continue;
            for (const [index, { material }] of run.model.drawn.entries()) {
                if ((material.alphaMode === 'BLEND') === isBlended) yield [run, index];
            }
        }
    }
}

// The result of Model.pose: a copy of the current pose, for a ghost.
export function keepPose(layout, mixer, target = new Float32Array(layout.floats - ROWS)) {
    layout.writePose(mixer, target, 0);
    return target;
}
