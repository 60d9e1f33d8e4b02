// SPDX-License-Identifier: MIT
// The adapter for three.js: node three.mjs NODE_MODULES PACKAGE MODELS SINEW. Single clips match three.js's own
// AnimationMixer, and vertices match `sinew skin`, both by transforms and by matrices.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import test from 'node:test';
import { pathToFileURL } from 'node:url';
import { TOLERANCE, filesOf, near, skinned } from './adapters.mjs';
import { withoutMaterials } from './glb.mjs';

const [modules, packageFolder, models, command] = process.argv.slice(2);
if (!existsSync(resolve(modules, 'three'))) {
    console.log('SKIPPED: three is not there');
    process.exit(77);
}
const load = (...path) => import(pathToFileURL(resolve(...path)));

globalThis.self ??= globalThis; // GLTFLoader checks it to detect browsers
const { AnimationMixer, Box3, Euler, Object3D, Vector3 } = await load(modules, 'three/build/three.module.js');
const { GLTFLoader } = await load(modules, 'three/examples/jsm/loaders/GLTFLoader.js');
const { clone } = await load(modules, 'three/examples/jsm/utils/SkeletonUtils.js');
const { Animator, BlendSpace, FootLock, Legs, Mixer, Sinew } = await load(packageFolder, 'index.js');
const { Sinew: CoreSinew } = await load(packageFolder, 'core.js');
const { drive } = await load(packageFolder, 'three.js');
const { Body, Solvers, Springs, springsOf } = await load(packageFolder, 'solvers.js');

const sinew = await Sinew.load(), core = await CoreSinew.load();

async function open(path) {
    const bytes = withoutMaterials(readFileSync(path));
    return { path, asset: sinew.loadAsset(bytes), gltf: await new GLTFLoader().parseAsync(bytes.buffer, '') };
}

const files = filesOf(models, ['bevy/Fox.glb', 'robotexpressive/RobotExpressive.glb', 'kaykit/Knight.glb',
    'khronos-samples-2017/RiggedFigure.glb', 'khronos-samples-2017/AnimatedMorphCube.glb']);

const hero = await open(files[0]);

// ---- Standing at a moment of a clip -----------------------------------------------------------------------------

function moveAway(scene) {
    scene.position.set(3, -2, 1);
    scene.rotation.copy(new Euler(0.3, 1.2, -0.4));
    scene.scale.setScalar(1.5);
    return scene;
}

function moveBack(scene) {
    scene.position.set(0, 0, 0);
    scene.rotation.set(0, 0, 0);
    scene.scale.set(1, 1, 1);
}

function driven({ asset, gltf }, clip, time, options) {
    const character = drive(gltf, asset, options);
    character.mixer.clipAction(clip).play().time = time;
    character.update(0);
    options.scene.updateMatrixWorld();
    return character;
}

// On the original, as nodes without a name have their tracks only there.
function standing({ gltf, gltf: { scene } }, clip, time) {
    const mixer = new AnimationMixer(moveAway(scene));
    const action = mixer.clipAction(gltf.animations[clip.index]).play();
    action.time = time;
    mixer.update(0);
    scene.updateMatrixWorld(true);
    return () => {
        action.stop(); // it puts things back
        moveBack(scene);
    };
}

function listOf(scene) {
    const objects = [];
    scene.traverse((object) => objects.push(object));
    return objects;
}

function sizeOf(objects) {
    return Math.max(1, ...objects.flatMap(({ matrixWorld }) => matrixWorld.elements.map(Math.abs)));
}

function compare(file, clip, time, direct) {
    const ours = moveAway(clone(file.gltf.scene)), theirs = file.gltf.scene;
    const character = driven(file, clip, time, { scene: ours, direct });
    const putBack = standing(file, clip, time);
    const copies = listOf(theirs), tolerance = TOLERANCE * sizeOf(copies);
    listOf(ours).forEach((object, i) => {
        const copy = copies[i], what = `${file.path} ${clip.name} ${time} ${object.name}`;
        near(object.matrixWorld.elements, copy.matrixWorld.elements, tolerance, `${what}: world matrix`);
        near(object.morphTargetInfluences ?? [], copy.morphTargetInfluences ?? [], tolerance, `${what}: influences`);
        if (!direct) near(object.position.toArray(), copy.position.toArray(), tolerance, `${what}: position`);
        if (!object.isSkinnedMesh) return;
        near(object.bindMatrixInverse.elements, copy.bindMatrixInverse.elements, tolerance, `${what}: inverse`);
        object.skeleton.update();
        copy.skeleton.update();
        near(object.skeleton.boneMatrices, copy.skeleton.boneMatrices, tolerance, `${what}: bone matrices`);
    });
    character.dispose();
    putBack();
}

// The tested vertices as the command skins them, with the scene at its original transform.
function compareVertices(file, clip, time, direct) {
    const scene = clone(file.gltf.scene);
    const character = driven(file, clip, time, { scene, direct });
    const objects = listOf(scene), tolerance = TOLERANCE * sizeOf(objects);
    let compared = 0;
    for (const { node, mesh, primitive, positions } of skinned(command, file.path, clip, time)) {
        const object = objects.find((one) => isPrimitive(file, scene, one, node, mesh, primitive));
        if (!object) continue; // it is not in the file's scene
        for (let i = 0; i < positions.length / 3; i += 97) {
            const vertex = object.getVertexPosition(i, new Vector3()), what = `${file.path} ${clip.name} vertex ${i}`;
            if (object.isSkinnedMesh) {
                const { center, radius } = object.boundingSphere;
                assert.ok(vertex.distanceTo(center) <= radius * (1 + TOLERANCE) + TOLERANCE, `${what}: out of bounds`);
            }
            vertex.applyMatrix4(object.matrixWorld);
            near(vertex.toArray(), positions.slice(3 * i, 3 * i + 3), tolerance, what);
            compared++;
        }
    }
    character.dispose();
    return compared;
}

// Whether an object of a copy is that primitive of that node: itself or a child of it.
function isPrimitive({ gltf }, scene, object, node, mesh, primitive) {
    const originals = listOf(gltf.scene), of = originals[listOf(scene).indexOf(object)];
    const { associations } = gltf.parser, mine = associations.get(of);
    const on = mine?.nodes ?? associations.get(of.parent)?.nodes;
    return mine?.meshes === mesh && (mine.primitives ?? -1) === primitive && on === node;
}

const WAYS = [['local transforms', false], ['matrices', true]];
for (const [way, direct] of WAYS) {
    test(`${way} are AnimationMixer's`, async () => {
        for (const path of files) {
            const file = await open(path);
            const { clips } = file.asset;
            assert.ok(clips.length > 0, path);
            for (const clip of clips.slice(0, 7)) {
                for (const part of [0, 0.123, 0.77]) compare(file, clip, part * clip.duration, direct);
            }
            file.asset.dispose();
        }
    });

    test(`vertices by ${way} are the command's`, async () => {
        for (const path of files) {
            const file = await open(path);
            const [clip] = file.asset.clips.slice(-1);
            const compared = compareVertices(file, clip, 0.4 * clip.duration, direct);
            assert.ok(compared > 0 || file.asset.meshes.length === 0, `${path}: none compared`);
            file.asset.dispose();
        }
    });
}

// ---- Objects of the page ------------------------------------------------------------------------------------------

const boneOf = (scene, name) => listOf(scene).find((object) => object.name === name);
const meshOf = (scene) => listOf(scene).find(({ isSkinnedMesh }) => isSkinnedMesh);

for (const [way, direct] of WAYS) {
    test(`by ${way}: attachments move with their joint`, () => {
        const scene = moveAway(clone(hero.gltf.scene)), [early, late] = [new Object3D(), new Object3D()];
        for (const object of [early, late]) object.position.set(0.1, 0.2, 0.3);
        boneOf(scene, 'Grip_R').add(early);
        const character = drive(hero.gltf, hero.asset, { scene, direct });
        character.mixer.clipAction('Attack').play();
        boneOf(scene, 'Grip_R').add(late);
        character.update(0.4);
        scene.updateMatrixWorld();
        const hand = character.mixer.nodeMatrix(hero.asset.findNode('Grip_R'));
        const expected = new Vector3(0.1, 0.2, 0.3).applyMatrix4(early.matrix.clone().fromArray(hand))
            .applyMatrix4(scene.matrix).toArray();
        for (const { matrixWorld: { elements } } of [early, late]) near(elements.slice(12, 15), expected, 1e-5, way);
        character.dispose();
    });

    test(`by ${way}: bounds contain every vertex of the pose`, () => {
        const scene = moveAway(clone(hero.gltf.scene)), mesh = meshOf(scene);
        const character = drive(hero.gltf, hero.asset, { scene, direct });
        const vertex = new Vector3();
        character.mixer.clipAction('Jump').play();
        for (let i = 0; i < 8; i++) {
            character.update(0.13);
            scene.updateMatrixWorld();
            const sphere = mesh.boundingSphere, box = new Box3().copy(mesh.boundingBox).expandByScalar(1e-5);
            for (let v = 0; v < mesh.geometry.attributes.position.count; v += 7) {
                mesh.getVertexPosition(v, vertex);
                assert.ok(box.containsPoint(vertex), `vertex ${v} at ${vertex.toArray()}`);
                const distance = vertex.distanceTo(sphere.center);
                assert.ok(distance <= sphere.radius + 1e-5, `vertex ${v} at ${vertex.toArray()}`);
            }
            const { min, max } = new Box3().setFromObject(scene);
            assert.ok(max.distanceTo(min) < 12, 'the box is far too large'); // 1.5 times 1.7 m, turned
        }
        character.dispose();
    });

    test(`by ${way}: fades are the mixer's`, () => {
        const scene = clone(hero.gltf.scene), character = drive(hero.gltf, hero.asset, { scene, direct });
        character.mixer.clipAction('Walk').play().crossFadeTo(character.mixer.clipAction('Wave'), 0.4);
        for (let i = 0; i < 5; i++) {
            character.update(0.1);
            scene.updateMatrixWorld();
            for (const name of ['Hips', 'Hand_R', 'Foot_L']) {
                const theirs = character.mixer.nodeMatrix(hero.asset.findNode(name));
                near(boneOf(scene, name).matrixWorld.elements, theirs, 1e-5, name);
            }
        }
        character.dispose();
    });

    test(`by ${way}: copies are separate characters`, () => {
        const scenes = [clone(hero.gltf.scene), clone(hero.gltf.scene)];
        const rest = listOf(hero.gltf.scene).map(({ quaternion }) => quaternion.toArray());
        const [one, other] = scenes.map((scene) => drive(hero.gltf, hero.asset, { scene, direct }));
        one.mixer.clipAction('Run').play();
        other.mixer.clipAction('Wave').play();
        for (const character of [one, other]) character.update(0.2);
        for (const scene of scenes) scene.updateMatrixWorld();
        const [ours, theirs] = scenes.map((scene) => boneOf(scene, 'Foot_L').getWorldPosition(new Vector3()));
        assert.ok(ours.distanceTo(theirs) > 0.1);
        assert.deepEqual(listOf(hero.gltf.scene).map(({ quaternion }) => quaternion.toArray()), rest);
        one.dispose();
        other.dispose();
    });
}

// ---- Without a second load ----------------------------------------------------------------------------------------

// The result of some frames of the last clip: the bounds, and matrices and morph weights of all nodes.
function played({ mixer }) {
    const { asset } = mixer, clip = asset.clips.at(-1);
    mixer.clipAction(clip).play();
    for (let i = 0; i < 3; i++) mixer.update(0.13);
    return { bounds: mixer.bounds(),
        pose: [...mixer.modelMatrices, ...asset.nodes.flatMap((_, node) => [...mixer.morphWeights(node)])] };
}

async function meshoptFiles() {
    const path = resolve(modules, 'meshoptimizer/meshopt_decoder.mjs');
    if (!existsSync(path)) return [];
    const { MeshoptDecoder } = await import(pathToFileURL(path));
    const names = ['meshopt-attributes', 'meshopt-exponential', 'meshopt-quaternion'];
    return Promise.all(names.map(async (name) => {
        const bytes = withoutMaterials(readFileSync(resolve(models, `conformance/${name}.glb`)));
        const gltf = await new GLTFLoader().setMeshoptDecoder(MeshoptDecoder).parseAsync(bytes.buffer, '');
        const decoding = await Sinew.load({ meshopt: MeshoptDecoder });
        return { path: name, gltf, asset: decoding.loadAsset(bytes) };
    }));
}

test('drive loads what GLTFLoader has read, without a request', async () => {
    const { fetch } = globalThis;
    const all = [...await Promise.all(files.map(open)), ...await meshoptFiles()];
    try {
        globalThis.fetch = () => assert.fail('a request');
        for (const { path, gltf, asset } of all) {
            if (asset.clips.length === 0) continue;
            for (const of of [sinew, core]) {
                const ours = await drive(gltf, of), mine = played(ours);
                assert.equal(ours.mixer.clipAction(gltf.animations.at(-1)).clip, ours.mixer.asset.clips.at(-1));
                ours.dispose();
                const theirs = drive(gltf, asset), other = played(theirs);
                theirs.dispose();
                near(mine.pose, other.pose, 0, path);
                near(mine.bounds, other.bounds, 1e-6, path); // GLTFLoader divides skin weights by their sum, in the buffer
            }
        }
    } finally {
        globalThis.fetch = fetch;
    }
});

test('drive loads a file once for all copies, and again after its asset was disposed', async () => {
    const { gltf } = await open(files[0]);
    const [one, other] = await Promise.all([gltf.scene, clone(gltf.scene)].map((scene) => drive(gltf, sinew, { scene })));
    assert.equal(one.mixer.asset, other.mixer.asset);
    one.mixer.asset.dispose();
    const [{ mixer }, again] = await Promise.all([drive(gltf, sinew), drive(gltf, sinew, { scene: clone(gltf.scene) })]);
    assert.ok(!mixer.disposed && mixer.asset !== one.mixer.asset && again.mixer.asset === mixer.asset);
    await assert.rejects(drive(gltf, sinew, { scene: new Object3D() }), /no object of the scene is a node/);
});

test('blend spaces, additive clips and clips of other files take AnimationClips', async () => {
    const { gltf } = await open(files[0]), { mixer } = await drive(gltf, sinew), { asset } = mixer;
    const [idle, walk] = gltf.animations;
    const space = new BlendSpace(asset, { samples: [{ clip: idle, x: 0 }, { clip: walk, x: 1 }] });
    assert.deepEqual(space.samples.map(({ clip }) => clip.name), ['Idle', 'Walk']);
    assert.equal(asset.makeAdditive(idle), asset.makeAdditive('Idle'));
    assert.throws(() => mixer.clipAction({ name: 'Fly' }), /doesn't have a plain object/);
});

const LEGS = ['L', 'R'].map((side) => (
    { thigh: `UpperLeg_${side}`, shin: `LowerLeg_${side}`, foot: `Foot_${side}`, toes: `Toes_${side}` }));

for (const [way, direct] of WAYS) {
    test(`by ${way}: feet are locked where the scene is`, () => {
        const scene = clone(hero.gltf.scene), character = drive(hero.gltf, hero.asset, { scene, direct });
        const alone = new Mixer(hero.asset), legs = new Legs(hero.asset, { legs: LEGS }), lock = new FootLock(alone, legs);
        new FootLock(character.mixer, legs);
        for (const mixer of [character.mixer, alone]) mixer.clipAction('Walk').play();
        for (let frame = 0; frame < 40; frame++) {
            scene.position.z = 0.03 * frame;
            character.update(1 / 60);
            alone.update(1 / 60);
            scene.updateMatrixWorld();
            lock.update(1 / 60, scene.matrixWorld.elements);
            for (const name of ['Foot_L', 'Toes_R']) {
                const expected = [...alone.nodeMatrix(hero.asset.findNode(name))];
                expected[14] += scene.position.z;
                near(boneOf(scene, name).matrixWorld.elements, expected, 1e-5, name);
            }
        }
        character.dispose();
        legs.dispose();
    });
}

const graph = sinew.loadGraph(readFileSync(new URL('./graph.json', import.meta.url)));

for (const [way, direct] of WAYS) {
    test(`by ${way}: a graph drives the scene, with locked feet`, async () => {
        const scene = clone(hero.gltf.scene), { asset } = hero, alone = new Animator(asset, graph);
        const character = drive(hero.gltf, asset, { scene, direct, graph }), legs = new Legs(asset, { legs: LEGS });
        const animators = [character.animator, alone], entered = [[], []], lock = new FootLock(alone.mixer, legs);
        assert.equal(character.animator.mixer, character.mixer);
        new FootLock(character.mixer, legs);
        animators.forEach((animator, i) => animator.addEventListener('stateEntered', ({ state }) => entered[i].push(state)));
        for (let frame = 0; frame < 120; frame++) {
            for (const animator of animators) {
                animator.set('speed', 3);
                if (frame === 30) animator.fire('jump');
                if (frame === 60) animator.fire('wave');
            }
            character.update(1 / 60);
            alone.update(1 / 60);
            scene.updateMatrixWorld();
            lock.update(1 / 60, scene.matrixWorld.elements);
            assert.deepEqual(character.mixer.palette(), alone.mixer.palette());
            for (const name of ['Foot_L', 'Hand_R']) {
                near(boneOf(scene, name).matrixWorld.elements, alone.mixer.nodeMatrix(asset.findNode(name)), 1e-5, name);
            }
        }
        assert.deepEqual(entered[0], entered[1]);
        assert.deepEqual(entered[0].slice(0, 1), ['Base/Jump']);
        character.dispose();
        assert.ok(character.animator.disposed);
        alone.dispose();
        legs.dispose();
    });
}

test('a graph needs an asset of its Sinew', async () => {
    const driven = await drive({ ...hero.gltf, parser: hero.gltf.parser }, sinew, { scene: clone(hero.gltf.scene), graph });
    assert.equal(driven.animator.state(), 'Base/Ground/Move');
    driven.dispose();
    await assert.rejects(drive(hero.gltf, core, { scene: clone(hero.gltf.scene), graph }), /must be from the same Sinew/);
    const again = drive(hero.gltf, hero.asset, { scene: clone(hero.gltf.scene) }); // nothing is left behind
    assert.equal(again.animator, null);
    again.dispose();
});

test('nodes without animation are not written', () => {
    const scene = clone(hero.gltf.scene), character = drive(hero.gltf, hero.asset, { scene });
    boneOf(scene, 'Hero').position.set(5, 6, 7);
    boneOf(scene, 'Head').scale.setScalar(2);
    character.mixer.clipAction('Run').play();
    character.update(0.1);
    assert.deepEqual(boneOf(scene, 'Hero').position.toArray(), [5, 6, 7]);
    assert.deepEqual(boneOf(scene, 'Head').scale.toArray(), [2, 2, 2]);
    character.dispose();
});

test('nodes are found that the page has removed from the scene', async () => {
    const { gltf, asset } = await open(files[0]);
    const root = gltf.scene.children[0];
    gltf.scene.remove(root);
    const character = drive(gltf, asset);
    character.mixer.clipAction('Run').play();
    character.update(0.1);
    root.updateMatrixWorld();
    const theirs = character.mixer.nodeMatrix(asset.findNode('Hand_R'));
    near(boneOf(root, 'Hand_R').matrixWorld.elements, theirs, 1e-5, 'Hand_R');
    assert.throws(() => drive(gltf, asset, { direct: true }), /direct.*scene/);
});

for (const [way, direct] of WAYS) {
    test(`by ${way}: a copy of a driven scene is a plain scene`, () => {
        const scene = clone(hero.gltf.scene), character = drive(hero.gltf, hero.asset, { scene, direct });
        character.mixer.clipAction('Jump').play();
        character.update(0.3);
        scene.updateMatrixWorld();
        const copy = clone(scene), sphere = meshOf(scene).boundingSphere.clone();
        near(boneOf(copy, 'Hand_R').matrixWorld.elements, boneOf(scene, 'Hand_R').matrixWorld.elements, 0, 'Hand_R');
        character.update(0.3);
        assert.ok(meshOf(copy).boundingSphere.equals(sphere));
        assert.ok(!meshOf(scene).boundingSphere.equals(sphere));
        const other = drive(hero.gltf, hero.asset, { scene: copy, direct });
        other.update(0);
        character.dispose();
        other.dispose();
    });

    test(`by ${way}: a scene can be drawn after its asset was disposed`, async () => {
        const { gltf, asset } = await open(files[0]);
        drive(gltf, asset, { direct }).update(0.1);
        asset.dispose();
        assert.ok(meshOf(gltf.scene).boundingSphere.radius > 0);
        assert.ok(boneOf(gltf.scene, 'Hips').matrixWorld.elements.every(Number.isFinite));
        meshOf(gltf.scene).computeBoundingSphere();
    });
}

test('Euler angles are those of the quaternions, and can be set', () => {
    const scene = clone(hero.gltf.scene), character = drive(hero.gltf, hero.asset, { scene });
    character.mixer.clipAction('Jump').play();
    for (const step of [0.2, 0.2]) {
        character.update(step);
        const { quaternion, rotation } = boneOf(scene, 'Hand_R'), expected = new Euler().setFromQuaternion(quaternion);
        near(rotation.toArray().slice(0, 3), expected.toArray().slice(0, 3), 0, 'the angles');
    }
    character.update(0.1);
    const { rotation, quaternion } = boneOf(scene, 'Hand_L'), expected = new Euler().setFromQuaternion(quaternion);
    rotation.x += 0.5; // without reading the others
    expected.x += 0.5;
    near(quaternion.toArray(), quaternion.clone().setFromEuler(expected).toArray(), 1e-9, 'the quaternion');
    assert.ok(rotation instanceof Euler && rotation.clone().equals(expected));
    boneOf(scene, 'Hand_L').quaternion.set(0, 0, 0, 1);
    near(rotation.toArray().slice(0, 3), [0, 0, 0], 0, 'the angles of a quaternion that is set');
    character.update(0.1);
    character.dispose();
    const after = boneOf(scene, 'Hand_R');
    near(after.rotation.toArray().slice(0, 3), new Euler().setFromQuaternion(after.quaternion).toArray().slice(0, 3), 0, 'disposed');
});

test('local changes of bones after the update are part of the skin', () => {
    const scene = clone(hero.gltf.scene), character = drive(hero.gltf, hero.asset, { scene });
    character.update(0);
    const vertexOf = () => meshOf(scene).getVertexPosition(0, new Vector3());
    const bone = boneOf(scene, 'Hips'), { skeleton } = meshOf(scene);
    bone.position.x += 1;
    scene.updateMatrixWorld();
    skeleton.update();
    const theirs = new Float32Array(16 * skeleton.bones.length);
    skeleton.bones.forEach((one, i) => one.matrixWorld.clone().multiply(skeleton.boneInverses[i]).toArray(theirs, 16 * i));
    near(skeleton.boneMatrices.subarray(0, theirs.length), theirs, 1e-6, 'bone matrices');
    assert.ok(Number.isFinite(vertexOf().x));
    character.dispose();
    assert.ok(!Object.hasOwn(skeleton, 'update'));
});

// No clip of the avatar animates its tail, and it has no clips at all.
for (const [way, direct] of WAYS) {
    test(`by ${way}: springs and bodies move nodes that no clip animates`, async () => {
        const solvers = await Solvers.load({ wasm: readFileSync(resolve(packageFolder, 'sinew-solvers.wasm')) });
        const { gltf, asset } = await open(resolve(models, 'sprite.vrm')), alone = new Mixer(asset), { scene } = gltf;
        const character = drive(gltf, asset, { direct }), bones = springsOf(gltf.parser.json);
        const body = { root: 'J_Bip_C_Hips', effectors: [{ node: 'J_Bip_L_Hand', target: [0.2, 0.9, 0.2] }] };
        const [theirs, ours] = [character.mixer, alone].map((mixer) => ({ springs: new Springs(solvers, mixer, bones, { wind: [2, 0, 1] }),
            body: new Body(solvers, mixer, body) }));
        for (let frame = 0; frame < 30; frame++) {
            scene.position.x = 0.02 * frame;
            character.update(1 / 60);
            scene.updateMatrixWorld();
            alone.update(1 / 60);
            ours.body.update();
            ours.springs.update(1 / 60, scene.matrixWorld.elements);
        }
        for (const name of ['J_Sec_C_Tail5', 'J_Bip_C_Hips', 'J_Bip_L_Hand', 'J_Sec_L_HairSide3']) {
            const expected = [...alone.nodeMatrix(asset.findNode(name))];
            expected[12] += scene.position.x;
            near(boneOf(scene, name).matrixWorld.elements, expected, 1e-5, name);
        }
        const [hand] = theirs.body.effectors, moved = boneOf(scene, 'J_Bip_L_Hand').matrixWorld.elements;
        near(moved.slice(12, 15), [hand.target[0] + scene.position.x, hand.target[1], hand.target[2]], 2e-3, 'the hand');
        for (const one of [theirs.springs, theirs.body]) one.dispose(); // the pose is the rest pose again
        character.update(1 / 60);
        scene.updateMatrixWorld();
        const rest = new Mixer(asset).nodeMatrix(asset.findNode('J_Sec_C_Tail5'));
        near(boneOf(scene, 'J_Sec_C_Tail5').matrixWorld.elements.slice(13, 15), [...rest].slice(13, 15), 1e-5, 'at rest');
        asset.dispose();
    });
}

for (const [way, direct] of WAYS) {
    test(`by ${way}: a character with a rig moves the scene and all nodes`, async () => {
        const { Character, Rig, Sinew: CharacterSinew } = await load(packageFolder, 'character.js'), { gltf } = await open(files[0]);
        const own = await CharacterSinew.load(), asset = own.loadAsset(withoutMaterials(readFileSync(files[0])));
        const rig = new Rig(asset, own.loadGraph(readFileSync(resolve(models, 'hero.character.json'))));
        const character = new Character(rig, { ground: null, world: { position: [0, 0, 3], scale: 2 } });
        const scene = drive(gltf, asset, { character, direct });
        assert.equal(scene.animator, character);
        character.set('looks', true).set('lookAt', [3, 3, 3]).set('move', 0, 1);
        for (let frame = 0; frame < 40; frame++) {
            character.setWorld({ position: [0.02 * frame, 0, 3] });
            scene.update(1 / 60);
        }
        gltf.scene.updateMatrixWorld();
        near(gltf.scene.position.toArray(), [0.78, 0, 3], 1e-6, 'the scene');
        for (const name of ['Head', 'Hair3', 'Hand_L', 'Foot_R', 'Hips']) {
            near(boneOf(gltf.scene, name).matrixWorld.elements, character.nodeWorldMatrix(asset.findNode(name)), 1e-4, name);
        }
        assert.throws(() => drive(gltf, hero.asset, { character }), /already has a character|the same asset/);
        scene.dispose();
        assert.ok(character.disposed);
        assert.throws(() => drive(gltf, hero.asset, { character }), /the character must have the same asset/);
        asset.dispose();
    });
}

// The avatar has no clips.
test('a character with a rig moves nodes that no clip animates', async () => {
    const { Character, Rig, Sinew: CharacterSinew } = await load(packageFolder, 'character.js'), path = resolve(models, 'sprite.vrm');
    const { gltf } = await open(path), own = await CharacterSinew.load(), asset = own.loadAsset(withoutMaterials(readFileSync(path)));
    const graph = own.loadGraph({ sinewGraph: 1, rig: { steps: [{ springs: {} }] } });
    const character = new Character(new Rig(asset, graph)), scene = drive(gltf, asset, { character });
    for (let frame = 0; frame < 30; frame++) {
        character.setWind([2, 0, 1]);
        scene.update(1 / 60);
    }
    gltf.scene.updateMatrixWorld();
    for (const name of ['J_Sec_C_Tail5', 'J_Sec_L_HairSide3']) {
        near(boneOf(gltf.scene, name).matrixWorld.elements, character.nodeWorldMatrix(asset.findNode(name)), 1e-5, name);
    }
    asset.dispose();
});

test('many characters are updated in a batch and then applied', async () => {
    const { Batch } = await load(packageFolder, 'index.js');
    const scene = clone(hero.gltf.scene), character = drive(hero.gltf, hero.asset, { scene });
    const before = boneOf(scene, 'Hand_R').quaternion.toArray();
    character.mixer.clipAction('Run').play();
    new Batch([character.mixer]).update(0.1);
    assert.deepEqual(boneOf(scene, 'Hand_R').quaternion.toArray(), before);
    character.apply();
    assert.notDeepEqual(boneOf(scene, 'Hand_R').quaternion.toArray(), before);
    character.dispose();
});

test('disposing a character returns its objects to three.js', () => {
    const scene = clone(hero.gltf.scene), character = drive(hero.gltf, hero.asset, { scene, direct: true });
    character.update(0);
    character.dispose();
    assert.throws(() => character.update(0), /this Mixer is disposed/);
    boneOf(scene, 'Hero').position.set(1, 2, 3);
    scene.updateMatrixWorld();
    meshOf(scene).skeleton.update();
    assert.deepEqual(boneOf(scene, 'Hero').matrixWorld.elements.slice(12, 15), [1, 2, 3]);
});

for (const [way, direct] of WAYS) {
    test(`by ${way}: a scene has one character`, async () => {
        const { gltf, asset } = await open(files[0]), first = drive(gltf, asset, { direct });
        for (const other of [false, true]) {
            assert.throws(() => drive(gltf, asset, { direct: other }), /already has a character: dispose it first/);
        }
        await assert.rejects(drive(gltf, sinew), /already has a character/);
        drive(gltf, asset, { scene: clone(gltf.scene), direct }).dispose();
        first.dispose();
        const second = drive(gltf, asset, { direct });
        asset.dispose();
        const third = await drive(gltf, sinew, { direct }); // replaces the one whose asset was disposed
        for (const earlier of [first, second]) earlier.dispose(); // again: the third stays
        third.mixer.clipAction('Run').play();
        third.update(0.1);
        gltf.scene.updateMatrixWorld();
        const theirs = third.mixer.nodeMatrix(third.mixer.asset.findNode('Hand_R'));
        near(boneOf(gltf.scene, 'Hand_R').matrixWorld.elements, theirs, 1e-5, 'Hand_R');
        assert.throws(() => drive(gltf, third.mixer.asset, { direct }), /already has a character/);
        third.dispose();
        assert.ok(!Object.hasOwn(meshOf(gltf.scene).skeleton, 'update') && !Object.hasOwn(gltf.scene, 'updateMatrixWorld'));
    });
}

test('a scene of another file is refused', async () => {
    const windmill = await open(files[1]);
    assert.throws(() => drive(hero.gltf, windmill.asset), /load both from the same file/);
    assert.throws(() => drive(windmill.gltf, hero.asset), /load both from the same file/);
    assert.throws(() => drive(hero.gltf, hero.asset, { scene: new Object3D() }), /no object of the scene is a node/);
});
