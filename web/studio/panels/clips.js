// SPDX-License-Identifier: MIT
// The panel of clips: a searchable list in groups. A click plays a clip; what plays has a slider for its weight.
import { groupsOf } from '../groups.js';
import { clipColor } from '../series.js';
import { button, element, hint, icon, nameOf, panel, range } from './parts.js';
/** @import { Stage } from '../stage.js' */

const SEARCHED = 9; // the number of clips from which there is a search field
const NUMBERED = 9; // clips with a key

// ---- Rows -------------------------------------------------------------------------------------------------------

// The row of one clip: its button, a button that adds it to what plays or stops it, and its weight.
class Row {
    constructor(/** @type {Stage} */ stage, clip, index) {
        const name = nameOf(clip);
        this.stage = stage;
        this.index = index;
        this.name = name;
        this.shown = '';
        this.fill = element('span', { className: 'clip-fill' });
        this.fill.style.background = clipColor(index);
        this.play = button('', () => stage.play(index), { className: 'clip-name' });
        this.play.append(this.fill, element('span', { className: 'clip-number' },
            index < NUMBERED ? String(index + 1) : ''), element('span', { className: 'clip-words' }, name),
        element('span', { className: 'hint number' }, `${clip.duration.toFixed(2)} s`));
        this.add = button('', () => this.toggle(), { className: 'quiet square' });
        this.input = range({ min: 0, max: 1, step: 0.01, value: 0, 'aria-label': `Weight of ${name}` });
        this.percent = element('output', { className: 'number' });
        this.input.addEventListener('input', () => stage.setWeight(index, this.input.valueAsNumber));
        this.weight = element('div', { className: 'clip-weight', hidden: true }, this.input, this.percent);
        this.node = element('li', { className: 'clip' }, this.play, this.add, this.weight);
        this.showAdd(false);
    }

    toggle() {
        if (this.stage.hasWeight(this.index)) this.stage.stopClip(this.index);
        else this.stage.setWeight(this.index, 1);
    }

    showAdd(plays) {
        const words = plays ? `Stop ${this.name}` : `Add ${this.name} to the mix`;
        this.add.replaceChildren(icon(plays ? 'close' : 'plus'));
        this.add.title = words;
        this.add.setAttribute('aria-label', words);
    }

    // `sum` is that of all weights.
    show(sum) {
        const { stage, index } = this;
        const weight = stage.weight(index), part = stage.playsAll || sum === 0 ? weight : weight / sum;
        const plays = stage.hasWeight(index), isFixed = index === stage.clip || (stage.playsAll && !plays);
        const shown = `${weight} ${part} ${plays} ${isFixed}`;
        if (shown === this.shown) return;
        this.shown = shown;
        if (this.weight.hidden === plays) this.showAdd(plays);
        this.weight.hidden = !plays;
        this.add.classList.toggle('unseen', isFixed);
        this.add.disabled = isFixed;
        if (!this.input.matches(':active')) this.input.valueAsNumber = weight;
        const percent = `${Math.round(100 * part)} %`;
        this.percent.textContent = percent;
        this.input.setAttribute('aria-valuetext', `${weight.toFixed(2)}, ${percent} of the pose`);
        this.fill.style.transform = `scaleX(${Math.min(part, 1)})`;
    }

    choose(isCurrent) {
        this.node.toggleAttribute('data-current', isCurrent);
        if (isCurrent) this.play.setAttribute('aria-current', 'true');
        else this.play.removeAttribute('aria-current');
    }
}

// ---- The list ---------------------------------------------------------------------------------------------------

const isFound = (name, words) => words.every((word) => name.toLowerCase().includes(word));

function makeGroup({ name, members }, rows) {
    const list = element('ul', { className: 'list' }, ...members.map((index) => rows[index].node));
    const summary = element('summary', {}, `${name} `, element('span', { className: 'hint' }, `${members.length}`));
    return element('details', { className: 'clips' }, summary, list);
}

export function clips(/** @type {Stage} */ stage, /** @type {HTMLElement} */ container) {
    const list = element('div', { className: 'stack tight' });
    const search = element('input', { type: 'search', placeholder: 'Search clips', autocomplete: 'off',
        'aria-label': 'Search clips' });
    const all = button('Play all', () => stage.playAll(),
        { title: 'Plays each clip at full weight, because they animate different nodes' });
    const none = hint('No clip has this name.');
    const tools = element('div', { className: 'row tools' }, search, all);
    container.append(tools);
    const node = panel(container, '', none, list);
    node.classList.add('scrolls');
    let rows = [], current = -1;

    const visibleRows = () => rows.filter(({ node: row }) => row.checkVisibility());

    // Groups, or while something is searched the clips that are found.
    function arrange() {
        const words = search.value.trim().toLowerCase().split(/\s+/).filter(Boolean);
        const found = rows.filter(({ name }) => isFound(name, words));
        none.hidden = rows.length === 0 || found.length > 0;
        const groups = words.length === 0 ? groupsOf(rows.map(({ name }) => name)) : [];
        if (groups.length > 0) list.replaceChildren(...groups.map((group) => makeGroup(group, rows)));
        else list.replaceChildren(element('ul', { className: 'list' }, ...found.map((row) => row.node)));
        reveal(true);
    }
    function reveal(isNew = false) {
        const row = rows[stage.clip]?.node;
        row?.closest('details')?.setAttribute('open', '');
        if (row?.checkVisibility()) row.scrollIntoView({ block: isNew ? 'center' : 'nearest' });
    }
    function fill() {
        const { name, asset } = stage.character, count = asset.clips.length;
        node.querySelector('h2').textContent = `${name} · ${count === 1 ? '1 clip' : `${count} clips`}`;
        rows = asset.clips.map((clip, index) => new Row(stage, clip, index));
        search.value = '';
        search.hidden = count < SEARCHED;
        all.hidden = !stage.canPlayAll;
        tools.hidden = search.hidden && all.hidden;
        arrange();
        if (count === 0) list.append(hint('This file has no clips. It shows the rest pose.'));
        current = -1;
        choose();
    }
    function choose() {
        if (current === stage.clip) return;
        current = stage.clip;
        rows.forEach((row, index) => row.choose(index === current));
        reveal();
    }
    function show() {
        const sum = rows.reduce((total, { index }) => total + stage.weight(index), 0);
        for (const row of rows) row.show(sum);
    }
    search.addEventListener('input', arrange);
    // Enter plays the first clip that is found; the arrows move between clips.
    search.addEventListener('keydown', ({ key }) => {
        if (key === 'Enter') visibleRows()[0]?.play.click();
        if (key === 'ArrowDown') visibleRows()[0]?.play.focus();
        if (key !== 'Escape' || search.value === '') return;
        search.value = '';
        arrange();
    });
    list.addEventListener('keydown', (event) => {
        const step = { ArrowDown: 1, ArrowUp: -1 }[event.key], shown = visibleRows();
        const at = shown.findIndex(({ play }) => play === event.target);
        if (!step || at < 0) return;
        event.preventDefault();
        const next = shown[at + step]?.play ?? (step < 0 && !search.hidden ? search : null);
        next?.focus();
    });
    stage.addEventListener('loaded', fill);
    stage.addEventListener('changed', choose);
    stage.addEventListener('frame', show);
}
