// SPDX-License-Identifier: MIT
// The spring panel's wind.

/** Writes the air's velocity in the world to `target`, and returns it. */
export function windOf({ speed, angle }, target) {
    const turn = angle * Math.PI / 180;
    target[0] = speed * Math.sin(turn);
    target[2] = speed * Math.cos(turn);
    return target;
}
