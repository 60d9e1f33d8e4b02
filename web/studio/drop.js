// Files in: dropped anywhere on the page, or chosen by the button. What cannot be opened is said, and what plays goes
// on.
import { provideDraco } from './draco.js';
import { explaining, fetchBuiltIn, listDropped, onChosen, openFiles } from './files.js';
import { withDecoder } from './meshopt.js';

const LARGE = 4 * 1024 * 1024; // bytes, from which on it is worth saying how far it is

// Lets the page draw what it says before something takes long.
const breathe = () => new Promise((resolve) => { setTimeout(resolve, 30); });

// `progress` shows a text, or nothing more with null.
export function takeFiles(stage, progress) {
    let opened = Promise.resolve(); // one after the other

    async function take(list) {
        try {
            const all = await list;
            const large = all.reduce((sum, { file }) => sum + file.size, 0) > LARGE;
            const tell = (of, part) => large && progress(`Reading ${of}: ${Math.round(100 * part)} %`);
            const found = await openFiles(all, tell);
            if (large) {
                progress(`Opening ${found.name}…`);
                await breathe();
            }
            await load(found);
        } catch (error) {
            stage.tell('error', error.message);
        } finally {
            progress(null);
        }
    }

    async function load({ name, bytes, files }) {
        await provideDraco(stage, name, bytes);
        await withDecoder(stage, () => explaining(name, () => stage.load(name, bytes, files)));
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
