// SPDX-License-Identifier: MIT
// Rotations as Euler angles for input fields: degrees about x, then y, then z, about fixed axes.
const DEGREE = Math.PI / 180;

/** The quaternion x, y, z, w of three angles. */
export function fromAngles([x, y, z]) {
    const [cx, cy, cz] = [x, y, z].map((angle) => Math.cos(angle * DEGREE / 2));
    const [sx, sy, sz] = [x, y, z].map((angle) => Math.sin(angle * DEGREE / 2));
    return [sx * cy * cz - cx * sy * sz, cx * sy * cz + sx * cy * sz, cx * cy * sz - sx * sy * cz,
        cx * cy * cz + sx * sy * sz];
}

const turnBy = (angles, previous) => angles.map((angle, i) => angle + 360 * Math.round((previous[i] - angle) / 360));

/** The same rotation as the angles nearest to `previous`, so a curve of angles doesn't jump by half a turn. */
export function nearestAngles(/** @type {Iterable<number>} */ [x, y, z], previous) {
    const choices = [[x, y, z], [x + 180, 180 - y, z + 180]].map((angles) => turnBy(angles, previous));
    const [first, second] = choices.map((angles) => Math.hypot(...angles.map((angle, i) => angle - previous[i])));
    return first <= second ? choices[0] : choices[1];
}

/** The angles of a unit quaternion. Where y is ±90 degrees, x takes the rest of the rotation. */
export function toAngles(/** @type {Iterable<number>} */ [x, y, z, w]) {
    const sine = Math.min(Math.max(2 * (w * y - z * x), -1), 1);
    const about = Math.abs(sine) > 1 - 1e-7 ? [2 * Math.atan2(x, w), Math.asin(sine), 0] : [
        Math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y)), Math.asin(sine),
        Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))];
    return about.map((angle) => angle / DEGREE);
}
