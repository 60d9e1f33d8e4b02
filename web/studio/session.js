// SPDX-License-Identifier: MIT
// Keeps the page's state over a reload: the settings in the tab's own storage, and the user's file in the browser's
// database. Nothing is sent.
import { BUILT_IN } from './files.js';
/** @import { Stage } from './stage.js' */

const DAY = 24 * 60 * 60 * 1000; // milliseconds
const KEY = 'sinew-studio', DATABASE = 'sinew-studio', STORE = 'files';

// ---- The file ---------------------------------------------------------------------------------------------------

const answerOf = (request) => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
});

async function openStore(mode) {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE);
    const database = await answerOf(request);
    return database.transaction(STORE, mode).objectStore(STORE);
}

// Each tab keeps one file, under its own id.
function tabId() {
    const id = sessionStorage.getItem(`${KEY}-tab`) ?? crypto.randomUUID();
    sessionStorage.setItem(`${KEY}-tab`, id);
    return id;
}

// Deletes closed tabs' files: those older than a day.
async function deleteOld(store) {
    const [ids, kept] = await Promise.all([answerOf(store.getAllKeys()), answerOf(store.getAll())]);
    kept.forEach(({ time }, i) => { if (!(Date.now() - time < DAY)) store.delete(ids[i]); });
}

async function keepFile({ name, bytes, files }, motion) {
    const store = await openStore('readwrite'), id = tabId();
    const isKept = motion !== null || !BUILT_IN.includes(name);
    await answerOf(isKept ? store.put({ name, bytes, files, motion, time: Date.now() }, id) : store.delete(id));
    await deleteOld(store);
}

/** This tab's file before the reload, with the retargeted `motion` or null. null if there's no file. */
export async function keptFile() {
    try {
        return await answerOf((await openStore('readonly')).get(tabId())) ?? null;
    } catch {
        return null; // no storage, such as in a private window
    }
}

// ---- The state --------------------------------------------------------------------------------------------------

/** This address's state before a reload; null if the page wasn't reloaded. */
export function keptState() {
    const [{ type }] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType('navigation'));
    try {
        const { href, state } = JSON.parse(sessionStorage.getItem(KEY)) ?? {};
        return type === 'reload' && href === location.href ? state : null;
    } catch {
        return null;
    }
}

/** Saves the state when the user leaves the page, and the file when it opens. */
export function keepSession(/** @type {Stage} */ stage, camera) {
    addEventListener('pagehide', () => {
        if (!stage.character) return;
        const state = { ...stage.save(), camera: camera.save() };
        try {
            sessionStorage.setItem(KEY, JSON.stringify({ href: location.href, state }));
        } catch {
            // without storage, the page starts over
        }
    });
    const keep = () => keepFile(stage.retarget?.base ?? stage.character, stage.retarget?.motion ?? null).catch(() => {});
    stage.addEventListener('loaded', keep);
    if (stage.character) keep();
}
