// SPDX-License-Identifier: MIT
/**
 * Springs, and inverse kinematics for chains and whole bodies. They edit the pose of a mixer after its update. Results
 * are bit-identical to the C library. Units are meters, seconds and radians. Weights are clamped to [0, 1].
 *
 * Driven characters and scenes call `update` for you. They update foot locks first, then chains and bodies in creation
 * order, and then springs. If you don't use them, call `update` each frame in the same order, after you update the
 * mixer or batch. When you dispose a mixer, its solvers are also disposed.
 *
 * Solvers.load fetches a separate module, sinew-solvers.wasm.
 */
import { Mixer } from './index.js';

/** A node in the asset, by index or name. If the name is wrong, the call throws and suggests the closest name. */
export type NodeName = number | string;
/** Three numbers. */
export type Vector = ArrayLike<number>;

/** The module. You need one per page. It works with the Sinew from all entry points. */
export class Solvers {
    /** Fetches sinew-solvers.wasm from the package's folder and compiles it. */
    static load(options?: {
        /** The module, if you prefer to fetch it yourself. */
        wasm?: BufferSource | WebAssembly.Module
    }): Promise<Solvers>;
    /** Use Solvers.load instead. */
    private constructor();
}

// ---- Springs ----------------------------------------------------------------------------------------------------

/** How a joint swings. */
export interface SpringValues {
    /**
     * How hard the joint is pulled toward its direction in the pose. This is an acceleration in m/s². A value of 9.81
     * is as strong as gravity. Default 20.
     */
    stiffness?: number;
    /** The half-life of motion relative to the pose, in seconds. Infinity disables damping. Default 0.15. */
    damping?: number;
    /** The half-life of motion relative to the air, in seconds. Infinity disables drag. Default 0.5. */
    drag?: number;
    /** Gravity in the world, in m/s². Default [0, -9.81, 0]. */
    gravity?: Vector;
    /** How much of the wind reaches the joint, as a factor. Default 1. */
    wind?: number;
    /**
     * The maximum angle between the bone and its direction in the pose, from 0 to π. Default π, which means no limit.
     */
    limit?: number;
    /** The radius of the sphere at the tail, which is used for collisions. Default 0. */
    radius?: number;
}

/** Joints that swing, from root to tip. The values in the chain apply to all joints that don't have their own. */
export interface SpringChain extends SpringValues {
    /**
     * The nodes, optionally with their own values. Each node must be a descendant of the one before. A node can only be
     * in one chain.
     */
    joints: (NodeName | ({
        /** The joint's node. */
        node: NodeName
    } & SpringValues))[];
    /** The end of the last joint, in its local space. If this is [0, 0, 0] (default), the last joint doesn't rotate. */
    tail?: Vector;
    /** Inertia is relative to this node, for example the hips. null (default) means relative to the world. */
    center?: NodeName | null;
    /** Indices into the definition's colliders. Default none. */
    colliders?: number[];
    /** Blends from the pose (0) to the springs (1). Default 1. */
    weight?: number;
    /** Joints return to the rest pose instead of the current pose. Default false. */
    fromRest?: boolean;
}

/** A volume that tails stay out of. */
export interface SpringCollider {
    /** Default 'sphere'. */
    shape?: 'sphere' | 'capsule' | 'plane';
    /** The node it moves with. null (default) means fixed in the world. */
    node?: NodeName | null;
    /** For spheres and capsules, keep tails inside instead. Default false. */
    inside?: boolean;
    /**
     * The center, or one end of a capsule. In the node's local space, or in the world if there is no node. Default [0,
     * 0, 0].
     */
    offset?: Vector;
    /** The other end of a capsule. Default [0, 0, 0]. */
    tail?: Vector;
    /** The normal of a plane, which points toward the allowed side. Default [0, 1, 0]. */
    normal?: Vector;
    /** The radius of a sphere or a capsule. Default 0. */
    radius?: number;
}

/** The springs of a character. */
export interface SpringsDefinition {
    /** Hair, scarves, tails and so on. */
    chains: SpringChain[];
    /** Default none. */
    colliders?: SpringCollider[];
    /** The time step of the simulation in seconds, from 0.001 to 0.1. Default 1/60. */
    step?: number;
    /** The maximum number of steps per frame, from 1 to 1000. Default 8. */
    maxSteps?: number;
    /**
     * If the parent of a chain moves farther than this in one frame, it is treated as a teleport. In meters. Default 2.
     */
    teleportDistance?: number;
}

/** The spring bones in a VRM file, with the original values. Nodes are indices in the file. */
export interface SpringBones {
    /** The VRM version. */
    version: '1.0' | '0.x';
    /** The file's colliders. */
    colliders: {
        /** The node, or -1. */
        node: number;
        /** The shape of the volume. */
        shape: 'sphere' | 'capsule' | 'plane';
        /** True if tails stay inside. */
        inside: boolean;
        /** The center, or one end of a capsule. */
        offset: number[];
        /** The other end of a capsule. */
        tail: number[];
        /** The normal of a plane. */
        normal: number[];
        /** In meters. */
        radius: number
    }[];
    /** Indices of colliders in each group. */
    colliderGroups: number[][];
    /** The file's chains. */
    springs: {
        /** '' if the file doesn't have one. */
        name: string;
        /** In VRM 0.x, the joints' descendants also swing. */
        subtrees: boolean;
        /** Inertia is relative to this node, or to the world if it is -1. */
        center: number;
        /** Indices of collider groups. */
        colliderGroups: number[];
        /** The chain's joints, with VRM's values. */
        joints: {
            /** The node. */
            node: number;
            /** The radius of the sphere at the tail. */
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
 * Reads the spring bones from a .vrm, .glb or .gltf file, or from its JSON, such as `gltf.parser.json` in three.js. VRM
 * 1.0 and 0.x are supported. Returns null if there aren't any spring bones.
 */
export function springsOf(file: BufferSource | object): SpringBones | null;

/**
 * The springs of one character. A mixer can only have one of these, and the mixer's snapshots include it.
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
    /**
     * Creates springs from a copy of `definition`. Throws if the definition is invalid, or if the mixer already has
     * springs. The message contains the chain and joint.
     */
    constructor(solvers: Solvers, mixer: Mixer, definition: SpringsDefinition | SpringBones, options?: {
        /** Multiplies the weights of all chains. 0 to 1. Default 1. */
        weight?: number;
        /** The velocity of the air in the world, in m/s. Default [0, 0, 0]. */
        wind?: Vector
    });
    /** The mixer whose pose it edits. */
    readonly mixer: Mixer;
    /** The number of joints that rotate. */
    readonly jointCount: number;
    /** The colliders. You can use this to draw them. */
    readonly colliders: readonly {
        /** The shape of the volume. */
        shape: 'sphere' | 'capsule' | 'plane';
        /** The index in the asset, or -1 if it is fixed in the world. */
        node: number;
        /** True if tails stay inside. */
        inside: boolean;
        /** The center, or one end of a capsule. */
        offset: number[];
        /** The other end of a capsule. */
        tail: number[];
        /** The normal of a plane. */
        normal: number[];
        /** In meters. */
        radius: number
    }[];
    /** Multiplies the weights of all chains. 0 to 1. Default 1. */
    weight: number;
    /**
     * The velocity of the air in the world, in m/s. If the character is in a Scene, Scene.wind is used instead. Default
     * [0, 0, 0].
     */
    get wind(): Float32Array;
    set wind(wind: Vector);
    /**
     * Changes the mixer's pose, matrices and palettes. `deltaTime` is the time since the last call in seconds. The
     * mixer's timeScale also applies here. `world` is the character's column-major world matrix for this frame.
     * Defaults to the identity. `wind` defaults to the `wind` property.
     */
    update(deltaTime: number, world?: ArrayLike<number>, wind?: Vector): void;
    /** Makes the springs start at rest in the next pose. Call this after a seek. */
    reset(): void;
    /** True after you call dispose. */
    readonly disposed: boolean;
    /** Removes the solver from its mixer. */
    dispose(): void;
}

// ---- Inverse kinematics -----------------------------------------------------------------------------------------

/** How far a node can rotate. Angles are in radians. */
export interface NodeLimits {
    /** The node. */
    node: NodeName;
    /** 'hinge' limits the rotation to one axis, like in knees and elbows. Default 'free'. */
    kind?: 'free' | 'cone' | 'hinge';
    /**
     * The direction of a cone or the axis of a hinge, in the node's local space. By default, it points toward the next
     * node.
     */
    axis?: Vector;
    /** The local rotation where all angles are 0, as a quaternion. Defaults to the rotation in the rest pose. */
    rest?: ArrayLike<number>;
    /** The maximum swing angle. Defaults to no limit. */
    cone?: number;
    /** The minimum angle about the axis, 0 or less. Defaults to no limit. */
    angleMin?: number;
    /** The maximum angle about the axis, 0 or more. Defaults to no limit. */
    angleMax?: number;
    /** How much the node resists rotating, from 0 to 1. At 1 it doesn't rotate at all. Default 0. */
    stiffness?: number;
}

/** Options for creating a chain. */
export interface ChainOptions {
    /** The first node. */
    root: NodeName;
    /**
     * The node to move to the target. It must be a descendant of the root, and there can be at most 64 nodes from root
     * to tip.
     */
    tip: NodeName;
    /** Limits for the chain's nodes. Default none. */
    limits?: NodeLimits[];
    /**
     * Use 'least-squares' (default) for spines, arms and all chains with limits, 'fabrik' for ropes, and 'ccd' for
     * tentacles and fingers.
     */
    method?: 'least-squares' | 'fabrik' | 'ccd';
    /** The target position in model space. Default [0, 0, 0]. */
    target?: Vector;
    /** A position in model space that the middle of the chain points at. You also need to set `poleWeight`. */
    pole?: Vector;
    /** Default 0. */
    poleWeight?: number;
    /** Default 0. */
    softness?: number;
    /** Default 1. */
    weight?: number;
    /**
     * How often the solver starts over if it misses the target, from 0 to 64. If this is 0, the chain never jumps.
     * Default 16.
     */
    restarts?: number;
}

/**
 * A chain of nodes whose tip reaches for a target, such as an arm, a spine or a tail.
 *
 * @example
 * const arm = new Chain(solvers, mixer, { root: 'UpperArm_L', tip: 'Hand_L' });
 * arm.target = [0.3, 1.2, 0.4];
 * mixer.update(delta);
 * arm.update(); // each frame
 */
export class Chain {
    /** Throws if the tip isn't a descendant of the root. */
    constructor(solvers: Solvers, mixer: Mixer, options: ChainOptions);
    /** The mixer whose pose it edits. */
    readonly mixer: Mixer;
    /** The target position for the tip, in model space. You can assign a new vector each frame. */
    get target(): Float32Array;
    set target(target: Vector);
    /**
     * A position in model space that the middle of the chain points at. Keep it away from the line between root and
     * tip.
     */
    get pole(): Float32Array;
    set pole(pole: Vector);
    /** How far the chain turns toward the pole, from 0 to 1. Default 0. */
    poleWeight: number;
    /**
     * Keeps limbs from snapping straight. As the chain straightens, the tip starts to lag behind the target once only
     * this fraction of the chain's length is left. Default 0.
     */
    softness: number;
    /** Blends from the pose (0) to the solution (1). Default 1. */
    weight: number;
    /** Changes the mixer's pose, matrices and palettes. */
    update(): void;
    /** True after you call dispose. */
    readonly disposed: boolean;
    /** Removes the solver from its mixer. */
    dispose(): void;
}

/** Options for creating an effector. */
export interface EffectorOptions {
    /** The body's root or a descendant. */
    node: NodeName;
    /** The target position in model space. Default [0, 0, 0]. */
    target?: Vector;
    /** Default 1. */
    positionWeight?: number;
    /** The target rotation in model space, as a quaternion. Default [0, 0, 0, 1]. */
    rotation?: ArrayLike<number>;
    /** Default 0. */
    rotationWeight?: number;
    /** Default 1. */
    pull?: number;
    /** Default false. */
    pin?: boolean;
}

/** A node in a body that moves to a target. */
export class Effector {
    /** Effectors are created by Body. */
    private constructor();
    /** The node's index. */
    readonly node: number;
    /** The target position for the node, in model space. */
    get target(): Float32Array;
    set target(target: Vector);
    /** Blends from the position in the pose (0) to the target (1). Default 1. */
    positionWeight: number;
    /** The target rotation for the node in model space, as a quaternion. */
    get rotation(): Float32Array;
    set rotation(rotation: ArrayLike<number>);
    /** 0 lets the node rotate with its parent, and 1 rotates it to `rotation`. Default 0. */
    rotationWeight: number;
    /**
     * How much the target moves the whole body, from 0 to 1. If it is 0, only the node's own limb reaches for the
     * target. Default 1.
     */
    pull: number;
    /**
     * Keeps the position and rotation from the pose, and makes other effectors yield. Use this for planted feet.
     * Default false.
     */
    pin: boolean;
}

/** Options for creating a body. */
export interface BodyOptions {
    /** The node that moves the whole body, usually the hips. */
    root: NodeName;
    /** Up to 10 effectors. There can be at most 64 nodes between the root and the effectors in total. */
    effectors: EffectorOptions[];
    /** Limits for the body's nodes. Default none. */
    limits?: NodeLimits[];
    /** Default 0.5. */
    rootStiffness?: number;
    /** Default 0.1. */
    restBias?: number;
    /** Default 1. */
    weight?: number;
}

/**
 * A body that moves its hands, feet, head and hips to targets at the same time.
 *
 * @example
 * const body = new Body(solvers, mixer, { root: 'Hips', effectors: [
 *     { node: 'Hand_R', target: [-0.3, 1.5, 0.4] }, { node: 'Foot_L', pin: true }, { node: 'Foot_R', pin: true }] });
 * mixer.update(delta);
 * body.update(); // each frame
 */
export class Body {
    /** Throws if an effector isn't a descendant of the root, or if there are too many effectors. */
    constructor(solvers: Solvers, mixer: Mixer, options: BodyOptions);
    /** The mixer whose pose it edits. */
    readonly mixer: Mixer;
    /** The effectors, in the same order as in the options. */
    readonly effectors: readonly Effector[];
    /** How much the root resists moving, compared to the nodes. 0 to 1. At 1 it doesn't move at all. Default 0.5. */
    rootStiffness: number;
    /** How much nodes are pulled back to the pose if the targets allow it, from 0 to 1. Default 0.1. */
    restBias: number;
    /**
     * Blends from the pose (0) to the solution (1). If it is in between, pinned nodes don't stay in place. Default 1.
     */
    weight: number;
    /** Changes the mixer's pose, matrices and palettes. */
    update(): void;
    /** True after you call dispose. */
    readonly disposed: boolean;
    /** Removes the solver from its mixer. */
    dispose(): void;
}
