// SPDX-License-Identifier: MIT
// What all entry points export. index.d.ts documents every name.
export { AdditiveAnimationBlendMode, LoopOnce, LoopPingPong, LoopRepeat, NormalAnimationBlendMode } from './action.js';
export { Animator } from './animator.js';
export { Asset } from './asset.js';
export { Batch } from './batch.js';
export { BlendSpace } from './blendspace.js';
export { FootLock, Legs } from './feet.js';
export { Graph } from './graph.js';
export { Mask } from './layer.js';
export { Mixer } from './mixer.js';
export { Scene } from './scene.js';
export { RootWarp } from './warp.js';
export { extensionsUsed, sidecarFiles } from './sidecar.js';
