// SPDX-License-Identifier: MIT
// The names in a graph's conditions.
const TOKENS = /'[^']*'|"[^"]*"|[A-Za-z_][A-Za-z0-9_]*|[0-9][0-9A-Za-z_.]*|\s+|[^]/g;
const NAME = /^[A-Za-z_]/;
const QUOTED = /^(?:'[^']*'|"[^"]*")$/;
const WORDS = new Set(['true', 'false', 'time', 'fraction', 'elapsed', 'loops', 'finished', 'past', 'marker', 'in_tag',
    'in_state', 'curve']);

/** Whether a parameter can have this name. */
export function isParameterName(name) {
    return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !WORDS.has(name) && !/^(?:and|or|not)$/i.test(name);
}

// Quotes a string for a condition. Conditions have no escapes.
function quote(text) {
    if (!text.includes('\'')) return `'${text}'`;
    if (!text.includes('"')) return `"${text}"`;
    throw new Error(`a condition can't name ${text}, because it has both kinds of quotation marks`);
}

// Rewrites a condition: replaces each parameter's name by name(token), and each argument of in_state by path(text).
function replaceNames(when, { name = (token) => token, path = (text) => text }) {
    let last = '', before = ''; // the preceding tokens, without spaces
    return when.replace(TOKENS, (token) => {
        if (/^\s/.test(token)) return token;
        const isArgument = QUOTED.test(token) && last === '(' && before === 'in_state';
        const isParameter = NAME.test(token) && last !== '.' && !WORDS.has(token);
        before = last;
        last = token;
        if (isParameter) return name(token);
        const text = token.slice(1, -1), replaced = isArgument ? path(text) : text;
        return replaced === text ? token : quote(replaced);
    });
}

/** The condition after a parameter was renamed. */
export function renameParameterIn(when, from, to) {
    return replaceNames(when, { name: (token) => (token === from ? to : token) });
}

/** The condition after a state's or a layer's path changed. */
export function renamePathIn(when, from, to) {
    const contains = (text) => text === from || text.startsWith(`${from}/`);
    return replaceNames(when, { path: (text) => (contains(text) ? to + text.slice(from.length) : text) });
}
