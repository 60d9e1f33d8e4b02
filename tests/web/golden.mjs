// SPDX-License-Identifier: MIT
// The package's modules compute the golden hash of a played file. Makes the calls of tests/golden/played.h with the
// package, drawn in the same way: node golden.mjs PACKAGE MODELS HASH_FILE.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import test from 'node:test';
import {
    BlendSpace, KINDS, LoopOnce, LoopPingPong, LoopRepeat, Mask, Mixer, command as hashFile, loadSinew, readModel,
} from './common.mjs';

const CALLS = 3000;
const DRAWS = 12;
const STEPS = ['Foot_L', 'Foot_R'];
const KINDS_OF_SPACE = ['line', 'triangles', 'directional'];
const TRANSITIONS = ['fade', 'inertialize', 'deadBlend'];
const LOOPS = [LoopOnce, LoopRepeat, LoopPingPong];
const EVENTS = ['loop', 'finished', 'marker'];
const NONE = 1000;

// ---- The number -------------------------------------------------------------------------------------------------

// FNV-1a of 64 bits, in two halves: times 2^40 + 435.
class Hash {
    constructor() {
        this.high = 0xcbf29ce4;
        this.low = 0x84222325;
    }

    addBytes(bytes) {
        for (const byte of bytes) {
            const low = (this.low ^ byte) >>> 0, product = low * 435;
            this.high = (this.high * 435 + Math.floor(product / 2 ** 32) + low * 256) % 2 ** 32;
            this.low = product % 2 ** 32;
        }
    }

    addFloats(floats) {
        assert.ok(floats.every(Number.isFinite));
        this.addBytes(new Uint8Array(floats.buffer, floats.byteOffset, floats.byteLength));
    }

    addNumber(number) {
        this.addBytes(new Uint8Array(BigUint64Array.of(BigInt(number)).buffer));
    }

    toString() {
        return [this.high, this.low].map((half) => half.toString(16).padStart(8, '0')).join('');
    }
}

// A 64-bit linear congruential generator. Uses the upper bits.
function drawer(seed) {
    let state = BigInt(seed);
    return () => {
        state = BigInt.asUintN(64, state * 6364136223846793005n + 1442695040888963407n);
        return Number((state >> 33n) % 64n);
    };
}

// ---- What is played ---------------------------------------------------------------------------------------------

const PLACES = [[0, 0], [1, 0], [0.25, 1], [-1, -0.5]];

class Player {
    constructor(asset) {
        const mixer = new Mixer(asset, {
            maxActions: 6, layers: 3, syncNames: STEPS, rootMotion: { node: asset.findNode('Hips') },
        });
        Object.assign(this, { asset, mixer, hash: new Hash(), frames: 0, snapshot: null, events: [] });
        this.additive = asset.makeAdditive(asset.clips[0]);
        this.masks = [0, 1].map((i) => new Mask(asset).setSubtree(3 + i, 0.75, 2 * i));
        const samples = PLACES.map(([x, y], i) => ({ clip: asset.clips[i], x, y, speed: i === 2 ? 1.5 : 1 }));
        this.spaces = KINDS_OF_SPACE.map((kind) => (
            new BlendSpace(asset, { kind, samples, syncNames: STEPS, damping: 0.125 })));
        mixer.layers[2].mode = 'additive';
        for (const type of EVENTS) mixer.addEventListener(type, (event) => this.events.push(event));
        mixer.update(0);
    }

    // ---- What is drawn ----

    get transition() {
        const { draws } = this;
        return { duration: draws[9] / 64, kind: TRANSITIONS[draws[10] % 3], matchRate: draws[10] % 4 === 0 };
    }

    clipAction(first, second) {
        if (second >= 56) return this.mixer.clipAction(this.additive, { layer: 2 });
        const { clips } = this.asset;
        return this.mixer.clipAction(clips[first % clips.length], { layer: second % 4 === 0 ? 1 : 0 });
    }

    get spaceAction() {
        const { draws } = this;
        return this.mixer.clipAction(this.spaces[draws[1] % 3], { layer: draws[2] % 4 === 0 ? 1 : 0 });
    }

    get loops() {
        const { draws } = this;
        return [LOOPS[draws[6] % 3], draws[7] % 4 || Infinity];
    }

    // ---- Calls ----

    prepare(action) {
        const { draws } = this;
        action.timeScale = draws[4] % 3 ? 1 : (draws[3] - 32) / 16;
        action.weight = draws[5] / 64;
        action.setLoop?.(...this.loops);
        action.sync = draws[8] % 3 ? 0 : 1 + draws[8] % 2;
    }

    // A mixer without a free slot refuses.
    attempt(start) {
        try {
            start();
        } catch (error) {
            assert.match(error.message, /all slots are in use/);
        }
    }

    startClip() {
        const { draws, mixer } = this;
        const action = this.clipAction(draws[1], draws[2]);
        this.prepare(action);
        const changes = draws[11] % 8 > 1;
        this.attempt(() => (changes ? mixer.transitionTo(action, this.transition) : action.play()));
    }

    startSpace() {
        const { draws, mixer } = this;
        const action = this.spaceAction, x = draws[6] / 64, y = draws[7] / 64;
        this.prepare(action);
        action.setParameter(x, y);
        const changes = draws[11] % 8 === 7;
        this.attempt(() => (changes ? mixer.transitionTo(action, this.transition) : action.play({ x, y })));
    }

    follow(action) {
        const { draws } = this;
        if (!action.isActive()) return;
        const next = this.clipAction(draws[10], draws[11]);
        this.prepare(next);
        action.queue(next, this.transition);
    }

    change() {
        const { draws } = this;
        const action = this.clipAction(draws[1], draws[2]), weight = draws[5] / 64;
        switch (draws[3] % 12) {
        case 0: return action.stop();
        case 1: if (action.isActive()) action.paused = true; return undefined;
        case 2: action.paused = false; return undefined;
        case 3: return action.reset();
        case 4: return action.fadeOut(draws[9] / 64);
        case 5: if (action.isActive()) action.time = 2 * weight; return undefined;
        case 6: action.timeScale = draws[4] / 64; return undefined;
        case 7: action.weight = weight; return undefined;
        case 8: return action.setLoop(...this.loops);
        case 9: return this.follow(action);
        case 10: return action.queuePrevious(this.transition);
        default: return this.spaceAction.setParameter(weight, draws[6] / 64);
        }
    }

    changeAll() {
        const { draws, mixer } = this;
        const layer = mixer.layers[1 + draws[2] % 2];
        switch (draws[1] % 8) {
        case 0: mixer.stopAllAction(); break;
        case 1: layer.mask = this.masks[draws[3] % 3] ?? null; break;
        case 2: mixer.timeScale = draws[4] / 64 + 0.5; break;
        case 3: case 4:
            if (draws[2] % 2 && this.snapshot) mixer.restore(this.snapshot);
            else this.snapshot = mixer.save(this.snapshot ?? undefined);
            break;
        default: layer.fadeTo(draws[5] / 64, draws[6] / 64);
        }
    }

    // ---- What comes out ----

    frame() {
        const { draws, mixer, hash } = this;
        this.events.length = 0;
        mixer.update(draws[1] < 56 ? 1 / 64 : draws[2] / 64);
        this.frames++;
        hash.addFloats(mixer.modelMatrices);
        this.addWeights();
        hash.addFloats(mixer.palette());
        const { translation, rotation, yaw } = mixer.rootDelta();
        hash.addFloats(Float32Array.of(...translation, ...rotation, yaw));
        hash.addFloats(mixer.bounds());
        for (const { type, action, marker, clip } of this.events) {
            if (!action.space) assert.equal(action.clip, clip); // a space's clip may have changed since
            hash.addNumber(EVENTS.indexOf(type));
            hash.addNumber(action.layer);
            hash.addNumber(clip.additive ? NONE : clip.index);
            hash.addNumber(marker ? clip.markers.indexOf(marker) : NONE);
        }
        if (this.frames % 8 > 0) return;
        hash.addNumber(mixer.hash);
        this.asset.nodes.forEach((_, node) => {
            const local = mixer.nodeTransform(node);
            hash.addFloats(Float32Array.of(...local.translation, ...local.rotation, ...local.scale));
        });
        this.addWeights();
    }

    addWeights() {
        this.asset.nodes.forEach((_, node) => this.hash.addFloats(this.mixer.morphWeights(node)));
    }

    call(draws) {
        this.draws = draws;
        const [what] = draws;
        if (what < 32) this.frame();
        else if (what < 46 && draws[11] % 8 < 6) this.startClip();
        else if (what < 46) this.startSpace();
        else if (what < 58) this.change();
        else this.changeAll();
    }
}

const [, , pinned] = (await readFile(hashFile, 'utf8')).trim().split(' ');

for (const kind of KINDS) {
    test(`${kind}: the golden number`, async () => {
        const sinew = await loadSinew(kind);
        const player = new Player(sinew.loadAsset(await readModel('hero.glb')));
        const draw = drawer(9);
        for (let call = 0; call < CALLS; call++) player.call(Array.from({ length: DRAWS }, draw));
        assert.ok(player.frames > 1000);
        console.log(`${sinew.simd}: ${player.hash}`);
        assert.equal(String(player.hash), pinned);
    });
}
