// SPDX-License-Identifier: MIT
// Row-major 3x4 matrices of 12 floats, like the package's: world transforms of what's drawn. Also boxes around it.

export const IDENTITY = Float32Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0);

// Writes a × b to `target`, which must be neither. `indexOfA` is the index of matrix `a` in its array.
export function multiply(target, a, b, indexOfA = 0) {
    const first = 12 * indexOfA;
    for (let row = 0; row < 12; row += 4) {
        const x = a[first + row], y = a[first + row + 1], z = a[first + row + 2];
        for (let column = 0; column < 4; column++) {
            target[row + column] = x * b[column] + y * b[4 + column] + z * b[8 + column];
        }
        target[row + 3] += a[first + row + 3];
    }
    return target;
}

// Inverts a rotation and a translation.
export function inverseOfRigid(m, target = new Float32Array(12)) {
    for (let row = 0; row < 3; row++) {
        for (let column = 0; column < 3; column++) target[4 * row + column] = m[4 * column + row];
        target[4 * row + 3] = -(m[row] * m[3] + m[4 + row] * m[7] + m[8 + row] * m[11]);
    }
    return target;
}

// Makes a matrix from a translation, a rotation (quaternion x, y, z, w of any length) and a scale.
export function fromTransform({ translation, rotation, scale }, target = new Float32Array(12)) {
    const [x, y, z, w] = rotation;
    const s = 2 / (x * x + y * y + z * z + w * w);
    const rows = [
        [1 - s * (y * y + z * z), s * (x * y - z * w), s * (x * z + y * w)],
        [s * (x * y + z * w), 1 - s * (x * x + z * z), s * (y * z - x * w)],
        [s * (x * z - y * w), s * (y * z + x * w), 1 - s * (x * x + y * y)],
    ];
    rows.forEach((row, i) => {
        for (let k = 0; k < 3; k++) target[4 * i + k] = row[k] * scale[k];
        target[4 * i + 3] = translation[i];
    });
    return target;
}

// A point, transformed by the matrix at an index of an array.
export function transformPoint(array, /** @type {Iterable<number>} */ [x, y, z], first = 0) {
    return [first, first + 4, first + 8].map((row) => array[row] * x + array[row + 1] * y + array[row + 2] * z + array[row + 3]);
}

export function newBox() {
    return { least: [Infinity, Infinity, Infinity], most: [-Infinity, -Infinity, -Infinity] };
}

/**
 * Extends a box by another one, which has 6 floats in model space and a world transform.
 * @param {ReturnType<typeof newBox>} box
 * @param {Iterable<number>} extent
 * @param {ArrayLike<number>} world the matrix from index `at`
 */
export function growBox(box, extent, world, at = 0) {
    const [x0, y0, z0, x1, y1, z1] = extent;
    if (!(x0 <= x1)) return; // empty
    for (let i = 0; i < 8; i++) {
        const x = i & 1 ? x1 : x0, y = i & 2 ? y1 : y0, z = i & 4 ? z1 : z0;
        for (let axis = 0; axis < 3; axis++) {
            const row = at + 4 * axis;
            const value = world[row] * x + world[row + 1] * y + world[row + 2] * z + world[row + 3];
            box.least[axis] = Math.min(box.least[axis], value);
            box.most[axis] = Math.max(box.most[axis], value);
        }
    }
}
