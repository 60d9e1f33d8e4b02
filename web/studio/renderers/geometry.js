// Arrays of an asset as GPUs want them, and where its vertices are in a pose. Those that are given lie in the module's
// memory where nothing had to be changed: they are to be used at once.
import { IDENTITY } from '../affine.js';
import { TEXTURE_WIDTH } from './preamble.js';
import { RecordLayout } from './records.js';

// The joints of a skin do not always begin with a record's first one.
export function jointsOf({ joints }, first) {
    return first === 0 ? joints : joints.map((joint) => joint + first);
}

// Differences of morph targets, texel after texel: for each vertex and target the position's and the normal's.
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

// The last of a draw's integers, as the shaders take it; 0: there are no morph targets.
export function morphOf({ targets: { length } }) {
    return length > 0 ? 4 * length + DELTAS : 0;
}

// What the shaders are made for. What hangs on one joint has the other weights at 0.
export function variantOf({ targets }, influences) {
    return { influences: influences || 4, morph: targets.length > 0 };
}

// The three sides of each triangle, as lines.
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

// matrix += weight * a joint's
function addJoint(matrix, record, joint, weight) {
    for (let k = 0; weight !== 0 && k < 12; k++) matrix[k] += weight * record[12 * (1 + joint) + k];
}

function addPoint(framing, place, m, x, y, z) {
    const px = m[0] * x + m[1] * y + m[2] * z + m[3];
    const py = m[4] * x + m[5] * y + m[6] * z + m[7];
    const pz = m[8] * x + m[9] * y + m[10] * z + m[11];
    framing.add(place[0] * px + place[1] * py + place[2] * pz + place[3],
        place[4] * px + place[5] * py + place[6] * pz + place[7],
        place[8] * px + place[9] * py + place[10] * pz + place[11]);
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

// Takes all vertices of a character up into a framing (camera.js), as a mixer has posed it.
export function framePosed(framing, asset, mixer, place = IDENTITY) {
    const layout = new RecordLayout(asset);
    const record = new Float32Array(layout.floats);
    layout.writePlace(place, 0, record, 0);
    layout.writePose(mixer, record, 12);
    for (const part of layout.parts) framePart(framing, part, layout.groups[part.group].first, record);
}
