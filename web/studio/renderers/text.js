// SPDX-License-Identifier: MIT
// Fetches the texts of shaders from the page's folder shaders/.

const texts = new Map(); // promises by name

async function fetchText(name) {
    const url = new URL(`../shaders/${name}`, import.meta.url);
    const response = await fetch(url);
    if (!response.ok) throw new Error(`${url}: ${response.status} ${response.statusText}`);
    return response.text();
}

// A failed fetch is forgotten, so that the next call repeats it.
function textOf(name) {
    if (!texts.has(name)) texts.set(name, fetchText(name));
    texts.get(name).catch(() => texts.delete(name));
    return texts.get(name);
}

// The texts by name: { 'skin.glsl': '...' }. All are fetched at once.
export async function shaderTexts(names) {
    const read = await Promise.all(names.map(textOf));
    return Object.fromEntries(names.map((name, i) => [name, read[i]]));
}
