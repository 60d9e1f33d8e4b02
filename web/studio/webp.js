// An animated WebP put together from single pictures that the browser has encoded, after the WebP container's
// specification ("Extended File Format", and there "Animation"). Numbers are little-endian; a picture's own chunks are
// taken over as they are.
const CHUNK_HEAD = 8; // four letters and a size
const RIFF_HEAD = 12;
const HAS_ALPHA = 0x10, HAS_ANIMATION = 0x02; // of VP8X
const DO_NOT_BLEND = 0x02; // of ANMF: each frame replaces the one before, see-through parts too
const FOREVER = 0;
const MOST = 1 << 14; // of either side: what the bitstreams hold

function letters(bytes, at) {
    return String.fromCharCode(...bytes.subarray(at, at + 4));
}

function write24(bytes, at, value) {
    bytes[at] = value & 255;
    bytes[at + 1] = value >> 8 & 255;
    bytes[at + 2] = value >> 16 & 255;
}

// All that goes into chunks here is of an even size; an odd one would have to be followed by a zero.
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

// The chunks of a single picture that are the picture: ALPH and VP8, or VP8L. What else there may be (VP8X, ICCP...)
// is of the file, and not of the frame.
function pictureChunks(bytes) {
    if (!isWebp(bytes)) throw new Error('this browser cannot encode WebP pictures; export a PNG instead');
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const chunks = [];
    for (let at = RIFF_HEAD; at + CHUNK_HEAD <= bytes.length;) {
        const name = letters(bytes, at), size = view.getUint32(at + 4, true);
        if (size > bytes.length - at - CHUNK_HEAD) throw new Error(`a picture's ${name} chunk is cut off`);
        const end = at + CHUNK_HEAD + size + size % 2;
        if (['ALPH', 'VP8 ', 'VP8L'].includes(name)) chunks.push({ name, bytes: bytes.subarray(at, end) });
        at = end;
    }
    if (!chunks.some(({ name }) => name !== 'ALPH')) throw new Error('a WebP picture without its VP8 chunk');
    return chunks;
}

function header(width, height, hasAlpha) {
    const bytes = new Uint8Array(10);
    bytes[0] = HAS_ANIMATION | (hasAlpha ? HAS_ALPHA : 0);
    write24(bytes, 4, width - 1);
    write24(bytes, 7, height - 1);
    return chunk('VP8X', bytes);
}

// A background that nobody sees, since frames fill the canvas.
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
 * How long each of `count` frames is shown, in whole milliseconds as the format has them, so that all together last
 * `seconds` to the nearest millisecond: thirds of 100 ms are 33, 34 and 33.
 */
export function frameDurations(count, seconds) {
    const until = (frames) => Math.round(1000 * seconds * frames / count);
    return Array.from({ length: count }, (_, i) => until(i + 1) - until(i));
}

/**
 * A file of pictures that are shown one after the other, again and again.
 * @param {Uint8Array[]} pictures single WebP files, all of that size
 * @param {number[]} durations milliseconds, one for each
 * @returns {Blob}
 */
export function animatedWebp(pictures, durations, width, height) {
    if (pictures.length === 0) throw new RangeError('an animation needs at least one picture');
    if (!(width >= 1 && width <= MOST && height >= 1 && height <= MOST)) {
        throw new RangeError(`a WebP picture is 1 to ${MOST} pixels wide and high, not ${width} x ${height}`);
    }
    const frames = pictures.map(pictureChunks);
    // VP8L says in its own head whether it has alpha; that the file may have some is no fault where it has none.
    const hasAlpha = frames.some((chunks) => chunks.some(({ name }) => name !== 'VP8 '));
    const parts = [new TextEncoder().encode('WEBP'), header(width, height, hasAlpha), animation(),
        ...frames.map((chunks, i) => frame(chunks, width, height, durations[i]))];
    return new Blob([chunk('RIFF', ...parts)], { type: 'image/webp' });
}
