// Poses as the shaders read them: for each character a record of its place, the matrices of its joints, and its morph
// weights, as sinew/gpu_record.h has them (SINEW_GPU_RECORD_ROWS, placed). The joints are those of all skins that are drawn,
// one skin after another, then the nodes that something without a skin hangs on; so a character is one record, whatever
// it is made of. All records of a frame stand in one array.
import { IDENTITY } from '../affine.js';
import { TEXTURE_WIDTH } from './preamble.js';

const ROWS = 12; // floats of a matrix
const TEXEL = 4; // floats
const MOST_JOINTS = 65536; // vertices name them by 16 bits
const WHITE = { baseColor: [1, 1, 1, 1], baseColorTexture: -1, alphaMode: 'OPAQUE', alphaCutoff: 0.5,
    doubleSided: false, unlit: false };

// Which way round triangles are after their matrices; both together where a draw mixes them.
const AS_AUTHORED = 1;
const MIRRORED = 2;
export const MIXED = 3;

function determinant(m, at) {
    return m[at] * (m[at + 5] * m[at + 10] - m[at + 6] * m[at + 9]) -
        m[at + 1] * (m[at + 4] * m[at + 10] - m[at + 6] * m[at + 8]) +
        m[at + 2] * (m[at + 4] * m[at + 9] - m[at + 5] * m[at + 8]);
}

// What is scaled to nothing has no hand and does not count.
function handOf(m, at) {
    const d = determinant(m, at);
    return d > 0 ? AS_AUTHORED : d < 0 ? MIRRORED : 0;
}

// Which sides of a part are seen, by how their corners go round: 'ccw', 'cw' or 'both'. A mirrored part shows the backs
// of its triangles; one that is mirrored in places shows both.
export function sidesOf({ part, material }, { hands }) {
    const hand = hands[part.group];
    if (material.doubleSided || hand === MIXED) return 'both';
    return hand === MIRRORED ? 'cw' : 'ccw';
}

// ---- What a record holds ----------------------------------------------------------------------------------------

// Parts are what is drawn of an asset, each a primitive of a mesh on a node:
//   primitive, material
//   group        the skin or node that moves it, of `groups`: joints first to first + count of the record
//   influences   joints a vertex; 0: it hangs on the group's only joint
//   firstWeight  where in a record its morph weights begin, in floats
export class RecordLayout {
    constructor(asset) {
        this.asset = asset;
        this.groups = [];
        this.jointCount = 0;
        this.parts = this._findParts();
        if (this.jointCount > MOST_JOINTS) {
            throw new Error(`${this.jointCount} joints and meshes are too many to draw: at most ${MOST_JOINTS}`);
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

    _findParts() {
        const { instances, meshes, materials } = this.asset;
        const parts = [];
        for (const { node, mesh, skin, drawn } of instances) {
            for (const primitive of drawn ? meshes[mesh].primitives : []) {
                if (primitive.vertexCount === 0 || primitive.indexCount === 0) continue;
                const skinned = primitive.influences > 0 && skin >= 0 && this.asset.skins[skin].jointCount > 0;
                const group = skinned ? this._group('skin', skin, this.asset.skins[skin].jointCount)
                    : this._group('node', node, 1);
                parts.push({ primitive, node, group, influences: skinned ? primitive.influences : 0,
                    material: materials[primitive.material] ?? WHITE });
            }
        }
        return parts;
    }

    _group(kind, index, count) {
        const found = this.groups.findIndex((group) => group.kind === kind && group.index === index);
        if (found >= 0) return found;
        this.groups.push({ kind, index, first: this.jointCount, count });
        this.jointCount += count;
        return this.groups.length - 1;
    }

    // Everything of a record but the place, as a mixer has it now.
    writePose(mixer, out, at) {
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

    writePlace(places, from, out, at) {
        for (let i = 0; i < ROWS; i++) out[at + i] = places[from + i];
    }

    // Adds to hands[group] which way round a record's joints turn triangles.
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

// The array is as long as whole rows of a texture. Runs are the records of things, in their order:
//   thing, model
//   first, stride, count    texels from which and by which they go, and how many
//   hands                   of each group of joints, over all of them
export class Records {
    constructor() {
        this.floats = new Float32Array(TEXEL * TEXTURE_WIDTH);
        this.texels = 0;
        this.runs = [];
    }

    fill(things) {
        this._grow(things);
        this.texels = 0;
        this.runs.length = things.length;
        for (let i = 0; i < things.length; i++) {
            this.runs[i] ??= {};
            this._write(things[i], this.runs[i]);
        }
    }

    _grow(things) {
        let texels = 0;
        for (const thing of things) texels += thing.model.layout.texels * (thing.mixers?.length ?? 1);
        let room = this.floats.length;
        while (room < TEXEL * texels) room *= 2;
        if (room > this.floats.length) this.floats = new Float32Array(room);
    }

    _write(thing, run) {
        const { layout } = thing.model;
        const count = thing.mixers?.length ?? 1;
        if (run.hands?.length !== layout.groups.length) run.hands = new Uint8Array(layout.groups.length);
        run.hands.fill(0);
        Object.assign(run, { thing, model: thing.model, first: this.texels, stride: layout.texels, count });
        for (let i = 0; i < count; i++) this._writeRecord(thing, i, run.hands);
    }

    _writeRecord(thing, index, hands) {
        const { layout } = thing.model;
        const at = TEXEL * this.texels;
        layout.writePlace(thing.places ?? thing.place ?? IDENTITY, ROWS * index, this.floats, at);
        if (thing.pose) this.floats.set(thing.pose, at + ROWS);
        else layout.writePose(thing.mixers ? thing.mixers[index] : thing.mixer, this.floats, at + ROWS);
        layout.addHands(this.floats, at, hands);
        this.texels += layout.texels;
    }

    // In their order.
    ghosts() {
        const ghosts = [];
        for (const { thing } of this.runs) {
            if (thing.ghost && thing.ghost !== ghosts.at(-1)) ghosts.push(thing.ghost);
        }
        return ghosts;
    }

    // [run, number of what is drawn of its model] of the parts that are blended with what is behind them, or of those
    // that are not, of the things that share a ghost; null: of those that are none.
    * parts(isBlended, ghost = null) {
        for (const run of this.runs) {
            if ((run.thing.ghost ?? null) !== ghost) continue;
            for (const [index, { material }] of run.model.drawn.entries()) {
                if ((material.alphaMode === 'BLEND') === isBlended) yield [run, index];
            }
        }
    }
}

// What Model.pose gives: a pose to be kept, for a ghost that is to be drawn in it.
export function keepPose(layout, mixer, target = new Float32Array(layout.floats - ROWS)) {
    layout.writePose(mixer, target, 0);
    return target;
}
