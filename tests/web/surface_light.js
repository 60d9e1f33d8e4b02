// SPDX-License-Identifier: MIT
// The light that a surface sends to the eye, by numerical integration: renderers_page.js's expected colours. Only the
// key light and the environment's radiance are the studio's.
import { radianceFrom } from '/renderers/environment.js';
import { KEY_COLOR, TOWARD_LIGHT } from '/renderers/look.js';

const RINGS = 128;

const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const unit = (v) => v.map((value) => value / Math.hypot(...v));

// The BRDF of glTF 2.0, appendix B, with the exact masking and shadowing of Smith: diffuse and specular part for a
// reflectance at normal incidence of 0 and of 1.
function brdf(roughness, n, l, v) {
    const h = unit([0, 1, 2].map((i) => l[i] + v[i]));
    const a2 = roughness ** 4;
    const [nh, nl, nv, vh] = [dot(n, h), dot(n, l), dot(n, v), dot(v, h)];
    const d = a2 / (Math.PI * (nh * nh * (a2 - 1) + 1) ** 2);
    const visibility = 0.5 / (nl * Math.sqrt(nv * nv * (1 - a2) + a2) + nv * Math.sqrt(nl * nl * (1 - a2) + a2));
    return { mirrored: d * visibility, edge: (1 - vh) ** 5 };
}

// Directions of equal weight about y, with their solid angle.
function* sphere() {
    for (let ring = 0; ring < RINGS; ring++) {
        const y = 1 - (2 * ring + 1) / RINGS, side = Math.sqrt(1 - y * y);
        for (let i = 0; i < 2 * RINGS; i++) {
            const angle = Math.PI * (i + 0.5) / RINGS;
            yield { l: [side * Math.cos(angle), y, side * Math.sin(angle)], solid: 2 * Math.PI / (RINGS * RINGS) };
        }
    }
}

/**
 * The linear light from a surface without a shadow, in the direction `v`: { base, metallic, roughness, emission,
 * occlusion }. What microfacets reflect more than once is added as by E. Turquin, Practical multiple scattering
 * compensation for microfacet models, 2019.
 */
export function lightFrom({ base, metallic, roughness, emission = [0, 0, 0], occlusion = 1 }, n, v) {
    let whole = 0; // the reflectance of a perfect mirror
    const diffuse = [0, 0, 0], plain = [0, 0, 0], edges = [0, 0, 0]; // integrals over the environment
    for (const { l, solid } of sphere()) {
        const cosine = dot(n, l);
        if (cosine <= 0) continue;
        const { mirrored, edge } = brdf(roughness, n, l, v);
        const radiance = radianceFrom(l);
        whole += mirrored * cosine * solid;
        for (let k = 0; k < 3; k++) {
            const light = radiance[k] * cosine * solid;
            diffuse[k] += light * (1 - 0.04 - 0.96 * edge) / Math.PI;
            plain[k] += light * mirrored * (1 - edge);
            edges[k] += light * mirrored * edge;
        }
    }
    const key = brdf(roughness, n, TOWARD_LIGHT, v), cosine = Math.max(dot(n, TOWARD_LIGHT), 0);
    return base.map((color, k) => {
        const f0 = 0.04 + (color - 0.04) * metallic, matt = color * (1 - metallic);
        const fresnel = f0 + (1 - f0) * key.edge;
        const direct = Math.PI * KEY_COLOR[k] * cosine * (matt * (1 - fresnel) / Math.PI + fresnel * key.mirrored);
        const once = f0 * plain[k] + edges[k];
        const more = 1 + f0 * (1 / whole - 1);
        return direct + occlusion * (matt * diffuse[k] + once * more) + emission[k];
    });
}

/** The sRGB colour of linear light, from 0 to 255: the specification of the Khronos PBR Neutral Tone Mapper. */
export function shown(light) {
    const x = Math.min(...light), offset = x < 0.08 ? x - 6.25 * x * x : 0.04;
    const color = light.map((value) => value - offset), p = Math.max(...color);
    const toned = color.map((value) => {
        if (p < 0.76) return value;
        const pn = 1 - 0.24 ** 2 / (p + 0.24 - 0.76), g = 1 / (0.15 * (p - pn) + 1);
        return value * pn / p * g + pn * (1 - g);
    });
    return toned.map((l) => 255 * (l <= 0.0031308 ? 12.92 * l : 1.055 * l ** (1 / 2.4) - 0.055));
}
