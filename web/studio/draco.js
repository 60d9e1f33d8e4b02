// Files whose meshes Draco compressed. npm's decoder lies next to the page, and is fetched when the first of them comes.
import { extensionsUsed } from './sinew/index.js';

const FOLDER = new URL('./draco3d/', import.meta.url);

// It is a script of the older kind, which leaves a global function.
function addScript(url) {
    return new Promise((resolve, reject) => {
        const script = document.createElement('script');
        script.src = url;
        script.onload = resolve;
        script.onerror = () => reject(new Error(`${url} cannot be loaded`));
        document.head.append(script);
    });
}

async function fetchDecoder() {
    if (!globalThis.DracoDecoderModule) await addScript(new URL('draco_decoder.js', FOLDER));
    return globalThis.DracoDecoderModule({ locateFile: (name) => new URL(name, FOLDER).href });
}

/** Gives the stage the decoder where a file needs it. Where that cannot be had, the file's meshes are empty. */
export async function provideDraco(stage, name, bytes) {
    if (stage.draco || !extensionsUsed(bytes).includes('KHR_draco_mesh_compression')) return;
    stage.draco = await fetchDecoder().catch(() => null);
    if (stage.draco) return;
    stage.tell('note', `${name}: its meshes are compressed by Draco, and this page has no decoder for them. ` +
        'Its skeleton and clips are here.');
}
