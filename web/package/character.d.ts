// SPDX-License-Identifier: MIT
/**
 * Everything in 'sinew-animation', and characters: a graph with a rig, which plants feet, looks, reaches and swings
 * after the clips have been blended. See docs/rig.md in the repository for the steps of rigs. Use the Sinew of this
 * entry for the assets and graphs of your characters.
 */
import { Animator, Asset, Graph, MixerOptions, Numbers, Snapshot, Transform } from './index.js';

export * from './index.js';

/** A place on the ground. */
export interface Ground {
    /** Directly above or below the place that was asked for. */
    readonly position: Float32Array;
    /** A unit vector. */
    readonly normal: Float32Array;
}

/** Where something is in the world. */
export interface WorldTransform<T = ArrayLike<number>> {
    /** In meters. */
    position: T;
    /** A unit quaternion x, y, z, w. */
    rotation: T;
    /** The same in all directions. Must be above 0. */
    scale: number;
}

/** A step of kind callback while it runs. The next one uses the same object. */
export interface CallbackStep {
    /** The step's index in the graph. */
    readonly index: number;
    /** The step's name. */
    readonly name: string;
    /** How much to apply, above 0 and up to 1. */
    readonly weight: number;
    /** Seconds since the last update. */
    readonly deltaTime: number;
    /** Writes the local transform of a node after the steps before this one to `target`, and returns it. */
    nodeTransform<T extends Record<keyof Transform, Numbers>>(node: number, target: T): T;
    /** Returns the local transform of a node. */
    nodeTransform(node: number): Transform;
    /** Writes a node's matrix to model space to `target`, and returns it. */
    nodeMatrix<T extends Numbers>(node: number, target: T): T;
    /** Returns it as a column-major 4x4 matrix with 16 floats. */
    nodeMatrix(node: number): Float32Array;
    /**
     * Changes the local transform of a node, and updates the matrices of the node and of all nodes below it. Anything
     * you leave out stays as it is. Throws after the step has ended, or if the rotation isn't a unit quaternion.
     */
    setNodeTransform(node: number, transform: { [Property in keyof Transform]?: ArrayLike<number> }): this;
}

/** Something in a written state that a character doesn't have. */
export interface UnknownName {
    /** What it is, such as 'state', 'parameter', 'clip' or 'step'. */
    kind: string;
    /** The name in the state, which may be from an untrusted source. */
    name: string;
}

/**
 * The steps of a graph, looked up in an asset. All characters of the asset share it. If the asset is a VRM avatar,
 * steps of springs without chains use the avatar's own.
 *
 * @example
 * const rig = new Rig(hero, await sinew.fetchGraph('hero.character.json'));
 * const character = new Character(rig, { ground });
 */
export class Rig {
    /**
     * Finds the nodes, roles and clips of the graph's steps. Takes a while if feet are locked, because the clips are
     * searched for contacts. Throws if something is missing. The message names the step, and has the line in the
     * graph's text, which is also the error's `line`. Roles come from VRM data, or from the names and places of the
     * nodes.
     */
    constructor(asset: Asset, graph: Graph);
    /** As passed in. */
    readonly asset: Asset;
    /** As passed in. */
    readonly graph: Graph;
    /** True after you call dispose. */
    readonly disposed: boolean;
    /** After this, you can't create new characters. The memory is freed with the last character. */
    dispose(): void;
}

/** Options for a new character. */
export interface CharacterDefinition extends MixerOptions {
    /**
     * Finds the ground above or below a place in the world. Change `ground`, which starts at the place with a normal
     * that points up. Return false if there isn't any ground. It is called several times in each update, and its
     * errors are thrown by the update. Don't dispose the character in it. If you cast rays in batches, pass null and
     * call setGrounds instead. Required if a step is a footPlacement.
     */
    ground?: ((place: Float32Array, ground: Ground) => boolean | void) | null;
    /**
     * Runs the steps of kind callback, each at its place in the rig. It is only called with a weight above 0. Change the
     * pose with `step.setNodeTransform`, and nothing else of the character. Its errors are thrown by the update.
     * Required if the rig has such steps.
     */
    step?: ((step: CallbackStep) => void) | null;
    /** Where the character starts. Anything you leave out is the identity. */
    world?: Partial<WorldTransform>;
}

/**
 * A character plays a graph, moves through the world and runs a rig on its pose, all in one update. It is an
 * Animator, so you set parameters and ask for states in the same way. Its mixer has the matrices and palettes after
 * all steps.
 *
 * @example
 * const ground = (place, { position }) => { position[1] = heightAt(place[0], place[2]); };
 * const character = new Character(rig, { ground });
 * character.set('move', 0, 1.2).set('lookAt', [1, 1.5, 2]); // each frame
 * character.update(delta);
 * draw(character.palette(), character.world());
 */
export class Character extends Animator {
    /**
     * Creates a character in the first state of each layer. With the option `rootMotion`, the clips move it, and
     * steps that are root warps need it. Throws if an option is wrong, or if the rig needs one that isn't there.
     */
    constructor(rig: Rig, options?: CharacterDefinition);
    /** As passed in. */
    readonly rig: Rig;

    /**
     * Advances the character by `deltaTime` seconds: the same as begin and end. Updating the mixer or a driven
     * character does the same. Returns true.
     */
    update(deltaTime: number): boolean;
    /**
     * The first half of an update: takes transitions, advances the clips, and moves the character by its root motion.
     * Next, look at where it wants to be, collide, call setWorld, and call end.
     */
    begin(deltaTime: number): this;
    /** The second half of an update: computes the pose, runs the rig, and calls the listeners of events. */
    end(): this;
    /**
     * Returns the places whose ground the update asks for, to be answered in one go. Call it after begin, change each
     * ground, and pass them to setGrounds before you call end. A normal of [0, 0, 0] means that there isn't any
     * ground. The next call changes the same objects.
     */
    groundPlaces(): Ground[];
    /** Answers groundPlaces for this update, instead of calling `ground`. Throws for more than 48 places. */
    setGrounds(grounds: readonly Ground[]): this;

    /** Returns the joint matrices of a skin after the last update: the same as the mixer's palette. Default 0. */
    palette(skin?: number): Float32Array;
    /** Writes a node's matrix to world space after the last update to `target`, and returns it. */
    nodeWorldMatrix<T extends Numbers>(node: number, target: T): T;
    /** Returns it as a column-major 4x4 matrix with 16 floats. Use this for a sword in a hand, or for a camera. */
    nodeWorldMatrix(node: number): Float32Array;
    /**
     * Returns how much a step applied in the last update, from 0 to 1, including damping. Throws for an unknown name.
     */
    stepWeight(step: string): number;

    /** Writes where the character is to `target`, and returns it. */
    world<T extends WorldTransform<Numbers>>(target: T): T;
    /** Returns where the character is. */
    world(): WorldTransform<Float32Array>;
    /**
     * Moves the character. Feet and springs react to the motion, so use this for a character that walks, is pushed or
     * rides. Anything you leave out stays as it is.
     */
    setWorld(world: Partial<WorldTransform>): this;
    /**
     * Puts the character somewhere else. Feet and springs start over there, at rest. Anything you leave out stays as
     * it is.
     */
    teleport(world: Partial<WorldTransform>): this;
    /**
     * Carries the character on something that moves, such as an elevator or a horse. Call this before each update
     * with the platform's current transform, whose scale is ignored. Anything you leave out is the identity. Planted
     * feet stay planted on the platform, and springs feel the ride. To change platforms, call getOff in between.
     */
    ride(platform: Partial<WorldTransform>): this;
    /** Ends a ride. The character and its feet stay where they are. */
    getOff(): this;
    /** Sets the velocity of the air in the world for springs, in m/s. The default is [0, 0, 0]. */
    setWind(wind: ArrayLike<number>): this;
    /**
     * Sets how much the character matters, such as its height on the screen. Steps that ask for more are switched
     * off. Must be 0 or more. The default is Infinity.
     */
    setSignificance(significance: number): this;

    /**
     * Saves everything: the animator, the steps' states and the world. This is the same as calling the mixer's save.
     */
    save(snapshot?: Snapshot): Snapshot;
    /** Restores a state. If you then repeat the same calls, the results are bit-identical. */
    restore(snapshot: Snapshot): this;
    /**
     * Returns everything as bytes that any version of Sinew with this format can read, on any machine and also in C.
     * Use this for saved games and for players who join late. Masks and blend spaces that you made yourself are left
     * out.
     */
    write(): Uint8Array;
    /**
     * Reads what `write` wrote, and returns what this character doesn't have, which is left out. It's safe to read
     * bytes from an untrusted source. Throws if they are damaged, and then nothing changes.
     */
    read(bytes: ArrayBuffer | ArrayBufferView): UnknownName[];
    /** A hash of everything that is saved. The same calls give the same hash on every machine, and also in C. */
    readonly hash: bigint;

    /**
     * Throws: a character has the graph of its rig. Make a Rig of the other graph, and a Character that adopts this
     * one.
     */
    setGraph(): never;
}
