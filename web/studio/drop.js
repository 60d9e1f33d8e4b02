// SPDX-License-Identifier: MIT
// Opens files that the user drops or chooses. If the user has loaded a character of their own, the page asks what to
// do with the file. If a file can't be opened, a message says so, and the current character keeps playing.
import { BUILT_IN, fetchBuiltIn, fetchModel, listDropped, onChosen, openFiles, pickGraph } from './files.js';
import { openGraph } from './graph_open.js';
import { askUse } from './panels/ask.js';
import { isMotionOnly, openMotion } from './retarget_open.js';
import { keptFile } from './session.js';
import { reloadAs, replaceBy, useFile, USES } from './uses.js';
import { Watch, handlesOf } from './watch.js';
/** @import { Stage } from './stage.js' */

const LARGE = 4 * 1024 * 1024; // bytes; larger files show their progress

// Waits until the browser has drawn, before a long task.
const nextPaint = () => new Promise((resolve) => { setTimeout(resolve, 30); });

// `progress` shows a text, or hides it for null.
export function takeFiles(/** @type {Stage} */ stage, progress) {
    let opened = Promise.resolve(); // files open one at a time
    const watch = new Watch(), graphWatch = new Watch();

    // Reloads the main character's file when it changes, if it was dropped as a single file.
    function follow(found, handles) {
        watch.stop();
        const handle = handles.find(({ name }) => name === found.name);
        if (handle && Object.keys(found.files).length === 0) watch.follow(handle, (file) => enqueue(() => reload(file)));
    }

    async function reload(file) {
        try {
            await useFile(stage, await openFiles([{ path: file.name, file }]), reloadAs);
            stage.tell('note', `${file.name} changed on disk and was reloaded.`);
        } catch (error) {
            stage.tell('error', error.message);
        }
    }

    // Opens a graph for the character, and reloads it when its file changes.
    async function takeGraph({ file }, handles) {
        const reload = async (changed) => {
            if (stage.graph?.name !== file.name) return;
            stage.graph.load(await changed.text());
            stage.tell('note', `${file.name} changed on disk and was reloaded.`);
        };
        graphWatch.stop();
        await openGraph(stage, file.name, await file.text());
        stage.setView({ tab: 'Graph' });
        const handle = (await handles).find(({ name }) => name === file.name);
        if (handle) graphWatch.follow(handle, (changed) => enqueue(() => reload(changed)));
    }

    async function take(list, handles) {
        try {
            const given = await list, graph = pickGraph(given), all = given.filter((one) => one !== graph);
            if (all.length > 0 || !graph) await takeModel(all, handles);
            if (graph) await takeGraph(graph, handles);
        } catch (error) {
            stage.tell('error', error.message);
        } finally {
            progress(null);
        }
    }

    async function takeModel(all, handles) {
        const large = all.reduce((sum, { file }) => sum + file.size, 0) > LARGE;
        const tell = (of, part) => large && progress(`Reading ${of}: ${Math.round(100 * part)} %`);
        const found = await openFiles(all, tell);
        if (large) {
            progress(`Opening ${found.name}…`);
            await nextPaint();
        }
        const use = await chooseUse(found);
        if (!use) return;
        if (use === 'motion') await openMotion(stage, found);
        else await useFile(stage, found, USES[use]);
        if (use === 'replace') follow(found, await handles);
        if (use === 'clips') watch.stop(); // the file on disk doesn't have the added clips
    }

    // Returns one of USES, 'motion', or null if the user cancels.
    async function chooseUse(found) {
        const { character } = stage;
        if (isMotionOnly(found.name)) return 'motion';
        return character && !BUILT_IN.includes(character.name) ? askUse(stage, found) : 'replace';
    }

    const load = (found) => {
        watch.stop();
        return useFile(stage, found, replaceBy);
    };
    const enqueue = (task) => {
        opened = opened.then(task);
        return opened;
    };
    const open = (list, handles = []) => enqueue(() => take(list, handles));
    // Opens what find() returns. Returns the error, or null.
    async function openBy(find) {
        try {
            const found = await find();
            if (found) await load(found);
            return null;
        } catch (error) {
            return error;
        }
    }
    async function openBuiltIn(name) {
        const fault = await openBy(async () => ({ name, bytes: await fetchBuiltIn(name), files: {} }));
        if (fault) stage.tell('error', fault.message);
    }
    listen(open);
    return {
        openBuiltIn,
        openModel: (path) => openBy(() => fetchModel(path)),
        openKept: () => openBy(async () => {
            const found = await keptFile();
            stage.keptMotion = found?.motion ?? null;
            return found;
        }),
    };
}

function listen(open) {
    const input = document.getElementById('file'), shade = document.getElementById('drop');
    const hasFiles = (event) => event.dataTransfer?.types.includes('Files');
    document.getElementById('open').addEventListener('click', () => input.click());
    onChosen(input, (list) => open(list));
    addEventListener('dragover', (event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        shade.hidden = false;
    });
    addEventListener('dragleave', (event) => {
        if (!event.relatedTarget) shade.hidden = true;
    });
    addEventListener('drop', (event) => {
        shade.hidden = true;
        if (!hasFiles(event)) return;
        event.preventDefault();
        open(listDropped(event.dataTransfer), handlesOf(event.dataTransfer));
    });
}
