// SPDX-License-Identifier: MIT
/**
 * 'sinew-animation' without the importer of files and without graphs: a smaller module for pages whose renderer loads
 * the files. Pass its Sinew to drive of 'sinew-animation/three', or call makeAsset.
 */
import { Asset, ParsedFile, SinewCore } from './index.js';

export * from './index.js';

/** The library without importer and graphs. loadAsset, fetchAsset, loadGraph and fetchGraph throw. */
export class Sinew implements SinewCore {
    /** Compiles the WebAssembly module, which is part of the package's code. Rejects in browsers without SIMD. */
    static load(options?: {
        /** Another module instead, such as the bytes of sinew-core-plain.wasm. */
        wasm?: BufferSource | WebAssembly.Module
    }): Promise<Sinew>;
    /** Call Sinew.load instead. */
    private constructor();
    /** 'simd128', or 'scalar' for the module without SIMD. */
    readonly simd: string;
    /** The library's version, such as '0.1.0'. */
    readonly version: string;
    /**
     * Makes an asset from a file that another library has parsed: nodes, skins, clips and bounds, but no vertices,
     * materials or images. Throws for a damaged file.
     *
     * @example
     * const asset = sinew.makeAsset({ json, buffers }); // buffers in the order of json.buffers
     */
    makeAsset(file: ParsedFile): Asset;
}
