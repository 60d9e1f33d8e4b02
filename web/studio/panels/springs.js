// SPDX-License-Identifier: MIT
// The panel of the springs of the file: on or off, the wind, the colliders.
import { MAX_WIND } from '../defaults.js';
import { follow } from './controls.js';
import { check, hint, panel, slider } from './parts.js';
/** @import { Stage } from '../stage.js' */

const NONE = 'The file has no springs (VRMC_springBone in VRM 1.0, or spring bones in VRM 0.x).';
const BY_RIG = 'The springs are a step of the graph’s rig. Switch it in the tab Rig.';
const ABOUT = 'The file’s hair, tails and clothes swing. A seek puts them back at rest.';

export function springs(/** @type {Stage} */ stage, /** @type {HTMLElement} */ container) {
    const about = hint();
    const on = check('Springs', true, (checked) => stage.setSprings({ on: checked }));
    const colliders = check('Colliders', false, (checked) => stage.setView({ colliders: checked }));
    const speed = slider({ label: 'Wind', max: MAX_WIND, step: 0.1, say: (value) => `${value.toFixed(1)} m/s`,
        oninput: (value) => stage.setSprings({ speed: value }) });
    const angle = slider({ label: 'Wind toward', min: -180, max: 180, step: 5, say: (value) => `${value}°`,
        oninput: (value) => stage.setSprings({ angle: value }) });
    const controls = [on, speed, angle, colliders];
    panel(container, 'Springs', about, ...controls.map(({ node }) => node));
    const refresh = () => {
        const { springs: settings, view, solving, rigSwings } = stage, hasSprings = Boolean(solving?.bones);
        about.textContent = rigSwings ? BY_RIG : hasSprings ? ABOUT : NONE;
        for (const { node } of [on, colliders]) node.hidden = rigSwings || !hasSprings;
        for (const { node } of [speed, angle]) node.hidden = !rigSwings && !hasSprings;
        on.set(settings.on);
        speed.set(settings.speed);
        angle.set(settings.angle);
        colliders.set(view.colliders);
    };
    follow(stage, ['springs', 'view', 'graph'], () => {}, refresh);
}
