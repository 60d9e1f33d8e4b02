// SPDX-License-Identifier: MIT
import { SinewCore } from './index.js';
import { Character, DriveOptions, Gltf } from './three.js';

/** The options of useSinew: also those of drive. */
export interface UseSinewOptions<Scene = object> extends DriveOptions<Scene> {
    /** A Sinew, or a promise of one. Default: the hook imports 'sinew-animation', once for all components. */
    sinew?: SinewCore | Promise<SinewCore>;
}

/**
 * Drives a scene of GLTFLoader: updates it each frame, and disposes the character with the component. Returns null
 * until the character is ready. Errors go to the error boundary. Another gltf, sinew, scene, graph or `direct` makes a
 * new character; changes of other options wait for that. A graph needs the `sinew` that has read it.
 *
 * @example
 * const gltf = useLoader(GLTFLoader, 'hero.glb');
 * const hero = useSinew(gltf);
 * useEffect(() => { hero?.mixer.transitionTo(hero.mixer.clipAction(clip)); }, [hero, clip]);
 */
export function useSinew<Scene extends object>(gltf: Gltf<Scene>, options?: UseSinewOptions<Scene>): Character | null;
