// SPDX-License-Identifier: MIT
// Decodes the images of files, and converts the pixels of read-back pictures.
import { texturesOf } from './materials.js';
/** @import { Asset } from '../sinew/index.js' */

// The colour of a texture without its image.
export const GREY = Uint8Array.of(128, 128, 128, 255);
export const WHITE = Uint8Array.of(255, 255, 255, 255);

// ---- Decoding ---------------------------------------------------------------------------------------------------

async function decode({ bytes, mimeType }, mostSize) {
    /** @type {ImageBitmapOptions} */
    const options = { colorSpaceConversion: 'none', premultiplyAlpha: 'none' };
    const blob = new Blob([bytes], { type: mimeType });
    const bitmap = await createImageBitmap(blob, options);
    const { width, height } = bitmap;
    if (width <= mostSize && height <= mostSize) return bitmap;
    bitmap.close();
    const scale = mostSize / Math.max(width, height);
    return createImageBitmap(blob, { ...options, resizeQuality: 'high',
        resizeWidth: Math.max(1, Math.floor(width * scale)), resizeHeight: Math.max(1, Math.floor(height * scale)) });
}

// `effect` says how the model is drawn without the image.
async function tryDecode(image, number, mostSize, effect, notes) {
    if (!image.bytes) return null; // openFiles of files.js names the missing files
    const name = image.name ? `image ${number} '${image.name}'` : `image ${number}`;
    try {
        return await decode(image, mostSize);
    } catch {
        notes.push(`${name} is ${effect}: the browser can't decode it (${image.mimeType || 'of unknown type'})`);
        return null;
    }
}

/**
 * The bitmaps of the textures of parts, by texture index; null for images that are missing or cannot be decoded. The
 * caller closes them. `notes` gets the differences to the file. Textures without an image are omitted, and base colours
 * then drawn white.
 */
export async function decodeTextures(/** @type {Asset} */ asset, parts, mostSize, notes) {
    const colors = new Set(parts.map(({ material }) => material.baseColorTexture));
    const colorImages = new Set([...colors].map((texture) => asset.textures[texture]?.image));
    const used = new Set(parts.flatMap(({ material }) => texturesOf(material)));
    const images = new Map(); // several textures may share one
    for (const texture of used) {
        const number = asset.textures[texture].image;
        if (number < 0) {
            used.delete(texture);
            const effect = colors.has(texture) ? 'drawn white' : 'ignored';
            notes.push(`texture ${texture} is ${effect}: it has no image in a supported format`);
        } else if (!images.has(number)) {
            const effect = colorImages.has(number) ? 'drawn gray' : 'ignored';
            images.set(number, tryDecode(asset.images[number], number, mostSize, effect, notes));
        }
    }
    for (const [number, bitmap] of images) images.set(number, await bitmap);
    return new Map([...used].map((texture) => [texture, images.get(asset.textures[texture].image)]));
}

// ---- Reading ----------------------------------------------------------------------------------------------------

/** Converts premultiplied to straight alpha. */
export function makeStraight(pixels) {
    for (let i = 0; i < pixels.length; i += 4) {
        const alpha = pixels[i + 3];
        if (alpha === 255 || alpha === 0) continue;
        for (let k = i; k < i + 3; k++) pixels[k] = Math.min(Math.round(255 * pixels[k] / alpha), 255);
    }
}
