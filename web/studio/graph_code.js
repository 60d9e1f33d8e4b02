// SPDX-License-Identifier: MIT
// Code that plays a graph: for three.js and C.

// The shortest decimal of a float.
function shortest(value) {
    for (let digits = 1; digits < 9; digits++) {
        const short = Number(value.toPrecision(digits));
        if (Math.fround(short) === Math.fround(value)) return short;
    }
    return value;
}

const float = (value) => (/[.e]/.test(String(shortest(value))) ? `${shortest(value)}f` : `${shortest(value)}.0f`);
const hasRange = ({ min, max }) => Number.isFinite(min) && Number.isFinite(max) && Math.max(-min, max) < 2e9; // else all of an int

// What a program must know of a parameter; '' for nothing.
function commentOf(parameter) {
    const { type, min, max, damping, hold } = parameter, parts = [];
    if (type !== 'bool' && type !== 'trigger' && hasRange(parameter)) {
        parts.push(`${shortest(min)} to ${shortest(max)}${type === 'vector2' ? ', each' : ''}`);
    }
    if (damping > 0) parts.push(`damped over ${shortest(damping)} s`);
    if (type === 'trigger') parts.push(hold > 0 ? `waits ${shortest(hold)} s for a transition` : 'for one frame');
    return parts.length > 0 ? ` // ${parts.join(', ')}` : '';
}

// ---- JavaScript -------------------------------------------------------------------------------------------------

function setInJavaScript(parameter) {
    const { name, type, default: value } = parameter, key = JSON.stringify(name);
    const values = [value].flat().map((one) => (typeof one === 'number' ? shortest(one) : one)).join(', ');
    return type === 'trigger' ? `animator.fire(${key});${commentOf(parameter)}`
        : `animator.set(${key}, ${values});${commentOf(parameter)}`;
}

function threeCode({ file, graphFile, graph }) {
    const { parameters, layers } = graph;
    return ['import { GLTFLoader } from \'three/addons/loaders/GLTFLoader.js\';', 'import { Sinew } from \'sinew-animation\';',
        'import { drive } from \'sinew-animation/three\';', '',
        'const sinew = await Sinew.load();',
        `const loaded = await new GLTFLoader().loadAsync(${JSON.stringify(file)});`, 'scene.add(loaded.scene);',
        `const graph = await sinew.fetchGraph(${JSON.stringify(graphFile)});`,
        'const character = await drive(loaded, sinew, { graph });', 'const { animator } = character;', '',
        ...(parameters.length > 0 ? ['// when the input changes:', ...parameters.map(setInJavaScript), ''] : []),
        '// each frame, then render as usual:', 'character.update(delta);',
        ...layers.map(({ name }) => `console.log(animator.state(${JSON.stringify(name)}));`), ''].join('\n');
}

// ---- C ----------------------------------------------------------------------------------------------------------

const ESCAPES = { '\n': '\\n', '\t': '\\t', '\r': '\\r', '"': '\\"', '\\': '\\\\', '?': '\\?' }; // ?: no trigraphs
const string = (text) => `"${text.replace(/[\n\t\r"\\?]/g, (c) => ESCAPES[c]).replace(/[\x00-\x1f\x7f]/g, ' ')}"`;

function setInC(parameter) {
    const { name, type, default: value } = parameter, comment = commentOf(parameter), index = `${name}_parameter`;
    if (type === 'trigger') return `sinew_animator_fire(animator, ${index});${comment}`;
    const values = [value].flat().map((one) => (type === 'float' || type === 'vector2' ? float(one) : String(one))).join(', ');
    return `sinew_animator_set_${type}(animator, ${index}, ${values});${comment}`;
}

function cCode({ file, graphFile, graph }) {
    const { parameters, layers } = graph;
    const finds = parameters.map(({ name }) => `const int32_t ${name}_parameter = sinew_graph_find_parameter(graph, "${name}");`);
    const body = ['sinew_error error;', 'sinew_asset *asset;',
        `check(sinew_gltf_load_file(${string(file)}, NULL, &asset, &error), &error);`, 'sinew_graph *graph;',
        `check(sinew_graph_load_file(${string(graphFile)}, NULL, &graph, &error), &error);`, '',
        '// One for all characters of this file.', 'sinew_graph_binding_def binding_def = sinew_graph_binding_default();',
        'binding_def.graph = graph;', 'binding_def.skeleton = asset->skeleton;', 'binding_def.clips = asset->clips;',
        'binding_def.clip_count = asset->clip_count;', 'sinew_graph_binding *binding;',
        'check(sinew_graph_bind(&binding_def, &binding, &error), &error);', '', '// One for each character.',
        'sinew_animator_def def = sinew_animator_default();', 'def.binding = binding;', 'sinew_animator *animator;',
        'check(sinew_animator_create(&def, &animator, &error), &error);', '', ...finds, ...(finds.length > 0 ? [''] : []),
        'for (int frame = 0; frame < 60; frame++) {',
        ...(parameters.length > 0 ? ['    // When the input changes:', ...parameters.map((one) => `    ${setInC(one)}`), ''] : []),
        '    sinew_animator_update(animator, 1.0f / 60.0f);', '    char state[256];',
        ...layers.flatMap(({ name }, i) => [`    sinew_graph_state_path(graph, sinew_animator_state(animator, ${i}), state, sizeof state); // of ${name.replace(/[\x00-\x1f\\]/g, ' ')}`,
            '    printf("%s\\n", state);']),
        '}', '', 'sinew_animator_destroy(animator);', 'sinew_graph_binding_destroy(binding);', 'sinew_graph_destroy(graph);',
        'sinew_asset_destroy(asset);', 'return 0;'];
    return ['#include <sinew/sinew.h>', '', '#include <stdio.h>', '#include <stdlib.h>', '',
        'static void check(sinew_result result, const sinew_error *error) {', '    if (result == SINEW_OK) return;',
        '    fprintf(stderr, "%s\\n", error->message);', '    exit(1);', '}', '', 'int main(void) {',
        ...body.map((line) => (line === '' ? '' : `    ${line}`)), '}', ''].join('\n');
}

/** By name: { label, make({ file, graphFile, graph }) }: the names of both files, and the loaded graph. */
export const GRAPH_LANGUAGES = { three: { label: 'three.js', make: threeCode }, c: { label: 'C', make: cCode } };
