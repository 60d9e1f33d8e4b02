// SPDX-License-Identifier: MIT
import { Animator, Asset, CharacterOptions, Mixer } from './index.js';

/** The result of LoadAssetContainerAsync or ImportMeshAsync. The package does not import Babylon.js. */
export interface Loaded {
    meshes: any[];
    transformNodes: any[];
    animationGroups: any[];
}

export interface DriveOptions extends CharacterOptions {
    /** A copy by the container's instantiateModelsToScene, to be driven instead of the loaded nodes. */
    instance?: { rootNodes: any[]; animationGroups: any[] };
}

/** Nodes of Babylon.js that are driven by a mixer. */
export interface Character {
    readonly mixer: Mixer;
    /** The animator of the graph, or null. */
    readonly animator: Animator | null;
    /** Updates the mixer by `deltaTime` seconds, and then the nodes. */
    update(deltaTime: number): void;
    /** Updates the nodes from the mixer's current pose. It is for mixers that a Batch updates. */
    apply(): void;
    /** Disposes the mixer. The nodes stay. */
    dispose(): void;
}

/**
 * Drives the nodes of a file, and stops its animation groups. The asset must be loaded from the same file, and may
 * drive any number of copies. Each has one character at a time: a second call throws until the first is disposed.
 */
export function drive(loaded: Loaded, asset: Asset, options?: DriveOptions): Character;
