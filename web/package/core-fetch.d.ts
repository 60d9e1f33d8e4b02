// SPDX-License-Identifier: MIT
/**
 * The same names as 'sinew-animation/core'. Sinew.load fetches sinew-core-simd.wasm, or sinew-core-plain.wasm in browsers
 * without SIMD, from the package's folder, as 'sinew-animation/fetch' does.
 */
export * from './core.js';
