// SPDX-License-Identifier: MIT
// The classes of the package against their declarations: types.mjs checks it. A class has all members that its declaration
// has, of the same types, and no others but those whose names are symbols.
import { BlendSpaceAction, ClipAction } from './action.js';
import * as declaredCharacters from './character.js';
import { Character } from './characters.js';
import { ImporterSinew } from './importer.js';
import * as declared from './index.js';
import * as solvers from './ik.js';
import * as made from './interface.js';
import { Layer } from './layer.js';
import { Rig } from './rig.js';
import { Instance, SceneNode } from './scene.js';
import { Snapshot } from './snapshot.js';
import * as declaredSolvers from './solvers.js';
import { Springs } from './springs.js';

type Instances<T> = { [Name in keyof T as T[Name] extends { prototype: unknown } ? Name : never]:
    T[Name] extends { prototype: infer One } ? One : never };

interface Made extends Instances<typeof made> {
    Sinew: ImporterSinew;
    ClipAction: ClipAction;
    BlendSpaceAction: BlendSpaceAction;
    Layer: Layer;
    Snapshot: Snapshot;
    Character: Character;
    Rig: Rig;
    SceneNode: SceneNode;
    Instance: Instance;
    Springs: Springs;
    Chain: solvers.Chain & Pick<declaredSolvers.Chain, 'target' | 'pole' | 'poleWeight' | 'softness' | 'weight'>; // by defineNumbers
    Body: solvers.Body & Pick<declaredSolvers.Body, 'rootStiffness' | 'restBias' | 'weight'>;
}

interface Declared extends Instances<typeof declared> {
    ClipAction: declared.ClipAction;
    BlendSpaceAction: declared.BlendSpaceAction;
    Layer: declared.Layer;
    Snapshot: declared.Snapshot;
    Character: declaredCharacters.Character;
    Rig: declaredCharacters.Rig;
    SceneNode: declared.SceneNode;
    Instance: declared.Instance;
    Springs: declaredSolvers.Springs;
    Chain: declaredSolvers.Chain;
    Body: declaredSolvers.Body;
}

// The members of a class that its declaration lacks.
type Others = { [Name in keyof Made]: Name extends keyof Declared ? Exclude<keyof Made[Name], keyof Declared[Name] | symbol> : 'not declared' };

declare const all: Made, others: Others;
export const members: Declared = all;
export const none: { [Name in keyof Made]: never } = others;
