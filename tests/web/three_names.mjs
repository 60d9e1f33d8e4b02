// SPDX-License-Identifier: MIT
// The names of three.js's animation classes: node three_names.mjs NODE_MODULES PACKAGE MODELS
// docs/howto/from-three.md lists all of them. Those that it calls the same have three.js's results here.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import test from 'node:test';
import { pathToFileURL } from 'node:url';
import { withoutMaterials } from './glb.mjs';

const [modules, packageFolder, models] = process.argv.slice(2);
if (!existsSync(resolve(modules, 'three'))) {
    console.log('SKIPPED: npm has not fetched three');
    process.exit(77);
}
const load = (...path) => import(pathToFileURL(resolve(...path)));

globalThis.self ??= globalThis; // GLTFLoader checks it to detect browsers
const three = await load(modules, 'three/build/three.module.js');
const { GLTFLoader } = await load(modules, 'three/examples/jsm/loaders/GLTFLoader.js');
const skeletonUtils = await load(modules, 'three/examples/jsm/utils/SkeletonUtils.js');
const [sinewNames, adapter, ...others] = await Promise.all(['index.js', 'three.js', 'retarget-three.js', 'optimize.js']
    .map((name) => load(packageFolder, name)));
const { Retargeter } = await load(packageFolder, 'retarget.js'), { Solvers } = await load(packageFolder, 'solvers.js');
const { Asset, BlendSpace, Graph, Legs, Mask, Mixer, Sinew } = sinewNames, { drive } = adapter, { clone } = skeletonUtils;
const {
    AdditiveAnimationBlendMode, AnimationAction, AnimationClip, AnimationMixer, AnimationUtils, LoopOnce, LoopPingPong, LoopRepeat,
    NormalAnimationBlendMode, Object3D,
} = three;

const sinew = await Sinew.load();
const bytes = withoutMaterials(readFileSync(resolve(models, 'hero.glb')));
const parse = () => new GLTFLoader().parseAsync(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength), '');
const gltf = await parse(), asset = sinew.loadAsset(bytes);
const clipOf = (name) => gltf.animations.find((clip) => clip.name === name);

// ---- The page ---------------------------------------------------------------------------------------------------

const page = readFileSync(resolve(models, '../docs/howto/from-three.md'), 'utf8');

// The rows of the table below a heading: { name, verdict, text }.
function rowsOf(heading) {
    const [, section] = page.match(new RegExp(`^## ${heading}\n([^]*?)(?=^## |$(?![^]))`, 'm'));
    return [...section.matchAll(/^\| (.*?) \| (.*?) \| (.*?) ?\|$/gm)].map(([, name, verdict, text]) => ({ name, verdict, text }))
        .filter(({ name }) => name.includes('`'));
}

const isPublic = (name) => !name.startsWith('_');

function membersOf(object) {
    const names = new Set(Object.keys(object));
    for (let one = Object.getPrototypeOf(object); one !== Object.prototype; one = Object.getPrototypeOf(one)) {
        for (const name of Object.getOwnPropertyNames(one)) names.add(name);
    }
    return [...names].filter(isPublic);
}

const staticsOf = (Class) => Object.getOwnPropertyNames(Class).filter((name) => !['length', 'name', 'prototype'].includes(name));
const eventsOf = (Class) => [...new Set([...String(Class).matchAll(/type: '(\w+)'/g)].map(([, type]) => type))];

const { mixer: driven } = drive(gltf, asset, { scene: clone(gltf.scene) });
const theirMixer = new AnimationMixer(new Object3D());
const theirAction = theirMixer.clipAction(clipOf('Walk'));
const ours = { mixer: driven, action: driven.clipAction('Walk'), clip: driven.clipAction('Walk').clip };

const PARTS = [
    ['AnimationMixer', membersOf(theirMixer), ours.mixer, theirMixer],
    ['AnimationAction', membersOf(theirAction), ours.action, theirAction],
    ['AnimationClip', membersOf(clipOf('Walk')), ours.clip, clipOf('Walk')],
    ['AnimationUtils', staticsOf(AnimationUtils), sinewNames, AnimationUtils],
    ['SkeletonUtils', Object.keys(skeletonUtils), sinewNames, skeletonUtils],
    ['Constants', Object.keys(three).filter((name) => /^Loop(Once|Repeat|PingPong)$|AnimationBlendMode$/.test(name)), sinewNames, three],
];
const MORE = {
    AnimationMixer: eventsOf(AnimationAction).map((type) => `event \`${type}\``),
    AnimationClip: staticsOf(AnimationClip).map((name) => `static \`${name}\``),
};
const VERDICTS = ['same', 'different', 'other name', 'not there'];

test('the page has every name of three.js, and no others', () => {
    for (const [heading, names] of PARTS) {
        const theirs = [...names.map((name) => `\`${name}\``), ...MORE[heading] ?? []];
        assert.ok(theirs.length > 2, heading);
        assert.deepEqual(rowsOf(heading).map(({ name }) => name).sort(), theirs.sort(), heading);
    }
});

// The names in the code of a row's text, such as makeAdditive of `asset.makeAdditive`.
const namesIn = (text) => [...text.matchAll(/`([^`]*)`/g)].flatMap(([, code]) => code.match(/\w+/g));

test('the page says truly which names are here', () => {
    const homes = [ours.mixer, ours.action, ours.clip, asset, sinewNames, adapter, ...others], count = {};
    for (const [heading, , mine, theirs] of PARTS) {
        for (const { name, verdict, text } of rowsOf(heading)) {
            const what = `${heading}: ${name} is ${verdict}`, [plain] = name.match(/\w+(?=`)/);
            count[verdict] = (count[verdict] ?? 0) + 1;
            assert.ok(VERDICTS.includes(verdict), what);
            assert.ok(text !== '' || verdict !== 'different', `${what}: how?`);
            if (verdict === 'other name') assert.ok(namesIn(text).some((each) => homes.some((home) => each in home)), `${what}: ${text}`);
            if (plain === 'constructor') continue;
            if (name.startsWith('event')) ours.mixer.addEventListener(plain, () => {}); // throws if there is no such event
            else assert.equal(!name.startsWith('static') && plain in mine, ['same', 'different'].includes(verdict), what);
            if (plain in mine && plain in theirs) assert.equal(typeof mine[plain], typeof theirs[plain], what);
            if (heading === 'Constants') assert.equal(mine[plain], theirs[plain], what);
        }
    }
    console.log(Object.entries(count).map(([verdict, number]) => `${number} ${verdict}`).join(', '));
});

// ---- Beside three.js --------------------------------------------------------------------------------------------

// Ours, and three.js's with actions that clamp when they finish, like ours.
function both() {
    return [drive(gltf, asset, { scene: clone(gltf.scene) }).mixer, new AnimationMixer(clone(gltf.scene))].map((mixer) => {
        const actions = ['Walk', 'Run'].map((name) => mixer.clipAction(clipOf(name)));
        for (const action of actions) action.clampWhenFinished = true;
        return { mixer, actions };
    });
}

function assertNear(mine, theirs, what) {
    if (Array.isArray(mine)) {
        assert.equal(mine.length, theirs.length, what);
        mine.forEach((value, i) => assertNear(value, theirs[i], `${what}[${i}]`));
    } else if (Number.isFinite(mine)) {
        assert.ok(Math.abs(mine - theirs) < 1e-5, `${what}: ${mine}, three.js has ${theirs}`);
    } else {
        assert.equal(mine, theirs, what);
    }
}

// Runs a script on both, and returns what it gives.
function compare(script) {
    const [mine, theirs] = both().map(({ mixer, actions }) => script(mixer, ...actions));
    assertNear(mine, theirs, String(script));
    return mine;
}

const stateOf = ({ time, paused, enabled, ...action }) => [time, paused, enabled, action.isRunning?.()];
const STEP = 0.0713; // no event is at the end of a step

function steps(mixer, count, look) {
    return Array.from({ length: count }, (_, i) => {
        mixer.update(STEP);
        return look(i);
    });
}

test('repetitions and loop are set directly, and independently', () => {
    for (const count of [1, 2, 3, 1.5, 2.9, Infinity]) {
        compare((mixer, walk) => {
            walk.repetitions = count;
            walk.play();
            return steps(mixer, 60, () => [walk.time, walk.isRunning()]);
        });
    }
    compare((mixer, walk) => {
        walk.setLoop(LoopRepeat, 2).loop = LoopPingPong;
        walk.play();
        return [walk.repetitions, steps(mixer, 60, () => walk.isRunning())];
    });
    compare((mixer, walk) => {
        walk.loop = LoopOnce;
        walk.play();
        return steps(mixer, 30, () => [walk.time, walk.isRunning()]);
    });
    const [{ actions: [walk] }] = both();
    assert.throws(() => { walk.repetitions = 0; }, /repetitions must be 1 or more/);
    assert.throws(() => { walk.loop = 1; }, /LoopOnce, LoopRepeat or LoopPingPong/);
});

// three.js has one event for all loops of a step.
test('events have direction and loopDelta', () => {
    // `more`: loops that only three.js plays
    const heard = (loop, speed, more = 0) => (mixer, walk) => {
        const events = [], isOurs = mixer instanceof Mixer;
        for (const type of ['loop', 'finished']) {
            mixer.addEventListener(type, ({ action, direction, loopDelta }) => {
                events.push(type === 'loop' ? [type, loopDelta] : [type, direction, action.getClip().name]);
            });
        }
        walk.setLoop(loop, isOurs ? 3 + more : 3).setEffectiveTimeScale(speed);
        walk.time = speed < 0 ? 1 : 0.01;
        walk.play();
        steps(mixer, 60, () => {});
        return events;
    };
    for (const loop of [LoopOnce, LoopRepeat, LoopPingPong]) {
        const events = compare(heard(loop, 1));
        assert.deepEqual(events.at(-1), ['finished', 1, 'Walk']);
        assert.equal(events.length, loop === LoopOnce ? 1 : 3);
    }
    assert.deepEqual(compare(heard(LoopOnce, -1)), [['finished', -1, 'Walk']]);
    assert.ok(compare(heard(LoopRepeat, -1, 1)).every(([, direction]) => direction === -1));

    const many = (mixer, walk) => {
        let sum = 0;
        mixer.addEventListener('loop', ({ loopDelta }) => { sum += loopDelta; });
        walk.setEffectiveTimeScale(-1).play();
        walk.time = 1;
        mixer.update(5);
        return sum;
    };
    assert.ok(compare(many) <= -4);
});

test('a listener is called once, with the mixer as this, until it is removed', () => {
    compare((mixer, walk) => {
        let count = 0, isMixer = true;
        function listener({ target }) {
            count++;
            isMixer &&= this === mixer && target === mixer;
        }
        mixer.addEventListener('loop', listener);
        mixer.addEventListener('loop', listener);
        walk.play();
        steps(mixer, 20, () => {});
        const heard = [count, isMixer, mixer.hasEventListener('loop', listener), mixer.hasEventListener('finished', listener)];
        mixer.removeEventListener('loop', listener);
        steps(mixer, 20, () => {});
        return [...heard, count, mixer.hasEventListener('loop', listener)];
    });
    for (const wrong of [null, undefined, {}, 'onLoop']) {
        assert.throws(() => driven.addEventListener('loop', wrong), { name: 'TypeError', message: /a listener must be a function, not/ });
    }
});

test('an action can be paused before it is played', () => {
    compare((mixer, walk) => {
        walk.paused = true;
        walk.play();
        const paused = steps(mixer, 3, () => stateOf(walk));
        walk.paused = false;
        return [paused, steps(mixer, 3, () => stateOf(walk))];
    });
    compare((mixer, walk) => {
        walk.enabled = false;
        walk.paused = true;
        walk.play();
        mixer.update(STEP);
        walk.enabled = true;
        const paused = steps(mixer, 2, () => stateOf(walk));
        return [paused, stateOf(walk.stop()), stateOf(walk.play()), steps(mixer, 2, () => stateOf(walk))];
    });
});

test('a paused action has no speed, and halting it changes nothing', () => {
    compare((mixer, walk) => {
        walk.play();
        mixer.update(STEP);
        walk.paused = true;
        walk.setEffectiveTimeScale(2);
        const paused = steps(mixer, 2, () => [walk.getEffectiveTimeScale(), walk.timeScale, walk.time]);
        walk.halt(0.1);
        return [paused, steps(mixer, 3, () => [...stateOf(walk), walk.timeScale])];
    });
});

test('stop and stopAllAction enable, unpause and rewind', () => {
    const stops = [(_, walk) => walk.stop(), (mixer) => mixer.stopAllAction()];
    const changes = [(walk) => { walk.enabled = false; }, (walk) => { walk.paused = true; }, (walk) => walk.warp(1, 3, 9), (walk) => walk.halt(0.1),
        (walk) => walk.startAt(9)];
    for (const stop of stops) {
        for (const change of changes) {
            compare((mixer, walk) => {
                walk.play();
                mixer.update(STEP);
                change(walk);
                mixer.update(STEP);
                stop(mixer, walk);
                const stopped = [stateOf(walk), walk.isScheduled(), walk.timeScale];
                walk.play();
                return [stopped, steps(mixer, 4, () => stateOf(walk)), walk.timeScale];
            });
        }
    }
});

test('stopWarping and setEffectiveTimeScale end a warp, and syncWith copies the time', () => {
    const ends = [(walk) => walk.stopWarping(), (walk) => walk.setEffectiveTimeScale(0.7), (walk, run) => walk.syncWith(run)];
    for (const end of ends) {
        compare((mixer, walk, run) => {
            run.setEffectiveTimeScale(1.5).play();
            walk.warp(2, 2, 9).play();
            const warped = steps(mixer, 3, () => [walk.time, walk.getEffectiveTimeScale()]);
            end(walk, run);
            return [warped, steps(mixer, 3, () => [walk.time, run.time, walk.timeScale, walk.getEffectiveTimeScale()])];
        });
    }
});

test('setTime also rewinds actions that are not playing', () => {
    compare((mixer, walk, run) => {
        walk.play();
        run.time = 0.3;
        mixer.setTime(0.2);
        const before = [mixer.time, walk.time, run.time];
        run.play();
        mixer.update(STEP);
        return [before, mixer.time, walk.time, run.time];
    });
    compare((mixer, walk) => {
        mixer.timeScale = 0.5;
        walk.play();
        mixer.setTime(0.2);
        return [mixer.time, walk.time];
    });
});

test('actions know their mixer, root and clip, and cross-fades return the action that three.js returns', () => {
    compare((mixer, walk, run) => [walk.getMixer() === mixer, walk.getRoot() === mixer.getRoot(), mixer.getRoot().isObject3D,
        walk.getClip().name, walk.blendMode, walk.isScheduled(), walk.play().isScheduled(),
        walk.crossFadeTo(run, 0.2) === run, run.crossFadeFrom(walk, 0.2) === run, walk.crossFadeTo(run, 0.2, true) === run,
        mixer.clipAction(clipOf('Walk'), mixer.getRoot()) === walk, mixer.clipAction(clipOf('Walk'), null) === walk,
        mixer.clipAction(clipOf('Walk'), undefined, NormalAnimationBlendMode) === walk, mixer.existingAction(clipOf('Walk'), mixer.getRoot()) === walk]);
    compare((mixer, walk) => {
        walk.play();
        mixer.uncacheAction(clipOf('Walk'), mixer.getRoot());
        mixer.uncacheRoot(mixer.getRoot());
        return [walk.isScheduled(), mixer.existingAction(clipOf('Walk')), mixer.existingAction(clipOf('Run'))];
    });
    assert.equal(new Mixer(asset).getRoot(), null);
});

// Every object's rotation and position.
function poseOf(root) {
    const numbers = [];
    root.traverse(({ quaternion, position }) => numbers.push(...quaternion.toArray(), ...position.toArray()));
    return numbers;
}

test('AdditiveAnimationBlendMode adds a clip, like three.js', () => {
    for (const weight of [1, 0.5, 0]) {
        const character = drive(gltf, asset, { scene: clone(gltf.scene) }), scene = clone(gltf.scene), theirs = new AnimationMixer(scene);
        const wave = AnimationUtils.makeClipAdditive(clipOf('Wave').clone());
        const mine = character.mixer.clipAction(clipOf('Wave'), undefined, AdditiveAnimationBlendMode);
        for (const action of [mine, theirs.clipAction(wave)]) action.setEffectiveWeight(weight).play();
        assert.deepEqual([mine.blendMode, theirs.clipAction(wave).blendMode], [AdditiveAnimationBlendMode, AdditiveAnimationBlendMode]);
        for (const mixer of [character.mixer, theirs]) mixer.clipAction(clipOf('Walk')).play();
        for (let frame = 0; frame < 12; frame++) {
            character.update(STEP);
            theirs.update(STEP);
            const expected = poseOf(scene);
            poseOf(character.mixer.getRoot()).forEach((value, i) => assert.ok(Math.abs(value - expected[i]) < 1e-4, `${weight} ${frame} ${i}: ${value}, not ${expected[i]}`));
        }
        assert.equal(character.mixer.clipAction('Wave', null, AdditiveAnimationBlendMode), mine);
        character.dispose();
    }
    const { mixer } = drive(gltf, asset, { scene: clone(gltf.scene) });
    assert.equal(mixer.clipAction('Wave', { layer: 1 }, AdditiveAnimationBlendMode).layer, 1);
    assert.equal(mixer.clipAction('Wave', null, AdditiveAnimationBlendMode).layer, mixer.layers.length - 1);
    assert.throws(() => mixer.clipAction('Wave', null, 2), { name: 'TypeError', message: /blendMode must be NormalAnimationBlendMode or/ });
    assert.throws(() => mixer.clipAction(new BlendSpace(asset, { samples: [{ clip: 'Walk' }] }), null, AdditiveAnimationBlendMode), /BlendSpace is never additive/);
    mixer.dispose();
});

// ---- What is refused --------------------------------------------------------------------------------------------

test('properties of three.js that have one value here refuse others', () => {
    const { action } = ours;
    for (const name of ['clampWhenFinished', 'zeroSlopeAtStart', 'zeroSlopeAtEnd']) {
        action[name] = true;
        assert.equal(action[name], true);
        assert.throws(() => { action[name] = false; }, new RegExp(`${name} is always true, not false: .{20}`));
    }
    action.blendMode = NormalAnimationBlendMode;
    assert.throws(() => { action.blendMode = AdditiveAnimationBlendMode; }, /blendMode is always 2500, not 2501: pass it to clipAction/);
    assert.throws(() => { action.clip.duration = 1; }, TypeError);
});

test('queueFadeOut(0) ends a finished action, as the message about clampWhenFinished says', () => {
    const [{ mixer, actions: [walk, run] }] = both();
    run.play();
    walk.setLoop(LoopOnce).play().queueFadeOut(0);
    assert.ok(walk.isActive());
    steps(mixer, 30, () => {});
    assert.ok(!walk.isActive() && run.isActive());
});

// [what, call, part of the message]
const wrongRoot = new Object3D(), copy = clipOf('Walk').clone();
const other = await parse(), changed = await parse(), sorted = await parse();
const WRONG = [
    ['Mixer of a gltf', () => new Mixer(gltf), /asset must be an Asset, not GLTFLoader's gltf: .*drive\(gltf, sinew\) of 'sinew-animation\/three'/],
    ['Mixer of a scene', () => new Mixer(gltf.scene), /asset must be an Asset, not a three.js Group: .*drive\(gltf, sinew\)/],
    ['Mixer of nothing', () => new Mixer(), /asset must be an Asset, not undefined: call fetchAsset/],
    ['Mixer of a promise', () => new Mixer(Promise.resolve(asset)), /not a Promise: await it/],
    ['Mixer of a Sinew', () => new Mixer(sinew), /not an object of class Sinew: call fetchAsset/],
    ['Mask of a gltf', () => new Mask(gltf), /asset must be an Asset, not GLTFLoader's gltf/],
    ['BlendSpace of a gltf', () => new BlendSpace(gltf, { samples: [] }), /asset must be an Asset, not GLTFLoader's gltf/],
    ['Legs of a gltf', () => new Legs(gltf, { legs: [] }), /asset must be an Asset, not GLTFLoader's gltf/],
    ['driving a scene', () => drive(gltf.scene, sinew), /gltf must be what GLTFLoader has loaded, not a three.js Group: pass gltf, not gltf.scene/],
    ['driving nothing', () => drive(undefined, sinew), /gltf must be what GLTFLoader has loaded, not undefined/],
    ['driving with an object', () => drive(gltf, {}), /drive: the second argument must be an Asset or the result of await Sinew.load\(\), not a plain object/],
    ['driving with a promise', () => drive(gltf, Sinew.load()), /second argument .* not a Promise: await it/],
    ['driving with the class', () => drive(gltf, Sinew), /second argument .* not a function/],
    ['driving a scene as options', () => drive(gltf, asset, gltf.scene), /drive: pass \{ scene \}, not a three.js Group/],
    ['new Sinew', () => new Sinew(), /use await Sinew.load\(\) instead of new Sinew\(\)/],
    ['new Solvers', () => new Solvers(), /use await Solvers.load\(\) instead of new Solvers\(\)/],
    ['new Retargeter', () => new Retargeter(), /use await Retargeter.load\(\) instead of new Retargeter\(\)/],
    ['new Asset', () => new Asset('hero.glb'), /use loadAsset, fetchAsset or makeAsset of a Sinew instead of new Asset\(\)/],
    ['new Graph', () => new Graph('hero.graph.json'), /use loadGraph or fetchGraph of a Sinew instead of new Graph\(\)/],
    ['a copy of an AnimationClip', () => driven.clipAction(copy), /this asset doesn't have the AnimationClip 'Walk'. It's a copy, .* Pass the clip's name or/],
    ['another file\'s AnimationClip', () => driven.clipAction(other.animations[1]), /this asset doesn't have the AnimationClip 'Walk'/],
    ['a copy of a Clip', () => driven.clipAction({ ...ours.clip }), /this asset doesn't have the Clip 'Walk'. Pass a clip's name/],
    ['no clip', () => driven.clipAction(), /this asset doesn't have undefined. Pass a clip's name/],
    ['another root', () => driven.clipAction('Walk', wrongRoot), /pass \{ layer \}, or the driven scene, or nothing, not a three.js Object3D: .* a layer with a mask/],
    ['a number as a layer', () => driven.clipAction('Walk', 1), /pass \{ layer \}, or the driven scene, or nothing, not 1/],
    ['a misspelled layer', () => driven.clipAction('Walk', { layr: 1 }), /pass \{ layer \}.* not a plain object/],
    ['another root for existingAction', () => driven.existingAction('Walk', wrongRoot), /the driven scene/],
    ['another root for uncacheAction', () => driven.uncacheAction('Walk', wrongRoot), /the driven scene/],
    ['another root for uncacheRoot', () => driven.uncacheRoot(wrongRoot), /the driven scene/],
];

for (const [what, call, message] of WRONG) {
    test(`${what} is refused, with what to write instead`, () => assert.throws(call, { name: 'TypeError', message }));
}

test('AnimationClips that were changed are refused', () => {
    const { mixer } = drive(changed, asset), [idle, walk, run, ...rest] = changed.animations, refused = /isn't the file's any more.*subclip or makeAdditive/;
    assert.equal(mixer.clipAction(walk).clip.name, 'Walk');
    AnimationUtils.makeClipAdditive(idle);
    walk.tracks = walk.tracks.filter(({ name }) => name.endsWith('.quaternion')).slice(1);
    run.duration = 0.3;
    run.trim();
    for (const clip of [idle, walk, run]) assert.throws(() => mixer.clipAction(clip), { name: 'TypeError', message: refused }, clip.name);
    for (const clip of rest) assert.equal(mixer.clipAction(clip.optimize()).clip.name, clip.name);
    mixer.dispose();
});

test('AnimationClips may be sorted or left out', () => {
    sorted.animations = sorted.animations.sort((a, b) => (a.name < b.name ? 1 : -1)).filter(({ name }) => name !== 'Walk');
    const { mixer } = drive(sorted, asset);
    for (const clip of sorted.animations) assert.equal(mixer.clipAction(clip).clip.name, clip.name);
    mixer.dispose();
});
