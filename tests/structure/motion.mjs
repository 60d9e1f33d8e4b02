// SPDX-License-Identifier: MIT
// Evaluates the clips of glTF files in double, from the specification alone. Shares nothing with Sinew.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const ARRAYS = { 5120: Int8Array, 5121: Uint8Array, 5122: Int16Array, 5123: Uint16Array, 5125: Uint32Array, 5126: Float32Array };
const WIDTHS = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16 };
const LARGEST = { 5120: 127, 5121: 255, 5122: 32767, 5123: 65535 };
const REST = { translation: [0, 0, 0], rotation: [0, 0, 0, 1], scale: [1, 1, 1] };

// ---- Files -----------------------------------------------------------------------------------------------------------

function readParts(path) {
  const file = readFileSync(path);
  if (file.toString('latin1', 0, 4) !== 'glTF') return { json: JSON.parse(file.toString('utf8')), bin: null };
  const length = file.readUInt32LE(12), start = 20 + length + 8;
  const bin = file.length > start ? file.subarray(start, start + file.readUInt32LE(start - 8)) : null;
  return { json: JSON.parse(file.toString('utf8', 20, 20 + length)), bin };
}

export class Model {
// `decoder` is npm's meshoptimizer's.
  constructor(path, decoder) {
    const { json, bin } = readParts(path);
    Object.assign(this, { path, decoder, json, bin, views: [], accessors: [], nodes: json.nodes ?? [] });
    this.parents = new Map(this.nodes.flatMap(({ children = [] }, i) => children.map((child) => [child, i])));
    this.order = [];
    const visit = (i) => { this.order.push(i); (this.nodes[i].children ?? []).forEach(visit); };
    this.nodes.forEach((_, i) => { if (!this.parents.has(i)) visit(i); });
    this.clips = (json.animations ?? []).map((animation) => this.readClip(animation));
    this.skins = (json.skins ?? []).map(({ joints, inverseBindMatrices }) => ({
      joints, binds: inverseBindMatrices === undefined ? null : this.accessor(inverseBindMatrices),
    }));
  }

  buffer(i) {
    const { uri } = this.json.buffers[i];
    if (uri === undefined) return this.bin;
    if (uri.startsWith('data:')) return Buffer.from(uri.slice(uri.indexOf(',') + 1), 'base64');
    return readFileSync(join(dirname(this.path), decodeURIComponent(uri)));
  }

  view(i) {
    const view = this.json.bufferViews[i];
    const coded = view.extensions?.EXT_meshopt_compression ?? view.extensions?.KHR_meshopt_compression;
    if (!this.views[i]) {
      const { buffer, byteOffset = 0, byteLength } = coded ?? view;
      const bytes = this.buffer(buffer).subarray(byteOffset, byteOffset + byteLength);
      this.views[i] = coded ? new Uint8Array(coded.count * coded.byteStride) : bytes;
      if (coded) this.decoder.decodeGltfBuffer(this.views[i], coded.count, coded.byteStride, bytes, coded.mode, coded.filter);
    }
    return this.views[i];
  }

  // Numbers of elements that are a stride apart.
  numbers(view, offset, componentType, count, width, byteStride) {
    const kind = ARRAYS[componentType], size = kind.BYTES_PER_ELEMENT, out = new Float64Array(count * width);
    const bytes = this.view(view), stride = byteStride ?? size * width;
    for (let i = 0; i < count; i++) {
      const start = bytes.byteOffset + offset + i * stride;
      out.set(new kind(bytes.buffer.slice(start, start + size * width)), i * width);
    }
    return out;
  }

  accessor(i) {
    if (this.accessors[i]) return this.accessors[i];
    const { bufferView, byteOffset = 0, componentType, count, type, normalized, sparse } = this.json.accessors[i];
    const width = WIDTHS[type];
    const out = bufferView === undefined ? new Float64Array(count * width) :
      this.numbers(bufferView, byteOffset, componentType, count, width, this.json.bufferViews[bufferView].byteStride);
    if (sparse) {
      const at = this.numbers(sparse.indices.bufferView, sparse.indices.byteOffset ?? 0, sparse.indices.componentType, sparse.count, 1);
      const values = this.numbers(sparse.values.bufferView, sparse.values.byteOffset ?? 0, componentType, sparse.count, width);
      at.forEach((to, k) => out.set(values.subarray(k * width, (k + 1) * width), to * width));
    }
    if (normalized) out.forEach((x, k) => { out[k] = Math.max(-1, x / LARGEST[componentType]); });
    return (this.accessors[i] = out);
  }

  readClip({ name, extras, samplers, channels }) {
    const tracks = channels.filter(({ target }) => target.node !== undefined && target.path !== 'pointer').map(({ sampler, target }) => {
      const { input, output, interpolation = 'LINEAR' } = samplers[sampler];
      const times = this.accessor(input), values = this.accessor(output);
      const width = values.length / times.length / (interpolation === 'CUBICSPLINE' ? 3 : 1);
      return { ...target, times, values, interpolation, width };
    });
    const ends = tracks.flatMap(({ times }) => [times[0], times[times.length - 1]]);
    return { name, extras, tracks, start: Math.min(...ends), end: Math.max(...ends) };
  }
}

// ---- Values ----------------------------------------------------------------------------------------------------------

const normalized = (q) => {
  const length = Math.hypot(...q);
  return length > 0 ? q.map((x) => x / length) : q;
};

function slerp(a, b, u) {
  let dot = a.reduce((sum, x, i) => sum + x * b[i], 0);
  const side = dot < 0 ? -1 : 1;
  dot = Math.min(1, Math.abs(dot));
  const angle = Math.acos(dot);
  if (angle < 1e-5) return a.map((x, i) => x + (side * b[i] - x) * u);
  return a.map((x, i) => (x * Math.sin((1 - u) * angle) + side * b[i] * Math.sin(u * angle)) / Math.sin(angle));
}

function sample({ times, values, interpolation, width, path }, time) {
  const last = times.length - 1, spline = interpolation === 'CUBICSPLINE';
  const part = (key, which) => Array.from(values.subarray((spline ? 3 * key + which : key) * width).subarray(0, width));
  if (time <= times[0]) return part(0, 1);
  if (time >= times[last]) return part(last, 1);
  let key = 0;
  for (let above = last; above - key > 1;) {
    const middle = (key + above) >> 1;
    if (times[middle] <= time) key = middle; else above = middle;
  }
  const span = times[key + 1] - times[key], u = (time - times[key]) / span, from = part(key, 1), to = part(key + 1, 1);
  if (interpolation === 'STEP') return from;
  if (!spline) return path === 'rotation' ? slerp(from, to, u) : from.map((x, i) => x + (to[i] - x) * u);
  const out = part(key, 2), into = part(key + 1, 0), u2 = u * u, u3 = u2 * u;
  return from.map((x, i) => (2 * u3 - 3 * u2 + 1) * x + (u3 - 2 * u2 + u) * span * out[i] +
    (3 * u2 - 2 * u3) * to[i] + (u3 - u2) * span * into[i]);
}

function compose([tx, ty, tz], [x, y, z, w], [sx, sy, sz]) {
  return [(1 - 2 * (y * y + z * z)) * sx, 2 * (x * y + w * z) * sx, 2 * (x * z - w * y) * sx, 0,
    2 * (x * y - w * z) * sy, (1 - 2 * (x * x + z * z)) * sy, 2 * (y * z + w * x) * sy, 0,
    2 * (x * z + w * y) * sz, 2 * (y * z - w * x) * sz, (1 - 2 * (x * x + y * y)) * sz, 0, tx, ty, tz, 1];
}

function multiply(a, b) {
  const out = new Array(16).fill(0);
  for (let c = 0; c < 4; c++) {
    for (let r = 0; r < 4; r++) {
      for (let k = 0; k < 4; k++) out[4 * c + r] += a[4 * k + r] * b[4 * c + k];
    }
  }
  return out;
}

// The world matrices and morph weights of all nodes; without a clip in the rest pose.
export function pose(model, clip, time) {
  const local = model.nodes.map((node) => ({ ...REST, ...node }));
  const weights = model.nodes.map(({ mesh, weights: own }) => own ?? model.json.meshes?.[mesh]?.weights);
  for (const track of clip?.tracks ?? []) {
    const value = sample(track, time);
    if (track.path === 'weights') weights[track.node] = value;
    else local[track.node][track.path] = value;
  }
  const worlds = [];
  for (const i of model.order) {
    const { matrix, translation, rotation, scale } = local[i];
    const own = matrix ?? compose(translation, normalized(rotation), scale);
    worlds[i] = model.parents.has(i) ? multiply(worlds[model.parents.get(i)], own) : own;
  }
  return { worlds, weights };
}

// ---- Points ----------------------------------------------------------------------------------------------------------

// The primitives of all nodes, with their joints' numbers and weights. Those without readable positions are left out.
export function readPrimitives(model) {
  return model.nodes.flatMap(({ mesh, skin }, node) => (model.json.meshes?.[mesh]?.primitives ?? []).flatMap((primitive) => {
    const { attributes, targets = [], indices, mode = 4, extensions } = primitive;
    if (extensions?.KHR_draco_mesh_compression || attributes.POSITION === undefined) return [];
    const positions = model.accessor(attributes.POSITION), sets = [];
    for (let k = 0; skin !== undefined && attributes[`JOINTS_${k}`] !== undefined; k++) {
      sets.push({ joints: model.accessor(attributes[`JOINTS_${k}`]), weights: model.accessor(attributes[`WEIGHTS_${k}`]) });
    }
    const morphs = targets.map((target) => target.POSITION === undefined ? null : model.accessor(target.POSITION));
    const triangles = mode === 4 && indices !== undefined ? model.accessor(indices) : null;
    return [{ node, skin: sets.length > 0 ? skin : undefined, positions, sets, morphs, triangles }];
  }));
}

// The matrices of a primitive: of its joints, or of its node.
function matricesOf(model, { worlds }, { node, skin }) {
  if (skin === undefined) return [worlds[node]];
  const { joints, binds } = model.skins[skin];
  return joints.map((joint, k) => binds ? multiply(worlds[joint], Array.from(binds.subarray(16 * k, 16 * k + 16))) : worlds[joint]);
}

export function moveVertices(model, at, primitive) {
  const { positions, sets, morphs, node } = primitive, matrices = matricesOf(model, at, primitive);
  const out = new Float64Array(positions.length), points = Float64Array.from(positions), weights = at.weights[node] ?? [];
  morphs.forEach((morph, k) => {
    if (morph && weights[k]) morph.forEach((x, i) => { points[i] += weights[k] * x; });
  });
  const total = new Float64Array(positions.length / 3);
  for (const { weights: own } of sets) own.forEach((x, i) => { total[i >> 2] += x; });
  const add = (v, m, weight) => {
    const x = points[3 * v], y = points[3 * v + 1], z = points[3 * v + 2];
    for (let r = 0; r < 3; r++) out[3 * v + r] += weight * (m[r] * x + m[4 + r] * y + m[8 + r] * z + m[12 + r]);
  };
  for (let v = 0; v < total.length; v++) {
    if (sets.length === 0) add(v, matrices[0], 1);
    for (const { joints, weights: own } of sets) {
      for (let k = 4 * v; k < 4 * v + 4; k++) if (own[k] > 0) add(v, matrices[joints[k]], own[k] / total[v]);
    }
  }
  return out;
}

// ---- Vertices in another order ---------------------------------------------------------------------------------------

// The difference of two vertices besides their positions: of the weights of their joints, and of their morph targets.
function otherDistance(a, b, v, u, size) {
  const weights = new Map(), note = ({ sets }, vertex, sign) => sets.forEach(({ joints, weights: own }) => {
    const total = sets.reduce((sum, set) => sum + set.weights.slice(4 * vertex, 4 * vertex + 4).reduce((x, y) => x + y), 0);
    for (let k = 4 * vertex; k < 4 * vertex + 4; k++)
      if (own[k] > 0) weights.set(joints[k], (weights.get(joints[k]) ?? 0) + sign * own[k] / total);
  });
  note(a, v, 1);
  note(b, u, -1);
  let sum = 0;
  for (const weight of weights.values()) sum += Math.abs(weight) * size;
  a.morphs.forEach((morph, k) => {
    if (morph) sum += Math.hypot(...[0, 1, 2].map((i) => morph[3 * v + i] - b.morphs[k][3 * u + i]));
  });
  return sum;
}

// The vertex of B for each of A: the nearest one in the rest pose that is left, within 0.2 % of the size. If B has fewer, equal
// ones were merged, and several of A may have one.
function matchVertices(p, q, a, b, size) {
  const radius = 0.002 * size, cells = new Map(), out = new Uint32Array(p.length / 3);
  const key = (points, v, dx = 0, dy = 0, dz = 0) =>
    [dx, dy, dz].map((d, i) => Math.floor(points[3 * v + i] / radius) + d).join();
  const merged = q.length < p.length;
  for (let u = 0; u < q.length / 3; u++) {
    const cell = key(q, u);
    if (!cells.has(cell)) cells.set(cell, new Set());
    cells.get(cell).add(u);
  }
  for (let v = 0; v < out.length; v++) {
    let best = Infinity, from;
    for (let i = 0; i < 27; i++) {
      const cell = cells.get(key(p, v, i % 3 - 1, Math.floor(i / 3) % 3 - 1, Math.floor(i / 9) - 1));
      for (const u of cell ?? []) {
        const near = Math.hypot(p[3 * v] - q[3 * u], p[3 * v + 1] - q[3 * u + 1], p[3 * v + 2] - q[3 * u + 2]);
        const distance = near < Math.min(best, radius) ? near + otherDistance(a, b, v, u, size) : Infinity;
        if (distance < best) [best, out[v], from] = [distance, u, cell];
      }
    }
    if (!from) throw new Error(`vertex ${v} of node ${a.node} has no counterpart`);
    if (!merged) from.delete(out[v]);
  }
  return out;
}

// Whether two primitives have the same triangles; vertices at one position of B are alike.
function haveSameTriangles(a, b, order) {
  const numbers = new Map();
  const numberOf = (u) => {
    const position = b.positions.subarray(3 * u, 3 * u + 3).join();
    if (!numbers.has(position)) numbers.set(position, numbers.size);
    return numbers.get(position);
  };
  const list = (corners) => {
    const out = [];
    for (let i = 0; i < corners.length; i += 3) {
      const triangle = [0, 1, 2].map((k) => numberOf(corners[i + k]));
      out.push([0, 1, 2].map((first) => [...triangle.slice(first), ...triangle.slice(0, first)].join()).sort()[0]);
    }
    return out.sort().join(' ');
  };
  if (!b.triangles) return !a.triangles;
  return list((a.triangles ?? order.map((_, v) => v)).map((v) => order[v])) === list(b.triangles);
}

// The vertices of B in the order of A: as they are if all are near each other in the rest pose.
function orderOf(a, b, from, to, size) {
  const p = moveVertices(a, pose(a), from), q = moveVertices(b, pose(b), to);
  if (p.length === q.length && p.every((x, i) => Math.abs(x - q[i]) <= 0.001 * size)) return Uint32Array.from(p, (_, v) => v);
  const order = matchVertices(p, q, from, to, size);
  if (!haveSameTriangles(from, to, order)) throw new Error(`${a.path}: the triangles of node ${from.node} differ`);
  return order;
}

// The largest distance between two files of one character at a time: of vertices, and of the origin and three points on the
// axes of nodes without a mesh.
export function displacement(a, b, clip, time, size, rest) {
  const poses = [pose(a, a.clips[clip], time), pose(b, b.clips[clip], time)];
  let largest = 0;
  const note = (square) => { if (!(square <= largest)) largest = square; };
  a.primitives ??= readPrimitives(a);
  b.primitives ??= readPrimitives(b);
  a.primitives.forEach((primitive, k) => {
    const other = b.primitives[k], from = moveVertices(a, poses[0], primitive), to = moveVertices(b, poses[1], other);
    other.order ??= orderOf(a, b, primitive, other, size);
    for (let i = 0; i < from.length; i += 3) {
      const j = 3 * other.order[i / 3];
      note((from[i] - to[j]) ** 2 + (from[i + 1] - to[j + 1]) ** 2 + (from[i + 2] - to[j + 2]) ** 2);
    }
  });
  a.nodes.forEach(({ mesh }, i) => {
    if (mesh !== undefined) return;
    const [m, n] = poses.map(({ worlds }) => worlds[i]), r = rest.worlds[i];
    for (let axis = -1; axis < 3; axis++) {
      const length = axis < 0 ? 0 : Math.hypot(r[4 * axis], r[4 * axis + 1], r[4 * axis + 2]);
      const far = length > 0 ? 0.1 * size / length : 0, at = Math.max(0, axis) * 4;
      note([0, 1, 2].reduce((sum, k) => sum + (m[12 + k] - n[12 + k] + far * (m[at + k] - n[at + k])) ** 2, 0));
    }
  });
  return Math.sqrt(largest);
}
