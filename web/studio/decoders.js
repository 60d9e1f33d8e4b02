// SPDX-License-Identifier: MIT
// npm's decoders for compressed files: meshoptimizer and draco3d. They're next to the page and are fetched for the
// first file that needs them.
import { fetchMeshopt, NEEDS_MESHOPT } from './meshopt.js';
import { extensionsUsed } from './sinew/index.js';
/** @import { Stage } from './stage.js' */

// ---- meshopt ----------------------------------------------------------------------------------------------------

/** Calls `open`, which loads a file into the stage. If that needs the meshopt decoder, fetches it and tries again. */
export async function withMeshopt(/** @type {Stage} */ stage, open) {
    try {
        return open();
    } catch (error) {
        if (!NEEDS_MESHOPT.test(error.message)) throw error;
        stage.meshopt = await fetchMeshopt().catch(() => { throw error; });
    }
    return open();
}

// ---- Draco ------------------------------------------------------------------------------------------------------

const FOLDER = new URL('./draco3d/', import.meta.url);

// draco3d is a classic script that defines a global function.
function addScript(url) {
    return new Promise((resolve, reject) => {
        const script = document.createElement('script');
        script.src = url;
        script.onload = resolve;
        script.onerror = () => reject(new Error(`${url} can't be loaded`));
        document.head.append(script);
    });
}

async function fetchDraco() {
    if (!globalThis.DracoDecoderModule) await addScript(new URL('draco_decoder.js', FOLDER));
    return globalThis.DracoDecoderModule({ locateFile: (name) => new URL(name, FOLDER).href });
}

/** Gives the stage the Draco decoder if a file needs it. Without a decoder, the file's meshes are empty. */
export async function provideDraco(/** @type {Stage} */ stage, name, bytes) {
    if (stage.draco || !extensionsUsed(bytes).includes('KHR_draco_mesh_compression')) return;
    stage.draco = await fetchDraco().catch(() => null);
    if (stage.draco) return;
    stage.tell('note', `${name}: its meshes are compressed with Draco, but this page has no decoder for them. ` +
        'Only its skeleton and clips are loaded.');
}
