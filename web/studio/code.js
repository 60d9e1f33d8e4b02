// SPDX-License-Identifier: MIT
// Writes code that plays what the stage plays now: for three.js, Babylon.js and C.
import { LAYERS, TRANSITIONS } from './defaults.js';
/** @import { Stage } from './stage.js' */

// ---- What plays -------------------------------------------------------------------------------------------------

// The wind for the file's springs, m/s; null if it has none or they're off.
function windOf({ solving, springs: { on, speed, angle } }) {
    const turn = angle * Math.PI / 180;
    return solving?.bones && on ? [speed * Math.sin(turn), 0, speed * Math.cos(turn)] : null;
}

/**
 * What plays now, without what fades out: { file, speed, loop, transition, base: [{ clip, weight }], all, space,
 * wind, layers: [{ index, clip, mode, weight, mask }] }. `all` is true if the clips are added up. The clip that was
 * started last comes first in `base`.
 */
export function playingOf(/** @type {Stage} */ stage) {
    const { character, speed, loop, transition, space, playsAll: all } = stage, { clips } = character.asset;
    const weights = clips.flatMap((clip, i) => (
        !space && (i === stage.clip || all || stage.hasWeight(i)) ? [{ clip, weight: stage.weight(i) }] : []));
    const base = weights.length === 1 ? [{ ...weights[0], weight: 1 }] : weights.filter(({ weight }) => weight > 0);
    const first = base.findIndex(({ clip }) => clip === stage.shownClip);
    if (first > 0) base.unshift(...base.splice(first, 1));
    const layers = stage.layers.map((layer, index) => ({ index, ...layer })).slice(1, LAYERS)
        .filter(({ clip }) => clip >= 0).map((layer) => ({ ...layer, clip: clips[layer.clip] }));
    return { file: character.name, asset: character.asset, speed, loop, transition, base, all, space, layers, wind: windOf(stage) };
}

const number = (value) => String(Math.round(value * 1e4) / 1e4);
const isUnique = (list, name) => name !== '' && list.filter((one) => one.name === name).length === 1;

// ---- JavaScript -------------------------------------------------------------------------------------------------

const LOOP_NAMES = { 'repeat': 'LoopRepeat', 'once': 'LoopOnce', 'ping-pong': 'LoopPingPong' };

class JavaScript {
    /** @param {ReturnType<typeof playingOf>} playing */
    constructor(playing) {
        this.asset = playing.asset;
        this.speed = playing.speed;
        this.loop = playing.loop;
        this.transition = playing.transition;
        this.base = playing.base;
        this.all = playing.all;
        this.space = playing.space;
        this.layers = playing.layers;
        this.used = new Set(['Sinew']);
        this.lines = [];
    }

    clip(clip) {
        return isUnique(this.asset.clips, clip.name) ? JSON.stringify(clip.name) : `asset.clips[${clip.index}]`;
    }

    node(node) {
        const { nodes } = this.asset, { name } = nodes[node];
        return isUnique(nodes, name) ? `asset.findNode(${JSON.stringify(name)})` : `${node}`;
    }

    action(source, layer = 0) {
        const action = `mixer.clipAction(${source}${layer > 0 ? `, { layer: ${layer} }` : ''})`;
        if (this.loop === 'repeat') return action;
        this.used.add(LOOP_NAMES[this.loop]);
        return `${action}.setLoop(${LOOP_NAMES[this.loop]})`;
    }

    addBase() {
        const { kind, duration, matchRate } = this.transition, { base: [first, ...rest], all } = this;
        const options = `{ kind: '${TRANSITIONS[kind]}', duration: ${number(duration)}${matchRate ? ', matchRate: true' : ''} }`;
        if (this.space) this.addSpace(options);
        if (!first) return;
        const weight = first.weight === 1 || all ? '' : `.setEffectiveWeight(${number(first.weight)})`;
        this.lines.push(`mixer.transitionTo(${this.action(this.clip(first.clip))}${weight}, ${options});`);
        if (all) this.lines.push(`mixer.layers[${LAYERS}].mode = 'additive';`);
        for (const { clip, weight: part } of rest) {
            const source = all ? `asset.makeAdditive(${this.clip(clip)}, { reference: null })` : this.clip(clip);
            const set = part === 1 ? '' : `.setEffectiveWeight(${number(part)})`;
            this.lines.push(`${this.action(source, all ? LAYERS : 0)}${set}.play();`);
        }
    }

    addSpace(options) {
        const { kind, samples, x, y } = this.space, { clips } = this.asset;
        this.used.add('BlendSpace');
        const list = samples.map((sample) => (
            `    { clip: ${this.clip(clips[sample.clip])}, x: ${number(sample.x)}, y: ${number(sample.y)} },`));
        this.lines.push(`const space = new BlendSpace(asset, { kind: '${kind}', syncNames: ['Foot_L', 'Foot_R'], samples: [`,
            ...list, '] });',
            `const moving = mixer.clipAction(space).setParameter(${number(x)}, ${number(y)});`,
            `mixer.transitionTo(moving, ${options});`);
    }

    addLayer({ index, clip, mode, weight, mask }) {
        const isAdditive = mode === 'additive', source = this.clip(clip);
        if (isAdditive) this.lines.push(`mixer.layers[${index}].mode = 'additive';`);
        if (weight !== 1) this.lines.push(`mixer.layers[${index}].weight = ${number(weight)};`);
        if (mask) {
            this.used.add('Mask');
            this.lines.push(`mixer.layers[${index}].mask = new Mask(asset).setSubtree(${this.node(mask.node)}, 1, ${
                number(mask.feather)});`);
        }
        this.lines.push(`mixer.clipAction(${isAdditive ? `asset.makeAdditive(${source})` : source}, { layer: ${index} }).play();`);
    }

    /** The lines that play on a `mixer` with its `asset`. */
    play() {
        if (this.speed !== 1) this.lines.push(`mixer.timeScale = ${number(this.speed)};`);
        this.addBase();
        this.layers.forEach((layer) => this.addLayer(layer));
        return this.lines;
    }

    // The mixer's options; '' for the defaults.
    get options() {
        return this.all ? `, { layers: ${LAYERS + 1}, maxActions: 64 }` : '';
    }
}

// Springs from the file, for `mixer`. `json` is an expression for the file's JSON or bytes.
function springLines(wind, json) {
    if (!wind) return [];
    const blows = wind.some((value) => Math.abs(value) >= 1e-4);
    return [`const springs = new Springs(await Solvers.load(), mixer, springsOf(${json}));`,
        ...(blows ? [`springs.wind = [${wind.map(number).join(', ')}];`] : [])];
}

const SPRINGS_IMPORT = 'import { Solvers, Springs, springsOf } from \'sinew-animation/solvers\';';

// `load(file, options)` returns the lines that make `character`.
function driven(playing, imports, load, from, json) {
    const script = new JavaScript(playing), lines = script.play(), file = JSON.stringify(playing.file);
    const usesAsset = lines.some((line) => /\basset\b/.test(line));
    return [...imports, `import { ${[...script.used].sort().join(', ')} } from 'sinew-animation';`,
        `import { drive } from 'sinew-animation/${from}';`, ...(playing.wind ? [SPRINGS_IMPORT] : []), '', ...load(file, script.options),
        ...(usesAsset ? ['const { asset } = character.mixer;'] : []), 'const { mixer } = character;', ...lines, ...springLines(playing.wind, json), '',
        '// each frame, then render as usual:', 'character.update(delta);', ''].join('\n');
}

export const threeCode = (playing) => driven(playing,
    ['import { GLTFLoader } from \'three/addons/loaders/GLTFLoader.js\';'],
    (file, options) => [`const loaded = await new GLTFLoader().loadAsync(${file});`, 'scene.add(loaded.scene);',
        `const character = await drive(loaded, await Sinew.load()${options});`], 'three', 'loaded.parser.json');

export const babylonCode = (playing) => driven(playing,
    ['import { LoadAssetContainerAsync } from \'@babylonjs/core\';', 'import \'@babylonjs/loaders/glTF/2.0/index.js\';'],
    (file, options) => [`const loaded = await LoadAssetContainerAsync(${file}, scene);`, 'loaded.addAllToScene();',
        'const sinew = await Sinew.load();',
        `const character = drive(loaded, await sinew.fetchAsset(${file})${options});`], 'babylon',
    `await (await fetch(${JSON.stringify(playing.file)})).arrayBuffer()`);

// ---- C ----------------------------------------------------------------------------------------------------------

const C_LOOPS = { 'repeat': 'REPEAT', 'once': 'ONCE', 'ping-pong': 'PING_PONG' };
const C_KINDS = { 'fade': 'FADE', 'inertialize': 'INERTIALIZE', 'dead-blend': 'DEAD_BLEND' };
const C_SPACES = { line: 'LINE', triangles: 'TRIANGLES', directional: 'DIRECTIONAL' };

const float = (value) => (number(value).includes('.') ? `${number(value)}f` : `${number(value)}.0f`);

class C {
    /** @param {ReturnType<typeof playingOf>} playing */
    constructor(playing) {
        this.file = playing.file;
        this.asset = playing.asset;
        this.speed = playing.speed;
        this.loop = playing.loop;
        this.transition = playing.transition;
        this.base = playing.base;
        this.all = playing.all;
        this.space = playing.space;
        this.layers = playing.layers;
        this.wind = playing.wind;
        this.lines = [];
        this.additive = 0;
        this.layerCount = Math.max(1, ...playing.layers.map(({ index }) => index + 1), playing.all ? LAYERS + 1 : 1);
    }

    string(text) {
        return `"${text.replace(/[\\"]/g, '\\$&').replace(/[\x00-\x1f]/g, '?')}"`;
    }

    clip(clip) {
        return isUnique(this.asset.clips, clip.name) ? `sinew_asset_find_clip(asset, ${this.string(clip.name)})`
            : `&asset->clips[${clip.index}]`;
    }

    node(node) {
        const { nodes } = this.asset, { name } = nodes[node];
        return isUnique(nodes, name) ? `sinew_skeleton_find(asset->skeleton, ${this.string(name)})` : `${node}`;
    }

    add(...lines) {
        this.lines.push(...lines);
    }

    // Sets `play` for the next call.
    set({ weight = 1, layer = 0 }) {
        this.add(`play.weight = ${float(weight)};`, `play.layer = ${layer};`);
    }

    // The name of a clip that is another clip's difference to its first pose or to the rest pose.
    makeAdditive(clip, toFirst) {
        const name = `difference${++this.additive}`, reference = toFirst ? 'pose' : 'NULL';
        this.add(`sinew_clip *${name};`);
        if (toFirst) this.add(`sinew_clip_sample(${this.clip(clip)}, 0.0f, pose);`);
        this.add(`if (sinew_clip_make_additive(${this.clip(clip)}, ${reference}, NULL, &${name}, &error) != SINEW_OK) die(error.message);`);
        return name;
    }

    addSpace() {
        const { kind, samples, x, y } = this.space, { clips } = this.asset;
        const list = samples.map((sample) => (
            `    {${this.clip(clips[sample.clip])}, ${float(sample.x)}, ${float(sample.y)}, 1.0f},`));
        this.add('const sinew_blend_sample samples[] = {', ...list, '};', 'static const char *const steps[] = {"Foot_L", "Foot_R"};',
            'sinew_blend_space_def space_def = sinew_blend_space_default();', 'space_def.skeleton = asset->skeleton;',
            `space_def.kind = SINEW_BLEND_SPACE_${C_SPACES[kind]};`, `space_def.sample_count = ${samples.length};`,
            'space_def.samples = samples;', 'space_def.sync_names = steps;', 'space_def.sync_name_count = 2;',
            'sinew_blend_space *space;',
            'if (sinew_blend_space_create(&space_def, &space, &error) != SINEW_OK) die(error.message);',
            `sinew_mixer_transition_to(mixer, sinew_blend_space_source(space, ${float(x)}, ${float(y)}), &transition, &play);`);
    }

    addBase() {
        const { base: [first, ...rest], all, transition: { kind, duration, matchRate } } = this;
        this.add('sinew_transition transition = sinew_transition_default();',
            `transition.kind = SINEW_TRANSITION_${C_KINDS[kind]};`, `transition.duration = ${float(duration)};`,
            ...(matchRate ? ['transition.match_rate = true;'] : []));
        if (this.space) this.addSpace();
        if (!first) return;
        this.set({ weight: all ? 1 : first.weight });
        this.add(`sinew_mixer_transition_to(mixer, sinew_clip_source(${this.clip(first.clip)}), &transition, &play);`);
        if (all) this.add(`sinew_layer_set_mode(mixer, ${LAYERS}, SINEW_LAYER_ADDITIVE);`);
        for (const { clip, weight } of rest) {
            const source = all ? this.makeAdditive(clip, false) : this.clip(clip);
            this.set({ weight, layer: all ? LAYERS : 0 });
            this.add(`sinew_mixer_play(mixer, sinew_clip_source(${source}), &play);`);
        }
    }

    addLayer({ index, clip, mode, weight, mask }) {
        const isAdditive = mode === 'additive', source = isAdditive ? this.makeAdditive(clip, true) : this.clip(clip);
        if (isAdditive) this.add(`sinew_layer_set_mode(mixer, ${index}, SINEW_LAYER_ADDITIVE);`);
        if (weight !== 1) this.add(`sinew_layer_set_weight(mixer, ${index}, ${float(weight)});`);
        if (mask) {
            this.add(`sinew_mask *mask${index};`,
                `if (sinew_mask_create(asset->skeleton, 0.0f, NULL, &mask${index}) != SINEW_OK) die("out of memory");`,
                `sinew_mask_set_subtree(mask${index}, ${this.node(mask.node)}, 1.0f, ${number(mask.feather)});`,
                `sinew_layer_set_mask(mixer, ${index}, mask${index});`);
        }
        this.set({ layer: index });
        this.add('play.loop = SINEW_LOOP_REPEAT;', `sinew_mixer_play(mixer, sinew_clip_source(${source}), &play);`);
    }

    // Adds the file's springs, before the frames.
    addSprings() {
        this.add('', 'sinew_springs *springs;',
            'if (sinew_springs_create_from_vrm(asset->vrm, NULL, &springs) != SINEW_OK) die("out of memory");',
            'sinew_spring_state *state = malloc(sinew_springs_state_size(springs));',
            'sinew_affine *model = malloc((size_t)asset->skeleton->node_count * sizeof *model);',
            'if (!state || !model) die("out of memory");', 'sinew_springs_reset(springs, state);',
            'sinew_springs_input input = sinew_springs_input_default();',
            `input.wind = (sinew_vec3){${this.wind.map(float).join(', ')}};`);
    }

    // Runs after the mixer's update.
    addSolving(step) {
        this.add('sinew_pose *current = sinew_mixer_edit_pose(mixer);', 'sinew_pose_to_model(current, model);',
            `sinew_springs_solve(springs, &input, ${step}, state, current, model);`, 'sinew_mixer_finish_pose(mixer);');
    }

    text() {
        const needsPose = this.layers.some(({ mode }) => mode === 'additive');
        this.add('#include <sinew/all.h>', ...(this.wind ? ['#include <stdlib.h>'] : []), '', 'sinew_error error;', 'sinew_asset *asset;',
            `if (sinew_gltf_load_file(${this.string(this.file)}, NULL, &asset, &error) != SINEW_OK) die(error.message);`, '',
            'sinew_mixer_def def = sinew_mixer_default();', 'def.skeleton = asset->skeleton;',
            `def.layer_count = ${this.layerCount};`, ...(this.all ? ['def.max_actions = 64;'] : []), 'sinew_mixer *mixer;',
            'if (sinew_mixer_create(&def, &mixer, &error) != SINEW_OK) die(error.message);', '');
        if (needsPose) this.add('sinew_pose *pose;',
            'if (sinew_pose_create(asset->skeleton, NULL, &pose) != SINEW_OK) die("out of memory");');
        if (this.space || this.base.length > 0 || this.layers.length > 0) {
            this.add('sinew_play_def play = sinew_play_default();', `play.loop = SINEW_LOOP_${C_LOOPS[this.loop]};`);
        }
        if (this.space || this.base.length > 0) this.addBase();
        this.layers.forEach((layer) => this.addLayer(layer));
        const step = this.speed === 1 ? 'dt' : `${float(this.speed)} * dt`;
        if (this.wind) this.addSprings();
        this.add('', '// each frame', `sinew_mixer_update(mixer, ${step});`);
        if (this.wind) this.addSolving(step);
        this.add('');
        return this.lines.join('\n');
    }
}

export const cCode = (playing) => new C(playing).text();

/** By name: { label, make(playing) }. */
export const LANGUAGES = {
    three: { label: 'three.js', make: threeCode }, babylon: { label: 'Babylon.js', make: babylonCode },
    c: { label: 'C', make: cCode },
};
