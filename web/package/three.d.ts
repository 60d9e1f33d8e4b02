import { Asset, Mixer, MixerOptions } from './index.js';

/** What GLTFLoader gives. three.js itself is not needed here. */
export interface Gltf<Scene = object> {
    scene: Scene;
    parser: { associations: Map<any, any>; json: any };
}

export interface DriveOptions<Scene = object> extends MixerOptions {
    /** A copy of the scene, by SkeletonUtils.clone, to be driven instead of the scene itself. */
    scene?: Scene;
    /**
     * Hands three.js finished matrices, world matrices and those of bones, instead of local transforms: sooner, and
     * then `position`, `quaternion` and `scale` of the file's objects are not written, and do nothing. False at first.
     */
    direct?: boolean;
}

/** A scene of three.js that moves as a mixer says. */
export interface Character {
    readonly mixer: Mixer;
    /** Moves the mixer on by that many seconds, and then the objects. */
    update(deltaTime: number): void;
    /** Moves the objects to where the mixer has them now: where a Batch updates the mixers. */
    apply(): void;
    /** Ends the mixer; the objects stay, and are three.js's again. */
    dispose(): void;
}

/** The asset must be of the same file. It may drive any number of scenes. */
export function drive<Scene extends object>(gltf: Gltf<Scene>, asset: Asset, options?: DriveOptions<Scene>): Character;
