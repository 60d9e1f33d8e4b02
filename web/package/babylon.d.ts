// SPDX-License-Identifier: MIT
import { Animator, Asset, CharacterOptions, Mixer } from './index.js';

/** The result of LoadAssetContainerAsync or ImportMeshAsync. The package doesn't import Babylon.js. */
export interface Loaded {
    /** The loaded meshes. */
    meshes: any[];
    /** The loaded transform nodes. */
    transformNodes: any[];
    /** The loaded animations. drive stops them. */
    animationGroups: any[];
}

/** How to drive nodes: also all options of a Mixer, and a graph. */
export interface DriveOptions extends CharacterOptions {
    /** A copy from the container's instantiateModelsToScene(), to drive instead of the loaded nodes. */
    instance?: {
        /** The copy's roots, in the container's order. */
        rootNodes: any[];
        /** The copy's animations. drive stops them. */
        animationGroups: any[]
    };
}

/** Nodes of Babylon.js that a mixer drives. */
export interface Character {
    /** Plays the clips. */
    readonly mixer: Mixer;
    /** The animator of the option `graph`, or null. */
    readonly animator: Animator | null;
    /** Updates the mixer by `deltaTime` seconds, then foot lock, solvers and nodes. Call it once a frame. */
    update(deltaTime: number): void;
    /** Writes the mixer's current pose to the nodes, without an update. For mixers that a Batch updates. */
    apply(): void;
    /** Disposes the mixer. The nodes stay. */
    dispose(): void;
}

/**
 * Drives the nodes of a loaded file, and stops its animation groups. Load `asset` from the same file. Throws if the
 * nodes already have a character, aren't of the asset's file, or `instance` isn't a copy of the whole container.
 *
 * @example
 * const loaded = await LoadAssetContainerAsync('hero.glb', scene);
 * const hero = drive(loaded, await sinew.fetchAsset('hero.glb'));
 * hero.mixer.clipAction('Walk').play();
 * hero.update(delta); // each frame
 */
export function drive(loaded: Loaded, asset: Asset, options?: DriveOptions): Character;
