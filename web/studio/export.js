// SPDX-License-Identifier: MIT
// Exports the picture as a PNG or an animated WebP. The page encodes both and downloads them; nothing is sent.
import { animatedWebp, frameDurations } from './webp.js';
/** @import { Picture } from './picture.js' */
/** @import { Stage } from './stage.js' */

/**
 * Encodes an image.
 * @param {ImageData} image
 * @param {'image/png' | 'image/webp'} type
 * @param {number} [quality] 0 to 1
 */
async function encode(image, type, quality) {
    const canvas = document.createElement('canvas');
    canvas.width = image.width;
    canvas.height = image.height;
    canvas.getContext('2d').putImageData(image, 0, 0);
    const blob = await new Promise((resolve) => { canvas.toBlob(resolve, type, quality); });
    if (!blob) throw new Error(`the browser can't encode a picture of ${image.width} × ${image.height}`);
    return blob;
}

/** The current picture as a PNG. `size` is { width, height, transparent }. */
export async function exportPicture(/** @type {Picture} */ picture, size) {
    return encode(await picture.take(size), 'image/png');
}

/**
 * An animation's picture count and duration: { count, seconds }. It's one cycle of the clip. While a graph drives the
 * character, it's the next `driven` seconds.
 */
export function cycleOf(/** @type {Stage} */ stage, perSecond, driven) {
    const seconds = (stage.isDriven ? driven : stage.duration) / stage.speed;
    return { count: Math.max(Math.round(seconds * perSecond), 1), seconds: seconds || 1 / perSecond };
}

// Goes to the animation's start. Returns a function that goes back.
function begin(/** @type {Stage} */ stage) {
    if (stage.isDriven) {
        const { animator } = stage.graph, { graph } = animator, before = animator.save();
        return () => {
            if (!animator.disposed && animator.graph === graph) animator.restore(before);
        };
    }
    const { time } = stage;
    stage.seek(0);
    return () => stage.seek(time);
}

/**
 * Exports one cycle of the timeline's clip as an animated WebP, from its start, together with all other actions.
 * While a graph drives the character, exports the next `driven` seconds. The page keeps drawing normally between the
 * pictures.
 * @param {{width: number, height: number, transparent: boolean, perSecond: number, driven: number, quality: number}} options
 * @param {(part: number) => void} tell called with the progress, from 0 to 1
 * @param {AbortSignal} signal aborts the export, which then throws
 */
export async function exportCycle(/** @type {Stage} */ stage, /** @type {Picture} */ picture, options, tell, signal) {
    const { width, height, perSecond, driven, quality } = options, { playing } = stage;
    const { count, seconds } = cycleOf(stage, perSecond, driven), pictures = [];
    stage.setPlaying(false);
    const end = begin(stage);
    try {
        for (let i = 0; i < count; i++) {
            stage.advance(i === 0 ? 0 : seconds * stage.speed / count);
            const blob = await encode(await picture.take(options), 'image/webp', quality);
            signal.throwIfAborted();
            pictures.push(new Uint8Array(await blob.arrayBuffer()));
            tell((i + 1) / count);
        }
    } finally {
        end();
        stage.setPlaying(playing);
    }
    return animatedWebp(pictures, frameDurations(count, seconds), width, height);
}
