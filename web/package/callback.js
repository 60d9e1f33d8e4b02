// SPDX-License-Identifier: MIT
// The argument of a page's function for callback steps. character.d.ts documents every name.
import { $exports, $localPose, $run, $stride } from './internal.js';
import { toIndex } from './module.js';
import { checkUnit, copyVector } from './vectors.js';

const PROPERTIES = ['translation', 'rotation', 'scale'];
const FIRST = { translation: 0, rotation: 3, scale: 7 }; // planes of a pose

export class CallbackStep {
    #mixer;
    #steps;
    #call;
    #isRunning = false;
    #values = { translation: new Float32Array(3), rotation: new Float32Array(4), scale: new Float32Array(3) };

    // `call` is the page's function.
    constructor(mixer, steps, call) {
        this.#mixer = mixer;
        this.#steps = steps;
        this.#call = call;
        this.index = -1;
        this.name = '';
        this.weight = this.deltaTime = 0;
        void mixer.modelMatrices; // updates keep them from now on
    }

    [$run](index, weight, deltaTime) {
        this.index = index;
        this.name = this.#steps[index].name;
        this.weight = weight;
        this.deltaTime = deltaTime;
        this.#isRunning = true;
        try {
            this.#call(this);
        } finally {
            this.#isRunning = false;
        }
    }

    #running() {
        if (this.#isRunning) return this.#mixer;
        throw new Error('a step can only be used while it runs');
    }

    nodeTransform(node, target) {
        return this.#running().nodeTransform(node, target);
    }

    nodeMatrix(node, target) {
        return this.#running().nodeMatrix(node, target);
    }

    setNodeTransform(node, transform) {
        const mixer = this.#running(), index = toIndex(node, mixer.asset.nodes.length, 'node'), values = this.#values;
        for (const name of PROPERTIES) if (transform[name] !== undefined) copyVector(values[name], transform[name], name);
        if (transform.rotation !== undefined) checkUnit(values.rotation, 'rotation');
        const array = mixer[$localPose](), { [$stride]: stride } = mixer;
        for (const name of PROPERTIES) {
            if (transform[name] === undefined) continue;
            for (let i = 0; i < values[name].length; i++) array[(FIRST[name] + i) * stride + index] = values[name][i];
        }
        mixer[$exports].web_character_step_below(index);
        return this;
    }
}
