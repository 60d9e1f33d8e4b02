// SPDX-License-Identifier: MIT
// The names in the conditions of a graph.
const TOKENS = /'[^']*'|"[^"]*"|[A-Za-z_][A-Za-z0-9_]*|[0-9][0-9A-Za-z_.]*|\s+|[^]/g;
const NAME = /^[A-Za-z_]/;
const QUOTED = /^(?:'[^']*'|"[^"]*")$/;
const WORDS = new Set(['true', 'false', 'time', 'fraction', 'elapsed', 'loops', 'finished', 'past', 'marker', 'in_tag',
    'in_state', 'curve']);

/** Whether a parameter can have that name. */
export function isParameterName(name) {
    return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !WORDS.has(name) && !/^(?:and|or|not)$/i.test(name);
}

// A string of conditions, which have no escapes.
function quote(text) {
    if (!text.includes('\'')) return `'${text}'`;
    if (!text.includes('"')) return `"${text}"`;
    throw new Error(`a condition can't name ${text}, because it has both kinds of quotation marks`);
}

// Calls name(token) for each name of a parameter and path(text) for each argument of in_state, and returns the condition
// with what they return.
function replaceNames(when, { name = (token) => token, path = (text) => text }) {
    let last = '', before = ''; // the tokens before, without spaces
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

/** The condition after a parameter has got another name. */
export function renameParameterIn(when, from, to) {
    return replaceNames(when, { name: (token) => (token === from ? to : token) });
}

/** The condition after a state or a layer has got another path. */
export function renamePathIn(when, from, to) {
    const contains = (text) => text === from || text.startsWith(`${from}/`);
    return replaceNames(when, { path: (text) => (contains(text) ? to + text.slice(from.length) : text) });
}
