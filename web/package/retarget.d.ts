// SPDX-License-Identifier: MIT
/**
 * Retargeting: plays clips on a character with different proportions, axes, names and joints. This writes a copy of the
 * target's file that contains the additional clips. The output is identical to the command `sinew retarget`. Units are
 * meters and seconds.
 *
 * Retargeter.load fetches a separate module, sinew-retarget.wasm.
 */
import { Meshopt } from './index.js';

/** A node in a file. Character.nodes uses the same indices as the file. */
export interface CharacterNode {
    /** '' if the file doesn't have one. */
    name: string;
    /** The index of the parent, or -1. */
    parent: number;
    /** The model-space position in the rest pose. */
    head: [number, number, number];
}

/** The node for a role, and how reliable that is. */
export interface HumanoidRole {
    /** The name of a VRM 1.0 bone, such as 'hips' or 'leftUpperArm'. */
    role: string;
    /** The node's index. */
    node: number;
    /** The node's name. */
    name: string;
    /** Where it comes from. 'given' is from VRM data or a map. 'name' and 'shape' are guesses. */
    evidence: 'given' | 'name' | 'shape';
    /** 0 to 1. */
    confidence: number;
}

/** A problem with a role in the rest pose. */
export interface HumanoidFinding {
    /** The type of problem. */
    kind: 'missing' | 'ambiguous' | 'detached' | 'side' | 'swapped' | 'below' | 'lying' | 'unequal';
    /** The role. */
    role: string;
    /** The index of the role's node, or -1. */
    node: number;
    /** The index of a second node that is involved, or -1. */
    other: number;
    /** The finding as a sentence. */
    text: string;
}

/** The roles of a character. This is the JSON from `sinew humanoid --json`. */
export interface Humanoid {
    /** Where the roles come from. */
    source: 'vrm0' | 'vrm1' | 'map' | 'guess';
    /** False if a required role is missing or the guess isn't good enough. */
    accepted: boolean;
    /** The mean confidence of the required roles, from 0 to 1. */
    score: number;
    /** The direction the character faces, as a unit vector. All zeros if it isn't known. */
    forward: [number, number, number];
    /** The roles that have a node. */
    roles: HumanoidRole[];
    /** Problems with the roles in the rest pose. */
    findings: HumanoidFinding[];
}

/** The content of a map file (docs/humanoid.md). */
export interface HumanoidMap {
    /** The format's version. */
    sinewHumanoid: 1;
    /**
     * The node for each role. This can be a node name, '#' followed by a node index, or null if there is no node. You
     * can leave out the roles for an animal.
     */
    roles?: Record<string, string | null>;
    /**
     * Named chains of nodes. List the nodes from root to tip, or use 'First..Last'. Chains with the same name are
     * paired.
     */
    chains?: Record<string, string | string[]>;
}

/** A loaded file. You get one from Retargeter.open or Retargeter.fetch. */
export class Character {
    /** Use Retargeter.open instead. */
    private constructor();
    /** The file's name. */
    readonly name: string;
    /** True after you call dispose. */
    readonly disposed: boolean;
    /** The nodes, in the same order as in the file. */
    readonly nodes: CharacterNode[];
    /** The file's clips. */
    readonly clips: {
        /** The clip's name. */
        name: string;
        /** In seconds. */
        duration: number
    }[];
    /** The character's roles. */
    readonly humanoid: Humanoid;
    /**
     * The reason why the roles aren't good enough, or null. Use setMap to complete them. If the roles of both
     * characters are refused, for example because they are animals, you can still retarget. In this case nodes are
     * paired by name and by chain.
     */
    readonly refusal: string | null;
    /** The roles as a map. This returns a new object that you can edit and pass to setMap. */
    readonly map: HumanoidMap;
    /**
     * Replaces the roles, and updates `humanoid` and `refusal`. You can pass the map as an object or as text. If the
     * map isn't valid for these nodes, this throws with the line and column, and nothing changes.
     *
     * @example
     * const map = target.map;
     * map.roles.leftHand = 'Paw_L';
     * target.setMap(map);
     */
    setMap(map: HumanoidMap | string): void;
    /** Frees the memory. */
    dispose(): void;
}

/** A reference pose, given by a time in one of the character's clips. */
export interface ReferencePose {
    /** The clip's name or index. */
    clip: string | number;
    /** In seconds. Default 0. */
    time?: number;
}

/** Options for retargeting. See docs/howto/retarget.md for an explanation with pictures. */
export interface RetargetOptions {
    /** The source clips, by name or index. Defaults to all clips. */
    clips?: (string | number)[];
    /** Leave out the target's own clips. Default false. */
    only?: boolean;
    /** The minimum number of keys per second, from 1 to 1000. Default 30. */
    rate?: number;
    /** Move the feet to where they are on the source, scaled to the target. Default true. */
    feet?: boolean;
    /** Same for the hands. Useful for grips and contacts. Default false. */
    hands?: boolean;
    /** Ignore the source's translations, except for the hips and the node above. Default false. */
    fixedLengths?: boolean;
    /** The scale of the motion. Defaults to the ratio of the leg lengths. */
    scale?: number;
    /**
     * The source's reference pose. Both characters should have the same posture. By default, the best pose is chosen
     * from the bind pose, the rest pose and frames in the clips.
     */
    sourcePose?: ReferencePose;
    /** Same for the target. */
    targetPose?: ReferencePose;
}

/** The reference pose that was used. */
export interface ReferenceReport {
    /** Where it comes from. 'given' means that you passed it as an option. */
    kind: 'bind' | 'rest' | 'clip' | 'given';
    /**
     * How well it works as a reference, from 0 to 1. A T-pose or an A-pose gets 1. This is also 0 if there are no
     * roles.
     */
    score: number;
    /** The index of the clip. Only for kind 'clip'. */
    clip?: number;
    /** The time in the clip in seconds. Only for kind 'clip'. */
    time?: number;
    /** True if the feet were turned to level the soles. */
    levelSoles: boolean;
    /** How far the pose was raised to match the ground in the clips, in meters. Negative if it was lowered. */
    raised: number;
}

/** What was paired and written. This is the JSON from `sinew retarget --json` (docs/json.md). */
export interface RetargetReport {
    /** The source file's name. */
    source: string;
    /** The target file's name. */
    target: string;
    /** The scale of the target's motion relative to the source. */
    scale: number;
    /** Where the source's roles come from. null if neither character has roles. */
    sourceRoles: 'vrm0' | 'vrm1' | 'map' | 'guess' | null;
    /** Where the target's roles come from. null if neither character has roles. */
    targetRoles: 'vrm0' | 'vrm1' | 'map' | 'guess' | null;
    /** The source's reference pose. */
    sourceReference: ReferenceReport;
    /** The target's reference pose. */
    targetReference: ReferenceReport;
    /** The pairs of nodes. */
    pairs: {
        /** The index of the source node. */
        source: number;
        /** The index of the target node. */
        target: number;
        /** The role that pairs them. null if they are paired by chain, position or name. */
        role: string | null
    }[];
    /** The retargeted clips. */
    clips: {
        /** The clip's name. */
        name: string;
        /** In seconds. */
        duration: number;
        /** The number of channels. */
        channels: number
    }[];
    /**
     * Expressions in a .vrma file that were dropped because the target has no morph targets for them. 'lookAt' is the
     * gaze.
     */
    dropped: string[];
    /** The size of the new file. */
    bytes: number;
}

/** The result of Retargeter.retarget. */
export interface RetargetResult {
    /** A .glb file that contains a copy of the target's file with the new clips. */
    glb: Uint8Array;
    /** What was paired and written. */
    report: RetargetReport;
    /** The names of the retargeted clips. */
    clips: string[];
}

/**
 * The module. You need one per page.
 *
 * @example
 * const retargeter = await Retargeter.load();
 * const source = await retargeter.fetch('walk.bvh');
 * const target = await retargeter.fetch('hero.glb');
 * const { glb } = retargeter.retarget(source, target); // a file: save it, or load it with any loader
 */
export class Retargeter {
    /** Fetches sinew-retarget.wasm from the package's folder and compiles it. */
    static load(options?: {
        /** The module, if you prefer to fetch it yourself. */
        wasm?: BufferSource | WebAssembly.Module
    }): Promise<Retargeter>;
    /** Use Retargeter.load instead. */
    private constructor();

    /**
     * Loads a .glb, .gltf, .vrm, .vrma or .bvh file and finds its roles. The bytes are copied. Rejects if the file is
     * damaged. If a file crashes the module, you can keep using the Retargeter, but you have to open earlier characters
     * again.
     */
    open(bytes: BufferSource, options?: {
        /** The file name. Its suffix determines the format. By default, the format is detected from the content. */
        name?: string;
        /** The other files it needs, using the names returned by sidecarFiles in 'sinew-animation'. */
        sidecars?: Record<string, BufferSource>;
        /**
         * The roles, as an object or as text. By default, they come from VRM data or are guessed from names and shape.
         */
        map?: HumanoidMap | string;
        /** MeshoptDecoder from npm, for files with meshopt compression. */
        decoder?: Meshopt | null
    }): Promise<Character>;

    /**
     * Fetches a file and its buffers, and opens it. The buffers must be in the same folder or a subfolder. `url` is
     * relative to the page. In Node it must be absolute, and file: URLs work.
     */
    fetch(url: string | URL, options?: {
        /** Same as for open. */
        map?: HumanoidMap | string;
        /** Same as for open. */
        decoder?: Meshopt | null
    }): Promise<Character>;

    /**
     * Writes a copy of the target's file that contains the source's clips. Both characters must come from this
     * Retargeter. Throws if the roles of only one character are refused, or if the target is a .bvh file.
     *
     * @example
     * const { glb, clips, report } = retargeter.retarget(source, target, { clips: ['Walk'], only: true });
     */
    retarget(source: Character, target: Character, options?: RetargetOptions): RetargetResult;
}
