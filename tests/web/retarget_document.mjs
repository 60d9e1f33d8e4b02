// SPDX-License-Identifier: MIT
// Roles, maps, findings, code and layouts of retargeting in the studio: node retarget_document.mjs PACKAGE MODELS SINEW
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import test from 'node:test';
import { makeStudioFolder } from './studio_folder.mjs';

const [packageFolder, models, command] = process.argv.slice(2);
const { load } = await makeStudioFolder(packageFolder);
const { facesBack } = await load('gltf.js');
const { findingsOf, missingRoles, summaryOf } = await load('retarget_findings.js');
const { layOutSkeleton, neighbourOf } = await load('retarget_layout.js');
const { mapText, nodeOfRole, readMap, rolesByNode, withRole, withSidesSwapped } = await load('retarget_map.js');
const { newOptions, readOptions } = await load('retarget_options.js');
const { isRequired, labelOf, ROLES, ROLE_GROUPS } = await load('retarget_roles.js');
const { commandText, javaScriptText } = await load('retarget_text.js');
const ask = (...words) => spawnSync(command, words, { encoding: 'utf8' }).stdout;

// ---- Roles and maps -----------------------------------------------------------------------------------------------

test('the roles are those of the command, and so are those that are required', () => {
    const { roles } = JSON.parse(ask('humanoid', join(models, 'hero.glb'), '--json'));
    assert.equal(roles.length, 54); // of the 55 without the jaw
    assert.deepEqual([...ROLES].sort(), [...roles.map(({ role }) => role), 'jaw'].sort());
    const written = JSON.parse(ask('humanoid', join(models, 'sword.glb'), '--map', '-'));
    const { findings } = JSON.parse(ask('humanoid', join(models, 'sword.glb'), '--json'));
    const missing = findings.filter(({ kind }) => kind === 'missing').map(({ role }) => role);
    assert.deepEqual(ROLES.filter(isRequired).sort(), missing.sort());
    assert.deepEqual(missingRoles(written).sort(), missing);
    assert.equal(labelOf('leftThumbMetacarpal'), 'Left thumb metacarpal');
    assert.ok(ROLE_GROUPS.every(({ name, view }) => (/fingers/.test(name) ? /Hand$/ : /^body$/).test(view)));
});

const NAMES = ['Root', 'Bone', 'Hips', '', 'Bone', '#1', 'Hand'];
const nodes = NAMES.map((name, i) => ({ name, parent: i - 1, head: [0, i, 0] }));
const map = { sinewHumanoid: 1, roles: { hips: 'Hips', leftHand: '#3', head: null } };

test('a map names nodes by their names where these are clear', () => {
    assert.equal(nodeOfRole(map, 'hips', nodes), 2);
    assert.equal(nodeOfRole(map, 'leftHand', nodes), 3);
    for (const role of ['head', 'jaw']) assert.equal(nodeOfRole(map, role, nodes), -1);
    assert.equal(nodeOfRole({ roles: { hips: '#7' } }, 'hips', nodes), -1);
    const references = nodes.map((_, node) => withRole(map, 'spine', node, nodes).roles.spine);
    assert.deepEqual(references, ['Root', '#1', 'Hips', '#3', '#4', '#5', 'Hand']);
});

test('a node has one role, and a map is not changed', () => {
    const before = structuredClone(map), moved = withRole(map, 'spine', 2, nodes);
    assert.deepEqual(map, before);
    assert.deepEqual(moved.roles, { hips: null, leftHand: '#3', head: null, spine: 'Hips' });
    assert.deepEqual([...rolesByNode(moved, nodes)], [[2, 'spine'], [3, 'leftHand']]);
    assert.deepEqual(withRole(map, 'hips', 2, nodes).roles, map.roles);
    assert.equal(withRole(map, 'hips', -1, nodes).roles.hips, null);
    assert.deepEqual(withSidesSwapped({ roles: { leftHand: 'A', rightHand: 'B', hips: 'C', leftFoot: 'D' } }).roles,
        { leftHand: 'B', rightHand: 'A', hips: 'C', leftFoot: null });
});

test('the text of a map is that of the command', () => {
    const text = ask('humanoid', join(models, 'golem.glb'), '--map', '-');
    assert.ok(text.length > 1000);
    assert.equal(mapText(JSON.parse(text)), text);
});

test('maps and options of a link are checked', () => {
    for (const wrong of [undefined, null, 3, {}, { roles: 5 }, { roles: null }]) assert.equal(readMap(wrong), null);
    const read = readMap({ sinewHumanoid: 9, roles: { hips: 'A', head: null, tail: 'B', jaw: 4 }, more: 1 });
    assert.deepEqual(read, { sinewHumanoid: 1, roles: { hips: 'A', head: null } });
    for (const wrong of [undefined, null, 'x', { rate: 1e9, feet: 3, clips: 'all' }]) assert.deepEqual(readOptions(wrong, 3), newOptions());
    assert.deepEqual(readOptions({ clips: [2, 3, -1, 0.5, '1'], rate: 60, feet: false, more: true }, 3),
        { ...newOptions(), clips: [2], rate: 60, feet: false });
});

// ---- Findings -----------------------------------------------------------------------------------------------------

test('each kind of finding has words with its nodes, and advice', () => {
    const kinds = ['missing', 'ambiguous', 'detached', 'side', 'swapped', 'below', 'lying', 'unequal'];
    const findings = kinds.map((kind) => ({ kind, role: 'leftFoot', node: 2, other: 3 }));
    const found = findingsOf({ nodes, humanoid: { findings: [...findings, { kind: 'of later', role: 'hips', node: 1, other: -1 }] } });
    assert.deepEqual(found.map(({ kind }) => kind), kinds);
    for (const { text, advice } of found) assert.match(`${text} ${advice}`, /^[A-Z][^{}]*\. [A-Z].*\.$/);
    assert.equal(found[1].text, 'Left foot: node 3 fits as well as “Hips”.');
    assert.match(found[7].text, /^Left foot and right foot /);
});

test('a summary says what is missing, or what the roles rest on', () => {
    const complete = { roles: Object.fromEntries(ROLES.map((role) => [role, role])) };
    const humanoid = { source: 'guess', accepted: true, score: 0.9 };
    assert.deepEqual(summaryOf({ humanoid, map: complete }), { text: 'Roles by names and shape, score 0.90', isGood: true });
    assert.match(summaryOf({ humanoid: { ...humanoid, accepted: false }, map: complete }).text, /isn’t certain enough \(score 0\.90\)/);
    const one = { roles: { ...complete.roles, head: null, leftToes: null } };
    assert.deepEqual(summaryOf({ humanoid, map: one }), { text: '1 required role has no node: head.', isGood: false, isIncomplete: true });
    assert.match(summaryOf({ humanoid, map: { roles: {} } }).text, /^15 required roles have no node: hips, spine, .* and 11 more\.$/);
});

// ---- Code ---------------------------------------------------------------------------------------------------------

const retargeting = (changes = {}, mapped = []) => ({
    source: { name: "Mary's walk.bvh", clips: ['Walk', 'Walk', '-x', '#2', '', 'A B'].map((name) => ({ name })) },
    target: { name: '-golem.glb' }, options: { ...newOptions(), ...changes }, isMapped: (side) => mapped.includes(side) });

test('the command has what differs from its defaults, quoted', () => {
    assert.equal(commandText(retargeting()),
        "sinew retarget 'Mary'\\''s walk.bvh' --onto ./-golem.glb -o './-golem-Mary'\\''s walk.glb'");
    const all = commandText(retargeting({ clips: [1, 2, 3, 4, 5], only: true, rate: 60, feet: false, hands: true, fixedLengths: true },
        ['source', 'target']));
    assert.equal(all, "sinew retarget 'Mary'\\''s walk.bvh' --onto ./-golem.glb --clip '#1' --clip '-x' --clip '#3' --clip '#4' --clip 'A B' " +
        "--only --rate 60 --no-feet --hands --fixed-lengths --source-map 'Mary'\\''s walk.humanoid.json' " +
        "--target-map ./-golem.humanoid.json -o './-golem-Mary'\\''s walk.glb'");
});

test('the JavaScript has what differs from the defaults', () => {
    const text = javaScriptText(retargeting());
    assert.match(text, /retargeter\.retarget\(source, target\);/);
    assert.doesNotMatch(text, /map:/);
    const more = javaScriptText(retargeting({ clips: [1, 5], hands: true, rate: 24 }, ['target']));
    assert.match(more, /retarget\(source, target, \{ clips: \[1,"A B"\], rate: 24, hands: true \}\);/);
    assert.match(more, /open\(await bytes\("-golem\.glb"\), \{ name: "-golem\.glb", map: await text\("-golem\.humanoid\.json"\) \}\);/);
});

// ---- Layouts ------------------------------------------------------------------------------------------------------

// A figure 2 high and 1 wide, without its hair. Its left hand is on its left.
const FIGURE = [['Armature', -1, [0, 0, 0]], ['Hips', 0, [0, 1, 0]], ['Head', 1, [0, 2, 0]], ['Hand_L', 1, [0.5, 1.5, 0]],
    ['Hand_R', 1, [-0.5, 1.5, 0]], ['Foot_L', 1, [0.1, 0, 0]], ['Finger_L', 3, [0.9, 1.5, 0]], ['Target', -1, [30, 0, 0]], ['Hair', 2, [0, 2.5, 0]]];
const FIGURE_ROLES = new Map([[1, 'hips'], [2, 'head'], [3, 'leftHand'], [4, 'rightHand'], [5, 'leftFoot'], [6, 'leftIndexProximal']]);
const skeleton = (turn, forward) => ({ humanoid: { forward },
    nodes: FIGURE.map(([name, parent, [x, y, z]]) => ({ name, parent, head: turn([x, y, z]) })) });
const rounded = ({ points, width }) => ({ width: Number(width.toFixed(4)),
    points: [...points].sort(([a], [b]) => a - b).map(([node, at]) => [node, ...at.map((value) => Number(value.toFixed(4)) + 0)]) });

test('a body is seen from the front, from its feet to its head, without fingers and far nodes', () => {
    const expected = { width: 0.4, points: [[0, 0.2, 1], [1, 0.2, 0.6], [2, 0.2, 0.2], [3, 0.4, 0.4], [4, 0, 0.4], [5, 0.24, 1], [8, 0.2, 0]] };
    const turns = [[(at) => at, [0, 0, 1]], [([x, y, z]) => [-x, y, -z], [0, 0, -1]], [([x, y, z]) => [z, y, -x], [1, 0, 0]],
        [([x, y, z]) => [x, -z, y], [0, -1, 0]], [([x, y, z]) => [100 * x, 100 * y, 100 * z], [0, 0, 1]]];
    for (const [turn, forward] of turns) {
        assert.deepEqual(rounded(layOutSkeleton(skeleton(turn, forward), FIGURE_ROLES, 'body', true)), expected, String(forward));
    }
});

test('an incomplete body has all its nodes', () => {
    const { points } = layOutSkeleton(skeleton((at) => at, [0, 0, 0]), new Map(), 'body', false);
    assert.deepEqual([...points.keys()].sort((a, b) => a - b), [0, 1, 2, 3, 4, 5, 6, 7, 8]);
    for (const at of points.values()) assert.ok(at.every(Number.isFinite));
});

test('a hand has its fingers up, and the index finger on the side of the thumb', () => {
    const hand = { humanoid: { forward: [0, 0, 1] }, nodes: [[0, 0, 0], [1, 0, 0.2], [1, 0, -0.2], [0.5, 0, 0.4]].map((head, i) => (
        { name: `J${i}`, parent: i === 0 ? -1 : 0, head })) };
    const points = (side) => layOutSkeleton(hand, new Map([[0, `${side}Hand`], [1, `${side}IndexProximal`], [2, `${side}LittleProximal`],
        [3, `${side}ThumbProximal`]]), `${side}Hand`, true).points;
    const left = points('left'), right = points('right');
    for (const at of [left, right]) assert.ok(at.get(1)[1] < at.get(0)[1] && at.get(2)[1] < at.get(0)[1]);
    assert.ok(left.get(1)[0] > left.get(2)[0] && left.get(3)[0] > left.get(1)[0]);
    assert.ok(right.get(1)[0] < right.get(2)[0] && right.get(3)[0] < right.get(1)[0]);
    assert.equal(layOutSkeleton(hand, new Map([[0, 'leftHand']]), 'rightHand', true), null);
});

test('skeletons without extent have finite points', () => {
    const flat = { humanoid: { forward: [0, 0, 0] }, nodes: [{ name: 'A', parent: -1, head: [1, 2, 3] }, { name: 'B', parent: 0, head: [1, 2, 3] }] };
    for (const [roles, view] of [[new Map(), 'body'], [new Map([[0, 'leftHand']]), 'leftHand']]) {
        const { points, width } = layOutSkeleton(flat, roles, view, false);
        assert.ok(Number.isFinite(width) && points.size === 2 && [...points.values()].flat().every(Number.isFinite));
    }
});

test('arrow keys go to the nearest point in their direction', () => {
    const points = new Map([['a', [0, 0]], ['b', [10, 1]], ['c', [4, 9]], ['d', [0, -5]]]);
    assert.equal(neighbourOf(points, 'a', [1, 0]), 'b');
    assert.equal(neighbourOf(points, 'a', [0, 1]), 'c');
    assert.equal(neighbourOf(points, 'a', [0, -1]), 'd');
    assert.equal(neighbourOf(points, 'a', [-1, 0]), -1);
});

test('characters of VRM 0.x are seen from -Z', () => {
    const bytes = (extensions) => new TextEncoder().encode(JSON.stringify({ asset: { version: '2.0' }, extensions }));
    assert.equal(facesBack(bytes({ VRM: {} })), true);
    assert.equal(facesBack(bytes({ VRM: {}, VRMC_vrm: {} })), false); // migrated
    assert.equal(facesBack(bytes({ VRMC_vrm: {} })), false);
    assert.equal(facesBack(bytes(undefined)), false);
});
