// SPDX-License-Identifier: MIT
/**
 * Same as 'sinew-animation/core', but the module is in a separate file. Sinew.load fetches sinew-core-simd.wasm from
 * the package's folder, or sinew-core-plain.wasm in browsers without SIMD.
 */
export * from './core.js';
