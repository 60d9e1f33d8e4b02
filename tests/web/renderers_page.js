// SPDX-License-Identifier: MIT
// Runs in renderers.mjs's page: both renderers' behaviour except their pictures. Each check throws. Checks that draw
// share one scene; checks that make and end renderers take the kind.
import { Framing, OrbitCamera } from '/renderers/camera.js';
import { framePosed } from '/renderers/geometry.js';
import { createRenderer } from '/renderers/renderer.js';
import { Mixer, Sinew } from '/sinew/index.js';
import { live, watch } from './gpu_objects.js';
import { lightFrom, shown } from './surface_light.js';

watch();
const sinew = await Sinew.load();
const WIDTH = 101; // rows are not as long as GPUs like them
const HEIGHT = 76;

function check(good, what) {
    if (!good) throw new Error(what);
}

function equal(actual, expected, what) {
    check(actual === expected, `${what}: ${actual}, and not ${expected}`);
}

async function messageOf(promise) {
    try {
        await promise;
    } catch (error) {
        return error.message;
    }
    throw new Error('nothing was thrown');
}

function canvasOf(width = WIDTH, height = HEIGHT) {
    return Object.assign(document.createElement('canvas'), { width, height });
}

// A model and a camera, without the ground: its maps take most of the time.
async function openScene(kind, file = '/models/windmill.glb') {
    const renderer = await createRenderer(kind, canvasOf());
    const asset = await sinew.fetchAsset(file);
    const mixer = new Mixer(asset);
    mixer.update(0);
    const model = await renderer.addModel(asset);
    const framing = new Framing(WIDTH / HEIGHT, 0.5, 0.2);
    framePosed(framing, asset, mixer);
    const view = { camera: framing.isEmpty ? new OrbitCamera().camera(WIDTH / HEIGHT) : framing.camera(),
        box: framing.isEmpty ? { least: [-1, 0, -1], most: [1, 1, 1] } : framing };
    const draw = async (changes = {}, objects = [{ model, mixer }]) => {
        renderer.draw({ ...view, ...changes }, objects);
        return renderer.read();
    };
    const close = () => {
        renderer.dispose();
        asset.dispose();
    };
    return { renderer, asset, mixer, model, view, draw, close };
}

// The fraction of numbers that differ by more than `least`.
function shareApart(a, b, least) {
    let count = 0;
    for (let i = 0; i < a.length; i++) count += Math.abs(a[i] - b[i]) > least ? 1 : 0;
    return count / a.length;
}

const pixelOf = ({ data, width }, x, y) => [...data.slice(4 * (y * width + x), 4 * (y * width + x) + 4)];

// ---- Pictures ---------------------------------------------------------------------------------------------------

async function showsWhatIsRead({ renderer, mixer, model, view }) {
    for (const background of ['default', 'transparent']) {
        renderer.draw({ ...view, background }, [{ model, mixer }]);
        const context = canvasOf().getContext('2d', { willReadFrequently: true });
        context.drawImage(renderer.canvas, 0, 0);
        const shown = context.getImageData(0, 0, WIDTH, HEIGHT).data;
        const read = (await renderer.read()).data;
        const solid = (pixels) => pixels.map((value, i) => (read[i - i % 4 + 3] > 200 || i % 4 === 3 ? value : 0));
        const apart = shareApart(solid(shown), solid(read), 2);
        equal(apart, 0, `parts of the canvas that are not what was read, ${background}`);
        equal(read[3], background === 'default' ? 255 : 0, 'alpha in the corner');
    }
}

async function fades({ draw }) {
    const [all, half, none] = [await draw(), await draw({ fade: 0.5 }), await draw({ fade: 1 })];
    const mixed = all.data.map((value, i) => 0.5 * value + 0.5 * none.data[i]); // of sRGB colours, as on the canvas
    check(shareApart(all.data, none.data, 20) > 0.05, 'what is faded away should be seen no more');
    check(shareApart(half.data, mixed, 3) < 0.002, 'what is half faded should be half of both');
}

async function showsEdges({ draw }) {
    const [plain, wired, without] = [await draw(), await draw({ wireframe: true }), await draw({}, [])];
    const darker = plain.data.filter((value, i) => wired.data[i] < value - 4).length;
    check(darker > 500, `edges should be darker: ${darker} numbers are`);
    const outside = plain.data.filter((value, i) => value === without.data[i] && wired.data[i] < value - 4).length;
    check(outside < 0.25 * darker, `edges should lie on the model: ${outside} of ${darker} do not`);
}

async function hasBackgrounds({ draw }) {
    const isNear = (pixel, color) => pixel.every((value, i) => Math.abs(value - color[i]) <= 1);
    check(isNear(pixelOf(await draw(), 0, 0), [0xcc, 0xd5, 0xde, 255]), 'the light background');
    check(isNear(pixelOf(await draw({ dark: true }), 0, 0), [0x20, 0x24, 0x2a, 255]), 'the dark background');
    check(isNear(pixelOf(await draw({ background: 0x336699 }), 0, 0), [0x33, 0x66, 0x99, 255]), 'an even background');
    const bottom = pixelOf(await draw({ background: 0x336699 }, []), 50, HEIGHT - 1);
    check(isNear(bottom, [0x33, 0x66, 0x99, 255]), 'no ground');
}

// The floor does not move when the model rises.
async function keepsTheFloor({ draw, view }) {
    const { least, most } = view.box;
    const ground = true;
    const floor = { height: least[1], radius: view.box.radius };
    const higher = { least: [least[0], least[1] + 0.2, least[2]], most: [most[0], most[1] + 0.2, most[2]] };
    const stays = shareApart((await draw({ ground, floor }, [])).data,
        (await draw({ ground, floor, box: higher }, [])).data, 2);
    const moves = shareApart((await draw({ ground }, [])).data, (await draw({ ground, box: higher }, [])).data, 2);
    equal(stays, 0, 'parts of the floor that moved');
    check(moves > 0.01, 'without a floor the ground should follow the box');
}

async function takesAnySize({ renderer, draw }) {
    for (const [width, height] of [[1, 1], [333, 10], [64, 64]]) {
        renderer.resize(width, height);
        const picture = await draw();
        equal(`${picture.width} x ${picture.height}`, `${width} x ${height}`, 'the picture');
        equal(`${renderer.canvas.width} x ${renderer.canvas.height}`, `${width} x ${height}`, 'the canvas');
    }
    const message = await messageOf((async () => renderer.resize(100000, 10))());
    check(/pictures of at most \d+ x \d+, not 100000 x 10/.test(message), message);
    renderer.resize(WIDTH, HEIGHT);
    await draw();
}

// ---- Frames -----------------------------------------------------------------------------------------------------

// Counts indexed triangle draws: those are meshes.
function countDraws(renderer) {
    const counter = { draws: 0 };
    const [owner, name] = renderer.gl ? [renderer.gl, 'drawElementsInstanced']
        : [GPURenderPassEncoder.prototype, 'drawIndexed'];
    const draw = owner[name];
    owner[name] = function (...given) {
        counter.draws++;
        return draw.apply(this, given);
    };
    counter.end = () => { owner[name] = draw; };
    return counter;
}

// A frame draws each part in the shadow map and in the picture. While only the camera moves the shadow stays.
async function drawsGeometryTwice({ renderer, mixer, model, draw }) {
    const parts = model.drawn.length, turned = new OrbitCamera();
    turned.radius = 10;
    const counter = countDraws(renderer);
    const drawsOf = async (changes) => {
        counter.draws = 0;
        await draw({ ground: true, ...changes });
        return counter.draws;
    };
    await drawsOf();
    mixer.clipAction(mixer.asset.clips[0]).play();
    mixer.update(0.1);
    const moved = await drawsOf();
    const orbited = await drawsOf({ camera: turned.camera(WIDTH / HEIGHT) });
    const withoutGround = await drawsOf({ ground: false });
    const again = await drawsOf();
    counter.end();
    equal(moved, 2 * parts, 'draws when the pose has changed');
    equal(orbited, parts, 'draws when the camera has moved');
    equal(withoutGround, 2 * parts, 'draws when the ground was switched off');
    equal(again, 2 * parts, 'draws when the ground was switched on');
}

const FRONT = [0, 0, 1];

// ---- Files ------------------------------------------------------------------------------------------------------

const UNLIT = { extensions: { KHR_materials_unlit: {} }, pbrMetallicRoughness: { baseColorTexture: { index: 0 } } };

// The bytes of a file with a square of 2 x 2 metres that faces +Z and has one material, and a normal of its vertices or
// none.
function squareOf(material, textures = [], images = [], normal = null) {
    const numbers = Float32Array.of(-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, -1, 0, 1, 1, 0, -1, 1, 0, // positions
        0, 1, 1, 1, 1, 0, 0, 1, 1, 0, 0, 0, // texture coordinates
        ...new Array(6).fill(normal ?? FRONT).flat());
    const bytes = btoa(String.fromCharCode(...new Uint8Array(numbers.buffer)));
    const accessor = (bufferView, type, more) => ({ bufferView, componentType: 5126, type, count: 6, ...more });
    const gltf = { asset: { version: '2.0' }, scene: 0, scenes: [{ nodes: [0] }], nodes: [{ mesh: 0 }],
        meshes: [{ primitives: [{ attributes: { POSITION: 0, TEXCOORD_0: 1, ...(normal && { NORMAL: 2 }) },
            material: 0 }] }],
        materials: [material], ...(textures.length > 0 && { textures, images }),
        accessors: [accessor(0, 'VEC3', { min: [-1, -1, 0], max: [1, 1, 0] }), accessor(1, 'VEC2'),
            accessor(2, 'VEC3')],
        bufferViews: [{ buffer: 0, byteLength: 72 }, { buffer: 0, byteOffset: 72, byteLength: 48 },
            { buffer: 0, byteOffset: 120, byteLength: 72 }],
        buffers: [{ byteLength: 192, uri: `data:application/octet-stream;base64,${bytes}` }] };
    return new TextEncoder().encode(JSON.stringify(gltf));
}

// An image of one colour.
function imageOf(color) {
    const canvas = canvasOf(1, 1), context = canvas.getContext('2d');
    context.putImageData(new ImageData(Uint8ClampedArray.of(...color, 255), 1, 1), 0, 0);
    return { uri: canvas.toDataURL() };
}

// The drawn center of the square, the direction from it to the eye, and the notes of the model.
async function lookAt(renderer, file) {
    const asset = sinew.loadAsset(file);
    const mixer = new Mixer(asset);
    mixer.update(0);
    const model = await renderer.addModel(asset, file);
    const orbit = new OrbitCamera();
    orbit.frame({ least: [-0.5, -0.5, 0], most: [0.5, 0.5, 0] }, WIDTH / HEIGHT);
    orbit.arrive();
    const camera = orbit.camera(WIDTH / HEIGHT);
    renderer.draw({ camera, box: { least: [-1, -1, 0], most: [1, 1, 0] } }, [{ model, mixer }]);
    const picture = await renderer.read();
    model.dispose();
    asset.dispose();
    const toEye = camera.eye.map((value) => value / Math.hypot(...camera.eye));
    return { color: pixelOf(picture, WIDTH >> 1, HEIGHT >> 1).slice(0, 3), toEye, notes: model.notes };
}

// ---- Light ------------------------------------------------------------------------------------------------------

const BASE = [0.6, 0.3, 0.1];
const surface = (metallic, roughness, more) => ({ base: BASE, metallic, roughness, ...more });
const factors = (metallicFactor, roughnessFactor) => (
    { pbrMetallicRoughness: { baseColorFactor: [...BASE, 1], metallicFactor, roughnessFactor } });

const UP = [0, 0.6, 0.8];

// Materials, their textures' colours, the surface and normal that they describe, and the normal of the vertices.
const SURFACES = {
    'a rough dielectric': [factors(0, 1), [], surface(0, 1)],
    'a smooth dielectric': [factors(0, 0.25), [], surface(0, 0.25)],
    'rough metal': [factors(1, 0.9), [], surface(1, 0.9)],
    metal: [factors(1, 0.5), [], surface(1, 0.5)],
    'smooth metal': [factors(1, 0.25), [], surface(1, 0.25)],
    'metal by a texture': [{ pbrMetallicRoughness: { ...factors(1, 1).pbrMetallicRoughness,
        metallicRoughnessTexture: { index: 0 } } }, [[0, 128, 255]], surface(1, 128 / 255)],
    'a normal to the right': [{ ...factors(0, 1), normalTexture: { index: 0 } }, [[204, 128, 230]], surface(0, 1),
        [0.6, 0, 0.8]],
    'a normal upward': [{ ...factors(0, 1), normalTexture: { index: 0 } }, [[128, 204, 230]], surface(0, 1),
        UP],
    'vertices with normals': [factors(0, 0.5), [], surface(0, 0.5), UP, UP],
    'half a normal': [{ ...factors(0, 1), normalTexture: { index: 0, scale: 0.5 } }, [[204, 128, 230]], surface(0, 1),
        [0.3 / Math.hypot(0.3, 0.8), 0, 0.8 / Math.hypot(0.3, 0.8)]],
    occlusion: [{ ...factors(0, 1), occlusionTexture: { index: 0, strength: 0.5 } }, [[0, 255, 255]],
        surface(0, 1, { occlusion: 0.5 })],
    emission: [{ ...factors(0, 1), emissiveFactor: [0, 0.5, 0], emissiveTexture: { index: 0 } }, [[255, 188, 0]],
        surface(0, 1, { emission: [0, 0.5 * 0.5029, 0] })],
};

// The approximations of the shaders are up to 6 of 255 off, for rough metal.
async function lightsSurfaces({ renderer }) {
    const wrong = [];
    for (const [name, [material, colors, what, normal = FRONT, ofVertices]] of Object.entries(SURFACES)) {
        const textures = colors.map((_, source) => ({ source }));
        const file = squareOf(material, textures, colors.map(imageOf), ofVertices);
        const { color, toEye, notes } = await lookAt(renderer, file);
        equal(notes.length, 0, `notes of ${name}`);
        const expected = shown(lightFrom(what, normal, toEye));
        const apart = Math.max(...color.map((value, i) => Math.abs(value - expected[i])));
        if (!(apart <= 7)) wrong.push(`${name}: ${color}, and not ${expected.map(Math.round)}`);
    }
    equal(wrong.join('; '), '', 'wrong colours');
}

// Values that are not of the specification's types and ranges count as absent.
async function ignoresWrongMaterials({ renderer }) {
    const plain = await lookAt(renderer, squareOf(factors(1, 0.5)));
    const odd = { ...factors(1, 0.5), normalTexture: { index: 99 }, occlusionTexture: { index: 'x' },
        emissiveFactor: [null], emissiveTexture: 7, extensions: { KHR_materials_emissive_strength: null } };
    equal(`${(await lookAt(renderer, squareOf(odd))).color}`, `${plain.color}`, 'a material with wrong values');
    const other = { ...factors(1, 0.5), occlusionTexture: { index: 0, texCoord: 1 } };
    const { color, notes } = await lookAt(renderer, squareOf(other, [{ source: 0 }], [imageOf([0, 0, 0])]));
    equal(`${color}`, `${plain.color}`, 'a texture with other coordinates');
    check(/without its occlusion texture/.test(notes), `notes: ${notes}`);
}

// ---- Images -----------------------------------------------------------------------------------------------------

async function drawsWithoutImages({ renderer }) {
    const broken = { uri: 'data:image/png;base64,iVBORw0KGgo=', name: 'Broken' };
    const cases = [
        [broken, { source: 0 }, 128, /image 0 'Broken' is drawn gray: .*image\/png/],
        [{ uri: 'outside.png' }, { source: 0 }, 128, null], // the page names missing files when it opens the others
        [broken, {}, 255, /texture 0 is drawn white/],
    ];
    for (const [image, texture, shade, note] of cases) {
        const { color, notes } = await lookAt(renderer, squareOf(UNLIT, [texture], [image]));
        check(note ? notes.length === 1 && note.test(notes[0]) : notes.length === 0, `notes: ${notes}`);
        check(color.every((value) => Math.abs(value - shade) <= 1), `it should be ${shade}: ${color}`);
    }
    const normals = squareOf({ ...factors(0, 1), normalTexture: { index: 0 } }, [{ source: 0 }], [broken]);
    const [plain, without] = [await lookAt(renderer, squareOf(factors(0, 1))), await lookAt(renderer, normals)];
    equal(`${without.color}`, `${plain.color}`, 'the colour without a normal map');
    check(/image 0 'Broken' is ignored/.test(without.notes), `notes: ${without.notes}`);
}

async function drawsNothing(kind) {
    const { draw, close } = await openScene(kind, '/models/eye.gltf');
    const [empty, none] = [await draw(), await draw({}, [])];
    equal(shareApart(empty.data, none.data, 0), 0, 'parts of a file without meshes that are seen');
    close();
}

// ---- The GPU ----------------------------------------------------------------------------------------------------

// As if the GPU took no texture that is higher than a texel; which differences of morph targets are.
async function refusesWhatIsTooLarge(renderer, asset) {
    const { gl, device } = renderer;
    const { getParameter } = WebGL2RenderingContext.prototype;
    if (gl) gl.getParameter = (name) => (name === gl.MAX_TEXTURE_SIZE ? 1 : getParameter.call(gl, name));
    else Object.defineProperty(device, 'limits', { value: { maxTextureDimension2D: 1 } });
    check(/a texture with \d+ rows is larger than/.test(await messageOf(renderer.addModel(asset))), 'what is too large');
}

async function givesAllBack(kind) {
    equal(live.size, 0, 'objects on the GPU before');
    const { renderer, asset, mixer, model, view, close } = await openScene(kind, '/out/parade.gltf');
    const object = { model, mixer };
    const ghost = { model, pose: model.pose(mixer), ghost: { opacity: 0.5 } };
    const frame = (objects, changes) => renderer.draw({ ...view, ground: true, ...changes }, objects);
    frame([ghost, object], { wireframe: true });
    const before = live.size;
    const madeBefore = live.made;
    for (let i = 0; i < 5; i++) {
        mixer.update(1 / 60);
        frame([ghost, object], { wireframe: true });
    }
    equal(live.made, madeBefore, 'objects made on the GPU by the end of 5 frames');

    const worlds = new Float32Array(12 * 9);
    for (let i = 0; i < 9; i++) worlds.set([1, 0, 0, i, 0, 1, 0, 0, 0, 0, 1, 0], 12 * i);
    frame([{ model, mixers: new Array(9).fill(mixer), worlds }]); // larger maps and records
    frame([ghost, object], { wireframe: true });
    equal(live.size, before, 'objects on the GPU after a crowd');

    const second = await renderer.addModel(asset);
    frame([object, { model: second, mixer }]);
    second.dispose();
    equal(live.size, before, 'objects on the GPU after another model');
    check(before > 20, 'there should have been some');

    await refusesWhatIsTooLarge(renderer, asset);
    equal(live.size, before, 'objects on the GPU after a model that it does not take');
    if (kind === 'webgl') equal(renderer.gl.getError(), 0, 'what OpenGL complains about');
    close();
    equal(live.size, 0, `objects on the GPU afterwards (${[...live].map((object) => object.constructor.name)})`);
}

async function saysThatThereIsNone(kind) {
    const canvas = canvasOf();
    canvas.getContext('2d'); // so it can't have another one
    check(/WebG/.test(await messageOf(createRenderer(kind, canvas))), 'a canvas that is taken');
    if (kind === 'webgl') return;
    const requestAdapter = navigator.gpu.requestAdapter;
    GPU.prototype.requestAdapter = async () => null;
    check(/found no graphics card/.test(await messageOf(createRenderer(kind, canvasOf()))), 'no adapter');
    GPU.prototype.requestAdapter = requestAdapter;
    Object.defineProperty(navigator, 'gpu', { value: undefined, configurable: true });
    check(/has no WebGPU/.test(await messageOf(createRenderer(kind, canvasOf()))), 'no WebGPU');
    delete navigator.gpu;
    (await createRenderer(kind, canvasOf())).dispose();
}

// WebGPU can't simulate a device loss, so this test replaces the promise.
async function tellsOfLoss(kind) {
    let lose;
    const requestDevice = globalThis.GPUAdapter?.prototype.requestDevice;
    GPUAdapter.prototype.requestDevice = async function (...given) {
        const device = await requestDevice.apply(this, given);
        const lost = new Promise((resolve) => { lose = () => resolve({ reason: 'unknown' }); });
        return Object.defineProperty(device, 'lost', { value: lost });
    };
    const { renderer, draw, close } = await openScene(kind);
    GPUAdapter.prototype.requestDevice = requestDevice;
    const told = new Promise((resolve) => { renderer.onLost = resolve; });
    if (kind === 'webgl') renderer.gl.getExtension('WEBGL_lose_context').loseContext();
    else lose();
    check(/has taken WebG/.test(await told), 'the reason'); // a test that waits for ever is ended from outside
    await draw().catch(() => null); // draws no more, and throws nothing worse
    renderer.resize(WIDTH + 1, HEIGHT);
    close();
    const { draw: drawAgain, close: closeAgain } = await openScene(kind); // another canvas
    check(pixelOf(await drawAgain(), 0, 0)[3] === 255, 'another one should draw');
    closeAgain();
}

const PICTURES = { showsWhatIsRead, fades, showsEdges, hasBackgrounds, keepsTheFloor, takesAnySize,
    lightsSurfaces, ignoresWrongMaterials, drawsWithoutImages, drawsGeometryTwice };
const RENDERERS = { drawsNothing, saysThatThereIsNone, tellsOfLoss, givesAllBack };

async function messageOfCheck(check, given) {
    return check(given).then(() => null, (error) => error.message);
}

// The fault of each, or null.
globalThis.checkPictures = async (kind) => {
    const scene = await openScene(kind);
    const faults = {};
    for (const name in PICTURES) faults[name] = await messageOfCheck(PICTURES[name], scene);
    scene.close();
    return faults;
};

globalThis.checkRenderers = async (kind) => {
    const faults = {};
    for (const name in RENDERERS) faults[name] = await messageOfCheck(RENDERERS[name], kind);
    return faults;
};

globalThis.isReady = true;
