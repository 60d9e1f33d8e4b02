// SPDX-License-Identifier: MIT
/**
 * The same names as 'sinew-animation', with a module that has no importer of files and no graphs and is a third smaller. It is for pages
 * whose renderer has parsed the files: drive of 'sinew-animation/three' takes what GLTFLoader has parsed.
 */
import { Asset, ParsedFile, SinewCore } from './index.js';

export * from './index.js';

/** The library without the importer and graphs. A page needs one. Its loadAsset, fetchAsset, loadGraph and fetchGraph throw. */
export class Sinew implements SinewCore {
    /** Compiles the WebAssembly module, which has SIMD and is part of the package's code. `wasm` is another one. */
    static load(options?: { wasm?: BufferSource | WebAssembly.Module }): Promise<Sinew>;
    private constructor();
    readonly simd: string;
    readonly version: string;
    makeAsset(file: ParsedFile): Asset;
}
