// SPDX-License-Identifier: MIT
// The tab of the animation graph: opening one. The panel for an open graph is fetched for the first one. While clips play
// by hand, a bar over the picture continues the graph.
import { openBuiltInGraph, openGraph, BUILT_IN_GRAPHS } from '../graph_open.js';
import { onChosen, pickGraph } from '../files.js';
import { show } from './controls.js';
import { button, element, hint, panel, rowOf } from './parts.js';
/** @import { Stage } from '../stage.js' */
/** @import { Picture } from '../picture.js' */

// A graph of one state, which plays a clip.
function newGraph({ asset: { clips } }, clip) {
    const { name } = clips[Math.max(clip, 0)];
    const graph = { sinewGraph: 1, layers: [{ name: 'Base', states: { [name.replaceAll('/', '_')]: { clip: name } } }] };
    return `${JSON.stringify(graph, null, 2)}\n`;
}

function showResume(/** @type {Stage} */ stage, /** @type {HTMLElement} */ container) {
    const text = element('span');
    const bar = element('div', { className: 'resume', hidden: true, role: 'group', 'aria-label': 'Paused graph' }, text,
        button('Resume graph', () => stage.driveByGraph(true), { className: 'primary' }));
    container.append(bar);
    stage.addEventListener('changed', () => {
        const { graph } = stage;
        bar.hidden = !graph?.animator || graph.drives;
        if (!bar.hidden) show(text, 'Clips play by hand.');
    });
}

export function graph(/** @type {Stage} */ stage, /** @type {HTMLElement} */ container, /** @type {Picture} */ picture) {
    const file = element('input', { type: 'file', accept: '.json', hidden: true, 'aria-label': 'Graph to open' });
    const choose = button('Open graph…', () => file.click());
    const hero = button('Hero’s graph', () => attempt(() => openBuiltInGraph(stage, stage.character.name)),
        { className: 'primary' });
    const create = button('New graph', () => attempt(() => (
        openGraph(stage, 'new.graph.json', newGraph(stage.character, stage.clip)))));
    const about = 'A file with states that play clips, transitions with conditions, and parameters. Drop a .graph.json, or:';
    const intro = panel(container, 'Animation graph', hint(about), rowOf(hero, choose, file, create));
    const body = element('div', { className: 'graph-body', hidden: true });
    container.append(body);
    showResume(stage, picture.container);
    let isMade = false;

    async function attempt(task) {
        try {
            await task();
        } catch (error) {
            stage.tell('error', error.message);
        }
    }
    onChosen(file, (list) => attempt(async () => {
        const found = pickGraph(list);
        if (!found) throw new Error(`${list[0].path} isn't a .json file.`);
        await openGraph(stage, found.file.name, await found.file.text());
    }));
    async function refresh() {
        const { graph: driver, character } = stage;
        intro.hidden = driver !== null;
        body.hidden = driver === null;
        hero.hidden = !BUILT_IN_GRAPHS[character?.name];
        create.disabled = !character || character.asset.clips.length === 0;
        if (!driver || isMade || stage.view.tab !== 'Graph') return;
        isMade = true;
        try {
            const { showGraph } = await import('./graph_panel.js');
            showGraph(stage, body, () => file.click());
        } catch (error) {
            isMade = false;
            stage.tell('error', `The graph panel can't be loaded: ${error.message}.`);
        }
    }
    stage.addEventListener('loaded', refresh);
    stage.addEventListener('changed', refresh);
}
