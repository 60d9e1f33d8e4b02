// What is shown besides the character.
import { follow } from './controls.js';
import { check, panel } from './parts.js';

const SWITCHES = {
    skeleton: 'Skeleton', names: 'Names of the joints', rootPath: 'Way of the root over the clip',
    onion: 'Onion skin: poses before and after', ground: 'Ground', wireframe: 'Wireframe',
};

export function view(stage, place) {
    const switches = Object.entries(SWITCHES).map(([name, label]) => (
        { name, ...check(label, stage.view[name], (checked) => stage.setView({ [name]: checked })) }));
    panel(place, 'Shown in the picture', ...switches.map(({ node }) => node));
    follow(stage, ['view'], () => {}, () => switches.forEach(({ name, set }) => set(stage.view[name])));
}
