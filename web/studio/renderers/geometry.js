// SPDX-License-Identifier: MIT
// Arrays of an asset in the layouts of the GPU, and its vertices in a pose. Arrays that need no change are views of
// the module's memory: the caller must use them at once.
import { IDENTITY } from '../affine.js';
import { TEXTURE_WIDTH } from '../sinew/constants.js';
import { RecordLayout } from './records.js';
/** @import { Asset, Mixer } from '../sinew/index.js' */

// The joint indices of a primitive in its record, where the joints of its skin start at `first`.
export function jointsOf({ joints }, first) {
    return first === 0 ? joints : joints.map((joint) => joint + first);
}

// The morph differences as texels: for each vertex and target those of the position and the normal.
const DELTAS = 2;

export function deltasOf({ targets, vertexCount }) {
    const step = 4 * DELTAS * targets.length;
    const rows = Math.ceil(step * vertexCount / (4 * TEXTURE_WIDTH));
    const texels = new Float32Array(4 * TEXTURE_WIDTH * rows);
    const spread = (deltas, first) => {
        for (let i = 0; deltas && i < vertexCount; i++) {
            for (let k = 0; k < 3; k++) texels[first + step * i + k] = deltas[3 * i + k];
        }
    };
    targets.forEach(({ positions, normals }, target) => {
        spread(positions, 4 * DELTAS * target);
        spread(normals, 4 * (DELTAS * target + 1));
    });
    return { rows, texels };
}

// The last integer of a draw for the shaders: the layout of the morph differences; 0 without morph targets.
export function morphOf({ targets: { length } }) {
    return length > 0 ? 4 * length + DELTAS : 0;
}

// The shader variant of a primitive. A rigid mesh has one joint, and the other weights are 0.
export function variantOf({ targets }, influences) {
    return { influences: influences || 4, morph: targets.length > 0 };
}

// The three edges of each triangle, as lines.
export function edgesOf({ indices, indexCount }) {
    const edges = new Uint32Array(2 * indexCount);
    for (let i = 0; i < indexCount; i++) {
        edges[2 * i] = indices[i];
        edges[2 * i + 1] = indices[i % 3 === 2 ? i - 2 : i + 1];
    }
    return edges;
}

// ---- Posed vertices ---------------------------------------------------------------------------------------------

function morph({ primitive, firstWeight }, record) {
    const positions = primitive.positions.slice();
    primitive.targets.forEach((target, number) => {
        const weight = record[firstWeight + number];
        const deltas = weight === 0 ? null : target.positions;
        for (let i = 0; deltas && i < positions.length; i++) positions[i] += weight * deltas[i];
    });
    return positions;
}

// matrix += weight * the joint's matrix
function addJoint(matrix, record, joint, weight) {
    for (let k = 0; weight !== 0 && k < 12; k++) matrix[k] += weight * record[12 * (1 + joint) + k];
}

function addPoint(framing, world, m, x, y, z) {
    const px = m[0] * x + m[1] * y + m[2] * z + m[3];
    const py = m[4] * x + m[5] * y + m[6] * z + m[7];
    const pz = m[8] * x + m[9] * y + m[10] * z + m[11];
    framing.add(world[0] * px + world[1] * py + world[2] * pz + world[3],
        world[4] * px + world[5] * py + world[6] * pz + world[7],
        world[8] * px + world[9] * py + world[10] * pz + world[11]);
}

function framePart(framing, part, first, record) {
    const { primitive, influences } = part;
    const positions = morph(part, record);
    const { joints, weights } = primitive;
    const matrix = new Float64Array(12);
    if (influences === 0) addJoint(matrix, record, first, 1);
    for (let vertex = 0; vertex < primitive.vertexCount; vertex++) {
        if (influences > 0) matrix.fill(0);
        for (let i = vertex * influences; i < (vertex + 1) * influences; i++) {
            addJoint(matrix, record, first + joints[i], weights[i]);
        }
        addPoint(framing, record, matrix, positions[3 * vertex], positions[3 * vertex + 1], positions[3 * vertex + 2]);
    }
}

// Adds all vertices of a character, in the mixer's current pose, to a framing (camera.js).
export function framePosed(framing, /** @type {Asset} */ asset, /** @type {Mixer} */ mixer, world = IDENTITY) {
    const layout = new RecordLayout(asset);
    const record = new Float32Array(layout.floats);
    layout.writeWorld(world, 0, record, 0);
    layout.writePose(mixer, record, 12);
    for (const part of layout.parts) framePart(framing, part, layout.groups[part.group].first, record);
}
