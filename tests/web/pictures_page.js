// SPDX-License-Identifier: MIT
// Runs in pictures.mjs's page: draws, and compares with picture files.
import { Framing } from '/renderers/camera.js';
import { framePosed } from '/renderers/geometry.js';
import { createRenderer } from '/renderers/renderer.js';
import { Mixer, Sinew } from '/sinew/index.js';

const DEGREES = Math.PI / 180;
const sinew = await Sinew.load();
const renderers = {};

function canvasOf(width, height) {
    const canvas = document.createElement('canvas');
    Object.assign(canvas, { width, height });
    return canvas;
}

async function rendererOf(kind, width, height) {
    renderers[kind] ??= await createRenderer(kind, canvasOf(width, height));
    renderers[kind].resize(width, height);
    return renderers[kind];
}

// ---- Who is there -----------------------------------------------------------------------------------------------

function mixerAt(asset, clip, time) {
    const mixer = new Mixer(asset);
    if (clip !== undefined) {
        const action = mixer.clipAction(clip.startsWith('#') ? asset.clips[clip.slice(1)] : clip);
        action.time = time % action.clip.duration;
        action.play();
    }
    mixer.update(0);
    return mixer;
}

function rowsOf(columns) {
    return Float32Array.from({ length: 12 }, (_, i) => columns[i % 4 * 4 + (i >> 2)]);
}

// A turn to the left, in degrees, and then so many metres away.
function placeOf(at = [0, 0, 0], turn = 0) {
    const [sin, cos] = [Math.sin(turn * DEGREES), Math.cos(turn * DEGREES)];
    return Float32Array.of(cos, 0, sin, at[0], 0, 1, 0, at[1], -sin, 0, cos, at[2]);
}

// { file, clip, time, at, turn }, or { file, node } for an attachment of the first one.
async function load(actors) {
    const loaded = [];
    for (const { file, clip, time = 0, at, turn, node } of actors) {
        const bytes = new Uint8Array(await (await fetch(file)).arrayBuffer());
        const asset = sinew.loadAsset(bytes);
        const mixer = mixerAt(asset, clip, time);
        const carrier = loaded[0];
        const world = node === undefined ? placeOf(at, turn)
            : rowsOf(carrier.mixer.nodeMatrix(carrier.asset.findNode(node)));
        loaded.push({ asset, bytes, mixer, world, clip, time });
    }
    return loaded;
}

// Ghosts of the first one at earlier times, earliest first.
async function ghostsOf({ asset, clip, time }, { count, gap }, model) {
    return Array.from({ length: count }, (_, i) => {
        const mixer = mixerAt(asset, clip, time - (count - i) * gap);
        return { model, pose: model.pose(mixer), mixer, ghost: { opacity: 0.1 + 0.5 * (i + 1) / count } };
    });
}

// ---- Drawing ----------------------------------------------------------------------------------------------------

async function draw({ kind, width, height, actors, onion = { count: 0 }, asCrowd = false, view, from = [32, 14] }) {
    const renderer = await rendererOf(kind, width, height);
    const loaded = await load(actors);
    const models = [];
    for (const { asset, bytes } of loaded) models.push(await renderer.addModel(asset, bytes));
    const ghosts = await ghostsOf(loaded[0], onion, models[0]);
    const framing = new Framing(width / height, from[0] * DEGREES, from[1] * DEGREES);
    for (const { mixer } of ghosts) framePosed(framing, loaded[0].asset, mixer);
    for (const { asset, mixer, world } of loaded) framePosed(framing, asset, mixer, world);
    const objects = loaded.map(({ mixer, world }, i) => ({ model: models[i], mixer, world }));
    const worlds = Float32Array.from(objects.flatMap(({ world }) => [...world]));
    const crowd = [{ model: models[0], mixers: objects.map(({ mixer }) => mixer), worlds }];
    renderer.draw({ camera: framing.camera(), box: framing, ground: true, ...view },
        [...ghosts, ...(asCrowd ? crowd : objects)]);
    const picture = await renderer.read();
    for (const model of models) model.dispose();
    for (const { asset } of loaded) asset.dispose();
    return { picture };
}

async function readPicture(url, width, height) {
    const response = await fetch(url);
    const asIs = { colorSpaceConversion: 'none', premultiplyAlpha: 'none' };
    const bitmap = await createImageBitmap(await response.blob(), asIs);
    const context = canvasOf(width, height).getContext('2d');
    context.drawImage(bitmap, 0, 0);
    return context.getImageData(0, 0, width, height);
}

// ---- How pictures look ------------------------------------------------------------------------------------------

function toLinear(s) {
    return s <= 0.04045 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4;
}

// Linear colour on black, and coverage, each the mean of 3 x 3 pixels, without the pixels at the edge.
function blurred({ data, width, height }) {
    const light = Float64Array.from(data, (value, i) => (
        i % 4 === 3 ? value / 255 : toLinear(value / 255) * data[i - i % 4 + 3] / 255));
    const out = [];
    for (let y = 1; y < height - 1; y++) {
        for (let x = 1; x < width - 1; x++) {
            const mean = [0, 0, 0, 0];
            for (let j = -1; j <= 1; j++) {
                for (let i = -1; i <= 1; i++) {
                    for (let k = 0; k < 4; k++) mean[k] += light[4 * ((y + j) * width + x + i) + k] / 9;
                }
            }
            out.push(mean);
        }
    }
    return out;
}

// CIE 1976 L*a*b*, D65, from linear sRGB (IEC 61966-2-1).
function lab([r, g, b]) {
    const f = (t) => (t > 216 / 24389 ? Math.cbrt(t) : (24389 / 27 * t + 16) / 116);
    const x = f((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505);
    const y = f(0.2126 * r + 0.7152 * g + 0.0722 * b);
    const z = f((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089);
    return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

// The distances of all pixels: their mean and 99.9th percentile. Alpha counts as much as lightness.
function differenceOf(a, b) {
    const second = blurred(b);
    const distances = blurred(a).map((p, i) => {
        const [l, m] = [lab(p), lab(second[i])];
        return Math.hypot(l[0] - m[0], l[1] - m[1], l[2] - m[2], 100 * (p[3] - second[i][3]));
    });
    distances.sort((x, y) => x - y);
    return { mean: distances.reduce((sum, distance) => sum + distance, 0) / distances.length,
        most: distances[Math.floor(0.999 * distances.length)] };
}

// Both pictures and their difference times six, next to each other on grey.
async function sheetOf(pictures) {
    const { width, height, data } = pictures[0];
    const between = new ImageData(width, height);
    between.data.forEach((_, i) => {
        between.data[i] = i % 4 === 3 ? 255 : 6 * Math.abs(data[i] - pictures[1].data[i]);
    });
    const canvas = canvasOf(3 * width, height);
    const context = canvas.getContext('2d');
    context.fillStyle = '#777';
    context.fillRect(0, 0, canvas.width, height);
    for (const [i, picture] of [...pictures, between].entries()) {
        context.drawImage(await createImageBitmap(picture), i * width, 0);
    }
    return canvas.toDataURL();
}

// Pixels that are not opaque become transparent: shadows on the ground, ghosts, and edges.
function opaqueOf(picture) {
    const { data } = picture;
    for (let i = 0; i < data.length; i += 4) {
        if (data[i + 3] < 250) data.fill(0, i, i + 4);
        else data[i + 3] = 255;
    }
    return picture;
}

// Compares a renderer's picture with a file by its opaque pixels, or with another renderer's picture.
globalThis.compare = async (what) => {
    const { picture } = await draw(what);
    const pictures = what.other ? [(await draw({ ...what, kind: what.other })).picture, picture]
        : [opaqueOf(await readPicture(what.native, what.width, what.height)), opaqueOf(picture)];
    return { sheet: await sheetOf(pictures), difference: differenceOf(...pictures) };
};
globalThis.isReady = true;
