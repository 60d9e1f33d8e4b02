// SPDX-License-Identifier: MIT
// Suggests a blend space for a file: its locomotion clips (idle, walk, run...) at their measured speeds.
/** @import { Asset } from './sinew/index.js' */
/** @import { Space } from './stage.js' */

// Words for locomotion clips, from slow to fast. Exporters put the armature's name first ("Armature|Walk") and a
// variant last ("Walking_A", "run_loop"). A clip for another direction ("Walk_Backwards") is a different motion.
const GAITS = ['idle', 'walk(ing)?', 'jog(ging)?', 'run(ning)?', 'sprint(ing)?'].map((word) => (
    new RegExp(`^(.*[|:])?${word}([ _.-]*(\\d+|loop|cycle|forwards?|fwd|in[ _-]?place)|[ _.-]+[a-z])*$`, 'i')));
const WALK = 1; // in GAITS

// The first clip of each gait that the file has.
const findGaits = (clips) => GAITS.map((gait) => clips.find(({ name }) => gait.test(name))).filter(Boolean);

/** A file's locomotion clips, with all variants. */
export const locomotionOf = (clips) => clips.filter(({ name }) => GAITS.some((gait) => gait.test(name)));

/** The index of the clip to start with: the walk, else the first. */
export const findWalk = (clips) => Math.max(clips.findIndex(({ name }) => GAITS[WALK].test(name)), 0);

const MAX_UNMEASURED = 4; // how many clips to take if there are no locomotion clips

// Clips' ground speeds in metres per second; none if no feet are found.
function speedsOf(/** @type {Asset} */ asset, clips) {
    try {
        return clips.map((clip) => asset.measureSpeed(clip).speed);
    } catch {
        return [];
    }
}

/** A character's root node: the first joint, or the first node if there's no skin. */
export function rootOf(/** @type {Asset} */ asset) {
    return asset.skins.length > 0 ? Math.min(...asset.skins.flatMap(({ joints }) => [...joints])) : 0;
}

/** The root node's name in the file, or ''. */
export const rootNameOf = (/** @type {Asset} */ asset) => asset.nodes[rootOf(asset)].name ?? '';

const round = (value) => Math.round(100 * value) / 100;
const isRising = (numbers) => numbers.every((value, i) => i === 0 || value > numbers[i - 1] + 0.05);

/**
 * Suggests a blend space for Stage.setSpace. Returns null for a file with fewer than two clips.
 * @returns {Space | null}
 */
export function suggestSpace(/** @type {Asset} */ asset) {
    const found = findGaits(asset.clips);
    const clips = found.length > 1 ? found : asset.clips.slice(0, MAX_UNMEASURED);
    if (clips.length < 2) return null;
    const speeds = found.length > 1 ? speedsOf(asset, clips).map((speed) => Math.round(20 * speed) / 20) : [];
    const isMeasured = speeds.length > 0 && isRising(speeds);
    const samples = clips.map(({ index }, i) => ({ clip: index, x: isMeasured ? speeds[i] : i, y: 0 }));
    return { kind: 'line', samples, x: samples[1].x, y: 0 };
}

const onLine = (sample) => ({ ...sample, x: round(Math.hypot(sample.x, sample.y)), y: 0 });

/**
 * Converts samples between a line and a plane. In the plane, the slowest is at the center and the others are around
 * it, as far out as they're fast. Samples that already fit the kind don't change.
 */
export function arrange(kind, samples) {
    const isFlat = samples.every(({ y }) => y === 0);
    if (kind === 'line') return isFlat ? samples : samples.map(onLine);
    if (!isFlat) return samples;
    const slowest = samples.reduce((least, sample) => (sample.x < least.x ? sample : least));
    const others = samples.filter((sample) => sample !== slowest);
    return samples.map((sample) => {
        if (sample === slowest) return { ...sample, x: 0, y: 0 };
        const angle = 2 * Math.PI * others.indexOf(sample) / Math.max(others.length, 3); // two clips aren't opposite each other
        return { ...sample, x: round(sample.x * Math.sin(angle)), y: round(sample.x * Math.cos(angle)) };
    });
}
