// A link that restores what is shown: the stage and the camera, as JSON in the fragment of the address, which browsers
// send to nobody.
import { BUILT_IN, explaining, fetchBuiltIn } from './files.js';
import { readOffset, restoreTime } from './saved.js';
import { newOffset } from './defaults.js';

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

export function linkTo(stage, camera) {
    const url = new URL(location.href);
    url.hash = START + encode({ ...stage.save(), camera: camera.save() });
    return url.href;
}

// What a link says: null for an address without one; throws for one that is damaged.
export function readLink(hash) {
    if (!hash.startsWith(START)) return null;
    let saved = null;
    try {
        saved = decode(hash.slice(START.length));
    } catch {
        // as below
    }
    if (typeof saved?.file !== 'string') throw new Error('This link is damaged: copy the whole of it.');
    return saved;
}

// Opens again what stands beside the main character. Files that people dropped are theirs: only names are in a link.
async function restoreOthers(stage, others) {
    for (const other of Array.isArray(others) ? others : []) {
        const name = String(other?.name);
        if (!BUILT_IN.includes(name)) {
            stage.tell('ask', `The link also had ${name}: open it again to have it here.`);
            continue;
        }
        const joint = stage.character.asset.findNode(other.joint);
        const bytes = await fetchBuiltIn(name), offset = readOffset(other.offset, newOffset());
        const added = explaining(name, () => stage.addOther(name, bytes, {}, joint, offset));
        restoreTime(added, other.time);
    }
}

// What is in a link, for a stage that has its file by now.
export async function restoreLink(stage, camera, saved) {
    stage.restore(saved);
    camera.restore(saved.camera);
    try {
        await restoreOthers(stage, saved.others);
    } catch (error) {
        stage.tell('error', error.message);
    }
}
