// SPDX-License-Identifier: MIT
// The tab of the rig of the open graph. The panel of its steps is fetched for the first one.
import { BUILT_IN_RIGS, openBuiltInGraph } from '../graph_open.js';
import { show } from './controls.js';
import { button, element, hint, panel, rowOf } from './parts.js';
/** @import { Stage } from '../stage.js' */

const ABOUT = 'What happens to the pose after the layers of an animation graph: planted feet, looks, hands, springs.';
const NO_RIG = 'The open graph has no rig. Add one in the tab Graph, as text.';

export function rig(/** @type {Stage} */ stage, /** @type {HTMLElement} */ container) {
    const state = hint();
    const hero = button('Hero’s graph with a rig', () => attempt(() => (
        openBuiltInGraph(stage, stage.character.name, BUILT_IN_RIGS))), { className: 'primary' });
    const intro = panel(container, 'Rig', hint(ABOUT), state, rowOf(hero));
    const body = element('div', { hidden: true });
    container.append(body);
    let isMade = false;

    async function attempt(task) {
        try {
            await task();
        } catch (error) {
            stage.tell('error', error.message);
        }
    }
    async function refresh() {
        const { graph, character } = stage, hasRig = graph !== null && (graph.document.graph?.steps.length ?? 0) > 0;
        intro.hidden = hasRig;
        body.hidden = !hasRig;
        show(state, graph ? NO_RIG : 'Open a graph with a rig in the tab Graph.');
        hero.hidden = !BUILT_IN_RIGS[character?.name];
        if (!hasRig || isMade || stage.view.tab !== 'Rig') return;
        isMade = true;
        await attempt(async () => {
            const { showRig } = await import('./rig_panel.js').catch((error) => {
                isMade = false;
                throw new Error(`The rig's panel can't be loaded: ${error.message}.`);
            });
            showRig(stage, body);
        });
    }
    stage.addEventListener('loaded', refresh);
    stage.addEventListener('changed', refresh);
}
