// SPDX-License-Identifier: MIT
// A hook for react-three-fiber, based on the three.js adapter.
import { useFrame } from '@react-three/fiber';
import { useEffect, useState } from 'react';
import { assetOf } from './loaded.js';
import { drive } from './three.js';

// One module for all components. Bundlers leave it out of pages that pass their own.
/** @type {Promise<import('./index.js').Sinew> | null} */
let loading = null;
const loadSinew = () => (loading ??= import('./index.js').then(({ Sinew }) => Sinew.load()));

/**
 * @param {any} gltf
 * @param {any} [options]
 */
export function useSinew(gltf, { sinew = null, scene = gltf.scene, direct = false, graph = null, character: make = null, ...mixerOptions } = {}) {
    const [character, setCharacter] = useState(null);

    useEffect(() => {
        let isMounted = true, driven = /** @type {import('./three.js').Character | null} */ (null);
        async function start() {
            const asset = await assetOf(gltf, await (sinew ?? loadSinew()));
            if (!isMounted) return; // strict mode mounts twice, but a scene has one driver
            const made = make && await make(asset);
            try {
                if (isMounted) driven = drive(gltf, asset, { scene, direct, graph, character: made, ...mixerOptions });
            } finally {
                if (!driven) made?.dispose();
            }
            if (driven) setCharacter(driven);
        }
        start().catch((error) => {
            if (isMounted) setCharacter(() => { throw error; }); // reaches the error boundary
        });
        return () => {
            isMounted = false;
            driven?.dispose();
            setCharacter(null);
        };
    }, [gltf, sinew, scene, direct, graph]);

    useFrame((_, deltaTime) => {
        if (character && !character.mixer.disposed) character.update(deltaTime);
    });
    return character;
}
