// SPDX-License-Identifier: MIT
// A worker that retargets, so the page stays responsive (worker_client.js).
import { fetchMeshopt, NEEDS_MESHOPT } from './meshopt.js';
import { skeletonGlb } from './retarget_skeleton.js';
import { Retargeter } from './sinew/retarget.js';

const loading = Retargeter.load();
const sides = { source: null, target: null };
let decoder = null;

async function openFile({ name, bytes, files = {} }) {
    const retargeter = await loading, open = () => retargeter.open(bytes, { name, sidecars: files, decoder });
    try {
        return await open();
    } catch (error) {
        if (!NEEDS_MESHOPT.test(error.message)) throw error;
        decoder = await fetchMeshopt().catch(() => { throw error; });
    }
    return open();
}

const describe = ({ nodes, clips, humanoid, refusal, map }) => ({ nodes, clips, humanoid, refusal, map });

// A .glb of the skeleton and clips of a file that isn't glTF. The stage shows it.
async function drawable(side, name) {
    if (!/\.bvh$/i.test(name)) return null;
    const retargeter = await loading, skeleton = await retargeter.open(skeletonGlb(side.nodes), { name: `${name}.glb` });
    skeleton.setMap(side.map);
    const { glb } = retargeter.retarget(side, skeleton, { feet: false });
    skeleton.dispose();
    return glb;
}

const METHODS = {
    async open({ side, file }) {
        sides[side]?.dispose();
        sides[side] = await openFile(file);
        return describe(sides[side]);
    },
    // Checks and applies a map.
    setMap({ side, map }) {
        sides[side].setMap(map);
        const { humanoid, refusal } = sides[side];
        return { humanoid, refusal };
    },
    retarget: async (options) => (await loading).retarget(sides.source, sides.target, options),
    draw: ({ name }) => drawable(sides.source, name),
};

addEventListener('message', async ({ data: { id, method, given } }) => {
    try {
        postMessage({ id, answer: await METHODS[method](given) });
    } catch (error) {
        postMessage({ id, error: error.message });
    }
});
