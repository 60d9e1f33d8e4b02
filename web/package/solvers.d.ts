// SPDX-License-Identifier: MIT
/**
 * Springs, and inverse kinematics of chains and of whole bodies: what edits the pose of a mixer after its update. The results
 * are those of the C library (spring.h, ik_chain.h, ik_body.h), bit for bit. A WebAssembly module of its own is fetched,
 * `sinew-solvers.wasm`. Units are metres, seconds and radians.
 *
 * A character that is driven by drive or is in a Scene needs no call in each frame: its update locks feet, then solves chains
 * and bodies in the order in which they were made, and springs last. Other programs call `update` of each after that of the
 * mixer or of its batch, in this order. All are disposed with their mixer.
 */
import { Mixer } from './index.js';

/** A node of the asset: its index, or its name. */
export type NodeName = number | string;
/** Three numbers. */
export type Vector = ArrayLike<number>;

/** The module. A page needs one. */
export class Solvers {
    /** Fetches and compiles sinew-solvers.wasm, from next to solvers.js, or takes `wasm`. */
    static load(options?: { wasm?: BufferSource | WebAssembly.Module }): Promise<Solvers>;
    private constructor();
}

// ---- Springs ----------------------------------------------------------------------------------------------------

/** How a joint swings. Defaults are those of sinew_spring_joint (spring.h). */
export interface SpringValues {
    /** The pull towards the direction in the pose, as an acceleration, m/s²; default 20. */
    stiffness?: number;
    /** The half-life of motion relative to the pose in seconds; default 0.15. Infinity: none. */
    damping?: number;
    /** The half-life of motion relative to the air in seconds; default 0.5. Infinity: none. */
    drag?: number;
    /** In the world, m/s²; default [0, -9.81, 0]. */
    gravity?: Vector;
    /** The fraction of the wind that reaches the joint; default 1. */
    wind?: number;
    /** The largest angle between the bone and its direction in the pose, 0 to π; default π. */
    limit?: number;
    /** Of the tail's sphere for collisions; default 0. */
    radius?: number;
}

/** Joints from the root to the tip, each below the one before. Its values hold for all joints without their own. */
export interface SpringChain extends SpringValues {
    joints: (NodeName | ({ node: NodeName } & SpringValues))[];
    /** The tail of the last joint in its local space; default [0, 0, 0]: the last joint does not rotate. */
    tail?: Vector;
    /** The node in whose space inertia is measured; default null: the world. */
    center?: NodeName | null;
    /** Indices of colliders of the definition; default none. */
    colliders?: number[];
    /** From the pose (0) to the springs (1); default 1. */
    weight?: number;
    /** Whether joints return to the rest pose instead of the pose; default false. */
    fromRest?: boolean;
}

/** A volume that tails do not enter. */
export interface SpringCollider {
    /** Default 'sphere'. */
    shape?: 'sphere' | 'capsule' | 'plane';
    /** The node that it moves with; default null: fixed in the world. */
    node?: NodeName | null;
    /** Spheres and capsules: tails stay inside instead; default false. */
    inside?: boolean;
    /** In the node's local space, or in the world; default [0, 0, 0]. */
    offset?: Vector;
    /** Of a capsule: its other end. */
    tail?: Vector;
    /** Of a plane, towards the allowed side; default [0, 1, 0]. */
    normal?: Vector;
    /** Default 0. */
    radius?: number;
}

export interface SpringsDefinition {
    chains: SpringChain[];
    colliders?: SpringCollider[];
    /** The length of a step of the simulation in seconds; default 1/60. */
    step?: number;
    /** The largest number of steps in a frame; default 8. */
    maxSteps?: number;
    /** A chain whose parent moves farther in a frame was teleported; default 2. */
    teleportDistance?: number;
}

/** The spring bones of a VRM file, as in the file: nodes are indices of the file. */
export interface SpringBones {
    version: '1.0' | '0.x';
    colliders: { node: number; shape: 'sphere' | 'capsule' | 'plane'; inside: boolean; offset: number[]; tail: number[];
        normal: number[]; radius: number }[];
    /** Indices of colliders. */
    colliderGroups: number[][];
    springs: { name: string; subtrees: boolean; center: number; colliderGroups: number[];
        joints: { node: number; hitRadius: number; stiffness: number; gravityPower: number; gravityDir: number[];
            dragForce: number }[] }[];
}

/**
 * Reads the spring bones of a .vrm, .glb or .gltf file, or of its JSON, such as `gltf.parser.json` of three.js:
 * VRMC_springBone 1.0, with VRMC_springBone_extended_collider, or those of VRM 0.x. null for a file without springs.
 */
export function springsOf(file: BufferSource | object): SpringBones | null;

/**
 * The springs of one character. A mixer has one at most. A snapshot of the mixer contains their state. Springs that are made
 * later start anew where it is restored.
 */
export class Springs {
    /** Throws for a definition that sinew_springs_create refuses. `definition` may be changed afterwards. */
    constructor(solvers: Solvers, mixer: Mixer, definition: SpringsDefinition | SpringBones, options?: { weight?: number; wind?: Vector });
    readonly mixer: Mixer;
    /** The number of joints that rotate. */
    readonly jointCount: number;
    /** The colliders, for drawing. `node` is the index in the asset, or -1: fixed in the world. */
    readonly colliders: readonly { shape: 'sphere' | 'capsule' | 'plane'; node: number; inside: boolean; offset: number[];
        tail: number[]; normal: number[]; radius: number }[];
    /** Multiplies the weights of all chains, 0 to 1. */
    weight: number;
    /** The velocity of the air in the world, m/s. In a Scene that of the scene is used. */
    get wind(): Float32Array;
    set wind(wind: Vector);
    /**
     * Changes the pose, the matrices and the palettes of the mixer. `deltaTime` is that of its update, or the time since the
     * last call. `world` is the world matrix of the character in this frame, column-major; default the identity.
     */
    update(deltaTime: number, world?: ArrayLike<number>, wind?: Vector): void;
    /** Starts at rest in the next pose: after a seek. */
    reset(): void;
    readonly disposed: boolean;
    dispose(): void;
}

// ---- Inverse kinematics -----------------------------------------------------------------------------------------

/** The limits of a node. Defaults are those of sinew_ik_limit (ik_chain.h). */
export interface NodeLimits {
    node: NodeName;
    /** Default 'free'. */
    kind?: 'free' | 'cone' | 'hinge';
    /** In the node's local space: the direction of the bone for a cone, the axis of a hinge; default the direction to the next node. */
    axis?: Vector;
    /** The local rotation at which all angles are 0; default that of the rest pose. */
    rest?: ArrayLike<number>;
    /** The largest angle of the swing. */
    cone?: number;
    /** The smallest angle about the axis, 0 or less. */
    angleMin?: number;
    /** The largest angle about the axis. */
    angleMax?: number;
    /** 0, the default, to 1: how much less it rotates than other nodes. */
    stiffness?: number;
}

export interface ChainOptions {
    /** The first node. */
    root: NodeName;
    /** The node that is moved to the target, below the root. At most 64 nodes are from one to the other. */
    tip: NodeName;
    limits?: NodeLimits[];
    /** Default 'least-squares'. */
    method?: 'least-squares' | 'fabrik' | 'ccd';
    /** In model space; default [0, 0, 0]. */
    target?: Vector;
    pole?: Vector;
    poleWeight?: number;
    softness?: number;
    weight?: number;
    /** How often the solver starts again if it doesn't reach the target, 0 to 64; default 16. */
    restarts?: number;
}

/** A chain of nodes whose tip is moved to a target. */
export class Chain {
    constructor(solvers: Solvers, mixer: Mixer, options: ChainOptions);
    readonly mixer: Mixer;
    /** The position for the tip in model space. */
    get target(): Float32Array;
    set target(target: Vector);
    /** A position towards which the middle of the chain is moved, in model space. */
    get pole(): Float32Array;
    set pole(pole: Vector);
    /** The fraction of the rotation towards the pole; default 0. */
    poleWeight: number;
    /** The fraction of the length over which the tip falls behind a target before the chain is straight; default 0. */
    softness: number;
    /** Default 1. */
    weight: number;
    /** Changes the pose, the matrices and the palettes of the mixer. */
    update(): void;
    readonly disposed: boolean;
    dispose(): void;
}

export interface EffectorOptions {
    /** The body's root, or a node below it. */
    node: NodeName;
    target?: Vector;
    positionWeight?: number;
    rotation?: ArrayLike<number>;
    rotationWeight?: number;
    pull?: number;
    pin?: boolean;
}

/** A node of a body that is moved to a target. */
export class Effector {
    private constructor();
    /** The index of the node. */
    readonly node: number;
    /** In model space. */
    get target(): Float32Array;
    set target(target: Vector);
    /** Default 1. */
    positionWeight: number;
    /** In model space: a quaternion x, y, z, w. */
    get rotation(): Float32Array;
    set rotation(rotation: ArrayLike<number>);
    /** Default 0. */
    rotationWeight: number;
    /** How much the target moves the body, 0 to 1; default 1. At 0 only its own limb reaches for it. */
    pull: number;
    /** Whether it keeps the pose's position and rotation, and other effectors yield to it; default false. */
    pin: boolean;
}

export interface BodyOptions {
    /** The node that moves the whole body: the hips. */
    root: NodeName;
    /** At most 10. */
    effectors: EffectorOptions[];
    limits?: NodeLimits[];
    rootStiffness?: number;
    restBias?: number;
    weight?: number;
}

/** A body whose hands, feet, head and pelvis are moved to targets together. */
export class Body {
    constructor(solvers: Solvers, mixer: Mixer, options: BodyOptions);
    readonly mixer: Mixer;
    /** In the order of the options. */
    readonly effectors: readonly Effector[];
    /** 0 to 1: how much less the root moves than its nodes rotate; default 0.5. */
    rootStiffness: number;
    /** 0 to 1: how much the nodes return to the pose where the targets allow it; default 0.1. */
    restBias: number;
    /** Default 1. */
    weight: number;
    /** Changes the pose, the matrices and the palettes of the mixer. */
    update(): void;
    readonly disposed: boolean;
    dispose(): void;
}
