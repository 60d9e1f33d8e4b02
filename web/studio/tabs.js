// SPDX-License-Identifier: MIT
// Tabs, each with one or more panels. Arrow keys switch between them.
import { TABS } from './defaults.js';
import { element } from './panels/parts.js';
/** @import { Stage } from './stage.js' */
/** @import { Picture } from './picture.js' */

function makeTab(name, panels, /** @type {Stage} */ stage, /** @type {Picture} */ picture) {
    const index = TABS.indexOf(name);
    const panel = element('div', { id: `panel-${index}`, role: 'tabpanel', 'aria-labelledby': `tab-${index}`,
        hidden: index > 0 });
    const tab = element('button', { type: 'button', id: `tab-${index}`, role: 'tab', 'aria-controls': panel.id,
        'aria-selected': String(index === 0), tabIndex: index === 0 ? 0 : -1 }, name);
    for (const make of panels) make(stage, panel, picture);
    return { tab, panel };
}

// `panels` is { tab name: [function (stage, container, picture)] }.
export function showTabs(panels, /** @type {Stage} */ stage, /** @type {Picture} */ picture) {
    const made = TABS.map((name) => makeTab(name, panels[name], stage, picture));
    const container = document.getElementById('panels');
    let shown = 0;
    const open = (index) => stage.setView({ tab: TABS[index] });
    function show() {
        const chosen = TABS.indexOf(stage.view.tab);
        if (chosen === shown) return;
        shown = chosen;
        made.forEach(({ tab, panel }, index) => {
            tab.setAttribute('aria-selected', String(index === chosen));
            tab.tabIndex = index === chosen ? 0 : -1;
            panel.hidden = index !== chosen;
        });
        made[chosen].tab.scrollIntoView({ block: 'nearest', inline: 'nearest' });
        container.scrollTop = 0;
    }
    made.forEach(({ tab }, index) => {
        tab.addEventListener('click', () => open(index));
        tab.addEventListener('keydown', ({ key }) => {
            const to = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: made.length - 1 }[key];
            if (to === undefined) return;
            const next = (to + made.length) % made.length;
            open(next);
            made[next].tab.focus();
        });
    });
    stage.addEventListener('changed', show);
    document.getElementById('tabs').append(...made.map(({ tab }) => tab));
    container.append(...made.map(({ panel }) => panel));
}
