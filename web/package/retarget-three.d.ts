// SPDX-License-Identifier: MIT
/**
 * Retargeting for three.js: plays AnimationClips of one hierarchy of objects on another, with other proportions, axes,
 * names and joints. The package doesn't import three.js.
 */
import { HumanoidMap, Retargeter, RetargetOptions } from './retarget.js';

/** An AnimationClip of three.js. */
export interface ThreeClip {
    /** The clip's name. */
    name: string;
    /** Seconds. */
    duration: number;
    /** KeyframeTracks. */
    tracks: any[];
}

/** An Object3D of three.js. */
export interface ThreeObject {
    /** The object's name. */
    name: string;
    /** Visits the object and its descendants. */
    traverse(callback: (object: any) => any): void;
}

/**
 * A hierarchy's nodes and rest pose: the transforms that its objects have now. Make it before you animate the objects.
 *
 * @example
 * const rig = new Rig(golem.scene); // at load
 * const clips = await retargetClips(hero, rig); // at any time
 */
export class Rig {
    /** Reads `root` and all objects below. It doesn't change them. */
    constructor(root: ThreeObject);
}

/** What a loader returns, or an object with `animations`. */
export type ThreeSource<Clip> = {
    /** The hierarchy, in its rest pose or as a Rig. */
    scene: ThreeObject | Rig;
    /** Its clips. */
    animations: Clip[]
} | (ThreeObject & {
    /** Its clips. */
    animations: Clip[]
});

/** A reference pose: a clip at a time. */
export interface ThreePose<Clip> {
    /** The clip. */
    clip: Clip;
    /** Seconds; default 0. */
    time?: number;
}

/** How to retarget: also the options of Retargeter.retarget. */
export interface RetargetClipsOptions<Clip> extends Omit<RetargetOptions, 'clips' | 'only' | 'sourcePose' | 'targetPose'> {
    /** The clips to retarget. Default: those of the source. */
    clips?: Clip[];
    /** The source's roles (docs/humanoid.md). Default: guessed from names and shape. */
    sourceMap?: HumanoidMap | string;
    /** The target's roles. Default: guessed from names and shape. */
    targetMap?: HumanoidMap | string;
    /** The source's posture that both share, such as a T pose in a clip. Default: the one that fits best. */
    sourcePose?: ThreePose<Clip>;
    /** The target's, from a clip for its objects. */
    targetPose?: ThreePose<Clip>;
    /** Default: one for all calls, which the first call loads. */
    retargeter?: Retargeter;
}

/**
 * Retargets clips to other objects. Returns new AnimationClips of the same names and durations, for an AnimationMixer
 * of the target's root. Both hierarchies must be in their rest pose, or be given as a Rig. Only positions, quaternions
 * and scales are retargeted. The objects don't change. Rejects, with the reason, if one hierarchy's roles can't be
 * guessed.
 *
 * @example
 * const rig = new Rig(golem.scene);
 * const [walk] = await retargetClips(hero, rig, { clips: [hero.animations[1]] });
 * new AnimationMixer(golem.scene).clipAction(walk).play();
 */
export function retargetClips<Clip extends ThreeClip>(source: ThreeSource<Clip>,
    target: ThreeObject | Rig | {
        /** The hierarchy, in its rest pose or as a Rig. */
        scene: ThreeObject | Rig
    }, options?: RetargetClipsOptions<Clip>): Promise<Clip[]>;
