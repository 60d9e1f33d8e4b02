// SPDX-License-Identifier: MIT
// Uses of all declarations. types.mjs checks them with tsc; the code is not run.
import {
    AdditiveAnimationBlendMode, Animator, Batch, BlendSpace, FootLock, Legs, LoopOnce, LoopPingPong, LoopRepeat, Mask, Mixer, RootWarp, Scene, Sinew,
    sidecarFiles,
} from 'sinew-animation';
import type {
    Action, AnimatorEvent, Asset, BlendSpaceAction, Clip, ClipAction, Graph, GraphError, GraphState, GraphTransition, Instance, Layer, Markers, Meshopt, MixerEvent, RootDelta, SceneNode,
    Snapshot, Transform, TransformValue, WarpTransform,
} from 'sinew-animation';
import { Character, Rig as CharacterRig, Sinew as CharacterSinew } from 'sinew-animation/character';
import type { Ground, UnknownName, WorldTransform } from 'sinew-animation/character';
import { drive as driveBabylon } from 'sinew-animation/babylon';
import type { Character as BabylonCharacter } from 'sinew-animation/babylon';
import { useSinew } from 'sinew-animation/react';
import { Sinew as CoreSinew } from 'sinew-animation/core';
import { Sinew as FetchedCoreSinew } from 'sinew-animation/core/fetch';
import { compare, optimize } from 'sinew-animation/optimize';
import { Character as RetargetCharacter, Retargeter } from 'sinew-animation/retarget';
import { Rig, retargetClips } from 'sinew-animation/retarget-three';
import { Body, Chain, Solvers, Springs, springsOf } from 'sinew-animation/solvers';
import type { SpringBones, SpringsDefinition } from 'sinew-animation/solvers';
import { drive } from 'sinew-animation/three';
import type { Character as ThreeCharacter } from 'sinew-animation/three';
import { MeshoptDecoder } from 'meshoptimizer';

const decoder: Meshopt = MeshoptDecoder;
const sinew: Sinew = await Sinew.load({ meshopt: MeshoptDecoder });
const other = await Sinew.load({ wasm: new Uint8Array(8) });
const asset: Asset = await sinew.fetchAsset(new URL('https://example.org/hero.glb'), { meshopt: decoder });
await sinew.fetchAsset('hero.gltf', { images: true, markers: true });
const markers: Markers = { Walk: [{ name: 'Left', time: 0.25 }], Run: { curves: { Speed: { times: [0], values: [3], interpolation: 'STEP' } } } };
sinew.loadAsset(new Uint8Array(8), {}, { markers }).dispose();
sinew.loadAsset(new Uint8Array(8), {}, { markers: '{}' }).dispose();
const missing: string[] = sidecarFiles(new Uint8Array(8))
    .filter(({ kind }) => kind === 'buffer').map(({ name }) => name);
const again = other.loadAsset(new ArrayBuffer(8), { 'hero.bin': new Uint8Array(8) }, { meshopt: decoder });
const [version, simd]: string[] = [sinew.version, sinew.simd];
const core: CoreSinew = await FetchedCoreSinew.load({ wasm: new Uint8Array(8) });
const parsed: Asset = core.makeAsset({ json: {}, buffers: [new ArrayBuffer(8)] });

// ---- Graphs ----

const graph: Graph = await sinew.fetchGraph(new URL('https://example.org/hero.graph.json'));
try {
    sinew.loadGraph({ sinewGraph: 1, layers: [] }, { name: 'hero.graph.json' }).dispose();
} catch (error) {
    const { line, column, message } = error as GraphError;
    const where: [number, number, string] = [line, column, message];
}
const animator: Animator = new Animator(asset, graph, { maxActions: 8 });
animator.set('speed', 1.4).set('grounded', true).set('move', 0.5, 1).fire('jump').cancel('jump').update(1 / 60);
const following: number = animator.get('speed') + animator.progress() + animator.elapsed('Base/Move');
const grounded: boolean = animator.get<boolean>('grounded') && animator.isActive('Base/Move') && animator.hasTag('airborne');
const steering: number[] = animator.get('move', [0, 0]);
animator.set('look', [1, 2, 3]).set('look', new Float32Array(3)).set('hand', { position: [0, 1, 0], rotation: [0, 0, 0, 1] });
const reached: number[] = animator.get('look', [0, 0, 0]), hand = animator.get<TransformValue<Float32Array>>('hand');
animator.set('hand', animator.get('hand', { position: [0, 0, 0], rotation: hand.rotation })).set('look', [...reached, hand.position.length]);
const running: GraphTransition | null = animator.transition('Base'), leaf: GraphState | null = graph.findState(animator.state());
const labels: string[] = graph.transitions.map(({ from, to, when }) => (
    `${graph.states[from]?.path ?? '*'} -> ${graph.states[to]?.path}: ${when ?? 'always'}`));
const boxes = graph.states.filter(({ machine }) => machine === graph.layers[0]?.machine).map(({ name, kind, blend }) => (
    [name, kind, blend?.samples.map(({ clip }) => clip) ?? []]));
animator.forceState('Base/Move', { kind: 'inertialize', duration: 0.1 }).addEventListener('stateEntered', (event) => {
    const { state, transition, layer, target }: AnimatorEvent = event;
    target.forceState(state, transition ?? undefined);
});
const next = new Animator(asset, graph).adopt(animator, { duration: 0.3 }).setGraph(graph, { duration: 0 });
const kept: Snapshot = next.restore(next.save()).mixer.save();
const drivenBy: Animator | null = next.mixer.animator, playing: Action | null = next.action('Base');
// @ts-expect-error a parameter is no object
animator.set('speed', {});
// @ts-expect-error a mixer takes no graph: an Animator does
new Mixer(asset, { graph });

// ---- Assets ----

const clip: Clip | null = asset.findClip('Walk');
const hips: number = asset.findNode('Hips');
const difference: Clip = asset.makeAdditive('Wave', { reference: 'Idle', time: 0.5 });
asset.makeAdditive(difference, { reference: null });
const half: Clip = asset.subclip(difference, { start: 0.25, end: 0.5, name: 'Half' }), rest: Clip = asset.subclip('Wave');
const { clips: all, leftOut }: { clips: readonly Clip[]; leftOut: readonly Clip[] } = asset.combineClips([half, 'Walk', rest]);
for (const { vertexCount, positions, targets, joints } of asset.meshes.flatMap((mesh) => mesh.primitives)) {
    const triples: number = (positions?.length ?? 0) / 3 - vertexCount;
    const first: number | undefined = joints?.[0] ?? targets[0]?.positions?.[triples];
}

const { speed, feet: [leftFoot] } = asset.measureSpeed('Walk', { feet: ['Foot_L', 3] });
const legs = new Legs(asset, { legs: [{ thigh: 1, shin: 2, foot: 'Foot_L', toes: null }], clips: ['Walk'],
    markers: { down: ['L_down'], up: ['L_up'] } });
const planted: number = (legs.contacts('Walk').contacts[0]?.start ?? 0) + (leftFoot?.plants[0]?.end ?? 0) + speed;

// ---- Playing ----

const mixer = new Mixer(asset, {
    maxActions: 8, layers: 3, syncNames: ['Foot_L', 'Foot_R'],
    rootMotion: { node: hips, translation: 'xz', rotation: true, closeLoops: false },
});
const walk: ClipAction = mixer.clipAction('Walk');
const run = mixer.clipAction(asset.clips[2] ?? difference, { layer: 1 });
const jump: ClipAction = walk.reset().setLoop(LoopOnce, 1).fadeIn(0.2).play();
walk.crossFadeTo(run, 0.3).crossFadeFrom(walk, 0.3, true).fadeOut(1).stop();
walk.loop = LoopPingPong;
walk.repetitions = 2;
walk.clampWhenFinished = walk.getMixer().hasEventListener('loop', () => {}) || walk.isScheduled();
const added: ClipAction = mixer.clipAction('Wave', mixer.getRoot() && { isObject3D: true }, AdditiveAnimationBlendMode);
// @ts-expect-error a layer is an option
mixer.clipAction('Wave', 1);
walk.setLoop(LoopRepeat).setEffectiveWeight(0.5).setEffectiveTimeScale(2);
walk.sync = 1;
walk.time = walk.time + walk.weight + walk.timeScale + walk.getEffectiveWeight() + walk.getEffectiveTimeScale();
walk.paused = walk.isActive() && walk.isFinished() && walk.isRunning() && walk.repetitions > walk.layer;
const follows: boolean = walk.queue(run, { duration: 0.2, kind: 'inertialize' }).queuePrevious({ matchRate: true });
const started: ClipAction = mixer.transitionTo(jump, { duration: 0.3, kind: 'deadBlend' });

const space = new BlendSpace(asset, {
    kind: 'directional', samples: [{ clip: 'Idle', x: 0 }, { clip: difference, x: 1, y: 2, speed: 1.5 }],
    syncNames: ['Foot_L'], damping: 0.2,
});
const moving: BlendSpaceAction = mixer.clipAction(space, { layer: 1 }).play({ x: 0.5, y: 1 }).setParameter(1);
const where: number = moving.x + moving.y + moving.space.samples.length + (space.triangles[0]?.[2] ?? 0);
const [{ sample, weight } = { sample: 0, weight: 0 }] = space.weights(0.5);
const any: Action = mixer.transitionTo(moving, { duration: 0.3, easing: 'smoothstep' }, { restart: true });
mixer.transitionTo(walk.play({ restart: true }));

const mask = new Mask(asset, 1).set(hips, 0.5).setSubtree(hips, 1, 2);
const layer: Layer | undefined = mixer.layers[1];
if (layer) {
    layer.mask = layer.mask ?? mask;
    layer.mode = 'additive';
    layer.weight = layer.fadeTo(0.5, 0.3).weight + (mask.factors[0] ?? 0);
}

// ---- Each frame ----

const hear = ({ type, action, marker, clip: of, direction, loopDelta, target }: MixerEvent) => (
    `${type} ${marker?.name} ${direction + loopDelta} ${of.name} ${action.layer} ${target.hash}`);
mixer.addEventListener('marker', hear);
mixer.removeEventListener('marker', hear);
mixer.timeScale = 0.5;
const changed: boolean = mixer.stopAllAction().update(1 / 60);
const floats: Float32Array[] = [mixer.palette(), mixer.modelMatrices, mixer.nodeMatrix(hips), mixer.morphWeights(hips),
    mixer.bounds(), mixer.bounds(new Float32Array(6))];
const elements: number[] = mixer.nodeMatrix(hips, new Array<number>(16));
const local: Transform = mixer.nodeTransform(hips);
const delta: RootDelta = mixer.rootDelta(mixer.rootDelta());
const own = mixer.nodeTransform(hips, { translation: [0, 0, 0], rotation: [0, 0, 0, 1], scale: new Float64Array(3) });
own.translation.push(local.translation[0] ?? delta.yaw);
const snapshot: Snapshot = mixer.save(mixer.save());
const hash: bigint = mixer.restore(snapshot).hash;
const batch = new Batch([mixer, new Mixer(again)]);
batch.update(1 / 60);

const warp = new RootWarp(mixer, 'Jump', { window: 'Vault', maxSpeed: 2, addedSpeed: 1, maxTurnRate: 3 });
const goal: WarpTransform = { position: [0, 0, 1], facing: new Float32Array(4) };
const here: { position: Float32Array; facing: Float32Array } = warp.begin({ position: [0, 0, 0] }, goal, 0.1).at(warp.start);
const warped: RootDelta = warp.rootDelta(0, warp.end, warp.rootDelta(0, 1));
warp.retarget(0.5, goal, here).retarget(0.6, goal).restore(warp.save(warp.save()));
const missed: number = warp.missedDistance + warp.missedTurn + warped.yaw + (warp.disposed ? warp.clip.duration : warp.asset.clips.length);
if (missed < 0) warp.dispose();

// ---- Scenes ----

const scene = new Scene();
const hero: Instance = scene.addInstance(asset, { name: 'hero', rotation: [0, 0, 0, 1], graph, mixer: { layers: 2 } });
hero.animator?.fire('jump');
const sword: SceneNode = scene.addNode({ name: 'sword', parent: hero, translation: new Float32Array(3) });
hero.attach(sword, 'Grip_R', { scale: [1, 1, 1] }).mixer.clipAction('Walk').play();
sword.setTransform({ translation: [0, 1, 0] }).setParent(hero.joint(hips)).detach({ keepWorld: true }).remove();
scene.find('hero')?.world(new Float64Array(16)).fill(0);
scene.update(1 / 60);
for (const object of [scene, batch, mask, space, mixer, asset]) if (!object.disposed) object.dispose();

// ---- Others' scenes ----

declare const gltf: { scene: { name: string }; animations: { name: string; uuid: string }[]; parser: {
    associations: Map<object, { nodes?: number }>; json: unknown;
    getDependency(type: string, index: number): Promise<unknown>;
} };
const walker: ThreeCharacter = drive(gltf, asset, { scene: { name: 'a copy' }, direct: true, layers: 2, graph });
walker.animator?.set('speed', 1);
walker.update(0.1);
drive(gltf, asset).apply();
(await drive(gltf, sinew, { layers: 2 })).update(0.1);
(await drive(gltf, core)).apply();
const [animation] = gltf.animations;
if (animation) walker.mixer.clipAction(animation).startAt(walker.mixer.time + 1).warp(1, 2, 0.5).stopWarping().play();
const bound = asset.bindClip(difference);
const names: string[] = bound.unmatched;
asset.bindClip(difference, { names: { Hips: 'pelvis', Tail: null }, ignorePrefixes: true, rotationsOnly: true, minMatch: 0.2 });
const found: ClipAction | null = walker.mixer.existingAction(bound, { layer: 1 });
found?.halt(0.5).syncWith(walk).stopFading().setDuration(2).getClip().markers.push();
if (found) found.enabled = found.loopsDone > 1;
walker.mixer.setTime(1);
walker.mixer.inertialize(0.2).uncacheAction('Walk', { layer: 1 });
walker.mixer.uncacheClip(bound);
walker.mixer.uncacheRoot();
const active: Action[] = walker.mixer.layers.flatMap(({ actions }) => actions);
walker.mixer.layers[1]?.inertialize(0.2);

const hooked: ThreeCharacter | null = useSinew(gltf, { sinew, graph, scene: { name: 'a copy' }, direct: true, layers: 2 });
new Character(new CharacterRig(asset, graph), { step: (step) => {
    const { translation } = step.nodeTransform(0);
    if (step.name === 'recoil') step.setNodeTransform(0, { translation: [translation[0] ?? 0, step.weight, step.deltaTime] }).nodeMatrix(0);
} });
const looking = useSinew(gltf, { sinew, character: async (asset: Asset) => new Character(new CharacterRig(asset, graph)) });
looking?.animator.set('looks', true).setWorld({ scale: 2 });
// @ts-expect-error: a function makes it, because React mounts twice in strict mode
useSinew(gltf, { sinew, character: new Character(new CharacterRig(asset, graph)) });

declare const loaded: { meshes: object[]; transformNodes: object[]; animationGroups: object[] };
const runner: BabylonCharacter = driveBabylon(loaded, asset, { instance: { rootNodes: [], animationGroups: [] }, graph });
runner.animator?.set('speed', 1);
runner.mixer.clipAction('Run').play();
runner.dispose();

// ---- Retargeting ----

const retargeter: Retargeter = await Retargeter.load({ wasm: new ArrayBuffer(8) });
const actor: RetargetCharacter = await retargeter.open(new Uint8Array(8), { name: 'a.vrma', sidecars: { 'a.bin': new Uint8Array(4) },
    decoder: MeshoptDecoder, map: '{}' });
(await retargeter.fetch(new URL('https://example.org/walk.bvh'), { map: '{}' })).dispose();
const { map } = actor;
if (map.roles) map.roles['leftHand'] = null;
actor.setMap(map);
const hipsNode: number | undefined = actor.humanoid.roles.find(({ role }) => role === 'hips')?.node;
const { glb, report, clips: writtenNames } = retargeter.retarget(actor, actor, { clips: ['Walk', 2], only: true, rate: 60, feet: false,
    hands: true, fixedLengths: true, scale: 1, sourcePose: { clip: 'Idle', time: 1 }, targetPose: { clip: 0 } });
const paired: (string | null)[] = report.pairs.map(({ role }) => role);
actor.dispose();

declare const object: { name: string; traverse(callback: (object: object) => void): void };
declare const threeClip: { name: string; duration: number; tracks: object[]; uuid: string };
const rig = new Rig(object);
const [moved] = await retargetClips({ scene: object, animations: [threeClip] }, rig, { retargeter, sourceMap: map, feet: false });
const movedUuid: string | undefined = moved?.uuid;
await retargetClips({ ...object, animations: [threeClip] }, { scene: object }, { clips: [threeClip], targetPose: { clip: threeClip } });

// ---- Optimizing ----

const { report: { meshes } } = await optimize(new Uint8Array(8), { meshes: true, khr: true });
const savedBytes: number = meshes === undefined ? 0 : meshes.bytes[0] - meshes.bytes[1], unchanged: string[] = meshes?.kept.map(({ why }) => why) ?? [];
const smaller = await optimize(new Uint8Array(8), { error: 0.5, plain: true, name: 'a.gltf', sidecars: { 'a.bin': new Uint8Array(4) },
    decoder: MeshoptDecoder, onProgress: ({ stage, done, total }) => console.log(stage === 'comparing' ? done : total) });
const saved: number = smaller.report.files[0]!.bytes - smaller.bytes.length;
const isKept: boolean = smaller.report.kept !== null;
const compared = await compare(smaller.bytes, new ArrayBuffer(8), { names: ['a.glb', 'b.glb'] });
const worstTime: number | undefined = compared.worst.time, unbounded: boolean = compared.worst.bound === null;
const clipNames: string[] = compared.clips.map(({ name }) => name);

// ---- Springs and inverse kinematics ----

const solvers = await Solvers.load({ wasm: new Uint8Array(8) });
const springBones: SpringBones | null = springsOf(new Uint8Array(8));
const definition: SpringsDefinition = { chains: [{ joints: ['Hair1', 2, { node: 'Hair3', limit: 1 }], colliders: [0] }], colliders: [{ shape: 'plane' }] };
const swaying = new Springs(solvers, mixer, springBones ?? definition, { weight: 0.5, wind: [1, 0, 0] });
swaying.wind = new Float32Array(3);
swaying.wind[0] = 2;
scene.wind = [1, 0, 0];
swaying.update(0.1, new Float32Array(16));
const reaching = new Body(solvers, mixer, { root: 'Hips', effectors: [{ node: 'Hand_L', pin: false }], limits: [{ node: 3, kind: 'cone', cone: 1 }] });
reaching.effectors[0]!.target = [0, 1, 0];
reaching.update();
const limb = new Chain(solvers, mixer, { root: 'UpperArm_L', tip: 'Hand_L', method: 'ccd', target: [0, 1, 0] });
limb.target.set([1, 2, 3]);

// ---- Characters ----

const acting: Sinew = await CharacterSinew.load({ meshopt: MeshoptDecoder });
const characterRig: CharacterRig = new CharacterRig(acting.loadAsset(new Uint8Array(8)), acting.loadGraph({}));
const ground = (place: Float32Array, { position }: Ground) => { position[1] = place[1] ?? 0; };
const acted: Character = new Character(characterRig, { ground, maxActions: 8, rootMotion: { node: 0 }, world: { position: [0, 0, 0] } });
new Character(characterRig, { ground: () => false }).set('move', 0, 1).fire('jump').update(0.1);
const grounds: Ground[] = acted.begin(0.1).groundPlaces();
acted.setGrounds(grounds).setWorld({ position: [0, 0, 1] }).ride({ position: new Float32Array(3) }).getOff().end();
const at: WorldTransform<Float32Array> = acted.world();
acted.world(at).position.fill(0);
acted.teleport(at).setWind([0, 0, 1]).setSignificance(0.5);
const handMatrix: Float32Array = acted.nodeWorldMatrix(0), handNumbers: number[] = acted.nodeWorldMatrix(0, [0]);
const unknownNames: UnknownName[] = acted.read(acted.write());
const actedState: string = acted.restore(acted.save()).state('Base'), actedHash: bigint = acted.hash, [aStep] = characterRig.graph.steps;
const stepKind: string | undefined = aStep?.kind, stepWeight: number = acted.stepWeight('look');
const asAnimator: Animator = acted;
drive({ scene: {}, animations: [], parser: { associations: new Map(), json: {}, getDependency: async () => null } }, acted.asset, { character: acted });
characterRig.dispose();

// ---- Errors that the compiler reports ----

// @ts-expect-error: a method
new Chain(solvers, mixer, { root: 0, tip: 1, method: 'jacobian' });

// @ts-expect-error: millimetres
await optimize(new Uint8Array(8), { error: '1mm' });

// @ts-expect-error: characters are made by open
new RetargetCharacter();
// @ts-expect-error: clips of three.js are objects
await retargetClips({ scene: object, animations: [threeClip] }, rig, { clips: ['Walk'] });

// @ts-expect-error: a kind of transition
mixer.transitionTo(walk, { duration: 0.3, kind: 'jump' });
// @ts-expect-error: a mode
if (layer) layer.mode = 'add';
// @ts-expect-error: layers is read-only
mixer.layers = [];
// @ts-expect-error: only an action can be queued
walk.queue('Run');
walk.queue(moving).queueFadeOut(0.2);
// @ts-expect-error: assets are made by loadAsset
new Asset();
// @ts-expect-error: a loop mode
walk.setLoop(2);
// @ts-expect-error: node options have no matrix
scene.addNode({ matrix: [] });

export { active, any, changed, glb, hipsNode, movedUuid, paired, writtenNames, clip, elements, floats, follows, hash, hooked, names, sample, simd, started, version, weight, where,
    actedHash, actedState, asAnimator, handMatrix, handNumbers, stepKind, stepWeight, unknownNames };
