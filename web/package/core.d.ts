// SPDX-License-Identifier: MIT
/**
 * A smaller module without the importer and without graphs. Use this instead of 'sinew-animation' if your renderer
 * already loads the files. You can pass its Sinew to drive from 'sinew-animation/three', or call makeAsset.
 */
import { Asset, ParsedFile, SinewCore } from './index.js';

export * from './index.js';

/** The library without the importer and without graphs. loadAsset, fetchAsset, loadGraph and fetchGraph throw. */
export class Sinew implements SinewCore {
    /** Compiles the WebAssembly module, which is embedded in the package's code. Rejects in browsers without SIMD. */
    static load(options?: {
        /** Use this module instead of the embedded one, for example the bytes of sinew-core-plain.wasm. */
        wasm?: BufferSource | WebAssembly.Module
    }): Promise<Sinew>;
    /** Use Sinew.load instead. */
    private constructor();
    /** Either 'simd128', or 'scalar' for the module without SIMD. */
    readonly simd: string;
    /** The library version, such as '0.1.0'. */
    readonly version: string;
    /**
     * Creates an asset from a file that you have already parsed with a different library. The asset has nodes, skins,
     * clips and bounds, but no vertices, materials or images. Throws if the file is damaged.
     *
     * @example
     * const asset = sinew.makeAsset({ json, buffers }); // buffers in the order of json.buffers
     */
    makeAsset(file: ParsedFile): Asset;
}
