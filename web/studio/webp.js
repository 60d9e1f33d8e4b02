// SPDX-License-Identifier: MIT
// Writes an animated WebP from pictures that the browser has encoded. Follows the WebP container specification
// ("Extended File Format", section "Animation"). Numbers are little-endian. The pictures' chunks are copied
// unchanged.
const CHUNK_HEAD = 8; // four letters and a size
const RIFF_HEAD = 12;
const HAS_ALPHA = 0x10, HAS_ANIMATION = 0x02; // of VP8X
const DO_NOT_BLEND = 0x02; // in ANMF: each frame replaces the previous one, also where it's transparent
const FOREVER = 0;
const MAX_SIDE = 1 << 14; // pixels: the bitstreams' limit

function letters(bytes, at) {
    return String.fromCharCode(...bytes.subarray(at, at + 4));
}

function write24(bytes, at, value) {
    bytes[at] = value & 255;
    bytes[at + 1] = value >> 8 & 255;
    bytes[at + 2] = value >> 16 & 255;
}

// All chunks here have an even size. An odd one would need a padding zero.
function chunk(name, ...parts) {
    const size = parts.reduce((sum, part) => sum + part.length, 0);
    const bytes = new Uint8Array(CHUNK_HEAD + size);
    for (let i = 0; i < 4; i++) bytes[i] = name.charCodeAt(i);
    new DataView(bytes.buffer).setUint32(4, size, true);
    let at = CHUNK_HEAD;
    for (const part of parts) {
        bytes.set(part, at);
        at += part.length;
    }
    return bytes;
}

function isWebp(bytes) {
    return bytes.length > RIFF_HEAD && letters(bytes, 0) === 'RIFF' && letters(bytes, 8) === 'WEBP';
}

// A picture's image chunks: ALPH and VP8, or VP8L. Other chunks (VP8X, ICCP...) describe the file, not the frame.
function pictureChunks(bytes) {
    if (!isWebp(bytes)) throw new Error('this browser can’t encode WebP pictures; export a PNG instead');
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const chunks = [];
    for (let at = RIFF_HEAD; at + CHUNK_HEAD <= bytes.length;) {
        const name = letters(bytes, at), size = view.getUint32(at + 4, true);
        if (size > bytes.length - at - CHUNK_HEAD) throw new Error(`the ${name} chunk of a picture is truncated`);
        const end = at + CHUNK_HEAD + size + size % 2;
        if (['ALPH', 'VP8 ', 'VP8L'].includes(name)) chunks.push({ name, bytes: bytes.subarray(at, end) });
        at = end;
    }
    if (!chunks.some(({ name }) => name !== 'ALPH')) throw new Error('a WebP picture has no VP8 chunk');
    return chunks;
}

function header(width, height, hasAlpha) {
    const bytes = new Uint8Array(10);
    bytes[0] = HAS_ANIMATION | (hasAlpha ? HAS_ALPHA : 0);
    write24(bytes, 4, width - 1);
    write24(bytes, 7, height - 1);
    return chunk('VP8X', bytes);
}

// The background is invisible: frames fill the canvas.
function animation() {
    return chunk('ANIM', Uint8Array.of(0, 0, 0, 0, FOREVER, 0));
}

function frame(chunks, width, height, milliseconds) {
    const bytes = new Uint8Array(16);
    write24(bytes, 6, width - 1);
    write24(bytes, 9, height - 1);
    write24(bytes, 12, milliseconds);
    bytes[15] = DO_NOT_BLEND;
    return chunk('ANMF', bytes, ...chunks.map((part) => part.bytes));
}

/**
 * The durations of `count` frames in whole milliseconds, the format's unit. They sum to `seconds`, rounded to a
 * millisecond: thirds of 100 ms are 33, 34 and 33.
 */
export function frameDurations(count, seconds) {
    const until = (frames) => Math.round(1000 * seconds * frames / count);
    return Array.from({ length: count }, (_, i) => until(i + 1) - until(i));
}

/**
 * Makes a WebP file that repeats its pictures forever.
 * @param {Uint8Array[]} pictures single WebP files, all of the given size
 * @param {number[]} durations milliseconds, one per picture
 * @returns {Blob}
 */
export function animatedWebp(pictures, durations, width, height) {
    if (pictures.length === 0) throw new RangeError('an animation needs at least one picture');
    if (!(width >= 1 && width <= MAX_SIDE && height >= 1 && height <= MAX_SIDE)) {
        throw new RangeError(`a WebP picture is 1 to ${MAX_SIDE} pixels wide and high, not ${width} x ${height}`);
    }
    const frames = pictures.map(pictureChunks);
    // A VP8L chunk has its own alpha flag. The file's flag may be set even if no frame has alpha.
    const hasAlpha = frames.some((chunks) => chunks.some(({ name }) => name !== 'VP8 '));
    const parts = [new TextEncoder().encode('WEBP'), header(width, height, hasAlpha), animation(),
        ...frames.map((chunks, i) => frame(chunks, width, height, durations[i]))];
    return new Blob([chunk('RIFF', ...parts)], { type: 'image/webp' });
}
