// SPDX-License-Identifier: MIT
// The root warp of the timeline's clip. It moves the main character so the clip ends at a goal. The pose contains the
// clip's root motion, so the character's world transform is the warped motion after the inverse of the clip's.
import { Mixer, RootWarp } from './sinew/index.js';
import { fromTransform, IDENTITY, inverseOfRigid, multiply } from './affine.js';
import { rootOf } from './locomotion.js';
/** @import { Stage } from './stage.js' */

const ADDED_SPEED = 6; // m/s, so clips without travel also reach a goal
const AHEAD = 1; // metres from the clip's end to the first goal
const ORIGIN = { position: [0, 0, 0] };
const UNSCALED = [1, 1, 1];

// The marker that starts a window NAME to NAME.end; null if there isn't one.
function namedWindow({ markers }) {
    const isEndOf = ({ name, time }) => (other) => other.name === `${name}.end` && other.time > time;
    return markers.find((marker) => markers.some(isEndOf(marker)))?.name ?? null;
}

// The warp's window: a named one, from the first marker to the last, or the whole clip.
function windowOf(clip) {
    const { markers, duration } = clip, first = markers[0]?.time ?? 0, last = markers.at(-1)?.time ?? 0;
    return namedWindow(clip) ?? (last > first ? [first, last] : [0, duration]);
}

const toMatrix = ({ position, facing }) => fromTransform({ translation: position, rotation: facing, scale: UNSCALED });

export class Warping {
    #mixer = null; // with root motion; it doesn't play anything
    #clip = null;
    #warps = null; // the clip's { warped, unwarped }; null if it can't be warped
    #time = 0;

    constructor(/** @type {Stage} */ stage) {
        this.stage = stage;
    }

    /** Forgets the character. Its asset has disposed the warps. */
    begin() {
        this.#mixer = this.#clip = this.#warps = null;
    }

    /** Whether the character is warped now. */
    get acts() {
        return this.#warps !== null;
    }

    /** The window in seconds, with the markers' names or null. */
    get window() {
        const { warped: { start, end, clip } } = this.#warps;
        const nameAt = (time) => clip.markers.find((marker) => Math.fround(marker.time) === time)?.name ?? null;
        return { start, end, names: [nameAt(start), nameAt(end)] };
    }

    /** How far the goal is missed, in metres. */
    get missedDistance() {
        return this.#warps.warped.missedDistance;
    }

    /** The goal's position. If the stage has none, it's ahead of the clip's end. */
    get goal() {
        const { position: [x, y, z] } = this.#end;
        return this.stage.warp.goal ?? [x, y, z + AHEAD];
    }

    // Where the clip ends the window without a warp.
    get #end() {
        const { unwarped } = this.#warps;
        return unwarped.at(unwarped.end);
    }

    /** The character's positions at a time of the clip, with and without the warp. */
    positionsAt(time) {
        const { warped, unwarped } = this.#warps;
        return { warped: warped.at(time).position, unwarped: unwarped.at(time).position };
    }

    /** The character's world transform at a time of the clip. */
    worldAt(time, target = new Float32Array(12)) {
        if (!this.#warps) return IDENTITY;
        const { warped, unwarped } = this.#warps;
        return multiply(target, toMatrix(warped.at(time)), inverseOfRigid(toMatrix(unwarped.at(time))));
    }

    // The clip, if one plays alone, or null.
    get #playing() {
        const { stage } = this, { asset } = stage.character;
        return stage.warp.on && stage.clip >= 0 ? asset.clips[stage.clip] : null;
    }

    #warpOf(clip, options) {
        return new RootWarp(this.#mixer, clip, { window: windowOf(clip), ...options });
    }

    #make(clip) {
        const { asset } = this.stage.character;
        this.#mixer ??= new Mixer(asset, { maxActions: 1, layers: 1, rootMotion: { node: rootOf(asset) } });
        const unwarped = this.#warpOf(clip, { maxSpeed: 1, maxTurnRate: 0 }).begin(ORIGIN, ORIGIN);
        this.#warps = { warped: this.#warpOf(clip, { addedSpeed: ADDED_SPEED }), unwarped };
        this.aim();
    }

    #drop() {
        this.#warps?.warped.dispose();
        this.#warps?.unwarped.dispose();
        this.#warps = null;
    }

    /** Takes the stage's goal. */
    aim() {
        if (this.#warps) this.#warps.warped.begin(ORIGIN, { position: this.goal, facing: this.#end.facing });
    }

    // Follows the clip that plays. Doesn't warp a clip that can't be warped, such as a pose without duration.
    #follow(clip) {
        if (clip === this.#clip) return;
        this.#drop();
        this.#clip = clip;
        try {
            if (clip) this.#make(clip);
        } catch (error) {
            this.#drop();
            this.stage.tell('note', `“${clip.name}” isn't warped: ${error.message}.`);
        }
    }

    /** Moves the character along the warp. Returns whether it moved. */
    update() {
        const { character: { world }, time, solving } = this.stage, hasActed = this.acts;
        this.#follow(this.#playing);
        if (!this.acts && !hasActed) return false;
        const before = world.slice();
        world.set(this.worldAt(time));
        if (time < this.#time) solving?.reset(); // the next cycle starts at the origin
        this.#time = time;
        return world.some((value, i) => value !== before[i]);
    }
}
