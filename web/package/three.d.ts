// SPDX-License-Identifier: MIT
import { Animator, Asset, CharacterOptions, Mixer, SinewCore } from './index.js';

/** The result of GLTFLoader. The package does not import three.js. */
export interface Gltf<Scene = object> {
    scene: Scene;
    animations: any[];
    parser: { associations: Map<any, any>; json: any; getDependency(type: string, index: number): Promise<any> };
}

export interface DriveOptions<Scene = object> extends CharacterOptions {
    /** A copy of the scene by SkeletonUtils.clone, to be driven instead of the scene. */
    scene?: Scene;
    /**
     * Writes the world matrices and bone matrices of three.js instead of local transforms, which is faster.
     * `position`, `quaternion` and `scale` of the file's objects are then neither written nor read. It needs three.js
     * r162 or later. Default false.
     */
    direct?: boolean;
}

/** A scene of three.js that is driven by a mixer. */
export interface Character {
    readonly mixer: Mixer;
    /** The animator of the graph, or null. */
    readonly animator: Animator | null;
    /** Updates the mixer by `deltaTime` seconds, and then the objects. */
    update(deltaTime: number): void;
    /** Updates the objects from the mixer's current pose. It is for mixers that a Batch updates. */
    apply(): void;
    /** Disposes the mixer. The objects stay, and three.js updates them again. */
    dispose(): void;
}

/**
 * Drives a scene, which has one character at a time: a second call throws until the first character is disposed. With a
 * Sinew, also that of 'sinew-animation/core', it makes an asset of the data that GLTFLoader has kept, by makeAsset, once
 * for each gltf and without a request; the asset is `mixer.asset`. An asset that is given must be loaded from the same
 * file. Either may drive any number of scenes. Where the asset needs a clip, `gltf.animations` may be used as well.
 */
export function drive<Scene extends object>(gltf: Gltf<Scene>, asset: Asset, options?: DriveOptions<Scene>): Character;
export function drive<Scene extends object>(gltf: Gltf<Scene>, sinew: SinewCore,
    options?: DriveOptions<Scene>): Promise<Character>;
