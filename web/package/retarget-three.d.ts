// SPDX-License-Identifier: MIT
/**
 * Retargeting for three.js: AnimationClips of one hierarchy of objects on another, with other proportions, axes, names and
 * joints. The package does not import three.js.
 */
import { HumanoidMap, Retargeter, RetargetOptions } from './retarget.js';

/** An AnimationClip of three.js. */
export interface ThreeClip {
    name: string;
    duration: number;
    tracks: any[];
}

/** An Object3D of three.js. */
export interface ThreeObject {
    name: string;
    traverse(callback: (object: any) => any): void;
}

/**
 * The nodes and the rest pose of a hierarchy: the transforms that its objects have when the Rig is made. Make it before the
 * objects are animated, and pass it instead of the objects if they move when clips are retargeted.
 */
export class Rig {
    constructor(root: ThreeObject);
}

/** The result of a loader, or objects that have their clips in `animations`. */
export type ThreeSource<Clip> = { scene: ThreeObject | Rig; animations: Clip[] } | (ThreeObject & { animations: Clip[] });

/** A reference pose: a clip at a time. Default 0. */
export interface ThreePose<Clip> {
    clip: Clip;
    time?: number;
}

export interface RetargetClipsOptions<Clip> extends Omit<RetargetOptions, 'clips' | 'only' | 'sourcePose' | 'targetPose'> {
    /** The clips to retarget. Default: those of the source. */
    clips?: Clip[];
    /** The roles of the objects (docs/humanoid.md). Default: guessed by names and shape. */
    sourceMap?: HumanoidMap | string;
    targetMap?: HumanoidMap | string;
    /** The reference pose of the source, if its rest pose is not a posture that both can share. */
    sourcePose?: ThreePose<Clip>;
    /** The same of the target: a clip for the target's objects. */
    targetPose?: ThreePose<Clip>;
    /** Default: one that is loaded by the first call, and shared. */
    retargeter?: Retargeter;
}

/**
 * Retargets clips to other objects: new AnimationClips with the names and durations of the originals, for an
 * AnimationMixer of the target's root. Both hierarchies must be in their rest pose, or given as a Rig. Tracks of
 * positions, quaternions and scales are retargeted; others, such as those of morph targets, are left out. The objects
 * are not changed. Throws, with the reason, if the roles of a hierarchy cannot be guessed.
 */
export function retargetClips<Clip extends ThreeClip>(source: ThreeSource<Clip>,
    target: ThreeObject | Rig | { scene: ThreeObject | Rig }, options?: RetargetClipsOptions<Clip>): Promise<Clip[]>;
