// Frames make no garbage and take no memory; views stay good while memory grows; what is disposed of is given back.
import assert from 'node:assert/strict';
import test from 'node:test';
import { Batch, Mixer, loadSinew, readModel } from './common.mjs';

const hero = await readModel('hero.glb');

function stage(sinew, count) {
    const asset = sinew.loadAsset(hero);
    const mixers = Array.from({ length: count }, () => new Mixer(asset));
    for (const mixer of mixers) {
        mixer.clipAction('Walk').play();
        mixer.clipAction('Run').fadeIn(1e6).play(); // a fade that goes on
    }
    return { asset, mixers, batch: new Batch(mixers) };
}

test('10,000 frames take no memory of the module and leave none of the heap', async () => {
    const sinew = await loadSinew();
    const { mixers, batch } = stage(sinew, 3);
    const { buffer } = sinew._module.memory;
    const play = (frames) => {
        let sum = 0;
        for (let frame = 0; frame < frames; frame++) {
            mixers[0].update(1 / 60);
            batch.update(1 / 60);
            for (const mixer of mixers) sum += mixer.palette()[3] + mixer.modelMatrices[7];
        }
        assert.ok(Number.isFinite(sum));
    };
    // The engine allocates until it has compiled what runs here, some rounds long; an object a frame would take 160 KB
    // in every one of them.
    const rounds = [];
    while (rounds.length < 20 && !(rounds.at(-1) < 16384)) {
        globalThis.gc();
        const before = process.memoryUsage().heapUsed;
        play(10000);
        rounds.push(process.memoryUsage().heapUsed - before);
    }
    console.log(`bytes allocated in rounds of 10,000 frames: ${rounds.join(', ')}`);
    assert.ok(rounds.at(-1) < 16384, `${rounds.at(-1)} bytes in 10,000 frames`);
    assert.equal(sinew._module.memory.buffer, buffer);
});

test('views are the same arrays in every frame', async () => {
    const { mixers: [mixer], batch } = stage(await loadSinew(), 1);
    const palette = mixer.palette(), before = palette.slice();
    batch.update(0.1);
    assert.equal(mixer.palette(), palette);
    assert.notDeepEqual(palette, before);
});

test('views are good after memory has grown', async () => {
    const sinew = await loadSinew();
    const { asset, mixers: [mixer] } = stage(sinew, 1);
    const palette = mixer.palette(), positions = asset.meshes[0].primitives[0].positions;
    const expected = [palette.slice(), positions.slice(), mixer.modelMatrices.slice()];
    const assets = [];
    while (palette.length > 0) assets.push(sinew.loadAsset(hero)); // detached arrays are empty
    assert.deepEqual([mixer.palette(), asset.meshes[0].primitives[0].positions, mixer.modelMatrices], expected);
    assert.notEqual(mixer.palette(), palette);
});

test('what is disposed of is given back', async () => {
    const sinew = await loadSinew();
    const once = () => {
        const { asset } = stage(sinew, 2);
        asset.dispose();
    };
    once();
    const size = sinew._module.memory.buffer.byteLength;
    for (let i = 0; i < 200; i++) once();
    assert.equal(sinew._module.memory.buffer.byteLength, size);
});

test('what is disposed of says so', async () => {
    const { asset, mixers: [mixer], batch } = stage(await loadSinew(), 1);
    const action = mixer.clipAction('Walk');
    const primitive = asset.meshes[0].primitives[0];
    asset.dispose();
    asset.dispose(); // twice is nothing
    assert.ok(asset.disposed && mixer.disposed && batch.disposed);
    assert.throws(() => primitive.positions, /this Asset is disposed of/);
    assert.throws(() => mixer.palette(), /this Mixer is disposed of/);
    assert.throws(() => mixer.update(0), /this Mixer is disposed of/);
    assert.throws(() => action.play(), /this Mixer is disposed of/);
    assert.throws(() => action.time, /this Mixer is disposed of/);
    assert.throws(() => batch.update(0), /this Batch is disposed of/);
    assert.throws(() => new Mixer(asset), /this Asset is disposed of/);
});

test('a batch ends with any of its mixers', async () => {
    const { mixers, batch } = stage(await loadSinew(), 2);
    mixers[1].dispose();
    assert.ok(batch.disposed);
    assert.ok(mixers[0].update(0.1));
    assert.throws(() => new Batch(mixers), /this Mixer is disposed of/);
});

// Takes all memory that there is, and gives it back bit by bit, the smallest pieces first: each allocation on the way
// to success is one that fails some time.
function failUntil(exports, make) {
    const lent = [];
    for (let size = 1 << 30; size >= 16; size /= 2) {
        for (;;) {
            const address = exports.malloc(size);
            if (address === 0) break;
            lent.push(address);
        }
    }
    let failures = 0;
    try {
        for (;;) {
            try {
                return [make(), failures];
            } catch (error) {
                assert.match(error.message, /out of memory/);
                failures++;
                exports.free(lent.pop());
            }
        }
    } finally {
        for (const address of lent) exports.free(address);
    }
}

test('what does not fit into memory is an error, and nothing is lost', async () => {
    const sinew = await loadSinew();
    const { exports } = sinew._module;
    const [asset, ofAsset] = failUntil(exports, () => sinew.loadAsset(hero));
    const [mixer, ofMixer] = failUntil(exports, () => new Mixer(asset));
    const [batch, ofBatch] = failUntil(exports, () => new Batch([mixer]));
    console.log(`refused: the asset ${ofAsset} times, the mixer ${ofMixer}, the batch ${ofBatch}`);
    assert.ok(ofAsset > 0 && ofMixer > 0 && ofBatch > 0);
    mixer.clipAction('Walk').play();
    batch.update(0.1);
    assert.ok(mixer.palette().every(Number.isFinite));
});
