// SPDX-License-Identifier: MIT
// Groups long lists of names by their first word.
const MIN_NAMES = 13, MIN_MEMBERS = 2;
const SEPARATORS = /[_\s.|:]+/;
const OTHER = 'Other';

// The number of words that all names start with, such as the armature's name.
function countCommon(all) {
    const shortest = Math.min(...all.map((words) => words.length));
    let count = 0;
    while (count < shortest - 1 && all.every((words) => words[count] === all[0][count])) count++;
    return count;
}

/**
 * Groups names: [{ name, members }], where members are indices. Groups are in the order of their first members. Names
 * with a first word of their own go into a last group. A short list, or one without common words, has no groups.
 */
export function groupsOf(names) {
    if (names.length < MIN_NAMES) return [];
    const words = names.map((name) => name.split(SEPARATORS).filter(Boolean)), common = countCommon(words);
    const byWord = new Map();
    words.forEach((list, index) => {
        const word = list[common] ?? OTHER;
        byWord.set(word, [...byWord.get(word) ?? [], index]);
    });
    const groups = [...byWord].filter(([, members]) => members.length >= MIN_MEMBERS)
        .map(([name, members]) => ({ name, members }));
    if (groups.length < 2) return [];
    const single = [...byWord.values()].filter((members) => members.length < MIN_MEMBERS).flat();
    return single.length > 0 ? [...groups, { name: OTHER, members: single }] : groups;
}
