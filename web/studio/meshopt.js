// Files that meshopt compressed. npm's decoder lies beside the page, and is fetched when the first of them comes.
const NEEDED = /MeshoptDecoder/; // what the package says of a file that it cannot read without

async function fetchDecoder() {
    const { MeshoptDecoder } = await import('./meshoptimizer/meshopt_decoder.js');
    await MeshoptDecoder.ready;
    return MeshoptDecoder;
}

/** Does `open`, which gives the stage a file; where that needs the decoder, once more with it. */
export async function withDecoder(stage, open) {
    try {
        return open();
    } catch (error) {
        if (!NEEDED.test(error.message)) throw error;
        stage.meshopt = await fetchDecoder().catch(() => { throw error; });
    }
    return open();
}
