// SPDX-License-Identifier: MIT
// Explains a humanoid's findings in plain words, and what to do about them.
import { isRequired, labelOf, ROLES } from './retarget_roles.js';

const SOURCES = { vrm0: 'VRM 0.x data', vrm1: 'VRM 1.0 data', map: 'a map', guess: 'names and shape', program: 'a program' };

const nameOf = (nodes, node) => (nodes[node]?.name ? `“${nodes[node].name}”` : `node ${node}`);
const mirrorOf = (role) => role.replace(/^(left|right)/, (side) => (side === 'left' ? 'right' : 'left'));

const WORDS = {
    missing: ({ role }) => [`${role} has no node.`, 'Click its node in the skeleton.'],
    ambiguous: ({ role, node, other }) => [`${role}: ${other} fits as well as ${node}.`,
        'Keep it, or click the other one.'],
    detached: ({ role, node, other }) => [`${role}: ${node} isn’t below ${other} in the hierarchy.`,
        'That’s right for a rig that moves it with IK. Otherwise click a different node.'],
    side: ({ role, node }) => [`${role}: ${node} is on the other side of the body.`,
        'Click the node of the right side, or swap left and right.'],
    swapped: () => ['Left and right are swapped: toes or eyes point backward.', 'Swap left and right.'],
    below: ({ role, node }) => [`${role}: ${node} isn’t below the hips and the upper leg.`, 'Click a different node.'],
    lying: () => ['The line from hips to head isn’t upright.', 'Sinew retargets upright characters. Check hips, spine and head.'],
    unequal: ({ role, mirror }) => [`${role} and ${mirror} have bones of different lengths.`,
        'Check both, and the roles below them.'],
};

/** [{ role, text, advice }] for a side { nodes, humanoid }. */
export function findingsOf({ nodes, humanoid }) {
    return humanoid.findings.filter(({ kind }) => kind in WORDS).map(({ kind, role, node, other }) => {
        const words = { role: labelOf(role), mirror: labelOf(mirrorOf(role)).toLowerCase(), node: nameOf(nodes, node),
            other: nameOf(nodes, other) };
        const [text, advice] = WORDS[kind](words);
        return { kind, role, text, advice };
    });
}

/** The required roles that have no node in a map. */
export const missingRoles = (map) => ROLES.filter((role) => isRequired(role) && (map.roles[role] ?? null) === null);

/** Explains where the roles come from, and whether they're usable and complete: { text, isGood, isIncomplete }. */
export function summaryOf({ humanoid, map }, isMapped) {
    const missing = missingRoles(map), score = humanoid.score.toFixed(2);
    const from = isMapped ? 'edited' : `by ${SOURCES[humanoid.source] ?? humanoid.source}`;
    if (missing.length > 0) {
        const names = missing.slice(0, 4).map((role) => labelOf(role).toLowerCase()).join(', ');
        const more = missing.length > 4 ? ` and ${missing.length - 4} more` : '';
        return { text: `${missing.length} required ${missing.length === 1 ? 'role has' : 'roles have'} no node: ${names}${more}.`,
            isGood: false, isIncomplete: true };
    }
    if (!humanoid.accepted) return { text: `The guess isn’t certain enough (score ${score}). Check its roles.`, isGood: false };
    return { text: `Roles ${from}, score ${score}`, isGood: true };
}
