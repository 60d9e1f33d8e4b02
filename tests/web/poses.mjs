// SPDX-License-Identifier: MIT
// The module computes the same bits as the native library. Compares poses with `sinew pose --json`, whose numbers
// read back to the same floats, and fades with and without SIMD.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import test from 'node:test';
import { KINDS, Mixer, command, loadSinew, modelPath, readModel } from './common.mjs';

const bits = (floats) => new Uint32Array(Float32Array.from(floats).buffer);

function nativePose(file, clip, time) {
    const output = execFileSync(command, ['pose', modelPath(file), '--clip', clip, '--time', String(time), '--json'],
        { encoding: 'utf8', maxBuffer: 1 << 26 });
    return JSON.parse(output);
}

// The command prints column-major matrices; a palette has three rows.
function columns(rows, index) {
    const column = (c) => [0, 1, 2].map((row) => rows[12 * index + 4 * row + c]);
    return [...column(0), 0, ...column(1), 0, ...column(2), 0, ...column(3), 1];
}

function compare(asset, mixer, native) {
    let compared = 0;
    const same = (ours, theirs, what) => {
        assert.deepEqual(bits(ours), bits(theirs), what);
        compared += theirs.length;
    };
    asset.nodes.forEach(({ source, name, weightCount }, node) => {
        const theirs = native.nodes[source];
        assert.equal(name, theirs.name);
        same(mixer.nodeMatrix(node), theirs.world, `node ${name}`);
        const local = mixer.nodeTransform(node);
        for (const part of ['translation', 'rotation', 'scale']) same(local[part], theirs[part], `${part} of ${name}`);
        assert.equal(weightCount, theirs.weights?.length ?? 0);
        same(mixer.morphWeights(node), theirs.weights ?? [], `morph weights of ${name}`);
    });
    native.skins.forEach(({ matrices }, skin) => {
        const palette = mixer.palette(skin);
        assert.equal(palette.length, 12 * matrices.length);
        matrices.forEach((matrix, joint) => same(columns(palette, joint), matrix, `skin ${skin}, joint ${joint}`));
    });
    assert.ok(compared > 0);
}

const FILES = [
    ['hero.glb', [0, 0.31, 0.7]], ['windmill.glb', [0.4]], ['conformance/morph-weights-cubic.gltf', [0.3, 0.9]],
    ['conformance/two-skins-one-skeleton.gltf', [0.5]], ['conformance/node-between-joints.gltf', [0.25]],
    ['conformance/morph-whose-weights.gltf', [0.5]], ['conformance/names.gltf', [0.5]],
];

for (const kind of KINDS) {
    test(`${kind}: every clip equals the command's`, async () => {
        const sinew = await loadSinew(kind);
        for (const [file, times] of FILES) {
            const asset = sinew.loadAsset(await readModel(file));
            assert.ok(asset.clips.length > 0, file);
            for (const clip of asset.clips) {
                for (const time of times) {
                    const mixer = new Mixer(asset);
                    const action = mixer.clipAction(clip);
                    action.time = time;
                    action.play();
                    mixer.update(0);
                    compare(asset, mixer, nativePose(file, `#${clip.index}`, Math.fround(action.time)));
                    mixer.dispose();
                }
            }
            asset.dispose();
        }
    });
}

test('fades are equal with and without SIMD', async () => {
    const runs = [];
    for (const kind of KINDS) {
        const sinew = await loadSinew(kind);
        const asset = sinew.loadAsset(await readModel('hero.glb'));
        const mixer = new Mixer(asset);
        const kinds = ['fade', 'inertialize', 'deadBlend'];
        const seen = [];
        for (let frame = 0; frame < 240; frame++) {
            const clip = asset.clips[frame / 20 % asset.clips.length];
            if (clip) mixer.transitionTo(mixer.clipAction(clip), { duration: 0.3, kind: kinds[frame / 20 % 3] });
            mixer.update(1 / 60);
            seen.push(...bits(mixer.palette()));
        }
        runs.push(seen);
    }
    assert.ok(new Set(runs[0]).size > 10000);
    assert.deepEqual(runs[0], runs[1]);
});
