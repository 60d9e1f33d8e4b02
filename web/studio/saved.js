// SPDX-License-Identifier: MIT
// A stage's state as plain JSON, for links. Restoring doesn't trust it: a link may be older, truncated or edited.
// Each value is checked, and invalid ones get their defaults.
import {
    CURVES, LAYERS, LOOPS, MODES, MAX_CROWD, MAX_TRANSITION, MAX_WIND, newLayer, newSprings, newView, RENDERERS, ROLE_NAMES, SPACES, SPEEDS, TABS,
    THEMES, TRANSITIONS,
} from './defaults.js';
/** @import { Asset } from './sinew/index.js' */
/** @import { Stage } from './stage.js' */

const MAX_TIME = 1e6; // seconds
const MAX_GOAL = 1e4; // metres
const round = (number) => Math.round(number * 1e5) / 1e5;

// ---- Saving -----------------------------------------------------------------------------------------------------

// [clip, weight, time] of each clip with a weight, and of the one that fades in. Leaves out clips that fade out to a
// blend space: the link starts with the blend space alone.
function playingClips(/** @type {Stage} */ stage) {
    const found = [];
    stage.character.asset.clips.forEach((_, clip) => {
        const action = stage.action(clip);
        const weight = action.getEffectiveWeight();
        const fadesOut = stage.space !== null && weight !== Math.fround(action.weight);
        if ((weight > 0 && !fadesOut) || clip === stage.clip) found.push([clip, round(weight), round(action.time)]);
    });
    return found;
}

export function save(/** @type {Stage} */ stage) {
    const { character, playing, speed, loop, transition, layers, space, crowd, plot, view } = stage;
    return {
        file: character.name,
        clip: stage.clip,
        clips: playingClips(stage),
        fading: stage.isFading,
        time: round(stage.time),
        playing, speed, loop,
        transition: { ...transition },
        layers: layers.slice(1).map((layer, i) => (
            { ...layer, time: layer.clip < 0 ? 0 : round(stage.action(layer.clip, i + 1).time) })),
        space: space && { ...space },
        all: stage.playsAll,
        graph: stage.graph?.save() ?? null,
        retarget: stage.retarget?.save() ?? null,
        morphs: stage.heldMorphs.map(({ node, target, weight }) => [node, target, round(weight)]),
        compare: stage.comparesWithItself ? { kind: stage.compare.kind } : null,
        attachments: stage.attachments.map(({ name, joint, offset, action }) => (
            { name, joint: character.asset.nodes[joint]?.name ?? null, offset, time: round(action?.time ?? 0) })),
        crowd: crowd.count === 0 ? null : { count: crowd.count, width: crowd.width, seconds: round(crowd.seconds) },
        springs: { ...stage.springs },
        warp: { on: stage.warp.on, goal: stage.warp.goal?.map(round) ?? null },
        effectors: stage.heldEffectors.map(({ role, target }) => [role, target.map(round)]),
        plot: { ...plot },
        view: { ...view },
    };
}

/** Adapts a state to another version of the file: clips get the indices of the same names. */
export function withClips(saved, before, after) {
    const indexOf = (clip) => (before[clip] === after[clip] ? clip : after.indexOf(before[clip]));
    const moved = (one) => ({ ...one, clip: indexOf(one.clip) });
    const { clips, layers, space } = saved;
    return { ...moved(saved), clips: clips.map(([clip, ...rest]) => [indexOf(clip), ...rest]), layers: layers.map(moved),
        space: space && { ...space, samples: space.samples.map(moved) } };
}

// ---- Restoring --------------------------------------------------------------------------------------------------

const isNumber = (value) => typeof value === 'number' && Number.isFinite(value);
const numberIn = (value, least, most, otherwise) => (
    isNumber(value) ? Math.min(Math.max(value, least), most) : otherwise);
const isIndex = (value, count) => Number.isInteger(value) && value >= 0 && value < count;
const list = (value) => (Array.isArray(value) ? value : []);
const oneOf = (value, words, otherwise) => (words.includes(value) ? value : otherwise);
const numbers = (value, otherwise) => (
    Array.isArray(value) && value.length === otherwise.length && value.every(isNumber) ? value : otherwise);

function readView(from) {
    const view = newView();
    for (const name in view) {
        if (typeof from?.[name] === typeof view[name]) view[name] = from[name];
    }
    view.tab = oneOf(view.tab, TABS, TABS[0]);
    view.renderer = oneOf(view.renderer, RENDERERS, 'webgl');
    view.theme = oneOf(view.theme, THEMES, 'auto');
    return view;
}

function readLayer(from, /** @type {Asset} */ asset) {
    const { clips, nodes } = asset;
    const layer = newLayer();
    layer.mode = oneOf(from?.mode, MODES, layer.mode);
    layer.weight = numberIn(from?.weight, 0, 1, layer.weight);
    if (isIndex(from?.clip, clips.length)) layer.clip = from.clip;
    if (isIndex(from?.mask?.node, nodes.length)) {
        layer.mask = { node: from.mask.node, feather: numberIn(from.mask.feather, 0, nodes.length, 0) };
    }
    return layer;
}

function readSpace(from, /** @type {Asset} */ asset) {
    const samples = list(from?.samples).filter((sample) => isIndex(sample?.clip, asset.clips.length))
        .map(({ clip, x, y }) => ({ clip, x: numberIn(x, -1e6, 1e6, 0), y: numberIn(y, -1e6, 1e6, 0) }));
    if (samples.length === 0) return null;
    const kind = oneOf(from.kind, SPACES, 'line');
    return { kind, samples, x: numberIn(from.x, -1e6, 1e6, 0), y: numberIn(from.y, -1e6, 1e6, 0) };
}

export function readOffset(from, otherwise) {
    return {
        translation: numbers(from?.translation, otherwise.translation),
        rotation: numbers(from?.rotation, otherwise.rotation),
        scale: numbers(from?.scale, otherwise.scale),
    };
}

// A link to another file may have clip indices that this file doesn't have.
const readClips = (from, { clips }) => list(from).filter((entry) => isIndex(entry?.[0], clips.length))
    .map(([clip, weight, time]) => (
        { clip, weight: numberIn(weight, 0, 1, 1), time: numberIn(time, 0, clips[clip].duration, 0) }));

function setWeights(/** @type {Stage} */ stage, playing) {
    for (const { clip, weight, time } of playing) {
        stage.setWeight(clip, weight);
        stage.action(clip).time = time;
    }
}

// Restores clips with their weights and times, and the timeline's clip. Without clips, keeps the default.
function restoreClips(/** @type {Stage} */ stage, playing, lead) {
    if (playing.length === 0) return;
    stage.play(playing.some(({ clip }) => clip === lead) ? lead : playing[0].clip);
    stage.character.clipMixer.stopAllAction();
    setWeights(stage, playing);
}

// Restores the blend space, and clips with weights next to it. Ignores a blend space with invalid samples.
function restoreSpace(/** @type {Stage} */ stage, space, time, playing) {
    if (!space) return;
    try {
        stage.setSpace(space);
        stage.seek(numberIn(time, 0, stage.duration, 0));
        setWeights(stage, playing);
    } catch (error) {
        stage.tell('note', `The link's blend space is invalid: ${error.message}.`);
    }
}

// The morph weights that are held: [node, target, weight].
function restoreMorphs(/** @type {Stage} */ stage, from) {
    const { nodes } = stage.character.asset;
    stage.releaseMorphs();
    for (const [node, target, weight] of list(from).filter(Array.isArray)) {
        if (!isIndex(node, nodes.length) || !isIndex(target, nodes[node].weightCount)) continue;
        stage.setMorph(node, target, numberIn(weight, 0, 1, 0));
    }
}

// Restores a comparison with the same file. A comparison with another file stays: links don't have that file.
function restoreCompare(/** @type {Stage} */ stage, from) {
    if (!from) {
        if (stage.comparesWithItself) stage.stopCompare();
        return;
    }
    const { name, bytes, files } = stage.character, kind = oneOf(from.kind, Object.keys(TRANSITIONS), 'inertialize');
    if (stage.compare) stage.setCompare({ kind });
    else stage.startCompare(name, bytes, files, kind);
}

// Restores the crowd's positions and times.
function restoreCrowd(/** @type {Stage} */ stage, from) {
    const width = numberIn(from?.width, 1e-3, 1e6, undefined);
    stage.setCrowd(Math.floor(numberIn(from?.count, 0, MAX_CROWD, 0)), width);
    stage.crowd.update(numberIn(from?.seconds, 0, MAX_TIME, 0));
}

// Restores the graph. A link has no text: link.js opens its file first.
function restoreGraph(/** @type {Stage} */ stage, from) {
    if (!from) stage.closeGraph();
    else if (typeof from.name === 'string' && typeof from.text === 'string') {
        if (stage.graph?.name !== from.name) stage.openGraph(from.name, from.text);
        stage.graph.restore(from);
    }
}

export function restoreTime(attachment, time) {
    if (attachment.action) attachment.action.time = numberIn(time, 0, MAX_TIME, 0);
}

function readSprings(from) {
    const { on, speed, angle } = newSprings();
    return { on: typeof from?.on === 'boolean' ? from.on : on, speed: numberIn(from?.speed, 0, MAX_WIND, speed),
        angle: numberIn(from?.angle, -180, 180, angle) };
}

function readWarp(from) {
    const isGoal = from?.goal && numbers(from.goal, [0, 0, 0]) === from.goal;
    return { on: from?.on === true, goal: isGoal ? from.goal.map((value) => numberIn(value, -MAX_GOAL, MAX_GOAL, 0)) : null };
}

const readEffectors = (from) => list(from).filter((one) => Object.hasOwn(ROLE_NAMES, one?.[0]) && numbers(one[1], [0, 0, 0]) === one[1]);

// Restores the plotted joint. Keeps the default if the file doesn't have it.
function restorePlot(/** @type {Stage} */ stage, from) {
    const { node, property } = stage.plot;
    const isNode = isIndex(from?.node, stage.character.asset.nodes.length);
    stage.setPlot({ node: isNode ? from.node : node, property: oneOf(from?.property, CURVES, property) });
}

// Restores a saved state. The stage must have loaded the file.
export function restore(/** @type {Stage} */ stage, given) {
    const from = given ?? {};
    const { asset } = stage.character;
    const { transition, layers, space, crowd, plot, view } = from, playing = readClips(from.clips, asset);
    stage.graph?.drive(false); // until the graph is restored
    stage.setTransition({ kind: 'fade', duration: 0, matchRate: false }); // without a fade
    stage.setLoop(oneOf(from.loop, Object.keys(LOOPS), 'repeat'));
    restoreClips(stage, playing, from.clip);
    for (let i = 1; i < LAYERS; i++) {
        const saved = list(layers)[i - 1], layer = readLayer(saved, asset);
        stage.setLayer(i, layer);
        if (layer.clip >= 0) stage.action(layer.clip, i).time = numberIn(saved.time, 0, MAX_TIME, 0);
    }
    restoreSpace(stage, readSpace(space, asset), from.time, playing);
    if (from.all === true && stage.canPlayAll) {
        stage.playAll();
        stage.seek(numberIn(from.time, 0, stage.duration, 0));
    }
    stage.setTransition({ duration: numberIn(transition?.duration, 0, MAX_TRANSITION, 0.3) });
    if (from.fading === true && stage.clip >= 0) stage.play(stage.clip); // continues the fade
    stage.setTransition({
        kind: oneOf(transition?.kind, Object.keys(TRANSITIONS), 'fade'), matchRate: transition?.matchRate === true,
    });
    stage.retarget?.restore(from);
    restoreCompare(stage, from.compare);
    restoreGraph(stage, from.graph);
    restoreCrowd(stage, crowd);
    restoreMorphs(stage, from.morphs);
    stage.setSpeed(numberIn(from.speed, SPEEDS[0], SPEEDS.at(-1), 1));
    stage.setSprings(readSprings(from.springs));
    stage.setWarp(readWarp(from.warp));
    stage.restoreEffectors(readEffectors(from.effectors));
    restorePlot(stage, plot);
    stage.setView(readView(view));
    stage.setPlaying(from.playing !== false);
    stage.update(0);
}
