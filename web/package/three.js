// SPDX-License-Identifier: MIT
// Drives a scene of three.js's GLTFLoader by a mixer of the same file.
import { Asset } from './asset.js';
import { Driver, byNode, fileMismatch } from './driver.js';

// The object of each node, by its index in the file. A copy by SkeletonUtils.clone has the same hierarchy as the
// original, with children that the page has added after those of the file.
function objectsOf({ scene: original, parser: { associations } }, scene) {
    const objects = [];
    const note = (object, copy) => {
        const source = associations.get(object)?.nodes;
        if (source !== undefined) objects[source] = copy;
    };
    if (scene === original) {
        for (const object of associations.keys()) note(object, object);
        return objects;
    }
    const walk = (object, copy) => {
        note(object, copy);
        object.children.forEach((child, i) => walk(child, copy?.children[i]));
    };
    walk(original, scene);
    return objects;
}

// The meshes of a node. A mesh of one primitive is the node's object, or a child of it where the node is a joint. The
// meshes of several primitives are children of it.
function meshesAt(object, isNode) {
    return [object, ...object.children.filter((child) => !isNode.has(child))].filter(({ isMesh }) => isMesh);
}

// Gives a skinned mesh bounds of its own, which three.js computes only on request.
function prepareBounds(mesh) {
    const { geometry } = mesh;
    if (!geometry.boundingBox) geometry.computeBoundingBox();
    if (!geometry.boundingSphere) geometry.computeBoundingSphere();
    mesh.boundingBox = geometry.boundingBox.clone();
    mesh.boundingSphere = geometry.boundingSphere.clone();
}

// ---- By local transforms ----------------------------------------------------------------------------------------

const NAMES = { position: 'position', quaternion: 'quaternion', size: 'scale' };

class ThreeDriver extends Driver {
    constructor(asset, objects, mixerOptions) {
        super(asset, objects, NAMES, mixerOptions);
        this._isNode = new Set(objects);
        const meshesOf = (node) => (objects[node] ? meshesAt(objects[node], this._isNode) : []);
        this._influences = this._morphed.flatMap((node) => meshesOf(node)
            .map(({ morphTargetInfluences }) => ({ node, morphTargetInfluences })));
        this._skinned = asset.instances.filter(({ skin }) => skin >= 0)
            .flatMap(({ node, skin }) => meshesOf(node).map((mesh) => ({ node, skin, mesh })));
        for (const { mesh } of this._skinned) prepareBounds(mesh);
    }

    _applyWeights() {
        for (const { node, morphTargetInfluences } of this._influences) {
            const weights = this.mixer.morphWeights(node);
            for (let i = 0; i < weights.length; i++) morphTargetInfluences[i] = weights[i];
        }
    }

    _applyBoundsTo({ mesh: { boundingBox, boundingSphere } }, box) {
        boundingBox.min.fromArray(box, 0);
        boundingBox.max.fromArray(box, 3);
        boundingBox.getBoundingSphere(boundingSphere);
    }
}

// ---- By matrices ------------------------------------------------------------------------------------------------

// to = m × rows: a column-major matrix of 16 numbers by a row-major one of 12. The fourth row of both is 0 0 0 1.
function multiply(to, at, m, rows, from) {
    for (let column = 0; column < 4; column++) {
        const x = rows[from + column], y = rows[from + 4 + column], z = rows[from + 8 + column];
        to[at + 4 * column] = m[0] * x + m[4] * y + m[8] * z;
        to[at + 4 * column + 1] = m[1] * x + m[5] * y + m[9] * z;
        to[at + 4 * column + 2] = m[2] * x + m[6] * y + m[10] * z;
        to[at + 4 * column + 3] = 0;
    }
    to[at + 12] += m[12];
    to[at + 13] += m[13];
    to[at + 14] += m[14];
    to[at + 15] = 1;
}

// Replaces the functions of three.js that compute world and bone matrices from local transforms: it writes the
// module's matrices.
class DirectDriver extends ThreeDriver {
    constructor(asset, objects, mixerOptions, scene) {
        super(asset, objects, mixerOptions);
        this._scene = scene;
        this._driven = objects.flatMap((object, node) => (object ? [{ object, node }] : []));
        for (const entry of this._driven) {
            entry.nodeChildCount = entry.object.children.filter((child) => this._isNode.has(child)).length;
        }
        this._setAutomatic(false);
        scene.updateMatrixWorld = () => this._updateWorld();
        for (const { mesh, skin } of this._skinned) {
            mesh.skeleton.update = () => this._updateSkeleton(mesh.skeleton, skin);
        }
    }

    _setAutomatic(automatic) {
        for (const { object } of this._driven) object.matrixAutoUpdate = object.matrixWorldAutoUpdate = automatic;
    }

    _applyTransforms() {
        // _updateWorld writes the world matrices
    }

    _updateWorld() {
        this._scene.updateWorldMatrix(false, false);
        const { elements } = this._scene.matrixWorld;
        const rows = this.mixer.modelMatrices;
        for (const { object: { matrixWorld }, node } of this._driven) {
            multiply(matrixWorld.elements, 0, elements, rows, 12 * node);
        }
        for (const { mesh } of this._skinned) mesh.bindMatrixInverse.copy(mesh.matrixWorld).invert();
        this._updateOthers(this._scene);
        for (const { object, nodeChildCount } of this._driven) {
            if (object.children.length > nodeChildCount) this._updateOthers(object);
        }
    }

    // Updates the children that are not nodes of the file: attachments of the page, and meshes of a joint.
    _updateOthers({ children }) {
        for (const child of children) if (!this._isNode.has(child)) child.updateMatrixWorld(true);
    }

    _updateSkeleton(skeleton, skin) {
        const { elements } = this._scene.matrixWorld;
        const palette = this.mixer.palette(skin);
        for (let joint = 0; 12 * joint < palette.length; joint++) {
            multiply(skeleton.boneMatrices, 16 * joint, elements, palette, 12 * joint);
        }
        if (skeleton.boneTexture) skeleton.boneTexture.needsUpdate = true;
    }

    dispose() {
        super.dispose();
        this._setAutomatic(true);
        delete this._scene.updateMatrixWorld;
        for (const { mesh } of this._skinned) delete mesh.skeleton.update;
    }
}

// ---- Files ------------------------------------------------------------------------------------------------------

// The extensions of what is read again: meshes, skins and clips.
const DRACO = 'KHR_draco_mesh_compression';
const EXTENSIONS = [DRACO, 'KHR_mesh_quantization'];
const ownExtensions = (names) => names?.filter((name) => EXTENSIONS.includes(name));

// The buffer views of accessors and of Draco's meshes.
function viewsOf({ accessors = [], meshes = [] }) {
    const used = accessors.flatMap(({ bufferView, sparse }) => (
        [bufferView, sparse?.indices.bufferView, sparse?.values.bufferView]));
    const primitives = meshes.flatMap((mesh) => mesh.primitives);
    return new Set([...used, ...primitives.map(({ extensions }) => extensions?.[DRACO]?.bufferView)]);
}

// The file that a loader has read, as a .gltf without materials, with each buffer view in a file of its own: the loader
// keeps the views, decompressed by meshopt.
async function fileOf(parser) {
    const { json } = parser, used = viewsOf(json), files = {};
    const buffers = [], bufferViews = [];
    for (const [i, { byteStride }] of (json.bufferViews ?? []).entries()) {
        const uri = `view${i}`;
        files[uri] = used.has(i) ? await parser.getDependency('bufferView', i) : new ArrayBuffer(1);
        const { byteLength } = files[uri];
        buffers.push({ uri, byteLength });
        bufferViews.push({ buffer: i, byteLength, byteStride });
    }
    const file = { ...json, buffers, bufferViews, materials: json.materials?.map(() => ({})), images: undefined,
        textures: undefined, samplers: undefined, extensionsUsed: ownExtensions(json.extensionsUsed),
        extensionsRequired: ownExtensions(json.extensionsRequired) };
    return [new TextEncoder().encode(JSON.stringify(file)), files];
}

const loads = new WeakMap(); // by parser: promises of assets, by Sinew

// The asset of what a loader has read. It is loaded once, and again after it was disposed.
async function assetOf({ parser }, sinew) {
    if (!loads.has(parser)) loads.set(parser, new WeakMap());
    const assets = loads.get(parser), loaded = await assets.get(sinew);
    if (!assets.has(sinew) || loaded?.disposed) {
        assets.set(sinew, fileOf(parser).then(([bytes, files]) => sinew.loadAsset(bytes, files)));
    }
    return assets.get(sinew);
}

// ---- Driving ----------------------------------------------------------------------------------------------------

function driveAsset(gltf, asset, { scene = gltf.scene, direct = false, ...mixerOptions }) {
    const { length } = gltf.parser.json.nodes;
    if (length !== asset.nodes.length) throw fileMismatch(asset, length);
    const objects = byNode(asset, objectsOf(gltf, scene));
    gltf.animations.forEach((animation, i) => asset._aliases.set(animation, asset.clips[i]));
    if (!direct) return new ThreeDriver(asset, objects, mixerOptions);
    const inPlace = (object) => object.parent === scene || objects.includes(object.parent);
    if (!objects.every((object) => !object || inPlace(object))) {
        throw new Error('direct: the objects of the file must be in the scene, with their original parents');
    }
    return new DirectDriver(asset, objects, mixerOptions, scene);
}

export function drive(gltf, source, options = {}) {
    if (source instanceof Asset) return driveAsset(gltf, source, options);
    return assetOf(gltf, source).then((asset) => driveAsset(gltf, asset, options));
}
