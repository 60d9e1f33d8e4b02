// SPDX-License-Identifier: MIT
/**
 * Same as 'sinew-animation', but the module is in a separate file. Sinew.load fetches sinew-simd.wasm from the
 * package's folder, or sinew-plain.wasm in browsers without SIMD. Your bundler must support `new URL('...',
 * import.meta.url)` in packages. If it doesn't, pass `wasm` to Sinew.load.
 */
export * from './index.js';
