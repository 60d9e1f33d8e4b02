// SPDX-License-Identifier: MIT
// Exports the picture as a PNG or an animated WebP. Both are encoded in the page, which sends nothing: they are
// downloads.
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
 * The count of pictures of an animation, and its duration: { count, seconds }. It is one cycle of the clip, or while a graph
 * drives the character the next `driven` seconds.
 */
export function cycleOf(/** @type {Stage} */ stage, perSecond, driven) {
    const seconds = (stage.isDriven ? driven : stage.duration) / stage.speed;
    return { count: Math.max(Math.round(seconds * perSecond), 1), seconds: seconds || 1 / perSecond };
}

// Goes to the start of the animation, and returns a function that goes back.
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
 * One cycle of the clip in the timeline, from its start, with all other actions, as an animated WebP; while a graph drives
 * the character, `driven` seconds of it from now on. The page draws normally between the pictures.
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
