// SPDX-License-Identifier: MIT
// Drives a scene of Babylon.js's glTF loader with a mixer of the same file. Nodes keep the file's axes. The loader's
// __root__ above them converts to Babylon's axes.
import { Driver, byNode } from './driver.js';
import { $applyBoundsTo, $applyWeights, $morphed, $skinned, $worldMatrix } from './internal.js';

const NAMES = { position: 'position', quaternion: 'rotationQuaternion', size: 'scaling' };

// The index in the file of an object's node or mesh, such as 3 for the loader's note "/nodes/3". undefined if there's
// no note.
function numberOf(object, pattern) {
    for (const pointer of object?._internalMetadata?.gltf?.pointers ?? []) {
        const found = pattern.exec(pointer);
        if (found) return Number(found[1]);
    }
    return undefined;
}

const NODE = /^\/nodes\/(\d+)$/;
const MESH = /^\/meshes\/(\d+)\//;

// Maps each loaded object to its copy from instantiateModelsToScene, which has the same hierarchy.
function copiesOf(loaded, instance) {
    const copies = new Map();
    const walk = (object, copy) => {
        const children = object.getChildTransformNodes(true), copied = copy?.getChildTransformNodes(true) ?? [];
        if (!copy || copied.length < children.length) {
            throw new Error(`instance: '${object.name}' or one of its children has no copy: copy the whole container`);
        }
        copies.set(object, copy);
        children.forEach((child, i) => walk(child, copied[i]));
    };
    const roots = [...loaded.transformNodes, ...loaded.meshes].filter(({ parent }) => !parent);
    roots.forEach((root, i) => walk(root, instance.rootNodes[i]));
    return copies;
}

// Returns a mesh's node. A skinned mesh isn't a child of its node. If several nodes have the mesh, the name decides.
function nodeOf(asset, mesh) {
    const source = numberOf(mesh, NODE) ?? numberOf(mesh.parent, NODE);
    const number = numberOf(mesh, MESH);
    const found = asset.meshNodes.filter((one) => one.mesh === number);
    const named = ({ node }) => [mesh.name, mesh.parent?.name].includes(asset.nodes[node].name);
    const best = found.find(({ node }) => asset.nodes[node].source === source)
        ?? found.find(named) ?? found[0];
    return best?.node;
}

function boundsOf(mesh) {
    const { minimum, maximum } = mesh.getBoundingInfo();
    return { minimum: minimum.clone(), maximum: maximum.clone() };
}

class BabylonDriver extends Driver {
    #root;
    #influences;

    constructor(asset, objects, meshes, mixerOptions, scene) {
        super(asset, objects, NAMES, mixerOptions, scene);
        this.#root = objects.find((object) => object && !objects.includes(object.parent))?.parent;
        this.#influences = this[$morphed].flatMap((node) => (meshes[node] ?? [])
            .filter(({ morphTargetManager }) => morphTargetManager)
            .map(({ morphTargetManager }) => ({ node, morphTargetManager })));
        // The loader gives skinned meshes another parent and no transform.
        this[$skinned] = asset.meshNodes.filter(({ skin }) => skin >= 0)
            .flatMap(({ node }) => (meshes[node] ?? []))
            .map((mesh) => ({ mesh, node: objects.indexOf(mesh.parent), ...boundsOf(mesh) }));
    }

    // The world matrix of the loader's __root__, or of the page's replacement.
    [$worldMatrix]() {
        return this.#root?.computeWorldMatrix(true).asArray();
    }

    [$applyWeights]() {
        for (const { node, morphTargetManager } of this.#influences) {
            const weights = this.mixer.morphWeights(node);
            for (let i = 0; i < weights.length; i++) morphTargetManager.getTarget(i).influence = weights[i];
        }
    }

    [$applyBoundsTo]({ mesh, minimum, maximum }, box) {
        minimum.set(box[0], box[1], box[2]);
        maximum.set(box[3], box[4], box[5]);
        mesh.getBoundingInfo().reConstruct(minimum, maximum, mesh.getWorldMatrix());
    }
}

/** @param {any} loaded @param {any} asset @param {import('./babylon.js').DriveOptions} [options] */
export function drive(loaded, asset, { instance, ...mixerOptions } = {}) {
    const copies = instance && copiesOf(loaded, instance);
    const copyOf = (object) => (copies ? copies.get(object) : object);
    const bySource = [];
    for (const object of [...loaded.transformNodes, ...loaded.meshes]) {
        const source = numberOf(object, NODE);
        if (source !== undefined) bySource[source] = copyOf(object);
    }
    // A skinned mesh doesn't follow its node, and the loader gives that node no transform.
    const objects = byNode(asset, bySource);
    for (const { node, skin } of asset.meshNodes) if (skin >= 0) objects[node] = undefined;

    const meshes = [];
    for (const mesh of loaded.meshes) {
        const node = nodeOf(asset, mesh);
        if (node !== undefined) (meshes[node] ??= []).push(copyOf(mesh));
    }
    for (const group of (instance ?? loaded).animationGroups) group.stop(); // the loader starts one
    return new BabylonDriver(asset, objects, meshes, mixerOptions, instance ?? loaded);
}
