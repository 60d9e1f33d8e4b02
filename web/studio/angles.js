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

/** The angles of a unit quaternion. Where y is ±90 degrees, the rest of the rotation is about x. */
export function toAngles([x, y, z, w]) {
    const sine = Math.min(Math.max(2 * (w * y - z * x), -1), 1);
    const about = Math.abs(sine) > 1 - 1e-7 ? [2 * Math.atan2(x, w), Math.asin(sine), 0] : [
        Math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y)), Math.asin(sine),
        Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))];
    return about.map((angle) => angle / DEGREE);
}
