// What JavaScript allocates, counted by function. It is to be imported before what is measured.
//
// The heap profiler counts each allocation with the stack that made it, those that are collected soon included. The
// optimizing compiler is off, so that the count does not depend on when it runs. Without it each fraction that is
// computed is a heap number of its own, and `for (const x of array)` makes an iterator and its results: these are not
// counted, since they are the engine's and not in the code.
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

// [{ name, script, line, count, bytes, stack }] of each stack that allocated, and `stack` the names in it.
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

function garbageOf(frame, frames, numberBytes) {
    const playFrames = () => { for (let i = 0; i < frames; i++) frame(i); };
    playFrames(); // what is allocated once
    return allocationsOf(playFrames).filter((one) => isPlayed(one) && !isIteration(one))
        .map((one) => ({ ...one, excess: one.bytes - numberBytes * one.count }))
        .filter(({ excess }) => excess >= 4 * frames);
}

// The bytes of a heap number, of which there is one in each of these frames.
function bytesOfNumber(frames) {
    const holder = { value: 0.5 };
    const play = () => { for (let i = 0; i < frames; i++) holder.value = Math.sqrt(i + 0.5) + holder.value; };
    play();
    const [{ count, bytes }] = allocationsOf(play).filter(({ name }) => name === 'sqrt');
    assert.ok(count >= frames, 'the profiler counts no numbers');
    return bytes / count;
}

const FRAMES = 200;
const NUMBER_BYTES = bytesOfNumber(FRAMES);

// The functions that make an object in every second frame or more often. The smallest object is 8 bytes larger than a
// number.
export function garbage(frame) {
    return garbageOf(frame, FRAMES, NUMBER_BYTES).map(({ count, bytes, stack }) => (
        `${count / FRAMES} × ${Math.round(bytes / count)} bytes a frame: ${stack.slice(0, 4).join(' < ')}`));
}
