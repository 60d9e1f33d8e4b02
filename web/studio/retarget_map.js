// SPDX-License-Identifier: MIT
// Map files: which node has which role (docs/humanoid.md). All functions leave their arguments unchanged.
import { ROLES } from './retarget_roles.js';

const INDEX = /^#(\d+)$/;

/** How a map file names a node: by its name, otherwise by '#' and its index. */
export function referenceTo(nodes, node) {
    const { name } = nodes[node];
    const isClear = name !== '' && !INDEX.test(name) && nodes.filter((other) => other.name === name).length === 1;
    return isClear ? name : `#${node}`;
}

/** The node that a map has for a role; -1 for none. */
export function nodeOfRole(map, role, nodes) {
    const reference = map.roles[role] ?? null;
    if (reference === null) return -1;
    const index = INDEX.exec(reference);
    if (!index) return nodes.findIndex(({ name }) => name === reference);
    return Number(index[1]) < nodes.length ? Number(index[1]) : -1;
}

/** The roles of a map by node: Map of node to role. */
export function rolesByNode(map, nodes) {
    /** @type {[number, string][]} */
    const found = ROLES.map((role) => [nodeOfRole(map, role, nodes), role]);
    return new Map(found.filter(([node]) => node >= 0));
}

/** The map with a node for a role; -1 for none. A node has at most one role: its other role is cleared. */
export function withRole(map, role, node, nodes) {
    const before = node < 0 ? undefined : rolesByNode(map, nodes).get(node);
    const roles = { ...map.roles };
    if (before !== undefined) roles[before] = null;
    roles[role] = node < 0 ? null : referenceTo(nodes, node);
    return { ...map, roles };
}

/** The text of a map file. */
export const mapText = (map) => `${JSON.stringify(map, null, 2)}\n`;

/** A map of a link; null for an invalid one. Unknown roles are left out. */
export function readMap(from) {
    if (typeof from?.roles !== 'object' || from.roles === null) return null;
    const roles = Object.entries(from.roles)
        .filter(([role, node]) => ROLES.includes(role) && (node === null || typeof node === 'string'));
    return { sinewHumanoid: 1, roles: Object.fromEntries(roles) };
}

/** The map with the nodes of left and right exchanged. */
export function withSidesSwapped(map) {
    const mirror = (role) => role.replace(/^(left|right)/, (side) => (side === 'left' ? 'right' : 'left'));
    return { ...map, roles: Object.fromEntries(Object.keys(map.roles).map((role) => [role, map.roles[mirror(role)] ?? null])) };
}
