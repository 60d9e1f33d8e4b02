// SPDX-License-Identifier: MIT
// Humanoid roles: the 55 human bones of VRM 1.0, in groups, with labels.
const TORSO = ['hips', 'spine', 'chest', 'upperChest', 'neck', 'head'];
const FACE = ['leftEye', 'rightEye', 'jaw'];
const ARM = ['Shoulder', 'UpperArm', 'LowerArm', 'Hand'];
const LEG = ['UpperLeg', 'LowerLeg', 'Foot', 'Toes'];
const FINGER = ['Proximal', 'Intermediate', 'Distal'];
const FINGERS = ['Thumb', 'Index', 'Middle', 'Ring', 'Little'].flatMap((finger) => (
    (finger === 'Thumb' ? ['Metacarpal', 'Proximal', 'Distal'] : FINGER).map((joint) => finger + joint)));
const SIDES = ['left', 'right'];
const OPTIONAL = /Eye|jaw|chest|Chest|neck|Toes|Shoulder|Thumb|Index|Middle|Ring|Little/;

const bothSides = (parts) => SIDES.map((side) => parts.map((part) => side + part));
const [leftArm, rightArm] = bothSides(ARM), [leftLeg, rightLeg] = bothSides(LEG), [leftHand, rightHand] = bothSides(FINGERS);

/** [{ name, roles, view }]: `view` is the part of the skeletons that the diagram shows for these roles. */
export const ROLE_GROUPS = [
    { name: 'Torso and head', roles: TORSO, view: 'body' },
    { name: 'Left arm', roles: leftArm, view: 'body' },
    { name: 'Right arm', roles: rightArm, view: 'body' },
    { name: 'Left leg', roles: leftLeg, view: 'body' },
    { name: 'Right leg', roles: rightLeg, view: 'body' },
    { name: 'Left fingers', roles: leftHand, view: 'leftHand' },
    { name: 'Right fingers', roles: rightHand, view: 'rightHand' },
    { name: 'Eyes and jaw', roles: FACE, view: 'body' },
];

export const ROLES = ROLE_GROUPS.flatMap(({ roles }) => roles);

export const isRequired = (role) => !OPTIONAL.test(role);

export const groupOf = (role) => ROLE_GROUPS.find(({ roles }) => roles.includes(role));

/** "Left upper arm" for leftUpperArm. */
export function labelOf(role) {
    const words = role.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
    return words.charAt(0).toUpperCase() + words.slice(1);
}
