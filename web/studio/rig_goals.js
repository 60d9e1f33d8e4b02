// SPDX-License-Identifier: MIT
// A rig's goals over the picture: a named ring for each parameter that a step reaches for or looks at. Dragging moves
// it in the picture's plane.
import { transformPoint } from './affine.js';
import { planeAt, toModel } from './effectors.js';
import { stringOf } from './json_text.js';
import { project } from './renderers/camera.js';
/** @import { GraphDriver } from './graph_driver.js' */
/** @import { Camera } from './renderers/camera.js' */
/** @import { Stage } from './stage.js' */

const ON = '#4fd1ff', OFF = '#c9ccd3', EDGE = 'rgb(20 16 8 / 75%)', NAME = '#ffffff'; // visible on any picture
const RADIUS = 8, REACH = 14; // CSS pixels: the ring's radius, and how near the pointer must be
const TABS = ['Graph', 'Rig'];
const KEYS = ['goal', 'pole'];

// ---- Steps ------------------------------------------------------------------------------------------------------

function addGoals(text, node, found) {
    for (const { name, value } of node.parts ?? []) {
        if (KEYS.includes(name)) found.add(value.kind === 'object' ? stringOf(text, value, 'parameter') : stringOf(text, node, name));
        else addGoals(text, value, found);
    }
}

/** The names of parameters that are goals of an outline's step. */
export function goalsOf(text, { node }) {
    const found = new Set();
    addGoals(text, node, found);
    found.delete(undefined); // from goals that are nodes
    return [...found];
}

// ---- The picture ------------------------------------------------------------------------------------------------

export class RigGoals {
    #outline = null;
    #names = []; // by step

    constructor(/** @type {Stage} */ stage) {
        this.stage = stage;
    }

    get isShown() {
        const { graph, isDriven, view } = this.stage;
        return isDriven && graph.steps.length > 0 && TABS.includes(view.tab);
    }

    // The goals by step.
    #namesOf(/** @type {GraphDriver} */ { outline }) {
        if (this.#outline !== outline) {
            this.#outline = outline;
            this.#names = outline.steps.map((step) => goalsOf(outline.text, step));
        }
        return this.#names;
    }

    #placeOf(/** @type {GraphDriver} */ graph, parameter) {
        const { type, space } = parameter, value = graph.target(parameter), position = type === 'transform' ? value.position : value;
        return space === 'model' ? transformPoint(this.stage.character.world, position) : position;
    }

    /** The rings, in CSS pixels, for a picture of the given size: [{ parameter, isOn, at }]. */
    rings(/** @type {Camera} */ camera, { width, height }) {
        if (!this.isShown) return [];
        const { graph } = this.stage, names = this.#namesOf(graph), at = [0, 0], on = new Set();
        graph.steps.forEach(({ name }, i) => { if (graph.weightOf(name) > 0) for (const goal of names[i]) on.add(goal); });
        return [...new Set(names.flat())].flatMap((name) => {
            const parameter = graph.animator.graph.findParameter(name);
            if (!parameter || !project(camera, this.#placeOf(graph, parameter), at)) return [];
            return [{ parameter, isOn: on.has(name), at: [at[0] * width, at[1] * height] }];
        });
    }

    draw(/** @type {CanvasRenderingContext2D} */ context, /** @type {Camera} */ camera, size) {
        for (const { parameter, isOn, at: [x, y] } of this.rings(camera, size)) {
            for (const [color, lineWidth] of [[EDGE, 5], [isOn ? ON : OFF, 3]]) {
                Object.assign(context, { strokeStyle: color, lineWidth });
                context.beginPath();
                context.arc(x, y, RADIUS, 0, 2 * Math.PI);
                context.stroke();
            }
            this.#drawName(context, parameter.name, x + RADIUS + 5, y);
        }
    }

    #drawName(/** @type {CanvasRenderingContext2D} */ context, name, x, y) {
        Object.assign(context, { font: `12px ${getComputedStyle(context.canvas).fontFamily}`, textAlign: 'left', textBaseline: 'middle',
            lineJoin: 'round', strokeStyle: EDGE, lineWidth: 4, fillStyle: NAME });
        context.strokeText(name, x, y);
        context.fillText(name, x, y);
    }

    /** The ring at a point, or null. Its drag(dx, dy) moves the goal by CSS pixels. */
    grab(/** @type {Camera} */ camera, size, x, y) {
        const near = ({ at }) => Math.hypot(at[0] - x, at[1] - y);
        const [found] = this.rings(camera, size).filter((ring) => near(ring) < REACH).sort((a, b) => near(a) - near(b));
        if (!found) return null;
        const { stage: { graph, character: { world } } } = this, { parameter } = found, { name, type, space } = parameter;
        const value = graph.target(parameter), position = [...(type === 'transform' ? value.position : value)];
        const plane = planeAt(camera, size, this.#placeOf(graph, parameter));
        const [right, down] = [plane.right, plane.down].map((vector) => (space === 'model' ? toModel(world, vector) : vector));
        return {
            drag: (dx, dy) => {
                for (let i = 0; i < 3; i++) position[i] += right[i] * dx + down[i] * dy;
                graph.set(name, type === 'transform' ? { ...value, position: [...position] } : [...position]);
            },
        };
    }
}
