// SPDX-License-Identifier: MIT
import { Animator, Asset, CharacterOptions, Mixer } from './index.js';

/** The result of LoadAssetContainerAsync or ImportMeshAsync. Note that this package doesn't import Babylon.js. */
export interface Loaded {
    /** The loaded meshes. */
    meshes: any[];
    /** The loaded transform nodes. */
    transformNodes: any[];
    /** The loaded animations. They are stopped by drive. */
    animationGroups: any[];
}

/** Options for driving nodes. You can also pass a graph and all options for a Mixer. */
export interface DriveOptions extends CharacterOptions {
    /** Drive this copy instead of the loaded nodes. You get it from the container's instantiateModelsToScene(). */
    instance?: {
        /** The root nodes of the copy, in the same order as in the container. */
        rootNodes: any[];
        /** The animations of the copy. They are stopped by drive. */
        animationGroups: any[]
    };
}

/** Babylon.js nodes that are driven by a mixer. */
export interface Character {
    /** Plays the clips. */
    readonly mixer: Mixer;
    /** The animator for the `graph` option, or null. */
    readonly animator: Animator | null;
    /**
     * Updates the mixer by `deltaTime` seconds, and then the foot lock, solvers and nodes. Call this once per frame.
     */
    update(deltaTime: number): void;
    /**
     * Writes the mixer's current pose to the nodes without updating the mixer. Use this for mixers that are updated by
     * a Batch.
     */
    apply(): void;
    /** Disposes the mixer, but not the nodes. */
    dispose(): void;
}

/**
 * Drives the nodes in a loaded file, and stops its animation groups. You must load `asset` from the same file. Throws
 * if the nodes already have a character, if they don't come from the asset's file, or if `instance` isn't a copy of the
 * whole container.
 *
 * @example
 * const loaded = await LoadAssetContainerAsync('hero.glb', scene);
 * const hero = drive(loaded, await sinew.fetchAsset('hero.glb'));
 * hero.mixer.clipAction('Walk').play();
 * hero.update(delta); // each frame
 */
export function drive(loaded: Loaded, asset: Asset, options?: DriveOptions): Character;
