// SPDX-License-Identifier: MIT
// The adapter for Babylon.js: node babylon.mjs NODE_MODULES PACKAGE MODELS SINEW. Nodes are where Babylon's own
// animation groups put them, and vertices where `sinew skin` puts them, after the turn into Babylon's axes.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import test from 'node:test';
import { pathToFileURL } from 'node:url';
import { TOLERANCE, filesOf, near, skinned } from './adapters.mjs';
import { withoutMaterials } from './glb.mjs';

const [modules, packageFolder, models, command] = process.argv.slice(2);
if (!existsSync(resolve(modules, '@babylonjs/core'))) {
    console.log('SKIPPED: @babylonjs/core is not there');
    process.exit(77);
}
const load = (...path) => import(pathToFileURL(resolve(...path)));
const core = (name) => load(modules, '@babylonjs/core', `${name}.js`);

const { NullEngine } = await core('Engines/nullEngine');
const { Scene } = await core('scene');
const { Vector3 } = await core('Maths/math.vector');
const { ImportMeshAsync, LoadAssetContainerAsync } = await core('Loading/sceneLoader');
const { Logger } = await core('Misc/logger');
await load(modules, '@babylonjs/loaders/glTF/2.0/index.js');
const { Animator, FootLock, Legs, Mixer, Sinew } = await load(packageFolder, 'index.js');
const { Sinew: CoreSinew } = await load(packageFolder, 'core.js');
const { drive } = await load(packageFolder, 'babylon.js');
const { Solvers, Springs, springsOf } = await load(packageFolder, 'solvers.js');

Logger.LogLevels = Logger.ErrorLogLevel;
const sinew = await Sinew.load();
const engine = new NullEngine();
test.after(() => engine.dispose());

const files = filesOf(models, ['bevy/Fox.glb', 'robotexpressive/RobotExpressive.glb',
    'khronos-samples-2017/RiggedFigure.glb', 'khronos-samples-2017/AnimatedMorphCube.glb']);

const OPTIONS = { pluginExtension: '.glb' };

async function open(path, { rightHanded = false, into = LoadAssetContainerAsync, file = readFileSync(path) } = {}) {
    const bytes = withoutMaterials(file), scene = new Scene(engine);
    scene.useRightHandedSystem = rightHanded;
    let parsed = null;
    const onParsed = (data) => { parsed = data; };
    const loaded = await into(bytes, scene, { ...OPTIONS, pluginOptions: { gltf: { skipMaterials: true, onParsed } } });
    return { path, scene, loaded, parsed, asset: sinew.loadAsset(bytes) };
}

const nodesOf = ({ transformNodes, meshes }) => [...transformNodes, ...meshes];
const sizeOf = (matrices) => Math.max(1, ...matrices.flatMap((matrix) => matrix.map(Math.abs)));

function worldMatrices(loaded) {
    return nodesOf(loaded).map((node) => [...node.computeWorldMatrix(true).asArray()]);
}

function driven({ loaded, asset }, clip, time, options) {
    const character = drive(loaded, asset, options);
    character.mixer.clipAction(clip).play().time = time;
    character.update(0);
    return character;
}

const managersOf = ({ meshes }) => meshes.map(({ morphTargetManager }) => morphTargetManager).filter(Boolean);
const targetsOf = (loaded) => managersOf(loaded).flatMap((manager) => (
    Array.from({ length: manager.numTargets }, (_, i) => manager.getTarget(i))));

// Restores the nodes between the two animations.
function putBack({ nodes, targets }) {
    for (const { target, influence } of targets) target.influence = influence;
    for (const { node, position, rotationQuaternion, scaling } of nodes) {
        node.position.copyFrom(position);
        node.rotationQuaternion?.copyFrom(rotationQuaternion);
        node.scaling.copyFrom(scaling);
    }
}

function restOf(loaded) {
    return {
        targets: targetsOf(loaded).map((target) => ({ target, influence: target.influence })),
        nodes: nodesOf(loaded).map((node) => ({ node, position: node.position.clone(), scaling: node.scaling.clone(),
            rotationQuaternion: node.rotationQuaternion?.clone() })),
    };
}

function seen(loaded) {
    return [worldMatrices(loaded), targetsOf(loaded).map(({ influence }) => influence)];
}

function byBabylon({ loaded, asset: { clips } }, clip, time) {
    assert.equal(loaded.animationGroups.length, clips.length);
    const group = loaded.animationGroups[clip.index];
    group.start(true);
    group.pause();
    group.goToFrame(time * 60); // the loader makes 60 frames a second
    const result = seen(loaded);
    group.stop();
    return result;
}

function compare(file, clip, time) {
    const { loaded, path } = file, rest = restOf(loaded), atRest = seen(loaded);
    const [matrices, weights] = byBabylon(file, clip, time);
    putBack(rest);
    const character = driven(file, clip, time);
    const [ourMatrices, ourWeights] = seen(loaded);
    character.dispose();
    putBack(rest);
    const tolerance = TOLERANCE * sizeOf(matrices);
    nodesOf(loaded).forEach(({ name }, i) => {
        near(ourMatrices[i], matrices[i], tolerance, `${path} ${clip.name} ${time} ${name}`);
    });
    near(ourWeights, weights, TOLERANCE, `${path} ${clip.name} ${time}: influences`);
    return JSON.stringify([matrices, weights]) !== JSON.stringify(atRest);
}

test('nodes have the transforms of animation groups', async () => {
    for (const path of files) {
        for (const rightHanded of [false, true]) {
            const file = await open(path, { rightHanded });
            let moved = 0;
            for (const clip of file.asset.clips.slice(0, 7)) {
                for (const part of [0, 0.123, 0.77]) moved += compare(file, clip, part * clip.duration);
            }
            assert.ok(moved > 0, `${path}: nothing has moved`);
            file.asset.dispose();
            file.scene.dispose();
        }
    }
});

// ---- Vertices ---------------------------------------------------------------------------------------------------

function meshOf({ meshes }, mesh, primitive) {
    const pointer = `/meshes/${mesh}/primitives/${primitive}`;
    const found = meshes.filter(({ _internalMetadata }) => _internalMetadata?.gltf.pointers.includes(pointer));
    return found.length === 1 ? found[0] : null;
}

function eachVertex(mesh, tell) {
    mesh.computeWorldMatrix(true);
    mesh.skeleton?.prepare(true);
    const positions = mesh.getPositionData(true, true);
    for (let i = 0; i < positions.length / 3; i += 97) {
        tell(i, Vector3.TransformCoordinates(Vector3.FromArray(positions, 3 * i), mesh.getWorldMatrix()));
    }
}

function compareVertices(file, clip, time, sign) {
    const character = driven(file, clip, time);
    const tolerance = TOLERANCE * sizeOf(worldMatrices(file.loaded));
    let compared = 0;
    for (const { mesh, primitive, positions } of skinned(command, file.path, clip, time)) {
        const found = meshOf(file.loaded, mesh, primitive);
        if (!found) continue;
        eachVertex(found, (i, vertex) => {
            const expected = [sign * positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]];
            near(vertex.asArray(), expected, tolerance, `${file.path} ${clip.name} vertex ${i}`);
            compared++;
        });
    }
    character.dispose();
    return compared;
}

test('vertices equal the command\'s, mirrored in a left-handed scene', async () => {
    for (const path of files) {
        if (/two-skins|whose-weights/.test(path)) continue; // nodes that have one mesh are not told apart here
        for (const rightHanded of [false, true]) {
            const file = await open(path, { rightHanded });
            const [clip] = file.asset.clips.slice(-1);
            const compared = compareVertices(file, clip, 0.4 * clip.duration, rightHanded ? 1 : -1);
            assert.ok(compared > 0 || file.asset.meshes.length === 0, `${path}: none compared`);
            file.asset.dispose();
            file.scene.dispose();
        }
    }
});

// ---- Other behaviour --------------------------------------------------------------------------------------------

test('the animation groups of the file are stopped', async () => {
    const { loaded, asset, scene } = await open(files[0], { into: ImportMeshAsync });
    assert.ok(loaded.animationGroups[0].isPlaying);
    drive(loaded, asset);
    assert.ok(loaded.animationGroups.every(({ isPlaying }) => !isPlaying));
    scene.dispose();
});

test('the module without the importer takes what the loader has parsed', async () => {
    const without = await CoreSinew.load();
    for (const path of files) {
        const { loaded, asset, scene, parsed: { json, bin } } = await open(path);
        const ours = without.makeAsset({ json, buffers: [await bin.readAsync(0, bin.byteLength)] });
        const [one, other] = [ours, asset].map((of) => {
            const character = driven({ loaded, asset: of }, of.clips.at(-1), 0.3), { mixer } = character;
            const weights = of.nodes.flatMap((_, i) => [...mixer.morphWeights(i)]);
            const result = { pose: [...mixer.modelMatrices, ...weights], bounds: mixer.bounds() };
            character.dispose();
            return result;
        });
        assert.deepEqual(one.pose, other.pose, path);
        near(one.bounds, other.bounds, 1e-6, path);
        for (const made of [ours, asset]) made.dispose();
        scene.dispose();
    }
});

test('copies are separate characters', async () => {
    const { loaded, asset, scene } = await open(files[0]);
    const copies = [1, 2].map((number) => loaded.instantiateModelsToScene((name) => `${name} ${number}`));
    const [one, other] = copies.map((instance) => drive(loaded, asset, { instance }));
    const rest = worldMatrices(loaded);
    one.mixer.clipAction('Run').play();
    other.mixer.clipAction('Wave').play();
    for (const character of [one, other]) character.update(0.2);
    copies.forEach(({ rootNodes: [root] }, i) => {
        const foot = root.getChildTransformNodes(false, ({ name }) => name === `Foot_L ${i + 1}`)[0];
        const { mixer } = [one, other][i], expected = mixer.nodeMatrix(asset.findNode('Foot_L'));
        foot.computeWorldMatrix(true);
        near(foot.absolutePosition.asArray(), [-expected[12], expected[13], expected[14]], TOLERANCE, `copy ${i}`);
    });
    assert.deepEqual(worldMatrices(loaded), rest);
    asset.dispose();
    scene.dispose();
});

test('feet are locked where the root node is', async () => {
    const legs = ['L', 'R'].map((side) => (
        { thigh: `UpperLeg_${side}`, shin: `LowerLeg_${side}`, foot: `Foot_${side}`, toes: `Toes_${side}` }));
    const { loaded, asset, scene } = await open(files[0], { rightHanded: true });
    const character = drive(loaded, asset), shared = new Legs(asset, { legs }), alone = new Mixer(asset);
    const lock = new FootLock(alone, shared), [root] = loaded.meshes, world = root.computeWorldMatrix(true);
    new FootLock(character.mixer, shared);
    for (const mixer of [character.mixer, alone]) mixer.clipAction('Walk').play();
    for (let frame = 0; frame < 40; frame++) {
        root.position.z = 0.03 * frame;
        character.update(1 / 60);
        alone.update(1 / 60);
        root.computeWorldMatrix(true);
        lock.update(1 / 60, world.asArray());
        assert.deepEqual([...character.mixer.modelMatrices], [...alone.modelMatrices]);
    }
    assert.ok(lock.isLocked(0) || lock.isLocked(1));
    asset.dispose();
    scene.dispose();
});

test('springs move nodes that no clip animates', async () => {
    const solvers = await Solvers.load({ wasm: readFileSync(join(packageFolder, 'sinew-solvers.wasm')) });
    const { loaded, asset, scene } = await open(join(models, 'sprite.vrm'), { rightHanded: true });
    const character = drive(loaded, asset), alone = new Mixer(asset), [root] = loaded.meshes;
    const bones = springsOf(readFileSync(join(models, 'sprite.vrm')));
    const [, springs] = [character.mixer, alone].map((mixer) => new Springs(solvers, mixer, bones, { wind: [2, 0, 1] }));
    const world = root.computeWorldMatrix(true), tail = nodesOf(loaded).find(({ name }) => name === 'J_Sec_C_Tail5');
    for (let frame = 0; frame < 30; frame++) {
        root.position.z = 0.02 * frame;
        character.update(1 / 60);
        alone.update(1 / 60);
        root.computeWorldMatrix(true);
        springs.update(1 / 60, world.asArray());
        assert.deepEqual([...character.mixer.modelMatrices], [...alone.modelMatrices]);
    }
    const expected = [...alone.nodeMatrix(asset.findNode('J_Sec_C_Tail5'))];
    expected[14] += root.position.z;
    near([...tail.computeWorldMatrix(true).asArray()], expected, 1e-5, 'the tail');
    asset.dispose();
    scene.dispose();
});

// The page moves the loader's __root__, which converts axes, or a node above it.
test('a character with a rig moves nodes that no clip animates', async () => {
    const { Character, Rig, Sinew: CharacterSinew } = await load(packageFolder, 'character.js'), path = join(models, 'sprite.vrm');
    const { loaded, scene } = await open(path, { rightHanded: true }), own = await CharacterSinew.load();
    const asset = own.loadAsset(withoutMaterials(readFileSync(path))), graph = own.loadGraph({ sinewGraph: 1, rig: { steps: [{ springs: {} }] } });
    const character = new Character(new Rig(asset, graph)), driver = drive(loaded, asset, { character }), [root] = loaded.meshes;
    const tail = nodesOf(loaded).find(({ name }) => name === 'J_Sec_C_Tail5');
    for (let frame = 0; frame < 30; frame++) {
        root.position.z = 0.02 * frame;
        character.setWind([2, 0, 1]).setWorld({ position: [0, 0, root.position.z] });
        driver.update(1 / 60);
    }
    root.computeWorldMatrix(true);
    near([...tail.computeWorldMatrix(true).asArray()], [...character.nodeWorldMatrix(asset.findNode('J_Sec_C_Tail5'))], 1e-5, 'the tail');
    asset.dispose();
    scene.dispose();
});

test('a graph drives the nodes', async () => {
    const { loaded, asset, scene } = await open(files[0], { rightHanded: true });
    const graph = sinew.loadGraph(readFileSync(new URL('./graph.json', import.meta.url)));
    const character = drive(loaded, asset, { graph }), alone = new Animator(asset, graph), matrix = new Float32Array(16);
    const hand = nodesOf(loaded).find(({ name }) => name === 'Hand_R'), [root] = loaded.meshes;
    for (let frame = 0; frame < 120; frame++) {
        for (const animator of [character.animator, alone]) {
            animator.set('speed', 2);
            if (frame === 20) animator.fire('jump');
            if (frame === 60) animator.forceState('Upper/Wave');
        }
        character.update(1 / 60);
        alone.update(1 / 60);
        assert.deepEqual(character.mixer.palette(), alone.mixer.palette());
        root.computeWorldMatrix(true);
        near([...hand.computeWorldMatrix(true).asArray()], [...alone.mixer.nodeMatrix(asset.findNode('Hand_R'), matrix)], 1e-4, 'Hand_R');
    }
    assert.equal(character.animator.hash, alone.hash);
    asset.dispose();
    scene.dispose();
});

test('bounds contain the vertices of the pose', async () => {
    const { loaded, asset, scene } = await open(files[0]);
    const character = drive(loaded, asset), mesh = meshOf(loaded, 0, 0);
    character.mixer.clipAction('Jump').play();
    for (let i = 0; i < 5; i++) {
        character.update(0.2);
        eachVertex(mesh, (index, vertex) => {
            const { boundingBox: { minimumWorld, maximumWorld }, boundingSphere } = mesh.getBoundingInfo();
            const inside = ['x', 'y', 'z'].every((axis) => (
                vertex[axis] >= minimumWorld[axis] - 1e-5 && vertex[axis] <= maximumWorld[axis] + 1e-5));
            assert.ok(inside, `vertex ${index} at ${vertex.asArray()}`);
            assert.ok(boundingSphere.radiusWorld < 3, 'the sphere is far too large');
        });
    }
    asset.dispose();
    scene.dispose();
});

test('the node of a skinned mesh, which the loader gives no transform, may be animated', async () => {
    const path = join(models, 'conformance/skinned-mesh-ignores-its-node.gltf');
    const json = JSON.parse(readFileSync(path)), skinned = json.nodes.findIndex(({ skin }) => skin !== undefined);
    json.animations[0].channels[0].target.node = skinned;
    const file = await open(path, { file: Buffer.from(JSON.stringify(json)) });
    assert.doesNotThrow(() => driven(file, file.asset.clips[0], 0.5));
    file.asset.dispose();
    file.scene.dispose();
});

test('nodes without animation are not written', async () => {
    const { loaded, asset, scene } = await open(files[0]);
    const character = drive(loaded, asset), node = loaded.transformNodes.find(({ name }) => name === 'Hero');
    node.position.set(5, 6, 7);
    character.mixer.clipAction('Run').play();
    character.update(0.1);
    assert.deepEqual(node.position.asArray(), [5, 6, 7]);
    asset.dispose();
    scene.dispose();
});

test('a container has one character, and so has each of its copies', async () => {
    const { loaded, asset, scene } = await open(files[0]), first = drive(loaded, asset);
    assert.throws(() => drive(loaded, asset), /already has a character: dispose it first, or drive a copy/);
    const instance = loaded.instantiateModelsToScene(), copy = drive(loaded, asset, { instance });
    assert.throws(() => drive(loaded, asset, { instance }), /already has a character/);
    first.dispose();
    const second = drive(loaded, asset);
    first.dispose();
    for (const character of [second, copy]) character.update(0.1);
    asset.dispose();
    drive(loaded, sinew.loadAsset(withoutMaterials(readFileSync(files[0])))).update(0.1);
    scene.dispose();
});

test('a scene of another file is refused', async () => {
    const [hero, windmill] = [await open(files[0]), await open(files[1])];
    assert.throws(() => drive(hero.loaded, windmill.asset), /load both from the same file/);
    assert.throws(() => drive({ transformNodes: [], meshes: [], animationGroups: [] }, hero.asset), /no object of the scene is a node/);
    const instance = windmill.loaded.instantiateModelsToScene();
    assert.throws(() => drive(hero.loaded, hero.asset, { instance }), /has no copy: copy the whole container/);
});
