// SPDX-License-Identifier: MIT
// Counts JavaScript allocations by function. Import it before the measured code.
//
// The heap profiler counts each allocation with the stack that made it, even those that are collected soon. The
// optimizing compiler is off, so the count doesn't depend on when it runs. Without it, each computed fraction becomes
// a heap number, and `for (const x of array)` makes an iterator and its results. These aren't counted: the engine
// makes them, not the code.
import assert from 'node:assert/strict';
import { Session } from 'node:inspector';
import { setFlagsFromString } from 'node:v8';

for (const flag of ['--no-opt', '--no-maglev', '--no-sparkplug', '--no-flush-bytecode']) setFlagsFromString(flag);

function profile(play) {
    const session = new Session(), chunks = [];
    session.connect();
    session.on('HeapProfiler.addHeapSnapshotChunk', ({ params }) => chunks.push(params.chunk));
    session.post('HeapProfiler.startTrackingHeapObjects', { trackAllocations: true });
    play();
    session.post('HeapProfiler.stopTrackingHeapObjects', { reportProgress: false });
    session.disconnect();
    return JSON.parse(chunks.join(''));
}

// [{ name, script, line, count, bytes, stack }] of each allocating stack; `stack` has the names in it.
function allocationsOf(play) {
    const { trace_function_infos: infos, trace_tree: root, strings, snapshot: { meta } } = profile(play);
    const field = (info, name) => {
        const { trace_function_info_fields: fields } = meta;
        return infos[info * fields.length + fields.indexOf(name)];
    };
    const list = [];
    const walk = ([, info, count, bytes, below], above) => {
        const name = strings[field(info, 'name')], script = strings[field(info, 'script_name')];
        const stack = [`${name} ${script.replace(/^.*\//, '')}:${field(info, 'line') + 1}`, ...above];
        if (count > 0) list.push({ name, script, count, bytes, stack });
        for (let i = 0; i < below.length; i += 5) walk(below.slice(i, i + 5), stack);
    };
    walk(root, []);
    return list;
}

const isIteration = ({ name, script }) => script === '' && (name === 'values' || name === 'next');
const isPlayed = ({ stack }) => stack.some((line) => line.startsWith('playFrames '));

const FRAMES = 50;
const play = (frame) => { for (let i = 0; i < FRAMES; i++) frame(i); };

// The stacks that allocate more than numbers: 4 bytes a frame or more beyond those.
function excessOf(frame, numberBytes) {
    const playFrames = () => play(frame);
    return allocationsOf(playFrames).filter((one) => isPlayed(one) && !isIteration(one))
        .filter(({ bytes, count }) => bytes - numberBytes * count >= 4 * FRAMES);
}

// The bytes of a heap number. Each of these frames has one.
function bytesOfNumber() {
    const holder = { value: 0.5 };
    const frame = (i) => { holder.value += Math.sqrt(i + 0.5); };
    play(frame);
    const [{ count, bytes }] = allocationsOf(() => play(frame)).filter(({ name }) => name === 'sqrt');
    assert.ok(count >= FRAMES, 'the profiler counts no numbers');
    return bytes / count;
}

const NUMBER_BYTES = bytesOfNumber();

// The functions that make an object in every second frame or more often. The smallest object is 8 bytes larger than a
// number. What it finds is counted once more: allocating something once isn't garbage.
export function garbage(frame) {
    play(frame);
    const found = new Set(excessOf(frame, NUMBER_BYTES).map(({ stack }) => stack.join()));
    if (found.size === 0) return [];
    return excessOf(frame, NUMBER_BYTES).filter(({ stack }) => found.has(stack.join())).map(({ count, bytes, stack }) => (
        `${count / FRAMES} × ${Math.round(bytes / count)} bytes a frame: ${stack.slice(0, 4).join(' < ')}`));
}
