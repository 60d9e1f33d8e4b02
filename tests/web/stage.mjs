// SPDX-License-Identifier: MIT
// Playing heroes, and one that uses all features, for the package's tests.
import { readFile } from 'node:fs/promises';
import { Animator, Batch, BlendSpace, Mask, Mixer, Scene, readModel } from './common.mjs';

export const hero = await readModel('hero.glb');
export const graphText = await readFile(new URL('./graph.json', import.meta.url), 'utf8');

export function stage(sinew, count) {
    const asset = sinew.loadAsset(hero);
    const mixers = Array.from({ length: count }, () => new Mixer(asset));
    for (const mixer of mixers) {
        mixer.clipAction('Walk').play();
        mixer.clipAction('Run').fadeIn(1e6).play(); // a fade that never ends
    }
    return { asset, mixers, batch: new Batch(mixers) };
}

// A frame that uses all of an animator.
function graphFrame(sinew, asset) {
    const graph = sinew.loadGraph(graphText), animator = new Animator(asset, graph), move = [0, 0], look = new Float32Array(3);
    const hand = { position: new Float32Array(3), rotation: Float32Array.of(0, 0, 0, 1) };
    graph.dispose(); // freed with the animator
    const turning = { kind: 'inertialize', duration: 0.1 }, snapshot = animator.save();
    return (frame) => {
        const part = frame % 2;
        animator.set('speed', part).set('move', part, -1).set('armed', frame % 8 < 4).set('mood', part);
        hand.position[0] = look[1] = part;
        animator.set('look', look).set('hand', hand);
        if (frame % 5 === 0) animator.fire('jump').fire('wave');
        if (frame % 7 === 0) animator.cancel('jump');
        if (frame % 11 === 0) animator.forceState('Base/Ground/Turn', turning);
        animator.update(1 / 60);
        animator.get('move', move);
        animator.get('look', look);
        animator.get('hand', hand);
        if (animator.isActive('Base/Jump') || animator.hasTag('grounded') || animator.state('Upper') === 'Upper/Wave') {
            move[0] = animator.get('speed') + animator.progress() + animator.elapsed('Base/Jump');
        }
        if (animator.transition() && animator.action()) animator.save(snapshot);
        if (frame % 13 === 0) animator.restore(snapshot);
    };
}

// A character with all features, and a frame that uses them.
export function busyFrame(sinew) {
    const asset = sinew.loadAsset(hero), hips = asset.findNode('Hips');
    const mixer = new Mixer(asset, { rootMotion: { node: hips } });
    mixer.layers[1].mask = new Mask(asset).setSubtree(asset.findNode('Spine'), 1);
    mixer.layers[2].mode = 'additive';
    const space = new BlendSpace(asset, { samples: [{ clip: 'Walk', x: 0 }, { clip: 'Run', x: 1 }] });
    const moving = mixer.clipAction(space).play({ x: 0 }), waving = mixer.clipAction('Wave', { layer: 1 }).play();
    mixer.clipAction(asset.makeAdditive('Idle'), { layer: 2 }).play();
    mixer.update(0.1);
    const snapshot = mixer.save();
    const box = new Float32Array(6), matrix = new Float32Array(16);
    const delta = mixer.rootDelta(), transform = mixer.nodeTransform(hips);
    const scene = new Scene();
    const instance = scene.addInstance(asset), node = scene.addNode();
    instance.attach(node, 'Grip_R');
    instance.mixer.clipAction('Run').play();
    const where = { translation: new Float32Array(3) };
    const driven = graphFrame(sinew, asset);
    return (frame) => {
        driven(frame);
        const part = frame % 2;
        moving.setParameter(part);
        waving.weight = part;
        waving.timeScale = 1 + part;
        mixer.layers[1].weight = part;
        mixer.timeScale = 1 + part;
        mixer.update(1 / 60);
        if (frame % 3 === 0) mixer.restore(snapshot);
        mixer.save(snapshot);
        where.translation[0] = part;
        instance.setTransform(where);
        scene.update(1 / 60);
        mixer.bounds(box);
        mixer.rootDelta(delta);
        mixer.nodeTransform(hips, transform);
        node.world(matrix);
    };
}
