// SPDX-License-Identifier: MIT
// Options for retargeting.
export const RATES = [24, 30, 60, 120]; // keys per second

/** The defaults. `clips` are indices of the source's clips; null for all. */
export const newOptions = () => ({ clips: null, only: false, rate: 30, feet: true, hands: false, fixedLengths: false });

/** A link's options, for a source with `count` clips. Invalid ones get their defaults. */
export function readOptions(from, count) {
    const options = newOptions();
    for (const name in options) if (typeof from?.[name] === 'boolean') options[name] = from[name];
    if (RATES.includes(from?.rate)) options.rate = from.rate;
    const isClip = (clip) => Number.isInteger(clip) && clip >= 0 && clip < count;
    if (Array.isArray(from?.clips)) options.clips = from.clips.filter(isClip);
    return options;
}
