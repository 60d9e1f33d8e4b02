// SPDX-License-Identifier: MIT
// A stage's defaults, and the values that its settings can have.
import { LoopOnce, LoopPingPong, LoopRepeat } from './sinew/index.js';

export const TRANSITIONS = { 'fade': 'fade', 'inertialize': 'inertialize', 'dead-blend': 'deadBlend' };
export const LOOPS = { 'repeat': LoopRepeat, 'once': LoopOnce, 'ping-pong': LoopPingPong };
export const MODES = ['override', 'additive'];
export const SPACES = ['line', 'triangles', 'directional'];
export const RENDERERS = ['webgl', 'webgpu'];
export const THEMES = ['auto', 'light', 'dark'];
export const TABS = ['Clips', 'Mix', 'Graph', 'Rig', 'Retarget', 'Plots', 'Scene', 'View', 'Save', 'Lint', 'Optimize'];
export const CURVES = ['translation', 'rotation', 'scale'];

export const LAYERS = 4; // including the base
export const MAX_CLIPS = 48; // that can play at once in the base
export const MAX_CROWD = 1000;
export const FEATHER = 2; // joints; a mask's default
export const MAX_TRANSITION = 2; // seconds
export const SPEEDS = [0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4]; // factors of real time

export const MAX_WIND = 10; // m/s
// The effectors, by role.
export const ROLE_NAMES = { hips: 'Hips', head: 'Head', leftHand: 'Left hand', rightHand: 'Right hand', leftFoot: 'Left foot',
    rightFoot: 'Right foot' };

export const newSprings = () => ({ on: true, speed: 0, angle: 90 }); // wind: m/s, and degrees from front to left
export const newWarp = () => ({ on: false, goal: null }); // a position in metres; null: ahead of where the clip ends
export const newTransition = () => ({ kind: 'fade', duration: 0.3, matchRate: false });
export const newLayer = () => ({ mode: 'override', weight: 1, clip: -1, mask: null });
export const newLayers = () => Array.from({ length: LAYERS }, newLayer);
export const newPlot = () => ({ node: 0, property: 'rotation' });
export const newOffset = () => ({ translation: [0, 0, 0], rotation: [0, 0, 0, 1], scale: [1, 1, 1] });

export function newView() {
    return {
        tab: TABS[0], renderer: 'webgl', theme: 'auto', times: true, ground: true, wireframe: false,
        skeleton: false, names: false, rootPath: false, onion: false, wide: false, colliders: false, effectors: false,
    };
}
