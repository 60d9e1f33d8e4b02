// Images of files to bitmaps, and what was drawn to pixels.
import { toLinear, toSrgb } from './srgb.js';

// What a texture shows whose image cannot be had.
export const GREY = Uint8Array.of(128, 128, 128, 255);
export const WHITE = Uint8Array.of(255, 255, 255, 255);

// ---- Decoding ---------------------------------------------------------------------------------------------------

async function decode({ bytes, mimeType }, mostSize) {
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

async function tryDecode(image, number, mostSize, notes) {
    const name = image.name ? `image ${number} '${image.name}'` : `image ${number}`;
    if (!image.bytes) {
        notes.push(`${name} stands beside the file and was not found: drop the file together with its images`);
        return null;
    }
    try {
        return await decode(image, mostSize);
    } catch {
        notes.push(`${name} is drawn grey: the browser cannot decode it (${image.mimeType || 'of unknown type'})`);
        return null;
    }
}

/**
 * The bitmaps of all textures that parts ask for, by texture, to be closed; null for those that cannot be had. `notes`
 * gets what is not as the file has it. Textures that have no image are left out, and drawn white.
 */
export async function decodeTextures(asset, parts, mostSize, notes) {
    const wanted = new Set(parts.map(({ material }) => material.baseColorTexture).filter((texture) => texture >= 0));
    const images = new Map(); // several textures may share one
    for (const texture of wanted) {
        const number = asset.textures[texture].image;
        if (number < 0) {
            wanted.delete(texture);
            notes.push(`texture ${texture} is drawn white: it has no image of a kind that is read here`);
        } else if (!images.has(number)) {
            images.set(number, tryDecode(asset.images[number], number, mostSize, notes));
        }
    }
    for (const [number, bitmap] of images) images.set(number, await bitmap);
    return new Map([...wanted].map((texture) => [texture, images.get(asset.textures[texture].image)]));
}

// ---- Reading ----------------------------------------------------------------------------------------------------

/** Divides by alpha, in linear light, the colours that were multiplied with it. */
export function makeStraight(pixels) {
    for (let i = 0; i < pixels.length; i += 4) {
        const alpha = pixels[i + 3];
        if (alpha === 255 || alpha === 0) continue;
        for (let k = i; k < i + 3; k++) {
            pixels[k] = Math.round(255 * toSrgb(Math.min(toLinear(pixels[k] / 255) * 255 / alpha, 1)));
        }
    }
}
