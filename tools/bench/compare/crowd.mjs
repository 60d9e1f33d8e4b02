// SPDX-License-Identifier: MIT
// Crowds of one hero in a browser or in Node that cross-fade two clips, one crowd for each path. The timed frame of a crowd
// is everything from the step in time to the joint matrices.

// As tools/bench/crowd.c chooses clips, times and weights.
const spread = (number, step) => ((number + 1) * step) % 1;
const FADE = 60; // seconds; longer than the measurement

function parts(i, clips) {
    const first = i % clips.length;
    let second = (i * 7 + 3) % clips.length;
    if (second === first) second = (second + 1) % clips.length;
    return { first: clips[first], second: clips[second], phases: [spread(i, 0.61803398875), spread(i, 0.75487766625)],
        mix: 0.2 + 0.6 * spread(i, 0.56984029099) };
}

// Starts a cross-fade; three.js's mixer and Sinew's have the same interface.
function play(mixer, i, clips) {
    const { first, second, phases, mix } = parts(i, clips);
    const [from, to] = [first, second].map((clip) => mixer.clipAction(clip).play());
    from.crossFadeTo(to, FADE, false);
    mixer.update(mix * FADE);
    from.time = phases[0] * first.duration;
    to.time = phases[1] * second.duration;
}

function skeletonOf(root) {
    let found;
    root.traverse((object) => {
        found ??= object.skeleton;
    });
    return found;
}

export class Crowds {
    // The modules of three.js, its loader, its clone function and the package, and the bytes of a .glb without materials.
    constructor(modules, gltf, sinew, bytes, count) {
        Object.assign(this, modules, { gltf, sinew, bytes, count, asset: sinew.loadAsset(bytes) });
    }

    static async load(modules, bytes, count) {
        const gltf = await new modules.GLTFLoader().parseAsync(bytes.buffer, '');
        return new Crowds(modules, gltf, await modules.Sinew.load(), bytes, count);
    }

    each(make, count = this.count) {
        return Array.from({ length: count }, (_, i) => make(i));
    }

    // Each of the following returns a function that computes a frame.

    three() {
        const crowd = this.each((i) => {
            const root = this.clone(this.gltf.scene), mixer = new this.AnimationMixer(root);
            play(mixer, i, this.gltf.animations);
            return { root, mixer, skeleton: skeletonOf(root) };
        });
        return (step) => {
            for (const { root, mixer, skeleton } of crowd) {
                mixer.update(step);
                root.updateMatrixWorld();
                skeleton.update();
            }
        };
    }

    driven(direct) {
        const crowd = this.each((i) => {
            const root = this.clone(this.gltf.scene);
            const character = this.drive(this.gltf, this.asset, { scene: root, direct });
            play(character.mixer, i, this.asset.clips);
            return { root, character, skeleton: skeletonOf(root) };
        });
        const batch = new this.Batch(crowd.map(({ character }) => character.mixer));
        return (step) => {
            batch.update(step);
            for (const { root, character, skeleton } of crowd) {
                character.apply();
                root.updateMatrixWorld();
                skeleton.update();
            }
        };
    }

    plain(count) {
        const mixers = this.each((i) => {
            const mixer = new this.Mixer(this.asset);
            play(mixer, i, this.asset.clips);
            return mixer;
        }, count);
        const batch = new this.Batch(mixers);
        return (step) => batch.update(step);
    }

    // Microseconds per character, as medians, of the AnimationMixer and of one other crowd. They are measured in turns of
    // some frames, so that other load on this machine disturbs both alike. The first frame of a turn, which starts with the
    // other crowd's data in the caches, is not counted, and neither is the first half of all turns.
    measure(make, turns, frames) {
        const crowds = [this.three(), make()], times = [[], []];
        for (let turn = 0; turn < 2 * turns; turn++) {
            crowds.forEach((step, i) => {
                step(1 / 60);
                for (let frame = 0; frame < frames; frame++) {
                    const start = performance.now();
                    step(1 / 60);
                    if (turn >= turns) times[i].push(1000 * (performance.now() - start) / this.count);
                }
            });
        }
        const [three, other] = times.map((list) => list.sort((a, b) => a - b)[list.length >> 1]);
        this.asset.dispose(); // and all its mixers
        this.asset = this.sinew.loadAsset(this.bytes);
        return { three, other };
    }

    measureAll(turns, frames) {
        return { sinew: this.measure(() => this.plain(), turns, frames),
            transforms: this.measure(() => this.driven(false), turns, frames),
            matrices: this.measure(() => this.driven(true), turns, frames) };
    }

    // A function that runs frames and returns the size of the module's memory.
    steady(count) {
        const step = this.plain(count), [skin] = this.asset.skins;
        return (frames) => {
            for (let frame = 0; frame < frames; frame++) step(1 / 6000); // all of them within the fade
            return skin.inverseBinds.buffer.byteLength; // of an array in that memory
        };
    }
}
