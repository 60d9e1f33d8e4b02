// SPDX-License-Identifier: MIT
// Reads a VRM file's spring bones: VRMC_springBone 1.0 with VRMC_springBone_extended_collider, or VRM 0.x's
// secondaryAnimation. Follows the rules of src/humanoid/vrm_read_springs.c.
import { toBytes } from './module.js';
import { jsonOf } from './sidecar.js';

const isObject = (value) => typeof value === 'object' && value !== null;
const listOf = (value) => (Array.isArray(value) ? value : []);
const objectOf = (value) => (isObject(value) ? value : {});
const isNumber = (value) => typeof value === 'number' && Number.isFinite(Math.fround(value));
const toNumber = (value, otherwise) => (isNumber(value) ? value : otherwise);
const toSource = (value) => (Number.isInteger(value) ? value : -1);
const toIndices = (value) => listOf(value).filter((index) => Number.isInteger(index) && index >= 0);
const toVector = (value, otherwise) => (listOf(value).length === 3 && value.every(isNumber) ? [...value] : otherwise);

// ---- VRM 1.0 ----------------------------------------------------------------------------------------------------

// The first of an object's shapes, in the order of `kinds`; null if it has none.
function shapeOf(object, kinds) {
    const shape = kinds.find((kind) => isObject(object[kind]));
    if (!shape) return null;
    const { offset, tail, normal, radius, inside } = object[shape], from = toVector(offset, [0, 0, 0]);
    return { shape, inside: shape !== 'plane' && inside === true, offset: from,
        tail: shape === 'capsule' ? toVector(tail, [0, 0, 0]) : from,
        normal: shape === 'plane' ? toVector(normal, [0, 0, 1]) : [0, 0, 0],
        radius: shape === 'plane' ? 0 : toNumber(radius, 0) };
}

// The extension's shape replaces the collider's own, which can't be a plane or an inside shape.
function toCollider(value) {
    const { node, shape, extensions } = objectOf(value);
    const extended = objectOf(objectOf(objectOf(extensions).VRMC_springBone_extended_collider).shape);
    const own = shapeOf(objectOf(shape), ['sphere', 'capsule']);
    const found = shapeOf(extended, ['sphere', 'capsule', 'plane']) ?? (own && { ...own, inside: false });
    return found ? { node: toSource(node), ...found } : { node: -1, ...shapeOf({ sphere: {} }, ['sphere']) };
}

function toJoint(value) {
    const { node, hitRadius, stiffness, gravityPower, gravityDir, dragForce } = objectOf(value);
    return { node: toSource(node), hitRadius: toNumber(hitRadius, 0), stiffness: toNumber(stiffness, 1),
        gravityPower: toNumber(gravityPower, 0), gravityDir: toVector(gravityDir, [0, -1, 0]), dragForce: toNumber(dragForce, 0.5) };
}

function toSpring(value) {
    const { name, center, joints, colliderGroups } = objectOf(value);
    return { name: String(name ?? ''), subtrees: false, center: toSource(center), joints: listOf(joints).map(toJoint),
        colliderGroups: toIndices(colliderGroups) };
}

function readVersion1({ colliders, colliderGroups, springs }) {
    return { version: '1.0', colliders: listOf(colliders).map(toCollider),
        colliderGroups: listOf(colliderGroups).map((group) => toIndices(objectOf(group).colliders)),
        springs: listOf(springs).map(toSpring) };
}

// ---- VRM 0.x ----------------------------------------------------------------------------------------------------

// VRM 0.x vectors have z the other way.
function toVector0(value, [x0, y0, z0]) {
    const { x, y, z } = objectOf(value);
    return [toNumber(x, x0), toNumber(y, y0), 0 - toNumber(z, 0 - z0)];
}

function toCollider0(node, value) {
    const { offset, radius } = objectOf(value), at = toVector0(offset, [0, 0, 0]);
    return { node, shape: 'sphere', inside: false, offset: at, tail: at, normal: [0, 0, 0], radius: toNumber(radius, 0) };
}

// A spring's values apply to each of its roots.
function toSpring0(value) {
    const { comment, center, bones, colliderGroups, hitRadius, stiffiness, gravityPower, gravityDir, dragForce } = objectOf(value);
    const joint = { hitRadius: toNumber(hitRadius, 0), stiffness: toNumber(stiffiness, 1), // "stiffiness" is VRM 0.x's spelling
        gravityPower: toNumber(gravityPower, 0), gravityDir: toVector0(gravityDir, [0, -1, 0]), dragForce: toNumber(dragForce, 0.5) };
    return { name: String(comment ?? ''), subtrees: true, center: toSource(center),
        joints: toIndices(bones).map((node) => ({ node, ...joint })), colliderGroups: toIndices(colliderGroups) };
}

// A collider group belongs to one node.
function readVersion0({ colliderGroups, boneGroups }) {
    const colliders = [], groups = [];
    for (const group of listOf(colliderGroups)) {
        const { node, colliders: list } = objectOf(group);
        groups.push(listOf(list).map((one) => colliders.push(toCollider0(toSource(node), one)) - 1));
    }
    return { version: '0.x', colliders, colliderGroups: groups, springs: listOf(boneGroups).map(toSpring0) };
}

// ---- Files ------------------------------------------------------------------------------------------------------

const isBytes = (file) => file instanceof ArrayBuffer || ArrayBuffer.isView(file);

export function springsOf(file) {
    const extensions = objectOf(objectOf(isBytes(file) ? jsonOf(toBytes(file, 'a file')) : file).extensions);
    const { VRMC_springBone: bones, VRM: avatar, VRMC_vrm: newer } = extensions;
    const older = isObject(newer) ? null : objectOf(avatar).secondaryAnimation;
    const found = (isObject(bones) && readVersion1(bones)) || (isObject(older) && readVersion0(older));
    return found && found.springs.length > 0 ? found : null;
}
