// SPDX-License-Identifier: MIT
/**
 * The same names as 'sinew-animation'. Sinew.load fetches sinew-simd.wasm, or sinew-plain.wasm in browsers without
 * SIMD, from the package's folder. A bundler must support `new URL('...', import.meta.url)` in packages; otherwise pass
 * `wasm` to Sinew.load.
 */
export * from './index.js';
