// SPDX-License-Identifier: MIT
/**
 * 'sinew-animation/core' with its module in a file: Sinew.load fetches sinew-core-simd.wasm from the package's folder,
 * or sinew-core-plain.wasm in browsers without SIMD.
 */
export * from './core.js';
