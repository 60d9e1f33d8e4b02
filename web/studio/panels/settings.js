// How the page draws and looks.
import { check, choice, hint, panel } from './parts.js';

const RENDERERS = { webgl: 'WebGL2', webgpu: 'WebGPU' };
const THEMES = { auto: 'System', light: 'Light', dark: 'Dark' };

// Why this browser cannot draw so; '' where it can.
async function lackOf(kind) {
    if (kind === 'webgl') return '';
    if (!navigator.gpu) return 'This browser has no WebGPU.';
    const adapter = await navigator.gpu.requestAdapter().catch(() => null);
    return adapter ? '' : 'This browser has WebGPU, but found no graphics adapter for it.';
}

export function settings(stage, place) {
    const renderer = choice('Drawn by', RENDERERS, stage.view.renderer, (kind) => stage.setView({ renderer: kind }));
    const lack = hint();
    const theme = choice('Colours of the page', THEMES, stage.view.theme, (value) => stage.setView({ theme: value }));
    const times = check('Frame times', stage.view.times, (value) => stage.setView({ times: value }));
    panel(place, 'Page', renderer.node, lack, theme.node, times.node);
    lack.hidden = true;

    renderer.inputs.forEach(async (input) => {
        const words = await lackOf(input.value);
        if (words === '') return;
        input.disabled = true;
        lack.textContent = words;
        lack.hidden = false;
    });
    stage.addEventListener('changed', () => {
        renderer.set(stage.view.renderer);
        theme.set(stage.view.theme);
        times.set(stage.view.times);
    });
}
