// Pictures and animations of what is shown, as files. They are made in the page, and leave it only as downloads.
import { animatedWebp, frameDurations } from './webp.js';

/**
 * An image as a file's bytes.
 * @param {ImageData} image
 * @param {'image/png' | 'image/webp'} type
 */
async function encode(image, type, quality) {
    const canvas = document.createElement('canvas');
    canvas.width = image.width;
    canvas.height = image.height;
    canvas.getContext('2d').putImageData(image, 0, 0);
    const blob = await new Promise((resolve) => { canvas.toBlob(resolve, type, quality); });
    if (!blob) throw new Error(`the browser cannot encode a picture of ${image.width} × ${image.height}`);
    return blob;
}

/** What is shown now, as a PNG. `size` is { width, height, transparent }. */
export async function exportPicture(picture, size) {
    return encode(await picture.take(size), 'image/png');
}

/** How many pictures one round of what plays takes, and how long they last: { count, seconds }. */
export function roundOf(stage, perSecond) {
    const seconds = stage.duration / stage.speed;
    return { count: Math.max(Math.round(seconds * perSecond), 1), seconds: seconds || 1 / perSecond };
}

/**
 * One round of the clip that leads, from its start, with all else that plays, as an animated WebP. The page draws on
 * between its pictures.
 * @param {{width: number, height: number, transparent: boolean, perSecond: number, quality: number}} how
 * @param {(part: number) => void} tell hears how much is done, from 0 to 1
 * @param {AbortSignal} signal ends it; it throws then
 */
export async function exportRound(stage, picture, how, tell, signal) {
    const { width, height, perSecond, quality } = how, { time, playing } = stage;
    const { count, seconds } = roundOf(stage, perSecond);
    const pictures = [];
    stage.setPlaying(false);
    stage.seek(0);
    try {
        for (let i = 0; i < count; i++) {
            stage.advance(i === 0 ? 0 : stage.duration / count);
            const blob = await encode(await picture.take(how), 'image/webp', quality);
            signal.throwIfAborted();
            pictures.push(new Uint8Array(await blob.arrayBuffer()));
            tell((i + 1) / count);
        }
    } finally {
        stage.seek(time);
        stage.setPlaying(playing);
    }
    return animatedWebp(pictures, frameDurations(count, seconds), width, height);
}
