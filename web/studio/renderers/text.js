// SPDX-License-Identifier: MIT
// Fetches the texts of shaders from the page's folder shaders/.

const texts = new Map();

async function fetchText(name) {
    const url = new URL(`../shaders/${name}`, import.meta.url);
    const response = await fetch(url);
    if (!response.ok) throw new Error(`${url}: ${response.status} ${response.statusText}`);
    return response.text();
}

// The texts by name: { 'skin.glsl': '...' }.
export async function shaderTexts(names) {
    for (const name of names) if (!texts.has(name)) texts.set(name, await fetchText(name));
    return Object.fromEntries(names.map((name) => [name, texts.get(name)]));
}
