// SPDX-License-Identifier: MIT
// Checks the vectors and quaternions that pages pass.
import { toFloat } from './module.js';

export function copyVector(to, from, what) {
    if (from?.length !== to.length) throw new TypeError(`${what} must be ${to.length} numbers, not ${String(from)}`);
    for (let i = 0; i < to.length; i++) {
        if (!Number.isFinite(Math.fround(from[i]))) toFloat(from[i], what);
        to[i] = from[i];
    }
}

export function checkUnit(v, what) {
    let squares = 0;
    for (let i = 0; i < v.length; i++) squares += v[i] * v[i];
    if (!(squares > 0.999 && squares < 1.001)) throw new RangeError(`${what} must have a length of 1, not ${Math.sqrt(squares)}`);
}
