// SPDX-License-Identifier: MIT
// Materials of glTF's metallic-roughness model. The asset has the base colour; the other properties are read from the
// JSON of the file, which is not trusted: values of the wrong type count as absent.
import { jsonOf } from '../sinew/sidecar.js';
/** @import { Asset } from '../sinew/index.js' */

const BASE = { baseColor: [1, 1, 1, 1], baseColorTexture: -1, alphaMode: 'OPAQUE', alphaCutoff: 0.5,
    doubleSided: false, unlit: false };
const ROUGH = { metallic: 0, roughness: 1, emission: [0, 0, 0], normalScale: 1, occlusionStrength: 1,
    metalRoughTexture: -1, normalTexture: -1, occlusionTexture: -1, emissionTexture: -1, omitted: [] };

// The textures of a material: the key, the name in messages, the name in shaders, and whether they have sRGB colours.
export const MAPS = [
    { key: 'baseColorTexture', name: 'base color', define: 'BASE_COLOR_MAP', isColor: true },
    { key: 'metalRoughTexture', name: 'metallic-roughness', define: 'METAL_ROUGH_MAP', isColor: false },
    { key: 'normalTexture', name: 'normal', define: 'NORMAL_MAP', isColor: false },
    { key: 'occlusionTexture', name: 'occlusion', define: 'OCCLUSION_MAP', isColor: false },
    { key: 'emissionTexture', name: 'emission', define: 'EMISSION_MAP', isColor: true },
];

export const texturesOf = (material) => MAPS.map(({ key }) => material[key]).filter((texture) => texture >= 0);

function number(value, least, most, otherwise) {
    return Number.isFinite(value) ? Math.min(Math.max(value, least), most) : otherwise;
}

// The texture coordinates of a texture: their set and transform, as a key for comparison.
function coordinatesOf(info) {
    const { texCoord, offset, rotation, scale } = info?.extensions?.KHR_texture_transform ?? {};
    return JSON.stringify([texCoord ?? info?.texCoord ?? 0, offset ?? [0, 0], rotation ?? 0, scale ?? [1, 1]]);
}

function emissionOf({ emissiveFactor, extensions }) {
    const strength = number(extensions?.KHR_materials_emissive_strength?.emissiveStrength, 0, 1e4, 1);
    return [0, 1, 2].map((i) => strength * number(emissiveFactor?.[i], 0, 1, 0));
}

// Metal and roughness; for the older extension those of a rough dielectric of its glossiness.
function factorsOf({ pbrMetallicRoughness: model, extensions }) {
    const old = extensions?.KHR_materials_pbrSpecularGlossiness;
    if (old && !model) return { metallic: 0, roughness: 1 - number(old.glossinessFactor, 0, 1, 1) };
    return { metallic: number(model?.metallicFactor, 0, 1, 1), roughness: number(model?.roughnessFactor, 0, 1, 1) };
}

// What the asset does not have of a material. Vertices have one set of texture coordinates, those of the base colour:
// textures with others are omitted.
function surfaceOf(value, textureCount) {
    const { pbrMetallicRoughness: model, normalTexture, occlusionTexture, emissiveTexture } = value;
    const surface = { ...ROUGH, ...factorsOf(value), emission: emissionOf(value), omitted: [],
        normalScale: number(normalTexture?.scale, -1e4, 1e4, 1),
        occlusionStrength: number(occlusionTexture?.strength, 0, 1, 1) };
    const infos = { metalRoughTexture: model?.metallicRoughnessTexture, normalTexture, occlusionTexture,
        emissionTexture: emissiveTexture };
    const base = coordinatesOf(model?.baseColorTexture);
    for (const { key, name } of MAPS) {
        const index = infos[key]?.index;
        if (!Number.isInteger(index) || index < 0 || index >= textureCount) continue;
        if (coordinatesOf(infos[key]) === base) surface[key] = index;
        else surface.omitted.push(name);
    }
    return surface;
}

/**
 * The materials of an asset, and last the one of primitives without a material. `file` has the bytes of its file.
 * Without them all surfaces are rough and none is metal.
 */
export function materialsOf(/** @type {Asset} */ asset, file = null) {
    const json = file ? jsonOf(file) : {};
    const list = Array.isArray(json.materials) ? json.materials : [];
    const materials = asset.materials.map((base, i) => {
        const value = list[i];
        const isGiven = value && typeof value === 'object';
        return { ...ROUGH, ...(isGiven ? surfaceOf(value, asset.textures.length) : {}), ...base };
    });
    return [...materials, { ...(file ? surfaceOf({}, 0) : ROUGH), ...BASE }];
}

/** Messages about textures of parts that are not drawn. */
export function omissionsOf(parts) {
    const materials = new Set(parts.map(({ material }) => material).filter(({ omitted }) => omitted.length > 0));
    return [...materials].map(({ name, omitted }) => (
        `material '${name}' is drawn without its ${omitted.join(' and ')} texture: only the texture coordinates of ` +
        'the base color are supported'));
}
