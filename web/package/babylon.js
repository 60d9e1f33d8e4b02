// Drives what Babylon.js's glTF loader made of a file by a mixer of the same file. Nodes keep the file's own axes: what
// turns them into Babylon's is the loader's __root__ above them.
import { Driver, byNode } from './driver.js';

const NAMES = { position: 'position', quaternion: 'rotationQuaternion', size: 'scaling' };

// What of the file an object was made from, such as 3 for "/nodes/3"; the loader notes it. undefined for none.
function numberOf(object, pattern) {
    for (const pointer of object?._internalMetadata?.gltf?.pointers ?? []) {
        const found = pattern.exec(pointer);
        if (found) return Number(found[1]);
    }
    return undefined;
}

const NODE = /^\/nodes\/(\d+)$/;
const MESH = /^\/meshes\/(\d+)\//;

// From each object of what was loaded to its copy by instantiateModelsToScene, which makes the same tree.
function copiesOf(loaded, instance) {
    const copies = new Map();
    const walk = (object, copy) => {
        const below = object.getChildTransformNodes(true), belowCopy = copy?.getChildTransformNodes(true) ?? [];
        if (!copy || belowCopy.length < below.length) throw new Error(`the copy lacks something of '${object.name}'`);
        copies.set(object, copy);
        below.forEach((child, i) => walk(child, belowCopy[i]));
    };
    const roots = [...loaded.transformNodes, ...loaded.meshes].filter(({ parent }) => !parent);
    roots.forEach((root, i) => walk(root, instance.rootNodes[i]));
    return copies;
}

// The node that a mesh is of. A skinned mesh hangs elsewhere than its node, and is known by the node's name alone where
// several nodes have it.
function nodeOf(asset, mesh) {
    const source = numberOf(mesh, NODE) ?? numberOf(mesh.parent, NODE);
    const number = numberOf(mesh, MESH);
    const instances = asset.instances.filter((one) => one.mesh === number);
    const named = ({ node }) => [mesh.name, mesh.parent?.name].includes(asset.nodes[node].name);
    const found = instances.find(({ node }) => asset.nodes[node].source === source)
        ?? instances.find(named) ?? instances[0];
    return found?.node;
}

function cornersOf(mesh) {
    const { minimum, maximum } = mesh.getBoundingInfo();
    return { least: minimum.clone(), most: maximum.clone() };
}

class BabylonDriver extends Driver {
    constructor(asset, objects, meshes, mixerOptions) {
        super(asset, objects, NAMES, mixerOptions);
        this._influences = this._morphed.flatMap((node) => (meshes[node] ?? [])
            .filter(({ morphTargetManager }) => morphTargetManager)
            .map(({ morphTargetManager }) => ({ node, morphTargetManager })));
        // They stand where the loader has put them, with no transform of their own.
        this._skinned = asset.instances.filter(({ skin }) => skin >= 0)
            .flatMap(({ node }) => (meshes[node] ?? []))
            .map((mesh) => ({ mesh, node: objects.indexOf(mesh.parent), ...cornersOf(mesh) }));
    }

    _applyWeights() {
        for (const { node, morphTargetManager } of this._influences) {
            const weights = this.mixer.morphWeights(node);
            for (let i = 0; i < weights.length; i++) morphTargetManager.getTarget(i).influence = weights[i];
        }
    }

    _applyBoundsTo({ mesh, least, most }, box) {
        least.set(box[0], box[1], box[2]);
        most.set(box[3], box[4], box[5]);
        mesh.getBoundingInfo().reConstruct(least, most, mesh.getWorldMatrix());
    }
}

export function drive(loaded, asset, { instance = null, ...mixerOptions } = {}) {
    const copies = instance && copiesOf(loaded, instance);
    const copyOf = (object) => (copies ? copies.get(object) : object);
    const bySource = [];
    for (const object of [...loaded.transformNodes, ...loaded.meshes]) {
        const source = numberOf(object, NODE);
        if (source !== undefined) bySource[source] = copyOf(object);
    }
    // A skinned mesh does not go where its node goes, and the loader has given that no transform to go by.
    const objects = byNode(asset, bySource);
    for (const { node, skin } of asset.instances) if (skin >= 0) objects[node] = undefined;

    const meshes = [];
    for (const mesh of loaded.meshes) {
        const node = nodeOf(asset, mesh);
        if (node !== undefined) (meshes[node] ??= []).push(copyOf(mesh));
    }
    for (const group of (instance ?? loaded).animationGroups) group.stop(); // the loader starts one
    return new BabylonDriver(asset, objects, meshes, mixerOptions);
}
