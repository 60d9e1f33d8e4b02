// SPDX-License-Identifier: MIT
// Opens files that are dropped on the page or chosen by the button. A file that cannot be opened gets a message, and
// the current character goes on playing.
import { provideDraco, withMeshopt } from './decoders.js';
import { explaining, fetchBuiltIn, listDropped, onChosen, openFiles } from './files.js';

const LARGE = 4 * 1024 * 1024; // bytes; larger files show their progress

// Waits until the browser has drawn, before a long task.
const nextPaint = () => new Promise((resolve) => { setTimeout(resolve, 30); });

export function tellMissing(stage, name, missing) {
    if (missing.length === 0) return;
    const names = missing.slice(0, 3).map((one) => `“${one}”`).join(', ') + (missing.length > 3 ? '…' : '');
    stage.tell('note', `${name}: the image ${names} is missing, and drawn grey. Drop it together with the model.`);
}

// `progress` shows a text; null hides it.
export function takeFiles(stage, progress) {
    let opened = Promise.resolve(); // files are opened one after the other

    async function take(list) {
        try {
            const all = await list;
            const large = all.reduce((sum, { file }) => sum + file.size, 0) > LARGE;
            const tell = (of, part) => large && progress(`Reading ${of}: ${Math.round(100 * part)} %`);
            const found = await openFiles(all, tell);
            if (large) {
                progress(`Opening ${found.name}…`);
                await nextPaint();
            }
            await load(found);
        } catch (error) {
            stage.tell('error', error.message);
        } finally {
            progress(null);
        }
    }

    async function load({ name, bytes, files, missing = [] }) {
        await provideDraco(stage, name, bytes);
        await withMeshopt(stage, () => explaining(name, () => stage.load(name, bytes, files)));
        tellMissing(stage, name, missing);
    }
    const open = (list) => {
        opened = opened.then(() => take(list));
        return opened;
    };
    async function openBuiltIn(name) {
        try {
            await load({ name, bytes: await fetchBuiltIn(name), files: {} });
        } catch (error) {
            stage.tell('error', error.message);
        }
    }
    listen(open);
    return { openBuiltIn };
}

function listen(open) {
    const input = document.getElementById('file'), shade = document.getElementById('drop');
    const hasFiles = (event) => event.dataTransfer?.types.includes('Files');
    document.getElementById('open').addEventListener('click', () => input.click());
    onChosen(input, open);
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
        open(listDropped(event.dataTransfer));
    });
}
