// SPDX-License-Identifier: MIT
// A worker that optimizes a file, so the page stays responsive (worker_client.js).
import { fetchMeshopt, NEEDS_MESHOPT } from './meshopt.js';
import { optimize } from './sinew/optimize.js';

// Optimizes a file. Fetches the decoder if it needs one.
async function run({ file: { name, bytes, files }, options }, tell) {
    const make = (decoder) => optimize(bytes, { ...options, name, sidecars: files, decoder, onProgress: tell });
    try {
        return await make(null);
    } catch (error) {
        if (!NEEDS_MESHOPT.test(error.message)) throw error;
        return make(await fetchMeshopt().catch(() => { throw error; }));
    }
}

addEventListener('message', async ({ data: { id, given } }) => {
    try {
        postMessage({ id, answer: await run(given, (progress) => postMessage({ id, progress })) });
    } catch (error) {
        postMessage({ id, error: error.message });
    }
});
