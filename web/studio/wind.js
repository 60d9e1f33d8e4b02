// SPDX-License-Identifier: MIT
// The wind of the panel of springs.

/** Writes the velocity of the air in the world to `target`, and returns it. */
export function windOf({ speed, angle }, target) {
    const turn = angle * Math.PI / 180;
    target[0] = speed * Math.sin(turn);
    target[2] = speed * Math.cos(turn);
    return target;
}
