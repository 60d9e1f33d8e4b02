// SPDX-License-Identifier: MIT
/**
 * Springs, and inverse kinematics of chains and whole bodies. They edit a mixer's pose after its update. The results
 * are the C library's, to the last bit. Units are metres, seconds and radians. Weights are clamped to 0 to 1.
 *
 * Driven characters and scenes call `update` themselves: foot locks first, then chains and bodies in the order in which
 * you made them, then springs. Otherwise call it each frame in this order, after the update of the mixer or batch.
 * Disposing a mixer disposes its solvers.
 *
 * Solvers.load fetches a module of its own, sinew-solvers.wasm.
 */
import { Mixer } from './index.js';

/** A node of the asset: its index or name. A wrong name throws, with the nearest one. */
export type NodeName = number | string;
/** Three numbers. */
export type Vector = ArrayLike<number>;

/** The module. A page needs one. It works with the Sinew of every entry point. */
export class Solvers {
    /** Fetches and compiles sinew-solvers.wasm, from the package's folder. */
    static load(options?: {
        /** The module instead, for pages that fetch it themselves. */
        wasm?: BufferSource | WebAssembly.Module
    }): Promise<Solvers>;
    /** Call Solvers.load instead. */
    private constructor();
}

// ---- Springs ----------------------------------------------------------------------------------------------------

/** How a joint swings. */
export interface SpringValues {
    /** The pull towards the pose's direction, an acceleration, m/s²; default 20. 9.81 is as strong as gravity. */
    stiffness?: number;
    /** The half-life of motion relative to the pose, seconds; default 0.15. Infinity: none. */
    damping?: number;
    /** The half-life of motion relative to the air, seconds; default 0.5. Infinity: none. */
    drag?: number;
    /** In the world, m/s²; default [0, -9.81, 0]. */
    gravity?: Vector;
    /** How much of the wind reaches the joint, a factor; default 1. */
    wind?: number;
    /** The largest angle between the bone and its direction in the pose, 0 to π; default π: no limit. */
    limit?: number;
    /** The radius of the tail's sphere, which collides; default 0. */
    radius?: number;
}

/** Joints that swing, from the root to the tip. Its values apply to joints that don't have their own. */
export interface SpringChain extends SpringValues {
    /** Nodes, or nodes with their own values. Each is below the one before. A node may be in one chain only. */
    joints: (NodeName | ({
        /** The joint. */
        node: NodeName
    } & SpringValues))[];
    /** The end of the last joint, in its local space; default [0, 0, 0]: the last joint doesn't rotate. */
    tail?: Vector;
    /** The node in whose space inertia counts, such as the hips; default null: the world. */
    center?: NodeName | null;
    /** Indices of the definition's colliders; default none. */
    colliders?: number[];
    /** From the pose (0) to the springs (1); default 1. */
    weight?: number;
    /** Joints return to the rest pose, not to the pose; default false. */
    fromRest?: boolean;
}

/** A volume that tails stay out of. */
export interface SpringCollider {
    /** Default 'sphere'. */
    shape?: 'sphere' | 'capsule' | 'plane';
    /** The node that it moves with; default null: fixed in the world. */
    node?: NodeName | null;
    /** Spheres and capsules: tails stay inside instead; default false. */
    inside?: boolean;
    /** The centre, or an end of a capsule, in the node's local space or in the world; default [0, 0, 0]. */
    offset?: Vector;
    /** A capsule's other end; default [0, 0, 0]. */
    tail?: Vector;
    /** A plane's normal, towards the allowed side; default [0, 1, 0]. */
    normal?: Vector;
    /** Spheres and capsules; default 0. */
    radius?: number;
}

/** The springs of a character. */
export interface SpringsDefinition {
    /** Hair, scarves, tails. */
    chains: SpringChain[];
    /** Default none. */
    colliders?: SpringCollider[];
    /** The length of a simulation step, seconds, 0.001 to 0.1; default 1/60. */
    step?: number;
    /** The most steps in a frame, 1 to 1000; default 8. */
    maxSteps?: number;
    /** A chain whose parent moves farther in a frame was teleported, metres; default 2. */
    teleportDistance?: number;
}

/** The spring bones of a VRM file, with the file's values. Nodes are indices in the file. */
export interface SpringBones {
    /** The version of VRM. */
    version: '1.0' | '0.x';
    /** The file's colliders. */
    colliders: {
        /** The node, or -1. */
        node: number;
        /** The volume. */
        shape: 'sphere' | 'capsule' | 'plane';
        /** Tails stay inside. */
        inside: boolean;
        /** The centre, or an end of a capsule. */
        offset: number[];
        /** A capsule's other end. */
        tail: number[];
        /** A plane's normal. */
        normal: number[];
        /** Metres. */
        radius: number
    }[];
    /** Indices of colliders. */
    colliderGroups: number[][];
    /** The file's chains. */
    springs: {
        /** '' if the file has none. */
        name: string;
        /** VRM 0.x: the joints' descendants swing too. */
        subtrees: boolean;
        /** The node in whose space inertia counts, or -1. */
        center: number;
        /** Indices of collider groups. */
        colliderGroups: number[];
        /** The chain's joints, with VRM's values. */
        joints: {
            /** The node. */
            node: number;
            /** The radius of the tail's sphere. */
            hitRadius: number;
            /** VRM's stiffness. */
            stiffness: number;
            /** VRM's gravity. */
            gravityPower: number;
            /** The direction of gravity. */
            gravityDir: number[];
            /** VRM's drag, 0 to 1. */
            dragForce: number
        }[]
    }[];
}

/**
 * Reads the spring bones of a .vrm, .glb or .gltf, or of its JSON, such as `gltf.parser.json` of three.js: those of VRM
 * 1.0 or 0.x. Returns null if there are none.
 */
export function springsOf(file: BufferSource | object): SpringBones | null;

/**
 * The springs of one character. A mixer has one at most; its snapshots include it.
 *
 * @example
 * const solvers = await Solvers.load();
 * const springs = new Springs(solvers, mixer, springsOf(file)); // a VRM file
 * springs.wind = [2, 0, 0];
 * mixer.update(delta);
 * springs.update(delta); // each frame
 *
 * @example
 * const hair = { joints: ['Hair1', 'Hair2', 'Hair3'], tail: [0, 0.1, 0], stiffness: 12, radius: 0.02, colliders: [0] };
 * const head = { node: 'Head', offset: [0, 0.1, 0], radius: 0.12 };
 * const springs = new Springs(solvers, mixer, { chains: [hair], colliders: [head] });
 */
export class Springs {
    /** Copies `definition`. Throws for a wrong one, with the chain and joint, and if the mixer already has springs. */
    constructor(solvers: Solvers, mixer: Mixer, definition: SpringsDefinition | SpringBones, options?: {
        /** Multiplies the weights of all chains, 0 to 1; default 1. */
        weight?: number;
        /** The air's velocity in the world, m/s; default [0, 0, 0]. */
        wind?: Vector
    });
    /** The mixer whose pose it edits. */
    readonly mixer: Mixer;
    /** The number of joints that rotate. */
    readonly jointCount: number;
    /** The colliders, for drawing them. */
    readonly colliders: readonly {
        /** The volume. */
        shape: 'sphere' | 'capsule' | 'plane';
        /** The index in the asset; -1: fixed in the world. */
        node: number;
        /** Tails stay inside. */
        inside: boolean;
        /** The centre, or an end of a capsule. */
        offset: number[];
        /** A capsule's other end. */
        tail: number[];
        /** A plane's normal. */
        normal: number[];
        /** Metres. */
        radius: number
    }[];
    /** Multiplies the weights of all chains, 0 to 1; default 1. */
    weight: number;
    /** The air's velocity in the world, m/s; default [0, 0, 0]. In a Scene, Scene.wind counts instead. */
    get wind(): Float32Array;
    set wind(wind: Vector);
    /**
     * Changes the mixer's pose, matrices and palettes. `deltaTime` is the seconds since the last call; the mixer's
     * timeScale applies. `world` is the character's world matrix in this frame, column-major; default the identity.
     * `wind` defaults to the property.
     */
    update(deltaTime: number, world?: ArrayLike<number>, wind?: Vector): void;
    /** Starts at rest in the next pose. Call it after a seek. */
    reset(): void;
    /** Whether dispose was called. */
    readonly disposed: boolean;
    /** Removes it from its mixer. */
    dispose(): void;
}

// ---- Inverse kinematics -----------------------------------------------------------------------------------------

/** How far a node may rotate. Angles are radians. */
export interface NodeLimits {
    /** The node. */
    node: NodeName;
    /** 'hinge': about one axis, like knees and elbows. Default 'free'. */
    kind?: 'free' | 'cone' | 'hinge';
    /** In the node's local space: a cone's direction or a hinge's axis. Default: towards the next node. */
    axis?: Vector;
    /** The local rotation at which all angles are 0, a quaternion; default that of the rest pose. */
    rest?: ArrayLike<number>;
    /** The largest angle of the swing; default no limit. */
    cone?: number;
    /** The smallest angle about the axis, 0 or less; default no limit. */
    angleMin?: number;
    /** The largest angle about the axis, 0 or more; default no limit. */
    angleMax?: number;
    /** How much less it rotates than other nodes, 0 to 1; default 0. At 1 it doesn't rotate. */
    stiffness?: number;
}

/** How to make a chain. */
export interface ChainOptions {
    /** The first node. */
    root: NodeName;
    /** The node that is moved to the target. It is below the root, with at most 64 nodes from one to the other. */
    tip: NodeName;
    /** Limits of the chain's nodes; default none. */
    limits?: NodeLimits[];
    /** Default 'least-squares': for spines, arms and limits. 'fabrik' is for ropes, 'ccd' for tentacles and fingers. */
    method?: 'least-squares' | 'fabrik' | 'ccd';
    /** In model space; default [0, 0, 0]. */
    target?: Vector;
    /** Where the middle of the chain points, in model space. Set `poleWeight` too. */
    pole?: Vector;
    /** Default 0. */
    poleWeight?: number;
    /** Default 0. */
    softness?: number;
    /** Default 1. */
    weight?: number;
    /** How often the solver starts again if it misses the target, 0 to 64; default 16. With 0 the chain never jumps. */
    restarts?: number;
}

/**
 * A chain of nodes whose tip reaches for a target: an arm, a spine, a tail.
 *
 * @example
 * const arm = new Chain(solvers, mixer, { root: 'UpperArm_L', tip: 'Hand_L' });
 * arm.target = [0.3, 1.2, 0.4];
 * mixer.update(delta);
 * arm.update(); // each frame
 */
export class Chain {
    /** Throws if the tip isn't below the root. */
    constructor(solvers: Solvers, mixer: Mixer, options: ChainOptions);
    /** The mixer whose pose it edits. */
    readonly mixer: Mixer;
    /** Where the tip goes, in model space. Assign a new vector each frame. */
    get target(): Float32Array;
    set target(target: Vector);
    /** Where the middle of the chain points, in model space. Keep it away from the line from root to tip. */
    get pole(): Float32Array;
    set pole(pole: Vector);
    /** How far the chain turns towards the pole, 0 to 1; default 0. */
    poleWeight: number;
    /** The fraction of the length in which the tip falls behind, so a limb doesn't snap straight; default 0. */
    softness: number;
    /** From the pose (0) to the solution (1); default 1. */
    weight: number;
    /** Changes the mixer's pose, matrices and palettes. */
    update(): void;
    /** Whether dispose was called. */
    readonly disposed: boolean;
    /** Removes it from its mixer. */
    dispose(): void;
}

/** How to make an effector. */
export interface EffectorOptions {
    /** The body's root, or a node below. */
    node: NodeName;
    /** In model space; default [0, 0, 0]. */
    target?: Vector;
    /** Default 1. */
    positionWeight?: number;
    /** In model space, a quaternion; default [0, 0, 0, 1]. */
    rotation?: ArrayLike<number>;
    /** Default 0. */
    rotationWeight?: number;
    /** Default 1. */
    pull?: number;
    /** Default false. */
    pin?: boolean;
}

/** A node of a body that is moved to a target. */
export class Effector {
    /** Made by Body, one for each of its options. */
    private constructor();
    /** The node's index. */
    readonly node: number;
    /** Where the node goes, in model space. */
    get target(): Float32Array;
    set target(target: Vector);
    /** From the pose's position (0) to the target (1); default 1. */
    positionWeight: number;
    /** How the node is rotated, in model space: a quaternion. */
    get rotation(): Float32Array;
    set rotation(rotation: ArrayLike<number>);
    /** From rotating with its parent (0) to `rotation` (1); default 0. */
    rotationWeight: number;
    /** How much the target moves the body, 0 to 1; default 1. At 0 only its own limb reaches. */
    pull: number;
    /** Keeps the pose's position and rotation, and other effectors yield: a planted foot. Default false. */
    pin: boolean;
}

/** How to make a body. */
export interface BodyOptions {
    /** The node that moves the whole body: the hips. */
    root: NodeName;
    /** At most 10. At most 64 nodes are from the root to all of them. */
    effectors: EffectorOptions[];
    /** Limits of the body's nodes; default none. */
    limits?: NodeLimits[];
    /** Default 0.5. */
    rootStiffness?: number;
    /** Default 0.1. */
    restBias?: number;
    /** Default 1. */
    weight?: number;
}

/**
 * A body whose hands, feet, head and hips are moved to targets together.
 *
 * @example
 * const body = new Body(solvers, mixer, { root: 'Hips', effectors: [
 *     { node: 'Hand_R', target: [-0.3, 1.5, 0.4] }, { node: 'Foot_L', pin: true }, { node: 'Foot_R', pin: true }] });
 * mixer.update(delta);
 * body.update(); // each frame
 */
export class Body {
    /** Throws if an effector isn't below the root, or there are too many. */
    constructor(solvers: Solvers, mixer: Mixer, options: BodyOptions);
    /** The mixer whose pose it edits. */
    readonly mixer: Mixer;
    /** In the order of the options. */
    readonly effectors: readonly Effector[];
    /** How much less the root moves than its nodes rotate, 0 to 1; default 0.5. At 1 it doesn't move. */
    rootStiffness: number;
    /** How much nodes return to the pose where the targets allow it, 0 to 1; default 0.1. */
    restBias: number;
    /** From the pose (0) to the solution (1); default 1. In between, pinned nodes leave their positions. */
    weight: number;
    /** Changes the mixer's pose, matrices and palettes. */
    update(): void;
    /** Whether dispose was called. */
    readonly disposed: boolean;
    /** Removes it from its mixer. */
    dispose(): void;
}
