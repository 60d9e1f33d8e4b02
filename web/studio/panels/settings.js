// SPDX-License-Identifier: MIT
// The panel of the page: renderer, theme and frame times.
import { check, choice, hint, panel } from './parts.js';
/** @import { Stage } from '../stage.js' */

const RENDERERS = { webgl: 'WebGL2', webgpu: 'WebGPU' };
const THEMES = { auto: 'System', light: 'Light', dark: 'Dark' };

// The reason why this browser does not have a renderer, or ''.
async function unavailable(kind) {
    if (kind === 'webgl') return '';
    if (!navigator.gpu) return 'This browser has no WebGPU.';
    const adapter = await navigator.gpu.requestAdapter().catch(() => null);
    return adapter ? '' : 'This browser has WebGPU, but no graphics adapter for it.';
}

export function settings(/** @type {Stage} */ stage, /** @type {HTMLElement} */ container) {
    const renderer = choice('Renderer', RENDERERS, stage.view.renderer, (kind) => stage.setView({ renderer: kind }));
    const reason = hint();
    const theme = choice('Theme', THEMES, stage.view.theme, (value) => stage.setView({ theme: value }));
    const times = check('Frame times', stage.view.times, (value) => stage.setView({ times: value }));
    panel(container, 'Display', renderer.node, reason, theme.node, times.node);
    reason.hidden = true;

    renderer.inputs.forEach(async (input) => {
        const text = await unavailable(input.value);
        if (text === '') return;
        input.disabled = true;
        reason.textContent = text;
        reason.hidden = false;
    });
    stage.addEventListener('changed', () => {
        renderer.set(stage.view.renderer);
        theme.set(stage.view.theme);
        times.set(stage.view.times);
    });
}
