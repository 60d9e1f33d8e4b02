// SPDX-License-Identifier: MIT
// npm's decoder for meshopt-compressed files, next to the page.

/** Matches the package's message for a file that needs the decoder. */
export const NEEDS_MESHOPT = /MeshoptDecoder/;

export async function fetchMeshopt() {
    const { MeshoptDecoder } = await import('./meshoptimizer/meshopt_decoder.js');
    await MeshoptDecoder.ready;
    return MeshoptDecoder;
}
