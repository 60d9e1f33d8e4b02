// SPDX-License-Identifier: MIT
/**
 * Retargeting: clips of one character on another, with other proportions, axes, names and joints, written into a copy of
 * its file. The results are those of the command `sinew retarget`, byte for byte. A WebAssembly module of its own is
 * fetched, `sinew-retarget.wasm`. Units are metres and seconds.
 */
import { Meshopt } from './index.js';

/** A node of a file. Its index in Character.nodes is that in the file. */
export interface CharacterNode {
    name: string;
    /** The index of the parent, or -1. */
    parent: number;
    /** The position in the rest pose, in model space. */
    head: [number, number, number];
}

/** A role of VRM 1.0, such as "hips" or "leftUpperArm", and its node. */
export interface HumanoidRole {
    role: string;
    /** The index of the node. */
    node: number;
    name: string;
    /** What the role rests on: VRM data or a map file, the name of the node, or its position. */
    evidence: 'given' | 'name' | 'shape';
    /** 0 to 1. */
    confidence: number;
}

/** What the rest pose says against a role. */
export interface HumanoidFinding {
    kind: 'missing' | 'ambiguous' | 'detached' | 'side' | 'swapped' | 'below' | 'lying' | 'unequal';
    role: string;
    /** The index of the role's node, or -1. */
    node: number;
    /** The other node that the finding is about, or -1. */
    other: number;
    text: string;
}

/** The roles of a character: the JSON of `sinew humanoid --json`. */
export interface Humanoid {
    source: 'vrm0' | 'vrm1' | 'map' | 'guess';
    /** False if a required role is missing, or the guess is not good enough. */
    accepted: boolean;
    /** 0 to 1: the mean confidence of the required roles. */
    score: number;
    /** The direction in which the character faces, unit; zeros if unknown. */
    forward: [number, number, number];
    /** The roles that have a node. */
    roles: HumanoidRole[];
    findings: HumanoidFinding[];
}

/** A map file (docs/humanoid.md): for each role the name of a node, or "#" and its index. */
export interface HumanoidMap {
    sinewHumanoid: 1;
    /** Missing in a map of an animal that `sinew humanoid` wrote. */
    roles?: Record<string, string | null>;
    /** Named chains of nodes, from the root to the tip, or 'First..Last'. Those of equal names pair up. */
    chains?: Record<string, string | string[]>;
}

/** A loaded file. Retargeter.open returns it. */
export class Character {
    private constructor();
    readonly name: string;
    readonly disposed: boolean;
    readonly nodes: CharacterNode[];
    readonly clips: { name: string; duration: number }[];
    readonly humanoid: Humanoid;
    /**
     * Why clips cannot be retargeted by these roles, or null. setMap completes the roles. Two characters that are refused, such
     * as animals, are paired by names and chains.
     */
    readonly refusal: string | null;
    /** The roles as a map file: a new object, which may be edited and passed to setMap. */
    readonly map: HumanoidMap;
    /**
     * Replaces the roles by those of a map file, as an object or as its text, and changes `humanoid` and `refusal`. Throws,
     * and changes nothing, for what is not a map of these nodes; the message has the line and the column.
     */
    setMap(map: HumanoidMap | string): void;
    /** Frees the memory of the module. */
    dispose(): void;
}

/** A reference pose: a clip of the character, by name or index, at a time. Default 0. */
export interface ReferencePose {
    clip: string | number;
    time?: number;
}

export interface RetargetOptions {
    /** Clips of the source, by name or index. Default: all. */
    clips?: (string | number)[];
    /** Leaves out the target's own clips. Default false. */
    only?: boolean;
    /** Keys a second, at least: 1 to 1000. Default 30. */
    rate?: number;
    /** Moves the feet to where the source has them, scaled. Default true. */
    feet?: boolean;
    /** Moves the hands, too: for grips and contacts. Default false. */
    hands?: boolean;
    /** Ignores translations of the source other than those of the hips and the node above them. Default false. */
    fixedLengths?: boolean;
    /** The size of the motion. Default: the ratio of the leg lengths. */
    scale?: number;
    /** The posture that both share. Default: the bind pose, the rest pose or a frame of the clips, by their scores. */
    sourcePose?: ReferencePose;
    targetPose?: ReferencePose;
}

/** The reference pose that was taken. */
export interface ReferenceReport {
    kind: 'bind' | 'rest' | 'clip' | 'given';
    /** 1: a T or an A. */
    score: number;
    /** Of kind 'clip': the index of the clip, and seconds. */
    clip?: number;
    time?: number;
    /** The feet were turned to have level soles. */
    levelSoles: boolean;
    /** By how much the pose was raised to the ground of the clips, in metres. */
    raised: number;
}

/** What was paired and written: the JSON of `sinew retarget --json`. */
export interface RetargetReport {
    /** The names of the files. */
    source: string;
    target: string;
    /** The size of the target's motion relative to the source's. */
    scale: number;
    /** Null without roles: then both are. */
    sourceRoles: 'vrm0' | 'vrm1' | 'map' | 'guess' | null;
    targetRoles: 'vrm0' | 'vrm1' | 'map' | 'guess' | null;
    sourceReference: ReferenceReport;
    targetReference: ReferenceReport;
    /** Indices of nodes. The role is null for nodes that are paired by chain, position or name. */
    pairs: { source: number; target: number; role: string | null }[];
    clips: { name: string; duration: number; channels: number }[];
    /** Expressions of a .vrma file that the target has no morph targets for; its gaze is "lookAt". */
    dropped: string[];
    /** The size of the file. */
    bytes: number;
}

export interface RetargetResult {
    /** The target's file with the clips, a .glb. */
    glb: Uint8Array;
    report: RetargetReport;
    /** The names of the retargeted clips. */
    clips: string[];
}

export class Retargeter {
    /** Fetches and compiles the module, in Node from the disk. `wasm` is the module, for pages that fetch it themselves. */
    static load(options?: { wasm?: BufferSource | WebAssembly.Module }): Promise<Retargeter>;
    private constructor();

    /**
     * Loads a .glb, .gltf, .vrm, .vrma or .bvh, by the suffix of `name`, and finds its roles. Without a name the content
     * decides. `sidecars` are its other files, by the names that sidecarFiles of the main entry point returns. `map` is a
     * map file. `decoder` is npm's MeshoptDecoder, for meshopt-compressed files. The bytes are copied. If a hostile file
     * makes the module fail, earlier characters must be opened again.
     */
    open(bytes: BufferSource, options?: { name?: string; sidecars?: Record<string, BufferSource>;
        map?: HumanoidMap | string; decoder?: Meshopt | null }): Promise<Character>;

    /**
     * Fetches a file and the buffers that it refers to in its own folder and below, and opens it. `url` is relative to the
     * page. In Node it is a URL, which may be a file: URL.
     */
    fetch(url: string | URL, options?: { map?: HumanoidMap | string; decoder?: Meshopt | null }): Promise<Character>;

    /** Retargets clips. The target must not be a .bvh file. Throws if a character has no usable roles. */
    retarget(source: Character, target: Character, options?: RetargetOptions): RetargetResult;
}
