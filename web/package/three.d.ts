// SPDX-License-Identifier: MIT
import { Animator, Asset, CharacterOptions, Mixer, SinewCore } from './index.js';

/** The result of GLTFLoader. The package doesn't import three.js. */
export interface Gltf<Scene = object> {
    /** The loaded scene. */
    scene: Scene;
    /** Its AnimationClips. Once driven, you can pass them wherever a clip is needed. */
    animations: any[];
    /** GLTFLoader's parser, which drive reads. */
    parser: {
        /** Which objects belong to which part of the file. */
        associations: Map<any, any>;
        /** The file's JSON. */
        json: any;
        /** Returns a parsed part of the file. */
        getDependency(type: string, index: number): Promise<any>
    };
}

/** How to drive a scene: also all options of a Mixer, and a graph. */
export interface DriveOptions<Scene = object> extends CharacterOptions {
    /** A copy from SkeletonUtils.clone(), to drive instead of `gltf.scene`. */
    scene?: Scene;
    /**
     * Writes world and bone matrices instead of local transforms, which is faster; default false. three.js then ignores
     * `position`, `quaternion` and `scale` of the file's objects. Needs three.js r162 or later. Throws if the file's
     * objects have other parents than in the file.
     */
    direct?: boolean;
}

/** A scene of three.js that a mixer drives. */
export interface Character {
    /** Plays the clips. */
    readonly mixer: Mixer;
    /** The animator of the option `graph`, or null. */
    readonly animator: Animator | null;
    /** Updates the mixer by `deltaTime` seconds, then foot lock, solvers and objects. Call it once a frame. */
    update(deltaTime: number): void;
    /** Writes the mixer's current pose to the objects, without an update. For mixers that a Batch updates. */
    apply(): void;
    /** Disposes the mixer. The objects stay, and three.js updates them again. */
    dispose(): void;
}

/**
 * Drives a scene with an asset, which must be loaded from the same file. One asset can drive any number of scenes.
 * Throws if the scene already has a character or isn't of the asset's file.
 *
 * @example
 * const first = drive(gltf, asset);
 * const second = drive(gltf, asset, { scene: SkeletonUtils.clone(gltf.scene) });
 */
export function drive<Scene extends object>(gltf: Gltf<Scene>, asset: Asset, options?: DriveOptions<Scene>): Character;
/**
 * Drives a scene with what GLTFLoader has loaded, without another request. The Sinew may be that of
 * 'sinew-animation/core'. All scenes of one gltf share an asset: `mixer.asset`. Rejects if the scene already has a
 * character.
 *
 * @example
 * const gltf = await new GLTFLoader().loadAsync('hero.glb');
 * const hero = await drive(gltf, await Sinew.load());
 * hero.mixer.clipAction('Walk').play();
 * hero.update(delta); // each frame
 */
export function drive<Scene extends object>(gltf: Gltf<Scene>, sinew: SinewCore,
    options?: DriveOptions<Scene>): Promise<Character>;
