// SPDX-License-Identifier: MIT
/**
 * 'sinew-animation' with its module in a file: Sinew.load fetches sinew-simd.wasm from the package's folder, or
 * sinew-plain.wasm in browsers without SIMD. Your bundler must support `new URL('...', import.meta.url)` in packages;
 * otherwise pass `wasm` to Sinew.load.
 */
export * from './index.js';
