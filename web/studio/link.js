// SPDX-License-Identifier: MIT
// Links hold the stage's and the camera's state, as JSON in the address's fragment. Browsers don't send the fragment.
import { BUILT_IN, explaining, fetchBuiltIn } from './files.js';
import { fetchGraphText, isBuiltIn, provideGraphs } from './graph_open.js';
import { openMotion } from './retarget_open.js';
import { readOffset, restoreTime } from './saved.js';
import { newOffset } from './defaults.js';
/** @import { Stage } from './stage.js' */

const START = '#s=';

// base64url: letters, digits, - and _
function encode(value) {
    const bytes = new TextEncoder().encode(JSON.stringify(value));
    const text = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
    return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

function decode(text) {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
}

export function linkTo(/** @type {Stage} */ stage, camera) {
    const url = new URL(location.href), saved = stage.save();
    if (saved.graph) delete saved.graph.text;
    if (saved.graph) delete saved.graph.savedText;
    url.hash = START + encode({ ...saved, camera: camera.save() });
    return url.href;
}

// The state in a link; null if the address has none. Throws if it's damaged.
export function readLink(hash) {
    if (!hash.startsWith(START)) return null;
    let saved = null;
    try {
        saved = decode(hash.slice(START.length));
    } catch {
        // the check below throws
    }
    if (typeof saved?.file !== 'string') throw new Error('This link is damaged. Copy all of it.');
    return saved;
}

function askForAttachment(/** @type {Stage} */ stage, name) {
    const answered = new AbortController(), { signal } = answered;
    stage.tell('ask', `The link also attaches ${name}. Add that file again.`, signal);
    const isThere = () => stage.attachments.some((attachment) => attachment.name === name);
    stage.addEventListener('changed', () => isThere() && answered.abort(), { signal });
    stage.addEventListener('loaded', () => answered.abort(), { signal });
}

// Reloads a link's attachments if they're built in. For other files, a link only has the names.
async function restoreAttachments(/** @type {Stage} */ stage, attachments) {
    for (const attachment of Array.isArray(attachments) ? attachments : []) {
        const name = String(attachment?.name);
        if (!BUILT_IN.includes(name)) {
            askForAttachment(stage, name);
            continue;
        }
        const joint = stage.character.asset.findNode(attachment.joint);
        const bytes = await fetchBuiltIn(name), offset = readOffset(attachment.offset, newOffset());
        const added = explaining(name, () => stage.addAttachment(name, bytes, {}, joint, offset));
        restoreTime(added, attachment.time);
    }
}

function askForGraph(/** @type {Stage} */ stage, graph) {
    const answered = new AbortController(), { signal } = answered;
    stage.tell('ask', `The link also has the graph ${graph.name}. Open it again.`, signal);
    stage.addEventListener('changed', () => {
        if (stage.graph?.name !== graph.name) return;
        answered.abort();
        stage.graph.restore({ ...graph, text: stage.graph.document.text });
    }, { signal });
    stage.addEventListener('loaded', () => answered.abort(), { signal });
}

// Adds the graph's text to a state. A link doesn't have the text: takes it from a built-in graph or the open one, or
// asks the user.
async function withText(/** @type {Stage} */ stage, graph) {
    if (typeof graph?.name !== 'string') return null;
    await provideGraphs(stage);
    if (typeof graph.text === 'string') return graph;
    if (isBuiltIn(graph.name)) {
        const text = await fetchGraphText(graph.name);
        return { ...graph, text, savedText: text };
    }
    if (stage.graph?.name === graph.name) return { ...graph, text: stage.graph.document.text };
    askForGraph(stage, graph);
    return null;
}

// Retargets a state's motion again, if it's the motion from before a reload. For other files, a link only has the
// name.
async function restoreMotion(/** @type {Stage} */ stage, saved) {
    const name = String(saved.retarget.motion);
    if (stage.keptMotion?.name === name) {
        await openMotion(stage, stage.keptMotion, saved);
        return;
    }
    const answered = new AbortController(), { signal } = answered;
    stage.tell('ask', `The link also has the motion in ${name}. Open it again.`, signal);
    stage.addEventListener('changed', () => {
        if (stage.retarget?.motion.name !== name) return;
        answered.abort();
        stage.retarget.restore(saved);
    }, { signal });
    stage.addEventListener('loaded', ({ detail }) => detail.isVersion || answered.abort(), { signal });
}

// Restores a link's state. Its file must already be loaded into the stage.
export async function restoreLink(/** @type {Stage} */ stage, camera, saved) {
    const graph = saved.graph ? await withText(stage, saved.graph).catch(() => null) : null;
    stage.restore({ ...saved, graph });
    camera.restore(saved.camera);
    try {
        await restoreAttachments(stage, saved.attachments ?? saved.others); // `others` in links before 0.2
        if (saved.retarget) await restoreMotion(stage, saved);
    } catch (error) {
        stage.tell('error', error.message);
    }
}
