// SPDX-License-Identifier: MIT
import { Animator, Asset, CharacterOptions, Mixer, SinewCore } from './index.js';

/** The result of GLTFLoader. Note that this package doesn't import three.js. */
export interface Gltf<Scene = object> {
    /** The loaded scene. */
    scene: Scene;
    /**
     * The AnimationClips. After you call drive, you can pass them wherever a clip is needed. If you change one, calls
     * with it throw, because the file's clip is played.
     */
    animations: any[];
    /** The parser from GLTFLoader. It is used by drive. */
    parser: {
        /** Maps objects to parts of the file. */
        associations: Map<any, any>;
        /** The file's JSON. */
        json: any;
        /** Returns a part of the file that was parsed. */
        getDependency(type: string, index: number): Promise<any>
    };
}

/** Options for driving a scene. You can also pass a graph and all options for a Mixer. */
export interface DriveOptions<Scene = object> extends CharacterOptions {
    /** Drive this copy instead of `gltf.scene`. You get it from SkeletonUtils.clone(). */
    scene?: Scene;
    /**
     * Write world and bone matrices instead of local transforms. This is faster, but three.js then ignores the
     * `position`, `quaternion` and `scale` of the file's objects. You need three.js r162 or later. Throws if the
     * objects have different parents than in the file. Default false.
     */
    direct?: boolean;
}

/** A three.js scene that is driven by a mixer. */
export interface Character {
    /** Plays the clips. Its `update` and `setTime` don't move the objects: call `update` or `apply` of the character. */
    readonly mixer: Mixer;
    /** The animator for the `graph` option, or null. */
    readonly animator: Animator | null;
    /**
     * Updates the mixer by `deltaTime` seconds, and then the foot lock, solvers and objects. Call this once per frame.
     */
    update(deltaTime: number): void;
    /**
     * Writes the mixer's current pose to the objects without updating the mixer. Use this for mixers that are updated
     * by a Batch.
     */
    apply(): void;
    /** Disposes the mixer, but not the objects. three.js then updates the objects again. */
    dispose(): void;
}

/**
 * Drives a scene with an asset. You must load the asset from the same file. One asset can drive any number of scenes.
 * Throws if the scene already has a character or doesn't come from the asset's file.
 *
 * @example
 * const first = drive(gltf, asset);
 * const second = drive(gltf, asset, { scene: SkeletonUtils.clone(gltf.scene) });
 */
export function drive<Scene extends object>(gltf: Gltf<Scene>, asset: Asset, options?: DriveOptions<Scene>): Character;
/**
 * Drives a scene with the data that GLTFLoader has already loaded, so nothing is fetched again. You can use the Sinew
 * from 'sinew-animation/core'. All scenes from the same gltf share one asset, `mixer.asset`. Rejects if the scene
 * already has a character.
 *
 * @example
 * const gltf = await new GLTFLoader().loadAsync('hero.glb');
 * const hero = await drive(gltf, await Sinew.load());
 * hero.mixer.clipAction('Walk').play();
 * hero.update(delta); // each frame
 */
export function drive<Scene extends object>(gltf: Gltf<Scene>, sinew: SinewCore,
    options?: DriveOptions<Scene>): Promise<Character>;
