// A blend space to begin with: the clips of a file that are paces, at the speeds at which they go.
import { Probe } from './probe.js';

// From the slowest on; in whatever letters, and after the name of an armature, as some exporters write them.
const NAMES = ['idle', 'walk(ing)?', 'jog(ging)?', 'run(ning)?', 'sprint(ing)?'].map((word) => (
    new RegExp(`^(.*\\|)?${word}$`, 'i')));
const FEET = /foot|ankle/i;
const MOMENTS = 48;
const NEAR_GROUND = 0.2; // of the way that a foot is lifted: below it, it stands
const LEAST_TRAVEL = 0.2; // metres a second: a root that goes slower stays where it is
const MOST_EVEN = 4; // clips that are taken where none is a pace

const median = (numbers) => numbers.sort((a, b) => a - b)[numbers.length >> 1] ?? 0;

// Where a node is at each of some moments, x y z after each other.
function wayOf(probe, clip, node) {
    const way = new Float32Array(3 * (MOMENTS + 1));
    for (let i = 0; i <= MOMENTS; i++) {
        const rows = probe.pose(clip, clip.duration * i / MOMENTS).modelMatrices;
        for (let axis = 0; axis < 3; axis++) way[3 * i + axis] = rows[12 * node + 4 * axis + 3];
    }
    return way;
}

const stepOf = (way, i) => Math.hypot(way[3 * i + 3] - way[3 * i], way[3 * i + 5] - way[3 * i + 2]);

// A foot on the ground goes back as fast as the body goes forward, where the clip stays in place.
function speedOfFoot(way, duration) {
    const heights = way.filter((_, i) => i % 3 === 1);
    const least = Math.min(...heights), limit = least + NEAR_GROUND * (Math.max(...heights) - least);
    const speeds = [];
    for (let i = 0; i < MOMENTS; i++) {
        if (heights[i] <= limit && heights[i + 1] <= limit) speeds.push(stepOf(way, i) * MOMENTS / duration);
    }
    return median(speeds);
}

function speedOf(probe, clip, root, feet) {
    if (clip.duration === 0) return 0;
    const way = wayOf(probe, clip, root), end = 3 * MOMENTS;
    const travel = Math.hypot(way[end] - way[0], way[end + 2] - way[2]) / clip.duration;
    if (travel > LEAST_TRAVEL) return travel;
    return Math.max(0, ...feet.map((foot) => speedOfFoot(wayOf(probe, clip, foot), clip.duration)));
}

// Metres a second at which some clips go: as their root travels, or else as their feet do on the ground.
function speedsOf(asset, clips) {
    const probe = new Probe(asset);
    const feet = asset.nodes.flatMap(({ name }, node) => (FEET.test(name) ? [node] : []));
    const root = rootOf(asset);
    const speeds = clips.map((clip) => speedOf(probe, clip, root, feet));
    probe.dispose();
    return speeds;
}

/** The node that carries a character: the first joint, or of a file without a skin its first node. */
export function rootOf(asset) {
    return asset.skins.length > 0 ? Math.min(...asset.skins.flatMap(({ joints }) => [...joints])) : 0;
}

const round = (value) => Math.round(100 * value) / 100;
const isRising = (numbers) => numbers.every((value, i) => i === 0 || value > numbers[i - 1] + 0.05);

/** { kind, samples, x, y } as a stage takes it, or null for a file with less than two clips. */
export function suggestSpace(asset) {
    const paces = NAMES.map((pattern) => asset.clips.find(({ name }) => pattern.test(name))).filter(Boolean);
    const clips = paces.length > 1 ? paces : asset.clips.slice(0, MOST_EVEN);
    if (clips.length < 2) return null;
    const speeds = paces.length > 1 ? speedsOf(asset, clips).map((speed) => Math.round(20 * speed) / 20) : [];
    const isMeasured = speeds.length > 0 && isRising(speeds);
    const samples = clips.map(({ index }, i) => ({ clip: index, x: isMeasured ? speeds[i] : i, y: 0 }));
    return { kind: 'line', samples, x: samples[1].x, y: 0 };
}

const onLine = (sample) => ({ ...sample, x: round(Math.hypot(sample.x, sample.y)), y: 0 });

/**
 * Samples of a line in a plane, and back: the slowest in the middle, and the others round it, each as far away as it is
 * fast. What lies in a plane already, or on a line, stays.
 */
export function arrange(kind, samples) {
    const isFlat = samples.every(({ y }) => y === 0);
    if (kind === 'line') return isFlat ? samples : samples.map(onLine);
    if (!isFlat) return samples;
    const slowest = samples.reduce((least, sample) => (sample.x < least.x ? sample : least));
    const others = samples.filter((sample) => sample !== slowest);
    return samples.map((sample) => {
        if (sample === slowest) return { ...sample, x: 0, y: 0 };
        const angle = 2 * Math.PI * others.indexOf(sample) / Math.max(others.length, 3); // two are not opposites
        return { ...sample, x: round(sample.x * Math.sin(angle)), y: round(sample.x * Math.cos(angle)) };
    });
}
