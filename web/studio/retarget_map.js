// SPDX-License-Identifier: MIT
// Map files say which node has which role (docs/humanoid.md). No function changes its arguments.
import { ROLES } from './retarget_roles.js';

const INDEX = /^#(\d+)$/;

/** How a map file refers to a node: by name, else by '#' and its index. */
export function referenceTo(nodes, node) {
    const { name } = nodes[node];
    const isClear = name !== '' && !INDEX.test(name) && nodes.filter((other) => other.name === name).length === 1;
    return isClear ? name : `#${node}`;
}

/** A map's node for a role; -1 if there isn't one. */
export function nodeOfRole(map, role, nodes) {
    const reference = map.roles[role] ?? null;
    if (reference === null) return -1;
    const index = INDEX.exec(reference);
    if (!index) return nodes.findIndex(({ name }) => name === reference);
    return Number(index[1]) < nodes.length ? Number(index[1]) : -1;
}

/** A map's roles by node: Map from node to role. */
export function rolesByNode(map, nodes) {
    /** @type {[number, string][]} */
    const found = ROLES.map((role) => [nodeOfRole(map, role, nodes), role]);
    return new Map(found.filter(([node]) => node >= 0));
}

/** The map with another node for a role; -1 for none. A node has at most one role, so its other role is cleared. */
export function withRole(map, role, node, nodes) {
    const before = node < 0 ? undefined : rolesByNode(map, nodes).get(node);
    const roles = { ...map.roles };
    if (before !== undefined) roles[before] = null;
    roles[role] = node < 0 ? null : referenceTo(nodes, node);
    return { ...map, roles };
}

/** A map file's text. */
export const mapText = (map) => `${JSON.stringify(map, null, 2)}\n`;

/** A link's map; null if it's invalid. Leaves out unknown roles. */
export function readMap(from) {
    if (typeof from?.roles !== 'object' || from.roles === null) return null;
    const roles = Object.entries(from.roles)
        .filter(([role, node]) => ROLES.includes(role) && (node === null || typeof node === 'string'));
    return { sinewHumanoid: 1, roles: Object.fromEntries(roles) };
}

/** The map with the left and right nodes exchanged. */
export function withSidesSwapped(map) {
    const mirror = (role) => role.replace(/^(left|right)/, (side) => (side === 'left' ? 'right' : 'left'));
    return { ...map, roles: Object.fromEntries(Object.keys(map.roles).map((role) => [role, map.roles[mirror(role)] ?? null])) };
}
