// SPDX-License-Identifier: MIT
/**
 * Retargeting for three.js: plays AnimationClips on a hierarchy of objects with different proportions, axes, names and
 * joints. Note that this package doesn't import three.js.
 */
import { HumanoidMap, Retargeter, RetargetOptions } from './retarget.js';

/** An AnimationClip from three.js. */
export interface ThreeClip {
    /** The clip's name. */
    name: string;
    /** In seconds. */
    duration: number;
    /** KeyframeTracks. */
    tracks: any[];
}

/** An Object3D from three.js. */
export interface ThreeObject {
    /** The object's name. */
    name: string;
    /** Visits the object and its descendants. */
    traverse(callback: (object: any) => any): void;
}

/**
 * The nodes and the rest pose of a hierarchy. The rest pose consists of the current transforms of the objects, so you
 * need to create the rig before you animate them.
 *
 * @example
 * const rig = new Rig(golem.scene); // at load
 * const clips = await retargetClips(hero, rig); // at any time
 */
export class Rig {
    /** Reads `root` and all its descendants. This doesn't change them. */
    constructor(root: ThreeObject);
}

/** The result of a loader, or an object with `animations`. */
export type ThreeSource<Clip> = {
    /** The hierarchy, either in its rest pose or as a Rig. */
    scene: ThreeObject | Rig;
    /** The clips. */
    animations: Clip[]
} | (ThreeObject & {
    /** The clips. */
    animations: Clip[]
});

/** A reference pose, given by a time in a clip. */
export interface ThreePose<Clip> {
    /** The clip. */
    clip: Clip;
    /** In seconds. Default 0. */
    time?: number;
}

/** Options for retargeting. You can also pass the options for Retargeter.retarget. */
export interface RetargetClipsOptions<Clip> extends Omit<RetargetOptions, 'clips' | 'only' | 'sourcePose' | 'targetPose'> {
    /** The clips to retarget. Defaults to the source's clips. */
    clips?: Clip[];
    /** The source's roles (docs/humanoid.md). By default, they are guessed from names and shape. */
    sourceMap?: HumanoidMap | string;
    /** The target's roles. By default, they are guessed from names and shape. */
    targetMap?: HumanoidMap | string;
    /**
     * The source's reference pose, for example a T-pose in a clip. Both characters should have the same posture. By
     * default, the best pose is chosen.
     */
    sourcePose?: ThreePose<Clip>;
    /** The target's reference pose, from a clip for its objects. */
    targetPose?: ThreePose<Clip>;
    /** By default, the first call loads one that is shared by all calls. */
    retargeter?: Retargeter;
}

/**
 * Retargets clips to different objects. Returns new AnimationClips with the same names and durations. You can play them
 * with an AnimationMixer for the target's root. Both hierarchies must be in their rest pose, or you can pass a Rig.
 * Only positions, quaternions and scales are retargeted. This doesn't change the objects. Rejects with the reason if
 * the roles can't be guessed for one of the hierarchies.
 *
 * @example
 * const rig = new Rig(golem.scene);
 * const [walk] = await retargetClips(hero, rig, { clips: [hero.animations[1]] });
 * new AnimationMixer(golem.scene).clipAction(walk).play();
 */
export function retargetClips<Clip extends ThreeClip>(source: ThreeSource<Clip>,
    target: ThreeObject | Rig | {
        /** The hierarchy, either in its rest pose or as a Rig. */
        scene: ThreeObject | Rig
    }, options?: RetargetClipsOptions<Clip>): Promise<Clip[]>;
