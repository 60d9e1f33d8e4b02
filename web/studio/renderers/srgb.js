// SPDX-License-Identifier: MIT
// The curve of sRGB (IEC 61966-2-1), from 0 to 1.

export function toLinear(s) {
    return s <= 0.04045 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4;
}
