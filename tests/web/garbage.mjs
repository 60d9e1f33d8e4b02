// SPDX-License-Identifier: MIT
// A steady frame of the package makes no objects.
import { garbage } from './allocations.mjs';
import assert from 'node:assert/strict';
import test from 'node:test';
import { loadSinew } from './common.mjs';
import { busyFrame, stage } from './stage.mjs';

test('all objects that a frame makes are counted', () => {
    const kept = [];
    const planted = {
        object: (i) => { kept[0] = { i }; },
        array: (i) => { kept[0] = [i]; },
        closure: (i) => { kept[0] = () => i; },
        view: (i) => { kept[0] = kept[1].subarray(i); },
        text: (i) => { kept[0] = `frame ${i}`; },
        rest: (i) => { kept[0] = ((...given) => given)(i); },
        'every second frame': (i) => { if (i % 2) kept[0] = { i }; },
    };
    kept[1] = new Float32Array(1000);
    for (const [name, frame] of Object.entries(planted)) assert.equal(garbage(frame).length > 0, true, name);
    assert.deepEqual(garbage((i) => { kept[2] = i + Math.sqrt(i + 0.5); }), []);
    assert.deepEqual(garbage(() => { for (const one of kept) kept[3] = one; }), []);
});

test('a frame makes no garbage', async () => {
    const sinew = await loadSinew();
    const { mixers, batch } = stage(sinew, 3);
    let sum = 0;
    assert.deepEqual(garbage(() => {
        mixers[0].update(1 / 60);
        batch.update(1 / 60);
        for (const mixer of mixers) sum += mixer.palette()[3] + mixer.modelMatrices[7];
    }), []);
    assert.ok(Number.isFinite(sum));
    assert.deepEqual(garbage(busyFrame(sinew)), []);
});
