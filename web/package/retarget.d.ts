// SPDX-License-Identifier: MIT
/**
 * Retargeting: plays clips of one character on another, with other proportions, axes, names and joints. It writes a
 * copy of the target's file with more clips, the same bytes as the command `sinew retarget`. Units are metres and
 * seconds.
 *
 * Retargeter.load fetches a module of its own, sinew-retarget.wasm.
 */
import { Meshopt } from './index.js';

/** A node of a file. Its index in Character.nodes is that in the file. */
export interface CharacterNode {
    /** '' if the file has none. */
    name: string;
    /** The parent's index, or -1. */
    parent: number;
    /** The position in the rest pose, in model space. */
    head: [number, number, number];
}

/** The node of a role, and how sure that is. */
export interface HumanoidRole {
    /** A bone of VRM 1.0, such as 'hips' or 'leftUpperArm'. */
    role: string;
    /** The node's index. */
    node: number;
    /** The node's name. */
    name: string;
    /** Where it comes from. 'given': VRM data or a map. 'name' and 'shape': a guess. */
    evidence: 'given' | 'name' | 'shape';
    /** 0 to 1. */
    confidence: number;
}

/** What the rest pose says against a role. */
export interface HumanoidFinding {
    /** What is wrong. */
    kind: 'missing' | 'ambiguous' | 'detached' | 'side' | 'swapped' | 'below' | 'lying' | 'unequal';
    /** The role. */
    role: string;
    /** The index of the role's node, or -1. */
    node: number;
    /** The index of another node that the finding is about, or -1. */
    other: number;
    /** The finding as a sentence. */
    text: string;
}

/** A character's roles: the JSON of `sinew humanoid --json`. */
export interface Humanoid {
    /** Where the roles come from. */
    source: 'vrm0' | 'vrm1' | 'map' | 'guess';
    /** false if a required role is missing or the guess isn't good enough. */
    accepted: boolean;
    /** The mean confidence of the required roles, 0 to 1. */
    score: number;
    /** Where the character faces, a unit vector; zeros if unknown. */
    forward: [number, number, number];
    /** The roles that have a node. */
    roles: HumanoidRole[];
    /** What the rest pose says against them. */
    findings: HumanoidFinding[];
}

/** The content of a map file (docs/humanoid.md). */
export interface HumanoidMap {
    /** The format's version. */
    sinewHumanoid: 1;
    /** For each role a node: its name, or '#' and its index; null for none. May be missing in an animal's map. */
    roles?: Record<string, string | null>;
    /** Named chains of nodes from root to tip, or 'First..Last'. Chains of equal names pair up. */
    chains?: Record<string, string | string[]>;
}

/** A loaded file, from Retargeter.open or fetch. */
export class Character {
    /** Call Retargeter.open instead. */
    private constructor();
    /** The file's name. */
    readonly name: string;
    /** Whether dispose was called. */
    readonly disposed: boolean;
    /** In the file's order. */
    readonly nodes: CharacterNode[];
    /** The file's clips. */
    readonly clips: {
        /** The clip's name. */
        name: string;
        /** Seconds. */
        duration: number
    }[];
    /** Its roles. */
    readonly humanoid: Humanoid;
    /**
     * Why its roles aren't good enough, or null. Complete them with setMap. Two refused characters, such as animals,
     * can be retargeted anyway: by the names and chains of their nodes.
     */
    readonly refusal: string | null;
    /** The roles as a map: a new object, to edit and pass to setMap. */
    readonly map: HumanoidMap;
    /**
     * Replaces the roles, and updates `humanoid` and `refusal`. Takes a map as an object or as text. If it isn't a map
     * of these nodes, it throws with the line and the column, and changes nothing.
     *
     * @example
     * const map = target.map;
     * map.roles.leftHand = 'Paw_L';
     * target.setMap(map);
     */
    setMap(map: HumanoidMap | string): void;
    /** Frees its memory. */
    dispose(): void;
}

/** A reference pose: a clip of the character at a time. */
export interface ReferencePose {
    /** The clip's name or index. */
    clip: string | number;
    /** Seconds; default 0. */
    time?: number;
}

/** How to retarget. docs/howto/retarget.md explains the options with pictures. */
export interface RetargetOptions {
    /** Clips of the source, by name or index; default all. */
    clips?: (string | number)[];
    /** Leaves out the target's own clips; default false. */
    only?: boolean;
    /** Keys a second at least, 1 to 1000; default 30. */
    rate?: number;
    /** Moves the feet to where the source has them, scaled; default true. */
    feet?: boolean;
    /** The same for the hands, for grips and contacts; default false. */
    hands?: boolean;
    /** Ignores the source's translations, except of the hips and the node above; default false. */
    fixedLengths?: boolean;
    /** The size of the motion. Default: the ratio of the leg lengths. */
    scale?: number;
    /** The source's posture that both share. Default: the best of bind pose, rest pose and frames of clips. */
    sourcePose?: ReferencePose;
    /** The same for the target. */
    targetPose?: ReferencePose;
}

/** The reference pose that was used. */
export interface ReferenceReport {
    /** Where it comes from. 'given': an option. */
    kind: 'bind' | 'rest' | 'clip' | 'given';
    /** How well it fits, 0 to 1. 1: a T or an A. 0 also without roles. */
    score: number;
    /** The clip's index; only for kind 'clip'. */
    clip?: number;
    /** Seconds in the clip; only for kind 'clip'. */
    time?: number;
    /** The feet were turned to level their soles. */
    levelSoles: boolean;
    /** How far the pose was raised to the ground of the clips, metres. Negative: lowered. */
    raised: number;
}

/** What was paired and written: the JSON of `sinew retarget --json` (docs/json.md). */
export interface RetargetReport {
    /** The source file's name. */
    source: string;
    /** The target file's name. */
    target: string;
    /** The size of the target's motion relative to the source's. */
    scale: number;
    /** Where the source's roles come from; null if neither character has roles. */
    sourceRoles: 'vrm0' | 'vrm1' | 'map' | 'guess' | null;
    /** Where the target's roles come from; null if neither character has roles. */
    targetRoles: 'vrm0' | 'vrm1' | 'map' | 'guess' | null;
    /** The source's reference pose. */
    sourceReference: ReferenceReport;
    /** The target's reference pose. */
    targetReference: ReferenceReport;
    /** Which node moves which. */
    pairs: {
        /** The index of the source's node. */
        source: number;
        /** The index of the target's node. */
        target: number;
        /** The role that pairs them; null: their chain, position or name. */
        role: string | null
    }[];
    /** The retargeted clips. */
    clips: {
        /** The clip's name. */
        name: string;
        /** Seconds. */
        duration: number;
        /** The number of its channels. */
        channels: number
    }[];
    /** Expressions of a .vrma file that the target has no morph targets for. Its gaze is 'lookAt'. */
    dropped: string[];
    /** The new file's size. */
    bytes: number;
}

/** What Retargeter.retarget returns. */
export interface RetargetResult {
    /** A copy of the target's file with the clips: a .glb. */
    glb: Uint8Array;
    /** What was paired and written. */
    report: RetargetReport;
    /** The names of the retargeted clips. */
    clips: string[];
}

/**
 * The module. A page needs one.
 *
 * @example
 * const retargeter = await Retargeter.load();
 * const source = await retargeter.fetch('walk.bvh');
 * const target = await retargeter.fetch('hero.glb');
 * const { glb } = retargeter.retarget(source, target); // a file: save it, or load it with any loader
 */
export class Retargeter {
    /** Fetches and compiles sinew-retarget.wasm, from the package's folder. */
    static load(options?: {
        /** The module instead, for pages that fetch it themselves. */
        wasm?: BufferSource | WebAssembly.Module
    }): Promise<Retargeter>;
    /** Call Retargeter.load instead. */
    private constructor();

    /**
     * Reads a .glb, .gltf, .vrm, .vrma or .bvh, and finds its roles. It copies the bytes. Rejects for a damaged file.
     * If a file crashes the module, later calls work, but you have to open earlier characters again.
     */
    open(bytes: BufferSource, options?: {
        /** The file's name, whose suffix says what it is. Default: the content decides. */
        name?: string;
        /** Its other files, by the names that sidecarFiles of 'sinew-animation' returns. */
        sidecars?: Record<string, BufferSource>;
        /** Its roles, as an object or as text. Default: VRM data, or guessed from names and shape. */
        map?: HumanoidMap | string;
        /** npm's MeshoptDecoder, for files that meshopt compresses. */
        decoder?: Meshopt | null
    }): Promise<Character>;

    /**
     * Fetches a file and its buffers, which must be in its folder or below, and opens it. `url` is relative to the
     * page. In Node it must be absolute; file: URLs work.
     */
    fetch(url: string | URL, options?: {
        /** As for open. */
        map?: HumanoidMap | string;
        /** As for open. */
        decoder?: Meshopt | null
    }): Promise<Character>;

    /**
     * Writes a copy of the target's file with the source's clips. Both characters must be of this Retargeter. Throws if
     * the roles of only one are refused, and for a target that is a .bvh file.
     *
     * @example
     * const { glb, clips, report } = retargeter.retarget(source, target, { clips: ['Walk'], only: true });
     */
    retarget(source: Character, target: Character, options?: RetargetOptions): RetargetResult;
}
