// SPDX-License-Identifier: MIT
// The studio's retargeting as a command line and as JavaScript.
import { stemOf } from './download.js';
import { newOptions } from './retarget_options.js';

export const mapName = (file) => `${stemOf(file)}.humanoid.json`;
export const outputName = (target, source) => `${stemOf(target)}-${stemOf(source)}.glb`;

// Whether a name is enough to identify a clip.
const isClear = (clips, { name }) => name !== '' && clips.filter((other) => other.name === name).length === 1;

// ---- The command ----------------------------------------------------------------------------------------------------

// A shell word.
const quoted = (word) => (/^[\w@%+=:,./-]+$/.test(word) && !word.startsWith('-') ? word : `'${word.replaceAll("'", "'\\''")}'`);
const fileWord = (name) => quoted(name.startsWith('-') ? `./${name}` : name);

const clipWord = (clips, index) => (isClear(clips, clips[index]) && !/^#\d+$/.test(clips[index].name)
    ? clips[index].name : `#${index}`);

/** The command that writes the same file as a Retargeting. */
export function commandText(retargeting) {
    const { source: { name: source, clips }, target: { name: target }, options } = retargeting;
    const { only, rate, feet, hands, fixedLengths } = options;
    const words = ['sinew retarget', fileWord(source), '--onto', fileWord(target)];
    for (const clip of options.clips ?? []) words.push('--clip', quoted(clipWord(clips, clip)));
    if (only) words.push('--only');
    if (rate !== 30) words.push('--rate', String(rate));
    if (!feet) words.push('--no-feet');
    if (hands) words.push('--hands');
    if (fixedLengths) words.push('--fixed-lengths');
    if (retargeting.isMapped('source')) words.push('--source-map', fileWord(mapName(source)));
    if (retargeting.isMapped('target')) words.push('--target-map', fileWord(mapName(target)));
    return [...words, '-o', fileWord(outputName(target, source))].join(' ');
}

// ---- JavaScript -----------------------------------------------------------------------------------------------------

/** A program that makes the same file as a Retargeting. */
export function javaScriptText(retargeting) {
    const { source: { clips }, options: { clips: chosen, ...rest } } = retargeting, defaults = newOptions();
    const changed = Object.entries(rest).filter(([name, value]) => value !== defaults[name]);
    const named = chosen?.map((index) => (isClear(clips, clips[index]) ? clips[index].name : index));
    const fields = [...(named ? [['clips', named]] : []), ...changed].map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
    const given = fields.length > 0 ? `, { ${fields.join(', ')} }` : '';
    const isMapped = (side) => retargeting.isMapped(side);
    const open = (side) => {
        const { name } = retargeting[side], file = JSON.stringify(name);
        const map = isMapped(side) ? `, map: await text(${JSON.stringify(mapName(name))})` : '';
        return `await retargeter.open(await bytes(${file}), { name: ${file}${map} });`;
    };
    return ["import { Retargeter } from 'sinew-animation/retarget';", '',
        'const bytes = async (url) => new Uint8Array(await (await fetch(url)).arrayBuffer());',
        ...(isMapped('source') || isMapped('target') ? ['const text = async (url) => (await fetch(url)).text();'] : []), '',
        'const retargeter = await Retargeter.load();',
        `const source = ${open('source')}`,
        `const target = ${open('target')}`,
        `const { glb } = retargeter.retarget(source, target${given}); // the bytes of a file`,
        'source.dispose();', 'target.dispose();', ''].join('\n');
}
