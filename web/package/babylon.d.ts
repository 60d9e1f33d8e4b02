import { Asset, Mixer, MixerOptions } from './index.js';

/** What LoadAssetContainerAsync or ImportMeshAsync gives. Babylon.js itself is not needed here. */
export interface Loaded {
    meshes: any[];
    transformNodes: any[];
    animationGroups: any[];
}

export interface DriveOptions extends MixerOptions {
    /** A copy, by the container's instantiateModelsToScene, to be driven instead of what was loaded. */
    instance?: { rootNodes: any[]; animationGroups: any[] };
}

/** Nodes of Babylon.js that move as a mixer says. */
export interface Character {
    readonly mixer: Mixer;
    /** Moves the mixer on by that many seconds, and then the nodes. */
    update(deltaTime: number): void;
    /** Moves the nodes to where the mixer has them now: where a Batch updates the mixers. */
    apply(): void;
    /** Ends the mixer; the nodes stay. */
    dispose(): void;
}

/** The asset must be of the same file. It may drive any number of copies. The file's animation groups are stopped. */
export function drive(loaded: Loaded, asset: Asset, options?: DriveOptions): Character;
