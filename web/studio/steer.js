// SPDX-License-Identifier: MIT
// Controls the camera by pointer, wheel and keys.
/** @import { Picture } from './picture.js' */
const LINE = 40; // pixels per line of a wheel event
const TURN_STEP = 0.04, ZOOM_STEP = 0.88;
const DOUBLE = 300; // milliseconds between two taps
const NEAR = { mouse: 12, pen: 16, touch: 24 }; // pixels from a joint

// The pointers' center, and the distance between the first two.
function handOf(pointers) {
    const all = [...pointers.values()];
    const x = all.reduce((sum, p) => sum + p.x, 0) / all.length, y = all.reduce((sum, p) => sum + p.y, 0) / all.length;
    return { x, y, spread: all.length > 1 ? Math.hypot(all[0].x - all[1].x, all[0].y - all[1].y) : 0 };
}

// Selects the joint under the pointer, or none.
function selectAt({ stage, pick }, { offsetX, offsetY, pointerType }) {
    const node = pick?.(offsetX, offsetY, NEAR[pointerType] ?? NEAR.mouse) ?? -1;
    if (node !== stage.selected) stage.select(node);
}

export function steer(/** @type {Picture} */ picture, /** @type {HTMLCanvasElement} */ canvas) {
    const pointers = new Map();
    let panning = false, tapped = -Infinity, moved = 0, handle = null;

    canvas.addEventListener('pointerdown', (event) => {
        event.preventDefault(); // keeps the focus
        canvas.setPointerCapture(event.pointerId);
        pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
        panning = event.button > 0 || event.shiftKey;
        moved = 0;
        handle = pointers.size === 1 ? picture.grab?.(event.offsetX, event.offsetY) ?? null : null;
    });
    canvas.addEventListener('pointermove', (event) => {
        if (!pointers.has(event.pointerId)) return;
        const before = handOf(pointers), height = canvas.clientHeight;
        pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
        const after = handOf(pointers);
        const dx = (after.x - before.x) / height, dy = (after.y - before.y) / height;
        moved += Math.hypot(dx, dy);
        if (handle) {
            handle.drag(after.x - before.x, after.y - before.y);
            return;
        }
        picture.moveCamera((orbit) => {
            if (panning || pointers.size > 1) orbit.pan(dx, dy);
            else orbit.turn(dx, dy);
            if (before.spread > 0 && after.spread > 0) orbit.zoom(before.spread / after.spread);
        });
    });
    for (const end of /** @type {const} */ (['pointerup', 'pointercancel'])) {
        canvas.addEventListener(end, (event) => {
            const isTap = pointers.size === 1 && moved < 0.01 && end === 'pointerup' && !handle;
            pointers.delete(event.pointerId);
            if (!isTap) return;
            if (event.timeStamp - tapped < DOUBLE) picture.frame();
            else if (event.button === 0) selectAt(picture, event);
            tapped = event.timeStamp;
        });
    }
    canvas.addEventListener('contextmenu', (event) => event.preventDefault());
    canvas.addEventListener('wheel', (event) => {
        event.preventDefault();
        const pixels = event.deltaMode === 0 ? event.deltaY : LINE * event.deltaY;
        const factor = Math.exp(Math.max(-0.5, Math.min(0.5, pixels * 0.0015)));
        picture.moveCamera((orbit) => orbit.zoom(factor));
    }, { passive: false });
    canvas.addEventListener('keydown', (event) => {
        const turns = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
        const zoom = { '+': ZOOM_STEP, '=': ZOOM_STEP, '-': 1 / ZOOM_STEP }[event.key];
        if ((!turns && !zoom) || event.ctrlKey || event.metaKey || event.altKey) return;
        event.preventDefault();
        picture.moveCamera((orbit) => {
            if (turns) orbit.turn(TURN_STEP * turns[0], TURN_STEP * turns[1]);
            else orbit.zoom(zoom);
        });
    });
}
