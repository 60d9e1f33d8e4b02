// SPDX-License-Identifier: MIT
// Writes code that plays a graph, for three.js and C. It loads both files, sets each parameter to its default, and
// fires each trigger.
import { setUpInC, setUpInJavaScript } from './graph_code_rig.js';

// The shortest decimal for a float. Integers may come from an int, which has more digits.
function shortest(value) {
    if (Number.isSafeInteger(value)) return value;
    for (let digits = 1; digits < 9; digits++) {
        const short = Number(value.toPrecision(digits));
        if (Math.fround(short) === Math.fround(value)) return short;
    }
    return value;
}

const float = (value) => (/[.e]/.test(String(shortest(value))) ? `${shortest(value)}f` : `${shortest(value)}.0f`);
const hasRange = ({ min, max }) => Math.max(-min, max) < 2e9; // other parameters have no range, or an int's whole range

const CONTROLS = /[\x00-\x1f\x7f]/g;

// Indents lines to a depth of blocks, and ends each.
const linesOf = (lines, depth = 0) => lines.map((line) => `${'    '.repeat(depth)}${line}\n`).join('');

// The lines that set parameters, with a title and an empty line; '' without parameters.
const inputsOf = (lines, title, depth = 0) => (lines.length === 0 ? '' : `${linesOf([title, ...lines], depth)}\n`);

// A comment for what a program must know about a parameter; '' if there's nothing.
function commentOf(parameter) {
    const { type, min, max, damping, hold, space } = parameter, parts = [];
    if (type !== 'bool' && type !== 'trigger' && hasRange(parameter)) {
        parts.push(`${shortest(min)} to ${shortest(max)}${type.startsWith('vector') ? ', each' : ''}`);
    }
    if (space === 'model') parts.push('in model space');
    if (damping > 0) parts.push(`damping ${shortest(damping)} s`);
    if (type === 'trigger') parts.push(hold > 0 ? `waits ${shortest(hold)} s for a transition` : 'for one frame');
    return parts.length > 0 ? ` // ${parts.join(', ')}` : '';
}

// ---- JavaScript -------------------------------------------------------------------------------------------------

function setInJavaScript(parameter) {
    const { name, type, default: value } = parameter, key = JSON.stringify(name), comment = commentOf(parameter);
    if (type === 'trigger') return `animator.fire(${key});${comment}`;
    const listOf = (numbers) => `[${numbers.map(shortest).join(', ')}]`;
    const toText = {
        vector2: () => value.map(shortest).join(', '),
        vector3: () => listOf(value),
        transform: () => `{ position: ${listOf(value.position)}, rotation: ${listOf(value.rotation)} }`,
    }[type] ?? (() => (typeof value === 'number' ? shortest(value) : value));
    return `animator.set(${key}, ${toText()});${comment}`;
}

function threeCode(given) {
    const { file, graphFile, graph: { parameters, layers } } = given, { imports, load, drive } = setUpInJavaScript(given);
    return `import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
${imports}
import { drive } from 'sinew-animation/three';

const sinew = await Sinew.load();
const graph = await sinew.fetchGraph(${JSON.stringify(graphFile)}); // one for all characters
${load}const loaded = await new GLTFLoader().loadAsync(${JSON.stringify(file)});
scene.add(loaded.scene);
${drive}
${inputsOf(parameters.map(setInJavaScript), '// when the input changes:')}// each frame, then render as usual:
character.update(delta);
${linesOf(layers.map(({ name }) => `console.log(animator.state(${JSON.stringify(name)}));`))}`;
}

// ---- C ----------------------------------------------------------------------------------------------------------

const ESCAPES = { '"': '\\"', '\\': '\\\\', '?': '\\?' }; // ?: no trigraphs
const string = (text) => `"${text.replace(CONTROLS, ' ').replace(/["\\?]/g, (c) => ESCAPES[c])}"`;

// Parameters are identifiers. The suffix keeps them from being keywords or other names of the program.
const indexOf = ({ name }) => `${name}_parameter`;

const findInC = (parameter) => (
    `const int32_t ${indexOf(parameter)} = sinew_graph_find_parameter(graph, "${parameter.name}");`);

function setInC(parameter) {
    const { type, default: value } = parameter, comment = commentOf(parameter), index = indexOf(parameter);
    if (type === 'trigger') return `sinew_animator_fire(animator, ${index});${comment}`;
    const listOf = (numbers) => numbers.map(float).join(', ');
    const toText = {
        float: () => float(value),
        vector2: () => listOf(value),
        vector3: () => `(sinew_vec3){${listOf(value)}}`,
        transform: () => `(sinew_vec3){${listOf(value.position)}}, (sinew_quat){${listOf(value.rotation)}}`,
    }[type] ?? (() => String(value));
    return `sinew_animator_set_${type}(animator, ${index}, ${toText()});${comment}`;
}

const printInC = ({ name }, layer) => (
    `print_state(animator, graph, ${layer}); // ${name.replace(CONTROLS, ' ').replaceAll('\\', '/')}`);

const PRINT_STATE = `static void print_state(const sinew_animator *animator, const sinew_graph *graph, int32_t layer) {
    char path[256];
    sinew_graph_state_path(graph, sinew_animator_state(animator, layer), path, sizeof path);
    printf("%s\\n", path);
}

`;

function cCode({ file, graphFile, graph, root = '' }) {
    const { parameters, layers } = graph, { functions, options, given, make, update, destroy } = setUpInC(graph, string(root));
    return `#include <sinew/all.h>

#include <stdio.h>
#include <stdlib.h>

static void check(sinew_result result, const sinew_error *error) {
    if (result == SINEW_OK) return;
    fprintf(stderr, "%s\\n", error->message);
    exit(1);
}

${layers.length > 0 ? PRINT_STATE : ''}${functions}int main(void) {
    sinew_error error;
    sinew_asset *asset;
${options}    check(sinew_gltf_load_file(${string(file)}, ${given}, &asset, &error), &error);
    sinew_graph *graph;
    check(sinew_graph_load_file(${string(graphFile)}, NULL, &graph, &error), &error);
${linesOf(parameters.map(findInC), 1)}
${make}
${inputsOf(parameters.map(setInC), '// When the input changes:', 1)}    for (int frame = 0; frame < 60; frame++) {
        ${update}
${linesOf(layers.map(printInC), 2)}    }

${destroy}    sinew_graph_destroy(graph);
    sinew_asset_destroy(asset);
    return 0;
}
`;
}

/**
 * By name: { label, make({ file, graphFile, graph, root }) }. `make` takes both files' names, the loaded graph, and
 * the name of the node that root warps move.
 */
export const GRAPH_LANGUAGES = { three: { label: 'three.js', make: threeCode }, c: { label: 'C', make: cCode } };
